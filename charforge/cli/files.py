"""The files that commands read, write and watch: characters by name and in folders, results."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from charforge.character.files import atomic_write
from charforge.cli import console
from charforge.errors import (
    CharforgeError,
    DocumentError,
    UsageError,
    WriteError,
    os_reason,
    shorten,
)
from charforge.language import N_, _, page, reader_language, settle
from charforge.limits import MAX_LISTED
from charforge.paths import DEVICES, is_folder, read_plain_file
from charforge.rules import loading

if TYPE_CHECKING:
    from charforge.rules.ruleset import Ruleset  # slow to import

ENDING = ".json"  # of character files
STDOUT = Path("-")  # as -o: the result is printed, without a message
UNSAFE = '/\\:*?"<>|'
LONGEST_FILE_NAME = 200  # bytes of a file's name without its ending
MOST_READ = 200  # files of a folder whose characters' names are read
MAX_CHARACTER_BYTES = 20_000_000  # of a character file: MAX_DOCUMENT_LENGTH of four bytes
WATCH_INTERVAL = 0.2  # seconds between two looks at the files


def character_files(paths: Sequence[Path]) -> list[Path]:
    """Return the files, and the character files of the folders, in order and each once.

    A folder gives its JSON files, without those that are clearly something
    else; left out files are reported. Raises UsageError if none remains.
    """
    files: list[Path] = []
    for path in paths:
        candidates = list(_files_in_folder(path)) if path.is_dir() else [path]
        if not candidates:
            console.say(_("{path} has no characters in it.").format(path=path))
        for file in candidates:
            if _is_listed(file, files):
                console.say(_("{file} is listed twice; it is used once.").format(file=file))
            else:
                files.append(file)
    if not files:
        raise UsageError(_("which character?"), _("Give a file or a folder."))
    return files


def _files_in_folder(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DocumentError(folder, os_reason(error).lower()) from error
    for file in filter(_may_be_character, entries):
        if _is_other_json(file):
            console.say(_("{file} is not a character file; it is skipped.").format(file=file))
        else:
            yield file


def _is_other_json(file: Path) -> bool:
    """Return whether a file is JSON of another kind, or too large; not a damaged character."""
    try:
        data = _read_json(file)
    except (OSError, ValueError, RecursionError):
        return False
    return not isinstance(data, dict) or "charforge" not in data


def _read_json(file: Path) -> Any:
    """Return the JSON of a file; None for one that is too large for a character.

    Raises OSError, ValueError and RecursionError.
    """
    data = read_plain_file(file, MAX_CHARACTER_BYTES)
    return json.loads(data.decode("utf-8-sig")) if len(data) <= MAX_CHARACTER_BYTES else None


def _is_listed(file: Path, others: Iterable[Path]) -> bool:
    try:
        return any(file.samefile(other) for other in others if other.exists())
    except OSError:  # it is missing, which is reported when it is read
        return file in others


def sheet_paths(files: Sequence[Path], ending: str, folder: Path | None) -> list[Path]:
    """Return the path of the sheet of each file: in ``folder``, or beside the file.

    If several have the same name in one folder, the first keeps it; the
    others get the name of their own folder before it, or a number after it.
    Case is ignored, as on many disks.
    """
    taken: set[str] = set()
    paths = []
    for file in files:
        parent = folder if folder is not None else file.parent
        for name in _possible_names(file):
            target = parent / f"{name}.{ending}"
            key = str(target.absolute()).casefold()
            if key not in taken:
                break
        taken.add(key)
        paths.append(target)
    return paths


def _possible_names(file: Path) -> Iterator[str]:
    yield file.stem
    folder = file.absolute().parent.name
    if folder:
        yield f"{folder}-{file.stem}"
    yield from (f"{file.stem}-{number}" for number in count(2))


def default_path(name: str, number: int = 0) -> Path:
    """Return NAME.json without spaces and characters that file names cannot contain."""
    stem = console.CONTROL.sub("_", name)
    stem = "".join("_" if sign in UNSAFE or ord(sign) < 32 else sign for sign in stem)
    stem = "-".join(stem.split())
    stem = stem.strip(". ").lstrip("-. ")  # a name that begins with - would be an option
    if stem.partition(".")[0].strip().casefold() in DEVICES:
        stem = f"_{stem}"
    while len(stem.encode()) > LONGEST_FILE_NAME:
        stem = stem[:-1]
    suffix = f"-{number}" if number else ""
    return Path(f"{stem or 'character'}{suffix}.json")


def numbered_path(output: Path | None, name: str, number: int, total: int) -> Path:
    """Return the path of one of ``total`` outputs: NAME-2.json.

    It is in the folder ``output``, or beside it if that is a JSON file.
    """
    if output is None or total == 1:
        return output or default_path(name, number)
    if output.suffix != ".json" or is_folder(output):
        return make_folder(output) / default_path(name, number)
    return output.with_name(f"{output.stem}-{number}{output.suffix}")


def make_folder(folder: Path) -> Path:
    """Create a folder for results, and those that it is in, and return it. Raises WriteError."""
    folder = Path(folder)  # what is in a FolderPath is not a folder itself
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return folder
    except FileExistsError as error:
        reason = _("this is a file, not a folder")
        raise WriteError(folder, reason, _("Use another -o.")) from error
    except OSError as error:
        raise WriteError(folder, os_reason(error).lower()) from error


def may_write(path: Path, force: bool) -> bool:
    """Return whether to replace an existing file; in a terminal it is asked.

    Raises WriteError if the file exists and must not be replaced.
    """
    if path == STDOUT:
        return True
    atomic_write.check_writable(path, replace=True)
    allowed = force or may_replace(path)
    atomic_write.check_writable(path, allowed)
    return allowed


def write_result(target: Path, data: bytes, replace: bool) -> None:
    """Write a result to its file, or to stdout. Raises WriteError."""
    if target != STDOUT:
        atomic_write.write(target, data, replace=replace)
        return
    console.flush_results()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        console.discard_output()


def print_path(target: Path) -> None:
    """Print the path of a result, unless the result itself was printed."""
    if target != STDOUT:
        console.print_result(str(target))


def result_name(target: Path) -> str:
    """Return the name of a result for messages."""
    return _("what was printed") if target == STDOUT else str(target)


def refuse_stdout(output: Path | None, reason: str, advice: str) -> None:
    """Raise UsageError if several results would be printed with ``-o -``."""
    if output == STDOUT:
        raise UsageError(
            _("-o - prints a single result, but {reason}").format(reason=reason), advice
        )


def refuse_binary(output: Path | None) -> None:
    """Raise UsageError if a PDF would be printed to a terminal."""
    if output == STDOUT and sys.stdout.isatty():
        raise UsageError(
            _("a PDF cannot be shown in a terminal"), _("Save it to a file: -o - > sheet.pdf.")
        )


def may_replace(path: Path) -> bool:
    """Return whether an existing file may be replaced: in a terminal it is asked."""
    if not path.is_file() or not console.is_interactive():
        return False
    with page():  # it is about a file, not about the game
        return console.confirm(_("{path} exists. Replace it?").format(path=path))


def refuse_same_file(output: Path | None, *inputs: Path | None) -> None:
    """Raise UsageError if ``-o`` names one of the input files."""
    for path in inputs:
        if output and path and _is_same(output, path):
            raise UsageError(
                _("-o {output} would overwrite the input").format(output=output),
                _("Use another -o."),
            )


def refuse_overwriting(
    target: Path, file: Path, reason: str = N_("this is the character file itself")
) -> None:
    """Raise WriteError with the reason if a result would replace the file it is made from."""
    if _is_same(target, file):
        raise WriteError(target, reason, _("Use another -o."))


def _is_same(path: Path, other: Path) -> bool:
    return path.exists() and other.exists() and path.samefile(other)


def is_character(word: str) -> bool:
    """Return whether a word means one or more characters of a folder."""
    typed = Path(word)
    if typed.suffix.lower() == ENDING:
        return typed.is_file()
    return not _exists(typed) and bool(_meant(typed, character_paths(typed.parent)))


def find_character(typed: Path, or_folder: bool = False) -> Path:
    """Return the character file that a word means; the word itself if it means none.

    ``kas`` means the file kas, else kas.json, else the only file in the folder
    whose name starts so, else the only character whose name is or starts so.
    Case does not matter. Raises UsageError that lists the files if several fit,
    or none of those there; ``or_folder``: the word could have been a folder, too.
    """
    if _exists(typed) or not typed.name:
        return typed
    files = character_paths(typed.parent)
    if typed.suffix.lower() == ENDING:
        folded = typed.name.casefold()
        return next((file for file in files if file.name.casefold() == folded), typed)
    if meant := _meant(typed, files):
        if len(meant) > 1:
            listed = "".join(f"\n  {file}" for file in meant)
            raise UsageError(
                _("{typed} matches several characters:{listed}").format(
                    typed=shorten(str(typed)), listed=listed
                )
            )
        return meant[0]
    if files:
        listed = ", ".join(str(file) for file in files[:MAX_LISTED])
        more = (
            _(" and {count} more").format(count=len(files) - MAX_LISTED)
            if len(files) > MAX_LISTED
            else ""
        )
        raise UsageError(
            (
                _("there is no character or folder {typed}")
                if or_folder
                else _("there is no character {typed}")
            ).format(typed=shorten(str(typed))),
            _("There are: {listed}{more}.").format(listed=listed, more=more),
        )
    return typed


def _meant(typed: Path, files: Sequence[Path]) -> list[Path]:
    """Return the files that a word without ending means: by their names, else their characters'."""
    folded = typed.name.casefold()
    for name_of in (attrgetter("stem"), saved_name):
        names = {file: name_of(file).casefold() for file in files[:MOST_READ]}
        meant = [file for file, name in names.items() if name == folded]
        meant = meant or [file for file, name in names.items() if name.startswith(folded)]
        if meant:
            return meant
    return []


