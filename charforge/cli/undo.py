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
    redo: Annotated[bool, typer.Option("--redo", help="Restore the last undo.")] = False,
    to_level: Annotated[
        Optional[int],
        typer.Option("--to-level", metavar="N", help="Undo everything after level N."),
    ] = None,
) -> None:
    """Undo the last change: a level, an edit, a purchase, damage.

    --redo restores the last undo, as long as nothing else has changed.

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
    told = history.entries_of(after if redo else before, moved)
    storage.save_changed(before.document, after.document, file)
    console.result(f"{file}: {after.document.name}, {'put back' if redo else 'taken back'}:")
    for one in told:
        console.result(f"  {one.text}")
