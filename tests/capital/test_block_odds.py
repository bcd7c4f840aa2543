"""Odds with Block against a count of all rolls: a die is only rerolled while the Attack hits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from charforge.character.state import State
from charforge.odds import Case, Odds
from tests.samples import few

FACES = range(1, 7)


def chance_to_hit(score: int, defense: int, rerolls: int) -> Fraction:
    def hits(dice: tuple[int, int], left: int, attack: int) -> Fraction:
        if sum(dice) + defense > attack:
            return Fraction(0)
        if not left:
            return Fraction(1)
        return sum((hits((max(dice), face), left - 1, attack) for face in FACES), Fraction()) / 6

    rolls = product(FACES, repeat=4)
    return sum((hits((c, d), rerolls, a + b + score) for a, b, c, d in rolls), Fraction()) / 6**4


def hit(state: State, procedure: str, **given: Any) -> Fraction:
    """Return the chance of a hit, with the best choices."""
    case, best = Case(given), "misses" if procedure == "defend" else None
    outcomes = Odds(state, state.ruleset.procedure(procedure), [case], best=best).of(case)
    [found] = (o for o in outcomes if o.id in ("hits", "is_hit"))
    return found.chances.mean


@pytest.mark.parametrize("rerolls", few([0, 2, 4, 1], 2))
def test_the_target_of_an_attack_only_blocks_a_hit(make, rerolls):
    state = make("the-lancer").opened.character.state
    given = {"hit": "vsn", "vs": 6, "damage": "1", "block": rerolls}
    chance = chance_to_hit(state.values().total("vsn"), 6, rerolls)
    assert hit(state, "attack", **given) == chance


@pytest.mark.parametrize("rerolls", few([1, 2, 0], 1))
def test_you_only_block_a_hit(make, rerolls):
    """Best choices: the Attack Roll is known before a die is rerolled."""
    state = make("the-tank").opened.character.state.with_changes(in_hand={})
    given = {"attribute": "str", "vs": 8, "melee": 1, "granted_block": rerolls}
    chance = chance_to_hit(8, state.values().total("str"), rerolls)
    assert hit(state, "defend", **given) == chance
