"""What is not asked where there is nothing to choose. Other rules in play are samples."""

from __future__ import annotations

import pytest


def test_there_is_nothing_to_soak_where_only_layers_are_lost(adept):
    with pytest.raises(AssertionError, match="never asked for"):
        adept("damage", amount=16, chosen={"soaked": 1})
    adept("damage", amount=16)
    assert (adept["shield"], adept.under("shaken"), adept["wounds"]) == (0, 0, 0)


def test_nobody_who_stays_put_hits_an_obstruction(adept):
    dice = {"blast": [[1, 1]], "push": [[1]]}
    with pytest.raises(AssertionError, match="never asked for"):
        adept("caught-in-explosion", dice, chosen={"obstructed": 1})
    adept("caught-in-explosion", dice)
    assert not any("Kinetic" in text for text in adept.told)
