"""What is said and rolled at the table: inputs in words, dice given or from the seed's stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from charforge.character.state import State
from charforge.character.values import LEVEL
from charforge.errors import MissingInput, ProcedureError, did_you_mean
from charforge.expressions import dice as dice_module
from charforge.expressions.dice import Dice
from charforge.procedures import inputs as reading
from charforge.procedures.run import AGAIN, Chooser, nobody
from charforge.rules.models import AnyProcedureStep, Decide, Die, Input, RollDice, RollPool
from charforge.rules.models.vocabulary import BLANK
from charforge.rules.ruleset import Ruleset
from charforge.usecases.missing_inputs import Lack, lacks

NOTHING: Mapping[str, Any] = MappingProxyType({})
FIRST = "first"  # the name of dice that were given without one: those of the first roll
Read = Callable[[str], int | str]
# Asks for an input, given what reads (or, with ValueError, refuses) the words of the answer.
Ask = Callable[[Input, Read], int | str]


@dataclass(frozen=True)
class Said:
    """What a player says of a roll: ``words`` by name, the ``dice`` that fell, by roll.

    ``ask`` is asked for the inputs that are still needed, ``choose`` for
    the numbers chosen on the way; without them both are as they are when
    nobody is there. ``own`` are the inputs that the verb itself takes and
    was not told.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    ask: Ask | None = None
    choose: Chooser = nobody
    own: tuple[str, ...] = ()

    def also(self, **words: object) -> Said:
        """Return this with more words of the verb's own; what is None is not said."""
        more = {name: str(word) for name, word in words.items() if word is not None}
        own = tuple(name for name, word in words.items() if word is None)
        return replace(self, words={**self.words, **more}, own=own)


@dataclass(frozen=True)
class Tellable:
    """What an ability or procedure can be told: inputs, numbers chosen on the way, rolls.

    ``usual`` is what stands for an input that is left out, where it is
    known who does it with what.
    """

    label: str
    inputs: tuple[Input, ...]
    choices: tuple[Decide, ...]
    rolls: tuple[RollDice | RollPool, ...]
    usual: Mapping[str, int | str] = field(default_factory=dict)


def tellable(
    ruleset: Ruleset,
    label: str,
    inputs: Iterable[Input],
    steps: Iterable[AnyProcedureStep],
    usual: Mapping[str, int | str] = NOTHING,
) -> Tellable:
    """Return what can be told of steps, each roll once."""
    every = list(reading.every_step(ruleset, steps))
    rolls = {step.id: step for step in every if isinstance(step, RollDice | RollPool)}
    choices = {step.id: step for step in every if isinstance(step, Decide)}
    return Tellable(label, tuple(inputs), tuple(choices.values()), tuple(rolls.values()), usual)


@dataclass(frozen=True)
class Heard:
    """What words came to: inputs of their own type, dice by roll, figures by value."""

    inputs: Mapping[str, Any]
    dice: Mapping[str, tuple[int, ...]]
    figures: Mapping[str, int]


def hear(
    state: State,
    what: str,
    inputs: tuple[Input, ...],
    steps: Iterable[AnyProcedureStep],
    said: Said,
    unit: str,
    bare: bool = False,
    figures: bool = False,
    known: Mapping[str, Any] = NOTHING,
) -> Heard:
    """Read what is said of the inputs and steps of ``what``; ask for what is needed beyond it.

    A word is that of an input, of a number chosen on the way, of a roll, or
    (where ``figures`` may be given) of a value. ``known`` is what ``what``
    says of its inputs itself. Raises ProcedureError with everything that is
    wrong or missing.
    """
    hearing = _Hearing(state, inputs, tuple(steps), unit, figures)
    problems = []
    for name, text in said.words.items():
        try:
            hearing.word(name, text)
        except ValueError as error:
            problems.append((name, str(error)))
    wrong = {name.casefold() for name, _why in problems}
    untold = None
    if not problems:
        try:
            hearing.settle(said.ask, said.own, known, bare)
        except MissingInput as error:
            untold = error
    had = hearing.figures if bare else None
    faults = reading.input_faults(state, inputs, hearing.inputs, unit, had)
    problems += [(name, why) for name, why in faults if name not in wrong]
    if untold is not None and not problems:
        raise untold
    if untold is not None:
        problems.append(("", untold.reason))
    if problems:
        given = hearing.inputs.keys() | wrong
        missing = [one.id for one in inputs if one.needed and one.id not in given]
        missing += untold.ways if untold is not None and len(untold.ways) == 1 else ()
        raise ProcedureError(what, problems, missing, own=said.own)
    return Heard(hearing.inputs, {**hearing.dice, **said.dice}, hearing.figures)


