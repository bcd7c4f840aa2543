"""The files that commands read and write: characters in folders, names of results."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from charforge.character import atomic_write
from charforge.cli import console
from charforge.errors import DocumentError, UsageError
from charforge.paths import DEVICES

CHARACTER_ENDING = ".json"
STDOUT = Path("-")  # as -o: the result is printed, and nothing is said of it
UNSAFE = '/\\:*?"<>|'
LONGEST = 200  # bytes of a file's name, its ending apart


def character_files(paths: Sequence[Path]) -> list[Path]:
    """Return the character files among files and folders, each once, in their order.

    Of a folder they are the JSON files that lie in it and are, or are
    meant to be, characters. What is left out is said. Raises UsageError
    where nothing is left.
    """
    files: list[Path] = []
    for place in paths:
        candidates = list(_files_in_folder(place)) if place.is_dir() else [place]
        if not candidates:
            console.say(f"{place} has no characters in it.")
        for file in candidates:
            if _is_listed(file, files):
                console.say(f"{file} is named twice; it is taken once.")
            else:
                files.append(file)
    if not files:
        raise UsageError("no character is named", "Give character files, or folders of them.")
    return files


def _files_in_folder(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DocumentError(folder, (error.strerror or str(error)).lower()) from error
    for file in entries:
        if (
            file.suffix.lower() != CHARACTER_ENDING
            or not file.is_file()
            or file.name.startswith(".")
        ):
            continue
        if _is_other_json(file):
            console.say(f"{file} is no character; it is left out.")
        else:
            yield file


def _is_other_json(file: Path) -> bool:
    """Whether a file is sound JSON, but of another kind; a damaged one may be a character."""
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return not isinstance(data, dict) or "charforge" not in data


def _is_listed(file: Path, others: Iterable[Path]) -> bool:
    try:
        return any(file.samefile(other) for other in others if other.exists())
    except OSError:  # it is not there, which whoever reads it says
        return file in others


def sheet_paths(files: Sequence[Path], ending: str, folder: Path | None) -> list[Path]:
    """Return where the sheet of each file goes: into ``folder``, or beside it.

    Of several with one name in one folder, the first keeps it; others take
    their own folder's name before it, or else a number after it. Names
    that differ in their case alone are one name: so they are on many disks.
    """
    taken: set[str] = set()
    paths = []
    for file in files:
        place = folder if folder is not None else file.parent
        target = next(
            place / f"{name}.{ending}"
            for name in _possible_names(file)
            if _comparison_key(place / f"{name}.{ending}") not in taken
        )
        taken.add(_comparison_key(target))
        paths.append(target)
    return paths


def _possible_names(file: Path) -> Iterator[str]:
    yield file.stem
    above = file.absolute().parent.name
    if above:
        yield f"{above}-{file.stem}"
    number = 2
    while True:
        yield f"{file.stem}-{number}"
        number += 1


def _comparison_key(path: Path) -> str:
    return str(path.absolute()).casefold()


def default_path(name: str, number: int = 0) -> Path:
    """Return NAME.json without characters that file names cannot contain."""
    kept = "".join("_" if sign in UNSAFE or ord(sign) < 32 else sign for sign in name)
    kept = kept.strip(". ").lstrip("-. ")  # with a sign before it a command takes it for an option
    if kept.partition(".")[0].strip().casefold() in DEVICES:
        kept = f"_{kept}"
    while len(kept.encode()) > LONGEST:
        kept = kept[:-1]
    suffix = f"-{number}" if number else ""
    return Path(f"{kept or 'character'}{suffix}.json")


def numbered_path(output: Path | None, name: str, number: int, count: int) -> Path:
    """Return one of several outputs: NAME-2.json, in a folder where ``output`` is no JSON file."""
    if output is None or count == 1:
        return output or default_path(name, number)
    if output.suffix != ".json":
        output.mkdir(parents=True, exist_ok=True)
        return output / default_path(name, number)
    return output.with_name(f"{output.stem}-{number}{output.suffix}")


def may_write(path: Path, force: bool) -> bool:
    """Return whether an existing file may be replaced; ask where somebody is there.

    Raises WriteError where it may not.
    """
    if path == STDOUT:
        return True
    atomic_write.check_writable(path, replace=True)
    agreed = force or (
        path.exists() and console.somebody_there() and console.agreed(f"{path} exists. Replace it?")
    )
    atomic_write.check_writable(path, agreed)
    return agreed


def write_result(target: Path, data: bytes, replace: bool) -> None:
    """Write a result to its file, or to stdout. Raises WriteError."""
    if target != STDOUT:
        atomic_write.write(target, data, replace=replace)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_path(target: Path) -> None:
    """Print the path of a result, unless the result itself was printed."""
    if target != STDOUT:
        console.result(str(target))


def result_name(target: Path) -> str:
    """Return the name of a result for messages."""
    return "what was printed" if target == STDOUT else str(target)


def refuse_stdout(output: Path | None, reason: str, advice: str) -> None:
    """Raise UsageError if several results would be printed with ``-o -``."""
    if output == STDOUT:
        raise UsageError(f"-o - prints one result, and {reason}", advice)


def refuse_binary(output: Path | None) -> None:
    """Raise UsageError if a PDF would be printed to a terminal."""
    if output == STDOUT and sys.stdout.isatty():
        raise UsageError("a PDF is no text for a terminal", "Send it on: -o - > sheet.pdf.")


def may_replace(path: Path) -> bool:
    """Ask whether a file may be replaced, before the work begins: it is done unseen."""
    there = path.is_file() and console.somebody_there()
    return there and console.agreed(f"{path} exists. Replace it?")


def refuse_same_file(output: Path | None, *inputs: Path | None) -> None:
    """Refuse to write over the very file that is read."""
    for path in inputs:
        if output and path and output.exists() and path.exists() and output.samefile(path):
            raise UsageError(f"-o {output} is the file that is read", "Give another -o.")
