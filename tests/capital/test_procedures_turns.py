"""Initiative, turns, cooldowns and rests.

The Tank of Level 1 here has 25 HP, 9 Energy, 7 Bones, FTD 7, AGI 5, WIL 6; of Level 3 it has 63 HP
and 11 Energy.
"""

from __future__ import annotations

import pytest

from charforge.character import play_state
from charforge.errors import ProcedureError, RuleRefusal

SEIZED, LESS = "effect/initiative-seized", "effect/one-action-less"
GAIN_FOCUS = ("system/focus-i", "Gain Focus")
ALL_OUT = ("system/all-out", "instant")


@pytest.fixture
def tank(at_table):
    return at_table("the-tank")


@pytest.fixture
def scout(at_table):
    """A Scout of Level 3: Focus I (5+) and the Signature All Out."""
    return at_table("the-scout", 3)


def words(done):
    return [told.text for told in done.steps]


# ------------------------------------------------------------------------------------ initiative


def test_initiative_is_2d6_and_agi(tank):
    # 3 + 4 + 5.
    done = tank("initiative", {"own": [[3, 4]]})
    assert done.outputs == {"total": 12, "extra_turns": 0, "missed": 0}


def test_each_double_six_is_an_extra_turn_and_another_roll(tank):
    # Two double sixes, then 2 + 3 + 5 = 10.
    done = tank("initiative", {"own": [[6, 6], [6, 6], [2, 3]]})
    assert done.outputs == {"total": 10, "extra_turns": 2, "missed": 0}


def test_a_double_one_misses_the_first_turn(tank):
    # 1 + 1 + 5 = 7, and no Grit can be spent on it.
    tank.change("grit", 4)
    done = tank("initiative", {"own": [[1, 1]]}, grit=4)
    assert done.outputs == {"total": 7, "extra_turns": 0, "missed": 1}
    assert tank["grit"] == 4


def test_a_double_one_after_a_double_six_means_nothing(tank):
    done = tank("initiative", {"own": [[6, 6], [1, 1]]})
    assert done.outputs == {"total": 7, "extra_turns": 1, "missed": 0}


def test_initiative_is_a_check_that_grit_and_strengths_help(tank):
    # 3 + 4 + 5 + 2 + 1.
    tank.change("grit", 2)
    done = tank("initiative", {"own": [[3, 4]]}, {"grit": 2}, helps=1)
    assert (done.outputs["total"], tank["grit"]) == (15, 0)


def test_thats_an_order_rolls_with_cha(at_table):
    # The Captain has CHA 6 and AGI 5: CHA is used unless AGI is asked for.
    captain = at_table("the-captain")
    assert captain("initiative", {"own": [[3, 4]]}).outputs["total"] == 13
    assert captain("initiative", {"own": [[3, 4]]}, use_cha=0).outputs["total"] == 12


def test_nobody_else_rolls_with_cha(tank):
    with pytest.raises(RuleRefusal, match="That's an Order"):
        tank("initiative", use_cha=1)


def test_urgency_adds_the_agi_above_5(at_table):
    # A Scout with AGI 6 and Urgency: 3 + 4 + 6 + 1 = 14; Prone, AGI 2: 3 + 4 + 2 + 0 = 9.
    scout = at_table("the-scout", 2, {"level.2.systems": ["system/urgency"]})
    assert scout("initiative", {"own": [[3, 4]]}).outputs["total"] == 14
    scout.put("status/prone")
    assert scout("initiative", {"own": [[3, 4]]}).outputs["total"] == 9


@pytest.mark.parametrize("own", [[6, 6], [1, 1]])
def test_a_tiebreaker_has_no_special_results(tank, own):
    done = tank("initiative-tie", {"own": [own]})
    assert done.outputs == {"total": sum(own) + 5}


# ------------------------------------------------------------------------------------ seizing it


