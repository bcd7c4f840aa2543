"""The figures in catalog texts are exactly those of the book.

The texts are the project's own words, so that only their figures can be compared:
numbers but 0 and 1 (which words such as "a" or "no" may stand for), dice, and the
Attributes named. The tables are read from the book a second time; what a ruling
adds is marked with it.
"""

from __future__ import annotations

import re

import pytest

from charforge.rules.models import Entity

FIGURE = re.compile(r"\d+d\d+|\d*\.\d+|\d+|\b(?:STR|FTD|AGI|VSN|WIS|WIL|CHA|KNW)\b")

SYSTEMS = {
    "all-out": "AGI 10 5 50",
    "backup": "",
    "bonk": "",
    "cautious": "",
    "certitude": "2 CHA",
    "charge": "",
    "clear-mind": "3",
    "damage-resist": "",
    "deaf": "6 WIS 3",
    "defensive-focus": "",
    "enthusiasm": "5 WIL",
    "focus-i": "AGI 10",  # the cap of 10: D21
    "focus-ii": "AGI 10",  # the cap of 10: D21
    "generous": "",
    "healthy": "2",
    "high-alert": "",
    "intercept-i": "STR 3 2d6",
    "intercept-ii": "STR 8 2d6 2",
    "jury-rig": "30 1d6 KNW 5",
    "know-your-enemy": "KNW 7 2 3",
    "lockdown": "WIS 4 3",
    "look-out": "",
    "move-carefully": "",
    "offensive-focus": "1d6",
    "opportunist": "1d6",
    "patch-up-i": "1d6 KNW",
    "patch-up-ii": "6 1d6 KNW 2",
    "patience": "",
    "pep-talk": "CHA",
    "power-play-i": "WIS 50",
    "power-play-ii": "WIS 50",
    "power-under-pressure": "10 2",
    "quick": "1d6",
    "rally": "2 CHA STR",
    "robotic": "",
    "sanctuary": "2 3",
    "supercharge": "10 2 5 KNW 1d6",
    "surge": "2",
    "tactical-focus": "6",
    "terrifying": "",
    "thats-an-order-i": "CHA AGI",
    "thats-an-order-ii": "CHA AGI",
    "try-that-again-i": "",
    "try-that-again-ii": "2",
    "urgency": "AGI 5",
}
VEHICLE_SYSTEMS = {
    "ballistic-tank-gun-mk1": "",
    "bike-wheels-mk1": "25 15 180",
    "capacitor-a1-mk1": "",
    "capacitor-a2-mk1": "",
    "dancer-mechsuit-legs-mk1": "25",
    "giant-atmospheric-thrusters-mk1": "25 20 15 90 8 100",
    "giant-wheels-mk1": "15 10 90",
    "laser-tank-gun-mk1": "",
    "mechsuit-arm-mk1": "",
    "strider-mechsuit-legs-mk1": "10 2",
}
SPECIAL_WEAPONS = {
    "light-melee": "",
    "two-handed-melee": "",
    "spear": "",
    "greatsword": "",
    "warhammer": "",
    "pistol": "",
    "rifle": "",
    "minigun": "",
    "sniper-rifle": "",
    "shield": "2 8 10",
    "whip": "2",
}
EQUIPMENT = {
    "advanced-first-aid-kit": "2d6 5 4 3",
    "adventuring-kit": "7",
    "alloy-cable-5m": "5 2 150",
    "auto-rifle": "",
    "backpack": "65",
    "clothing": "4",
    "electric-lantern": "20",
    "high-strength-alloy-cable-5m": "5 8",
    "miniature-general-scanner": "100 30 5",
    "minigun": "",
    "non-perishable-rations-1-day": "",
    "personal-communicator": "100 30",
    "pistol": "",
    "plasma-cannon": "5 3d6 3 4",
    "precision-rifle": "",
    "primitive-buckler": "",
    "primitive-first-aid-kit": "1d6 2",
    "primitive-rope-20m": "20 2",
    "primitive-shield": "2",
    "primitive-whip": "2",
    "simple-baton-shortsword": "",
    "simple-club-longsword": "",
    "simple-dagger": "",
    "simple-greatsword": "",
    "simple-spear": "",
    "simple-warhammer": "",
    "sniper-rifle": "",
    "solar-array": "",
    "sonic-rifle": "3 1d6 6 2",
    "standard-pistol": "",
    "tent": "2 3 4 6 8",
    "tesla-rifle": "2 1d6 4 5",
    "toolkit": "KNW",
    "torch": "30",
    "water-bottle": "",
}
STATUSES = {"grappled": "AGI STR", "prone": "AGI 4 2", "taunted": ""}
AUGMENTATIONS = {"weapon": "", "slots": "2", "attribute": "2 10", "limb": ""}
EXACT = {
    **{f"system/{name}": figures for name, figures in SYSTEMS.items()},
    **{f"vehicle-system/{name}": figures for name, figures in VEHICLE_SYSTEMS.items()},
    **{f"special-weapon/{name}": figures for name, figures in SPECIAL_WEAPONS.items()},
    **{f"equipment/{name}": figures for name, figures in EQUIPMENT.items()},
    **{f"status/{name}": figures for name, figures in STATUSES.items()},
    **{f"augmentation/{name}": figures for name, figures in AUGMENTATIONS.items()},
}
# Longer rules and keywords: the rulings and the wording add figures of their own.
AT_LEAST = {
    "keyword/action": "2",
    "keyword/companion": "FTD AGI",
    "keyword/cooldown": "1d6",
    "keyword/heavy": "STR 6 2",
    "keyword/signature": "1d6 5",
    "action/move": "10",
    "action/overwatch": "5 WIL",
    "action/grapple": "STR",
    "action/seize-the-initiative": "5 AGI CHA",
    "rule/attribute-check": "2d6 10",
    "rule/modifying-a-roll": "2 3",
    "rule/grit": "2 4",
    "rule/starting-combat": "2d6 AGI 2",
    "rule/attack-counters": "2",
    "rule/point-blanc": "3 2",
    "rule/improvised-attacks": "STR 2",
    "rule/dying": "2 1d6 7 WIL",
    "rule/short-break": "15 1d6 WIL",
    "rule/long-break": "1d6 FTD",
    "rule/full-rest": "8 6 1d6",
    "rule/falling": "10 30 50 4 AGI 1d6",
    "rule/size": "0.5 2 4 16 256",
    "rule/holding-equipment": "2",
    "rule/attributes": "8 10",
    "rule/vitals": "WIL 3 FTD 5",
    "rule/levelling-up": "WIL 3 5 7 9 11 2 4 6 8 12 10",
    "rule/focus": "AGI 2",
    "keyword/aim": "",
    "keyword/block": "",
}


