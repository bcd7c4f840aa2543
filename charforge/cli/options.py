"""Arguments and options that several commands share, and words as players type them.

``pistol vs 8`` and ``pistol 8`` mean ``--vs=8``, ``aim=1`` means ``--set=aim=1``, ``--aim=1`` of
a command with that option, or ``--with=aim=1`` where a command takes choices, and the name of a
flag at the end (``turn end``) the flag. Names of several words need no quotes.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Optional

import typer
from typer import TyperException
from typer.core import TyperCommand

from charforge.character.files.events import Override
from charforge.cli import console
from charforge.cli.completion import complete_files, complete_games, complete_packs, complete_units
from charforge.cli.console import FrontEnd, front_end_of
from charforge.cli.files import find_character
from charforge.cli.packs.campaign_defaults import campaign_folder
from charforge.cli.usage import (
    HELP_OPTIONS,
    options_of,
    takes_number,
    too_many,
    usage_error,
    usage_pieces,
    write_help,
)
from charforge.errors import FILE, ReasonError, UnknownId, UsageError
from charforge.expressions.template import MINUS, has_unprintable, keyboard_minus
from charforge.language import N_, _, page
from charforge.paths import typed_path
from charforge.replay.loaded_character import load_character
from charforge.rules.loading import loader


def find_file(file: Optional[Path]) -> Path | None:
    """Return the character file that a typed word means; nothing for nothing."""
    return None if file is None else find_character(file)


def find_files(files: Optional[list[Path]]) -> list[Path]:
    """Return the character files that typed words mean."""
    return [find_character(file, or_folder=True) for file in files or ()]


SETTING = re.compile(r"[A-Za-z_][\w-]*=.+")
CHOICE_WORD = re.compile(r"[A-Za-z_][\w.-]*=.+")
NEGATIVE_NUMBER = re.compile(r"-[0-9]+")
DICE_WORD, VS = "dice", "vs"
NUMBER_OPTIONS = ("--vs", "--quantity")  # what a number after a name is for
NEGATIVE_ARGUMENT = re.compile(
    rf"(--[a-z-]+=)?{MINUS}\d+"
)  # with the minus sign that charforge prints
ONE = N_("A character: its file, or the start of its name.")
CHARACTERS_HELP = N_("Characters, or folders of them.")
CharacterFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", callback=find_file, autocompletion=complete_files, help=ONE),
]
OptionalFile = Annotated[
    Optional[Path],
    typer.Argument(metavar="FILE", callback=find_file, autocompletion=complete_files, help=ONE),
]
CharacterFiles = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE…", callback=find_files, autocompletion=complete_files, help=CHARACTERS_HELP
    ),
]
OptionalFiles = Annotated[
    Optional[list[Path]],
    typer.Argument(
        metavar="FILE…",
        callback=find_files,
        autocompletion=complete_files,
        help=CHARACTERS_HELP,
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help=N_("Print JSON for other programs."))]
AtLevel = Annotated[
    Optional[int], typer.Option("--at-level", metavar="N", help=N_("As of the end of level N."))
]
PlannedOption = Annotated[
    bool, typer.Option("--planned", help=N_("As planned for a later level, with the lowest dice."))
]
AnswersOption = Annotated[
    Optional[Path],
    typer.Option(
        "--answers",
        metavar="FILE",
        help=N_("A YAML file with answers; - reads them from standard input."),
    ),
]
RandomOption = Annotated[
    bool, typer.Option("--random", help=N_("Choose everything else at random."))
]
SeedOption = Annotated[
    Optional[str],
    typer.Option(
        "--seed", metavar="SEED", help=N_("Seed of the dice; the same seed gives the same rolls.")
    ),
]
NoteOption = Annotated[
    str, typer.Option("--note", metavar="TEXT", help=N_("A note for the history."))
]
WithOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--with", metavar="CHOICE=ANSWER", help=N_("Answer a choice; repeat for several.")
    ),
]
SetOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help=N_("An input, a choice or the dice of a roll; repeat for several."),
    ),
]
AgainstOption = Annotated[
    Optional[int],
    typer.Option("--vs", metavar="N", help=N_("The difficulty, or the opponent's score.")),
]
OverrideOption = Annotated[
    Optional[str],
    typer.Option("--override", metavar="BY: REASON", help=N_("Allow something the rules forbid.")),
]
DiceOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--dice",
        metavar="[ROLL=]3,4",
        help=N_("Dice you rolled yourself; without ROLL, for the first roll."),
    ),
]
InputsOption = Annotated[
    bool,
    typer.Option("--inputs", help=N_("List the options and dice it uses, without running it.")),
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help=N_("Preview the changes without saving."))
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help=N_("Save without asking."))]
RuleChoices = Annotated[
    Optional[list[str]],
    typer.Option("--rule", metavar="RULE=OPTION", help=N_("A table rule; repeat for several.")),
]
PriceOption = Annotated[
    Optional[int],
    typer.Option("--price", metavar="N", help=N_("The price per item (default: the list price).")),
]
JobsOption = Annotated[
    Optional[int],
    typer.Option(
        "--jobs", metavar="N", min=1, help=N_("Number of parallel processes (default: automatic).")
    ),
]
ClusterOption = Annotated[
    Optional[str],
    typer.Option("--cluster", metavar="ADDRESS", help=N_("Address of a Dask scheduler to use.")),
]


def output_option(help: str) -> Any:
    """Return the declaration of ``-o``, with what a command writes."""
    return typer.Option("-o", "--output", metavar="FILE", parser=typed_path, help=help)


def game_option(help: str) -> Any:
    """Return the declaration of ``--ruleset``, with what a command needs a game for."""
    return typer.Option("--ruleset", metavar="GAME", autocompletion=complete_games, help=help)


OutOption = Annotated[Optional[Path], output_option(N_("Where to save it; - prints it."))]
ForceOption = Annotated[bool, typer.Option("--force", help=N_("Replace an existing file."))]
RulesetOption = Annotated[Optional[str], game_option(N_("The game (see games)."))]
PackOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--pack",
        metavar="ID",
        autocompletion=complete_packs,
        help=N_("An installed pack to use; repeat for several."),
    ),
]
UnitOption = Annotated[
    Optional[str],
    typer.Option(
        "--unit",
        metavar="UNIT",
        autocompletion=complete_units,
        help=N_("A companion or vehicle of the character."),
    ),
]


class Command(TyperCommand):
    """A command with the program's own help and messages for wrong arguments.

    ``examples`` are the words after it, with FILE for a character, and ``ending``
    is a word that can follow its arguments. One with ``plain_words`` takes them
    as they are spoken. ``tables`` are more tables of its help by their heading: words
    that can be typed, and what each means.
    """

    plain_words: ClassVar[bool] = False
    examples: ClassVar[tuple[str, ...]] = ()
    ending: ClassVar[str] = ""
    tables: ClassVar[Mapping[str, Mapping[Any, str]]] = {}

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.description = self.help or ""
        if self.examples:
            words = (one.replace(FILE, "nix.json") for one in self.examples)
            lines = (f"  charforge {self.name} {one}" for one in words)
            shown = "\n".join(["\b", "Examples:", *lines])
            self.help = f"{inspect.cleandoc(self.description)}\n\n{shown}"

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        write_help(self, ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line after the command."""
        return usage_pieces(self, ctx)

    def get_help_option_names(self, _ctx: Any) -> list[str]:
        """Return the names of the option for help, in the program and in a session."""
        return [*HELP_OPTIONS]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments. Raises UsageError with what is wrong and what is expected."""
        args = [keyboard_minus(arg) if NEGATIVE_ARGUMENT.fullmatch(arg) else arg for arg in args]
        if not ctx.resilient_parsing and not {*HELP_OPTIONS} & {*args}:
            front_end = front_end_of(ctx)
            if front_end.file is None and self._lacks_character(args):
                # Here, because few commands ask: the wizard takes 60 ms to import.
                from charforge.cli.prompt import choose_character

                args = [str(choose_character())]
            if self.plain_words or front_end.file is not None:
                args = parsed_words(self, front_end, args)
            if front_end.unit and str(front_end.file) in args:
                ctx.default_map = {"unit": front_end.unit}
        ctx.allow_extra_args = True  # they are reported here
        try:
            rest = super().parse_args(ctx, args)
        except TyperException as error:
            raise usage_error(error, self, ctx) from error
        if rest and not ctx.resilient_parsing:
            raise too_many(rest, self, ctx)
        return rest

    def _lacks_character(self, args: list[str]) -> bool:
        """Return whether a character is needed, none is typed, and there is a terminal to ask."""
        first = self.params[0] if self.params else None
        if first is None or first.name != "file" or not first.required or any(args):
            return False
        return console.is_interactive()

    def invoke(self, ctx: Any) -> Any:
        """Run the command; the campaign file in its folder sets options that are not typed.

        What an error proposes instead names the file of this command.
        """
        with campaign_folder(self, ctx):
            try:
                return super().invoke(ctx)
            except (ReasonError, UnknownId) as error:
                file = ctx.params.get("file")
                if isinstance(file, Path):
                    error.command = tuple(
                        str(file) if word == FILE else word for word in error.command
                    )
                raise


def verb(
    *examples: str, base: type[Command] = Command, ending: str = "", plain_words: bool = True
) -> type[Command]:
    """Return the class of a command with its examples, whose words are typed as spoken."""
    fields = {"plain_words": plain_words, "examples": examples, "ending": ending}
    return type(base.__name__, (base,), fields)


def read_pair(description: str, text: str, form: str, example: str) -> tuple[str, str]:
    """Return the words before and after the ``=`` of a text.

    Raises UsageError without a ``=`` or a word before it: the ``description``
    of the text is not of the ``form``, with an ``example``.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not (name and equals):
        raise UsageError(
            _("{description} is not of the form {form}").format(description=description, form=form),
            _("For example {example}").format(example=example),
        )
    return name, value


