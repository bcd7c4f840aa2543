"""``luck`` and ``replay``: recorded rolls beside fair dice, and other choices, same dice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from pydantic import AliasChoices, AliasPath, Field

from charforge.answers.file import parse_answer, read_answer
from charforge.cli import console
from charforge.cli.console import print_json
from charforge.cli.files import character_files, settle_language
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, CharacterFile, CharacterFiles, Command, read_pair
from charforge.decisions.base import Answer
from charforge.describe.differences import difference_lines
from charforge.errors import CharforgeError, MissingAnswers, UnknownId, UsageError, counted
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter, load_character
from charforge.rules.ruleset import Ruleset
from charforge.usecases.edit import find_decision
from charforge.usecases.luck import (
    Luck,
    WhatIf,
    luck_notes,
    luck_table,
    measure_luck,
    table_luck,
    what_if,
)

app = typer.Typer(add_completion=False)

WHOLE_TABLE = N_("The whole table")
LUCK_COLUMNS = (N_("rolls"), N_("average"), N_("expected"), N_("luck"))


@app.command("luck", cls=Command)
def luck(files: CharacterFiles, as_json: AsJson = False) -> None:
    """Compare your recorded rolls with fair dice.

    For each kind of dice: the average and your luck, the share of equally
    many fair rolls that would have been lower, plus half of those that would
    have been equal: 50% is average. For checks and attacks with a clear
    success: how many succeeded, how many should have, and the luckiest
    success and the unluckiest failure. Their chances are those of the command
    odds, which assume the best choices: points that you did not spend look
    like bad luck.

    \b
    Examples:
      charforge luck nix.json
      charforge luck campaign/
      charforge luck *.json --json
    """
    lucks, worst = [], 0
    characters = character_files(files)
    settle_language(characters)
    for file in characters:
        try:
            lucks.append(measure_luck(load_character(file)))
        except CharforgeError as error:
            console.say(error_message(error))
            worst = max(worst, error.exit_code)
    if len(lucks) > 1:
        lucks.append(table_luck(lucks, _(WHOLE_TABLE)))
    if as_json:
        print_json(map(_luck_json, lucks))
    else:
        for number, measured in enumerate(lucks):
            if number:
                console.print_result("")
            for line in luck_lines(measured, named=measured.name == _(WHOLE_TABLE)):
                console.print_result(line)
    raise typer.Exit(worst)


def luck_lines(measured: Luck, named: bool = False) -> Iterator[str]:
    """Yield the lines about one character, or with ``named`` about several."""
    rows = luck_table(measured).rows
    yield f"{measured.name}: {counted(len(measured.rolls), 'roll', 'rolls')}"
    if rows:
        table = [("", *map(_, LUCK_COLUMNS))]
        table += [(r.name, str(r.rolls), r.average, r.expected, r.share) for r in rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for name, *cells in table:
            numbers = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
            yield "  ".join(("", f"{name:<{widths[0]}}", *numbers))
    for line in luck_notes(measured, named):
        for parts in console.indented_lines(line, "    ", "  "):
            yield "".join(map(str, parts))


class DiceLuckJson(JsonModel):
    """The luck with one kind of dice, in rounded numbers; ``percentile`` is from 0 to 1."""

    label: str
    dice: str = Field(validation_alias=AliasChoices(AliasPath("dice", "notation"), "dice"))
    rolls: int
    average: float
    expected: float
    percentile: float


class AttemptJson(JsonModel):
    """A recorded attempt; ``event`` is its number in the history, ``chance`` is from 0 to 1."""

    character: str
    event: int
    text: str
    chance: float


class LuckJson(JsonModel):
    """The luck of a character in the output of ``luck --json``; chances are from 0 to 1."""

    name: str
    rolls: int
    dice: tuple[DiceLuckJson, ...]
    attempts: int
    successes: int
    expected_successes: float
    success_percentile: float | None
    least_likely_success: AttemptJson | None
    least_likely_failure: AttemptJson | None
    uncounted_rolls: int
    attempts_without_odds: int


def _luck_json(luck: Luck) -> LuckJson:
    return LuckJson(
        name=luck.name,
        rolls=len(luck.rolls),
        dice=luck.dice,
        attempts=len(luck.attempts),
        successes=luck.successes,
        expected_successes=luck.expected_successes,
        success_percentile=luck.success_percentile,
        least_likely_success=luck.least_likely_success,
        least_likely_failure=luck.least_likely_failure,
        uncounted_rolls=luck.uncounted,
        attempts_without_odds=luck.unknown,
    )


@app.command("replay", cls=Command)
def replay(
    file: CharacterFile,
    instead: Annotated[
        list[str],
        typer.Option(
            "--instead",
            metavar="CHOICE=ANSWER",
            help=N_("A choice and the answer to try; repeat it for several."),
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """See what would have happened with a different choice and the same dice.

    Lists every event that would have gone differently, and stops where dice
    would be needed that were never rolled. The character is not changed.

    \b
    Examples:
      charforge replay nix.json --instead role.plus=wis
      charforge replay nix.json --instead "level.2.systems=[system/quick]"
      charforge replay nix.json --instead role.plus=wis --instead role.minus=str --json
    """
    pairs = [
        read_pair("--instead", text, "CHOICE=ANSWER", "--instead role.plus=wis") for text in instead
    ]
    loaded = load_character(file)
    answers = {name: _typed_answer(loaded, name, answer) for name, answer in pairs}
    try:
        result = what_if(loaded, answers)
    except MissingAnswers as error:
        listed = "\n".join(
            _("  {label}  --instead {name}=…").format(label=label, name=name)
            for name, label in error.decisions
        )
        raise UsageError(
            _("this opens further choices; answer them, too:\n{listed}").format(listed=listed)
        ) from error
    if as_json:
        print_json(result)
        return
    for line in _lines(result, loaded.ruleset):
        console.print_result(line)


def _typed_answer(loaded: LoadedCharacter, name: str, text: str) -> Answer:
    """Return an answer as ``edit`` reads it, or as a file does if another answer opens it."""
    try:
        return read_answer(find_decision(loaded, name), text)
    except UnknownId:
        return parse_answer(text)


def _lines(result: WhatIf, ruleset: Ruleset) -> Iterator[str]:
    yield _("With {choices}:").format(choices=", ".join(result.choices))
    for line in difference_lines(result.start, ruleset) or [_("your character stays the same")]:
        yield f"  {line}"
    for event in result.events:
        yield f"{event.number:>5}  {event.text}"
        for changed in event.results:
            label = f"{changed.label}: " if changed.label else ""
            yield _("         {label}{was}; would be: {would_be}").format(
                label=label, was=changed.was, would_be=changed.would_be
            )
        for line in event.consequences:
            yield f"         {line}"
    if not result.compared and result.unknown is None:
        yield _("Nothing was played yet, so there is nothing to compare.")
        return
    compared = counted(result.compared, "event", "events")
    yield _("Compared {compared} of play; {count} would have gone differently.").format(
        compared=compared, count=len(result.events)
    )
    if result.unknown is not None:
        number, text, reason = result.unknown.number, result.unknown.text, result.unknown.reason
        yield _("Unknown from no. {number} in history on: {text}").format(number=number, text=text)
        yield f"  {reason}"
    elif result.events:
        yield _("In the end:")
        for line in difference_lines(result.end, ruleset) or [_("no difference")]:
            yield f"  {line}"
