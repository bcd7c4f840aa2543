"""The base of step kinds: how a step runs, which variables it uses, how odds follow it.

Each kind of step is one class in this package, registered in ``STEP_KINDS``
by the model that packs write (``charforge.rules.models.procedures``).
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from charforge.character.state import State
from charforge.character.state_data import names_of
from charforge.errors import FormulaError, ProcedureError
from charforge.expressions.formula import FaceSets, Formula, counted_faces
from charforge.expressions.template import parse_figure, parse_figures
from charforge.language import _
from charforge.procedures.context import ProcedureContext, Variable
from charforge.procedures.inputs import KnownInputs, NeededInput
from charforge.rules.models import (
    AnyProcedureStep,
    Call,
    ChooseStep,
    Input,
    Procedure,
    ProcedureStep,
    Repeat,
    Steps,
)
from charforge.rules.models.base import leaves
from charforge.rules.models.procedures import GIVEN_FLAG
from charforge.rules.ruleset import Ruleset

NameSet = frozenset[str]
StepModel = TypeVar("StepModel", bound=ProcedureStep)
NO_NAMES: NameSet = frozenset()
SIDES = " sides"  # after the name of a roll: the faces of its dice, for rerolls
# The fields by which no step reads a variable, unless one has a formula there.
NOT_READ = {
    "do", "id", "label", "say", "source", "quiet", "ruled", "units", "stop", "repeat", "take", "of",
    "lenient", "beyond",
}  # fmt: skip


class DiceInput(NamedTuple):
    """A roll whose faces can be typed: its name, its label, and a reader of faces.

    The reader raises ValueError with what is wrong.
    """

    name: str
    label: str
    read: Callable[[str], tuple[int, ...]]


class ProcedureStopped(Exception):
    """A step has ended its procedure."""


def text_names(texts: Iterable[object]) -> NameSet:
    """Return the names in the texts of inputs: a value's id, the names of an amount."""
    return NO_NAMES.union(*(_text_names(text) for text in texts if isinstance(text, str)))


def _text_names(text: str) -> NameSet:
    try:
        return parse_figure(text).formula.names | {text}
    except FormulaError:
        return frozenset({text})


@dataclass(frozen=True)
class NameReader:
    """Finds the variables and figures that parts of a step may read.

    ``input_names`` are the names that the texts of inputs may refer to: a
    ``$input`` may stand for any of them.
    """

    ruleset: Ruleset
    input_names: NameSet

    def names(self, part: Any) -> NameSet:
        """Return the names in a field of a step: a formula, a text, or a collection of them."""
        if isinstance(part, Formula):
            return frozenset(part.names)
        if isinstance(part, str):
            if part.startswith("$"):
                return frozenset({part[1:], f"{part[1:]}_given"}) | self.input_names
            return frozenset({part}) | self.input_names if part else NO_NAMES
        if isinstance(part, BaseModel):
            return self.names([getattr(part, name) for name in type(part).model_fields])
        if isinstance(part, dict):
            return self.names(list(part.values()))
        if isinstance(part, tuple | list):
            return NO_NAMES.union(*map(self.names, part))
        return NO_NAMES

    def figures_of(self, texts: Iterable[str]) -> NameSet:
        """Return the names that the figures in texts read."""
        figures = [figure for text in texts for figure in parse_figures(text)]
        names = (figure.formula.names | {figure.choice} for figure in figures)
        return NO_NAMES.union(*names) - {""}


