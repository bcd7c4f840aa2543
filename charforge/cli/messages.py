"""The message of each error: what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import singledispatch
from pathlib import Path
from shlex import quote

from charforge import errors
from charforge.cli.console import SHELL, FrontEnd
from charforge.language import _, with_colon
from charforge.rules import loading


def error_message(error: Exception, front_end: FrontEnd = SHELL) -> str:
    """Return the message for an error, without a final line break.

    Commands in it are written as the front end takes them.
    """
    return _message(error, front_end)


@singledispatch
def _message(error: Exception, _front_end: FrontEnd) -> str:
    return str(error)


def _suggestion(nearest: str) -> str:
    return _(" Did you mean {nearest}?").format(nearest=nearest) if nearest else ""


@_message.register
def _unknown_id(error: errors.UnknownId, front_end: FrontEnd) -> str:
    message = _("There is no {what} named {name}.").format(
        what=error.what, name=errors.shorten(error.name)
    )
    if error.known and not error.nearest:
        return _("{message} There are: {names}.").format(
            message=message, names=", ".join(error.known)
        )
    return message + (_suggestion(error.nearest) or f" {_advice(error, front_end)}".rstrip())


@_message.register
def _formula_error(error: errors.FormulaError, _front_end: FrontEnd) -> str:
    places = [located_message(problem) for problem in loading.loader.formula_problems(error)]
    if not places:
        return _as_sentence(_capitalized(str(error)))
    also = [_("The same formula is also here:"), *(f"  {place}" for place in places[1:])]
    return "\n".join([places[0], *(also if places[1:] else ())])


@_message.register
def _cancelled(_error: errors.Cancelled, _front_end: FrontEnd) -> str:
    return _("Cancelled. Nothing has changed.")


@_message.register
def _pack_error(error: errors.PackError, _front_end: FrontEnd) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return _("The pack has {count}:\n").format(
        count=errors.counted(len(lines), "error", "errors")
    ) + "\n".join(lines)


@_message.register
def _campaign_error(error: errors.CampaignError, _front_end: FrontEnd) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return _("The campaign file has {count}:\n").format(
        count=errors.counted(len(lines), "error", "errors")
    ) + "\n".join(lines)


@_message.register
def _faulty_template(error: errors.FaultyTemplate, _front_end: FrontEnd) -> str:
    lines = [located_message(problem) for problem in error.problems]
    return _("The template has {count}:\n").format(
        count=errors.counted(len(lines), "error", "errors")
    ) + "\n".join(lines)


def located_message(problem: errors.PackProblem, severity: str = "") -> str:
    """Return an error of a pack as one line: place, ``severity``, field, message."""
    field = f" ({problem.field})" if problem.field else ""
    place = f"{problem.file}:{problem.line}:{problem.column}:{severity and f' {severity}:'}{field}"
    return f"{place} {_as_sentence(problem.message)}{_suggestion(problem.nearest)}"


@_message.register
def _document_error(error: errors.DocumentError, front_end: FrontEnd) -> str:
    reason = error.reason if front_end.file != error.path else _capitalized(error.reason)
    return _as_sentence(front_end.about(error.path, reason), error.advice)


@_message.register
def _not_a_character(error: errors.NotACharacter, _front_end: FrontEnd) -> str:
    return (
        _("{path} is not a character file. {advice}")
        .format(path=error.path, advice=error.advice)
        .rstrip()
    )


@_message.register
def _write_error(error: errors.WriteError, _front_end: FrontEnd) -> str:
    return _as_sentence(
        _("{path} was not saved: {reason}").format(path=error.path, reason=error.reason),
        error.advice,
    )


@_message.register
def _download_error(error: errors.DownloadError, _front_end: FrontEnd) -> str:
    return _as_sentence(f"{error.url}: {error.reason}", error.advice)


@_message.register(errors.UsageError)
@_message.register(errors.RuleRefusal)
@_message.register(errors.SheetError)
def _reason_error(error: errors.ReasonError, front_end: FrontEnd) -> str:
    return _as_sentence(_capitalized(error.reason), _advice(error, front_end))


@_message.register
def _wrong_unit(error: errors.WrongUnit, front_end: FrontEnd) -> str:
    if front_end.file is not None:
        command = front_end.command_line(["unit", *([error.unit] if error.unit else ())])
        advice = _("To switch: {command}").format(command=command)
    elif error.unit:
        advice = _("Add --unit {name}.").format(name=quote(error.unit))
    else:
        advice = _("Leave out --unit.")
    return _as_sentence(_capitalized(error.reason), advice)


def _advice(error: errors.ReasonError | errors.UnknownId, front_end: FrontEnd) -> str:
    """Return what to do now, with the command and the usage that the error carries."""
    command = front_end.command_line(error.command)
    advice = error.advice.format(command=command) if error.command else error.advice
    usage = error.usage if isinstance(error, errors.UsageError) else ()
    return f"{advice} {front_end.usage(usage)}".strip() if usage else advice


@_message.register
def _missing_input(error: errors.MissingInput, front_end: FrontEnd) -> str:
    ways = _(" or ").join(f"{name}=…" for name in error.ways)
    if not error.example or not front_end.words:
        advice = ways and _("Add {ways}.").format(ways=ways)
        return _as_sentence(_capitalized(error.reason), advice)
    line = front_end.command_line([*front_end.words, error.example])
    advice = _("Add {ways}, for example: {line}").format(ways=ways, line=line)
    return f"{_as_sentence(_capitalized(error.reason))} {advice}"


@_message.register
def _procedure_error(error: errors.ProcedureError, front_end: FrontEnd) -> str:
    lines = [
        _as_sentence(f"  {name}: {why}" if name else f"  {why}") for name, why in error.problems
    ]
    advice = " ".join(f"{name}=…" for name in error.missing)
    wrong = _("missing or invalid") if error.missing else _("invalid")
    message = _("{procedure}: these inputs are {wrong}:\n").format(
        procedure=error.procedure, wrong=wrong
    ) + "\n".join(lines)
    if error.examples:
        more = (f"{name}={word}" for name, word in error.examples.items())
        line = front_end.command_line([*front_end.words, *more])
        return _("{message}\nFor example (put in your own numbers):\n  {line}").format(
            message=message, line=line
        )
    return (
        _("{message}\nAdd {advice}").format(message=message, advice=advice) if advice else message
    )


@_message.register
def _ambiguous_name(error: errors.AmbiguousName, front_end: FrontEnd) -> str:
    commands = _commands(error, front_end)
    if not commands:  # the name comes from a file, or is part of another word
        lines = [f"  {words[0]}  {label}" for label, words in error.ways]
        return "\n".join([f"{error.reason}:", *lines, _("Use the first word of a line instead.")])
    question = error.reason if error.asks else _("{reason}. Which one?").format(reason=error.reason)
    return "\n".join([_capitalized(question), *commands])


@_message.register
def _refused_ability(error: errors.RefusedAbility, front_end: FrontEnd) -> str:
    reason = _reason_error(error, front_end)
    lines: list[str] = []
    for label, words, not_taken in error.ways:
        typed = without_inputs(front_end.words, not_taken)
        with_number = (f"{error.name} {word}" for word in not_taken.values())  # such as pistol 8
        names = (name for name in (*with_number, error.name) if replace_name(typed, name, words))
        lines += _command(next(names, error.name), label, words, typed, front_end)
    return "\n".join([_("{reason} To use another:").format(reason=reason), *lines])


def _commands(error: errors.AmbiguousName, front_end: FrontEnd) -> list[str]:
    """Return a line for each thing that a name may mean: its label and the command."""
    return [
        line
        for label, words in error.ways
        for line in _command(error.name, label, words, front_end.words, front_end)
    ]


def _command(
    name: str, label: str, words: Sequence[str], typed: Sequence[str], front_end: FrontEnd
) -> Iterator[str]:
    """Yield a line with a label and the command typed, the name replaced by other words."""
    command = replace_name(typed, name, words)
    if command is not None:
        yield f"  {label}: {front_end.command_line(command)}"


def without_inputs(typed: Sequence[str], names: Collection[str]) -> list[str]:
    """Return typed words without these inputs, whichever way they were given."""
    kept: list[str] = []
    for word in _without_options(typed, [f"--{name}" for name in names]):
        if word.removeprefix("--set=").partition("=")[0] not in names:
            kept.append(word)
        elif kept and kept[-1] == "--set":
            kept.pop()
    return kept


def replace_name(typed: Sequence[str], name: str, words: Sequence[str]) -> list[str] | None:
    """Return typed words with a name, of one word or more, replaced by other words.

    None if the name is not among them; an empty name is added at the end.
    Options among the other words replace those typed.
    """
    first, *more = words
    if not name:
        return [*typed, first, *more]
    for start in range(1, len(typed)):
        for end in range(start + 1, len(typed) + 1):
            if " ".join(typed[start:end]) == name:
                options = [word for word in more if word.startswith("--")]
                before, after = typed[:start], typed[end:]
                kept = (_without_options(part, options) for part in (before, after))
                return [*next(kept), first, *next(kept), *more]
    return None


def _without_options(typed: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return typed words without these options and their values."""
    kept: list[str] = []
    skip = False
    for word in typed:
        named = word.partition("=")[0] in options
        if not named and not skip:
            kept.append(word)
        skip = named and "=" not in word
    return kept


