"""Prices, rarities and contents of gear, transcribed from the book independently."""

from __future__ import annotations

import pytest

BANDAGES = {
    "advanced-first-aid-kit": {"Large Programmable Bandages": 6, "Small Programmable Bandages": 12},
    "primitive-first-aid-kit": {"Large Bandages": 6, "Small Bandages": 12},
}


@pytest.mark.parametrize("name", BANDAGES)
def test_the_bandages_of_a_kit(capital, name):
    """Each Action spends one of them."""
    kit = capital.entity(f"equipment/{name}")
    assert {held.label: held.max.constant for held in kit.capacities} == BANDAGES[name]
    assert [dict(action.cost) for action in kit.actions] == [
        {held.id: 1} for held in kit.capacities
    ]
    assert {action.timing for action in kit.actions} == {"action"}


def test_two_outfits_of_two_types_and_200_to_400_mc(capital):
    steps = {step.id: step for step in capital.head.creation}
    assert [option.id for option in steps["outfits"].options] == ["everyday", "professional"]
    assert steps["outfits"].count == 2
    money = steps["money"]
    assert (money.minimum.constant, money.maximum.constant) == (200, 400)
