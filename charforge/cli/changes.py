"""Changes, differences and problems of a character as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from charforge.character.state import State, Unit
from charforge.cli import console
from charforge.describe.remarks import remarks
from charforge.expressions.template import true_minus
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.compare import Difference, pack_differences
from charforge.usecases.history import entries_of

EVENT = "event."
ARROW = "\N{RIGHTWARDS ARROW}"


def print_new_events(file: Path, before: LoadedCharacter, after: LoadedCharacter) -> None:
    """Print file and name of a changed character, then its new events, one per line."""
    console.print_result(f"{file}: {after.document.name}")
    for entry in entries_of(after, after.document.log[len(before.document.log) :]):
        console.print_result(f"  {entry.text}")


def print_level_changes(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Print the changes of a level: new level, values, holdings gained and replaced."""
    old, new = before.character.state, after.character.state
    for was, unit in _kept_units(old, new):
        if (unit.owner is None and old.level < new.level) or unit.advances > was.advances:
            levels = f"level {old.level_of(was)} → {new.level_of(unit)}"
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
    for _former, unit in _kept_units(old, new):
        was, now = old.values(unit.id), new.values(unit.id)
        prefix = f"{unit.name}: " if unit.name else ""
        for name in now.ids():
            if was.total(name) != now.total(name):
                label = new.ruleset.values[name].label
                changed = true_minus(f"{was.total(name)} → {now.total(name)}")
                console.print_result(f"  {prefix}{label} {changed}")


def print_replaced(old: State, new: State) -> None:
    """Print the holdings that were replaced."""
    for holding in old.holdings:
        if new.holding(holding.id) is None:
            console.print_result(f"  \N{MINUS SIGN} {holding.name} (replaced)")


def _kept_units(old: State, new: State) -> Iterator[tuple[Unit, Unit]]:
    """Yield each unit that is there before and after, as it was and as it is."""
    former = {unit.id: unit for unit in old.units}
    yield from ((former[unit.id], unit) for unit in new.units if unit.id in former)


def difference_lines(differences: Iterable[Difference]) -> list[str]:
    """Return differences in words, a line each."""
    return [LINES.get(difference.topic, _changed)(difference) for difference in differences]


def say_pack_changes(file: Path, loaded: LoadedCharacter) -> list[str]:
    """Print on stderr what other pack versions change about a saved character, and return it."""
    lines = difference_lines(pack_differences(loaded))
    if not lines:
        return []
    console.say(f"{loaded.document.name} was saved with other pack versions. What they change:")
    for line in lines:
        console.say(f"  {line}")
    update = f"charforge update {console.quoted(file)}"
    console.say(
        f"To see the versions: charforge check {console.quoted(file)}. To accept: {update}."
    )
    return lines


def say_remarks(state: State, before: State | None = None, of: str = "") -> None:
    """Print on stderr the remarks on a saved character that were not there ``before``.

    ``of`` comes before each where there are several characters.
    """
    known = remarks(before) if before is not None else ()
    for remark in remarks(state):
        if remark not in known:
            console.say(f"{of}Remark: {remark}")


def _changed(difference: Difference) -> str:
    """Return the old and the new value: ``Max HP 37 → 42``."""
    old, new = (
        "none" if value is None else true_minus(str(value)) if isinstance(value, int) else value
        for value in (difference.old, difference.new)
    )
    return f"{_owner_prefix(difference)}{difference.label} {old} {ARROW} {new}"


def _holding(difference: Difference) -> str:
    """Return a holding that was gained or lost, or whose quantity changed."""
    if isinstance(difference.old, int) and isinstance(difference.new, int):
        numbers = f"× {difference.old} {ARROW} × {difference.new}"
        return f"{_owner_prefix(difference)}{difference.label} {numbers}"
    number = difference.new if difference.old is None else difference.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({difference.kind})" if difference.kind else ""
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}{times}{kind}"


def _unit(difference: Difference) -> str:
    return f"{_sign(difference)} {difference.label} ({difference.kind})"


def _condition(difference: Difference) -> str:
    if difference.old is not None and difference.new is not None:
        return _changed(difference)
    amount = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {_owner_prefix(difference)}{difference.label}" + (
        f" {amount}" if amount != 1 else ""
    )


def _choice(difference: Difference) -> str:
    """Return a changed choice with the id of its decision, which ``edit`` accepts."""
    name = difference.id
    if name.startswith(EVENT):
        name = f"{difference.label} ({name})"
    if difference.old is not None and difference.new is not None:
        return f"{name}: {difference.new}, was {difference.old}"
    answer = difference.new if difference.old is None else difference.old
    return f"{_sign(difference)} {name}: {answer}"


def _text(difference: Difference) -> str:
    return f"{difference.label}: the text of this rule is another one"


def _rule(difference: Difference) -> str:
    return f"Table rule {difference.id}: {difference.old} {ARROW} {difference.new}"


def _sign(difference: Difference) -> str:
    return "+" if difference.old is None else "\N{MINUS SIGN}"


def _owner_prefix(difference: Difference) -> str:
    return f"{difference.unit}: " if difference.unit else ""


LINES = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
}
