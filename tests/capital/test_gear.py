"""Prices, rarities and contents of gear, read from the book a second time."""

from __future__ import annotations

import re

import pytest

GEAR = "Adventuring Gear"
EQUIPMENT = "Equipment"
# Gear: the name printed, its category (D44), price in mC, rarity.
PRICES = {
    "advanced-first-aid-kit": ("Advanced first aid kit", EQUIPMENT, 100, "Rare"),
    "adventuring-kit": ("Adventuring Kit", EQUIPMENT, None, None),
    "alloy-cable-5m": ("Alloy Cable (5m)", EQUIPMENT, 20, "Common"),
    "backpack": ("Backpack", EQUIPMENT, 40, "Common"),
    "clothing": ("Clothing", EQUIPMENT, None, None),
    "electric-lantern": ("Electric Lantern", EQUIPMENT, 20, "Common"),
    "high-strength-alloy-cable-5m": ("High-strength Alloy Cable (5m)", GEAR, 150, "Rare"),
    "miniature-general-scanner": ("Miniature General Scanner", GEAR, 100, "Common"),
    "non-perishable-rations-1-day": ("Non-perishable Rations (1 day)", GEAR, 5, "Common"),
    "personal-communicator": ("Personal Communicator", GEAR, 80, "Common"),
    "primitive-first-aid-kit": ("Primitive first aid kit", GEAR, 15, "Common"),
    "primitive-rope-20m": ("Primitive rope (20m)", GEAR, 10, "Common"),
    "solar-array": ("Solar Array", GEAR, 80, "Uncommon"),
    "tent": ("Tent", GEAR, None, "Common"),  # priced by size
    "toolkit": ("Toolkit", GEAR, 50, "Common"),
    "torch": ("Torch", GEAR, 20, "Common"),
    "water-bottle": ("Water bottle", GEAR, 10, "Common"),
}
TENTS = {"1-man": 50, "2-man": 70, "3-man": 80, "4-man": 100, "6-man": 140, "8-man": 200}
BANDAGES = {
    "advanced-first-aid-kit": {
        "Large Programmable Bandages": 6,
        "Small Programmable Bandages": 12,
    },
    "primitive-first-aid-kit": {"Large Bandages": 6, "Small Bandages": 12},
}


def test_the_table_has_all_that_is_no_weapon(capital):
    assert {e.slug for e in capital.of_kind("equipment") if "weapon" not in e.tags} == set(PRICES)
    assert len(PRICES) == 17


@pytest.mark.parametrize("name", PRICES)
def test_the_price_of_gear(capital, name):
    item = capital.entity(f"equipment/{name}")
    found = (item.name, item.own["category"], item.price, item.own.get("rarity"))
    assert found == PRICES[name]


def test_weapons_have_no_price(capital):
    """D48: none is for sale unless the GM names a price."""
    weapons = [e for e in capital.of_kind("equipment") if "weapon" in e.tags]
    weapons += capital.of_kind("special-weapon")
    assert len(weapons) == 29
    assert {(weapon.price, weapon.own.get("rarity")) for weapon in weapons} == {(None, None)}


def test_the_sizes_of_tents(capital):
    tent = capital.entity("equipment/tent")
    [choice] = tent.choices
    assert tent.own["sizes"] == [f"{size}: {price} mC" for size, price in TENTS.items()]
    assert {option.id: option.price for option in choice.options} == TENTS
    for option in choice.options:
        assert set(re.findall(r"\d+", option.id + option.label)) == {option.id[0]}


@pytest.mark.parametrize("name", BANDAGES)
def test_the_bandages_of_a_kit(capital, name):
    """Each Action spends one of them."""
    kit = capital.entity(f"equipment/{name}")
    assert {held.label: held.max.constant for held in kit.capacities} == BANDAGES[name]
    assert [dict(action.cost) for action in kit.actions] == [
        {held.id: 1} for held in kit.capacities
    ]
    assert {action.timing for action in kit.actions} == {"action"}


def test_the_adventuring_kit(capital):
    kit = capital.entity("equipment/adventuring-kit")
    assert [grant.id for grant in kit.grants] == [
        "equipment/backpack",
        "equipment/personal-communicator",
        "equipment/primitive-first-aid-kit",
        "equipment/primitive-rope-20m",
    ]
    options = {choice.id: [option.id for option in choice.options] for choice in kit.choices}
    assert options == {
        "tent": ["one-man", "share"],
        "light": ["torch", "electric-lantern"],
        "food": ["yes", "no"],
        "water": ["yes", "no"],
    }


def test_the_four_types_of_clothing(capital):
    [choice] = capital.entity("equipment/clothing").choices
    assert [option.label for option in choice.options] == [
        "Everyday",
        "Environmental",
        "Formal",
        "Professional",
    ]


def test_two_outfits_of_two_types_and_200_to_400_mc(capital):
    steps = {step.id: step for step in capital.head.creation}
    assert [option.id for option in steps["outfits"].options] == ["everyday", "professional"]
    assert steps["outfits"].count == 2
    money = steps["money"]
    assert (money.minimum.constant, money.maximum.constant) == (200, 400)
