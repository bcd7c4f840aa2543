"""Attack and Defense Rolls: counters, contact, rerolls, Crit, damage.

The Lancer of Level 1 here has VSN 7, STR 6, AGI 4 and 10 Energy; WIL 7 + 3.
"""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal


@pytest.fixture
def lancer(at_table):
    return at_table("the-lancer")


def shoot(table, own, theirs, chosen=None, more=(), **inputs):
    """Attack with VSN (7) for 12 damage against a score of 5."""
    inputs = {"hit": "vsn", "vs": 5, "damage": "12", **inputs}
    faces = {"own": own} if theirs is None else {"own": own, "theirs": theirs}
    return table("attack", {**faces, **dict(more)}, chosen or {}, **inputs)


def test_a_hit_deals_its_damage_and_gives_an_attack_counter(lancer):
    # 3 + 4 + 7 = 14 against 2 + 4 + 5 = 11.
    done = shoot(lancer, [[3, 4]], [[2, 4]])
    assert done.outputs == {
        "total": 14, "opposed_total": 11, "hits": 1, "margin": 3, "is_crit": 0, "dealt": 12,
        "critical": 0, "gm_decides": 0, "counters": 1,
    }  # fmt: skip
    assert (lancer.under("effect/attack-counter"), lancer["grit"]) == (1, 0)


def test_a_miss_deals_none_and_gives_grit_and_a_counter(lancer):
    # 1 + 2 + 7 = 10 against 3 + 3 + 5 = 11. No damage is rolled.
    done = shoot(lancer, [[1, 2]], [[3, 3]], damage="2d6")
    assert (done.outputs["hits"], done.outputs["dealt"], done.outputs["counters"]) == (0, 0, 1)
    assert lancer["grit"] == 1


def test_a_tie_hits(lancer):
    # 1 + 3 + 7 = 11 against 3 + 3 + 5 = 11.
    done = shoot(lancer, [[1, 3]], [[3, 3]])
    assert (done.outputs["hits"], done.outputs["dealt"], lancer["grit"]) == (1, 12, 0)


def test_counters_take_2_each_until_the_turn_ends(lancer):
    # 14, then 14 - 2, then 14 - 4; after the end of the turn 14 again.
    totals = [shoot(lancer, [[3, 4]], [[1, 2]]).outputs["total"] for _ in range(3)]
    assert totals == [14, 12, 10]
    lancer("turn-end")
    assert lancer.under("effect/attack-counter") == 0
    assert shoot(lancer, [[3, 4]], [[1, 2]]).outputs["total"] == 14


def test_an_overwatch_attack_neither_suffers_nor_gives_counters(lancer):
    lancer.put("effect/attack-counter", 2)
    lancer("overwatch", actions=2)
    assert shoot(lancer, [[3, 4]], [[1, 2]], overwatch=1).outputs["total"] == 14
    assert lancer.under("effect/attack-counter") == 2
    assert lancer.under("effect/overwatch") == 1
    shoot(lancer, [[3, 4]], [[1, 2]], overwatch=1)
    assert lancer.under("effect/overwatch") == 0


@pytest.mark.parametrize(
    ("contact", "melee", "total"),
    [("none", 0, 14), ("self", 0, 11), ("target", 0, 12), ("self", 1, 14), ("target", 1, 14)],
)
def test_point_blanc(lancer, contact, melee, total):
    # 3 + 4 + 7 = 14; -3 with an enemy upon you, -2 upon the target; nothing in Melee.
    done = shoot(lancer, [[3, 4]], [[1, 2]], point_blanc=contact, melee=melee)
    assert done.outputs["total"] == total


@pytest.mark.parametrize(("trained", "helps", "total"), [(1, 0, 16), (0, 1, 16), (1, 1, 17)])
def test_training_counts_among_what_helps(lancer, trained, helps, total):
    # 14 + 2 for one, + 3 for more than one.
    done = shoot(lancer, [[3, 4]], [[1, 2]], trained=trained, helps=helps)
    assert done.outputs["total"] == total


def test_aim_rerolls_the_lowest_die_for_1_energy_each(lancer):
    # 2 5: the 2 becomes 1, and then 6: 6 + 5 + 7 = 18.
    done = shoot(lancer, [[2, 5], [1], [6]], [[1, 2]], {"aim": 2})
    assert (done.outputs["total"], lancer["energy"]) == (18, 8)


