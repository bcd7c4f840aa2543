"""Damage that the soldier takes, and the wounds it makes.

Hit points 50, damage resistance 6, damage threshold 10.
"""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal

PLACES = ("mobility", "action", "core", "vital", "critical")


def wounds(table):
    return [table[f"wounds_{place}"] for place in PLACES]


def test_resistance_keeps_damage_off(table):
    # 14 − 6 = 8, which does not surpass 10.
    done = table("damage", amount=14)
    assert (done.outputs, table["hp"]) == ({"dealt": 8, "wounds": 0}, 42)


def test_penetration_and_rending_count_against_the_own_figures(table):
    # 14 − (6 − 4) = 12; threshold 10 − 2 = 8: floor(11 / 8) = 1 wound, at 16: vital.
    done = table("damage", [16], amount=14, penetration=4, rending=2)
    assert (done.outputs, table["hp"], table["bleed"]) == ({"dealt": 12, "wounds": 1}, 38, 2)


@pytest.mark.parametrize(
    ("face", "place"),
    [(1, 0), (4, 0), (5, 1), (8, 1), (9, 2), (12, 2), (13, 3), (16, 3), (17, 4), (20, 4)],
)
def test_a_d20_places_a_wound(table, face, place):
    # 17 − 6 = 11: floor(10 / 10) = 1.
    table("damage", [face], amount=17)
    assert wounds(table) == [int(place == at) for at in range(5)]
    assert table["morale"] == -1


def test_a_place_d20_is_no_check(table):
    # A wound takes 1 morale; a 1 or a 20 on its d20 changes nothing more.
    table("damage", [1], amount=17)
    table("damage", [20], amount=17)
    assert table["morale"] == -2


@pytest.mark.parametrize(
    ("face", "hp", "bleed", "prone"),
    [(2, 39, 0, 1), (6, 39, 0, 0), (10, 34, 0, 0), (14, 39, 2, 0), (18, 29, 0, 0)],
)
def test_what_a_wound_does_at_once(table, face, hp, bleed, prone):
    # 50 − 11; core 5 further, critical 10 further, past resistance.
    table("damage", [face], amount=17)
    assert (table["hp"], table["bleed"], table.under("status/prone")) == (hp, bleed, prone)


def test_every_wound_has_its_own_d20_and_takes_morale(table):
    # 37 − 6 = 31: floor(30 / 10) = 3 wounds: core, core, critical: 50 − 31 − 5 − 5 − 10 → 0.
    table("damage", [9, 12, 20], amount=37)
    assert (wounds(table), table["hp"], table["morale"]) == ([0, 0, 2, 0, 1], 0, -3)


def test_damage_of_core_and_critical_wounds_is_not_multiplied(table):
    # 17 − 6 = 11, × 2 = 22; 1 wound + 2 of Hailfire, all core: 22 + 3 × 5 = 37.
    table("damage", [10, 10, 10], amount=17, hailfire=1)
    assert (table["hp"], wounds(table)) == (13, [0, 0, 3, 0, 0])


def test_hailfire_adds_its_value_of_wounds_at_a_table_that_rules_so(table):
    # 1 wound + 1.
    table.rule("hailfire_wounds", "h")
    table("damage", [6, 6], amount=17, hailfire=1)
    assert (table["hp"], wounds(table)) == (28, [0, 2, 0, 0, 0])


def test_wounds_of_a_called_shot_go_to_their_place_without_a_d20(table):
    # 1 wound + 3 of Hailfire 2: 11 × 3 = 33 damage, vital 4 times: 8 bleed.
    table("damage", amount=17, hailfire=2, place="vital")
    assert (wounds(table), table["bleed"], table["hp"]) == ([0, 0, 0, 4, 0], 8, 17)


def test_vital_wounds_weaken_the_resistance_against_later_damage(table):
    # First 17 − 6 = 11, vital: DR 5. Then 14 − 5 = 9.
    table("damage", [13], amount=17)
    assert table("damage", amount=14).outputs["dealt"] == 9


def test_hardiness_is_counted_as_resistance(table):
    # 14 − (6 + 3) = 5.
    table.put("effect/hardiness", 3)
    assert table("damage", amount=14).outputs["dealt"] == 5


