"""The trackers of an HTML page that a character is played from, and the page's script.

A tracker starts at the present value, within the bounds that the rules set, and knows the play
event that records a change: `import` brings the changes made on the page back to the file.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from charforge.character import play_state
from charforge.character.events import (
    LARGEST_AMOUNT,
    AnyEvent,
    ConditionEvent,
    CooldownEvent,
    Event,
    ResourceEvent,
)
from charforge.character.holdings import total_capacity
from charforge.character.state import CHARACTER, Condition, Holding, State
from charforge.describe.entities import HeldEntity
from charforge.paths import data_folder
from charforge.replay.replay import Character
from charforge.rules.models import Capacity, Entity
from charforge.sheet.values import is_shared

MOST = 100_000  # of what nothing else bounds

Form = Literal["count", "tick"]


class PageTracker(NamedTuple):
    """One thing to keep count of: a number, or a box to tick (0 or 1).

    ``event`` is the event of the log for a change of it, without the amount. ``high`` is None
    if it has no maximum. ``names`` are the names of its values from ``low`` on, if it is a track.
    """

    label: str
    event: dict[str, Any]
    start: int
    low: int = 0
    high: int | None = 1
    form: Form = "tick"
    note: str = ""
    names: tuple[str, ...] = ()

    @property
    def event_data(self) -> str:
        """The event as JSON."""
        return json.dumps(self.event, ensure_ascii=False)

    @property
    def standing(self) -> str:
        """The name of its starting value; empty if its values have no names."""
        return self.names[self.start - self.low] if self.names else ""

    @property
    def names_data(self) -> str:
        """The names as JSON."""
        return json.dumps(self.names, ensure_ascii=False)


class TrackerGroup(NamedTuple):
    """Trackers of one sort under a label; a ``folded`` group is closed at first."""

    label: str
    trackers: tuple[PageTracker, ...]
    folded: bool = False


class UnitTrackers(NamedTuple):
    """The trackers of a unit, in groups."""

    name: str
    groups: tuple[TrackerGroup, ...]


class PlayScript(NamedTuple):
    """The script of the page, with its hash for the content security policy."""

    text: str
    hash: str


class Playable(NamedTuple):
    """A character to play from a page: ``n`` is the last event that the page knows of."""

    id: str
    n: int
    sides: tuple[UnitTrackers, ...]

    @property
    def script(self) -> PlayScript:
        """The script that keeps count."""
        return script()


def playable(character: Character, id: str, log: Iterable[AnyEvent]) -> Playable:
    """Return the trackers of a character for the document ``id`` with this log."""
    state = character.state
    last = max((event.n for event in log), default=0)
    sides = (UnitTrackers(_title(character, unit.id), tuple(_groups(state, unit.id)))
             for unit in state.units)  # fmt: skip
    return Playable(id, last, tuple(side for side in sides if side.groups))


@lru_cache(maxsize=1)
def script() -> PlayScript:
    """Return the script exactly as it stands in the page, with its hash."""
    text = (data_folder("templates") / "play.js").read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).digest()
    return PlayScript(text, f"sha256-{base64.b64encode(digest).decode('ascii')}")


def _title(character: Character, unit: str) -> str:
    return character.name if unit == CHARACTER else character.state.unit(unit).title


def _groups(state: State, unit: str) -> Iterator[TrackerGroup]:
    """Yield the groups of trackers of a unit, those needed most first."""
    usual, others = _conditions(state, unit)
    for label, found, folded in (
        ("", _resources(state, unit), False),
        ("Carried", _carried(state, unit), False),
        ("On cooldown", _cooldowns(state, unit), False),
        ("Conditions", usual, False),
        ("More conditions", others, True),
    ):
        trackers = tuple(_numbered(found))
        if trackers:
            yield TrackerGroup(label, trackers, folded)


def _numbered(trackers: Iterable[PageTracker]) -> Iterator[PageTracker]:
    """Yield the trackers with a number after labels that occur again."""
    met: Counter[str] = Counter()
    for tracker in trackers:
        met[tracker.label] += 1
        number = met[tracker.label]
        yield tracker if number == 1 else tracker._replace(label=f"{tracker.label} ({number})")


def _event(kind: type[Event], unit: str, **fields: str) -> dict[str, Any]:
    """Return the fields of an event of a kind; with its unit if that is not the character."""
    whose = {} if unit == CHARACTER else {"unit": unit}
    return {"do": kind.model_fields["do"].default, **fields, **whose}


# ------------------------------------------------------------------ numbers


def _resources(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield a unit's own resources: those of the sheet's boxes first."""
    own = state.unit(unit).type.values
    boxes = [vital.current for vital in state.ruleset.head.sheet.vitals]
    names = dict.fromkeys([*(name for name in boxes if name in own), *own])
    for name in names:
        computed = own[name]
        if not computed.resource or computed.shared or is_shared(computed):
            continue
        value, now = state.ruleset.values[name], state.values(unit).base(name)
        low, high = (_bound(state, unit, name, now, by) for by in (-LARGEST_AMOUNT, LARGEST_AMOUNT))
        if name == state.ruleset.head.gear.money:
            low = min(0, now)  # what is not there cannot be spent
        counted = _count(value.label, _event(ResourceEvent, unit, value=name), now, low, high)
        track = state.ruleset.tracks.get(name)
        if track is not None and low is not None and high is not None:
            steps = map(track.step, range(low, high + 1))
            counted = counted._replace(names=tuple(step.label for step in steps))
        yield counted