def character_paths(folder: Path) -> list[Path]:
    """Return the files of a folder that may be characters, by name."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return list(filter(_may_be_character, entries))


def _may_be_character(entry: Path) -> bool:
    return entry.suffix.lower() == ENDING and not entry.name.startswith(".") and entry.is_file()


def saved_name(file: Path) -> str:
    """Return the name of the character in a file, or an empty text."""
    return str(character_summary(file).get("name") or "")


def character_summary(file: Path) -> dict[str, Any]:
    """Return id, name, game, packs and level of the character in a file; else nothing.

    The file is not checked: it is only looked at to list or to find it.
    """
    try:
        data = _read_json(file)
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict) or "charforge" not in data:
        return {}
    saved = data.get("character")
    level = saved.get("level") if isinstance(saved, dict) else None
    ruleset, pins = data.get("ruleset"), data.get("packs")
    ids = [pin.get("id") for pin in pins if isinstance(pin, dict)] if isinstance(pins, list) else []
    packs = [str(id) for id in ids if id != ruleset]
    return {
        "id": data.get("id"),
        "name": data.get("name"),
        "ruleset": ruleset,
        "packs": packs,
        "level": level,
    }


def settle_language(files: Iterable[Path]) -> None:
    """Have this page, which shows several characters, in one language.

    It is that of the reader if all their games have it, else that in which the first game was
    written.
    """
    rulesets: list[Ruleset] = []
    known = (found for found in map(character_summary, files) if found)
    for game in dict.fromkeys((found["ruleset"], *found["packs"]) for found in known):
        with suppress(CharforgeError):  # it is reported where the character is read
            rulesets.append(loading.loader.load(game[0], game[1:]))
    if not loading.loader.settle_on_common(rulesets):
        settle(rulesets[0].page_language if rulesets else reader_language())


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def file_changes(listed: Callable[[], Iterable[Path]]) -> Iterator[None]:
    """Yield once, and again after each change of a listed file, without end."""
    before = None
    while True:
        now = _stamps(listed())
        if now != before:
            before = now
            yield
        time.sleep(WATCH_INTERVAL)


def _stamps(files: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return when each file was changed, and its size; files that are gone are left out."""
    found = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:  # an editor is replacing it
            continue
        found[file] = status.st_mtime_ns, status.st_size
    return found
