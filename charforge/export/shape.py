"""The shape of exported data: models that are the contract, and give the JSON Schema.

What the sheet shows is read from the view by the names of its fields,
what the report tells from its keys. Texts are plain, a line a paragraph;
empty ones and empty lists mean that there is nothing. ``export`` is the
version of this shape: it goes up when a key goes or changes its meaning.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from charforge.export import wording
from charforge.expressions import markup

VERSION: Final = 1


def _own(found: Any) -> Any:
    """Return one's own words as they are; a paragraph of the sheet, a line each."""
    return markup.plain_text(found) if isinstance(found, tuple) else found


def _said(found: Any) -> Any:
    return wording.plain(found) if isinstance(found, tuple) else wording.typed(found)


Own = Annotated[str, BeforeValidator(_own)]
Said = Annotated[str, BeforeValidator(_said)]


class Shown(BaseModel):
    """A part of the sheet, read from the view by the names of its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)


class Reported(BaseModel):
    """A part of the report; what the report comes to say besides is passed on."""

    model_config = ConfigDict(frozen=True, extra="allow")


class Step(Reported):
    """One step of a value: ``total`` after it."""

    source: str
    op: str
    amount: int
    total: int


class Value(Reported):
    """A number of a unit: ``base`` lasts, ``total`` holds now; the steps end at it."""

    label: str
    base: int
    total: int
    steps: tuple[Step, ...]


class Holding(Reported):
    """Something held: ``from`` is the decision or holding that gave it.

    ``capacities`` is what is left of what it carries, ``cooling`` its
    actions on cooldown.
    """

    id: str
    kind: str
    name: str
    origin: str = Field(alias="from")
    instance: str
    quantity: int = 1
    in_hand: int = 0
    capacities: dict[str, int] = {}
    cooling: tuple[str, ...] = ()


class Condition(Reported):
    """What a unit is under in play; ``left`` is how often its moment has still to pass."""

    id: str
    name: str
    amount: int
    about: str
    unit: str
    left: int | None


class Wrong(Reported):
    """Something wrong with the character: ``decision`` says where."""

    code: str
    decision: str
    message: str


class Override(Shown):
    """What the rules forbid and somebody allowed: ``against`` are the rules' reasons."""

    decision: str
    by: str
    reason: str
    against: tuple[str, ...]


class Fact(Shown):
    """Something said in one line."""

    label: Said
    text: Said


class Headline(Shown):
    """What the character is above all, such as its role."""

    kind: Said
    name: Said
    facts: tuple[Fact, ...]
    text: Said


class Attribute(Shown):
    """A score; ``key`` marks the important ones, ``before`` stands before it: ``d`` of ``d8``."""

    id: str
    label: Said
    name: Said
    base: int
    total: int
    key: bool
    before: str


class Vital(Shown):
    """A resource that goes up and down; a ``shared`` one is the owner's.

    ``step`` names where it stands, if a track goes by it.
    """

    id: str
    label: Said
    current: int
    max: int | None
    half: int | None
    shared: bool
    step: Said


class Capacity(Shown):
    """A resource that an item carries: ``pieces`` items with ``max`` each, ``used`` of each now."""

    label: Said
    max: int
    pieces: int
    used: tuple[int, ...]


class Chip(Shown):
    """A condition of an action; ``kind`` is cost, cooldown or limit."""

    kind: str
    text: Said


class Action(Shown):
    """Something that can be done; ``unmet`` are reasons why it cannot be yet."""

    name: Said
    timing: str
    label: Said
    chips: tuple[Chip, ...]
    trigger: Said
    who: Said
    text: Said
    unmet: tuple[Said, ...]


class Attack(Shown):
    """One attack of one bearer: ``roll`` is the whole bonus, ``made_of`` its parts."""

    bearer: Said
    mode: Said
    notes: tuple[Said, ...]
    range: Said
    roll: Said
    versus: Said
    made_of: Said
    damage: Said
    types: Said
    extras: tuple[Said, ...]
    text: Said
    capacities: tuple[Capacity, ...]
    unmet: tuple[Said, ...]


class AttackRules(Shown):
    """How attacks are rolled."""

    dice: str
    note: Said


