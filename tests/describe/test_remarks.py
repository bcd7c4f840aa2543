"""Remarks on legal characters, and random characters without opposite traits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from charforge.answers.random import RandomAnswers
from charforge.character.holdings import remove_holding
from charforge.character.state import State
from charforge.describe.remarks import remarks
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loader import load

ALL = {
    "money": 200,
    "strengths": ["strength/athletic", "strength/sneaky", "strength/observant"],
    "weaknesses": ["weakness/unfit", "weakness/cold"],
}


KNOWN = {
    "squad-d20": {"squad": ["squad-option/shake-it-off"], "members": ["member/own"]},
    "shields-biotics": {"skills": ["skill/own"]},
    "narrative-dice": {"soak": {"soak_fire": 3}},
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


@pytest.mark.parametrize(
    ("game", "decision", "answer", "expected"),
    [
        (
            "squad-d20",
            "members",
            [],
            "You know squad leadership options, but nobody is in your squad.",
        ),
        ("phase-2d10", "weapons", [], "You have no weapon."),
        ("phase-2d10", "powers", [], "You have psionic points but no psionic power."),
        ("shields-biotics", "skills", [], "You have no Skill."),
        (
            "shields-biotics",
            "shield",
            0,
            "You have no Shield, Barrier or Heavy Armor.",
        ),
        ("narrative-dice", "weapons", [], "You have no weapon."),
        (
            "narrative-dice",
            "vulnerability",
            {"vulnerable_fire": 1},
            "You soak fire damage and are vulnerable to it.",
        ),
    ],
)
def test_fragments_remark_on_what_is_missing(
    game: str, decision: str, answer: Any, expected: str
) -> None:
    ruleset, random = load(game), RandomAnswers("7")
    known: dict[str, Any] = KNOWN.get(game, {})
    before = CharacterSpec(ruleset, "7", "Nix", 1, answers=known).replay(random)
    after = CharacterSpec(ruleset, "7", "Nix", 1, answers={**known, decision: answer})
    assert expected not in remarks(before.state)
    assert expected in remarks(after.replay(random).state)


def test_a_character_of_capital_whose_weapons_are_gone_has_no_weapon() -> None:
    """Every Role brings one, and Unarmed is none."""
    state = CharacterSpec(load("capital"), "3", "Nix", 1).replay(RandomAnswers("3")).state
    assert "You have no weapon." not in remarks(state)
    for holding in state.holdings:
        if "weapon" in holding.entity.tags:
            state = remove_holding(state, holding)
    assert state.has("attack/unarmed")
    assert "You have no weapon." in remarks(state)
