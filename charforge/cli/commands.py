"""The commands of the program; the module of a command is imported when it is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Optional

import typer
from typer import TyperException
from typer.core import TyperCommand, TyperGroup

from charforge.cli import usage
from charforge.cli.files import is_character
from charforge.cli.usage import HELP_OPTIONS, WIDEST_HELP, usage_error, write_group_help, write_rows
from charforge.language import N_, _, languages

USAGE = 2  # the exit code


# The name of a command, its module below ``charforge.cli``, and the first line of its docstring.
CommandRow = tuple[str, str, str]
CATALOG_HELP = N_("Browse the rules, and install, check or create packs.")
COMMANDS = {  # that ``--help`` lists, by group
    N_("Build"): (
        ("new", "new", N_("Create a character: with the wizard, from a file, or at random.")),
        ("show", "show", N_("Show a character in the terminal.")),
        ("explain", "explain", N_("Explain a number step by step, or why something is allowed.")),
        ("edit", "edit", N_("Change one decision, with a preview of the consequences.")),
        ("undo", "history", N_("Undo the last change: a level, an edit, a purchase, damage.")),
        ("redo", "history", N_("Restore what the last undo removed.")),
        ("check", "check", N_("Check characters against the rules and list all problems.")),
        ("history", "history", N_("List everything that happened to a character.")),
    ),
    N_("Level up"): (
        ("level-up", "level_up", N_("Advance a character by one level or more.")),
        ("plan", "plan", N_("Plan choices for later levels; level-up suggests them.")),
        ("advise", "advise", N_("Rank the options of your next choices by what they change.")),
    ),
    N_("Play"): (
        (
            "play",
            "session.session",
            N_("Play a session: type commands, each is saved immediately."),
        ),
        ("shop", "inventory", N_("Open the shop: browse, compare, buy and sell gear.")),
        ("odds", "odds", N_("Calculate exact odds for an attack, a check or any rule.")),
    ),
    N_("Print and share"): (
        ("sheet", "printing.sheet", N_("Create character sheets as PDF or HTML (same as print).")),
        ("party", "printing.party", N_("Create one file for the whole table, with a GM summary.")),
        (
            "export",
            "export",
            N_("Export for people, other programs and virtual tabletops, or as a bundle."),
        ),
        (
            "import",
            "import_",
            N_("Import a character from a file, a bundle, a PDF sheet or a photo."),
        ),
    ),
    N_("Games"): (
        ("games", "packs.catalog", N_("List the games you can create characters for.")),
        ("catalog", "", CATALOG_HELP),
        (
            "rulebook",
            "printing.rulebook",
            N_("Print the rules as your group plays them, as a book."),
        ),
        (
            "campaign",
            "packs.campaign",
            N_("Write a campaign file: the game, packs and table rules of your group."),
        ),
    ),
    N_("Tools"): (
        ("doctor", "doctor", N_("Check that everything charforge needs is installed.")),
        ("help", "help", N_("Show the help of a command, or the list of all commands.")),
    ),
}
TOPICS = {  # of ``help``: the word after it, its heading, and the commands that it lists
    "play": (
        N_("At the table"),
        (
            (
                "use",
                "play_verbs",
                N_("Use an action or attack: pay its cost and apply its effects."),
            ),
            ("roll", "play_verbs", N_("Roll a check.")),
            ("damage", "play_verbs", N_("Apply damage and its consequences.")),
            ("heal", "play_verbs", N_("Restore hit points, up to the maximum.")),
            ("spend", "play_verbs", N_("Spend a resource, a counter or ammo.")),
            ("condition", "play_verbs", N_("Add a condition to a unit, or remove it.")),
            ("turn", "play_verbs", N_("Start a turn: end expired effects and roll cooldowns.")),
            ("rest", "play_verbs", N_("Rest: recover as the rules say.")),
            ("note", "play_verbs", N_("Add a note to the history.")),
            ("serve", "serve", N_("Play with phones: a live sheet for each player.")),
            ("luck", "luck", N_("Compare your recorded rolls with fair dice.")),
            (
                "replay",
                "luck",
                N_("See what would have happened with a different choice and the same dice."),
            ),
        ),
    ),
    "gear": (
        N_("Gear"),
        (
            ("buy", "inventory", N_("Buy an item, at the list price or another.")),
            ("sell", "inventory", N_("Sell gear, at the list price or another.")),
            ("drop", "inventory", N_("Drop gear or give it away; no money changes hands.")),
            ("hold", "inventory", N_("Take items in hand, or list the items in hand.")),
            ("stow", "inventory", N_("Put away items in hand.")),
            ("wear", "inventory", N_("Put on items, or list what is worn.")),
            ("take-off", "inventory", N_("Take off items that are worn.")),
        ),
    ),
    "gm": (
        N_("Game master, files and versions"),
        (
            ("initiative", "initiative", N_("Roll initiative for everyone in the fight.")),
            (
                "templates",
                "printing.templates",
                N_("List templates for sheets, your own and those of packs, or start one."),
            ),
            ("award", "inventory", N_("Award something: a resource, money, an item, a condition.")),
            ("resolve", "resolve", N_("Try a rule without changing the character.")),
            ("diff", "history", N_("Compare two characters, or one character at two levels.")),
            ("restore", "history", N_("Restore an earlier version of a character file.")),
            ("update", "packs.update", N_("Update characters to the installed pack versions.")),
        ),
    ),
}
CATALOG_COMMANDS = {
    N_("For players"): (
        ("list", "packs.catalog", N_("List everything in a ruleset, or one kind.")),
        ("search", "packs.catalog", N_("Search names and texts.")),
        ("show", "packs.catalog", N_("Show one entry: effects, source and rulings.")),
        (
            "rulings",
            "packs.catalog",
            N_("Show our rulings where the book is unclear, and the alternatives."),
        ),
        ("installed", "packs.packs", N_("List the installed rulesets and packs.")),
        ("add", "packs.packs", N_("Install a pack or ruleset from a folder, a zip or the web.")),
        (
            "remove",
            "packs.packs",
            N_("Remove an installed pack or ruleset; character files stay unchanged."),
        ),
        ("find", "packs.packs", N_("Search an index of packs; without words, list all of them.")),
    ),
    N_("For pack writers"): (
        ("new", "packs.packs", N_("Create a pack: small, commented and ready to use.")),
        (
            "check",
            "packs.packs",
            N_("Check a pack: all errors with line numbers, and likely mistakes."),
        ),
        ("test", "packs.packs", N_("Test a pack: build its samples and compare the results.")),
        (
            "diff",
            "packs.update",
            N_("Compare two versions of a pack, or a game with and without packs."),
        ),
        (
            "paths",
            "packs.catalog",
            N_("List the paths into a part of the game, for the `at` of a patch."),
        ),
        (
            "translate",
            "packs.packs",
            N_("Write or complete the file with a pack's texts in another language."),
        ),
        (
            "schema",
            "packs.packs",
            N_("Write JSON Schemas, so that your editor checks a pack while you type."),
        ),
        (
            "index",
            "packs.packs",
            N_("Write an index of packs, to publish the folder on a web server."),
        ),
    ),
}


class LazyGroup(TyperGroup):
    """A group of commands, listed from ``entries``; each is imported when it is called."""

    groups: ClassVar[Mapping[str, tuple[CommandRow, ...]]] = MappingProxyType({})
    topics: ClassVar[Mapping[str, tuple[str, tuple[CommandRow, ...]]]] = MappingProxyType({})

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules: dict[str, str] = {}
        listed = [*self.groups.values(), *(entries for _heading, entries in self.topics.values())]
        for name, module, text in chain.from_iterable(listed):
            self.modules[name] = module  # enough for lists, completion and suggestions
            self.add_command(TyperCommand(name, help=text))

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the everyday commands by group and the words of the others."""
        commands = {_(group): _rows(entries) for group, entries in self.groups.items()}
        topics = [
            (f"{ctx.command_path} help {topic}", ", ".join(name for name, *_text in entries))
            for topic, (_heading, entries) in self.topics.items()
        ]
        write_group_help(self, ctx, formatter, commands, {_("More commands"): topics})

    def get_help_option_names(self, _ctx: Any) -> list[str]:
        """Return the names of the option for help."""
        return [*HELP_OPTIONS]

    def collect_usage_pieces(self, _ctx: Any) -> list[str]:
        """Return the words of the usage line after the group."""
        return ["COMMAND"]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options of the group; without any word, print its help as a mistake."""
        if not args and not ctx.resilient_parsing:
            typer.echo(self.get_help(ctx), err=True)
            raise typer.Exit(USAGE)
        try:
            return super().parse_args(ctx, args)
        except TyperException as error:
            raise usage_error(error, self, ctx) from error

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        Raises UsageError with the nearest command for one that does not exist.
        """
        name, *rest = args
        if name in self.modules:
            return name, self.load(name), rest
        if ctx.resilient_parsing:
            return None, None, rest
        raise usage.unknown_command(name, self.modules, f"{ctx.command_path} ", words=rest)

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        return _command(self.modules[name], name)


