"""Damage into HP and Bones, Critical Condition, death checks, healing and falls.

The Tank of Level 1 here has 25 HP, 7 Bones, STR 7, FTD 7, AGI 5, WIL 6.
"""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal
from charforge.procedures import abilities, run

PRONE = "status/prone"
CRITICAL = "effect/critical-condition"
DEAD = "effect/dead"
FINAL = "effect/final-action"
BEAST = "asset.companion"


@pytest.fixture
def tank(at_table):
    return at_table("the-tank")


@pytest.fixture
def dying(tank):
    """A Tank with no HP and 1 Bone."""
    tank("damage", amount=25)
    tank("damage", amount=6)
    return tank


def words(done):
    return [told.text for told in done.steps]


def vitals(table):
    return table["hp"], table["bones"]


def test_damage_reduces_hp_first(tank):
    tank("damage", amount=10, type="sharp")
    assert vitals(tank) == (15, 7)
    assert (tank.under(PRONE), tank.under(CRITICAL)) == (0, 0)
    tank("damage", amount=0)
    assert vitals(tank) == (15, 7)


def test_a_damage_type_is_one_of_the_seven(tank):
    with pytest.raises(ProcedureError, match="none of blunt, sharp, true, heat"):
        tank("damage", amount=1, type="psychic")


def test_the_last_hp_makes_critical_condition_and_prone(tank):
    # Every score is 2 lower, AGI 4 more: 5 - 2 - 4 is no less than 0.
    done = tank("damage", amount=25)
    assert vitals(tank) == (0, 7)
    assert words(done) == ["HP −25 → 0", "Critical Condition.", "now Prone"]
    assert (tank.under(PRONE), tank.under(CRITICAL)) == (1, 1)
    assert (tank["str"], tank["wil"], tank["agi"]) == (5, 4, 0)
    assert (tank["max_hp"], tank["max_energy"], tank["max_bones"]) == (25, 9, 7)


def test_damage_beyond_the_last_hp_is_lost(tank):
    # 15 HP left: of 20 damage 5 are lost, no Bones.
    tank("damage", amount=10)
    done = tank("damage", amount=20)
    assert vitals(tank) == (0, 7)
    assert "Damage beyond the last HP is lost. Only further damage reduces Bones." in words(done)


def test_further_damage_reduces_bones(tank):
    tank("damage", amount=25)
    done = tank("damage", amount=3)
    assert vitals(tank) == (0, 4)
    assert not [told for told in words(done) if "lost" in told]


def test_healing_ends_critical_condition_but_not_prone_nor_missing_bones(tank):
    # Bones 4 of 7: the scores stay 2 lower, and the unit stays on the ground.
    tank("damage", amount=25)
    tank("damage", amount=3)
    tank("heal", amount=4)
    assert vitals(tank) == (4, 4)
    assert (tank.under(CRITICAL), tank.under("effect/missing-bones")) == (0, 1)
    assert (tank.under(PRONE), tank["str"]) == (1, 5)


def test_healing_stops_at_the_maximum(tank):
    tank("damage", amount=5)
    done = tank("heal", amount=8)
    assert (vitals(tank), done.outputs) == ((25, 7), {"restored": 5, "surplus": 3})


def test_getting_up_is_refused_in_critical_condition(tank):
    prone = tank.state.ruleset.entity(PRONE)
    up = next(action for action in prone.actions if action.does)

    def get_up():
        made = run.take(tank.state, "character", prone, None, up.inputs, up.does, {}, lambda *_: [])
        tank.state = made.state

    tank("damage", amount=25)
    with pytest.raises(RuleRefusal, match="cannot get up"):
        get_up()
    tank("heal", amount=1)
    get_up()
    assert tank.under(PRONE) == 0


@pytest.mark.parametrize(
    ("own", "grit", "doubled", "total", "success"),
    [
        # Difficulty 7, GM 3 + 4: 14. WIL 6, not 4: nothing but Grit modifies it.
        ([3, 4], 0, 0, 13, 0),
        ([4, 4], 0, 0, 14, 1),  # a tie is a success
        ([3, 4], 2, 0, 14, 1),
        ([3, 4], 1, 0, 13, 0),  # 1 Grit adds nothing, and is spent
        ([2, 3], 5, 0, 13, 0),  # 5 add 2
        ([2, 3], 5, 1, 16, 1),  # doubled, 5 add 5
    ],
)
def test_death_check(dying, own, grit, doubled, total, success):
    dying.change("grit", grit)
    done = dying("damage", {"own": [own], "theirs": [[3, 4]]}, amount=1, doubled=doubled)
    assert vitals(dying) == (0, 0)
    assert (dying["grit"], dying.under(DEAD), dying.under(CRITICAL)) == (0, 1, 0)
    assert ("Success: 1 final Action, still Prone, while dying." in words(done)) == success
    assert [told.value for told in done.steps if told.id == "total"][-1] == total


