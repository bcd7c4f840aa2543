"""Packs from elsewhere, installed whole or not at all.

What was looked at (``unpacking.py``) is written aside and must load
without a fault; only so it replaces what stood there.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from charforge.errors import PackError, PackProblem, UnknownId, UsageError, WriteError
from charforge.paths import DEVICES
from charforge.rules import loader
from charforge.rules.loader import HEAD, PACK
from charforge.rules.parser import PackReader, read_pack_head
from charforge.rules.ruleset import Ruleset

SAMPLES = "tests"
PAGE = ".yaml"
KINDS = (PAGE, ".md", ".txt", "")  # "" for LICENSE and the like
LEFT_OUT = "__MACOSX"  # what some zips hold beside the files
MOST_FILES = 300
MOST_BYTES = 4_000_000
LONGEST_NAME = 150
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack without a bound
ODD = '\\:*?"<>|'
UNREADABLE = (
    zipfile.BadZipFile,
    NotImplementedError,
    EOFError,
    RuntimeError,
    ValueError,
    OSError,
    zlib.error,
)


def pack_files(origin: Path) -> dict[str, bytes]:
    """Return the files of a pack in a folder or a zip by name. Raises PackError or UsageError."""
    if origin.is_dir():
        if not (origin / HEAD).is_file() and not (origin / PACK).is_file():
            raise _refused(origin, f"no {PACK} and no {HEAD} in this folder")
        found = dict(_of_folder(origin))
    elif origin.is_file() and origin.stat().st_size > MOST_BYTES:
        raise _refused(origin, f"a file of more than {MOST_BYTES // 1_000_000} MB is no pack")
    elif origin.is_file() and zipfile.is_zipfile(origin):
        found = _inner(dict(_of_zip(origin)))
    elif origin.exists():
        raise _refused(origin, "neither a folder nor a zip file")
    else:
        raise UsageError(f"{origin}: there is no such file or folder")
    _refuse_whole(origin, found)
    return found


class _FileCheck:
    """Looks at one file after another, by name and size alone; refuses what no pack has."""

    def __init__(self, origin: Path) -> None:
        self.origin = origin
        self.number = 0
        self.total = 0
        self.seen: set[str] = set()

    def at(self, name: str, size: int) -> None:
        """Look at a file. Raises PackError."""
        way = PurePosixPath(name)
        self.number += 1
        self.total += size
        if self.number > MOST_FILES:
            raise _refused(self.origin, f"it has more than {MOST_FILES} files")
        if self.total > MOST_BYTES:
            raise _refused(self.origin, f"it holds more than {MOST_BYTES // 1_000_000} MB")
        if way.suffix.casefold() not in KINDS:
            raise _refused(self.origin, f"{name!r}: a pack holds texts only (.yaml, .md, .txt)")
        same = unicodedata.normalize("NFC", name).casefold()
        if same in self.seen:
            raise _refused(self.origin, f"{name!r} stands in it twice, as some systems read names")
        self.seen.add(same)

    def name(self, name: str) -> None:
        """Refuse a name that leads elsewhere, or that some system cannot have."""
        parts = name.removesuffix("/").split("/")
        unfit = not name.isprintable() or any(sign in ODD for sign in name)
        if unfit or {"..", ".", ""} & {*parts} or any(p.endswith((" ", ".")) for p in parts):
            raise _refused(self.origin, f"{name!r} is no name of a file inside a pack")
        if len(name) > LONGEST_NAME:
            raise _refused(self.origin, f"{name[:40]!r}… is too long for a file's name")
        if any(part.partition(".")[0].strip().casefold() in DEVICES for part in parts):
            raise _refused(self.origin, f"{name!r} is the name of a device")


def _of_folder(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files below a folder; what editors and git keep beside a pack is not of it."""
    look = _FileCheck(folder)
    for path in _below(folder):
        name = path.relative_to(folder).as_posix()
        look.name(name)
        look.at(name, path.stat().st_size)
        try:
            yield name, path.read_bytes()
        except OSError as error:
            raise PackError([PackProblem(path, 1, 1, "", error.strerror or str(error))]) from error


def _below(folder: Path) -> Iterator[Path]:
    """Yield the plain files below a folder. Raises PackError for links and other sorts of file."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise PackError([PackProblem(folder, 1, 1, "", error.strerror or str(error))]) from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            raise _refused(folder, f"{entry.name!r} is a link: a pack has its files itself")
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry)
        else:
            raise _refused(folder, f"{entry.name!r} is no plain file")


def _of_zip(path: Path) -> Iterator[tuple[str, bytes]]:
    look = _FileCheck(path)
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                name = info.filename
                look.name(name)
                mode = info.external_attr >> 16
                if stat.S_ISLNK(mode):
                    raise _refused(path, f"{name!r} is a link: a pack has its files itself")
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise _refused(path, f"{name!r} is no plain file")
                if info.is_dir() or _beside(name):
                    continue
                if info.flag_bits & 1:
                    raise _refused(path, f"{name!r} is encrypted")
                if info.compress_type not in PACKED:
                    raise _refused(path, f"{name!r} is packed in a way that is not read here")
                look.at(name, info.file_size)
                # No more is read than the zip says; a size that is untrue is an error of its own.
                yield name, archive.read(info)
    except UNREADABLE as error:
        raise _refused(path, f"it cannot be read as a zip: {error}") from error


def _beside(name: str) -> bool:
    """Whether a name is of what systems and editors keep beside a pack."""
    return any(part.startswith(".") or part == LEFT_OUT for part in name.split("/"))


def _inner(found: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files of a zip without the one folder that they may all stand in."""
    tops = {name.partition("/")[0] for name in found}
    if len(tops) != 1 or any("/" not in name for name in found):
        return found
    return {name.partition("/")[2]: data for name, data in found.items()}


