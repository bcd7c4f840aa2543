"""How often an entity can be taken: once, a number of times, or again and again."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, strategies as st
from rich.console import Console

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import find_unit
from charforge.cli.terminal.rules import show_entity
from charforge.decisions.base import Decision
from charforge.errors import RuleRefusal
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes

Dug = Callable[..., Ruleset]
HARDY = "trick/hardy"
FIVE = ("ruleset.yaml", "count: 2, up_to: true", "count: 5, up_to: true")


def asked(rules: Ruleset) -> Decision:
    decision = CharacterSpec(rules, "7", "Osk").replay().decision("tricks")
    assert decision is not None
    return decision


def test_it_can_be_taken_as_often_as_the_rules_say(dug: Dug) -> None:
    decision = asked(dug(FIVE))
    assert decision.rule_violations([HARDY, HARDY]) == ()
    assert decision.rule_violations([HARDY, HARDY, HARDY]) == (
        "Hardy: already taken 2 times (the maximum)",
    )
    (option,) = decision.options([HARDY, HARDY], HARDY)
    assert option.reasons == ("already taken 2 times (the maximum)",)


def test_awards_count_as_well(barrow: Ruleset) -> None:
    spec = CharacterSpec(barrow, "7", "Osk", answers={"armour": [1], "tricks": [HARDY]})
    loaded = replay_document(create_character(spec, RandomAnswers("7")), barrow)
    loaded = awarded(loaded)
    assert loaded.character.state.number(HARDY) == 2
    with pytest.raises(RuleRefusal, match=r"you already have Hardy 2 times \(the maximum\)"):
        awarded(loaded)


def awarded(loaded: LoadedCharacter) -> LoadedCharacter:
    state = loaded.character.state
    draft = manual_changes.draft_award(
        state, state.ruleset.entity(HARDY), 1, find_unit(state, None)
    )
    return manual_changes.award_entity(loaded, draft).after


@given(st.integers(0, 500), st.integers(2, 5))
def test_chance_never_takes_it_more_often(barrow: Ruleset, seed: int, count: int) -> None:
    decision: Any = asked(barrow)
    picked = decision.of_length(count).random_answer(RandomAnswers(str(seed)))
    assert picked.count(HARDY) <= 2
    assert picked.count("trick/lucky") <= 1


def test_the_catalog_says_how_often(barrow: Ruleset) -> None:
    page = StringIO()
    show_entity(barrow.entity(HARDY), barrow, Console(file=page))
    assert "Repeatable, up to 2 times" in page.getvalue()
