"""Attacks, damage and psionics in play. Rail rifle: REF 8 + 5, EV 9."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import ConditionEvent, ProcedureEvent
from charforge.character.state import CHARACTER
from charforge.errors import RuleRefusal
from charforge.procedures.inputs import read_input
from charforge.replay.loaded_character import load_document
from charforge.verbs.change import change_character, draft_event
from tests.phase_2d10.conftest import texts


@pytest.mark.parametrize(
    ("called", "penalty", "place"),
    [
        (3, 6, "Eye"), (4, 6, "Neck"), (5, 4, "Head"), (6, 4, "Hand"), (7, 3, "Arm"),
        (8, 2, "Chest"), (10, 2, "Chest"), (11, 4, "Vitals"), (12, 3, "Abdomen"),
        (13, 3, "Abdomen"), (14, 3, "Leg"), (16, 3, "Leg"), (17, 4, "Knee"), (18, 4, "Foot"),
    ],
)  # fmt: skip
def test_called_shots_take_the_penalty_of_the_location(table, called, penalty, place):
    # 13 + 5 + 5 less the penalty; no location is rolled, and the side is that of the lowered AR.
    done = table.use("Rail rifle", {"own": [(5, 5)]}, vs=10, called=called)
    ar = 23 - penalty
    assert done.outputs["ar"] == ar
    assert f"{place}, {'left' if ar % 2 else 'right'} side" in texts(done)


def test_a_location_is_typed_by_the_name_that_is_printed(table):
    rules = table.state.ruleset
    for procedure, name in (("damage", "location"), ("attack", "called"), ("struck", "location")):
        asked = rules.procedure(procedure).input(name)
        assert [read_input(rules, asked, word) for word in ("head", "Vitals", "11")] == [5, 11, 11]


def test_special_damage_has_its_own_row_in_place_of_a_location(table):
    # Flamer: REF 8 + 2 + 2 = 12 against 12; EV 7 - 3 = 4.
    done = table.use("Flamer", {"own": [(1, 1)]}, vs=12, rv=3)
    assert done.outputs["dealt"] == 4
    told = "Special damage: Shock check 18; wound −1, on fire (Shock DV 14 or wounded again)."
    assert told in texts(done)
    with pytest.raises(RuleRefusal, match="cannot be a called shot"):
        table.use("Flamer", vs=12, called=5)


# ------------------------------------------------------------------ damage taken

# Armour is 6, BODY 7.


def hurt(table, location, *, ar=10, er=10, die=20):
    """Take a hit of a known location; ER 10 leaves 4 damage after the armour."""
    faces = {"die": [[die]]} if er > 6 else {}
    return table("damage", faces, amount=er, ar=ar, location=location)


@pytest.mark.parametrize(
    ("location", "right", "left"),
    [
        (3, "eye_right", "eye_left"), (4, "neck", "neck"), (5, "head", "head"),
        (6, "hand_right", "hand_left"), (7, "arm_right", "arm_left"), (8, "chest", "chest"),
        (9, "chest", "chest"), (10, "chest", "chest"), (11, "vitals", "vitals"),
        (12, "abdomen", "abdomen"), (13, "abdomen", "abdomen"), (14, "leg_right", "leg_left"),
        (15, "leg_right", "leg_left"), (16, "leg_right", "leg_left"),
        (17, "knee_right", "knee_left"), (18, "foot_right", "foot_left"),
    ],
)  # fmt: skip
def test_even_is_right_odd_is_left_and_each_hit_one_wound(table, location, right, left):
    for ar, place in ((10, right), (11, left)):
        before = table[place]
        done = hurt(table, location, ar=ar)
        assert table[place] == before + 1
        assert any(text.endswith("left side" if ar % 2 else "right side") for text in texts(done))
    assert sum(table[name] for name in table.state.ruleset.group("wounds")) == 2


def test_damage_that_was_saved_for_the_dead_replays(cy):
    """Nobody can hurt the dead now; a file with such a hit opens as it was."""
    opened = cy()
    dead = draft_event(ConditionEvent, condition="status/dead", unit=CHARACTER)
    hit = draft_event(
        ProcedureEvent, procedure="damage", unit=CHARACTER,
        inputs={"amount": 8, "rv": 0, "ar": 20, "location": 14}, faces={"die": [[20]]},
    )  # fmt: skip
    after = change_character(change_character(opened, dead), hit)
    read = reader.parse_document(to_text(after.document), Path("cy.json"))
    again = load_document(read, Path("cy.json"), opened.ruleset)
    assert not again.problems
    assert again.character.state.values(CHARACTER).total("leg_right") == 1


# ------------------------------------------------------------------ psionics: Power 9, 12 points


def test_points_set_range_and_ping_and_power_counts_in_full(table):
    # AR 9 + 10 = 19 with 1 point and with 10.
    for points, where in ((1, "20 m"), (10, "Solar system")):
        done = table("psionic-attack", {"own": [(5, 5)]}, points=points, vs=19)
        assert (done.outputs["ar"], done.outputs["ping"]) == (19, 30 - points)
        assert f"Range: {where}" in texts(done)