@pytest.mark.parametrize("place", ["mobility", "action"])
def test_the_5th_wound_severs_a_limb(table, place):
    table.change(f"wounds_{place}", 3)
    table("wound", place=place)
    assert table.under("status/limb-severed") == 0
    table("wound", place=place)
    assert (table.under("status/limb-severed"), table.under("status/killed")) == (1, 0)


@pytest.mark.parametrize("place", ["core", "vital", "critical"])
def test_the_5th_wound_kills(table, place):
    table.change(f"wounds_{place}", 3)
    table("wound", place=place)
    assert table.under("status/killed") == 0
    table("wound", place=place)
    assert (table.under("status/killed"), table.under("status/limb-severed")) == (1, 0)
    with pytest.raises(RuleRefusal, match="dead"):
        table("damage", amount=1)


def test_there_is_no_6th_box_but_all_else_of_a_wound(table):
    table.change("wounds_mobility", 5)
    table("wound", place="mobility")
    assert (table["wounds_mobility"], table["morale"]) == (5, -1)
    assert (table.under("status/limb-severed"), table.under("status/prone")) == (0, 1)


def test_damage_can_go_straight_to_hit_points(table):
    table("damage", amount=13, straight=1)
    assert (table["hp"], wounds(table)) == (37, [0] * 5)


def test_half_of_the_damage_is_taken_after_resistance(table):
    # (31 − 6) / 2 = 12: 1 wound (floor(11 / 10)).
    table("damage", [6], amount=31, half=1)
    assert (table["hp"], wounds(table)) == (38, [0, 1, 0, 0, 0])


def test_healing_stops_at_the_maximum(table):
    table("damage", amount=16)
    assert table("heal", amount=30).outputs["restored"] == 10
    assert table["hp"] == 50


def test_a_healed_wound_takes_its_penalty_along(table):
    table.change("wounds_core", 3)
    table("wound-healed", place="core", points=2)
    assert (table["wounds_core"], table["healing_threshold"]) == (1, 4)


# ------------------------------------------------------------------ evading


def test_evading_needs_bob_and_weave(table):
    with pytest.raises(RuleRefusal, match="Bob and Weave"):
        table("evade", attack=15)


@pytest.mark.parametrize(
    ("face", "outside", "taken"),
    [(8, 1, 0), (8, 0, 1), (7, None, 2)],
)
def test_an_acrobatics_check_that_equals_the_attack_roll_evades(table, face, outside, taken):
    # 8 + 7 = 15 equals 15; 7 + 7 = 14 fails.
    table.use("Bob and Weave")
    chosen = {} if outside is None else {"outside": outside}
    done = table("evade", [face], chosen, attack=15, trait="rocket")
    assert (done.outputs["success"], done.outputs["taken"]) == (int(face == 8), taken)
    assert table.under("status/prone") == 0


@pytest.mark.parametrize(("outside", "hp"), [(1, 50), (0, 41)])
def test_whoever_evades_takes_none_or_half_of_the_damage(table, outside, hp):
    # (24 − 6) / 2 = 9.
    table.use("Bob and Weave")
    table("evade", [10], {"outside": outside}, attack=15, amount=24)
    assert table["hp"] == hp


def test_only_one_success_a_turn(table):
    table.use("Bob and Weave")
    table("evade", [2], attack=15)
    table("evade", [15], {"outside": 1}, attack=15)
    with pytest.raises(RuleRefusal, match="only once per turn"):
        table("evade", attack=15)
    table("turn-end")
    table("evade", [15], {"outside": 1}, attack=15)


@pytest.mark.parametrize(("face", "success"), [(10, 1), (9, 0)])
def test_emergency_evading_takes_2_and_ends_prone_either_way(table, face, success):
    # 10 + 7 − 2 = 15.
    done = table("evade", [face], attack=15, emergency=1)
    assert (done.outputs["success"], table.under("status/prone")) == (success, 1)


def test_nobody_evades_after_a_charge(table):
    table.use("Charge")
    with pytest.raises(RuleRefusal, match="Charge"):
        table("evade", attack=15, emergency=1)
    table("turn")
    table("evade", [9], attack=15, emergency=1)


def test_mobility_wounds_hamper_evading(table):
    # 8 + (7 − 1) = 14.
    table.use("Bob and Weave")
    table.change("wounds_mobility", 1)
    assert table("evade", [8], attack=15).outputs["success"] == 0
