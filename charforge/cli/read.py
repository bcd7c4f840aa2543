"""``check``, ``show``, ``explain`` and ``export``: commands that only read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from charforge.cli import screen
from charforge.cli.options import (
    AsJson,
    AtLevel,
    CharacterFile,
    CharacterFiles,
    ForceOption,
    OutOption,
)

if TYPE_CHECKING:
    from charforge import service
    from charforge.engine.derive import Explained, Step
    from charforge.engine.state import State


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command("check")(check)
    app.command("show")(show)
    app.command("explain")(explain)
    app.command("export")(export)


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
            found.append({"file": str(file), "legal": False, "error": sentence(error)})
            continue
        problems = opened.problems
        worst = max(worst, 1 if problems else 0)
        found.append({"file": str(file), "name": opened.document.name, "legal": not problems,
                      "problems": [{"code": p.code, "decision": p.decision, "message": p.message}
                                   for p in problems],
                      "notes": list(service.pack_notes(opened))})  # fmt: skip
        if not as_json:
            _say_checked(file, opened, problems)
    if as_json:
        screen.result(json.dumps(found, ensure_ascii=False, indent=1))
    raise typer.Exit(worst)


def _say_checked(file: Path, opened: service.Opened, problems: tuple[Any, ...]) -> None:
    from charforge import service

    head = f"{file}: {opened.document.name}, level {opened.character.state.level}"
    if not problems:
        screen.result(f"{head}: legal")
    else:
        number = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        screen.result(f"{head}: {number}")
        for problem in problems:
            where = f"{problem.decision}: " if problem.decision else ""
            screen.result(f"  {problem.code:<8} {where}{problem.message}")
    for note in service.pack_notes(opened):
        screen.say(f"{file}: {note}")


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
        screen.say(f"{problem.code}: {problem.decision}: {problem.message}")


def explain(
    file: CharacterFile,
    what: Annotated[
        Optional[str],
        typer.Argument(metavar="[VALUE|ID]", help="A value, or anything of the catalog."),
    ] = None,
    unit: Annotated[
        Optional[str], typer.Option("--unit", metavar="U", help="A companion or vehicle.")
    ] = None,
    at_level: AtLevel = None,
) -> None:
    """Explain a number step by step, or why something can or cannot be taken.

    \b
    Examples:
      charforge explain nix.json max_hp
      charforge explain nix.json system/focus-ii
      charforge explain nix.json max_hp --unit asset.companion
    """
    from charforge import service
    from charforge.errors import UnknownId

    opened = service.open_file(file, at_level=at_level)
    state = opened.character.state
    if what is not None and "/" in what:
        _say_why(state, what)
        return
    chosen = service.find_unit(state, unit)
    values = state.values(chosen.id)
    names = values.ids() if what is None else (what.lower(),)
    for number, name in enumerate(names):
        if name not in values:
            raise UnknownId(
                f"value of {chosen.name or opened.document.name}", what or "", values.ids()
            )
        if number:
            screen.result("")
        _say_value(state, values.explain(name))


def _say_value(state: State, value: Explained) -> None:
    name = state.ruleset.values[value.id].name
    now = "" if value.total == value.base else f" (now {value.total})"
    screen.result(f"{name} ({value.label}): {value.base}{now}")
    width = max((len(_amount(step)) for step in value.steps), default=0)
    for step in value.steps:
        note = f"  [{step.note}]" if step.note else ""
        screen.result(
            f"  {_amount(step):>{width}}  = {step.total:<4} {_source(state, step.source)}{note}"
        )


def _amount(step: Step) -> str:
    words = {"at_least": "at least ", "at_most": "at most ", "multiply": "× ", "set": "", "add": ""}
    sign = "+" if step.op == "add" and step.amount >= 0 else ""
    return f"{words[step.op]}{sign}{step.amount}".replace("-", "\N{MINUS SIGN}")


def _source(state: State, source: str) -> str:
    """Name a step's source: an entity with its place in the book, or a decision."""
    entity = state.ruleset.entities.get(source)
    if entity is None:
        return source
    rulings = f", ruling {', '.join(entity.rulings)}" if entity.rulings else ""
    return f"{entity.name} ({entity.source}{rulings})"


def _say_why(state: State, name: str) -> None:
    from charforge import service

    entity, reasons = service.why(state, name)
    if state.has(entity.id):
        holding = next(h for h in state.holdings if h.entity.id == entity.id)
        screen.result(f"{entity.name}: held, from {holding.origin} at level {holding.level}")
    elif not reasons:
        screen.result(f"{entity.name}: nothing stands against it")
    else:
        screen.result(f"{entity.name}: not now")
        for reason in reasons:
            screen.result(f"  {reason}")


def export(
    file: CharacterFile,
    format: Annotated[str, typer.Option("--format", metavar="F", help="answers.")] = "answers",
    output: OutOption = None,
    force: ForceOption = False,
    at_level: AtLevel = None,
) -> None:
    """Turn a character into an answers file, for new --answers.

    \b
    Examples:
      charforge export nix.json --format answers -o nix.yaml
    """
    from charforge import service
    from charforge.document import store
    from charforge.errors import UnknownId, WriteError

    if format != "answers":
        raise UnknownId("export format", format, ["answers"])
    text = service.to_answers(service.open_file(file, at_level=at_level))
    if output is None:
        screen.result(text)
        return
    if output.exists() and not force:
        raise WriteError(output, "this file exists already", "Use --force, or another -o.")
    store.write(output, text.encode(), replace=force)
    screen.result(str(output))


def report_level(before: service.Opened, after: service.Opened, file: Path) -> None:
    """Say what a level brought: values that changed, and what was gained."""
    old, new = before.character.state, after.character.state
    screen.result(f"{file}: {after.document.name}, level {old.level} → {new.level}")
    for unit in new.units:
        was, now = old.values(unit.id), new.values(unit.id)
        prefix = f"{unit.name}: " if unit.name else ""
        for name in now.ids():
            if was.total(name) != now.total(name):
                label = new.ruleset.values[name].label
                screen.result(f"  {prefix}{label} {was.total(name)} → {now.total(name)}")
    held = {holding.id for holding in old.holdings}
    for holding in new.holdings:
        if holding.id not in held:
            screen.result(f"  + {holding.entity.name}")
    kept = {holding.id for holding in new.holdings}
    for holding in old.holdings:
        if holding.id not in kept:
            screen.result(f"  \N{MINUS SIGN} {holding.entity.name} (replaced)")
