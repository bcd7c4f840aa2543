"""Where packs come from: folders, zips, URLs, indexes, the examples; and newer versions there.

What is installed remembers its source in a hidden file of its folder, which
is no part of the pack and does not travel with it.

An index is a JSON file beside zips, on a web server or in a folder. It lists the versions of packs,
with the SHA-256 of each zip. Its URLs can be relative: they begin where the index is.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import urljoin, urlsplit

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import from_json

from charforge.character.files import atomic_write, reader
from charforge.errors import (
    CharforgeError,
    DocumentError,
    DownloadError,
    PackError,
    UnknownId,
    UsageError,
    os_reason,
    shorten,
)
from charforge.language import _
from charforge.packs import install
from charforge.packs.check import check_pack
from charforge.packs.install import zip_bytes
from charforge.packs.update import InstallResult, install_pack, read_head
from charforge.paths import data_folder, read_plain_file
from charforge.rules.errors import schema_errors
from charforge.rules.loading import loader
from charforge.rules.models.base import Slug, Word

INDEX_FILE = "index.json"
FORMAT = 1
MAX_INDEX_BYTES = 5_000_000  # of an index
MAX_PACKS = 5_000
VERSION_PART = re.compile(r"[0-9]{1,18}|[A-Za-z]+")
Url = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=r"^[!-~]+$")]


class IndexEntry(BaseModel):
    """One version of a pack: ``game`` is the id of the game that it is for, or is itself."""

    model_config = ConfigDict(frozen=True)

    id: Slug
    name: Word
    version: Word
    game: Slug
    url: Url
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    authors: tuple[Word, ...] = ()
    licence: Word = ""
    text: Annotated[str, StringConstraints(max_length=1_000)] = ""
    picture: Url | Literal[""] = ""

    @property
    def is_game(self) -> bool:
        """Whether it is a game of its own."""
        return self.id == self.game

    def matches(self, words: Iterable[str]) -> bool:
        """Return whether all words are in its id, name, game, authors, licence or text."""
        parts = (self.id, self.name, self.game, *self.authors, self.licence, self.text)
        text = " ".join(parts).casefold()
        return all(word.casefold() in text for word in words)


class PackIndex(BaseModel):
    """An index; ``charforge_index`` is the number of its format."""

    charforge_index: Annotated[int, Field(ge=FORMAT, le=FORMAT)] = FORMAT
    packs: Annotated[tuple[IndexEntry, ...], Field(max_length=MAX_PACKS)]


def is_url(text: str) -> bool:
    """Return whether a text begins like a URL."""
    return "://" in text


def _download(url: str, most: int) -> bytes:
    """Return what is at a URL, at most ``most`` bytes. Raises DownloadError."""
    # Here, because most packs come from a folder, and urllib.request takes 16 ms to import.
    from charforge.packs.download import download

    return download(url, most)


def read_index(address: str) -> tuple[IndexEntry, ...]:
    """Return the entries of an index at a URL or path, or of a folder there, with complete URLs.

    Raises DownloadError or DocumentError.
    """
    path = Path(address)
    if is_url(address):
        address = address + INDEX_FILE if address.endswith("/") else address
        data = _download(address, MAX_INDEX_BYTES)
    else:
        path = path / INDEX_FILE if path.is_dir() else path
        try:
            data = read_plain_file(path, MAX_INDEX_BYTES)
        except OSError as error:
            reason = _("it cannot be read: {reason}").format(reason=os_reason(error))
            raise DocumentError(path, reason) from error
    index = _parse_index(data, address if is_url(address) else str(path))

    def complete(url: str) -> str:
        if not url or is_url(url):
            return url
        return urljoin(address, url) if is_url(address) else str(path.parent / url)

    return tuple(
        entry.model_copy(update={"url": complete(entry.url), "picture": complete(entry.picture)})
        for entry in index.packs
    )


def _parse_index(data: bytes, address: str) -> PackIndex:
    """Return the index in the bytes of a file. Raises DocumentError or DownloadError."""
    try:
        raw = from_json(data)
    except ValueError as error:
        raise _no_index(address, _("it is not JSON")) from error
    try:
        return PackIndex.model_validate(raw)
    except ValidationError as error:
        problem = next(schema_errors(error, raw))
        place = " ".join(map(str, problem.key_path))
        message = f"{place}: {problem.message}" if place else problem.message
        raise _no_index(address, message) from error


def _no_index(address: str, problem: str) -> CharforgeError:
    """Return the error of something at a URL or path that is not an index."""
    reason = _("this is not an index of packs: {problem}").format(problem=problem)
    return (
        DownloadError(address, reason) if is_url(address) else DocumentError(Path(address), reason)
    )


def missing_game(index: str, name: str) -> IndexEntry | None:
    """Return the game that a pack of an index is for, if it is not installed and is in there, too.

    Raises as ``read_index`` and ``newest``.
    """
    entries = read_index(index)
    pack = newest(entries, name)
    game = pack.game
    if pack.is_game or game in loader.available():
        return None
    return next(
        (entry for entry in find_packs(entries, ()) if entry.is_game and entry.id == game), None
    )


def find_packs(entries: Iterable[IndexEntry], words: Sequence[str]) -> list[IndexEntry]:
    """Return the newest version of each pack that matches all words, by name."""
    latest: dict[str, IndexEntry] = {}
    for entry in sorted(entries, key=lambda entry: version_key(entry.version)):
        latest[entry.id] = entry
    found = (entry for entry in latest.values() if entry.matches(words))
    return sorted(found, key=lambda entry: (entry.name.casefold(), entry.id))


def version_key(version: str) -> tuple[Any, ...]:
    """Return a version as a key to sort by: 1.10 is above 1.9, and 1.0 above 1.0-beta."""
    parts = VERSION_PART.findall(version)
    numbers = [int(part) for part in takewhile(str.isdecimal, parts)]
    rest = [(part.isdecimal(), part.zfill(20)) for part in parts[len(numbers) :]]
    while numbers and numbers[-1] == 0:  # 1.0 is the version 1
        numbers.pop()
    return numbers, not rest, rest


def newest(entries: Iterable[IndexEntry], name: str) -> IndexEntry:
    """Return the newest version of the pack with an id. Raises UnknownId."""
    latest = {entry.id: entry for entry in find_packs(entries, ())}
    if name not in latest:
        raise UnknownId(_("pack of this index"), name, latest)
    return latest[name]


# ------------------------------------------------------------------ writing an index


def write_index(folder: Path, base: str = "") -> PackIndex:
    """Write the index of a folder with packs and zips of packs, and return it.

    Each pack that is a folder is checked and zipped beside it. URLs begin
    with ``base``, or are relative. Raises PackError, UsageError and WriteError.
    """
    if not folder.is_dir():
        raise UsageError(_("there is no folder {folder}").format(folder=folder))
    for pack in _pack_folders(folder):
        _zip_pack(pack, folder)
    entries = [_entry(path, base) for path in sorted(folder.glob("*.zip"))]
    if not entries:
        reason = _("{folder} has no packs in it").format(folder=folder)
        raise UsageError(reason, _("Put folders or zips of packs into it."))
    entries.sort(key=lambda entry: (entry.id, version_key(entry.version)))
    index = PackIndex(packs=tuple(entries))
    text = index.model_dump_json(indent=1) + "\n"
    atomic_write.write(folder / INDEX_FILE, text.encode(), replace=True)
    return index


def _pack_folders(folder: Path) -> Iterator[Path]:
    heads = (path for head in (loader.HEAD, loader.PACK) for path in folder.glob(f"*/{head}"))
    yield from sorted(path.parent for path in heads if not path.parent.name.startswith("."))


def _zip_pack(pack: Path, folder: Path) -> None:
    """Check a pack and write it as a zip named after its id and version. Raises PackError."""
    checked = check_pack(pack)
    if checked.errors:
        raise PackError(checked.errors)
    files = install.pack_files(pack)
    name, version = checked.id, loader.stated_version(pack)
    data = zip_bytes({f"{name}/{part}": files[part] for part in sorted(files)})
    target = folder / f"{name}-{_as_file_name(version)}.zip"
    if not target.exists() or target.read_bytes() != data:
        atomic_write.write(target, data, replace=True)


def _as_file_name(version: str) -> str:
    """Return a version with hyphens for what has a meaning in a file name or URL."""
    return "".join(sign if sign.isalnum() or sign in "._-" else "-" for sign in version)


def _entry(path: Path, base: str) -> IndexEntry:
    """Return the entry of a zip. Raises PackError."""
    with install.unpacked(path) as folder:
        head, is_pack = read_head(folder), loader.amends(folder)
    endings = reader.FILE_STARTS
    pictures = (path.with_name(f"{head.id}.{ending}") for ending in endings)
    picture = next((one.name for one in pictures if one.is_file()), "")
    try:
        return IndexEntry(
            id=head.id,
            name=head.name,
            version=head.version,
            game=getattr(head, "ruleset", head.id) if is_pack else head.id,
            url=base + path.name,
            sha256=sha256(path.read_bytes()).hexdigest(),
            authors=head.authors,
            licence=head.licence,
            text=" ".join(head.text.split())[:1_000],
            picture=picture and base + picture,
        )
    except ValidationError as error:
        reason = _("{name} cannot be in an index: {problem}")
        problem = next(schema_errors(error, None)).message
        raise PackError.at(path, reason.format(name=shorten(head.id), problem=problem)) from error


SOURCE_FILE = ".source.json"
MAX_SOURCE = 10_000  # bytes of that file
EXAMPLE_PREFIX = "example:"  # before the name of an example that is shipped with the program
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
        index = index if is_url(index) else str(Path(index).resolve())
        entry = newest(read_index(index), address)
        address, digest = entry.url, digest or entry.sha256
    if address.startswith(EXAMPLE_PREFIX):
        yield OpenedPack(
            _example(address.removeprefix(EXAMPLE_PREFIX)), PackSource(origin=address), id
        )
        return
    if not is_url(address):
        path = Path(address)
        actual = sha256(path.read_bytes()).hexdigest() if install.is_small_zip(path) else ""
        _refuse_other(address, actual, digest)
        origin = str(path.resolve())
        yield OpenedPack(path, PackSource(origin=origin, sha256=actual, index=index), id)
        return
    data = _download(address, install.MAX_PACK_BYTES)
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
    if digest and not in_index and (address.startswith(EXAMPLE_PREFIX) or Path(address).is_dir()):
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
        listed = _("There are: {names}.").format(names=", ".join(known))
        raise UnknownId(_("example"), name, known, advice=listed)
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

    What cannot be read there is yielded as its error.
    """
    for name, folder in loader.installed().items():
        source = _known_source(folder)
        if source is None:
            continue
        try:
            version = loader.stated_version(folder)
            newer = _offered_version(name, source)
        except CharforgeError as error:
            yield error
            continue
        if version_key(newer) > version_key(version):
            yield NewerPack(name, version, newer, source.words(name))


def packs_without_source() -> tuple[str, ...]:
    """Return the ids of the installed packs whose source is unknown or no longer there."""
    return tuple(n for n, folder in loader.installed().items() if _known_source(folder) is None)


def _known_source(folder: Path) -> PackSource | None:
    """Return where an installed pack came from, unless it was a folder or zip that is gone."""
    source = source_of(folder)
    if source is None or source.origin.startswith(EXAMPLE_PREFIX) or is_url(source.origin):
        return source
    return source if Path(source.origin).exists() else None


def _offered_version(name: str, source: PackSource) -> str:
    """Return the version of a pack that its source has now."""
    if source.index:
        return newest(read_index(source.index), name).version
    with opened(source.origin) as pack, install.unpacked(pack.path) as folder:
        return read_head(folder).version
