"""Limits: what exceeds them is refused with its reason, allowed on record, and reported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import AcquireEvent, Override
from charforge.character.gear import exceeded_limits, newly_exceeded
from charforge.character.state import find_unit
from charforge.errors import RuleRefusal
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.edit import draft_answer, find_decision, try_edit
from charforge.verbs import inventory, manual_changes
from charforge.verbs.change import commit_change
from tests.samples import law

LADDER = "You carry {}; your pockets hold 4."
GM = Override(by="GM", reason="A cart helps.")


@pytest.fixture
def digger(barrow: Ruleset) -> LoadedCharacter:
    """A digger with a brigandine (bulk 2) and 20 coins; four pockets."""
    answers: dict[str, Any] = {
        "scores": [[3, 3, 3, 3]] * 3,
        "abilities": {"might": 9, "craft": 9, "nerve": 9},
        "senses": {"eyes": 12, "ears": 10},
        "studies": [[9, 9], [9, 9]],
        "armour": [15],
        "armour.brigandine.dent": "",
        "find": [1],
        "calling": "gold",
        "charm": "charm/ring",
        "tricks": [],
    }
    spec = CharacterSpec(barrow, "7", "Osk", answers=answers)
    return replay_document(create_character(spec), barrow)


def bought(loaded: LoadedCharacter, name: str, **more: Any) -> LoadedCharacter:
    return inventory.buy_item(loaded, inventory.read_purchase(loaded, name, **more)).after


def awarded(loaded: LoadedCharacter, name: str, override: Override | None = None) -> Any:
    state = loaded.character.state
    unit = find_unit(state, None)
    entity = manual_changes.find_award(state, name, unit)
    assert not isinstance(entity, str)
    draft = manual_changes.draft_award(state, entity, 1, unit, override=override)
    return manual_changes.award_entity(loaded, draft).after


def test_a_purchase_or_gift_up_to_the_limit_is_fine(digger: LoadedCharacter) -> None:
    full = awarded(bought(digger, "rope"), "rope")
    assert full.character.state.values().total("load") == 4
    assert not full.problems


def test_more_than_the_limit_is_refused_with_the_reason(digger: LoadedCharacter) -> None:
    for refused in (
        lambda: bought(digger, "ladder"),
        lambda: bought(digger, "rope", quantity=3),
        lambda: awarded(digger, "ladder"),
    ):
        with pytest.raises(RuleRefusal, match="You carry 5; your pockets hold 4") as caught:
            refused()
        assert "--override" in caught.value.advice


def test_what_weighs_nothing_is_never_refused(digger: LoadedCharacter) -> None:
    over = awarded(digger, "ladder", GM)
    assert bought(over, "needle").character.state.number("gear/needle") == 1


def test_the_gm_can_allow_it_and_only_so_much(digger: LoadedCharacter) -> None:
    for over in (awarded(digger, "ladder", GM), bought(digger, "ladder", override=GM)):
        assert not over.problems
        assert over.notes == (f"Ladder: {LADDER.format(5)} (allowed by GM: A cart helps.)",)
        assert over.document.log[-1].override == GM
        with pytest.raises(RuleRefusal, match="You carry 6"):
            bought(over, "rope")


def test_a_gift_within_the_limit_needs_no_permission(digger: LoadedCharacter) -> None:
    assert awarded(digger, "rope", GM).notes == ()


def test_a_file_that_exceeds_a_limit_replays_and_is_reported(digger: LoadedCharacter) -> None:
    log = digger.document.log
    event = AcquireEvent(n=len(log) + 1, group=2, entity="gear/ladder", price=None)
    document = digger.document.model_copy(update={"log": (*log, event)})
    loaded = replay_document(document, digger.ruleset)
    assert loaded.character.state.number("gear/ladder") == 1
    assert [(p.code, p.message) for p in loaded.problems] == [("limit", LADDER.format(5))]
    dropped = inventory.drop_item(loaded, "brigandine").after  # less is never refused
    assert not dropped.problems


def test_the_reason_is_known_before_something_is_bought(digger: LoadedCharacter) -> None:
    state, entity = digger.character.state, digger.ruleset.entity
    assert inventory.limit_reason(state, entity("gear/ladder")) == LADDER.format(5)
    assert inventory.limit_reason(state, entity("gear/rope")) == ""


def test_a_choice_closes_what_would_be_too_much(dug: Callable[..., Ruleset]) -> None:
    among = ("ruleset.yaml", "true, among: {kind: trick}", "true, among: {kind: [trick, gear]}")
    made = CharacterSpec(dug(among), "7", "Osk", answers={"armour": [15]}).replay()
    decision = made.decision("tricks")
    assert decision is not None
    reasons = {option.id: option.reasons for option in decision.options()}
    assert reasons["gear/ladder"] == (LADDER.format(5),)
    assert reasons["gear/rope"] == ()
    assert decision.rule_violations(["gear/rope", "gear/ladder"]) != ()


def test_the_gm_can_allow_a_choice_beyond_the_limit(
    dug: Callable[..., Ruleset], digger: LoadedCharacter
) -> None:
    among = ("ruleset.yaml", "true, among: {kind: trick}", "true, among: {kind: [trick, gear]}")
    loaded = replay_document(digger.document, dug(among))
    draft = draft_answer(loaded, find_decision(loaded, "tricks"), ["gear/ladder"], override=GM)
    allowed = commit_change(try_edit(loaded, [draft]))
    assert allowed.character.state.number("gear/ladder") == 1
    assert not allowed.problems
    assert any("allowed by GM: A cart helps." in note for note in allowed.notes)


@law(few=10)
@given(st.lists(st.sampled_from(["rope", "ladder", "needle"]), max_size=6))
def test_no_purchase_ever_exceeds_a_limit(barrow: Ruleset, names: list[str]) -> None:
    spec = CharacterSpec(barrow, "7", "Osk", answers={"armour": [1]})
    loaded = replay_document(create_character(spec, RandomAnswers("7")), barrow)
    for name in names:
        before = loaded.character.state
        with suppress(RuleRefusal):
            loaded = bought(loaded, name)
        after = loaded.character.state
        assert not list(exceeded_limits(after))
        assert not list(newly_exceeded(before, after))
