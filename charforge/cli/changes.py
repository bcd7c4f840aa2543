"""Changes of a character as lines: its new events, a new level, what differs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from charforge.character.files.document import Difference
from charforge.cli import console
from charforge.cli.console import SHELL, FrontEnd
from charforge.describe.differences import ARROW, difference_lines, state_differences
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.verbs.history import entries_of


def print_new_events(
    front_end: FrontEnd, file: Path, before: LoadedCharacter, after: LoadedCharacter
) -> None:
    """Print file and name of a changed character, then its new events, one per line."""
    console.print_result(front_end.about(file, after.document.name))
    for entry in entries_of(after, after.document.log[len(before.document.log) :]):
        console.print_result(f"  {entry.text}")


def print_level_changes(
    before: LoadedCharacter, after: LoadedCharacter, file: Path, front_end: FrontEnd = SHELL
) -> None:
    """Print the new level of the character, or of a unit, and the other changes."""
    old, new = before.character.state, after.character.state
    former = {unit.id: unit for unit in old.units}
    for unit in new.units:
        was = former.get(unit.id)
        if was is None:
            continue
        if (unit.owner is None and old.level < new.level) or unit.advances > was.advances:
            advancement = new.ruleset.head.advancement
            reached = advancement.number(new.level_of(unit))
            levels = f"{advancement.text_inside(old.level_of(was))} {ARROW} {reached}"
            title = f"{unit.title or after.document.name}, {levels}"
            console.print_result(front_end.about(file, title))
    differences = (d for d in state_differences(old, new) if d.topic != "level")
    print_differences(differences, after.ruleset)


def print_differences(differences: Iterable[Difference], ruleset: Ruleset) -> None:
    """Print differences, a line each."""
    for line in difference_lines(differences, ruleset):
        console.print_result(f"  {line}")
