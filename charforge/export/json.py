"""Everything computed of a character, as JSON for other programs, with its schema.

The head is what ``show --json`` prints (``charforge.report``): every value with its steps, every
holding. With it comes what the sheet shows of them, read from its view by the names of the
fields: attacks with their whole bonus, cards, items, units and the story, each text plain and
with the character's own figures. Empty texts and lists mean that there is nothing. The models
here are the contract: the JSON Schema, shipped as ``SCHEMA``, is made from them. ``export`` is
its version, which goes up when a key goes or changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from charforge import report
from charforge.export import wording
from charforge.expressions import markup
from charforge.replay.replay import Character, Problem
from charforge.sheet.build import build

SCHEMA = Path(__file__).with_name("export.schema.json")
VERSION: Final = 1


def _unchanged(text: Any) -> Any:
    """Return a player's own words as they are; a text of the sheet as one line a paragraph."""
    return markup.plain_text(text) if isinstance(text, tuple) else text


def _typed(text: Any) -> Any:
    """Return a text of the sheet with the signs of a keyboard, one line a paragraph."""
    return wording.plain(text) if isinstance(text, tuple) else wording.typed(text)


OwnWords = Annotated[str, BeforeValidator(_unchanged)]
Text = Annotated[str, BeforeValidator(_typed)]


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

    label: Text
    text: Text


class Headline(Shown):
    """What the character is above all, such as its role."""

    kind: Text
    name: Text
    facts: tuple[Fact, ...]
    text: Text


class Attribute(Shown):
    """A score; ``key`` marks the important ones, ``before`` stands before it: ``d`` of ``d8``."""

    id: str
    label: Text
    name: Text
    base: int
    total: int
    key: bool
    before: str


class Vital(Shown):
    """A resource that goes up and down; a ``shared`` one is the owner's.

    ``step`` names where it stands, if a track goes by it.
    """

    id: str
    label: Text
    current: int
    max: int | None
    half: int | None
    shared: bool
    step: Text


class Capacity(Shown):
    """A resource that an item carries: ``pieces`` items with ``max`` each, ``used`` of each now."""

    label: Text
    max: int
    pieces: int
    used: tuple[int, ...]


class Chip(Shown):
    """A condition of an action; ``kind`` is cost, cooldown or limit."""

    kind: str
    text: Text


class Action(Shown):
    """Something that can be done; ``unmet`` are reasons why it cannot be yet."""

    name: Text
    timing: str
    label: Text
    chips: tuple[Chip, ...]
    trigger: Text
    who: Text
    text: Text
    unmet: tuple[Text, ...]


class Attack(Shown):
    """One attack of one bearer: ``roll`` is the whole bonus, ``made_of`` its parts."""

    bearer: Text
    mode: Text
    notes: tuple[Text, ...]
    range: Text
    roll: Text
    versus: Text
    made_of: Text
    damage: Text
    types: Text
    extras: tuple[Text, ...]
    text: Text
    capacities: tuple[Capacity, ...]
    unmet: tuple[Text, ...]


class AttackRules(Shown):
    """How attacks are rolled."""

    dice: str
    note: Text


class Card(Shown):
    """Something held with its text and actions, such as a System."""

    id: str
    name: Text
    subtitle: tuple[Text, ...]
    text: Text
    actions: tuple[Action, ...]
    capacities: tuple[Capacity, ...]


class Item(Shown):
    """A piece of equipment, equal ones together; ``label`` is what it stands under."""

    name: Text
    quantity: int
    category: Text
    facts: tuple[Text, ...]
    text: Text
    capacities: tuple[Capacity, ...]
    actions: tuple[Action, ...]
    label: Text


class Entry(Shown):
    """A word explained, with the actions that belong to it."""

    id: str
    name: Text
    text: Text
    actions: tuple[Action, ...]


class Told(Shown):
    """One answer of the story: a name with its text, or one's own words."""

    name: OwnWords
    text: OwnWords


class StoryPart(Shown):
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: Text
    label: Text
    form: str
    told: tuple[Told, ...]


class Symbol(Shown):
    """A symbol that dice show."""

    id: str
    label: Text


class Die(Shown):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: Text
    faces: tuple[tuple[Symbol, ...], ...]


class PoolDie(Shown):
    """So many dice of a sort."""

    id: str
    label: Text
    number: int


class Pool(Shown):
    """Dice with symbols for something."""

    id: str
    label: Text
    dice: tuple[PoolDie, ...]


class TrackStep(Shown):
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: Text
    text: Text
    here: bool


class Track(Shown):
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: Text
    current: int
    steps: tuple[TrackStep, ...]


class ChartRow(Shown):
    """A row of a chart: what heads it, then a cell a column."""

    heading: Text
    cells: tuple[Text, ...]


class Chart(Shown):
    """A table of the book with the character's figures; ``key`` heads its first column."""

    id: str
    label: Text
    text: Text
    key: Text
    columns: tuple[Text, ...]
    rows: tuple[ChartRow, ...]


class UnitSheet(Shown):
    """What the sheet shows of a companion or vehicle."""

    facts: tuple[Fact, ...]
    text: Text
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

    ruleset: Text
    packs: tuple[str, ...]
    level_label: Text
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


def export(character: Character, problems: Sequence[Problem] = ()) -> Export:
    """Return everything computed of a character; ``problems`` are those of its file."""
    view = build(character)
    data = report.character(character, tuple(problems))
    panels = map(UnitSheet.model_validate, view.units)
    data["units"] = [
        {**unit, "sheet": panel} for unit, panel in zip(data["units"], panels, strict=True)
    ]
    data["table_rules"] = dict(sorted(character.state.rules.items()))
    data["overrides"] = tuple(_overrides(character))
    data["sheet"] = Sheet.model_validate(view)
    return Export.model_validate(data)


def _overrides(character: Character) -> Iterator[Override]:
    for overridden in character.overridden:
        yield Override(
            decision=overridden.decision,
            by=overridden.override.by,
            reason=overridden.override.reason,
            against=overridden.reasons,
        )


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the JSON text: keys in the order of the models, letters as they are."""
    data = export(character, problems).model_dump(mode="json", by_alias=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``write`` returns; ``SCHEMA`` is this, shipped."""
    return Export.model_json_schema(mode="serialization")
