"""Errors that a user can cause and fix, as data.

::

    CharforgeError
    ├── FormulaError       a formula that cannot be read or has no value
    ├── PackError          problems in a pack, each with file and line
    │   ├── CampaignError  problems in a campaign file
    │   └── FaultyTemplate problems in a template of the user
    ├── UnknownId          a ruleset, entity or value that does not exist
    ├── AnswersError       an answers file that cannot be read
    │   └── UnusedAnswers  answers without a decision
    ├── AnswerError        an answer that its decision does not allow
    ├── MissingAnswers     decisions without an answer, and nobody to ask
    ├── NoOptionLeft       decisions of which the rules close every option
    ├── ProcedureError     missing or invalid inputs of a procedure
    ├── Cancelled          a question that the player did not answer
    ├── FileError          (one file: its path, a reason and advice)
    │   ├── DocumentError  a character file that cannot be read
    │   │   ├── NotACharacter  a file of another kind
    │   │   └── MissingPack    a character whose rules are not installed
    │   └── WriteError     a file that cannot be written
    │       └── ChangedMeanwhile  a file that another program changed
    └── ReasonError        (a reason and advice)
        ├── RuleRefusal    something that the rules do not allow now
        │   ├── MissingInput   a rule that needs another input
        │   └── RefusedAbility an ability that cannot be used; others can be meant
        ├── UsageError     options that do not fit together
        │   └── AmbiguousName  a name that matches several things
        ├── UnreadableField  a field of a filled-in sheet that says nothing
        ├── DownloadError  something that cannot be downloaded
        └── SheetError     a sheet that cannot be created here

An error has data on what was wrong, where, and the nearest valid name; only
``cli/messages.py`` turns it into sentences. ``exit_code`` is 1 for a finding
about the rules (an illegal answer, an invalid pack), 2 for unusable input.
"""

from __future__ import annotations

import errno
import re
import reprlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nlargest
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.language import _, in_quotes, ngettext
from charforge.limits import MAX_LISTED

LONGEST_COMPARED = 200  # characters of a name that is compared with others
WORD = re.compile(r"[^\W_]+")
SIMILAR = 0.7  # of 1: how much a name must resemble another to be suggested
SHORT_NAME, SIMILAR_SHORT = 3, 0.65  # of three letters, two swapped ones are a third
FILE = "FILE"  # in the words of a command: the file of the character
MOST_COMPARED = 500  # names that one is compared with, those that begin and end most like it


def os_reason(error: OSError) -> str:
    """Return why the system could not read or write a file, in words."""
    known: dict[int | None, str] = {
        errno.ENOSPC: _("the disk is full"),
        errno.EROFS: _("the disk is read-only"),
    }
    return known.get(error.errno) or error.strerror or str(error)


