"""The commands of the program. What one of them does not need is not imported for it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Optional

import typer
from typer.core import TyperCommand

from charforge.cli.arguments import Command

# The commands that each module of this folder adds, in the order in which help lists them.
COMMANDS = {
    "new": ("new",),
    "level_up": ("level-up",),
    "show": ("check", "show"),
    "explain": ("explain",),
    "sheet": ("sheet",),
    "party": ("party",),
    "export": ("export",),
    "import_": ("import",),
    "play_verbs": (
        "turn", "use", "condition", "rest", "roll", "note", "damage", "heal", "spend",
    ),
    "play": ("play",),
    "resolve": ("resolve",),
    "odds": ("odds",),
    "order": ("order",),
    "doctor": ("doctor",),
    "restore": ("restore",),
    "inventory": ("buy", "sell", "part", "hold", "stow"),
    "gain": ("gain",),
    "edit": ("edit",),
    "undo": ("undo",),
    "history": ("history",),
    "diff": ("diff",),
    "plan": ("plan",),
    "update": ("update",),
}  # fmt: skip
CATALOG = "catalog"
OF_CATALOG = ("packs", "pack_check", "pack_diff", "pack_samples", "pack_schema")


def program(arguments: Sequence[str] = ()) -> typer.Typer:
    """Return the program; where its arguments begin with a command, with that one alone."""
    app = typer.Typer(
        name="charforge",
        help="Build tabletop characters, level them up, and print sheets worth holding.",
        epilog="Start with: charforge new",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(start)
    wanted = arguments[0] if arguments else ""
    alone = [module for module, names in COMMANDS.items() if wanted in names]
    for module in alone or COMMANDS if wanted != CATALOG else ():
        import_module(f"charforge.cli.{module}").register(app)
    if not alone:
        app.add_typer(_catalog(), name=CATALOG)
    _prepare(app)
    return app


@cache
def _catalog() -> typer.Typer:
    """Return the commands below ``catalog``."""
    from charforge.cli.catalog import app

    for module in OF_CATALOG:
        import_module(f"charforge.cli.{module}").register(app)
    _prepare(app)
    return app


def _prepare(app: typer.Typer) -> None:
    """Let commands refuse words as ours do, and read their annotations once.

    Typer would read the text of each annotation four times.
    """
    for command in app.registered_commands:
        if command.cls is TyperCommand:
            command.cls = Command
        if command.callback is not None:
            read = inspect.get_annotations(command.callback, eval_str=True)
            command.callback.__annotations__ = read


def _version(wanted: bool) -> None:
    if wanted:
        from charforge.cli.bug import installed
        from charforge.cli.version import versions

        for line in versions(installed()):
            typer.echo(line)
        raise typer.Exit


def start(
    version: Annotated[
        Optional[bool],
        typer.Option(
            "--version",
            callback=_version,
            is_eager=True,
            help="Print the versions, of rules too.",
        ),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""
