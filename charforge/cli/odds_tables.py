"""Tables of odds: aligned columns with a bar for each chance."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from charforge.expressions.template import MINUS
from charforge.language import _, format_number
from charforge.odds import Outcome
from charforge.usecases.odds import OddsResult

SHORTEST, LONGEST = 8, 50  # of a bar at its full length
WIDEST = 100
HEADINGS = (14, 11, 8)  # characters of a heading before it continues on another line
EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST = Fraction(1, 20000)  # rarer results would print as 0.00%: they share one line

Line = tuple[str, str]  # text and bar
Row = tuple[list[str], Fraction]


def percent(chance: Fraction) -> str:
    """Return a chance as text: ``69.44%``; 0 and 1 without decimals."""
    number = str(100 * chance) if chance in (0, 1) else format_number(100 * chance, ".2f")
    return _("{number}%").format(number=number)


def number(expected: Fraction | int) -> str:
    """Return a mean or a value as text."""
    text = str(expected) if expected.denominator == 1 else format_number(expected, ".2f")
    return text.replace("-", MINUS)


def table_lines(result: OddsResult) -> Iterator[Line]:
    """Yield the lines of a result: one case in full, several cases side by side."""
    if result.varied.name:
        yield from _side_by_side(result)
        return
    outcomes = result.cases[0]
    if result.pooled:
        pool_rows: list[Row] = []
        for outcome in outcomes:
            any_chance = outcome.chances.at_least(1)
            mean = number(outcome.chances.mean)
            pool_rows.append(([outcome.label, percent(any_chance), mean], any_chance))
        yield from table(["", _("1 or more"), "mean"], pool_rows)
    flags = ((o.label, o.chances.at_least(1)) for o in outcomes if o.id in result.flags)
    yield from table([], [([label, percent(chance)], chance) for label, chance in flags])
    for outcome in outcomes:
        if outcome.id not in result.flags | result.mirrored:
            yield "", ""
            yield from _distribution(outcome)


def _distribution(outcome: Outcome) -> Iterator[Line]:
    """Yield the values of an output, each with its chance and the chance of at least as much."""
    chances = outcome.chances
    yield f"{outcome.label}: {_expected(outcome)}", ""
    if len(chances.by_value) == 1 and not chances.nothing:
        return
    rows: list[Row] = []
    rest = []
    for value, chance in chances.by_value.items():
        if chance < LEAST:
            rest.append(chance)
            continue
        more = percent(chances.at_least(value)) if isinstance(value, int) else ""
        label = number(value) if isinstance(value, int) else value
        rows.append(([label, percent(chance), more], chance))
    if rest:
        label = _("{count} more").format(count=len(rest))
        rows.append(([label, "<0.01%", ""], sum(rest, Fraction(0))))
    if chances.nothing:
        rows.append(([_("none"), percent(chances.nothing), ""], chances.nothing))
    longest = max(chance for _cells, chance in rows)
    if chances.numbers:
        yield from table(["", "chance", _("or more")], rows, longest, left=False)
    else:
        yield from table(["", "chance"], [(cells[:2], c) for cells, c in rows], longest)


def _expected(outcome: Outcome) -> str:
    """Return the mean of an output, or its only value."""
    values = list(outcome.chances.by_value)
    if len(values) == 1 and not outcome.chances.nothing:
        text = number(values[0]) if isinstance(values[0], int) else values[0]
        return _("always {text}").format(text=text)
    if not outcome.chances.numbers:
        return _("{count} results").format(count=len(values))
    text = _("mean {number}").format(number=number(outcome.chances.mean))
    if outcome.given is not None and outcome.given.mean != outcome.chances.mean:
        text += _(" ({number} when it happens)").format(number=number(outcome.given.mean))
    return text


def _side_by_side(result: OddsResult) -> Iterator[Line]:
    """Yield a row for each case: chances for flags, means for numbers.

    Outputs that are certain and the same in every case follow the table;
    texts are left out.
    """
    cases = [{outcome.id: outcome for outcome in outcomes} for outcomes in result.cases]
    numbered = [
        outcome.id
        for outcome in result.cases[0]
        if any(c[outcome.id].chances.numbers for c in cases)
    ]
    certain = [name for name in numbered if len({_only_value(case[name]) for case in cases}) == 1]
    certain = [name for name in certain if _only_value(cases[0][name]) is not None]
    shown = [name for name in numbered if name not in certain]
    drawn = result.best if result.best in result.flags else None
    drawn = drawn or next((n for n in shown if n in result.flags or result.pooled), None)
    rows: list[Row] = []
    for word, case in zip(result.varied.words, cases, strict=True):
        cells = [_case_cell(result, case[name]) for name in shown]
        rows.append(([word, *cells], case[drawn].chances.at_least(1) if drawn else Fraction(0)))
    yield from table([result.varied.name, *map(result.label_of, shown)], rows)
    if drawn is not None:
        yield _("Bars show {label}.").format(label=result.label_of(drawn)), ""
    for name in certain:
        yield (
            _("{label}: always {case_cell}").format(
                label=result.label_of(name), case_cell=_case_cell(result, cases[0][name])
            ),
            "",
        )


def _only_value(outcome: Outcome) -> int | str | None:
    """Return the only value that an output can have."""
    values = list(outcome.chances.by_value)
    return values[0] if len(values) == 1 and not outcome.chances.nothing else None


def _case_cell(result: OddsResult, outcome: Outcome) -> str:
    if outcome.id in result.flags or result.pooled:
        return percent(outcome.chances.at_least(1))
    return number(outcome.chances.mean)


def table(
    head: Sequence[str], rows: Sequence[Row], longest: Fraction = Fraction(1), left: bool = True
) -> Iterator[Line]:
    """Yield aligned lines, each with a bar for its chance; a full bar is the chance ``longest``.

    The first column is aligned to the left or right, the others to the right.
    """
    if not rows:
        return
    cells = [row for row, _chance in rows]
    for signs in HEADINGS:
        heading = [wrap(text, signs) or [""] for text in head]
        widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
        for at, parts in enumerate(heading):
            widths[at] = max(widths[at], *map(len, parts))
        room = _width() - sum(widths) - 2 * len(widths) - 4
        if room >= SHORTEST:
            break
    full = min(max(room, SHORTEST), LONGEST)
    tallest = max(map(len, heading), default=0)
    padded = ([""] * (tallest - len(parts)) + parts for parts in heading)
    for line in zip(*padded, strict=True):
        yield _aligned(line, widths, left).rstrip(), ""
    for row, chance in rows:
        bar = _bar(chance / longest * full)
        text = _aligned(row, widths, left)
        yield f"{text}  " if bar else text.rstrip(), bar


def _aligned(row: Sequence[str], widths: Sequence[int], left: bool) -> str:
    first = f"{row[0]:<{widths[0]}}" if left else f"{row[0]:>{widths[0]}}"
    others = (f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
    return "  ".join(["", first, *others])


def _bar(length: Fraction) -> str:
    """Return a bar of this length: blocks, or # in a terminal that cannot show blocks."""
    if not _blocks():
        return "#" * round(length)
    eighths = round(length * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _blocks() -> bool:
    """Whether the terminal shows block characters."""
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST)
