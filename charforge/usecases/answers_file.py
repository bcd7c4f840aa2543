"""A character as an answers file: what ``new --answers`` makes it from again."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.answers import file as answers_file
from charforge.character.events import (
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    NoteEvent,
    PlanEvent,
    SetEvent,
)
from charforge.character.state import CHARACTER
from charforge.decisions.base import Decision
from charforge.replay import replay as engine
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character

LATER = (
    "What came after creation and its levels is not in here (gear, gifts, play, the levels",
    "and names of units, what the GM allowed): only the character file has it.",
)


def to_answers(opened: LoadedCharacter) -> str:
    """Return the answers file that makes this character again, as far as creation and levels go.

    What came later is named at its head, and each answer that only this
    allowed.
    """
    loaded = opened.document
    begun = engine.replay(
        opened.ruleset, loaded.answers, loaded.level, loaded.name, loaded.rules
    )  # fmt: skip
    labels = {decision.id: decision.question.label for decision in begun.asked}
    notes = LATER if any(map(_later, loaded.log)) else ()
    return answers_file.answers_text(
        opened.ruleset, loaded.name, loaded.level, loaded.seed, loaded.rules,
        begun.answers(), labels, notes=(*notes, *_lost(opened.character, begun)),
    )  # fmt: skip


def _later(event: AnyEvent) -> bool:
    """Whether an event tells of something that creation and levels do not make."""
    if isinstance(event, AnswerEvent):
        return event.now or event.override is not None
    if isinstance(event, AdvanceEvent | SetEvent):
        return event.unit is not None or (
            isinstance(event, SetEvent) and event.portrait is not None
        )
    return not isinstance(event, PlanEvent | NoteEvent)


def _lost(character: Character, begun: Character) -> Iterator[str]:
    """Name the answers of creation and its levels that nothing allows without what came later."""
    kept, given = begun.answers(), character.answers()
    for decision in character.asked:
        if decision.id in given and decision.id not in kept and not _brought(decision):
            answer = answers_file.yaml_line(given[decision.id])
            yield f"Left out, for only what came later allows it: {decision.id}: {answer}"


def _brought(decision: Decision) -> bool:
    """Whether an event asks a decision: about what it brought, or a unit's own level."""
    own = f"{decision.unit}.level."
    late = decision.section.startswith(own) or decision.unit.startswith("event.")
    return decision.section.startswith("event.") or (decision.unit != CHARACTER and late)
