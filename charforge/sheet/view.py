"""The view: everything that a sheet shows, computed, with no rules left to apply.

The printed sheet, the page on a screen, the terminal and the exports all read it. Every field is
a text or a number; a template only arranges them. An empty text or tuple means that there is
nothing to show.

First the parts that describe what a unit is, has and can do, then dice, tracks, lists and
tables, at the end the whole sheet. They are named tuples, because Python creates such a class
four times as fast as a frozen dataclass, and every sheet needs all of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.markup import Prose


class Fact(NamedTuple):
    """A labelled fact of one line: ``Diameter ~3 m``, ``Move 10 m``.

    A ``listed`` fact is also in a list or among the trackers of the sheet.
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


class SheetVital(NamedTuple):
    """A resource with a box to write in. A ``shared`` one belongs to the unit's owner.

    ``step`` names the present step of its track, if it has one.
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
        """Whether the present value differs from the maximum."""
        return self.current != (self.max or 0)


class SheetCapacity(NamedTuple):
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

    def shared(self, number: int) -> tuple[SheetCapacity, SheetCapacity]:
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


class SheetAction(NamedTuple):
    """An action: its ``timing`` with the label, and the requirements that are ``unmet``."""

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
    capacities: tuple[SheetCapacity, ...]
    unmet: tuple[str, ...]


class AttackRules(NamedTuple):
    """How attacks are rolled, for the head of their table."""

    dice: str
    note: str


class Card(NamedTuple):
    """A holding that is shown with its text and actions.

    ``subtitle`` are short facts, ``text`` is what always holds, ``timing``
    that of the first action (empty when there is none).
    """

    id: str
    name: str
    subtitle: tuple[str, ...]
    timing: str
    label: str
    text: Prose
    actions: tuple[SheetAction, ...]
    capacities: tuple[SheetCapacity, ...]


class Item(NamedTuple):
    """A piece of equipment, equal ones together; ``label`` is its heading.

    It is ``listed`` if a list of the sheet shows it.
    """

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: Prose
    capacities: tuple[SheetCapacity, ...]
    actions: tuple[SheetAction, ...]
    label: str = ""
    listed: bool = False


def items_by_label(items: Iterable[Item]) -> tuple[tuple[str, tuple[Item, ...]], ...]:
    """Return items under their labels, those that no list shows first."""
    found: dict[str, list[Item]] = {}
    for item in sorted(items, key=lambda item: item.listed):
        found.setdefault(item.label, []).append(item)
    return tuple((label, tuple(under)) for label, under in found.items())


class Entry(NamedTuple):
    """A rules term with its explanation and the actions that belong to it."""

    id: str
    name: str
    text: Prose
    actions: tuple[SheetAction, ...] = ()


class SheetSymbol(NamedTuple):
    """A symbol that dice show; ``icon`` draws it."""

    id: str
    label: str
    icon: str


class SheetDie(NamedTuple):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    shape: str
    tone: str
    faces: tuple[tuple[SheetSymbol, ...], ...]


class SheetPoolDie(NamedTuple):
    """So many of a die: ``shape`` and ``tone`` draw it."""

    id: str
    label: str
    shape: str
    tone: str
    number: int


class SheetPool(NamedTuple):
    """Dice for something; there may be none now."""

    id: str
    label: str
    dice: tuple[SheetPoolDie, ...]


class SheetTrackStep(NamedTuple):
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: str
    text: Prose
    here: bool


class SheetTrack(NamedTuple):
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: str
    current: int
    steps: tuple[SheetTrackStep, ...]


class Tracker(NamedTuple):
    """A resource to keep count of on paper, under the heading ``over``.

    It goes from ``low`` to ``high`` in boxes, of which those up to
    ``current`` are filled; None where there is only room to write. On one
    with ``steps`` the figures have names.
    """

    id: str
    over: str
    label: str
    note: str
    current: int
    low: int = 0
    high: int | None = None
    steps: tuple[SheetTrackStep, ...] = ()


class Cell(NamedTuple):
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[SheetPoolDie, ...] = ()


class ListRow(NamedTuple):
    """A line of a list; ``note`` says more about it."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""


class ViewList(NamedTuple):
    """A compact list: ``columns`` head the cells of its rows, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0


class SheetChartRow(NamedTuple):
    """A row of a chart: what heads it, then a cell a column."""

    heading: str
    cells: tuple[str, ...]


class SheetChart(NamedTuple):
    """A table of the book; ``key`` heads the first column, that of the rows' headings."""

    id: str
    label: str
    text: Prose
    key: str
    columns: tuple[str, ...]
    rows: tuple[SheetChartRow, ...]
    source: str = ""


