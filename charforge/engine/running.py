"""A run on its way: the state and the variables as they are now, and how it tells itself.

Read by the steps (``steps``), begun and summed up by ``procedures``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.content.models import Decide, Input, Step
from charforge.dice import Dice
from charforge.engine.state import Holding, State
from charforge.errors import ProcedureError
from charforge.formula import Formula
from charforge.text import Figure, signed, substitute

Variable = int | str | tuple[int, ...]
MOST_DICE = 1000
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


@dataclass
class Running:
    """A run on its way: the state and the variables as they are now."""

    state: State
    unit: str
    roll: Roller
    choose: Chooser
    source: str
    given: dict[str, int]
    bare: bool
    holding: Holding | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    told: list[Told] = field(default_factory=list)
    faces: dict[str, list[list[int]]] = field(default_factory=dict)
    answers: dict[str, Any] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    sides: dict[str, tuple[int, ...]] = field(default_factory=dict)

    # ------------------------------------------------------------ begin and end

    def begin(self, inputs: tuple[Input, ...], given: Mapping[str, Any]) -> None:
        """Make the inputs variables, those left out by their defaults."""
        self.answers = dict(given)
        for one in inputs:
            value = given.get(one.id)
            if one.optional:
                self.variables[f"{one.id}_given"] = int(value is not None)
            if value is None:
                value = one.default_word if one.default is None else self.whole(one.default)
            if one.type in ("number", "flag"):
                value = int(value or 0)
            self.variables[one.id] = value
            for name, option in zip(one.told, one.options, strict=True):
                self.variables[name] = int(value == option)

    # ------------------------------------------------------------ reading

    def name(self, name: str) -> Any:
        """Return a variable, a given figure, or the unit's figure now."""
        if name in self.variables:
            return self.variables[name]
        if name in self.given:
            return self.given[name]
        if self.bare:
            raise UnknownFigure(self.source, name)
        return self.state.values(self.unit).now(name)

    def whole(self, formula: Formula) -> int:
        """Evaluate a formula over variables and figures."""
        values = self.state.values(self.unit)
        return formula.whole(self.name, values.has, values.number)

    def now(self, name: str) -> int:
        """Return what a resource has come to."""
        return self.given[name] if self.bare else self.state.values(self.unit).base(name)

    def nested(self, source: str) -> Running:
        """Return a run within this one: variables of its own, the same dice and choices."""
        return Running(
            self.state, self.unit, self.roll, self.choose, source, self.given, self.bare,
            told=self.told, faces=self.faces, asked=self.asked, sides=self.sides,
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
            if found.choice:
                word = str(self.variables.get(found.choice, found.choice))
                value = self.state.ruleset.values.get(word)
                return value.label if value is not None else word
            return signed(found.dice, self.whole(found.formula))

        return substitute(text, say)

    # ------------------------------------------------------------ telling, rolling, asking

    def applies(self, step: Step) -> bool:
        """Whether a step is taken: at this table, for this unit, now."""
        if step.ruled:
            rules = self.state.ruleset.ruled(self.state.rules)
            if any(rules.get(rule) != option for rule, option in step.ruled.items()):
                return False
        if step.units and (self.bare or self.state.unit(self.unit).type.id not in step.units):
            return False
        return step.when is None or bool(self.whole(step.when))

    def tell(
        self,
        step: Step,
        plain: str,
        name: str = "",
        value: int | None = None,
        faces: Iterable[int] = (),
    ) -> None:
        """Tell a step: in the pack's words, or plainly."""
        if step.quiet:
            return
        text = self.words(step.say) if step.say else plain
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
        name = value[1:]
        return self.variables[name] if self.variables.get(f"{name}_given", 1) else None
