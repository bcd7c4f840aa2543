"""``catalog installed``, ``add``, ``remove`` and ``new``: packs of one's own and of others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.console import quoted
from charforge.cli.options import AsJson
from charforge.errors import UsageError
from charforge.rules.loader import built_in
from charforge.usecases import packs, scaffold
from charforge.usecases.packs import Listed, install, listed

app = typer.Typer(add_completion=False)


@app.command("installed", cls=Command)
def installed(as_json: AsJson = False) -> None:
    """List the installed rulesets and packs.

    \b
    Examples:
      charforge catalog installed
      charforge catalog installed --json
    """
    found = list(listed())
    if as_json:
        console.result(json.dumps([_data(one) for one in found], ensure_ascii=False, indent=1))
        return
    width = max(len(one.id) for one in found)
    for one in found:
        console.result(f"{one.id:<{width}}  {_line(one)}")


def _line(one: Listed) -> str:
    """Say in a line what a ruleset or pack is."""
    if one.fault:
        return f"cannot be used; charforge catalog check {quoted(one.folder)} says why"
    parts = [f"{one.name} {one.version}"]
    parts.append(
        "built in" if one.built_in else f"amends {one.amends}" if one.amends else "ruleset"
    )
    parts += [f"needs {name}" for name in one.requires]
    parts += [_number(one.entities, "entity", "entities")] if one.entities else []
    parts += [_number(one.patches, "patch", "patches")] if one.patches else []
    return ", ".join(parts)


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _data(one: Listed) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "version": one.version,
        "amends": one.amends or None,
        "requires": list(one.requires),
        "entities": one.entities,
        "patches": one.patches,
        "author": one.author,
        "text": one.text,
        "built_in": one.built_in,
        "folder": str(one.folder),
        "usable": not one.fault,
    }


@app.command("add", cls=Command)
def add(
    pack: Annotated[Path, typer.Argument(metavar="PATH|ZIP", help="A pack's folder or zip.")],
    replace: Annotated[bool, typer.Option("--replace", help="Replace the installed one.")] = False,
) -> None:
    """Install a pack or ruleset from a folder or a zip.

    It is checked first and installed only if it has no errors. Packs contain
    no code that could run.

    \b
    Examples:
      charforge catalog add ./house-rules
      charforge catalog add expansion.zip --replace
    """
    made = install(pack, replace)
    name, ruleset = made.id, made.ruleset
    if name == ruleset.id:
        used = f"--ruleset {name}"
        console.result(f"{name} {ruleset.head.version} is installed: {ruleset.head.name}")
    else:
        mine = ruleset.packs[-1]
        used = " ".join(f"--pack {one.id}" for one in ruleset.packs)
        console.result(f"{name} {mine.version} is installed: {mine.name}, for {ruleset.head.name}")
    if made.again:
        console.say(
            f"{name} was here in this version with other content. Characters tell versions apart: "
            "count its version up with every change, and add it again."
        )
    console.say(f"Use it: charforge new {used}")


@app.command("remove", cls=Command)
def remove(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id, as shown by catalog installed.")],
) -> None:
    """Remove an installed pack or ruleset; character files stay unchanged.

    \b
    Examples:
      charforge catalog remove house-rules
    """
    if id in built_in():
        raise UsageError(f"{id} is built in", "Only what was added can be removed.")
    needing = packs.needed_by(id)
    packs.remove(id)
    console.result(f"{id} is removed")
    if needing:
        console.say(f"Cannot be used without it: {', '.join(needing)}")


@app.command("new", cls=Command)
def new(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help="The folder to create.")],
    whole: Annotated[
        bool, typer.Option("--ruleset", help="Create a small ruleset instead of a pack.")
    ] = False,
    ruleset: Annotated[
        Optional[str], typer.Option("--for", metavar="RULESET", help="The game it adds to.")
    ] = None,
    name: Annotated[
        Optional[str], typer.Option(metavar="N", help="The name (default: from the folder).")
    ] = None,
) -> None:
    """Create a pack: small, commented and ready to use.

    \b
    Examples:
      charforge catalog new house-rules
      charforge catalog new squads --for capital --name "More Squads"
      charforge catalog new my-game --ruleset
    """
    if whole and ruleset is not None:
        raise UsageError("--ruleset makes a game of its own, --for amends one", "Give one of them.")
    made = scaffold.new_ruleset(folder, name) if whole else scaffold.new_pack(folder, ruleset, name)
    for path in made:
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            console.result(str(path))
    check = f"charforge catalog check {quoted(folder)} --watch"
    console.say(f"Next: edit them, and {check} beside it.")