@pytest.mark.parametrize(("own", "theirs"), [([6, 6], [3, 4]), ([1, 2], [1, 1])])
def test_a_critical_success_survives_with_1_hp_and_no_bones(dying, own, theirs):
    # By one's own double six, or by the GM's double one: 1 + 2 + 6 = 9 against 1 + 1 + 7 = 9.
    dying("damage", {"own": [own], "theirs": [theirs]}, amount=4)
    assert (vitals(dying), dying.under(DEAD), dying.under(PRONE)) == ((1, 0), 0, 1)


def test_after_it_hp_stay_at_1_until_the_next_turn(dying):
    dying("damage", {"own": [[6, 6]], "theirs": [[3, 4]]}, amount=1)
    done = dying("damage", amount=30)
    assert (vitals(dying), "They cannot go below 1 HP yet." in words(done)) == ((1, 0), True)
    dying("heal", amount=4)
    dying("damage", amount=6)
    assert vitals(dying) == (1, 0)
    # The next turn: 1 HP, so no damage by itself; then 1 damage means 0 HP and 0 Bones.
    dying("turn")
    assert vitals(dying) == (1, 0)
    dying("damage", {"own": [[1, 2]], "theirs": [[3, 4]]}, amount=1)
    assert (vitals(dying), dying.under(DEAD)) == ((0, 0), 1)


def test_no_grit_is_spent_after_a_critical_failure(dying):
    # 1 + 1 + 6 = 8; the 20 Grit would have added 10.
    dying.change("grit", 20)
    dying("damage", {"own": [[1, 1]], "theirs": [[3, 4]]}, amount=1)
    assert (dying["grit"], dying.under(DEAD)) == (20, 1)


@pytest.mark.parametrize(("theirs", "verdict", "dead"), [([6, 6], 1, 0), ([6, 6], 0, 1)])
def test_the_gm_decides_when_both_sides_roll_doubles(dying, theirs, verdict, dead):
    dying("damage", {"own": [[6, 6]], "theirs": [theirs]}, {"verdict": verdict}, amount=1)
    assert dying.under(DEAD) == dead


@pytest.mark.parametrize("procedure", ["damage", "heal", "turn", "short-break", "full-rest"])
def test_the_dead_are_out_of_play(dying, procedure):
    dying("damage", {"own": [[1, 2]], "theirs": [[3, 4]]}, amount=1)
    inputs = {"amount": 3} if procedure in ("damage", "heal") else {}
    with pytest.raises(RuleRefusal, match="dead"):
        dying(procedure, **inputs)


def against(table, entity):
    ability = next(one for one in abilities.abilities(table.state) if one.entity.id == entity)
    return list(abilities.against(table.state, ability))


def test_the_dead_can_use_nothing(dying):
    dying("damage", {"own": [[1, 2]], "theirs": [[3, 4]]}, amount=1)
    assert against(dying, "action/move") == ["nothing can be used while Dead"]
    assert "nothing can be used while Dead" in against(dying, "equipment/simple-warhammer")


@pytest.mark.parametrize("ends", ["attack", "turn-end"])
def test_a_success_leaves_a_final_action(dying, ends):
    # 4 + 4 + 6 = 14 against 14. The Attack: 1 + 2 + 5 against 3 + 4 + 9.
    dying("damage", {"own": [[4, 4]], "theirs": [[3, 4]]}, amount=1)
    assert (dying.under(DEAD), dying.under(PRONE), dying.under(FINAL)) == (1, 1, 1)
    assert against(dying, "action/move") == []
    if ends == "attack":
        dying("attack", {"own": [[1, 2]], "theirs": [[3, 4]]}, hit="str", vs=9)
    else:
        dying("turn-end")
    assert (dying.under(DEAD), dying.under(FINAL)) == (1, 0)
    assert against(dying, "action/move") == ["nothing can be used while Dead"]


