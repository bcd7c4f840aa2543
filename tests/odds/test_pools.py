"""Pools of symbol dice: the percentages printed in the narrative fragment, and small pools."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from charforge.errors import UnknownId, UsageError
from charforge.procedures import inputs
from charforge.rules.models import Die, Symbol
from charforge.rules.ruleset import Ruleset
from charforge.verbs.odds import VariedInput, pool_odds, read_pool

# Ruling 2: the faces in short, S Success, F Failure, A Advantage, T Threat, ! Triumph, ? Despair.
FACES = {
    "boost": "- - S SA AA A",
    "setback": "- - F F T T",
    "ability": "- S S SS A A SA AA",
    "difficulty": "- F FF T T T TT FT",
    "proficiency": "- S S SS SS A SA SA SA AA AA !",
    "challenge": "- F F FF FF T T FT FT TT TT ?",
}
SYMBOLS = {
    "S": Symbol(id="success", label="Success", plural="Successes", cancels="failure"),
    "F": Symbol(id="failure", label="Failure", plural="Failures", cancels="success"),
    "A": Symbol(id="advantage", label="Advantage", plural="Advantages", cancels="threat"),
    "T": Symbol(id="threat", label="Threat", plural="Threats", cancels="advantage"),
    "!": Symbol(id="triumph", label="Triumph", plural="Triumphs", counts="success"),
    "?": Symbol(id="despair", label="Despair", plural="Despairs", counts="failure"),
}


@pytest.fixture(scope="module")
def narrative(toy: Ruleset) -> Ruleset:
    """A ruleset with the dice of the ruling."""
    dice = tuple(
        Die(
            id=name,
            symbols=tuple(
                tuple(SYMBOLS[sign].id for sign in face if sign != "-") for face in faces.split()
            ),
        )
        for name, faces in FACES.items()
    )
    head = toy.head.model_copy(update={"symbols": tuple(SYMBOLS.values()), "dice": dice})
    return replace(toy, head=head)


# Ruling 1: what each step of the condition track adds to the check; the fragment's percentages
# of Success, net Advantage, net Threat and Despair.
PRINTED = {
    "Normal": ({}, (70, 47.8, 27.8, 0)),
    "Winded": ({"setback": 1}, (61.8, 40.24, 35.9, 0)),
    "Fatigued": ({"setback": 2}, (53.75, 33.5, 43.87, 0)),
    "Exhausted": ({"difficulty": 3}, (57.87, 31.7, 45.87, 0)),
    "Crippled": ({"challenge": 1}, (51.76, 33.9, 43.78, 8.3)),
}


@pytest.mark.parametrize("condition", PRINTED)
def test_the_percentages_that_the_fragment_prints(narrative, condition):
    """1 Ability and 2 Proficiency against 2 Difficulty: twenty figures, within 0.06 points."""
    added, printed = PRINTED[condition]
    dice = {"ability": 1, "proficiency": 2, "difficulty": 2, **added}
    found = {one.id: one.chances for one in pool_odds(narrative, dice).cases[0]}
    symbols = ("success", "advantage", "threat", "despair")
    reckoned = [float(100 * found[name].at_least(1)) for name in symbols]
    assert reckoned == pytest.approx(printed, abs=0.06)


def test_a_small_pool_by_all_of_its_faces(narrative):
    """1 Proficiency, 1 Ability, 1 Challenge and 1 Setback: 12 × 8 × 12 × 6 falls."""
    dice = {"proficiency": 1, "ability": 1, "challenge": 1, "setback": 1}
    counted: dict[str, dict[int, int]] = {name: {} for name in narrative.symbols}
    kinds = [narrative.symbol_dice[name] for name in dice]
    for faces in product(*(range(1, len(kind.symbols) + 1) for kind in kinds)):
        shown: dict[str, int] = {}
        for kind, face in zip(kinds, faces, strict=True):
            for symbol in kind.symbols[face - 1]:
                shown[symbol] = shown.get(symbol, 0) + 1
        for name, number in inputs.net_symbols(narrative, shown).items():
            counted[name][number] = counted[name].get(number, 0) + 1
    whole = 12 * 8 * 12 * 6
    for one in pool_odds(narrative, dice).cases[0]:
        expected = {n: Fraction(often, whole) for n, often in counted[one.id].items()}
        assert one.chances.by_value == expected


def test_one_die_by_hand(narrative):
    """A Proficiency die: Triumph on 1 of 12, a Success on 8 of them with the Triumph's."""
    found = {one.id: one.chances for one in pool_odds(narrative, {"proficiency": 1}).cases[0]}
    assert found["triumph"].at_least(1) == Fraction(1, 12)
    assert found["success"].at_least(1) == Fraction(8, 12)
    assert found["failure"].mean == -found["success"].mean == -Fraction(10, 12)


def test_a_die_that_varies(narrative):
    found = pool_odds(narrative, {"ability": 1}, VariedInput("difficulty", ("0", "1")))
    assert [case[0].chances.at_least(1) for case in found.cases] == [
        Fraction(4, 8),
        # 3 faces of 1 Success (S, S, SA) against 5 without Failure; SS against those and 2 of 1
        Fraction(3 * 5 + 1 * 7, 64),
    ]


def test_what_is_no_pool_is_refused(narrative, capital):
    assert read_pool(" Ability = 2, setback=1") == {"ability": 2, "setback": 1}
    with pytest.raises(UsageError, match="ability=x is not a number of dice"):
        read_pool("ability=x")
    with pytest.raises(UsageError, match="twice"):
        read_pool("ability=1,ability=2")
    with pytest.raises(UsageError, match="at most 60 dice"):
        pool_odds(narrative, {"ability": 61})
    with pytest.raises(UnknownId) as unknown:
        pool_odds(narrative, {"abilty": 1})
    assert unknown.value.nearest == "ability"
    with pytest.raises(UsageError, match="no dice with symbols"):
        pool_odds(capital, {"ability": 1})
