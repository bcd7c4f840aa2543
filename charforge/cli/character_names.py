"""Characters as a player names them: a file, its name without ending, or the character's name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from charforge.errors import MAX_LISTED, UsageError, shorten
from charforge.language import _

ENDING = ".json"
MOST_READ = 200  # files of a folder whose characters' names are read
MAX_BYTES = 5_000_000  # of a file that is read for its name


def find_character(typed: Path) -> Path:
    """Return the character file that a word means; the word itself if it means none.

    ``kas`` means the file kas, else kas.json, else the only file in the folder
    whose name starts so, else the only character whose name is or starts so.
    Raises UsageError that lists the files if several fit, or none of those there.
    """
    if typed.suffix.lower() == ENDING or _exists(typed) or not typed.name:
        return typed
    folded = typed.name.casefold()
    files = character_paths(typed.parent)
    for name_of in (_file_name, character_name):
        names = {file: name_of(file).casefold() for file in files[:MOST_READ]}
        meant = [file for file, name in names.items() if name == folded]
        meant = meant or [file for file, name in names.items() if name.startswith(folded)]
        if len(meant) > 1:
            listed = "".join(f"\n  {file}" for file in meant)
            raise UsageError(
                _("{typed} matches several characters:{listed}").format(
                    typed=shorten(str(typed)), listed=listed
                )
            )
        if meant:
            return meant[0]
    if files:
        listed = ", ".join(str(file) for file in files[:MAX_LISTED])
        more = (
            _(" and {count} more").format(count=len(files) - MAX_LISTED)
            if len(files) > MAX_LISTED
            else ""
        )
        raise UsageError(
            _("there is no character {typed}").format(typed=shorten(str(typed))),
            _("There are: {listed}{more}.").format(listed=listed, more=more),
        )
    return typed


def character_paths(folder: Path) -> list[Path]:
    """Return the files of a folder that may be characters, by name."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return []
    return [
        entry
        for entry in entries
        if entry.suffix.lower() == ENDING and not entry.name.startswith(".") and entry.is_file()
    ]


def character_name(file: Path) -> str:
    """Return the name of the character in a file; empty if the file is something else."""
    return str(character_summary(file).get("name") or "")


def character_summary(file: Path) -> dict[str, Any]:
    """Return name, game, packs and level of the character in a file; empty for something else.

    The file is not checked: it is only looked at to list or to find it.
    """
    try:
        if file.stat().st_size > MAX_BYTES:
            return {}
        data = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(data, dict) or "charforge" not in data:
        return {}
    saved = data.get("character")
    level = saved.get("level") if isinstance(saved, dict) else None
    ruleset, pins = data.get("ruleset"), data.get("packs")
    ids = [pin.get("id") for pin in pins if isinstance(pin, dict)] if isinstance(pins, list) else []
    packs = [str(id) for id in ids if id != ruleset]
    return {"name": data.get("name"), "ruleset": ruleset, "packs": packs, "level": level}


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _file_name(file: Path) -> str:
    return file.stem
