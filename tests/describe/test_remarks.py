"""Remarks on legal characters, and random characters without opposite traits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from hypothesis import given, settings, strategies as st

from charforge.answers.random import RandomAnswers
from charforge.character.state import State
from charforge.describe.remarks import remarks
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loader import load

ALL = {
    "money": 200,
    "strengths": ["strength/athletic", "strength/sneaky", "strength/observant"],
    "weaknesses": ["weakness/unfit", "weakness/cold"],
}


def opposites(state: State) -> Iterator[tuple[str, str]]:
    for one, other in combinations(state.holdings, 2):
        if one.entity.own.get("opposite") == other.entity.id:
            yield one.entity.id, other.entity.id


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_a_random_character_has_no_opposite_traits(seed: int) -> None:
    spec = CharacterSpec(load("capital"), str(seed), "Nix", 1)
    assert list(opposites(spec.replay(RandomAnswers(str(seed))).state)) == []


def test_opposites_are_remarked_on() -> None:
    spec = CharacterSpec(load("capital"), "7", "Nix", 1, answers=ALL)
    character = spec.replay(RandomAnswers("7"))
    assert list(opposites(character.state)) == [("strength/athletic", "weakness/unfit")]
    assert remarks(character.state) == (
        "Athletic and Unfit: These are opposites.",
        "Unspent money: 200 mC.",
    )