def read_override(text: str | None) -> Override | None:
    """Return who allows something against the rules, and why. Raises UsageError."""
    if text is None:
        return None
    by, _colon, reason = (part.strip() for part in text.partition(":"))
    if not by or not reason or has_unprintable(text) or "\n" in text:
        raise UsageError(
            _("--override {text} must say who allows it, and why").format(text=repr(text)),
            _('For example --override "GM: a gift of the colony".'),
        )
    return Override(by=by, reason=reason)


TemplateOption = Annotated[
    Optional[str],
    typer.Option(
        "--template",
        metavar="NAME|FILE|FOLDER",
        help=N_("Print with a template of your own: see charforge templates."),
    ),
]


def refuse_together(given: Mapping[str, object]) -> None:
    """Raise UsageError if more than one of some options is given: a value that counts as true."""
    named = [option for option, value in given.items() if value]
    if len(named) > 1:
        raise UsageError(
            _("{option} and {other} cannot be used together").format(
                option=named[0], other=named[1]
            ),
            _("Leave out one of them."),
        )


# ------------------------------------------------------------------ words as they are typed


def parsed_words(command: Any, front_end: FrontEnd, typed: Sequence[str]) -> list[str]:
    """Return typed words as a command parses them, with the file of a session."""
    names, options = _names_and_options(command, typed)
    if options and _takes_value(command).get(options[-1]):
        return options[-1:]  # in front of the names, it would take the first of them for its value
    if front_end.file is not None:
        names = _with_file(command, front_end.file, names, options)
    if command.plain_words:
        names, options = _plain(command, names, options)
    dashed = any(name.startswith("-") for name in names)
    return [*options, *(["--"] if dashed else []), *names]


