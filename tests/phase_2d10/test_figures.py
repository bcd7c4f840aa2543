"""What is computed: AVs, DVs, surprise scores, armour, wounds and what they do."""

from __future__ import annotations

import pytest

from charforge.character.local_formulas import local_numbers
from tests.phase_2d10.conftest import Table, layers

AVS = {
    "av_perception": 10,  # INT 6 + Perception 4
    "av_sneak": 13,  # REF 8 + Sneak/Camouflage 5
    "av_persuasion": 7,  # INF 5 + Persuasion 2
    "av_focus": 9,  # Power 6 + Focus 3
    "awareness": 7,
    "shock_av": 7,  # BODY 7
}
DVS = {
    "attack_dv": 15,
    "psionic_dv": 13,  # WILL 9 + Defense 4
    "detection_dv": 10,  # INT 6 + Defense 4
    "surprise_hidden": 23,  # REF 8 + Sneak 5 + 10
    "surprise_open": 17,  # INF 5 + Persuasion 2 + 10
}
# The penalty of 1 wound in each place, as the tables print it.
PENALTIES = {
    "eye_right": 1, "eye_left": 1, "neck": 2, "head": 1, "hand_right": 1, "hand_left": 1,
    "arm_right": 1, "arm_left": 1, "chest": 2, "vitals": 2, "abdomen": 2, "leg_right": 1,
    "leg_left": 1, "knee_right": 1, "knee_left": 1, "foot_right": 1, "foot_left": 1,
    "wounds_explosion": 2, "wounds_sonic": 2, "wounds_fire": 1, "wounds_cold": 1,
}  # fmt: skip


@pytest.mark.parametrize(("value", "figure"), {**AVS, **DVS}.items())
def test_avs_and_dvs_are_attribute_and_skill(table, value, figure):
    assert table[value] == figure


@pytest.mark.parametrize(
    ("name", "hurt", "av"),
    [
        ("Medicine", 0, 8),  # INT 6 + 2
        ("Medicine", 1, 6),  # less 2 for the chest
        ("Rail rifle", 0, 13),  # REF 8 + 5
        ("Rail rifle", 1, 11),
        ("Dread", 0, 9),  # Power 6 + Focus 3
        ("Dread", 1, 7),
    ],
)
def test_things_of_ones_own_have_their_av(table, name, hurt, av):
    table.change("chest", hurt)
    held = next(one for one in table.state.holdings if one.name == name)
    assert local_numbers(table.state, held)["av"] == av


@pytest.mark.parametrize(
    ("worn", "total"),
    [
        ((), 0),
        ((5,), 5),
        ((5, 3), 6),  # 5 + floor(3 / 2)
        ((3, 5), 6),  # the order of the layers does not matter
        ((4, 4), 6),  # 4 + 2
        ((2, 7, 5), 9),  # 7 + floor(5 / 2); the third counts nothing
        ((1, 2, 3, 9), 10),  # 9 + floor(3 / 2)
        ((9, 8, 1, 1), 13),  # 9 + 4
    ],
)
def test_armour_is_the_highest_layer_and_half_the_next(cy, worn, total):
    answers = dict.fromkeys(layers(5, 3))
    assert Table(cy({**answers, **layers(*worn)}).character.state)["armour"] == total


@pytest.mark.parametrize(
    ("behind", "total"),
    [
        (2, 6),  # 5 + floor(3 / 2): the worn second layer is still the next highest
        (4, 7),  # 5 + floor(4 / 2)
        (8, 10),  # 8 + floor(5 / 2)
    ],
)
def test_what_one_hides_behind_is_a_layer(table, behind, total):
    table("hide-behind", rv=behind)
    assert table["armour"] == total
    table("hide-behind", rv=0)
    assert table["armour"] == 6


@pytest.mark.parametrize(("place", "penalty"), PENALTIES.items())
def test_each_place_has_its_penalty(table, place, penalty):
    table.change(place, 1)
    assert table["wound_penalty"] == -penalty
    table.change(place, 1)
    assert table["wound_penalty"] == -2 * penalty


def test_every_wound_is_a_resource_of_the_table_above(phase):
    assert set(phase.group("wounds")) == PENALTIES.keys()


def test_wounds_lower_every_av_and_dv_and_nothing_else(table):
    # Chest 2, an arm 1, a sonic wound 2: 5 in all.
    before = {name: table[name] for name in ("body", "int", "init", "toughness", "armour", "run")}
    for place in ("chest", "arm_left", "wounds_sonic"):
        table.change(place, 1)
    assert {name: table[name] for name in AVS} == {name: n - 5 for name, n in AVS.items()}
    assert {name: table[name] for name in DVS} == {name: n - 5 for name, n in DVS.items()}
    assert {name: table[name] for name in before} == before


@pytest.mark.parametrize(
    ("hurt", "run", "jump"),
    [
        (["leg_right"], 9, 4),  # 11 - 2
        (["leg_right", "leg_right", "leg_left"], 5, 4),  # 11 - 3 x 2
        (["foot_left"], 5, 0),  # floor(11 / 2)
        (["foot_left", "foot_left"], 5, 0),  # still the one foot
        (["foot_left", "leg_left"], 3, 0),  # floor(11 / 2) - 2
        (["foot_left", "foot_right"], 0, 0),  # no RUN replaces half RUN; no JUMP stays
        (["knee_right"], 0, 0),
        (["leg_right"] * 6, 0, 4),  # 11 - 12, never below 0
        (["arm_right"], 11, 4),
    ],
)
def test_run_and_jump(table, hurt, run, jump):
    for place in hurt:
        table.change(place, 1)
    assert (table["run"], table["jump"]) == (run, jump)


def test_one_eye_costs_depth_perception_both_make_blind(table):
    table.change("eye_left", 1)
    assert (table.under("status/no-depth-perception"), table.under("status/blind")) == (1, 0)
    table.change("eye_left", 1)
    assert (table.under("status/no-depth-perception"), table.under("status/blind")) == (1, 0)
    table.change("eye_right", 1)
    assert (table.under("status/no-depth-perception"), table.under("status/blind")) == (0, 1)


@pytest.mark.parametrize(
    ("place", "status"),
    [
        ("hand_right", "status/right-hand-useless"),
        ("hand_left", "status/left-hand-useless"),
        ("wounds_sonic", "status/deaf"),
    ],
)
def test_what_a_wound_takes_away_comes_back_when_it_heals(table, place, status):
    table.change(place, 1)
    assert table.under(status) == 1
    table("heal", wound=place, amount=1)
    assert table.under(status) == 0


def test_awe_lowers_ref_int_and_inf_and_all_that_has_them(table):
    table("influenced", er=10)
    assert [table[name] for name in ("ref", "int", "inf")] == [5, 3, 2]
    assert [table[name] for name in ("body", "will", "spirit", "rec")] == [7, 9, 4, 8]
    lowered = {"av_perception", "av_sneak", "av_persuasion", "detection_dv", "surprise_hidden",
               "surprise_open"}  # fmt: skip
    for name, figure in {**AVS, **DVS}.items():
        assert table[name] == figure - 3 * (name in lowered), name
