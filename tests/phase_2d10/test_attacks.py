"""Attacks on others: AR, levels, ER, armour, location and side. Rail rifle: REF 8 + 5, EV 9."""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal
from tests.phase_2d10.conftest import texts


def test_an_attack_from_its_dice_to_its_damage(table):
    # AR 13 + 4 + 5 = 22 against 15: 7 over, level 2. ER 9 + 2 = 11; 11 - 4 = 7. 3d6: 10, the chest.
    done = table.use("Rail rifle", {"own": [(4, 5)], "three": [(2, 4, 4)]}, vs=15, rv=4)
    assert done.outputs == {
        "ar": 22, "hits": 1, "level": 2, "er": 11, "dealt": 7, "destroyed": 0, "fatal": 0,
    }  # fmt: skip
    assert "Hit location 10: Chest" in texts(done)
    assert "Chest, right side" in texts(done)
    assert "Shock check 10; wound −2." in texts(done)


def test_a_miss_rolls_nothing_more(table):
    # 13 + 2 + 3 = 18 against 19.
    done = table.use("Rail rifle", {"own": [(2, 3)]}, vs=19)
    assert (done.outputs["ar"], done.outputs["hits"], done.outputs["dealt"]) == (18, 0, 0)


@pytest.mark.parametrize(("option", "dealt"), [("er", 7), ("ev", 5)])
def test_damage_from_er_or_ev(table, option, dealt):
    # Level 2 as above: 9 + 2 - 4, or 9 - 4.
    table.rule("damage_from", option)
    done = table.use("Rail rifle", {"own": [(4, 5)], "three": [(2, 4, 4)]}, vs=15, rv=4)
    assert (done.outputs["dealt"], done.outputs["er"]) == (dealt, 11)


@pytest.mark.parametrize(("option", "hits", "level"), [("0", 1, 4), ("10", 1, 0)])
def test_the_opposed_bonus_of_an_attack(table, option, hits, level):
    # AR 13 + 7 + 7 = 27 against 15 (12 over: level 4), or against 25 (2 over: level 0).
    table.rule("opposed_dv_bonus", option)
    done = table.use("Rail rifle", {"own": [(7, 7)], "three": [(3, 3, 3)]}, vs=15)
    assert (done.outputs["hits"], done.outputs["level"]) == (hits, level)


def test_a_set_dv_never_has_the_bonus(table):
    table.rule("opposed_dv_bonus", "10")
    faces = {"own": [(1, 1)], "three": [(3, 3, 3)]}  # 13 + 2 = 15
    assert table.use("Rail rifle", faces, vs=15, against="set").outputs["hits"] == 1


def test_damage_is_never_below_0_and_the_location_is_still_told(table):
    # ER 9 against RV 30.
    done = table.use("Rail rifle", {"own": [(1, 1)], "three": [(1, 1, 1)]}, vs=15, rv=30)
    assert done.outputs["dealt"] == 0
    assert "Hit location 3: Eye" in texts(done)
    assert "No damage: no wound, no Shock check." in texts(done)
    assert not any(text.startswith("Shock check") for text in texts(done))


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


@pytest.mark.parametrize(
    ("cover", "faces", "location"),
    [
        ("none", {"three": [(6, 6, 6)]}, "18: Foot"),
        ("low", {"two": [(1, 1)]}, "3: Eye"),  # 2 + 1
        ("low", {"two": [(6, 6)]}, "13: Abdomen"),  # 12 + 1
        ("high", {"two": [(1, 1)]}, "8: Chest"),  # 2 + 6
        ("high", {"two": [(6, 6)]}, "18: Foot"),  # 12 + 6
    ],
)
def test_cover_changes_the_dice_of_the_location(table, cover, faces, location):
    done = table.use("Rail rifle", {"own": [(5, 5)], **faces}, vs=10, cover=cover)
    assert f"Hit location {location}" in texts(done)


@pytest.mark.parametrize(
    ("rv", "three", "destroyed", "fatal"),
    [
        (2, (3, 3, 3), 0, 0),  # 9 - 2 = 7
        (1, (3, 3, 3), 1, 1),  # 9 - 1 = 8, the chest
        (1, (1, 1, 1), 1, 1),  # the eye, 3
        (1, (1, 2, 2), 1, 1),  # the head, 5
        (1, (2, 2, 2), 1, 0),  # the hand, 6
        (1, (2, 2, 3), 1, 0),  # the arm, 7
        (1, (2, 3, 3), 1, 1),  # the chest, 8
        (1, (4, 4, 5), 1, 1),  # the abdomen, 13
        (1, (4, 5, 5), 1, 0),  # the leg, 14
        (1, (6, 6, 6), 1, 0),  # the foot, 18
    ],
)
def test_8_damage_destroys_and_kills_at_3_to_5_and_8_to_13(table, rv, three, destroyed, fatal):
    # AR 15 against 15: level 0, ER 9.
    done = table.use("Rail rifle", {"own": [(1, 1)], "three": [three]}, vs=15, rv=rv)
    assert (done.outputs["destroyed"], done.outputs["fatal"]) == (destroyed, fatal)


def test_surprise_and_wounds_count_on_attacks(table):
    # 13 + 4 - 2 + 2 = 17.
    table.change("vitals", 1)
    done = table.use("Rail rifle", {"own": [(1, 1)]}, vs=18, surprise=1)
    assert (done.outputs["ar"], done.outputs["hits"]) == (17, 0)


def test_special_damage_has_its_own_row_in_place_of_a_location(table):
    # Flamer: REF 8 + 2 + 2 = 12 against 12; EV 7 - 3 = 4.
    done = table.use("Flamer", {"own": [(1, 1)]}, vs=12, rv=3)
    assert done.outputs["dealt"] == 4
    told = "Special damage: Shock check 18; wound −1, on fire (Shock DV 14 or wounded again)."
    assert told in texts(done)
    with pytest.raises(RuleRefusal, match="no shot is called"):
        table.use("Flamer", vs=12, called=5)


def test_no_location_beyond_the_table_can_be_called(table):
    with pytest.raises(ProcedureError, match="19 is more than 18"):
        table.use("Rail rifle", vs=12, called=19)


def test_an_attack_needs_one_score(table):
    with pytest.raises(RuleRefusal, match="Give either"):
        table("attack", vs=10)
