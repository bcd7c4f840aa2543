"""Compiled rulesets, stored in the user's cache folder.

Reading YAML takes most of a short command's time. A ruleset that was read
and checked is therefore pickled, under a key made of its content and of the
code that reads it. If the cache is missing, damaged or read-only, the YAML is
read again. Only files that this user alone can write are unpickled
(``paths.read_cache_file``).
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path

import pydantic

from charforge.paths import (
    PACKAGE,
    cache_folder,
    read_cache_file,
    remove_old_cache_files,
    write_cache_file,
)
from charforge.rules.ruleset import CompiledEntities, CompiledParts, Ruleset

KEPT_RULESETS = 8  # in memory
# Errors of unpickling a file that is damaged or not ours.
UNUSABLE = (
    pickle.UnpicklingError,
    ImportError,
    LookupError,
    AttributeError,
    TypeError,
    ValueError,
    EOFError,
)


def folder() -> Path:
    """Return this user's folder of compiled rulesets."""
    return cache_folder() / "packs"


@cache
def _code_version() -> str:
    """Return a key of the code and libraries that read packs; any change compiles all again."""
    folders = (PACKAGE / "rules", PACKAGE / "expressions")
    sources = [path for folder in folders for path in folder.rglob("*.py")]
    stamps = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return repr((sorted(stamps), pydantic.VERSION, sys.version_info))


def _path(digest: str) -> Path:
    key = hashlib.sha256(f"{digest} {_code_version()}".encode()).hexdigest()[:32]
    return folder() / f"{key}.pack"


def fetch(digest: str) -> Ruleset | None:
    """Return the compiled ruleset of this content, or None."""
    try:
        return _unpickled(read_cache_file(_path(digest)))
    except (OSError, *UNUSABLE):
        return None


@lru_cache(maxsize=KEPT_RULESETS)
def _unpickled(data: bytes) -> Ruleset:
    """Return the ruleset in a file of the cache: the same one as long as the file is the same.

    A process that works on several characters of a game, such as a live table or a batch, so
    reads each entity once, and keeps what it has computed from the rules.
    """
    # read_cache_file refuses files that anyone else could have written.
    return Ruleset(*pickle.loads(data))  # noqa: S301  # nosec B301


def store(digest: str, loaded: Ruleset) -> None:
    """Store the compiled ruleset of a content; do nothing if the cache cannot be written."""
    parts = (
        loaded.head,
        CompiledEntities(loaded.entities),
        CompiledParts(loaded.rulings),
        loaded.hash,
        CompiledParts(loaded.procedures),
        loaded.charts,
        loaded.packs,
        loaded.origins,
        loaded.language,
    )
    data = pickle.dumps(parts, pickle.HIGHEST_PROTOCOL)
    with suppress(OSError):
        write_cache_file(_path(digest), data)
        remove_old_cache_files(folder())
