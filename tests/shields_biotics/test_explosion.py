"""Skill rolls and the Biotic Explosion from every side, worked by hand (B10)."""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal

# ------------------------------------------------------------------------------- Skill rolls


@pytest.mark.parametrize(
    ("face", "modifier", "success", "raises"),
    [(3, 0, 0, 0), (4, 0, 1, 0), (7, 0, 1, 0), (8, 0, 1, 1), (10, 2, 1, 2), (5, -2, 0, 0)],
)
def test_a_skill_roll_and_its_raises(adept, face, modifier, success, raises):
    """Throw/Pull, d10, against 4: a raise at 8, another at 12 (B1)."""
    found = adept("skill-roll", {"own": [[face]]}, attribute="skills.own", vs=4, modifier=modifier)
    assert (found["success"], found["raises"]) == (success, raises)


def test_what_ones_own_dice_came_to(adept):
    """B11: 17 against 4 is 3 raises, and nothing is rolled."""
    found = adept("skill-roll", attribute="attributes.own", vs=4, rolled=17)
    assert (found["result"], found["raises"]) == (17, 3)


@pytest.mark.parametrize(
    ("cover", "arcing", "result"), [("light", 0, 6), ("light", 1, 8), ("heavier", 1, 6)]
)
def test_a_roll_against_cover(adept, cover, arcing, result):
    """8 on the d10, less 2 where the cover counts (B4)."""
    found = adept(
        "skill-roll", {"own": [[8]]}, attribute="skills.own", vs=4,
        cover=cover, cover_penalty=2, arcing=arcing,
    )  # fmt: skip
    assert found["result"] == result


@pytest.mark.parametrize(("face", "thrown"), [(3, 0), (4, 2), (8, 3)])
def test_a_skill_throws_its_target_an_inch_more_for_each_raise(adept, face, thrown):
    """X 2: nothing on a failure, 2" on a success, 3" with a raise."""
    adept.use("Throw/Pull: Use", {"own": [[face]]}, vs=4, distance=2)
    said = [text for text in adept.told if text.startswith("Knocked Back or Pulled")]
    assert [text.split('"')[0] for text in said] == (
        [f"Knocked Back or Pulled {thrown}"] if thrown else []
    )
    assert adept["markers"] == 2  # used, whatever the roll


def test_the_die_is_that_of_the_skill(adept):
    """11 is no face of Throw/Pull's d10; it is one of Warp's d12."""
    with pytest.raises(ProcedureError, match="11"):
        adept("skill-roll", {"own": [[11]]}, attribute="skills.own", vs=4)
    assert adept("skill-roll", {"own": [[11]]}, attribute="skills.biotic", vs=4)["result"] == 11


# ------------------------------------------------------------------------------ the attacker


def test_setting_one_off(adept):
    """1 raise: Dive −2; d3 of 2 + 1 = 3"; 2d6 for each of 2; 9 + 1d6 (4) = 13 in one roll."""
    faces = {"push": [[2]], "blast": [[6, 5], [1, 2]], "dealt": [[4, 5]], "more": [[4]]}
    found = adept("biotic-explosion", faces, raises=1, damage="2d6", caught=2)
    assert found == {"penalty": 2, "distance": 3, "total": 13}
    assert "Caught 1: 11 damage" in adept.told
    assert "Caught 2: 3 damage" in adept.told


def test_one_that_catches_nobody(adept):
    found = adept("biotic-explosion", {"push": [[1]], "more": [[6]]}, damage="7")
    assert found == {"penalty": 0, "distance": 1, "total": 13}


def test_the_attacker_is_not_thrown(adept):
    adept.set("shield", 0)
    adept.use("Set off a Biotic Explosion", {"push": [[3]], "more": [[1]]}, raises=2, damage="5")
    assert adept.under("prone") == 0
    assert adept.standing == (0, 0, 0)


def test_only_a_biotic_attack_sets_one_off(sit):
    table = sit({"skills": ["skill/own"]}, without=("skills.own#2", "skills.biotic"))
    with pytest.raises(RuleRefusal):
        table.use("Set off a Biotic Explosion", damage="5")


# -------------------------------------------------------------------------------- the target


def test_the_target_takes_one_roll_with_1d6_more(adept):
    """9 alone is 1 hit; 9 + 3 = 12 is 2 hits of one roll, so 2 layers. Two rolls were 1."""
    adept.put("biotic-effect", about="Singularity")
    found = adept("damage", {"more": [[3]]}, amount=9, biotic=1)
    assert (found["hits"], adept["shield"]) == (2, 1)


@pytest.mark.parametrize(("under", "amount", "biotic"), [(0, 9, 1), (1, 9, 0), (1, 0, 1)])
def test_no_explosion_without_an_effect_a_biotic_attack_and_damage(adept, under, amount, biotic):
    """No die is rolled: there are none to roll."""
    if under:
        adept.put("biotic-effect", about="Warp")
    adept("damage", amount=amount, biotic=biotic)
    assert not any("Explosion" in text for text in adept.told)


