"""The message of each error: what is wrong, where, and what to do."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Sequence
from contextvars import ContextVar
from functools import singledispatch
from pathlib import Path

from charforge import errors

# The file of the session that runs: its messages show commands as lines of the session.
SESSION_FILE: ContextVar[Path | None] = ContextVar("SESSION_FILE", default=None)


@singledispatch
def error_message(error: Exception) -> str:
    """Return the message for an error, without a final line break."""
    return str(error)


def _suggestion(nearest: str) -> str:
    return f" Did you mean {nearest}?" if nearest else ""


@error_message.register
def _(error: errors.UnknownId) -> str:
    message = f"There is no {error.what} named {errors.shorten(error.name)}."
    if error.known and not error.nearest:
        return f"{message} There are: {', '.join(error.known)}."
    return message + (_suggestion(error.nearest) or f" {error.advice}".rstrip())


@error_message.register
def _(_error: errors.Cancelled) -> str:
    return "Cancelled. Nothing has changed."


@error_message.register
def _(error: errors.PackError) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return f"The pack has {errors.counted(len(lines), 'error')}:\n" + "\n".join(lines)


@error_message.register
def _(error: errors.CampaignError) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return f"The campaign file has {errors.counted(len(lines), 'error')}:\n" + "\n".join(lines)


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
    return _as_sentence(f"{error.path} was not saved: {error.reason}", error.advice)


@error_message.register
def _(error: errors.DownloadError) -> str:
    return _as_sentence(f"{error.url}: {error.reason}", error.advice)


@error_message.register(errors.UsageError)
@error_message.register(errors.RuleRefusal)
@error_message.register(errors.SheetError)
def _(error: errors.UsageError | errors.RuleRefusal | errors.SheetError) -> str:
    return _as_sentence(_capitalized(error.reason), error.advice)


@error_message.register
def _(error: errors.MissingInput) -> str:
    ways = " or ".join(_option(name, error.unused_options) for name in error.ways)
    return _as_sentence(_capitalized(error.reason), ways and f"Add {ways}.")


def _option(name: str, options: tuple[str, ...]) -> str:
    """Return the option that gives an input: one of the command's ``options``, or ``--set``."""
    if SESSION_FILE.get() is not None:
        return f"{name}=…"
    return f"--{name}=…" if name in options else f"--set {name}=…"


@error_message.register
def _(error: errors.ProcedureError) -> str:
    lines = [
        _as_sentence(f"  {name}: {why}" if name else f"  {why}") for name, why in error.problems
    ]
    advice = " ".join(_option(name, error.unused_options) for name in error.missing)
    wrong = "missing or invalid" if error.missing else "invalid"
    message = f"{error.procedure}: these inputs are {wrong}:\n" + "\n".join(lines)
    if error.examples:
        more = (f"--set={name}={word}" for name, word in error.examples.items())
        line = command_line([*sys.argv[1:], *more]).replace("--set=", "--set ")
        return f"{message}\nFor example (put in your own numbers):\n  {line}"
    return f"{message}\nAdd {advice}" if advice else message


def command_line(words: Sequence[str]) -> str:
    """Return a command as a shell takes it; in a session, as its line."""
    file = SESSION_FILE.get()
    if file is None:
        return shlex.join(["charforge", *words])
    return shlex.join(word for word in words if word != str(file)).replace("--set=", "")


def about_file(file: Path, text: str) -> str:
    """Return a text about a character file; in the session of that file, without its name."""
    return text if SESSION_FILE.get() == file else f"{file}: {text}"


def session_text(text: str) -> str:
    """Return a message with its commands as lines of the session: without program and file."""
    file = SESSION_FILE.get()
    if file is None:
        return text
    names = "|".join(map(re.escape, {"FILE", str(file), shlex.quote(str(file))}))
    plain = re.sub(rf"\bcharforge (?=[a-z])([\w-]+)(?: (?:{names})(?=[\s.,;)]|$))?", r"\1", text)
    return re.sub(r"\b(Usage: \S+) FILE\b", r"\1", plain).replace("--set ", "")


@error_message.register
def _(error: errors.AmbiguousName) -> str:
    commands = _commands(error)
    if not commands:  # the name comes from a file, or is part of another word
        lines = [f"  {words[0]}  {label}" for label, words in error.ways]
        return "\n".join([f"{error.reason}:", *lines, "Use the first word of a line instead."])
    question = error.reason if error.reason.endswith("?") else f"{error.reason}. Which one?"
    return "\n".join([_capitalized(question), *commands])


@error_message.register
def _(error: errors.RefusedAbility) -> str:
    reason = _as_sentence(_capitalized(error.reason), error.advice)
    return "\n".join([f"{reason} To use another:", *_commands(error)])


def _commands(error: errors.AmbiguousName | errors.RefusedAbility) -> list[str]:
    """Return a line for each thing that a name may mean: its label and the command."""
    typed = sys.argv[1:]
    lines = []
    for label, words in error.ways:
        command = replace_name(typed, error.name, words)
        if command is not None:
            lines.append(f"  {label}: {command_line(command)}")
    return lines


def replace_name(typed: Sequence[str], name: str, words: Sequence[str]) -> list[str] | None:
    """Return typed words with a name, of one word or more, replaced by other words.

    None if the name is not among them; an empty name is added at the end.
    """
    first, *more = words
    if not name:
        return [*typed, first, *more]
    for start in range(1, len(typed)):
        for end in range(start + 1, len(typed) + 1):
            if " ".join(typed[start:end]) == name:
                return [*typed[:start], first, *typed[end:], *more]
    return None


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
    labels = error.labels
    lines = [_as_sentence(f"{labels.get(where, where)}: {why}") for where, why in error.problems]
    return "The rules do not allow this:\n" + "\n".join(lines)


@error_message.register
def _(error: errors.MissingAnswers) -> str:
    width = max(len(name) for name, _label in error.decisions)
    lines = [f"  {name:<{width}}  {label}" for name, label in error.decisions]
    return (
        "These choices are missing, and there is no terminal to ask in:\n"
        + "\n".join(lines)
        + f"\nPut them in a file (--answers FILE{_answers_file_advice(error)}), or use --random."
    )


@error_message.register
def _(error: errors.NoOptionLeft) -> str:
    lines = [_as_sentence(f"  {name}: {why}") for name, why in error.decisions]
    advice = "Choose differently before that, stop at a lower level, or add options in a pack."
    return "\n".join(["Nothing is left to choose here:", *lines, advice])


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
