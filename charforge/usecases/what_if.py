"""Replays with other choices: the same events with the same dice, and where they differ.

The log is replayed with the other answers, and every event is compared: its
results, its effects, and the state of the character after it. Where the
other run needs dice that nobody rolled, or something that the character
would not have had, what follows cannot be told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from charforge.character.files.document import Difference
from charforge.character.files.events import PLAY_EVENTS, AbilityEvent, AnyEvent, ProcedureEvent
from charforge.character.state import State
from charforge.decisions.base import Answer
from charforge.describe.differences import difference_lines, state_differences
from charforge.describe.events import LogDescriber, change_texts
from charforge.errors import MissingAnswers, UnknownId
from charforge.json_model import JsonModel
from charforge.language import N_, _
from charforge.replay.decision_walk import RecordedDice, RunEvent, repeat_run
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.edit import Reanswers, draft_answer, find_decision, try_edit
from charforge.verbs.change import EventDraft, TrialChange, commit_change
from charforge.verbs.odds import run_subject
from charforge.verbs.resolve import output_texts

NO_EFFECT = N_("no effect")


class ChangedResult(JsonModel):
    """A result or an effect of an event as it was, and as it would have been."""

    label: str
    was: str
    would_be: str


class ChangedEvent(JsonModel):
    """An event that would have gone differently.

    ``number`` is that of its command, as ``history`` shows it; ``consequences`` are the lines
    by which the character differs after it and did not differ before.
    """

    number: int
    text: str
    results: tuple[ChangedResult, ...]
    consequences: tuple[str, ...]


class UnknownEvent(JsonModel):
    """The first event whose outcome cannot be told, numbered as in ``history``, with the reason."""

    number: int
    text: str
    reason: str


class WhatIf(JsonModel):
    """The log of a character after other choices, as ``replay --json`` prints it.

    ``start`` are the differences before the first event of play, ``end`` those
    after the last event compared; ``compared`` is the number of play events.
    """

    choices: tuple[str, ...]
    start: tuple[Difference, ...]
    events: tuple[ChangedEvent, ...]
    unknown: UnknownEvent | None
    end: tuple[Difference, ...]
    compared: int


def what_if(loaded: LoadedCharacter, answers: Mapping[str, Answer]) -> WhatIf:
    """Return how the log would have gone with other answers, by id or name of their decisions.

    Raises UnknownId, AnswerError for answers that the rules forbid,
    UnusedAnswers, and MissingAnswers for further decisions that they open.
    """
    drafts: list[EventDraft] = []
    opened: dict[str, Answer] = {}
    for name, answer in answers.items():
        try:
            decision = find_decision(loaded, name)
        except UnknownId:
            if not drafts:
                raise
            opened[name] = answer  # of a decision that an earlier answer opens
        else:
            drafts.append(draft_answer(loaded, decision, answer, later=bool(drafts)))
    source = Reanswers(loaded, opened, leave=True)
    trial = try_edit(loaded, drafts, source, source.waiting())
    source.complete()
    _refuse_incomplete(trial)
    choices = []
    for draft in drafts:
        name = draft.fields["decision"]
        changed = trial.character.decision(name)
        if changed is not None:
            text = changed.answer_text(trial.character.recorded_answers[name])
            choices.append(f"{changed.heading()}: {text}")
    return _compare(loaded, commit_change(trial, tolerant=True), tuple(choices))


def _refuse_incomplete(trial: TrialChange) -> None:
    """Raise AnswerError or MissingAnswers for decisions that the change breaks or opens."""
    broken = [
        (problem.decision, problem.message)
        for problem in trial.problems
        if problem.decision and not problem.decision.startswith("event.")
    ]
    if broken:
        raise trial.character.refusal(broken)
    if trial.open:
        raise MissingAnswers((decision.id, decision.question.label) for decision in trial.open)


def _compare(loaded: LoadedCharacter, other: LoadedCharacter, choices: tuple[str, ...]) -> WhatIf:
    was, would_be = LogDescriber(loaded), LogDescriber(other)
    character = loaded.character
    without_effect = {*character.dormant, *(problem.decision for problem in character.problems)}
    start: tuple[Difference, ...] = ()
    known: tuple[Difference, ...] = ()
    events = []
    compared = 0
    unknown = None
    for event in loaded.document.log:
        text = was.sentence(event)
        if f"event.{event.n}" in without_effect:
            continue
        plays = isinstance(event, PLAY_EVENTS)
        if plays and not compared:
            start = known
        reason = _reason_unknown(other, event)
        if reason:
            unknown = UnknownEvent(number=event.group, text=text, reason=reason)
            break
        compared += plays
        states = was.states[event.n], would_be.states[event.n]
        now = tuple(state_differences(states[0][1], states[1][1]))
        results = tuple(_changed_results(event, *states)) if plays else ()
        if results or (compared and now != known):
            new = [difference for difference in now if difference not in known]
            lines = tuple(difference_lines(new, other.ruleset))
            events.append(
                ChangedEvent(number=event.group, text=text, results=results, consequences=lines)
            )
        known = now
    return WhatIf(
        choices=choices,
        start=start if compared else known,
        events=events,
        unknown=unknown,
        end=known,
        compared=compared,
    )


def _reason_unknown(other: LoadedCharacter, event: AnyEvent) -> str:
    """Return why an event that had an effect would have none; empty if it would."""
    name = f"event.{event.n}"
    if name in other.character.dormant:
        return _("the character would not have had what it uses")
    return "; ".join(p.message for p in other.character.problems if p.decision == name)


def _changed_results(
    event: AnyEvent, was: tuple[State, State], would_be: tuple[State, State]
) -> Iterator[ChangedResult]:
    """Yield the results and effects of an event that differ between two runs of it."""
    if isinstance(event, AbilityEvent | ProcedureEvent):
        old, new = _results(was[0], event), _results(would_be[0], event)
        for label in dict.fromkeys([*old, *new]):
            if old.get(label) != new.get(label):
                yield ChangedResult(
                    label=label, was=old.get(label, "–"), would_be=new.get(label, "–")
                )
    unit = getattr(event, "unit", "")
    old_effect, new_effect = (
        ", ".join(change_texts(*states, unit)) or _(NO_EFFECT) for states in (was, would_be)
    )
    if old_effect != new_effect:
        yield ChangedResult(label="", was=old_effect, would_be=new_effect)


def _results(state: State, event: RunEvent) -> dict[str, str]:
    """Return the results of a run in words, by label."""
    result = repeat_run(state, event, RecordedDice(event.faces))
    subject = run_subject(state, event)
    return {} if subject is None else output_texts(state.ruleset, subject.procedure, result)