def test_the_target_is_not_thrown_by_the_explosion(adept):
    adept.set("shield", 0)
    adept.put("biotic-effect", about="Singularity")
    found = adept("damage", {"more": [[1]]}, amount=9, biotic=1)
    assert (found["distance"], adept.under("prone")) == (0, 0)


# ------------------------------------------------------------------------ under the template


def test_a_dive_for_cover_at_two_less_for_each_raise(adept):
    """Agility d8 against 4, 2 raises: 8 − 4 = 4 is enough, and nothing happens."""
    found = adept("caught-in-explosion", {"own": [[8]]}, raises=2, attribute="attributes.own", vs=4)
    assert found["dodged"] == 1
    assert adept.standing == (3, 0, 0)


def test_a_dive_that_fails_by_the_penalty(adept):
    """7 − 4 = 3. 12 damage on Toughness 8: 2 of 3 layers; the active Shield holds."""
    faces = {"own": [[7]], "blast": [[6, 6]], "push": [[3]]}
    found = adept("caught-in-explosion", faces, raises=2, attribute="attributes.own", vs=4)
    assert (found["dodged"], found["thrown"]) == (0, 0)
    assert (adept["shield"], adept.under("prone")) == (1, 0)


def test_a_dive_of_which_only_the_end_is_told(adept):
    found = adept("caught-in-explosion", chosen={"dodged": 1}, raises=1)
    assert found["dodged"] == 1
    assert "Dive for Cover at a further −2" in adept.told


def test_no_dive_is_a_failed_one(adept):
    """B12: 9 damage takes 1 layer."""
    adept("caught-in-explosion", {"blast": [[4, 5]], "push": [[1]]})
    assert adept["shield"] == 2


def test_whoever_has_no_shield_is_thrown_and_falls(adept):
    """9: Shaken; d3 of 2 and 1 raise: 3"; Prone."""
    adept.set("shield", 0)
    found = adept("caught-in-explosion", {"blast": [[4, 5]], "push": [[2]]}, raises=1)
    assert (found["thrown"], found["falls"]) == (3, 1)
    assert adept.standing == (0, 1, 0)


def test_the_d3_is_rolled_once_for_all(adept):
    """Told as 3, so that nothing is rolled for it."""
    adept.set("shield", 0)
    assert adept("caught-in-explosion", {"blast": [[1, 1]]}, distance=3)["thrown"] == 3


@pytest.mark.parametrize(("ruled", "wounds"), [("off", 0), ("on", 1)])
def test_an_obstruction_is_a_damage_roll_of_its_own(sit, ruled, wounds):
    """Toughness 5: 6 is Shaken, then 5 once more: 1 hit beyond. One roll of 11 were 1 wound."""
    table = sit({"toughness": 5, "shield": 0})
    table.rule(ruled)
    table(
        "caught-in-explosion",
        {"blast": [[3, 3]], "push": [[1]], "crash": [[5]]},
        chosen={"obstructed": 1},
    )
    assert table.standing == (0, 1, wounds)
    assert any("(Kinetic)" in text for text in table.told)


def test_nobody_who_stays_put_hits_an_obstruction(adept):
    dice = {"blast": [[1, 1]], "push": [[1]]}
    with pytest.raises(AssertionError, match="never asked for"):
        adept("caught-in-explosion", dice, chosen={"obstructed": 1})
    adept("caught-in-explosion", dice)
    assert not any("Kinetic" in text for text in adept.told)


def test_a_last_layer_that_the_explosion_takes_still_holds(adept):
    """B5: 8 damage takes the 1 layer left."""
    adept.set("shield", 1)
    found = adept("caught-in-explosion", {"blast": [[4, 4]], "push": [[3]]})
    assert adept["shield"] == 0
    assert (found["thrown"], adept.under("prone")) == (0, 0)


@pytest.mark.parametrize("protection", ["barrier", "heavy-armor"])
def test_whoever_has_a_barrier_stays_put_but_falls(sit, protection):
    """B9."""
    table = sit({protection: "yes", "shield": 0})
    found = table("caught-in-explosion", {"blast": [[2, 2]], "push": [[3]]})
    assert (found["thrown"], table.under("prone")) == (0, 1)


def test_diving_as_an_action(adept):
    adept.use(
        "Dive for Cover", {"own": [[1]], "blast": [[4, 4]], "push": [[1]]},
        raises=0, attribute="attributes.own", vs=4,
    )  # fmt: skip
    assert adept["shield"] == 2


def test_a_dive_is_rolled_against_a_number(adept):
    with pytest.raises(RuleRefusal, match="vs"):
        adept("caught-in-explosion", attribute="attributes.own")
