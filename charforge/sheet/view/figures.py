"""Figures: checks, facts, attributes, resources, what items carry, and dice with symbols."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.template import signed_number, true_minus


class Check(NamedTuple):
    """A roll for a program: ``dice`` such as ``2d6``, to which ``bonus`` is added."""

    dice: str
    bonus: int


class Fact(NamedTuple):
    """A labelled fact of one line: ``Diameter ~3 m``, ``Move 10 m``."""

    label: str
    text: str
    # Whether a list or tracker of the sheet shows it too.
    listed: bool = False
    # What a program rolls for it: a fact that is only dice and a number.
    check: Check | None = None
    # The key of its tracker on a page to play from.
    tracker_key: str = ""
    # The id of the value that it prints.
    value: str = ""


def tracker_key(bearer: str, name: str, about: str = "") -> str:
    """Return the key that a box on the sheet shares with its tracker on a page to play from.

    ``bearer`` is the id of the unit or holding that has the resource, cooldown or condition.
    """
    return ":".join(filter(None, (bearer, name, about)))


def facts_beside(facts: Iterable[Fact], others: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts that ``others`` do not repeat."""
    shown = {(fact.label, fact.text) for fact in others}
    return tuple(fact for fact in facts if (fact.label, fact.text) not in shown)


class Attribute(NamedTuple):
    """A score: ``base`` is lasting, ``total`` is the present one; ``key`` marks important ones.

    ``before`` is printed before the number, as in ``d8``, and ``after`` after
    it: the mark of a score that breaks a rule with permission. ``check`` is the
    roll for it, if the ruleset has one. A ``signed`` number has its sign
    (``+2``); ``modifier`` is printed after it, in brackets. ``full`` is the number of a score
    that play can lower, before it did.
    """

    id: str
    label: str
    name: str
    base: int
    total: int
    key: bool
    before: str = ""
    after: str = ""
    check: Check | None = None
    signed: bool = False
    modifier: str = ""
    full: int | None = None
    # The key of its tracker on a page to play from, if play can lower it.
    tracker_key: str = ""

    @property
    def number(self) -> str:
        """The present number as printed, of its full number if play can lower it: ``9 / 12``."""
        now = self.printed(self.total)
        return now if self.full is None else f"{now} / {self.printed(self.full)}"

    def printed(self, number: int) -> str:
        """Return a number of it as printed, with its sign if it always has one."""
        return signed_number(number) if self.signed else true_minus(str(number))


class SheetVital(NamedTuple):
    """A resource with a box to write in. A ``shared`` one belongs to the unit's owner.

    ``step`` is the name of the present step of its track, if it has one; ``after`` the mark of a
    maximum that breaks a rule with permission.
    """

    id: str
    label: str
    icon: str
    current: int
    max: int | None
    half: int | None
    shared: bool = False
    step: str = ""
    after: str = ""
    # The key of its tracker on a page to play from.
    tracker_key: str = ""

    @property
    def changed(self) -> bool:
        """Whether the present value differs from the maximum."""
        return self.current != (self.max or 0)


class SheetCapacity(NamedTuple):
    """A resource that an item carries: ``pieces`` items with ``max`` each.

    ``used`` is the amount that each piece has used; empty if none has.
    """

    label: str
    max: int
    pieces: int = 1
    used: tuple[int, ...] = ()
    # The keys of the trackers of its pieces on a page to play from.
    tracker_keys: tuple[str, ...] = ()

    @property
    def left(self) -> int:
        """The amount that all pieces have left."""
        return self.max * self.pieces - sum(self.used)

    def split(self, number: int) -> tuple[SheetCapacity, SheetCapacity]:
        """Return the capacity of the first ``number`` pieces, and that of the others."""
        keys = self.tracker_keys
        first = self._replace(pieces=number, used=self.used[:number], tracker_keys=keys[:number])
        rest = self._replace(
            pieces=self.pieces - number, used=self.used[number:], tracker_keys=keys[number:]
        )
        return first, rest


class SheetSymbol(NamedTuple):
    """A symbol on the faces of dice."""

    id: str
    label: str
    icon: str


class SheetDie(NamedTuple):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    faces: tuple[tuple[SheetSymbol, ...], ...]


class SheetPoolDie(NamedTuple):
    """A number of equal dice."""

    id: str
    label: str
    # How it is drawn.
    shape: str
    tone: str
    number: int


class SheetPool(NamedTuple):
    """The dice of a pool; there may be none now."""

    id: str
    label: str
    dice: tuple[SheetPoolDie, ...]