class _Hearing:
    """Words being read, each for what it may mean."""

    def __init__(
        self,
        state: State,
        inputs: tuple[Input, ...],
        steps: tuple[AnyProcedureStep, ...],
        unit: str,
        figures: bool,
    ) -> None:
        ruleset = state.ruleset
        self.state, self.unit = state, unit
        self.steps = steps
        self.wanted = {one.id: one for one in inputs}
        self.chosen = {step.id for step in reading.choices(ruleset, steps)}
        self.rolls = _rolls(ruleset, steps)
        self.values = {LEVEL, *ruleset.values} if figures else set()
        for one in inputs if figures else ():
            self.values |= {f"{one.id}_{name}" for name in ruleset.own_numbers(one.kind)}
        self.inputs: dict[str, Any] = {}
        self.dice: dict[str, tuple[int, ...]] = {}
        self.figures: dict[str, int] = {}

    def word(self, name: str, text: str) -> None:
        """Read one word. Raises ValueError with what is wrong."""
        plain = name.strip().casefold().replace("-", "_")
        if plain in self.wanted:
            self.inputs[plain] = self._read(self.wanted[plain])(text)
        elif plain.partition(AGAIN)[0] in self.chosen:
            self.inputs[plain] = reading.whole(text)
        elif plain in self.rolls:
            self.dice[plain] = self.rolls[plain](text)
        elif plain in self.values:
            self.figures[plain] = reading.whole(text)
        else:
            asked = [*self.wanted, *sorted(self.chosen), *self.rolls]
            listed = f"; what is asked for: {', '.join(asked)}" if asked else ""
            near = did_you_mean(plain, [*asked, *self.values])
            raise ValueError(f"nothing asks for it{near or listed}")

    def settle(
        self, ask: Ask | None, own: tuple[str, ...], known: Mapping[str, Any], bare: bool
    ) -> None:
        """Ask for the inputs that cannot be left out, and for what a step cannot do without.

        Raises Untold where nobody can be asked for the latter. Of two inputs
        that do not go together neither is asked for; where there is no
        character, the run shows which is wanted.
        """
        for one in self.wanted.values():
            if ask is not None and one.needed and one.id not in self.inputs:
                self.inputs[one.id] = ask(one, self._read(one))
        while lack := self._lack(known, bare):
            if ask is None or not lack.open:
                raise MissingInput(lack.words, (one.id for one in lack.ways), own)
            self.inputs[lack.ways[0].id] = ask(lack.ways[0], self._read(lack.ways[0]))

    def _lack(self, known: Mapping[str, Any], bare: bool) -> Lack | None:
        """Return the first thing that steps cannot do without and that can be told."""
        told = {**known, **self.inputs}
        found = lacks(self.state.ruleset, self.wanted.values(), self.steps, told)
        return next((lack for lack in found if lack.ways and (lack.open or not bare)), None)

    def _read(self, one: Input) -> Read:
        held = tuple(reading.items_of(self.state, one, self.unit))
        return lambda text: reading.read(self.state.ruleset, one, text, held)


def _rolls(
    ruleset: Ruleset, steps: Iterable[AnyProcedureStep]
) -> dict[str, Callable[[str], tuple[int, ...]]]:
    """Return what reads the dice of each roll, by its name: of a pool one for each die."""
    found: dict[str, Callable[[str], tuple[int, ...]]] = {}
    for step in reading.every_step(ruleset, steps):
        if isinstance(step, RollDice):
            found[step.id] = faces
        elif isinstance(step, RollPool):
            for name in step.dice:
                die = ruleset.symbol_dice[name]
                found[step.roll(name)] = partial(symbol_faces, ruleset, die)
    return found


def symbol_faces(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read the faces of symbol dice: by number, or as ``success+advantage, blank``.

    Raises ValueError.
    """
    parts = (part.strip() for part in text.split(","))
    return tuple(face for part in parts for face in _symbol_face(ruleset, die, part))


def _symbol_face(ruleset: Ruleset, die: Die, text: str) -> tuple[int, ...]:
    """Read one face by its symbols, or some by their numbers."""
    if any(sign.isdecimal() for sign in text):
        return faces(text)
    words = [word.strip().casefold() for word in text.split("+")]
    if words == [BLANK]:
        words = []
    called = {name.casefold(): symbol.id for symbol in ruleset.head.symbols
              for name in (symbol.id, symbol.label)}  # fmt: skip
    unknown = [word for word in words if word not in called]
    if unknown:
        raise ValueError(f"no symbol is named {unknown[0]!r}{did_you_mean(unknown[0], called)}")
    wanted = sorted(called[word] for word in words)
    for number, symbols in enumerate(die.symbols, 1):
        if sorted(symbols) == wanted:
            return (number,)
    raise ValueError(f"no face of {die.label or die.id} shows {text}")


def faces(text: str) -> tuple[int, ...]:
    """Read the faces of dice, such as ``3,4``. Raises ValueError."""
    return tuple(reading.whole(part) for part in text.replace(",", " ").split())


class Thrown:
    """The dice of one roll after another: those given first, the others from a seed's stream.

    ``place`` is what they are rolled for: undone and made again, the same
    dice fall. Dice are given by the name of their roll or what it is for;
    those without a name are of the first roll that is asked for.
    """

    def __init__(self, seed: str, place: str, given: Mapping[str, tuple[int, ...]]) -> None:
        self._seed = seed
        self._place = place
        self._left = {name.casefold(): list(faces) for name, faces in given.items()}
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
            given = left[: dice.number]
            del left[: dice.number]
            return given
        return self.fallen(name, dice, attempt)

    def fallen(self, name: str, dice: Dice, attempt: int) -> list[int]:
        """Return the faces of dice that nobody gave."""
        numbers = dice_module.random_stream(self._seed, f"{self._place}.{name}", attempt)
        return dice_module.roll_dice(dice, numbers)[0]

    def refuse_unused(self, what: str) -> None:
        """Raise ProcedureError for dice that were given and never rolled."""
        rolled = ", ".join(self._labels) or "nothing"
        unused = [
            (name, f"{' '.join(map(str, left))} was not needed; what is rolled: {rolled}")
            for name, left in self._left.items()
            if left
        ]
        if unused:
            raise ProcedureError(what, unused)
