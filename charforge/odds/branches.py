"""The branches of one step: it is run once for every roll of its dice and every choice.

The result of a step depends only on the variables it reads and on the
situation, so branches are kept and used again where these are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple

from charforge.character.state import CHARACTER, Holding, State
from charforge.character.state_data import Conditions
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.language import _
from charforge.odds.distributions import (
    Faces,
    counted_alike,
    number_of_rolls,
    rolls_by_sum,
    weighted_rolls,
    work_of_kept,
)
from charforge.odds.liveness import LiveSteps
from charforge.procedures.context import (
    CHOSEN_AGAIN,
    Chooser,
    ProcedureContext,
    Roller,
    StepMessage,
    Variable,
)
from charforge.procedures.inputs import RolledDice
from charforge.procedures.steps import ProcedureStopped
from charforge.procedures.steps.base import SIDES
from charforge.procedures.steps.flow import calls_of, enter_call
from charforge.rules.models import ChooseStep, Entity, Procedure, ProcedureStep

MOST_KEPT_WORK = 5_000_000  # steps for one roll of which some dice are dropped: about a second
VariableValues = Mapping[str, Variable]


@dataclass(frozen=True, eq=False, slots=True)
class RunSituation:
    """Everything that a run depends on besides its variables.

    ``figures`` stand in place of a character's, ``dice`` are typed faces
    not used yet, ``answers`` the numbers chosen beforehand, ``times_asked``
    how often each of those was asked for. ``key`` distinguishes everything
    that is not a figure or a resource; ``number`` is unique.
    """

    number: int
    state: State
    figures: Mapping[str, int]
    dice: Mapping[str, Faces]
    answers: Mapping[str, int]
    times_asked: Mapping[str, int]
    key: Hashable


class Situations:
    """The different situations of the runs that begin in one state.

    Equal ones are one object, so that derived values are computed once.
    ``always_needed`` are the names from which values are computed.
    """

    def __init__(self, first: State, always_needed: frozenset[str]) -> None:
        self._first = first
        self._always_needed = always_needed
        self._units = {unit.id for unit in first.units}
        self._by_key: dict[Hashable, RunSituation] = {}
        self._relevant: dict[tuple[int, frozenset[str]], Hashable] = {}

    def of(
        self,
        state: State,
        figures: Mapping[str, int],
        dice: Mapping[str, Faces],
        answers: Mapping[str, int],
        times_asked: Mapping[str, int],
    ) -> RunSituation:
        """Return the situation with these parts."""
        choices = {name.partition(CHOSEN_AGAIN)[0] for name in answers}
        counted = {name: times for name, times in times_asked.items() if name in choices}
        left = {name: faces for name, faces in dice.items() if faces}
        rest = ((_items(left), _items(answers), _items(counted)), tuple(self._changed(state)))
        key = (rest, _items(state.resource_changes), _items(figures))
        situation = self._by_key.get(key)
        if situation is None:
            parts = (state, dict(figures), left, answers, counted, rest)
            situation = self._by_key[key] = RunSituation(len(self._by_key), *parts)
        return situation

    def _changed(self, state: State) -> list[Hashable]:
        """Return each changed field of a state with its new content, except what is spent."""
        if state is self._first:
            return []
        same_resources = state.with_changes(resource_changes=self._first.resource_changes)
        return [
            (field.name, comparable(getattr(same_resources, field.name)))
            for field in fields(State)
            if field.compare
            if getattr(same_resources, field.name) != getattr(self._first, field.name)
        ]

    def relevant(self, situation: RunSituation, names: frozenset[str]) -> Hashable:
        """Return a key of everything in a situation that matters if only these names are read."""
        request = (situation.number, names)
        key = self._relevant.get(request)
        if key is None:
            needed = names | self._always_needed
            spent = (
                (of, amount)
                for of, amount in situation.state.resource_changes.items()
                if of[1] in needed or of[0] not in self._units
            )
            figures = ((n, amount) for n, amount in situation.figures.items() if n in needed)
            key = self._relevant[request] = (frozenset(spent), frozenset(figures), situation.key)
        return key


def _items(parts: Mapping[Any, Hashable]) -> Hashable:
    return frozenset(parts.items())


def comparable(part: object) -> Hashable:
    """Return a hashable form of a part of a state; entities by their ids."""
    if isinstance(part, Entity):
        return part.id
    if isinstance(part, tuple | Conditions):
        return tuple(map(comparable, part))
    if is_dataclass(part):
        return tuple(comparable(getattr(part, field.name)) for field in fields(part))
    return repr(part)


class Branch(NamedTuple):
    """One result of a step: ``weight`` ways out of ``total``, the situation and variables after it.

    ``stops`` says that it ends the procedure.
    """

    weight: int
    total: int
    situation: RunSituation
    variables: tuple[tuple[str, Variable], ...] = ()
    stops: bool = False


class Fork(NamedTuple):
    """All branches of a step; ``chosen`` says that the player selects one of them."""

    branches: tuple[Branch, ...]
    chosen: bool = False


class Position(NamedTuple):
    """A step of a procedure before it runs, with the variables and the situation there."""

    live: LiveSteps
    at: int
    variables: VariableValues
    situation: RunSituation

    @property
    def step(self) -> ProcedureStep:
        """The step itself."""
        return self.live.steps[self.at]


@dataclass(frozen=True)
class Actor:
    """Who runs a procedure, and with what.

    ``bearer`` is the unit whose attack it is, where another one rolls it; ``holding`` the item
    whose action it is. With ``no_character`` only the figures of the case are known;
    ``overridden`` allows what limits and lenient requirements forbid.
    """

    unit_id: str = CHARACTER
    bearer: str = ""
    holding: Holding | None = None
    no_character: bool = False
    overridden: bool = False


THE_CHARACTER = Actor()


class BranchFinder:
    """Finds the branches of steps that an actor runs, at most ``most`` of one step.

    ``too_many`` is called for a step that has more, with its place and the
    number of its branches, and raises. ``chosen`` says whether every number
    is tried where one is asked for, or only the suggested one.
    """

    def __init__(
        self,
        situations: Situations,
        actor: Actor,
        chosen: bool,
        most: int,
        too_many: Callable[[LiveSteps, int, int], None],
    ) -> None:
        self._situations, self._actor = situations, actor
        self._chosen, self._most, self._too_many = chosen, most, too_many
        self._forks: dict[Hashable, Fork] = {}
        self._numbers: dict[Hashable, int] = {}
        self._times: dict[Hashable, int] = {}
        self._entered: dict[Hashable, tuple[Procedure, VariableValues] | None] = {}
        self.outside: dict[str, ProcedureError] = {}  # numbers chosen beforehand, at some branches
        self.within: set[str] = set()  # those that are possible at some branch

    def forget_numbers(self) -> None:
        """Forget where numbers chosen beforehand were possible, and all branches."""
        self._forks.clear()
        self.outside.clear()
        self.within.clear()

    def fork(self, position: Position) -> Fork:
        """Return the branches of a step."""
        key, known = _read_variables(position)
        fork = self._forks.get(key)
        if fork is None:
            computes = position.live.kinds[position.at].computes_results
            # Typed faces are used in order, so results cannot be computed with them.
            compute = self._computed if computes and not position.situation.dice else self._tried
            fork = self._forks[key] = compute(position, known)
        return fork

    def enter(self, position: Position, turn: int) -> tuple[Procedure, VariableValues] | None:
        """Return the procedure that a step calls, with its first variables; None: not called.

        A step that runs for each value of a group calls it for the value of a ``turn``.
        """
        known_key, known = _read_variables(position)
        key = (known_key, turn)
        if key not in self._entered:
            context, call = self.context(position, known), position.live.calls[position.at]
            entered = None
            if call is not None and (call.for_each or context.applies(call)):
                calls = [*calls_of(call, context.state.ruleset)]
                procedure, inner = enter_call(context, calls[turn if call.for_each else 0])
                entered = procedure, inner.variables
            self._entered[key] = entered
        return self._entered[key]

    def times(self, position: Position) -> int:
        """Return how often a step, or the part of it that is followed at a time, runs at most."""
        step, live = position.step, position.live
        if step.repeat is not None:
            return step.repeat.at_most
        if not live.divided(position.at):
            return 1
        read = tuple([position.variables.get(name) for name in live.reads[position.at]])
        key = (id(live), position.at, position.situation.number, read)
        if key not in self._times:
            context = self.context(position, position.variables)
            applies = context.applies(step)
            self._times[key] = live.kinds[position.at].times(context, step) if applies else 0
        return self._times[key]

    def value(self, position: Position, formula: Formula) -> int:
        """Evaluate a formula."""
        read = tuple(position.variables.get(name) for name in formula.names)
        key = (formula.text, position.situation.number, read)
        if key not in self._numbers:
            self._numbers[key] = self.context(position, position.variables).evaluate(formula)
        return self._numbers[key]

    def context(
        self,
        position: Position,
        values: VariableValues,
        roll: Roller | None = None,
        choose: Chooser | None = None,
    ) -> ProcedureContext:
        """Return a context at a step, with only the variables in ``values``."""
        situation, actor = position.situation, self._actor
        context = _PartialContext(
            situation.state, actor.unit_id, roll or _unexpected, choose or _unexpected,
            position.live.procedure.source, dict(situation.figures), actor.no_character,
            actor.holding,
            variables={name: value for name, value in values.items() if SIDES not in name},
            times_asked=dict(situation.times_asked), answers=dict(situation.answers),
            sides=_sides(values), bearer=actor.bearer, overridden=actor.overridden,
        )  # fmt: skip
        context.forgotten = frozenset(position.variables.keys() - values.keys())
        context.label, context.finder = position.live.procedure.label, self
        return context

    def _computed(self, position: Position, known: VariableValues) -> Fork:
        """Return the branches of a step that computes its results."""
        live, at, situation = position.live, position.at, position.situation
        context, step = self.context(position, known), position.step
        if not context.applies(step):
            return Fork((Branch(1, 1, situation),))
        results = list(live.kinds[at].results(context, step, live.kept[at + 1]))
        total = sum(ways for _variables, ways in results)
        return Fork(tuple(
            Branch(ways, total, situation, tuple(variables.items())) for variables, ways in results
        ))  # fmt: skip

    def _tried(self, position: Position, known: VariableValues) -> Fork:
        """Run a step again and again until every roll and every choice was tried.

        A script lists the rolls and numbers of one run; where it ends, the
        step asks for another one, and each of its values makes a new script.
        """
        branches, chosen = [], False
        scripts: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        for script, weight, total in scripts:
            try:
                branch = self._run(position, known, script)
                branches.append(branch._replace(weight=weight, total=total))
            except _NeedsDice as needed:
                dice = needed.dice
                number = total * len(dice.faces) ** dice.number
                scripts += [
                    ((*script, faces), weight * ways, number)
                    for faces, ways in self._rolls(position, dice)
                ]
            except _NeedsChoice as needed_choice:
                chosen = True
                scripts += [((*script, n), weight, total) for n in needed_choice.numbers]
            if len(scripts) - 1 > self._most:
                self._too_many(position.live, position.at, len(scripts) - 1)
        return Fork(tuple(branches), chosen)

    def _rolls(self, position: Position, dice: Dice) -> Iterable[tuple[Faces, int]]:
        """Return the rolls of some dice with their ways.

        One for each sum, or for each combination of counts, if nothing else is read.
        """
        live, at = position.live, position.at
        counted = live.counted[at]
        if counted is not None and not dice.keep:
            dice = counted_alike(dice, counted)
        elif not live.kinds[at].needs_faces(position.step, live.needed[at + 1]):
            if dice.keep and work_of_kept(dice) > MOST_KEPT_WORK:
                self._too_many(live, at, self._most + 1)
            return rolls_by_sum(dice)
        number = number_of_rolls(dice)
        if number > self._most:
            self._too_many(live, at, number)
        return weighted_rolls(dice)

    def _run(self, position: Position, known: VariableValues, script: Sequence[Any]) -> Branch:
        """Run a step, or a part of it, with these rolls and choices."""
        scripted = _Script(self, position, script)
        context = self.context(position, known, scripted.roll, scripted.choose)
        live, step, stops = position.live, position.live.single[position.at], False
        try:
            if context.applies(step):
                live.kinds[position.at].run(context, step)
        except ProcedureStopped:
            stops = True
        situation = self._situations.of(
            context.state,
            context.figures,
            scripted.rolled.left,
            position.situation.answers,
            context.times_asked,
        )
        return Branch(1, 1, situation, tuple(_written(context, known)), stops)

    def numbers(self, position: Position, step: ChooseStep, low: int, high: int) -> range | None:
        """Return the numbers to try where one is asked for; None: the suggested one.

        A number given beforehand answers the first question. If the step asks again, the suggested
        number is used, as in a run without a terminal.
        """
        if not self._chosen or not step.player or step.id in position.situation.answers:
            return None
        if high - low >= self._most:
            self._too_many(position.live, position.at, high - low + 1)
        return range(low, high + 1)


class _NeedsDice(Exception):
    """A step rolls dice for which its script has no faces."""

    def __init__(self, dice: Dice) -> None:
        self.dice = dice


class _NeedsChoice(Exception):
    """A step asks for a number that its script does not have."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        self.numbers = numbers


