"""The commands of the program. What one of them does not need is not imported for it."""

from __future__ import annotations

from typing import Annotated, Optional

import typer

from charforge.cli import (
    catalog,
    create,
    diff,
    doctor,
    edit,
    explain,
    export,
    gain,
    gear,
    history,
    importing,
    level,
    plan,
    play,
    read,
    resolve,
    sheet,
    undo,
    verbs,
)

app = typer.Typer(
    name="charforge",
    help="Build tabletop characters, level them up, and print sheets worth holding.",
    epilog="Start with: charforge new",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
create.register(app)
level.register(app)
read.register(app)
explain.register(app)
sheet.register(app)
export.register(app)
importing.register(app)
app.add_typer(catalog.app, name="catalog")
verbs.register(app)
play.register(app)
resolve.register(app)
doctor.register(app)
gear.register(app)
gain.register(app)
for module in (edit, undo, history, diff, plan):
    module.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        from charforge.cli.bug import installed

        typer.echo(f"charforge {installed()}")
        raise typer.Exit


@app.callback()
def start(
    version: Annotated[
        Optional[bool],
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""
