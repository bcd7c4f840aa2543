"""Charts, pools and tracks in the view and in every export."""

from __future__ import annotations

import json
from collections.abc import Callable

import jsonschema
import pytest

from charforge.character.files.events import ResourceEvent
from charforge.export import json as json_export, show_json
from charforge.export.text_formats import write
from charforge.expressions.template import plain_text
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet import phrases
from charforge.sheet.build import blank_view, build
from charforge.sheet.trackers import page_trackers
from charforge.sheet.view import SheetPoolDie
from charforge.verbs.change import change_character, draft_event

Diver = Callable[..., LoadedCharacter]
NB = "\N{NO-BREAK SPACE}"


@pytest.fixture
def cold(diver: Diver) -> LoadedCharacter:
    """A diver with nerve 5 who is numb: nerve 3 now, reach at most 1."""
    return change_character(diver(nerve=5), draft_event(ResourceEvent, value="chill", by=2))


def test_a_chart_has_the_figures_of_the_character(cold):
    (chart,) = build(cold.character).charts
    assert (chart.label, chart.key, chart.columns) == ("Bites", "Roll", ("Place", "Held for"))
    assert [(row.heading, row.cells) for row in chart.rows] == [
        ("1", ("Mask", f"1d4{NB}+{NB}3 breaths")),
        ("2–5", ("Arm", "—")),
        ("3 or more", ("Leg", "2")),
    ]


def test_a_pool_has_its_dice_with_their_looks(cold):
    (pool,) = build(cold.character).pools
    assert pool.label == "Against sharks"
    assert pool.dice == (
        SheetPoolDie("wave", "Wave", "square", "dark", 3),
        SheetPoolDie("storm", "Storm", "hexagon", "dark", 1),
    )


def test_dice_of_which_there_are_none_are_left_out(diver: Diver):
    (pool,) = build(diver(nerve=2).character).pools
    assert [(die.id, die.number) for die in pool.dice] == [("wave", 2)]


def test_the_faces_of_symbol_dice_explain_them(cold):
    fin, *_others = build(cold.character).dice
    assert [[symbol.label for symbol in face] for face in fin.faces] == [
        [], ["Pearl"], ["Pearl", "Pearl"], ["Pearl", "Tide"], ["Tide"], ["Moon"],
    ]  # fmt: skip
    assert fin.faces[1][0].icon == "star"


def test_a_track_says_where_one_stands(cold):
    view = build(cold.character)
    (track,) = view.trackers
    assert (track.id, track.heading, track.current) == ("chill", "How cold you are", 2)
    assert [(step.number, step.label, step.here) for step in track.steps] == [
        (0, "Warm", False), (1, "Shivering", False), (2, "Numb", True),
    ]  # fmt: skip
    assert plain_text(track.steps[2].text) == "Your hands are slow."
    assert [(vital.id, vital.step) for vital in view.vitals] == [("breath", ""), ("chill", "Numb")]


def test_a_value_is_printed_with_what_stands_around_it(cold):
    view = build(cold.character)
    assert [(score.id, score.before) for score in view.attributes] == [("swim", "d"), ("nerve", "")]
    assert [(fact.label, fact.text) for fact in view.figures] == [("Reach", f"1{NB}m")]


def test_a_tracker_knows_the_names_of_its_figures(cold):
    """The resource goes from -1 to 3: beyond the ends the nearest step holds."""
    page = page_trackers(cold.character, "id", cold.document.log)
    found = {one.label: one for group in page.units[0].groups for one in group.trackers}
    chill = found["Chill"]
    assert (chill.low, chill.high, chill.start) == (-1, 3, 2)
    assert chill.names == ("Warm", "Warm", "Shivering", "Numb", "Numb")
    assert found["Breath"].names == ()


def test_a_blank_sheet_has_nobodys_figures(reef):
    view = blank_view(reef)
    (chart,) = view.charts
    assert [(row.heading, row.cells) for row in chart.rows] == [
        ("1", ("Mask", "1d4 + NERVE breaths")), ("2–5", ("Arm", "—")),
        ("NERVE or more", ("Leg", "2")),
    ]  # fmt: skip
    assert [pool.dice for pool in view.pools] == [()]
    assert not any(step.here for track in view.trackers for step in track.steps)
    assert not any(vital.step for vital in view.vitals)


# ------------------------------------------------------------------ exports


def test_every_format_says_them(cold):
    found = cold.character
    said = "Against sharks: Wave 3, Storm 1"
    assert "Chill 2 (Numb)" in write("text", found)
    assert "SWIM d8" in write("text", found)
    assert said in write("text", found)
    marked = write("markdown", found)
    assert "| **Chill** | 2 (Numb) |" in marked
    assert f"- {said}" in marked
    assert "## Charts\n\n### Bites\n\n| Roll | Place | Held for |" in marked
    assert "| 2–5 | Arm | — |" in marked
    assert said in write("statblock", found)
    exported = json.loads(json_export.write(found))
    jsonschema.validate(exported, json_export.export_schema())
    assert exported["sheet"]["pools"][0]["dice"][1] == {
        "id": "storm",
        "label": "Storm",
        "number": 1,
    }
    assert exported["sheet"]["charts"][0]["rows"][1] == {"heading": "2–5", "cells": ["Arm", "—"]}


def test_the_report_says_where_a_track_stands(cold):
    values = show_json.character(cold.character, ()).values
    assert (values["chill"].total, values["chill"].track) == (2, "Numb")
    assert values["breath"].track is None


def test_a_pool_without_any_die_says_so(cold):
    (pool,) = build(cold.character).pools
    assert phrases.words(pool._replace(dice=())) == "Against sharks: no dice"