def _bound(state: State, unit: str, name: str, now: int, by: int) -> int | None:
    """Return the bound of a resource in the direction of ``by``; None if it has none."""
    _changed, real = play_state.change_resource(state, unit, name, by)
    return None if real == by else now + real


def _carried(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield the capacities of a unit's holdings, such as ammo."""
    for holding in state.holdings:
        if state.bearer(holding) == unit:
            for capacity in holding.entity.capacities:
                yield _capacity(state, unit, holding, capacity)


def _capacity(state: State, unit: str, holding: Holding, capacity: Capacity) -> PageTracker:
    label = f"{HeldEntity.of(state, holding).name()}: {capacity.label}"
    event = _event(ResourceEvent, unit, value=capacity.id, holding=holding.id)
    now, most = (
        play_state.capacity_left(state, holding, capacity),
        total_capacity(state, holding, capacity),
    )
    return _count(label, event, now, 0, most)


def _count(
    label: str, event: dict[str, Any], now: int, low: int | None, high: int | None
) -> PageTracker:
    note = f"of {high}" if high is not None else ""
    bottom = low if low is not None else -MOST
    return PageTracker(label, event, now, bottom, high, "count", note)


# ------------------------------------------------------------------ cooldowns and conditions


def _cooldowns(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield the actions with a cooldown."""
    for holding in state.holdings:
        if state.bearer(holding) != unit:
            continue
        name = HeldEntity.of(state, holding).name()
        for action in holding.entity.actions:
            if not action.cooldown:
                continue
            key = play_state.action_key(holding.entity, action)
            own = f": {action.name}" if action.name and action.name != holding.entity.name else ""
            event = _event(CooldownEvent, unit, holding=holding.id, ability=key)
            rests = int((holding.id, key) in state.cooldowns)
            yield PageTracker(name + own, event, rests, note=action.cooldown)


def _conditions(state: State, unit: str) -> tuple[list[PageTracker], list[PageTracker]]:
    """Return the conditions that a sheet always shows or the unit is under, and all others."""
    always = state.ruleset.head.sheet.conditions
    order = {name: place for place, name in enumerate(always)}
    usual: list[PageTracker] = []
    others: list[PageTracker] = []
    listed = [entity for entity in state.ruleset.conditions if entity.active_when is None]
    for entity in sorted(listed, key=lambda entity: order.get(entity.id, len(order))):
        under = [c for c in state.conditions if (c.unit, c.entity.id) == (unit, entity.id)]
        group = usual if under or entity.id in order else others
        group += _condition(state, unit, entity, under)
    return usual, others


def _condition(
    state: State, unit: str, entity: Entity, under: Iterable[Condition]
) -> Iterator[PageTracker]:
    """Yield a tracker for each subject of a condition, so that each can be removed by itself."""
    amounts: Counter[str] = Counter()
    for condition in under:
        amounts[condition.about] += condition.amount
    for about, amount in (amounts or {"": 0}).items():
        label = f"{entity.name} ({about})" if about else entity.name
        fields = {"about": about} if about else {}
        event = _event(ConditionEvent, unit, condition=entity.id, **fields)
        if entity.condition is not None and entity.condition.counts:
            most = play_state.add_condition(state, unit, entity, MOST, about).condition_amount(
                unit, entity.id
            )
            high = None if most >= MOST else max(most, amount)
            yield _count(label, event, amount, 0, high)._replace(event={**event, "amount": 1})
        else:
            yield PageTracker(label, event, amount)
