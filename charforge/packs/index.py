"""Indexes of packs: a JSON file beside zips, on a web server or in a folder.

An index lists the versions of packs, with the SHA-256 of each zip. Its URLs
can be relative: they begin where the index is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urljoin

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_core import from_json

from charforge.character.files import atomic_write, reader
from charforge.errors import DocumentError, PackError, UnknownId, UsageError, os_reason, shorten
from charforge.language import _
from charforge.packs import install
from charforge.packs.archives import zip_bytes
from charforge.packs.check import check_pack
from charforge.packs.update import read_head
from charforge.paths import read_plain_file
from charforge.rules.errors import schema_errors
from charforge.rules.loading import loader
from charforge.rules.models.base import Slug, Word

INDEX_FILE = "index.json"
FORMAT = 1
MAX_BYTES = 5_000_000  # of an index
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


def read_index(address: str) -> tuple[IndexEntry, ...]:
    """Return the entries of an index at a URL or path, or of a folder there, with complete URLs.

    Raises DownloadError or DocumentError.
    """
    path = Path(address)
    if is_url(address):
        address = address + INDEX_FILE if address.endswith("/") else address
        # Here, because only what comes from the web needs a network.
        from charforge.packs.download import download

        data = download(address, MAX_BYTES)
    else:
        path = path / INDEX_FILE if path.is_dir() else path
        try:
            data = read_plain_file(path, MAX_BYTES)
        except OSError as error:
            reason = _("it cannot be read: {reason}").format(reason=os_reason(error))
            raise DocumentError(path, reason) from error
    index = _parse_index(data, path)

    def complete(url: str) -> str:
        if not url or is_url(url):
            return url
        return urljoin(address, url) if is_url(address) else str(path.parent / url)

    return tuple(
        entry.model_copy(update={"url": complete(entry.url), "picture": complete(entry.picture)})
        for entry in index.packs
    )


def _parse_index(data: bytes, path: Path) -> PackIndex:
    """Return the index in the bytes of a file. Raises DocumentError."""
    reason = _("this is not an index of packs: {problem}")
    try:
        raw = from_json(data)
    except ValueError as error:
        raise DocumentError(path, reason.format(problem=_("it is not JSON"))) from error
    try:
        return PackIndex.model_validate(raw)
    except ValidationError as error:
        problem = next(schema_errors(error, raw))
        place = " ".join(map(str, problem.key_path))
        message = f"{place}: {problem.message}" if place else problem.message
        raise DocumentError(path, reason.format(problem=message)) from error


def find(entries: Iterable[IndexEntry], words: Sequence[str]) -> list[IndexEntry]:
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
    latest = {entry.id: entry for entry in find(entries, ())}
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
