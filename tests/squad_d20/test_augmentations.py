"""Tactics, leadership, lore and squad options; rally.

Tactics 10, Leadership 9, Lore 5; Intelligence 3, Willpower 2, morale bonus 3.
"""

from __future__ import annotations

# ------------------------------------------------------------------ lore


def test_lore_against_two_targets_stands_side_by_side(table):
    table.use("Weak Point", [10], target="the sniper")
    table.use("Weak Point", [15], target="the brute")
    table.use("Weak Point", [15], target="the sniper")
    found = {one.about: one.amount for one in table.state.conditions}
    assert found == {"the sniper": 2, "the brute": 2}
