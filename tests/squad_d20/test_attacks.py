"""The nine steps of a weapon attack, and what makes one easier or harder.

The soldier has accuracy 7, Strength 6 (overage cap in melee), Instinct 4 (at range).
"""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal


def shoot(table, face, chosen=None, **inputs):
    """Attack with accuracy 7 and damage 12 against Defense 18, DR 5, Threshold 6."""
    usual = {"hit": "accuracy", "damage": "12", "vs": 18, "resistance": 5, "threshold": 6}
    return table("attack", [face], chosen or {}, **{**usual, **inputs})


def told(done):
    return [step.text for step in done.steps]


# ------------------------------------------------------------------ hitting and overage


@pytest.mark.parametrize(("face", "hits", "overage"), [(10, 0, 0), (11, 1, 0), (13, 1, 2)])
def test_a_roll_that_equals_the_defense_hits(table, face, hits, overage):
    # 10 + 7 = 17 misses 18; 11 + 7 = 18 hits it; 13 + 7 = 20 is 2 over.
    done = shoot(table, face)
    assert (done.outputs["hits"], done.outputs["overage"]) == (hits, overage)


@pytest.mark.parametrize(("melee", "overage", "final"), [(0, 4, 16), (1, 6, 18)])
def test_instinct_caps_the_overage_at_range_and_strength_in_melee(table, melee, overage, final):
    # 19 + 7 = 26 is 8 over 18: Instinct 4, Strength 6; damage 12 + 4 or + 6.
    done = shoot(table, 19, melee=melee)
    assert (done.outputs["overage"], done.outputs["final"]) == (overage, final)


@pytest.mark.parametrize(("attacks", "total"), [(1, 12), (2, 16), (3, 20)])
def test_each_attack_beyond_the_first_adds_4(table, attacks, total):
    # 5 + 7 + 4 × (attacks − 1).
    assert shoot(table, 5, attacks=attacks).outputs["total"] == total


def test_a_miss_deals_nothing(table):
    done = shoot(table, 2)
    assert (done.outputs["final"], done.outputs["dealt"], done.outputs["wounds"]) == (0, 0, 0)


# ------------------------------------------------------------------ damage and wounds


@pytest.mark.parametrize(
    ("resistance", "penetration", "dealt"),
    [(5, 0, 9), (5, 3, 12), (5, 5, 14), (5, 9, 14), (20, 0, 0)],
)
def test_penetration_lowers_resistance_to_0_at_least(table, resistance, penetration, dealt):
    # 13 + 7 = 20, overage 2: damage 14. 14 − 5; 14 − 2; 14 − 0; not 14 + 4; 14 − 20 is none.
    done = shoot(table, 13, resistance=resistance, penetration=penetration)
    assert done.outputs["dealt"] == dealt


@pytest.mark.parametrize(
    ("threshold", "rending", "wounds"),
    [
        (14, 0, 0),  # 14 dealt only equals 14: floor(13 / 14)
        (13, 0, 1),  # floor(13 / 13)
        (7, 0, 1),  # 14 = 2 × 7 only equals the second: floor(13 / 7)
        (6, 0, 2),  # floor(13 / 6)
        (6, 2, 3),  # threshold 4: floor(13 / 4)
        (6, 9, 13),  # threshold at least 1: floor(13 / 1)
    ],
)
def test_a_wound_each_time_the_damage_strictly_surpasses_the_threshold(
    table, threshold, rending, wounds
):
    # Damage 12 + 2 − 0 = 14.
    done = shoot(table, 13, resistance=0, threshold=threshold, rending=rending)
    assert done.outputs["wounds"] == wounds


def test_no_damage_makes_no_wound(table):
    assert shoot(table, 13, resistance=50, threshold=1).outputs["wounds"] == 0


@pytest.mark.parametrize(
    ("rule", "hailfire", "dealt", "wounds"),
    [
        ("one_plus_h", 0, 14, 2),
        ("one_plus_h", 1, 28, 4),  # 14 × 2; 2 + 2
        ("one_plus_h", 2, 42, 5),  # 14 × 3; 2 + 3
        ("h", 0, 14, 2),
        ("h", 1, 28, 3),  # 2 + 1
        ("h", 2, 42, 4),  # 2 + 2
    ],
)
def test_hailfire_multiplies_damage_and_adds_wounds_as_ruled(table, rule, hailfire, dealt, wounds):
    # Base damage 14 against threshold 6: 2 wounds.
    table.rule("hailfire_wounds", rule)
    done = shoot(table, 13, resistance=0, hailfire=hailfire)
    assert (done.outputs["dealt"], done.outputs["wounds"]) == (dealt, wounds)


