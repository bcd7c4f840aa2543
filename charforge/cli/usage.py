"""How commands are typed: their help as plain text, and errors of typing with the nearest word."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from typer import BadParameter, TyperException

from charforge.cli.console import wants_styles
from charforge.cli.files import character_paths
from charforge.errors import UsageError, nearest, not_one_of, shorten
from charforge.language import N_, _
from charforge.limits import MAX_LISTED

OPTIONAL = re.compile(r"^\[([^][]*)\]$")  # the usage line shows what is optional
EXAMPLE_LINES = "\b"  # before a paragraph whose lines stay as they are
WIDEST_HELP = 100  # columns
ANSWER = "ANSWER"  # what an option takes that answers a choice, in its help
SET_INPUT = "--set"  # an option of many verbs, for what a rule asks
HELP_OPTIONS = ("-h", "--help")
RARE = {"--by", "--dated", "--set", "--json", "--jobs", "--cluster"}
ALL_OPTIONS = "charforge.all_options"  # in ``meta`` of the context: rare options are listed, too
NAME_COLUMNS = 30  # columns of names that have their meaning beside them
OWN_TEXTS = {  # of options that typer adds
    "--help": N_("Show this help."),
    "--install-completion": N_("Install Tab completion for your shell."),
    "--show-completion": N_("Print the script of Tab completion."),
}


def write_help(command: Any, ctx: Any, formatter: Any) -> None:
    """Write the help of a command."""
    _write_start(command, ctx, formatter)
    shown = [parameter for parameter in command.get_params(ctx) if not parameter.hidden]
    rare = [] if ctx.meta.get(ALL_OPTIONS) else list(filter(is_rare, shown))
    for heading, kind in ((_("Arguments"), "argument"), (_("Options"), "option")):
        rows = [
            parameter_row(one) for one in shown if one.param_type_name == kind and one not in rare
        ]
        write_rows(formatter, heading, rows)
    for heading, table in command.tables.items():
        write_rows(formatter, _(heading), [(word, _(text)) for word, text in table.items()])
    if rare:
        names = ", ".join(max(one.opts, key=len) for one in rare)
        formatter.write_paragraph()
        formatter.write_text(
            _("Also: {names}. To see what they do: charforge help {command} --all").format(
                names=names, command=ctx.command_path.partition(" ")[2]
            )
        )


def is_rare(parameter: Any) -> bool:
    """Return whether an option is for scripts and records, so that the short help only names it."""
    return bool(RARE.intersection(parameter.opts))


def write_group_help(
    group: Any,
    ctx: Any,
    formatter: Any,
    commands: Mapping[str, Iterable[tuple[str, str]]],
    topics: Mapping[str, list[tuple[str, str]]],
) -> None:
    """Write the help of a group: its commands by headings, the topics of the others; options."""
    _write_start(group, ctx, formatter)
    width = max(len(name) for rows in commands.values() for name, _help in rows)
    for heading, rows in commands.items():
        write_rows(formatter, heading, [(f"{name:<{width}}", text) for name, text in rows])
    for heading, topic_rows in topics.items():
        write_rows(formatter, heading, topic_rows)
    write_rows(formatter, _("Options"), [parameter_row(one) for one in group.get_params(ctx)])
    if group.epilog:
        formatter.write_paragraph()
        formatter.write_text(_(group.epilog))


def _write_start(command: Any, ctx: Any, formatter: Any) -> None:
    pieces = " ".join(command.collect_usage_pieces(ctx))
    formatter.write_usage(ctx.command_path, pieces, prefix=f"{_('Usage:')} ")
    formatter.write_paragraph()
    formatter.write_text("\n\n".join(map(_translated, help_paragraphs(command.help or ""))))


def help_paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a command's help, each on one line; examples keep their lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        yield paragraph if paragraph.startswith(EXAMPLE_LINES) else " ".join(paragraph.split())


def _translated(paragraph: str) -> str:
    """Return a paragraph of a command's help in the current language."""
    if paragraph.startswith(EXAMPLE_LINES):
        return paragraph.replace("Examples:", _("Examples:"), 1)
    return _(paragraph)


