"""``show``: a character in the terminal or as JSON."""

from __future__ import annotations

from pathlib import Path

import typer

from charforge.character.files import reader
from charforge.character.state import find_unit
from charforge.cli import console, terminal
from charforge.cli.check import problem_line, say_pack_changes
from charforge.cli.console import print_json
from charforge.cli.messages import error_message
from charforge.cli.options import AsJson, AtLevel, CharacterFile, Command, PlannedOption, UnitOption
from charforge.describe.differences import pack_differences
from charforge.errors import MissingPack
from charforge.export import show_json
from charforge.usecases.plan import load_at, titled_as_planned

app = typer.Typer(add_completion=False)


@app.command("show", cls=Command)
def show(
    file: CharacterFile,
    as_json: AsJson = False,
    at_level: AtLevel = None,
    planned: PlannedOption = False,
    unit: UnitOption = None,
) -> None:
    """Show a character in the terminal.

    The JSON explains every value step by step. --unit shows a companion or
    vehicle alone. If the rules of the character are not installed, you see
    the summary that was saved with it.

    \b
    Examples:
      charforge show nix.json
      charforge show nix.json --at-level 3
      charforge show nix.json --planned --at-level 6
      charforge show nix.json --unit bike
      charforge show nix.json --json | jq .values.max_hp.total
    """
    try:
        loaded = load_at(file, at_level, planned)
        problems = loaded.problems
        loaded = titled_as_planned(loaded) if planned and not as_json else loaded
    except MissingPack as error:
        if unit is not None or at_level is not None or planned:
            raise
        _show_summary(file, error, as_json)
        return
    state = loaded.character.state
    if not as_json:
        say_pack_changes(file, loaded)
    shown_unit = find_unit(state, unit)
    is_character = shown_unit is state.units[0]
    if as_json:
        print_json(
            show_json.character(loaded.character, problems, pack_differences(loaded))
            if is_character
            else show_json.unit(state, shown_unit)
        )
        return
    if is_character:
        terminal.sheet.draw(loaded.character, terminal.screen.rich_console())
    else:
        terminal.sheet.draw_unit(loaded.character, shown_unit, terminal.screen.rich_console())
    for problem in problems:
        console.say(problem_line(problem))


def _show_summary(file: Path, error: MissingPack, as_json: bool) -> None:
    """Print the summary that is saved with a character, because its rules are not installed."""
    console.say(error_message(error))
    document = reader.load(file)
    if as_json:
        print_json(
            show_json.RememberedJson(
                name=document.name, ruleset=document.ruleset, summary=document.character
            )
        )
        return
    terminal.sheet.draw_summary(document, error, terminal.screen.rich_console())
