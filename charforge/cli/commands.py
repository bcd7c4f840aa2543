"""The commands of the program; the module of a command is imported when it is called."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, ClassVar, NamedTuple, Optional

import typer
from typer.core import TyperCommand, TyperGroup


class CommandEntry(NamedTuple):
    """A command in the list of commands: ``help`` is the first line of its docstring."""

    name: str
    module: str
    help: str


COMMANDS = (
    CommandEntry(
        "new", "new", "Create a character: the wizard asks, a file answers, or chance does."
    ),
    CommandEntry(
        "level-up", "level_up", "Advance a character: HP, Slots and whatever the level brings."
    ),
    CommandEntry("check", "check", "Check characters against the rules: every problem at once."),
    CommandEntry(
        "show", "show", "Show a character in the terminal, or as JSON with every value's steps."
    ),
    CommandEntry(
        "explain",
        "explain",
        "Explain a number step by step, or why something can or cannot be taken.",
    ),
    CommandEntry("sheet", "sheet", "Make the sheet of one or more characters."),
    CommandEntry(
        "party",
        "party",
        "Put a whole table into one file: a summary for the GM, every sheet, cards.",
    ),
    CommandEntry(
        "export",
        "export",
        "Turn a character into an answers file, notes, a chat message, data or stat blocks.",
    ),
    CommandEntry(
        "import",
        "import_",
        "Import a character from an answers file, a character file or a PDF sheet.",
    ),
    CommandEntry(
        "turn", "play_verbs", "Begin a turn: what lasted until then ends, cooldowns are rolled."
    ),
    CommandEntry(
        "use", "play_verbs", "Use an action or attack: its cost, its cooldown, what it does."
    ),
    CommandEntry("damage", "play_verbs", "Take damage, with all that follows from it."),
    CommandEntry("heal", "play_verbs", "Regain what damage took, up to the maximum."),
    CommandEntry(
        "spend",
        "play_verbs",
        "Spend a resource, a counter, or what an item carries; never more than there is.",
    ),
    CommandEntry("condition", "play_verbs", "Put a condition on a unit, or take it off."),
    CommandEntry("rest", "play_verbs", "Rest."),
    CommandEntry("roll", "play_verbs", "Roll a check."),
    CommandEntry("note", "play_verbs", "Keep a note, with the time, among what happened."),
    CommandEntry("play", "play", "Play a session: verbs line by line, each saved at once."),
    CommandEntry(
        "resolve", "resolve", "Resolve a rule: a check, an attack, damage, a fall, a rest."
    ),
    CommandEntry(
        "odds", "odds", "Reckon the odds of an attack, a check or any other rule, exactly."
    ),
    CommandEntry(
        "order", "order", "Roll who acts first, for all characters and whoever else is there."
    ),
    CommandEntry(
        "doctor", "doctor", "Look at Python, the PDF libraries, the fonts and the catalogs."
    ),
    CommandEntry(
        "restore",
        "restore",
        "Bring back what a character file held before: one of its last ten versions.",
    ),
    CommandEntry("buy", "inventory", "Buy gear. Without an item, in a terminal, the shop opens."),
    CommandEntry("sell", "inventory", "Sell what is owned, at the list price or another."),
    CommandEntry("part", "inventory", "Lose something, or give it away: no money changes hands."),
    CommandEntry("hold", "inventory", "Take things in hand; without an item, say what is in hand."),
    CommandEntry("stow", "inventory", "Put away what is in hand."),
    CommandEntry(
        "gain",
        "gain",
        "Gain something beyond the rules: a System by the GM, Grit, money, a vehicle.",
    ),
    CommandEntry(
        "edit", "edit", "Answer one decision again; see in advance what that changes or breaks."
    ),
    CommandEntry(
        "undo", "undo", "Take back the last change: a level, an edit, a purchase, a blow."
    ),
    CommandEntry(
        "history",
        "history",
        "Tell a character's life: every choice, roll, purchase and blow, an event a line.",
    ),
    CommandEntry(
        "diff", "diff", "Say in words what differs between two characters, or two points of one."
    ),
    CommandEntry(
        "plan", "plan", "Keep intended choices for levels to come; level-up offers them first."
    ),
    CommandEntry(
        "update",
        "update",
        "Take the installed packs for characters that were saved with other versions.",
    ),
)
CATALOG_COMMANDS = (
    CommandEntry("list", "catalog", "List everything in a ruleset, or one kind of it."),
    CommandEntry("search", "catalog", "Find entities by words in their names and texts."),
    CommandEntry(
        "show", "catalog", "Show one entity with all it does, where it is from, and its rulings."
    ),
    CommandEntry(
        "rulings",
        "catalog",
        "Show how gaps of the book are ruled, and which rulings a table may switch.",
    ),
    CommandEntry(
        "installed",
        "packs",
        "List the rulesets and packs that are here, with versions and what they hold.",
    ),
    CommandEntry("add", "packs", "Install a pack or a ruleset from a folder or a zip."),
    CommandEntry(
        "remove",
        "packs",
        "Remove an installed pack or ruleset. Characters that are made with it stay as they are.",
    ),
    CommandEntry("new", "packs", "Begin a pack: small, commented, and at work at once."),
    CommandEntry(
        "check",
        "pack_check",
        "Check a pack: every fault at once, with its line, and what is hardly meant.",
    ),
    CommandEntry(
        "diff",
        "pack_diff",
        "Say what another version of a pack changes, in the pack and in characters.",
    ),
    CommandEntry(
        "test",
        "pack_samples",
        "Build the sample characters of a pack, and compare them with what it says of them.",
    ),
    CommandEntry(
        "schema",
        "pack_schema",
        "Write JSON Schemas of a ruleset's files: ruleset.yaml, pack.yaml, pages, samples.",
    ),
)


class LazyGroup(TyperGroup):
    """A group of commands that are listed from a table and imported when they are called."""

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

    entries = (*COMMANDS, CommandEntry("catalog", "", "What the rules contain."))

    def load(self, name: str) -> Any:
        """Import the module of a command and return the command."""
        if name == "catalog":
            return CatalogGroup(name=name, help="What the rules contain.", no_args_is_help=True)
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
        from charforge.cli.version import versions

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