def write_rows(formatter: Any, heading: str, rows: list[tuple[str, str]]) -> None:
    """Write rows of a name and its meaning below a heading; without rows, nothing."""
    if rows:
        with formatter.section(_styled(heading, bold=True)):
            formatter.write_dl(
                [(_styled(name, fg="cyan"), text) for name, text in rows], NAME_COLUMNS
            )


def _styled(text: str, **style: Any) -> str:
    """Return a styled text, unless the user wants none; typer drops styles outside of terminals."""
    return typer.style(text, **style) if wants_styles() else text


def usage_pieces(command: Any, ctx: Any) -> list[str]:
    """Return the words of a usage line after the command: ``FILE [ITEM…] [OPTIONS]``."""
    pieces = []
    for parameter in command.get_params(ctx):
        if parameter.param_type_name == "argument":
            name = parameter_name(parameter)
            pieces += ["[FILE]"] if parameter.name == "words" else []  # or --ruleset instead
            pieces.append(name if parameter.required else f"[{name}]")
        elif command.plain_words and "--vs" in parameter.opts:
            pieces.append("[SCORE]")
    return [*pieces, *filter(None, [command.ending]), "[OPTIONS]"]


def parameter_row(parameter: Any) -> tuple[str, str]:
    """Return how to type an argument or option, and what it does."""
    if parameter.param_type_name == "argument":
        return parameter_name(parameter), _(parameter.help or "")
    names = ", ".join(sorted(parameter.opts, key=len))
    typed = names if parameter.is_flag else f"{names} {parameter_name(parameter)}"
    text = _(OWN_TEXTS.get(max(parameter.opts, key=len), parameter.help or ""))
    return typed, " ".join([text, *_default(parameter)])


def _default(parameter: Any) -> Iterator[str]:
    """Yield the default of an option, if it has one that a player could type."""
    default = parameter.default
    if default in (None, "", False) or not parameter.show_default or isinstance(default, list):
        return
    yield _("(default: {value})").format(value=default)


def parameter_name(parameter: Any) -> str:
    """Return the name of an argument, or of what comes after an option: FILE, a4|letter, N."""
    if parameter.metavar:
        return OPTIONAL.sub(r"\1", str(parameter.metavar))
    types = types_of(parameter)
    if choices := choices_of(parameter):
        return "|".join(choices)
    return "FILE" if Path in types else "N" if int in types else "TEXT"


def takes_number(parameter: Any) -> bool:
    """Return whether an argument or option takes a whole number."""
    return int in types_of(parameter)


def types_of(parameter: Any) -> tuple[Any, ...]:
    """Return the type of an argument or option, and those in its brackets."""
    annotation = parameter.type_descriptor.annotation
    return (annotation, *get_args(annotation))


def choices_of(parameter: Any) -> list[str]:
    """Return the words that an argument or option is limited to; nothing for any other."""
    for type_ in types_of(parameter):
        if get_origin(type_) is Literal:
            return list(get_args(type_))
        if isinstance(type_, type) and issubclass(type_, Enum):
            return [choice.value for choice in type_]
    return []


# ------------------------------------------------------------------ usage errors


