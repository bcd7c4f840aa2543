"""Wrong commands, arguments and options: what is wrong, the nearest right one, the usage."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from typer import BadParameter, TyperException

from charforge.cli.files import character_paths
from charforge.cli.help_format import choices_of, parameter_name, takes_number, types_of
from charforge.errors import UsageError, nearest, not_one_of, shorten
from charforge.language import N_, _
from charforge.limits import MAX_LISTED


def usage_error(error: TyperException, command: Any, ctx: Any) -> UsageError:
    """Return the program's own error for one that typer found in the arguments."""
    if isinstance(error, BadParameter):
        parameter: Any = error.param
        name = parameter_label(parameter)
        details = getattr(error.__cause__, "errors", None)
        if details is not None:
            return UsageError(f"{name}: {_wrong_argument(parameter, details()[0])}")
        if not error.message:  # typer's word for what is missing is the class of the error
            if parameter.callback is not None:  # it finds a character by its name
                return _which_character(parameter, usage(command, ctx))
            reason = _("{name} is missing").format(name=name)
            return UsageError(reason, _possible_words(parameter, ctx), usage=usage(command, ctx))
        return UsageError(f"{name}: {error.message}")
    option = getattr(error, "option_name", "")
    if not option:
        return UsageError(error.message, usage=usage(command, ctx))
    options = [name for parameter in command.get_params(ctx) for name in parameter.opts]
    if option in options:
        parameter = next(one for one in command.get_params(ctx) if option in one.opts)
        return UsageError(
            _("{option} needs a value").format(option=option), _example(option, parameter, ctx)
        )
    return UsageError(
        _("there is no option {option}").format(option=shorten(option)),
        _other_option(option, options, ctx),
    )


def _other_option(option: str, options: Sequence[str], ctx: Any) -> str:
    """Return what an unknown option may mean: one that is spelled like it, or a choice."""
    name = option.lstrip("-")
    near = nearest(name, [known[2:] for known in options if known.startswith("--")])
    advice = [_("Did you mean --{near}?").format(near=near)] if near else []
    if "--with" in options and option.startswith("--"):
        advice.append(_("To answer a choice: --with {name}=…").format(name=name))
    return " ".join(advice) or _("{command_path} --help lists the options.").format(
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


def too_many(words: Sequence[str], command: Any, ctx: Any) -> UsageError:
    """Return the error for words that a command has no argument for."""
    options = [f"{max(o.opts, key=len)} {word}" for word in words for o in _numbers(command, word)]
    hint = (
        _("Did you mean {options}?").format(options=_(" or ").join(options))
        if options and len(words) == 1
        else ""
    )
    return UsageError(
        _("too many words: {words}").format(words=shlex.join(words)),
        hint,
        usage=usage(command, ctx),
    )


def _numbers(command: Any, word: str) -> list[Any]:
    """Return the options that take a number, if a word is one."""
    options = [part for part in command.params if part.param_type_name == "option"]
    return [option for option in options if takes_number(option) and word.isdecimal()]


def usage(command: Any, ctx: Any) -> list[str]:
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
# What players type for a command, or for a command with an option; several commands if the word
# can mean them all.
SYNONYMS = {
    "new": "create make build generate character wizard start begin add",
    "new --resume": "resume continue draft drafts",
    "show": "view display open info inventory status stats read cat sheet-text",
    "explain": "why what whats how describe breakdown can",
    "edit": "change modify set respec retrain",
    "edit FILE --name NAME": "rename name",
    "edit FILE --portrait IMAGE": "portrait picture photo image avatar",
    "undo": "revert back rollback",
    "undo FILE --to-level N": "reset restart",
    "redo": "again",
    "check": "validate verify legal valid lint",
    "level-up": "level levelup lvl lvlup advance upgrade up",
    "play": "session game fight combat table encounter abilities attacks powers unit companion",
    "use": "abilities attack hit shoot fire strike cast action act ability activate move",
    "roll": "dice throw test skill save",
    "damage": "hit hurt wound harm lose",
    "heal": "cure recover repair restore-hp",
    "spend": "pay subtract minus",
    "condition": "conditions effect effects apply",
    "rest": "sleep camp break",
    "turn": "round next",
    "note": "notes comment journal write",
    "shop": "store market browse gear equipment items weapons",
    "buy": "purchase get",
    "sell": "trade",
    "drop": "discard remove give lose-item delete part",
    "hold": "equip wield draw inventory hands carry",
    "stow": "unequip sheathe holster unwield",
    "wear": "don put on clothes armour worn",
    "take-off": "doff undress unwear",
    "sheet": "pdf html paper record",
    "sheet FILE --layout cards": "card cards",
    "sheet --blank": "blank empty",
    "export": "share markdown text json answers statblock foundry save-as",
    "import": "load upload",
    "party": "group gm team crew",
    "initiative": "init turns turn-order order",
    "award": "reward grant gift give gain xp loot",
    "odds": "probability probabilities chance chances simulate statistics",
    "resolve": "rule procedure calculate try",
    "games": "rulesets systems game ruleset",
    "catalog search": "search find lookup rules",
    "catalog add": "add install homebrew pack packs mod plugin",
    "catalog list": "list browse feats talents spells options",
    "history": "log events timeline",
    "diff": "compare difference",
    "restore": "backup backups recover",
    "doctor": "diagnose troubleshoot setup debug",
    "--version": "version",
}


def unknown_command(
    name: str,
    commands_here: Collection[str],
    program: str = "charforge ",
    what: str = N_("command"),
) -> UsageError:
    """Return the error for a word that is no command, with those close in meaning or spelling."""
    meant = [
        command
        for command, words in SYNONYMS.items()
        if name.casefold() in words.split()
        and command.partition(" ")[0] in {*commands_here, "--version"}
    ]
    if not program:  # the session has its character
        meant = [command.replace(" FILE", "") for command in meant]
    meant = meant or [near for near in [nearest(name, commands_here)] if near]
    listing = f"{program}--help" if program else "help"
    commands = _(" or ").join(f"{program}{command}" for command in meant)
    advice = (
        _("Did you mean {commands}?").format(commands=commands)
        if meant
        else _("{listing} lists all of them.").format(listing=listing)
    )
    return UsageError(
        _("there is no {what} {name}").format(what=_(what), name=shorten(name)), advice
    )
