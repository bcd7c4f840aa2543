"""``odds``: exact chances of a check, an attack, any rule or a pool of dice, as tables."""

from __future__ import annotations

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
from charforge.cli.completion import complete_odds
from charforge.cli.console import front_end_of, print_json
from charforge.cli.files import find_character
from charforge.cli.options import (
    AgainstOption,
    AsJson,
    InputsOption,
    SetOption,
    UnitOption,
    game_option,
    refuse_together,
    verb,
)
from charforge.cli.packs.campaign_defaults import choose_game
from charforge.describe.chances import chance_number, expected_text, percent, result_rows
from charforge.errors import UsageError
from charforge.expressions.template import true_minus
from charforge.json_model import JsonModel, NumberJson, exact_number
from charforge.language import N_, _
from charforge.odds import Chances, Outcome
from charforge.procedures.inputs import read_whole
from charforge.replay.loaded_character import load_character
from charforge.verbs import odds as odds_usecase
from charforge.verbs.lookup import PROCEDURE
from charforge.verbs.odds import (
    MOST_CASES,
    OddsResult,
    OddsSubject,
    VariedInput,
)
from charforge.verbs.typed_inputs import CommandInputs
from charforge.verbs.unit_status import counted_text, named_or_numbered

app = typer.Typer(add_completion=False)


