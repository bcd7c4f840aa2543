"""Levels of morale in words; custom weapons. Other rules in play are samples."""

from __future__ import annotations

import pytest

from charforge.character.holdings import local_numbers
from charforge.procedures.abilities import all_abilities
from tests.squad_d20.conftest import ORTEGA


@pytest.mark.parametrize(
    ("morale", "step"),
    [(-7, "Surrender or less"), (-5, "Surrender or less"), (-4, "Terror or 4 taunts"),
     (-3, "3 taunts"), (-1, "1 taunt"), (0, "Nothing to spend"), (2, "2 to spend")],
)  # fmt: skip
def test_the_track_says_what_a_morale_level_means(table, morale, step):
    assert step in table.state.ruleset.figure_text("morale", morale)


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