class CharforgeError(Exception):
    """The base class of errors that a user can cause and fix; pickling keeps all its data."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        # By default only ``args`` would be passed to a constructor that needs more.
        return _unpickled, (type(self), self.args, self.__dict__)


class FormulaError(CharforgeError):
    """A formula that cannot be read or evaluated.

    ``written`` is the text in the files of a pack that it is a part of, or was made from; ``rule``
    is the label of the rule that was run, empty without one.
    """

    exit_code = 1

    def __init__(self, text: str, reason: str, written: str = "", rule: str = "") -> None:
        why = _("formula {text}: {reason}").format(text=shorten(text), reason=reason)
        super().__init__(f"{rule}: {why}" if rule else why)
        self.text = text
        self.reason = reason
        self.written = written or text
        self.rule = rule


@dataclass(frozen=True, slots=True)
class PackProblem:
    """One mistake in a pack: ``line`` and ``column`` count from 1."""

    file: Path
    line: int
    column: int
    field: str
    message: str
    nearest: str = ""


class UntranslatedText(PackProblem):
    """A text that a language file lacks; ``field`` is its path. Many are shown as one warning."""


class PackFindings(NamedTuple):
    """The findings of a check of a pack: errors, which make it unusable, and likely mistakes."""

    errors: Sequence[PackProblem] = ()
    warnings: Sequence[PackProblem] = ()


class PackError(CharforgeError):
    """A pack that cannot be used, with all its problems."""

    exit_code = 1

    def __init__(self, problems: Iterable[PackProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(_("{count} problem(s) in a pack").format(count=len(self.problems)))

    @classmethod
    def at(cls, file: Path, message: str, line: int = 1, column: int = 1) -> PackError:
        """Return the error of one problem of a file."""
        return cls([PackProblem(file, line, column, "", message)])


class CampaignError(PackError):
    """A campaign file that cannot be used, with all its problems."""

    exit_code = 2


class FaultyTemplate(PackError):
    """A template of the user that cannot be used, with all its problems."""

    exit_code = 2


class UnknownId(CharforgeError):
    """A name that does not exist, with the nearest one that does.

    ``valid_names`` are all names. If a thing can have several names, or only some are
    to be listed, ``listed`` has those. ``advice``, with its ``command`` as in a
    ReasonError, is given if no name is like it.
    """

    def __init__(
        self,
        what: str,
        name: str,
        valid_names: Iterable[str],
        listed: Iterable[str] | None = None,
        advice: str = "",
        command: Iterable[str] = (),
    ) -> None:
        super().__init__(_("no {what} named {name}").format(what=what, name=shorten(name)))
        names = list(valid_names)
        things = names if listed is None else list(listed)
        self.what = what
        self.name = name
        self.nearest = nearest(name, names)
        self.known = tuple(things) if len(things) <= MAX_LISTED else ()
        self.advice = advice
        self.command = tuple(command)


class ReasonError(CharforgeError):
    """An error with a reason in words, and advice on what to do now.

    ``{command}`` in the advice stands for the words of the ``command``.
    """

    def __init__(self, reason: str, advice: str = "", command: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice
        self.command = tuple(command)


class FileError(CharforgeError):
    """An error of one file, with a reason in words, and advice on what to do now."""

    def __init__(self, path: Path, reason: str, advice: str = "") -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.advice = advice


class DocumentError(FileError):
    """A character file that cannot be read; it is left unchanged."""


class NotACharacter(DocumentError):
    """A file of another kind, given as a character."""

    def __init__(self, path: Path, advice: str = "") -> None:
        super().__init__(path, _("this is not a character file"), advice)


class MissingPack(DocumentError):
    """A character whose packs are not all installed.

    ``packs`` are the missing ones: ``(id, version the character was made with)``.
    """

    def __init__(self, path: Path, packs: Iterable[tuple[str, str]], near: str = "") -> None:
        self.packs = tuple(packs)
        named = _(" and ").join(f"{name} {version}".strip() for name, version in self.packs)
        install = _(
            "Install it: charforge catalog add PACK. Whoever has it can send the character with "
            "its packs: charforge export FILE --bundle."
        )
        advice = _("Did you mean {near}?").format(near=near) if near else install
        super().__init__(
            path, _("it needs {named}, which is not installed").format(named=named), advice
        )


class AnswersError(CharforgeError):
    """An answers file with problems, each with its line (0: the whole file)."""

    def __init__(self, path: Path, problems: Iterable[tuple[int, str]]) -> None:
        self.path = path
        self.problems = tuple(problems)
        super().__init__(
            _("{path}: {count} problem(s)").format(path=path, count=len(self.problems))
        )


class UnusedAnswers(AnswersError):
    """Answers without a decision (any more): ``(decision, reason)``."""

    def __init__(self, unused: Iterable[tuple[str, str]]) -> None:
        self.unused = tuple(unused)
        super().__init__(Path(), [(0, reason) for _decision, reason in self.unused])


class AnswerError(CharforgeError):
    """Answers that their decisions do not allow: ``(decision, reason)``.

    ``labels`` are the short names of the decisions.
    """

    exit_code = 1

    def __init__(
        self, problems: Iterable[tuple[str, str]], labels: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.problems = tuple(problems)
        self.labels = dict(labels)
        super().__init__("; ".join(f"{where}: {why}" for where, why in self.problems))


class MissingAnswers(CharforgeError):
    """Decisions without an answer, with their labels, in order.

    ``creation`` is true for a new character.
    """

    def __init__(self, decisions: Iterable[tuple[str, str]], creation: bool = False) -> None:
        self.decisions = tuple(decisions)
        self.creation = creation
        super().__init__(_("{count} choice(s) are missing").format(count=len(self.decisions)))


class NoOptionLeft(CharforgeError):
    """Decisions of which every option is closed: the short name, and why each option is."""

    exit_code = 1

    def __init__(self, decisions: Iterable[tuple[str, str]]) -> None:
        self.decisions = tuple(decisions)
        super().__init__("; ".join(f"{name}: {why}" for name, why in self.decisions))


class ProcedureError(CharforgeError):
    """Missing or invalid inputs of a procedure: ``(input, reason)``.

    ``missing`` are the required inputs without a value; ``examples`` are
    valid values for them, by name.
    """

    def __init__(
        self,
        procedure: str,
        problems: Iterable[tuple[str, str]],
        missing: Iterable[str] = (),
        examples: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.procedure = procedure
        self.missing = tuple(missing)
        self.examples = dict(examples)
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{name}: {why}" for name, why in self.problems))


class Cancelled(CharforgeError):
    """A question that the player left without an answer; ``line`` is what they typed instead."""

    exit_code = 130

    def __init__(self, line: str = "") -> None:
        super().__init__(_("cancelled: nothing has changed"))
        self.line = line


class RuleRefusal(ReasonError):
    """Something that the rules do not allow now, such as a cost that cannot be paid."""

    exit_code = 1


class UnreadableField(ReasonError):
    """A field of a filled-in sheet that says nothing that a character can take."""

    exit_code = 1


class MissingInput(RuleRefusal):
    """A rule that needs another input, which is a usage error and not a refusal.

    ``ways`` are the inputs of which any one is enough, ``example`` is one of them as it is typed.
    """

    exit_code = 2

    def __init__(self, reason: str, ways: Iterable[str] = (), example: str = "") -> None:
        super().__init__(reason)
        self.ways = tuple(ways)
        self.example = example


class RefusedAbility(RuleRefusal):
    """The refusal of an ability that was named without ``--action``.

    ``ways`` are the other abilities of its source that can be used instead, as those of
    AmbiguousName, each with the inputs and options typed that it does not take, by name.
    """

    def __init__(
        self,
        reason: str,
        advice: str,
        name: str,
        ways: Iterable[tuple[str, tuple[str, ...], Mapping[str, str]]],
        command: Iterable[str] = (),
    ) -> None:
        super().__init__(reason, advice, command)
        self.name = name
        self.ways = tuple(ways)


class WriteError(FileError):
    """A file that could not be written; the existing file is unchanged."""


class ChangedMeanwhile(WriteError):
    """A file that another program changed since it was read."""


class UsageError(ReasonError):
    """Options that do not fit together, or a value out of range.

    ``usage`` are the words of the command and of what it takes, if they help.
    """

    def __init__(
        self, reason: str, advice: str = "", command: Iterable[str] = (), usage: Iterable[str] = ()
    ) -> None:
        super().__init__(reason, advice, command)
        self.usage = tuple(usage)


class AmbiguousName(UsageError):
    """A name that matches several things: for each, its label and the words to type for it.

    The first word replaces the name, the others are options. An empty name
    means that none was typed; ``asks`` that the reason is a question itself.
    """

    def __init__(
        self,
        reason: str,
        name: str,
        ways: Iterable[tuple[str, tuple[str, ...]]],
        asks: bool = False,
    ) -> None:
        super().__init__(reason)
        self.name = name
        self.ways = tuple(ways)
        self.asks = asks


class WrongUnit(UsageError):
    """Something that another unit has or does, not the selected one.

    ``unit`` is its name in a command, empty for the character. How to select it depends on the
    front end.
    """

    def __init__(self, reason: str, unit: str) -> None:
        super().__init__(reason)
        self.unit = unit


class DownloadError(ReasonError):
    """Something that cannot be downloaded from ``url``."""

    def __init__(self, url: str, reason: str, advice: str = "") -> None:
        super().__init__(reason, advice)
        self.url = url


class SheetError(ReasonError):
    """A sheet that cannot be created on this machine, with advice on what to install."""


class MissingLibraryError(SheetError):
    """A system library that PDFs need is not installed."""


def _unpickled(
    kind: type[CharforgeError], arguments: tuple[object, ...], attributes: dict[str, Any]
) -> CharforgeError:
    """Return an error with all its data, without calling its constructor."""
    error = kind.__new__(kind, *arguments)
    error.__dict__ |= attributes
    return error


def nearest(name: str, valid_names: Iterable[str]) -> str:
    """Return the valid name most like ``name``, or an empty string.

    Both the whole id and its last part are compared, so that
    ``role/lancer`` and ``lancer`` both find ``role/the-lancer``.
    """
    if len(name) > LONGEST_COMPARED:
        return ""  # the search would take too long
    names = {entry.casefold(): entry for entry in valid_names}
    folded_name = name.casefold()
    if len(names) > MOST_COMPARED:

        def likeness(other: str) -> int:
            ends = _shared_start(folded_name[::-1], other[::-1])
            return _shared_start(folded_name, other) + ends

        names = {other: names[other] for other in nlargest(MOST_COMPARED, names, key=likeness)}
    if near := _closest(folded_name, names):
        return names[near]
    last_parts = {folded.rsplit("/", 1)[-1]: entry for folded, entry in names.items()}
    near = _closest(folded_name.rsplit("/", 1)[-1], last_parts)
    return last_parts[near] if near else ""


def _closest(name: str, names: Iterable[str]) -> str:
    """Return the most similar name, or one that begins or ends with something similar.

    Nothing is returned if none is close: a wrong suggestion is worse than none.
    """
    known = list(names)
    number = len(WORD.findall(name))
    parts = {part: other for other in reversed(known) for part in _ends(other, number)}
    cutoff = SIMILAR_SHORT if len(name) == SHORT_NAME else SIMILAR
    for candidates in ({other: other for other in known}, parts):
        if matches := get_close_matches(name, candidates, n=1, cutoff=cutoff):
            return candidates[matches[0]]
    return ""


def _ends(text: str, number: int) -> tuple[str, ...]:
    """Return the first and the last words of a text; nothing if it has no more words."""
    words = WORD.findall(text)
    if not 0 < number < len(words):
        return ()
    return " ".join(words[:number]), " ".join(words[-number:])


def _shared_start(one: str, other: str) -> int:
    """Return how many characters two texts have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def did_you_mean(name: str, valid_names: Iterable[str]) -> str:
    """Return ``; did you mean NAME?`` with the nearest name, or an empty string."""
    near = nearest(name, valid_names)
    return _("; did you mean {near}?").format(near=near) if near else ""


