"""From a folder of YAML to a Ruleset, or to every fault in it at once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from charforge.content import cache, reading, source
from charforge.content.ruleset import Ruleset
from charforge.errors import Fault, PackError, UnknownId
from charforge.paths import data_folder

HEAD = "ruleset.yaml"


def catalog_folder() -> Path:
    """Return the folder of the built-in packs."""
    return data_folder("catalog")


def available() -> list[str]:
    """Return the ids of the built-in rulesets."""
    return sorted(path.parent.name for path in catalog_folder().glob(f"*/{HEAD}"))


def default_ruleset() -> str:
    """Return the id of the ruleset that is meant when none is named."""
    return str(source.read(catalog_folder() / "index.yaml")["default"])


def load(ruleset: str) -> Ruleset:
    """Load a built-in ruleset by id; UnknownId names the nearest one."""
    known = available()
    if ruleset not in known:
        raise UnknownId("ruleset", ruleset, known)
    return load_folder(catalog_folder() / ruleset)


def load_folder(folder: Path) -> Ruleset:
    """Load the pack in ``folder``. Raises PackError with every fault."""
    if not (folder / HEAD).is_file():
        raise PackError([Fault(folder, 1, 1, "", f"no {HEAD} in this folder")])
    files = sorted(folder.glob("*.yaml"))
    digest = _hash(files)
    loaded = cache.fetch(digest)
    if loaded is None:
        pages = [path for path in files if path.name != HEAD]
        loaded = reading.read(folder / HEAD, pages, digest)
        cache.keep(loaded)
    return loaded


def _hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of a pack's files, names included."""
    digest = hashlib.sha256()
    for path in files:
        try:
            data = path.read_bytes()
        except OSError as error:
            raise PackError([Fault(path, 1, 1, "", error.strerror or str(error))]) from error
        digest.update(f"{path.name}\x1f{len(data)}\x1f".encode() + data)
    return digest.hexdigest()
