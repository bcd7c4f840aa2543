"""Every change of a character is the same move: events added to its log, replayed, judged.

A change is one group of the log. What it asks (the damage type of a
weapon bought, the Systems of a level) is answered with it. ``undo`` takes
the last group off again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from charforge.answers import examples
from charforge.character.document import Document, former_pins, updated_pins
from charforge.character.events import AdvanceEvent, AnswerEvent, AnyEvent, Event
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING, Answer
from charforge.errors import AnswerError, MissingAnswers, RuleRefusal, UsageError
from charforge.replay import replay as engine
from charforge.replay.loaded import LoadedCharacter, replay_document, with_summary
from charforge.replay.replay import AnswerSource, Character, Problem
from charforge.usecases.create import leave_out_optional


@dataclass(frozen=True)
class EventDraft:
    """An event without its number: what kind, and what it says."""

    kind: type[Event]
    fields: Mapping[str, Any] = field(default_factory=dict)

    def event(self, number: int, group: int) -> AnyEvent:
        """Return the event at its place."""
        made: Any = self.kind(n=number, group=group, **self.fields)
        return made  # type: ignore[no-any-return]


def draft_event(kind: type[Event], **fields: Any) -> EventDraft:
    """Return a draft of an event."""
    return EventDraft(kind, fields)


@dataclass(frozen=True)
class TrialChange:
    """A change on trial: the log with its events, and the character that would come of it.

    ``told`` says that answers were given with it, which need not be what the log has.
    """

    opened: LoadedCharacter
    events: tuple[AnyEvent, ...]
    character: Character
    told: bool = False

    @property
    def fresh(self) -> Iterator[Decision]:
        """Yield the decisions that it answers: new ones, and those answered otherwise now."""
        recorded = self.opened.document.answers
        known = {e.decision for e in self.events if isinstance(e, AnswerEvent)} | self._now
        effective = self.character.state.answers
        for decision in self.character.asked:
            answer = effective.get(decision.id, MISSING)
            if answer is MISSING or decision.id in known:
                continue
            if recorded.get(decision.id, MISSING) != answer:
                yield decision

    @property
    def _now(self) -> set[str]:
        """Decisions answered anew from some event on: their effective answer is that one's."""
        log = (*self.opened.document.log, *self.events)
        return {e.decision for e in log if isinstance(e, AnswerEvent) and e.now}

    @property
    def open(self) -> tuple[Decision, ...]:
        """The decisions that it opens."""
        before = {decision.id for decision in self.opened.character.open}
        return tuple(d for d in self.character.open if d.id not in before)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What it breaks."""
        before = set(self.opened.character.problems)
        return tuple(p for p in self.character.problems if p not in before)

    @property
    def dormant(self) -> tuple[str, ...]:
        """Answers and events that lose their effect by it."""
        before = set(self.opened.character.dormant)
        return tuple(name for name in self.character.dormant if name not in before)


def try_change(
    opened: LoadedCharacter,
    drafts: Iterable[EventDraft],
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = engine.leave_open,
    groups: bool = False,
) -> TrialChange:
    """Return what a change would make, without making it.

    Each draft is a group of its own with ``groups``, else all are one.
    What is asked is answered by ``answers``, then by ``source``.
    """
    document = opened.document
    events: list[AnyEvent] = []
    group = document.group + 1
    for number, one in enumerate(drafts):
        place = len(document.log) + len(events) + 1
        events.append(one.event(place, group + number if groups else group))
    waiting = {decision.id for decision in opened.character.open}
    ask = leave_out_optional(source)

    def only_new(decision: Decision) -> Answer:
        return MISSING if decision.id in waiting else ask(decision)

    log = (*document.log, *events)
    known = document.model_copy(update={"log": log}).answers
    character = engine.replay(
        opened.ruleset,
        {**known, **(answers or {})},
        name=document.name,
        log=log,
        source=only_new,
    )
    return TrialChange(opened, tuple(events), character, bool(answers))


def commit_change(found: TrialChange, tolerant: bool = False) -> LoadedCharacter:
    """Make a change that was tried: its events and its answers, in order, and a new summary.

    Raises AnswerError or RuleRefusal for what it would break, and
    MissingAnswers for what it leaves open, unless ``tolerant``.
    """
    if not tolerant:
        check_change(found)
    document = found.opened.document
    log: list[AnyEvent] = list(document.log)
    left = list(found.fresh)
    for event, following in zip(found.events, (*found.events[1:], None), strict=True):
        log.append(event.model_copy(update={"n": len(log) + 1}))
        if following is not None and following.group == event.group:
            continue  # what was bought in one group keeps its number: answers come after it all
        for decision in list(left):
            if following is None or _belongs(decision, event):
                left.remove(decision)
                answer = found.character.state.answers[decision.id]
                log.append(
                    AnswerEvent(
                        n=len(log) + 1, group=event.group, decision=decision.id, answer=answer
                    )
                )
    made = document.model_copy(update={"log": tuple(log), "undone": (), "undos": ()})
    ruleset = found.opened.ruleset
    if found.told or len(log) > len(document.log) + len(found.events):
        return replay_document(made, ruleset)
    return with_summary(made, ruleset, found.character)  # its very log was on trial


def check_change(found: TrialChange) -> None:
    """Raise for what a change breaks or leaves open."""
    mine = {f"event.{event.n}" for event in found.events}
    refused = [p.message for p in found.problems if p.decision in mine or not p.decision]
    gone = [name for name in found.dormant if name in mine]
    if refused:
        raise RuleRefusal("; ".join(dict.fromkeys(refused)))
    if gone:
        raise RuleRefusal("what this is about is not there")
    if found.problems:
        problems = ((p.decision, p.message) for p in found.problems)
        raise AnswerError(
            examples.with_examples(found.character, problems, found.character.recorded_answers)
        )
    if found.open:
        raise MissingAnswers((decision.id, decision.ask.label) for decision in found.open)


def change_character(
    opened: LoadedCharacter,
    *drafts: EventDraft,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = engine.leave_open,
) -> LoadedCharacter:
    """Try a change and make it."""
    return commit_change(try_change(opened, drafts, answers, source))


def _belongs(decision: Decision, event: AnyEvent) -> bool:
    """Whether a decision is asked by an event: a level's, or what was gained at it."""
    if isinstance(event, AdvanceEvent):
        prefix = f"{event.unit}." if event.unit is not None else ""
        return decision.section == f"{prefix}level.{event.level}"
    return decision.section == f"event.{event.n}"


