"""``check`` and ``show``: commands that only read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from charforge.cli import screen
from charforge.cli.options import AsJson, AtLevel, CharacterFile, CharacterFiles

if TYPE_CHECKING:
    from charforge import service
    from charforge.engine.replay import Problem


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
    """
    from charforge import service
    from charforge.cli.messages import sentence
    from charforge.errors import CharforgeError

    found: list[dict[str, Any]] = []
    worst = 0
    for file in files:
        try:
            opened = service.open_file(file, at_level=at_level)
        except CharforgeError as error:
            worst = max(worst, error.exit_code)
            screen.say(sentence(error))
            problem = {"code": "unreadable", "decision": "", "message": sentence(error)}
            found.append({"file": str(file), "name": "", "legal": False, "problems": [problem],
                          "notes": []})  # fmt: skip
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
        screen.result(json.dumps(found, ensure_ascii=False, indent=1))
    raise typer.Exit(worst)


def _say_checked(file: Path, opened: service.Opened, problems: tuple[Any, ...]) -> None:
    head = f"{file}: {opened.document.name}, level {opened.character.state.level}"
    if not problems:
        screen.result(f"{head}: legal")
    else:
        number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        screen.result(f"{head}: {number}")
        for problem in problems:
            screen.result(f"  {line(problem)}")
    for note in opened.notes:
        screen.result(f"  {'note':<8} {note}")


def line(problem: Problem) -> str:
    """Say a problem in a line: its sort, its place, what is wrong."""
    where = f"{problem.decision}: " if problem.decision else ""
    return f"{problem.code:<8} {where}{problem.message}"


def show(file: CharacterFile, as_json: AsJson = False, at_level: AtLevel = None) -> None:
    """Show a character in the terminal, or as JSON with every value's steps.

    \b
    Examples:
      charforge show nix.json
      charforge show nix.json --at-level 3
      charforge show nix.json --json | jq .values.max_hp.total
    """
    from charforge import report, service

    opened = service.open_file(file, at_level=at_level)
    problems = opened.problems
    if as_json:
        data = report.character(opened.character, problems)
        screen.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    from charforge.cli.terminal import draw

    draw(opened.character, screen.results())
    for problem in problems:
        screen.say(line(problem))
