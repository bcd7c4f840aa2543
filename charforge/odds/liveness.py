"""What the steps of a procedure still need, so that what is past can be forgotten.

Ways that differ only in what no later step reads are the same way from
there on: that is what keeps exact odds small. Everything here is on the
safe side: what a step might read counts as read, and a variable is only
overwritten by a step that is always taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from charforge.character.state import State
from charforge.errors import FormulaError
from charforge.expressions.formula import Formula
from charforge.expressions.template import parse_figure, parse_figures as figures
from charforge.rules.models import (
    AnyProcedureStep,
    Call,
    ChangeStep,
    Decide,
    Let,
    LookUp,
    Modifier,
    Procedure,
    ProcedureStep,
    Put,
    ReadChart,
    Recover,
    Require,
    Reroll,
    RollDice,
    RollPool,
    Tell,
)
from charforge.rules.ruleset import Ruleset

Names = frozenset[str]
NONE: Names = frozenset()
SIDES = " sides"  # after the name of a roll: the faces of its dice, for rolling some again
# Fields that no step reads a variable by.
TOLD = {"do", "id", "label", "say", "source", "quiet", "ruled", "units", "stop", "repeat", "take"}
# The steps whose ``id`` is all that they make; of any other it may be read as well.
MAKERS = (Let, RollDice, RollPool, LookUp, Decide, ChangeStep, Recover)


def words(texts: Iterable[object]) -> Names:
    """Return the names that texts given to inputs may mean: a value's, those of an amount."""
    return NONE.union(*(_word(text) for text in texts if isinstance(text, str)))


def _word(text: str) -> Names:
    try:
        return parse_figure(text).formula.names | {text}
    except FormulaError:
        return frozenset({text})


def dependable(state: State) -> Names:
    """Return the names that any value of this game may be computed from."""
    head, entities = state.ruleset.head, state.ruleset.entities.values()
    found = {
        name
        for unit in head.units
        for made, computed in unit.values.items()
        for name in _formulas(computed)
        if name != made  # what a unit shares with its owner is the same
    }
    found |= set(_formulas([(unit.tables, unit.modifies) for unit in head.units]))
    for one in entities:
        found |= set(_formulas([one.values, one.tables, one.modifies, one.figures]))
    found |= {word for word in state.answers.values() if isinstance(word, str)}
    found |= set(_formulas([one.option.modifies for one in state.chosen]))
    found |= set(_formulas([entity.active_when for entity in state.ruleset.derived_conditions]))
    found |= {track.value for track in head.tracks}
    return frozenset(found)