def test_free_aim_costs_nothing(lancer):
    done = shoot(lancer, [[2, 5], [4]], [[1, 2]], {"aim": 1}, free_aim=1)
    assert (done.outputs["total"], lancer["energy"]) == (16, 10)


def test_aim_needs_the_energy(lancer):
    lancer.change("energy", -9)
    with pytest.raises(ProcedureError) as refused:
        shoot(lancer, [[2, 5]], [[1, 2]], aim=2)
    assert list(refused.value.problems) == [("aim", "2 is not from 0 to 1")]


def test_prepare_rerolls_both_dice_once(lancer):
    # 1 2 become 5 6: 5 + 6 + 7 = 18.
    lancer.put("effect/prepared", about="VSN")
    done = shoot(lancer, [[1, 2], [5, 6]], [[1, 2]], prepare=1)
    assert (done.outputs["total"], lancer.under("effect/prepared")) == (18, 0)


def test_a_prone_target_defends_better(lancer):
    # 3 + 4 + 7 = 14 against 3 + 5 + 5 + 2 = 15.
    done = shoot(lancer, [[3, 4]], [[3, 5]], target_prone=1)
    assert (done.outputs["opposed_total"], done.outputs["hits"]) == (15, 0)


def test_the_target_blocks(lancer):
    # 1 2 of the target: the 1 becomes 6, then the 2 becomes 5. 5 + 6 + 5 = 16.
    done = shoot(lancer, [[3, 4]], [[1, 2], [6], [5]], block=2)
    assert (done.outputs["opposed_total"], done.outputs["hits"]) == (16, 0)


@pytest.mark.parametrize(("theirs", "crit", "dealt"), [([1, 4], 1, 18), ([2, 4], 0, 12)])
def test_a_crit_needs_its_margin(lancer, theirs, crit, dealt):
    # 14 against 10 is a margin of 4, against 11 of 3: Crit 4 adds 6.
    done = shoot(lancer, [[3, 4]], [theirs], crit=4, crit_damage=6)
    assert (done.outputs["is_crit"], done.outputs["dealt"]) == (crit, dealt)


def test_grit_can_make_the_margin_of_a_crit(lancer):
    # 14 against 11, and 2 Grit: a margin of 4.
    lancer.change("grit", 2)
    done = shoot(lancer, [[3, 4]], [[2, 4]], {"grit": 2}, crit=4, crit_damage=6)
    assert (done.outputs["is_crit"], done.outputs["dealt"], lancer["grit"]) == (1, 18, 0)


def test_an_attack_without_crit_never_has_one(lancer):
    # 6 + 5 + 7 = 18 against 1 + 2 + 0 = 3.
    assert shoot(lancer, [[6, 5]], [[1, 2]], vs=0).outputs["is_crit"] == 0


def test_every_shot_deals_the_damage(lancer):
    # Minigun: 1 damage, 3d6 + 2 Shots: 2 + 3 + 4 + 2 = 11. A hit by 14 - 8.
    done = shoot(
        lancer, [[3, 4]], [[1, 2]], more={"volley": [[2, 3, 4]]}, damage="1", shots="3d6 + 2"
    )
    assert done.outputs["dealt"] == 11
    # 1d6 + 3 (5) damage, 4 Shots: 8 × 4 = 32, and 2 more for the Crit.
    lancer("turn-end")
    done = shoot(
        lancer, [[3, 4]], [[1, 2]], more={"each": [[5]]}, damage="1d6 + 3", shots="4", crit=1,
        crit_damage=2, type="Sharp",
    )  # fmt: skip
    assert done.outputs["dealt"] == 34
    assert "The target takes 34 damage (Sharp)." in [told.text for told in done.steps]


def test_a_fixed_score_and_a_known_defence(lancer):
    # 3 + 4 + 9 + 1 = 17 against 18.
    done = shoot(lancer, [[3, 4]], None, hit=None, fixed=9, vs=None, opposed=18, bonus=1)
    assert (done.outputs["margin"], lancer["grit"]) == (-1, 1)


@pytest.mark.parametrize("inputs", [{"vs": None}, {"hit": None}, {"fixed": 4}])
def test_an_attack_needs_one_score_and_a_defence(lancer, inputs):
    with pytest.raises(RuleRefusal):
        shoot(lancer, [[3, 4]], [[3, 4]], **inputs)


def test_an_attack_ends_being_taunted(lancer):
    lancer.put("status/taunted", about="The Tank")
    shoot(lancer, [[1, 2]], [[6, 5]])
    assert lancer.under("status/taunted") == 0