class OddsRow(NamedTuple):
    """One thing with its figures, column by column; ``note`` says why it has none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class OddsTable(NamedTuple):
    """A table of odds: ``over`` is what the columns are, ``shown`` what a cell holds."""

    label: str
    text: str
    over: str
    columns: tuple[str, ...]
    shown: tuple[str, ...]
    rows: tuple[OddsRow, ...]


class Headline(NamedTuple):
    """An entity that describes the character, such as its role."""

    kind: str
    name: str
    summary: str
    facts: tuple[Fact, ...]
    text: Prose


class ActiveCondition(NamedTuple):
    """A present condition of a unit, in words; ``id`` is that of its entity."""

    id: str
    text: str


class UnitPanel(NamedTuple):
    """A companion or a vehicle; ``empty_slots`` are those still to be filled.

    ``kind`` says what it is as well where its name is one it was given.
    """

    id: str
    name: str
    kind: str
    level: int
    facts: tuple[Fact, ...]
    text: Prose
    attributes: tuple[Attribute, ...]
    vitals: tuple[SheetVital, ...]
    figures: tuple[Fact, ...]
    attacks: tuple[AttackLine, ...]
    cards: tuple[Card, ...]
    empty_slots: int
    pools: tuple[SheetPool, ...] = ()
    tracks: tuple[SheetTrack, ...] = ()
    trackers: tuple[Tracker, ...] = ()
    under: tuple[ActiveCondition, ...] = ()


class StoryAnswer(NamedTuple):
    """One answer of the story: an entity's name and text, or one's own words."""

    name: str
    text: Prose


class StoryPart(NamedTuple):
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: str
    label: str
    form: str
    told: tuple[StoryAnswer, ...]


class SheetView(NamedTuple):
    """A whole sheet.

    ``problems`` mark a character that the rules do not allow, ``allowed``
    what breaks them with somebody's leave; ``levels`` is the highest level
    there is, 1 in a game without them; ``empty_slots`` are those still to be
    filled. ``dice`` are those with symbols, which explain the ``pools``.
    ``lists`` and ``trackers`` show again what others hold, for a sheet;
    ``plate`` are lines to write on. It ``carries`` where there is equipment
    of kinds that no list shows. ``packs`` are those beside the ruleset. The
    ``conditions`` have boxes; the character is ``under`` these and others.
    """

    name: str
    ruleset: str
    level_label: str
    level: int
    levels: int
    headline: tuple[Headline, ...]
    accent: str
    attributes_label: str
    attributes: tuple[Attribute, ...]
    vitals: tuple[SheetVital, ...]
    figures: tuple[Fact, ...]
    stores: tuple[Fact, ...]
    attack_rules: AttackRules | None
    attacks: tuple[AttackLine, ...]
    cards_label: str
    cards: tuple[Card, ...]
    items_label: str
    items: tuple[Item, ...]
    units: tuple[UnitPanel, ...]
    training_label: str
    training: tuple[Entry, ...]
    story: tuple[StoryPart, ...]
    conditions: tuple[Entry, ...]
    actions_label: str
    actions: tuple[Entry, ...]
    reference: tuple[Entry, ...]
    table_rules: tuple[Fact, ...]
    problems: tuple[str, ...]
    allowed: tuple[Fact, ...] = ()
    empty_slots: int = 0
    pools: tuple[SheetPool, ...] = ()
    dice: tuple[SheetDie, ...] = ()
    tracks: tuple[SheetTrack, ...] = ()
    charts: tuple[SheetChart, ...] = ()
    trackers: tuple[Tracker, ...] = ()
    lists: tuple[ViewList, ...] = ()
    plate: tuple[str, ...] = ()
    odds: tuple[OddsTable, ...] = ()
    carries: bool = True
    packs: tuple[str, ...] = ()
    under: tuple[ActiveCondition, ...] = ()

    @property
    def held(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """All equipment, under the label of each sort."""
        return items_by_label(self.items)

    @property
    def carried(self) -> tuple[Item, ...]:
        """The equipment that no list shows."""
        return tuple(item for item in self.items if not item.listed)

    @property
    def strip(self) -> tuple[Fact, ...]:
        """The figures that no list shows."""
        return tuple(fact for fact in self.figures if not fact.listed)

    @property
    def ticked(self) -> frozenset[str]:
        """The ids of all conditions that the character is under."""
        return frozenset(one.id for one in self.under)

    @property
    def unboxed(self) -> tuple[ActiveCondition, ...]:
        """The conditions that the character is under and that have no box of their own."""
        boxed = {one.id for one in self.conditions}
        return tuple(one for one in self.under if one.id not in boxed)

    @property
    def kept(self) -> tuple[Fact, ...]:
        """The stores that no tracker shows."""
        return tuple(fact for fact in self.stores if not fact.listed)

    @property
    def panelled(self) -> bool:
        """Whether there are dice, tracks, lists or charts, here or of a unit."""
        own = (self.pools, self.dice, self.tracks, self.charts, self.trackers, self.lists)
        return any(own) or any(unit.pools or unit.tracks or unit.trackers for unit in self.units)
