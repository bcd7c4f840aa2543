"""Sprinting, morale, lore and custom weapons in play."""

from __future__ import annotations

import pytest

from charforge.character.holdings import local_numbers
from charforge.procedures.abilities import all_abilities
from tests.squad_d20.conftest import ORTEGA

# ------------------------------------------------------------------ hiding, moving


@pytest.mark.parametrize(("fortitude", "free"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_free_sprint_rounds_are_half_of_fortitude(soldier, fortitude, free):
    others = {"strength": 1, "agility": 1, "instinct": 1, "intelligence": 1, "willpower": 1}
    values = soldier({"attributes": {"fortitude": fortitude, **others}}).character.state.values()
    assert values.total("free_sprints") == free


# ------------------------------------------------------------------ the turn


def test_the_end_of_combat_ends_effects_and_sets_morale_to_0(table):
    for name in ("effect/hardiness", "status/cover", "effect/charged"):
        table.put(name)
    table.change("morale", -4)
    table("combat-ends")
    assert (len(table.state.conditions), table["morale"]) == (0, 0)


@pytest.mark.parametrize(
    ("morale", "step"),
    [(-7, "Surrender or less"), (-5, "Surrender or less"), (-4, "Terror or 4 taunts"),
     (-3, "3 taunts"), (-1, "1 taunt"), (0, "Nothing to spend"), (2, "2 to spend")],
)  # fmt: skip
def test_the_track_says_what_a_morale_level_means(table, morale, step):
    assert step in table.state.ruleset.figure_text("morale", morale)


# ------------------------------------------------------------------ lore


def test_lore_against_two_targets_stands_side_by_side(table):
    table.use("Weak Point", [10], target="the sniper")
    table.use("Weak Point", [15], target="the brute")
    table.use("Weak Point", [15], target="the sniper")
    found = {one.about: one.amount for one in table.state.conditions}
    assert found == {"the sniper": 2, "the brute": 2}


# ------------------------------------------------------------------ custom weapons

# The rotary cannon: accuracy 7 + 1, damage 12, penetration 3, rending 2, 100 rounds, range 30. The
# target has Defense 18, DR 5 and damage threshold 6.


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
