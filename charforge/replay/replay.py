"""Replay: calculate a character from its log.

Every decision is asked in order; then each event after creation is applied.
Nothing in the log is trusted: what is illegal or impossible now has no effect
and is reported.

An event whose target is missing (after an edit its item was never gained) is dormant; an event
that the rules refuse now is broken. Neither has any effect. Procedures run again with the recorded
inputs and dice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, takewhile
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character import gear, state_changes
from charforge.character.files.document import logged_lines
from charforge.character.files.events import (
    AbilityEvent,
    AcquireEvent,
    AdvanceEvent,
    AnswerEvent,
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    DropEvent,
    NoteEvent,
    Override,
    ProcedureEvent,
    ResourceEvent,
    SetEvent,
    SharedReading,
)
from charforge.character.gear import exceeded_limits
from charforge.character.holdings import Gain, add_holding, has_all, remove_pieces
from charforge.character.requirements import Applicant, unmet_by_bearer, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.character.state_data import SharedUnit
from charforge.decisions.base import Answer, Decision
from charforge.errors import AnswerError, CharforgeError, FormulaError, RuleRefusal
from charforge.language import _
from charforge.procedures import abilities, use
from charforge.replay.decision_walk import (
    OWNER,
    AnswerSource as AnswerSource,
    DecisionWalk,
    Overridden as Overridden,
    Problem as Problem,
    RecordedDice,
    RunEvent,
    TargetMissing,
    leave_open as leave_open,
    repeat_run,
)
from charforge.rules.ruleset import EVENT, Ruleset

LIMIT = "limit"  # the code of the problem that a limit is exceeded


def apply_event(walk: DecisionWalk, event: AnyEvent) -> Iterator[str]:
    """Apply an event to the walk; yield the id of the event if it is dormant.

    A broken event adds a problem to the walk.
    """
    if event.shared is not None:
        walk.state = walk.state.with_changes(shared=shared_of(event.shared))
    effect = EFFECTS.get(type(event))
    if effect is None:
        return
    name = f"event.{event.n}"
    try:
        effect(walk, event)
        walk.grant_reached(name)
    except TargetMissing:
        yield name
    except CharforgeError as error:
        if walk.new and isinstance(error, FormulaError):
            raise
        walk.problems.append(Problem("broken", name, str(error), history_number(event)))


def shared_of(reading: SharedReading) -> SharedUnit:
    """Return what the group owns as a member's file recorded it."""
    return SharedUnit(reading.id, reading.name, reading.values, reading.bounds)


def reading_of(shared: SharedUnit) -> SharedReading:
    """Return what the group owns as a member's file records it."""
    return SharedReading(
        id=shared.id, name=shared.name, values=dict(shared.values), bounds=dict(shared.bounds)
    )


def history_number(event: AnyEvent) -> str:
    """Return where an event stands in ``history``, in words."""
    return _("no. {number} in history").format(number=event.group)


def overspent(state: State) -> list[Problem]:
    """Return a problem if more money was spent than the character had."""
    have = gear.money(state)
    if have is None or have >= 0:
        return []
    money = state.ruleset.values[state.ruleset.head.gear.money or ""]
    message = _("you spent {have} {unit} more than you had").format(
        have=-have, unit=money.unit or money.noun(-have)
    )
    return [Problem("overspent", "", message)]


def limit_problems(state: State) -> list[Problem]:
    """Return a problem for each limit that is exceeded."""
    return [
        Problem(LIMIT, "", one.text, one.label, f"{one.unit}.{one.limit}", one.excess)
        for one in exceeded_limits(state)
    ]


def _advance(walk: DecisionWalk, event: AdvanceEvent) -> None:
    if event.unit is None:
        if event.override is not None:
            reasons = tuple(_reasons_against_level(walk.state, event.level))
            walk.overridden.append(Overridden(f"event.{event.n}", event.override, reasons))
        for value, amount in event.spent.items():
            walk.state, _change = state_changes.change_resource(
                walk.state, CHARACTER, value, -amount
            )
        walk.advance(walk.state.level + 1)
        return
    unit = walk.state.unit(_require_unit(walk.state, event.unit))
    _refuse_advance(walk.state, unit, event.level)
    walk.advance_unit(unit.id, event.level)


def _reasons_against_level(state: State, level: int) -> Iterator[str]:
    """Yield why the rules did not allow the character a level."""
    advancement = state.ruleset.head.advancement
    unmet = unmet_requirements(advancement.requires, Applicant(state, CHARACTER))
    for reason in unmet or (_("it costs more than there was"),):
        yield f"{advancement.text(level)}: {reason}"