class StepKind(ABC, Generic[StepModel]):
    """How the steps of one model work. ``run`` is required; the rest has safe defaults."""

    always_writes: ClassVar[bool] = True  # all its variables, whenever it runs
    computes_results: ClassVar[bool] = False  # ``results`` serves odds instead of trying faces

    # ------------------------------------------------------------ running

    @abstractmethod
    def run(self, context: ProcedureContext, step: StepModel) -> None:
        """Run the step: change the context, and add a message.

        Raises RuleRefusal where the rules do not allow it, ProcedureError
        for wrong inputs, dice or choices.
        """

    def only_speaks(self, step: StepModel) -> bool:
        """Return whether the step only adds a message."""
        return False

    def ends(self, step: StepModel) -> bool:
        """Return whether the step ends its procedure."""
        return False

    def put_condition(self, step: StepModel) -> str:
        """Return the id of the condition that the step puts on a unit; empty if none."""
        return ""

    def entered_call(self, step: StepModel) -> Call | None:
        """Return the step if it calls a procedure whose steps odds follow one by one."""
        return None

    # ------------------------------------------------------------ inputs and dice

    def number_choice(self, step: StepModel) -> ChooseStep | None:
        """Return the step if it asks the player for a number."""
        return None

    def missing_inputs(self, step: StepModel, inputs: KnownInputs) -> Iterator[NeededInput]:
        """Yield the inputs without which the step refuses, as far as known before any dice."""
        return iter(())

    def called(self, step: StepModel, inputs: KnownInputs) -> tuple[Steps, KnownInputs]:
        """Return the steps that the step calls, and the inputs that are known there."""
        return (), inputs

    def dice_inputs(self, step: StepModel, ruleset: Ruleset) -> Iterator[DiceInput]:
        """Yield the rolls of the step whose faces can be typed."""
        return iter(())

    # ------------------------------------------------------------ variables

    def reads(self, step: StepModel, names: NameReader) -> NameSet:
        """Return every variable and figure that the step may read; too many is safe."""
        fields = ((name, getattr(step, name)) for name in type(step).model_fields)
        return names.names(
            [part for name, part in fields if name not in NOT_READ or isinstance(part, Formula)]
        ) | names.figures_of(self.texts_read(step))

    def texts_read(self, step: StepModel) -> tuple[str, ...]:
        """Return the texts of the step whose figures make a difference, such as a refusal."""
        return ()

    def reads_inside(self, step: StepModel, names: NameReader) -> NameSet:
        """Return the names that are read in a procedure that the step calls."""
        return NO_NAMES

    def writes(self, step: StepModel, ruleset: Ruleset) -> NameSet:
        """Return every variable that the step may write."""
        return frozenset(step.variables(ruleset.symbols))

    # ------------------------------------------------------------ odds

    def single(self, step: StepModel) -> StepModel:
        """Return the part of the step that odds follow at a time; by default all of it."""
        return step

    def times(self, context: ProcedureContext, step: StepModel) -> int:
        """Return how many such parts the step has."""
        return 1

    def needs_faces(self, step: StepModel, read_later: NameSet) -> bool:
        """Return whether single faces matter, not only the sum of the dice rolled."""
        return True

    def rolled(self, step: StepModel) -> str:
        """Return the id of the roll whose sum and faces the step writes; empty if it rolls none."""
        return ""

    def counted_faces(self, step: StepModel, roll: str, names: NameReader) -> FaceSets | None:
        """Return the sets of faces that the step counts of a roll; None if it reads more of it."""
        if type(self).reads is not StepKind.reads:  # perhaps it reads more than its fields say
            read = self.reads(step, names)
        else:
            parts = (leaf for leaf, key in leaves(step) if key not in NOT_READ)
            words = names.names([word for word in parts if isinstance(word, str)])
            read = words | names.figures_of(self.texts_read(step))
        return faces_in_formulas(step, roll) if read.isdisjoint((roll, f"{roll}_dice")) else None

    def results(
        self, context: ProcedureContext, step: StepModel, read_later: NameSet
    ) -> Iterator[tuple[dict[str, Variable], int]]:
        """Yield every result with its number of ways; only where ``computes_results``.

        A result is the variables of ``read_later`` that the step writes.
        """
        return iter(())

    def is_flag(self, step: StepModel, name: str, flags: Flags) -> bool:
        """Return whether a variable that the step writes is always 0 or 1."""
        return False


def faces_in_formulas(step: ProcedureStep, roll: str) -> FaceSets | None:
    """Return the sets of faces that the formulas of a step count; None if they read more."""
    counted: FaceSets = frozenset()
    for formula, _key in leaves(step):
        if isinstance(formula, Formula):
            sets = None if roll in formula.names else counted_faces(formula, f"{roll}_dice")
            if sets is None:
                return None
            counted |= sets
    return counted


class Flags(ABC):
    """Knows which variables of a procedure are always 0 or 1."""

    @abstractmethod
    def variable(self, name: str) -> bool:
        """Return whether a variable of this procedure is a flag."""

    @abstractmethod
    def called(self, procedure: str, name: str) -> bool:
        """Return whether a variable of another procedure is a flag."""


# The kind of each step model; filled by this package's __init__.
STEP_KINDS: dict[type[ProcedureStep], StepKind[Any]] = {}


def kind_of(step: ProcedureStep) -> StepKind[Any]:
    """Return the kind of a step."""
    return STEP_KINDS[type(step)]


def every_step(ruleset: Ruleset, steps: Iterable[AnyProcedureStep]) -> Iterator[AnyProcedureStep]:
    """Yield steps, each followed by those of the procedure that it calls."""
    for step in steps:
        yield step
        if step.called_procedure is not None:
            yield from every_step(ruleset, ruleset.procedure(step.called_procedure).steps)


def number_choices(ruleset: Ruleset, steps: Iterable[AnyProcedureStep]) -> Iterator[ChooseStep]:
    """Yield the steps that ask the player for a number, those of called procedures included."""
    for step in every_step(ruleset, steps):
        choice = kind_of(step).number_choice(step)
        if choice is not None:
            yield choice


