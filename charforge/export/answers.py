"""A character as an answers file, from which ``new --answers`` creates it again."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.answers.file import answers_text, yaml_line
from charforge.character.files.events import (
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    NoteEvent,
    PlanEvent,
    SetEvent,
)
from charforge.character.state import CHARACTER
from charforge.decisions.base import Decision
from charforge.language import N_, _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character, replay

LATER_NOTE = (
    N_("Not included: anything after creation and level-ups (gear, awards, play, the levels"),
    N_("and names of units, exceptions by the GM). Only the character file has that."),
)


def write(opened: LoadedCharacter) -> str:
    """Return the answers file that creates this character, as far as creation and levels go.

    Comments at its top say if something came later, and list each answer
    that only this allowed.
    """
    document = opened.document
    recreated = replay(
        opened.ruleset, document.answers, document.level, document.name, document.rules
    )
    labels = {decision.id: decision.question.label for decision in recreated.asked}
    notes = tuple(map(_, LATER_NOTE)) if any(map(_came_later, document.log)) else ()
    return answers_text(
        opened.ruleset, document.name, document.level, document.seed, document.rules,
        recreated.answers(), labels, notes=(*notes, *_lost_answers(opened.character, recreated)),
    )  # fmt: skip


def _came_later(event: AnyEvent) -> bool:
    """Return whether an event records something that creation and levels do not make."""
    if isinstance(event, AnswerEvent):
        return event.now or event.override is not None
    if isinstance(event, AdvanceEvent):
        return event.unit is not None
    if isinstance(event, SetEvent):
        return any(x is not None for x in (event.unit, event.portrait, event.line))
    return not isinstance(event, PlanEvent | NoteEvent)


def _lost_answers(character: Character, recreated: Character) -> Iterator[str]:
    """Yield a note for each answer of creation and levels that the recreated character lacks."""
    answers, kept = character.answers(), recreated.answers()
    for decision in character.asked:
        if decision.id in answers and decision.id not in kept and not _is_of_event(decision):
            answer = yaml_line(answers[decision.id])
            yield _("Left out, because only later changes allow it: {id}: {answer}").format(
                id=decision.id, answer=answer
            )


def _is_of_event(decision: Decision) -> bool:
    """Return whether an event asks a decision: about what it added, or a unit's own level."""
    own_level = decision.section.startswith(f"{decision.unit}.level.")
    later_unit = own_level or decision.unit.startswith("event.")
    return decision.section.startswith("event.") or (decision.unit != CHARACTER and later_unit)