def not_one_of(name: str, valid_names: Collection[str], others: Iterable[str] = ()) -> str:
    """Return the message that a word is not one of the valid ones, with the nearest.

    ``others`` are accepted as well, but not listed.
    """
    return _("{name} is not one of {names}{did_you_mean}").format(
        name=shorten(name),
        names=", ".join(valid_names),
        did_you_mean=did_you_mean(name, (*valid_names, *others)),
    )


def not_between(number: object, low: int, high: int) -> str:
    """Return the message that a number is out of its bounds."""
    if low == high:
        return _("it can only be {low}, not {number}").format(low=low, number=shorten(number))
    return _("{number} is not between {low} and {high}").format(
        number=shorten(number), low=low, high=high
    )


class _Short(reprlib.Repr):
    """``repr`` with limits on length, and with the quotes of the language around text."""

    def repr1(self, x: Any, level: int) -> str:
        if x is None:
            return _("an empty value")
        if isinstance(x, str):  # also one of a subclass
            return self.repr_str(x, level)
        return str(x).lower() if isinstance(x, bool) else super().repr1(x, level)

    def repr_str(self, x: str, level: int) -> str:
        text = super().repr_str(x, level)
        return text if text.startswith("'") and '"' in text else in_quotes(text[1:-1])

    def repr_int(self, x: int, level: int) -> str:
        return super().repr_int(x, level) if x.bit_length() < 1000 else _("a very long number")


def counted(number: int, singular: str, plural: str) -> str:
    """Return a number with its noun: ``1 problem``, ``3 problems``."""
    return f"{number} {ngettext(singular, plural, number)}"


def shorten(value: object) -> str:
    """Return a value as messages show it: text in double quotes, anything long cut short."""
    return _SHORT.repr(value)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlevel = 2


def sentence(reasons: Sequence[str]) -> str:
    """Return reasons as one sentence; empty without reasons."""
    joined = "; ".join(filter(None, reasons)).rstrip(".")
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""
