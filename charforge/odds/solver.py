"""Exact odds: a procedure is followed through every possible roll of its dice.

Steps are run one by one. At a roll, the run forks into one branch for each
result; at a number that the player chooses, every number is tried and the
best one kept. Runs that reach the same step with the same values of
everything still needed are followed only once.

``reads_of`` and ``state_key`` are the parts of a state that the odds depend on: any other change
leaves them as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.character.modifiers import ValueModifier, local_formulas
from charforge.character.state import Holding, State
from charforge.character.state_data import names_of
from charforge.errors import RuleRefusal, UsageError
from charforge.expressions.formula import TAG_PREFIX, Formula
from charforge.language import _
from charforge.odds.branches import (
    THE_CHARACTER,
    Actor,
    Branch,
    BranchFinder,
    Fork,
    Position,
    RunSituation,
    Situations,
    comparable,
)
from charforge.odds.distributions import NO_VALUE, Outcome, OutputValue, Tally, mix_tallies
from charforge.odds.liveness import LiveSteps, computing_names
from charforge.procedures.context import Variable
from charforge.procedures.inputs import RolledDice
from charforge.procedures.steps import refuse_unit
from charforge.procedures.steps.base import NO_NAMES, NameReader, NameSet, text_names
from charforge.procedures.steps.flow import calls_of, take_outputs
from charforge.rules.models import Call, Entity, Procedure
from charforge.rules.models.base import leaves
from charforge.rules.ruleset import Ruleset

MAX_BRANCHES = 200_000  # branches of all steps together: some seconds
# Few branches can still take long, and much memory, if many steps lie between them or each has
# many results. Each result that is kept for a branch is one unit of work.
MOST_WORK = 10_000_000
STEP_WORK = 3  # units that a step takes
MERGE = Fork(())  # no fork, but what follows was perhaps calculated already
GIVEN_SUFFIX = " given"  # after the name of an output: its value in the runs that meet its ``when``


@dataclass(frozen=True)
class Case:
    """The input of one calculation: inputs, figures in place of a character's, dice rolled already.

    ``inputs`` may also have the numbers that are chosen on the way; ``dice``
    are faces by the name of their roll.
    """

    inputs: Mapping[str, Any]
    figures: Mapping[str, int] = field(default_factory=dict)
    dice: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Frame:
    """A procedure being followed: the place of its next step, and its variables.

    ``again`` is how often that step still runs of ``turns``, None before it was reached;
    ``recorded`` are the outputs that were recorded already.
    """

    live: LiveSteps
    variables: dict[str, Variable]
    at: int = 0
    again: int | None = None
    recorded: NameSet = frozenset()
    turns: int = 0

    def copy(self) -> Frame:
        """Return a frame for another branch."""
        variables = dict(self.variables)
        return Frame(self.live, variables, self.at, self.again, self.recorded, self.turns)

    def follow(self, branch: Branch) -> RunSituation:
        """Continue along a branch of the step; return the situation after it."""
        self.variables.update(branch.variables)
        if branch.stops:
            self.at, self.again = len(self.live.steps), None
        return branch.situation

    @property
    def needed(self) -> NameSet:
        """The variables that are needed from here on."""
        live, at = self.live, self.at
        midway = self.again is not None and live.divided(at)
        return live.needed_midway[at] if midway else live.needed[at]


Run = tuple[list[Frame], RunSituation]  # the frames of a procedure and of those it calls
RunResult = Tally | RuleRefusal
Following = Generator[Run, RunResult, RunResult]


class Odds:
    """The exact odds of a procedure that an actor runs, case by case (``of``).

    ``best`` is the id of the output whose expected value chosen numbers are
    to make as high as possible; without one they are as suggested. ``outputs``
    are the ids of the outputs to calculate, by default all; a few take less
    time. Raises UsageError, naming the step, for more than ``most`` branches.
    """

    def __init__(
        self,
        state: State,
        procedure: Procedure,
        cases: Sequence[Case],
        actor: Actor = THE_CHARACTER,
        best: str | None = None,
        most: int = MAX_BRANCHES,
        outputs: Collection[str] | None = None,
    ) -> None:
        refuse_unit(state, procedure, actor.unit_id)
        self._state, self._procedure = state, procedure
        self._best, self._most = best, most
        self._outputs = [o for o in procedure.outputs if outputs is None or o.id in outputs]
        self._conditional = {o.id: o.when for o in self._outputs if o.when is not None}
        texts = [text for case in cases for text in case.inputs.values()]
        texts += [i.default_word for p in state.ruleset.procedures.values() for i in p.inputs]
        texts += _words_of_calls(state.ruleset, procedure)
        self._reader = NameReader(state.ruleset, text_names(texts))
        self._situations = Situations(state, computing_names(state))
        self._branches = BranchFinder(self._situations, actor, best is not None, most, self._count)
        self._live: dict[Hashable, LiveSteps] = {}
        self._results: dict[Hashable, RunResult] = {}
        self._counts: Counter[str] = Counter()  # branches by step
        self._work = 0
        self.adjusted: set[str] = set()  # numbers chosen beforehand that some rolls do not allow
        ends = {n for name, when in self._conditional.items() for n in (name, *when.names)}
        tallied = frozenset(o.id for o in procedure.outputs if o in self._outputs or o.id == best)
        self._root = LiveSteps(self._reader, procedure, frozenset(ends), tallied)

    def of(self, case: Case) -> tuple[Outcome, ...]:
        """Return the chances of the outputs. Raises RuleRefusal where the rules refuse.

        A number chosen beforehand that only some rolls allow is the nearest possible one in the
        others (``adjusted``). Raises ProcedureError for one that no roll allows.
        """
        branches, known = self._branches, bool(self._results)
        if branches.outside:  # of another case
            self._forget_numbers()
        outcomes = self._calculate(case)
        if branches.outside.keys() - branches.within and known:
            self._forget_numbers()  # it may be possible at branches that are known
            outcomes = self._calculate(case)
        for name, refusal in branches.outside.items():
            if name not in branches.within:
                raise refusal
        self.adjusted |= branches.outside.keys()
        return outcomes

    def _forget_numbers(self) -> None:
        self._branches.forget_numbers()
        self._results.clear()

    def _calculate(self, case: Case) -> tuple[Outcome, ...]:
        """Return the chances of the outputs, with the nearest possible numbers."""
        self._counts.clear()
        self._work = 0
        inputs = {input_.id for input_ in self._procedure.inputs}
        answers = {name: value for name, value in case.inputs.items() if name not in inputs}
        dice = RolledDice(case.dice).left
        situation = self._situations.of(self._state, case.figures, dice, answers, {})
        context = self._branches.context(Position(self._root, 0, {}, situation), {})
        context.set_inputs(self._procedure.inputs, case.inputs)
        tally = self._follow(([Frame(self._root, context.variables)], situation))
        if isinstance(tally, RuleRefusal):
            raise tally
        return tuple(self._outcome(o.id, o.label, tally) for o in self._outputs)

    def _outcome(self, name: str, label: str, tally: Tally) -> Outcome:
        given = tally.chances(f"{name}{GIVEN_SUFFIX}").given if name in self._conditional else None
        return Outcome(name, label, tally.chances(name), given)

    # ------------------------------------------------------------ following

    def _follow(self, run: Run) -> RunResult:
        """Return the result of a run and all its branches.

        Forks nest deeply, so a stack of generators replaces recursion.
        """
        stack = [self._follow_to_fork(*run)]
        result: Any = None
        while stack:
            try:
                stack.append(self._follow_to_fork(*stack[-1].send(result)))
                result = None
            except StopIteration as done:
                stack.pop()
                result = done.value
        final: RunResult = result
        return final

    def _follow_to_fork(self, frames: list[Frame], situation: RunSituation) -> Following:
        """Follow a run to its next fork, and through it unless that was done before."""
        try:
            situation, fork = self._advance(frames, situation)
        except RuleRefusal as refusal:
            return refusal
        root = frames[0]
        certain = _record_certain(root)
        if fork is None:
            return self._ended(root, situation).with_certain(certain)
        key = self._key(frames, situation)
        result = self._results.get(key)
        if result is None:
            if fork is MERGE:
                result = yield frames, situation
            else:
                result = yield from self._follow_fork(frames, fork)
            self._results[key] = result
        return result if isinstance(result, RuleRefusal) else result.with_certain(certain)

    def _follow_fork(self, frames: list[Frame], fork: Fork) -> Following:
        """Follow each branch of a fork; mix the results, or keep the best."""
        self._count(frames[-1].live, frames[-1].at, len(fork.branches))
        results: list[RunResult] = []
        for branch in fork.branches:
            copies = [frame.copy() for frame in frames]
            results.append((yield copies, copies[-1].follow(branch)))
        tallies = [tally for tally in results if isinstance(tally, Tally)]
        refusals = [refusal for refusal in results if isinstance(refusal, RuleRefusal)]
        if refusals and not (fork.chosen and tallies):
            return refusals[0]
        if fork.chosen:
            return max(tallies, key=lambda tally: tally.expected(self._best or ""))
        parts = zip(fork.branches, tallies, strict=True)
        self._spend(sum(tally.size for tally in tallies))
        return mix_tallies((branch.weight, branch.total, tally) for branch, tally in parts)

    def _advance(
        self, frames: list[Frame], situation: RunSituation
    ) -> tuple[RunSituation, Fork | None]:
        """Run steps until one forks or all have run; return the situation, and the fork if any.

        MERGE stands for a place where runs are likely to agree with earlier ones.
        """
        while True:
            self._spend(STEP_WORK)
            frame = frames[-1]
            if frame.at == len(frame.live.steps):
                if len(frames) == 1:
                    return situation, None
                _leave_call(frames)
                continue
            step, call = frame.live.steps[frame.at], frame.live.calls[frame.at]
            position = Position(frame.live, frame.at, frame.variables, situation)
            if frame.again is None:
                frame.again = frame.turns = self._branches.times(position)
            done = frame.again == 0
            if not done and step.repeat is not None:
                done = not self._branches.value(position, step.repeat.while_)
            if done:
                frame.at, frame.again = frame.at + 1, None
                if frame.live.merging[frame.at]:
                    return situation, MERGE
                continue
            frame.again -= 1
            if call is not None:
                turn = frame.turns - frame.again - 1
                if call.for_each and turn == 0:
                    frame.variables |= dict.fromkeys(call.take, 0)
                frames += self._enter_call(position, call, turn)
                continue
            fork = self._branches.fork(position)
            if len(fork.branches) > 1:
                return situation, fork
            situation = frame.follow(fork.branches[0])

    def _enter_call(self, position: Position, call: Call, turn: int) -> list[Frame]:
        """Return the frame of the procedure that a step calls; none if the step does not apply."""
        entered = self._branches.enter(position, turn)
        if entered is None:
            return []
        procedure, variables = entered
        ends = frozenset(call.take.values())
        key = (procedure.id, ends)
        if key not in self._live:
            self._live[key] = LiveSteps(self._reader, procedure, ends)
        return [Frame(self._live[key], dict(variables))]

    def _key(self, frames: list[Frame], situation: RunSituation) -> Hashable:
        """Return everything that the rest of a run depends on."""
        parts: list[Hashable] = []
        figures: set[str] = set()
        for frame in frames:
            inner = frame is frames[-1]
            needed = frame.needed if inner else frame.live.needed_around[frame.at]
            values = tuple([frame.variables.get(name) for name in needed])
            parts.append((id(frame.live), frame.at, frame.again, values))
            figures |= frame.live.figures[frame.at]
        return tuple(parts), self._situations.relevant(situation, frozenset(figures))

    def _ended(self, root: Frame, situation: RunSituation) -> Tally:
        """Return the tally of the outputs whose ``when`` a run that has ended meets."""
        values: dict[str, dict[OutputValue | None, int]] = {}
        for name, when in self._conditional.items():
            unwritten = (when.names & root.live.writes) - root.variables.keys()
            position = Position(root.live, root.at, root.variables, situation)
            applies = not unwritten and self._branches.value(position, when)
            values[f"{name}{GIVEN_SUFFIX}"] = {_value(root, name) if applies else NO_VALUE: 1}
        return Tally(1, values)

    def _spend(self, work: int) -> None:
        """Count the work done. Raises UsageError for too much in all."""
        self._work += work
        if self._work > MOST_WORK:
            raise UsageError(
                _("{label} has too many steps and results to calculate odds").format(
                    label=self._procedure.label
                ),
                _("Fix some of the choices or dice with --set."),
            )

    def _count(self, live: LiveSteps, at: int, branches: int) -> None:
        """Count the branches of a step. Raises UsageError for too many in all."""
        step = live.steps[at]
        name = getattr(step, "id", step.do)
        label = getattr(step, "label", "") or name
        shown = label if label == name else f"{label} ({name})"
        place = _("{step} of {procedure}").format(step=shown, procedure=live.procedure.label)
        self._counts[place] += branches
        if self._counts.total() > self._most:
            culprit = self._counts.most_common(1)[0][0]
            raise UsageError(
                _(
                    "{label} has more than {most} possible outcomes, most of them "
                    "because of this step: {culprit}"
                ).format(label=self._procedure.label, most=self._most, culprit=culprit),
                _("Fix some of the choices or dice with --set."),
            )


def _words_of_calls(ruleset: Ruleset, root: Procedure) -> Iterator[str]:
    """Yield the words that procedures give to those that they call, such as ids of values."""
    for procedure in (root, *ruleset.procedures.values()):
        for step in procedure.steps:
            if isinstance(step, Call):
                for call in calls_of(step, ruleset):
                    yield from ruleset.procedure(call.procedure).words_given(call.with_).values()


def _record_certain(root: Frame) -> dict[str, OutputValue | None]:
    """Return the outputs that no later step changes, each only once."""
    certain = root.live.outputs - root.live.changing[root.at] - root.recorded
    root.recorded |= certain
    return {name: _value(root, name) for name in certain}


def _value(root: Frame, name: str) -> OutputValue | None:
    value = root.variables.get(name)
    return NO_VALUE if isinstance(value, tuple) else value


def _leave_call(frames: list[Frame]) -> None:
    """Remove the frame of a procedure that has ended; its caller takes the outputs."""
    ended = frames.pop()
    caller = frames[-1]
    call = caller.live.calls[caller.at]
    assert call is not None
    take_outputs(call, caller.variables, ended.variables)


NAMING = {"id", "label", "say", "text", "source", "do"}  # keys of texts by which nothing is read
TAGS = {"all", "any", "none"}  # keys of tags
STATE_OF_PLAY = (
    "rules",
    "conditions",
    "resource_changes",
    "cooldowns",
    "uses",
    "in_hand",
    "worn",
    "assumed",
    "shared",
)


@dataclass(frozen=True)
class Reads:
    """The names and words that parts of a ruleset can read.

    ``names`` are values and figures, ``words`` the ids, kinds and tags of
    things, and the ids of choices. ``words`` that are values are in both.
    """

    names: NameSet = NO_NAMES
    words: NameSet = NO_NAMES

    def __or__(self, other: Reads) -> Reads:
        return Reads(self.names | other.names, self.words | other.words)

    def __le__(self, other: Reads) -> bool:
        return self.names <= other.names and self.words <= other.words


def state_key(state: State, procedure: Procedure, inputs: Iterable[str]) -> Hashable:
    """Return a key of everything in a state that a procedure can read with these inputs."""
    ruleset = state.ruleset
    words = text_names(inputs)
    reads = ruleset.cached(
        ("reads of a procedure", procedure.id), lambda: _procedure_reads(ruleset, procedure)
    )
    reads = _completed(state, reads | Reads(words, words))
    units = tuple(
        (unit.id, unit.type.id, unit.entity and unit.entity.id, state.level_of(unit))
        for unit in state.units
    )
    values = tuple(
        (unit.id, name, _modifiers_key(state.values(unit.id).modifiers(name)))
        for unit in state.units
        for name in unit.type.values
        if name in reads.names
    )
    held = tuple(
        (
            holding.id if holding.id in reads.words else "", holding.entity.id,
            holding.quantity, state.bearer(holding),
            tuple((name, f.text) for name, f in local_formulas(state, holding).items()),
        )
        for holding in state.holdings
        if _asked_for(holding, reads.words)
    )  # fmt: skip
    answers = tuple(
        (name, comparable(answer))
        for name, answer in state.answers.items()
        if name in reads.words or name.rpartition(".")[2] in reads.words
    )
    of_play = tuple(comparable(getattr(state, name)) for name in STATE_OF_PLAY)
    return units, values, held, answers, of_play


def _procedure_reads(ruleset: Ruleset, procedure: Procedure) -> Reads:
    """Return what a procedure and those that it calls can read."""
    reads, seen, left = Reads(), set(), [procedure.id]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        reads |= reads_of(ruleset, ruleset.procedures[name])
        steps = ruleset.procedures[name].steps
        left += [called.called_procedure for called in steps if called.called_procedure]
    return reads | Reads(frozenset(track.value for track in ruleset.head.tracks))


def reads_of(ruleset: Ruleset, part: Any) -> Reads:
    """Return what the formulas and texts of a part of a ruleset can read."""
    names: set[str] = set()
    words: set[str] = set()
    for leaf, key in leaves(part):
        if isinstance(leaf, Formula):
            names |= {name.rpartition(".")[2] for name in leaf.names}
            words |= {*leaf.referred, *leaf.limited, *(choice for choice, _answer in leaf.chosen)}
        elif key not in NAMING:
            words.add(TAG_PREFIX + leaf if key in TAGS else leaf)
            prefix, chosen, _choice = leaf.partition("$")
            if prefix and chosen:
                names |= {value for value in ruleset.values if value.startswith(prefix)}
            else:
                names |= text_names([leaf]) | set(ruleset.target_values(leaf))
    return Reads(frozenset(names), frozenset(words))


def _completed(state: State, reads: Reads) -> Reads:
    """Return what is read, with all from which it is calculated: now, or after a condition."""
    ruleset = state.ruleset
    done, more = Reads(), reads
    while not more <= done:
        new = Reads(more.names - done.names, more.words - done.words)
        done |= new
        more = Reads()
        for unit in state.units:
            for name in new.names & unit.type.values.keys():
                more |= reads_of(
                    ruleset, (unit.type.values[name], value_formulas(state, unit.id, name))
                )
        for holding in state.holdings:
            if _asked_for(holding, new.words):
                more |= reads_of(ruleset, dict(local_formulas(state, holding)))
        for condition in ruleset.conditions:
            more |= _condition_reads(ruleset, condition, new)
    return done


def value_formulas(state: State, unit_id: str, value: str) -> list[Any]:
    """Return the formulas and tables from which a value, or a part of attacks, is calculated."""
    parts: list[Any] = []
    for modifier in state.values(unit_id).modifiers(value):
        parts += [modifier.when, modifier.where, modifier.of, dict(modifier.local_formulas)]
        if isinstance(modifier.amount, tuple):
            table = modifier.amount[0]
            parts += [table, Formula(table.by)]
        else:
            parts.append(modifier.amount)
    return parts


def _condition_reads(ruleset: Ruleset, condition: Entity, asked: Reads) -> Reads:
    """Return what a condition reads if it is asked for, or can change what is."""

    def calculate() -> tuple[NameSet, NameSet, Reads]:
        targets = [t for m in condition.modifies for t in ruleset.target_values(m.value)]
        parts = (condition.condition, condition.active_when, condition.modifies)
        return frozenset(names_of(condition)), frozenset(targets), reads_of(ruleset, parts)

    words, targets, reads = ruleset.cached(("reads of a condition", condition.id), calculate)
    matters = not (words.isdisjoint(asked.words) and targets.isdisjoint(asked.names))
    return reads if matters else Reads()


def _modifiers_key(modifiers: Iterable[ValueModifier]) -> Hashable:
    """Return a key of the modifiers of a value: the sum of plain numbers, and all others."""
    sums = {True: 0, False: 0}
    others = []
    for modifier in modifiers:
        amount = _number(modifier)
        always = modifier.when is None and modifier.where is None
        if modifier.op == "add" and always and amount is not None:
            sums[modifier.lasting] += amount
            continue
        table: Hashable = ()
        if isinstance(modifier.amount, tuple):
            known = tuple((name, formula.text) for name, formula in modifier.local_formulas.items())
            table = (repr(modifier.amount), known)
        others.append((str(modifier.sort_key), str(modifier.where), modifier.lasting, table))
    return sums[True], sums[False], tuple(others)


def _number(modifier: ValueModifier) -> int | None:
    """Return the amount of a modifier if it is a plain number."""
    if isinstance(modifier.amount, Formula):
        return modifier.amount.constant
    return modifier.amount if isinstance(modifier.amount, int) else None


def _asked_for(holding: Holding, words: NameSet) -> bool:
    """Return whether words can mean a holding."""
    return not words.isdisjoint((holding.id, *names_of(holding.entity)))
