"""Damage against Toughness and Shield layers, worked by hand. Toughness 8, 3 layers."""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal

# Damage, hits = 1 + raises of 4 above 8 (B1, B2).
HITS = [(0, 0), (7, 0), (8, 1), (11, 1), (12, 2), (15, 2), (16, 3), (19, 3), (20, 4), (28, 6)]


@pytest.mark.parametrize(("amount", "hits"), HITS)
def test_a_hit_at_toughness_and_one_more_for_each_four(adept, amount, hits):
    assert adept("damage", amount=amount)["hits"] == hits


# Damage, layers left of 3, Shaken, wounds. Beyond the layers: first Shaken, then wounds (B2).
SHIELDED = [
    (7, 3, 0, 0),
    (8, 2, 0, 0),
    (12, 1, 0, 0),
    (16, 0, 0, 0),  # 3 hits: all layers, nothing beyond
    (20, 0, 1, 0),  # 4 hits: 1 beyond, Shaken
    (24, 0, 1, 1),  # 5 hits: 2 beyond, Shaken and 1 wound
    (28, 0, 1, 2),
    (32, 0, 1, 3),
]


@pytest.mark.parametrize(("amount", "layers", "shaken", "wounds"), SHIELDED)
def test_layers_first_then_shaken_then_wounds(adept, amount, layers, shaken, wounds):
    adept("damage", amount=amount)
    assert adept.standing == (layers, shaken, wounds)


@pytest.mark.parametrize(
    ("layers", "left", "shaken", "wounds"), [(2, 0, 1, 0), (1, 0, 1, 1), (0, 0, 1, 2)]
)
def test_three_hits_by_the_layers_that_remain(adept, layers, left, shaken, wounds):
    """16 against 8 is 3 hits: 2, 1 or 0 of them find a layer."""
    adept.set("shield", layers)
    adept("damage", amount=16)
    assert adept.standing == (left, shaken, wounds)


def test_wounds_count_up_without_end(adept):
    """B14: 48 is 1 + 10 hits, 3 layers, Shaken, 7 wounds; then 28 more: 6 hits, 5 wounds."""
    adept("damage", amount=48)
    assert adept["wounds"] == 7
    adept("damage", amount=28)
    assert adept["wounds"] == 12


@pytest.mark.parametrize(
    ("amount", "shaken", "wounds"), [(7, 0, 0), (8, 1, 0), (12, 1, 1), (20, 1, 3)]
)
def test_melee_passes_the_shield_by(adept, amount, shaken, wounds):
    """B6: the layers stay 3."""
    adept("damage", amount=amount, melee=1)
    assert adept.standing == (3, shaken, wounds)
    assert ("Melee: the Shield does not protect." in adept.told) == (amount >= 8)


# ------------------------------------------------------------------ Shaken already (B3, B3a)

# Layers, damage, melee: hits beyond; wounds with the table rule off, and on.
ALREADY = [
    (3, 20, 0, 1, 0, 1),  # 4 hits, 3 layers
    (0, 8, 0, 1, 0, 1),  # no layers
    (3, 8, 1, 1, 0, 1),  # melee
    (3, 16, 0, 0, 0, 0),  # 3 hits: none beyond
    (3, 24, 0, 2, 1, 1),  # two beyond: the count stays
    (0, 16, 0, 3, 2, 2),
    (1, 12, 1, 2, 1, 1),
]


@pytest.mark.parametrize(("layers", "amount", "melee", "beyond", "off", "on"), ALREADY)
@pytest.mark.parametrize("ruled", ["off", "on"])
def test_one_hit_beyond_the_layers_of_the_shaken(
    adept, ruled, layers, amount, melee, beyond, off, on
):
    adept.rule(ruled)
    adept.put("status/shaken")
    adept.set("shield", layers)
    assert adept("damage", amount=amount, melee=melee)["beyond"] == beyond
    assert adept["wounds"] == (off if ruled == "off" else on)
    assert adept.under("shaken") == 1


def test_the_table_rule_is_off_unless_it_is_switched(adept):
    adept.put("status/shaken")
    adept("damage", amount=8, melee=1)
    assert adept["wounds"] == 0
    assert "Shaken already: no further effect" in adept.told


@pytest.mark.parametrize("ruled", ["off", "on"])
def test_the_table_rule_is_nothing_to_somebody_who_is_not_shaken(adept, ruled):
    adept.rule(ruled)
    adept("damage", amount=20)
    assert adept.standing == (0, 1, 0)


# -------------------------------------------------------------------- cover and Arcing (B4)


@pytest.mark.parametrize(
    ("amount", "arcing", "hits"),
    [(9, 0, 0), (10, 0, 1), (13, 0, 1), (14, 0, 2), (8, 1, 1), (12, 1, 2)],
)
def test_cover_adds_to_toughness_but_not_against_arcing(adept, amount, arcing, hits):
    """Toughness 8 + 2; an Arcing attack meets 8."""
    assert adept("damage", amount=amount, cover_bonus=2, arcing=arcing)["hits"] == hits


@pytest.mark.parametrize(
    ("cover", "arcing", "penalty"),
    [
        ("light", 0, 2),
        ("light", 1, 0),
        ("medium", 0, 2),
        ("medium", 1, 0),
        ("heavier", 0, 2),
        ("heavier", 1, 2),
    ],
)
def test_arcing_drops_the_penalty_of_light_and_medium_cover_only(adept, cover, arcing, penalty):
    found = adept("cover", cover=cover, cover_penalty=2, cover_bonus=4, arcing=arcing)
    assert found == {"penalty": penalty, "bonus": 0 if arcing else 4}


def test_a_penalty_is_of_some_cover(adept):
    with pytest.raises(RuleRefusal, match="which cover"):
        adept("cover", cover_penalty=2)