class Card(Shown):
    """Something held with its text and actions, such as a System."""

    id: str
    name: Said
    subtitle: tuple[Said, ...]
    text: Said
    actions: tuple[Action, ...]
    capacities: tuple[Capacity, ...]


class Item(Shown):
    """A piece of equipment, equal ones together; ``label`` is what it stands under."""

    name: Said
    quantity: int
    category: Said
    facts: tuple[Said, ...]
    text: Said
    capacities: tuple[Capacity, ...]
    actions: tuple[Action, ...]
    label: Said


class Entry(Shown):
    """A word explained, with the actions that belong to it."""

    id: str
    name: Said
    text: Said
    actions: tuple[Action, ...]


class Told(Shown):
    """One answer of the story: a name with its text, or one's own words."""

    name: Own
    text: Own


class StoryPart(Shown):
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: Said
    label: Said
    form: str
    told: tuple[Told, ...]


class Symbol(Shown):
    """A symbol that dice show."""

    id: str
    label: Said


class Die(Shown):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: Said
    faces: tuple[tuple[Symbol, ...], ...]


class PoolDie(Shown):
    """So many dice of a sort."""

    id: str
    label: Said
    number: int


class Pool(Shown):
    """Dice with symbols for something."""

    id: str
    label: Said
    dice: tuple[PoolDie, ...]


class TrackStep(Shown):
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: Said
    text: Said
    here: bool


class Track(Shown):
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: Said
    current: int
    steps: tuple[TrackStep, ...]


class ChartRow(Shown):
    """A row of a chart: what heads it, then a cell a column."""

    heading: Said
    cells: tuple[Said, ...]


class Chart(Shown):
    """A table of the book with the character's figures; ``key`` heads its first column."""

    id: str
    label: Said
    text: Said
    key: Said
    columns: tuple[Said, ...]
    rows: tuple[ChartRow, ...]


class UnitSheet(Shown):
    """What the sheet shows of a companion or vehicle."""

    facts: tuple[Fact, ...]
    text: Said
    attributes: tuple[Attribute, ...]
    vitals: tuple[Vital, ...]
    figures: tuple[Fact, ...]
    attacks: tuple[Attack, ...]
    cards: tuple[Card, ...]
    empty_slots: int
    pools: tuple[Pool, ...]
    tracks: tuple[Track, ...]


class Unit(Reported):
    """A companion or vehicle; ``kind`` is its unit type, ``entity`` what it is."""

    id: str
    kind: str
    name: str
    level: int
    entity: str | None
    values: dict[str, Value]
    holdings: tuple[Holding, ...]
    sheet: UnitSheet


class Sheet(Shown):
    """What the sheet shows of the character; ``packs`` are those beside the ruleset."""

    ruleset: Said
    packs: tuple[str, ...]
    level_label: Said
    levels: int
    headline: tuple[Headline, ...]
    attributes: tuple[Attribute, ...]
    vitals: tuple[Vital, ...]
    figures: tuple[Fact, ...]
    stores: tuple[Fact, ...]
    attack_rules: AttackRules | None
    attacks: tuple[Attack, ...]
    cards: tuple[Card, ...]
    items: tuple[Item, ...]
    training: tuple[Entry, ...]
    story: tuple[StoryPart, ...]
    conditions: tuple[Entry, ...]
    actions: tuple[Entry, ...]
    reference: tuple[Entry, ...]
    table_rules: tuple[Fact, ...]
    allowed: tuple[Fact, ...]
    empty_slots: int
    pools: tuple[Pool, ...]
    dice: tuple[Die, ...]
    tracks: tuple[Track, ...]
    charts: tuple[Chart, ...]


class Export(Reported):
    """A whole character. ``table_rules`` are those set for it, by id."""

    model_config = ConfigDict(title="A character exported by charforge")

    export: Literal[1] = VERSION
    name: str
    ruleset: str
    level: int
    legal: bool
    problems: tuple[Wrong, ...]
    overrides: tuple[Override, ...]
    table_rules: dict[str, str]
    values: dict[str, Value]
    holdings: tuple[Holding, ...]
    units: tuple[Unit, ...]
    conditions: tuple[Condition, ...]
    sheet: Sheet