def _refuse_advance(state: State, unit: Unit, level: int) -> None:
    """Raise RuleRefusal for a level that a unit cannot reach now."""
    advancement = state.ruleset.head.advancement
    if unit.type.level == OWNER:
        raise RuleRefusal(_("a {label} always has its owner's level").format(label=unit.type.label))
    if level != state.level_of(unit) + 1:
        raise RuleRefusal(
            _("{name} is {level}, so the next level is not {recorded}").format(
                name=unit.name,
                level=advancement.text_inside(state.level_of(unit)),
                recorded=advancement.number(level),
            )
        )
    formula = unit.type.highest
    highest = None if formula is None else state.values(unit.id).evaluate(formula)
    if highest is not None and level > highest:
        raise RuleRefusal(
            _("{name} can be {highest} at most, not {to}").format(
                name=unit.name,
                highest=advancement.text_inside(highest),
                to=advancement.number(level),
            )
        )


def _answer(walk: DecisionWalk, event: AnswerEvent) -> None:
    if event.now:
        walk.answer_now(event)


def _set(walk: DecisionWalk, event: SetEvent) -> None:
    if event.rule is not None and event.value is not None:
        walk.state = walk.state.with_changes(rules={**walk.state.rules, event.rule: event.value})
    elif event.unit is not None and event.name is not None:
        unit = walk.state.unit(_require_unit(walk.state, event.unit))
        renamed = unit._replace(name=event.name)
        units = tuple(renamed if other is unit else other for other in walk.state.units)
        walk.state = walk.state.with_changes(units=units)


def _acquire(walk: DecisionWalk, event: AcquireEvent) -> None:
    state, name = walk.state, f"event.{event.n}"
    entity = state.ruleset.entity(state.ruleset.canonical(event.entity))
    unit = _require_unit(state, event.unit)
    if event.override is None and has_all(state, entity, unit, event.quantity):
        often = (
            _(" {repeatable} times (the maximum)").format(repeatable=entity.repeatable)
            if entity.repeatable
            else ""
        )
        raise RuleRefusal(_("you already have {name}{often}").format(name=entity.name, often=often))
    state = state_changes.change_money(state, -(event.price or 0) * event.quantity)
    gain = Gain(event.quantity, granted_beyond=event.granted, note=event.note)
    gained = add_holding(state, entity, name, name, unit, gain)
    before = walk.state
    unfit = unmet_by_bearer(entity.requires, Applicant(before, unit, entity))
    walk.continue_with(gained, name)
    if event.override is not None:
        if unfit:
            walk.overridden.append(Overridden(name, event.override, unfit, (entity.id,)))
        walk.allow_excess(before, name, event.override, (entity.id,))


def _remove(walk: DecisionWalk, event: DropEvent) -> None:
    holding = _require_holding(walk.state, event.holding)
    state = remove_pieces(walk.state, holding, event.quantity)
    walk.state = state_changes.change_money(state, (event.price or 0) * event.quantity)


def _carry(walk: DecisionWalk, event: CarryEvent) -> None:
    state = CARRY[event.how](walk.state, _require_holding(walk.state, event.holding))
    walk.state = use.count_hand_change(state) if event.counted else state


def _change_resource(walk: DecisionWalk, event: ResourceEvent) -> None:
    if event.holding is None:
        unit = _require_unit(walk.state, event.unit)
        walk.state, _change = state_changes.change_resource(walk.state, unit, event.value, event.by)
        return
    holding = _require_holding(walk.state, event.holding)
    capacity = next((c for c in holding.entity.capacities if c.id == event.value), None)
    if capacity is None:
        raise TargetMissing
    walk.state, _change = state_changes.change_capacity(walk.state, holding, capacity, event.by)


def _change_condition(walk: DecisionWalk, event: ConditionEvent) -> None:
    state = walk.state
    entity = state.ruleset.entity(event.condition)
    if entity.condition is None:
        raise RuleRefusal(_("{name} is not a condition").format(name=entity.name))
    unit = _require_unit(state, event.unit)
    if event.off:
        walk.state, _amount = state_changes.remove_condition(
            state, unit, entity, event.amount, event.about or None
        )
    else:
        walk.state = state_changes.add_condition(
            state, unit, entity, event.amount or 1, event.about, event.turns
        )


def _change_cooldown(walk: DecisionWalk, event: CooldownEvent) -> None:
    unit = _require_unit(walk.state, event.unit)
    ability = abilities.ability_of(walk.state, unit, event.holding, event.ability)
    if ability is None or ability.action is None or ability.holding is None:
        raise TargetMissing
    if not ability.action.cooldown:
        raise RuleRefusal(_("{name} has no cooldown").format(name=ability.name))
    if event.off:
        walk.state = state_changes.end_cooldown(walk.state, (ability.source, ability.key))
    else:
        walk.state = state_changes.start_cooldown(walk.state, ability.holding, ability.action)


def _repeat_run(walk: DecisionWalk, event: RunEvent) -> None:
    walk.state = repeat_run(walk.state, event, RecordedDice(event.faces), quiet=True).state


