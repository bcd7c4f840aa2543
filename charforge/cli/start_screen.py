"""The start screen: what ``charforge`` alone offers in a terminal.

It is a menu; what is selected runs as a command, which is printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from charforge.cli import console
from charforge.cli.app import run
from charforge.cli.files import character_paths, character_summary
from charforge.cli.prompt import choose
from charforge.decisions.base import MenuItem
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


def open_start_screen() -> int:
    """Ask what to do, do it, and return the exit code; Esc leaves."""
    while True:
        chosen = choose(_("What would you like to do?"), [*_drafts(), *_characters(), *_others()])
        if isinstance(chosen, Path):
            chosen = _ask_command(chosen)
            if chosen is None:
                continue
        return 0 if chosen is None else _run(chosen)


def _run(words: list[str]) -> int:
    console.say(_("> charforge {words}").format(words=shlex.join(words)))
    return run(words)


def _entry(label: str, words: list[str], detail: str = "") -> MenuItem:
    """Return the entry of a command, which is shown while the entry is pointed at."""
    return MenuItem(words, label, detail, f"charforge {shlex.join(words)}")


def _drafts() -> Iterator[MenuItem]:
    """Yield the drafts of this folder, the latest first."""
    for file in latest_first(Path().glob(f"*{DRAFT_ENDING}"))[:MAX_DRAFTS]:
        try:
            match = DRAFT_COMMAND.search(first_line(file))
        except OSError:
            continue
        if match:
            words = [*shlex.split(match[1]), str(file)]
            yield _entry(_("Continue the draft {file}").format(file=file), words)


def _characters() -> Iterator[MenuItem]:
    """Yield the characters of this folder, the latest first."""
    files = latest_first(character_paths(Path()))
    found = ((file, summary) for file in files if (summary := character_summary(file)))
    for file, summary in islice(found, MOST_RECENT):
        name, level = summary["name"], summary["level"]
        above = isinstance(level, int) and level > 1  # some games have no levels
        at_level = _("level {level}, ").format(level=level) if above else ""
        yield MenuItem(file, str(name), f"{at_level}{file}")


def _others() -> Iterator[MenuItem]:
    """Yield what can be done without a character."""
    yield _entry(_("Create a character"), ["new"])
    yield _entry(_("List the games"), ["games"])
    yield _entry(_("List all commands"), ["help"])


def _ask_command(file: Path) -> list[str] | None:
    """Ask what to do with a character; None for Esc."""
    items = [_entry(_(label), [command, str(file)]) for label, command in FOR_A_CHARACTER]
    summary = character_summary(file) or {}
    chosen: list[str] | None = choose(str(summary.get("name", file.stem)), items)
    return chosen
