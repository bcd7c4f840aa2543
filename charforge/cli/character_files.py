"""Which characters are meant by files and folders, and where what is made of each goes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from charforge.cli import console
from charforge.errors import DocumentError, UsageError

ENDING = ".json"


def characters(named: Sequence[Path]) -> list[Path]:
    """Return the character files among files and folders, each once, in their order.

    Of a folder they are the JSON files that lie in it and are, or are
    meant to be, characters. What is left out is said. Raises UsageError
    where nothing is left.
    """
    found: list[Path] = []
    for place in named:
        inside = list(_inside(place)) if place.is_dir() else [place]
        if not inside:
            console.say(f"{place} has no characters in it.")
        for file in inside:
            if _among(file, found):
                console.say(f"{file} is named twice; it is taken once.")
            else:
                found.append(file)
    if not found:
        raise UsageError("no character is named", "Give character files, or folders of them.")
    return found


def _inside(folder: Path) -> Iterator[Path]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise DocumentError(folder, (error.strerror or str(error)).lower()) from error
    for file in entries:
        if file.suffix.lower() != ENDING or not file.is_file() or file.name.startswith("."):
            continue
        if _something_else(file):
            console.say(f"{file} is no character; it is left out.")
        else:
            yield file


def _something_else(file: Path) -> bool:
    """Whether a file is sound JSON, but of another kind; a damaged one may be a character."""
    try:
        data = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return not isinstance(data, dict) or "charforge" not in data


def _among(file: Path, others: Iterable[Path]) -> bool:
    try:
        return any(file.samefile(other) for other in others if other.exists())
    except OSError:  # it is not there, which whoever reads it says
        return file in others


def targets(files: Sequence[Path], ending: str, folder: Path | None) -> list[Path]:
    """Return where the sheet of each file goes: into ``folder``, or beside it.

    Of several with one name in one folder, the first keeps it; others take
    their own folder's name before it, or else a number after it. Names
    that differ in their case alone are one name: so they are on many disks.
    """
    taken: set[str] = set()
    found = []
    for file in files:
        place = folder if folder is not None else file.parent
        target = next(
            place / f"{name}.{ending}"
            for name in _names(file)
            if _key(place / f"{name}.{ending}") not in taken
        )
        taken.add(_key(target))
        found.append(target)
    return found


def _names(file: Path) -> Iterator[str]:
    yield file.stem
    above = file.absolute().parent.name
    if above:
        yield f"{above}-{file.stem}"
    number = 2
    while True:
        yield f"{file.stem}-{number}"
        number += 1


def _key(path: Path) -> str:
    return str(path.absolute()).casefold()
