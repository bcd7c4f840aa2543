"""A run on its way: the state and the variables as they are now, and how it tells itself.

Read by the steps (``steps``), begun and summed up by ``procedures``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.character.local_formulas import local_numbers
from charforge.character.state import Holding, State
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.expressions.template import Figure, signed_amount, substitute
from charforge.rules.models import Decide, Input, ProcedureStep
from charforge.rules.models.procedures import GIVEN

Variable = int | str | tuple[int, ...]
MOST_DICE = 1000
MOST_STEPS = 20_000  # in one run, those of what it calls included
MOST_SIDES = 999  # as dice are written: 1d999
AGAIN = "#"  # a number chosen once more in the same run: ``id#2``
# Gives the faces of a roll: its id, the dice, what it is for.
Roller = Callable[[str, Dice, str], list[int]]


class UnknownFigure(ProcedureError):
    """A figure that a procedure reads where there is no character to read it from."""

    def __init__(self, procedure: str, figure: str) -> None:
        super().__init__(procedure, [(figure, "its figure is not known: give a FILE, or --set it")])
        self.figure = figure


@dataclass(frozen=True, slots=True)
class Told:
    """One step that was taken, in words; ``source`` is the rule that it comes from."""

    step: str
    text: str
    source: str
    id: str = ""
    value: int | None = None
    faces: tuple[int, ...] = ()


# Gives a number in the middle: the step, its bounds, what it would be if nobody were asked,
# and what was told so far.
Chooser = Callable[[Decide, int, int, int, Sequence[Told]], int]


class Variables(dict[str, Any]):
    """The variables of a run. Any other name that a formula reads is a figure of its unit."""

    __slots__ = ("figure",)
    figure: Callable[[str], int]

    def __missing__(self, name: str) -> int:
        """Return a figure."""
        return self.figure(name)


@dataclass(slots=True)
class Running:
    """A run on its way: the state and the variables as they are now.

    ``told`` is None where nobody listens, as in a replay: no step is then put in words.
    """

    state: State
    unit: str
    roll: Roller
    choose: Chooser
    source: str
    given: dict[str, int]
    bare: bool
    holding: Holding | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    told: list[Told] | None = None
    faces: dict[str, list[list[int]]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    count: list[int] = field(default_factory=lambda: [0])
    sides: dict[str, tuple[int, ...]] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)  # the items that inputs name, by input
    name: Callable[[str], Any] = field(init=False)  # gives a variable or a figure

    def __post_init__(self) -> None:
        variables = self.variables = Variables(self.variables)
        variables.figure = self.figure
        self.name = variables.__getitem__

    # ------------------------------------------------------------ begin and end

    def begin(self, inputs: tuple[Input, ...], given: Mapping[str, Any]) -> None:
        """Make the inputs variables, those left out (or given None) by their defaults."""
        variables = self.variables
        if self.holding is not None:
            variables |= local_numbers(self.state, self.holding)
        for one in inputs:
            value = given.get(one.id)
            if one.optional:
                variables[one.id + GIVEN] = int(value is not None)
            if value is None:
                value = one.default_word if one.default is None else one.default.whole_of(self)
            if one.type in ("number", "flag"):
                value = int(value or 0)
            variables[one.id] = value
            if one.options:
                for variable, option in zip(one.told, one.options, strict=True):
                    variables[variable] = int(value == option)
            if one.type == "item":
                self._item(one, "" if value is None else str(value))

    def _item(self, one: Input, name: str) -> None:
        """Make the own numbers of an item variables; figures that are given win."""
        held = self.state.holding(name)
        if held is None:
            self.called[one.id] = name
            if not self.bare:
                names = self.state.ruleset.own_numbers(one.kind)
                self.variables |= {f"{one.id}_{own}": 0 for own in names}
            return
        self.called[one.id] = held.name
        numbers = {
            f"{one.id}_{own}": number for own, number in local_numbers(self.state, held).items()
        }
        self.variables |= {n: number for n, number in numbers.items() if n not in self.given}

    # ------------------------------------------------------------ reading

    def figure(self, name: str) -> int:
        """Return a given figure, or the unit's figure now."""
        if name in self.given:
            return self.given[name]
        if self.bare:
            raise UnknownFigure(self.source, name)
        return self.state.values(self.unit).now(name)

    def whole(self, formula: Formula) -> int:
        """Evaluate a formula over variables and figures."""
        return formula.whole_of(self)

    def has(self, entity: str) -> bool:
        """Whether the character has an entity, or the unit is under it."""
        return self.state.values(self.unit).has(entity)

    def number(self, entity: str) -> int:
        """How many of an entity the character has, or how much of it the unit is under."""
        return self.state.values(self.unit).number(entity)

    def now(self, name: str) -> int:
        """Return what a resource has come to."""
        return self.given[name] if self.bare else self.state.values(self.unit).base(name)

    def nested(self, source: str) -> Running:
        """Return a run within this one: variables of its own, the same dice and choices."""
        return Running(
            self.state, self.unit, self.roll, self.choose, source, self.given, self.bare,
            told=self.told, faces=self.faces, answers=self.answers, asked=self.asked,
            count=self.count,
        )  # fmt: skip

    def refused(self, name: str, why: str) -> ProcedureError:
        """Return the error of one thing that is wrong, under the rule's own name."""
        entity = self.state.ruleset.entities.get(self.source)
        return ProcedureError(entity.name if entity else self.source, [(name, why)])

    def target(self, name: str) -> str:
        """Return what a name or ``$input`` means."""
        return str(self.variables.get(name[1:], "")) if name.startswith("$") else name

    def words(self, text: str) -> str:
        """Fill the figures of a text."""

        def say(found: Figure) -> str:
            if found.choice in self.called:
                return self.called[found.choice]
            if found.choice:
                word = str(self.variables.get(found.choice, found.choice))
                value = self.state.ruleset.values.get(word)
                return value.label if value is not None else word
            return signed_amount(found.dice, self.whole(found.formula))

        return substitute(text, say)

    # ------------------------------------------------------------ telling, rolling, asking

    def counted(self, steps: int) -> None:
        """Count steps on the way. Raises ProcedureError for a run that does not end."""
        self.count[0] += steps
        if self.count[0] > MOST_STEPS:
            told = f"it takes more than {MOST_STEPS:,} steps"
            raise ProcedureError(self.source, [("repeat", told)])

    def applies(self, step: ProcedureStep) -> bool:
        """Whether a step is taken: at this table, for this unit, now."""
        return self.here(step) and (step.when is None or bool(step.when.whole_of(self)))

    def here(self, step: ProcedureStep) -> bool:
        """Whether a step is for this table and this unit."""
        if step.units and (self.bare or self.state.unit(self.unit).type.id not in step.units):
            return False
        ruled = self.state.ruleset.ruled(self.state.rules) if step.ruled else {}
        return step.ruled.items() <= ruled.items()

    def tell(
        self,
        step: ProcedureStep,
        plain: str | Callable[[], str],
        name: str = "",
        value: int | None = None,
        faces: Iterable[int] = (),
    ) -> None:
        """Tell a step, if anybody listens: in the pack's words, or plainly."""
        if self.told is None or step.quiet:
            return
        plainly = plain if isinstance(plain, str) else plain()
        text = self.words(step.say) if step.say else plainly
        kind = getattr(step, "do", "")
        source = step.source or self.source
        self.told.append(Told(kind, text, source, name, value, tuple(faces)))

    def rolled(self, name: str, dice: Dice, label: str) -> list[int]:
        """Roll dice and keep their faces. Raises ProcedureError for too many, or wrong ones."""
        if dice.number > MOST_DICE:
            told = f"{dice.notation} are too many dice: at most {MOST_DICE} are rolled at once"
            raise ProcedureError(self.source, [(name, told)])
        faces = self.roll(name, dice, label)
        fault = dice.fault(faces)
        if fault:
            raise self.refused(name, fault)
        self.faces.setdefault(name, []).append(list(faces))
        self.sides[name] = dice.faces
        return faces

    def numbered(self, name: str) -> str:
        """Return what a choice is called in what was chosen: numbered where it comes again."""
        self.asked[name] = self.asked.get(name, 0) + 1
        return name if self.asked[name] == 1 else f"{name}{AGAIN}{self.asked[name]}"

    def passed(self, value: str | Formula) -> Variable | None:
        """Return what an input is given: None hands on that ours was not."""
        if isinstance(value, Formula):
            return self.whole(value)
        name, known = value[1:], self.variables
        return known[name] if known.get(f"{name}_given", 1) else None