def test_the_gm_decides_about_the_doubles_of_an_attack(lancer):
    # 6 + 6 + 7 = 19 against 8; a Critical Failure by the GM's word bars Grit.
    lancer.change("grit", 2)
    done = shoot(lancer, [[6, 6]], [[1, 2]])
    assert (done.outputs["gm_decides"], done.outputs["critical"]) == (1, 0)
    done = shoot(lancer, [[1, 1]], [[1, 2]], {"verdict": -1})
    assert (done.outputs["critical"], lancer["grit"]) == (-1, 3)


def test_a_companion_attacks_without_grit_and_aims_with_its_owners_energy(at_table):
    # Land Beast, STR 7: 1 + 3 + 7 = 11 after 1 + 2; the Tank's Energy 9 - 1. It misses 2 + 5 + 6.
    beast = at_table(answers=BEAST)
    beast.change("grit", 3)
    done = shoot(
        beast, [[1, 2], [3]], [[2, 5]], {"aim": 1}, unit="asset.companion", hit="str", vs=6,
        damage="6", melee=1,
    )  # fmt: skip
    assert (done.outputs["total"], done.outputs["hits"]) == (12, 0)
    assert (beast["energy"], beast["grit"]) == (8, 3)
    assert beast.under("effect/attack-counter", "asset.companion") == 1
    assert beast.under("effect/attack-counter") == 0


def defend(table, own, theirs, chosen=None, **inputs):
    """Defend with AGI (4) against a score of 5."""
    inputs = {"attribute": "agi", "vs": 5, **inputs}
    faces = {"own": own} if theirs is None else {"own": own, "theirs": theirs}
    return table("defend", faces, chosen or {}, **inputs)


def test_a_higher_defense_roll_is_not_hit(lancer):
    # 5 + 4 + 4 = 13 against 3 + 4 + 5 = 12.
    done = defend(lancer, [[5, 4]], [[3, 4]])
    assert (done.outputs["is_hit"], done.outputs["margin"], lancer["grit"]) == (0, 1, 0)


def test_a_tie_is_hit_but_fails_nothing(lancer):
    # 4 + 4 + 4 = 12 against 12.
    done = defend(lancer, [[4, 4]], None, vs=None, opposed=12)
    assert (done.outputs["is_hit"], lancer["grit"]) == (1, 0)


def test_a_lower_defense_roll_is_hit_and_gives_grit(lancer):
    # 4 + 3 + 4 = 11 against 12.
    done = defend(lancer, [[4, 3]], None, vs=None, opposed=12)
    assert (done.outputs["is_hit"], lancer["grit"]) == (1, 1)


def test_a_prone_unit_has_2_more_but_4_less_agi(lancer):
    # 4 + 4 + (4 - 4) + 2 = 10; with STR 4 + 4 + 6 + 2 = 16.
    lancer.put("status/prone")
    assert defend(lancer, [[4, 4]], [[1, 2]]).outputs["total"] == 10
    assert defend(lancer, [[4, 4]], [[1, 2]], attribute="str").outputs["total"] == 16


def test_block_and_dodge_reroll_the_lowest_die(lancer):
    # 1 3: 1 → 2 → 6, so 6 + 3 + 4 = 13; 2 Energy. Sanctuary's Dodge is free.
    done = defend(lancer, [[1, 3], [2], [6]], None, {"block": 2}, vs=None, opposed=13)
    assert (done.outputs["total"], lancer["energy"]) == (13, 8)
    done = defend(lancer, [[1, 3], [5]], [[1, 2]], {"block": 1}, free_block=1)
    assert (done.outputs["total"], lancer["energy"]) == (12, 8)


def test_grit_and_prepare_serve_a_defence_too(lancer):
    # 1 1 become 4 4: 4 + 4 + 4 + 2 for a Strength = 14 against 15; 4 Grit make 16.
    lancer.change("grit", 4)
    lancer.put("effect/prepared", about="AGI")
    done = defend(
        lancer, [[1, 1], [4, 4]], None, {"grit": 4}, vs=None, opposed=15, prepare=1, helps=1
    )
    assert (done.outputs["total"], done.outputs["is_hit"], lancer["grit"]) == (16, 0, 0)
    assert lancer.under("effect/prepared") == 0


BEAST = {
    "asset": "companion/land-beast",
    "asset.companion.array": {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
}
