"""``check`` and ``show``: commands that only read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from charforge.cli import console
from charforge.cli.options import AsJson, AtLevel, CharacterFile, CharacterFiles, UnitOption

if TYPE_CHECKING:
    from charforge.errors import CharforgeError, MissingPack
    from charforge.replay.loaded import LoadedCharacter
    from charforge.replay.replay import Problem


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("check")(check)
    app.command("show")(show)


def check(files: CharacterFiles, as_json: AsJson = False, at_level: AtLevel = None) -> None:
    """Check characters against the rules: every problem at once.

    Exit code 1 where there is any problem.

    \b
    Examples:
      charforge check nix.json
      charforge check *.json --json
      charforge check campaign/
    """
    from charforge.cli import character_files
    from charforge.cli.messages import sentence
    from charforge.errors import CharforgeError
    from charforge.replay.loaded import load_character

    found: list[dict[str, Any]] = []
    worst = 0
    for file in character_files.characters(files):
        try:
            opened = load_character(file, at_level=at_level)
        except CharforgeError as error:
            found.append(_unread(file, error))
            worst = max(worst, error.exit_code)
            console.say(sentence(error))
            continue
        problems = opened.problems
        worst = max(worst, 1 if problems else 0)
        found.append({"file": str(file), "name": opened.document.name, "legal": not problems,
                      "problems": [{"code": p.code, "decision": p.decision, "message": p.message}
                                   for p in problems],
                      "notes": list(opened.notes)})  # fmt: skip
        if not as_json:
            _say_checked(file, opened, problems)
    if as_json:
        console.result(json.dumps(found, ensure_ascii=False, indent=1))
    raise typer.Exit(worst)


def _unread(file: Path, error: CharforgeError) -> dict[str, Any]:
    """Return what is said of a character that cannot be judged."""
    from charforge.cli.messages import sentence
    from charforge.errors import MissingPack

    code = "pack" if isinstance(error, MissingPack) else "unreadable"
    problem = {"code": code, "decision": "", "message": sentence(error)}
    return {"file": str(file), "name": "", "legal": False, "problems": [problem], "notes": []}


def _say_checked(file: Path, opened: LoadedCharacter, problems: tuple[Any, ...]) -> None:
    head = f"{file}: {opened.document.name}, level {opened.character.state.level}"
    if not problems:
        console.result(f"{head}: legal")
    else:
        number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        console.result(f"{head}: {number}")
        for problem in problems:
            console.result(f"  {line(problem)}")
    for note in opened.notes:
        console.result(f"  {'note':<8} {note}")


def line(problem: Problem) -> str:
    """Say a problem in a line: its sort, its place, what is wrong."""
    where = f"{problem.decision}: " if problem.decision else ""
    return f"{problem.code:<8} {where}{problem.message}"


def show(
    file: CharacterFile,
    as_json: AsJson = False,
    at_level: AtLevel = None,
    unit: UnitOption = None,
) -> None:
    """Show a character in the terminal, or as JSON with every value's steps.

    With --unit a companion or vehicle alone: as JSON what stands under units,
    and its conditions. Where the rules are not installed, what was last saved
    of all is shown.

    \b
    Examples:
      charforge show nix.json
      charforge show nix.json --at-level 3
      charforge show nix.json --unit bike
      charforge show nix.json --json | jq .values.max_hp.total
    """
    from charforge import report
    from charforge.errors import MissingPack
    from charforge.replay.loaded import load_character
    from charforge.usecases.lookup import find_unit

    try:
        opened = load_character(file, at_level=at_level)
    except MissingPack as error:
        if unit is not None:
            raise
        _remember(file, error, as_json, at_level)
        return
    problems, state = opened.problems, opened.character.state
    chosen = find_unit(state, unit)
    whole = chosen is state.units[0]
    if as_json:
        data = report.character(opened.character, problems) if whole else report.unit(state, chosen)
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    from charforge.cli import terminal_sheet

    if whole:
        terminal_sheet.draw(opened.character, console.results())
    else:
        terminal_sheet.draw_unit(opened.character, chosen, console.results())
    for problem in problems:
        console.say(line(problem))


def _remember(file: Path, error: MissingPack, as_json: bool, at_level: int | None) -> None:
    """Show what a character's file remembers, where its rules are not installed."""
    from charforge.character import storage
    from charforge.cli.messages import sentence

    if at_level is not None:
        raise error
    console.say(sentence(error))
    document = storage.load(file)
    if as_json:
        summary = {"name": document.name, "ruleset": document.ruleset, "remembered": True}
        told = {**summary, **document.character}
        console.result(json.dumps(told, ensure_ascii=False, indent=1))
        return
    from charforge.cli.terminal_sheet import draw_view
    from charforge.usecases.offline import remember

    draw_view(remember(document, error), console.results())
