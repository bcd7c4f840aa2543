"""Changes of a character: try events, check the result, and commit them to the log.

A change is one group of events at the end of the log, with the answers to
the decisions that it asks (the damage type of a weapon bought, the Systems
of a level).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from charforge.answers.automatic import leave_out_optional, refuse_without_options
from charforge.answers.file import with_examples
from charforge.character.files.document import (
    Difference,
    Document,
    former_pins,
    updated_pins,
)
from charforge.character.files.events import (
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    Event,
    Override,
    SharedChange,
)
from charforge.character.state import CHARACTER, Condition, State
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.describe.differences import difference_lines, recorded_pack_changes
from charforge.errors import FILE, MissingAnswers, RuleRefusal, UsageError
from charforge.expressions.template import true_minus
from charforge.language import N_, _
from charforge.procedures.context import StepMessage
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import (
    LoadedCharacter,
    fitting_rules,
    replay_document,
    with_summary,
)
from charforge.replay.replay import (
    LIMIT,
    AnswerSource,
    Character,
    Lenience,
    Problem,
    Start,
    leave_open,
    reading_of,
    replay,
    replay_further,
    with_logged_shared,
)
from charforge.rules.ruleset import Ruleset

BRINGING = (AcquireEvent, AnswerEvent, AdvanceEvent)  # events that bring what limits count
LIMIT_ADVICE = N_('Drop something first, or let the GM allow it: --override "GM: REASON".')


@dataclass(frozen=True)
class EventDraft:
    """An event without its number: its class and its fields."""

    kind: type[Event]
    fields: Mapping[str, Any] = field(default_factory=dict)

    def event(self, number: int, group: int) -> AnyEvent:
        """Return the event with its number and group."""
        event: Any = self.kind(n=number, group=group, **self.fields)
        return event  # type: ignore[no-any-return]


def draft_event(kind: type[Event], **fields: Any) -> EventDraft:
    """Return the draft of an event with these fields."""
    return EventDraft(kind, fields)


def draft_carry(how: str, holding: str, counted: bool = False) -> EventDraft:
    """Return the draft of holding, stowing, wearing or taking off a piece of a holding."""
    return EventDraft(CarryEvent, {"how": how, "holding": holding, "counted": counted})


class ResultLine(NamedTuple):
    """A line of a result: its text, the name of its rule, the kind of its step, and its dice."""

    text: str
    rule: str = ""
    kind: str = ""
    faces: tuple[int, ...] = ()


def step_lines(ruleset: Ruleset, steps: Iterable[StepMessage]) -> tuple[ResultLine, ...]:
    """Return the steps that say something, as lines."""
    return tuple(
        ResultLine(true_minus(step.text), _rule_name(ruleset, step.source), step.step, step.faces)
        for step in steps
        if step.text
    )


def _rule_name(ruleset: Ruleset, source: str) -> str:
    entity = ruleset.entities.get(source)
    return source if entity is None else entity.name


@dataclass(frozen=True)
class PlayResult:
    """The character after a change in play, for one of its units.

    ``steps`` are the messages of the rules that ran, ``texts`` and ``differences`` what is to be
    told after them; ``outputs`` are the results of a procedure by id, with their ``labels``.
    ``heading`` stands above the lines of what no rule does, such as a purchase.
    """

    after: LoadedCharacter
    unit: str = CHARACTER
    steps: tuple[StepMessage, ...] = ()
    outputs: Mapping[str, int | str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()
    differences: tuple[Difference, ...] = ()
    heading: str = ""

    @classmethod
    def of_texts(
        cls,
        after: LoadedCharacter,
        texts: Iterable[str],
        unit: str = CHARACTER,
        differences: Iterable[Difference] = (),
        steps: Iterable[StepMessage] = (),
    ) -> PlayResult:
        """Return a result with texts under the name of the character."""
        return cls(
            after, unit, tuple(steps), texts=tuple(texts), differences=tuple(differences),
            heading=after.document.name,
        )  # fmt: skip

    @property
    def lines(self) -> tuple[ResultLine, ...]:
        """Return what every front end shows of this."""
        ruleset = self.after.ruleset
        texts = (*self.texts, *difference_lines(self.differences, ruleset))
        return (*step_lines(ruleset, self.steps), *map(ResultLine, texts))


@dataclass(frozen=True)
class TrialChange:
    """A change that is not in the log yet: its events, and the character with them.

    ``answers_given`` says that explicit answers came with it, which may
    differ from those in the log; ``override`` allows those that the rules forbid.
    The properties compare the character with ``opened``, the one before the change.
    """

    opened: LoadedCharacter
    events: tuple[AnyEvent, ...]
    character: Character
    answers_given: bool = False
    override: Override | None = None

    @property
    def new_decisions(self) -> Iterator[Decision]:
        """Yield the decisions that get a new or a different answer."""
        recorded = self.opened.document.answers
        known = {e.decision for e in self.events if isinstance(e, AnswerEvent)}
        known |= self._answered_now
        effective = self.character.state.answers
        for decision in self.character.asked:
            answer = effective.get(decision.id, MISSING)
            if answer is MISSING or decision.id in known:
                continue
            if recorded.get(decision.id, MISSING) != answer:
                yield decision

    @property
    def _answered_now(self) -> set[str]:
        """Return the decisions with an answer that counts only from its event on."""
        log = (*self.opened.document.log, *self.events)
        return {e.decision for e in log if isinstance(e, AnswerEvent) and e.now}

    @property
    def open(self) -> tuple[Decision, ...]:
        """Return the decisions that the change leaves open."""
        before = {decision.id for decision in self.opened.character.open}
        return tuple(d for d in self.character.open if d.id not in before)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Return the problems that the change causes.

        A limit is one only if the change brings something and exceeds it further:
        damage, for example, is not refused to somebody who then carries too much.
        """
        known = self.opened.character.problems
        before, excess = set(known), {p.limit: p.excess for p in known if p.code == LIMIT}
        brings = any(isinstance(event, BRINGING) for event in self.events)
        return tuple(
            p
            for p in self.character.problems
            if p not in before
            and (p.code != LIMIT or (brings and p.excess > excess.get(p.limit, 0)))
        )

    def spec(self, answers: Mapping[str, Answer], seed: str = "") -> CharacterSpec:
        """Return the specification with which the wizard asks what the change leaves open.

        ``answers`` are all answers so far, those of the log included.
        """
        document, level = self.opened.document, self.character.state.level
        log = (*document.log, *self.events)
        return CharacterSpec(
            self.opened.ruleset, seed or document.seed, document.name, level, {}, answers, log
        )

    @property
    def dormant(self) -> tuple[str, ...]:
        """Return the answers and events that lose their effect."""
        before = set(self.opened.character.dormant)
        return tuple(name for name in self.character.dormant if name not in before)


