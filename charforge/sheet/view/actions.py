"""What one is and has, and what one can do with it, as a sheet shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.markup import Prose


class Fact(NamedTuple):
    """Something said in one line: ``Diameter ~3 m``, ``Move 10 m``.

    What is ``listed`` stands in a list or among the trackers of a sheet.
    """

    label: str
    text: str
    listed: bool = False


class Attribute(NamedTuple):
    """A score: ``base`` lasts, ``total`` holds now; ``key`` marks the important ones.

    ``before`` stands before either, as in ``d8``.
    """

    id: str
    label: str
    name: str
    base: int
    total: int
    key: bool
    before: str = ""


class Vital(NamedTuple):
    """A resource with room to write. ``shared`` says whose it is, if not one's own.

    ``step`` names where it stands, if a track goes by it.
    """

    id: str
    label: str
    icon: str
    current: int
    max: int | None
    half: int | None
    shared: bool = False
    step: str = ""

    @property
    def changed(self) -> bool:
        """Whether there is a figure to begin with other than the maximum."""
        return self.current != (self.max or 0)


class Capacity(NamedTuple):
    """A resource that an item carries: ``pieces`` items with ``max`` each.

    ``used`` says how many of each piece are used now; empty where none are.
    """

    label: str
    max: int
    pieces: int = 1
    used: tuple[int, ...] = ()

    @property
    def left(self) -> int:
        """How many are left of all of them."""
        return self.max * self.pieces - sum(self.used)

    def shared(self, number: int) -> tuple[Capacity, Capacity]:
        """Return it for the first pieces, so many of them, and for the others."""
        first = self._replace(pieces=number, used=self.used[:number])
        return first, self._replace(pieces=self.pieces - number, used=self.used[number:])


class Chip(NamedTuple):
    """A short condition of an action; ``kind`` is cost, cooldown or limit.

    ``box`` asks for a box to tick when it is used up; ``ticked`` is one
    that is so now.
    """

    kind: str
    text: str
    box: bool = False
    ticked: bool = False


class Action(NamedTuple):
    """Something that can be done: ``timing`` and its label, and why it cannot be yet."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    trigger: Prose
    who: str
    text: Prose
    unmet: tuple[str, ...]


class AttackLine(NamedTuple):
    """One attack of one bearer; ``again`` when the line above is of the same one.

    ``roll`` is the whole bonus, ``made_of`` says how it comes about;
    ``unmet`` are reasons why it cannot be used without more.
    """

    bearer: str
    mode: str
    again: bool
    notes: tuple[str, ...]
    range: str
    roll: str
    versus: str
    made_of: str
    damage: str
    types: str
    extras: tuple[str, ...]
    text: Prose
    capacities: tuple[Capacity, ...]
    unmet: tuple[str, ...]


class AttackRules(NamedTuple):
    """How attacks are rolled, for the head of their table."""

    dice: str
    note: str


class Card(NamedTuple):
    """Something held that is shown with its text and actions.

    ``subtitle`` are short facts, ``text`` is what always holds, ``timing``
    that of the first action (empty when there is none).
    """

    id: str
    name: str
    subtitle: tuple[str, ...]
    timing: str
    label: str
    text: Prose
    actions: tuple[Action, ...]
    capacities: tuple[Capacity, ...]


class Item(NamedTuple):
    """A piece of equipment, equal ones together; ``label`` is what it stands under.

    It is ``listed`` where a list of the sheet has it.
    """

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: Prose
    capacities: tuple[Capacity, ...]
    actions: tuple[Action, ...]
    label: str = ""
    listed: bool = False


def labelled(items: Iterable[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    """Return items under their labels, those that no list shows first."""
    found: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.listed):
        found.setdefault(item.label, []).append(item)
    return tuple((label, tuple(under)) for label, under in found.items())


class Entry(NamedTuple):
    """A word explained, with the actions that belong to it."""

    id: str
    name: str
    text: Prose
    actions: tuple[Action, ...] = ()
