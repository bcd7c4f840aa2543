"""References: errors that a single model cannot see, such as names that nothing has.

Every part of a pack (``ruleset.yaml``, an entity, a ruling …) is walked
once. The annotations of the models' fields say what a string names or that
it holds formulas; ``consistency`` has the checks of how parts fit together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from charforge.errors import FormulaError
from charforge.expressions.formula import Formula
from charforge.expressions.template import Figure, parse_figure, parse_figures
from charforge.rules.consistency import CHECKS
from charforge.rules.errors import KeyPath
from charforge.rules.models import Action, Entity, Procedure, ProcedureStep
from charforge.rules.models.base import Annotation, Figures, Names, annotated_fields, defines_id
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import GROUP, PartProblem, SymbolTable, unknown_name

VALUE = "value"  # the annotation of a formula that says which figures it reads
# Keys that are read before the entity's own choices are answered.
BEFORE_CHOICES = {"each_level", "grants", "condition", "active_when"}
STEP_KEYS = ("inputs", "free", "steps", "does", "outputs")


class Linter:
    """Finds the errors in the parts of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.known = SymbolTable(ruleset)
        self.problems: list[PartProblem] = []

    def check(self, part: BaseModel) -> list[PartProblem]:
        """Return the errors of one part."""
        self.known.enter_entity(part if isinstance(part, Entity) else None)
        self.problems = []
        self._model(part, ())
        return self.problems

    def _model(self, model: BaseModel, where: KeyPath) -> None:
        """Check a model, then every field that is set."""
        for check in filter(None, map(CHECKS.get, type(model).__mro__)):
            for problem in check(self.known, model):
                self.problems.append(problem._replace(where=(*where, *problem.where)))
        has_steps = isinstance(model, Procedure | Action)
        for name, key, mark, values in annotated_fields(type(model)):
            value = getattr(model, name)
            if value and not (has_steps and name in STEP_KEYS):
                self._value(value, mark, (*where, key), values)
        if isinstance(model, Procedure | Action):
            self._steps(model, where)

    def _steps(self, model: Procedure | Action, where: KeyPath) -> None:
        """Check inputs and steps: they can read the variables that they set."""
        steps = model.steps if isinstance(model, Procedure) else model.does
        self.known.enter_steps(model.inputs, steps)
        for name in STEP_KEYS:
            value = getattr(model, name, None)
            if value:
                self._value(value, None, (*where, name))
        self.known.leave_steps()

    def _value(
        self, value: Any, mark: Annotation | None, where: KeyPath, values: Annotation | None = None
    ) -> None:
        """Check the value of a field; ``values`` is the annotation of the values of a map."""
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

    def _text(self, text: str, mark: Annotation | None, where: KeyPath) -> None:
        if isinstance(mark, Names):
            self.problems += self._named(mark, text, where)
        elif isinstance(mark, Figures):
            self._figures(text, mark, where)

    def _named(self, mark: Names, name: str, where: KeyPath) -> Iterator[PartProblem]:
        """Check a name; with ``$`` or ``group:`` before it, it names a choice or a group."""
        if name.startswith("$") and self.known.in_steps:
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

    def _choice(self, name: str, where: KeyPath) -> Iterator[PartProblem]:
        what = "choice of this entity"
        yield from unknown_name(what, name, self.known.pools[what], where, f"${name}")

    def _formula(self, formula: Formula, mark: Annotation | None, where: KeyPath) -> None:
        """Check the values that a formula reads and the entities that it mentions."""
        if formula.constant is not None:
            return
        reads = mark if isinstance(mark, Names) and mark.what == VALUE else None
        pool = self.known.pools[reads.pool if reads else self._readable(where)]
        for name in sorted(formula.names):
            if name in self.known.texts and name not in pool:
                message = f"{name} is a text here: {self.known.texts[name]}"
                self.problems.append(PartProblem(where, message, culprit=name))
            else:
                self.problems += unknown_name("value", name, pool, where, name)
        for name in formula.referred:
            self.problems += unknown_name("entity", name, self.known.pools["entity"], where, name)

    def _readable(self, where: KeyPath) -> str:
        """Return the pool of the figures that a formula can read here."""
        if self.known.in_steps:
            return "figure"
        if self.known.entity is not None and BEFORE_CHOICES & {*where}:
            return "unit figure"
        if self.known.entity is not None and where[0] == "figures":
            return "own figure"
        # The character, the first unit type, has no owner whose figures could be read.
        ownerless = self.known.entity is None and (where[0] != "units" or where[1] == 0)
        return "value or level" if ownerless else "figure"

    def _figures(self, text: str, mark: Figures, where: KeyPath) -> None:
        if not mark.whole and "{" not in text and "}" not in text:
            return
        try:
            for found in [parse_figure(text)] if mark.whole else parse_figures(text):
                self._figure(found, where)
        except FormulaError as error:
            self.problems.append(PartProblem(where, f"{error.text!r}: {error.reason}"))

    def _figure(self, found: Figure, where: KeyPath) -> None:
        if found.choice and self.known.in_steps:
            self.problems += self._named(Names("input"), f"${found.choice}", where)
        elif found.choice:
            self.problems += self._choice(found.choice, where)
        else:
            self._formula(found.formula, None, where)

    def _repeated(self, parts: tuple[Any, ...], where: KeyPath) -> None:
        """Find ids that are defined twice in one list; steps may set a variable again."""
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
                self.problems.append(
                    PartProblem((*where, number, "id"), f"{part.id} exists already")
                )
            seen.add(part.id)
