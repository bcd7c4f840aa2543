"""Static analysis of procedures: which variables later steps need, which outputs are flags.

Runs that differ only in variables that no later step reads are counted as
one: that keeps exact odds small. The analysis is cautious: a name that a
step might read counts as read, and a variable is only forgotten before a
step that certainly writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from charforge.character.state import State
from charforge.expressions.formula import FaceSets, Formula
from charforge.procedures.steps import dice_inputs, kind_of
from charforge.procedures.steps.base import NO_NAMES, Flags, NameReader, NameSet
from charforge.rules.models import AnyProcedureStep, Procedure
from charforge.rules.models.base import leaves
from charforge.rules.models.procedures import GIVEN_FLAG
from charforge.rules.ruleset import Ruleset


def computing_names(state: State) -> NameSet:
    """Return the names of values and choices from which other values may be computed."""
    ruleset = state.ruleset
    names = ruleset.cached("computing names", lambda: _computing_names(ruleset))
    words = (word for word in state.answers.values() if isinstance(word, str))
    options = _formula_names([chosen.option.modifies for chosen in state.chosen_options])
    return names.union(words, options)


def _computing_names(ruleset: Ruleset) -> NameSet:
    """Return the names in what any unit or entity of a ruleset computes values from."""
    head, entities = ruleset.head, ruleset.entities.values()
    names = {
        name
        for unit in head.units
        for computed_name, computed in unit.values.items()
        for name in _formula_names(computed)
        if name != computed_name  # what a unit shares with its owner is the same
    }
    names |= _formula_names([(unit.tables, unit.modifies) for unit in head.units])
    names |= _formula_names([(e.values, e.tables, e.modifies, e.figures) for e in entities])
    tables = chain.from_iterable(
        [*(unit.tables for unit in head.units), *(entity.tables for entity in entities)]
    )
    names |= {table.by for table in tables}
    names |= _formula_names([entity.active_when for entity in ruleset.derived_conditions])
    names |= {track.value for track in head.tracks}
    return frozenset(names)


def _formula_names(part: Any) -> set[str]:
    """Return the names in all formulas of something, however nested; without their scope."""
    formulas = (leaf for leaf, _key in leaves(part) if isinstance(leaf, Formula))
    return {name.rpartition(".")[2] for formula in formulas for name in formula.names}


class LiveSteps:
    """The steps of a procedure, and the variables that are needed from each one on.

    ``ends`` are the variables that are read after its end; ``outputs`` those
    that are recorded as soon as no later step changes them. Steps that only
    add a message are left out.

    ``single`` has the part of each step that is followed at a time,
    ``calls`` the steps whose procedures are followed step by step.
    ``reads`` and ``single_reads`` have the names that a step, or its part, may
    read. ``live``, ``kept``, ``changing`` and ``needed`` have the names for each
    step and for the end.
    """

    def __init__(
        self, reader: NameReader, procedure: Procedure, ends: NameSet, outputs: NameSet = NO_NAMES
    ) -> None:
        self.procedure = procedure
        self._reader, self._ruleset = reader, reader.ruleset
        self.steps: tuple[AnyProcedureStep, ...] = tuple(
            step for step in procedure.steps if not kind_of(step).only_speaks(step)
        )
        self.kinds = tuple(map(kind_of, self.steps))
        pairs = list(zip(self.kinds, self.steps, strict=True))
        self.single = tuple(kind.single(step) for kind, step in pairs)
        # The procedures that odds enter, to follow their steps one by one.
        self.calls = tuple(kind.entered_call(step) for kind, step in pairs)
        self.outputs = outputs
        self.reads = tuple(_reads(step, reader) for step in self.steps)
        self.single_reads = tuple(_reads(step, reader) for step in self.single)
        self._written = tuple(kind.writes(step, reader.ruleset) for kind, step in pairs)
        self._overwritten = tuple(
            written if kind.always_writes and not _conditional(step) else NO_NAMES
            for (kind, step), written in zip(pairs, self._written, strict=True)
        )
        self.writes = NO_NAMES.union(*self._written)
        self.live = self._backwards(ends)
        self.kept = self._backwards(ends | outputs)
        figures = [ends | outputs]
        for step in reversed(self.steps):
            inside = kind_of(step).reads_inside(step, reader)
            read = {name.rpartition(".")[2] for name in _reads(step, reader) | inside}
            figures.append(figures[-1] | read)
        self.figures = tuple(reversed(figures))

    def divided(self, at: int) -> bool:
        """Return whether a step is followed in parts, one after another."""
        return self.single[at] is not self.steps[at]

    def _backwards(self, ends: NameSet) -> tuple[NameSet, ...]:
        """Return, for each step and the end, the variables read before they are overwritten."""
        names_at = [ends]
        for read, overwritten in zip(self.reads[::-1], self._overwritten[::-1], strict=True):
            names_at.append((names_at[-1] - overwritten) | read)
        return tuple(reversed(names_at))

    @cached_property
    def changing(self) -> tuple[NameSet, ...]:
        """The outputs that may still change."""
        names_at: list[NameSet] = [NO_NAMES]
        for written in reversed(self._written):
            names_at.append(names_at[-1] | (written & self.outputs))
        return tuple(reversed(names_at))

    @cached_property
    def needed(self) -> tuple[NameSet, ...]:
        """The variables that are needed before a step."""
        return tuple(
            live | (kept & changing)
            for live, kept, changing in zip(self.live, self.kept, self.changing, strict=True)
        )

    @cached_property
    def counted(self) -> tuple[FaceSets | None, ...]:
        """The sets of faces that are counted of what each step rolls; None if more of it is read.

        Rolls that agree in these counts are the same for all steps.
        """
        ends = self.live[-1] | self.outputs
        counted_by_roll: dict[str, FaceSets | None] = {"": None}
        for name in {kind.rolled(step) for kind, step in zip(self.kinds, self.steps, strict=True)}:
            if not name or not ends.isdisjoint((name, f"{name}_dice")):
                counted_by_roll[name] = None
                continue
            by_step = [
                kind.counted_faces(step, name, self._reader)
                for kind, step in zip(self.kinds, self.steps, strict=True)
            ]
            known = [sets for sets in by_step if sets is not None]
            whole = len(known) == len(by_step)
            counted_by_roll[name] = frozenset().union(*known) if whole else None
        pairs = zip(self.kinds, self.steps, strict=True)
        return tuple(counted_by_roll[kind.rolled(step)] for kind, step in pairs)

    @cached_property
    def merging(self) -> tuple[bool, ...]:
        """Whether runs are likely to agree again before a step: a roll was read the last time."""
        rolled: NameSet = NO_NAMES.union(
            *(
                written
                for step, written in zip(self.steps, self._written, strict=True)
                if dice_inputs(self._ruleset, [step])
            )
        )
        pairs = zip(self.needed, self.needed[1:], strict=False)
        return (False, *(not rolled.isdisjoint(before - after) for before, after in pairs))

    @cached_property
    def needed_midway(self) -> tuple[NameSet, ...]:
        """The variables that are needed between two parts of a divided step."""
        return tuple(
            self.needed[at + 1] | reads | (self.kept[at + 1] & self.changing[at])
            for at, reads in enumerate(self.single_reads)
        )

    @cached_property
    def needed_around(self) -> tuple[NameSet, ...]:
        """The variables that are needed while the procedure that a step calls is followed."""
        names_at = []
        for at, step in enumerate(self.steps):
            after = (self.live[at + 1] | (self.kept[at + 1] & self.changing[at])) - (
                self._written[at]
            )
            again = self.needed[at] if step.repeat is not None or self.divided(at) else NO_NAMES
            if self.divided(at):  # sums of what it takes each time
                again |= self.needed_midway[at]
            names_at.append(after | again)
        return tuple(names_at)


def _reads(step: AnyProcedureStep, reader: NameReader) -> NameSet:
    """Return the names that a step may read, its ``repeat`` included."""
    read = kind_of(step).reads(step, reader)
    return read if step.repeat is None else read | step.repeat.while_.names


def _conditional(step: AnyProcedureStep) -> bool:
    return bool(step.when or step.units or step.ruled or step.repeat)


def is_flag(ruleset: Ruleset, procedure: Procedure, name: str) -> bool:
    """Return whether a variable of a procedure is always 0 or 1.

    Everything that writes it must be a comparison, a flag itself, or 0 or 1.
    """
    return _ProcedureFlags(ruleset, procedure, ()).variable(name)


@dataclass(frozen=True)
class _ProcedureFlags(Flags):
    """Finds flags; ``seen`` are the variables (procedure, name) that led to this one."""

    ruleset: Ruleset
    procedure: Procedure
    seen: tuple[tuple[str, str], ...]

    def variable(self, name: str) -> bool:
        """Return whether a variable is always 0 or 1."""
        place = (self.procedure.id, name)
        if place in self.seen:
            return True  # computed from itself: the other steps that write it decide
        flags = _ProcedureFlags(self.ruleset, self.procedure, (*self.seen, place))
        symbols = self.ruleset.symbols
        writers = [step for step in self.procedure.steps if name in step.variables(symbols)]
        input_ = self.procedure.input(name)
        if input_ is not None:
            return input_.type == "flag" and not writers
        of_input = any(
            name in entry.option_variables or name == entry.id + GIVEN_FLAG
            for entry in self.procedure.inputs
        )
        return bool(writers or of_input) and all(
            kind_of(step).is_flag(step, name, flags) for step in writers
        )

    def called(self, procedure: str, name: str) -> bool:
        """Return whether a variable of a called procedure is always 0 or 1."""
        called = self.ruleset.procedure(procedure)
        return _ProcedureFlags(self.ruleset, called, self.seen).variable(name)
