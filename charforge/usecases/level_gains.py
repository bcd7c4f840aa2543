"""Gains of a level, listed before its questions: rolls, Slots, new entities, values.

Apart from ``level_up``, so that commands which only read a plan do not load the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from charforge.character.state import State, Unit
from charforge.decisions.index import UNIT_LEVEL
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.change import TrialChange, try_change
from charforge.usecases.compare import changed_values
from charforge.usecases.level_up import draft_advances


def level_gains(before: LoadedCharacter, to: int, unit: Unit | None) -> Mapping[str, str]:
    """Return what each level up to ``to`` brings, by the section of its decisions.

    Of a ``unit``, if it is not None, instead of the character.
    """
    state = before.character.state
    first = state.level if unit is None else state.level_of(unit)
    gains: dict[str, str] = {}
    for level in range(first + 1, to + 1):
        trial = try_change(before, draft_advances(before, level, unit), groups=True)
        section = f"level.{level}" if unit is None else f"{unit.id}{UNIT_LEVEL}{level}"
        lines = [f"- {line}" for line in _gains(state, trial, section)]
        label = before.ruleset.head.advancement.text(level)
        gains[section] = (
            "\n".join([_("{level} brings:").format(level=label), *lines]) if lines else ""
        )
        state = trial.character.state
    return gains


def _gains(before: State, trial: TrialChange, section: str) -> Iterator[str]:
    """Yield what one level brings, in words."""
    after = trial.character.state
    for decision in trial.character.open:
        if decision.section == section:
            yield decision.gain_text()
    yield from changed_values(before, after)
    for holding in after.holdings:
        if before.holding(holding.id) is None:
            kind = after.ruleset.kinds[holding.entity.kind].label
            yield _("New {kind}: {name}").format(kind=kind, name=holding.name)
