"""Action rolls, opposed rolls, surprise, malfunction."""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal
from tests.phase_2d10.conftest import texts


@pytest.mark.parametrize(
    ("dice", "vs", "success", "level"),
    [
        ((4, 4), 18, 1, 0),  # 8 + 10 = 18: equal is a success
        ((4, 3), 18, 0, 0),  # 17
        ((5, 5), 18, 1, 0),  # 20: 2 over
        ((6, 5), 18, 1, 1),  # 21: 3 over
        ((7, 6), 18, 1, 1),  # 23: 5 over
        ((7, 7), 18, 1, 2),  # 24: 6 over
        ((10, 10), 10, 1, 6),  # 30: 20 over
    ],
)
def test_levels_of_success(table, dice, vs, success, level):
    # INT 6 + Perception 4.
    done = table("action-roll", {"own": [dice]}, attribute="int", skill="perception", vs=vs)
    assert (done.outputs["success"], done.outputs["level"]) == (success, level)
    assert done.outputs["ar"] == 10 + sum(dice)


def test_modifiers_surprise_and_wounds_count(table):
    # BODY 7 + 1 + 4 (Surprise) - 2 (chest) = 10; 3 + 4 more.
    table.change("chest", 1)
    done = table("action-roll", {"own": [(3, 4)]}, attribute="body", modifier=1, surprise=1, vs=17)
    assert (done.outputs["ar"], done.outputs["success"]) == (17, 1)


def test_a_check_needs_one_score(table):
    with pytest.raises(RuleRefusal, match="Give either"):
        table("action-roll", vs=10)
    with pytest.raises(RuleRefusal, match="Give either"):
        table("action-roll", attribute="int", fixed=9, vs=10)


@pytest.mark.parametrize(
    ("against", "option", "dv"),
    [("set", "0", 14), ("set", "10", 14), ("character", "0", 14), ("character", "10", 24)],
)
def test_the_bonus_of_an_opposed_dv(table, against, option, dv):
    # 14 as it is; another character's attribute + skill + 10 where the table rules so.
    table.rule("opposed_dv_bonus", option)
    done = table("action-roll", {"own": [(1, 1)]}, attribute="int", vs=14, against=against)
    assert done.outputs["margin"] == 6 + 2 - dv


@pytest.mark.parametrize(
    ("kind", "option", "dv"),
    [
        ("attack", "0", 15), ("attack", "10", 25),
        ("psionic", "0", 13), ("psionic", "10", 23),
        ("detection", "0", 10), ("detection", "10", 20),
    ],
)  # fmt: skip
def test_ones_own_dvs_with_and_without_the_bonus(table, kind, option, dv):
    table.rule("opposed_dv_bonus", option)
    assert table("withstand", ar=dv, kind=kind).outputs == {"dv": dv, "success": 1, "level": 0}
    assert table("withstand", ar=dv - 1, kind=kind).outputs["success"] == 0
    assert table("withstand", ar=dv + 7, kind=kind).outputs["level"] == 2


def test_wounds_lower_the_dv_that_one_withstands_with(table):
    table.change("arm_left", 2)  # 15 - 2
    assert table("withstand", ar=13).outputs["success"] == 1


@pytest.mark.parametrize(
    ("how", "score"), [("hiding", 23), ("unexpected", 17)]
)  # REF 8 + Sneak 5 + 10; INF 5 + Persuasion 2 + 10
def test_surprise_needs_an_ar_strictly_below_the_score(table, how, score):
    assert table("surprise", how=how, ar=score - 1).outputs == {"score": score, "surprised": 1}
    assert table("surprise", how=how, ar=score).outputs == {"score": score, "surprised": 0}


def test_surprise_scores_have_no_further_bonus(table):
    table.rule("opposed_dv_bonus", "10")
    assert table("surprise", how="hiding", ar=23).outputs == {"score": 23, "surprised": 0}


def test_the_targets_perception_may_be_rolled(table):
    # 9 + 6 + 7 = 22 is below 23.
    done = table("surprise", {"dice": [(6, 7)]}, how="hiding", perception=9)
    assert done.outputs["surprised"] == 1
    with pytest.raises(RuleRefusal, match="target's AR"):
        table("surprise", how="hiding")


@pytest.mark.parametrize(("vs", "surprised"), [(20, 0), (21, 1)])
def test_noticing_opponents(table, vs, surprised):
    # 4 + 6 + INT 6 + Perception 4 = 20.
    done = table("notice", {"own": [(4, 6)]}, vs=vs)
    assert done.outputs == {"ar": 20, "surprised": surprised}


@pytest.mark.parametrize(("damage", "works"), [(7, 1), (8, 0)])
def test_malfunction_equal_saves(table, damage, works):
    # Toughness 10 + 5 + 6 = 21 against 14 + 7 = 21, 14 + 8 = 22.
    done = table("malfunction", {"dice": [(5, 6)]}, amount=damage)
    assert done.outputs == {"total": 21, "success": works}


def test_malfunction_is_not_touched_by_wounds_and_knows_other_things(table):
    table.change("chest", 3)
    assert table("malfunction", {"dice": [(5, 6)]}, amount=7).outputs["success"] == 1
    done = table("malfunction", {"dice": [(5, 6)]}, amount=7, toughness_of=9)
    assert done.outputs == {"total": 20, "success": 0}


def test_the_order_in_the_phase_is_init(table):
    assert table("initiative").outputs == {"score": 9}
    table("influenced", er=4)
    last = table("initiative")
    # Below every INIT, which is 0 to 99: 9 - 100.
    assert last.outputs == {"score": -91}
    assert "Impressed: you act last." in texts(last)


def test_a_skill_of_ones_own_is_rolled_by_its_name(table):
    # Medicine: INT 6 + 2 + 5 + 5 = 18.
    done = table.use("Medicine: Skill roll", {"own": [(5, 5)]}, vs=18)
    assert "AR 18 against DV 18: success, level 0." in texts(done)