def test_seizing_the_initiative_costs_an_action_of_the_next_turn(tank):
    # 3 + 4 + 5 = 12 against 3 + 4 + 5: a tie succeeds.
    done = tank("seize-the-initiative", {"own": [[3, 4]], "theirs": [[3, 4]]})
    assert (done.outputs["success"], tank.under(SEIZED)) == (1, 1)
    assert tank("turn").outputs["actions"] == 1
    tank("turn-end")
    assert (tank.under(SEIZED), tank.under(LESS)) == (0, 0)
    assert tank("turn").outputs["actions"] == 2


def test_a_failure_costs_it_too(tank):
    done = tank("seize-the-initiative", {"own": [[1, 2]], "theirs": [[3, 4]]})
    assert (done.outputs["success"], tank["grit"], tank.under(SEIZED)) == (0, 1, 1)


def test_seized_during_ones_own_turn_the_next_one_is_shorter(tank):
    # Between one's own two Actions: that turn ends first.
    assert tank("turn").outputs["actions"] == 2
    tank("seize-the-initiative", {"own": [[3, 4]], "theirs": [[3, 4]]})
    tank("turn-end")
    assert tank("turn").outputs["actions"] == 1


def test_not_again_until_after_the_next_turn(tank):
    tank("seize-the-initiative", {"own": [[3, 4]], "theirs": [[3, 4]]})
    for moment in ("turn", None):
        with pytest.raises(RuleRefusal, match="not Seize the Initiative again"):
            tank("seize-the-initiative")
        if moment:
            tank(moment)
    tank("turn-end")
    tank("seize-the-initiative", {"own": [[3, 4]], "theirs": [[3, 4]]})
    assert tank.under(SEIZED) == 1


@pytest.mark.parametrize(("own", "success"), [([1, 2], 0), ([1, 3], 1)])
def test_an_ally_makes_the_check_and_has_the_grit(tank, own, success):
    # A Captain with CHA 6 and Certitude: 3 + 6 + 2 = 11 or 12 against 12.
    faces = {"own": [own], "theirs": [[3, 4]]}
    done = tank("seize-the-initiative", faces, ally=6, bonus=2)
    assert (done.outputs["success"], tank["grit"], tank.under(SEIZED)) == (success, 0, 1)


def test_an_order_succeeds_without_a_roll(tank):
    done = tank("seize-the-initiative", ordered=1)
    assert (done.outputs["success"], done.faces, tank.under(SEIZED)) == (1, {}, 1)


def test_critical_condition_and_a_seized_initiative_leave_no_action(tank):
    # 1 Action in Critical Condition, 1 less.
    tank("seize-the-initiative", ordered=1)
    tank("damage", amount=25)
    assert tank("turn").outputs["actions"] == 0


# ------------------------------------------------------------------------------------ turns


def test_regeneration_restores_hp_at_the_start_of_the_turn(tank):
    tank("damage", amount=10)
    tank.put("effect/regeneration", 2)
    tank("turn")
    assert tank["hp"] == 17


def test_regeneration_of_5_turns_restores_5_times(tank):
    kit = tank.state.ruleset.entity("effect/regeneration")
    tank("damage", amount=10)
    tank.state = play_state.add_condition(tank.state, "character", kit, 1, turns=5)
    for _turn in range(7):
        tank("turn")
        tank("turn-end")
    assert tank["hp"] == 20


def test_regeneration_lifts_out_of_critical_condition(tank):
    # At 0 HP the turn first costs a Bone, then Regeneration restores 1 HP: 2 Actions again.
    tank("damage", amount=25)
    tank.put("effect/regeneration")
    done = tank("turn")
    assert (tank["hp"], tank["bones"], done.outputs["actions"]) == (1, 6, 2)


def test_what_lasts_until_the_turn_ends_is_gone_then(tank):
    tank.put("effect/attack-counter", 3)
    tank.put("status/taunted", about="an ogre")
    tank("turn")
    assert (tank.under("effect/attack-counter"), tank.under("status/taunted")) == (3, 1)
    tank("turn-end")
    assert (tank.under("effect/attack-counter"), tank.under("status/taunted")) == (0, 0)


