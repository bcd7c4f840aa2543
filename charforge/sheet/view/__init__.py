"""What a sheet shows, resolved, with no rules left to apply.

The same view serves the printed sheet, the page on a screen and the
terminal. Everything is text or a number; a template only arranges it.
Empty texts and tuples mean that there is nothing to show.

The parts are named tuples, of which Python makes a class in a quarter of the
time that a frozen dataclass takes it: there are many, and every sheet needs all.
"""

from __future__ import annotations

from typing import NamedTuple

from charforge.expressions.markup import Prose
from charforge.sheet.view.actions import (
    Action as Action,
    AttackLine as AttackLine,
    AttackRules as AttackRules,
    Attribute as Attribute,
    Capacity as Capacity,
    Card as Card,
    Chip as Chip,
    Entry as Entry,
    Fact as Fact,
    Item as Item,
    Vital as Vital,
    labelled as labelled,
)
from charforge.sheet.view.trackers import (
    Cell as Cell,
    Chart as Chart,
    ChartRow as ChartRow,
    Die as Die,
    Listing as Listing,
    ListRow as ListRow,
    OddsRow as OddsRow,
    OddsTable as OddsTable,
    Pool as Pool,
    PoolDie as PoolDie,
    Symbol as Symbol,
    Track as Track,
    Tracker as Tracker,
    TrackStep as TrackStep,
)


class Headline(NamedTuple):
    """What the character is above all, such as its role."""

    kind: str
    name: str
    summary: str
    facts: tuple[Fact, ...]
    text: Prose


class Under(NamedTuple):
    """A condition that a unit is under now, in words; ``id`` is its entity's."""

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
    vitals: tuple[Vital, ...]
    figures: tuple[Fact, ...]
    attacks: tuple[AttackLine, ...]
    cards: tuple[Card, ...]
    empty_slots: int
    pools: tuple[Pool, ...] = ()
    tracks: tuple[Track, ...] = ()
    trackers: tuple[Tracker, ...] = ()
    under: tuple[Under, ...] = ()


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
    packs: tuple[str, ...] = ()
    under: tuple[Under, ...] = ()

    @property
    def held(self) -> tuple[tuple[str, tuple[Item, ...]], ...]:
        """All equipment, under the label of each sort."""
        return labelled(self.items)

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
    def unboxed(self) -> tuple[Under, ...]:
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