def test_a_death_check_needs_no_hp_and_no_bones(tank):
    with pytest.raises(RuleRefusal, match="0 HP and 0 Bones"):
        tank("death-check")


def test_bones_that_were_gone_before_mean_a_check_at_0_hp(dying):
    # 1 HP and 0 Bones from a Critical Success, healed to 4; then 4 damage.
    dying("damage", {"own": [[6, 6]], "theirs": [[3, 4]]}, amount=1)
    dying("turn")
    dying("heal", amount=3)
    dying("damage", {"own": [[6, 6]], "theirs": [[3, 4]]}, amount=4)
    assert vitals(dying) == (1, 0)


def test_dying_over_several_turns_and_being_saved(tank):
    # Turn 1: Bones 7 - 1 = 6, 1 Action. Turn 2: 5. Healed: 2 Actions and no more damage.
    tank("damage", amount=30)
    first = tank("turn")
    assert (vitals(tank), first.outputs["actions"]) == ((0, 6), 1)
    tank("turn-end")
    tank("damage", amount=2)
    assert vitals(tank) == (0, 4)
    assert (tank("turn").outputs["actions"], vitals(tank)) == (1, (0, 3))
    tank("heal", amount=6)
    third = tank("turn")
    assert (vitals(tank), third.outputs["actions"]) == ((6, 3), 2)


def test_the_start_of_a_turn_can_kill(dying):
    # 1 Bone - 1. 2 + 3 + 6 = 11 against 14.
    done = dying("turn", {"own": [[2, 3]], "theirs": [[3, 4]]})
    assert (dying.under(DEAD), done.outputs["actions"]) == (1, 0)


def test_who_dies_as_the_turn_starts_may_have_a_final_action_in_it(dying):
    # 4 + 4 + 6 = 14 against 14.
    done = dying("turn", {"own": [[4, 4]], "theirs": [[3, 4]]})
    assert (dying.under(DEAD), done.outputs["actions"]) == (1, 1)


# ------------------------------------------------------------------------------------ Overwatch


def test_overwatch_outlasts_damage_by_a_will_check(tank):
    # 12 damage is less than half of 25 (13). 3 + 4 + 6 = 13 against 3 + 4 + 5 = 12.
    tank("overwatch", actions=2)
    tank("damage", {"own": [[3, 4]], "theirs": [[3, 4]]}, amount=12)
    assert (tank.under("effect/overwatch"), tank["hp"]) == (2, 13)
    # 6 is less than half of 13 (7), and now the check fails: 1 + 2 + 6 = 9 against 12.
    tank("damage", {"own": [[1, 2]], "theirs": [[3, 4]]}, amount=6)
    assert (tank.under("effect/overwatch"), tank["grit"]) == (0, 1)


def test_half_of_ones_hp_ends_overwatch_without_a_roll(tank):
    # Half of 25, rounded up, is 13.
    tank("overwatch")
    tank("damage", amount=13)
    assert (tank.under("effect/overwatch"), tank["grit"], tank["hp"]) == (0, 1, 12)


def test_no_damage_asks_for_no_check_of_overwatch(tank):
    tank("overwatch")
    tank("damage", amount=0)
    assert tank.under("effect/overwatch") == 1


def test_grit_and_strengths_help_to_keep_overwatch(tank):
    # 1 + 2 + 6 + 2 + 1 = 12 for a Strength and 2 Grit, against 12: a tie.
    tank("overwatch")
    tank.change("grit", 2)
    faces = {"own": [[1, 2]], "theirs": [[3, 4]]}
    tank("damage", faces, {"grit": 2}, amount=1, helps=1)
    assert (tank.under("effect/overwatch"), tank["grit"]) == (1, 0)


def test_nobody_takes_overwatch_in_critical_condition(tank):
    tank("damage", amount=25)
    with pytest.raises(RuleRefusal, match="cannot take Overwatch"):
        tank("overwatch")


# ------------------------------------------------------------------------------------ Supercharge


def test_supercharge_keeps_out_of_critical_condition(tank):
    # KNW 7 of the Healer: 3 + 4 + 7 = 14 against 12. HP is set to 4.
    tank.put("effect/supercharge")
    faces = {"own": [[3, 4]], "theirs": [[3, 4]], "restored": [[4]]}
    tank("damage", faces, {"healer_knw": 7}, amount=40)
    assert (vitals(tank), tank.under(PRONE), tank.under("effect/supercharge")) == ((4, 7), 0, 0)


