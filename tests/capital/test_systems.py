"""Every System's figures, read from the book a second time (never from the pack)."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from charforge.rules.models import Action, Entity


class System(NamedTuple):
    """A System as printed: its type line, Slots, what it requires, its active effects.

    ``requires`` is ids joined by "or", ``+`` marks the one it replaces. An effect is
    its timing, Energy (where it has any), Cooldown and limit.
    """

    line: str
    slots: int | None = None
    requires: str = ""
    effects: tuple[str, ...] = ()
    repeatable: str = ""


FOCUS = "focus-i or focus-ii"
SLOTTED = {
    "backup": System("Damage", 1, "a vehicle", ("action 2 energy",)),
    "bonk": System("Tank Defense", 1, "the-tank", ("instant once per Melee Attack",)),
    "cautious": System("", 2),
    "certitude": System("Captain Support", 1, "the-captain"),
    "charge": System("Damage", 2, "", ("instant 1 energy",)),
    "clear-mind": System("", 1, "", ("action",)),
    "damage-resist": System("Defense", 1, repeatable="damage_types"),
    "defensive-focus": System(
        "Scout Defense", 1, FOCUS, ("reaction once during each Focus",)
    ),
    "enthusiasm": System("Damage", 2, "", ("reaction",)),
    "focus-ii": System(
        "Scout Damage", 1, "focus-i+", ("instant 1 energy cooldown 5+", "special 2 energy")
    ),
    "generous": System("Support", 1),
    "healthy": System("Defense", 2),
    "high-alert": System("Defense", 2),
    "intercept-ii": System("Tank Defense", 1, "intercept-i+", ("reaction 1 energy",)),
    "jury-rig": System("Support", 1, "", ("special",)),
    "know-your-enemy": System("Support", 2, "", ("action 1 energy", "reaction once each time")),
    "look-out": System("Support", 2, "", ("instant once each time",)),
    "move-carefully": System("Defense", 1, "", ("action",)),
    "offensive-focus": System(
        "Scout Damage", 1, FOCUS, ("reaction once during each Focus",)
    ),
    "opportunist": System("Damage", 1, "", ("instant once per turn",)),
    "patch-up-ii": System("Healer Support", 1, "patch-up-i+", ("action 1 energy", "instant")),
    "patience": System("Damage", 2),
    "pep-talk": System("Support", 1, "", ("instant 1 energy",)),
    "power-play-ii": System("Sentinel Defense", 1, "power-play-i+", ("action 2 energy",)),
    "power-under-pressure": System("", 2, repeatable="attributes"),
    "quick": System("Movement", 2),
    "tactical-focus": System("Scout Movement", 1, FOCUS, ("reaction",)),
    "terrifying": System("", 2, "", ("reaction 1 energy once each time",)),
    "thats-an-order-ii": System(
        "Captain Support", 1, "thats-an-order-i+",
        ("instant 1 energy cooldown 3+ once per turn",),
    ),
    "try-that-again-ii": System("Lancer Damage", 1, "try-that-again-i+"),
    "urgency": System("", 2),
}  # fmt: skip
OTHERS = {
    "all-out": System("Scout Damage Signature", effects=("instant signature",)),
    "focus-i": System("Scout Damage", effects=("instant 1 energy cooldown 5+", "special 2 energy")),
    "intercept-i": System("Tank Defense", effects=("reaction 1 energy",)),
    "deaf": System("Innate"),
    "lockdown": System("Sentinel Defense Signature", effects=("action signature", "reaction")),
    "patch-up-i": System("Healer Support", effects=("action 1 energy", "instant")),
    "power-play-i": System("Sentinel Defense", effects=("action 2 energy",)),
    "rally": System(
        "Captain Support Signature", effects=("instant signature", "instant once per turn")
    ),
    "robotic": System("Innate"),
    "sanctuary": System("Tank Defense Signature", effects=("instant signature",)),
    "supercharge": System("Healer Support Signature Locked", effects=("action signature",)),
    "surge": System("Lancer Damage Signature", effects=("instant signature",)),
    "thats-an-order-i": System(
        "Captain Support", effects=("instant 1 energy cooldown 4+ once per turn",)
    ),
    "try-that-again-i": System("Lancer Damage"),
}
SYSTEMS = {**SLOTTED, **OTHERS}


def read_line(entity: Entity) -> str:
    own = entity.own
    words = [own.get("role", "").removeprefix("role/the-"), own.get("role_type", "")]
    words += [flag for flag in ("signature", "innate", "locked") if own.get(flag)]
    return " ".join(word.title() for word in words if word)


def read_requires(entity: Entity) -> str:
    clause = entity.requires
    if clause is None:
        return ""
    names = []
    for part in clause.any or (clause,):
        named = isinstance(part.has, str)
        names.append(part.has.split("/")[1] if named else f"a {' or '.join(part.has.kind)}")
    mark = "+" if entity.replaces and clause.has == entity.replaces else ""
    return " or ".join(names) + mark


def read_effect(action: Action) -> str:
    cost = [f"{number} {name}" for name, number in action.cost.items() if number]
    ends = action.cooldown if action.cooldown == "signature" else f"cooldown {action.cooldown}"
    parts = [action.timing, *cost, ends if action.cooldown else "", action.limit]
    return " ".join(part.replace("*", "") for part in parts if part)


def read(entity: Entity) -> System:
    """Put the pack's System into the shape of the tables above."""
    among = [choice.among for choice in entity.choices if choice.id == entity.distinct]
    repeats = next((found.terms or found.values for found in among), "")
    return System(
        read_line(entity),
        entity.slots,
        read_requires(entity),
        tuple(read_effect(action) for action in entity.actions),
        repeats if entity.repeatable else "",
    )


