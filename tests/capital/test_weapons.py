"""Weapons: which are simple, what Training covers them, and what they spend."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.packs import install
from charforge.rules.loading.loader import load
from charforge.rules.models import Requirement
from tests.samples import few


def needs_training(clause: Requirement | None) -> bool:
    """Whether Training is asked for anywhere in a requirement."""
    if clause is None:
        return False
    return clause.trained == "self" or any(needs_training(part) for part in clause.all or ())


SIMPLE = {
    "auto-rifle", "minigun", "precision-rifle", "standard-pistol", "simple-baton-shortsword",
    "simple-club-longsword", "simple-dagger", "simple-greatsword", "simple-spear",
    "simple-warhammer",
}  # fmt: skip


def test_which_weapons_are_simple(capital):
    """The Minigun is listed (D02), the Sniper Rifle is not (D03), the Spear counts (D04)."""
    found = {e.slug for e in capital.of_kind("equipment") if "simple" in e.tags}
    assert found - {"pistol"} == SIMPLE
    assert capital.entity("equipment/pistol").alias_of == "equipment/standard-pistol"


@pytest.mark.parametrize(
    ("weapon", "training"),
    [
        ("light-melee", "simple-melee-weapons"),
        ("two-handed-melee", "simple-melee-weapons"),
        ("spear", "simple-melee-weapons"),
        ("greatsword", "simple-melee-weapons"),
        ("warhammer", "simple-melee-weapons"),
        ("pistol", "pistols"),
        ("rifle", "rifles"),
        ("minigun", "miniguns"),
        ("sniper-rifle", "snipers"),
        ("shield", "shields"),
        ("whip", "whips"),
    ],
)
def test_the_training_a_special_weapon_brings(capital, weapon, training):
    """And always Training with itself."""
    entity = capital.entity(f"special-weapon/{weapon}")
    assert [grant.id for grant in entity.grants] == [f"training/{training}"]
    assert entity.own_training


# Training, and the weapons that it covers (D08, D09, D50).
COVERED = {
    "simple-weapons": {f"equipment/{name}" for name in SIMPLE},
    "simple-melee-weapons": {
        f"equipment/{name}" for name in SIMPLE if name.startswith("simple-")
    },
    "simple-gun-weapons": {
        f"equipment/{name}" for name in SIMPLE if not name.startswith("simple-")
    },
    "pistols": {"equipment/standard-pistol", "special-weapon/pistol"},
    "rifles": {
        "equipment/auto-rifle", "equipment/precision-rifle", "equipment/sonic-rifle",
        "equipment/tesla-rifle", "special-weapon/rifle",
    },
    "miniguns": {"equipment/minigun", "special-weapon/minigun"},
    "snipers": {"equipment/sniper-rifle", "special-weapon/sniper-rifle"},
    "shields": {
        "equipment/primitive-buckler", "equipment/primitive-shield", "special-weapon/shield",
    },
    "whips": {"equipment/primitive-whip", "special-weapon/whip"},
}  # fmt: skip


@pytest.mark.parametrize("training", COVERED)
def test_what_a_training_covers(capital, training):
    covers = capital.entity(f"training/{training}").covers
    assert {entity.id for entity in capital.select(covers)} == COVERED[training]


def test_no_training_covers_the_plasma_cannon(capital):
    """D50: it has no subtype."""
    cannon = capital.entity("equipment/plasma-cannon")
    for training in capital.of_kind("training"):
        if training.covers is not None:
            assert cannon not in capital.select(training.covers)


def test_the_plasma_cannon_fires_all_its_ammo(capital):
    """Action: spend 3 Ammo. Action: restore 1 Ammo."""
    actions = capital.entity("equipment/plasma-cannon").actions
    assert [(a.timing, a.cost) for a in actions] == [("action", {"ammo": 3}), ("action", {})]


@pytest.mark.parametrize("name", ["special-weapon/whip", "equipment/primitive-whip"])
def test_a_whips_grapple_needs_training(capital, name):
    [grapple] = capital.entity(name).actions
    assert (grapple.timing, needs_training(grapple.requires)) == ("action", True)


@pytest.mark.parametrize("pack", few(["", "house-rules", "under-the-ice"], 1))
def test_a_heavy_weapon_burdens_by_its_number(pack: str) -> None:
    """``Heavy X``: the same X counts for lifting it and for a second Move with it in hand."""
    examples = Path(__file__).resolve().parents[2] / "examples"
    ruleset = install.load_checked(examples / pack).ruleset if pack else load("capital")
    heavy = {e.id: e.own["heavy"] for e in ruleset.entities.values() if e.own.get("heavy")}
    burdens = {
        entity.id: modifier.amount.constant
        for entity in ruleset.entities.values()
        for modifier in entity.modifies
        if modifier.value == "burden"
    }
    assert burdens
    assert burdens == {id: heavy[id] for id in burdens}
