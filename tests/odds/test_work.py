"""Procedures with too many branches are refused with a message."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from charforge.character.state import State
from charforge.errors import UsageError
from charforge.odds import Case, Odds, solver
from charforge.rules.models import Procedure

BASE = {"label": "Procedure", "source": "rule/rounding"}
TOO_MUCH = "Procedure has too many steps and results to calculate odds"


def again(times: int) -> dict[str, Any]:
    """Return how often a step is repeated."""
    return {"while": "1 == 1", "at_most": times}


def odds(keeper: State, inner: list[dict[str, Any]], times: int) -> Odds:
    """Return the odds of a procedure that runs another again and again, with ``n`` in and out."""
    call = {
        "do": "call", "procedure": "inner", "with": {"a": "n"}, "take": {"n": "m"},
        "repeat": again(times),
    }  # fmt: skip
    procedures = {
        "inner": {"inputs": [{"id": "a", "label": "A", "type": "number"}], "steps": inner},
        "outer": {
            "outputs": [{"id": "n", "label": "N"}],
            "steps": [{"do": "let", "id": "n", "to": "0"}, call],
        },
    }
    made = {
        name: Procedure.model_validate({"id": name, **BASE, **one})
        for name, one in procedures.items()
    }
    state = replace(keeper, ruleset=replace(keeper.ruleset, procedures=made))
    return Odds(state, made["outer"], [Case({})])


COIN = {"do": "roll", "id": "coin", "dice": "1d2"}
STEPS = [
    {"do": "let", "id": "m", "to": "a"},
    {"do": "let", "id": "m", "to": "m + 1", "repeat": again(1000)},
]
WALK = [COIN, {"do": "let", "id": "m", "to": "a + coin"}]
SPREAD = [COIN, {"do": "let", "id": "m", "to": "3 * a + coin"}]


@pytest.mark.parametrize(
    ("inner", "times"), [(STEPS, 100), (WALK, 60), (SPREAD, 9)], ids=["steps", "walk", "spread"]
)
def test_work_is_bounded_whatever_the_number_of_branches(
    keeper: State, monkeypatch: pytest.MonkeyPatch, inner: list[dict[str, Any]], times: int
) -> None:
    """The result is the same below the bound; above, a sentence says what to do."""
    found = odds(keeper, inner, 2)
    [whole] = found.of(Case({}))
    monkeypatch.setattr(solver, "MOST_WORK", 10_000)
    [again] = odds(keeper, inner, 2).of(Case({}))
    assert again == whole
    with pytest.raises(UsageError, match=TOO_MUCH) as caught:
        odds(keeper, inner, times).of(Case({}))
    assert "--set" in caught.value.advice


def test_each_case_has_the_whole_bound(keeper: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "MOST_WORK", 5_000)
    found = odds(keeper, WALK, 10)
    first = found.of(Case({}))
    assert all(found.of(Case({})) == first for _case in range(10))


HALVES = [  # 100 results for each pair of dice, of which only whether the first is higher matters
    {"do": "roll", "id": "one", "dice": "1d10"},
    {"do": "roll", "id": "two", "dice": "1d10"},
    {"do": "let", "id": "m", "to": "a + (one > two)"},
    {"do": "let", "id": "spare", "to": "m", "repeat": again(50)},
]


def test_runs_that_agree_after_a_roll_was_read_are_followed_once(
    keeper: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some 200 runs of 50 steps are 2: with 3 units a step far below 100 runs of them."""
    monkeypatch.setattr(solver, "MOST_WORK", 50 * 100 * solver.STEP_WORK)
    [higher] = odds(keeper, HALVES, 1).of(Case({}))
    assert higher.chances.mean == Fraction(45, 100)