def test_supercharge_may_fail(tank):
    # 1 + 2 + 7 = 10 against 12: spent for nothing.
    tank.put("effect/supercharge")
    tank("damage", {"own": [[1, 2]], "theirs": [[3, 4]]}, {"healer_knw": 7}, amount=40)
    assert (vitals(tank), tank.under(PRONE), tank.under("effect/supercharge")) == ((0, 7), 1, 0)


@pytest.mark.parametrize(
    ("bones", "own", "knw", "hp"),
    [
        # KNW 4: 3 + 5 + 4 = 12 against 12. Critical Condition is not there yet to reduce it.
        (7, [3, 5], 4, 2),
        # A Bone missing already: 4 - 2. 3 + 5 + 2 = 10.
        (6, [3, 5], 2, 0),
        (6, [4, 6], 2, 2),
    ],
)
def test_supercharge_of_ones_own_is_checked_before_critical_condition(tank, bones, own, knw, hp):
    tank.change("bones", bones - 7)
    tank.put("effect/supercharge")
    faces = {"own": [own], "theirs": [[3, 4]]} | ({"restored": [[2]]} if hp else {})
    done = tank("damage", faces, amount=25)
    assert f"KNW {knw} of the Healer" in words(done)
    assert (vitals(tank), tank.under(CRITICAL)) == ((hp, bones), not hp)


def test_supercharge_sets_hp_to_1d6_even_above_what_was_left(tank):
    # 2 HP left of 25, and 5 are rolled.
    tank("damage", amount=23)
    tank.put("effect/supercharge")
    faces = {"own": [[6, 5]], "theirs": [[1, 2]], "restored": [[5]]}
    done = tank("damage", faces, amount=2)
    assert (tank["hp"], "HP +3 → 5" in words(done)) == (5, True)


def test_supercharge_is_not_spent_by_who_cannot_go_below_1_hp(dying):
    dying("damage", {"own": [[6, 6]], "theirs": [[3, 4]]}, amount=1)
    dying.put("effect/supercharge")
    dying("damage", amount=30)
    assert (dying["hp"], dying.under("effect/supercharge")) == (1, 1)


def test_supercharge_stays_while_hp_are_left(tank):
    tank.put("effect/supercharge")
    tank("damage", amount=24)
    assert tank.under("effect/supercharge") == 1


# ------------------------------------------------------------------------------------ falls


def test_a_fall_of_3_metres_does_nothing(tank):
    done = tank("fall", metres=3)
    assert (vitals(tank), done.outputs["dealt"], done.faces) == ((25, 7), 0, {})


def test_a_fall_of_4_metres_can_be_landed(tank):
    # 3 + 4 + AGI 5 = 12 against 4 + 4 + 4 = 12: a tie is a success.
    done = tank("fall", {"own": [[3, 4]], "theirs": [[4, 4]]}, metres=4)
    assert (vitals(tank), tank.under(PRONE), done.outputs["success"]) == ((25, 7), 0, 1)


def test_a_fall_of_9_metres_costs_9d6(tank):
    # 3 + 4 + 5 = 12 against 4 + 4 + 9 = 17; 9 dice show 21: HP 25 - 21 = 4; Prone.
    dice = [1, 2, 3, 4, 3, 2, 1, 2, 3]
    faces = {"own": [[3, 4]], "theirs": [[4, 4]], "dealt": [dice]}
    done = tank("fall", faces, metres=9)
    assert (vitals(tank), tank.under(PRONE), done.outputs["dealt"]) == ((4, 7), 1, 21)
    assert tank["grit"] == 1


def test_grit_is_asked_for_in_each_check_of_a_fall(tank):
    # Landing: 3 + 4 + 5 = 12, and 2 Grit: 13, against 6 + 5 + 4 = 15. 5 - 2 + 1 = 4 Grit.
    # 4 damage of 25 HP: WIL 1 + 2 + 6 = 9, and 4 Grit: 11, against 2 + 4 + 5 = 11.
    tank("overwatch")
    tank.change("grit", 5)
    faces = {"own": [[3, 4], [1, 2]], "theirs": [[6, 5], [2, 4]], "dealt": [[1, 1, 1, 1]]}
    done = tank("fall", faces, {"grit": 2, "grit#2": 4}, metres=4)
    assert (tank["hp"], tank["grit"], tank.under("effect/overwatch")) == (21, 0, 1)
    assert {name: done.inputs[name] for name in ("grit", "grit#2")} == {"grit": 2, "grit#2": 4}


