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
    """Something said in one line: ``Diameter ~3 m``, ``Move 10 m``."""

    label: str
    text: str


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
    """A score: ``base`` lasts, ``total`` holds now; ``key`` marks the important ones."""

    id: str
    label: str
    name: str
    base: int
    total: int
    key: bool


@dataclass(frozen=True, slots=True)
class Vital:
    """A resource with room to write. ``shared`` says whose it is, if not one's own."""

    id: str
    label: str
    icon: str
    current: int
    max: int | None
    half: int | None
    shared: bool = False

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
    """A piece of equipment, equal ones together."""

    name: str
    quantity: int
    category: str
    facts: tuple[str, ...]
    text: Prose
    capacities: tuple[Capacity, ...]
    actions: tuple[Action, ...]


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
class SheetView:
    """A whole sheet.

    ``problems`` mark a character that the rules do not allow, ``allowed``
    what breaks them with somebody's leave; ``levels`` is the highest level
    there is, 1 in a game without them; ``empty_slots`` are those still to be
    filled.
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
