"""The commands of the program; the module of a command is imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, NamedTuple, Optional

import typer
from typer.core import TyperCommand, TyperGroup

from charforge.cli import command_names


class CommandEntry(NamedTuple):
    """A command, its module below ``charforge.cli``, and the first line of its docstring."""

    name: str
    module: str
    help: str


CATALOG_HELP = "Browse the rules, and install, check or create packs."
COMMANDS = {  # by group, everyday ones first
    "Build": (
        CommandEntry(
            "new", "new", "Create a character: with the wizard, from a file, or at random."
        ),
        CommandEntry("show", "show", "Show a character in the terminal, or as JSON."),
        CommandEntry(
            "explain",
            "explain",
            "Explain a number step by step, or why something is (not) allowed.",
        ),
        CommandEntry("edit", "edit", "Change one decision, with a preview of the consequences."),
        CommandEntry(
            "undo", "history", "Undo the last change: a level, an edit, a purchase, damage."
        ),
        CommandEntry("redo", "history", "Restore what the last undo removed."),
        CommandEntry("check", "check", "Check characters against the rules and list all problems."),
    ),
    "Level up": (
        CommandEntry("level-up", "level_up", "Advance a character by one level or more."),
        CommandEntry(
            "plan", "plan", "Plan choices for later levels; level-up suggests them first."
        ),
    ),
    "Play": (
        CommandEntry(
            "play", "play", "Play a session: type one command per line; each is saved immediately."
        ),
        CommandEntry(
            "use", "play_verbs", "Use an action or attack: pay its cost and apply its effects."
        ),
        CommandEntry("roll", "play_verbs", "Roll a check."),
        CommandEntry("damage", "play_verbs", "Apply damage and its consequences."),
        CommandEntry("heal", "play_verbs", "Restore hit points, up to the maximum."),
        CommandEntry("spend", "play_verbs", "Spend a resource, a counter or ammo."),
        CommandEntry("condition", "play_verbs", "Add a condition to a unit, or remove it."),
        CommandEntry("turn", "play_verbs", "Start a turn: end expired effects and roll cooldowns."),
        CommandEntry("rest", "play_verbs", "Rest: recover as the rules say."),
        CommandEntry("note", "play_verbs", "Add a note to the history."),
    ),
    "Gear": (
        CommandEntry("shop", "shop", "Open the shop: browse, compare, buy and sell gear."),
        CommandEntry("buy", "inventory", "Buy an item, at the list price or another."),
        CommandEntry("sell", "inventory", "Sell gear, at the list price or another."),
        CommandEntry("drop", "inventory", "Drop gear or give it away; no money changes hands."),
        CommandEntry("hold", "inventory", "Take items in hand, or list the items in hand."),
        CommandEntry("stow", "inventory", "Put away items in hand."),
    ),
    "Print and share": (
        CommandEntry("sheet", "sheet", "Create the sheets of one or more characters."),
        CommandEntry(
            "export",
            "export",
            "Export a character as answers, Markdown, text, JSON or stat blocks.",
        ),
        CommandEntry(
            "import",
            "import_",
            "Import a character from an answers file, a character file or a PDF sheet.",
        ),
    ),
    "Game master": (
        CommandEntry(
            "party",
            "party",
            "Create one file for the whole table: GM summary, sheets, reference and cards.",
        ),
        CommandEntry(
            "initiative",
            "initiative",
            "Roll initiative for characters and anyone else who takes part.",
        ),
        CommandEntry("award", "award", "Award something: a System, Grit, money, a vehicle."),
        CommandEntry("odds", "odds", "Calculate exact odds for an attack, a check or any rule."),
        CommandEntry("resolve", "resolve", "Try a rule without changing the character."),
    ),
    "Packs": (
        CommandEntry("catalog", "", CATALOG_HELP),
        CommandEntry("update", "update", "Update characters to the installed pack versions."),
    ),
    "Tools": (
        CommandEntry(
            "history",
            "history",
            "List everything that happened to a character, one event per line.",
        ),
        CommandEntry("diff", "history", "Compare two characters, or one character at two levels."),
        CommandEntry("restore", "restore", "Restore an earlier version of a character file."),
        CommandEntry(
            "doctor", "doctor", "Check this machine: Python, PDF libraries, fonts and catalogs."
        ),
    ),
}
CATALOG_COMMANDS = (
    CommandEntry("list", "catalog", "List everything in a ruleset, or one kind."),
    CommandEntry("search", "catalog", "Search names and texts."),
    CommandEntry("show", "catalog", "Show one entry: effects, source and rulings."),
    CommandEntry(
        "rulings", "catalog", "Show our rulings where the book is unclear, and the alternatives."
    ),
    CommandEntry("installed", "packs", "List the installed rulesets and packs."),
    CommandEntry("add", "packs", "Install a pack or ruleset from a folder or a zip."),
    CommandEntry(
        "remove", "packs", "Remove an installed pack or ruleset; character files stay unchanged."
    ),
    CommandEntry("new", "packs", "Create a pack: small, commented and ready to use."),
    CommandEntry(
        "check", "packs", "Check a pack: all errors with line numbers, and likely mistakes."
    ),
    CommandEntry("test", "packs", "Test a pack: build its samples and compare the results."),
    CommandEntry(
        "schema", "packs", "Write JSON Schemas, so that your editor can complete pack files."
    ),
    CommandEntry(
        "diff", "pack_diff", "Compare two versions of a pack, and the characters that use it."
    ),
)


class LazyGroup(TyperGroup):
    """A group of commands, listed from ``entries``; each is imported when it is called."""

    groups: ClassVar[Mapping[str, tuple[CommandEntry, ...]]] = MappingProxyType({})

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules: dict[str, str] = {}
        for group, entries in self.groups.items():
            for entry in entries:  # enough for the list of commands, completion and suggestions
                self.modules[entry.name] = entry.module
                self.add_command(TyperCommand(entry.name, help=entry.help, rich_help_panel=group))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments."""
        name, outline, rest = super().resolve_command(ctx, args)
        if name is None or outline is None:
            return name, outline, rest
        return name, self.load(name), rest

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        command = typer.main.get_command(import_module(f"charforge.cli.{self.modules[name]}").app)
        return command.commands[name] if isinstance(command, TyperGroup) else command


class CatalogGroup(LazyGroup):
    """The commands below ``catalog``."""

    groups = MappingProxyType({"Commands": CATALOG_COMMANDS})


class ProgramGroup(LazyGroup):
    """The commands of the program; an old name is answered with the new one."""

    groups = MappingProxyType(COMMANDS)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        Raises UsageError for the old name of a command.
        """
        command_names.refuse_old_name(args)
        name, *rest = args
        return super().resolve_command(ctx, [command_names.ALIASES.get(name, name), *rest])

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        if name == "catalog":
            return CatalogGroup(
                name=name,
                help=CATALOG_HELP,
                no_args_is_help=True,
            )
        return super().load(name)


def load(name: str) -> Any:
    """Import a command of the program and return it."""
    return ProgramGroup().load(name)


def program() -> typer.Typer:
    """Return the program."""
    app = typer.Typer(
        name="charforge",
        cls=ProgramGroup,
        epilog="Start with: charforge new",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(start)
    return app


def _print_versions(wanted: bool) -> None:
    if wanted:
        # Only here: no other option and no command needs them.
        from charforge.cli.diagnostics import versions

        for line in versions():
            typer.echo(line)
        raise typer.Exit


def start(
    version: Annotated[
        Optional[bool],
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help="Print the versions of the program and of the rules.",
        ),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""