def try_change(
    opened: LoadedCharacter,
    drafts: Iterable[EventDraft],
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = leave_open,
    groups: bool = False,
    override: Override | None = None,
) -> TrialChange:
    """Return the change that some drafts make, for ``commit_change``.

    The drafts are one group, or with ``groups`` a group each: what ``undo``
    removes together. New decisions are answered by ``answers``, then by
    ``source``; ``override`` allows ``answers`` that the rules forbid.
    """
    document = opened.document
    events: list[AnyEvent] = []
    group = document.group + 1
    for number, draft in enumerate(drafts):
        place = len(document.log) + len(events) + 1
        events.append(draft.event(place, group + number if groups else group))
    events[:1] = [_with_reading(event, opened.character) for event in events[:1]]
    waiting = {decision.id for decision in opened.character.open}
    answer = leave_out_optional(source)

    def only_new(decision: Decision) -> Answer:
        return MISSING if decision.id in waiting else answer(decision)

    new = answers or {}
    allowed = dict.fromkeys(new, override) if override is not None else {}
    character = replay_further(opened.character, events, new, only_new, allowed)
    if character is None:
        log = (*document.log, *events)
        recorded = document.model_copy(update={"log": log}).answers
        character = replay(
            opened.ruleset,
            {**recorded, **new},
            Start(document.name),
            only_new,
            log,
            lenience=Lenience(allowed),
        )
    return TrialChange(opened, tuple(events), character, bool(answers), override)


