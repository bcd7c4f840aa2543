"""Installing packs from folders and zips: read with limits, checked, then moved into place.

A pack may come from anybody; its files are texts, and those of its templates, which run in a
sandbox. Names that lead out of the folder, links, devices, other types of file and excessive sizes
are refused before anything is written; nothing is executed. A pack is unpacked beside the installed
ones and must load without an error before it replaces one. Zips that are written are always the
same.
"""

from __future__ import annotations

import io
import os
import shutil
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.files import reader
from charforge.errors import (
    PackError,
    PackProblem,
    UnknownId,
    UsageError,
    WriteError,
    os_reason,
    shorten,
)
from charforge.language import N_, _
from charforge.limits import MAX_ERRORS
from charforge.paths import DEVICES, read_plain_file
from charforge.rules.loading import loader
from charforge.rules.loading.loader import HEAD, LANGUAGES, PACK, TEMPLATES, language_files
from charforge.rules.loading.parser import PackReader, read_pack_head, sorted_problems
from charforge.rules.loading.translation import check_translations
from charforge.rules.ruleset import Ruleset

MACOS_FOLDER = "__MACOSX"  # which macOS adds to zips
MAX_NAME_LENGTH = 150
COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack without a limit
FORBIDDEN_CHARACTERS = '\\:*?"<>|'
FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # of zips: the same files give the same bytes
ORDINARY = (stat.S_IFREG | 0o644) << 16
ZIP_ERRORS = (
    zipfile.BadZipFile,
    EOFError,
    RuntimeError,  # encryption, and a NotImplementedError for unknown features
    ValueError,
    OSError,
    zlib.error,
)


class Limits(NamedTuple):
    """How many files of which types something can have, and of how many bytes together.

    ``wrong_type`` is the message about a file of another type.
    """

    files: int
    size: int
    suffixes: tuple[str, ...]
    wrong_type: str


