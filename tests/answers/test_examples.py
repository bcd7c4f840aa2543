"""Random answers to open questions come from the pack's examples and do not repeat."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.decisions.choose import MAX_EXAMPLES
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset

NAME = "longest: 40, examples: [Riveting, Bellows]}"
OPEN_NAME = ("things.yaml", NAME, NAME.replace("longest", "unprinted: true, longest"))
REACH = "longest: 20, examples: [2 m]}"
OPEN_REACH = (
    "things.yaml", REACH, "longest: 20, unprinted: true, examples: [2 m, 5 m, 9 m]}"
)  # fmt: skip
LIST = "label: Which skills have you?\n    count: 3\n"
OPEN_LIST = ("ruleset.yaml", LIST, LIST.replace("count: 3", "count: 9\n    unprinted: true"))
Reforged = Callable[..., Ruleset]


def answers(rules: Ruleset, seed: str = "7", **given: object) -> dict[str, object]:
    plan = CharacterSpec(rules, seed, "Ilmar", answers=given)
    return dict(plan.replay(leave_out_optional(RandomAnswers(seed))).state.answers)


def test_the_second_of_a_kind_takes_the_second_example_and_then_a_number(
    reforged: Reforged,
) -> None:
    made = answers(reforged(OPEN_NAME), skills=["skill/own"] * 3, tools=[])
    names = [made[f"skills.own{more}.name"] for more in ("", "#2", "#3")]
    assert names == ["Riveting", "Bellows", "Riveting 2"]


def test_what_is_no_name_begins_anew_without_a_number(reforged: Reforged) -> None:
    made = answers(reforged(OPEN_REACH), skills=[], tools=["tool/own"] * 3)
    assert [made[f"tools.own{more}.reach"] for more in ("", "#2", "#3")] == ["2 m", "5 m", "9 m"]


def test_a_name_that_somebody_gave_is_not_taken_again(reforged: Reforged) -> None:
    given = {"skills": ["skill/own"] * 2, "skills.own.name": "Bellows", "tools": []}
    made = answers(reforged(OPEN_NAME), **given)
    assert made["skills.own#2.name"] == "Riveting"


@pytest.mark.parametrize("seed", [str(n) for n in range(12)])
def test_a_list_that_the_book_leaves_open_is_short(reforged: Reforged, seed: str) -> None:
    made = answers(reforged(OPEN_LIST), seed)
    assert isinstance(made["skills"], list | tuple)
    assert len(made["skills"]) <= MAX_EXAMPLES


def test_a_list_that_the_book_bounds_itself_may_be_full(smithy: Ruleset) -> None:
    lists = [answers(smithy, seed)["skills"] for seed in map(str, range(12))]
    assert max(len(one) for one in lists if isinstance(one, list | tuple)) == 3
