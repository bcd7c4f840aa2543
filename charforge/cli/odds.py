"""``odds``: exact chances of a check, an attack, any rule or a pool of dice, as tables."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console, play_io
from charforge.cli.options import AsJson, Command, UnitOption
from charforge.cli.play_io import InputsOption, SetOption
from charforge.errors import UsageError
from charforge.expressions.template import MINUS
from charforge.odds import Chances, Outcome
from charforge.replay.loaded import load_character
from charforge.rules.loader import load
from charforge.usecases import odds as odds_usecases
from charforge.usecases.odds import MOST_CASES, OddsResult, OddsSubject, VariedInput

app = typer.Typer(add_completion=False)

MOST_DIGITS = 4000  # of a number in JSON
WIDEST = 100
HEADINGS = (14, 11, 8)  # signs of a heading before it goes on in another line
EIGHTHS = " ▏▎▍▌▋▊▉"
LEAST = Fraction(1, 20000)  # what would print as 0.00% is summed up in a line


@app.command("odds", cls=Command)
def odds(
    words: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[FILE] PROCEDURE|ATTACK|SCORE…",
            help="A character and an attack, score or rule; no FILE with --ruleset.",
            show_default=False,
        ),
    ] = None,
    ruleset: Annotated[
        Optional[str],
        typer.Option("--ruleset", metavar="ID", help="The game, if there is no FILE."),
    ] = None,
    settings: SetOption = None,
    vary: Annotated[
        Optional[str],
        typer.Option(
            "--vary", metavar="NAME=3..8", help="Try several values of an input, as a table."
        ),
    ] = None,
    best: Annotated[
        Optional[str],
        typer.Option("--best", metavar="OUTPUT", help="The result that choices should improve."),
    ] = None,
    no_choices: Annotated[
        bool, typer.Option("--no-choices", help="Make the suggested choices instead of the best.")
    ] = False,
    pool: Annotated[
        Optional[str],
        typer.Option("--pool", metavar="DIE=2,…", help="Symbol dice to roll instead of a rule."),
    ] = None,
    action: Annotated[
        Optional[str],
        typer.Option("--action", metavar="NAME", help="Which attack, if there are several."),
    ] = None,
    unit: UnitOption = None,
    inputs: InputsOption = False,
    as_json: AsJson = False,
) -> None:
    """Calculate exact odds for an attack, a check or any rule.

    It counts every possible roll; it never simulates. Rerolls and other
    choices are made in the best way. The character is not changed. The
    inputs are those of use and resolve.

    \b
    Examples:
      charforge odds nix.json "auto rifle" --vary vs=3..8
      charforge odds nix.json str --vary vs=4..7
      charforge odds nix.json fall --vary metres=4..12 --best success
      charforge odds --ruleset capital contest --set score=6 --set vs=7 --no-choices
      charforge odds --ruleset narrative-dice --pool ability=1,proficiency=2,difficulty=2
    """
    if best is not None and no_choices:
        raise UsageError("--best and --no-choices exclude each other", "Leave one of them out.")
    varied = _varied(vary)
    if pool is not None:
        _say(_pool(words or [], ruleset, pool, varied), as_json)
        return
    what = _meant(words or [], ruleset, action, unit)
    if inputs:
        play_io.say_inputs(odds_usecases.subject_inputs(what))
        return
    said = play_io.said(settings, None, play_io.Teller(what.state.ruleset))
    _say(odds_usecases.calculate_odds(what, said, varied, best, not no_choices), as_json)


def _meant(
    words: list[str], ruleset: str | None, action: str | None, unit: str | None
) -> OddsSubject:
    """Return what is meant: a rule of a game, or something of a character's."""
    if ruleset is not None:
        for option, given in (("--unit", unit), ("--action", action)):
            if given is not None:
                raise UsageError(f"{option} is of a character", "Give its FILE, no --ruleset.")
        if not words:
            raise UsageError("no rule is named", f"charforge resolve {ruleset} lists them.")
        return odds_usecases.subject_without_character(load(ruleset), " ".join(words))
    if not words:
        raise UsageError(
            "give a FILE and what to reckon, such as an attack",
            "Without a character: --ruleset ID and a rule.",
        )
    opened = load_character(Path(words[0]))
    if len(words) == 1:
        raise UsageError(f"name what to reckon:\n{odds_usecases.odds_offered(opened, unit)}")
    return odds_usecases.find_subject(opened, " ".join(words[1:]), action, unit)


