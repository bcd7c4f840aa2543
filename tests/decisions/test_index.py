"""The index of all decisions that a ruleset can ask."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from charforge.character.files.events import AcquireEvent, AdvanceEvent, AnswerEvent
from charforge.decisions.kinds import may_be_asked, possible_decisions, possible_ids
from charforge.replay.character_spec import growth
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import AnswerSource, Start, replay
from charforge.rules.ruleset import Ruleset
from charforge.verbs.change import commit_change, draft_event, try_change

Dockhand = Callable[..., LoadedCharacter]
Drawing = Callable[[st.DataObject], AnswerSource]


@pytest.fixture(scope="session")
def games(toy: Ruleset, harbour: Ruleset) -> tuple[Ruleset, Ruleset]:
    return toy, harbour


@given(data=st.data())
def test_whatever_is_asked_may_be_asked(
    games: tuple[Ruleset, Ruleset], drawing: Drawing, data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from(games), label="game")
    level = data.draw(st.integers(1, rules.head.advancement.maximum), label="level")
    made = replay(rules, {}, Start("N"), drawing(data), growth(level))
    assert made.legal
    assert [d.id for d in made.asked if not may_be_asked(rules, d.id)] == []


def test_what_creation_and_levels_ask_is_listed_in_order(harbour: Ruleset) -> None:
    top = [one.id for one in possible_decisions(harbour, 2) if not one.option_labels]
    assert top == ["trade", "scores", "knacks", "motto", "level.2.vigour", "level.2.knacks"]
    assert "level.2.vigour" not in possible_ids(harbour, 1)


def test_what_a_choice_brings_says_with_what(harbour: Ruleset) -> None:
    found = {one.id: one.option_labels for one in possible_decisions(harbour, 2)}
    assert found["knacks.kennel.dog"] == ("Kennel",)
    assert found["level.2.knacks.fixed-idea.score"] == ("Fixed Idea",)
    assert found["level.2.dog.vigour"] == ("Terrier",)
    assert found["trade.tender.level.2.fittings"] == ("Pilot",)


def test_what_a_grant_settles_is_not_asked(toy: Ruleset) -> None:
    names = possible_ids(toy, 1)
    assert "treasure.boat.colour" in names
    assert "kit.signal-lamp.colour" not in names


@pytest.mark.parametrize(
    "name",
    [
        "level.4.dog.vigour",
        "level.2.dog#2.vigour",
        "knacks.fixed-idea#3.score",
        "level.3.knacks.kennel.dog",
        "trade.tender.level.4.fittings",
        "event.12.glass",
        "event.12.level.2.fittings",
    ],
)
def test_what_some_character_may_be_asked(harbour: Ruleset, name: str) -> None:
    assert may_be_asked(harbour, name)


@pytest.mark.parametrize(
    "name",
    [
        "zeal",
        "trades",
        "level.5.vigour",
        "level.1.vigour",
        "level.2.cat.vigour",
        "knacks.kennel.cat",
        "knacks.strong-back.dog",
        "trade.tender.level.2.zeal",
        "trade.barge.level.2.fittings",
    ],
)
def test_what_nothing_can_ever_ask(harbour: Ruleset, name: str) -> None:
    assert not may_be_asked(harbour, name)


def test_what_only_waits_is_a_note_and_what_nothing_asks_a_problem(dockhand: Dockhand) -> None:
    kennel = dockhand(2, knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier",
                    level__2__dog__vigour=[3])  # fmt: skip
    alone = commit_change(
        try_change(kennel, [draft_event(AnswerEvent, decision="knacks", answer=[])])
    )
    assert alone.character.dormant == ("knacks.kennel.dog", "level.2.dog.vigour")
    assert (len(alone.notes), alone.problems) == (2, ())
    strange = commit_change(
        try_change(alone, [draft_event(AnswerEvent, decision="knack", answer=[])])
    )
    assert [(p.code, p.message) for p in strange.problems] == [
        ("unknown", "there is no such choice; did you mean knacks?")
    ]


def test_the_level_of_a_unit_that_has_gone_only_waits(dockhand: Dockhand) -> None:
    pilot = dockhand(trade="trade/pilot")
    fittings = "trade.tender.level.2.fittings"
    raised = commit_change(
        try_change(pilot, [draft_event(AdvanceEvent, unit="trade.tender", level=2)], {fittings: []})
    )
    ashore = commit_change(
        try_change(raised, [draft_event(AnswerEvent, decision="trade", answer="trade/stevedore")]),
        tolerant=True,
    )
    assert ashore.character.dormant[0] == fittings
    assert ashore.problems == ()


def test_what_an_event_asks_is_known_only_at_the_event(dockhand: Dockhand) -> None:
    opened = dockhand()
    name = f"event.{len(opened.document.log) + 1}.glass"
    made = commit_change(
        try_change(opened, [draft_event(AcquireEvent, entity="gear/lantern")], {name: "long"})
    )
    assert may_be_asked(opened.ruleset, name)
    assert made.character.state.answers[name] == "long"