# ------------------------------------------------------------------ back and forth


def undo_change(
    opened: LoadedCharacter, to_level: int | None = None
) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Take the last group off the log, or all down to a level; return what was taken off too.

    It is kept, so that ``redo`` can put all of it back. Creation cannot be undone.
    """
    document = opened.document
    if to_level is None:
        groups = [event.group for event in document.log]
        start = groups.index(groups[-1]) if groups else 0
    else:
        start = _beyond(document, to_level)
    if not document.log[start:] or document.log[start].group == 1:
        raise UsageError(
            "there is nothing to undo but its creation", "Use edit to change what was chosen."
        )
    gone = document.log[start:]
    number = len({event.group for event in gone})
    kept = document.model_copy(
        update={
            "log": document.log[:start],
            "undone": (*gone, *document.undone),
            "undos": (number, *document.undos) if number > 1 or document.undos else (),
            "packs": former_pins(gone) or document.packs,
        }
    )
    return replay_document(kept, opened.ruleset), gone


def _beyond(document: Document, level: int) -> int:
    """Return where the group begins that goes beyond a level."""
    if not 1 <= level < document.level:
        raise UsageError(
            f"{document.name} has level {document.level}; --to-level goes from 1 to "
            f"{document.level - 1}"
            if document.level > 1
            else f"{document.name} has level 1: there is no level to take back"
        )
    group = next(
        e.group
        for e in document.log
        if isinstance(e, AdvanceEvent) and e.unit is None and e.level > level
    )
    return next(i for i, event in enumerate(document.log) if event.group == group)


def redo_change(opened: LoadedCharacter) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Put back what the last undo took off; return it too."""
    document = opened.document
    if not document.undone:
        raise UsageError("there is nothing to redo", "Only what undo took off can come back.")
    number, *undos = document.undos or (1,)
    last = document.undone[0].group + number - 1
    back = tuple(event for event in document.undone if event.group <= last)
    whole = document.model_copy(
        update={
            "log": (*document.log, *back),
            "undone": document.undone[len(back) :],
            "undos": tuple(undos) if any(one > 1 for one in undos) else (),
            "packs": updated_pins(back) or document.packs,
        }
    )
    return replay_document(whole, opened.ruleset), back
