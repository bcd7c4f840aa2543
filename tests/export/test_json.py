"""JSON: all values of a character, in the form of the shipped schema; every entity."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from charforge.export import SCHEMA, json as json_export, show_json
from charforge.export.show_json import EntityJson, entity_json
from charforge.export.text_formats import write
from charforge.rules.loading.loader import built_in, load_folder
from charforge.sheet.build import build
from tests.conftest import HARBOUR
from tests.source import EXAMPLES


def test_the_schema_that_ships_is_that_of_the_models() -> None:
    """Where a key goes or changes its meaning, ``json_export.EXPORT_VERSION`` goes up."""
    shipped = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert shipped == json_export.export_schema(), "run python docs/json_output.py"


def test_the_output_is_as_the_schema_says(character):
    schema = json_export.export_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    found = json.loads(json_export.write(character))
    jsonschema.Draft202012Validator(schema).validate(found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({**found, "level": "ten"})


@pytest.mark.parametrize("part", json_export.LEFT_OUT, ids=lambda part: part.__name__)
def test_fields_left_out_exist(part):
    """A renamed field of the view would be exported under its new name otherwise."""
    assert set(json_export.LEFT_OUT[part]) <= set(part._fields)


def test_values_and_holdings_are_those_of_the_report(character):
    exported = json_export.export(character)
    data = exported.model_dump(mode="json", by_alias=True)
    reported = json.loads(show_json.character(character, ()).model_dump_json())
    assert data["values"] == reported["values"]
    assert [u["values"] for u in data["units"]] == [u["values"] for u in reported["units"]]
    instances = [holding["instance"] for holding in reported["holdings"]]
    assert [holding["instance"] for holding in data["holdings"]] == instances
    parts = [exported, *exported.units, *exported.holdings, *exported.values.values()]
    assert [part.model_extra for part in parts if part.model_extra] == []


def test_a_factor_may_be_a_fraction():
    step = show_json.StepJson(source="system/half", op="multiply", amount=0.5, total=3)
    assert step.model_dump() == {
        "source": "system/half", "op": "multiply", "amount": 0.5, "total": 3,
    }  # fmt: skip


def test_keys_are_in_the_order_of_the_models_and_letters_stay(hostile):
    written = json_export.write(hostile)
    assert list(json.loads(written)) == list(json_export.Export.model_fields)
    assert "漢字" in written
    assert written == json_export.write(hostile)
    assert written.endswith("\n}\n")


def test_own_words_are_what_the_player_wrote(hostile):
    found = json.loads(json_export.write(hostile))
    assert found["name"] == hostile.name
    story = {part["id"]: part["told"] for part in found["sheet"]["story"]}
    assert story["personality.goal"] == [{"name": hostile.name, "text": ""}]
    assert story["story.background"][0]["text"].splitlines()[:2] == ["# No heading", "- no list"]
    assert found["table_rules"] == {"cooldown": "or_less"}


def test_figures_are_those_that_one_types(character):
    """A program reads ``-2`` and finds ``1d6 + 2``; a page has other signs for them."""
    found = json.loads(json_export.write(character))
    rolls = [attack["roll"] for attack in found["sheet"]["attacks"]]
    assert rolls == [f"{int(roll):+d}" for roll in rolls] != []
    assert "\N{NO-BREAK SPACE}" not in json_export.write(character)


def test_the_pistol_of_the_rulebook(make):
    """Special Assets, Pistol: 30 m, VSN vs AGI, 12 damage, 3 Ammo, Training comes with it."""
    character = make(level=1, asset="special-weapon/pistol", role="role/the-healer")
    found = json.loads(json_export.write(character))
    vsn = found["values"]["vsn"]["total"]
    (pistol,) = [a for a in found["sheet"]["attacks"] if a["bearer"].startswith("Pistol")]
    # The bonus is VSN and 2 for Training.
    assert (pistol["roll"], pistol["made_of"]) == (f"+{vsn + 2}", f"VSN {vsn} + Training 2")
    assert (pistol["range"], pistol["versus"], pistol["damage"]) == ("30 m", "AGI", "12")
    assert pistol["capacities"] == [
        {"label": "Ammo", "max": 3, "pieces": 1, "used": [], "used_at_once": 1}
    ]
    row = f"| **+{vsn + 2}** vs AGI (VSN {vsn} + Training 2) | **12** {pistol['types']} |"
    assert f"| 30 m {row}" in write("markdown", character)
    assert f"Pistol (Ammo 3): +{vsn + 2} vs AGI, 30 m, 12 {pistol['types']}" in " ".join(
        write("text", character).split()
    )


def test_units_come_with_their_sheet(make):
    found = json.loads(json_export.write(make(asset="companion/sky-beast")))
    (beast,) = found["units"]
    shown = build(make(asset="companion/sky-beast")).units[0]
    assert (beast["entity"], beast["level"]) == ("companion/sky-beast", 10)
    assert beast["sheet"]["attacks"][0]["roll"] == shown.weapons[0].attacks[0].roll
    assert beast["sheet"]["vitals"][1]["shared"] is True


# ------------------------------------------------------------------ entities


GAMES = [
    *built_in().values(),
    *(
        path.parent
        for folder in (EXAMPLES, HARBOUR.parent)
        for path in folder.glob("*/ruleset.yaml")
    ),
]


@pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)
def test_every_entity_has_data_that_its_model_reads(folder: Path) -> None:
    rules = load_folder(folder)
    for entity in rules.entities.values():
        printed = entity_json(entity, rules).model_dump_json()
        data = json.loads(printed)
        assert EntityJson.model_validate_json(printed).model_dump(mode="json") == data
        own = {name: data[name] for name in rules.kinds[entity.kind].fields}
        assert own == {name: entity.own.get(name) for name in own}
