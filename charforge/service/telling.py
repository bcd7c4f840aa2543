"""A log told to its player: what was decided, rolled, gained and played, an event a line.

Holdings that are gone and decisions that are not asked any more are named
as they were: the log is replayed with somebody watching.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Any

from charforge.answers import words
from charforge.content.models import Procedure
from charforge.document.events import (
    Acquire,
    Advance,
    Answered,
    AnyEvent,
    Change,
    Conditioned,
    Event,
    Hold,
    Note,
    PartWith,
    Plan,
    Played,
    Set,
    Stow,
    Used,
)
from charforge.engine import replay as engine
from charforge.engine.decisions import Answer, Decision
from charforge.engine.state import CHARACTER, Condition, State
from charforge.errors import CharforgeError
from charforge.opened import Opened
from charforge.text import as_written

NOTHING = object()


@dataclass(frozen=True, slots=True)
class Told:
    """One event in words; ``event`` is what the log has, ``level`` when it happened."""

    event: AnyEvent
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """What happened at one level of the character; creation is the first."""

    level: int
    label: str
    events: tuple[Told, ...]


def history(opened: Opened) -> tuple[Chapter, ...]:
    """Return the log in words, level by level."""
    found = tell(opened)
    label = opened.ruleset.head.advancement.label
    chapters = []
    for level in range(1, max((one.level for one in found), default=1) + 1):
        events = tuple(one for one in found if one.level == level)
        chapters.append(Chapter(level, f"{label} {level}" if level > 1 else "Creation", events))
    return tuple(chapters)


def tell(opened: Opened) -> tuple[Told, ...]:
    """Return every event of the log in words."""
    teller = _Teller(opened)
    level, found = 1, []
    for event in opened.document.log:
        if isinstance(event, Advance) and event.unit is None:
            level += 1
        found.append(Told(event, level, teller.sentence(event)))
    return tuple(found)


def events(opened: Opened, meant: Iterable[Event]) -> tuple[Told, ...]:
    """Return some events of the log in words."""
    numbers = {event.n for event in meant}
    return tuple(one for one in tell(opened) if one.event.n in numbers)


@dataclass
class _Teller:
    """What is known while a log is told: the states around each event, and former answers."""

    opened: Opened
    around: dict[int, tuple[State, State]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of holdings and units, by instance id

    def __post_init__(self) -> None:
        document, ruleset = self.opened.document, self.opened.ruleset
        engine.replay(ruleset, document.answers, log=document.log, watch=self._watch)
        self.decisions = _decisions(self.opened)
        self.former: dict[str, Answer] = {}
        self.planned: dict[str, Answer] = {}
        self.rules = ruleset.ruled({})
        self.name: dict[str, str] = {}
        self.last = {
            event.decision: event.n
            for event in document.log
            if isinstance(event, Answered) and not event.now
        }

    def _watch(self, event: AnyEvent, before: State, after: State) -> None:
        self.around[event.n] = (before, after)
        if before is not after:
            self.names |= {holding.id: holding.entity.name for holding in after.holdings}
            self.names |= {unit.id: unit.name for unit in after.units if unit.name}

    def sentence(self, event: AnyEvent) -> str:
        """Tell an event, and whether it counts."""
        name = event.decision if isinstance(event, Answered) else f"event.{event.n}"
        told = self._say(event)
        if isinstance(event, Answered) and not event.now and self.last[name] != event.n:
            return told  # answered again later: that is told there
        if name in self.opened.character.dormant:
            return f"{told} [no effect now]"
        broken = [p.message for p in self.opened.character.problems if p.decision == name]
        return f"{told} [broken: {'; '.join(broken)}]" if broken else told

    # ------------------------------------------------------------ one event

    @singledispatchmethod
    def _say(self, event: Event) -> str:
        raise AssertionError(event)

    @_say.register
    def _(self, event: Answered) -> str:
        told = f"{event.decision}: {self._answer(event.decision, event.answer)}"
        former = self.former.get(event.decision, NOTHING)
        if event.now:
            told += " from here on"
        if former is not NOTHING:
            told += f", was {self._answer(event.decision, former)}"
        self.former[event.decision] = event.answer
        if event.override is not None:
            told += f" (allowed by {event.override.by}: {event.override.reason})"
        return told

    @_say.register
    def _(self, event: Advance) -> str:
        label = self.opened.ruleset.head.advancement.label
        if event.unit is None:
            return f"{label} {event.level} is reached"
        return f"{self._named(event.unit)}: {label} {event.level} is reached"

    @_say.register
    def _(self, event: Set) -> str:
        if event.name is not None:
            unit = event.unit or CHARACTER
            whose = f"{self._named(unit, event)}: " if event.unit else ""
            former = self.name.get(unit)
            self.name[unit] = event.name
            return f"{whose}named {event.name}" + (f", was {former}" if former else "")
        rule = self.opened.ruleset.table_rules.get(event.rule or "")
        former = self.rules.get(event.rule or "", "")
        self.rules[event.rule or ""] = event.value or ""
        ways = {option.id: option.label for option in rule.options} if rule else {}
        told = f"table rule {event.rule}: {ways.get(event.value or '', event.value)}"
        return told if former == event.value else f"{told}, was {ways.get(former, former)}"

    @_say.register
    def _(self, event: Plan) -> str:
        former = self.planned.pop(event.decision, NOTHING)
        if event.drop:
            gone = "" if former is NOTHING else f": {self._answer(event.decision, former)}"
            return f"no longer planned: {event.decision}{gone}"
        self.planned[event.decision] = event.answer
        told = f"planned {event.decision}: {self._answer(event.decision, event.answer)}"
        changed = former is not NOTHING
        return f"{told}, was {self._answer(event.decision, former)}" if changed else told

    @_say.register
    def _(self, event: Acquire) -> str:
        ruleset = self.opened.ruleset
        known = ruleset.entities.get(ruleset.canonical(event.entity))
        what = _times(known.name if known else event.entity, event.quantity)
        if event.price is not None:
            told = f"bought {what} for {self._money(event.price, event.quantity)}"
        else:
            told = f"given {what} by the GM" if event.granted else f"gained {what}"
        return self._by(event.unit) + told + _note(event.note)

    @_say.register
    def _(self, event: PartWith) -> str:
        what = _times(self._named(event.holding, event), event.quantity)
        if event.price is not None:
            told = f"sold {what} for {self._money(event.price, event.quantity)}"
        else:
            told = f"parted with {what}"
        return told + _note(event.note)

    @_say.register
    def _(self, event: Hold) -> str:
        return f"took {self._named(event.holding, event)} in hand" + _note(event.note)

    @_say.register
    def _(self, event: Stow) -> str:
        return f"put {self._named(event.holding, event)} away"

    @_say.register
    def _(self, event: Change) -> str:
        if event.holding is not None:
            label = f"{self._named(event.holding, event)}: {self._capacity(event)}"
        else:
            label = self._by(event.unit) + self._label(event.value)
        return f"{label} {words.signed(event.by)}" + _note(event.note)

    @_say.register
    def _(self, event: Conditioned) -> str:
        known = self.opened.ruleset.entities.get(event.condition)
        told = known.name if known else event.condition
        told += f" {event.amount}" if event.amount is not None else ""
        told += f" ({event.about})" if event.about else ""
        return f"{self._by(event.unit)}{told}{' ends' if event.off else ''}"

    @_say.register
    def _(self, event: Played) -> str:
        try:
            procedure: Procedure | None = self.opened.ruleset.procedure(event.procedure)
        except CharforgeError:
            procedure = None
        label = procedure.label if procedure else event.procedure
        labels = {one.id: one.label for one in procedure.inputs} if procedure else {}
        return self._by(event.unit) + self._run(event, label, labels)

    @_say.register
    def _(self, event: Used) -> str:
        known = self.opened.ruleset.entities.get(event.holding)
        name = known.name if known else self._named(event.holding, event)
        own = f": {event.ability}" if event.ability and event.ability != name else ""
        without = ", without Training" if event.untrained else ""
        return f"{self._by(event.unit)}used {self._run(event, name + own + without, {})}"

    @_say.register
    def _(self, event: Note) -> str:
        return f"note{f' of {event.at}' if event.at else ''}: {event.text}"

    # ------------------------------------------------------------ its parts

    def _answer(self, name: str, given: Answer) -> str:
        decision = self.decisions.get(name)
        if decision is None:
            label = self.opened.ruleset.answer_label
            listed = given if isinstance(given, list) else [given]
            plain = [label(name, x) if isinstance(x, str) else json.dumps(x) for x in listed]
            return ", ".join(plain) or words.NOTHING
        return words.answer(decision, given) if given != "" else words.EMPTY

    def _run(self, event: Played | Used, label: str, labels: Mapping[str, str]) -> str:
        """Tell what was run: its inputs, its dice, what it changed."""
        parts = [f"{as_written(labels.get(k, k))} {v}" for k, v in event.inputs.items()]
        rolls = [
            f"{name} {'; '.join(map(words.faces, faces))}" for name, faces in event.faces.items()
        ]
        if rolls:
            parts.append(f"dice {', '.join(rolls)}")
        told = f"{label} ({'; '.join(parts)})" if parts else label
        before, after = self.around[event.n]
        changes = ", ".join(_effects(before, after))
        return f"{told} → {changes}" if changes else told

    def _named(self, name: str, event: Event | None = None) -> str:
        """Return the name of a holding or unit: as it was then, else as it ever was."""
        if event is not None:
            holding = self.around[event.n][0].holding(name)
            if holding is not None:
                return holding.entity.name
        return self.names.get(name, name)

    def _by(self, unit: str) -> str:
        return "" if unit == CHARACTER else f"{self._named(unit)}: "

    def _label(self, value: str) -> str:
        known = self.opened.ruleset.values.get(value)
        return known.label if known else value

    def _capacity(self, event: Change) -> str:
        holding = self.around[event.n][0].holding(event.holding or "")
        known = holding.entity.capacities if holding else ()
        return next((c.label for c in known if c.id == event.value), event.value)

    def _money(self, price: int, quantity: int) -> str:
        value = self.opened.ruleset.values.get(self.opened.ruleset.head.gear.money or "")
        unit = f" {value.unit}" if value and value.unit else ""
        each = f" ({price} each)" if quantity > 1 else ""
        return f"{price * quantity}{unit}{each}"


def _decisions(opened: Opened) -> dict[str, Decision]:
    """Return every decision that the log ever answered, as it was last asked.

    What an edit took away is found on the log up to that edit.
    """
    log = opened.document.log
    known = {decision.id: decision for decision in opened.character.asked}
    told = {event.decision for event in log if isinstance(event, Answered | Plan)}
    for end in _edits(log):
        if told <= known.keys():
            break
        answers = opened.document.model_copy(update={"log": log[:end]}).answers
        then = engine.replay(opened.ruleset, answers, log=log[:end])
        known = {**{decision.id: decision for decision in then.asked}, **known}
    return known


def _edits(log: tuple[AnyEvent, ...]) -> list[int]:
    """Return where the log was when something was answered again, the latest first."""
    met: set[str] = set()
    ends = []
    for index, event in enumerate(log):
        if isinstance(event, Answered):
            if event.decision in met:
                ends.append(index)
            met.add(event.decision)
        elif isinstance(event, PartWith):
            ends.append(index)
    return ends[::-1]


def _effects(before: State, after: State) -> Iterator[str]:
    """Yield what a run changed: resources and conditions, unit by unit."""
    for key in dict.fromkeys([*after.spent, *before.spent]):
        change = after.spent.get(key, 0) - before.spent.get(key, 0)
        if change:
            yield f"{_owner(after, key[0])}{_resource(after, *key)} {words.signed(change)}"
    was = {_condition(one): one for one in before.conditions}
    now = {_condition(one): one for one in after.conditions}
    yield from (_owner(after, one.unit) + key[1] for key, one in now.items() if key not in was)
    yield from (
        f"{_owner(after, one.unit)}{key[1]} ends" for key, one in was.items() if key not in now
    )


def _condition(one: Condition) -> tuple[str, str]:
    amount = f" {one.amount}" if one.amount != 1 else ""
    about = f" ({one.about})" if one.about else ""
    return one.unit, f"{one.entity.name}{amount}{about}"


def _owner(state: State, name: str) -> str:
    if name == CHARACTER:
        return ""
    unit = next((unit for unit in state.units if unit.id == name), None)
    holding = state.holding(name)
    return f"{unit.name if unit else holding.entity.name if holding else name}: "


def _resource(state: State, owner: str, name: str) -> str:
    holding = state.holding(owner)
    for capacity in holding.entity.capacities if holding else ():
        if capacity.id == name:
            return capacity.label
    known = state.ruleset.values.get(name)
    return known.label if known else name


def _times(name: str, quantity: int) -> str:
    return name if quantity == 1 else f"{quantity} × {name}"


def _note(text: str) -> str:
    return f" ({text})" if text else ""


def as_data(found: Told) -> dict[str, Any]:
    """Return an event as ``history --json`` prints it: as the log has it, and in words."""
    return {**found.event.model_dump(mode="json"), "level": found.level, "told": found.text}