def _refuse_whole(origin: Path, found: dict[str, bytes]) -> None:
    """Refuse files that make no pack together. Raises PackError."""
    heads = {HEAD, PACK} & found.keys()
    if not heads:
        raise _refused(origin, f"no {PACK} and no {HEAD} in it")
    if len(heads) == 2:
        raise _refused(origin, f"it has both {PACK} and {HEAD}: it amends a ruleset or is one")
    for name in found:
        above = name.rpartition("/")[0]
        if above in found:
            raise _refused(origin, f"{above!r} is a file and a folder")
        if above and name.endswith(PAGE) and name.partition("/")[0] != SAMPLES:
            told = f"{name!r} would never be read: pages stand beside {min(heads)}"
            raise _refused(origin, f"{told}, samples in {SAMPLES}/")


def _refused(origin: Path, reason: str) -> PackError:
    return PackError([PackProblem(origin, 1, 1, "", reason)])


@contextmanager
def unpacked(origin: Path, home: Path | None = None) -> Iterator[Path]:
    """Give the files of a pack as a folder of their own; faults are told of the origin.

    ``home`` is where that folder stands meanwhile. Raises PackError.
    """
    found = pack_files(origin)
    if home is not None:
        home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as temporary:
        fresh = Path(temporary) / "pack"
        _write(fresh, found)
        try:
            yield fresh
        except PackError as error:
            raise PackError(faults_at_origin(error.faults, fresh, origin)) from error


def faults_at_origin(
    faults: Iterable[PackProblem], fresh: Path, origin: Path
) -> Iterator[PackProblem]:
    """Yield faults as they stand in what the user gave."""
    for fault in faults:
        inside = fault.file.is_relative_to(fresh)
        file = origin / fault.file.relative_to(fresh) if inside else fault.file
        yield PackProblem(file, fault.line, fault.column, fault.field, fault.message, fault.nearest)


def load_checked(folder: Path) -> tuple[str, PackReader, Ruleset]:
    """Return the id of the pack in a folder, what was read, and the rules as they are with it.

    Raises PackError with every fault, those of a ruleset or a pack that it
    needs and that is not here included.
    """
    if not loader.amends(folder):
        read, ruleset = loader.read_folder(folder)
        return ruleset.id, read, ruleset
    head = read_pack_head(folder / loader.PACK)
    base, needed = loader.requirements(folder)
    read, ruleset = loader.read_folder(base, [*needed, folder])
    return head.id, read, ruleset


def install(origin: Path, replace: bool = False) -> tuple[str, Ruleset]:
    """Install a pack from a folder or a zip; return its id and its rules.

    Raises PackError with every fault, UsageError where one of this id is
    there and not to be replaced. What stood there stays until the new one
    is whole.
    """
    home = loader.packs_folder()
    try:
        with unpacked(origin, home) as fresh:
            name, _read, ruleset = load_checked(fresh)
            _refuse_taken(name, home, replace)
            _swap(fresh, home / name, fresh.with_name("old"))
            return name, ruleset
    except OSError as error:
        raise WriteError(home, error.strerror or str(error)) from error


def remove(name: str) -> None:
    """Remove an installed pack. Raises UnknownId."""
    mine = loader.installed()
    if name not in mine:
        raise UnknownId("installed pack", name, mine)
    try:
        if mine[name].is_symlink():
            mine[name].unlink()
        else:
            shutil.rmtree(mine[name])
    except OSError as error:
        raise WriteError(mine[name], error.strerror or str(error)) from error


def _write(folder: Path, found: Mapping[str, bytes]) -> None:
    for name, data in found.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _refuse_taken(name: str, home: Path, replace: bool) -> None:
    if name in loader.built_in():
        raise UsageError(f"{name} is the id of a built-in ruleset", "Give the pack another id.")
    if name.partition(".")[0] in DEVICES:
        raise UsageError(f"{name} is the name of a device", "Give the pack another id.")
    if (home / name).exists() and not replace:
        raise UsageError(
            f"a pack {name} is installed",
            f"See what differs: charforge catalog diff {name} NEW. Take it with --replace.",
        )


def _swap(fresh: Path, target: Path, aside: Path) -> None:
    """Put a pack where it belongs; what stood there comes back if that fails."""
    if target.exists():
        target.rename(aside)
    try:
        fresh.rename(target)
    except OSError:
        if aside.exists():
            aside.rename(target)
        raise
