"""The message of each error: what is wrong, where, and what to do."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from functools import singledispatch
from pathlib import Path

from charforge import errors


@singledispatch
def error_message(error: Exception) -> str:
    """Return the message for an error, without a final line break."""
    return str(error)


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 problem``, ``3 problems``."""
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"


def _suggestion(nearest: str) -> str:
    return f" Did you mean {nearest}?" if nearest else ""


@error_message.register
def _(error: errors.UnknownId) -> str:
    message = f"There is no {error.what} named {error.name!r}."
    if error.known and not error.nearest:
        return f"{message} There are: {', '.join(error.known)}."
    return message + _suggestion(error.nearest)


@error_message.register
def _(error: errors.PackError) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return f"The pack has {counted(len(lines), 'fault')}:\n" + "\n".join(lines)


def located_message(problem: errors.PackProblem, severity: str = "") -> str:
    """Return an error of a pack as one line: place, ``severity``, field, message."""
    field = f" ({problem.field})" if problem.field else ""
    place = f"{problem.file}:{problem.line}:{problem.column}:{severity and f' {severity}:'}{field}"
    return f"{place} {_as_sentence(problem.message)}{_suggestion(problem.nearest)}"


@error_message.register
def _(error: errors.DocumentError) -> str:
    return _as_sentence(f"{error.path}: {error.reason}", error.advice)


@error_message.register
def _(error: errors.NotACharacter) -> str:
    return f"{error.path} is not a character file. {error.advice}".rstrip()


@error_message.register
def _(error: errors.WriteError) -> str:
    return _as_sentence(f"{error.path} was not written: {error.reason}", error.advice)


@error_message.register(errors.UsageError)
@error_message.register(errors.RuleRefusal)
@error_message.register(errors.SheetError)
def _(error: errors.UsageError | errors.RuleRefusal | errors.SheetError) -> str:
    return _as_sentence(_capitalized(error.reason), error.advice)


@error_message.register
def _(error: errors.MissingInput) -> str:
    ways = " or ".join(_option(name, error.unused_options) for name in error.ways)
    return _as_sentence(_capitalized(error.reason), ways and f"Give {ways}.")


def _option(name: str, options: tuple[str, ...]) -> str:
    """Return the option that gives an input: one of the command's ``options``, or ``--set``."""
    return f"--{name}=…" if name in options else f"--set {name}=…"


@error_message.register
def _(error: errors.ProcedureError) -> str:
    lines = [
        _as_sentence(f"  {name}: {why}" if name else f"  {why}") for name, why in error.problems
    ]
    advice = " ".join(_option(name, error.unused_options) for name in error.missing)
    message = f"Some inputs of {error.procedure} are missing or not valid:\n" + "\n".join(lines)
    if error.examples:
        more = (f"--set={name}={word}" for name, word in error.examples.items())
        line = _command([*sys.argv[1:], *more]).replace("--set=", "--set ")
        return f"{message}\nWith figures of your own in place of these:\n  {line}"
    return f"{message}\nGive {advice}" if advice else message


def _command(words: Sequence[str]) -> str:
    """Return a command as a shell takes it."""
    return shlex.join(["charforge", *words])


@error_message.register
def _(error: errors.AmbiguousName) -> str:
    return "\n".join([f"{_as_sentence(error.reason)} Which one?", *_ways_to_name(error)])


@error_message.register
def _(error: errors.RefusedAbility) -> str:
    reason = _as_sentence(_capitalized(error.reason), error.advice)
    return "\n".join([f"{reason} To use another:", *_ways_to_name(error)])


def _ways_to_name(error: errors.AmbiguousName | errors.RefusedAbility) -> list[str]:
    """Return a line for each thing that a name may mean: its label and the command."""
    return [
        f"  {label}: {_command(_replace_typed(error.name, words))}" for label, words in error.ways
    ]


def _replace_typed(name: str, words: Sequence[str]) -> list[str]:
    """Return the typed command with a name, of one word or more, replaced by other words."""
    typed = sys.argv[1:]
    first, *more = words
    for start in range(1, len(typed)):
        for end in range(start + 1, len(typed) + 1):
            if " ".join(typed[start:end]) == name:
                return [*typed[:start], first, *typed[end:], *more]
    return [first, *more]


@error_message.register
def _(error: errors.AnswersError) -> str:
    name = "" if error.path == Path() else f"{error.path}"
    lines = []
    for line, reason in error.problems:
        place = f"{name}:{line}: " if name and line else f"{name}: " if name else ""
        lines.append(_as_sentence(f"{place}{reason}" if place else _capitalized(reason)))
    return "\n".join(lines)


@error_message.register
def _(error: errors.AnswerError) -> str:
    lines = [_as_sentence(f"{where}: {why}") for where, why in error.problems]
    return "The rules do not allow this:\n" + "\n".join(lines)


@error_message.register
def _(error: errors.MissingAnswers) -> str:
    width = max(len(name) for name, _label in error.decisions)
    lines = [f"  {name:<{width}}  {label}" for name, label in error.decisions]
    return (
        "These decisions are open, and no terminal is there to ask:\n"
        + "\n".join(lines)
        + f"\nGive them in a file (--answers FILE{_answers_file_advice(error)}), or use --random."
    )


def _answers_file_advice(error: errors.MissingAnswers) -> str:
    """Return how to get a file with the missing answers; the template covers creation only."""
    if error.creation:
        return "; charforge new --template prints one"
    return f" with the line: answers: {{{error.decisions[0][0]}: …}}"


def _capitalized(text: str) -> str:
    """Return a text with a capital first; a file's name keeps its letters."""
    first = text.partition(" ")[0]
    return text if set("./\\:_-") & set(first) else text[:1].upper() + text[1:]


def _as_sentence(text: str, advice: str = "") -> str:
    """Return a text with a full stop and the advice; a list of lines gets no full stop."""
    text = text.rstrip()
    if text.rpartition("\n")[2].startswith("  ") and "\n" in text:
        return f"{text}\n{advice}".rstrip()
    ended = text if text.endswith((".", "?", "!")) else text + "."
    return f"{ended} {advice}".rstrip()
