"""Inputs and dice of procedures as a player gives them: typed words, rolled or random dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from charforge.character.modifiers import LEVEL
from charforge.character.state import State
from charforge.errors import MissingInput, ProcedureError, did_you_mean
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.procedures.context import AGAIN, Chooser
from charforge.procedures.inputs import (
    KnownInputs,
    NeededInput,
    choices,
    every_step,
    input_problems,
    items_of,
    read_input,
    read_whole,
)
from charforge.procedures.run import choose_suggested
from charforge.procedures.steps import find_missing_inputs, kind_of
from charforge.procedures.steps.base import DiceInput
from charforge.rules.models import Decide, Input, Steps
from charforge.rules.ruleset import Ruleset

NOTHING: Mapping[str, Any] = MappingProxyType({})
FIRST = "first"  # the name of dice that were given without one: those of the first roll
# Reads the text of an input; raises ValueError for a wrong one.
InputReader = Callable[[str], int | str]
# Asks the player for an input, given its reader.
InputAsker = Callable[[Input, InputReader], int | str]


@dataclass(frozen=True)
class TypedInputs:
    """The inputs that a player typed: ``words`` by input, ``dice`` (faces) by roll.

    ``ask`` asks for the inputs that are still needed, ``choose`` for the
    numbers in the middle; without them nobody is asked. ``unused_options`` are the
    inputs that the command itself has options for and did not get.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    ask: InputAsker | None = None
    choose: Chooser = choose_suggested
    unused_options: tuple[str, ...] = ()

    def also(self, **words: object) -> TypedInputs:
        """Return this with inputs from the command's own options; None: the option is not used."""
        more = {name: str(word) for name, word in words.items() if word is not None}
        unused = tuple(name for name, word in words.items() if word is None)
        return replace(self, words={**self.words, **more}, unused_options=unused)


@dataclass(frozen=True)
class PossibleInputs:
    """The inputs, numbers in the middle and rolls that an ability or a procedure takes.

    ``usual`` are the values of inputs that are left out, where it is known
    who uses it with what.
    """

    label: str
    inputs: tuple[Input, ...]
    choices: tuple[Decide, ...]
    rolls: tuple[DiceInput, ...]
    usual: Mapping[str, int | str] = field(default_factory=dict)


def possible_inputs(
    ruleset: Ruleset,
    label: str,
    inputs: Iterable[Input],
    steps: Steps,
    usual: Mapping[str, int | str] = NOTHING,
) -> PossibleInputs:
    """Return the inputs that steps take, each number and roll once."""
    numbers = {step.id: step for step in choices(ruleset, steps)}
    rolls = dice_inputs(ruleset, steps)
    return PossibleInputs(
        label, tuple(inputs), tuple(numbers.values()), tuple(rolls.values()), usual
    )


def dice_inputs(ruleset: Ruleset, steps: Steps) -> dict[str, DiceInput]:
    """Return the rolls of steps, and of procedures that they call, by name."""
    return {
        roll.name: roll
        for step in every_step(ruleset, steps)
        for roll in kind_of(step).dice_inputs(step, ruleset)
    }


@dataclass(frozen=True)
class ParsedInputs:
    """The values of inputs, the faces of dice by roll, the figures of values."""

    inputs: Mapping[str, Any]
    dice: Mapping[str, tuple[int, ...]]
    figures: Mapping[str, int]


def parse_inputs(
    state: State,
    label: str,
    inputs: tuple[Input, ...],
    steps: Steps,
    typed: TypedInputs,
    unit: str,
    no_character: bool = False,
    figures: bool = False,
    known: Mapping[str, Any] = NOTHING,
) -> ParsedInputs:
    """Parse what a player typed for the inputs and steps of something; ask for what is needed.

    ``label`` names it in errors. A word is that of an input, of a number in
    the middle, of a roll, or (with ``figures``) of a value. ``known`` are
    the inputs that it supplies itself, as an attack does. Raises
    ProcedureError with everything that is wrong or missing.
    """
    parser = _InputParser(state, inputs, steps, unit, figures)
    problems = []
    for name, text in typed.words.items():
        try:
            parser.parse(name, text)
        except ValueError as error:
            problems.append((name, str(error)))
    wrong = {name.casefold() for name, _reason in problems}
    unmet = None
    if not problems:
        try:
            parser.ask_for_missing(typed.ask, typed.unused_options, known, no_character)
        except MissingInput as error:
            unmet = error
    judged = parser.figures if no_character else None
    invalid = input_problems(state, inputs, parser.inputs, unit, judged)
    problems += [(name, reason) for name, reason in invalid if name not in wrong]
    if unmet is not None and not problems:
        raise unmet
    if unmet is not None:
        problems.append(("", unmet.reason))
    if problems:
        answered = parser.inputs.keys() | wrong
        missing = [one.id for one in inputs if one.needed and one.id not in answered]
        missing += unmet.ways if unmet is not None and len(unmet.ways) == 1 else ()
        raise ProcedureError(label, problems, missing, unused_options=typed.unused_options)
    return ParsedInputs(parser.inputs, {**parser.dice, **typed.dice}, parser.figures)


