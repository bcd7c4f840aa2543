"""``diff``: in words what differs between two characters, or two points of one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.changes import difference_lines
from charforge.cli.options import AsJson, CharacterFile
from charforge.errors import UsageError
from charforge.replay.loaded import LoadedCharacter, load_character
from charforge.usecases.compare import difference_data, differences

app = typer.Typer(add_completion=False)

NO_DIFFERENCE = "no difference"
ARROW = "\N{RIGHTWARDS ARROW}"


@app.command("diff", cls=Command)
def diff(
    file: CharacterFile,
    other: Annotated[
        Optional[Path], typer.Argument(metavar="[B]", help="Another character of the same game.")
    ] = None,
    since: Annotated[
        Optional[int], typer.Option("--from", metavar="N", help="FILE as of the end of level N.")
    ] = None,
    to: Annotated[
        Optional[int],
        typer.Option("--to", metavar="N", help="B, or FILE itself, as of the end of level N."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare two characters, or one character at two levels.

    \b
    Examples:
      charforge diff nix.json old/nix.json
      charforge diff nix.json --from 3
      charforge diff nix.json --from 3 --to 5 --json
    """
    if other is None and since is None and to is None:
        raise UsageError(
            "one file alone has nothing to be compared with",
            "Give a second file, or two levels of this one: --from 3 --to 5.",
        )
    old = load_character(file, at_level=since)
    new = load_character(other or file, at_level=to)
    found = differences(old.character, new.character)
    if as_json:
        data = [difference_data(one) for one in found]
        console.result(json.dumps(data, ensure_ascii=False, indent=1))
        return
    here = _point(file, old)
    there = _point(other, new) if other is not None else f"level {new.character.state.level}"
    console.result(f"{here} {ARROW} {there}")
    for line in difference_lines(found) or [NO_DIFFERENCE]:
        console.result(f"  {line}")


def _point(file: Path, opened: LoadedCharacter) -> str:
    return f"{file}: {opened.document.name}, level {opened.character.state.level}"