@cache
def _command(module: str, name: str) -> Any:
    """Return a command of a module; it is built once, however many lines a session runs."""
    command = typer.main.get_command(import_module(f"charforge.cli.{module}").app)
    return command.commands[name] if isinstance(command, TyperGroup) else command


def topic_help(topic: str, ctx: Any) -> str:
    """Return the commands that ``help`` lists under a topic, as text; empty for another word."""
    if topic not in TOPICS:
        return ""
    heading, entries = TOPICS[topic]
    formatter = ctx.make_formatter()
    write_rows(formatter, _(heading), _rows(entries))
    return str(formatter.getvalue()).rstrip("\n")


def _rows(entries: Iterable[CommandRow]) -> list[tuple[str, str]]:
    return [(name, _(text)) for name, _module, text in entries]


class CatalogGroup(LazyGroup):
    """The commands below ``catalog``."""

    groups = MappingProxyType(CATALOG_COMMANDS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the options; ``catalog help COMMAND`` is the help of a command."""
        first, *rest = args or [""]
        return super().parse_args(ctx, [*rest, "--help"] if first == "help" else args)


class ProgramGroup(LazyGroup):
    """The commands of the program; an old name is answered with the new one."""

    groups = MappingProxyType(COMMANDS)
    topics = MappingProxyType(TOPICS)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Return the name, the imported command and the remaining arguments.

        A character in place of a command is shown. Raises UsageError for what is neither.
        """
        name, *rest = args
        name = usage.ALIASES.get(name, name)
        if name not in self.modules and (is_character(name) or name.endswith(".json")):
            return super().resolve_command(ctx, ["show", name, *rest])
        return super().resolve_command(ctx, [name, *rest])

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        if name == "catalog":
            return CatalogGroup(name=name, help=CATALOG_HELP)
        return super().load(name)


def load(name: str) -> Any:
    """Import a command of the program and return it."""
    return ProgramGroup().load(name)


def program() -> typer.Typer:
    """Return the program."""
    app = typer.Typer(
        name="charforge",
        cls=ProgramGroup,
        epilog=N_("Start with: charforge new. Help for one command: charforge help COMMAND."),
        pretty_exceptions_enable=False,
        context_settings={"max_content_width": WIDEST_HELP},
    )
    app.callback()(start)
    return app


def _print_versions(wanted: bool) -> None:
    if wanted:
        # Here, because only --version needs importlib.metadata and the rules.
        from charforge.cli.doctor import versions

        for line in versions():
            typer.echo(line)
        raise typer.Exit


def start(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help=N_("Print the versions of the program and of the rules."),
        ),
    ] = False,
    lang: Annotated[  # read by app.py, wherever it is typed; declared here for help and completion
        Optional[str],
        typer.Option(
            "--lang",
            metavar="LANGUAGE",
            autocompletion=lambda: list(languages()),
            help=N_("Language of the program, such as en or de (default: that of your system)."),
        ),
    ] = None,
) -> None:
    """Build tabletop characters, level them up, and print sheets worth holding."""
