"""Possible rolls of dice, each with its number of ways."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from charforge.expressions.dice import Dice
from charforge.odds.distributions import number_of_rolls, rolls_by_sum, weighted_rolls
from tests.samples import few

DICE = [
    Dice(number, faces, "x")
    for number in (1, 2, 3, 5)
    for faces in ((1,), (1, 2), (1, 2, 3, 4, 5, 6), (1, 1, 3, 5, 8), (0, 0, 2), (-1, 0, 1), (-3, 4))
]


@pytest.mark.parametrize("dice", DICE, ids=lambda dice: f"{dice.number}d{dice.faces}")
def test_rolls_and_sums_are_those_of_every_sequence(dice):
    sequences = list(product(dice.faces, repeat=dice.number))
    assert dict(weighted_rolls(dice)) == Counter(tuple(sorted(one)) for one in sequences)
    assert len(dict(weighted_rolls(dice))) == number_of_rolls(dice)
    found = list(rolls_by_sum(dice))
    assert {sum(faces): ways for faces, ways in found} == Counter(map(sum, sequences))
    assert all(not dice.problem(list(faces)) for faces, _ways in found)
    assert len(found) == len({sum(faces) for faces, _ways in found})


@pytest.mark.parametrize("number", few([100, 1000], 1))
def test_hundreds_of_dice(number):
    found = dict(rolls_by_sum(Dice(number, (1, 2, 3, 4, 5, 6), f"{number}d6")))
    assert len(found) == 5 * number + 1
    assert sum(found.values()) == 6**number
    assert found[(1,) * number] == 1
    assert found[(1,) * (number - 1) + (2,)] == number
