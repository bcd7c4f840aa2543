"""Checks, morale, influence, sneaking, sprinting, initiative, the turn.

Influence 8, Stealth 6, Resolve 16, morale bonus 3, initiative 4, 2 free sprint rounds.
"""

from __future__ import annotations

import pytest

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
