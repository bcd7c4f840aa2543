"""Pools of which only faces are counted: odds follow counts, and equal enumeration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from charforge.character.state import State
from charforge.errors import FormulaError
from charforge.expressions.formula import Formula, counted_faces
from charforge.odds import Case, Odds, Outcome
from charforge.procedures.context import RunSettings
from charforge.procedures.run import run_procedure
from charforge.rules.models import Procedure, Reroll
from tests.odds.enumeration import Enumerated, TooMany
from tests.odds.random_procedures import draw_procedure
from tests.samples import few


def pushed(number: object, *more: Mapping[str, Any], dice: str = "1d6", top: int = 6) -> Procedure:
    """A pool of which the highest faces count, rolled again once if there are too few."""
    push = {"do": "reroll", "id": "pool", "keep": [1, top]}
    return Procedure.model_validate({
        "id": "pool", "label": "Pool", "source": "rule/keeping",
        "inputs": [{"id": "needed", "label": "Needed", "default": 1}],
        "steps": [
            {"do": "roll", "id": "pool", "dice": dice, "times": number},
            {**push, "when": f"count(pool_dice, {top}) < needed"},
            {"do": "let", "id": "sixes", "to": f"count(pool_dice, {top})"},
            {"do": "let", "id": "price", "to": "count(pool_dice, 1)"},
            *more,
        ],
        "outputs": [{"id": "sixes", "label": "Sixes"}, {"id": "price", "label": "Price"}],
    })  # fmt: skip


HIGHEST = {"do": "reroll", "id": "pool", "which": "highest"}


def odds(keeper: State, procedure: Procedure, **inputs: int) -> tuple[Outcome, ...]:
    ruleset = replace(keeper.ruleset, procedures={procedure.id: procedure})
    case = Case(inputs)
    return Odds(replace(keeper, ruleset=ruleset), procedure, [case]).of(case)


def test_twenty_dice_with_a_push(keeper: State) -> None:
    """A die ends as a 6 with 1/6, or with 1/6 after 4 of 6 faces if all are pushed."""
    sixes, price = odds(keeper, pushed(20), needed=21)
    six = Fraction(1, 6) + Fraction(4, 6) * Fraction(1, 6)
    expected = {n: comb(20, n) * six**n * (1 - six) ** (20 - n) for n in range(21)}
    assert sixes.chances.by_value == expected
    assert price.chances.mean == 20 * six


def test_a_sum_that_is_read_is_not_lost(keeper: State) -> None:
    """With the sum of the dice among what is read, each roll counts by itself again."""
    more = {"do": "let", "id": "sixes", "to": "sixes + pool"}
    [sixes, _price] = odds(keeper, pushed(1, more), needed=0)
    assert sixes.chances.by_value == {n: Fraction(1, 6) for n in (1, 2, 3, 4, 5, 7)}


@given(
    number=st.integers(1, 3),
    needed=st.integers(0, 3),
    more=st.sampled_from([
        (),
        ({"do": "reroll", "id": "pool", "which": "all", "when": "price > 1"},),
        (HIGHEST, {"do": "let", "id": "sixes", "to": "count(pool_dice, 1, 2)"}),
        ({"do": "let", "id": "sixes", "to": "length(pool_dice) - count(pool_dice, 2)"},),
        ({"do": "let", "id": "sixes", "to": "max(pool_dice) + count(pool_dice, 2, 3)"},),
        ({"do": "let", "id": "sixes", "to": "min(pool_dice)", "when": "price == 0"},),
        ({"do": "let", "id": "price", "to": "pool", "when": "sixes"},),
        ({"do": "require", "that": "price < 9", "say": "{count(pool_dice, 2)}"},),
    ]),
)  # fmt: skip
def test_counts_equal_enumeration(
    keeper: State, number: int, needed: int, more: tuple[Mapping[str, Any], ...]
) -> None:
    """Whatever else reads the dice: their sum, the highest, other faces, another reroll."""
    procedure = pushed(number, *more, dice="1d3", top=3)
    ruleset = replace(keeper.ruleset, procedures={procedure.id: procedure})
    plain = Enumerated(replace(keeper, ruleset=ruleset), procedure, {"needed": needed}, most=10**6)
    found = plain.all()
    for at, outcome in enumerate(odds(keeper, procedure, needed=needed)):
        assert outcome.chances.by_value == plain.marginal(found, at)


@pytest.mark.parametrize(
    ("formula", "sets"),
    [
        ("count(x, 6) + count(x, 1, 2)", {frozenset({6}), frozenset({1, 2})}),
        ("length(x) - count(x, -1)", {frozenset({-1})}),
        ("y + 1", set()),
        ("count(x, y)", None),
        ("max(x)", None),
        ("nth(x, 1) + count(x, 6)", None),
        ("count(y, x)", None),
    ],
)
def test_what_a_formula_counts(formula: str, sets: set[frozenset[int]] | None) -> None:
    assert counted_faces(Formula(formula), "x") == sets


def test_the_dice_that_stay_when_a_pool_is_pushed(keeper: State) -> None:
    """Sixes and ones stay; the others are rolled again, and only they can be typed."""
    rolls = {"pool": [[6, 3, 1, 5], [6, 2]]}
    result = run_procedure(
        keeper,
        pushed(4),
        {"needed": 4},
        RunSettings(lambda name, _dice, _label: rolls[name].pop(0)),
    )
    assert result.outputs == {"sixes": 2, "price": 1}
    assert result.steps[1].text == "rerolled: 6 3 1 5 → 6 6 1 2"


def test_dice_to_reroll_are_selected_in_one_way() -> None:
    with pytest.raises(ValidationError, match="set 'which' or 'keep', not both"):
        Reroll.model_validate({"do": "reroll", "id": "pool", "which": "all", "keep": [6]})


def test_the_dice_of_an_amount_alone_are_doubled(keeper: State) -> None:
    """A critical rolls the dice twice and adds the formula once: 2d6 + 3."""
    critical = Procedure.model_validate({
        "id": "critical", "label": "Critical", "source": "rule/keeping",
        "inputs": [{"id": "damage", "label": "Damage", "type": "amount"}],
        "steps": [{"do": "roll", "id": "dealt", "figure": "damage", "times": 2}],
        "outputs": [{"id": "dealt", "label": "Dealt"}],
    })  # fmt: skip
    result = run_procedure(keeper, critical, {"damage": "1d6 + 3"}, RunSettings(lambda *_: [4, 5]))
    assert result.outputs == {"dealt": 4 + 5 + 3}
    ruleset = replace(keeper.ruleset, procedures={"critical": critical})
    case = Case({"damage": "1d6 + 3"})
    [dealt] = Odds(replace(keeper, ruleset=ruleset), critical, [case]).of(case)
    assert dealt.chances.mean == 7 + 3


# ------------------------------------------------------------------ enumeration


CASES = 260


@pytest.mark.parametrize("part", few(range(10), 1, slow=5))
@pytest.mark.parametrize("chosen", [False, True], ids=["as suggested", "at best"])
def test_random_procedures(keeper, part, chosen):
    """Dice of every kind, pools, rerolls, loops, calls, stops, choices, resources that run out."""
    agreed, seed = 0, part * 100_000
    while agreed < CASES // 20:
        seed += 1
        ruleset, procedure = draw_procedure(keeper.ruleset, seed)
        state = replace(keeper, ruleset=ruleset)
        best = procedure.outputs[0].id if chosen else None
        plain = Enumerated(state, procedure, {"told": 2}, best, most=400)
        try:
            found = plain.all()
        except (TooMany, FormulaError):
            continue
        outcomes = Odds(state, procedure, [Case({"told": 2})], best=best).of(Case({"told": 2}))
        for at, outcome in enumerate(outcomes):
            if chosen and at:
                continue  # of equally good ways either may be taken
            expected = plain.marginal(found, at)
            assert outcome.chances.nothing == expected.pop(None, 0), seed
            assert outcome.chances.by_value == expected, seed
        agreed += len(found) > 1