def _names_and_options(command: Any, typed: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names among words, and the options, each with its value as one word."""
    takes_value = _takes_value(command)
    names: list[str] = []
    options: list[str] = []
    rest = list(typed)
    while rest:
        word = rest.pop(0)
        is_setting = command.plain_words and SETTING.fullmatch(word) and "--set" in takes_value
        if word == "--":
            return [*names, *rest], options
        if word.startswith("-") and word != "-" and not NEGATIVE_NUMBER.fullmatch(word):
            more = [rest.pop(0)] if takes_value.get(word) and rest else []
            options += [f"{word}={more[0]}"] if more and word.startswith("--") else [word, *more]
        elif command.plain_words and word == VS and f"--{VS}" in takes_value and names and rest:
            options.append(f"--{VS}={rest.pop(0)}")
        elif is_setting:
            name, _equals, value = word.partition("=")
            options.append(f"--dice={value}" if name == DICE_WORD else f"--set={word}")
        elif command.plain_words and takes_value.get(f"--{word.partition('=')[0]}") and "=" in word:
            options.append(f"--{word}")
        elif "--with" in takes_value and CHOICE_WORD.fullmatch(word):
            options.append(f"--with={word}")
        else:
            names.append(word)
    return names, options


def _with_file(command: Any, file: Path, names: list[str], options: list[str]) -> list[str]:
    """Return names with the file of a session where the command takes one, unless it was typed."""
    taken = [part.name for part in command.params]
    if any(Path(name).absolute() == file.absolute() for name in names):
        return names
    if "file" in taken[1:]:
        return _with_game_and_file(file, names)
    has_game = any(option.startswith("--ruleset=") for option in options)
    if taken[:1] in (["file"], ["files"]) or (taken[:1] == ["words"] and not has_game):
        return [str(file), *names]
    return names


def _with_game_and_file(file: Path, names: list[str]) -> list[str]:
    """Return names that begin with a game, by default the character's, and a rule, with its file.

    The file follows a rule of its own game.
    """
    with page():  # nothing is shown of the character
        game = load_character(file).ruleset.id
    if names[:1] and names[0] in {*loader.built_in(), *loader.installed()}:
        game, names = (game, names) if names[0] == game else ("", names)
    else:
        names = [game, *names]
    return [*names, str(file)] if game and len(names) > 1 else names


def _plain(command: Any, names: list[str], options: list[str]) -> tuple[list[str], list[str]]:
    """Return names and options with flags and a number at the end of the names as options."""
    arguments = [part for part in command.params if part.param_type_name == "argument"]
    known = {name: option for option in options_of(command) for name in option.opts}
    flags = flag_words(command)
    needed = sum(argument.required for argument in arguments)
    if len(names) > needed and names[0] in flags:  # ``turn end nix``
        names = [*names[1:], names[0]]
    while len(names) > needed and names[-1] in flags:
        options = [*options, f"--{names[-1]}"]
        names = names[:-1]
    taken = arguments[1:]
    if not taken or any(argument.nargs != 1 for argument in taken):
        return names, options
    file, names = names[:1], names[1:]
    number = next((name for name in NUMBER_OPTIONS if name in known), "")
    if number and len(names) > len(taken) and names[-1].isdecimal():
        options = [*options, f"{number}={names[-1]}"]
        names = names[:-1]
    return [*file, *_fitted(taken, names)], options


def _fitted(taken: Sequence[Any], names: list[str]) -> list[str]:
    """Return names as one for each argument: a name of several words, an amount on either side."""
    numeric = [takes_number(argument) for argument in taken]
    if len(taken) == 1 and not numeric[0] and names:
        return [" ".join(names)]
    if sorted(numeric) != [False, True] or len(names) < 2:
        return names
    if names[0].isdecimal() and not (names[-1].isdecimal() and numeric[1]):
        amount, name = names[0], names[1:]
    elif names[-1].isdecimal():
        amount, name = names[-1], names[:-1]
    else:
        return names if numeric[0] else [" ".join(names)]
    joined = " ".join(name)
    return [amount, joined] if numeric[0] else [joined, amount]


def flag_words(command: Any) -> set[str]:
    """Return the words that are flags of a command when they stand at the end of a line."""
    flags = (option for option in options_of(command) if option.is_flag)
    names = (name for flag in flags for name in (*flag.opts, *flag.secondary_opts))
    return {name[2:] for name in names if name.startswith("--")}


def _takes_value(command: Any) -> dict[str, bool]:
    """Return whether each option takes a value, by its names."""
    return {name: not option.is_flag for option in options_of(command) for name in option.opts}
