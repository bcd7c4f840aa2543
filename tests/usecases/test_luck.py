"""Luck: percentiles of recorded rolls, and the exact chances of recorded attempts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.expressions.dice import parse_dice
from charforge.odds.distributions import sums_of_rolls, total_ways
from charforge.procedures.inputs import read_faces
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.usecases.create import create_character
from charforge.usecases.luck import measure_luck, mid_percentile, success_ways, table_luck
from charforge.verbs import play
from charforge.verbs.history import undo
from charforge.verbs.typed_inputs import TypedInputs

WAYS = st.dictionaries(st.integers(-9, 9), st.integers(1, 50), min_size=1, max_size=8)
CHANCES = st.lists(
    st.fractions(min_value=0, max_value=1, max_denominator=36), min_size=1, max_size=6
)


@pytest.fixture
def nix(capital) -> LoadedCharacter:
    """A Capital character without any play event."""
    answers = {"role": "role/the-scout", "role.plus": "wis"}
    document = create_character(
        CharacterSpec(capital, "7", "Nix", answers=answers), RandomAnswers("7")
    )
    return load_document(document, Path("nix.json"), capital)


def roll(nix: LoadedCharacter, margin: int, ours: str, theirs: str) -> LoadedCharacter:
    """Roll an Agility check against a score that is ``margin`` higher than Nix's."""
    against = nix.character.state.values().total("agi") + margin
    dice = {"own": read_faces(ours), "theirs": read_faces(theirs)}
    return play.roll_check(nix, "agi", against, typed=TypedInputs(dice=dice)).after


@given(WAYS)
def test_the_expected_percentile_is_one_half(ways):
    total = sum(ways.values())
    mean = sum((n * mid_percentile(ways, value) for value, n in ways.items()), Fraction(0)) / total
    assert mean == Fraction(1, 2)


@given(st.sampled_from(["1d6", "2d6", "3d4", "1d20", "4d6k3"]), st.integers(1, 2))
def test_the_percentile_of_fair_dice_is_uniform(notation, times):
    """A percentile below p has the chance p, give or take half of the likeliest sum."""
    sums = sums_of_rolls(total_ways(parse_dice(notation)), times)
    total = sum(sums.values())
    likeliest = Fraction(max(sums.values()), total)
    for p in (Fraction(n, 20) for n in range(21)):
        below = sum(n for value, n in sums.items() if mid_percentile(sums, value) <= p)
        assert abs(Fraction(below, total) - p) <= likeliest / 2


@given(st.integers(1, 3), st.integers(2, 4), st.integers(1, 3))
def test_the_ways_to_a_sum_are_those_of_plain_enumeration(number, sides, times):
    dice = parse_dice(f"{number}d{sides}")
    sums = [sum(faces) for faces in product(dice.faces, repeat=number * times)]
    assert sums_of_rolls(total_ways(dice), times) == {n: sums.count(n) for n in set(sums)}


def test_only_the_dice_that_are_kept_count():
    """4d6k3: 18 needs three or four sixes (4·5 + 1 ways), 3 needs four ones."""
    ways = total_ways(parse_dice("4d6k3"))
    assert (sum(ways.values()), ways[18], ways[3]) == (6**4, 21, 1)


def test_rolls_that_must_be_rerolled_have_no_ways():
    """2d6 without doubles: of 36 rolls 30 are left, and 2, 12 cannot be."""
    ways = total_ways(parse_dice("2d6"), lambda faces: faces[0] == faces[1])
    assert (sum(ways.values()), 2 in ways, ways[7], ways[4]) == (30, False, 6, 2)


@given(CHANCES)
def test_the_number_of_successes_is_that_of_plain_enumeration(chances):
    ways = success_ways(chances)
    total = prod(chance.denominator for chance in chances)
    for number, weight in enumerate(ways):
        chance = Fraction(0)
        for ended in product((0, 1), repeat=len(chances)):
            if sum(ended) == number:
                chance += prod(
                    (c if won else 1 - c for c, won in zip(chances, ended, strict=True)),
                    start=Fraction(1),
                )
        assert Fraction(weight, total) == chance


def test_a_session_worked_by_hand(nix):
    """Ties succeed (D61). The difference of two rolls of 2d6 is distributed like 4d6 − 14.

    A score 1 below the other's succeeds with 4d6 of 15 or more: 575 of 1296. A score 6 above
    fails with 4d6 of 7 or less: 35 of 1296.
    """
    before = measure_luck(nix)
    assert before.attempts == ()
    played = roll(roll(nix, 1, "6 5", "2 3"), -6, "1 2", "6 5")
    luck = measure_luck(played)
    first, second = luck.attempts
    assert (first.chance, first.success) == (Fraction(575, 1296), True)
    assert (second.chance, second.success) == (Fraction(1261, 1296), False)
    assert luck.successes == 1
    assert luck.expected_successes == Fraction(1836, 1296)
    # One success is as many as there were: half of its ways count as below.
    none, both = 721 * 35, 575 * 1261
    one = 1296**2 - none - both
    assert luck.success_percentile == Fraction(2 * none + one, 2 * 1296**2)
    assert luck.least_likely_success == first
    assert luck.least_likely_failure == second
    ours = next(row for row in luck.dice if row.label == "Your dice")
    assert (ours.rolls, ours.average, ours.expected) == (2, 7, 7)
    assert ours.percentile == Fraction(1, 2)  # 14 with 4d6 is the middle


def test_what_was_undone_does_not_count(nix):
    played = roll(nix, 1, "6 5", "2 3")
    assert measure_luck(undo(played).after).rolls == measure_luck(nix).rolls


def test_the_attributes_and_hit_points_of_creation_count(nix):
    rows = {row.label: row for row in measure_luck(nix).dice}
    faces = nix.character.state.answers["attributes.roll"]
    row = rows["Roll 10d6 for your Attributes"]
    assert (row.rolls, row.average, row.expected) == (1, sum(faces), 35)


def test_a_table_adds_its_characters_up(nix):
    luck = measure_luck(roll(nix, 1, "6 5", "2 3"))
    table = table_luck([luck, luck], "All")
    assert len(table.rolls) == 2 * len(luck.rolls)
    assert table.expected_successes == 2 * luck.expected_successes
    assert table.success_percentile > luck.success_percentile