class _Script:
    """The rolls and numbers of one run of a step, in order; typed faces come first."""

    def __init__(self, finder: BranchFinder, position: Position, script: Sequence[Any]) -> None:
        self._finder, self._position = finder, position
        self._left = list(script)
        self.rolled = RolledDice(position.situation.dice)

    def roll(self, name: str, dice: Dice, label: str) -> list[int]:
        """Return typed faces, else the next of the script. Raises _NeedsDice."""
        faces = self.rolled.take(name, label, dice)
        if faces:
            return faces
        if not self._left:
            raise _NeedsDice(dice)
        return list(self._left.pop(0))

    def choose(
        self,
        step: ChooseStep,
        low: int,
        high: int,
        suggested: int,
        _messages: Sequence[StepMessage],
    ) -> int:
        """Return the suggested number, or the next of the script. Raises _NeedsChoice."""
        numbers = self._finder.numbers(self._position, step, low, high)
        if numbers is None:
            return suggested
        if not self._left:
            raise _NeedsChoice((suggested, *(n for n in numbers if n != suggested)))
        return int(self._left.pop(0))


class _PartialContext(ProcedureContext):
    """A context without the variables that the step does not read."""

    forgotten: frozenset[str] = frozenset()
    finder: BranchFinder

    def unset(self, name: str) -> int | tuple[int, ...] | None:
        """Return a variable not set. Reading a forgotten one is a mistake in the ``reads``."""
        assert name not in self.forgotten, f"{name} is read and was forgotten"
        return super().unset(name)

    def number_within(self, name: str) -> None:
        """Note that a number chosen beforehand is possible at some branch."""
        self.finder.within.add(name)

    def number_outside(self, refusal: ProcedureError, nearest: int) -> int:
        """Return the nearest number: a roll may allow less than was chosen beforehand."""
        for name, _why in refusal.problems:
            known = self.finder.outside.setdefault(name, refusal)
            if known.problems != refusal.problems:  # the bounds differ from roll to roll
                why = [(name, _("no roll allows this number"))]
                self.finder.outside[name] = ProcedureError(self.label, why)
        return nearest


def _unexpected(*_arguments: Any) -> Any:
    raise AssertionError("nothing is rolled or chosen here")


def _read_variables(position: Position) -> tuple[Hashable, dict[str, Variable]]:
    """Return a key for everything that a step's result depends on, and the variables it reads."""
    live, at, variables, situation = position
    known = {name: variables[name] for name in live.single_reads[at] if name in variables}
    return (id(live), at, situation.number, tuple(known.items())), known


def _sides(known: VariableValues) -> dict[str, tuple[int, ...]]:
    """Return the dice of earlier rolls, which are kept among the variables."""
    return {
        name.removesuffix(SIDES): value
        for name, value in known.items()
        if SIDES in name and isinstance(value, tuple)
    }


def _written(context: ProcedureContext, known: VariableValues) -> Iterator[tuple[str, Variable]]:
    """Yield the variables that a step wrote; faces without their order."""
    for name, value in context.variables.items():
        if name not in known or known[name] != value:
            yield name, tuple(sorted(value)) if isinstance(value, tuple) else value
    for name, dice in context.sides.items():
        yield f"{name}{SIDES}", dice
