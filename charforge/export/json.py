"""Everything computed of a character, as JSON for other programs, with its schema.

The head is what ``show --json`` prints (``charforge.report``): every value with its steps, every
holding. With it comes what the sheet shows of them, read from its view by the names of the
fields: attacks with their whole bonus, cards, items, units and the story, each text plain and
with the character's own figures. Empty texts and lists mean that there is nothing. The models
here are the contract: the JSON Schema, shipped as ``SCHEMA``, is made from them. ``export`` is
its version, which goes up when a key goes or changes its meaning. The names of the classes begin
with ``Exported`` to tell them from those of the view and the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import CoreRef, DefsRef, GenerateJsonSchema, JsonSchemaMode

from charforge import report
from charforge.export import wording
from charforge.expressions import markup
from charforge.replay.replay import Character, Problem
from charforge.sheet.build import build

# Definitions of the schema whose names are not those of their classes; others only drop "Exported".
SCHEMA_NAMES = {"ExportedStoryAnswer": "Told", "ExportedProblem": "Wrong"}
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


def _schema_name(model: type[Any]) -> str:
    """Return the name that a model has in the schema."""
    return SCHEMA_NAMES.get(model.__name__, model.__name__.removeprefix("Exported"))


class Shown(BaseModel):
    """A part of the sheet, read from the view by the names of its fields."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, model_title_generator=_schema_name
    )


class Reported(BaseModel):
    """A part of the report. Keys that the report has and the model has not are passed on."""

    model_config = ConfigDict(frozen=True, extra="allow", model_title_generator=_schema_name)


class ExportedStep(Reported):
    """One step of a value: ``total`` after it."""

    source: str
    op: str
    amount: int
    total: int


class ExportedValue(Reported):
    """A number of a unit: ``base`` lasts, ``total`` holds now; the steps end at it."""

    label: str
    base: int
    total: int
    steps: tuple[ExportedStep, ...]


class ExportedHolding(Reported):
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


class ExportedCondition(Reported):
    """What a unit is under in play; ``left`` is how often its moment has still to pass."""

    id: str
    name: str
    amount: int
    about: str
    unit: str
    left: int | None


class ExportedProblem(Reported):
    """Something wrong with the character: ``decision`` says where."""

    code: str
    decision: str
    message: str


class ExportedOverride(Shown):
    """What the rules forbid and somebody allowed: ``against`` are the rules' reasons."""

    decision: str
    by: str
    reason: str
    against: tuple[str, ...]


class ExportedFact(Shown):
    """Something said in one line."""

    label: Text
    text: Text


class ExportedHeadline(Shown):
    """What the character is above all, such as its role."""

    kind: Text
    name: Text
    facts: tuple[ExportedFact, ...]
    text: Text


class ExportedAttribute(Shown):
    """A score; ``key`` marks the important ones, ``before`` stands before it: ``d`` of ``d8``."""

    id: str
    label: Text
    name: Text
    base: int
    total: int
    key: bool
    before: str


class ExportedVital(Shown):
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


class ExportedCapacity(Shown):
    """A resource that an item carries: ``pieces`` items with ``max`` each, ``used`` of each now."""

    label: Text
    max: int
    pieces: int
    used: tuple[int, ...]


class ExportedChip(Shown):
    """A condition of an action; ``kind`` is cost, cooldown or limit."""

    kind: str
    text: Text


class ExportedAction(Shown):
    """Something that can be done; ``unmet`` are reasons why it cannot be yet."""

    name: Text
    timing: str
    label: Text
    chips: tuple[ExportedChip, ...]
    trigger: Text
    who: Text
    text: Text
    unmet: tuple[Text, ...]


class ExportedAttack(Shown):
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
    capacities: tuple[ExportedCapacity, ...]
    unmet: tuple[Text, ...]


class ExportedAttackRules(Shown):
    """How attacks are rolled."""

    dice: str
    note: Text


class ExportedCard(Shown):
    """Something held with its text and actions, such as a System."""

    id: str
    name: Text
    subtitle: tuple[Text, ...]
    text: Text
    actions: tuple[ExportedAction, ...]
    capacities: tuple[ExportedCapacity, ...]


class ExportedItem(Shown):
    """A piece of equipment, equal ones together; ``label`` is what it stands under."""

    name: Text
    quantity: int
    category: Text
    facts: tuple[Text, ...]
    text: Text
    capacities: tuple[ExportedCapacity, ...]
    actions: tuple[ExportedAction, ...]
    label: Text


class ExportedEntry(Shown):
    """A word explained, with the actions that belong to it."""

    id: str
    name: Text
    text: Text
    actions: tuple[ExportedAction, ...]


class ExportedStoryAnswer(Shown):
    """One answer of the story: a name with its text, or one's own words."""

    name: OwnWords
    text: OwnWords


class ExportedStoryPart(Shown):
    """One question of the story. ``form``: ``one`` of a list, ``many``, or a ``text``."""

    id: str
    section: Text
    label: Text
    form: str
    told: tuple[ExportedStoryAnswer, ...]


class ExportedSymbol(Shown):
    """A symbol that dice show."""

    id: str
    label: Text


class ExportedDie(Shown):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: Text
    faces: tuple[tuple[ExportedSymbol, ...], ...]


