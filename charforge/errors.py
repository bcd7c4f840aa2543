"""Everything that can go wrong for a user, as data.

::

    CharforgeError
    ├── FormulaError       a formula that cannot be read or has no value
    ├── PackError          faults in a pack, each with file and line
    ├── UnknownId          a ruleset, entity or value that nobody defines
    ├── DocumentError      a character file that cannot be read
    │   └── MissingPack    a character whose rules are not installed
    ├── AnswersError       an answers file that cannot be read
    │   └── UnusedAnswers  answers that nothing asks for
    ├── AnswerError        an answer that its decision does not allow
    ├── MissingAnswers     decisions left open where nobody can be asked
    ├── ProcedureError     a procedure that is told too little, or something wrong
    ├── RuleRefusal        something that the rules do not allow now
    │   └── Untold         a rule that must be told more, as its own words say
    ├── WriteError         a file that cannot be written
    ├── UsageError         options that do not fit together
    │   └── Several        a name that may mean several things
    └── SheetError         a sheet that cannot be made here

An error carries what was wrong, where, and the nearest right name;
``cli/messages.py`` alone turns it into sentences. ``exit_code`` follows
the contract: 1 is a finding about rules, 2 is unusable input.
"""

from __future__ import annotations

import reprlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

MAX_LISTED = 8  # names that a message may list
LONGEST_NAME = 200  # signs of a name that is compared with others


class CharforgeError(Exception):
    """The root: anything a user can cause and mend. One of another process comes back whole."""

    exit_code = 2

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception would be made again of its words alone.
        return _made_again, (type(self), self.args, self.__dict__)


class FormulaError(CharforgeError):
    """A formula that cannot be read, or that has no value here."""

    exit_code = 1

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"formula {text!r}: {reason}")
        self.text = text
        self.reason = reason


@dataclass(frozen=True, slots=True)
class PackProblem:
    """One mistake in a pack: ``line`` and ``column`` count from 1."""

    file: Path
    line: int
    column: int
    field: str
    message: str
    nearest: str = ""


