"""Chances in words: percentages, the rows of a table of odds, and means."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from charforge.expressions.template import true_minus
from charforge.language import _, format_number, percent_text
from charforge.odds import Chances, Outcome

LEAST = Fraction(1, 20000)  # rarer results would print as 0.00%: those at an end share a row


def percent(chance: Fraction) -> str:
    """Return a chance as text: ``69.44%``; 0 and 1 without decimals."""
    return percent_text(chance, ".0f" if chance in (0, 1) else ".2f")


def _row_chance(chance: Fraction) -> str:
    """Return the chance of a row of results, which is never printed as 0."""
    return percent(chance) if chance >= LEAST else f"<{percent(Fraction(1, 10_000))}"


def chance_number(expected: Fraction | int) -> str:
    """Return a mean or a value as text."""
    text = str(expected) if expected.denominator == 1 else format_number(expected, ".2f")
    return true_minus(text)


class ResultRow(NamedTuple):
    """A result of an output in a table of odds, with its chance and that of as much or more."""

    label: str
    chance: Fraction
    text: str
    or_more: str = ""


def result_rows(chances: Chances) -> list[ResultRow]:
    """Return the results of an output with their chances.

    The smallest and the largest numbers that are very rare share a row each, rare texts the last.
    """
    rows = _number_rows(chances)
    texts = {text: chance for text, chance in chances.by_value.items() if isinstance(text, str)}
    rare = {text: chance for text, chance in texts.items() if chance < LEAST}
    rows += (ResultRow(t, c, percent(c)) for t, c in texts.items() if t not in rare)
    if rare:
        rows.append(_rare_row(_("others ({count})").format(count=len(rare)), rare.values()))
    if chances.nothing:
        rows.append(ResultRow(_("none"), chances.nothing, percent(chances.nothing)))
    return rows


def _number_rows(chances: Chances) -> list[ResultRow]:
    """Return the rows of the results that are numbers."""
    numbers = sorted(chances.numbers)
    likely = [number for number in numbers if chances.numbers[number] >= LEAST]
    if numbers and not likely:
        label = _("{low} to {high}").format(
            low=chance_number(numbers[0]), high=chance_number(numbers[-1])
        )
        return [_rare_row(label, chances.numbers.values())]
    low = [number for number in numbers if number < likely[0]]
    high = [number for number in numbers if number > likely[-1]]
    rows: list[ResultRow] = []
    if low:
        label = chance_number(low[-1])
        label = _("{number} or less").format(number=label) if low[1:] else label
        rows.append(_rare_row(label, (chances.numbers[number] for number in low)))
    for number in numbers[len(low) : len(numbers) - len(high)]:
        chance, more = chances.numbers[number], percent(chances.at_least(number))
        rows.append(ResultRow(chance_number(number), chance, _row_chance(chance), more))
    if high:
        label = chance_number(high[0])
        label = _("{number} or more").format(number=label) if high[1:] else label
        rows.append(_rare_row(label, (chances.numbers[number] for number in high)))
    return rows


def _rare_row(label: str, chances: Iterable[Fraction]) -> ResultRow:
    """Return the row that rare results share."""
    chance = sum(chances, Fraction(0))
    return ResultRow(label, chance, _row_chance(chance))


def expected_text(outcome: Outcome) -> str:
    """Return the mean of an output, or its only value."""
    values = list(outcome.chances.by_value)
    if len(values) == 1 and not outcome.chances.nothing:
        text = chance_number(values[0]) if isinstance(values[0], int) else values[0]
        return _("always {text}").format(text=text)
    if not outcome.chances.numbers:
        return _("{count} results").format(count=len(values))
    text = _("mean {number}").format(number=chance_number(outcome.chances.mean))
    if outcome.given is not None and outcome.given.mean != outcome.chances.mean:
        text += _(" ({number} when it happens)").format(number=chance_number(outcome.given.mean))
    return text
