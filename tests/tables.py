"""A character at the table, for the tests of any game: what is run on it with dice by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from charforge.character import play_state
from charforge.character.state import CHARACTER, State
from charforge.procedures import abilities as use, run as procedures
from charforge.procedures.context import StepMessage
from charforge.procedures.run import ProcedureResult
from charforge.replay.event_effects import RecordedDice
from charforge.rules.models import Decide

NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass
class Table:
    """A character at the table: procedures and abilities are run on it with dice that a test gives.

    ``faces`` are the rolls by id, in their order, and all of them must be
    used (a game may write them shorter: ``rolls``); ``chosen`` answers what
    is asked on the way (``grit#2`` when it is asked a second time). What a
    procedure does can be had again from what was kept of it, and names
    rules that there are. ``told`` is what the last run said. Conditions
    are named by id, those of the kind ``usual`` by what follows it.
    """

    usual: ClassVar[str] = "status"
    state: State
    told: list[str] = field(default_factory=list)

    def rolls(self, faces: Any) -> dict[str, list[list[int]]]:
        """Return the faces of each roll, as a test of this game writes them."""
        return {name: [list(one) for one in rolls] for name, rolls in faces.items()}

    def run(
        self,
        procedure: str,
        faces: Any = NOTHING,
        chosen: Mapping[str, int] = NOTHING,
        unit: str = CHARACTER,
        **inputs: Any,
    ) -> ProcedureResult:
        """Run a procedure; what it changes stays changed. An input of None is not given."""
        rules, before = self.state.ruleset, self.state
        found = rules.procedure(procedure)
        dice, choose = RecordedDice(self.rolls(faces)), _Chosen(chosen)
        given = {name: value for name, value in inputs.items() if value is not None}
        done = procedures.run_procedure(before, found, given, dice, unit, choose)
        again = procedures.run_procedure(
            before, found, done.inputs, RecordedDice(dict(done.faces)), unit
        )
        assert (again.state, again.outputs) == (done.state, done.outputs)
        return self._after(done, dice, choose)

    __call__ = run

    def use(
        self,
        named: str,
        faces: Any = NOTHING,
        chosen: Mapping[str, int] = NOTHING,
        unit: str = CHARACTER,
        **inputs: Any,
    ) -> ProcedureResult:
        """Use an ability by its whole name, or by its entity's where that has only one."""
        every = list(use.all_abilities(self.state, unit))
        found = [one for one in every if one.name == named]
        found = found or [one for one in every if one.entity.name == named]
        dice, choose = RecordedDice(self.rolls(faces)), _Chosen(chosen)
        return self._after(
            use.use_ability(self.state, found[0], inputs, dice, choose), dice, choose
        )

    def _after(self, done: ProcedureResult, dice: RecordedDice, choose: _Chosen) -> ProcedureResult:
        assert not any(dice._left.values()), "dice that were never rolled"
        assert not choose.left, "a choice that was never asked for"
        assert {told.source for told in done.steps} <= self.state.ruleset.entities.keys()
        self.state = done.state
        self.told = [told.text for told in done.steps]
        return done

    def __getitem__(self, value: str) -> int:
        """Return a figure of the character now."""
        return self.state.values().total(value)

    def of(self, unit: str, value: str) -> int:
        """Return a figure of another unit now."""
        return self.state.values(unit).total(value)

    def under(self, condition: str, unit: str = CHARACTER) -> int:
        """Return how much of a condition a unit is under, derived ones included."""
        every, wanted = self.state.active_conditions(unit), self._whole(condition)
        return sum(one.amount for one in every if one.entity.id == wanted)

    def about(self, condition: str) -> list[str]:
        """Return whom or what a condition of the character is about."""
        every, wanted = self.state.active_conditions(CHARACTER), self._whole(condition)
        return [one.about for one in every if one.entity.id == wanted]

    def put(self, condition: str, amount: int = 1, unit: str = CHARACTER, about: str = "") -> None:
        """Put a condition on a unit."""
        entity = self.state.ruleset.entity(self._whole(condition))
        self.state = play_state.add_condition(self.state, unit, entity, amount, about)

    def _whole(self, condition: str) -> str:
        return condition if "/" in condition else f"{self.usual}/{condition}"

    def change(self, value: str, by: int, unit: str = CHARACTER) -> None:
        """Change a resource."""
        self.state, _real = play_state.change_resource(self.state, unit, value, by)

    def rule(self, rule: str, option: str) -> None:
        """Rule a question in one of its ways."""
        self.state = self.state.with_changes(rules={**self.state.rules, rule: option})


class _Chosen:
    """Answers what is asked on the way; what is not answered is as suggested."""

    def __init__(self, chosen: Mapping[str, int]) -> None:
        self.left = dict(chosen)
        self._times: Counter[str] = Counter()

    def __call__(
        self, step: Decide, low: int, high: int, suggested: int, _told: Sequence[StepMessage]
    ) -> int:
        """Return the number for a choice, within its bounds."""
        self._times[step.id] += 1
        again = f"#{self._times[step.id]}" if self._times[step.id] > 1 else ""
        number = self.left.pop(step.id + again, suggested)
        assert low <= number <= high
        return number
