"""Entities that no character can gain, and which requirement prevents it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from charforge.decisions.unreachable import UnreachableEntity, unreachable_entities
from charforge.rules.ruleset import Ruleset

Amended = Callable[..., Ruleset]
ROPE: dict[str, Any] = {"has": "gear/rope"}
HANDS: dict[str, Any] = {"value": {"id": "hands", "at_least": 10}}
EYES: dict[str, Any] = {"value": {"id": "eyes", "at_least": 10}}


def luck(**bounds: int) -> dict[str, Any]:
    return {"value": {"id": "luck", **bounds}}


def answered(name: str, equals: str) -> dict[str, Any]:
    return {"choice": {"id": name, "equals": equals}}


def unreachable(rules: Ruleset) -> list[UnreachableEntity]:
    return list(unreachable_entities(rules))


def test_in_the_toy_nothing_is_unreachable(toy: Ruleset) -> None:
    assert unreachable(toy) == []


NEVER: list[tuple[dict[str, Any], tuple[str | int, ...], str, str]] = [
    (HANDS, (), "Hands is at most 9", ""),
    ({"value": {"id": "max_warmth", "at_most": 4}}, (), "Max warmth is at least 5", ""),
    ({"value": {"id": "hull", "at_least": 1}}, (), "no unit has Hull", ""),
    (luck(at_least=8, at_most=7), (), "no number is at least 8 and at most 7", ""),
    (
        {"all": [ROPE, luck(at_most=7), luck(at_least=8)]},
        ("all", 2),
        "no number is at least 8 and at most 7",
        "",
    ),
    ({"all": [{"not": ROPE}, ROPE]}, ("all", 1), "it both requires and forbids Rope", ""),
    ({"all": [ROPE, HANDS]}, ("all", 1), "Hands is at most 9", ""),
    ({"all": [ROPE, {"any": [HANDS, EYES]}]}, ("all", 1, "any", 0), "Hands is at most 9", ""),
    ({"any": []}, ("any",), "it lists nothing", ""),
    (answered("tresure", "pet/cat"), (), 'there is no choice with the id "tresure"', "treasure"),
    (answered("treasure", "pet/cut"), (), '"pet/cut" is not an option of treasure', "pet/cat"),
    (
        answered("treasure.boat.colour", "greem"),
        (),
        '"greem" is not an option of treasure.boat.colour',
        "green",
    ),
]


@pytest.mark.parametrize(("clause", "key_path", "why", "nearest"), NEVER)
def test_a_clause_that_is_never_met_is_told_with_its_place(
    amended: Amended, clause: Any, key_path: tuple[str | int, ...], why: str, nearest: str
) -> None:
    rules = amended(sea_legs={"requires": clause})
    assert unreachable(rules) == [
        UnreachableEntity(
            "habit/sea-legs",
            ("requires", *key_path),
            f"this can never happen: {why}",
            nearest,
            True,
        )
    ]


@pytest.mark.parametrize(
    "clause",
    [
        {"value": {"id": "hands", "at_least": 9}},
        {"value": {"id": "hands", "at_most": 0}},
        {"value": {"id": "max_warmth", "at_most": 5}},
        {"value": {"id": "oil", "at_least": 1000}},
        luck(at_least=8, at_most=8),
        {"all": [luck(at_least=8), luck(at_most=8)]},
        {"all": [luck(at_least=8), {"value": {"id": "oil", "at_most": 7}}]},
        {"all": [ROPE, {"not": {"has": "gear/oilskin"}}]},
        {"any": [HANDS, ROPE]},
        answered("treasure", "pet/cat"),
        answered("superstition", "anything"),
        answered("keepsakes", "anything"),
        answered("kit.signal-lamp.colour", "red"),
        answered("treasure.boat#2.colour", "green"),
    ],
)
def test_in_doubt_a_clause_can_be_met(amended: Amended, clause: Any) -> None:
    assert unreachable(amended(sea_legs={"requires": clause})) == []


def test_each_requirement_of_an_entity_has_its_own_place(amended: Amended) -> None:
    rules = amended(
        sea_legs={
            "requires": None,
            "actions": [
                {"timing": "watch", "text": "X"},
                {"timing": "watch", "text": "Y", "requires": HANDS},
            ],
            "choices": [
                {"id": "why", "do": "write", "label": "Why?"},
                {
                    "id": "how",
                    "do": "choose",
                    "label": "How?",
                    "options": [
                        {"id": "a", "label": "A"},
                        {"id": "b", "label": "B", "requires": EYES},
                    ],
                },
            ],
        }
    )
    assert [(one.key_path, one.message.rpartition(": ")[2]) for one in unreachable(rules)] == [
        (("actions", 1, "requires"), "Hands is at most 9"),
        (("choices", 1, "options", 1, "requires"), "Eyes is at most 9"),
    ]


def test_what_needs_something_unreachable_is_unreachable_too(amended: Amended) -> None:
    found = unreachable(amended(night_watch={"requires": HANDS}))
    assert [(one.entity, one.message.rpartition(": ")[2]) for one in found] == [
        ("habit/night-watch", "Hands is at most 9"),
        ("habit/night-watch-ii", "no character can have Night Watch"),
    ]
