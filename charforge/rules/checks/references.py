"""References: errors that a single model cannot see, such as unknown names.

Every part of a pack (``ruleset.yaml``, an entity, a ruling …) is walked
once. Annotations of the models' fields tell what a text names, or that it
contains formulas; the modules of ``CHECKS`` check how the parts fit together, by subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pydantic import BaseModel

from charforge.errors import FormulaError, shorten
from charforge.expressions.formula import Formula
from charforge.expressions.formula_types import type_mistake
from charforge.expressions.template import Figure, parse_figure, parse_figures
from charforge.language import _
from charforge.limits import MAX_ERRORS
from charforge.rules.checks import entities, procedures, questions, values
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    SymbolTable,
    selected_names,
    unknown_name,
)
from charforge.rules.errors import KeyPath
from charforge.rules.models import Action, Call, Entity, Modifier, Procedure, ProcedureStep
from charforge.rules.models.base import (
    GROUP,
    Annotation,
    Figures,
    Names,
    annotated_fields,
    defines_id,
)
from charforge.rules.ruleset import Ruleset

VALUE = "value"  # ``what`` of the annotation with the pool of figures that a formula reads
# Keys that are read before the entity's own choices are answered.
BEFORE_CHOICES = {"each_level", "grants", "condition", "active_when"}
CHECKS: Checks = {
    model: check
    for subject in (entities, procedures, questions, values)
    for model, check in subject.CHECKS.items()
}
STEP_KEYS = ("inputs", "free", "steps", "does", "outputs")


class Linter:
    """Finds the errors in the parts of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.known = SymbolTable(ruleset)
        self.problems: list[PartProblem] = []
        self._of_selected: frozenset[str] = frozenset()  # what the present modifier can also read

    def check(self, part: BaseModel) -> list[PartProblem]:
        """Return the errors of one part."""
        self.known.enter_entity(part if isinstance(part, Entity) else None)
        self.problems = []
        self._model(part, ())
        return self.problems

    def _model(self, model: BaseModel, where: KeyPath) -> None:
        """Check a model, then every field that is set."""
        for check in filter(None, map(CHECKS.get, type(model).__mro__)):
            for problem in islice(check(self.known, model), MAX_ERRORS):
                self.problems.append(problem._replace(where=(*where, *problem.where)))
        has_steps = isinstance(model, Procedure | Action)
        if isinstance(model, Modifier):
            self._of_selected = selected_names(model, self.known)
        for name, key, annotation, of_items, _readable in annotated_fields(type(model)):
            value = getattr(model, name)
            if isinstance(model, Call | Action) and name == "with_":
                value = self._without_words(model)
            if value and not (has_steps and name in STEP_KEYS):
                self._value(value, annotation, (*where, key), of_items)
        if isinstance(model, Modifier):
            self._of_selected = frozenset()
        if isinstance(model, Procedure | Action):
            self._steps(model, where)

    def _without_words(self, model: Call | Action) -> dict[str, Any]:
        """Return what a call or an action gives its procedure, without words as they stand."""
        called = self.known.ruleset.procedures.get(model.procedure or "")
        words = called.words_given(model.with_) if called is not None else model.with_
        return {name: given for name, given in model.with_.items() if name not in words}

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
        self,
        value: Any,
        annotation: Annotation | None,
        where: KeyPath,
        of_items: Annotation | None = None,
    ) -> None:
        """Check the value of a field; ``of_items`` is the annotation of the values of a map."""
        if len(self.problems) >= MAX_ERRORS:
            return
        if isinstance(value, str):
            self._text(value, annotation, where)
        elif isinstance(value, Formula):
            self._formula(value, annotation, where)
        elif isinstance(value, BaseModel):
            self._model(value, where)
        elif isinstance(value, tuple):
            self._repeated(value, where)
            for number, part in enumerate(value):
                self._value(part, annotation, (*where, number))
        elif isinstance(value, dict):
            for key, part in value.items():
                self._text(key, annotation, (*where, key))
                self._value(
                    part, of_items if isinstance(part, str | Formula) else None, (*where, key)
                )

    def _text(self, text: str, annotation: Annotation | None, where: KeyPath) -> None:
        if isinstance(annotation, Names):
            self.problems += self._named(annotation, text, where)
        elif isinstance(annotation, Figures):
            self._figures(text, annotation, where)

    def _named(self, annotation: Names, name: str, where: KeyPath) -> Iterator[PartProblem]:
        """Check a name; with ``$`` or ``group:`` before it, it names a choice or a group."""
        pools = self.known.pools
        if name.startswith("$") and self.known.in_steps:
            what = "input of this procedure"
            yield from unknown_name(what, name[1:], pools["input"], where, name)
        elif name.startswith("$"):
            what = "choice of this entity"
            yield from unknown_name(what, name[1:], pools[what], where, name)
        elif "$" in name:
            what = "choice of this entity"
            yield from unknown_name(what, name.partition("$")[2], pools[what], where, name)
            pool = pools[annotation.pool]
            unknown = [value for value in self.known.targets(name) if value not in pool]
            for value in unknown[:1]:
                yield from unknown_name(annotation.what, value, pool, where, name)
        elif name.startswith(GROUP) and annotation.groups:
            yield from unknown_name("group", name.removeprefix(GROUP), pools["group"], where)
        elif annotation.groups and name in pools["group"] and name not in pools[annotation.pool]:
            message = _("{name} is a group; for all its values, write {group}").format(
                name=shorten(name), group=f"{GROUP}{name}"
            )
            yield PartProblem(where, message)
        else:
            yield from unknown_name(annotation.what, name, pools[annotation.pool], where)

    def _formula(self, formula: Formula, annotation: Annotation | None, where: KeyPath) -> None:
        """Check the values that a formula reads and the entities that it mentions."""
        if formula.constant is not None:
            return
        pool_name = self._readable(where)
        if isinstance(annotation, Names) and annotation.what == VALUE:
            pool_name = annotation.pool
        pool = self.known.pools[pool_name]
        if pool_name != "field or bearer":
            pool = {*pool, *self._of_selected}
        for name in sorted(formula.names):
            if name in self.known.texts and name not in pool:
                message = _("{name} is text here: {text}").format(
                    name=name, text=self.known.texts[name]
                )
                self.problems.append(PartProblem(where, message, culprit=name))
            else:
                self.problems += unknown_name("value", name, pool, where, name)
        mistake = type_mistake(formula, self.known.lists) if formula.names <= {*pool} else ""
        if mistake:
            self.problems.append(PartProblem(where, mistake, culprit=formula.text))
        for name in formula.referred:
            self.problems += unknown_name("entity", name, self.known.pools["thing"], where, name)
        for choice, answer in formula.chosen:
            self.problems += self._chosen(choice, answer, where)
        limited = "entity with a limit"
        for name in formula.limited:
            self.problems += unknown_name(limited, name, self.known.pools[limited], where, name)

    def _chosen(self, choice: str, answer: str, where: KeyPath) -> Iterator[PartProblem]:
        """Check a choice and its answer: one of the present entity, or a question of creation."""
        known = self.known
        before = known.in_steps or (known.entity is not None and BEFORE_CHOICES & {*where})
        question = None if before else known.choice(choice)
        question = question or known.question(choice)
        if question is None:
            own = () if before else known.pools["choice of this entity"]
            yield from unknown_name(
                "question", choice, {*own, *known.pools["question"]}, where, choice
            )
            return
        options = known.options(question)
        words = {*options, *(option.rpartition("/")[2] for option in options)}
        if options:
            yield from unknown_name(
                _("answer of {choice}").format(choice=choice), answer, words, where, answer
            )

    def _readable(self, where: KeyPath) -> str:
        """Return the name of the pool of figures that a formula can read at a place."""
        if self.known.in_steps:
            return "figure"
        if self.known.entity is not None and BEFORE_CHOICES & {*where}:
            return "unit figure"
        if self.known.entity is not None and where[0] == "figures":
            return "own figure"
        # The character, the first unit type, has no owner whose figures could be read.
        ownerless = self.known.entity is None and (where[0] != "units" or where[1] == 0)
        return "value or level" if ownerless else "figure"

    def _figures(self, text: str, annotation: Figures, where: KeyPath) -> None:
        if not annotation.single and "{" not in text and "}" not in text:
            return
        try:
            figures = [parse_figure(text)] if annotation.single else parse_figures(text)
            for figure in figures:
                self._figure(figure, where)
        except FormulaError as error:
            self.problems.append(PartProblem(where, f"{shorten(error.text)}: {error.reason}"))

    def _figure(self, figure: Figure, where: KeyPath) -> None:
        if figure.choice:
            self.problems += self._named(Names("input"), f"${figure.choice}", where)
        else:
            self._formula(figure.formula, None, where)

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
                    PartProblem((*where, number, "id"), _("{id} already exists").format(id=part.id))
                )
            seen.add(part.id)
