"""A procedure followed through every fall of its dice, to the exact chances of its outputs.

The steps are the engine's own, taken one by one. Where one rolls, every
fall is followed; where one asks for a number, each is tried and the one
that serves best is kept. Two ways that come to the same point with the
same of what is still needed go on as one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.character.state import CHARACTER, State
from charforge.errors import RuleRefusal, UsageError
from charforge.odds.branches import Branch, Fork, Point, Ways
from charforge.odds.distributions import NOTHING, Outcome, Tally, Value, mixed
from charforge.odds.liveness import Plan, Reader, dependable, rerolls, words
from charforge.odds.state_key import World, Worlds
from charforge.procedures.context import Variable
from charforge.procedures.steps import refuse_unit
from charforge.rules.models import Call, Procedure

MOST = 200_000  # ways that are followed one by one: some seconds
GIVEN = " given"  # after the name of an output: what it is where it means anything


@dataclass(frozen=True)
class Case:
    """What one run is told: its inputs, figures in place of a character's, dice that fell."""

    inputs: Mapping[str, Any]
    figures: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Frame:
    """A procedure on its way: the step it is at, and how often that is still to be taken.

    ``taken`` are the outputs that were taken down already.
    """

    plan: Plan
    variables: dict[str, Variable]
    at: int = 0
    again: int | None = None
    taken: frozenset[str] = frozenset()

    def copy(self) -> Frame:
        """Return one that goes on by itself."""
        return Frame(self.plan, dict(self.variables), self.at, self.again, self.taken)

    def take(self, way: Branch) -> World:
        """Go one way on from the step at hand; return the world there."""
        self.variables.update(way.made)
        if way.stops:
            self.at, self.again = len(self.plan.steps), None
        return way.world

    @property
    def needed(self) -> frozenset[str]:
        """The variables that are needed from here on."""
        plan, at = self.plan, self.at
        return plan.midway[at] if rerolls(plan.steps[at]) else plan.waiting[at]


Way = tuple[list[Frame], World]
Followed = Tally | RuleRefusal
Following = Generator[Way, Followed, Followed]


