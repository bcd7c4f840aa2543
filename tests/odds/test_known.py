"""Odds that can be worked out by hand, and refusals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.errors import ProcedureError, RuleRefusal, UsageError
from charforge.expressions.dice import Dice, parse_dice
from charforge.odds import Case, Odds, Outcome
from charforge.odds.distributions import number_of_rolls, rolls_by_sum, weighted_rolls
from charforge.replay.character_spec import growth
from charforge.replay.replay import Start, replay
from charforge.rules.models import Procedure
from tests.odds.enumeration import Enumerated
from tests.samples import few

# How many of the 1296 falls of 2d6 against 2d6 differ by so much.
DIFFERING = {0: 146, 1: 140, 2: 125, 3: 104, 4: 80, 5: 56, 6: 35, 7: 20, 8: 10, 9: 4, 10: 1}


def by(least: int) -> Fraction:
    """The chance that 2d6 less another 2d6 are so many or more."""
    differing = {**DIFFERING, **{-n: often for n, often in DIFFERING.items()}}
    return Fraction(sum(often for n, often in differing.items() if n >= least), 1296)


def of(state, steps: list[dict[str, Any]], *outputs: str, told: int = 0, **more: Any):
    """The outcomes of steps that are given in a test."""
    raw = {
        "id": "tried",
        "label": "Tried",
        "source": "rule/keeping",
        "inputs": [{"id": "told", "label": "Told", "default": told}],
        "steps": steps,
        "outputs": [{"id": name, "label": name} for name in outputs],
    }
    case = Case({}, dice=more.pop("dice", {}))
    found = Odds(state, Procedure.model_validate(raw), [case], **more).of(case)
    return {one.id: one.chances for one in found}


ROLL = {"do": "roll", "id": "own", "dice": "2d6"}


def test_seven_or_more_with_two_dice(keeper):
    won = {"do": "let", "id": "won", "to": "own >= 7"}
    found = of(keeper, [ROLL, won], "own", "won")
    assert found["won"].by_value[1] == Fraction(21, 36)
    assert found["own"].at_least(7) == Fraction(21, 36)
    assert found["own"].at_most(3) == Fraction(3, 36)
    assert found["own"].mean == 7
    assert (found["own"].at_least(13), found["own"].at_least(2)) == (0, 1)
    assert (found["own"].at_most(1), found["own"].at_most(12)) == (0, 1)


def test_a_die_that_may_be_rolled_again_is_if_it_is_low(keeper):
    """1 to 3 are rolled again (mean 3.5), 4 to 6 stay (mean 5): (3.5 + 5) / 2."""
    steps = [
        {"do": "roll", "id": "own", "dice": "1d6"},
        {"do": "choose", "id": "again", "label": "Again?", "maximum": 1},
        {"do": "reroll", "id": "own", "times": "again"},
    ]
    assert of(keeper, steps, "own", best="own")["own"].mean == Fraction(17, 4)
    assert of(keeper, steps, "own")["own"].mean == Fraction(7, 2)


def test_what_is_not_the_players_to_choose_is_as_suggested(keeper):
    asked = {"do": "choose", "id": "gift", "label": "The GM's", "maximum": 9, "default": 2}
    assert of(keeper, [asked], "gift", best="gift")["gift"].by_value == {9: 1}
    theirs = {**asked, "player": False}
    assert of(keeper, [theirs], "gift", best="gift")["gift"].by_value == {2: 1}


def test_a_loop_of_double_sixes_goes_on_as_its_step_says(keeper):
    """k double sixes and then none: (1/36)^k × 35/36, and the 1000th roll is the last."""
    steps = [
        {"do": "let", "id": "turns", "to": -1},
        {"do": "let", "id": "again", "to": 1},
        {
            "do": "call", "procedure": "again", "with": {"turns": "turns"},
            "take": {"turns": "turns", "again": "again"},
            "repeat": {"while": "again", "at_most": 1000},
        },
    ]  # fmt: skip
    inner = {
        "id": "again", "label": "Again", "source": "rule/keeping",
        "inputs": [{"id": "turns", "label": "Turns"}],
        "steps": [
            {"do": "let", "id": "turns", "to": "turns + 1"},
            ROLL,
            {"do": "let", "id": "again", "to": "count(own_dice, 6) == 2"},
        ],
    }  # fmt: skip
    procedures = {"again": Procedure.model_validate(inner)}
    state = replace(keeper, ruleset=replace(keeper.ruleset, procedures=procedures))
    found = of(state, steps, "turns")["turns"]
    assert found.by_value[0] == Fraction(35, 36)
    assert found.by_value[2] == Fraction(35, 36**3)
    assert found.by_value[999] == Fraction(1, 36**999)
    assert found.at_least(0) == 1


def test_many_dice_whose_sum_alone_counts(keeper):
    """60d6: one way in 6^60 to each end, and 60 ways to 61."""
    found = of(keeper, [{"do": "roll", "id": "own", "dice": "60d6"}], "own")["own"]
    assert found.by_value[60] == found.by_value[360] == Fraction(1, 6**60)
    assert found.by_value[61] == Fraction(60, 6**60)
    assert found.mean == 210


def test_the_highest_three_of_four_dice(keeper):
    """The known table of 4d6, drop the lowest: 21 ways to 18, 172 to 13, one to 3, of 1296."""
    found = of(keeper, [{"do": "roll", "id": "own", "dice": "4d6k3"}], "own")["own"].by_value
    assert {n: found[n] * 1296 for n in (3, 13, 18)} == {3: 1, 13: 172, 18: 21}
    assert sum(found.values()) == 1


def test_the_lower_of_two_dice_and_whether_it_is_a_one(keeper):
    """2d20kl1 is at least n with (21 - n)² ways of 400; its faces are those that count."""
    steps = [
        {"do": "roll", "id": "own", "dice": "2d20kl1"},
        {"do": "let", "id": "fumble", "to": "count(own_dice, 1)"},
    ]
    found = of(keeper, steps, "own", "fumble")
    assert [found["own"].at_least(n) * 400 for n in (1, 11, 20)] == [400, 100, 1]
    assert found["fumble"].by_value[1] == Fraction(39, 400)


def test_dice_that_are_kept_each_time(keeper):
    """Twice the higher of two coins: 0 to 4, and the higher of two is 2 in 3 of 4 ways."""
    twice = {"do": "roll", "id": "own", "dice": "2d2k1", "times": 2}
    found = of(keeper, [twice], "own")["own"].by_value
    assert found == {2: Fraction(1, 16), 3: Fraction(6, 16), 4: Fraction(9, 16)}


@given(st.integers(2, 6), st.integers(1, 5), st.integers(1, 6), st.booleans())
def test_the_ways_to_each_sum_are_those_of_all_rolls(
    number: int, keep: int, sides: int, lowest: bool
) -> None:
    notation = f"{number}d{sides}k{'l' if lowest else ''}{min(keep, number - 1)}"
    dice = parse_dice(notation)
    counted: Counter[int] = Counter()
    for faces, ways in weighted_rolls(dice):
        counted[dice.total(faces)] += ways
    found = {dice.total(faces): ways for faces, ways in rolls_by_sum(dice)}
    assert found == counted
    assert sum(found.values()) == sides**number


def test_dice_with_faces_of_their_own(keeper):
    """The gull shows 1, 1, 3, 5, 8: two of them are 2 in 4 of 25 ways, 16 in 1."""
    found = of(keeper, [{"do": "roll", "id": "own", "dice": "2dgull"}], "own")["own"]
    assert (found.by_value[2], found.by_value[16]) == (Fraction(4, 25), Fraction(1, 25))
    assert found.mean == Fraction(36, 5)


def test_how_many_dice_show_a_face(keeper):
    """Sixes of 8d6 are binomial."""
    steps = [
        {"do": "roll", "id": "own", "dice": "8d6"},
        {"do": "let", "id": "sixes", "to": "count(own_dice, 6)"},
    ]
    found = of(keeper, steps, "sixes")["sixes"].by_value
    assert found == {k: Fraction(comb(8, k) * 5 ** (8 - k), 6**8) for k in range(9)}


def test_dice_that_fell_already(keeper):
    reroll = {"do": "reroll", "id": "own", "which": "highest"}
    found = of(keeper, [ROLL, reroll], "own", dice={"own": (2, 6)})["own"]
    assert found.by_value == {n: Fraction(1, 6) for n in range(3, 9)}
    first = of(keeper, [ROLL, reroll], "own", dice={"first": (2, 6)})["own"]
    assert first.by_value == found.by_value


def test_an_output_that_was_never_made_is_nothing(keeper):
    steps = [ROLL, {"do": "let", "id": "prize", "to": "own - 6", "when": "own >= 11"}]
    found = of(keeper, steps, "prize")["prize"]
    assert found.by_value == {5: Fraction(2, 36), 6: Fraction(1, 36)}
    assert found.nothing == Fraction(33, 36)
    assert found.given is not None
    assert found.given.by_value == {5: Fraction(2, 3), 6: Fraction(1, 3)}


def test_what_the_rules_refuse_is_no_option_and_else_refused(keeper):
    steps = [
        {"do": "choose", "id": "bet", "label": "How much?", "maximum": 5},
        {"do": "require", "that": "bet < 4", "say": "At most 3."},
    ]
    assert of(keeper, steps, "bet", best="bet")["bet"].by_value == {3: 1}
    with pytest.raises(RuleRefusal, match="At most 3"):
        of(keeper, [ROLL, {"do": "require", "that": "own < 4", "say": "At most 3."}], "own")


# A choice whose maximum is what a die shows: as many more dice as that.
BOOST = (
    {"do": "roll", "id": "own", "dice": "1d3"},
    {"do": "choose", "id": "boost", "label": "How many?", "maximum": "own"},
    {"do": "roll", "id": "more", "dice": "1d2", "times": "boost"},
    {"do": "let", "id": "total", "to": "more"},
)


def boosted(most: int) -> dict[int, Fraction]:
    """The chances of the total of at most so many dice, by listing every roll."""
    ways: Counter[int] = Counter()
    for own in (1, 2, 3):
        dice = min(own, most)
        for faces in product((1, 2), repeat=dice):
            ways[sum(faces)] += 2 ** (3 - dice)
    return {total: Fraction(count, 24) for total, count in ways.items()}


def boosting(keeper, **more: Any) -> Odds:
    raw = {
        "id": "tried", "label": "Tried", "source": "rule/keeping", "steps": BOOST,
        "outputs": [{"id": "total", "label": "Total"}],
    }  # fmt: skip
    return Odds(keeper, Procedure.model_validate(raw), [Case({})], **more)


def test_a_choice_that_a_die_limits_is_tried_up_to_what_it_shows(keeper):
    (total,) = boosting(keeper, best="total").of(Case({}))
    assert total.chances.by_value == boosted(3)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_number_chosen_beforehand_is_the_nearest_that_a_roll_allows(keeper, number):
    odds = boosting(keeper)
    (total,) = odds.of(Case({"boost": number}))
    assert total.chances.by_value == boosted(number)
    assert odds.adjusted == ({"boost"} if number > 1 else set())


def test_a_number_that_no_roll_allows_is_refused_after_any_other_case(keeper):
    odds = boosting(keeper)
    for number in (2, 3, 2):
        assert odds.of(Case({"boost": number}))[0].chances.by_value == boosted(number)
        with pytest.raises(ProcedureError, match="no roll allows this number"):
            odds.of(Case({"boost": 4}))


# ------------------------------------------------------------------------- too much


def test_beyond_its_bound_the_step_is_named(keeper):
    steps = [ROLL, {"do": "let", "id": "highest", "to": "max(own_dice)"}]
    assert of(keeper, steps, "highest", most=21)
    with pytest.raises(UsageError, match=r"of this step: own of Tried"):
        of(keeper, steps, "highest", most=20)


def test_dice_that_are_too_many_are_not_even_begun(keeper):
    steps = [
        {"do": "roll", "id": "own", "dice": "40d100", "label": "A heap"},
        {"do": "let", "id": "highest", "to": "max(own_dice)"},
    ]
    with pytest.raises(UsageError, match=r"A heap \(own\) of Tried"):
        of(keeper, steps, "highest")


def test_a_choice_that_is_too_wide_is_named(keeper):
    asked = {"do": "choose", "id": "bet", "label": "How much?", "maximum": 10**9}
    with pytest.raises(UsageError, match=r"How much\? \(bet\)"):
        of(keeper, [asked], "bet", best="bet")


# ------------------------------------------------------------------------- Capital, by hand


@pytest.fixture(scope="module")
def hero(capital):
    """A character of Level 2 with 1 Energy and no Grit left."""
    state = replay(capital, {}, Start("N"), RandomAnswers("seed 7"), growth(2)).state
    state, _real = state_changes.change_resource(state, "character", "energy", -99)
    state, _real = state_changes.change_resource(state, "character", "energy", 1)
    state, _real = state_changes.change_resource(state, "character", "grit", -99)
    return state


def outcomes(state, name: str, inputs: dict[str, Any], **more: Any) -> dict[str, Outcome]:
    case = Case(inputs)
    found = Odds(state, state.ruleset.procedures[name], [case], **more).of(case)
    return {one.id: one for one in found}


@pytest.mark.parametrize("score", few(range(3, 9), 2, slow=3))
@pytest.mark.parametrize("against", few(range(3, 9), 3, slow=4))
def test_an_attribute_check(hero, score, against):
    """It succeeds from a tie on: where 2d6 less their 2d6 make up for the difference."""
    found = outcomes(hero, "attribute-check", {"fixed": score, "vs": against})
    assert found["success"].chances.mean == by(against - score)
    assert found["tie"].chances.mean == Fraction(DIFFERING[abs(against - score)], 1296)
    assert found["total"].chances.mean == score + 7


@pytest.mark.parametrize("defence", few(range(3, 9), 2, slow=3))
def test_an_attack_by_defence(hero, defence):
    """A Fixed Score of 6, 1d6 + 2 damage (5.5), Crit from a margin of 2 with 3 more."""
    said = {"fixed": 6, "vs": defence, "damage": "1d6 + 2", "crit": 2, "crit_damage": 3}
    found = outcomes(hero, "attack", said)
    hits, crits = by(defence - 6), by(defence - 4)
    assert found["hits"].chances.mean == hits
    assert found["is_crit"].chances.mean == crits
    assert found["dealt"].chances.mean == hits * Fraction(11, 2) + crits * 3
    assert found["dealt"].chances.at_most(0) == 1 - hits
    assert found["dealt"].given.mean == Fraction(11, 2) + 3 * crits / hits


def test_shots_multiply_the_damage(hero):
    """(1d6 + 1) × 1d6 against a known roll that is beaten by any dice: 4.5 × 3.5."""
    said = {"fixed": 6, "opposed": 8, "damage": "1d6 + 1", "shots": "1d6"}
    found = outcomes(hero, "attack", said)["dealt"].chances
    assert found.mean == Fraction(63, 4)
    assert found.by_value[2] == Fraction(1, 36)
    assert found.by_value[12] == Fraction(4, 36)  # 2 × 6, 3 × 4, 4 × 3, 6 × 2


def test_aim_at_best_is_that_of_plain_enumeration(hero):
    """1 Energy: the lowest die once more, wherever that helps."""
    said = {"fixed": 6, "opposed": 14, "damage": "5", "bonus": 0}
    procedure = hero.ruleset.procedures["attack"]
    plain = Enumerated(hero, procedure, said, best="hits", most=20_000)
    expected = plain.mean(plain.all(), "hits")
    found = outcomes(hero, "attack", said, best="hits")["hits"].chances.mean
    assert found == expected
    assert found > outcomes(hero, "attack", said)["hits"].chances.mean == Fraction(15, 36)


def test_a_number_chosen_beforehand_is_not_followed_by_more(hero):
    """The lowest die once, always, though Aim 2 would allow another: 8 or more, 125 of 216."""
    said = {"fixed": 6, "opposed": 14, "granted_aim": 2, "free_aim": 1, "aim": 1}
    for best in (None, "hits"):
        found = outcomes(hero, "attack", said, best=best)["hits"].chances.mean
        assert found == Fraction(125, 216)


def test_a_fall_of_four_metres(hero):
    """AGI against 4; 4d6 damage where it fails: each total by the ways to it, of 1296."""
    agility = hero.values().now("agi")
    found = outcomes(hero, "fall", {"metres": 4})
    fails = 1 - by(4 - agility)
    assert found["dealt"].chances.by_value[4] == fails * Fraction(1, 1296)
    assert found["dealt"].chances.by_value[14] == fails * Fraction(146, 1296)
    assert found["dealt"].chances.mean == 14 * fails


# ------------------------------------------------------------------------- texts and charts


def test_a_place_that_a_chart_names(diver):
    """1d10: the mask at 1 (a brave diver loses 1 + 3 + 1), an arm to 5 (1), else a leg (2)."""
    found = outcomes(diver().character.state, "bite", {"fish": "ray"})
    chances = found["place"].chances
    tenth = Fraction(1, 10)
    expected = [("Mask", tenth), ("Arm", 4 * tenth), ("Leg", 5 * tenth)]
    assert list(chances.by_value.items()) == expected
    assert chances.numbers == {}
    assert found["hurt"].chances.by_value == {1: 4 * tenth, 2: 5 * tenth, 5: tenth}


def test_a_die_with_as_many_sides_as_a_figure_says(diver):
    found = outcomes(diver().character.state, "stroke", {"times": 2})["own"].chances
    assert found.mean == 9
    assert found.by_value[16] == Fraction(1, 64)


# ------------------------------------------------------------------ rolls and their ways


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