@pytest.mark.parametrize("rule", ["one_plus_h", "h"])
def test_multiplied_damage_is_not_compared_with_the_threshold_again(table, rule):
    # 14 does not surpass 14: no wound, though 14 × 3 = 42 would.
    table.rule("hailfire_wounds", rule)
    done = shoot(table, 13, resistance=0, threshold=14, hailfire=2)
    assert (done.outputs["dealt"], done.outputs["wounds"]) == (42, 0)


# ------------------------------------------------------------------ natural 1 and 20, morale


@pytest.mark.parametrize(("face", "morale", "hits"), [(1, -1, 0), (20, 1, 1), (19, 0, 1)])
def test_a_natural_1_or_20_changes_morale(table, face, morale, hits):
    done = shoot(table, face)
    assert (table["morale"], done.outputs["hits"]) == (morale, hits)


@pytest.mark.parametrize(("face", "vs", "hits"), [(1, 8, 1), (20, 28, 0)])
def test_a_natural_1_or_20_changes_morale_only(table, face, vs, hits):
    # 1 + 7 = 8 hits Defense 8; 20 + 7 = 27 misses 28.
    assert shoot(table, face, vs=vs).outputs["hits"] == hits


def test_morale_adds_its_bonus_to_a_roll_already_made(table):
    # 9 + 7 = 16; + morale bonus 3 = 19, 1 over 18. The level is spent.
    table.change("morale", 2)
    done = shoot(table, 9, {"spend": 1})
    assert (done.outputs["total"], done.outputs["overage"], table["morale"]) == (19, 1, 1)


def test_morale_of_0_cannot_be_spent(table):
    with pytest.raises(ProcedureError) as refused:
        shoot(table, 9, spend=1)
    assert list(refused.value.problems) == [("spend", "1 is not from 0 to 0")]


# ------------------------------------------------------------------ behaviors and special actions


def test_aiming_adds_its_bonus_at_range_only(table):
    # 5 + 7 + 2 = 14; in melee 12.
    table.use("Aiming")
    assert shoot(table, 5).outputs["total"] == 14
    assert shoot(table, 5, melee=1).outputs["total"] == 12
    assert shoot(table, 5, aim=0).outputs["total"] == 12


def test_other_factors_raise_the_aim_bonus(table):
    table.use("Aiming", bonus=5)
    assert shoot(table, 5).outputs["total"] == 17


@pytest.mark.parametrize(
    ("place", "total"),
    [("mobility", 18), ("action", 18), ("core", 18), ("vital", 16), ("critical", 16)],
)  # fmt: skip
def test_a_called_shot_gives_the_aim_bonus_up_and_takes_4_or_6(table, place, total):
    # 15 + 7 − 4 = 18, − 6 = 16.
    table.use("Aiming", bonus=3)
    assert shoot(table, 15, called=place).outputs["total"] == total


def test_all_wounds_of_a_called_shot_go_to_its_place(table):
    # 18 + 7 − 4 = 21: overage 3, damage 15: floor(14 / 6) = 2 wounds, + 2 of Hailfire.
    table.use("Aiming")
    done = shoot(table, 18, resistance=0, hailfire=1, called="core")
    assert done.outputs["wounds"] == 4
    assert "Called shot: every wound goes to core." in told(done)


def test_a_called_shot_makes_no_wound_by_itself(table):
    table.use("Aiming")
    assert shoot(table, 18, threshold=40, called="core").outputs["wounds"] == 0


def test_a_called_shot_needs_aiming_and_a_ranged_attack(table):
    with pytest.raises(RuleRefusal, match="needs Aiming"):
        shoot(table, 15, called="core")
    table.use("Aiming")
    with pytest.raises(RuleRefusal, match="ranged"):
        shoot(table, 15, called="core", melee=1)


def test_heavy_strikes_add_2_accuracy_and_5_damage_in_melee(table):
    # 12 + 7 + 2 = 21, overage 3, damage 12 + 3 + 5 = 20; at range 19, overage 1, damage 13.
    table.use("Heavy Strikes")
    done = shoot(table, 12, melee=1)
    assert (done.outputs["total"], done.outputs["final"]) == (21, 20)
    done = shoot(table, 12)
    assert (done.outputs["total"], done.outputs["final"]) == (19, 13)


def test_heavy_strikes_are_a_single_strike(table):
    table.use("Heavy Strikes")
    with pytest.raises(RuleRefusal, match="single strike"):
        shoot(table, 12, melee=1, attacks=2)


def test_only_one_combat_behavior_a_turn(table):
    table.use("Focusing")
    with pytest.raises(RuleRefusal, match="Only 1 combat behavior"):
        table.use("Aiming")
    table("turn")
    table.use("Aiming")
    assert (table.under("effect/focusing"), table.under("effect/aiming")) == (0, 2)


