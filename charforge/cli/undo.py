"""``undo``: the last command taken back, or all down to a level, or put back."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from charforge.character import storage
from charforge.cli import console
from charforge.cli.arguments import Command
from charforge.cli.options import CharacterFile
from charforge.errors import UsageError
from charforge.replay.loaded import load_character
from charforge.usecases import history
from charforge.usecases.change import redo_change, undo_change

app = typer.Typer(add_completion=False)


@app.command("undo", cls=Command)
def undo(
    file: CharacterFile,
    redo: Annotated[bool, typer.Option("--redo", help="Put back what was taken off last.")] = False,
    to_level: Annotated[
        Optional[int],
        typer.Option("--to-level", metavar="N", help="Take back everything beyond level N."),
    ] = None,
) -> None:
    """Take back the last change: a level, an edit, a purchase, a blow.

    What is taken off is kept in the file until something else changes, so
    that --redo can put it back.

    \b
    Examples:
      charforge undo nix.json
      charforge undo nix.json --redo
      charforge undo nix.json --to-level 3
    """
    if redo and to_level is not None:
        raise UsageError("--redo and --to-level do not go together", "Give one of them.")
    before = load_character(file)
    if redo:
        after, moved = redo_change(before)
    else:
        after, moved = undo_change(before, to_level)
    told = history.events(after if redo else before, moved)
    storage.save_changed(before.document, after.document, file)
    console.result(f"{file}: {after.document.name}, {'put back' if redo else 'taken back'}:")
    for one in told:
        console.result(f"  {one.text}")
