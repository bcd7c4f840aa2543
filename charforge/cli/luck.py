"""``luck``: recorded rolls compared with their exact distributions."""

from __future__ import annotations

from collections.abc import Iterator

import typer
from pydantic import AliasChoices, AliasPath, Field

from charforge.cli import console
from charforge.cli.files import character_files
from charforge.cli.json_output import print_json
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, CharacterFiles, Command
from charforge.errors import CharforgeError, counted
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.loaded_character import load_character
from charforge.usecases.luck import (
    Luck,
    luck_notes,
    luck_table,
    measure_luck,
    table_luck,
)

app = typer.Typer(add_completion=False)

TABLE = N_("The whole table")
HEADINGS = (N_("rolls"), N_("average"), N_("expected"), N_("luck"))


@app.command("luck", cls=Command)
def luck(files: CharacterFiles, as_json: AsJson = False) -> None:
    """Compare your recorded rolls with fair dice.

    For each kind of dice: the average and your luck, the share of equally
    many fair rolls that would have been lower, plus half of those that would
    have been equal: 50 % is average. For checks and attacks with a clear
    success: how many succeeded, how many should have, and the luckiest
    success and the unluckiest failure. Their chances are those of the command
    odds.

    \b
    Examples:
      charforge luck nix.json
      charforge luck campaign/
      charforge luck *.json --json
    """
    lucks, worst = [], 0
    for file in character_files(files):
        try:
            lucks.append(measure_luck(load_character(file)))
        except CharforgeError as error:
            console.say(error_message(error))
            worst = max(worst, error.exit_code)
    if len(lucks) > 1:
        lucks.append(table_luck(lucks, _(TABLE)))
    if as_json:
        print_json(map(_luck_json, lucks))
    else:
        for number, measured in enumerate(lucks):
            if number:
                console.print_result("")
            for line in luck_lines(measured, named=measured.name == _(TABLE)):
                console.print_result(line)
    raise typer.Exit(worst)


def luck_lines(measured: Luck, named: bool = False) -> Iterator[str]:
    """Yield the lines about one character, or with ``named`` about several."""
    rows = luck_table(measured).rows
    yield f"{measured.name}: {counted(len(measured.rolls), 'roll', 'rolls')}"
    if rows:
        table = [("", *map(_, HEADINGS))]
        table += [(r.name, str(r.rolls), r.average, r.expected, r.share) for r in rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        for name, *cells in table:
            numbers = (f"{cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
            yield "  ".join(("", f"{name:<{widths[0]}}", *numbers))
    for line in luck_notes(measured, named):
        for parts in console.wrapped(line, "    ", "  "):
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