def _with_reading(event: AnyEvent, character: Character) -> AnyEvent:
    """Return the first event of a change, with what was read of what the group owns.

    Only what differs from the log so far is recorded.
    """
    shared, logged = character.state.shared, with_logged_shared(character).state.shared
    if shared is None or shared == logged:
        return event
    return event.model_copy(update={"shared": reading_of(shared)})


def _with_shared_change(trial: TrialChange) -> tuple[AnyEvent, ...]:
    """Return the events of a change; the first one says what it changed of what the group owns."""
    before, after = trial.opened.character.state.shared, trial.character.state.shared
    by = {} if before is None or after is None else before.changes_to(after)
    if before is None or not by:
        return trial.events
    document = trial.opened.document
    content = f"{document.id} {before} {trial.events} {document.undone}".encode()
    change = SharedChange(id=sha256(content).hexdigest()[:16], other=before.id, by=by)
    first, *more = trial.events
    return (first.model_copy(update={"change": change}), *more)


def commit_change(trial: TrialChange, tolerant: bool = False) -> LoadedCharacter:
    """Return the character with a change: events, answers and a new summary.

    Unless ``tolerant``, raises AnswerError or RuleRefusal for problems and
    MissingAnswers for open decisions.
    """
    if not tolerant:
        check_change(trial)
    document = trial.opened.document
    log: list[AnyEvent] = list(document.log)
    unwritten = list(trial.new_decisions)
    allowed = {overridden.decision for overridden in trial.character.overridden}
    events = _with_shared_change(trial)
    for event, following in zip(events, (*events[1:], None), strict=True):
        log.append(event.model_copy(update={"n": len(log) + 1}))
        if following is not None and following.group == event.group:
            continue  # the events of a group come first, so that they keep their numbers
        for decision in list(unwritten):
            if following is None or is_asked_by(decision, event):
                unwritten.remove(decision)
                answer = trial.character.state.answers[decision.id]
                override = trial.override if decision.id in allowed else None
                log.append(
                    AnswerEvent(
                        n=len(log) + 1, group=event.group, decision=decision.id, answer=answer,
                        override=override,
                    )
                )  # fmt: skip
    pack_changes = recorded_pack_changes(trial.opened, len(document.log))
    document_after = document.model_copy(
        update={"log": tuple(log), "undone": (), "undos": (), "pack_changes": pack_changes}
    )
    ruleset = trial.opened.ruleset
    if trial.answers_given or len(log) > len(document.log) + len(trial.events):
        return replay_document(document_after, ruleset)
    return with_summary(document_after, ruleset, trial.character)  # it was replayed on trial


def refuse_out_of_play(opened: LoadedCharacter, *units: str) -> None:
    """Raise RuleRefusal if the character or one of these units is out of play for good."""
    state = opened.character.state
    for unit in dict.fromkeys((CHARACTER, *units)):
        condition = state.out_of_play(unit)
        if condition is not None:
            name = state.unit(unit).name
            raise RuleRefusal(
                _("{name} is {entity_name} and permanently out of play").format(
                    name=name or opened.document.name, entity_name=condition.entity.name
                ),
                *_way_back(state, condition),
            )


def _way_back(state: State, condition: Condition) -> tuple[str, list[str]]:
    """Return how a condition can be ended, and the command for it."""
    if condition.entity.active_when is not None:  # it cannot be removed by hand
        return _("Undo the change that caused it."), []
    word = state.unit_word(state.unit(condition.unit))
    whose = [] if condition.unit == CHARACTER else ["--unit", word]
    command = ["condition", FILE, condition.entity.slug, "off", *whose]
    return _("Undo the change that caused it, or end it: {command}"), command


