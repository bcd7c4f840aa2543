"""Recorded rolls: compared with their exact distributions, and replayed with other choices.

Two things are compared. *Dice*: the average of all rolls of the same dice for
the same purpose, with the distribution of as many fair rolls. *Attempts*: the
checks and attacks whose rule has a goal that is reached or not, with their
exact chances, as the command ``odds`` calculates them with the best choices.

For a replay with other answers the same dice are used, and every event is compared: its results,
its effects, and the state of the character after it. Where the other run needs dice that nobody
rolled, or something that the character would not have had, what follows cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from charforge.character.files.document import Difference
from charforge.character.files.events import PLAY_EVENTS, AbilityEvent, AnyEvent, ProcedureEvent
from charforge.character.state import State
from charforge.decisions.base import Answer
from charforge.describe.differences import difference_lines, state_differences
from charforge.describe.events import LogDescriber, change_texts
from charforge.errors import CharforgeError, MissingAnswers, UnknownId, counted
from charforge.expressions.dice import Dice
from charforge.json_model import JsonModel
from charforge.language import N_, _, format_number, percent_text
from charforge.odds import Case, Odds
from charforge.odds.distributions import sums_of_rolls, total_ways
from charforge.odds.liveness import is_flag
from charforge.procedures.run import ProcedureResult
from charforge.replay.decision_walk import RecordedDice, RunEvent, TargetMissing, repeat_run
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet.view import LuckRow, LuckTable
from charforge.usecases.edit import Reanswers, draft_answer, find_decision, try_edit
from charforge.verbs.change import EventDraft, TrialChange, commit_change
from charforge.verbs.odds import OddsSubject, run_subject
from charforge.verbs.resolve import output_texts

MOST_BRANCHES = 20_000  # of the odds of one attempt
NO_EFFECT = N_("no effect")


@dataclass(frozen=True)
class ComparedRoll:
    """A recorded roll: what it was for, its dice, its total, and the ways to each total."""

    label: str
    dice: Dice
    total: int
    ways: Mapping[int, int]


@dataclass(frozen=True)
class Attempt:
    """A check or an attack that could succeed: its exact chance and the outcome.

    ``event`` is the number of its command, as ``history`` shows it.
    """

    character: str
    event: int
    text: str
    chance: Fraction
    success: bool


@dataclass(frozen=True)
class DiceLuck:
    """All rolls of the same dice for the same purpose.

    ``percentile`` is the share of as many fair rolls whose sum is lower, plus
    half of those whose sum is equal.
    """

    label: str
    dice: Dice
    rolls: int
    average: Fraction
    expected: Fraction
    percentile: Fraction


@dataclass(frozen=True)
class Luck:
    """The recorded rolls and attempts of one character, or of several.

    ``uncounted`` is the number of rolls without a total, such as dice with
    symbols; ``unknown`` that of attempts whose odds could not be calculated.
    """

    name: str
    rolls: tuple[ComparedRoll, ...]
    attempts: tuple[Attempt, ...]
    uncounted: int = 0
    unknown: int = 0

    @property
    def dice(self) -> tuple[DiceLuck, ...]:
        """The luck with each kind of dice, the most often rolled first."""
        groups: dict[tuple[Any, ...], list[ComparedRoll]] = {}
        for roll in self.rolls:
            key = (roll.dice, roll.label, *sorted(roll.ways.items()))
            groups.setdefault(key, []).append(roll)
        rows = [_dice_luck(rolls) for rolls in groups.values()]
        return tuple(sorted(rows, key=lambda row: -row.rolls))

    @property
    def successes(self) -> int:
        """The number of attempts that succeeded."""
        return sum(attempt.success for attempt in self.attempts)

    @property
    def expected_successes(self) -> Fraction:
        """The expected number of successes."""
        return sum((attempt.chance for attempt in self.attempts), Fraction(0))

    @property
    def success_percentile(self) -> Fraction | None:
        """The share of equal attempts with fewer successes, half of equal ones included.

        None if no attempt could have ended differently.
        """
        uncertain = [attempt for attempt in self.attempts if 0 < attempt.chance < 1]
        if not uncertain:
            return None
        ways = success_ways([attempt.chance for attempt in uncertain])
        return mid_percentile(dict(enumerate(ways)), sum(attempt.success for attempt in uncertain))

    @property
    def least_likely_success(self) -> Attempt | None:
        """The success with the lowest chance; None without an uncertain one."""
        successes = (a for a in self.attempts if a.success and a.chance < 1)
        return min(successes, key=lambda attempt: attempt.chance, default=None)

    @property
    def least_likely_failure(self) -> Attempt | None:
        """The failure in spite of the highest chance; None without an uncertain one."""
        failures = (a for a in self.attempts if not a.success and a.chance > 0)
        return max(failures, key=lambda attempt: attempt.chance, default=None)


def measure_luck(loaded: LoadedCharacter) -> Luck:
    """Return the luck of a character: its creation, its levels and all play events in effect."""
    reader = _LogReader(loaded)
    for event in loaded.document.log:
        reader.read(event)
    rolls = (*_decision_rolls(loaded), *reader.rolls)
    return Luck(
        loaded.character.name, rolls, tuple(reader.attempts), reader.uncounted, reader.unknown
    )


def table_luck(lucks: Sequence[Luck], name: str) -> Luck:
    """Return the luck of several characters together."""
    return Luck(
        name,
        tuple(chain.from_iterable(luck.rolls for luck in lucks)),
        tuple(chain.from_iterable(luck.attempts for luck in lucks)),
        sum(luck.uncounted for luck in lucks),
        sum(luck.unknown for luck in lucks),
    )


def mid_percentile(ways: Mapping[int, int], value: int) -> Fraction:
    """Return the share of results below ``value``, plus half of those equal to it.

    Its expected value is one half, whatever the distribution.
    """
    below = sum(number for result, number in ways.items() if result < value)
    return Fraction(2 * below + ways.get(value, 0), 2 * sum(ways.values()))


def success_ways(chances: Iterable[Fraction]) -> list[int]:
    """Return the weight of each number of successes among independent attempts."""
    ways = [1]
    for chance in chances:
        succeed, fail = chance.numerator, chance.denominator - chance.numerator
        ways = [
            fail * here + succeed * before
            for here, before in zip([*ways, 0], [0, *ways], strict=True)
        ]
    return ways


def _dice_luck(rolls: Sequence[ComparedRoll]) -> DiceLuck:
    number, total = len(rolls), sum(roll.total for roll in rolls)
    ways = rolls[0].ways
    mean = Fraction(sum(sum_ * count for sum_, count in ways.items()), sum(ways.values()))
    percentile = mid_percentile(sums_of_rolls(ways, number), total)
    return DiceLuck(
        rolls[0].label, rolls[0].dice, number, Fraction(total, number), mean, percentile
    )


def _decision_rolls(loaded: LoadedCharacter) -> Iterator[ComparedRoll]:
    """Yield the rolls of decisions in effect, such as attributes or the HP of a level."""
    character = loaded.character
    for decision in character.asked:
        answer = character.state.answers.get(decision.id)
        for roll in () if answer is None else decision.counted_rolls(answer):
            ways = total_ways(roll.dice, roll.rerolled)
            label, total = decision.question.label, roll.dice.total(roll.faces)
            yield ComparedRoll(label, roll.dice, total, ways)


class _LogReader:
    """Repeats the play events of a log and keeps their rolls and attempts."""

    def __init__(self, loaded: LoadedCharacter) -> None:
        self.rolls: list[ComparedRoll] = []
        self.attempts: list[Attempt] = []
        self.uncounted = 0
        self.unknown = 0
        self._loaded = loaded
        self._describer = LogDescriber(loaded)
        self._ways: dict[Dice, Mapping[int, int]] = {}

    def read(self, event: AnyEvent) -> None:
        """Count the rolls of an event, and whether it reached its goal."""
        if not isinstance(event, AbilityEvent | ProcedureEvent) or not event.faces:
            return
        before, _after = self._describer.states[event.n]
        dice = RecordedDice(event.faces)
        try:
            result = repeat_run(before, event, dice)
        except (CharforgeError, TargetMissing):
            return  # the event has no effect any more
        for roll in dice.rolls:
            self._count(*roll)
        subject = run_subject(before, event)
        if subject is not None:
            self._add_attempt(event, subject, result)

    def _count(self, label: str, dice: Dice, faces: Sequence[int]) -> None:
        if dice.shows:
            self.uncounted += 1
            return
        if dice not in self._ways:
            self._ways[dice] = total_ways(dice)
        self.rolls.append(ComparedRoll(label, dice, dice.total(faces), self._ways[dice]))

    def _add_attempt(self, event: RunEvent, subject: OddsSubject, result: ProcedureResult) -> None:
        procedure = subject.procedure
        goal = next((output.id for output in procedure.outputs if output.goal), None)
        if goal is None or not is_flag(subject.state.ruleset, procedure, goal):
            return
        reached = result.outputs.get(goal)
        asked = {input_.id for input_ in procedure.inputs}
        typed = {name: value for name, value in event.inputs.items() if name in asked}
        case = Case({**subject.known_inputs, **typed})
        try:
            odds = Odds(
                subject.state, procedure, [case], subject.actor, goal, MOST_BRANCHES, (goal,)
            )
            chances = next(outcome.chances for outcome in odds.of(case) if outcome.id == goal)
        except CharforgeError:
            self.unknown += 1
            return
        text = self._describer.sentence(event)
        self.attempts.append(
            Attempt(
                self._loaded.character.name, event.group, text, chances.at_least(1), bool(reached)
            )
        )


# ------------------------------------------------------------------ in words and as data


def _attempt_lines(luck: Luck, named: bool = False) -> Iterator[str]:
    """Yield the sentences about checks and attacks; ``named`` names the characters too."""
    if luck.attempts:
        percentile = luck.success_percentile
        luckier = (
            "" if percentile is None else _("; luck {share}").format(share=share_text(percentile))
        )
        yield (
            _(
                "Checks and attacks: {successes} of {count} succeeded, "
                "{expected_successes} expected{luckier}"
            ).format(
                successes=luck.successes,
                count=len(luck.attempts),
                expected_successes=format_number(float(luck.expected_successes), ".1f"),
                luckier=luckier,
            )
        )
        yield _(
            "The expected number assumes the best choices: "
            "points you did not spend look like bad luck."
        )
    for title, attempt in (
        (_("Luckiest success"), luck.least_likely_success),
        (_("Unluckiest failure"), luck.least_likely_failure),
    ):
        if attempt is not None:
            chance = attempt.chance if attempt.success else 1 - attempt.chance
            whose = f"{attempt.character}, " if named else ""
            yield _("{title}: {share}, {whose}no. {event} in history: {text}").format(
                title=title,
                share=share_text(chance),
                whose=whose,
                event=attempt.event,
                text=attempt.text,
            )


def luck_notes(luck: Luck, named: bool = False) -> Iterator[str]:
    """Yield the sentences below the table: attempts, what was not compared, what luck means."""
    yield from _attempt_lines(luck, named)
    if luck.uncounted:
        yield _("Not compared: {count} of dice with symbols").format(
            count=counted(luck.uncounted, "roll", "rolls")
        )
    if luck.unknown:
        yield _("Not compared: {count} whose odds could not be calculated").format(
            count=counted(luck.unknown, "attempt", "attempts")
        )
    if luck.rolls or luck.attempts:
        yield _(
            "Luck is the share of fair rolls below yours, plus half of the equal ones: "
            "50% is average."
        )


def share_text(share: Fraction) -> str:
    """Return a percentage with one decimal; what is possible is never 0% or 100%."""
    number = f"{float(100 * share):.1f}"
    if share not in (0, 1) and number in ("0.0", "100.0"):
        return f"<{percent_text(0.001)}" if share < 1 / 2 else f">{percent_text(0.999)}"
    return percent_text(share)


def luck_table(luck: Luck) -> LuckTable:
    """Return luck as the sheet prints it."""
    rows = tuple(
        LuckRow(
            f"{row.label} ({row.dice.words})",
            row.rolls,
            format_number(row.average, ".2f"),
            format_number(row.expected, ".2f"),
            share_text(row.percentile),
            round(float(100 * row.percentile), 1),
        )
        for row in luck.dice
    )
    return LuckTable(rows, tuple(luck_notes(luck)))


# ------------------------------------------------------------------ replays with other choices


class ChangedResult(JsonModel):
    """A result or an effect of an event as it was, and as it would have been."""

    label: str
    was: str
    would_be: str


class ChangedEvent(JsonModel):
    """An event that would have gone differently.

    ``number`` is that of its command, as ``history`` shows it; ``consequences`` are the lines
    by which the character differs after it and did not differ before.
    """

    number: int
    text: str
    results: tuple[ChangedResult, ...]
    consequences: tuple[str, ...]


class UnknownEvent(JsonModel):
    """The first event whose outcome cannot be told, numbered as in ``history``, with the reason."""

    number: int
    text: str
    reason: str


class WhatIf(JsonModel):
    """The log of a character after other choices, as ``replay --json`` prints it.

    ``start`` are the differences before the first event of play, ``end`` those
    after the last event compared; ``compared`` is the number of play events.
    """

    choices: tuple[str, ...]
    start: tuple[Difference, ...]
    events: tuple[ChangedEvent, ...]
    unknown: UnknownEvent | None
    end: tuple[Difference, ...]
    compared: int


def what_if(loaded: LoadedCharacter, answers: Mapping[str, Answer]) -> WhatIf:
    """Return how the log would have gone with other answers, by id or name of their decisions.

    Raises UnknownId, AnswerError for answers that the rules forbid,
    UnusedAnswers, and MissingAnswers for further decisions that they open.
    """
    drafts: list[EventDraft] = []
    opened: dict[str, Answer] = {}
    for name, answer in answers.items():
        try:
            decision = find_decision(loaded, name)
        except UnknownId:
            if not drafts:
                raise
            opened[name] = answer  # of a decision that an earlier answer opens
        else:
            drafts.append(draft_answer(loaded, decision, answer, later=bool(drafts)))
    source = Reanswers(loaded, opened, leave=True)
    trial = try_edit(loaded, drafts, source, source.waiting())
    source.complete()
    _refuse_incomplete(trial)
    choices = []
    for draft in drafts:
        name = draft.fields["decision"]
        changed = trial.character.decision(name)
        if changed is not None:
            text = changed.answer_text(trial.character.recorded_answers[name])
            choices.append(f"{changed.heading()}: {text}")
    return _compare(loaded, commit_change(trial, tolerant=True), tuple(choices))


def _refuse_incomplete(trial: TrialChange) -> None:
    """Raise AnswerError or MissingAnswers for decisions that the change breaks or opens."""
    broken = [
        (problem.decision, problem.message)
        for problem in trial.problems
        if problem.decision and not problem.decision.startswith("event.")
    ]
    if broken:
        raise trial.character.refusal(broken)
    if trial.open:
        raise MissingAnswers((decision.id, decision.question.label) for decision in trial.open)


def _compare(loaded: LoadedCharacter, other: LoadedCharacter, choices: tuple[str, ...]) -> WhatIf:
    was, would_be = LogDescriber(loaded), LogDescriber(other)
    character = loaded.character
    without_effect = {*character.dormant, *(problem.decision for problem in character.problems)}
    start: tuple[Difference, ...] = ()
    known: tuple[Difference, ...] = ()
    events = []
    compared = 0
    unknown = None
    for event in loaded.document.log:
        text = was.sentence(event)
        if f"event.{event.n}" in without_effect:
            continue
        plays = isinstance(event, PLAY_EVENTS)
        if plays and not compared:
            start = known
        reason = _reason_unknown(other, event)
        if reason:
            unknown = UnknownEvent(number=event.group, text=text, reason=reason)
            break
        compared += plays
        states = was.states[event.n], would_be.states[event.n]
        now = tuple(state_differences(states[0][1], states[1][1]))
        results = tuple(_changed_results(event, *states)) if plays else ()
        if results or (compared and now != known):
            new = [difference for difference in now if difference not in known]
            lines = tuple(difference_lines(new, other.ruleset))
            events.append(
                ChangedEvent(number=event.group, text=text, results=results, consequences=lines)
            )
        known = now
    return WhatIf(
        choices=choices,
        start=start if compared else known,
        events=events,
        unknown=unknown,
        end=known,
        compared=compared,
    )


def _reason_unknown(other: LoadedCharacter, event: AnyEvent) -> str:
    """Return why an event that had an effect would have none; empty if it would."""
    name = f"event.{event.n}"
    if name in other.character.dormant:
        return _("the character would not have had what it uses")
    return "; ".join(p.message for p in other.character.problems if p.decision == name)


def _changed_results(
    event: AnyEvent, was: tuple[State, State], would_be: tuple[State, State]
) -> Iterator[ChangedResult]:
    """Yield the results and effects of an event that differ between two runs of it."""
    if isinstance(event, AbilityEvent | ProcedureEvent):
        old, new = _results(was[0], event), _results(would_be[0], event)
        for label in dict.fromkeys([*old, *new]):
            if old.get(label) != new.get(label):
                yield ChangedResult(
                    label=label, was=old.get(label, "–"), would_be=new.get(label, "–")
                )
    unit = getattr(event, "unit", "")
    old_effect, new_effect = (
        ", ".join(change_texts(*states, unit)) or _(NO_EFFECT) for states in (was, would_be)
    )
    if old_effect != new_effect:
        yield ChangedResult(label="", was=old_effect, would_be=new_effect)


def _results(state: State, event: RunEvent) -> dict[str, str]:
    """Return the results of a run in words, by label."""
    result = repeat_run(state, event, RecordedDice(event.faces))
    subject = run_subject(state, event)
    return {} if subject is None else output_texts(state.ruleset, subject.procedure, result)
