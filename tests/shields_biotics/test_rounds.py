"""C/D markers, Jokers, the beginning of an initiative count, Soak and healing."""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal


def test_the_books_example(adept):
    """C/D 2: two markers; one left after round 1, so no Skill in the second count; then none."""
    adept("initiative-count")
    adept.use("Throw/Pull: Use")
    assert adept["markers"] == 2
    adept("round-end")
    assert adept["markers"] == 1
    adept("initiative-count")
    with pytest.raises(RuleRefusal, match="C/D markers on your sheet: 1"):
        adept.use("Throw/Pull: Use")
    with pytest.raises(RuleRefusal, match="C/D"):
        adept.use("Warp: Use")
    assert adept["markers"] == 1
    adept("round-end")
    assert adept["markers"] == 0
    adept("initiative-count")
    adept.use("Warp: Use")
    assert adept["markers"] == 3


def test_a_skill_without_cd_is_always_usable_and_places_nothing(adept):
    """B8."""
    adept.use("Throw/Pull: Use")
    adept.use("Shooting: Use")
    assert adept["markers"] == 2
    assert adept.under("cooling-down") == 1


def test_cd_one_is_free_again_in_the_next_round(sit):
    """B8: the end of the very round takes the marker."""
    table = sit({"skills.own.cd": 1})
    for _round in range(2):
        table.use("Throw/Pull: Use")
        assert table["markers"] == 1
        table("round-end")
        assert table["markers"] == 0


def test_markers_never_go_below_none(adept):
    adept("round-end")
    assert adept["markers"] == 0
    assert adept.told == ["No C/D markers to remove."]


@pytest.mark.parametrize("markers", [1, 3, 6])
def test_a_joker_removes_all_markers(adept, markers):
    adept.set("markers", markers)
    adept("initiative-count", joker=1)
    assert adept["markers"] == 0


def test_a_joker_by_itself(adept):
    adept.set("markers", 4)
    adept.use("Draw a Joker")
    assert adept["markers"] == 0


def test_no_joker_removes_none(adept):
    adept.set("markers", 3)
    adept("initiative-count")
    assert adept["markers"] == 3


# ------------------------------------------------------------------------ regeneration (B7)


@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 2), (2, 3), (3, 3)])
def test_one_layer_comes_back_and_never_above_x(adept, before, after):
    adept.set("shield", before)
    adept("initiative-count")
    assert adept["shield"] == after


def test_layers_start_full(adept):
    """B6."""
    assert (adept["shield"], adept["max_shield"]) == (3, 3)


def test_nobody_without_a_shield_regains_one(sit):
    table = sit({"shield": 0})
    table("initiative-count")
    assert table["shield"] == 0


@pytest.mark.parametrize(("recovers", "layers"), [(0, 1), (1, 2)])
def test_the_shaken_regain_a_layer_only_if_they_recover(adept, recovers, layers):
    adept.put("status/shaken")
    adept.set("shield", 1)
    adept("initiative-count", chosen={"recovers": recovers})
    assert adept["shield"] == layers
    assert adept.under("shaken") == 1 - recovers


def test_recovering_by_itself(adept):
    adept.put("status/shaken")
    adept.use("Recover from being Shaken")
    assert adept.under("shaken") == 0
    with pytest.raises(RuleRefusal, match="not Shaken"):
        adept.use("Recover from being Shaken")


# -------------------------------------------------------------------------- Soak and healing


@pytest.mark.parametrize(("soaked", "wounds"), [(0, 2), (1, 1), (2, 0)])
def test_soak_takes_wounds_and_no_layers(adept, soaked, wounds):
    """28 is 6 hits: 3 layers, Shaken, 2 wounds; Shaken stays (B14)."""
    adept("damage", amount=28, chosen={"soaked": soaked})
    assert adept.standing == (0, 1, wounds)


def test_there_is_nothing_to_soak_where_only_layers_are_lost(adept):
    with pytest.raises(AssertionError, match="never asked for"):
        adept("damage", amount=16, chosen={"soaked": 1})
    adept("damage", amount=16)
    assert adept.standing == (0, 0, 0)


def test_healing_takes_wounds_and_no_layers(adept):
    adept("damage", amount=28)
    adept("heal", amount=1)
    assert adept.standing == (0, 1, 1)
    adept("heal", amount=5)
    assert adept["wounds"] == 0
    with pytest.raises(RuleRefusal, match="no wounds"):
        adept("heal")