def check_change(trial: TrialChange) -> None:
    """Raise RuleRefusal, AnswerError, NoOptionLeft or MissingAnswers for an incomplete change."""
    own_events = {f"event.{event.n}" for event in trial.events}
    refused = [p.message for p in trial.problems if p.decision in own_events or not p.decision]
    without_effect = [name for name in trial.dormant if name in own_events]
    if refused:
        gains = any(isinstance(event, AcquireEvent) for event in trial.events)
        limited = gains and any(problem.code == LIMIT for problem in trial.problems)
        raise RuleRefusal("; ".join(dict.fromkeys(refused)), _(LIMIT_ADVICE) if limited else "")
    if without_effect:
        raise RuleRefusal(_("the character no longer has that"))
    if trial.problems:
        problems = ((p.decision, p.message) for p in trial.problems)
        answers = trial.character.recorded_answers
        raise trial.character.refusal(with_examples(trial.character, problems, answers))
    if trial.open:
        refuse_without_options(trial.open)
        raise MissingAnswers((decision.id, decision.question.label) for decision in trial.open)


def change_character(
    opened: LoadedCharacter,
    *drafts: EventDraft,
    answers: Mapping[str, Answer] | None = None,
    source: AnswerSource = leave_open,
) -> LoadedCharacter:
    """Return the character with a change. Raises as ``commit_change`` does."""
    return commit_change(try_change(opened, drafts, answers, source))


def is_asked_by(decision: Decision, event: AnyEvent) -> bool:
    """Return whether an event asks a decision: it advances a level, or adds something."""
    if isinstance(event, AdvanceEvent):
        prefix = f"{event.unit}." if event.unit is not None else ""
        return decision.section == f"{prefix}level.{event.level}"
    return decision.section == f"event.{event.n}"


def undo_groups(
    opened: LoadedCharacter, number: int
) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Undo the last groups of events; return the character and the removed events."""
    return undo_from(opened, start_of_groups(opened.document, number))


def start_of_groups(document: Document, number: int) -> int:
    """Return the index in the log of the last groups, so many of them."""
    groups = [event.group for event in document.log]
    last = list(dict.fromkeys(groups))[-number:]
    return groups.index(last[0]) if last else 0


def undo_from(opened: LoadedCharacter, start: int) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Undo the events from a place in the log on."""
    document = opened.document
    if not document.log[start:] or document.log[start].group == 1:
        raise UsageError(
            _("there is nothing to undo: the character is new"), _("To change a choice, use edit.")
        )
    removed = document.log[start:]
    number = len({event.group for event in removed})
    document_after = document.model_copy(
        update={
            "log": document.log[:start],
            "undone": (*removed, *document.undone),
            "undos": (number, *document.undos) if number > 1 or document.undos else (),
            "packs": former_pins(removed) or document.packs,
            "pack_changes": recorded_pack_changes(opened, start),
        }
    )
    return _replay(document_after, opened), removed


def redo_groups(
    opened: LoadedCharacter, number: int
) -> tuple[LoadedCharacter, tuple[AnyEvent, ...]]:
    """Redo the groups of the last undo, so many; return the character and the restored events."""
    document, undos = opened.document, opened.document.undos[1:]
    last = document.undone[0].group + number - 1
    restored = tuple(event for event in document.undone if event.group <= last)
    document_after = document.model_copy(
        update={
            "log": (*document.log, *restored),
            "undone": document.undone[len(restored) :],
            "undos": tuple(undos) if any(number > 1 for number in undos) else (),
            "packs": updated_pins(restored) or document.packs,
            "pack_changes": recorded_pack_changes(opened, len(document.log)),
        }
    )
    return _replay(document_after, opened), restored


def _replay(document: Document, opened: LoadedCharacter) -> LoadedCharacter:
    """Replay a document, whose packs can be others after the undo of an update."""
    return replay_document(document, fitting_rules(document, Path(document.name), opened.ruleset))