class Odds:
    """The exact chances of a procedure for one unit, case by case.

    ``best`` is the output that numbers chosen on the way should make as
    high as they can; without one they are as suggested. Raises UsageError
    naming the step at which there are more than ``most`` ways to follow.
    """

    def __init__(
        self,
        state: State,
        procedure: Procedure,
        cases: Sequence[Case],
        unit: str = CHARACTER,
        bare: bool = False,
        best: str | None = None,
        most: int = MOST,
    ) -> None:
        refuse_unit(state, procedure, unit)
        self._state, self._procedure = state, procedure
        self._best, self._most = best, most
        self._given = {one.id: one.when for one in procedure.outputs if one.when is not None}
        said = [text for case in cases for text in case.inputs.values()]
        said += [one.default_word for p in state.ruleset.procedures.values() for one in p.inputs]
        self._reader = Reader(state.ruleset, words(said))
        self._worlds = Worlds(state, dependable(state))
        chosen = best is not None
        self._ways = Ways(self._worlds, unit, bare, chosen, most, self._count)
        self._plans: dict[Hashable, Plan] = {}
        self._memo: dict[Hashable, Followed] = {}
        self._followed: Counter[str] = Counter()
        ends = {name for one, when in self._given.items() for name in (one, *when.names)}
        outputs = frozenset(one.id for one in procedure.outputs)
        self._root = Plan(self._reader, procedure, frozenset(ends), outputs)

    def of(self, case: Case) -> tuple[Outcome, ...]:
        """Return the chances of every output. Raises RuleRefusal where the rules refuse."""
        self._followed.clear()
        inputs = {one.id for one in self._procedure.inputs}
        answers = {name: value for name, value in case.inputs.items() if name not in inputs}
        dice = {name.casefold(): tuple(fallen) for name, fallen in case.dice.items()}
        world = self._worlds.of(self._state, case.figures, dice, answers, {})
        running = self._ways.running(Point(self._root, 0, {}, world), {})
        running.begin(self._procedure.inputs, case.inputs)
        tally = self._follow(([Frame(self._root, running.variables)], world))
        if isinstance(tally, RuleRefusal):
            raise tally
        return tuple(self._outcome(one.id, one.label, tally) for one in self._procedure.outputs)

    def _outcome(self, name: str, label: str, tally: Tally) -> Outcome:
        given = tally.chances(f"{name}{GIVEN}").given if name in self._given else None
        return Outcome(name, label, tally.chances(name), given)

    # ------------------------------------------------------------ following

    def _follow(self, way: Way) -> Followed:
        """Follow a way and all that it forks into, however deep, without recursion."""
        stack = [self._through(*way)]
        found: Any = None
        while stack:
            try:
                stack.append(self._through(*stack[-1].send(found)))
                found = None
            except StopIteration as done:
                stack.pop()
                found = done.value
        result: Followed = found
        return result

    def _through(self, frames: list[Frame], world: World) -> Following:
        """Follow a way to its next fork, and through it unless that was done before."""
        try:
            world, fork = self._advance(frames, world)
        except RuleRefusal as refusal:
            return refusal
        root = frames[0]
        settled = _settled(root)
        if fork is None:
            return self._ended(root, world).also(settled)
        key = self._place(frames, world)
        found = self._memo.get(key)
        if found is None:
            found = self._memo[key] = yield from self._forked(frames, fork)
        return found if isinstance(found, RuleRefusal) else found.also(settled)

    def _forked(self, frames: list[Frame], fork: Fork) -> Following:
        """Follow each way of a fork; mix what they come to, or keep the best."""
        self._count(frames[-1].plan, frames[-1].at, len(fork.ways))
        results: list[Followed] = []
        for way in fork.ways:
            own = [frame.copy() for frame in frames]
            results.append((yield own, own[-1].take(way)))
        tallies = [tally for tally in results if isinstance(tally, Tally)]
        refusals = [refusal for refusal in results if isinstance(refusal, RuleRefusal)]
        if refusals and not (fork.chosen and tallies):
            return refusals[0]
        if fork.chosen:
            return max(tallies, key=lambda tally: tally.expected(self._best or ""))
        parts = zip(fork.ways, tallies, strict=True)
        return mixed((way.weight, way.total, tally) for way, tally in parts)

    def _advance(self, frames: list[Frame], world: World) -> tuple[World, Fork | None]:
        """Take steps until one of them forks, or all have been taken."""
        while True:
            frame = frames[-1]
            if frame.at == len(frame.plan.steps):
                if len(frames) == 1:
                    return world, None
                _leave(frames)
                continue
            step = frame.plan.steps[frame.at]
            point = Point(frame.plan, frame.at, frame.variables, world)
            if frame.again is None:
                frame.again = self._ways.times(point)
            over = frame.again == 0
            if not over and step.repeat is not None:
                over = not self._ways.value(point, step.repeat.while_)
            if over:
                frame.at, frame.again = frame.at + 1, None
                continue
            frame.again -= 1
            if isinstance(step, Call):
                frames += self._called(point, step)
                continue
            fork = self._ways.fork(point)
            if len(fork.ways) > 1:
                return world, fork
            world = frame.take(fork.ways[0])

    def _called(self, point: Point, step: Call) -> list[Frame]:
        """Return the frame of the procedure that a step calls, if it does."""
        entered = self._ways.entered(point)
        if entered is None:
            return []
        procedure, variables = entered
        ends = frozenset(step.take.values())
        key = (procedure.id, ends)
        if key not in self._plans:
            self._plans[key] = Plan(self._reader, procedure, ends)
        return [Frame(self._plans[key], dict(variables))]

    def _place(self, frames: list[Frame], world: World) -> Hashable:
        """Return all that what comes next depends on."""
        parts: list[Hashable] = []
        figures: set[str] = set()
        for frame in frames:
            inner = frame is frames[-1]
            needed = frame.needed if inner else frame.plan.within[frame.at]
            kept = tuple([frame.variables.get(name) for name in needed])
            parts.append((id(frame.plan), frame.at, frame.again, kept))
            figures |= frame.plan.figures[frame.at]
        return tuple(parts), self._worlds.seen(world, frozenset(figures))

    def _ended(self, root: Frame, world: World) -> Tally:
        """Return what a way came to that has ended: the outputs where they mean anything."""
        found: dict[str, dict[Value | None, int]] = {}
        for name, when in self._given.items():
            unmade = (when.names & root.plan.makes) - root.variables.keys()
            point = Point(root.plan, root.at, root.variables, world)
            means = not unmade and self._ways.value(point, when)
            found[f"{name}{GIVEN}"] = {_value(root, name) if means else NOTHING: 1}
        return Tally(1, found)

    def _count(self, plan: Plan, at: int, ways: int) -> None:
        """Count ways by the step that makes them. Raises UsageError for too many."""
        step = plan.steps[at]
        name = getattr(step, "id", step.do)
        label = getattr(step, "label", "") or name
        shown = label if label == name else f"{label} ({name})"
        self._followed[f"{shown} of {plan.procedure.label}"] += ways
        if self._followed.total() > self._most:
            culprit = self._followed.most_common(1)[0][0]
            raise UsageError(
                f"{self._procedure.label} has more than {self._most} ways to go, "
                f"most of them by this step: {culprit}",
                "Settle some of it with --set: a number that is chosen, dice that fell.",
            )


def _settled(root: Frame) -> dict[str, Value | None]:
    """Take down the outputs that nothing changes any more."""
    fresh = root.plan.outputs - root.plan.changing[root.at] - root.taken
    root.taken |= fresh
    return {name: _value(root, name) for name in fresh}


def _value(root: Frame, name: str) -> Value | None:
    value = root.variables.get(name)
    return NOTHING if isinstance(value, tuple) else value


def _leave(frames: list[Frame]) -> None:
    """Go back from a procedure that has ended to the one that called it."""
    ended = frames.pop()
    caller = frames[-1]
    step = caller.plan.steps[caller.at]
    assert isinstance(step, Call)
    for ours, theirs in step.take.items():
        caller.variables[ours] = ended.variables.get(theirs, 0)
