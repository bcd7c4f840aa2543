"""``help``: the help of a command, as ``--help`` prints it."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

from charforge.cli.options import Command
from charforge.language import N_

app = typer.Typer(add_completion=False)


def _complete_command(ctx: typer.Context, _incomplete: str) -> list[str]:
    """Return the commands, or those of the group that is typed already."""
    group: Any = ctx.find_root().command
    for word in ctx.params.get("command") or ():
        group = group.load(word) if word in getattr(group, "modules", ()) else None
    return list(getattr(group, "modules", ()))


@app.command("help", cls=Command)
def help_(
    ctx: typer.Context,
    command: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="COMMAND",
            autocompletion=_complete_command,
            help=N_("A command, such as level-up."),
        ),
    ] = None,
) -> None:
    """Show the help of a command, or the list of all commands.

    \b
    Examples:
      charforge help
      charforge help level-up
      charforge help catalog show
    """
    context: Any = ctx.find_root()
    for word in command or ():
        group = context.command
        _name, found, _rest = group.resolve_command(context, [word])
        context = typer.Context(found, info_name=word, parent=context)
    typer.echo(context.get_help())
