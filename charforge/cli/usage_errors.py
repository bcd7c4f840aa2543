"""Wrong arguments and options: what is wrong, the nearest right one, and the usage."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typer import BadParameter, TyperException

from charforge.cli.character_names import character_paths
from charforge.cli.help_format import choices_of, parameter_name, takes_number, types_of
from charforge.errors import MAX_LISTED, UsageError, nearest, not_one_of, shorten


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
            return UsageError(f"{name} is missing", hint + usage(command, ctx))
        return UsageError(f"{name}: {error.message}")
    option = getattr(error, "option_name", "")
    if not option:
        return UsageError(error.message, usage(command, ctx))
    options = [name for parameter in command.get_params(ctx) for name in parameter.opts]
    if option in options:
        parameter = next(one for one in command.get_params(ctx) if option in one.opts)
        return UsageError(f"{option} needs a value", _example(option, parameter, ctx))
    return UsageError(f"there is no option {shorten(option)}", _other_option(option, options, ctx))


def _other_option(option: str, options: Sequence[str], ctx: Any) -> str:
    """Return what an unknown option may mean: one that is spelled like it, or a choice."""
    name = option.lstrip("-")
    near = nearest(name, [known[2:] for known in options if known.startswith("--")])
    advice = [f"Did you mean --{near}?"] if near else []
    if "--with" in options and option.startswith("--"):
        advice.append(f"To answer a choice: --with {name}=…")
    return " ".join(advice) or f"{ctx.command_path} --help lists the options."


def _characters_here(parameter: Any) -> str:
    """Return which characters could be named for an argument that takes one."""
    if parameter.callback is None:  # it finds a character by its name
        return ""
    files = [str(file) for file in character_paths(Path())][:MAX_LISTED]
    return f"Characters here: {', '.join(files)}. " if files else ""


def _possible_words(parameter: Any, ctx: Any) -> str:
    """Return what could be typed for an argument: what Tab would complete."""
    words = [item.value for item in parameter.shell_complete(ctx, "")]
    words = [word for word in words if "/" not in word] or words  # names before ids
    more = " and more" if len(words) > MAX_LISTED else ""
    return f"Possible here: {', '.join(words[:MAX_LISTED])}{more}. " if words else ""


def too_many(words: Sequence[str], command: Any, ctx: Any) -> UsageError:
    """Return the error for words that a command has no argument for."""
    options = [f"{max(o.opts, key=len)} {word}" for word in words for o in _numbers(command, word)]
    hint = f"Did you mean {' or '.join(options)}? " if options and len(words) == 1 else ""
    return UsageError(f"too many words: {shlex.join(words)}", hint + usage(command, ctx))


def _numbers(command: Any, word: str) -> list[Any]:
    """Return the options that take a number, if a word is one."""
    options = [part for part in command.params if part.param_type_name == "option"]
    return [option for option in options if takes_number(option) and word.isdecimal()]


def usage(command: Any, ctx: Any) -> str:
    """Return the usage of a command as advice."""
    return " ".join(["Usage:", ctx.command_path, *command.collect_usage_pieces(ctx)])


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
        return f"For example {option} {name.partition('|')[0]}"
    return f"For example {option} {name}: {parameter.help}"


def _wrong_argument(parameter: Any, error: dict[str, Any]) -> str:
    """Return the message for an error of pydantic in a typed word."""
    typed, bounds = str(error["input"]), error.get("ctx", {})
    types = types_of(parameter)
    choices = [str(choice.value) for type_ in types for choice in choices_of(type_)]
    if choices:
        return not_one_of(typed, choices)
    if "ge" in bounds:
        return f"{typed} is too low; the lowest is {bounds['ge']}"
    if "le" in bounds:
        return f"{typed} is too high; the highest is {bounds['le']}"
    if error["type"].endswith("_size"):
        return f"{shorten(typed)} has too many digits"
    if int in types:
        return f"{shorten(typed)} is not a whole number"
    return f"{shorten(typed)} cannot be used here"