@_message.register
def _answers_error(error: errors.AnswersError, _front_end: FrontEnd) -> str:
    name = "" if error.path == Path() else f"{error.path}"
    lines = []
    for line, reason in error.problems:
        place = f"{name}:{line}: " if name and line else f"{name}: " if name else ""
        lines.append(_as_sentence(f"{place}{reason}" if place else _capitalized(reason)))
    return "\n".join(lines)


@_message.register
def _answer_error(error: errors.AnswerError, _front_end: FrontEnd) -> str:
    labels = (error.labels.get(where, where) for where, _why in error.problems)
    starts = (f"{with_colon(label)} " if label else "" for label in labels)
    reasons = (why for _where, why in error.problems)
    lines = [_as_sentence(start + why) for start, why in zip(starts, reasons, strict=True)]
    return _("The rules do not allow this:\n") + "\n".join(lines)


@_message.register
def _missing_answers(error: errors.MissingAnswers, _front_end: FrontEnd) -> str:
    width = max(len(name) for name, _label in error.decisions)
    lines = [f"  {name:<{width}}  {label}" for name, label in error.decisions]
    return (
        _("These choices are missing, and there is no terminal to ask in:\n")
        + "\n".join(lines)
        + _("\nPut them in a file (--answers FILE{answers_file_advice}), or use --random.").format(
            answers_file_advice=_answers_file_advice(error)
        )
    )


@_message.register
def _no_option_left(error: errors.NoOptionLeft, _front_end: FrontEnd) -> str:
    lines = [_as_sentence(f"  {name}: {why}") for name, why in error.decisions]
    advice = _("Choose differently before that, stop at a lower level, or add options in a pack.")
    return "\n".join([_("Nothing is left to choose here:"), *lines, advice])


def _answers_file_advice(error: errors.MissingAnswers) -> str:
    """Return how to get a file with the missing answers; the template covers creation only."""
    if error.creation:
        return _("; charforge new --questions prints one")
    return _(" with the line: answers: {{{decisions}: …}}").format(decisions=error.decisions[0][0])


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
