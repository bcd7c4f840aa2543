"""A whole character as JSON for other programs, with its schema.

It has the data of ``show --json`` (``charforge.export.show_json``): every value with its steps,
every holding. ``sheet`` adds the view of the sheet, field by field under the same names: attacks
with their total bonus, cards, items, units and the story, as plain texts with the character's own
numbers. Empty texts and lists mean that there is nothing to show.

The models of the view's parts are made from its classes, so a new field of the view is exported
too, unless ``LEFT_OUT`` names it. Weapons are also there as one line for each attack, and the
resources whose numbers have names as tracks. The JSON Schema is made from the models and stored as
``SCHEMA``. ``export`` is its version, which goes up when a key is removed or changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field, create_model
from pydantic.json_schema import CoreRef, DefsRef, GenerateJsonSchema, JsonSchemaMode

from charforge.character.values import Values
from charforge.export import show_json
from charforge.expressions import template
from charforge.json_model import JsonModel, ProblemJson
from charforge.replay.replay import Character, Problem
from charforge.sheet import phrases, view
from charforge.sheet.build import build
from charforge.sheet.values import track_steps

EXPORT_VERSION: Final = 1

# Fields for the look of a page, and those that the export has outside its sheet.
LEFT_OUT: dict[type, tuple[str, ...]] = {
    view.SheetView: (
        "name", "level", "units", "problems", "active_conditions", "theme", "attributes_label",
        "cards_label", "items_label", "training_label", "actions_label", "trackers", "lists",
        "plate", "primer", "odds", "luck", "save_codes", "has_equipment", "pack_changes", "notes",
    ),
    view.UnitPanel: ("id", "name", "kind", "level", "trackers", "active_conditions"),
    view.Headline: ("summary",),
    view.Fact: ("listed", "tracker_key", "value", "zero"),
    view.Item: ("listed", "armed", "worn_keys"),
    view.SheetChart: ("source",),
    view.SheetVital: ("icon", "tracker_key", "is_health"),
    view.SheetCapacity: ("tracker_keys",),
    view.SheetSymbol: ("icon",),
    view.SheetDie: ("shape", "tone"),
    view.SheetPoolDie: ("shape", "tone"),
    view.SheetAction: ("statblock",),
    view.Chip: ("box", "ticked", "tracker_key"),
    view.ActiveCondition: ("tracker_key",),
    view.Card: ("timing", "label", "on_turn", "armed"),  # those of its first action
}  # fmt: skip
OTHER_KEYS = {"answers": "told"}  # fields with another key in the JSON


class AttackLine(NamedTuple):
    """One attack of one bearer: ``roll`` is the total bonus, ``made_of`` its parts.

    ``unmet`` are the reasons why it cannot be used yet.
    """

    bearer: str
    mode: str
    notes: tuple[str, ...]
    range: str
    roll: str
    versus: str
    made_of: str
    damage: str
    types: str
    extras: tuple[str, ...]
    text: template.Prose
    capacities: tuple[view.SheetCapacity, ...]
    unmet: tuple[str, ...]


class SheetTrack(NamedTuple):
    """A resource whose numbers have names; ``id`` is the id of its value."""

    id: str
    label: str
    current: int
    steps: tuple[view.SheetTrackStep, ...]


# The names of classes in the schema, where they are not only without "Sheet".
SCHEMA_NAMES: dict[type, str] = {
    view.SheetView: "Sheet",
    view.UnitPanel: "UnitSheet",
    AttackLine: "Attack",
    view.StoryAnswer: "Told",
}


def attack_lines(weapons: Iterable[view.Weapon]) -> Iterator[AttackLine]:
    """Yield a line for each attack; the first of a weapon has its notes and capacities."""
    for weapon in weapons:
        notes, capacities = weapon.notes, weapon.capacities
        for attack in weapon.attacks:
            yield AttackLine(
                bearer=weapon.name,
                mode=attack.name,
                notes=notes,
                range=attack.range,
                roll=attack.roll,
                versus=attack.versus,
                made_of=attack.made_of,
                damage=phrases.damage_text(attack),
                types=attack.types,
                extras=attack.extras,
                text=attack.text.full,
                capacities=capacities,
                unmet=attack.unmet,
            )
            notes, capacities = (), ()


def tracks(values: Values) -> Iterator[SheetTrack]:
    """Yield the tracks of a unit."""
    for track in values.ruleset.head.tracks:
        if track.value in values:
            steps = track_steps(track, values)
            yield SheetTrack(track.value, track.label, values.base(track.value), steps)


def _plain_text(text: Any) -> Any:
    """Return a text of the view with the characters of a keyboard, one line for each paragraph."""
    return phrases.keyboard_lines(text) if isinstance(text, tuple) else phrases.keyboard(text)


def _players_text(text: Any) -> Any:
    """Return a player's text unchanged, one line for each paragraph."""
    return template.plain_text(text) if isinstance(text, tuple) else text


PlainText = Annotated[str, BeforeValidator(_plain_text)]
PlayersText = Annotated[str, BeforeValidator(_players_text)]


class ViewPart(BaseModel):
    """A part of the view, read by the names of its fields."""

    model_config = ConfigDict(
        defer_build=True, frozen=True, extra="forbid", from_attributes=True, validate_by_name=True
    )


