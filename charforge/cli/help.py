"""``help``: the help of a command, as ``--help`` prints it."""

from __future__ import annotations

from typing import Annotated, Any, Optional

import typer

from charforge.cli.commands import TOPICS, topic_help
from charforge.cli.options import Command
from charforge.cli.usage import ALL_OPTIONS
from charforge.language import N_

app = typer.Typer(add_completion=False)


def _complete_command(ctx: typer.Context, _incomplete: str) -> list[str]:
    """Return the commands, or those of the group that is typed already."""
    group: Any = ctx.find_root().command
    words = ctx.params.get("command") or ()
    for word in words:
        group = group.load(word) if word in getattr(group, "modules", ()) else None
    return [*getattr(group, "modules", ()), *(() if words else TOPICS)]


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
    every_option: Annotated[
        bool, typer.Option("--all", help=N_("Explain every option, also those for scripts."))
    ] = False,
) -> None:
    """Show the help of a command, or the list of all commands.

    Commands for the table, for gear and for game masters are listed by
    charforge help play, help gear and help gm.

    \b
    Examples:
      charforge help
      charforge help level-up
      charforge help play
      charforge help catalog show
      charforge help show --all
    """
    root: Any = ctx.find_root()
    words = command or []
    topic = topic_help(words[0], root) if len(words) == 1 else ""
    if topic and words[0] not in root.command.modules:
        typer.echo(topic)
        return
    context = root
    for word in words:
        group = context.command
        _name, found, _rest = group.resolve_command(context, [word])
        context = typer.Context(found, info_name=word, parent=context)
    context.meta[ALL_OPTIONS] = every_option
    typer.echo("\n\n".join(filter(None, [context.get_help(), topic])))