class ExportedPoolDie(Shown):
    """So many dice of a sort."""

    id: str
    label: Text
    number: int


class ExportedPool(Shown):
    """Dice with symbols for something."""

    id: str
    label: Text
    dice: tuple[ExportedPoolDie, ...]


class ExportedTrackStep(Shown):
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: Text
    text: Text
    here: bool


class ExportedTrack(Shown):
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: Text
    current: int
    steps: tuple[ExportedTrackStep, ...]


class ExportedChartRow(Shown):
    """A row of a chart: what heads it, then a cell a column."""

    heading: Text
    cells: tuple[Text, ...]


class ExportedChart(Shown):
    """A table of the book with the character's figures; ``key`` heads its first column."""

    id: str
    label: Text
    text: Text
    key: Text
    columns: tuple[Text, ...]
    rows: tuple[ExportedChartRow, ...]


class ExportedUnitSheet(Shown):
    """What the sheet shows of a companion or vehicle."""

    facts: tuple[ExportedFact, ...]
    text: Text
    attributes: tuple[ExportedAttribute, ...]
    vitals: tuple[ExportedVital, ...]
    figures: tuple[ExportedFact, ...]
    attacks: tuple[ExportedAttack, ...]
    cards: tuple[ExportedCard, ...]
    empty_slots: int
    pools: tuple[ExportedPool, ...]
    tracks: tuple[ExportedTrack, ...]


class ExportedUnit(Reported):
    """A companion or vehicle; ``kind`` is its unit type, ``entity`` what it is."""

    id: str
    kind: str
    name: str
    level: int
    entity: str | None
    values: dict[str, ExportedValue]
    holdings: tuple[ExportedHolding, ...]
    sheet: ExportedUnitSheet


class ExportedSheet(Shown):
    """What the sheet shows of the character; ``packs`` are those beside the ruleset."""

    ruleset: Text
    packs: tuple[str, ...]
    level_label: Text
    levels: int
    headline: tuple[ExportedHeadline, ...]
    attributes: tuple[ExportedAttribute, ...]
    vitals: tuple[ExportedVital, ...]
    figures: tuple[ExportedFact, ...]
    stores: tuple[ExportedFact, ...]
    attack_rules: ExportedAttackRules | None
    attacks: tuple[ExportedAttack, ...]
    cards: tuple[ExportedCard, ...]
    items: tuple[ExportedItem, ...]
    training: tuple[ExportedEntry, ...]
    story: tuple[ExportedStoryPart, ...]
    conditions: tuple[ExportedEntry, ...]
    actions: tuple[ExportedEntry, ...]
    reference: tuple[ExportedEntry, ...]
    table_rules: tuple[ExportedFact, ...]
    allowed: tuple[ExportedFact, ...]
    empty_slots: int
    pools: tuple[ExportedPool, ...]
    dice: tuple[ExportedDie, ...]
    tracks: tuple[ExportedTrack, ...]
    charts: tuple[ExportedChart, ...]


class Export(Reported):
    """A whole character. ``table_rules`` are those set for it, by id."""

    model_config = ConfigDict(title="A character exported by charforge")

    export: Literal[1] = VERSION
    name: str
    ruleset: str
    level: int
    legal: bool
    problems: tuple[ExportedProblem, ...]
    overrides: tuple[ExportedOverride, ...]
    table_rules: dict[str, str]
    values: dict[str, ExportedValue]
    holdings: tuple[ExportedHolding, ...]
    units: tuple[ExportedUnit, ...]
    conditions: tuple[ExportedCondition, ...]
    sheet: ExportedSheet


def export(character: Character, problems: Sequence[Problem] = ()) -> Export:
    """Return everything computed of a character; ``problems`` are those of its file."""
    view = build(character)
    data = report.character(character, tuple(problems))
    panels = map(ExportedUnitSheet.model_validate, view.units)
    data["units"] = [
        {**unit, "sheet": panel} for unit, panel in zip(data["units"], panels, strict=True)
    ]
    data["table_rules"] = dict(sorted(character.state.rules.items()))
    data["overrides"] = tuple(_overrides(character))
    data["sheet"] = ExportedSheet.model_validate(view)
    return Export.model_validate(data)


def _overrides(character: Character) -> Iterator[ExportedOverride]:
    for overridden in character.overridden:
        yield ExportedOverride(
            decision=overridden.decision,
            by=overridden.override.by,
            reason=overridden.override.reason,
            against=overridden.reasons,
        )


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the JSON text: keys in the order of the models, letters as they are."""
    data = export(character, problems).model_dump(mode="json", by_alias=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


class _ExportSchema(GenerateJsonSchema):
    """Names the definitions as the schema always has: a class may be renamed, a contract not."""

    def get_defs_ref(self, core_mode_ref: tuple[CoreRef, JsonSchemaMode]) -> DefsRef:
        ref, mode = core_mode_ref
        for name, known in SCHEMA_NAMES.items():
            ref = CoreRef(ref.replace(name, known))
        return super().get_defs_ref((CoreRef(ref.replace(".Exported", ".")), mode))


def schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``write`` returns; ``SCHEMA`` is this, shipped."""
    return Export.model_json_schema(mode="serialization", schema_generator=_ExportSchema)
