"""The words of a session's line as those of a command: without dashes, quotes and FILE.

``pistol vs 8`` means ``--vs=8``, ``aim=1`` means ``--set=aim=1``, and the name
of a flag at the end (``turn end``) the flag. Names of several words need no quotes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from charforge.replay.loaded_character import load_character
from charforge.rules.loading import loader

FILE, FILES, WORDS, UNIT, RULESET = "file", "files", "words", "unit", "ruleset"
SETTING = re.compile(r"[A-Za-z_][\w-]*=.+")
DICE, NOTE = "dice", "note"


def split_line(line: str) -> list[str]:
    """Return the words of a line, split as a shell does; a single apostrophe is a letter.

    The quotes within a note are kept.
    """
    try:
        words = shlex.split(line)
    except ValueError:
        return line.split()
    has_options = any(word.startswith("--") for word in words)
    is_long_note = words[:1] == [NOTE] and len(words) > 2 and not has_options
    return line.split() if is_long_note else words


def command_words(command: Any, words: Sequence[str]) -> list[str]:
    """Return the words after a verb as the command takes them; each option is one word."""
    if command.name == NOTE:
        return list(words)
    options = {name: option for option in _options(command) for name in option.opts}
    plain: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option = options.get(word)
        takes_value = option is not None and not option.is_flag
        if takes_value and rest:
            plain.append(f"{word}={rest.pop(0)}")
        elif f"--{word}" == "--vs" and "--vs" in options and plain and rest:
            plain.append(f"--vs={rest.pop(0)}")
        elif SETTING.fullmatch(word) and "--set" in options:
            name, _equals, value = word.partition("=")
            plain.append(f"--dice={value}" if name == DICE else f"--set={word}")
        else:
            plain.append(word)
    return _fit(command, _with_flags(command, plain))


def _with_flags(command: Any, words: list[str]) -> list[str]:
    """Return the words with the names of flags at the end as flags."""
    flags = {
        name.removeprefix("--"): name
        for option in _options(command)
        if option.is_flag
        for name in option.opts
    }
    found: list[str] = []
    needs_word = any(argument.required for argument in _arguments(command))
    while words and words[-1] in flags and (len(words) > 1 or not needs_word):
        found.insert(0, flags[words.pop()])
    return [*words, *found]


def _fit(command: Any, words: list[str]) -> list[str]:
    """Return the words with a name of several words as one word, if the command takes one."""
    arguments = _arguments(command)
    names = [word for word in words if not word.startswith("--")]
    options = [word for word in words if word.startswith("--")]
    if not arguments and len(names) > 1 and names[-1].isdecimal() and _takes_score(command):
        return [*names[:-1], *options, f"--vs={names[-1]}"]
    extra = len(names) - len(arguments)
    if extra <= 0 or not arguments or any(argument.nargs != 1 for argument in arguments):
        return words
    if names[-1].isdecimal() and _takes_score(command):
        options.append(f"--vs={names.pop()}")
    if len(arguments) == 1:
        return [" ".join(names), *options]
    if names[0].isdecimal():
        return [names[0], " ".join(names[1:]), *options]
    if names[-1].isdecimal():
        return [" ".join(names[:-1]), names[-1], *options]
    return [" ".join(names), *options]


def _takes_score(command: Any) -> bool:
    return any("--vs" in option.opts for option in _options(command))


def _options(command: Any) -> list[Any]:
    return [part for part in command.params if part.param_type_name == "option"]


def _arguments(command: Any) -> list[Any]:
    """Return the arguments of a command besides its file; none if it takes others in any order."""
    arguments = [part for part in command.params if part.param_type_name == "argument"]
    if not arguments or arguments[0].name != FILE:
        return []
    return arguments[1:]


# ------------------------------------------------------------------ file and unit


def with_file_and_unit(file: Path, unit: str, command: Any, words: Sequence[str]) -> list[str]:
    """Return the words after a verb with the session's file and unit, if the command takes them.

    A FILE that was typed anyway is not repeated.
    """
    names = [part.name for part in command.params]
    is_file = _file_check(file)
    if FILE in names[1:]:
        changed = _with_game_and_file(file, command, list(words))
    elif names[:1] in ([FILE], [FILES]) or (WORDS in names and not _has_option(RULESET, words)):
        changed = [str(file), *without_file(file, command, words)]
    else:
        changed = list(words)
    has_unit = UNIT in names and any(map(is_file, changed)) and not _has_option(UNIT, words)
    return [f"--{UNIT}={unit}", *changed] if unit and has_unit else changed


def without_file(file: Path, command: Any, words: Sequence[str]) -> list[str]:
    """Return the words without the session's file where the command expects it."""
    names = [part.name for part in command.params]
    positions = argument_positions(command, words)
    candidates = positions if names[:1] == [FILES] else positions[:1]
    is_file = _file_check(file)
    typed = [n for n in candidates if is_file(words[n])]
    return [word for n, word in enumerate(words) if n not in typed]


def _file_check(file: Path) -> Callable[[str], bool]:
    return lambda word: Path(word).absolute() == file.absolute()


def _with_game_and_file(file: Path, command: Any, words: list[str]) -> list[str]:
    """Return the words of a command that takes a game, a rule of it, and FILE.

    The game is the character's unless another is named; FILE is inserted
    after a rule of its own game.
    """
    positions = argument_positions(command, words)
    game = load_character(file).ruleset.id
    named = words[positions[0]] if positions else ""
    if named not in {*loader.built_in(), *loader.installed()}:
        words, positions, named = [game, *words], [0, *(n + 1 for n in positions)], game
    if named != game or len(positions) != 2:
        return words
    after_rule = positions[1] + 1
    return [*words[:after_rule], str(file), *words[after_rule:]]


def _has_option(option: str, words: Iterable[str]) -> bool:
    return any(word.partition("=")[0] == f"--{option}" for word in words)


def argument_positions(command: Any, words: Iterable[str]) -> list[int]:
    """Return the positions of the arguments, without options and their values."""
    with_value = {name for o in _options(command) if not o.is_flag for name in o.opts}
    positions, previous = [], ""
    for number, word in enumerate(words):
        if previous not in with_value and (not word.startswith("-") or word[1:].isdecimal()):
            positions.append(number)
        previous = "" if previous in with_value else word
    return positions
