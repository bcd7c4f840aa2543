"""Taunts and states in play. Checks and damage are samples (catalog/narrative-dice/tests)."""

from __future__ import annotations

import pytest


def test_a_new_taunt_ends_the_one_before(table):
    table("be-taunted", by="the ogre")
    table("be-taunted", by="the knight")
    assert [one.about for one in table.state.conditions] == ["the knight"]


# ----------------------------------------------------------------------------------- turns (N9)


@pytest.mark.parametrize("status", ["grabbed", "restrained", "combat-advantage"])
def test_undefined_states_are_named_and_change_nothing(table, status):
    before = {name: table[name] for name in table.state.values().ids()}
    table.put(status)
    assert table.under(status) == 1
    assert {name: table[name] for name in table.state.values().ids()} == before
