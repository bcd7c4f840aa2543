"""C/D markers, Jokers, the start of an initiative count, Soak and healing."""

from __future__ import annotations

import pytest


def test_a_skill_without_cd_is_always_usable_and_places_nothing(adept):
    """B8."""
    adept.use("Throw/Pull: Use")
    adept.use("Shooting: Use")
    assert adept["markers"] == 2
    assert adept.under("cooling-down") == 1


# -------------------------------------------------------------------------- Soak and healing


def test_there_is_nothing_to_soak_where_only_layers_are_lost(adept):
    with pytest.raises(AssertionError, match="never asked for"):
        adept("damage", amount=16, chosen={"soaked": 1})
    adept("damage", amount=16)
    assert adept.standing == (0, 0, 0)
