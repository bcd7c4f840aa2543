"""``help``: the help of a command, as ``--help`` prints it."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

from charforge.cli.options import Command

app = typer.Typer(add_completion=False)


@app.command("help", cls=Command)
def help_(
    ctx: typer.Context,
    command: Annotated[
        Optional[list[str]], typer.Argument(metavar="COMMAND", help="A command, such as level-up.")
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
