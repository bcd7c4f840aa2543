"""Skill rolls and the Biotic Explosion, worked by hand (B10)."""

from __future__ import annotations

import pytest

# -------------------------------------------------------------------------------- the target


@pytest.mark.parametrize(("under", "amount", "biotic"), [(0, 9, 1), (1, 9, 0), (1, 0, 1)])
def test_no_explosion_without_an_effect_a_biotic_attack_and_damage(adept, under, amount, biotic):
    """No die is rolled: there are none to roll."""
    if under:
        adept.put("biotic-effect", about="Warp")
    adept("damage", amount=amount, biotic=biotic)
    assert not any("Explosion" in text for text in adept.told)


# ------------------------------------------------------------------------ under the template


def test_nobody_who_stays_put_hits_an_obstruction(adept):
    dice = {"blast": [[1, 1]], "push": [[1]]}
    with pytest.raises(AssertionError, match="never asked for"):
        adept("caught-in-explosion", dice, chosen={"obstructed": 1})
    adept("caught-in-explosion", dice)
    assert not any("Kinetic" in text for text in adept.told)
