"""``check``: the problems of characters, as lines or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import typer

from charforge.cli import console
from charforge.cli.changes import problem_line
from charforge.cli.files import character_files
from charforge.cli.messages import sentence
from charforge.cli.options import AsJson, AtLevel, CharacterFiles, Command
from charforge.errors import CharforgeError, MissingPack
from charforge.replay.loaded import LoadedCharacter, load_character

app = typer.Typer(add_completion=False)


@app.command("check", cls=Command)
def check(files: CharacterFiles, as_json: AsJson = False, at_level: AtLevel = None) -> None:
    """Check characters against the rules and list all problems.

    The exit code is 1 if there is any problem.

    \b
    Examples:
      charforge check nix.json
      charforge check *.json --json
      charforge check campaign/
    """
    results: list[dict[str, Any]] = []
    worst = 0
    for file in character_files(files):
        try:
            character = load_character(file, at_level=at_level)
        except CharforgeError as error:
            results.append(_unreadable_data(file, error))
            worst = max(worst, error.exit_code)
            console.say(sentence(error))
            continue
        problems = character.problems
        worst = max(worst, 1 if problems else 0)
        results.append({"file": str(file), "name": character.document.name, "legal": not problems,
                      "problems": [{"code": p.code, "decision": p.decision, "message": p.message}
                                   for p in problems],
                      "notes": list(character.notes)})  # fmt: skip
        if not as_json:
            _print_problems(file, character, problems)
    if as_json:
        console.result(json.dumps(results, ensure_ascii=False, indent=1))
    raise typer.Exit(worst)


def _unreadable_data(file: Path, error: CharforgeError) -> dict[str, Any]:
    """Return the JSON entry of a character file that cannot be loaded."""
    code = "pack" if isinstance(error, MissingPack) else "unreadable"
    problem = {"code": code, "decision": "", "message": sentence(error)}
    return {"file": str(file), "name": "", "legal": False, "problems": [problem], "notes": []}


def _print_problems(file: Path, character: LoadedCharacter, problems: tuple[Any, ...]) -> None:
    head = f"{file}: {character.document.name}, level {character.character.state.level}"
    if not problems:
        console.result(f"{head}: legal")
    else:
        number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        console.result(f"{head}: {number}")
        for problem in problems:
            console.result(f"  {problem_line(problem)}")
    for note in character.notes:
        console.result(f"  {'note':<8} {note}")