class _FileCheck:
    """Checks one file after another by name and size; refuses what is not expected."""

    def __init__(self, origin: Path, limits: Limits) -> None:
        self.origin = origin
        self.limits = limits
        self.number = 0
        self.total = 0
        self.seen: set[str] = set()

    def error(self, message: str, **words: object) -> PackError:
        """Return an error about the whole folder or zip."""
        return PackError.at(self.origin, _(message).format(**words))

    def check(self, name: str, size: int) -> None:
        """Check the type and size of a file. Raises PackError."""
        limits = self.limits
        self.number += 1
        self.total += size
        if self.number > limits.files:
            raise self.error(N_("it has more than {count} files"), count=limits.files)
        if self.total > limits.size:
            raise self.error(N_("it is larger than {size} MB"), size=limits.size // 1_000_000)
        if PurePosixPath(name).suffix.casefold() not in limits.suffixes:
            raise PackError.at(self.origin, f"{shorten(name)}: {_(limits.wrong_type)}")
        same = unicodedata.normalize("NFC", name).casefold()
        if same in self.seen:
            message = N_("{name} is in it twice (some systems ignore case)")
            raise self.error(message, name=shorten(name))
        self.seen.add(same)

    def check_folders(self) -> None:
        """Refuse a file with the name of a folder of another file. Raises PackError."""
        folders = (folder for name in self.seen for folder in PurePosixPath(name).parents)
        both = self.seen.intersection(map(str, folders))
        if both:
            message = N_("{name} is both a file and a folder")
            raise self.error(message, name=shorten(min(both)))

    def check_name(self, name: str) -> None:
        """Refuse a name that leads out of the folder or is invalid on some system.

        Raises PackError.
        """
        parts = name.removesuffix("/").split("/")
        unfit = not name.isprintable() or any(sign in FORBIDDEN_CHARACTERS for sign in name)
        if unfit or {"..", ".", ""} & {*parts} or any(p.endswith((" ", ".")) for p in parts):
            raise self.error(
                N_("{name} cannot be the name of a file in a pack"), name=shorten(name)
            )
        if len(name) > MAX_NAME_LENGTH:
            raise self.error(N_("{name}… is too long for a file name"), name=shorten(name[:40]))
        if any(part.partition(".")[0].strip().casefold() in DEVICES for part in parts):
            message = N_("{name} is reserved for a device on some systems")
            raise self.error(message, name=shorten(name))


LINK_REFUSAL = N_("{name} is a link; a pack must contain the file itself")
NOT_A_FILE = N_("{name} is not a normal file")


def folder_files(folder: Path, limits: Limits) -> dict[str, bytes]:
    """Return the files below a folder by name; hidden ones (editors, git) are left out.

    Raises PackError.
    """
    files = _FileCheck(folder, limits)
    contents = {}
    for path in _plain_files(folder, files):
        name = path.relative_to(folder).as_posix()
        files.check_name(name)
        files.check(name, path.stat().st_size)
        try:
            contents[name] = path.read_bytes()
        except OSError as error:
            raise PackError.at(path, os_reason(error)) from error
    return contents


def _plain_files(folder: Path, files: _FileCheck) -> Iterator[Path]:
    """Yield the plain files below a folder. Raises PackError for links and special files."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise PackError.at(folder, os_reason(error)) from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            raise PackError.at(folder, _(LINK_REFUSAL).format(name=shorten(entry.name)))
        if entry.is_dir(follow_symlinks=False):
            yield from _plain_files(Path(entry), files)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry)
        else:
            raise PackError.at(folder, _(NOT_A_FILE).format(name=shorten(entry.name)))


def zip_files(data: bytes, origin: Path, limits: Limits) -> dict[str, bytes]:
    """Return the files of a zip by name; ``origin`` is for errors. Raises PackError."""
    files = _FileCheck(origin, limits)
    contents = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for info in archive.infolist():
                name = info.filename
                files.check_name(name)
                mode = info.external_attr >> 16
                if stat.S_ISLNK(mode):
                    raise files.error(LINK_REFUSAL, name=shorten(name))
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise files.error(NOT_A_FILE, name=shorten(name))
                if info.is_dir() or _is_hidden(name):
                    continue
                if info.flag_bits & 1:
                    raise files.error(N_("{name} is encrypted"), name=shorten(name))
                if info.compress_type not in COMPRESSION:
                    raise files.error(
                        N_("{name} uses an unsupported compression"), name=shorten(name)
                    )
                files.check(name, info.file_size)
                # Without a number of bytes the library unpacks everything before it compares the
                # size with the stated one. With one more byte it reports a size that is wrong.
                with archive.open(info) as file:
                    contents[name] = file.read(info.file_size + 1)
    except ZIP_ERRORS as error:
        raise files.error(
            N_("this zip file cannot be read: it is damaged or incomplete; get it again")
        ) from error
    files.check_folders()
    return contents


def _is_hidden(name: str) -> bool:
    """Return whether a file was left by a system or an editor."""
    return any(part.startswith(".") or part == MACOS_FOLDER for part in name.split("/"))


def zip_bytes(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of files by name; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, FIRST_DAY)
            info.external_attr = ORDINARY
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name below a folder."""
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


SAMPLES = "tests"
FOLDERS = (SAMPLES, LANGUAGES, TEMPLATES)
PAGE_SUFFIX = ".yaml"
SUFFIXES = (PAGE_SUFFIX, ".md", ".txt", "")  # "" is that of LICENSE
TEMPLATE_SUFFIXES = (  # of files in that folder, beside the others
    ".html", ".j2", ".jinja", ".css", ".csv", ".json", ".png", ".jpg", ".jpeg", ".webp", ".svg",
    ".ttf", ".otf", ".woff", ".woff2",
)  # fmt: skip
MAX_FILES = 300
MAX_PACK_BYTES = 4_000_000
BUNDLED = "character.json"  # in the zip file of a character with its packs
WEB_PAGE = (b"<!doctype html", b"<html")
OTHER_ARCHIVES = (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")
TEXTS_ONLY = N_(
    "a pack can only contain text files (.yaml, .md, .txt); its folder templates also HTML, "
    "styles, pictures and fonts"
)
PACK_LIMITS = Limits(MAX_FILES, MAX_PACK_BYTES, (*SUFFIXES, *TEMPLATE_SUFFIXES), TEXTS_ONLY)


def pack_files(origin: Path) -> dict[str, bytes]:
    """Return the files of a pack in a folder or a zip by name. Raises PackError or UsageError."""
    if origin.is_dir():
        if not (origin / HEAD).is_file() and not (origin / PACK).is_file():
            raise PackError.at(
                origin,
                _("this folder contains no {pack} and no {head}").format(pack=PACK, head=HEAD),
            )
        contents = folder_files(origin, PACK_LIMITS)
    elif origin.is_file() and origin.stat().st_size > MAX_PACK_BYTES:
        raise _too_large(origin)
    elif is_small_zip(origin):
        if BUNDLED in _names(_read(origin)):
            raise PackError.at(
                origin,
                _(
                    "this is a bundle of a character, with its packs: charforge import {file}"
                ).format(file=origin.name),
            )
        contents = _without_top_folder(zip_files(_read(origin), origin, PACK_LIMITS))
    elif origin.exists():
        raise PackError.at(origin, _no_zip(_read(origin)))
    else:
        raise UsageError(_("{path}: there is no such file or folder").format(path=origin))
    _check_layout(origin, contents)
    return contents


def _read(path: Path) -> bytes:
    """Return the bytes of a file. Raises PackError, also for one that is too large."""
    try:
        data = read_plain_file(path, MAX_PACK_BYTES)
    except OSError as error:
        raise PackError.at(path, os_reason(error)) from error
    if len(data) > MAX_PACK_BYTES:
        raise _too_large(path)
    return data


def _too_large(path: Path) -> PackError:
    message = _("this file is too large for a pack (more than {max_bytes} MB)").format(
        max_bytes=MAX_PACK_BYTES // 1_000_000
    )
    return PackError.at(path, message)


def _names(data: bytes) -> Collection[str]:
    """Return the names of the files in a zip; none if it is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()
    except ZIP_ERRORS:
        return ()


def _no_zip(data: bytes) -> str:
    """Return what a file is that is no zip, and how to get the pack."""
    start = data[:200].lstrip().lower()
    if not data:
        return _("this file is empty; get it again")
    if data.startswith(reader.ZIP_START):
        return _("this zip file cannot be read: it is damaged or incomplete; get it again")
    if start.startswith(WEB_PAGE):
        return _(
            "this is a web page, not a zip file; open its address in a browser to find the link "
            "to the zip file"
        )
    if data.startswith(OTHER_ARCHIVES):
        return _("this is not a zip file but another archive; unpack it and add the folder")
    if start.startswith(b"{"):
        return _("this is not a pack but JSON; characters are imported: charforge import FILE")
    return _("this is not a folder or a zip file")


def is_small_zip(path: Path) -> bool:
    """Return whether a path is a zip of a size that a pack can have."""
    return path.is_file() and path.stat().st_size <= MAX_PACK_BYTES and zipfile.is_zipfile(path)


def _without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a zip without the one folder that all may be in."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or any("/" not in name for name in files):
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def _check_layout(origin: Path, files: Collection[str]) -> None:
    """Check that the files together make a pack. Raises PackError."""
    heads = {HEAD, PACK} & {*files}
    inner = [name for name in files if name.rpartition("/")[2] in (HEAD, PACK)]
    if not heads and inner:
        message = _("the pack is in its folder {folder}; unpack the file and add that folder")
        raise PackError.at(origin, message.format(folder=shorten(inner[0].rpartition("/")[0])))
    if not heads:
        raise PackError.at(
            origin, _("it contains no {pack} and no {head}").format(pack=PACK, head=HEAD)
        )
    if len(heads) == 2:
        raise PackError.at(
            origin,
            _("it contains both {pack} and {head}; a pack has one of them").format(
                pack=PACK, head=HEAD
            ),
        )
    for name in files:
        above, top = name.rpartition("/")[0], name.partition("/")[0]
        if not (above and top == TEMPLATES) and name.lower().endswith(TEMPLATE_SUFFIXES):
            raise PackError.at(origin, f"{shorten(name)}: {_(TEXTS_ONLY)}")
        if above and name.endswith(PAGE_SUFFIX) and top not in FOLDERS:
            message = _(
                "{name} would never be read: put pages next to {head}, samples in {samples}/, "
                "translations in {languages}/"
            ).format(name=shorten(name), head=min(heads), samples=SAMPLES, languages=LANGUAGES)
            raise PackError.at(origin, message)


@contextmanager
def unpacked(origin: Path, home: Path | None = None) -> Iterator[Path]:
    """Yield a temporary folder, in ``home``, with the files of a pack in a folder or zip.

    Errors raised meanwhile name the files of the origin. Raises PackError.
    """
    contents = pack_files(origin)
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as temporary:
        folder = Path(temporary) / "pack"
        write_files(folder, contents)
        try:
            yield folder
        except PackError as error:
            raise PackError(problems_at_origin(error.problems, folder, origin)) from error


def problems_at_origin(
    problems: Iterable[PackProblem], unpacked_to: Path, origin: Path
) -> Iterator[PackProblem]:
    """Yield errors with the paths of the folder or zip that the user named."""
    for problem in problems:
        if problem.file.is_relative_to(unpacked_to):
            file = origin / problem.file.relative_to(unpacked_to)
            yield replace(problem, file=file)
        else:
            yield problem


class LoadedPack(NamedTuple):
    """A ruleset or pack: its id, its reader, and the rules with it."""

    id: str
    reader: PackReader
    ruleset: Ruleset


def load_checked(folder: Path, partly: bool = False) -> LoadedPack:
    """Load the ruleset or pack in a folder.

    Raises PackError with every error (with ``partly`` these are only kept in the reader); also
    for a ruleset or pack that it needs and that is not here.
    """
    if not loader.amends(folder):
        reader, ruleset = loader.read_folder(folder, partly=partly)
        return LoadedPack(ruleset.id, reader, ruleset)
    head = read_pack_head(folder / loader.PACK)
    base, needed = loader.requirements(folder)
    reader, ruleset = loader.read_folder(base, [*needed, folder], partly)
    return LoadedPack(head.id, reader, ruleset)


def install(
    origin: Path, replace: bool = False, notes: Mapping[str, bytes] = MappingProxyType({})
) -> tuple[str, Ruleset]:
    """Install a pack from a folder or a zip; return its id and its rules.

    ``notes`` are hidden files to keep in its folder, by name.

    Raises PackError with every error, UsageError if the id is installed and
    ``replace`` is false. The old pack stays until the new one is complete.
    """
    home = loader.packs_folder()
    try:
        with unpacked(origin, home) as folder:
            name, reader, ruleset = load_checked(folder)
            if errors := check_translations(reader, ruleset, folder, language_files(folder)).errors:
                raise PackError(sorted_problems(errors[:MAX_ERRORS]))
            _refuse_taken(name, home, replace)
            write_files(folder, notes)
            _swap(folder, home / name, folder.with_name("old"))
            return name, ruleset
    except OSError as error:
        raise WriteError(home, os_reason(error)) from error


def remove_pack(name: str) -> None:
    """Remove an installed pack. Raises UnknownId."""
    packs = loader.installed()
    if name not in packs:
        raise UnknownId(_("installed pack"), name, packs)
    folder = packs[name]
    try:
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise WriteError(folder, os_reason(error)) from error


def _refuse_taken(name: str, home: Path, replace: bool) -> None:
    if name in loader.built_in():
        raise UsageError(
            _("{name} is the id of a built-in game").format(name=name),
            _("Use a different id for the pack."),
        )
    if name.partition(".")[0] in DEVICES:
        raise UsageError(
            _("{name} is reserved for a device on some systems").format(name=name),
            _("Use a different id for the pack."),
        )
    if (home / name).exists() and not replace:
        raise UsageError(
            _("a pack {name} is already installed").format(name=name),
            _(
                "To compare them: charforge catalog diff {name} NEW. To replace it, add --replace."
            ).format(name=name),
        )


def _swap(folder: Path, target: Path, backup: Path) -> None:
    """Move a new pack into its place; restore the old one if that fails."""
    if target.exists():
        target.rename(backup)
    try:
        folder.rename(target)
    except OSError:
        if backup.exists():
            backup.rename(target)
        raise
