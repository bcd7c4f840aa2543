"""The ways on from one step: the engine takes it, once for every fall and every choice.

What a step makes depends only on what it reads and on the world around
it, so it is worked out once for the same of both.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.odds import faces
from charforge.odds.liveness import SIDES, Plan, rerolls
from charforge.odds.state_key import World, Worlds
from charforge.procedures import pools
from charforge.procedures.context import MOST_DICE, Chooser, Roller, Running, Told, Variable
from charforge.procedures.steps import STEPS, Stopped, enter
from charforge.rules.models import (
    Call,
    Decide,
    Procedure,
    ProcedureStep,
    Reroll,
    RollDice,
    RollPool,
)

FIRST = "first"  # dice given without the name of a roll are those of the first
Variables = Mapping[str, Variable]
TooMany = Callable[[Plan, int, int], None]


class Branch(NamedTuple):
    """One way on from a step: ``weight`` out of ``total``, and what it makes."""

    weight: int
    total: int
    world: World
    made: tuple[tuple[str, Variable], ...] = ()
    stops: bool = False


class Fork(NamedTuple):
    """Every way on from a step; of those that are ``chosen`` only one will be taken."""

    ways: tuple[Branch, ...]
    chosen: bool = False


class Point(NamedTuple):
    """A step of a procedure about to be taken, with all that is known there."""

    plan: Plan
    at: int
    variables: Variables
    world: World

    @property
    def step(self) -> ProcedureStep:
        """The step itself."""
        return self.plan.steps[self.at]


class Ways:
    """Finds the ways on from steps; ``most`` is how many there may be.

    ``told`` is told of each step that alone has more, and raises; ``chosen``
    says whether numbers are chosen, or as suggested.
    """

    def __init__(
        self, worlds: Worlds, unit: str, bare: bool, chosen: bool, most: int, told: TooMany
    ) -> None:
        self._worlds, self._unit, self._bare = worlds, unit, bare
        self._chosen, self._most, self._told = chosen, most, told
        self._forks: dict[Hashable, Fork] = {}
        self._numbers: dict[Hashable, int] = {}
        self._entered: dict[Hashable, tuple[Procedure, Variables] | None] = {}

    def fork(self, point: Point) -> Fork:
        """Return the ways on from a step."""
        key, known = _read(point)
        found = self._forks.get(key)
        if found is None:
            step = point.step
            pooled = isinstance(step, RollPool) and not point.world.dice
            found = self._pool(point, known) if pooled else self._tried(point, known)
            self._forks[key] = found
        return found

    def entered(self, point: Point) -> tuple[Procedure, Variables] | None:
        """Return the procedure that a step calls and how it begins; None: it is not called."""
        key, known = _read(point)
        if key not in self._entered:
            running, step = self.running(point, known), point.step
            assert isinstance(step, Call)
            found = None
            if running.applies(step):
                procedure, inner = enter(running, step)
                found = procedure, inner.variables
            self._entered[key] = found
        return self._entered[key]

    def times(self, point: Point) -> int:
        """Return how often a step is taken at most; rerolls are taken one by one."""
        step = point.step
        if step.repeat is not None:
            return step.repeat.at_most
        if not (isinstance(step, Reroll) and rerolls(step)):
            return 1
        running = self.running(point, point.variables)
        times = running.whole(step.times) if running.applies(step) else 0
        if times > MOST_DICE:
            STEPS[Reroll](running, step)  # refuses
        return max(times, 0)

    def value(self, point: Point, formula: Formula) -> int:
        """Evaluate a formula."""
        kept = tuple(point.variables.get(name) for name in formula.names)
        key = (formula.text, point.world.number, kept)
        if key not in self._numbers:
            self._numbers[key] = self.running(point, point.variables).whole(formula)
        return self._numbers[key]

    def running(
        self,
        point: Point,
        known: Variables,
        roll: Roller | None = None,
        choose: Chooser | None = None,
    ) -> Running:
        """Return a run that stands at a step, and knows no more than is said."""
        world = point.world
        running = _Knowing(
            world.state, self._unit, roll or _nothing, choose or _nothing,
            point.plan.procedure.source, dict(world.given), self._bare,
            variables={name: value for name, value in known.items() if SIDES not in name},
            asked=dict(world.asked), answers=dict(world.answers), sides=_sides(known),
        )  # fmt: skip
        running.hidden = frozenset(point.variables.keys() - known.keys())
        return running

    def _pool(self, point: Point, known: Variables) -> Fork:
        """Return what can be left of a pool, all of its dice added up at once."""
        running, step, world = self.running(point, known), point.step, point.world
        assert isinstance(step, RollPool)
        if not running.applies(step):
            return Fork((Branch(1, 1, world),))
        ruleset = world.state.ruleset
        counts = pools.counts(step.dice, running.whole)
        after = point.plan.kept[point.at + 1]
        symbols = [name for name in ruleset.symbols if f"{step.id}_{name}" in after]
        found = list(faces.pool(ruleset, counts, symbols))
        total = sum(ways for _left, ways in found)
        return Fork(tuple(
            Branch(ways, total, world, tuple((f"{step.id}_{s}", n) for s, n in left.items()))
            for left, ways in found
        ))  # fmt: skip

    def _tried(self, point: Point, known: Variables) -> Fork:
        """Take a step again and again until every fall and every choice was tried."""
        ways, chosen = [], False
        untried: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        for script, weight, total in untried:
            try:
                ways.append(self._once(point, known, script)._replace(weight=weight, total=total))
            except _Rolled as rolled:
                dice = rolled.dice
                number = total * len(dice.faces) ** dice.number
                falls = self._falls(point, dice)
                untried += [((*script, fall), weight * often, number) for fall, often in falls]
            except _Asked as asked:
                chosen = True
                untried += [((*script, number), weight, total) for number in asked.numbers]
            if len(untried) - 1 > self._most:
                self._told(point.plan, point.at, len(untried) - 1)
        return Fork(tuple(ways), chosen)

    def _falls(self, point: Point, dice: Dice) -> Iterable[tuple[faces.Fall, int]]:
        """Return the falls of some dice: by their sum, where nothing else of them is read."""
        step = point.step
        after = point.plan.waiting[point.at + 1]
        if isinstance(step, RollDice) and step.repeat is None and f"{step.id}_dice" not in after:
            return faces.sums(dice)
        number = faces.number_of_falls(dice)
        if number > self._most:
            self._told(point.plan, point.at, number)
        return faces.falls(dice)

    def _once(self, point: Point, known: Variables, script: Sequence[Any]) -> Branch:
        """Take a step with these dice and numbers, one after another."""
        said, fallen = list(script), dict(point.world.dice)

        def roll(name: str, dice: Dice, label: str) -> list[int]:
            if FIRST in fallen:
                fallen[name.casefold()] = fallen.pop(FIRST)
            for word in (name.casefold(), label.casefold()):
                if fallen.get(word):
                    shown, fallen[word] = fallen[word][: dice.number], fallen[word][dice.number :]
                    return list(shown)
            if not said:
                raise _Rolled(dice)
            return list(said.pop(0))

        def choose(step: Decide, low: int, high: int, usual: int, _told: Sequence[Told]) -> int:
            if not self._chosen or not step.player:
                return usual
            if not said:
                if high - low >= self._most:
                    self._told(point.plan, point.at, high - low + 1)
                others = (number for number in range(low, high + 1) if number != usual)
                raise _Asked((usual, *others))
            return int(said.pop(0))

        running, step, stops = self.running(point, known, roll, choose), point.step, False
        try:
            if rerolls(step):
                STEPS[Reroll](running, step.model_copy(update={"times": Formula(1)}))
            elif running.applies(step):
                STEPS[type(step)](running, step)
        except Stopped:
            stops = True
        after = self._worlds.of(
            running.state, running.given, fallen, point.world.answers, running.asked
        )
        return Branch(1, 1, after, tuple(_made(running, known)), stops)


class _Rolled(Exception):
    """Dice are rolled whose faces are still to be said."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice


