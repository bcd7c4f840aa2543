"""References: errors that a single model cannot see, such as unknown names.

Every part of a pack (``ruleset.yaml``, an entity, a ruling …) is walked
once. Annotations of the models' fields tell what a text names, or that it
contains formulas; the modules of ``CHECKS`` check how the parts fit together, by subject.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Any

from pydantic import BaseModel

from charforge.errors import FormulaError, shorten
from charforge.expressions.formula import FULL, Formula
from charforge.expressions.template import Figure, parse_figure, parse_figures
from charforge.language import _
from charforge.limits import MAX_ERRORS
from charforge.rules.checks import procedures, questions, values
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    selected_names,
    type_mistake,
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
    for subject in (procedures, questions, values)
    for model, check in subject.CHECKS.items()
}
STEP_KEYS = ("inputs", "free", "steps", "does", "outputs")


@cache
def _checks_of(model: type[BaseModel]) -> Sequence[Callable[[SymbolTable, Any], PartProblems]]:
    """Return the checks of a model and of those that it extends."""
    return [CHECKS[base] for base in model.__mro__ if base in CHECKS]


class Linter:
    """Finds the errors in the parts of a ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.symbols = SymbolTable(ruleset)
        self.problems: list[PartProblem] = []
        self._of_selected: frozenset[str] = frozenset()  # what the present modifier can also read

    def check(self, part: BaseModel) -> list[PartProblem]:
        """Return the errors of one part; the nearest name to a former id is the present one."""
        self.symbols.enter_entity(part if isinstance(part, Entity) else None)
        self.problems = []
        self._model(part, ())
        index = self.symbols.ruleset.index
        return [
            problem._replace(nearest=index.renamed.get(problem.missing, problem.nearest))
            for problem in self.problems
        ]

    def _model(self, model: BaseModel, key_path: KeyPath) -> None:
        """Check a model, then every field that is set."""
        for check in _checks_of(type(model)):
            for problem in islice(check(self.symbols, model), MAX_ERRORS):
                self.problems.append(problem._replace(key_path=(*key_path, *problem.key_path)))
        with_steps = model if isinstance(model, (Procedure, Action)) else None
        if isinstance(model, Modifier):
            self._of_selected = selected_names(model, self.symbols)
        for name, key, annotation, of_items, _readable in annotated_fields(type(model)):
            value = getattr(model, name)
            if name == "with_" and isinstance(model, Call | Action):
                value = self._without_words(model)
            if value and not (with_steps is not None and name in STEP_KEYS):
                self._value(value, annotation, (*key_path, key), of_items)
        if isinstance(model, Modifier):
            self._of_selected = frozenset()
        if with_steps is not None:
            self._steps(with_steps, key_path)

    def _without_words(self, model: Call | Action) -> dict[str, Any]:
        """Return what a call or an action gives its procedure, without words as they stand."""
        called = self.symbols.ruleset.procedures.get(model.procedure or "")
        words = called.words_given(model.with_) if called is not None else model.with_
        return {name: given for name, given in model.with_.items() if name not in words}

    def _steps(self, model: Procedure | Action, key_path: KeyPath) -> None:
        """Check inputs and steps: they can read the variables that they set."""
        steps = model.steps if isinstance(model, Procedure) else model.does
        self.symbols.enter_steps(model.inputs, steps)
        self.symbols.procedure = model.id if isinstance(model, Procedure) else None
        for name in STEP_KEYS:
            value = getattr(model, name, None)
            if value:
                self._value(value, None, (*key_path, name))
        self.symbols.leave_steps()

    def _value(
        self,
        value: Any,
        annotation: Annotation | None,
        key_path: KeyPath,
        of_items: Annotation | None = None,
    ) -> None:
        """Check the value of a field; ``of_items`` is the annotation of the values of a map."""
        if len(self.problems) >= MAX_ERRORS:
            return
        if isinstance(value, str):
            self._text(value, annotation, key_path)
        elif isinstance(value, Formula):
            self._formula(value, annotation, key_path)
        elif isinstance(value, BaseModel):
            self._model(value, key_path)
        elif isinstance(value, tuple):
            self._repeated(value, key_path)
            for number, part in enumerate(value):
                self._value(part, annotation, (*key_path, number))
        elif isinstance(value, dict):
            for key, part in value.items():
                self._text(key, annotation, (*key_path, key))
                self._value(
                    part, of_items if isinstance(part, str | Formula) else None, (*key_path, key)
                )

    def _text(self, text: str, annotation: Annotation | None, key_path: KeyPath) -> None:
        if isinstance(annotation, Names):
            self.problems += self._named(annotation, text, key_path)
        elif isinstance(annotation, Figures):
            self._figures(text, annotation, key_path)

    def _named(self, annotation: Names, name: str, key_path: KeyPath) -> Iterator[PartProblem]:
        """Check a name; with ``$`` or ``group:`` before it, it names a choice or a group."""
        pools = self.symbols.pools
        if name.startswith("$") and self.symbols.in_steps:
            what = "input of this procedure"
            yield from unknown_name(what, name[1:], pools["input"], key_path, name)
        elif name.startswith("$"):
            yield from self._own_choice(name, key_path)
        elif "$" in name:
            yield from self._own_choice(name, key_path)
            pool = pools[annotation.pool]
            unknown = [value for value in self.symbols.targets(name) if value not in pool]
            for value in unknown[:1]:
                yield from unknown_name(annotation.what, value, pool, key_path, name)
        elif name.startswith(GROUP) and annotation.groups:
            yield from unknown_name("group", name.removeprefix(GROUP), pools["group"], key_path)
        elif annotation.groups and name in pools["group"] and name not in pools[annotation.pool]:
            message = _("{name} is a group; for all its values, write {group}").format(
                name=shorten(name), group=f"{GROUP}{name}"
            )
            yield PartProblem(key_path, message)
        else:
            yield from unknown_name(annotation.what, name, pools[annotation.pool], key_path)

    def _own_choice(self, name: str, key_path: KeyPath) -> Iterator[PartProblem]:
        """Check what is named by the answer to a choice, ``$choice``: only entities have some."""
        what, choice = "choice of this entity", name.partition("$")[2]
        if self.symbols.entity is None:
            message = _(
                "only an entity has choices of its own, so there is no answer to ${choice} here: "
                "write a line for each answer, with its value and when: chose('{choice}', 'ANSWER')"
            )
            yield PartProblem(key_path, message.format(choice=choice), culprit=name)
        else:
            yield from unknown_name(what, choice, self.symbols.pools[what], key_path, name)

    def _formula(self, formula: Formula, annotation: Annotation | None, key_path: KeyPath) -> None:
        """Check the values that a formula reads and the entities that it mentions."""
        if formula.constant is not None:
            return
        pool_name = self._readable(key_path)
        if isinstance(annotation, Names) and annotation.what == VALUE:
            pool_name = annotation.pool
        pool = self.symbols.pools[pool_name]
        if pool_name != "field or bearer":
            pool = {*pool, *self._of_selected}
        for name in sorted(formula.names):
            if name in self.symbols.texts and name not in pool:
                message = _("{name} is text here: {text}").format(
                    name=name, text=self.symbols.texts[name]
                )
                self.problems.append(PartProblem(key_path, message, culprit=name))
            elif name.startswith(FULL) and name not in pool and name[len(FULL) :] in pool:
                self.problems.append(_no_resource(name, pool, key_path))
            else:
                self.problems += unknown_name("value", name, pool, key_path, name)
        mistake = type_mistake(formula, self.symbols.lists) if formula.names <= {*pool} else ""
        if mistake:
            self.problems.append(PartProblem(key_path, mistake, culprit=formula.text))
        for name in formula.referred:
            self.problems += unknown_name(
                "entity", name, self.symbols.pools["thing"], key_path, name
            )
        for choice, answer in formula.chosen:
            self.problems += self._chosen(choice, answer, key_path)
        limited = "entity with a limit"
        for name in formula.limited:
            self.problems += unknown_name(
                limited, name, self.symbols.pools[limited], key_path, name
            )

    def _chosen(self, choice: str, answer: str, key_path: KeyPath) -> Iterator[PartProblem]:
        """Check a choice and its answer: one of the present entity, or a question of creation."""
        symbols = self.symbols
        before = symbols.in_steps or (symbols.entity is not None and BEFORE_CHOICES & {*key_path})
        question = None if before else symbols.choice(choice)
        question = question or symbols.question(choice)
        if question is None:
            own = () if before else symbols.pools["choice of this entity"]
            yield from unknown_name(
                "question", choice, {*own, *symbols.pools["question for chose()"]}, key_path, choice
            )
            return
        options = symbols.options(question)
        words = {*options, *(option.rpartition("/")[2] for option in options)}
        if options:
            yield from unknown_name(
                _("answer of {choice}").format(choice=choice), answer, words, key_path, answer
            )

    def _readable(self, key_path: KeyPath) -> str:
        """Return the name of the pool of figures that a formula can read at a place."""
        if self.symbols.in_steps:
            return "figure"
        if self.symbols.entity is not None and BEFORE_CHOICES & {*key_path}:
            return "unit figure"
        if self.symbols.entity is not None and key_path[0] == "figures":
            return "own figure"
        # The character, the first unit type, has no owner whose figures could be read.
        ownerless = self.symbols.entity is None and (key_path[0] != "units" or key_path[1] == 0)
        return "value or level" if ownerless else "figure"

    def _figures(self, text: str, annotation: Figures, key_path: KeyPath) -> None:
        if not annotation.single and "{" not in text and "}" not in text:
            return
        try:
            figures = [parse_figure(text)] if annotation.single else parse_figures(text)
            for figure in figures:
                self._figure(figure, key_path)
        except FormulaError as error:
            self.problems.append(PartProblem(key_path, f"{shorten(error.text)}: {error.reason}"))

    def _figure(self, figure: Figure, key_path: KeyPath) -> None:
        if figure.choice:
            self.problems += self._named(Names("input"), f"${figure.choice}", key_path)
        else:
            self._formula(figure.formula, None, key_path)

    def _repeated(self, parts: tuple[Any, ...], key_path: KeyPath) -> None:
        """Find ids that are defined twice in one list; steps may set a variable again."""
        first = parts[0] if parts else None
        if (
            not isinstance(first, BaseModel)
            or isinstance(first, ProcedureStep)
            or not defines_id(type(first))
        ):
            return
        seen: dict[str, KeyPath] = {}
        for number, part in enumerate(parts):
            place = (*key_path, number, "id")
            if part.id in seen:
                message = _("{id} already exists").format(id=part.id)
                self.problems.append(PartProblem(place, message, first=seen[part.id]))
            seen.setdefault(part.id, place)


def _no_resource(name: str, pool: Collection[str], key_path: KeyPath) -> PartProblem:
    """Return the error of ``full.`` before a value that does not change in play."""
    value, resources = name.removeprefix(FULL), sorted(n for n in pool if n.startswith(FULL))
    message = _("full. needs a resource ({names}), which {value} is not: write {value}")
    text = message.format(names=", ".join(resources) or "resource: true", value=value)
    return PartProblem(key_path, text, culprit=name)
