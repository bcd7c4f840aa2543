"""Weapons of one's own: what their attacks tell the steps, what they fire, and their magazines.

The rotary cannon: accuracy 7 + 1, damage 12, penetration 3, rending 2, 100 rounds, range 30. The
target has Defense 18, DR 5 and damage threshold 6.
"""

from __future__ import annotations

import pytest

from charforge.character import play_state
from charforge.character.local_formulas import local_numbers
from charforge.errors import RuleRefusal
from charforge.procedures.abilities import all_abilities
from tests.squad_d20.conftest import ORTEGA

CANNON = "Rotary cannon"
TARGET = {"vs": 18, "resistance": 5, "threshold": 6}


def rounds(table, holding="weapon"):
    found = table.state.holding(holding)
    return play_state.capacity_left(table.state, found, found.entity.capacities[0])


def test_a_weapon_tells_its_own_figures(table):
    # 11 + 7 + 1 = 19: overage 1, damage 13 − (5 − 3) = 11; threshold 6 − 2 = 4: floor(10 / 4) = 2.
    done = table.use(CANNON, [11], **TARGET)
    outputs = {name: done.outputs[name] for name in ("total", "final", "dealt", "wounds", "hail")}
    assert outputs == {"total": 19, "final": 13, "dealt": 11, "wounds": 2, "hail": 0}


def test_a_melee_weapon_has_the_cap_of_strength(table):
    # 17 + 7 + 2 = 26: overage 6 of 8; damage 8 + 6 − (5 − 1) = 10.
    done = table.use("Axe: Melee", [17], **TARGET)
    assert (done.outputs["overage"], done.outputs["dealt"]) == (6, 10)


@pytest.mark.parametrize(
    ("mode", "spent", "total", "hail"),
    [
        ("", 1, 19, 0),
        (": Burst Fire", 10, 19, 1),
        (": Burst Fire, fully automatic", 20, 19, 1),
        (": Focused Burst", 10, 19, 2),
        (": Focused Burst, fully automatic", 20, 19, 2),
        (": Suppressing Fire", 20, 19, 0),
        (": Suppressing Fire, fully automatic", 40, 19, 0),
        (": Saturation Fire", 10, 29, 0),  # + 10 accuracy
    ],
)
def test_each_way_of_firing_spends_its_rounds(table, mode, spent, total, hail):
    # 11 + 7 + 1 = 19.
    done = table.use(CANNON + mode, [11], **TARGET)
    assert rounds(table) == 100 - spent
    assert (done.outputs["total"], done.outputs["hail"]) == (total, hail)


def test_a_burst_keeps_the_higher_hailfire_and_saturation_fire_has_none(soldier, table):
    # The weapon's own Hailfire is 3; 3 of the unit who fire it add 2.
    table.state = soldier({"weapon.hail": 3}).character.state
    assert table.use(f"{CANNON}: Burst Fire", [11], **TARGET).outputs["hail"] == 3
    assert table.use(f"{CANNON}: Burst Fire", [11], firing=3, **TARGET).outputs["hail"] == 5
    assert table.use(f"{CANNON}: Saturation Fire", [11], **TARGET).outputs["hail"] == 0


def test_suppressing_fire_hits_resolve_and_defense_apart(table):
    # 10 + 8 = 18 hits Defense 18 and Resolve 18.
    fire = f"{CANNON}: Suppressing Fire"
    done = table.use(fire, [10], resolve_of_target=18, **TARGET)
    assert (done.outputs["hits"], done.outputs["suppresses"]) == (1, 1)
    done = table.use(fire, [9], resolve_of_target=17, **TARGET)
    assert (done.outputs["hits"], done.outputs["suppresses"]) == (0, 1)


def test_which_weapons_fire_how(table):
    modes = {one.name.partition(": ")[2] for one in all_abilities(table.state) if one.attack}
    mine = {one.name for one in all_abilities(table.state, ORTEGA) if one.attack}
    assert {"Saturation Fire", "Focused Burst, fully automatic"} <= modes
    assert mine == {
        "Assault rifle", "Assault rifle: Burst Fire", "Assault rifle: Focused Burst",
        "Assault rifle: Suppressing Fire",
    }  # fmt: skip


def test_an_empty_magazine_fires_no_more_until_it_is_reloaded(table):
    # The battle rifle holds 20 rounds, and fires single shots only.
    for _shot in range(20):
        table.use("Battle rifle", [10], **TARGET)
    with pytest.raises(RuleRefusal, match="needs 1 Rounds, 0 left"):
        table.use("Battle rifle", **TARGET)
    table.use("Battle rifle: Reload")
    assert rounds(table, "weapons.ranged") == 20


def test_a_burst_needs_all_of_its_rounds(table):
    for _burst in range(2):
        table.use(f"{CANNON}: Suppressing Fire, fully automatic", [10], **TARGET)
    with pytest.raises(RuleRefusal, match="needs 40 Rounds, 20 left"):
        table.use(f"{CANNON}: Suppressing Fire, fully automatic", **TARGET)


def test_a_member_fires_its_own_weapon(table):
    # 10 + 4 = 14, + 1 for 2 who fire; Hailfire 0 + 1. Overage 1 (Instinct 2), 10 − (3 − 1) = 8,
    # × 2 = 16.
    done = table.use("Assault rifle", [10], unit=ORTEGA, vs=14, firing=2, resistance=3, threshold=9)
    assert (done.outputs["total"], done.outputs["dealt"]) == (15, 16)
    assert rounds(table, f"{ORTEGA}.weapon") == 29


@pytest.mark.parametrize("successes", [0, 1, 3])
def test_long_shot_adds_2_squares_for_each_success(table, successes):
    # Range 30.
    if successes:
        table.put("effect/long-shot", successes)
    assert local_numbers(table.state, table.state.holding("weapon"))["reach"] == 30 + 2 * successes
