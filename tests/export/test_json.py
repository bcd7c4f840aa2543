"""JSON: everything computed, as its schema says, the schema shipped with the package."""

from __future__ import annotations

import json

import jsonschema
import pytest

from charforge import report
from charforge.export import json as json_export, markdown, text
from charforge.sheet import view
from charforge.sheet.build import build

# What the view has for the looks of a page alone.
LOOKS = {
    view.SheetView: {
        "name", "level", "accent", "problems", "units",  # the report has them
        "attributes_label", "cards_label", "items_label", "training_label", "actions_label",
        "lists", "trackers", "plate", "carries", "odds", "under",
    },
    view.UnitPanel: {"id", "name", "kind", "level", "trackers", "under"},  # the report has them
    view.Headline: {"summary"},
    view.Fact: {"listed"},
    view.Item: {"listed"},
    view.SheetChart: {"source"},
    view.SheetVital: {"icon"},
    view.SheetSymbol: {"icon"},
    view.SheetDie: {"shape", "tone"},
    view.SheetPoolDie: {"shape", "tone"},
    view.Chip: {"box", "ticked"},
    view.AttackLine: {"again"},
    view.Card: {"timing", "label"},  # those of its first action
}  # fmt: skip
PAIRS = [
    (view.SheetView, json_export.ExportedSheet),
    (view.UnitPanel, json_export.ExportedUnitSheet),
    (view.Fact, json_export.ExportedFact),
    (view.Headline, json_export.ExportedHeadline),
    (view.Attribute, json_export.ExportedAttribute),
    (view.SheetVital, json_export.ExportedVital),
    (view.SheetCapacity, json_export.ExportedCapacity),
    (view.Chip, json_export.ExportedChip),
    (view.SheetAction, json_export.ExportedAction),
    (view.AttackLine, json_export.ExportedAttack),
    (view.Card, json_export.ExportedCard),
    (view.Item, json_export.ExportedItem),
    (view.Entry, json_export.ExportedEntry),
    (view.StoryAnswer, json_export.ExportedStoryAnswer),
    (view.StoryPart, json_export.ExportedStoryPart),
    (view.AttackRules, json_export.ExportedAttackRules),
    (view.SheetSymbol, json_export.ExportedSymbol),
    (view.SheetDie, json_export.ExportedDie),
    (view.SheetPoolDie, json_export.ExportedPoolDie),
    (view.SheetPool, json_export.ExportedPool),
    (view.SheetTrackStep, json_export.ExportedTrackStep),
    (view.SheetTrack, json_export.ExportedTrack),
    (view.SheetChartRow, json_export.ExportedChartRow),
    (view.SheetChart, json_export.ExportedChart),
]


def test_the_schema_that_ships_is_that_of_the_models() -> None:
    """After a change: write ``json_export.schema()`` to the file again.

    Where a key goes or changes its meaning, count json_export.VERSION up.
    """
    assert json.loads(json_export.SCHEMA.read_text(encoding="utf-8")) == json_export.schema()


def test_the_output_is_as_the_schema_says(character):
    schema = json.loads(json_export.SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = json.loads(json_export.write(character))
    jsonschema.Draft202012Validator(schema).validate(found)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({**found, "level": "ten"})


@pytest.mark.parametrize(("shown", "model"), PAIRS, ids=lambda kind: kind.__name__)
def test_nothing_that_the_sheet_shows_is_left_out(shown, model):
    named = set(shown._fields)
    assert named - set(model.model_fields) == LOOKS.get(shown, set())


def test_the_report_is_in_it_and_the_models_know_its_keys(character):
    exported = json_export.export(character)
    found = exported.model_dump(mode="json", by_alias=True)
    told = json.loads(json.dumps(report.character(character, ())))
    assert found["values"] == told["values"]
    assert [unit["values"] for unit in found["units"]] == [u["values"] for u in told["units"]]
    assert [h["instance"] for h in found["holdings"]] == [h["instance"] for h in told["holdings"]]
    parts = [exported, *exported.units, *exported.holdings, *exported.values.values()]
    assert [part.model_extra for part in parts if part.model_extra] == []


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
    assert pistol["capacities"] == [{"label": "Ammo", "max": 3, "pieces": 1, "used": []}]
    row = f"| **+{vsn + 2}** vs AGI (VSN {vsn} + Training 2) | **12** {pistol['types']} |"
    assert f"| 30 m {row}" in markdown.write(character)
    assert f"+{vsn + 2} vs AGI, 30 m, 12 {pistol['types']}; Training; Ammo 3" in " ".join(
        text.write(character).split()
    )


def test_units_come_with_their_sheet(make):
    found = json.loads(json_export.write(make(asset="companion/sky-beast")))
    (beast,) = found["units"]
    shown = build(make(asset="companion/sky-beast")).units[0]
    assert (beast["entity"], beast["level"]) == ("companion/sky-beast", 10)
    assert beast["sheet"]["attacks"][0]["roll"] == shown.attacks[0].roll
    assert beast["sheet"]["vitals"][1]["shared"] is True
