"""Calls for each value of a group, and inputs that offer several groups."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from charforge.character.state import State
from charforge.odds import Case, Odds
from charforge.procedures.context import RunSettings
from charforge.procedures.run import run_procedure
from charforge.rules.checks.references import Linter
from charforge.rules.models import Call, Procedure
from charforge.rules.ruleset import Ruleset
from tests.odds.enumeration import Enumerated

BASE = {"label": "Practice", "source": "rule/keeping"}
LEARN = {
    "id": "learn", **BASE,
    "inputs": [
        {"id": "what", "label": "What?", "type": "value", "group": ["knacks"]},
        {"id": "more", "label": "More", "default": 0},
    ],
    "steps": [
        {"do": "look_up", "id": "known", "value": "$what"},
        {"do": "roll", "id": "die", "dice": "1d3"},
        {"do": "let", "id": "gained", "to": "(die + known) % 2 + more"},
    ],
    "outputs": [{"id": "gained", "label": "Gained"}],
}  # fmt: skip
EACH = {
    "do": "call", "procedure": "learn", "for_each": {"what": "knacks"},
    "take": {"gained": "gained"},
}  # fmt: skip


def practice(keeper: State, *steps: dict[str, Any]) -> tuple[State, Procedure]:
    """A procedure that calls ``learn``, in the state of a ruleset that has both."""
    outer = {"id": "all", **BASE, "steps": steps, "outputs": [{"id": "gained", "label": "Gained"}]}
    made = {one["id"]: Procedure.model_validate(one) for one in (LEARN, outer)}
    return replace(keeper, ruleset=replace(keeper.ruleset, procedures=made)), made["all"]


@pytest.mark.parametrize(
    "steps",
    [
        (EACH,),
        ({"do": "let", "id": "gained", "to": "5"}, EACH),
        ({"do": "roll", "id": "coin", "dice": "1d2"}, {**EACH, "when": "coin == 1"}),
        (EACH, {"do": "let", "id": "gained", "to": "gained * 10"}),
        ({"do": "roll", "id": "coin", "dice": "1d2"}, {**EACH, "with": {"more": "coin"}}),
    ],
)
def test_odds_of_each_value_equal_enumeration(keeper, steps):
    state, procedure = practice(keeper, *steps)
    plain = Enumerated(state, procedure, {}, most=10**5)
    expected = plain.marginal(plain.all(), 0)
    [outcome] = Odds(state, procedure, [Case({})]).of(Case({}))
    assert outcome.chances.nothing == expected.pop(None, 0)
    assert outcome.chances.by_value == expected


def test_each_value_runs_once_and_the_results_are_added(keeper):
    state, procedure = practice(keeper, EACH)
    asked = []

    def roll(name, _dice, _label):
        asked.append(name)
        return [1]

    result = run_procedure(state, procedure, {}, RunSettings(roll))
    group = state.ruleset.group("knacks")
    assert len(asked) == len(group) > 1
    expected = sum((1 + state.values().total(name)) % 2 for name in group)
    assert result.outputs == {"gained": expected}


def test_an_input_offers_several_groups(toy: Ruleset):
    groups = [*dict.fromkeys(value.group for value in toy.head.values if value.group)]
    values = toy.grouped(groups)
    assert set(values) == {value.id for value in toy.head.values if value.group}


@pytest.mark.parametrize(
    "more", [{"repeat": {"while": "1", "at_most": 2}}, {"with": {"what": "wit"}}]
)
def test_a_call_for_each_is_not_repeated(more):
    with pytest.raises(ValidationError, match="'for_each' goes with neither"):
        Call.model_validate({**EACH, **more})


@pytest.mark.parametrize(
    ("each", "message"),
    [
        ({"more": "knacks"}, "more must be an input of the type value"),
        ({"whom": "knacks"}, "there is no input of learn whom"),
        ({"what": "knack"}, "there is no group knack"),
    ],
)
def test_what_runs_for_each_value_is_checked(keeper, each, message):
    state, procedure = practice(keeper, {**EACH, "for_each": each})
    found = [problem.message for problem in Linter(state.ruleset).check(procedure)]
    assert any(text.replace('"', "").startswith(message) for text in found), found
