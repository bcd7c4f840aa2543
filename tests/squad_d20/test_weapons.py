"""Custom weapons: inputs of their attacks, ammunition and magazines.

The rotary cannon: accuracy 7 + 1, damage 12, penetration 3, rending 2, 100 rounds, range 30. The
target has Defense 18, DR 5 and damage threshold 6.
"""

from __future__ import annotations

import pytest

from charforge.character.holdings import local_numbers
from charforge.procedures.abilities import all_abilities
from tests.squad_d20.conftest import ORTEGA


def test_which_weapons_fire_how(table):
    modes = {one.name.partition(": ")[2] for one in all_abilities(table.state) if one.attack}
    mine = {one.name for one in all_abilities(table.state, ORTEGA) if one.attack}
    assert {"Saturation Fire", "Focused Burst, fully automatic"} <= modes
    assert mine == {
        "Assault rifle", "Assault rifle: Burst Fire", "Assault rifle: Focused Burst",
        "Assault rifle: Suppressing Fire",
    }  # fmt: skip


@pytest.mark.parametrize("successes", [0, 1, 3])
def test_long_shot_adds_2_squares_for_each_success(table, successes):
    # Range 30.
    if successes:
        table.put("effect/long-shot", successes)
    assert local_numbers(table.state, table.state.holding("weapon"))["reach"] == 30 + 2 * successes
