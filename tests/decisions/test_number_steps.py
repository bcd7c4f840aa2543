"""Answers one step from another, of scores and points: all that plain enumeration finds."""

from __future__ import annotations

from itertools import permutations, product
from typing import Any

from hypothesis import given, settings, strategies as st

from charforge.decisions.base import MISSING, ValueMapDecision
from charforge.decisions.scores import AllotDecision, AssignDecision
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset


def asked(rules: Ruleset, name: str, **answers: Any) -> ValueMapDecision:
    """Return a decision of somebody with these answers."""
    found = CharacterSpec(rules, "7", "Ilmar", answers=answers).replay().decision(name)
    assert isinstance(found, ValueMapDecision)
    return found


def test_points_that_are_left_raise_each_value_with_their_cost(barrow: Ruleset) -> None:
    # 9 points: 10 costs 2, 11 costs 4 and 12 costs 7.
    decision = asked(barrow, "senses")
    found = decision.number_steps({"eyes": 11, "ears": 10})
    assert "with 3 of 9 points left" in found.text
    assert [(step.label, step.cost) for step in found.steps] == [
        ("EYE 11 → 12", "3 points"),
        ("EAR 10 → 11", "2 points"),
    ]
    # 1 point left is not enough for 12; 12 and 10 cost all 9.
    found = decision.number_steps({"eyes": 11, "ears": 11})
    assert [(step.label, step.cost) for step in found.steps] == [
        ("EYE 11 → 10, EAR 11 → 12", "1 point"),
        ("EYE 11 → 12, EAR 11 → 10", "1 point"),
    ]


def test_without_points_left_a_value_is_raised_at_the_cost_of_another(smithy: Ruleset) -> None:
    found = asked(smithy, "abilities").number_steps({"brawn": 2, "wits": 1})
    assert found.start == {"brawn": 2, "wits": 1, "grace": 0}
    assert {step.label for step in found.steps} == {
        "BRN 2 → 1, WIT 1 → 2",
        "BRN 2 → 1, GRC 0 → 1",
        "WIT 1 → 0, GRC 0 → 1",
    }
    assert found.text == (
        "Compared: one step more for each value and one less for another, from BRN 2, WIT 1."
    )


@given(st.lists(st.integers(0, 2), min_size=3, max_size=3))
@settings(max_examples=27)
def test_every_whole_answer_one_step_away_is_compared(smithy: Ruleset, numbers: list[int]) -> None:
    """Of all answers, those that differ by 1 from the start: in one value, or in two."""
    decision = asked(smithy, "abilities")
    assert isinstance(decision, AllotDecision)
    names = decision.targets()
    found = decision.number_steps(dict(zip(names, numbers, strict=True)))
    left = 3 - sum(found.start.values())
    expected = [
        answer
        for other in product(range(3), repeat=3)
        for answer in [dict(zip(names, other, strict=True))]
        if sum(abs(answer[name] - found.start[name]) for name in names) == (1 if left else 2)
        if sum(answer.values()) == (sum(found.start.values()) + 1 if left else 3)
        if max(abs(answer[name] - found.start[name]) for name in names) == 1
    ]
    assert sorted(map(repr, expected)) == sorted(repr(step.answer) for step in found.steps)


def test_what_is_not_allowed_is_compared_from_the_suggestion(smithy: Ruleset) -> None:
    decision = asked(smithy, "abilities")
    start = dict.fromkeys(decision.targets(), 0)
    for wrong in (MISSING, {"brawn": 3}, {"brawn": 2, "wits": 2}, [1, 2], {"brawn": "two"}):
        assert decision.number_steps(wrong).start == start


def test_figures_without_points_are_raised_one_by_one(smithy: Ruleset) -> None:
    found = asked(smithy, "embers").number_steps({"max_heat": 4})
    assert [(step.label, step.cost) for step in found.steps] == [("Max heat 4 → 6", "")]


def test_each_swap_of_two_scores_is_compared(capital: Ruleset) -> None:
    rolled = {"attributes.roll": [[1, 2, 3, 3, 4, 4, 5, 6, 6, 5]], "attributes.discard": [1, 6]}
    decision = next(
        d
        for d in CharacterSpec(capital, "7", "Nix", answers=rolled).replay().asked
        if isinstance(d, AssignDecision)
    )
    start = decision.random_answer(None)  # type: ignore[arg-type]
    found = decision.number_steps(MISSING)
    assert found.start == start
    swaps = {
        tuple(answer.items())
        for answer in (step.answer for step in found.steps)
        if not decision.rule_violations(answer)
    }
    assert len(swaps) == len(found.steps)
    names, scores = list(start), list(start.values())
    one_by_one = set()
    for first, second in permutations(range(len(names)), 2):
        other = list(scores)
        other[first], other[second] = other[second], other[first]
        one_by_one.add(tuple(zip(names, other, strict=True)))
    assert swaps == one_by_one - {tuple(start.items())}


def test_a_swap_is_recommended_that_raises_what_matters_most(
    toy: Ruleset, base: dict[str, Any]
) -> None:
    """Of three knacks the first third matters most: to a boatman hands."""
    decision = CharacterSpec(toy, "7", "Ilmar", answers=base).replay().decision("knacks")
    assert isinstance(decision, AssignDecision)
    reason = "Boatman needs this most."
    low = decision.number_steps({"hands": 4, "eyes": 6, "nerve": 6})
    assert {(step.answer["hands"], step.recommended, step.against) for step in low.steps} == {
        (6, reason, "")
    }
    high = decision.number_steps({"hands": 6, "eyes": 6, "nerve": 4})
    assert {(step.answer["hands"], step.recommended, step.against) for step in high.steps} == {
        (4, "", f"Lowers Hands: {reason}"),
        (6, "", ""),
    }


def test_scores_in_the_order_rolled_keep_their_one_swap(barrow: Ruleset) -> None:
    decision = asked(barrow, "abilities", scores=[[1, 2, 3, 4], [6, 6, 6, 1], [2, 2, 2, 2]])
    assert isinstance(decision, AssignDecision)
    rolled, *swapped = decision.arrangements()
    found = decision.number_steps(MISSING)
    assert (found.start, [step.answer for step in found.steps]) == (rolled, swapped)
    back = decision.number_steps(swapped[0])
    assert [step.answer for step in back.steps] == [rolled, *swapped[1:]]
