"""What every unit may do in combat, used as an action, and checks without a character.

The Tank of Level 1 here has STR 7, AGI 5, 25 HP.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from charforge.character import gear
from charforge.errors import ProcedureError, RuleRefusal
from charforge.procedures import abilities
from charforge.procedures.run import run
from charforge.replay.events import RecordedDice

CHECK = "attribute-check"


@dataclass
class Fighter:
    """A character that uses what it can."""

    table: Any

    def __call__(self, source: str, key: str, faces=None, unit="character", **inputs: Any):
        """Use an ability; what it changes stays changed."""
        found = abilities.find(self.table.state, unit, source, key)
        assert found is not None
        done = abilities.use(self.table.state, found, inputs, RecordedDice(faces or {}))
        self.table.state = done.state
        return done


@pytest.fixture
def tank(at_table):
    return at_table("the-tank")


@pytest.fixture
def fight(tank):
    return Fighter(tank)


def prepared(table):
    found = (one for one in table.state.conditions if one.entity.id == "effect/prepared")
    return [one.about for one in found]


def test_prepare_serves_one_roll_with_its_attribute(tank, fight):
    # Prepared for STR and AGI: the Defense Roll with AGI uses the one for AGI.
    fight("action/prepare", "action", attribute="str")
    fight("action/prepare", "action", attribute="agi")
    assert prepared(tank) == ["str", "agi"]
    faces = {"own": [[1, 1], [4, 4]], "theirs": [[1, 2]]}
    tank("defend", faces, attribute="agi", vs=5, prepare=1)
    assert prepared(tank) == ["str"]
    tank("attack", faces, hit="str", vs=5, prepare=1, melee=1)
    assert prepared(tank) == []


def test_a_preparation_put_by_hand_is_used_up_too(tank):
    tank.put("effect/prepared", about="Agility")
    faces = {"own": [[1, 1], [4, 4]], "theirs": [[1, 2]]}
    tank("defend", faces, attribute="agi", vs=5, prepare=1)
    assert prepared(tank) == []


def test_prepare_lasts_until_the_next_turn(tank, fight):
    fight("action/prepare", "action", attribute="str")
    tank("turn-end")
    assert prepared(tank) == ["str"]
    tank("turn")
    assert prepared(tank) == []


def test_overwatch_is_taken_with_1_or_more_actions(tank, fight):
    fight("action/overwatch", "action", actions=2)
    assert tank.under("effect/overwatch") == 2
    tank("turn")
    fight("action/overwatch", "action")
    assert tank.under("effect/overwatch") == 1


@pytest.mark.parametrize(
    ("action", "inputs"),
    [("prepare", {"attribute": "str"}), ("overwatch", {}), ("grapple", {"vs": 5})],
)
def test_critical_condition_forbids_it(tank, fight, action, inputs):
    tank.change("hp", -25)
    with pytest.raises(RuleRefusal, match="In Critical Condition you cannot"):
        fight(f"action/{action}", "action", **inputs)


def test_grappling_and_breaking_free_are_actions(tank, fight):
    # 3 + 4 + 7 = 14 against 14, then 15.
    done = fight("action/grapple", "action", {"own": [[3, 4]]}, opposed=14)
    assert done.steps[-1].text.startswith("Choose: the target falls Prone")
    tank.put("status/grappled", about="an ogre")
    fight("status/grappled", "Break free", {"own": [[3, 4]]}, opposed=15)
    assert (tank.under("status/grappled"), tank["grit"]) == (1, 1)
    fight("status/grappled", "Break free", {"own": [[3, 4]]}, opposed=14)
    assert tank.under("status/grappled") == 0


def test_seizing_the_initiative_can_be_used(tank, fight):
    # 3 + 4 + 5 = 12 against 13, with a Strength 14.
    fight("action/seize-the-initiative", "special", {"own": [[3, 4]]}, opposed=13, helps=1)
    assert (tank.under("effect/initiative-seized"), tank["grit"]) == (1, 0)


def test_a_vehicle_has_no_strength_to_grapple_with(at_table):
    bike = Fighter(at_table(answers={"asset": "vehicle/bike"}))
    with pytest.raises(ProcedureError, match="not for a Vehicle"):
        bike("action/grapple", "action", unit="asset.vehicle", vs=5)


def test_an_attack_of_a_weapon_brings_its_own_figures(tank, fight):
    # Unarmed, STR against STR, 2 damage, Melee, no Training: 3 + 4 + 7 = 14 against 13. Point Blanc
    # does not count in Melee.
    held = next(one for one in tank.state.holdings if one.entity.id == "attack/unarmed")
    done = fight(held.id, "Melee", {"own": [[3, 4]]}, opposed=13, point_blanc="self")
    assert (done.outputs["total"], done.outputs["dealt"]) == (14, 2)
    assert tank.under("effect/attack-counter") == 1


def test_a_weapon_one_is_trained_with_adds_2(tank, fight):
    # Simple Warhammer in hand, STR 7, Training: 3 + 4 + 7 + 2 = 16 against 15.
    held = next(one for one in tank.state.holdings if "warhammer" in one.entity.id)
    tank.state = gear.hold(tank.state, held)
    done = fight(held.id, "Melee", {"own": [[3, 4]]}, opposed=15)
    assert (done.outputs["total"], done.outputs["hits"]) == (16, 1)
    assert done.outputs["dealt"] == held.entity.attacks[0].damage


def test_a_check_without_a_character_knows_no_grit(tank):
    # 1 + 2 + 6 = 9 against 12: a failure that gives nobody Grit.
    procedure = tank.state.ruleset.procedure(CHECK)
    dice = RecordedDice({"own": [[1, 2]], "theirs": [[3, 4]]})
    inputs = {"attribute": "str", "vs": 5}
    done = run(tank.state, procedure, inputs, dice, given={"str": 6}, bare=True)
    assert (done.outputs["total"], done.outputs["success"]) == (9, 0)
    assert done.state == tank.state


def test_a_figure_that_nobody_gave_is_asked_for(tank):
    procedure = tank.state.ruleset.procedure(CHECK)
    with pytest.raises(ProcedureError, match="its figure is not known"):
        run(tank.state, procedure, {"attribute": "str", "vs": 5}, RecordedDice({}), bare=True)
