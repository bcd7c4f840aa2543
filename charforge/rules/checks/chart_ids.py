"""Charts whose cells are ids: a step takes a cell, and uses it as a condition or a value."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

from charforge.rules.models import Call, Procedure, ProcedureStep, ReadChart, Steps
from charforge.rules.models.base import Names, annotated_fields
from charforge.rules.ruleset import Ruleset

NAMED_BY_VARIABLE = {
    "entity": "entity",
    "value": "value or shared",
}  # what steps name by a variable, and among
NAMED_INPUTS = ("value", "word")  # types of inputs that a variable gives a name


class CellUse(NamedTuple):
    """How a step uses the cells of a column: ``field`` of ``step`` is the id of a ``what``.

    Of a call ``field`` is the input, which can only be ``among`` these if there are any.
    """

    what: str
    step: ProcedureStep
    field: str
    among: Collection[str] = ()

    @property
    def pool(self) -> str:
        """The pool of the names that exist, in the symbol table."""
        return NAMED_BY_VARIABLE[self.what]


CellUses = dict[tuple[str, str], list[CellUse]]  # by the ids of a chart and of its column


def cell_uses(ruleset: Ruleset) -> CellUses:
    """Return how steps use the columns of charts as ids."""
    uses: CellUses = {}
    for steps in _all_steps(ruleset):
        for use, variable in chain(_named_by_variables(steps), _passed_on(ruleset, steps)):
            for column in _columns(ruleset, steps, variable, frozenset()):
                uses.setdefault(column, []).append(use)
    return uses


def _all_steps(ruleset: Ruleset) -> Iterator[Steps]:
    """Yield the steps of each procedure and of each action."""
    for procedure in ruleset.procedures.values():
        yield procedure.steps
    for entity in ruleset.entities.values():
        for action in entity.actions:
            yield action.does


def _named_by_variables(steps: Steps) -> Iterator[tuple[CellUse, str]]:
    """Yield each field of a step that is a ``$variable`` in place of an id, and the variable."""
    for step in steps:
        for name, _key, annotation, _of_items, _readable in annotated_fields(type(step)):
            value = getattr(step, name)
            if (
                isinstance(annotation, Names)
                and annotation.what in NAMED_BY_VARIABLE
                and isinstance(value, str)
                and value.startswith("$")
            ):
                yield CellUse(annotation.what, step, name), value[1:]


def _passed_on(ruleset: Ruleset, steps: Steps) -> Iterator[tuple[CellUse, str]]:
    """Yield each ``$variable`` that a call passes to an input which is a value or a word."""
    for step in steps:
        called = ruleset.procedures.get(step.called_procedure or "")
        if called is None or not isinstance(step, Call):
            continue
        for name, given in step.with_.items():
            entry = called.input(name)
            if entry is None or entry.type not in NAMED_INPUTS or not str(given).startswith("$"):
                continue
            among = entry.options or ruleset.grouped(entry.group)
            yield CellUse(entry.type, step, name, among), str(given)[1:]


def _columns(
    ruleset: Ruleset, steps: Steps, variable: str, called: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield the charts and columns that steps, or the procedures they call, take a variable from.

    ``called`` are the procedures that led here: one that runs itself ends.
    """
    for step in steps:
        source = step.results.get(variable)
        if source is None:
            continue
        if isinstance(step, ReadChart):
            yield step.chart, source
        elif isinstance(step, Call) and step.procedure not in called:
            procedure: Procedure | None = ruleset.procedures.get(step.procedure)
            if procedure is not None:
                known = called | {step.procedure}
                yield from _columns(ruleset, procedure.steps, source, known)