def test_a_turn_ends_the_one_before_it(tank):
    # Initiative seized: 1 Action in the first turn, which nobody ended; 2 in the second.
    tank("seize-the-initiative", ordered=1)
    assert tank("turn").outputs["actions"] == 1
    tank.put("effect/attack-counter", 2)
    done = tank("turn")
    assert done.outputs["actions"] == 2
    assert (tank.under("effect/attack-counter"), tank.under(LESS)) == (0, 0)
    assert words(done)[:3] == [
        "The turn before this one ends first.", "One Action less ends", "Attack Counter ends",
    ]  # fmt: skip


def test_what_is_put_between_turns_lasts_into_the_next_one(tank):
    # The first turn was ended: the second has nothing to end.
    tank("turn")
    tank("turn-end")
    tank.put("status/taunted", about="an ogre")
    done = tank("turn")
    assert (tank.under("status/taunted"), words(done)) == (1, ["Actions this turn: 2"])
    tank("turn-end")
    assert tank.under("status/taunted") == 0


@pytest.mark.parametrize("ends", ["turn-end", "short-break"])
def test_a_unit_is_active_until_its_turn_ends_or_it_rests(tank, ends):
    tank("turn")
    assert tank.under("effect/active") == 1
    tank(ends, {"rested": [[1]]} if ends == "short-break" else {})
    assert tank.under("effect/active") == 0


def test_what_ends_names_its_own_rule(tank):
    tank.put("effect/attack-counter")
    tank.put("status/taunted", about="an ogre")
    told = [(step.text, step.source) for step in tank("turn-end").steps]
    assert told == [
        ("Attack Counter ends", "effect/attack-counter"),
        ("Taunted (an ogre) ends", "status/taunted"),
    ]


def test_what_lasts_until_the_turn_starts_is_gone_then(tank):
    tank.put("effect/overwatch", 2)
    tank.put("effect/prepared", about="AGI")
    tank("turn-end")
    assert (tank.under("effect/overwatch"), tank.under("effect/prepared")) == (2, 1)
    tank("turn")
    assert (tank.under("effect/overwatch"), tank.under("effect/prepared")) == (0, 0)


@pytest.mark.parametrize(
    ("way", "rolled", "ready"),
    [
        ("or_more", 5, True),
        ("or_more", 4, False),
        ("or_less", 5, True),
        ("or_less", 6, False),
        ("or_less", 1, True),
    ],
)
def test_a_cooldown_is_rolled_for_as_the_table_rules(scout, way, rolled, ready):
    # Gain Focus has Cooldown 5+.
    scout.rule("cooldown", way)
    scout.cool(*GAIN_FOCUS)
    (pair,) = scout.state.cooling
    scout("turn", {f"recovered.{pair[0]}.{pair[1]}": [[rolled]]})
    assert (scout.state.cooling == ()) == ready


def test_a_signature_is_not_rolled_for_in_a_turn(scout):
    scout.cool(*ALL_OUT)
    scout("turn")
    assert len(scout.state.cooling) == 1


# ------------------------------------------------------------------------------------ rests


def test_a_short_break_restores_1d6_and_wil_energy(tank):
    # 9 - 9 + 2 + 6 = 8; then 1 + 6 stops at 9.
    tank.change("energy", -9)
    tank("damage", amount=5)
    tank("short-break", {"rested": [[2]]})
    assert (tank["energy"], tank["hp"]) == (8, 20)
    tank("short-break", {"rested": [[1]]})
    assert tank["energy"] == 9


