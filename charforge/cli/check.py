"""``check``: every problem of characters, once or as JSON."""

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
    found: list[dict[str, Any]] = []
    worst = 0
    for file in character_files(files):
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
            console.result(f"  {problem_line(problem)}")
    for note in opened.notes:
        console.result(f"  {'note':<8} {note}")
