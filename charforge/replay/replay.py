"""Replay: calculate a character from its log.

Every decision is asked in order; then each event after creation is applied.
Nothing in the log is trusted: what is illegal or impossible now has no effect
and is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain, takewhile
from types import MappingProxyType
from typing import NamedTuple

from charforge.character.files.document import logged_lines
from charforge.character.files.events import AnswerEvent, AnyEvent, NoteEvent, Override, SetEvent
from charforge.character.state import State
from charforge.decisions.base import Answer, Decision
from charforge.errors import AnswerError
from charforge.replay.decision_walk import (
    AnswerSource as AnswerSource,
    DecisionWalk,
    Overridden as Overridden,
    Problem as Problem,
    leave_open as leave_open,
)
from charforge.replay.event_effects import (
    apply_event,
    history_number,
    limit_problems,
    overspent,
)
from charforge.rules.ruleset import EVENT, Ruleset

Watch = Callable[[AnyEvent, State, State], None]
NO_ANSWERS: Mapping[str, Answer] = MappingProxyType({})
NO_OVERRIDES: Mapping[str, Override] = MappingProxyType({})


class Replayed(NamedTuple):
    """A replay so far: its walk, which is not changed any more, its events and the dormant ones."""

    walk: DecisionWalk
    events: tuple[AnyEvent, ...]
    dormant: tuple[str, ...]


@dataclass(frozen=True)
class Character:
    """A replayed character: its state, and every decision asked, in order.

    ``open`` are decisions without an allowed answer; ``dormant`` the ids of
    answers and events that have no effect any more; ``problems`` what is
    wrong; ``overridden`` the answers that the GM allowed against the rules;
    ``recorded_answers`` all answers by decision id, also those without effect;
    ``notes`` the player's notes; ``lines`` what is written in the lines at the head of the sheet,
    by number; ``replayed`` where a replay of further events goes on.
    """

    state: State
    name: str
    asked: tuple[Decision, ...]
    open: tuple[Decision, ...]
    problems: tuple[Problem, ...]
    dormant: tuple[str, ...]
    recorded_answers: Mapping[str, Answer] = field(default_factory=dict)
    overridden: tuple[Overridden, ...] = ()
    notes: tuple[NoteEvent, ...] = ()
    lines: Mapping[int, str] = field(default_factory=dict)
    replayed: Replayed | None = field(default=None, repr=False, compare=False)

    @property
    def legal(self) -> bool:
        """Whether there are no problems and no open decisions."""
        return not self.problems and not self.open

    def decision(self, name: str) -> Decision | None:
        """Return an asked decision by id, or None."""
        return next((decision for decision in self.asked if decision.id == name), None)

    def label(self, name: str) -> str:
        """Return the short name of a decision, asked or not; of a purchase that of the item.

        Of another event it is its number in the history.
        """
        decision, events = self.decision(name), self.replayed.events if self.replayed else ()
        if decision is None and EVENT.fullmatch(name):
            bought = self.state.holding(name)
            numbers = (history_number(event) for event in events if name == f"event.{event.n}")
            return next(numbers, name) if bought is None else bought.name
        return self.state.ruleset.decision_label(name) if decision is None else decision.heading()

    def refusal(self, problems: Iterable[tuple[str, str]]) -> AnswerError:
        """Return the error of answers that are not allowed: ``(decision, reason)``."""
        pairs = tuple(problems)
        return AnswerError(pairs, {name: self.label(name) for name, _reason in pairs})

    def answers(self) -> dict[str, Answer]:
        """Return the answers in effect, in decision order."""
        effective = self.state.answers
        return {d.id: effective[d.id] for d in self.asked if d.id in effective}


def replay(
    ruleset: Ruleset,
    answers: Mapping[str, Answer],
    level: int = 1,
    name: str = "",
    rules: Mapping[str, str] | None = None,
    source: AnswerSource = leave_open,
    log: Iterable[AnyEvent] = (),
    watch: Watch | None = None,
    unfinished: str = "",
    allowed: Mapping[str, Override] | None = None,
) -> Character:
    """Return the character after creation and the events of a log, raised to ``level``.

    ``answers`` are the answers that count at their decisions' places, by
    decision id, including those of the log; ``source`` answers the other
    decisions. ``rules`` are table rules (option id by rule id) from creation
    on. Illegal answers have no effect: their decision is open and listed in
    the problems. Events that are no longer possible have no effect either.
    ``watch`` is called with each event and the states before and after it.
    ``unfinished`` is a decision whose answer counts although it is incomplete.
    ``allowed`` are overrides of answers that are not in the log, by decision id.
    """
    events = tuple(log)
    last_overrides = {
        event.decision: event.override
        for event in events
        if isinstance(event, AnswerEvent) and not event.now
    }
    overrides = {name: override for name, override in last_overrides.items() if override}
    overrides |= allowed or {}
    creation_rules = {**(rules or {}), **_rules_of_creation(events)}
    walk = DecisionWalk(ruleset, answers, creation_rules, source, overrides, unfinished)
    walk.create()
    dormant = _apply_events(walk, events, watch)
    for reached in range(walk.state.level + 1, level + 1):
        walk.advance(reached)
    return _character(name, Replayed(walk, events, dormant))


def replay_further(
    character: Character,
    events: Iterable[AnyEvent],
    answers: Mapping[str, Answer] = NO_ANSWERS,
    source: AnswerSource = leave_open,
    allowed: Mapping[str, Override] = NO_OVERRIDES,
) -> Character | None:
    """Return a replayed character after further events, as ``replay`` of all events does.

    Only the further events are applied. ``answers``, ``source`` and ``allowed`` are for the
    decisions that they ask. Returns None if everything must be replayed, because an event or an
    answer changes what came before.
    """
    before, events = character.replayed, tuple(events)
    if before is None or not events:
        return None
    asked = {decision.id for decision in before.walk.asked}
    if not asked.isdisjoint(answers) or not all(
        _counts_from_now(event, before) for event in events
    ):
        return None
    walk = before.walk.copy(
        {**before.walk.answers, **answers}, source, {**before.walk.overrides, **allowed}
    )
    dormant = (*before.dormant, *_apply_events(walk, events))
    return _character(character.name, Replayed(walk, (*before.events, *events), dormant))


def _counts_from_now(event: AnyEvent, before: Replayed) -> bool:
    """Whether an event changes nothing before it: no earlier answer, no rule of creation."""
    if isinstance(event, AnswerEvent):
        return event.now
    in_play = any(not isinstance(earlier, SetEvent) for earlier in before.events)
    return in_play or not isinstance(event, SetEvent)


def _apply_events(
    walk: DecisionWalk, events: Iterable[AnyEvent], watch: Watch | None = None
) -> tuple[str, ...]:
    """Apply events to a walk and return the ids of those without effect."""
    dormant: list[str] = []
    for event in events:
        before = walk.state
        dormant += apply_event(walk, event)
        if watch is not None:
            watch(event, before, walk.state)
    return tuple(dormant)


def _character(name: str, replayed: Replayed) -> Character:
    """Return the character at the end of a replay."""
    walk, events, dormant = replayed
    walk.source = leave_open  # it is not asked any more, and need not be kept
    asked = {decision.id for decision in walk.asked}
    recorded = {
        name: answer for name, answer in walk.answers.items() if name not in walk.former_ids
    }
    in_effect = {name: answer for name, answer in walk.state.answers.items() if name in asked}
    return Character(
        state=walk.state.with_changes(
            allowed=_allowed_holdings(walk),
            allowed_values=frozenset(chain.from_iterable(o.values for o in walk.overridden)),
        ),
        name=name,
        asked=tuple(walk.answered_again.get(decision.id, decision) for decision in walk.asked),
        open=tuple(decision for decision in walk.open if decision.is_asked_in(walk.state)),
        problems=(*walk.problems, *overspent(walk.state), *limit_problems(walk.state)),
        dormant=(*(id_ for id_ in recorded if id_ not in asked), *dormant),
        recorded_answers={**recorded, **in_effect},
        overridden=tuple(walk.overridden),
        notes=tuple(event for event in events if isinstance(event, NoteEvent)),
        lines=logged_lines(events),
        replayed=replayed,
    )


def _allowed_holdings(walk: DecisionWalk) -> frozenset[str]:
    """Return the ids of the holdings that only an override allows: of those alike, the last."""
    allowed: set[str] = set()
    for overridden in walk.overridden:
        for entity, times in Counter(overridden.entities).items():
            held = [
                holding.id
                for holding in walk.state.holdings
                if (holding.origin, holding.entity.id) == (overridden.decision, entity)
            ]
            allowed.update(held[-times:])
    return frozenset(allowed)


def _rules_of_creation(events: Iterable[AnyEvent]) -> dict[str, str]:
    """Return the table rules that were set before any other event."""
    settings = takewhile(lambda event: isinstance(event, SetEvent), events)
    return {
        event.rule: event.value
        for event in settings
        if isinstance(event, SetEvent) and event.rule is not None and event.value is not None
    }


def with_answer(character: Character, decision: Decision, answer: Answer) -> Character:
    """Return the character with an answer added or replaced. Raises AnswerError."""
    reasons = decision.rule_violations(answer)
    if reasons:
        raise character.refusal((decision.id, reason) for reason in reasons)
    recorded = {**character.recorded_answers, decision.id: decision.canonical(answer)}
    state = character.state
    return replay(state.ruleset, recorded, state.level, character.name, state.rules)