def test_a_short_break_says_what_its_energy_is_made_of(tank):
    tank.change("energy", -9)
    assert words(tank("short-break", {"rested": [[2]]})) == [
        "Energy: 2", "2 + WIL 6 = 8 Energy", "Energy +8 → 8",
    ]  # fmt: skip
    tank.change("energy", 1)
    assert words(tank("short-break", {"rested": [[2]]})) == [
        "Energy: 2", "2 + WIL 6 = 8 Energy", "Energy is at the maximum already.",
    ]  # fmt: skip


def test_a_short_break_with_missing_bones_restores_less(tank):
    # WIL 6 - 2 = 4: 3 + 4.
    tank("damage", amount=25)
    tank("damage", amount=1)
    tank.change("energy", -9)
    tank("short-break", {"rested": [[3]]})
    assert tank["energy"] == 7


@pytest.mark.parametrize(
    ("way", "dice", "restored"),
    [
        ("each_level", [2], 9),  # Level 1: 2 + 7
        ("once", [2], 9),  # (2 + 7) × 1
        ("ftd_each_level", [2], 9),  # 2 + 7 × 1
    ],
)
def test_an_hour_of_long_break_at_level_1(tank, way, dice, restored):
    tank.rule("long_break", way)
    tank("damage", amount=24)
    tank.change("energy", -7)
    tank("long-break", {"rested": [dice]})
    assert (tank["hp"], tank["energy"]) == (1 + restored, 9)


@pytest.mark.parametrize(
    ("way", "dice", "restored", "told"),
    [
        ("each_level", [2, 5, 4], 32, "11 + FTD 7 × Level 3 = 32 HP"),  # 2 + 5 + 4 + 3 × 7
        ("once", [2], 27, "(2 + FTD 7) × Level 3 = 27 HP"),
        ("ftd_each_level", [2], 23, "2 + FTD 7 × Level 3 = 23 HP"),
    ],
)
def test_an_hour_of_long_break_at_level_3(at_table, way, dice, restored, told):
    tank = at_table("the-tank", 3)
    tank.rule("long_break", way)
    tank("damage", amount=62)
    done = tank("long-break", {"rested": [dice]})
    assert (tank["hp"], words(done)[1]) == (1 + restored, told)


def test_each_hour_counts(tank):
    # Each 1d6 + 7: 8 + 10 = 18; the third would exceed 25.
    tank("damage", amount=24)
    tank("long-break", {"rested": [[1], [3]]}, hours=2)
    assert tank["hp"] == 19
    tank("long-break", {"rested": [[1], [1], [1]]}, hours=3)
    assert tank["hp"] == 25


def test_the_first_hour_in_critical_condition_restores_less(tank):
    # FTD 7 - 2 = 5 at 0 HP: 1 + 5 = 6; then 7 again: 1 + 7 = 8.
    tank("damage", amount=25)
    tank("long-break", {"rested": [[1], [1]]}, hours=2)
    assert (tank["hp"], tank["bones"]) == (14, 7)


def test_a_long_break_restores_no_bones(tank):
    # FTD 5 in both hours, as a Bone is missing: 6 + 6.
    tank("damage", amount=25)
    tank("damage", amount=1)
    tank("long-break", {"rested": [[1], [1]]}, hours=2)
    assert (tank["hp"], tank["bones"]) == (12, 6)


def test_a_long_break_takes_an_hour_at_least(tank):
    with pytest.raises(ProcedureError):
        tank("long-break", hours=0)


@pytest.mark.parametrize(("level", "hp", "energy"), [(1, 25, 9), (3, 63, 11)])
def test_a_full_rest_restores_hp_energy_and_1d6_bones(at_table, level, hp, energy):
    # Bones 7 - 5 = 2, then 2 + 3 = 5, then 5 + 6 stops at 7.
    tank = at_table("the-tank", level)
    tank("damage", amount=hp)
    tank("damage", amount=5)
    tank.change("energy", -energy)
    tank("full-rest", {"knit": [[3]]})
    assert (tank["hp"], tank["energy"], tank["bones"]) == (hp, energy, 5)
    assert tank["str"] == 5
    tank("full-rest", {"knit": [[6]]})
    assert (tank["bones"], tank["str"]) == (7, 7)