class _Asked(Exception):
    """A number is asked for that is still to be said."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


class _Knowing(Running):
    """A run that knows what it should not read."""

    hidden: frozenset[str] = frozenset()

    def figure(self, name: str) -> int:
        """Return a figure; a variable that was forgotten is a mistake of this package."""
        assert name not in self.hidden, f"{name} is read and was forgotten"
        return super().figure(name)


def _nothing(*_asked: Any) -> Any:
    raise AssertionError("nothing is rolled or chosen here")


def _read(point: Point) -> tuple[Hashable, dict[str, Variable]]:
    """Return what a step reads, and by what to know it again."""
    plan, at, variables, world = point
    known = {name: variables[name] for name in plan.reads[at] if name in variables}
    return (id(plan), at, world.number, tuple(known.items())), known


def _sides(known: Variables) -> dict[str, tuple[int, ...]]:
    """Return the dice of earlier rolls, which stand among the variables."""
    return {
        name.removesuffix(SIDES): value
        for name, value in known.items()
        if SIDES in name and isinstance(value, tuple)
    }


def _made(running: Running, known: Variables) -> Iterable[tuple[str, Variable]]:
    """Yield the variables that a step made or changed; faces without their order."""
    for name, value in running.variables.items():
        if name not in known or known[name] != value:
            yield name, tuple(sorted(value)) if isinstance(value, tuple) else value
    for name, dice in running.sides.items():
        yield f"{name}{SIDES}", dice
