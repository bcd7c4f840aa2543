"""``luck``: recorded rolls compared with their exact distributions."""

from __future__ import annotations

from collections.abc import Iterator

import typer

from charforge.cli import console
from charforge.cli.files import character_files
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, CharacterFiles, Command
from charforge.errors import CharforgeError, counted
from charforge.language import N_, _
from charforge.replay.loaded_character import load_character
from charforge.usecases.luck import (
    Luck,
    luck_data,
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
        console.print_json(list(map(luck_data, lucks)))
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
