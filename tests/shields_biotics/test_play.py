"""Markers, Soak and the Biotic Explosion, worked by hand."""

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


# ------------------------------------------------------------------ Biotic Explosion (B10)


@pytest.mark.parametrize(("under", "amount", "biotic"), [(0, 9, 1), (1, 9, 0), (1, 0, 1)])
def test_no_explosion_without_an_effect_a_biotic_attack_and_damage(adept, under, amount, biotic):
    """No die is rolled: there are none to roll."""
    if under:
        adept.put("biotic-effect", about="Warp")
    adept("damage", amount=amount, biotic=biotic)
    assert not any("Explosion" in text for text in adept.told)


def test_nobody_who_stays_put_hits_an_obstruction(adept):
    dice = {"blast": [[1, 1]], "push": [[1]]}
    with pytest.raises(AssertionError, match="never asked for"):
        adept("caught-in-explosion", dice, chosen={"obstructed": 1})
    adept("caught-in-explosion", dice)
    assert not any("Kinetic" in text for text in adept.told)
