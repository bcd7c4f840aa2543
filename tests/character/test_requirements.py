"""Unmet requirements: each clause has a reason if it is not met, and none if it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.requirements import Applicant, is_met, requirement_text, unmet_requirements
from charforge.character.state import CHARACTER, State
from charforge.replay.replay import replay
from charforge.rules.models import Requirement
from charforge.rules.ruleset import Ruleset
from tests.samples import law

BOAT = "treasure.boat"
TRUE = {"has": "post/boatman"}
FALSE = {"has": "post/head-keeper"}


def clause(tree: dict[str, Any]) -> Requirement:
    return Requirement.model_validate(tree)


@pytest.fixture
def state(legal_keeper: Callable[..., State]) -> State:
    """A boatman with a dinghy and the lamp in hand, eyes 7 (6 in the mist), luck 11."""
    return replace(legal_keeper(), in_hand={"kit.signal-lamp": 1})


@pytest.mark.parametrize(
    "tree",
    [
        {"has": "post/boatman"},
        {"has": "gear/rope"},
        {"has": {"kind": "boat"}},
        {"has": {"kind": "gear", "where": "weight == 2"}},
        {"has": {"tags": {"all": ["shore"]}}},
        {"value": {"id": "eyes", "at_least": 7}},
        {"value": {"id": "eyes", "at_most": 7}},
        {"value": {"id": "eyes", "at_least": 7, "at_most": 7}},
        {"trained": {"kind": "gear", "tags": {"all": ["signal"]}}},
        {"choice": {"id": "superstition", "equals": "charm/whistling"}},
        {"choice": {"id": "kit.signal-lamp.colour", "equals": "red"}},
        {"all": [TRUE, TRUE]},
        {"any": [FALSE, TRUE]},
        {"not": FALSE},
        {"all": []},
    ],
    ids=str,
)
def test_a_clause_that_is_met_says_nothing(state: State, tree: dict[str, Any]) -> None:
    assert unmet_requirements(clause(tree), Applicant(state)) == ()


@pytest.mark.parametrize(
    ("tree", "reasons"),
    [
        (FALSE, ["requires Head Keeper"]),
        ({"has": {"kind": "pet"}}, ["requires a Pet"]),
        (
            {"has": {"kind": "post", "tags": {"all": ["tower"]}}},
            ["requires Head Keeper or Lamplighter"],
        ),
        ({"value": {"id": "eyes", "at_least": 8}}, ["requires Eyes 8 or more (you have 7)"]),
        ({"value": {"id": "luck", "at_most": 8}}, ["requires Luck 8 or less (you have 11)"]),
        ({"all": [FALSE, TRUE, FALSE]}, ["requires Head Keeper", "requires Head Keeper"]),
        ({"any": [FALSE, {"has": "pet/cat"}]}, ["requires Head Keeper or Cat"]),
        ({"not": TRUE}, ["requires not Boatman"]),
        (
            {"all": [{"any": [FALSE, {"all": [TRUE, {"has": "pet/cat"}]}]}, FALSE]},
            ["requires Head Keeper or Boatman and Cat", "requires Head Keeper"],
        ),
    ],
    ids=str,
)
def test_a_clause_that_is_not_met_says_itself(
    state: State, tree: dict[str, Any], reasons: list[str]
) -> None:
    assert list(unmet_requirements(clause(tree), Applicant(state))) == reasons


def test_no_clause_at_all_is_met(state: State) -> None:
    assert unmet_requirements(None, Applicant(state)) == ()


def test_a_bound_reads_the_lasting_figure(state: State) -> None:
    assert (state.values().base("eyes"), state.values().total("eyes")) == (7, 6)
    assert is_met(clause({"value": {"id": "eyes", "at_least": 7}}), Applicant(state))


def test_training_with_oneself_is_what_some_training_covers(toy: Ruleset, state: State) -> None:
    own = clause({"trained": "self"})
    assert is_met(own, Applicant(state, CHARACTER, toy.entity("gear/flags")))
    assert unmet_requirements(own, Applicant(state, CHARACTER, toy.entity("gear/anchor"))) == (
        "requires Training",
    )


def test_what_trains_its_own_bearer_needs_no_training(toy: Ruleset, state: State) -> None:
    assert is_met(
        clause({"trained": "self"}), Applicant(state, CHARACTER, toy.entity("gear/boathook"))
    )


def test_without_the_training_the_thing_is_closed(
    toy: Ruleset, legal_keeper: Callable[..., State]
) -> None:
    untrained = legal_keeper({"post": "post/head-keeper"})
    assert unmet_requirements(
        clause({"trained": {"kind": "gear", "tags": {"all": ["signal"]}}}), Applicant(untrained)
    ) == ("requires Training with Signal Lamp or Signal Flags",)


def test_a_choice_of_the_one_who_asks_goes_before_any_other(state: State) -> None:
    red = clause({"choice": {"id": "colour", "equals": "red"}})
    assert is_met(red, Applicant(state, holding="kit.signal-lamp"))
    assert not is_met(red, Applicant(state))


def test_a_requirement_of_a_boat_may_name_its_keepers_value(state: State) -> None:
    brave = clause({"value": {"id": "nerve", "at_least": 4}})
    assert is_met(brave, Applicant(state, BOAT))
    braver = clause({"value": {"id": "nerve", "at_least": 5}})
    assert unmet_requirements(braver, Applicant(state, BOAT)) == (
        "requires Nerve 5 or more (you have 4)",
    )


def test_an_alias_may_be_required_like_its_target(legal_keeper: Callable[..., State]) -> None:
    dressed = legal_keeper({"locker": ["gear/oilskin"]})
    assert is_met(clause({"has": "gear/oilskin"}), Applicant(dressed))
    assert is_met(clause({"has": "gear/sou-wester"}), Applicant(dressed))


def test_a_required_choice_is_named_by_its_labels(state: State) -> None:
    (reason,) = unmet_requirements(
        clause({"choice": {"id": "superstition", "equals": "charm/thirteenth-step"}}),
        Applicant(state),
    )
    assert "Tread on the thirteenth step" in reason
    assert "charm/" not in reason


def test_a_query_for_heavy_things_says_more_than_their_kind(state: State) -> None:
    (reason,) = unmet_requirements(
        clause({"has": {"kind": "gear", "where": "weight >= 4"}}), Applicant(state)
    )
    assert "Boathook" in reason
    assert "Anchor" in reason


def test_a_query_for_other_things_says_more_than_their_kind(state: State) -> None:
    (reason,) = unmet_requirements(
        clause({"has": {"kind": "post", "tags": {"none": ["shore"]}}}), Applicant(state)
    )
    assert "Head Keeper" in reason
    assert "Boatman" not in reason


# ---------------------------------------------------------------- laws over any tree

LEAVES = st.sampled_from(
    [
        {"has": "post/boatman"},
        {"has": "post/head-keeper"},
        {"has": "pet/cat"},
        {"has": {"kind": "boat"}},
        {"wears": "gear/rope"},
        {"value": {"id": "eyes", "at_least": 7}},
        {"value": {"id": "luck", "at_most": 3}},
        {"trained": {"kind": "gear", "tags": {"all": ["signal"]}}},
        {"choice": {"id": "keepsakes", "equals": "bell"}},
    ]
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"all": parts}),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"any": parts}),
        inner.map(lambda part: {"not": part}),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def present(toy: Ruleset) -> State:
    fixed = {"post": "post/boatman", "treasure": "boat/skiff"}
    return replay(toy, fixed, source=RandomAnswers("present")).state


@given(tree=TREES)
def test_met_and_unmet_never_disagree(present: State, tree: dict[str, Any]) -> None:
    asker = Applicant(present)
    assert is_met(clause(tree), asker) == (unmet_requirements(clause(tree), asker) == ())


@law(few=10)
@given(tree=TREES)
def test_every_reason_is_words_and_no_blank(present: State, tree: dict[str, Any]) -> None:
    for reason in unmet_requirements(clause(tree), Applicant(present)):
        assert re.fullmatch(r"requires \S.*\S", reason)


@given(tree=TREES)
def test_not_turns_a_clause_round(present: State, tree: dict[str, Any]) -> None:
    asker = Applicant(present)
    assert is_met(clause({"not": tree}), asker) is not is_met(clause(tree), asker)
    assert is_met(clause({"not": {"not": tree}}), asker) is is_met(clause(tree), asker)


@given(parts=st.lists(TREES, min_size=1, max_size=4), data=st.data())
def test_the_order_of_clauses_never_matters(
    present: State, parts: list[dict[str, Any]], data: st.DataObject
) -> None:
    asker = Applicant(present)
    shuffled = data.draw(st.permutations(parts))
    for word in ("all", "any"):
        assert is_met(clause({word: parts}), asker) == is_met(clause({word: shuffled}), asker)
    assert sorted(unmet_requirements(clause({"all": parts}), asker)) == sorted(
        unmet_requirements(clause({"all": shuffled}), asker)
    )


@given(tree=TREES)
def test_what_is_said_does_not_depend_on_who_is_asked(toy: Ruleset, tree: dict[str, Any]) -> None:
    assert requirement_text(clause(tree), toy)