def test_the_tables_have_every_system(capital):
    assert {entity.slug for entity in capital.of_kind("system")} == set(SYSTEMS)
    assert (len(SLOTTED), len(OTHERS)) == (31, 14)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_systems_figures(capital, name):
    assert read(capital.entity(f"system/{name}")) == SYSTEMS[name]


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_section_a_system_stands_in(capital, name):
    section = "Available for Slots" if name in SLOTTED else "Other"
    assert capital.entity(f"system/{name}").source == f"Character Systems: {section}"


def test_an_upgrade_replaces_what_it_requires(capital):
    upgrades = {e.slug for e in capital.of_kind("system") if e.replaces}
    assert upgrades == {name for name, system in SYSTEMS.items() if system.requires.endswith("+")}


@pytest.mark.parametrize(
    ("system", "value", "amount"),
    [("healthy", "max_hp", "2 * level")],
)
def test_lasting_changes_of_values(capital, system, value, amount):
    [modifier] = capital.entity(f"system/{system}").modifies
    assert (modifier.value, modifier.op, modifier.amount.text) == (value, "add", amount)
    assert modifier.layer == "lasting"


def test_no_other_system_changes_a_lasting_value(capital):
    changing = {
        entity.slug
        for entity in capital.of_kind("system")
        if any(modifier.layer == "lasting" for modifier in entity.modifies)
    }
    assert changing == {"healthy"}


@pytest.mark.parametrize(
    ("missing", "bonus"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, 2), (30, 2), (95, 2)]
)
def test_power_under_pressure_rises_with_missing_hp(capital, missing, bonus):
    """+1 for each 10 HP missing, at most +2, on the Attribute that was chosen."""
    [modifier] = capital.entity("system/power-under-pressure").modifies
    figures = {"max_hp": 100, "hp": 100 - missing}
    assert modifier.amount.whole(figures.__getitem__) == bonus
    assert (modifier.value, modifier.op, modifier.layer) == ("$attribute", "add", "current")


def test_slots_augmentation_gives_2(capital):
    [modifier] = capital.entity("augmentation/slots").modifies
    assert (modifier.value, modifier.op, modifier.amount.constant) == ("slots", "add", 2)


def test_attribute_augmentation_gives_2_to_one_attribute(capital):
    entity = capital.entity("augmentation/attribute")
    [modifier] = entity.modifies
    [choice] = entity.choices
    assert (modifier.value, modifier.amount.constant) == ("$attribute", 2)
    assert choice.among.values == "attributes"


@pytest.mark.parametrize(
    ("system", "figure"),
    [
        ("jury-rig", "{1d6 + KNW - 5}"),
        ("know-your-enemy", "{max(KNW - 3, 1)}"),
        ("patch-up-i", "{1d6 + KNW}"),
        ("patch-up-ii", "{1d6 + KNW + 2}"),
        ("pep-talk", "{CHA}"),
        ("rally", "{CHA}"),
        ("lockdown", "{max(WIS - 1, 4)}"),
        ("urgency", "{max(AGI - 5, 0)}"),
    ],
)
def test_figures_that_a_sheet_computes(capital, system, figure):
    """'KNW - 3 (minimum increase of 1)', 'WIS - 1 (minimum of 4)', 'AGI - 5 (minimum 0)' …"""
    entity = capital.entity(f"system/{system}")
    text = " ".join([entity.text, *(action.text for action in entity.actions)])
    assert figure in re.findall(r"\{[^}]*\}", text)
