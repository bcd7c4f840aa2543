"""The commands of the program; the module of a command is imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, NamedTuple, Optional

import typer
from typer import TyperException
from typer.core import TyperCommand, TyperGroup

from charforge.cli import command_names, console
from charforge.cli.help_format import WIDEST, write_group_help
from charforge.cli.usage_errors import usage_error
from charforge.language import languages

USAGE = 2  # the exit code


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
        CommandEntry("show", "show", "Show a character in the terminal."),
        CommandEntry(
            "explain",
            "explain",
            "Explain a number step by step, or why something is allowed.",
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
        CommandEntry("plan", "plan", "Plan choices for later levels; level-up suggests them."),
    ),
    "Play": (
        CommandEntry("play", "play", "Play a session: type commands, each is saved immediately."),
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
        CommandEntry(
            "replay",
            "replay",
            "See what would have happened with a different choice and the same dice.",
        ),
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
        CommandEntry("sheet", "sheet", "Create character sheets as PDF or HTML (same as print)."),
        CommandEntry(
            "export",
            "export",
            "Export as a bundle, answers, Markdown, text, JSON, a stat block or a Discord message.",
        ),
        CommandEntry(
            "import",
            "import_",
            "Import a character from a file, a bundle, a PDF sheet or a photo.",
        ),
    ),
    "Game master": (
        CommandEntry(
            "party",
            "party",
            "Create one file for the whole table, with a GM summary.",
        ),
        CommandEntry(
            "campaign",
            "campaign",
            "Write a campaign file: the game, packs and table rules of your group.",
        ),
        CommandEntry(
            "initiative",
            "initiative",
            "Roll initiative for everyone in the fight.",
        ),
        CommandEntry("award", "award", "Award something: a System, Grit, money, a vehicle."),
        CommandEntry("odds", "odds", "Calculate exact odds for an attack, a check or any rule."),
        CommandEntry("luck", "luck", "Compare your recorded rolls with fair dice."),
        CommandEntry("resolve", "resolve", "Try a rule without changing the character."),
    ),
    "Packs": (
        CommandEntry("games", "games", "List the games you can create characters for."),
        CommandEntry("catalog", "", CATALOG_HELP),
        CommandEntry("update", "update", "Update characters to the installed pack versions."),
    ),
    "Tools": (
        CommandEntry("help", "help", "Show the help of a command, or the list of all commands."),
        CommandEntry(
            "history",
            "history",
            "List everything that happened to a character.",
        ),
        CommandEntry("diff", "history", "Compare two characters, or one character at two levels."),
        CommandEntry("restore", "restore", "Restore an earlier version of a character file."),
        CommandEntry("doctor", "doctor", "Check that everything charforge needs is installed."),
    ),
}
CATALOG_COMMANDS = (
    CommandEntry("list", "catalog", "List everything in a ruleset, or one kind."),
    CommandEntry("search", "catalog", "Search names and texts."),
    CommandEntry("show", "catalog", "Show one entry: effects, source and rulings."),
    CommandEntry("paths", "catalog", "List the paths into an entry, for the `at` of a patch."),
    CommandEntry(
        "rulings", "catalog", "Show our rulings where the book is unclear, and the alternatives."
    ),
    CommandEntry("installed", "packs", "List the installed rulesets and packs."),
    CommandEntry("add", "packs", "Install a pack or ruleset from a folder, a zip or the web."),
    CommandEntry(
        "remove", "packs", "Remove an installed pack or ruleset; character files stay unchanged."
    ),
    CommandEntry("new", "packs", "Create a pack: small, commented and ready to use."),
    CommandEntry(
        "check", "packs", "Check a pack: all errors with line numbers, and likely mistakes."
    ),
    CommandEntry("test", "packs", "Test a pack: build its samples and compare the results."),
    CommandEntry(
        "translate", "packs", "Write or complete the file with a pack's texts in another language."
    ),
    CommandEntry(
        "schema", "packs", "Write JSON Schemas, so that your editor can complete pack files."
    ),
    CommandEntry(
        "diff", "pack_diff", "Compare two versions of a pack, or a game with and without packs."
    ),
    CommandEntry(
        "find", "pack_index", "Search an index of packs; without words, list all of them."
    ),
    CommandEntry(
        "index", "pack_index", "Write an index of packs, to publish the folder on a web server."
    ),
)


class LazyGroup(TyperGroup):
    """A group of commands, listed from ``entries``; each is imported when it is called."""

    groups: ClassVar[Mapping[str, tuple[CommandEntry, ...]]] = MappingProxyType({})

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules: dict[str, str] = {}
        for entries in self.groups.values():
            for entry in entries:  # enough for the list of commands, completion and suggestions
                self.modules[entry.name] = entry.module
                self.add_command(TyperCommand(entry.name, help=entry.help))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the commands by group."""
        commands = {
            group: [(entry.name, entry.help) for entry in entries]
            for group, entries in self.groups.items()
        }
        write_group_help(self, ctx, formatter, commands)

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Return the words of the usage line after the group."""
        return ["COMMAND"]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options of the group; without any word, print its help as a mistake."""
        if not args and not ctx.resilient_parsing:
            raise typer.Exit(self.run_bare(ctx))
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            raise usage_error(error, self, ctx) from error

    def run_bare(self, ctx: Any) -> int:
        """Print the help, because a command is missing, and return the exit code."""
        typer.echo(self.get_help(ctx), err=True)
        return USAGE

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        Raises UsageError with the nearest command for one that does not exist.
        """
        name, *rest = args
        if name in self.modules:
            return name, self.load(name), rest
        if ctx.resilient_parsing:
            return None, None, rest
        raise command_names.unknown_command(name, self.modules, f"{ctx.command_path} ")

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

    def run_bare(self, ctx: Any) -> int:
        """Open the start screen in a terminal, otherwise print the help; return the exit code."""
        if not console.is_interactive():
            return super().run_bare(ctx)
        # Here, because only the start screen needs it.
        from charforge.cli.start_screen import open_start_screen

        return open_start_screen()

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        Raises UsageError for the old name of a command, and for what is no command.
        """
        if not ctx.resilient_parsing:
            command_names.refuse_old_name(args)
        name, *rest = args
        return super().resolve_command(ctx, [command_names.ALIASES.get(name, name), *rest])

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        if name == "catalog":
            return CatalogGroup(
                name=name,
                help=CATALOG_HELP,
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
        epilog="Start with: charforge new. Help for one command: charforge help COMMAND.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDEST},
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
    lang: Annotated[  # read by app.py, wherever it is typed; declared here for help and completion
        Optional[str],
        typer.Option(
            "--lang",
            metavar="LANGUAGE",
            autocompletion=lambda: list(languages()),
            help="Language of the program, such as en or de (default: that of your system).",
        ),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""
