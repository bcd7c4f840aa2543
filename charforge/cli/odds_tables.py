"""Odds drawn in a terminal: aligned tables with a bar for each chance."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap

from charforge.expressions.template import MINUS
from charforge.odds import Outcome
from charforge.usecases.odds import OddsResult

WIDEST = 100
HEADINGS = (14, 11, 8)  # signs of a heading before it goes on in another line
SHORTEST, LONGEST = 8, 50  # of a bar at its full length
EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST = Fraction(1, 20000)  # what would print as 0.00% is summed up in a line
COLOUR, PLAIN = "\x1b[36m", "\x1b[0m"

Row = tuple[list[str], Fraction]


def percent(chance: Fraction) -> str:
    """Print a chance: ``69.44%``; what is certain or impossible without decimals."""
    return f"{100 * chance}%" if chance in (0, 1) else f"{float(100 * chance):.2f}%"


def number(found: Fraction | int) -> str:
    """Print a number to expect."""
    told = str(found) if found.denominator == 1 else f"{float(found):.2f}"
    return told.replace("-", MINUS)


def lines(found: OddsResult) -> Iterator[str]:
    """Yield the odds of something: one case in full, several side by side."""
    if found.varied.name:
        yield from _side_by_side(found)
        return
    outcomes = found.cases[0]
    if found.pooled:
        yield from table(
            ["", "1 or more", "mean"],
            [([one.label, percent(one.chances.at_least(1)), number(one.chances.mean)],
              one.chances.at_least(1)) for one in outcomes],
        )  # fmt: skip
    flags = [one for one in outcomes if one.id in found.flags]
    yield from table([], [([one.label, percent(_yes(one))], _yes(one)) for one in flags])
    for one in outcomes:
        if one.id not in found.flags | found.mirrored:
            yield ""
            yield from _distribution(one)


def _yes(outcome: Outcome) -> Fraction:
    return outcome.chances.at_least(1)


def _distribution(outcome: Outcome) -> Iterator[str]:
    """Yield the values of an output, each with its chance and that of as much or more."""
    chances = outcome.chances
    yield f"{outcome.label}: {_expected(outcome)}"
    shown = {value: chance for value, chance in chances.by_value.items() if chance >= LEAST}
    if len(chances.by_value) == 1 and not chances.nothing:
        return
    rows: list[Row] = []
    for value, chance in shown.items():
        more = percent(chances.at_least(value)) if isinstance(value, int) else ""
        told = number(value) if isinstance(value, int) else value
        rows.append(([told, percent(chance), more], chance))
    rest = [chance for chance in chances.by_value.values() if chance < LEAST]
    if rest:
        told = f"{len(rest)} more"
        rows.append(([told, "<0.01%", ""], sum(rest, Fraction(0))))
    if chances.nothing:
        rows.append((["none", percent(chances.nothing), ""], chances.nothing))
    longest = max(chance for _cells, chance in rows)
    if chances.numbers:
        yield from table(["", "chance", "or more"], rows, longest, left=False)
    else:
        yield from table(["", "chance"], [(cells[:2], c) for cells, c in rows], longest)


def _expected(outcome: Outcome) -> str:
    """Say what to expect of an output."""
    values = list(outcome.chances.by_value)
    if len(values) == 1 and not outcome.chances.nothing:
        told = number(values[0]) if isinstance(values[0], int) else values[0]
        return f"{told} always"
    if not outcome.chances.numbers:
        return f"{len(values)} results"
    told = f"mean {number(outcome.chances.mean)}"
    if outcome.given is not None and outcome.given.mean != outcome.chances.mean:
        told += f"; {number(outcome.given.mean)} where it counts"
    return told


def _side_by_side(found: OddsResult) -> Iterator[str]:
    """Yield a row for each case: chances of what says yes or no, means of numbers.

    What is the same in every case and certain stands below; texts are left out.
    """
    cases = [{one.id: one for one in outcomes} for outcomes in found.cases]
    numbered = [one.id for one in found.cases[0] if any(c[one.id].chances.numbers for c in cases)]
    certain = [name for name in numbered if len({_sure(case[name]) for case in cases}) == 1]
    certain = [name for name in certain if _sure(cases[0][name]) is not None]
    shown = [name for name in numbered if name not in certain]
    drawn = found.best if found.best in found.flags else None
    drawn = drawn or next((n for n in shown if n in found.flags or found.pooled), None)
    rows: list[Row] = []
    for word, case in zip(found.varied.words, cases, strict=True):
        cells = [_cell(found, case[name]) for name in shown]
        rows.append(([word, *cells], _yes(case[drawn]) if drawn else Fraction(0)))
    yield from table([found.varied.name, *map(found.label_of, shown)], rows)
    if drawn is not None:
        yield f"The bars are {found.label_of(drawn)}."
    for name in certain:
        yield f"{found.label_of(name)}: {_cell(found, cases[0][name])} always"


def _sure(outcome: Outcome) -> int | str | None:
    """Return the only value that an output can have."""
    values = list(outcome.chances.by_value)
    return values[0] if len(values) == 1 and not outcome.chances.nothing else None


def _cell(found: OddsResult, outcome: Outcome) -> str:
    if outcome.id in found.flags or found.pooled:
        return percent(_yes(outcome))
    return number(outcome.chances.mean)


def table(
    head: Sequence[str], rows: Sequence[Row], longest: Fraction = Fraction(1), left: bool = True
) -> Iterator[str]:
    """Yield aligned lines, each with a bar for its chance; ``longest`` is that of a full one.

    The first column stands to the left if so said, the others to the right.
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
    yield from (_aligned(line, widths, left).rstrip() for line in zip(*padded, strict=True))
    for row, chance in rows:
        yield f"{_aligned(row, widths, left)}  {_bar(chance / longest * full)}".rstrip()


def _aligned(row: Sequence[str], widths: Sequence[int], left: bool) -> str:
    first = f"{row[0]:<{widths[0]}}" if left else f"{row[0]:>{widths[0]}}"
    others = (f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
    return "  ".join(["", first, *others])


def _bar(length: Fraction) -> str:
    """Return a bar of so many signs: blocks, or plain signs where those cannot be shown."""
    if not _blocks():
        return "#" * round(length)
    eighths = round(length * 8)
    bar = "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()
    coloured = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return f"{COLOUR}{bar}{PLAIN}" if coloured and bar else bar


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