@pytest.mark.parametrize(
    ("rest", "faces"),
    [
        ("short-break", {"rested": [[1]]}),
        ("long-break", {"rested": [[1, 1, 1]]}),
        ("full-rest", {"knit": [[1]]}),
    ],
)
def test_any_rest_brings_effects_off_cooldown_and_ends_what_lasts_until_one(scout, rest, faces):
    scout.cool(*GAIN_FOCUS)
    scout.put("effect/lockdown", 4)
    scout.put("effect/failed-investigation", about="an ogre")
    scout(rest, faces)
    assert (scout.state.cooling, scout.under("effect/lockdown")) == ((), 0)
    assert scout.under("effect/failed-investigation") == (rest != "full-rest")


@pytest.mark.parametrize("effect", ["focus", "focus-at-no-cost", "all-out", "sanctuary", "rally"])
def test_any_rest_ends_what_lasts_until_a_turn_starts(scout, effect):
    # Sanctuary and Rally would last for 2 turns.
    scout.put(f"effect/{effect}")
    scout("short-break", {"rested": [[1]]})
    assert scout.under(f"effect/{effect}") == 0


def test_regeneration_restores_all_its_hp_as_a_rest_begins(tank):
    # 2 HP for 1 turn, 1 HP for 3 turns: 3 + 1 + 1. No Bones are lost, and FTD is 7 again: 1 + 7.
    regeneration = tank.state.ruleset.entity("effect/regeneration")
    for amount, turns in ((2, 1), (1, 3)):
        tank.state = play_state.add_condition(
            tank.state, "character", regeneration, amount, turns=turns
        )
    tank("damage", amount=25)
    tank("long-break", {"rested": [[1]]})
    assert (tank["hp"], tank["bones"], tank.under("effect/regeneration")) == (13, 7, 0)


@pytest.mark.parametrize(("rolled", "ready"), [(4, False), (5, True), (6, True)])
def test_a_signature_comes_off_cooldown_on_5_or_more_after_a_full_rest(scout, rolled, ready):
    scout.cool(*ALL_OUT)
    (pair,) = scout.state.cooling
    scout("long-break", {"rested": [[1, 1, 1]]})
    assert scout.state.cooling == (pair,)
    scout("full-rest", {"knit": [[1]], f"signatures.{pair[0]}.{pair[1]}": [[rolled]]})
    assert (scout.state.cooling == ()) == ready


def test_a_rest_does_not_raise_anyone_from_prone(tank):
    tank("damage", amount=25)
    tank("long-break", {"rested": [[1]]})
    assert tank.under("status/prone") == 1


def test_a_companion_rests_for_its_own_hp_and_bones(at_table):
    # Land Beast: 11 HP, 6 Bones, FTD 6 - 2. 3 + 4 = 7 HP. The Energy is for its owner to rest for.
    array = {"str": 7, "ftd": 6, "agi": 5, "cha": 4}
    answers = {"asset": "companion/land-beast", "asset.companion.array": array}
    table, beast = at_table(answers=answers), "asset.companion"
    table("damage", unit=beast, amount=11)
    table("damage", unit=beast, amount=4)
    table.change("energy", -5)
    table("long-break", {"rested": [[3]]}, unit=beast)
    assert (table.of(beast, "hp"), table["energy"]) == (7, 4)
    table("full-rest", {"knit": [[4]]}, unit=beast)
    assert (table.of(beast, "hp"), table.of(beast, "bones"), table["energy"]) == (11, 6, 4)


def test_vehicles_do_not_rest(at_table):
    bike = at_table(answers={"asset": "vehicle/bike"})
    with pytest.raises(ProcedureError, match="Vehicle"):
        bike("short-break", unit="asset.vehicle")