def texts(entity: Entity) -> list[str]:
    """Return everything an entity says, but for the figures that are fields of their own."""
    said = [entity.text]
    for action in entity.actions:
        said += [action.text, action.trigger]
    said += [attack.text for attack in entity.attacks]
    for choice in entity.choices:
        for option in getattr(choice, "options", ()):
            said += [option.label, option.text]
    return said


def figures(text: str) -> set[str]:
    return set(FIGURE.findall(text)) - {"0", "1"}


def in_texts(entity: Entity) -> set[str]:
    return figures(" ".join(texts(entity)))


@pytest.mark.parametrize(
    "kind", ["system", "vehicle-system", "special-weapon", "equipment", "status", "augmentation"]
)
def test_the_table_is_complete(capital, kind):
    named = {name for name in EXACT if name.startswith(f"{kind}/")}
    assert named == {entity.id for entity in capital.of_kind(kind)}


def test_exactly_the_books_figures(capital):
    found = {name: in_texts(capital.entity(name)) for name in EXACT}
    assert found == {name: figures(text) for name, text in EXACT.items()}


def test_no_figure_of_the_book_is_lost(capital):
    lost = {name: figures(text) - in_texts(capital.entity(name)) for name, text in AT_LEAST.items()}
    assert {name: missing for name, missing in lost.items() if missing} == {}
