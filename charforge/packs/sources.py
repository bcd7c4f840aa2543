"""Where packs come from: folders, zips, URLs, indexes, the examples; and newer versions there.

What is installed remembers its source in a hidden file of its folder, which
is no part of the pack and does not travel with it.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from charforge.errors import CharforgeError, PackError, UnknownId, UsageError
from charforge.language import _
from charforge.packs import index as pack_index, install
from charforge.packs.index import version_key
from charforge.packs.update import InstallResult, install_pack, read_head
from charforge.paths import data_folder, read_plain_file
from charforge.rules.loading import loader

SOURCE_FILE = ".source.json"
MAX_SOURCE = 10_000  # bytes of that file
EXAMPLE = "example:"  # before the name of an example that is shipped with the program
FILE_NAME = re.compile(r"[\w-][\w.-]{0,99}")  # of downloads; any other is not a file everywhere
DIGEST = re.compile(r"[0-9a-f]{64}")


class PackSource(BaseModel):
    """Where an installed pack came from.

    ``origin`` is a URL, ``example:NAME`` or the path of a folder or zip;
    ``sha256`` that of the zip, and ``index`` the index that named the URL.
    """

    model_config = ConfigDict(frozen=True)

    origin: str
    sha256: str = ""
    index: str = ""

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words after ``catalog add`` that install the newest version instead."""
        words = (name, "--index", self.index) if self.index else (self.origin,)
        return (*words, "--replace")


class OpenedPack(NamedTuple):
    """A pack that can be read: its folder or zip on this machine, and its source.

    ``id`` is the one that an index promised; empty without an index.
    """

    path: Path
    source: PackSource
    id: str = ""


def examples() -> dict[str, Path]:
    """Return the folders of the example packs and games by name."""
    heads = (loader.HEAD, loader.PACK)
    found = (path for head in heads for path in data_folder("examples").glob(f"*/{head}"))
    return {path.parent.name: path.parent for path in sorted(found)}


@contextmanager
def opened(address: str, digest: str = "", index: str = "") -> Iterator[OpenedPack]:
    """Yield the pack at a path, at a URL, of the examples, or with an id of an index.

    With ``digest`` its zip must have that SHA-256. A download is removed
    again afterwards. Raises UsageError, DownloadError and UnknownId.
    """
    _refuse_unfit(address, digest, bool(index))
    id = address if index else ""
    if index:
        index = index if pack_index.is_url(index) else str(Path(index).resolve())
        entry = pack_index.newest(pack_index.read_index(index), address)
        address, digest = entry.url, digest or entry.sha256
    if address.startswith(EXAMPLE):
        yield OpenedPack(_example(address.removeprefix(EXAMPLE)), PackSource(origin=address), id)
        return
    if not pack_index.is_url(address):
        path = Path(address)
        actual = sha256(path.read_bytes()).hexdigest() if install.is_small_zip(path) else ""
        _refuse_other(address, actual, digest)
        origin = str(path.resolve())
        yield OpenedPack(path, PackSource(origin=origin, sha256=actual, index=index), id)
        return
    # Here, because only what comes from the web needs a network.
    from charforge.packs.download import download

    data = download(address, install.MAX_BYTES)
    actual = sha256(data).hexdigest()
    _refuse_other(address, actual, digest)
    with tempfile.TemporaryDirectory(prefix="charforge-") as temporary:
        name = urlsplit(address).path.rpartition("/")[2]
        path = Path(temporary) / (name if FILE_NAME.fullmatch(name) else "pack.zip")
        path.write_bytes(data)
        try:
            yield OpenedPack(path, PackSource(origin=address, sha256=actual, index=index), id)
        except PackError as error:
            problems = install.problems_at_origin(error.problems, Path(temporary), Path())
            raise PackError(problems) from error


def _refuse_unfit(address: str, digest: str, in_index: bool) -> None:
    """Raise UsageError for a digest that is none, or that nothing can have."""
    if digest and not DIGEST.fullmatch(digest.casefold()):
        reason = _("--sha256 must have 64 hexadecimal digits")
        raise UsageError(reason, _("Copy it from the page that has the link to the pack."))
    if digest and not in_index and (address.startswith(EXAMPLE) or Path(address).is_dir()):
        reason = _("--sha256 is for a zip; this is a folder")
        raise UsageError(reason, _("Leave it out."))


def _refuse_other(address: str, actual: str, expected: str) -> None:
    """Raise UsageError if a zip does not have the expected SHA-256."""
    if expected and actual != expected.casefold():
        reason = _("{address} is not the file that was expected (its SHA-256 is {actual})")
        advice = _("Nothing was installed. Ask whoever published it.")
        raise UsageError(reason.format(address=address, actual=actual or _("unknown")), advice)


def _example(name: str) -> Path:
    """Return the folder of an example. Raises UnknownId."""
    known = examples()
    if name not in known:
        raise UnknownId(_("example"), name, known)
    return known[name]


def add_pack(pack: OpenedPack, replace: bool = False) -> InstallResult:
    """Install a pack that was opened and remember its source.

    Raises as ``install_pack`` does, and UsageError if it is not the one that its index names.
    """
    if pack.id:
        with install.unpacked(pack.path) as folder:
            actual = read_head(folder).id
        if actual != pack.id:
            reason = _("the index says that this is {name}, but it is {id}")
            advice = _("Nothing was installed. Ask whoever published it.")
            raise UsageError(reason.format(name=pack.id, id=actual), advice)
    return install_pack(
        pack.path, replace, {SOURCE_FILE: pack.source.model_dump_json(indent=1).encode()}
    )


def source_of(folder: Path) -> PackSource | None:
    """Return where an installed pack came from; None if that is not known."""
    try:
        data = read_plain_file(folder / SOURCE_FILE, MAX_SOURCE)
        return PackSource.model_validate_json(data)
    except (OSError, ValidationError):
        return None


# ------------------------------------------------------------------ newer versions


class NewerPack(NamedTuple):
    """A newer version of an installed pack, and the words after ``catalog add`` to install it."""

    id: str
    version: str
    newer: str
    words: tuple[str, ...]


def newer_packs() -> Iterator[NewerPack | CharforgeError]:
    """Yield the newer versions of the installed packs where these came from.

    What cannot be read there is yielded as its error. A folder or zip on
    this machine that is gone is no error.
    """
    for name, folder in loader.installed().items():
        source = source_of(folder)
        if source is None or _is_gone(source):
            continue
        try:
            version = loader.stated_version(folder)
            newer = _offered_version(name, source)
        except CharforgeError as error:
            yield error
            continue
        if version_key(newer) > version_key(version):
            yield NewerPack(name, version, newer, source.words(name))


def _is_gone(source: PackSource) -> bool:
    local = not (source.origin.startswith(EXAMPLE) or pack_index.is_url(source.origin))
    return local and not Path(source.origin).exists()


def _offered_version(name: str, source: PackSource) -> str:
    """Return the version of a pack that its source has now."""
    if source.index:
        return pack_index.newest(pack_index.read_index(source.index), name).version
    with opened(source.origin) as pack, install.unpacked(pack.path) as folder:
        return read_head(folder).version