def _require_unit(state: State, name: str) -> str:
    """Return the id of a unit. Raises TargetMissing if there is none with this id."""
    if not state.has_unit(name):
        raise TargetMissing
    return name


def _require_holding(state: State, name: str) -> Holding:
    """Return a holding by id. Raises TargetMissing if there is none."""
    holding = state.holding(name)
    if holding is None:
        raise TargetMissing
    return holding


CARRY: dict[str, Callable[[State, Holding], State]] = {
    "hold": gear.hold,
    "stow": gear.stow,
    "wear": gear.wear,
    "take-off": gear.take_off,
}
EFFECTS: dict[type, Callable[[DecisionWalk, Any], None]] = {
    AdvanceEvent: _advance,
    AnswerEvent: _answer,
    SetEvent: _set,
    AcquireEvent: _acquire,
    DropEvent: _remove,
    CarryEvent: _carry,
    ResourceEvent: _change_resource,
    ConditionEvent: _change_condition,
    CooldownEvent: _change_cooldown,
    ProcedureEvent: _repeat_run,
    AbilityEvent: _repeat_run,
}


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


class Start(NamedTuple):
    """The name, the table rules and what the group owns: settled before the first decision.

    ``rules`` are option ids by the ids of table rules; ``shared`` is the unit of the group, unless
    the log says what was read of it at creation. A ``new`` character has no file that should
    still open if a formula of its levels cannot be calculated.
    """

    name: str = ""
    rules: Mapping[str, str] = MappingProxyType({})
    shared: SharedUnit | None = None
    new: bool = False


class Lenience(NamedTuple):
    """Answers that count although the rules are against them.

    ``overrides`` are those of answers that are not in the log, by decision id; ``unfinished``
    is a decision whose answer is incomplete.
    """

    overrides: Mapping[str, Override] = NO_OVERRIDES
    unfinished: str = ""


NAMELESS, STRICT = Start(), Lenience()


def replay(
    ruleset: Ruleset,
    answers: Mapping[str, Answer],
    start: Start = NAMELESS,
    source: AnswerSource = leave_open,
    log: Iterable[AnyEvent] = (),
    watch: Watch | None = None,
    lenience: Lenience = STRICT,
) -> Character:
    """Return the character after creation and the events of a log.

    ``answers`` are the answers that count at their decisions' places, by
    decision id, including those of the log; ``source`` answers the other
    decisions. Illegal answers have no effect: their decision is open and listed in
    the problems. Events that are no longer possible have no effect either.
    ``watch`` is called with each event and the states before and after it.
    """
    events, shared = tuple(log), start.shared
    if events and events[0].shared is not None:
        shared = shared_of(events[0].shared)
    last_overrides = {
        event.decision: event.override
        for event in events
        if isinstance(event, AnswerEvent) and not event.now
    }
    overrides = {name: override for name, override in last_overrides.items() if override}
    overrides |= lenience.overrides
    rules = {**start.rules, **_rules_of_creation(events)}
    walk = DecisionWalk(ruleset, answers, rules, source, overrides, lenience.unfinished, start.new)
    if shared is not None:
        walk.state = walk.state.with_changes(shared=shared)
    walk.create()
    dormant = _apply_events(walk, events, watch)
    return _character(start.name, Replayed(walk, events, dormant))


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
    """Return whether an event changes nothing before it: no earlier answer, no rule of creation."""
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


def with_shared_now(character: Character, shared: SharedUnit) -> Character:
    """Return a replayed character that sees what its group owns as it is now."""
    replayed = character.replayed
    return character if replayed is None else _character(character.name, replayed, shared)


def with_logged_shared(character: Character) -> Character:
    """Return a replayed character that sees what its group owns as its log last recorded it."""
    replayed = character.replayed
    if replayed is None or replayed.walk.state.shared == character.state.shared:
        return character
    return _character(character.name, replayed)


def _character(name: str, replayed: Replayed, shared: SharedUnit | None = None) -> Character:
    """Return the character at the end of a replay.

    ``shared`` is what its group owns now, if that is known.
    """
    walk, events, dormant = replayed
    walk.source = leave_open  # it is not asked any more, and need not be kept
    end = walk.state if shared is None else walk.state.with_changes(shared=shared)
    asked = {decision.id for decision in walk.asked}
    recorded = {
        name: answer for name, answer in walk.answers.items() if name not in walk.former_ids
    }
    in_effect = {name: answer for name, answer in walk.state.answers.items() if name in asked}
    return Character(
        state=end.with_changes(
            allowed=_allowed_holdings(walk),
            allowed_values=frozenset(chain.from_iterable(o.values for o in walk.overridden)),
        ),
        name=name,
        asked=tuple(walk.answered_again.get(decision.id, decision) for decision in walk.asked),
        open=tuple(decision for decision in walk.open if decision.is_asked_in(end)),
        problems=(*walk.problems, *overspent(end), *limit_problems(end)),
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
