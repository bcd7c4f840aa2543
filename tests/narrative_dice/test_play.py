"""States that the book leaves open. Checks and damage are samples of the pack."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("status", ["grabbed", "restrained", "combat-advantage"])
def test_undefined_states_are_named_and_change_nothing(table, status):
    before = {name: table[name] for name in table.state.values().ids()}
    table.put(status)
    assert table.under(status) == 1
    assert {name: table[name] for name in table.state.values().ids()} == before