def usage_error(error: TyperException, command: Any, ctx: Any) -> UsageError:
    """Return the program's own error for one that typer found in the arguments."""
    if isinstance(error, BadParameter):
        parameter: Any = error.param
        name = parameter_label(parameter)
        details = getattr(error.__cause__, "errors", None)
        if details is not None:
            wrong = details()[0]
            advice = _option_with(str(wrong["input"]), command.get_params(ctx))
            return UsageError(f"{name}: {_wrong_argument(parameter, wrong)}", advice)
        if not error.message:  # typer's word for what is missing is the class of the error
            if parameter.callback is not None:  # it finds a character by its name
                return _which_character(parameter, command_words(command, ctx))
            reason = _("{name} is missing").format(name=name)
            if parameter.param_type_name == "option":  # the usage does not show it
                return UsageError(reason, _example(name, parameter, ctx))
            return UsageError(
                reason, _possible_words(parameter, ctx), usage=command_words(command, ctx)
            )
        return UsageError(f"{name}: {error.message}")
    option = getattr(error, "option_name", "")
    if not option:
        return UsageError(error.message, usage=command_words(command, ctx))
    options = [name for parameter in command.get_params(ctx) for name in parameter.opts]
    if option in options:
        parameter = next(one for one in command.get_params(ctx) if option in one.opts)
        return UsageError(
            _("{option} needs a value").format(option=option), _example(option, parameter, ctx)
        )
    return UsageError(
        _("there is no option {option}").format(option=shorten(option)),
        _option_with(option.lstrip("-"), command.get_params(ctx))
        or _other_option(option, options, ctx),
    )


def _option_with(word: str, parameters: Iterable[Any]) -> str:
    """Return advice with the options that take a word; empty for none."""
    taking = [one for one in parameters if word.casefold() in choices_of(one)]
    options = _(" or ").join(f"{parameter_label(one)} {word.casefold()}" for one in taking)
    return _("Did you mean {options}?").format(options=options) if options else ""


def _other_option(option: str, options: Sequence[str], ctx: Any) -> str:
    """Return what an unknown option may mean: one that is spelled like it, or a choice."""
    name = option.lstrip("-")
    near = nearest(name, [known[2:] for known in options if known.startswith("--")])
    advice = [_("Did you mean --{near}?").format(near=near)] if near else []
    if "--with" in options and option.startswith("--"):
        advice.append(
            _("To answer a choice: --with CHOICE=ANSWER")
            if option == SET_INPUT
            else _("To answer a choice: --with {name}=…").format(name=name)
        )
    return " ".join(advice) or _("To list the options: {command_path} --help").format(
        command_path=ctx.command_path
    )


def _which_character(parameter: Any, usage: Iterable[str]) -> UsageError:
    """Return the error for a command without its character, with those that could be meant."""
    takes_folders = parameter.nargs != 1
    advice = _("Give a file or a folder.") if takes_folders else _("Give its file or its name.")
    if files := [str(file) for file in character_paths(Path())][:MAX_LISTED]:
        advice += " " + _("Characters here: {files}.").format(files=", ".join(files))
    return UsageError(_("which character?"), advice, usage=usage)


def _possible_words(parameter: Any, ctx: Any) -> str:
    """Return what could be typed for an argument: what Tab would complete."""
    words = [item.value for item in parameter.shell_complete(ctx, "")]
    words = [word for word in words if "/" not in word] or words  # names before ids
    more = _(" and more") if len(words) > MAX_LISTED else ""
    return (
        _("Possible here: {words}{more}.").format(words=", ".join(words[:MAX_LISTED]), more=more)
        if words
        else ""
    )


def options_of(command: Any) -> list[Any]:
    """Return the options of a command, without its arguments."""
    return [part for part in command.params if part.param_type_name == "option"]


def too_many(words: Sequence[str], command: Any, ctx: Any) -> UsageError:
    """Return the error for words that a command has no argument for."""
    options = options_of(command)
    is_number = len(words) == 1 and words[0].isdecimal()
    taking = [option for option in options if option.metavar == ANSWER]
    taking += [option for option in options if is_number and takes_number(option)]
    typed = shlex.quote(" ".join(words))
    near = [f"{max(option.opts, key=len)} {typed}" for option in taking]
    hint = _("Did you mean {options}?").format(options=_(" or ").join(near)) if near else ""
    return UsageError(
        _("too many words: {words}").format(words=shlex.join(words)),
        hint,
        usage=command_words(command, ctx),
    )


