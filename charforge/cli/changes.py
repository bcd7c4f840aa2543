"""Changes of a character as lines of text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from charforge.character.differences import Difference
from charforge.character.state import State
from charforge.cli import console
from charforge.cli.messages import about_file
from charforge.describe.differences import difference_lines
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.compare import changed_values, kept_units
from charforge.usecases.history import entries_of
from charforge.usecases.pack_changes import pack_differences, unrecorded_differences


def print_new_events(file: Path, before: LoadedCharacter, after: LoadedCharacter) -> None:
    """Print file and name of a changed character, then its new events, one per line."""
    console.print_result(about_file(file, after.document.name))
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
            console.print_result(about_file(file, f"{unit.title or after.document.name}, {levels}"))
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


def say_pack_changes(file: Path, loaded: LoadedCharacter) -> tuple[str, ...]:
    """Print on stderr what other packs change about a character, and return the lines.

    They are what is on record since its packs were pinned, and what has
    changed since it was saved.
    """
    return _say(file, loaded, pack_differences(loaded))


def say_new_pack_changes(file: Path, before: LoadedCharacter) -> None:
    """Print on stderr what other packs changed, which a change of ``before`` put on record."""
    _say(file, before, unrecorded_differences(before))


def _say(file: Path, loaded: LoadedCharacter, differences: Iterable[Difference]) -> tuple[str, ...]:
    lines = tuple(difference_lines(differences))
    if not lines:
        return ()
    console.say(
        _("{name} was made with other pack versions. What the installed ones change:").format(
            name=loaded.document.name
        )
    )
    for line in lines:
        console.say(f"  {line}")
    update = f"charforge update {console.quoted(file)}"
    console.say(
        _("To see the versions: charforge check {file}. To accept: {update}.").format(
            file=console.quoted(file), update=update
        )
    )
    return lines
