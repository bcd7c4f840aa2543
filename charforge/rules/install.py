"""Installing packs from folders and zips: read with limits, checked, then moved into place.

A pack may come from anybody, and all its files are texts. Names that lead
out of its folder, links, devices, other types of file and excessive sizes
are refused before anything is written. A pack is unpacked beside the
installed ones and must load without an error before it replaces one.
"""

from __future__ import annotations

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

from charforge.errors import PackError, PackProblem, UnknownId, UsageError, WriteError, shorten
from charforge.paths import DEVICES
from charforge.rules import loader
from charforge.rules.loader import HEAD, PACK
from charforge.rules.parser import PackReader, read_pack_head
from charforge.rules.ruleset import Ruleset

SAMPLES = "tests"
PAGE_SUFFIX = ".yaml"
SUFFIXES = (PAGE_SUFFIX, ".md", ".txt", "")  # "" is that of LICENSE
MACOS_FOLDER = "__MACOSX"  # which macOS adds to zips
MAX_FILES = 300
MAX_BYTES = 4_000_000
MAX_NAME_LENGTH = 150
COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack without a limit
FORBIDDEN = '\\:*?"<>|'
ZIP_ERRORS = (
    zipfile.BadZipFile,
    EOFError,
    RuntimeError,  # encryption, and a NotImplementedError for unknown features
    ValueError,
    OSError,
    zlib.error,
)


def pack_files(origin: Path) -> dict[str, bytes]:
    """Return the files of a pack in a folder or a zip by name. Raises PackError or UsageError."""
    if origin.is_dir():
        if not (origin / HEAD).is_file() and not (origin / PACK).is_file():
            raise PackError.at(origin, f"this folder contains no {PACK} and no {HEAD}")
        contents = dict(_folder_files(origin))
    elif origin.is_file() and origin.stat().st_size > MAX_BYTES:
        raise PackError.at(
            origin, f"this file is too large for a pack (more than {MAX_BYTES // 1_000_000} MB)"
        )
    elif origin.is_file() and zipfile.is_zipfile(origin):
        contents = _without_top_folder(dict(_zip_files(origin)))
    elif origin.exists():
        raise PackError.at(origin, "this is not a folder or a zip file")
    else:
        raise UsageError(f"{origin}: there is no such file or folder")
    _check_layout(origin, contents)
    return contents


class _FileCheck:
    """Checks one file after another by name and size; refuses what no pack has."""

    def __init__(self, origin: Path) -> None:
        self.origin = origin
        self.number = 0
        self.total = 0
        self.seen: set[str] = set()

    def check(self, name: str, size: int) -> None:
        """Check the type and size of a file. Raises PackError."""
        suffix = PurePosixPath(name).suffix
        self.number += 1
        self.total += size
        if self.number > MAX_FILES:
            raise PackError.at(self.origin, f"it has more than {MAX_FILES} files")
        if self.total > MAX_BYTES:
            raise PackError.at(self.origin, f"it is larger than {MAX_BYTES // 1_000_000} MB")
        if suffix.casefold() not in SUFFIXES:
            raise PackError.at(
                self.origin,
                f"{shorten(name)}: a pack can only contain text files (.yaml, .md, .txt)",
            )
        same = unicodedata.normalize("NFC", name).casefold()
        if same in self.seen:
            message = f"{shorten(name)} is in it twice (some systems ignore case)"
            raise PackError.at(self.origin, message)
        self.seen.add(same)

    def check_name(self, name: str) -> None:
        """Refuse a name that leads out of the folder or is invalid on some system.

        Raises PackError.
        """
        parts = name.removesuffix("/").split("/")
        unfit = not name.isprintable() or any(sign in FORBIDDEN for sign in name)
        if unfit or {"..", ".", ""} & {*parts} or any(p.endswith((" ", ".")) for p in parts):
            raise PackError.at(
                self.origin, f"{shorten(name)} cannot be the name of a file in a pack"
            )
        if len(name) > MAX_NAME_LENGTH:
            raise PackError.at(self.origin, f"{shorten(name[:40])}… is too long for a file name")
        if any(part.partition(".")[0].strip().casefold() in DEVICES for part in parts):
            raise PackError.at(
                self.origin, f"{shorten(name)} is reserved for a device on some systems"
            )


def _folder_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder by name; hidden ones (editors, git) are left out."""
    files = _FileCheck(folder)
    for path in _plain_files(folder):
        name = path.relative_to(folder).as_posix()
        files.check_name(name)
        files.check(name, path.stat().st_size)
        try:
            yield name, path.read_bytes()
        except OSError as error:
            raise PackError.at(path, error.strerror or str(error)) from error


def _plain_files(folder: Path) -> Iterator[Path]:
    """Yield the plain files below a folder. Raises PackError for links and special files."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise PackError.at(folder, error.strerror or str(error)) from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            raise PackError.at(
                folder, f"{shorten(entry.name)} is a link; a pack must contain the file itself"
            )
        if entry.is_dir(follow_symlinks=False):
            yield from _plain_files(Path(entry))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry)
        else:
            raise PackError.at(folder, f"{shorten(entry.name)} is not a normal file")


