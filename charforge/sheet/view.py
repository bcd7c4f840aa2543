"""What a sheet shows, resolved, with no rules left to apply.

The same view serves the printed sheet, the page on a screen and the
terminal. Everything is text or a number; a template only arranges it.
Empty texts and tuples mean that there is nothing to show.
"""

from __future__ import annotations

from dataclasses import dataclass

from charforge.prose import Prose


@dataclass(frozen=True, slots=True)
class Fact:
    """Something said in one line: ``Diameter ~3 m``, ``Move 10 m``.

    What is ``listed`` stands in a list or among the trackers of a sheet.
    """

    label: str
    text: str
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Headline:
    """What the character is above all, such as its role."""

    kind: str
    name: str
    summary: str
    facts: tuple[Fact, ...]
    text: Prose


@dataclass(frozen=True, slots=True)
class Attribute:
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


@dataclass(frozen=True, slots=True)
class Vital:
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


@dataclass(frozen=True, slots=True)
class Capacity:
    """A resource that an item carries: ``pieces`` items with ``max`` each."""

    label: str
    max: int
    pieces: int = 1


@dataclass(frozen=True, slots=True)
class Chip:
    """A short condition of an action; ``kind`` is cost, cooldown or limit.

    ``box`` asks for a box to tick when it is used up.
    """

    kind: str
    text: str
    box: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done: ``timing`` and its label, and why it cannot be yet."""

    name: str
    timing: str
    label: str
    chips: tuple[Chip, ...]
    trigger: Prose
    who: str
    text: Prose
    unmet: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttackLine:
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


@dataclass(frozen=True, slots=True)
class Card:
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


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of equipment, equal ones together; ``listed`` where a list of the sheet has it."""

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: Prose
    capacities: tuple[Capacity, ...]
    actions: tuple[Action, ...]
    listed: bool = False


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol that dice show; ``icon`` draws it."""

    id: str
    label: str
    icon: str


@dataclass(frozen=True, slots=True)
class Die:
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    shape: str
    tone: str
    faces: tuple[tuple[Symbol, ...], ...]


@dataclass(frozen=True, slots=True)
class PoolDie:
    """So many of a die: ``shape`` and ``tone`` draw it."""

    id: str
    label: str
    shape: str
    tone: str
    number: int


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice for something; there may be none now."""

    id: str
    label: str
    dice: tuple[PoolDie, ...]


@dataclass(frozen=True, slots=True)
class TrackStep:
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: str
    text: Prose
    here: bool


@dataclass(frozen=True, slots=True)
class Track:
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: str
    current: int
    steps: tuple[TrackStep, ...]


@dataclass(frozen=True, slots=True)
class Tracker:
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
    steps: tuple[TrackStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[PoolDie, ...] = ()


@dataclass(frozen=True, slots=True)
class ListRow:
    """A line of a list; ``note`` says more about it."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A compact list: ``columns`` head the cells of its rows, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of a chart: what heads it, then a cell a column."""

    heading: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A table of the book; ``key`` heads the first column, that of the rows' headings."""

    id: str
    label: str
    text: Prose
    key: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    source: str = ""


@dataclass(frozen=True, slots=True)
class UnitPanel:
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
    vitals: tuple[Vital, ...]
    figures: tuple[Fact, ...]
    attacks: tuple[AttackLine, ...]
    cards: tuple[Card, ...]
    empty_slots: int
    pools: tuple[Pool, ...] = ()
    tracks: tuple[Track, ...] = ()
    trackers: tuple[Tracker, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A word explained, with the actions that belong to it."""

    id: str
    name: str
    text: Prose
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """One answer of the story: an entity's name and text, or one's own words."""

    name: str
    text: Prose


@dataclass(frozen=True, slots=True)
class StoryPart:
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: str
    label: str
    form: str
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class AttackRules:
    """How attacks are rolled, for the head of their table."""

    dice: str
    note: str


@dataclass(frozen=True, slots=True)
class OddsRow:
    """One thing with its figures, column by column; ``note`` says why it has none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class OddsTable:
    """A table of odds: ``over`` is what the columns are, ``shown`` what a cell holds."""

    label: str
    text: str
    over: str
    columns: tuple[str, ...]
    shown: tuple[str, ...]
    rows: tuple[OddsRow, ...]


@dataclass(frozen=True, slots=True)
class SheetView:
    """A whole sheet.

    ``problems`` mark a character that the rules do not allow, ``allowed``
    what breaks them with somebody's leave; ``levels`` is the highest level
    there is, 1 in a game without them; ``empty_slots`` are those still to be
    filled. ``dice`` are those with symbols, which explain the ``pools``.
    ``lists`` and ``trackers`` show again what others hold, for a sheet;
    ``plate`` are lines to write on. It ``carries`` where there is equipment
    of kinds that no list shows.
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
    vitals: tuple[Vital, ...]
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
    pools: tuple[Pool, ...] = ()
    dice: tuple[Die, ...] = ()
    tracks: tuple[Track, ...] = ()
    charts: tuple[Chart, ...] = ()
    trackers: tuple[Tracker, ...] = ()
    lists: tuple[Listing, ...] = ()
    plate: tuple[str, ...] = ()
    odds: tuple[OddsTable, ...] = ()
    carries: bool = True

    @property
    def carried(self) -> tuple[Item, ...]:
        """The equipment that no list shows."""
        return tuple(item for item in self.items if not item.listed)

    @property
    def strip(self) -> tuple[Fact, ...]:
        """The figures that no list shows."""
        return tuple(fact for fact in self.figures if not fact.listed)

    @property
    def kept(self) -> tuple[Fact, ...]:
        """The stores that no tracker shows."""
        return tuple(fact for fact in self.stores if not fact.listed)
