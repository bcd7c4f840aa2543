"""Changes of a character as lines: its new events, a level, values, what was replaced."""

from __future__ import annotations

from pathlib import Path

from charforge.character.state import State
from charforge.cli import console
from charforge.describe.differences import changed_values, kept_units
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.verbs.history import entries_of


def print_new_events(file: Path, before: LoadedCharacter, after: LoadedCharacter) -> None:
    """Print file and name of a changed character, then its new events, one per line."""
    console.print_result(f"{file}: {after.document.name}")
    for entry in entries_of(after, after.document.log[len(before.document.log) :]):
        console.print_result(f"  {entry.text}")


def print_level_changes(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Print the changes of a level: new level, values, holdings gained and replaced."""
    old, new = before.character.state, after.character.state
    for was, unit in kept_units(old, new):
        if (unit.owner is None and old.level < new.level) or unit.advances > was.advances:
            advancement = new.ruleset.head.advancement
            reached = advancement.number(new.level_of(unit))
            levels = f"{advancement.text_inside(old.level_of(was))} → {reached}"
            console.print_result(f"{file}: {unit.title or after.document.name}, {levels}")
    print_value_changes(old, new)
    for holding in new.holdings:
        if old.holding(holding.id) is None:
            name = new.unit(holding.unit).name
            prefix = f"{name}: " if name else ""
            console.print_result(f"  {prefix}+ {holding.name}")
    print_replaced(old, new)


def print_value_changes(old: State, new: State) -> None:
    """Print the changed values of units that existed before: ``Max HP 37 → 42``."""
    for line in changed_values(old, new):
        console.print_result(f"  {line}")


def print_replaced(old: State, new: State) -> None:
    """Print the holdings that were replaced."""
    for holding in old.holdings:
        if new.holding(holding.id) is None:
            replaced = _("{name} (replaced)").format(name=holding.name)
            console.print_result(f"  \N{MINUS SIGN} {replaced}")
