"""Taunts in play. Checks and pools are samples (catalog/narrative-dice/tests)."""

from __future__ import annotations


def test_a_new_taunt_ends_the_one_before(table):
    table("be-taunted", by="the ogre")
    table("be-taunted", by="the knight")
    assert [one.about for one in table.state.conditions] == ["the knight"]
