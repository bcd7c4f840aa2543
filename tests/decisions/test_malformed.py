"""Answers of the wrong shape, which no override allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from charforge.decisions.scores import numbers_text
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character

Keeper = Callable[..., Character]
NO_FACES = ["enter one list of dice"]
NO_SCORES = ["enter a whole number for each of Hands, Eyes, Nerve"]


@pytest.fixture
def said(keeper: Keeper) -> Callable[..., list[str]]:
    """Say what is malformed in an answer of the complete keeper, with a steady hand for more."""
    more = {"habits": ["habit/steady-hand"], "habits.steady-hand.knack": "eyes"}

    def said(name: str, answer: Any) -> list[str]:
        decision = keeper(more).decision(name)
        assert decision is not None
        return list(decision.malformed(answer))

    return said


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("post", "post/boatman"),
        ("treasure", "gear/rope"),  # of the rules, though not for this question
        ("superstition", "Never look back"),
        ("keepsakes", ["spyglass"]),  # too few, and closed
        ("habits", ["habit/morse", "habit/morse", "gear/rope"]),
        ("habits.steady-hand.knack", "nerve"),
        ("storm.drop", [8, 8, 8]),
        ("storm.roll", [9, 9]),
        ("storm.roll", []),
        ("knacks", {"hands": 99, "eyes": -1, "nerve": 0}),
        ("savings", 1_000_000),
        ("story", ""),
    ],
)
def test_what_the_rules_forbid_may_be_allowed(
    said: Callable[..., list[str]], name: str, answer: Any
) -> None:
    assert said(name, answer) == []


@pytest.mark.parametrize(
    ("name", "answer", "reasons"),
    [
        ("post", "post/pilot", 1),
        ("post", True, 1),
        ("post", ["post/boatman"], 1),
        ("keepsakes", ["gear/rope"], 1),  # only its own options
        ("habits.steady-hand.knack", "gear/rope", 1),
        ("storm.drop", ["gear/rope", 4, 8], 2),
        ("habits", ["habit/zeal", "habit/morse", 3], 2),
        ("habits", [["habit/morse"], {"habit/morse": 1}, None], 3),
        ("superstition", 3, 1),
    ],
)
def test_what_is_nothing_may_not(
    said: Callable[..., list[str]], name: str, answer: Any, reasons: int
) -> None:
    assert len(said(name, answer)) == reasons


@pytest.mark.parametrize(
    ("name", "answer", "reasons"),
    [
        ("habits", "habit/morse", ["it must be a list"]),
        ("habits", None, ["it must be a list"]),
        ("storm.roll", "18", NO_FACES),
        ("storm.roll", None, NO_FACES),
        ("storm.roll", [1, True], NO_FACES),
        ("storm.roll", [[1], [8]], NO_FACES),
        ("storm.roll", ["1", "8"], NO_FACES),
        ("knacks", {"hands": 1, "eyes": 2}, NO_SCORES),
        ("knacks", {"hands": 1, "eyes": 2, "nerve": 3, "luck": 4}, NO_SCORES),
        ("knacks", {"hands": 1, "eyes": 2, "nerve": "3"}, NO_SCORES),
        ("knacks", {"hands": 1, "eyes": 2, "nerve": True}, NO_SCORES),
        ("knacks", [1, 2, 3], NO_SCORES),
        ("savings", "20", ["enter a whole number"]),
        ("savings", False, ["enter a whole number"]),
        ("story", 3, ["it must be text"]),
        ("story", "a\x1b", ["it contains control characters or invalid characters"]),
    ],
)
def test_an_answer_of_another_sort_says_what_to_give(
    said: Callable[..., list[str]], name: str, answer: Any, reasons: list[str]
) -> None:
    assert said(name, answer) == reasons


def test_an_allotment_may_leave_values_out(smith: Callable[..., LoadedCharacter]) -> None:
    decision = smith().character.decision("abilities")
    assert decision is not None
    assert list(decision.malformed({"brawn": 9})) == []
    for answer in ({"brawn": 1, "zeal": 1}, {"brawn": "1"}, 3):
        assert list(decision.malformed(answer)) == [
            "enter a whole number for each of BRN, WIT, GRC"
        ]


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (range(3), "from 0 to 2"),
        (range(5, 6), "from 5 to 5"),
        (range(0), "a possible number"),
        ((), "a possible number"),
        ((4,), "from 4 to 4"),
        ((4, 6), "one of 4, 6"),
        ((4, 6, 8), "one of 4, 6, 8"),
    ],
)
def test_numbers_are_spelt_as_a_range_or_one_by_one(numbers: Any, said: str) -> None:
    assert numbers_text(numbers) == said