def command_words(command: Any, ctx: Any) -> list[str]:
    """Return the words of a command and of what it takes."""
    return [*ctx.command_path.split(), *command.collect_usage_pieces(ctx)]


def parameter_label(parameter: Any) -> str:
    """Return what an argument or option is called in messages."""
    if parameter.param_type_name == "argument":
        return parameter_name(parameter).rstrip("…")
    return str(max(parameter.opts, key=len))


def _example(option: str, parameter: Any, ctx: Any) -> str:
    """Return the words that an option takes, or else an example and what it is for."""
    if words := _possible_words(parameter, ctx):
        return words
    name = parameter_name(parameter)
    if "|" in name:
        return _("For example {option} {word}").format(option=option, word=name.partition("|")[0])
    return _("For example {option} {name}: {help}").format(
        option=option, name=name, help=_(parameter.help)
    )


def _wrong_argument(parameter: Any, error: dict[str, Any]) -> str:
    """Return the message for an error of pydantic in a typed word."""
    typed, bounds = str(error["input"]), error.get("ctx", {})
    types = types_of(parameter)
    if choices := choices_of(parameter):
        return not_one_of(typed, choices)
    if "ge" in bounds:
        return _("{typed} is too low; the lowest is {bounds}").format(
            typed=typed, bounds=bounds["ge"]
        )
    if "le" in bounds:
        return _("{typed} is too high; the highest is {bounds}").format(
            typed=typed, bounds=bounds["le"]
        )
    if error["type"].endswith("_size"):
        return _("{typed} has too many digits").format(typed=shorten(typed))
    if int in types:
        return _("{typed} is not a whole number").format(typed=shorten(typed))
    return _("{typed} cannot be used here").format(typed=shorten(typed))


ALIASES = {"print": "sheet"}
# What players type for a command, with what it takes, or for a command with an option; several
# commands if the word can mean them all.
SYNONYMS = {
    "new": N_("create make build generate character wizard start begin add"),
    "new --resume": N_("resume continue draft drafts"),
    "show FILE": N_("view display open info inventory status stats read cat sheet-text"),
    "explain FILE WHAT": N_("why what whats how describe breakdown can"),
    "edit FILE": N_("change modify set respec retrain"),
    "edit FILE --name NAME": N_("rename name"),
    "edit FILE --portrait IMAGE": N_("portrait picture photo image avatar"),
    "undo FILE": N_("revert back rollback"),
    "undo FILE --to-level N": N_("reset restart"),
    "redo FILE": N_("again"),
    "check FILE": N_("validate verify legal valid lint"),
    "level-up FILE": N_("level levelup lvl lvlup advance upgrade up"),
    "plan FILE": N_("planning goals"),
    "advise FILE": N_("advice advisor recommend suggest"),
    "play FILE": N_("session game fight combat table encounter abilities powers unit companion"),
    "attack ATTACK": N_("attacks hit shoot fire strike"),
    "use FILE ABILITY": N_("abilities cast action act ability activate move"),
    "roll FILE ATTRIBUTE": N_("dice throw test skill save"),
    "damage FILE AMOUNT": N_("hit hurt wound harm lose"),
    "heal FILE AMOUNT": N_("cure recover repair restore-hp"),
    "spend FILE THING": N_("pay subtract minus"),
    "condition FILE NAME": N_("conditions effect effects apply"),
    "rest FILE": N_("sleep camp break"),
    "turn FILE": N_("round next"),
    "turn FILE end": N_("end finish"),
    "help": N_("manual usage commands"),
    "note FILE TEXT": N_("notes comment journal write"),
    "serve FILE": N_("phone phones tablet live host"),
    "luck FILE": N_("lucky unlucky fairness"),
    "shop FILE": N_("store market browse gear equipment items weapons"),
    "buy FILE ITEM": N_("purchase get"),
    "sell FILE ITEM": N_("trade"),
    "drop FILE ITEM": N_("discard remove give lose-item delete part"),
    "hold FILE": N_("equip wield draw inventory hands carry"),
    "stow FILE ITEM": N_("unequip sheathe holster unwield"),
    "wear FILE": N_("don put on clothes armour worn"),
    "take-off FILE ITEM": N_("doff undress unwear"),
    "sheet FILE": N_("pdf html paper record"),
    "sheet FILE --layout cards": N_("card cards"),
    "sheet --blank": N_("blank empty"),
    "export FILE": N_("share markdown text json answers statblock foundry save-as"),
    "import FILE": N_("load upload"),
    "party FOLDER": N_("group gm team crew"),
    "initiative FOLDER": N_("init turns turn-order order"),
    "award FILE THING": N_("reward grant gift give gain xp loot"),
    "odds FILE": N_("probability probabilities chance chances simulate statistics"),
    "resolve": N_("rule procedure calculate try"),
    "rulebook": N_("book reference"),
    "campaign": N_("campaigns house-rules"),
    "games": N_("rulesets systems game ruleset"),
    "catalog search": N_("search find lookup rules"),
    "catalog add": N_("add install homebrew pack packs mod plugin"),
    "catalog list": N_("list browse feats talents spells options"),
    "history FILE": N_("log events timeline"),
    "diff": N_("compare difference"),
    "restore FILE": N_("backup backups recover"),
    "update FILE": N_("migrate refresh"),
    "templates": N_("template design designs"),
    "doctor": N_("diagnose troubleshoot setup debug"),
    "quit": N_("leave bye close stop end finish"),
    "--version": N_("version"),
}
IN_A_SHELL = {"attack": "use FILE"}  # what a shell has for a verb of sessions alone
PLACEHOLDER = re.compile(r"[A-Z]+")