class PackError(CharforgeError):
    """A pack that cannot be used; all its faults at once."""

    exit_code = 1

    def __init__(self, problems: Iterable[PackProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(f"{len(self.problems)} problem(s) in a pack")


class UnknownId(CharforgeError):
    """A name that nothing defines, with the nearest one that exists.

    ``known`` are all names; where a thing has several, ``listed`` are the
    things, each told once.
    """

    def __init__(
        self, what: str, name: str, known: Iterable[str], listed: Iterable[str] | None = None
    ) -> None:
        super().__init__(f"no {what} named {name!r}")
        names = list(known)
        things = names if listed is None else list(listed)
        self.what = what
        self.name = name
        self.nearest = nearest(name, names)
        self.known = tuple(things) if len(things) <= MAX_LISTED else ()


class DocumentError(CharforgeError):
    """A character file that cannot be read as one; it is left untouched."""

    def __init__(self, path: Path, reason: str, advice: str = "") -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.advice = advice


class MissingPack(DocumentError):
    """A character whose packs are not all installed: each with the version it was made with."""

    def __init__(self, path: Path, packs: Iterable[tuple[str, str]], near: str = "") -> None:
        self.packs = tuple(packs)
        named = " and ".join(f"{name} {version}".strip() for name, version in self.packs)
        did_you_mean = (
            f"Did you mean {near}?" if near else "Install it: charforge catalog add PACK."
        )
        super().__init__(path, f"it is made with {named}, which is not installed", did_you_mean)


class AnswersError(CharforgeError):
    """An answers file with faults, each with its line (0: the whole file)."""

    def __init__(self, path: Path, problems: Iterable[tuple[int, str]]) -> None:
        self.path = path
        self.problems = tuple(problems)
        super().__init__(f"{path}: {len(self.problems)} problem(s)")


class UnusedAnswers(AnswersError):
    """Answers that nothing asks for (or no more): ``(decision, reason)``."""

    def __init__(self, unused: Iterable[tuple[str, str]]) -> None:
        self.unused = tuple(unused)
        super().__init__(Path(), [(0, reason) for _decision, reason in self.unused])


class AnswerError(CharforgeError):
    """Answers that their decisions do not allow: ``(decision, reason)``."""

    exit_code = 1

    def __init__(self, problems: Iterable[tuple[str, str]]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{where}: {why}" for where, why in self.problems))


class MissingAnswers(CharforgeError):
    """Decisions that nobody answered, with their labels, in order.

    ``creation``: those of a character that is being made.
    """

    def __init__(self, decisions: Iterable[tuple[str, str]], creation: bool = False) -> None:
        self.decisions = tuple(decisions)
        self.creation = creation
        super().__init__(f"{len(self.decisions)} decision(s) are open")


class ProcedureError(CharforgeError):
    """A procedure that is told too little, or something wrong: ``(input, reason)``.

    ``missing`` are the inputs that must be given and were not; ``examples``
    words that would do for everything that is missing, by name. ``own`` are
    the inputs that the verb itself takes and was not told.
    """

    def __init__(
        self,
        procedure: str,
        problems: Iterable[tuple[str, str]],
        missing: Iterable[str] = (),
        examples: Mapping[str, str] = MappingProxyType({}),
        own: Iterable[str] = (),
    ) -> None:
        self.procedure = procedure
        self.missing = tuple(missing)
        self.own = tuple(own)
        self.examples = dict(examples)
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{name}: {why}" for name, why in self.problems))


class RuleRefusal(CharforgeError):
    """Something that the rules do not allow now, such as a cost that cannot be paid."""

    exit_code = 1

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


class MissingInput(RuleRefusal):
    """A rule that was not told what it goes by: no finding, but missing input.

    ``ways`` are the inputs of which any would do, ``own`` those that the
    verb itself takes and was not told.
    """

    exit_code = 2

    def __init__(self, reason: str, ways: Iterable[str] = (), own: Iterable[str] = ()) -> None:
        super().__init__(reason)
        self.ways = tuple(ways)
        self.own = tuple(own)


class WriteError(CharforgeError):
    """A file that could not be written; what stood there still stands."""

    def __init__(self, path: Path, reason: str, advice: str = "") -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.advice = advice


class UsageError(CharforgeError):
    """Options that do not fit together, or a value out of range."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


class AmbiguousName(UsageError):
    """A name that may mean several things: each with the words of the command that mean it.

    The first word of each stands in place of the name, the others are options.
    """

    def __init__(self, reason: str, name: str, ways: Iterable[tuple[str, tuple[str, ...]]]) -> None:
        super().__init__(reason)
        self.name = name
        self.ways = tuple(ways)


class SheetError(CharforgeError):
    """A sheet that cannot be made on this machine, and what to install."""

    def __init__(self, reason: str, advice: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


def _made_again(
    kind: type[CharforgeError], words: tuple[object, ...], parts: dict[str, Any]
) -> CharforgeError:
    made = kind.__new__(kind, *words)
    made.__dict__ |= parts
    return made


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the known name most like ``name``, or an empty string.

    Both the whole id and its last part are compared, so that
    ``role/lancer`` and ``lancer`` both find ``role/the-lancer``.
    """
    if len(name) > LONGEST_NAME:
        return ""  # looking for it would take as long as it is
    names = {entry.casefold(): entry for entry in known}
    wanted = name.casefold()
    found = get_close_matches(wanted, names, n=1, cutoff=0.6)
    if found:
        return names[found[0]]
    tails = {folded.rsplit("/", 1)[-1]: entry for folded, entry in names.items()}
    found = get_close_matches(wanted.rsplit("/", 1)[-1], tails, n=1, cutoff=0.6)
    return tails[found[0]] if found else ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return how a message goes on that names the nearest right name; nothing where none is."""
    near = nearest(name, known)
    return f"; did you mean {near}?" if near else ""


def not_one_of(name: str, known: Collection[str]) -> str:
    """Say that a word is none of those that there are, with the nearest."""
    return f"{shorten(name)} is none of {', '.join(known)}{did_you_mean(name, known)}"


class _Short(reprlib.Repr):
    """Spells values as Python does, cut short."""

    def repr_int(self, x: int, level: int) -> str:
        return super().repr_int(x, level) if x.bit_length() < 1000 else "a number of many digits"


def shorten(value: object) -> str:
    """Spell what somebody answered, cut short: a file may hold anything, at any length."""
    return _SHORT.repr(value)


_SHORT = _Short()
_SHORT.maxstring = _SHORT.maxother = 80
_SHORT.maxlevel = 2
