"""Files of folders and zips from anybody: read with limits, and zips that are always the same.

Names that lead out of the folder, links, devices, other types of file and
excessive sizes are refused before anything is written. Nothing is executed.
"""

from __future__ import annotations

import io
import os
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from charforge.errors import PackError, os_reason, shorten
from charforge.language import N_, _
from charforge.paths import DEVICES

MACOS_FOLDER = "__MACOSX"  # which macOS adds to zips
ZIP_START = b"PK\x03\x04"
MAX_NAME_LENGTH = 150
COMPRESSION = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others unpack without a limit
FORBIDDEN = '\\:*?"<>|'
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
        unfit = not name.isprintable() or any(sign in FORBIDDEN for sign in name)
        if unfit or {"..", ".", ""} & {*parts} or any(p.endswith((" ", ".")) for p in parts):
            raise self.error(
                N_("{name} cannot be the name of a file in a pack"), name=shorten(name)
            )
        if len(name) > MAX_NAME_LENGTH:
            raise self.error(N_("{name}… is too long for a file name"), name=shorten(name[:40]))
        if any(part.partition(".")[0].strip().casefold() in DEVICES for part in parts):
            message = N_("{name} is reserved for a device on some systems")
            raise self.error(message, name=shorten(name))


LINK = N_("{name} is a link; a pack must contain the file itself")
SPECIAL = N_("{name} is not a normal file")


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
            raise PackError.at(folder, _(LINK).format(name=shorten(entry.name)))
        if entry.is_dir(follow_symlinks=False):
            yield from _plain_files(Path(entry), files)
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry)
        else:
            raise PackError.at(folder, _(SPECIAL).format(name=shorten(entry.name)))


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
                    raise files.error(LINK, name=shorten(name))
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                    raise files.error(SPECIAL, name=shorten(name))
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
    """Whether a file was left by a system or an editor."""
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
