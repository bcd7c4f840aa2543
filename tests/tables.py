"""A character in play: tests run procedures with given dice, or play verb by verb."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from charforge.character import state_changes
from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.state import CHARACTER, State
from charforge.procedures import abilities, run as procedures
from charforge.procedures.context import RunSettings, StepMessage
from charforge.procedures.run import ProcedureResult
from charforge.procedures.use import use_ability
from charforge.replay.decision_walk import RecordedDice
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.rules.models import ChooseStep
from charforge.verbs.change import PlayResult, change_character, draft_carry
from charforge.verbs.history import redo, undo
from charforge.verbs.typed_inputs import TypedInputs
from charforge.verbs.unit_status import unit_status

NOTHING: Mapping[str, Any] = MappingProxyType({})
Faces = Mapping[str, Sequence[Sequence[int]]]
HERE = Path("worked.json")


@dataclass
class Table:
    """A character in play: runs procedures and abilities with the dice of a test.

    ``faces`` are the rolls by id in order, all of which must be used; ``chosen`` are
    the answers to choices (``grit#2`` for the second time one is asked). Each run is
    replayed from its record and must give the same result. ``told`` are the messages
    of the last run. Conditions are named by id; the kind ``status`` may be omitted.
    """

    state: State
    told: list[str] = field(default_factory=list)

    def run(
        self,
        procedure: str,
        faces: Faces = NOTHING,
        chosen: Mapping[str, int] = NOTHING,
        unit: str = CHARACTER,
        **inputs: Any,
    ) -> ProcedureResult:
        """Run a procedure and keep its changes. Inputs that are None are omitted."""
        rules, before = self.state.ruleset, self.state
        found = rules.procedure(procedure)
        dice, choose = RecordedDice(_rolls(faces)), _Chosen(chosen)
        given = {name: value for name, value in inputs.items() if value is not None}
        done = procedures.run_procedure(before, found, given, RunSettings(dice, choose), unit)
        again = procedures.run_procedure(
            before, found, done.inputs, RunSettings(RecordedDice(dict(done.faces))), unit
        )
        assert (again.state, again.outputs) == (done.state, done.outputs)
        return self._after(done, faces, dice, choose)

    __call__ = run

    def use(
        self,
        named: str,
        faces: Faces = NOTHING,
        chosen: Mapping[str, int] = NOTHING,
        unit: str = CHARACTER,
        **inputs: Any,
    ) -> ProcedureResult:
        """Use an ability by its full name, or by its entity's name if that has only one ability."""
        every = list(abilities.all_abilities(self.state, unit))
        found = [one for one in every if one.name == named]
        found = found or [one for one in every if one.entity.name == named]
        dice, choose = RecordedDice(_rolls(faces)), _Chosen(chosen)
        done = use_ability(self.state, found[0], inputs, RunSettings(dice, choose))
        return self._after(done, faces, dice, choose)

    def _after(
        self, done: ProcedureResult, faces: Faces, dice: RecordedDice, choose: _Chosen
    ) -> ProcedureResult:
        assert not any(map(dice.left, faces)), "dice that were never rolled"
        assert not choose.left, "a choice that was never asked for"
        assert {told.source for told in done.steps} <= self.state.ruleset.entities.keys()
        self.state = done.state
        self.told = [told.text for told in done.steps]
        return done

    def __getitem__(self, value: str) -> int:
        """Return a current value of the character."""
        return self.state.values().total(value)

    def under(self, condition: str, unit: str = CHARACTER) -> int:
        """Return the amount of a condition of a unit, derived ones included."""
        every, wanted = self.state.active_conditions(unit), self._whole(condition)
        return sum(one.amount for one in every if one.entity.id == wanted)

    def put(self, condition: str, amount: int = 1, unit: str = CHARACTER, about: str = "") -> None:
        """Add a condition to a unit."""
        entity = self.state.ruleset.entity(self._whole(condition))
        self.state = state_changes.add_condition(self.state, unit, entity, amount, about)

    def _whole(self, condition: str) -> str:
        return condition if "/" in condition else f"status/{condition}"

    def change(self, value: str, by: int, unit: str = CHARACTER) -> None:
        """Change a resource."""
        self.state, _real = state_changes.change_resource(self.state, unit, value, by)

    def rule(self, rule: str, option: str) -> None:
        """Choose an option of a table rule."""
        self.state = self.state.with_changes(rules={**self.state.rules, rule: option})


def _rolls(faces: Faces) -> dict[str, list[list[int]]]:
    return {name: [list(one) for one in rolls] for name, rolls in faces.items()}


class _Chosen:
    """Answers the choices of a run; those without an answer take the suggested number."""

    def __init__(self, chosen: Mapping[str, int]) -> None:
        self.left = dict(chosen)
        self._times: Counter[str] = Counter()

    def __call__(
        self, step: ChooseStep, low: int, high: int, suggested: int, _told: Sequence[StepMessage]
    ) -> int:
        """Return the number for a choice, within its bounds."""
        self._times[step.id] += 1
        again = f"#{self._times[step.id]}" if self._times[step.id] > 1 else ""
        number = self.left.pop(step.id + again, suggested)
        assert low <= number <= high
        return number


class Session:
    """A character played verb by verb.

    Whatever is done can be read back from its file, is one group of the
    log, and is undone byte for byte.
    """

    def __init__(self, opened: LoadedCharacter) -> None:
        self.opened = opened

    def __call__(
        self, verb: Callable[..., PlayResult], *given: Any, dice: Any = (), **more: Any
    ) -> PlayResult:
        before = self.opened
        if dice or "words" in more:
            more["typed"] = TypedInputs(more.pop("words", {}), dict(dice))
        done = verb(before, *given, **more)
        self.opened = done.after
        assert self.opened.document.group == before.document.group + 1
        read = reader.parse_document(to_text(self.opened.document), HERE)
        again = load_document(read, HERE, self.opened.ruleset)
        assert again.problems == before.problems
        assert again.character.state == self.opened.character.state
        back = undo(self.opened).after
        assert apart_from_undone(back) == apart_from_undone(before)
        assert redo(back).after.document == self.opened.document
        return done

    def hold(self, entity: str) -> None:
        """Take an item in hand."""
        held = next(h for h in self.opened.character.state.holdings if h.entity.id == entity)
        self.opened = change_character(self.opened, draft_carry("hold", held.id))

    def now(self, value: str, unit: str = CHARACTER) -> int:
        """Return a figure with all that acts on it now."""
        return self.opened.character.state.values(unit).total(value)

    def lasting(self, value: str) -> int:
        """Return a figure without what acts only now."""
        return self.opened.character.state.values().base(value)

    @property
    def line(self) -> str:
        return unit_status(self.opened.character.state).line


def apart_from_undone(opened: LoadedCharacter) -> str:
    return to_text(opened.document.model_copy(update={"undone": ()}))
