"""Sources, rulings and charts of the pack. What it contains is in its samples."""

from __future__ import annotations

import re

import pytest

WOUNDS = ["Mobility", "Action", "Core", "Vital", "Critical"]
SECTIONS = {
    "Procedure for weapon attack", "Special Actions", "Turn Sequence, Initiative, and Actions",
    "Combat Behaviors", "Movement Basics", "Crippling Wounds", "Morale", "Unit Rules",
    "Units Attacking", "Attacking Units", "Leadership Options", "Tactics Combat Augmentations",
    "Tactics Options", "Leadership Combat Augmentations", "Lore Combat Augmentations",
    "Lore Options", "Sneaking and Cloaking", "Combat Influence", "Combat Influence Types",
    "Combat Modifiers",
}  # fmt: skip
RULINGS = {f"S{number:02}" for number in range(1, 33)} | {"S01a", "S03a", "S08a", "S17a", "S21a"}


def test_every_section_of_the_fragment_is_cited_and_no_other(squad):
    cited = {entity.source for entity in squad.entities.values()}
    assert cited == SECTIONS | {"Whole fragment"}
    asked = {question.source for question in squad.head.creation}
    assert asked <= SECTIONS


def test_every_ruling_is_named_by_what_it_rules(squad):
    assert set(squad.rulings) == RULINGS
    named = {name for entity in squad.entities.values() for name in entity.rulings}
    assert named == RULINGS


def test_the_table_rule_has_both_positions(squad):
    (rule,) = squad.head.table_rules
    assert (rule.id, rule.default) == ("hailfire_wounds", "one_plus_h")
    assert [option.id for option in rule.options] == ["one_plus_h", "h"]


def test_the_wound_chart_covers_a_d20_once(squad):
    chart = squad.charts["crippling-wounds"]
    column = [one.id for one in chart.columns].index("place")
    places = [chart.row(face).cells[column] for face in range(1, 21)]
    assert places == [place for place in WOUNDS for _face in range(4)]


@pytest.mark.parametrize(
    ("chart", "row", "cells"),
    [
        ("tactics", "precision-aim", ("+1", "+2", "+3")),
        ("tactics", "defensive-stance", ("+1", "+2", "+3")),
        ("tactics", "fast-march", ("+1", "+2", "+3")),
        ("tactics", "long-shot", ("+2", "+4", "+6")),
        ("tactics", "hardiness", ("+1", "+2", "+3")),
        ("leadership", "coordinate", ("+0", "+1", "+2")),
        ("leadership", "strategic-interrupt", ("+0", "+2", "+4")),
        ("leadership", "defensive-formation", ("+0", "+2", "+4")),
        ("leadership", "efficiency", ("+0", "+2", "+4")),
        ("leadership", "rally", ("1", "2", "3")),
        ("lore", "predictable-attacks", ("−1", "−2", "−3")),
        ("lore", "weak-point", ("−2", "−4", "−6")),
        ("lore", "patterns-of-movement", ("+1", "+2", "+3")),
        ("squad-leadership", "precision-strike", ("+0", "+2", "+4")),
        ("squad-leadership", "deadly-sweep", ("2", "3", "4")),
        ("squad-leadership", "evasive-maneuvers", ("1", "2", "3")),
        ("squad-leadership", "shake-it-off", ("+0", "+3", "+6")),
    ],
)
def test_the_columns_15_20_25(squad, chart, row, cells):
    assert tuple(squad.charts[chart].row(row).cells[1:]) == cells


@pytest.mark.parametrize(
    ("row", "rounds"),
    [
        ("action-move", "–"), ("charge", "–"), ("burst-fire", "10"), ("burst-fire-full", "20"),
        ("focused-burst", "10"), ("focused-burst-full", "20"), ("suppressing-fire", "20"),
        ("suppressing-fire-full", "40"), ("saturation-fire", "10"), ("evading", "–"),
        ("emergency-evading", "–"),
    ],
)  # fmt: skip
def test_the_rounds_that_special_actions_spend(squad, row, rounds):
    chart = squad.charts["special-actions"]
    column = [one.id for one in chart.columns].index("rounds")
    assert chart.row(row).cells[column] == rounds


def test_the_sheet_prints_every_chart(squad):
    assert set(squad.charts) - set(squad.head.sheet.charts) == {"crippling-wounds"}


def test_the_boxes_of_wounds_say_what_their_chart_does(squad):
    """The d20 of each place is with its boxes, so that the sheet needs no table of them."""
    for row in squad.charts["crippling-wounds"].rows:
        spec = squad.values[f"wounds_{row.cells[0].lower()}"]
        assert spec.text.startswith("d20 {}–{}. ".format(*row.at))
        assert re.findall(r"−1", spec.text) == re.findall(r"−1", str(row.cells[2]))
        assert ("death" in spec.text) == ("Killed" in str(row.cells[3]))
