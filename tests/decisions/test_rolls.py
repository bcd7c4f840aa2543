"""Rolls that are repeated: for each value, for totals to assign, and one swap after them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.character.state_data import RolledSum
from charforge.decisions.base import Decision, NumberFields, OptionMenu, TextField
from charforge.expressions.formula import Formula
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset

Dug = Callable[..., Ruleset]
IN_ORDER = "scores: {roll: scores, one_swap: true}"
SCORES = [[3, 6, 6, 4], [1, 1, 2, 1], [5, 5, 5, 1]]  # 16, 4, 15

ORDER = "In any order, with spaces between them."


def replayed(rules: Ruleset, **answers: Any) -> Any:
    """A digger with these answers."""
    return CharacterSpec(rules, "7", "Osk", answers=answers).replay()


def asked(rules: Ruleset, name: str, **answers: Any) -> Decision:
    """Return a decision of a digger with these answers."""
    found = replayed(rules, **answers).decision(name)
    assert found is not None
    return found


def test_a_roll_for_a_group_gives_each_value_its_own_total(barrow: Ruleset) -> None:
    studies = [[19, 16], [5, 11]]
    values = replayed(barrow, studies=studies).state.values()
    assert (values.total("lore"), values.total("lies")) == (16, 5)
    assert values.explain("lore").steps[-1].note == (
        RolledSum("2d20kl1", (16,), (19,), Formula(0), 0, 16),
    )
    decision = asked(barrow, "studies")
    assert decision.answer_text(studies) == "LOR 16 ([19] 16), LIE 5 (5 [11])"
    assert decision.formula_text() == "LOR, LIE: 2d20 (lowest); once for each"


def test_each_roll_counts_for_luck(barrow: Ruleset) -> None:
    rolls = asked(barrow, "scores").counted_rolls(SCORES)
    assert [(roll.dice.notation, list(roll.faces)) for roll in rolls] == [
        ("4d6k3", faces) for faces in SCORES
    ]


def test_faces_in_a_row_are_divided_into_rolls(barrow: Ruleset) -> None:
    decision = asked(barrow, "studies")
    assert decision.rule_violations([19, 16, 5, 11]) == ()
    assert decision.canonical([19, 16, 5, 11]) == [[19, 16], [5, 11]]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([[19, 16]], "2d20kl1 is rolled 2 times, not 1"),
        ([[19, 16], [5, 21]], "LIE: 21 is not a face of 2d20kl1 (1 to 20)"),
        ([[19], [5, 20]], "LOR: 2d20kl1 is 2 dice, not 1"),
        ([[19, 16], 5], "LIE: enter the dice of 2d20kl1 as a list"),
        ("16", "enter the dice of 2d20kl1 as a list"),
    ],
)
def test_why_a_repeated_roll_is_not_allowed(barrow: Ruleset, answer: Any, reason: str) -> None:
    assert asked(barrow, "studies").rule_violations(answer) == (reason,)


def test_each_roll_is_typed_on_its_own(barrow: Ruleset) -> None:
    menu = asked(barrow, "studies").widget([[1, 2], [3, 4]], RandomAnswers("7"))
    field = menu.items[-1].value
    assert isinstance(field, TextField)
    assert field.status == ("Type the 2 numbers your 2d20 shows for LOR (1 to 20).", ORDER)
    first = field.parse("19 16")
    further = field.follow_up(first)
    assert further is not None
    assert further.status == ("Type the 2 numbers your 2d20 shows for LIE (1 to 20).", ORDER)
    both = further.parse("5, 11")
    assert further.follow_up(both) is None
    assert asked(barrow, "studies").canonical(both) == [[19, 16], [5, 11]]


PERCENTILE = ("ruleset.yaml", "dice: 2d20kl1", "dice: 1d100")


@pytest.mark.parametrize("answer", [[[60, 3], [0, 0]], [[63], [100]], [60, 3, 0, 0], [63, 100]])
def test_a_percentile_die_can_be_tens_and_ones(dug: Dug, answer: Any) -> None:
    decision = asked(dug(PERCENTILE), "studies")
    assert decision.rule_violations(answer) == ()
    assert decision.canonical(answer) == [[63], [100]]
    assert decision.answer_text(answer) == "LOR 63 (63), LIE 100 (100)"


def test_tens_and_ones_are_typed_as_they_lie(dug: Dug) -> None:
    decision = asked(dug(PERCENTILE), "studies")
    field = decision.widget([[1], [2]], RandomAnswers("7")).items[-1].value
    assert isinstance(field, TextField)
    assert (list(field.problems("60 3")), field.parse("60 3")) == ([""], [[[63]]])
    assert list(field.problems("61 3")) != [""]
    further = field.follow_up(field.parse("60 3"))
    assert further is not None
    assert decision.canonical(further.parse("5")) == [[63], [5]]


def test_rolls_that_must_be_repeated_are_those_of_one_total(dug: Dug) -> None:
    again = 'reroll_all_while: "length(roll) == count(roll, 1)"'
    rules = dug(("ruleset.yaml", "dice: 2d20kl1,", f"dice: 2d20kl1, {again},"))
    decision = asked(rules, "studies")
    field = decision.widget([[1, 2], [3, 4]], RandomAnswers("7")).items[-1].value
    further = field.follow_up(field.parse("1 1"))
    assert further.note == "1 1 must be rerolled."
    answer = decision.canonical([[[1, 1], [9, 8]], [3, 4]])
    assert decision.rule_violations(answer) == ()
    assert decision.totals(answer) == (8, 3)
    assert decision.rule_violations([[1, 1], [3, 4]])


def test_totals_are_assigned_as_the_player_likes(dug: Dug) -> None:
    rules = dug(("ruleset.yaml", IN_ORDER, "scores: {roll: scores}"))
    decision = asked(rules, "abilities", scores=SCORES)
    assert decision.scores() == (16, 15, 4)
    assert isinstance(decision.widget({}, RandomAnswers("7")), NumberFields)
    assert decision.rule_violations({"might": 4, "craft": 15, "nerve": 16}) == ()
    assert decision.rule_violations({"might": 16, "craft": 16, "nerve": 4}) == (
        "the scores to assign are 16, 15, 4, not 16, 16, 4",
    )


def test_two_scores_may_be_swapped_but_not_three(barrow: Ruleset) -> None:
    decision = asked(barrow, "abilities", scores=SCORES)
    menu = decision.widget({"might": 16, "craft": 15, "nerve": 4}, RandomAnswers("7"))
    assert isinstance(menu, OptionMenu)
    assert [item.label for item in menu.items] == [
        "Keep MGT 16, CRF 4, NRV 15",
        "Swap: MGT 4, CRF 16",
        "Swap: MGT 15, NRV 16",
        "Swap: CRF 15, NRV 4",
    ]
    assert menu.start is menu.items[3].value
    for item in menu.items:
        assert decision.rule_violations(item.value.answer) == ()
    assert decision.rule_violations({"might": 4, "craft": 15, "nerve": 16}) == (
        "you rolled MGT 16, CRF 4, NRV 15; swap only two of them",
    )


@given(st.lists(st.lists(st.integers(1, 6), min_size=4, max_size=4), min_size=3, max_size=3))
def test_a_swap_keeps_all_scores_and_moves_none_or_two(
    barrow: Ruleset, scores: list[list[int]]
) -> None:
    decision = asked(barrow, "abilities", scores=scores)
    kept, *swaps = decision.arrangements()
    assert tuple(kept.values()) == tuple(sum(sorted(faces)[1:]) for faces in scores)
    for given_ in swaps:
        assert sorted(given_.values()) == sorted(kept.values())
        assert sum(given_[name] != kept[name] for name in kept) == 2
    chosen = decision.random_answer(RandomAnswers("7"))
    assert decision.rule_violations(chosen) == ()


@given(st.integers(0, 1000))
def test_random_rolls_are_legal_and_the_same_for_a_seed(barrow: Ruleset, seed: int) -> None:
    for name in ("scores", "studies"):
        decision = asked(barrow, name)
        answer = decision.random_answer(RandomAnswers(str(seed)))
        assert answer == decision.random_answer(RandomAnswers(str(seed)))
        assert decision.rule_violations(answer) == ()
        assert len(decision.totals(answer)) == decision.times()
        assert decision.rule_violations(decision.lowest_roll()) == ()


def test_the_questions_file_says_how_often_dice_are_rolled(barrow: Ruleset) -> None:
    text = questions_file(barrow, 1)
    assert "the dice: 4d6k3\n  #   3 times, a list each time" in text
    assert "for each of lore, lies, a list each time" in text
    assert "the rolled scores in their order; you may swap two of them" in text
