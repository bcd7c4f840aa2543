"""``odds``: exact chances of a check, an attack, any rule or a pool of dice, as tables."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console, play_io
from charforge.cli.campaign_defaults import choose_game
from charforge.cli.completion import complete_games, complete_odds
from charforge.cli.files import find_character
from charforge.cli.odds_tables import table_lines
from charforge.cli.options import (
    AgainstOption,
    AsJson,
    Command,
    InputsOption,
    SetOption,
    UnitOption,
)
from charforge.errors import UsageError
from charforge.language import N_, _
from charforge.odds import Chances, Outcome
from charforge.replay.loaded_character import load_character
from charforge.usecases import odds as odds_usecase
from charforge.usecases.odds import MOST_CASES, OddsResult, OddsSubject, VariedInput

app = typer.Typer(add_completion=False)

MOST_DIGITS = 4000  # of a number in JSON


@app.command("odds", cls=Command)
def odds(
    words: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[FILE] ATTACK|SCORE|RULE",
            autocompletion=complete_odds,
            help=N_("A character and an attack, score or rule; no FILE with --ruleset."),
            show_default=False,
        ),
    ] = None,
    ruleset: Annotated[
        Optional[str],
        typer.Option(
            "--ruleset",
            metavar="GAME",
            autocompletion=complete_games,
            help=N_("The game, if there is no FILE."),
        ),
    ] = None,
    against: AgainstOption = None,
    settings: SetOption = None,
    vary: Annotated[
        Optional[str],
        typer.Option(
            "--vary", metavar="NAME=3..8", help=N_("Try several values of an input, as a table.")
        ),
    ] = None,
    best: Annotated[
        Optional[str],
        typer.Option(
            "--best", metavar="RESULT", help=N_("The result that choices should improve.")
        ),
    ] = None,
    no_choices: Annotated[
        bool,
        typer.Option("--no-choices", help=N_("Make the suggested choices instead of the best.")),
    ] = False,
    pool: Annotated[
        Optional[str],
        typer.Option(
            "--pool", metavar="DIE=2,…", help=N_("Symbol dice to roll instead of a rule.")
        ),
    ] = None,
    action: Annotated[
        Optional[str],
        typer.Option("--action", metavar="NAME", help=N_("Which attack, if there are several.")),
    ] = None,
    unit: UnitOption = None,
    inputs: InputsOption = False,
    as_json: AsJson = False,
) -> None:
    """Calculate exact odds for an attack, a check or any rule.

    It counts every possible roll; it never simulates. It assumes that you
    make the best choices about rerolls and the like. The character is not
    changed. --inputs lists what you can --set or --vary.

    \b
    Examples:
      charforge odds nix.json "auto rifle" --vs 6
      charforge odds nix.json "auto rifle" --vary vs=3..8
      charforge odds nix.json str --vary vs=4..7
      charforge odds nix.json fall --vary metres=4..12 --best success
      charforge odds --ruleset capital contest --set score=6 --set vs=7 --no-choices
      charforge odds --ruleset narrative-dice --pool ability=1,proficiency=2,difficulty=2
    """
    if best is not None and no_choices:
        raise UsageError(
            _("--best and --no-choices cannot be used together"), _("Leave one of them out.")
        )
    varied = _read_varied(vary)
    if pool is not None:
        _print_odds(_pool_result(words or [], ruleset, pool, varied), as_json)
        return
    subject = _read_subject(words or [], ruleset, action, unit)
    if inputs:
        play_io.print_inputs(odds_usecase.subject_inputs(subject))
        return
    typed_inputs = play_io.read_inputs(settings, None, play_io.StepPrinter(subject.state.ruleset))
    typed_inputs = typed_inputs.also(vs=against)
    _print_odds(
        odds_usecase.calculate_odds(subject, typed_inputs, varied, best, not no_choices), as_json
    )


def _read_subject(
    words: list[str], ruleset: str | None, action: str | None, unit: str | None
) -> OddsSubject:
    """Return what to calculate: a rule of a game, or an ability of a character."""
    if ruleset is not None:
        for option, value in (("--unit", unit), ("--action", action)):
            if value is not None:
                raise UsageError(
                    _("{option} needs a character").format(option=option),
                    _("Give its FILE instead of --ruleset."),
                )
        if not words:
            advice = _("To list them: charforge resolve {ruleset}").format(ruleset=ruleset)
            raise UsageError(_("which rule do you want the odds of?"), advice)
        game = choose_game(ruleset)
        return odds_usecase.subject_without_character(game.ruleset, " ".join(words), game.rules)
    if not words:
        raise UsageError(
            _("name a character file and an attack, score or rule"),
            _("Without a character: --ruleset ID and a rule."),
        )
    loaded = load_character(find_character(Path(words[0])))
    if len(words) == 1:
        offered = odds_usecase.odds_offered(loaded, unit)
        raise UsageError(_("what do you want the odds of?\n{offered}").format(offered=offered))
    return odds_usecase.find_subject(loaded, " ".join(words[1:]), action, unit)


def _pool_result(
    words: list[str], ruleset: str | None, text: str, varied: VariedInput
) -> OddsResult:
    """Return the odds of a pool of dice of a game, or of the game of a character."""
    if ruleset is not None and not words:
        rules = choose_game(ruleset).ruleset
    elif ruleset is None and len(words) == 1:
        rules = load_character(find_character(Path(words[0]))).ruleset
    else:
        raise UsageError(
            _("--pool takes a game or a FILE, but no rule"), _("Use --ruleset GAME or a FILE.")
        )
    return odds_usecase.pool_odds(rules, odds_usecase.read_pool(text), varied)


def _read_varied(text: str | None) -> VariedInput:
    """Return the values of ``vs=3..8`` or ``vs=3,5,7``. Raises UsageError."""
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
        words = [str(number) for number in range(first, min(last, first + MOST_CASES) + 1)]
    if not (name.strip() and words and all(words)):
        raise UsageError(
            _("--vary needs NAME=3..8 or NAME=3,5,7, not {text}").format(text=repr(text)),
            _("For example --vary vs=3..8"),
        )
    return VariedInput(name.strip().casefold().replace("-", "_"), tuple(words))


def _print_odds(result: OddsResult, as_json: bool) -> None:
    if as_json:
        console.print_json(_odds_data(result))
        return
    console.print_result(result.label)
    if result.choices:
        how = _("Assumes the suggested choices.")
        if result.best is not None:
            goal = result.label_of(result.best)
            how = _(
                "Assumes the best choices for: {goal} (--no-choices: the suggested ones)."
            ).format(goal=goal)
        console.print_result(how)
    for text, bar in table_lines(result):
        console.print_result(text, console.Styled(bar, "cyan"))


def _odds_data(result: OddsResult) -> dict[str, Any]:
    return {
        "label": result.label,
        "vary": result.varied.name or None,
        "best": result.best,
        "cases": [
            {
                "value": word if result.varied.name else None,
                "outputs": {outcome.id: _outcome_data(result, outcome) for outcome in outcomes},
            }
            for word, outcomes in zip(result.varied.words, result.cases, strict=True)
        ],
    }


def _outcome_data(result: OddsResult, outcome: Outcome) -> dict[str, Any]:
    conditional = None if outcome.given is None else _chances_data(outcome.given)
    return {
        "label": outcome.label,
        "flag": outcome.id in result.flags,
        **_chances_data(outcome.chances),
        "where_it_counts": conditional,
    }


def _chances_data(chances: Chances) -> dict[str, Any]:
    values = []
    for value, chance in chances.by_value.items():
        number = value if isinstance(value, int) else None
        values.append(
            {
                "value": value,
                "chance": _exact_data(chance),
                "at_least": None if number is None else _exact_data(chances.at_least(number)),
                "at_most": None if number is None else _exact_data(chances.at_most(number)),
            }
        )
    return {
        "mean": _exact_data(chances.mean) if chances.numbers else None,
        "none": _exact_data(chances.nothing) if chances.nothing else None,
        "values": values,
    }


def _exact_data(number: Fraction) -> dict[str, Any]:
    """Return a number as a fraction and a decimal. Raises UsageError if it has too many digits."""
    if number.denominator.bit_length() > 3 * MOST_DIGITS:
        raise UsageError(
            _("the exact fractions have more than {most_digits} digits").format(
                most_digits=MOST_DIGITS
            ),
            _("Leave out --json."),
        )
    is_integer = number.denominator == 1
    exact = str(number.numerator) if is_integer else f"{number.numerator}/{number.denominator}"
    return {"exact": exact, "decimal": float(number)}
