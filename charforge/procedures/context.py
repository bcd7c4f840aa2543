"""The context of a running procedure: state, variables, dice, choices and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from charforge.character.holdings import local_numbers
from charforge.character.state import Condition, Holding, State
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.dice import Dice
from charforge.expressions.formula import FULL, Facts, Formula
from charforge.expressions.template import Figure, signed_amount, substitute
from charforge.language import _, format_number
from charforge.rules.models import ChooseStep, Input, ProcedureStep, Steps
from charforge.rules.models.base import BEARER
from charforge.rules.models.procedures import GIVEN_FLAG

Variable = int | str | tuple[int, ...]
MOST_DICE = 1000
MOST_STEPS = 20_000  # in one run, those of what it calls included
MOST_SIDES = 999  # as dice are written: 1d999
CHOSEN_AGAIN = "#"  # a number chosen once more in the same run: ``id#2``
# Returns the faces of a roll, by its id, its dice and its label.
Roller = Callable[[str, Dice, str], list[int]]
# Returns how many rolls of this name a saved event still has.
RecordedRolls = Callable[[str], int]


class UnknownFigure(ProcedureError):
    """A procedure reads a figure, and there is no character to read it from."""

    def __init__(self, procedure: str, figure: str) -> None:
        super().__init__(
            procedure, [(figure, _("its value is not known: give a character file, or use --set"))]
        )
        self.figure = figure


class StepMessage(NamedTuple):
    """The message of one step that ran.

    ``step`` is the kind of step (``do``), ``source`` the id of the rule that
    it comes from, ``id`` and ``value`` the variable, resource or condition
    that it set and its new value, ``faces`` the dice that it rolled.
    """

    step: str
    text: str
    source: str
    id: str = ""
    value: int | None = None
    faces: tuple[int, ...] = ()


# Returns the number chosen in a step, by the step, its minimum and maximum, the suggested
# number and the messages so far.
Chooser = Callable[[ChooseStep, int, int, int, Sequence[StepMessage]], int]


def choose_suggested(
    _step: ChooseStep, _low: int, _high: int, suggested: int, _messages: Sequence[StepMessage] = ()
) -> int:
    """Return the suggested number: the chooser where nobody is asked."""
    return suggested


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How a procedure or an action runs: what rolls and chooses for it, and what it may do.

    ``roll`` and ``choose`` give the dice and the numbers asked for on the way. With ``quiet``
    there are no messages and no outputs. ``recorded`` tells the rolls of a saved event that is
    repeated; ``overridden``: the GM allows what a limit or a lenient requirement forbids.
    ``figures`` stand in place of the unit's own; with ``no_character`` no others are known.
    """

    roll: Roller
    choose: Chooser = choose_suggested
    quiet: bool = False
    recorded: RecordedRolls | None = None
    overridden: bool = False
    figures: Mapping[str, int] = field(default_factory=dict)
    no_character: bool = False


def allowed_message(reason: str, source: str) -> StepMessage:
    """Return the message that the GM allows something in spite of a reason against it."""
    return StepMessage("override", _("Allowed by the GM: {reason}").format(reason=reason), source)


def ended_text(condition: Condition) -> str:
    """Return the message that a condition has ended."""
    return _("{name} ends").format(name=condition.name)


class Variables(dict[str, Any]):
    """The variables of a procedure. Any other name in a formula is a figure of the unit."""

    __slots__ = ("figure", "unset")
    figure: Callable[[str], int]
    unset: Callable[[str], int | tuple[int, ...] | None]

    def __missing__(self, name: str) -> int | tuple[int, ...]:
        """Return what a variable is before a step sets it, or else a figure."""
        unset = self.unset(name)
        return self.figure(name) if unset is None else unset


