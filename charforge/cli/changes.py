"""Changes, differences and problems of a character as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from charforge.character.state import State, Unit
from charforge.cli import console
from charforge.expressions.template import true_minus
from charforge.replay.loaded import LoadedCharacter
from charforge.replay.replay import Problem
from charforge.usecases.compare import Difference

EVENT = "event."
ARROW = "\N{RIGHTWARDS ARROW}"


def say_level(before: LoadedCharacter, after: LoadedCharacter, file: Path) -> None:
    """Say what a level brought: values that changed, and what was gained."""
    old, new = before.character.state, after.character.state
    for was, unit in _stayed(old, new):
        if (unit.owner is None and old.level < new.level) or unit.advances > was.advances:
            levels = f"level {old.level_of(was)} → {new.level_of(unit)}"
            console.result(f"{file}: {unit.title or after.document.name}, {levels}")
    say_values(old, new)
    for holding in new.holdings:
        if old.holding(holding.id) is None:
            name = new.unit(holding.unit).name
            prefix = f"{name}: " if name else ""
            console.result(f"  {prefix}+ {holding.name}")
    say_replaced(old, new)


def say_values(old: State, new: State) -> None:
    """Say which values changed of the units that were there before: ``Max HP 37 → 42``."""
    for _former, unit in _stayed(old, new):
        was, now = old.values(unit.id), new.values(unit.id)
        prefix = f"{unit.name}: " if unit.name else ""
        for name in now.ids():
            if was.total(name) != now.total(name):
                label = new.ruleset.values[name].label
                changed = true_minus(f"{was.total(name)} → {now.total(name)}")
                console.result(f"  {prefix}{label} {changed}")


def say_replaced(old: State, new: State) -> None:
    """Say what is held no more."""
    for holding in old.holdings:
        if new.holding(holding.id) is None:
            console.result(f"  \N{MINUS SIGN} {holding.name} (replaced)")


def _stayed(old: State, new: State) -> Iterator[tuple[Unit, Unit]]:
    """Yield each unit that is there before and after, as it was and as it is."""
    former = {unit.id: unit for unit in old.units}
    yield from ((former[unit.id], unit) for unit in new.units if unit.id in former)


def problem_line(problem: Problem) -> str:
    """Return a problem as a line: its code, its place, what is wrong."""
    where = f"{problem.decision}: " if problem.decision else ""
    return f"{problem.code:<8} {where}{problem.message}"


def difference_lines(found: Iterable[Difference]) -> list[str]:
    """Return differences in words, a line each."""
    return [SAID.get(one.topic, _changed)(one) for one in found]


def _changed(found: Difference) -> str:
    """Say old and new: ``Max HP 37 → 42``."""
    old, new = (
        "none" if one is None else true_minus(str(one)) if isinstance(one, int) else one
        for one in (found.old, found.new)
    )
    return f"{_of(found)}{found.label} {old} {ARROW} {new}"


def _holding(found: Difference) -> str:
    """Say what was gained or lost, and what there is more or less of."""
    if isinstance(found.old, int) and isinstance(found.new, int):
        return f"{_of(found)}{found.label} × {found.old} {ARROW} × {found.new}"
    number = found.new if found.old is None else found.old
    times = f" × {number}" if number != 1 else ""
    kind = f" ({found.kind})" if found.kind else ""
    return f"{_sign(found)} {_of(found)}{found.label}{times}{kind}"


def _unit(found: Difference) -> str:
    return f"{_sign(found)} {found.label} ({found.kind})"


def _condition(found: Difference) -> str:
    if found.old is not None and found.new is not None:
        return _changed(found)
    amount = found.new if found.old is None else found.old
    return f"{_sign(found)} {_of(found)}{found.label}" + (f" {amount}" if amount != 1 else "")


def _choice(found: Difference) -> str:
    """Say a choice under its decision's id, which ``edit`` takes; what an event asked with it."""
    asked = f"{found.label} ({found.id})" if found.id.startswith(EVENT) else found.id
    if found.old is not None and found.new is not None:
        return f"{asked}: {found.new}, was {found.old}"
    return f"{_sign(found)} {asked}: {found.new if found.old is None else found.old}"


def _text(found: Difference) -> str:
    return f"{found.label}: the text of this rule is another one"


def _rule(found: Difference) -> str:
    return f"Table rule {found.id}: {found.old} {ARROW} {found.new}"


def _sign(found: Difference) -> str:
    return "+" if found.old is None else "\N{MINUS SIGN}"


def _of(found: Difference) -> str:
    return f"{found.unit}: " if found.unit else ""


SAID = {
    "holding": _holding,
    "unit": _unit,
    "condition": _condition,
    "choice": _choice,
    "text": _text,
    "rule": _rule,
}
