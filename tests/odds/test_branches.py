"""Branches of a run: which states the odds may merge, as they have the same odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from charforge.character.state import CHARACTER, State
from charforge.character.state_data import Condition, Conditions, SharedUnit
from charforge.odds import Case, Odds
from charforge.odds.branches import Situations
from charforge.odds.solver import state_key
from charforge.replay.loaded_character import LoadedCharacter

COMPARED = [field.name for field in fields(State) if field.compare]


def changed(state: State, name: str) -> State:
    """Return the state with one field changed."""
    now = getattr(state, name)
    if now is None:
        return replace(state, **{name: SharedUnit("crew", "The Eels", {"heat": 1}, {})})
    if name == "ruleset":
        return replace(state, ruleset=replace(now, hash="another"))
    if isinstance(now, int):
        return replace(state, **{name: now + 1})
    if isinstance(now, Mapping):
        key = ("character", "luck") if name == "resource_changes" else "luck"
        return replace(state, **{name: {**now, key: 99}})
    if isinstance(now, Conditions):
        entity = next(iter(state.ruleset.entities.values()))
        return replace(state, **{name: now.add(Condition(entity, CHARACTER))})
    if isinstance(now, frozenset):
        return replace(state, **{name: now | {"post"}})
    return replace(state, **{name: (*now, *(now[:1] or (("boat", "sail"),)))})


@pytest.mark.parametrize("name", COMPARED)
def test_a_state_with_another_field_is_another_situation(keeper: State, name: str) -> None:
    situations = Situations(keeper, frozenset())
    first = situations.of(keeper, {}, {}, {}, {})
    other = situations.of(changed(keeper, name), {}, {}, {}, {})
    assert other is not first
    assert other is situations.of(changed(keeper, name), {}, {}, {}, {})


def test_an_equal_state_is_the_same_situation(keeper: State) -> None:
    situations = Situations(keeper, frozenset())
    first = situations.of(keeper, {}, {}, {}, {})
    assert situations.of(replace(keeper), {}, {}, {}, {}) is first


# ------------------------------------------------------------------ states with the same key


Smith = Callable[..., LoadedCharacter]
SKILL = "skills.own"


def odds(state: State, procedure: str, inputs: dict[str, Any]) -> object:
    """Return the outcomes of a procedure."""
    case = Case(inputs)
    return Odds(state, state.ruleset.procedure(procedure), [case]).of(case)


@pytest.mark.parametrize(
    ("procedure", "inputs"), [("craft", {"skill": SKILL}), ("teach", {"lesson": SKILL})]
)
@pytest.mark.parametrize(
    ("changes", "may_matter"),
    [
        ({"abilities": {"brawn": 1, "wits": 2}}, True),  # it is with Brawn
        ({"skills__own__rank": 1}, True),
        ({"guard": 5}, False),
        ({"tools__own__damage": 1}, False),
    ],
)
def test_the_number_of_an_item_depends_on_its_choices_and_values(
    smith: Smith, procedure: str, inputs: dict[str, Any], changes: dict[str, Any], may_matter: bool
) -> None:
    rank = {"skills__own__rank": 3}
    states = [smith(**rank).character.state, smith(**{**rank, **changes}).character.state]
    keys = [
        state_key(state, state.ruleset.procedure(procedure), inputs.values()) for state in states
    ]
    assert (keys[0] != keys[1]) is may_matter
    found = [odds(state, procedure, inputs) for state in states]
    assert keys[0] != keys[1] or found[0] == found[1]
    assert found[0] != found[1] or not may_matter or procedure == "teach"  # sure to succeed
