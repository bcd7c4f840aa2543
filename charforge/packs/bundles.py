"""Bundles: a character in one zip, with its portrait and the packs that it was made with.

::

    character.json           the character file, byte for byte
    portrait-….jpg           its portrait, if it has one
    packs/ID/…               each pack or game that is not built in, with its licence

A bundle may come from anybody: it is read with the limits of ``packs.install``, and its packs
are checked and installed like any others. Nothing in it is executed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from charforge.character.files import reader
from charforge.character.files.document import Document
from charforge.errors import DocumentError, PackError, UsageError, shorten
from charforge.language import N_, _
from charforge.packs import install
from charforge.packs.install import Limits, write_files, zip_bytes, zip_files
from charforge.packs.update import install_pack, read_head
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.loading import loader
from charforge.rules.loading.loader import HEAD, PACK
from charforge.rules.models import PackHead, RulesetHead

CHARACTER_ENTRY = install.BUNDLED
PACKS = "packs"
PICTURES = tuple(f".{ending}" for ending in reader.FILE_STARTS)
BUNDLE_LIMITS = Limits(
    1_500,
    40_000_000,
    (*install.PACK_LIMITS.suffixes, *PICTURES),
    N_("a bundle can only contain a character, its portrait and packs"),
)
NOT_A_BUNDLE = N_("this zip file contains no {name}, so it is not a bundle of a character")


@dataclass(frozen=True)
class Bundle:
    """A bundle that was read: the bytes of its character and portrait, and files of packs by id."""

    path: Path
    character: bytes
    pictures: Mapping[str, bytes]
    packs: Mapping[str, Mapping[str, bytes]]


@dataclass(frozen=True)
class BundledPack:
    """A pack of a bundle that is not installed here: its unpacked folder and its header."""

    id: str
    folder: Path
    head: RulesetHead | PackHead

    @property
    def line(self) -> str:
        """Its id, version, name, authors and licence."""
        head = self.head
        named = f"{self.id} {head.version}: {head.name}"
        return ", ".join(filter(None, (named, head.credit)))


def bundle_bytes(file: Path, loaded: LoadedCharacter) -> bytes:
    """Return the bundle of the character in a file.

    Raises DocumentError if its portrait cannot be read.
    """
    files = {CHARACTER_ENTRY: reader.read_bytes(file)}
    portrait = reader.portrait_path(file, loaded.document)
    data = reader.read_portrait(file, loaded.document)
    if portrait is not None and data is not None:
        files[portrait.name] = data
    for name in _pack_ids(loaded.document):
        if name not in loader.built_in():
            contents = install.pack_files(loader.installed()[name])
            files |= {f"{PACKS}/{name}/{part}": contents[part] for part in sorted(contents)}
    return zip_bytes(files)


def is_zip(data: bytes) -> bool:
    """Return whether data begin like a zip."""
    return data.startswith(reader.ZIP_START)


def read_bundle(data: bytes, path: Path) -> Bundle:
    """Return the parts of a bundle; ``path`` is for errors. Raises DocumentError."""
    try:
        files = zip_files(data, path, BUNDLE_LIMITS)
    except PackError as error:
        raise DocumentError(path, error.problems[0].message) from error
    if CHARACTER_ENTRY not in files:
        is_pack = any(name.rpartition("/")[2] in (HEAD, PACK) for name in files)
        advice = _("To install a pack: charforge catalog add {path}").format(path=path)
        raise DocumentError(
            path, _(NOT_A_BUNDLE).format(name=CHARACTER_ENTRY), advice if is_pack else ""
        )
    pictures: dict[str, bytes] = {}
    packs: dict[str, dict[str, bytes]] = {}
    for name, content in files.items():
        match name.split("/", 2):
            case [top] if top == CHARACTER_ENTRY:
                pass
            case [top] if Path(top).suffix.casefold() in PICTURES:
                pictures[top] = content
            case [top, pack, rest] if top == PACKS:
                packs.setdefault(pack, {})[rest] = content
            case _other:
                reason = _("{name} is not part of a character or a pack")
                raise DocumentError(path, reason.format(name=shorten(name)))
    return Bundle(path, files[CHARACTER_ENTRY], pictures, packs)


@contextmanager
def new_packs(bundle: Bundle, document: Document) -> Iterator[list[BundledPack]]:
    """Yield the packs of a bundle that are not installed here, in the order they need each other.

    They are unpacked to a temporary folder. Raises DocumentError for packs
    that the character does not use, UsageError for one that is installed
    with other contents.
    """
    order = _pack_ids(document)
    unused = sorted({*bundle.packs} - {*order})
    if unused:
        reason = _("its character does not use the pack {name}").format(name=shorten(unused[0]))
        raise DocumentError(bundle.path, reason)
    for name in sorted({*bundle.packs} & {*loader.built_in()}):
        reason = _("its pack {name} has the id of a built-in game").format(name=name)
        raise DocumentError(bundle.path, reason)
    with tempfile.TemporaryDirectory(prefix="charforge-") as temporary:
        folders = {}
        for name in (one for one in order if one in bundle.packs):
            folders[name] = Path(temporary) / name
            write_files(folders[name], bundle.packs[name])
        try:
            yield [pack for pack in map(_bundled, folders, folders.values()) if _is_new(pack)]
        except PackError as error:
            origin = bundle.path / PACKS
            problems = install.problems_at_origin(error.problems, Path(temporary), origin)
            raise PackError(problems) from error


def _pack_ids(document: Document) -> tuple[str, ...]:
    """Return the ids of the ruleset and the packs of a document, each after those it needs."""
    return tuple(dict.fromkeys((document.ruleset, *(pin.id for pin in document.packs))))


def _bundled(name: str, folder: Path) -> BundledPack:
    """Return a pack that was unpacked. Raises PackError if its id is not the name of its folder."""
    install.pack_files(folder)  # for its limits and layout
    head = read_head(folder)
    if head.id != name:
        raise PackError.at(folder, _("its id is {id}").format(id=shorten(head.id)))
    return BundledPack(name, folder, head)


def _is_new(pack: BundledPack) -> bool:
    """Return whether a pack must be installed. Raises UsageError if another has its id."""
    name = pack.id
    folder = loader.installed().get(name)
    if folder is None:
        return True
    if loader.content_hash(folder) == loader.content_hash(pack.folder):
        return False
    raise UsageError(
        _("a pack {name} with other contents is installed here ({here}; the bundle has {there})")
        .format(name=name, here=loader.stated_version(folder), there=pack.head.version),
        _("To use the one from the bundle for all characters: charforge catalog remove {name}, "
          "then import again. To use yours for this one: unzip the bundle, open its {file}, then "
          "charforge update.").format(name=name, file=CHARACTER_ENTRY),
    )  # fmt: skip


@contextmanager
def bundled_packs_installed(packs: list[BundledPack]) -> Iterator[None]:
    """Install packs of a bundle; remove them again if what is done with them fails.

    Raises PackError and WriteError as ``install_pack`` does.
    """
    added: list[str] = []
    try:
        for pack in packs:
            install_pack(pack.folder)
            added.append(pack.id)
        yield
    except BaseException:
        for name in reversed(added):
            install.remove_pack(name)
        raise