def test_a_charge_adds_5_accuracy_and_in_melee_10_damage(table):
    # 9 + 7 + 5 = 21, overage 3; 12 + 3 + 10 = 25 in melee, 15 at range.
    table.use("Charge")
    assert shoot(table, 9, melee=1).outputs["final"] == 25
    assert shoot(table, 9).outputs["final"] == 15
    assert table["defense"] == 16


def test_a_charge_makes_a_single_melee_strike_or_several_ranged_ones(table):
    # 9 + 7 + 5 + 4 = 25.
    table.use("Charge")
    with pytest.raises(RuleRefusal, match="single melee strike"):
        shoot(table, 9, melee=1, attacks=2)
    assert shoot(table, 9, attacks=2).outputs["total"] == 25


def test_a_charge_hampers_until_the_next_turn_and_helps_only_in_this_one(table):
    table.use("Charge")
    table("turn-end")
    assert (shoot(table, 9).outputs["total"], table["defense"]) == (16, 16)
    table("turn")
    assert table["defense"] == 18


def test_an_action_move_takes_2_from_ranged_attacks(table):
    # 9 + 7 − 2 = 14; melee 16.
    table.use("Action Move")
    assert shoot(table, 9).outputs["total"] == 14
    assert shoot(table, 9, melee=1).outputs["total"] == 16


# ------------------------------------------------------------------ modifiers


@pytest.mark.parametrize(
    ("inputs", "total", "defended"),
    [
        ({"concealment": "partial"}, 12, 18),
        ({"concealment": "total"}, 7, 18),
        ({"hidden": "sneaking"}, 12, 18),
        ({"hidden": "cloaked"}, 7, 18),
        ({"cover": "cover"}, 17, 23),
        ({"cover": "improved"}, 17, 28),
        ({"cover": "improved", "melee": 1}, 17, 18),
        ({"target_prone": 1}, 17, 23),
        ({"target_prone": 1, "melee": 1}, 17, 13),
        ({"flat_footed": 1, "agility_in_defense": 4}, 17, 14),
        ({"flanking": 1, "agility_in_defense": 4}, 19, 14),
        ({"flanking": 1, "flat_footed": 1, "agility_in_defense": 4}, 19, 14),
        ({"concealment": "partial", "cover": "cover", "target_prone": 1, "other": 1}, 13, 28),
        ({"other_than_taunter": 1}, 12, 18),
    ],
)
def test_modifiers_of_the_table_add_up(table, inputs, total, defended):
    # 10 + 7 = 17 against 18.
    done = shoot(table, 10, **inputs)
    assert (done.outputs["total"], done.outputs["defended"]) == (total, defended)


def test_whoever_sneaks_finds_targets_flat_footed_and_reveals_the_own_square(table):
    table.put("status/sneaking")
    done = shoot(table, 10, agility_in_defense=4)
    assert (done.outputs["defended"], table.under("status/revealed")) == (14, 1)
    assert table.under("status/sneaking") == 1


@pytest.mark.parametrize(("status", "silenced"), [("sneaking", 1), ("cloaked", 0)])
def test_a_silenced_or_cloaked_attacker_stays_hidden(table, status, silenced):
    table.put(f"status/{status}")
    shoot(table, 10, silenced=silenced)
    assert table.under("status/revealed") == 0


def test_lore_counts_against_its_own_target_only(table):
    # Patterns of Movement 2: 10 + 7 + 2 = 19. Weak Point 3: threshold 16 − 6 = 10.
    table.put("effect/patterns-of-movement", 2, about="the sniper")
    table.put("effect/patterns-of-movement", 3, about="the brute")
    table.put("effect/weak-point", 3, about="the sniper")
    # Damage 12 + 1 = 13, DR 0: floor(12 / 10) = 1.
    done = shoot(table, 10, target="the sniper", resistance=0, threshold=16)
    assert (done.outputs["total"], done.outputs["wounds"]) == (19, 1)
    assert shoot(table, 10, target="the brute").outputs["total"] == 20
    assert shoot(table, 10, target="a stranger").outputs["total"] == 17
    assert shoot(table, 10).outputs["total"] == 17


def test_an_attack_takes_one_accuracy(table):
    with pytest.raises(RuleRefusal, match="either an accuracy"):
        shoot(table, 10, fixed=3)
    # 10 + 3 = 13.
    assert shoot(table, 10, hit=None, fixed=3).outputs["total"] == 13


@pytest.mark.parametrize(("resolve", "suppressed"), [(17, 1), (18, 0)])
def test_suppressing_fire_also_compares_the_roll_with_resolve(table, resolve, suppressed):
    # 10 + 7 = 17: equal succeeds.
    done = shoot(table, 10, resolve_of_target=resolve)
    assert (done.outputs["suppresses"], done.outputs["hits"]) == (suppressed, 0)
