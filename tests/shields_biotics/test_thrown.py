"""Knocked Back, Pulled, Prone and what keeps from them, worked by hand."""

from __future__ import annotations

import pytest

from charforge.errors import CharforgeError

BARRIER, HEAVY = {"barrier": "yes"}, {"heavy-armor": "yes"}
# Protection, Shield layers, whether thrown, whether Prone (B9).
WHO = [
    ({}, 0, True, True),
    ({}, 1, False, False),
    (BARRIER, 0, False, True),
    (HEAVY, 0, False, True),
    (BARRIER | HEAVY, 0, False, True),
    (BARRIER, 2, False, False),
]


@pytest.mark.parametrize(("protection", "layers", "thrown", "prone"), WHO)
@pytest.mark.parametrize("way", ["knocked", "pulled"])
def test_who_is_thrown_and_who_falls(sit, protection, layers, thrown, prone, way):
    """2" and 1 raise: 3"."""
    table = sit(protection)
    table.set("shield", layers)
    found = table("thrown", **{way: 2}, raises=1, prone=1)
    assert found["distance"] == (3 if thrown else 0)
    assert (found["falls"], table.under("prone")) == (prone, int(prone))


@pytest.mark.parametrize(("x", "raises", "distance"), [(2, 0, 2), (2, 3, 5), (0, 3, 0), (4, 1, 5)])
def test_an_inch_more_for_each_raise(adept, x, raises, distance):
    """What is not thrown at all (0) is not thrown by raises."""
    adept.set("shield", 0)
    assert adept("thrown", knocked=x, raises=raises)["distance"] == distance


def test_not_both_ways_at_once(adept):
    with pytest.raises(CharforgeError, match="opposite ways"):
        adept("thrown", knocked=1, pulled=1)


def test_the_shield_is_judged_before_the_damage_of_the_same_attack(adept):
    """B5: 16 takes all 3 layers, and yet the Shield was active: neither thrown nor Prone."""
    found = adept("damage", amount=16, knocked=2, prone=1)
    assert adept["shield"] == 0
    assert (found["distance"], adept.under("prone")) == (0, 0)


def test_the_next_attack_throws(adept):
    adept("damage", amount=16, knocked=2, prone=1)
    found = adept("damage", amount=7, knocked=2, raises=2, prone=1)
    assert (found["distance"], adept.under("prone")) == (4, 1)


def test_a_melee_attack_on_an_active_shield_throws_nobody(adept):
    found = adept("damage", amount=12, melee=1, knocked=3, prone=1)
    assert (found["distance"], adept.under("prone"), adept["wounds"]) == (0, 0, 1)


def test_a_barrier_can_come_and_go(adept):
    """B15."""
    adept.set("shield", 0)
    adept.put("protection/barrier")
    assert adept("thrown", pulled=3)["distance"] == 0
    assert "Barrier: neither Knocked Back nor Pulled" in adept.told


def test_an_active_shield_is_said(adept):
    assert adept.under("active-shield") == 1
    adept.set("shield", 0)
    assert adept.under("active-shield") == 0
