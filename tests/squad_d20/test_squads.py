"""Units: what they attack with, how their members are hit, and the example of three marines.

The marines have DR 4 and damage threshold 8; Ortega has 4 life, Haas 5, Yun 6.
"""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal
from tests.squad_d20.conftest import HAAS, ORTEGA, YUN


def test_the_unit_of_the_example_gains_1_for_each_weapon_class(table):
    # The leader and Yun fire battle rifles: the leader's accuracy 7, + 1. Two marines fire assault
    # rifles: a marine's accuracy 4, + 1. Both with 1 Hailfire more.
    battle = table("attack", [10], hit="accuracy", damage="11", vs=15, firing=2)
    assert (battle.outputs["total"], battle.outputs["hail"]) == (18, 1)
    assault = table("attack", [10], unit=ORTEGA, hit="accuracy", damage="9", vs=13, firing=2)
    assert (assault.outputs["total"], assault.outputs["hail"]) == (15, 1)


@pytest.mark.parametrize(("firing", "bonus"), [(1, 0), (2, 1), (3, 2), (4, 3)])
def test_the_bonus_is_those_who_fire_less_1(table, firing, bonus):
    # 10 + 7; Hailfire 1 of the weapon itself.
    done = table("attack", [10], hit="accuracy", damage="11", vs=15, firing=firing, hailfire=1)
    assert (done.outputs["total"], done.outputs["hail"]) == (17 + bonus, 1 + bonus)


def test_a_member_attacks_with_its_own_overage_cap(table):
    # 19 + 4 = 23 is 10 over 13: Instinct 2, Strength 3.
    attack = {"hit": "accuracy", "damage": "9", "vs": 13}
    assert table("attack", [19], unit=ORTEGA, **attack).outputs["overage"] == 2
    assert table("attack", [19], unit=ORTEGA, melee=1, **attack).outputs["overage"] == 3


def test_a_natural_20_of_a_member_is_the_leaders_morale(table):
    table("attack", [20], unit=YUN, hit="accuracy", damage="9", vs=13)
    assert table["morale"] == 1


@pytest.mark.parametrize(
    ("amount", "hailfire", "lost", "life"),
    [
        (4, 0, 0, 6),  # 4 − 4 surpasses nothing
        (4, 3, 0, 6),
        (5, 0, 1, 5),
        (12, 0, 1, 5),  # 8 dealt only equals the threshold
        (12, 1, 2, 4),
        (12, 2, 3, 3),
    ],
)
def test_damage_costs_1_life_and_1_for_each_hailfire(table, amount, hailfire, lost, life):
    done = table("damage", unit=YUN, amount=amount, hailfire=hailfire)
    assert table.of(YUN, "life") == life
    assert ("lost" in done.outputs, table["minions"]) == (False, 3)
    assert table("member-hit", unit=HAAS, amount=amount, hailfire=hailfire).outputs["lost"] == lost


def test_a_member_above_its_threshold_is_dropped_at_once(table):
    # 13 − 4 = 9 surpasses 8: 1 wound, not 2.
    done = table("member-hit", unit=YUN, amount=13)
    assert (done.outputs["wounds"], done.outputs["killed"], done.outputs["lost"]) == (1, 0, 6)
    assert (table.of(YUN, "life"), table.under("status/dropped", YUN)) == (0, 1)
    assert (table["minions"], table["unit_defense"], table["unit_resolve"]) == (2, 16, 18)


@pytest.mark.parametrize(("amount", "wounds"), [(20, 1), (21, 2)])
def test_2_wounds_of_an_attack_kill_a_member(table, amount, wounds):
    # 16 dealt: floor(15 / 8) = 1; 17: floor(16 / 8) = 2.
    done = table("member-hit", unit=HAAS, amount=amount)
    assert (done.outputs["wounds"], table.of(HAAS, "life")) == (wounds, 0)
    assert table.under("status/killed", HAAS) == int(wounds == 2)
    assert table.under("status/dropped", HAAS) == int(wounds == 1)


@pytest.mark.parametrize(("rule", "wounds"), [("one_plus_h", 3), ("h", 2)])
def test_1_base_wound_and_any_hailfire_kill(table, rule, wounds):
    # 1 wound + 2, or + 1.
    table.rule("hailfire_wounds", rule)
    done = table("member-hit", unit=HAAS, amount=13, hailfire=1)
    assert (done.outputs["wounds"], done.outputs["killed"]) == (wounds, 1)


def test_multiplied_damage_drops_nobody(table):
    # 8 dealt, × 4 with Hailfire 3, but only 8 is compared with 8: 4 life lost of 6.
    done = table("member-hit", unit=YUN, amount=12, hailfire=3)
    assert (done.outputs["lost"], done.outputs["wounds"], table.of(YUN, "life")) == (4, 0, 2)


def test_the_last_life_lost_bit_by_bit_drops_a_member(table):
    # Ortega has 4 life: 3 + 3.
    table("member-hit", unit=ORTEGA, amount=12, hailfire=2)
    table("member-hit", unit=ORTEGA, amount=12, hailfire=2)
    assert (table.of(ORTEGA, "life"), table.under("status/dropped", ORTEGA)) == (0, 1)
    assert table["minions"] == 2


def test_penetration_and_rending_count_against_members(table):
    # 10 − (4 − 3) = 9; threshold 8 − 4 = 4: floor(8 / 4) = 2.
    done = table("member-hit", unit=HAAS, amount=10, penetration=3, rending=4)
    assert done.outputs["wounds"] == 2


def test_shake_it_off_cancels_life_hits_but_no_instant_kill(table):
    # 1 + 1 Hailfire − 1 cancelled = 1.
    table("member-hit", unit=YUN, amount=12, hailfire=1, cancelled=1)
    assert table.of(YUN, "life") == 5
    table("member-hit", unit=YUN, amount=13, cancelled=9)
    assert table.of(YUN, "life") == 0


def test_shake_it_off_raises_the_threshold(table):
    # 9 dealt does not surpass 8 + 3.
    assert table("member-hit", unit=YUN, amount=13, tougher=3).outputs["wounds"] == 0


def test_first_aid_brings_a_dropped_member_back_to_1_life(table):
    table("damage", unit=HAAS, amount=13)
    with pytest.raises(RuleRefusal, match="nothing can be used while Dropped"):
        table.use("Assault rifle", unit=HAAS, vs=15)
    table("first-aid", unit=HAAS)
    assert (table.of(HAAS, "life"), table.under("status/dropped", HAAS)) == (1, 0)
    assert table["minions"] == 3


def test_only_first_aid_brings_a_dropped_member_back(table):
    table("damage", unit=HAAS, amount=13)
    with pytest.raises(RuleRefusal, match="first aid"):
        table("heal", unit=HAAS, amount=2)
    assert (table.of(HAAS, "life"), table["minions"]) == (0, 2)


def test_first_aid_does_not_raise_the_dead(table):
    table("damage", unit=HAAS, amount=21)
    with pytest.raises(RuleRefusal, match="dead"):
        table("first-aid", unit=HAAS)
    assert table["minions"] == 2


def test_life_is_restored_up_to_its_maximum(table):
    table("damage", unit=HAAS, amount=5)
    table("heal", unit=HAAS, amount=4)
    assert table.of(HAAS, "life") == 5