@app.command(
    "odds",
    cls=verb(
        "FILE unarmed 6",
        "FILE unarmed --vary vs=3..8",
        "FILE str --vary vs=4..7",
        "FILE fall --vary metres=4..12 --best success",
        "--ruleset capital contest score=6 vs=7 --no-choices",
        "--ruleset narrative-dice --pool ability=1,proficiency=2,difficulty=2",
    ),
)
def odds(
    ctx: typer.Context,
    words: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="ATTACK|SCORE|RULE",
            autocompletion=complete_odds,
            help=N_("A character and an attack, score or rule; no FILE with --ruleset."),
            show_default=False,
        ),
    ] = None,
    ruleset: Annotated[Optional[str], game_option(N_("The game, if there is no FILE."))] = None,
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
    changed. --inputs lists what you can --set or --vary. If an ability and
    a rule have the same name, the name means the ability and procedure/ID
    the rule.
    """
    refuse_together({"--best": best, "--no-choices": no_choices})
    varied = _read_varied(vary)
    if pool is not None:
        _print_odds(_pool_result(words or [], ruleset, pool, varied), as_json)
        return
    subject, number = _read_subject(words or [], ruleset, action, unit)
    if inputs:
        play_io.print_inputs(odds_usecase.subject_inputs(subject))
        return
    printer = play_io.StepPrinter(subject.state.ruleset)
    typed_inputs = play_io.read_inputs(front_end_of(ctx), settings, None, printer)
    typed_inputs = typed_inputs.also(**number).of_command(CommandInputs(vs=against))
    _print_odds(
        odds_usecase.calculate_odds(
            subject, typed_inputs, varied, best, not no_choices, name_counted=True
        ),
        as_json,
    )
    if subject.namesake is not None and words:
        command = ["odds", words[0], f"{PROCEDURE}{subject.namesake.id}"]
        console.say(
            _("These are the odds of {name}. A rule has the same name: {command}").format(
                name=subject.label, command=front_end_of(ctx).command_line(command)
            )
        )


def _read_subject(
    words: list[str], ruleset: str | None, action: str | None, unit_id: str | None
) -> tuple[OddsSubject, dict[str, str]]:
    """Return what to calculate, and the input that a number after its name is for.

    It is a rule of a game, or an ability of a character.
    """
    if ruleset is not None:
        for option, value in (("--unit", unit_id), ("--action", action)):
            if value is not None:
                raise UsageError(
                    _("{option} needs a character").format(option=option),
                    _("Give its FILE instead of --ruleset."),
                )
        if not words:
            raise UsageError(
                _("which rule do you want the odds of?"),
                _("To list them: {command}"),
                ["resolve", ruleset],
            )
        game = choose_game(ruleset)
        return odds_usecase.with_number(
            " ".join(words),
            lambda name: odds_usecase.subject_without_character(game.ruleset, name, game.rules),
        )
    if not words:
        raise UsageError(
            _("which character, and which attack, score or rule?"),
            _("Without a character: --ruleset ID and a rule."),
        )
    loaded = load_character(find_character(Path(words[0])))
    if len(words) == 1:
        offered = odds_usecase.odds_offered(loaded, unit_id)
        raise UsageError(
            _("what do you want the odds of?\n{offered}").format(offered=offered),
            _("For what you can set: {command}"),
            odds_usecase.INPUTS_COMMAND,
        )
    named, action = named_or_numbered(loaded.character.state, words[1:], action, unit_id)
    return odds_usecase.with_number(
        named, lambda name: odds_usecase.find_odds_subject(loaded, name, action, unit_id)
    )


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
            first, last = read_whole(low), read_whole(high)
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
        print_json(_odds_json(result))
        return
    console.print_result(result.label)
    if counted := counted_text(result.counted):
        console.print_result(counted)
    if result.choices:
        how = _("Assumes the suggested choices.")
        if result.best is not None:
            goal = result.label_of(result.best)
            how = _(
                "Assumes the best choices for: {goal} (--no-choices: the suggested ones)."
            ).format(goal=goal)
        console.print_result(how)
    for assumption in result.assumptions:
        console.print_result(_("Assumes: {assumption}").format(assumption=assumption))
    for question, example in result.left_out:
        console.print_result(
            _("Left out: {question} To add it: {example}").format(
                question=question, example=example
            )
        )
    chances, details = list(chance_lines(result)), list(detail_lines(result))
    # On a terminal the chances are last: what is above scrolls away.
    parts = [details, chances] if sys.stdout.isatty() else [chances, details]
    for number, lines in enumerate(filter(None, parts)):
        if number:
            console.print_result("")
        for text, bar in lines:
            console.print_result(text, console.Styled(bar, "cyan"))


class ChanceJson(JsonModel):
    """The chance of a value; of a number also of as much or more, and as much or less."""

    value: int | str
    chance: NumberJson
    at_least: NumberJson | None
    at_most: NumberJson | None


class ChancesJson(JsonModel):
    """A distribution: the mean if it has numbers, and the chance of ``none`` if it is possible."""

    mean: NumberJson | None
    none: NumberJson | None
    values: tuple[ChanceJson, ...]


class OutcomeJson(ChancesJson):
    """The chances of an output; ``where_it_counts`` are those in the runs that it is about."""

    label: str
    flag: bool
    where_it_counts: ChancesJson | None


class OddsCaseJson(JsonModel):
    """The outputs, by id, with one ``value`` of the input that varies."""

    value: str | None
    outputs: dict[str, OutcomeJson]


class OddsJson(JsonModel):
    """The output of ``odds --json``; ``best`` is the output for which choices were made.

    ``counted`` are the current conditions and resources that affect the numbers, in words.
    """

    label: str
    vary: str | None
    best: str | None
    assumes: tuple[str, ...]
    counted: tuple[str, ...]
    cases: tuple[OddsCaseJson, ...]


def _odds_json(result: OddsResult) -> OddsJson:
    cases = [
        OddsCaseJson(
            value=word if result.varied.name else None,
            outputs={
                outcome.id: OutcomeJson(
                    label=outcome.label,
                    flag=outcome.id in result.flags,
                    where_it_counts=outcome.given and ChancesJson(**_chances(outcome.given)),
                    **_chances(outcome.chances),
                )
                for outcome in outcomes
            },
        )
        for word, outcomes in zip(result.varied.words, result.cases, strict=True)
    ]
    return OddsJson(
        label=result.label,
        vary=result.varied.name or None,
        best=result.best,
        assumes=result.assumptions,
        counted=result.counted,
        cases=cases,
    )


def _chances(chances: Chances) -> dict[str, Any]:
    """Return the fields of a distribution."""
    values = []
    for value, chance in chances.by_value.items():
        at_least = at_most = None
        if isinstance(value, int):
            at_least = exact_number(chances.at_least(value))
            at_most = exact_number(chances.at_most(value))
        values.append(
            ChanceJson(value=value, chance=exact_number(chance), at_least=at_least, at_most=at_most)
        )
    return {
        "mean": exact_number(chances.mean) if chances.numbers else None,
        "none": exact_number(chances.nothing) if chances.nothing else None,
        "values": values,
    }


SHORTEST, LONGEST = 8, 50  # of a bar at its full length
WIDEST_TABLE = 100
HEADING_WIDTHS = (14, 11, 8)  # characters of a heading before it continues on another line
EIGHTHS = " ▏▎▍▌▋▊▉"

BarLine = tuple[str, str]  # text and bar
Row = tuple[list[str], Fraction]


def chance_lines(result: OddsResult) -> Iterator[BarLine]:
    """Yield how likely a result is: of one case its chances, several cases side by side."""
    if result.varied.name:
        yield from _side_by_side(result)
        return
    outcomes = result.cases[0]
    if result.pooled:
        pool_rows: list[Row] = []
        for outcome in outcomes:
            any_chance = outcome.chances.at_least(1)
            mean = chance_number(outcome.chances.mean)
            pool_rows.append(([outcome.label, percent(any_chance), mean], any_chance))
        yield from table(["", _("1 or more"), "mean"], pool_rows)
    flags = ((o.label, o.chances.at_least(1)) for o in outcomes if o.id in result.flags)
    yield from table([], [([label, percent(chance)], chance) for label, chance in flags])


def detail_lines(result: OddsResult) -> Iterator[BarLine]:
    """Yield the values of each output of a single case, with their chances."""
    outcomes = () if result.varied.name else result.cases[0]
    shown = (o for o in outcomes if o.id not in result.flags | result.mirrored)
    for number, outcome in enumerate(shown):
        if number:
            yield "", ""
        yield from _distribution(outcome)


def _distribution(outcome: Outcome) -> Iterator[BarLine]:
    """Yield the values of an output, each with its chance and the chance of at least as much."""
    chances = outcome.chances
    yield f"{outcome.label}: {expected_text(outcome)}", ""
    if len(chances.by_value) == 1 and not chances.nothing:
        return
    rows: list[Row] = [
        ([row.label, row.text, row.or_more], row.chance) for row in result_rows(chances)
    ]
    longest = max(chance for _cells, chance in rows)
    if chances.numbers:
        yield from table(["", _("chance"), _("or more")], rows, longest, left=False)
    else:
        yield from table(["", _("chance")], [(cells[:2], c) for cells, c in rows], longest)


def _side_by_side(result: OddsResult) -> Iterator[BarLine]:
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
        share = case[drawn].chances.at_least(1) if drawn else Fraction(0)
        rows.append(([true_minus(word), *cells], share))
    yield from table([result.varied.name, *map(result.label_of, shown)], rows)
    if drawn is not None:
        yield _("Bars show {label}.").format(label=result.label_of(drawn)), ""
    for name in certain:
        yield (
            _("{label}: always {value}").format(
                label=result.label_of(name), value=_case_cell(result, cases[0][name])
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
    return chance_number(outcome.chances.mean)


def table(
    head: Sequence[str], rows: Sequence[Row], longest: Fraction = Fraction(1), left: bool = True
) -> Iterator[BarLine]:
    """Yield aligned lines, each with a bar for its chance; a full bar is the chance ``longest``.

    The first column is aligned to the left or right, the others to the right.
    """
    if not rows:
        return
    cells = [row for row, _chance in rows]
    for signs in HEADING_WIDTHS:
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
    """Return whether the terminal shows block characters."""
    if os.environ.get("TERM") == "dumb":
        return False
    try:
        "█▏".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST_TABLE)
