"""Training: what it covers; Heavy weapons. Their figures are samples (catalog-weapons.yaml)."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.packs import install
from charforge.rules.loading.loader import load
from tests.samples import few

SIMPLE = {
    "auto-rifle", "minigun", "precision-rifle", "standard-pistol", "simple-baton-shortsword",
    "simple-club-longsword", "simple-dagger", "simple-greatsword", "simple-spear",
    "simple-warhammer",
}  # fmt: skip


# Training, and what it covers (D08, D09, D50). The Minigun is Simple (D02), the Sniper Rifle is not
# (D03), the Spear is (D04).
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
    **{f"{name}s": {f"vehicle/{name}"} for name in ("bike", "mechsuit", "tank", "aeroplane")},
}  # fmt: skip


@pytest.mark.parametrize("training", COVERED)
def test_what_a_training_covers(capital, training):
    covers = capital.entity(f"training/{training}").covers
    assert {entity.id for entity in capital.select(covers)} == COVERED[training]


def test_an_owner_is_trained_with_a_special_asset(capital):
    """And, as the samples say, with all of its type."""
    for kind in ("special-weapon", "vehicle"):
        assert all(entity.own_training for entity in capital.of_kind(kind)), kind


def test_no_training_covers_the_plasma_cannon(capital):
    """D50: it has no subtype."""
    cannon = capital.entity("equipment/plasma-cannon")
    for training in capital.of_kind("training"):
        if training.covers is not None:
            assert cannon not in capital.select(training.covers)


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