@dataclass(slots=True)
class ProcedureContext:
    """The state and the variables of a running procedure, which its steps read and change.

    ``figures`` stand in place of the unit's own, ``no_character`` says that
    no others are known. ``messages`` is None where nobody reads them, as in
    a replay: steps are then not put into words. ``faces`` are those rolled
    so far by roll, ``sides`` the faces that the dice of each roll can show,
    ``answers`` the inputs and the numbers chosen, ``times_asked`` how often
    each number was asked for, ``item_names`` the items that inputs name.
    ``recorded`` tells how often a roll of a saved event can still be
    repeated (None: it is no saved event); rules that came later do not
    refuse such an event. ``bearer`` is the unit that an
    attack belongs to, where another one rolls it. ``overridden``: the GM
    allows it beyond limits and lenient requirements. ``steps`` are those
    that run, ``results`` the variables that are read after the last one.
    """

    state: State
    unit: str
    roll: Roller
    choose: Chooser
    source: str
    figures: dict[str, int]
    no_character: bool
    holding: Holding | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    messages: list[StepMessage] | None = None
    faces: dict[str, list[list[int]]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    times_asked: dict[str, int] = field(default_factory=dict)
    step_count: list[int] = field(default_factory=lambda: [0])  # shared with called procedures
    sides: dict[str, tuple[int, ...]] = field(default_factory=dict)
    item_names: dict[str, str] = field(default_factory=dict)
    recorded: RecordedRolls | None = None
    bearer: str = ""
    overridden: bool = False
    label: str = ""  # of the rule that was run
    steps: Steps = ()
    results: tuple[str, ...] = ()
    read: Callable[[str], Any] = field(init=False)  # returns a variable or a figure

    @classmethod
    def of(
        cls,
        settings: RunSettings,
        state: State,
        unit_id: str,
        source: str,
        answers: Mapping[str, Any],
    ) -> ProcedureContext:
        """Return the context of a run that begins with ``answers``."""
        return cls(
            state, unit_id, settings.roll, settings.choose, source, dict(settings.figures),
            settings.no_character, messages=None if settings.quiet else [], answers=dict(answers),
            recorded=settings.recorded, overridden=settings.overridden,
        )  # fmt: skip

    def __post_init__(self) -> None:
        variables = self.variables = Variables(self.variables)
        variables.figure = self.figure
        variables.unset = self.unset
        self.read = variables.__getitem__

    # ------------------------------------------------------------ inputs

    def set_inputs(self, inputs: tuple[Input, ...], answers: Mapping[str, Any]) -> None:
        """Make the inputs variables; those left out, or None, get their defaults."""
        variables = self.variables
        if self.holding is not None:
            variables |= local_numbers(self.state, self.holding)
        for input_ in inputs:
            value = answers.get(input_.id)
            if input_.optional:
                variables[input_.id + GIVEN_FLAG] = int(value is not None)
            if value is None:
                value = (
                    input_.default_word if input_.default is None else input_.default.evaluate(self)
                )
            if input_.type in ("number", "flag"):
                value = int(value or 0)
            elif input_.type == "numbers" and not isinstance(value, tuple):
                value = tuple(map(int, str(value or "").replace(",", " ").split()))
            variables[input_.id] = value
            if input_.options:
                for variable, option in zip(input_.option_variables, input_.options, strict=True):
                    variables[variable] = int(value == option)
            if input_.type == "item":
                self._set_item(input_, "" if value is None else str(value))

    def _set_item(self, input_: Input, name: str) -> None:
        """Make the own numbers of an item variables; figures that are given win."""
        holding = self.state.holding(name)
        if holding is None:
            self.item_names[input_.id] = name
            if not self.no_character:
                names = self.state.ruleset.own_numbers(input_.kind)
                self.variables |= {f"{input_.id}_{own}": 0 for own in names}
            return
        self.item_names[input_.id] = holding.name
        numbers = local_numbers(self.state, holding).items()
        own = {f"{input_.id}_{name}": number for name, number in numbers}
        self.variables |= {n: number for n, number in own.items() if n not in self.figures}

    # ------------------------------------------------------------ reading

    def unset(self, name: str) -> int | tuple[int, ...] | None:
        """Return what a variable is that no step has set: 0, no faces; None if it is a figure."""
        ruleset = self.state.ruleset
        if name in self.figures or name in ruleset.values:
            return None
        origin = ruleset.step_variables.get(name)
        return None if origin is None else () if origin == "faces" else 0

    def figure(self, name: str) -> int:
        """Return a given figure, or the unit's figure now."""
        if name in self.figures:
            return self.figures[name]
        if self.no_character and name.startswith(FULL):
            return self.figure(name.removeprefix(FULL))  # nothing was damaged before
        if self.no_character:
            raise UnknownFigure(self.source, name)
        if name.startswith(BEARER):
            return self.state.values(self.bearer or self.unit).now(name.removeprefix(BEARER))
        return self.state.values(self.unit).now(name)

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula over variables and figures."""
        return formula.evaluate(self)

    @property
    def facts(self) -> Facts:
        """The facts about the unit that formulas can ask for, besides values."""
        return self.state.values(self.unit)

    def now(self, name: str) -> int:
        """Return what a resource has come to."""
        return self.figures[name] if self.no_character else self.state.values(self.unit).base(name)

    def nested(self, source: str) -> ProcedureContext:
        """Return the context of a called procedure: new variables, the same dice and choices."""
        return ProcedureContext(
            self.state, self.unit, self.roll, self.choose, source, self.figures, self.no_character,
            messages=self.messages, faces=self.faces, answers=self.answers,
            times_asked=self.times_asked, step_count=self.step_count, recorded=self.recorded,
            bearer=self.bearer, overridden=self.overridden, label=self.label,
        )  # fmt: skip

    def refuse(self, step: ProcedureStep, reason: str) -> None:
        """Refuse for a limit or a lenient requirement.

        A saved event is not refused; what the GM allows gets a message
        instead. Raises RuleRefusal.
        """
        if self.overridden and self.messages is not None:
            source = step.source or self.source
            self.messages.append(allowed_message(reason, source))
        elif self.recorded is None and not self.overridden:
            raise RuleRefusal(reason)

    def refused(self, name: str, why: str) -> ProcedureError:
        """Return the error of one wrong input, roll or choice, under the rule's name."""
        return ProcedureError(self.rule, [(name, why)])

    @property
    def rule(self) -> str:
        """The label of the rule that was run, in errors."""
        entity = self.state.ruleset.entities.get(self.source)
        return self.label or (entity.name if entity else self.source)

    def number_within(self, name: str) -> None:
        """Note that a number chosen beforehand is possible here; odds need to know."""

    def number_outside(self, refusal: ProcedureError, nearest: int) -> int:  # noqa: ARG002
        """Refuse a number chosen beforehand that is not possible here; odds take the nearest."""
        raise refusal

    def affected_unit(self, of: str) -> str:
        """Return the unit that a step affects: the unit itself, or the ``bearer`` of the attack."""
        return self.bearer if of == "bearer" and self.bearer else self.unit

    def target(self, name: str) -> str:
        """Return a name, or the one that a ``$input`` holds."""
        return str(self.variables.get(name[1:], "")) if name.startswith("$") else name

    def subject(self, variable: str) -> str:
        """Return what a variable names as players read it: an item, a value's label, a text."""
        if variable in self.item_names:
            return self.item_names[variable]
        return self.state.ruleset.subject(str(self.variables.get(variable, variable)))

    def words(self, text: str) -> str:
        """Fill the figures of a text."""

        def fill(figure: Figure) -> str:
            if figure.choice:
                return self.subject(figure.choice)
            return signed_amount(figure.dice, self.evaluate(figure.formula))

        return substitute(text, fill)

    # ------------------------------------------------------------ messages, dice, choices

    def count_steps(self, steps: int) -> None:
        """Count steps. Raises ProcedureError for a procedure that does not end."""
        self.step_count[0] += steps
        if self.step_count[0] > MOST_STEPS:
            reason = _("this rule needs more than {most_steps} steps").format(
                most_steps=format_number(MOST_STEPS, ",")
            )
            raise self.refused("repeat", reason)

    def applies(self, step: ProcedureStep) -> bool:
        """Return whether a step runs: with these table rules, for this unit, now."""
        if (step.units or step.ruled) and not self.allowed(step):
            return False
        return step.when is None or bool(step.when.evaluate(self))

    def allowed(self, step: ProcedureStep) -> bool:
        """Return whether a step is for these table rules and this unit."""
        if step.units and (
            self.no_character or self.state.unit(self.unit).type.id not in step.units
        ):
            return False
        ruled = self.state.ruleset.table_rule_options(self.state.rules) if step.ruled else {}
        return step.ruled.items() <= ruled.items()

    def add_message(
        self,
        step: ProcedureStep,
        plain: str | Callable[[], str],
        name: str = "",
        value: int | None = None,
        faces: Iterable[int] = (),
    ) -> None:
        """Add the message of a step: the pack's words, else ``plain``."""
        if self.messages is None or step.quiet:
            return
        own_words = plain if isinstance(plain, str) else plain()
        text = self.words(step.say) if step.say else own_words
        kind = getattr(step, "do", "")
        source = step.source or self.source
        self.messages.append(StepMessage(kind, text, source, name, value, tuple(faces)))

    def roll_dice(self, name: str, dice: Dice, label: str) -> list[int]:
        """Roll dice and keep their faces. Raises ProcedureError for too many, or wrong ones."""
        if dice.number > MOST_DICE:
            reason = _("{notation} are too many dice (at most {most_dice})").format(
                notation=dice.shown, most_dice=MOST_DICE
            )
            raise self.refused(name, reason)
        faces = self.roll(name, dice, label)
        problem = dice.problem(faces)
        if problem:
            raise self.refused(name, problem)
        self.faces.setdefault(name, []).append(list(faces))
        self.sides[name] = dice.faces
        return faces

    def never_rolled(self, name: str) -> bool:
        """Return whether a saved event that is repeated has no more dice of this name."""
        return self.recorded is not None and not self.recorded(name)

    def choice_name(self, name: str) -> str:
        """Return the name of a choice in ``answers``: ``id``, then ``id#2`` and so on."""
        times = self.times_asked[name] = self.times_asked.get(name, 0) + 1
        return name if times == 1 else f"{name}{CHOSEN_AGAIN}{times}"

    def input_value(self, value: str | Formula) -> Variable | None:
        """Return the value for an input of a called procedure; None: ours was not given."""
        if isinstance(value, Formula):
            return self.evaluate(value)
        if not value.startswith("$"):
            return value
        name, known = value[1:], self.variables
        return known[name] if known.get(f"{name}_given", 1) else None