@cache
def part_model(part: type[tuple[Any, ...]]) -> type[ViewPart]:
    """Return the model of a class of the view, with the same fields and description."""
    fields: dict[str, Any] = dict(_fields(part))
    if part in (view.SheetView, view.UnitPanel):
        fields["attacks"] = (_json_type(tuple[AttackLine, ...], PlainText), ...)
        fields["tracks"] = (_json_type(tuple[SheetTrack, ...], PlainText), ...)
    name = SCHEMA_NAMES.get(part, part.__name__.removeprefix("Sheet"))
    return create_model(name, __base__=ViewPart, __doc__=part.__doc__, **fields)


def _fields(part: type[tuple[Any, ...]], *path: str) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a class of the view with their types and places.

    ``path`` are the fields that lead to it from the part that has the keys. A text of the rules
    is two keys, and what the modes of a weapon share are keys of the weapon.
    """
    text = PlayersText if part is view.StoryAnswer else PlainText
    for name, kind in get_type_hints(part).items():
        if name in LEFT_OUT.get(part, ()):
            continue
        if kind is view.RulesText:
            yield name, (text, Field(validation_alias=AliasPath(*path, name, "full")))
            yield "digest", (text, Field(validation_alias=AliasPath(*path, name, "short")))
        elif kind is view.AttackMode:
            yield from ((key, field) for key, field in _fields(kind, name) if key != "name")
        elif path:
            field = Field(validation_alias=AliasPath(*path, name))
            yield name, (_json_type(kind, text), field)
        else:
            yield name, (_json_type(kind, text), Field(alias=OTHER_KEYS.get(name)))


def _json_type(kind: Any, text: Any) -> Any:
    """Return the type in the JSON of a field of the view; ``text`` is the type of its texts."""
    if kind is str or kind == template.Prose:
        return text
    if get_origin(kind) is tuple:
        return tuple[_json_type(get_args(kind)[0], text), ...]  # type: ignore[misc]
    if get_origin(kind) is Literal:
        return kind
    if get_args(kind):
        return _json_type(get_args(kind)[0], text) | None
    return part_model(kind) if issubclass(kind, tuple) else kind


class OverrideJson(JsonModel):
    """A broken rule that somebody allowed; ``against`` are the reasons why it is forbidden."""

    model_config = ConfigDict(extra="forbid")

    decision: str
    by: str
    reason: str
    against: tuple[str, ...]


class ExportedUnit(show_json.UnitJson):
    """A companion or vehicle; ``kind`` is its unit type, ``entity`` its entry in the rules."""

    sheet: part_model(view.UnitPanel)  # type: ignore[valid-type]


class Export(JsonModel):
    """A whole character. ``table_rules`` are those chosen for it, by id."""

    model_config = ConfigDict(title="A character exported by charforge")

    export: Literal[1] = EXPORT_VERSION
    name: str
    ruleset: str
    level: int
    legal: bool
    problems: tuple[ProblemJson, ...]
    overrides: tuple[OverrideJson, ...]
    table_rules: dict[str, str]
    values: dict[str, show_json.ValueJson]
    holdings: tuple[show_json.HoldingJson, ...]
    units: tuple[ExportedUnit, ...]
    conditions: tuple[show_json.ConditionJson, ...]
    notes: tuple[show_json.NoteJson, ...]
    sheet: part_model(view.SheetView)  # type: ignore[valid-type]


def _sheet(part: view.SheetView | view.UnitPanel, values: Values) -> dict[str, Any]:
    """Return the fields of a sheet or a panel for its model."""
    shown = {name: getattr(part, name) for name, _field in _fields(type(part))}
    lines = tuple(attack_lines(part.weapons))
    return {**shown, "attacks": lines, "tracks": tuple(tracks(values))}


def export(character: Character, problems: Sequence[Problem] = ()) -> Export:
    """Return everything computed of a character; ``problems`` are those of its file."""
    sheet, state = build(character), character.state
    return Export(
        name=character.name,
        ruleset=state.ruleset.id,
        level=state.level,
        legal=character.legal and not problems,
        problems=show_json.problems_json(problems),
        overrides=[
            OverrideJson(
                decision=overridden.decision,
                by=overridden.override.by,
                reason=overridden.override.reason,
                against=overridden.reasons,
            )
            for overridden in character.overridden
        ],
        table_rules=dict(sorted(state.rules.items())),
        values=show_json.values(state, state.units[0]),
        holdings=show_json.holdings(state, state.units[0]),
        units=[
            ExportedUnit(
                **show_json.unit_head(state, unit),
                values=show_json.values(state, unit),
                holdings=show_json.holdings(state, unit),
                sheet=_sheet(panel, state.values(unit.id)),
            )
            for unit, panel in zip(state.units[1:], sheet.units, strict=True)
        ],
        conditions=show_json.conditions(state, *state.units),
        notes=show_json.notes(character),
        sheet=_sheet(sheet, state.values()),
    )


def write(character: Character, problems: Sequence[Problem] = ()) -> str:
    """Return the JSON text: keys in the order of the models, letters as they are."""
    data = export(character, problems).model_dump(mode="json", by_alias=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


class ExportSchema(GenerateJsonSchema):
    """Names the definitions of the models without the word "Json"."""

    def get_defs_ref(self, core_mode_ref: tuple[CoreRef, JsonSchemaMode]) -> DefsRef:
        """Return the name of a definition; ``core_mode_ref`` contains its class name."""
        ref, mode = core_mode_ref
        name = ref.replace("Json:", ":")
        return super().get_defs_ref((CoreRef(name), mode))


def export_schema() -> dict[str, Any]:
    """Return the JSON Schema of what ``write`` returns, which is stored as ``SCHEMA``."""
    return Export.model_json_schema(mode="serialization", schema_generator=ExportSchema)
