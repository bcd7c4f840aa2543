"""Remarks on legal characters, and random characters without opposite traits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.holdings import remove_holding
from charforge.character.state import State
from charforge.describe.remarks import FixableRemark, fixable_remarks, remarks
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from tests.samples import law

ALL = {
    "money": 200,
    "strengths": ["strength/athletic", "strength/sneaky", "strength/observant"],
    "weaknesses": ["weakness/unfit", "weakness/cold"],
}


KNOWN: dict[str, dict[str, Any]] = {
    "squad-d20": {
        "tactics": ["tactic/hardiness"],
        "leadership": [],
        "lore": [],
        "squad": ["squad-option/shake-it-off"],
        "members": ["member/own"],
    },
    "phase-2d10": {"armour": ["armour/own"], "powers": ["power/own"], "points": 10},
    "shields-biotics": {"skills": ["skill/own"]},
    "narrative-dice": {
        "soak": {"soak_fire": 3},
        "weapons": ["melee-weapon/own-melee"],
        "skills": ["skill/own"],
    },
}


def opposites(state: State) -> Iterator[tuple[str, str]]:
    for one, other in combinations(state.holdings, 2):
        if one.entity.own.get("opposite") == other.entity.id:
            yield one.entity.id, other.entity.id


@given(st.integers(0, 10_000))
@law()
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
    ("game", "decision", "answer", "expected", "fixed_by"),
    [
        (
            "squad-d20", "members", [],
            "You know squad leadership options, but nobody is in your squad.", "members",
        ),
        (
            "squad-d20", "squad", [],
            "You lead a squad but know no squad leadership options.", "squad",
        ),
        ("squad-d20", "tactics", [], "You know no combat augmentations.", "tactics"),
        (
            "squad-d20", "attributes", {"intelligence": 0},
            "Your Intelligence is 0, so your tactics last 0 rounds.", "attributes",
        ),
        (
            "squad-d20", "attributes", {"willpower": 0},
            "Your Willpower is 0, so your leadership lasts 0 rounds.", "attributes",
        ),
        ("phase-2d10", "weapons", [], "You have no weapon.", "weapons"),
        ("phase-2d10", "powers", [], "You have psionic points but no psionic power.", "powers"),
        (
            "phase-2d10", "points", 0,
            "You have psionic powers but no psionic points to use them.", "points",
        ),
        ("phase-2d10", "armour", [], "You wear no armour.", "armour"),
        (
            "phase-2d10", "armour", ["armour/own"] * 3,
            "You wear 3 layers of armour, but only the two highest count.", "armour",
        ),
        ("shields-biotics", "skills", [], "You have no Skill.", "skills"),
        (
            "shields-biotics", "skills", ["skill/biotic"],
            "You have only one Biotic Attack, so you need an ally's to set off a Biotic Explosion.",
            "skills",
        ),
        (
            "shields-biotics", "shield", 0,
            "You have no Shield, Barrier or Heavy Armor.", "shield",
        ),
        ("narrative-dice", "weapons", [], "You have no weapon.", "weapons"),
        (
            "narrative-dice", "skills", [],
            "You have no skills except Vigilance, Athletics and Acrobatics.", "skills",
        ),
        (
            "narrative-dice", "vulnerability", {"vulnerable_fire": 1},
            "You soak fire damage and are vulnerable to it.", "vulnerability",
        ),
    ],
)  # fmt: skip
def test_fragments_remark_on_what_is_missing(
    game: str, decision: str, answer: Any, expected: str, fixed_by: str
) -> None:
    """Each names the command that changes it: `edit` with the question."""
    ruleset, random = load(game), RandomAnswers("7")
    known: dict[str, Any] = KNOWN[game]
    before = CharacterSpec(ruleset, "7", "Nix", 1, answers=known).replay(random)
    after = CharacterSpec(ruleset, "7", "Nix", 1, answers={**known, decision: answer})
    assert expected not in remarks(before.state)
    assert FixableRemark(expected, "edit", fixed_by) in fixable_remarks(after.replay(random).state)


@pytest.mark.parametrize("game", sorted(KNOWN))
def test_a_complete_character_gets_no_remark(game: str) -> None:
    spec = CharacterSpec(load(game), "7", "Nix", 1, answers=KNOWN[game])
    assert remarks(spec.replay(RandomAnswers("7")).state) == ()


def test_a_character_of_capital_whose_weapons_are_gone_has_no_weapon() -> None:
    """Every Role brings one, and Unarmed is none."""
    state = CharacterSpec(load("capital"), "3", "Nix", 1).replay(RandomAnswers("3")).state
    assert "You have no weapon." not in remarks(state)
    for holding in state.holdings:
        if "weapon" in holding.entity.tags:
            state = remove_holding(state, holding)
    assert state.has("attack/unarmed")
    assert "You have no weapon." in remarks(state)
