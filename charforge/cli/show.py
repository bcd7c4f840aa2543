"""``show``: a character in the terminal or as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from charforge import report
from charforge.character import storage
from charforge.cli import console
from charforge.cli.changes import problem_line
from charforge.cli.messages import sentence
from charforge.cli.options import AsJson, AtLevel, CharacterFile, Command, UnitOption
from charforge.errors import MissingPack
from charforge.replay.loaded import load_character
from charforge.sheet.offline import offline_view
from charforge.usecases.lookup import find_unit

app = typer.Typer(add_completion=False)


@app.command("show", cls=Command)
def show(
    file: CharacterFile,
    as_json: AsJson = False,
    at_level: AtLevel = None,
    unit: UnitOption = None,
) -> None:
    """Show a character in the terminal, or as JSON.

    The JSON explains every value step by step. --unit shows a companion or
    vehicle alone. If the rules of the character are not installed, you see
    the summary that was saved with it.

    \b
    Examples:
      charforge show nix.json
      charforge show nix.json --at-level 3
      charforge show nix.json --unit bike
      charforge show nix.json --json | jq .values.max_hp.total
    """
    try:
        loaded = load_character(file, at_level=at_level)
    except MissingPack as error:
        if unit is not None:
            raise
        _show_summary(file, error, as_json, at_level)
        return
    problems, state = loaded.problems, loaded.character.state
    shown_unit = find_unit(state, unit)
    is_character = shown_unit is state.units[0]
    if as_json:
        data = (
            report.character(loaded.character, problems)
            if is_character
            else report.unit(state, shown_unit)
        )
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    # Here, because only this output needs rich, which takes long to import.
    from charforge.cli import terminal_sheet

    if is_character:
        terminal_sheet.draw(loaded.character, console.results())
    else:
        terminal_sheet.draw_unit(loaded.character, shown_unit, console.results())
    for problem in problems:
        console.say(problem_line(problem))


def _show_summary(file: Path, error: MissingPack, as_json: bool, at_level: int | None) -> None:
    """Show what a character's file remembers, where its rules are not installed."""
    if at_level is not None:
        raise error
    console.say(sentence(error))
    document = storage.load(file)
    if as_json:
        summary = {"name": document.name, "ruleset": document.ruleset, "remembered": True}
        data = {**summary, **document.character}
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    # Here, because only this output needs rich, which takes long to import.
    from charforge.cli.terminal_sheet import draw_view

    draw_view(offline_view(document, error), console.results())
