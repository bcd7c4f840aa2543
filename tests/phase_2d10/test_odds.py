"""Exact odds: hit locations in their three dice modes, checks, attacks, shock."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from charforge.verbs.odds import calculate_odds, find_odds_subject
from charforge.verbs.typed_inputs import TypedInputs

# How many of the 216 falls of 3d6, and of the 36 of 2d6, come to each sum.
SUMS = (1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
THREE = dict(zip(range(3, 19), SUMS, strict=True))
TWO = dict(zip(range(2, 13), (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1), strict=True))
TWO_TENS = [one + two for one, two in product(range(1, 11), repeat=2)]


def over(least: int) -> Fraction:
    """The chance that 2d10 are so many or more."""
    return Fraction(sum(total >= least for total in TWO_TENS), 100)


@pytest.mark.parametrize(
    ("cover", "expected"),
    [
        ("none", {at: Fraction(often, 216) for at, often in THREE.items()}),
        ("low", {at + 1: Fraction(often, 36) for at, often in TWO.items()}),
        ("high", {at + 6: Fraction(often, 36) for at, often in TWO.items()}),
    ],
)
def test_hit_locations(table, cover, expected):
    assert table.odds("hit-location", cover=cover)["location"].chances.by_value == expected


@pytest.mark.parametrize("vs", [10, 14, 18, 22, 26, 30])
def test_an_action_roll_at_every_dv_of_the_chart(table, vs):
    # AV 10.
    found = table.odds("action-roll", fixed=10, vs=vs)
    assert found["success"].chances.by_value.get(1, 0) == over(vs - 10)


@pytest.mark.parametrize(("option", "least"), [("0", 5), ("10", 15)])
def test_the_opposed_bonus_in_the_odds(table, option, least):
    table.rule("opposed_dv_bonus", option)
    found = table.odds("action-roll", fixed=10, vs=15, against="character")
    assert found["success"].chances.by_value[1] == over(least)


@pytest.mark.parametrize("option", ["er", "ev"])
def test_the_damage_of_an_attack(table, option):
    # AV 13, EV 9 against DV 21 and RV 5: 4 damage, and with ER 1 more for each 3 points over.
    table.rule("damage_from", option)
    expected: dict[int, Fraction] = {}
    for total in TWO_TENS:
        level = (total - 8) // 3 if option == "er" else 0
        dealt = 4 + level if total >= 8 else 0
        expected[dealt] = expected.get(dealt, Fraction(0)) + Fraction(1, 100)
    found = table.odds("attack", fixed=13, damage="9", vs=21, rv=5)["dealt"]
    assert found.chances.by_value == expected


def test_the_chance_of_instant_death(table):
    # Any hit has 8 damage or more; 3 to 5 or 8 to 13 of 3d6 are 156 of 216.
    assert sum(often for at, often in THREE.items() if at <= 5 or 8 <= at <= 13) == 156
    found = table.odds("attack", fixed=13, damage="8", vs=21, rv=0)["fatal"]
    assert found.chances.by_value[1] == over(8) * Fraction(156, 216)
    assert found.given is not None
    assert found.given.by_value[1] == Fraction(156, 216)


@pytest.mark.parametrize("wounds", [0, 2])
def test_the_chance_to_withstand_shock(table, wounds):
    # BODY 7 - 2 for each chest wound + d20 against 14: 7 or more, or 11 or more.
    table.change("chest", wounds)
    least = 14 - 7 + 2 * wounds
    found = table.odds("shock", dv=14)["success"].chances.by_value
    assert found[1] == Fraction(21 - least, 20)


def test_the_odds_of_a_power_are_those_of_its_use(cy):
    """Power 6 + Focus 3 = 9 against 15, by the name of the power; whatever points are left."""
    subject = find_odds_subject(cy(), "Dread")
    outcomes = calculate_odds(subject, TypedInputs({"vs": "15"})).cases[0]
    success = next(outcome for outcome in outcomes if outcome.id == "success")
    assert success.chances.by_value[1] == over(15 - 9)