def _zip_files(path: Path) -> Iterator[tuple[str, bytes]]:
    files = _FileCheck(path)
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                name = info.filename
                files.check_name(name)
                mode = info.external_attr >> 16
                if stat.S_ISLNK(mode):
                    raise PackError.at(
                        path, f"{shorten(name)} is a link; a pack must contain the file itself"
                    )
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise PackError.at(path, f"{shorten(name)} is not a normal file")
                if info.is_dir() or _is_hidden(name):
                    continue
                if info.flag_bits & 1:
                    raise PackError.at(path, f"{shorten(name)} is encrypted")
                if info.compress_type not in COMPRESSION:
                    raise PackError.at(path, f"{shorten(name)} uses an unsupported compression")
                files.check(name, info.file_size)
                # The library reads no more than the stated size, and reports one that is wrong.
                yield name, archive.read(info)
    except ZIP_ERRORS as error:
        raise PackError.at(path, f"this zip file cannot be read: {error}") from error


def _is_hidden(name: str) -> bool:
    """Whether a file was left by a system or an editor."""
    return any(part.startswith(".") or part == MACOS_FOLDER for part in name.split("/"))


def _without_top_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a zip without the one folder that all may be in."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or any("/" not in name for name in files):
        return files
    return {name.partition("/")[2]: data for name, data in files.items()}


def _check_layout(origin: Path, files: Collection[str]) -> None:
    """Check that the files together make a pack. Raises PackError."""
    heads = {HEAD, PACK} & {*files}
    if not heads:
        raise PackError.at(origin, f"it contains no {PACK} and no {HEAD}")
    if len(heads) == 2:
        raise PackError.at(origin, f"it contains both {PACK} and {HEAD}; a pack has one of them")
    for name in files:
        above = name.rpartition("/")[0]
        if above in files:
            raise PackError.at(origin, f"{shorten(above)} is both a file and a folder")
        if above and name.endswith(PAGE_SUFFIX) and name.partition("/")[0] != SAMPLES:
            message = f"{shorten(name)} would never be read: put pages next to {min(heads)}"
            raise PackError.at(origin, f"{message}, samples in {SAMPLES}/")


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
        _write(folder, contents)
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


def load_checked(folder: Path) -> tuple[str, PackReader, Ruleset]:
    """Load the ruleset or pack in a folder; return its id, its reader and the rules with it.

    Raises PackError with every error; also for a ruleset or pack that it
    needs and that is not here.
    """
    if not loader.amends(folder):
        reader, ruleset = loader.read_folder(folder)
        return ruleset.id, reader, ruleset
    head = read_pack_head(folder / loader.PACK)
    base, needed = loader.requirements(folder)
    reader, ruleset = loader.read_folder(base, [*needed, folder])
    return head.id, reader, ruleset


def install(origin: Path, replace: bool = False) -> tuple[str, Ruleset]:
    """Install a pack from a folder or a zip; return its id and its rules.

    Raises PackError with every error, UsageError if the id is installed and
    ``replace`` is false. The old pack stays until the new one is complete.
    """
    home = loader.packs_folder()
    try:
        with unpacked(origin, home) as folder:
            name, _reader, ruleset = load_checked(folder)
            _refuse_taken(name, home, replace)
            _swap(folder, home / name, folder.with_name("old"))
            return name, ruleset
    except OSError as error:
        raise WriteError(home, error.strerror or str(error)) from error


def remove(name: str) -> None:
    """Remove an installed pack. Raises UnknownId."""
    packs = loader.installed()
    if name not in packs:
        raise UnknownId("installed pack", name, packs)
    folder = packs[name]
    try:
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder)
    except OSError as error:
        raise WriteError(folder, error.strerror or str(error)) from error


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    for name, data in contents.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _refuse_taken(name: str, home: Path, replace: bool) -> None:
    if name in loader.built_in():
        raise UsageError(f"{name} is the id of a built-in game", "Use a different id for the pack.")
    if name.partition(".")[0] in DEVICES:
        raise UsageError(
            f"{name} is reserved for a device on some systems", "Use a different id for the pack."
        )
    if (home / name).exists() and not replace:
        raise UsageError(
            f"a pack {name} is already installed",
            f"To compare them: charforge catalog diff {name} NEW. To replace it, add --replace.",
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
