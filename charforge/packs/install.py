"""Installing packs from folders and zips: read with limits, checked, then moved into place.

A pack may come from anybody; its files are texts, and those of its templates, which run in a
sandbox (``archives`` reads them). A pack is unpacked beside the installed
ones and must load without an error before it replaces one.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

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
from charforge.packs.archives import (
    ZIP_ERRORS,
    ZIP_START,
    Limits,
    folder_files,
    write_files,
    zip_files,
)
from charforge.paths import DEVICES, read_plain_file
from charforge.rules.loading import loader
from charforge.rules.loading.loader import HEAD, LANGUAGES, PACK, TEMPLATES
from charforge.rules.loading.parser import PackReader, read_pack_head, sorted_problems
from charforge.rules.loading.translation import check_translations
from charforge.rules.ruleset import Ruleset

SAMPLES = "tests"
FOLDERS = (SAMPLES, LANGUAGES, TEMPLATES)
PAGE_SUFFIX = ".yaml"
SUFFIXES = (PAGE_SUFFIX, ".md", ".txt", "")  # "" is that of LICENSE
TEMPLATE_SUFFIXES = (  # of files in that folder, beside the others
    ".html", ".j2", ".jinja", ".css", ".csv", ".json", ".png", ".jpg", ".jpeg", ".webp", ".svg",
    ".ttf", ".otf", ".woff", ".woff2",
)  # fmt: skip
MAX_FILES = 300
MAX_BYTES = 4_000_000
BUNDLED = "character.json"  # in the zip file of a character with its packs
WEB_PAGE = (b"<!doctype html", b"<html")
OTHER_ARCHIVES = (b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh", b"\xfd7zXZ")
TEXTS_ONLY = N_(
    "a pack can only contain text files (.yaml, .md, .txt); its folder templates also HTML, "
    "styles, pictures and fonts"
)
LIMITS = Limits(MAX_FILES, MAX_BYTES, (*SUFFIXES, *TEMPLATE_SUFFIXES), TEXTS_ONLY)


def pack_files(origin: Path) -> dict[str, bytes]:
    """Return the files of a pack in a folder or a zip by name. Raises PackError or UsageError."""
    if origin.is_dir():
        if not (origin / HEAD).is_file() and not (origin / PACK).is_file():
            raise PackError.at(
                origin,
                _("this folder contains no {pack} and no {head}").format(pack=PACK, head=HEAD),
            )
        contents = folder_files(origin, LIMITS)
    elif origin.is_file() and origin.stat().st_size > MAX_BYTES:
        raise _too_large(origin)
    elif is_small_zip(origin):
        if BUNDLED in _names(_read(origin)):
            raise PackError.at(
                origin,
                _(
                    "this is a bundle of a character, with its packs: charforge import {file}"
                ).format(file=origin.name),
            )
        contents = _without_top_folder(zip_files(_read(origin), origin, LIMITS))
    elif origin.exists():
        raise PackError.at(origin, _no_zip(_read(origin)))
    else:
        raise UsageError(_("{path}: there is no such file or folder").format(path=origin))
    _check_layout(origin, contents)
    return contents


def _read(path: Path) -> bytes:
    """Return the bytes of a file. Raises PackError, also for one that is too large."""
    try:
        data = read_plain_file(path, MAX_BYTES)
    except OSError as error:
        raise PackError.at(path, os_reason(error)) from error
    if len(data) > MAX_BYTES:
        raise _too_large(path)
    return data


def _too_large(path: Path) -> PackError:
    message = _("this file is too large for a pack (more than {max_bytes} MB)").format(
        max_bytes=MAX_BYTES // 1_000_000
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
    if data.startswith(ZIP_START):
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
    return path.is_file() and path.stat().st_size <= MAX_BYTES and zipfile.is_zipfile(path)


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


def load_checked(folder: Path, partly: bool = False) -> tuple[str, PackReader, Ruleset]:
    """Load the ruleset or pack in a folder; return its id, its reader and the rules with it.

    Raises PackError with every error (with ``partly`` these are only kept in the reader); also
    for a ruleset or pack that it needs and that is not here.
    """
    if not loader.amends(folder):
        reader, ruleset = loader.read_folder(folder, partly=partly)
        return ruleset.id, reader, ruleset
    head = read_pack_head(folder / loader.PACK)
    base, needed = loader.requirements(folder)
    reader, ruleset = loader.read_folder(base, [*needed, folder], partly)
    return head.id, reader, ruleset


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
            _refuse_wrong_translations(reader, ruleset, folder)
            _refuse_taken(name, home, replace)
            write_files(folder, notes)
            _swap(folder, home / name, folder.with_name("old"))
            return name, ruleset
    except OSError as error:
        raise WriteError(home, os_reason(error)) from error


def _refuse_wrong_translations(reader: PackReader, ruleset: Ruleset, folder: Path) -> None:
    """Raise PackError for translations that say something else than the pack."""
    errors, _warnings = check_translations(reader, ruleset, folder)
    if errors:
        raise PackError(sorted_problems(errors[:MAX_ERRORS]))


def remove(name: str) -> None:
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
