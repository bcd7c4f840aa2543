"""What a change brought, said in lines: levels, values, and what is held now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from charforge.cli import console

if TYPE_CHECKING:
    from charforge.character.state import State, Unit
    from charforge.replay.loaded import LoadedCharacter


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
    from charforge.expressions.template import true_minus

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
