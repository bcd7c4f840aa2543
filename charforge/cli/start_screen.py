"""The start screen: what ``charforge`` alone offers in a terminal.

What is chosen runs as a command, which is printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from charforge.cli import console
from charforge.cli.app import run
from charforge.cli.files import character_paths, character_summary
from charforge.language import N_, _
from charforge.paths import DRAFT_ENDING, first_line, latest_first

MOST_RECENT = 5  # characters
MAX_DRAFTS = 5
# The first line of a draft names the command that goes on with it.
DRAFT_COMMAND = re.compile(r"`charforge ((?:new|level-up|edit|plan) .*) THIS-FILE`")
FOR_A_CHARACTER = (
    (N_("Show the character"), "show"),
    (N_("Play a session"), "play"),
    (N_("Level up"), "level-up"),
    (N_("Open the shop"), "shop"),
    (N_("Create the sheet (PDF)"), "sheet"),
)


class Entry(NamedTuple):
    """A line of the start screen, and what it runs: it returns an exit code."""

    label: str
    run: Callable[[], int]


def open_start_screen() -> int:
    """Ask what to do, do it, and return the exit code."""
    entries = [*_drafts(), *_characters()]
    entries += [
        Entry(_("Create a character"), partial(_run, ["new"])),
        Entry(_("List the games"), partial(_run, ["games"])),
        Entry(_("List all commands"), partial(_run, ["help"])),
    ]
    return _choose(_("What would you like to do?"), entries)


def _choose(question: str, entries: list[Entry]) -> int:
    """Ask for one of the entries and run it; without an answer, nothing."""
    number = console.choose(question, [entry.label for entry in entries])
    return 0 if number is None else entries[number].run()


def _run(words: list[str]) -> int:
    console.say(_("> charforge {words}").format(words=shlex.join(words)))
    return run(words)


def _drafts() -> Iterator[Entry]:
    """Yield the drafts of this folder, the latest first."""
    for file in latest_first(Path().glob(f"*{DRAFT_ENDING}"))[:MAX_DRAFTS]:
        try:
            match = DRAFT_COMMAND.search(first_line(file))
        except OSError:
            continue
        if match:
            words = [*shlex.split(match[1]), str(file)]
            yield Entry(_("Continue the draft {file}").format(file=file), partial(_run, words))


def _characters() -> Iterator[Entry]:
    """Yield the characters of this folder, the latest first."""
    files = latest_first(character_paths(Path()))
    found = ((file, summary) for file in files if (summary := character_summary(file)))
    for file, summary in islice(found, MOST_RECENT):
        name, level = summary["name"], summary["level"]
        above = isinstance(level, int) and level > 1  # some games have no levels
        at_level = _("level {level}, ").format(level=level) if above else ""
        yield Entry(f"{name} ({at_level}{file})", partial(_open_character, file, name))


def _open_character(file: Path, name: str) -> int:
    entries = [
        Entry(_(label), partial(_run, [command, str(file)])) for label, command in FOR_A_CHARACTER
    ]
    return _choose(f"{name}:", entries)
