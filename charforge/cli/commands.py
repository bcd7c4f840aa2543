"""The commands of the program; the module of a command is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, ClassVar, NamedTuple, Optional

import typer
from typer.core import TyperCommand, TyperGroup


class CommandEntry(NamedTuple):
    """A command, its module below ``charforge.cli``, and the first line of its docstring."""

    name: str
    module: str
    help: str


COMMANDS = (
    CommandEntry("new", "new", "Create a character: with the wizard, from a file, or at random."),
    CommandEntry("level-up", "level_up", "Advance a character by one level or more."),
    CommandEntry("check", "check", "Check characters against the rules and list all problems."),
    CommandEntry("show", "show", "Show a character in the terminal, or as JSON."),
    CommandEntry(
        "explain", "explain", "Explain a number step by step, or why something is (not) allowed."
    ),
    CommandEntry("sheet", "sheet", "Create the sheets of one or more characters."),
    CommandEntry(
        "party",
        "party",
        "Create one file for the whole table: GM summary, sheets, reference and cards.",
    ),
    CommandEntry(
        "export", "export", "Export a character as answers, Markdown, text, JSON or stat blocks."
    ),
    CommandEntry(
        "import",
        "import_",
        "Import a character from an answers file, a character file or a PDF sheet.",
    ),
    CommandEntry("turn", "play_verbs", "Start a turn: end expired effects and roll cooldowns."),
    CommandEntry(
        "use", "play_verbs", "Use an action or attack: pay its cost and apply its effects."
    ),
    CommandEntry("damage", "play_verbs", "Apply damage and its consequences."),
    CommandEntry("heal", "play_verbs", "Restore hit points, up to the maximum."),
    CommandEntry("spend", "play_verbs", "Spend a resource, a counter or ammo."),
    CommandEntry("condition", "play_verbs", "Add a condition to a unit, or remove it."),
    CommandEntry("rest", "play_verbs", "Rest: recover as the rules say."),
    CommandEntry("roll", "play_verbs", "Roll a check."),
    CommandEntry("note", "play_verbs", "Add a note to the history."),
    CommandEntry(
        "play", "play", "Play a session: type one command per line; each is saved immediately."
    ),
    CommandEntry("resolve", "resolve", "Try a rule without changing the character."),
    CommandEntry("odds", "odds", "Calculate exact odds for an attack, a check or any rule."),
    CommandEntry(
        "order", "order", "Roll initiative for characters and anyone else who takes part."
    ),
    CommandEntry(
        "doctor", "doctor", "Check this machine: Python, PDF libraries, fonts and catalogs."
    ),
    CommandEntry("restore", "restore", "Restore an earlier version of a character file."),
    CommandEntry("buy", "inventory", "Buy gear, or browse the shop."),
    CommandEntry("sell", "inventory", "Sell gear, at the list price or another."),
    CommandEntry("part", "inventory", "Drop gear or give it away; no money changes hands."),
    CommandEntry("hold", "inventory", "Take items in hand, or list the items in hand."),
    CommandEntry("stow", "inventory", "Put away items in hand."),
    CommandEntry("gain", "gain", "Award something: a System, Grit, money, a vehicle."),
    CommandEntry("edit", "edit", "Change one decision, with a preview of the consequences."),
    CommandEntry("undo", "history", "Undo the last change: a level, an edit, a purchase, damage."),
    CommandEntry(
        "history", "history", "List everything that happened to a character, one event per line."
    ),
    CommandEntry("diff", "history", "Compare two characters, or one character at two levels."),
    CommandEntry("plan", "plan", "Plan choices for later levels; level-up suggests them first."),
    CommandEntry("update", "update", "Update characters to the installed pack versions."),
)
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

    entries: ClassVar[tuple[CommandEntry, ...]] = ()

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = {entry.name: entry.module for entry in self.entries}
        for entry in self.entries:  # enough for the list of commands, completion and suggestions
            self.add_command(TyperCommand(entry.name, help=entry.help))

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

    entries = CATALOG_COMMANDS


class ProgramGroup(LazyGroup):
    """The commands of the program, ``catalog`` last."""

    entries = (
        *COMMANDS,
        CommandEntry("catalog", "", "Browse the rules, and install, check or create packs."),
    )

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        if name == "catalog":
            return CatalogGroup(
                name=name,
                help="Browse the rules, and install, check or create packs.",
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
