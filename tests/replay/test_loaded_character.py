"""Loaded characters: packs that do not fit, answers without effect, what the group owns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charforge.character.files.document import Document, Pin
from charforge.character.files.events import (
    AnswerEvent,
    AnyEvent,
    NoteEvent,
    SetEvent,
    SharedReading,
)
from charforge.errors import MissingPack, UsageError
from charforge.replay.character_spec import CharacterSpec, UnitSpec
from charforge.replay.loaded_character import LoadedCharacter, load_rules, replay_document
from charforge.rules.ruleset import Ruleset

Dockhand = Callable[..., LoadedCharacter]
TIDE = Pin(id="tide", version="1.2", hash="0")


def problems(opened: LoadedCharacter) -> list[tuple[str, str, str]]:
    return [(problem.code, problem.decision, problem.message) for problem in opened.problems]


def with_event(document: Document, kind: type[AnyEvent], **fields: object) -> Document:
    """Return a document with one more event."""
    event = kind(n=len(document.log) + 1, group=document.group + 1, **fields)
    return document.model_copy(update={"log": (*document.log, event)})


def test_packs_that_are_not_those_of_the_last_update_are_a_problem(dockhand: Dockhand) -> None:
    opened = dockhand()
    (own,) = opened.document.packs
    older = own.model_copy(update={"version": "0.0.9"})
    for packs, expected in (
        ((own,), []),
        ((older,), [("pin", "", "the pack versions do not match the history")]),
    ):
        updated = with_event(opened.document, SetEvent, packs=packs, former=(older,))
        assert problems(replay_document(updated, opened.ruleset)) == expected


def test_every_pack_that_is_not_installed_is_named(dockhand: Dockhand) -> None:
    document = dockhand().document
    with_tide = document.model_copy(update={"packs": (*document.packs, TIDE)})
    with pytest.raises(MissingPack) as refused:
        load_rules(with_tide, Path("ada.json"))
    assert refused.value.packs == (("harbour", "0.1.0"), ("tide", "1.2"))


def test_an_answer_without_effect_is_noted_by_the_name_of_its_question(dockhand: Dockhand) -> None:
    opened = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    without = with_event(opened.document, AnswerEvent, decision="knacks", answer=[])
    assert replay_document(without, opened.ruleset).notes == (
        "Kennel: Dog has no effect now; it will count again when its choice comes back",
    )


def test_what_the_group_owns_is_as_the_last_event_read_it(dockhand: Dockhand) -> None:
    opened = dockhand()
    document = opened.document
    for hull in (4, 3):
        reading = SharedReading(id="ship", name="The Gull", values={"hull": hull})
        document = with_event(document, NoteEvent, text="A storm.", shared=reading)
    shared = replay_document(document, opened.ruleset).character.state.shared
    assert shared is not None
    assert (shared.name, shared.values) == ("The Gull", {"hull": 3})


def test_refused_answers_are_named_by_their_questions(dockhand: Dockhand) -> None:
    refused = dockhand().character.refusal([("trade", "not here"), ("scores", "too many")])
    assert refused.problems == (("trade", "not here"), ("scores", "too many"))
    assert refused.labels == {"trade": "Trade", "scores": "Scores"}


# ------------------------------------------------------------------ specifications


def reason(rules: Ruleset, **fields: Any) -> str:
    """Return why a specification is refused; empty if it is not."""
    try:
        CharacterSpec(rules, "7", **fields)
    except UsageError as error:
        return error.reason
    return ""


@pytest.mark.parametrize("level", [0, 4])
def test_a_level_is_one_of_the_game(toy: Ruleset, level: int) -> None:
    assert [reason(toy, level=number) for number in (1, 2, 3)] == ["", "", ""]
    assert reason(toy, level=level) == (
        f"The Long Light has levels 1 to 3; there is no level {level}"
    )


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("Ada", ""),
        (" ", "a name needs at least one letter"),
        ("Ada\nBo", "the name contains control characters or invalid characters"),
        ("Ada\x07", "the name contains control characters or invalid characters"),
    ],
)
def test_a_name_can_be_printed_on_one_line(toy: Ruleset, name: str, refusal: str) -> None:
    assert reason(toy, name=name) == refusal
    assert reason(toy, units={"boat": UnitSpec(name)}) == refusal


@pytest.mark.parametrize(
    ("at", "refused"), [((), None), ((2,), None), ((2, 3), None), ((1,), 1), ((2, 4), 4)]
)
def test_a_unit_levels_up_at_levels_that_the_character_reaches_from_2_on(
    toy: Ruleset, at: tuple[int, ...], refused: int | None
) -> None:
    assert reason(toy, level=3, units={"boat": UnitSpec(level_ups=at)}) == (
        ""
        if refused is None
        else f"boat has a level-up at level {refused}, but the character is level 3"
    )