# ------------------------------------------------------------------------------------ other units


@pytest.fixture
def beast(at_table):
    """A Tank with a Land Beast: 11 HP, 6 Bones, WIL 6."""
    array = {"str": 7, "ftd": 6, "agi": 5, "cha": 4}
    return at_table(answers={"asset": "companion/land-beast", "asset.companion.array": array})


def test_a_companion_dies_by_the_same_rules_without_grit(beast):
    # 11 HP, then 6 Bones; 3 + 4 + 6 = 13 against 14. The Grit of its owner stays.
    beast.change("grit", 8)
    beast("damage", unit=BEAST, amount=15)
    assert (beast.of(BEAST, "hp"), beast.of(BEAST, "bones"), beast.of(BEAST, "str")) == (0, 6, 5)
    assert (beast.under(PRONE, BEAST), beast.under(CRITICAL, BEAST)) == (1, 1)
    beast("damage", {"own": [[3, 4]], "theirs": [[3, 4]]}, unit=BEAST, amount=6)
    assert (beast.under(DEAD, BEAST), beast.under(DEAD)) == (1, 0)
    assert (beast["grit"], vitals(beast)) == (8, (25, 7))


def test_a_companion_survives_by_a_critical_success(beast):
    beast("damage", unit=BEAST, amount=11)
    beast("damage", {"own": [[6, 6]], "theirs": [[3, 4]]}, unit=BEAST, amount=6)
    assert (beast.of(BEAST, "hp"), beast.of(BEAST, "bones"), beast.under(DEAD, BEAST)) == (1, 0, 0)


def test_a_companions_turn_costs_it_a_bone_in_critical_condition(beast):
    beast("damage", unit=BEAST, amount=11)
    beast("turn", unit=BEAST)
    assert (beast.of(BEAST, "bones"), beast["bones"]) == (5, 7)


def test_a_companion_spends_the_energy_of_its_owner(beast):
    beast.change("energy", -4, unit=BEAST)
    assert (beast["energy"], beast.of(BEAST, "energy")) == (5, 5)


def test_a_companion_that_fails_gains_no_grit(beast):
    # 1 + 2 + 7 = 10 against 12, with a Weakness 8.
    faces = {"own": [[1, 2]], "theirs": [[3, 4]]}
    beast("attribute-check", faces, unit=BEAST, attribute="str", vs=5, weakness=1)
    assert beast["grit"] == 0


def test_a_vehicle_has_no_bones_to_lose(at_table):
    # The Bike has 10 HP; its owner's Bones are not its own.
    bike = at_table(answers={"asset": "vehicle/bike"})
    bike("damage", unit="asset.vehicle", amount=7)
    assert bike.of("asset.vehicle", "hp") == 3
    done = bike("damage", unit="asset.vehicle", amount=7)
    assert (bike.of("asset.vehicle", "hp"), words(done)[-1]) == (0, "The Vehicle is at 0 HP.")
    bike("damage", unit="asset.vehicle", amount=7)
    assert (vitals(bike), bike.under(PRONE, "asset.vehicle")) == ((25, 7), 0)
    assert bike.under(CRITICAL, "asset.vehicle") == 0
    bike("heal", unit="asset.vehicle", amount=4)
    assert bike.of("asset.vehicle", "hp") == 4
    bike("turn", unit="asset.vehicle")
    assert bike.of("asset.vehicle", "hp") == 4


@pytest.mark.parametrize(
    ("value", "most"), [("hp", 25), ("energy", 9), ("bones", 7), ("grit", None)]
)
def test_a_resource_stays_within_its_bounds(tank, value, most):
    tank.change(value, 1000)
    assert tank[value] == (1000 if most is None else most)
    tank.change(value, -2000)
    assert tank[value] == 0
    tank.change(value, 1)
    assert tank[value] == 1


def test_money_may_go_below_nothing(tank):
    # What was spent without being there is a problem that a check names, never lost.
    tank.change("money", -301)
    assert tank["money"] == -1