def _pool(words: list[str], ruleset: str | None, text: str, varied: VariedInput) -> OddsResult:
    """Return the odds of a pool of a game, or of a character's game."""
    if ruleset is not None and not words:
        return odds_usecases.pool_odds(load(ruleset), odds_usecases.read_pool(text), varied)
    if ruleset is None and len(words) == 1:
        rules = load_character(Path(words[0])).ruleset
        return odds_usecases.pool_odds(rules, odds_usecases.read_pool(text), varied)
    raise UsageError("--pool needs a game and no rule", "Give --ruleset ID, or a FILE.")


def _varied(text: str | None) -> VariedInput:
    """Read ``vs=3..8`` or ``vs=3,5,7``. Raises UsageError."""
    if text is None:
        return VariedInput()
    name, _equals, values = text.partition("=")
    low, dots, high = (part.strip() for part in values.partition(".."))
    words = [word.strip() for word in values.split(",")]
    if dots:
        try:
            first, last = int(low), int(high)
        except ValueError:
            first, last = 1, 0
        words = [str(one) for one in range(first, min(last, first + MOST_CASES) + 1)]
    if not (name.strip() and words and all(words)):
        raise UsageError(
            f"--vary {text!r} is not of the form NAME=3..8", "Or name the values: NAME=3,5,7."
        )
    return VariedInput(name.strip().casefold().replace("-", "_"), tuple(words))


def _say(found: OddsResult, as_json: bool) -> None:
    """Print odds."""
    if as_json:
        console.result(json.dumps(_data(found), ensure_ascii=False, indent=1))
        return
    console.result(found.label)
    if found.choices:
        how = "as suggested."
        if found.best is not None:
            goal = found.label_of(found.best)
            how = f"at best for {goal}: whatever helps is spent (--no-choices: as suggested)."
        console.result(f"Choices on the way {how}")
    for line in table_lines(found):
        console.result(line)


def _data(found: OddsResult) -> dict[str, Any]:
    """Return odds as --json prints them."""
    return {
        "label": found.label,
        "vary": found.varied.name or None,
        "best": found.best,
        "cases": [
            {
                "value": word if found.varied.name else None,
                "outputs": {one.id: _outcome(found, one) for one in outcomes},
            }
            for word, outcomes in zip(found.varied.words, found.cases, strict=True)
        ],
    }


def _outcome(found: OddsResult, one: Outcome) -> dict[str, Any]:
    given = None if one.given is None else _chances(one.given)
    return {
        "label": one.label,
        "flag": one.id in found.flags,
        **_chances(one.chances),
        "where_it_counts": given,
    }


def _chances(found: Chances) -> dict[str, Any]:
    return {
        "mean": _exact(found.mean) if found.numbers else None,
        "none": _exact(found.nothing) if found.nothing else None,
        "values": [
            {
                "value": value,
                "chance": _exact(chance),
                "at_least": _exact(found.at_least(value)) if isinstance(value, int) else None,
                "at_most": _exact(found.at_most(value)) if isinstance(value, int) else None,
            }
            for value, chance in found.by_value.items()
        ],
    }


def _exact(number: Fraction) -> dict[str, Any]:
    """Return a fraction as such, with its decimal beside it. Raises UsageError for a monster."""
    if number.denominator.bit_length() > 3 * MOST_DIGITS:
        raise UsageError(
            f"the exact fractions have more than {MOST_DIGITS} digits", "Leave --json out."
        )
    whole = number.denominator == 1
    exact = str(number.numerator) if whole else f"{number.numerator}/{number.denominator}"
    return {"exact": exact, "decimal": float(number)}


SHORTEST, LONGEST = 8, 50  # of a bar at its full length
COLOUR, PLAIN = "\x1b[36m", "\x1b[0m"

Row = tuple[list[str], Fraction]


def percent(chance: Fraction) -> str:
    """Print a chance: ``69.44%``; what is certain or impossible without decimals."""
    return f"{100 * chance}%" if chance in (0, 1) else f"{float(100 * chance):.2f}%"


def number(found: Fraction | int) -> str:
    """Print a number to expect."""
    told = str(found) if found.denominator == 1 else f"{float(found):.2f}"
    return told.replace("-", MINUS)


def table_lines(found: OddsResult) -> Iterator[str]:
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
