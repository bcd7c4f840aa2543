"""Words as players type them, in a shell and in a session: without dashes and quotes.

``pistol vs 8`` and ``pistol 8`` mean ``--vs=8``, ``aim=1`` means ``--set=aim=1``, ``--aim=1`` of
a command with that option, or ``--with=aim=1`` where a command takes choices, and the name of a
flag at the end (``turn end``) the flag. Names of several words need no quotes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from charforge.cli.console import FrontEnd
from charforge.cli.usage import takes_number
from charforge.language import page
from charforge.replay.loaded_character import load_character
from charforge.rules.loading import loader

SETTING = re.compile(r"[A-Za-z_][\w-]*=.+")
CHOICE_WORD = re.compile(r"[A-Za-z_][\w.-]*=.+")
NEGATIVE_NUMBER = re.compile(r"-[0-9]+")
DICE_WORD, VS = "dice", "vs"
NUMBER_OPTIONS = ("--vs", "--quantity")  # what a number after a name is for


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
    known = {name: option for option in _options(command) for name in option.opts}
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
    flags = (option for option in _options(command) if option.is_flag)
    names = (name for flag in flags for name in (*flag.opts, *flag.secondary_opts))
    return {name[2:] for name in names if name.startswith("--")}


def _takes_value(command: Any) -> dict[str, bool]:
    """Return whether each option takes a value, by its names."""
    return {name: not option.is_flag for option in _options(command) for name in option.opts}


def _options(command: Any) -> list[Any]:
    return [part for part in command.params if part.param_type_name == "option"]