def _formulas(value: Any) -> Iterator[str]:
    """Yield the names in all formulas of something, however nested; without their scope."""
    if isinstance(value, Formula):
        yield from (name.rpartition(".")[2] for name in value.names)
    elif isinstance(value, Modifier):
        yield from _formulas((value.amount, value.when))
    elif isinstance(value, BaseModel):
        yield from _formulas([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, dict):
        yield from _formulas(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _formulas(part)


def rerolls(step: ProcedureStep) -> bool:
    """Whether a step rolls again by itself, as often as stands when it is come to."""
    return isinstance(step, Reroll) and step.repeat is None


@dataclass(frozen=True)
class Reader:
    """Says what steps read and make; ``said`` are the names that inputs' texts refer to."""

    ruleset: Ruleset
    said: Names

    def reads(self, step: AnyProcedureStep) -> Names:
        """Return every name that a step may read."""
        fields = set(type(step).model_fields) - TOLD
        found = set().union(*(self._names(getattr(step, name)) for name in fields))
        if step.repeat is not None:
            found |= step.repeat.while_.names
        if isinstance(step, Require):
            found |= {name for one in figures(step.say) for name in one.formula.names}
            found |= {one.choice for one in figures(step.say) if one.choice}
        if isinstance(step, Reroll):
            found |= {step.id, f"{step.id}_dice", f"{step.id}{SIDES}"}
        elif not isinstance(step, MAKERS):
            found.add(getattr(step, "id", None) or "")
        if isinstance(step, Put):
            found |= self._most(step.condition)
        if isinstance(step, ReadChart):
            found |= self._cells(step.chart)
        return frozenset(found)

    def reads_once(self, step: AnyProcedureStep) -> Names:
        """Return what taking a step once reads: a reroll once it stands how many there are."""
        if not rerolls(step):
            return self.reads(step)
        once = {"times": Formula(1), "when": None}
        return self.reads(step.model_copy(update=once))

    def makes(self, step: AnyProcedureStep) -> tuple[Names, Names]:
        """Return what a step makes: always, and perhaps."""
        name = getattr(step, "id", None)
        found = {name, *getattr(step, "take", ())} - {None}
        if isinstance(step, RollDice) or not isinstance(step, (*MAKERS, Call)):
            found.add(f"{name}_dice")
        if isinstance(step, Recover):
            found |= {"roll", "number"}
        if isinstance(step, RollPool):
            found = {f"{name}_{symbol}" for symbol in self.ruleset.symbols}
        always = not (step.when or step.units or step.ruled or step.repeat)
        certain = isinstance(step, Let | RollDice | RollPool | LookUp | Decide | Call)
        made = frozenset(found)
        return (made if always and certain else NONE), made

    def figures(self, step: AnyProcedureStep) -> Names:
        """Return the figures that a step may read, those of a procedure that it calls too."""
        found = set(self.reads(step))
        if isinstance(step, Call):
            called = self.ruleset.procedure(step.procedure)
            found |= {name for one in called.inputs if one.default for name in one.default.names}
            found |= {name for inner in called.steps for name in self.figures(inner)}
        return frozenset(name.rpartition(".")[2] for name in found)

    def _names(self, value: Any) -> Names:
        if isinstance(value, Formula):
            return frozenset(value.names)
        if isinstance(value, str):
            if value.startswith("$"):
                return frozenset({value[1:], f"{value[1:]}_given"}) | self.said
            return frozenset({value}) | (self.said if value else NONE)
        if isinstance(value, BaseModel):
            return self._names({name: getattr(value, name) for name in type(value).model_fields})
        if isinstance(value, dict):
            return NONE.union(*map(self._names, value.values()))
        if isinstance(value, tuple):
            return NONE.union(*map(self._names, value))
        return NONE

    def _most(self, condition: str) -> Names:
        """Return what the bound of a condition reads: of any, where an input says which."""
        entity = self.ruleset.entities.get(condition)
        meant = (entity,) if entity is not None else self.ruleset.conditions
        bounds = (one.condition.most for one in meant if one.condition is not None)
        return NONE.union(*(most.names for most in bounds if most is not None))

    def _cells(self, chart: str) -> Names:
        """Return what the texts of a chart read."""
        rows = self.ruleset.charts[chart].rows
        texts = [text for row in rows for text in (row.heading, *row.cells)]
        every = (one for text in texts if isinstance(text, str) for one in figures(text))
        return NONE.union(*(one.formula.names | {one.choice} for one in every))


class Plan:
    """The steps of a procedure with what is needed from each on.

    ``ends`` are the variables that are wanted once it has ended; ``outputs``
    those that are taken down for themselves as soon as they stand. Steps
    that only say something are left out.
    """

    def __init__(
        self, reader: Reader, procedure: Procedure, ends: Names, outputs: Names = NONE
    ) -> None:
        self.procedure = procedure
        self.steps = tuple(s for s in procedure.steps if not isinstance(s, Tell) or s.stop)
        self.outputs = outputs
        self.reads = tuple(map(reader.reads_once, self.steps))
        self._needs = tuple(map(reader.reads, self.steps))
        self._made = tuple(map(reader.makes, self.steps))
        self.makes = NONE.union(*(perhaps for _always, perhaps in self._made))
        self.live = self._backwards(ends)
        self.kept = self._backwards(ends | outputs)
        needed = [ends | outputs]
        for step in reversed(self.steps):
            needed.append(needed[-1] | reader.figures(step))
        self.figures = tuple(reversed(needed))

    def _backwards(self, ends: Names) -> tuple[Names, ...]:
        """Return what is read before it is made anew, from each step on and after the last."""
        found = [ends]
        for reads, (always, _perhaps) in zip(self._needs[::-1], self._made[::-1], strict=True):
            found.append((found[-1] - always) | reads)
        return tuple(reversed(found))

    @cached_property
    def changing(self) -> tuple[Names, ...]:
        """Return the outputs that may still change, from each step on and after the last."""
        found: list[Names] = [NONE]
        for _always, perhaps in reversed(self._made):
            found.append(found[-1] | (perhaps & self.outputs))
        return tuple(reversed(found))

    @cached_property
    def waiting(self) -> tuple[Names, ...]:
        """Return what is needed of the variables at each step, before it is taken."""
        return tuple(
            live | (kept & changing)
            for live, kept, changing in zip(self.live, self.kept, self.changing, strict=True)
        )

    @cached_property
    def midway(self) -> tuple[Names, ...]:
        """Return what is needed of them between two rerolls of one step."""
        pairs = zip(self.waiting[1:], self.reads, strict=True)
        return tuple(after | reads for after, reads in pairs)

    @cached_property
    def within(self) -> tuple[Names, ...]:
        """Return what is needed of them while the procedure that a step calls is on its way."""
        found = []
        for at, step in enumerate(self.steps):
            taken = frozenset(getattr(step, "take", ()))
            after = (self.live[at + 1] | (self.kept[at + 1] & self.changing[at])) - taken
            found.append(after if step.repeat is None else after | self.waiting[at])
        return tuple(found)