def dice_inputs(ruleset: Ruleset, steps: Iterable[AnyProcedureStep]) -> dict[str, DiceInput]:
    """Return the rolls whose faces can be typed, by name, those of called procedures included."""
    return {
        roll.name: roll
        for step in every_step(ruleset, steps)
        for roll in kind_of(step).dice_inputs(step, ruleset)
    }


@dataclass(frozen=True)
class PossibleSteps:
    """Leaves out steps of a procedure that cannot run for a unit, by what it has now.

    ``changing`` are the names of the conditions that the unit can gain while it runs.
    """

    state: State
    unit_id: str
    changing: NameSet

    @classmethod
    def of(cls, state: State, unit_id: str, steps: Steps) -> PossibleSteps:
        """Return what leaves out steps of this procedure, and of those that it calls."""
        ruleset = state.ruleset
        put = {kind_of(step).put_condition(step) for step in every_step(ruleset, steps)} - {""}
        entities = ruleset.conditions  # a ``$input`` can be any of them
        if put <= ruleset.entities.keys():
            entities = (*ruleset.derived_conditions, *map(ruleset.entity, put))
        return cls(state, unit_id, NO_NAMES.union(*map(names_of, entities)))

    def among(self, steps: Iterable[AnyProcedureStep]) -> Iterator[AnyProcedureStep]:
        """Yield the steps that can run, until one that ends its procedure for certain."""
        unit_type = self.state.unit(self.unit_id).type.id
        for step in steps:
            if step.units and unit_type not in step.units:
                continue
            if step.when is not None and any(map(self._is_missing, step.when.conjuncts)):
                continue
            yield step
            if kind_of(step).ends(step) and not (step.when or step.ruled or step.repeat):
                return

    def _is_missing(self, part: Formula) -> bool:
        """Return whether a condition asks for something that the unit neither has nor gains."""
        asks_only_that = isinstance(part.tree, ast.Call) and not part.names and part.referred
        if not asks_only_that or not self.changing.isdisjoint(part.referred):
            return False
        return not self.state.values(self.unit_id).evaluate_now(part)

    def can_matter(self, input_: Input, steps: Steps) -> bool:
        """Return whether a step that can run reads an input, or none of the steps reads it."""
        names = {input_.id, input_.id + GIVEN_FLAG, *input_.option_variables}
        reader = NameReader(self.state.ruleset, NO_NAMES)
        reading = [step for step in steps if names & kind_of(step).reads(step, reader)]
        return not reading or any(step in reading for step in self.among(steps))


def possible_roll_names(
    steps: Iterable[AnyProcedureStep], inputs: KnownInputs, possible: PossibleSteps
) -> Iterator[str]:
    """Yield the names of the rolls that steps can make with the inputs known so far."""
    for step in possible.among(steps):
        if inputs.exclude(step.when):
            continue
        yield from (roll.name for roll in kind_of(step).dice_inputs(step, inputs.ruleset))
        if step.called_procedure is not None:
            yield from possible_roll_names(*kind_of(step).called(step, inputs), possible)


def run_steps(context: ProcedureContext, steps: Steps, results: Iterable[str] = ()) -> None:
    """Run steps in order, until the last one or one that stops.

    ``results`` are the variables that are read when they have run. The error of a formula without
    a value names the rule.
    """
    context.steps, context.results = steps, tuple(results)
    context.count_steps(len(steps))
    try:
        for step in steps:
            if step.repeat is not None:
                _run_repeatedly(context, step, step.repeat)
            elif context.applies(step):
                STEP_KINDS[type(step)].run(context, step)
    except ProcedureStopped:
        return
    except FormulaError as error:
        if error.rule:
            raise
        raise FormulaError(error.text, error.reason, error.written, context.rule) from error


def _run_repeatedly(context: ProcedureContext, step: ProcedureStep, repeat: Repeat) -> None:
    """Run a step again and again, each time if it applies then."""
    times, kind = 0, kind_of(step)
    while times < repeat.at_most and context.evaluate(repeat.while_):
        context.count_steps(1)
        if context.applies(step):
            kind.run(context, step)
        times += 1


def find_missing_inputs(steps: Steps, inputs: KnownInputs) -> Iterator[NeededInput]:
    """Yield what steps need and were not given, in order, before any dice are rolled.

    Only steps that run for certain are checked, and only with the inputs known so far.
    """
    for step in steps:
        kind = kind_of(step)
        if kind.ends(step):
            return
        limited = step.repeat or step.units or step.ruled
        if not limited and inputs.holds(step.when):
            yield from kind.missing_inputs(step, inputs)


def refuse_unit(state: State, procedure: Procedure, unit_id: str) -> None:
    """Raise ProcedureError if a procedure is for other units: it may read what this one lacks."""
    if procedure.units and state.unit(unit_id).type.id not in procedure.units:
        label = state.unit(unit_id).type.label
        raise ProcedureError(
            procedure.label, [("unit", _("it does not apply to a {label}").format(label=label))]
        )