def synonyms(command: str) -> tuple[str, ...]:
    """Return other words for a command, in English and in the current language."""
    words = SYNONYMS[command]
    return (*words.split(), *_(words).split())


def unknown_command(
    name: str,
    commands_here: Collection[str],
    program: str = "charforge ",
    what: str = N_("command"),
    words: Sequence[str] = (),
) -> UsageError:
    """Return the error for a word that is no command, with those close in meaning or spelling.

    They are whole commands: with the ``words`` that were typed after it, or with what they take.
    """
    meant = list(_commands_meant(name.casefold(), commands_here))
    if not program:  # the session has its character
        meant = [command.replace(" FILE", "") for command in meant]
    meant = meant or [near for near in [nearest(name, commands_here)] if near]
    listing = f"{program}--help" if program else "help"
    commands = _(" or ").join(f"{program}{_with_words(command, words)}" for command in meant)
    advice = (
        _("Did you mean {commands}?").format(commands=commands)
        if meant
        else _("{listing} lists all of them.").format(listing=listing)
    )
    return UsageError(
        _("there is no {what} {name}").format(what=_(what), name=shorten(name)), advice
    )


def _commands_meant(name: str, commands_here: Collection[str]) -> Iterator[str]:
    """Yield the commands that a word means, as they are typed here."""
    known = {*commands_here, "--version"}
    for command in SYNONYMS:
        verb, _space, taken = command.partition(" ")
        if name not in (*synonyms(command), verb):
            continue
        here = verb if verb in known else IN_A_SHELL.get(verb, "")
        if here.partition(" ")[0] in known:
            yield f"{here} {taken}".strip()


def _with_words(command: str, words: Sequence[str]) -> str:
    """Return a command with typed words in the places of what it takes, the rest in the last one.

    Where it names no places, they follow it.
    """
    left = [*words]
    parts = command.split()
    places = [place for place, part in enumerate(parts) if PLACEHOLDER.fullmatch(part)]
    for place in places[:-1] if left else ():
        parts[place] = shlex.quote(left.pop(0)) if left else parts[place]
    if left:
        at = places[-1] if places else len(parts)
        parts[at : at + 1] = [shlex.join(left)]
    return " ".join(parts)
