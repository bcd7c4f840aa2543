"""Branches of a run: which states the odds may merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import pytest

from charforge.character.state import CHARACTER, State
from charforge.character.state_data import Condition, Conditions, SharedUnit
from charforge.odds.branches import Situations

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
