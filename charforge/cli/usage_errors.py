"""Wrong arguments and options: what is wrong, the nearest right one, and the usage."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer import BadParameter, TyperException

from charforge.cli.files import character_paths
from charforge.cli.help_format import choices_of, parameter_name, takes_number, types_of
from charforge.errors import MAX_LISTED, UsageError, nearest, not_one_of, shorten
from charforge.language import _


def usage_error(error: TyperException, command: Any, ctx: Any) -> UsageError:
    """Return the program's own error for one that typer found in the arguments."""
    if isinstance(error, BadParameter):
        parameter: Any = error.param
        name = parameter_label(parameter)
        details = getattr(error.__cause__, "errors", None)
        if details is not None:
            return UsageError(f"{name}: {_wrong_argument(parameter, details()[0])}")
        if not error.message:  # typer's word for what is missing is the class of the error
            hint = _characters_here(parameter) or _possible_words(parameter, ctx)
            return UsageError(_("{name} is missing").format(name=name), hint + usage(command, ctx))
        return UsageError(f"{name}: {error.message}")
    option = getattr(error, "option_name", "")
    if not option:
        return UsageError(error.message, usage(command, ctx))
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


def _characters_here(parameter: Any) -> str:
    """Return which characters could be named for an argument that takes one."""
    if parameter.callback is None:  # it finds a character by its name
        return ""
    files = [str(file) for file in character_paths(Path())][:MAX_LISTED]
    return _("Characters here: {files}. ").format(files=", ".join(files)) if files else ""


def _possible_words(parameter: Any, ctx: Any) -> str:
    """Return what could be typed for an argument: what Tab would complete."""
    words = [item.value for item in parameter.shell_complete(ctx, "")]
    words = [word for word in words if "/" not in word] or words  # names before ids
    more = _(" and more") if len(words) > MAX_LISTED else ""
    return (
        _("Possible here: {words}{more}. ").format(words=", ".join(words[:MAX_LISTED]), more=more)
        if words
        else ""
    )


def too_many(words: Sequence[str], command: Any, ctx: Any) -> UsageError:
    """Return the error for words that a command has no argument for."""
    options = [f"{max(o.opts, key=len)} {word}" for word in words for o in _numbers(command, word)]
    hint = (
        _("Did you mean {options}? ").format(options=_(" or ").join(options))
        if options and len(words) == 1
        else ""
    )
    return UsageError(
        _("too many words: {words}").format(words=shlex.join(words)), hint + usage(command, ctx)
    )


def _numbers(command: Any, word: str) -> list[Any]:
    """Return the options that take a number, if a word is one."""
    options = [part for part in command.params if part.param_type_name == "option"]
    return [option for option in options if takes_number(option) and word.isdecimal()]


def usage(command: Any, ctx: Any) -> str:
    """Return the usage of a command as advice."""
    return " ".join([_("Usage:"), ctx.command_path, *command.collect_usage_pieces(ctx)])


def parameter_label(parameter: Any) -> str:
    """Return what an argument or option is called in messages."""
    if parameter.param_type_name == "argument":
        return parameter_name(parameter).rstrip("…")
    return str(max(parameter.opts, key=len))


def _example(option: str, parameter: Any, ctx: Any) -> str:
    """Return the words that an option takes, or else an example and what it is for."""
    if words := _possible_words(parameter, ctx):
        return words.rstrip()
    name = parameter_name(parameter)
    if "|" in name:
        return _("For example {option} {partition}").format(
            option=option, partition=name.partition("|")[0]
        )
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
