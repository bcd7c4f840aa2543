"""Luck: the recorded rolls of characters, compared with their exact distributions.

Two things are compared. *Dice*: the average of all rolls of the same dice for
the same purpose, with the distribution of as many fair rolls. *Attempts*: the
checks and attacks whose rule has a goal that is reached or not, with their
exact chances, as the command ``odds`` calculates them with the best choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from charforge.character.files.events import AbilityEvent, AnyEvent, ProcedureEvent
from charforge.describe.events import LogDescriber
from charforge.errors import CharforgeError, counted
from charforge.expressions.dice import Dice
from charforge.language import _, format_number, percent_text
from charforge.odds import Case, Odds
from charforge.odds.distributions import sums_of_rolls, total_ways
from charforge.odds.liveness import is_flag
from charforge.procedures.run import ProcedureResult
from charforge.replay.decision_walk import RecordedDice, RunEvent, TargetMissing, repeat_run
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet.view import LuckRow, LuckTable
from charforge.verbs.odds import OddsSubject, run_subject

MOST_BRANCHES = 20_000  # of the odds of one attempt


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
    yield from _uncounted_lines(luck)
    if luck.rolls or luck.attempts:
        yield _(
            "Luck is the share of fair rolls below yours, plus half of the equal ones: "
            "50% is average."
        )


def _uncounted_lines(luck: Luck) -> Iterator[str]:
    """Yield what could not be compared."""
    if luck.uncounted:
        yield _("Not compared: {count} of dice with symbols").format(
            count=counted(luck.uncounted, "roll", "rolls")
        )
    if luck.unknown:
        yield _("Not compared: {count} whose odds could not be calculated").format(
            count=counted(luck.unknown, "attempt", "attempts")
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