class _InputParser:
    """Parses typed words, each by what its name stands for."""

    def __init__(
        self, state: State, inputs: tuple[Input, ...], steps: Steps, unit: str, figures: bool
    ) -> None:
        ruleset = state.ruleset
        self._state, self._unit, self._steps = state, unit, steps
        self._asked = {one.id: one for one in inputs}
        self._numbers = {step.id for step in choices(ruleset, steps)}
        self._rolls = dice_inputs(ruleset, steps)
        self._values = {LEVEL, *ruleset.values} if figures else set()
        for one in inputs if figures else ():
            self._values |= {f"{one.id}_{name}" for name in ruleset.own_numbers(one.kind)}
        self.inputs: dict[str, Any] = {}
        self.dice: dict[str, tuple[int, ...]] = {}
        self.figures: dict[str, int] = {}

    def parse(self, name: str, text: str) -> None:
        """Parse one word. Raises ValueError with what is wrong."""
        name = name.strip().casefold().replace("-", "_")
        if name in self._asked:
            self.inputs[name] = self._reader(self._asked[name])(text)
        elif name.partition(AGAIN)[0] in self._numbers:
            self.inputs[name] = read_whole(text)
        elif name in self._rolls:
            self.dice[name] = self._rolls[name].read(text)
        elif name in self._values:
            self.figures[name] = read_whole(text)
        else:
            known = [*self._asked, *sorted(self._numbers), *self._rolls]
            listed = f"; what is asked for: {', '.join(known)}" if known else ""
            near = did_you_mean(name, [*known, *self._values])
            raise ValueError(f"nothing asks for it{near or listed}")

    def ask_for_missing(
        self,
        ask: InputAsker | None,
        unused_options: tuple[str, ...],
        known: Mapping[str, Any],
        no_character: bool,
    ) -> None:
        """Ask for the inputs that are needed, and for those that a rule needs.

        Raises MissingInput where nobody can be asked for the latter. Of two inputs
        that do not go together neither is asked for; without a character,
        running the procedure shows which one is needed.
        """
        for one in self._asked.values():
            if ask is not None and one.needed and one.id not in self.inputs:
                self.inputs[one.id] = ask(one, self._reader(one))
        while missing := self._missing(known, no_character):
            if ask is None or not missing.open:
                raise MissingInput(
                    missing.message, (one.id for one in missing.options), unused_options
                )
            one = missing.options[0]
            self.inputs[one.id] = ask(one, self._reader(one))

    def _missing(self, known: Mapping[str, Any], no_character: bool) -> NeededInput | None:
        """Return the first missing input of steps that can still be given."""
        answers = {**known, **self.inputs}
        inputs = KnownInputs.of(self._state.ruleset, self._asked.values(), answers)
        for missing in find_missing_inputs(self._steps, inputs):
            if missing.options and (missing.open or not no_character):
                return missing
        return None

    def _reader(self, one: Input) -> InputReader:
        held = tuple(items_of(self._state, one, self._unit))
        return lambda text: read_input(self._state.ruleset, one, text, held)


class DiceSource:
    """A roller that takes given dice first, and rolls the others from a seed.

    ``place`` says what they are rolled for, so that the same dice fall when
    it is undone and repeated. Dice are given by the name or the label of
    their roll; those without a name belong to the first roll.
    """

    def __init__(self, seed: str, place: str, dice: Mapping[str, tuple[int, ...]]) -> None:
        self._seed = seed
        self._place = place
        self._left = {name.casefold(): list(faces) for name, faces in dice.items()}
        self._rolls: Counter[str] = Counter()
        self._labels: dict[str, None] = {}

    def __call__(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return the faces of a roll."""
        if FIRST in self._left:
            self._left[name.casefold()] = self._left.pop(FIRST)
        attempt = self._rolls[name]
        self._rolls[name] += 1
        self._labels |= {name: None}
        left = self._left.get(name.casefold()) or self._left.get(label.casefold())
        if left:
            faces = left[: dice.number]
            del left[: dice.number]
            return faces
        return self.random_faces(name, dice, attempt)

    def random_faces(self, name: str, dice: Dice, attempt: int) -> list[int]:
        """Return the faces of dice that were not given."""
        numbers = dice_module.random_stream(self._seed, f"{self._place}.{name}", attempt)
        return dice_module.roll_dice(dice, numbers)[0]

    def refuse_unused(self, label: str) -> None:
        """Raise ProcedureError for given dice that were not rolled; ``label`` names the rule."""
        rolled = ", ".join(self._labels) or "nothing"
        unused = [
            (name, f"{' '.join(map(str, left))} was not needed; what is rolled: {rolled}")
            for name, left in self._left.items()
            if left
        ]
        if unused:
            raise ProcedureError(label, unused)
