"""What strict models cannot see: names that must exist, formulas, texts, repeated ids.

A part of a pack (``ruleset.yaml``, an entity, a ruling) is walked once.
What its strings name is said by the marks of the models' fields, what
else must agree by the checks in ``consistency/``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from charforge.errors import FormulaError
from charforge.expressions.formula import Formula
from charforge.expressions.template import Figure, parse_figure, parse_figures
from charforge.rules.consistency import CHECKS
from charforge.rules.models import Action, Entity, Procedure, ProcedureStep
from charforge.rules.models.base import Annotation, Figures, Names, defines_id, model_fields
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import GROUP, PartProblem, SymbolTable, Way, unknown_name

VALUE = "value"  # what a mark names that says which figures a formula reads
# What is read before an entity's own choices are answered, or of no holding at all.
NOT_YET = {"each_level", "grants", "condition", "active_when"}
STEPPED = ("inputs", "free", "steps", "does", "outputs")


class Linter:
    """Finds the faults of the parts of one pack."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.known = SymbolTable(ruleset)
        self.found: list[PartProblem] = []

    def check(self, part: BaseModel) -> list[PartProblem]:
        """Return the faults of one part."""
        self.known.enter(part if isinstance(part, Entity) else None)
        self.found = []
        self._model(part, ())
        return self.found

    def _model(self, model: BaseModel, where: Way) -> None:
        """Check a model, and go on to what is set in it."""
        for check in filter(None, map(CHECKS.get, type(model).__mro__)):
            for fault in check(self.known, model):
                self.found.append(fault._replace(where=(*where, *fault.where)))
        stepped = isinstance(model, Procedure | Action)
        for name, key, mark, values in model_fields(type(model)):
            value = getattr(model, name)
            if value and not (stepped and name in STEPPED):
                self._value(value, mark, (*where, key), values)
        if isinstance(model, Procedure | Action):
            self._taken(model, where)

    def _taken(self, model: Procedure | Action, where: Way) -> None:
        """Check inputs and steps, which may read the variables that they make."""
        steps = model.steps if isinstance(model, Procedure) else model.does
        self.known.take(model.inputs, steps)
        for name in STEPPED:
            value = getattr(model, name, None)
            if value:
                self._value(value, None, (*where, name))
        self.known.leave()

    def _value(
        self, value: Any, mark: Annotation | None, where: Way, values: Annotation | None = None
    ) -> None:
        """Check what a field holds, however it is nested; ``values`` marks those of a map."""
        if isinstance(value, str):
            self._text(value, mark, where)
        elif isinstance(value, Formula):
            self._formula(value, mark, where)
        elif isinstance(value, BaseModel):
            self._model(value, where)
        elif isinstance(value, tuple):
            self._repeated(value, where)
            for number, part in enumerate(value):
                self._value(part, mark, (*where, number))
        elif isinstance(value, dict):
            for key, part in value.items():
                self._text(key, mark, (*where, key))
                self._value(part, values if isinstance(part, str) else None, (*where, key))

    def _text(self, text: str, mark: Annotation | None, where: Way) -> None:
        if isinstance(mark, Names):
            self.found += self._named(mark, text, where)
        elif isinstance(mark, Figures):
            self._figures(text, mark, where)

    def _named(self, mark: Names, name: str, where: Way) -> Iterator[PartProblem]:
        """Check a name; one with a sign before it names a choice or a group instead."""
        if name.startswith("$") and self.known.steps:
            what = "input of this procedure"
            yield from unknown_name(what, name[1:], self.known.pools["input"], where, name)
        elif name.startswith("$"):
            yield from self._choice(name[1:], where)
        elif name.startswith(GROUP):
            yield from unknown_name(
                "group", name.removeprefix(GROUP), self.known.pools["group"], where
            )
        else:
            yield from unknown_name(mark.what, name, self.known.pools[mark.pool], where)

    def _choice(self, name: str, where: Way) -> Iterator[PartProblem]:
        what = "choice of this entity"
        yield from unknown_name(what, name, self.known.pools[what], where, f"${name}")

    def _formula(self, formula: Formula, mark: Annotation | None, where: Way) -> None:
        """Check the names a formula reads and the ids it asks after."""
        if formula.constant is not None:
            return
        reads = mark if isinstance(mark, Names) and mark.what == VALUE else None
        pool = self.known.pools[reads.pool if reads else self._readable(where)]
        for name in sorted(formula.names):
            if name in self.known.worded and name not in pool:
                told = f"{name} is a text here: {self.known.worded[name]}"
                self.found.append(PartProblem(where, told, culprit=name))
            else:
                self.found += unknown_name("value", name, pool, where, name)
        for name in formula.referred:
            self.found += unknown_name("entity", name, self.known.pools["entity"], where, name)

    def _readable(self, where: Way) -> str:
        """Return which figures can be read here: the character has no owner."""
        if self.known.steps:
            return "figure"
        if self.known.entity is not None and NOT_YET & {*where}:
            return "unit figure"
        if self.known.entity is not None and where[0] == "figures":
            return "own figure"
        own = self.known.entity is None and (where[0] != "units" or where[1] == 0)
        return "value or level" if own else "figure"

    def _figures(self, text: str, mark: Figures, where: Way) -> None:
        if not mark.whole and "{" not in text and "}" not in text:
            return
        try:
            for found in [parse_figure(text)] if mark.whole else parse_figures(text):
                self._figure(found, where)
        except FormulaError as error:
            self.found.append(PartProblem(where, f"{error.text!r}: {error.reason}"))

    def _figure(self, found: Figure, where: Way) -> None:
        if found.choice and self.known.steps:
            self.found += self._named(Names("input"), f"${found.choice}", where)
        elif found.choice:
            self.found += self._choice(found.choice, where)
        else:
            self._formula(found.formula, None, where)

    def _repeated(self, parts: tuple[Any, ...], where: Way) -> None:
        """Find ids that are defined twice in one list; a step may set a variable anew."""
        first = parts[0] if parts else None
        if (
            not isinstance(first, BaseModel)
            or isinstance(first, ProcedureStep)
            or not defines_id(type(first))
        ):
            return
        seen: set[str] = set()
        for number, part in enumerate(parts):
            if part.id in seen:
                self.found.append(PartProblem((*where, number, "id"), f"{part.id} exists already"))
            seen.add(part.id)
