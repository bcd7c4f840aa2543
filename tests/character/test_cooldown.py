"""Cooldowns set by hand: on, off, and when their action is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from charforge.character.files.events import AnswerEvent, CooldownEvent, Event
from charforge.replay.loaded_character import LoadedCharacter
from charforge.verbs import history
from charforge.verbs.change import commit_change, draft_event, try_change

Dockhand = Callable[..., LoadedCharacter]
WIND = "knacks.second-wind"


def then(opened: LoadedCharacter, kind: type[Event], **fields: Any) -> LoadedCharacter:
    return commit_change(try_change(opened, [draft_event(kind, **fields)]), tolerant=True)


@pytest.fixture
def rested(dockhand: Dockhand) -> LoadedCharacter:
    """A dockhand whose Second Wind has three actions, each with a cooldown."""
    return dockhand(knacks=["knack/second-wind"])


def test_an_action_goes_on_cooldown_and_comes_off(rested: LoadedCharacter) -> None:
    made = then(rested, CooldownEvent, holding=WIND, ability="Roar")
    made = then(made, CooldownEvent, holding=WIND, ability="Whistle")
    made = then(made, CooldownEvent, holding=WIND, ability="Roar")
    assert made.character.state.cooldowns == ((WIND, "Roar"), (WIND, "Whistle"))
    made = then(made, CooldownEvent, holding=WIND, ability="Roar", off=True)
    assert made.character.state.cooldowns == ((WIND, "Whistle"),)
    assert (made.problems, made.character.dormant) == ((), ())
    told = [one.text for one in history.history_entries(made)][-4:]
    assert told == [
        "Second Wind: Roar is on cooldown",
        "Second Wind: Whistle is on cooldown",
        "Second Wind: Roar is on cooldown",
        "Second Wind: Roar is ready again",
    ]


def test_it_sleeps_while_its_action_is_gone(rested: LoadedCharacter) -> None:
    made = then(rested, CooldownEvent, holding=WIND, ability="Roar")
    event = f"event.{made.document.log[-1].n}"
    without = then(made, AnswerEvent, decision="knacks", answer=[])
    assert event in without.character.dormant
    assert without.character.state.cooldowns == ()
    back = then(without, AnswerEvent, decision="knacks", answer=["knack/second-wind"])
    assert back.character.state.cooldowns == ((WIND, "Roar"),)


@pytest.mark.parametrize(
    "fields",
    [
        {"holding": WIND, "ability": "Rore"},
        {"holding": "knacks.first-wind", "ability": "Roar"},
        {"holding": WIND, "ability": "Roar", "unit": "nobody"},
    ],
)
def test_what_is_not_there_has_no_cooldown(rested: LoadedCharacter, fields: dict[str, str]) -> None:
    made = then(rested, CooldownEvent, **fields)
    assert made.character.dormant == (f"event.{made.document.log[-1].n}",)
    assert made.character.state.cooldowns == ()


def test_an_action_without_a_cooldown_is_refused(dockhand: Dockhand) -> None:
    """A kennel's dog bites whenever it likes."""
    opened = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    actions = [
        (holding.id, action.name or action.timing)
        for holding in opened.character.state.holdings
        for action in holding.entity.actions
        if not action.cooldown
    ]
    assert actions
    holding, ability = actions[0]
    unit = opened.character.state.bearer(opened.character.state.holding(holding))
    made = then(opened, CooldownEvent, holding=holding, ability=ability, unit=unit)
    assert [p.code for p in made.character.problems] == ["broken"]
    assert made.character.problems[0].message.endswith("has no cooldown")
