"""Allotments: legal answers, their effects, and random answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.decisions.base import MISSING, Decision
from charforge.expressions.formula import Formula
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from tests.samples import law

Smith = Callable[..., LoadedCharacter]
Reforged = Callable[..., Ruleset]


def asked(rules: Ruleset, name: str, **answers: Any) -> Decision:
    """Return a decision of somebody who has answered nothing else."""
    found = CharacterSpec(rules, "7", "Ilmar", answers=answers).replay().decision(name)
    assert found is not None
    return found


def test_each_number_is_added_to_its_value_and_says_where_it_comes_from(smith: Smith) -> None:
    values = smith().character.state.values()
    # Each ability starts at 1; 2 and 1 of the 3 points go to Brawn and Wits.
    assert {name: values.total(name) for name in ("brawn", "wits", "grace")} == {
        "brawn": 3,
        "wits": 2,
        "grace": 1,
    }
    steps = values.explain("brawn").steps
    assert [(step.source, step.amount) for step in steps] == [("rule/forge", 1), ("abilities", 2)]
    assert [step.source for step in values.explain("grace").steps] == ["rule/forge"]


def test_the_answer_that_is_kept_names_every_value_by_its_id(smith: Smith) -> None:
    kept = {"brawn": 2, "wits": 1, "grace": 0}
    for spelt in (
        {"brawn": 2, "wits": 1},
        {"BRN": 2, "Wits": 1},
        {"wit": 1, " brawn ": 2},
        {"brawn:2": None, "Wits:1": None},
    ):
        assert smith(abilities=spelt).document.answers["abilities"] == kept


@pytest.mark.parametrize(
    ("answer", "reasons"),
    [
        ({"brawn": 2}, ["spend exactly 3 points (you have spent 2)"]),
        ({"brawn": 3}, ["BRN: must be from 0 to 2, not 3"]),
        ({"brawn": 2, "wits": -1, "grace": 2}, ["WIT: must be from 0 to 2, not -1"]),
        ({"brawn": 2, "wit": "one"}, ['WIT: "one" is not a whole number']),
        ({"brawn": True, "wits": 2}, ["BRN: true is not a whole number"]),
        ({"brwn": 2, "wits": 1}, ['"brwn" does not get a number here; did you mean brawn?']),
        ({"brawn": 2, "BRN": 2, "wits": 1}, ["one value appears twice"]),
        ({"heat": 1}, ['"heat" does not get a number here']),
        ([2, 1, 0], ["enter a number for each of brawn, wits, grace"]),
        (3, ["enter a number for each of brawn, wits, grace"]),
    ],
)
def test_why_an_answer_is_not_allowed(smithy: Ruleset, answer: Any, reasons: list[str]) -> None:
    decision = asked(smithy, "abilities")
    assert list(decision.rule_violations(answer)) == reasons


def test_only_the_numbers_that_are_named_may_be_given(smithy: Ruleset) -> None:
    decision = asked(smithy, "embers")
    assert list(decision.numbers()) == [2, 4, 6]
    assert decision.rule_violations({"max_heat": 3}) == ("Max heat: must be one of 2, 4, 6, not 3",)
    assert decision.rule_violations({}) == ("Max heat: must be one of 2, 4, 6, not 0",)
    assert decision.rule_violations({"max_heat": 6}) == ()


def test_bounds_narrow_the_numbers_that_are_named(reforged: Reforged) -> None:
    rules = reforged(("ruleset.yaml", "only: [2, 4, 6]", "only: [2, 4, 6]\n    maximum: brawn + 3"))
    # Brawn is 1 here, so that 4 is the most.
    assert list(asked(rules, "embers").numbers()) == [2, 4]


def test_no_number_raises_a_value_above_its_own_maximum(reforged: Reforged) -> None:
    """Every attribute starts at 1. With a maximum of 2, none can be raised by 2."""
    rules = reforged(
        ("ruleset.yaml", "points: 3", "points: 3\n    within_maximum: true"),
        ("ruleset.yaml", "grace: {formula: 1}", "grace: {formula: 1, maximum: 2}"),
    )
    decision = asked(rules, "abilities")
    assert list(decision.numbers_for("grace")) == [0, 1]
    assert list(decision.numbers_for("brawn")) == [0, 1, 2]
    assert decision.rule_violations({"grace": 2, "wits": 1}) == (
        "GRC is 1 and can be at most 2, so +2 is too much",
    )
    assert decision.rule_violations({"grace": 1, "wits": 2}) == ()


def test_chance_keeps_to_the_maxima_too(reforged: Reforged) -> None:
    """Of 5 points at most 1 can go to grace, so that the others get 2 each."""
    rules = reforged(
        ("ruleset.yaml", "points: 3", "points: 5\n    within_maximum: true"),
        ("ruleset.yaml", "grace: {formula: 1}", "grace: {formula: 1, maximum: 2}"),
    )
    decision = asked(rules, "abilities")
    for seed in range(20):
        assert RandomAnswers(str(seed))(decision) == {"brawn": 2, "wits": 2, "grace": 1}


def test_an_override_allows_other_sums_and_nothing_that_is_no_number(smithy: Ruleset) -> None:
    decision = asked(smithy, "abilities")
    assert decision.malformed({"brawn": 9}) == ()
    assert decision.malformed({"brawn": "9"}) != ()
    assert decision.malformed({"heat": 9}) != ()
    assert decision.malformed(9) != ()


@law(few=10)
@given(
    st.integers(-3, 3),
    st.integers(0, 6),
    st.integers(0, 30),
    st.lists(st.integers(-2, 9), max_size=4, unique=True),
    st.text(max_size=4),
)
def test_what_chance_spreads_is_always_legal(
    smithy: Ruleset, low: int, more: int, drawn: int, only: list[int], seed: str
) -> None:
    decision = asked(smithy, "abilities")
    numbers = only or list(range(low, low + more + 1))
    # A sum that three of the numbers make: chance must find three that do.
    points = sum(numbers[(drawn * step) % len(numbers)] for step in (1, 2, 3))
    bounds = {} if only else {"minimum": Formula(low), "maximum": Formula(low + more)}
    shape = {"minimum": None, "maximum": None, **bounds, "only": tuple(only)}
    question = decision.question.model_copy(update={**shape, "points": Formula(points)})
    changed = replace(decision, question=question)
    spread = RandomAnswers(seed)(changed)
    assert changed.rule_violations(spread) == ()
    assert spread == RandomAnswers(seed)(changed)


def test_chance_spreads_differently_for_another_seed(smithy: Ruleset) -> None:
    decision = asked(smithy, "abilities")
    # Of 0, 1 or 2 to each of three values, seven spreads make 3.
    spreads = {tuple(RandomAnswers(str(seed))(decision).values()) for seed in range(100)}
    assert len(spreads) == 7


def test_points_are_suggested_and_a_former_answer_may_stay_as_it_is(smithy: Ruleset) -> None:
    decision, source = asked(smithy, "abilities"), RandomAnswers("7")
    page = decision.widget(MISSING, source)
    (suggestion,) = page.suggestions
    assert decision.rule_violations(suggestion.value.answer) == ()
    assert not page.answered
    assert decision.widget({"brawn": 2, "wits": 1}, source).answered
    assert asked(smithy, "embers").widget(MISSING, source).suggestions == ()  # without points


# -------------------------------------------------------------------------- scores that are bought


def test_scores_are_bought_and_the_values_have_them(barrow: Ruleset) -> None:
    made = CharacterSpec(barrow, "7", "Osk", answers={"senses": {"EYE": 12, "Ears": 10}}).replay()
    values = made.state.values()
    assert (values.total("eyes"), values.total("ears")) == (12, 10)
    assert values.explain("eyes").steps[-1].note == ("for 7 points",)
    assert made.state.answers["senses"] == {"eyes": 12, "ears": 10}


@pytest.mark.parametrize(
    ("answer", "reasons"),
    [
        ({"eyes": 12, "ears": 10}, []),
        ({"eyes": 12}, ["spend exactly 9 points (you have spent 7)"]),
        ({"eyes": 12, "ears": 11}, ["spend exactly 9 points (you have spent 11)"]),
        ({"eyes": 13, "ears": 8}, ["EYE: must be from 8 to 12, not 13"]),
        ({"eyes": 7, "ears": 2}, [
            "EYE: must be from 8 to 12, not 7", "EAR: must be from 8 to 12, not 2",
        ]),
    ],
)  # fmt: skip
def test_why_scores_cannot_be_bought(barrow: Ruleset, answer: Any, reasons: list[str]) -> None:
    found = list(asked(barrow, "senses").rule_violations(answer))
    assert found[: len(reasons)] == reasons
    assert bool(found) == bool(reasons)


def test_the_wizard_shows_scores_and_what_they_cost(barrow: Ruleset) -> None:
    decision = asked(barrow, "senses")
    page = decision.widget({"eyes": 12, "ears": 8}, RandomAnswers("7"))
    assert page.start == {"eyes": 12, "ears": 8}
    assert list(page.allowed(page.start, "ears")) == [8, 9, 10, 11, 12]
    assert page.status(page.start) == (
        "2 of 9 points left. Each value: from 8 to 12. "
        "Points: 8 = 0, 9 = 1, 10 = 2, 11 = 4, 12 = 7."
    )
    assert page.missing({"eyes": 12, "ears": 10}) == ()
    assert decision.answer_text({"eyes": 12}) == "EYE 12, EAR 8"


def test_the_questions_file_lists_scores_with_their_points(barrow: Ruleset) -> None:
    text = questions_file(barrow, 1)
    assert "a score for each, one of 8, 9, 10, 11, 12; 9 points in all" in text
    assert "points for each score: 8 = 0, 9 = 1, 10 = 2, 11 = 4, 12 = 7" in text
    assert "# senses: {eyes: 8, ears: 8}" in text


@given(
    st.dictionaries(st.integers(-3, 20), st.integers(-4, 12), min_size=1, max_size=6),
    st.integers(0, 20),
    st.integers(0, 200),
)
def test_what_chance_buys_is_allowed_and_costs_what_it_says(
    barrow: Ruleset, costs: dict[int, int], points: int, seed: int
) -> None:
    decision = asked(barrow, "senses")
    sums = sorted(a + b for a in costs.values() for b in costs.values())
    points = sums[points % len(sums)]
    update = {"costs": costs, "points": Formula(points)}
    decision = replace(decision, question=decision.question.model_copy(update=update))
    bought = decision.random_answer(RandomAnswers(str(seed)))
    assert decision.rule_violations(bought) == ()
    spent = sum(costs[score] for score in bought.values())
    assert decision.spent(bought) == spent == points
    assert [(m.value, m.op, m.amount) for m in decision.modifiers(bought)] == [
        (name, "set", score) for name, score in bought.items()
    ]
