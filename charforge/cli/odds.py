"""``odds``: the exact chances of a check, an attack, any rule, or a pool of dice."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console, odds_tables, play_io
from charforge.cli.arguments import Command
from charforge.cli.options import AsJson, UnitOption
from charforge.cli.play_io import InputsOption, SetOption
from charforge.errors import UsageError
from charforge.odds import Chances, Outcome
from charforge.replay.loaded import load_character
from charforge.rules.loader import load
from charforge.usecases import odds as odds_usecases
from charforge.usecases.odds import MOST_CASES, OddsResult, OddsSubject, VariedInput

app = typer.Typer(add_completion=False)

MOST_DIGITS = 4000  # of a number in JSON


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
    for line in odds_tables.lines(found):
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
