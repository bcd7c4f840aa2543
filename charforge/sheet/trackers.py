"""Trackers: play a character from an HTML page, and the script of that page.

A tracker starts at the current value and knows its limits by the rules, and the event that
records a change: `import` adds the changes made on the page to the character file.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from itertools import combinations
from typing import Any, Literal, NamedTuple

from charforge.character import state_changes
from charforge.character.files.events import (
    AnyEvent,
    CarryEvent,
    ConditionEvent,
    CooldownEvent,
    Event,
    ResourceEvent,
)
from charforge.character.gear import wear_places
from charforge.character.holdings import total_capacity
from charforge.character.state import CHARACTER, Condition, Holding, State
from charforge.character.state_data import about_subject
from charforge.describe.held_entities import HeldEntity
from charforge.language import N_, _, dice_notation
from charforge.limits import LARGEST_AMOUNT, LARGEST_QUANTITY
from charforge.paths import data_folder
from charforge.replay.replay import Character
from charforge.rules.models import Capacity, Entity
from charforge.rules.names import numbered_labels
from charforge.sheet.holdings import worn_key
from charforge.sheet.page_differences import PageDifference, PageDifferences, PageNumbers
from charforge.sheet.values import is_shared
from charforge.sheet.view import tracker_key

BoxForm = Literal["count", "tick"]
MOST_COMBINED_CONDITIONS = 4  # conditions whose changes are calculated together
NEAR, FAR = 5, 200  # how far from its present value a number without a maximum, and with one
# The texts of play.js, which an HTML page in another language brings with it.
SCRIPT_TEXTS = (
    N_("Fight"),
    N_("Gear"),
    N_("Story"),
    N_("Rules"),
    N_("blank"),
    N_("nothing"),
    N_("on"),
    N_("off"),
    N_("Nothing to undo."),
    N_("Undone: {change}."),
    N_("{number} of {boxes} left"),
    N_("{number} of {boxes} used"),
    N_("{number} of {boxes} filled"),
    N_("1 change"),
    N_("{count} changes"),
    N_("kept in this browser"),
    N_("not kept by this browser: download them"),
    N_(
        "This browser keeps {changes} from another sheet of this character (made after event "
        "{older}, this one after {n}). If they are in the character's file already, drop them; "
        "if not, download and import them first."
    ),
    N_("of {maximum}"),
    N_("Damage"),
    N_("Less"),
    N_("Heal"),
    N_("More"),
    N_("Nothing has happened yet."),
    N_("Downloaded. Now: charforge import FILE --into CHARACTER."),
    N_("change"),
    N_("{place}: you wear {names}; take that off first"),
    N_("Different from what is printed"),
    N_("no longer {name}"),
    N_("calculated by charforge import"),
    N_("If it hits you or one of your units:"),
    N_("Printed before {list}"),
    N_("Printed before {list}. Together: charforge import calculates it."),
    N_("Figures in the texts of rules and abilities are as printed."),
    N_("Each line is for one change alone. charforge import calculates them together."),
    N_("{name}, worn"),
)


class PageTracker(NamedTuple):
    """A tracker on the page: a number, or a box to tick (0 or 1).

    Boxes on the sheet with the same ``key`` show it too, and change it. ``event`` has the
    fields of the event that records a change, without the amount. ``high`` is None if there is
    no maximum. ``names`` are the names of a track's values, from ``low`` on; ``places`` are label
    and limit of the places of a worn item.
    """

    key: str
    label: str
    event: dict[str, Any]
    start: int
    low: int = 0
    high: int | None = 1
    form: BoxForm = "tick"
    note: str = ""
    names: tuple[str, ...] = ()
    places: tuple[tuple[str, int], ...] = ()

    @property
    def event_json(self) -> str:
        """The event as JSON."""
        return json.dumps(self.event, ensure_ascii=False)

    @property
    def near_values(self) -> range:
        """The values that it can have; without a maximum, those near the present one."""
        far = NEAR if self.high is None else FAR
        high = self.start + far if self.high is None else min(self.high, self.start + far)
        return range(max(self.low, self.start - far), high + 1)

    @property
    def start_name(self) -> str:
        """The name of its starting value; empty if its values have no names."""
        return self.names[self.start - self.low] if self.names else ""

    @property
    def names_json(self) -> str:
        """The names as JSON."""
        return json.dumps(self.names, ensure_ascii=False)

    @property
    def places_json(self) -> str:
        """The places as JSON."""
        return json.dumps(self.places, ensure_ascii=False)


class PageTrackerGroup(NamedTuple):
    """Trackers of one kind, with a label; a ``folded`` group is closed at first."""

    label: str
    trackers: tuple[PageTracker, ...]
    folded: bool = False


class UnitTrackers(NamedTuple):
    """The trackers of a unit, in groups.

    ``gauges`` are those of its vitals, which are always visible; ``health`` is the key of the
    one that damage reduces and healing raises.
    """

    name: str
    groups: tuple[PageTrackerGroup, ...]
    gauges: tuple[PageTracker, ...] = ()
    health: str = ""


class PageScript(NamedTuple):
    """The script of a page, with its hash for the content security policy."""

    text: str
    hash: str


def character_meta(character: str) -> str:
    """Return the tag in the head of a page that says of which character it is the sheet."""
    return f'<meta name="charforge-character" content="{escape(character)}">'


class PageTrackers(NamedTuple):
    """The trackers of a page that can be played from.

    ``id`` is that of the character file, ``n`` the number of its last event. The ids of its
    elements begin with ``prefix``, which differs from sheet to sheet of a page. ``changes`` are
    what else is different with other values of the trackers, ``together`` what is with several
    conditions that change at once, by the keys of their trackers.
    """

    id: str
    n: int
    units: tuple[UnitTrackers, ...]
    changes: PageDifferences
    together: Mapping[tuple[str, ...], PageDifference]
    prefix: str = "play"

    @property
    def character_meta(self) -> str:
        """The tag in the head of the page that says whose sheet it is."""
        return character_meta(self.id)

    @property
    def change_data(self) -> dict[str, dict[int, dict[str, Any]]]:
        """The differences that other values of the trackers make, for JSON."""
        return {
            key: {value: change._asdict() for value, change in by_value.items()}
            for key, by_value in self.changes.items()
        }

    @property
    def together_data(self) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
        """The differences that several conditions make together, for JSON: most of them first."""
        by_number = sorted(self.together.items(), key=lambda item: -len(item[0]))
        return [(keys, change._asdict()) for keys, change in by_number]

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all trackers."""
        groups = (group for unit in self.units for group in unit.groups)
        return frozenset(tracker.key for group in groups for tracker in group.trackers)

    @property
    def script(self) -> PageScript:
        """The script of the trackers."""
        return page_script("play.js")


def page_trackers(
    character: Character, id: str, log: Iterable[AnyEvent], number: int = 0
) -> PageTrackers:
    """Return the trackers of a character, whose file has this ``id`` and ``log``.

    Of several sheets on one page each has another ``number``.
    """
    last = max((event.n for event in log), default=0)
    shown = page_units(character)
    prefix = f"play-{number}" if number else "play"
    numbers = PageNumbers(character)
    changes = _changes(numbers, shown)
    return PageTrackers(id, last, shown, changes, _together(numbers, shown, changes), prefix)


def _changes(numbers: PageNumbers, units: Iterable[UnitTrackers]) -> PageDifferences:
    """Return what the values that trackers can have make different on the page, by their keys."""
    changes: dict[str, dict[int, PageDifference]] = {}
    for tracker in (one for unit in units for group in unit.groups for one in group.trackers):
        if not numbers.can_change(tracker.event):
            continue
        found = numbers.changes(tracker.event, tracker.near_values, tracker.start)
        if found:
            changes[tracker.key] = found
    return changes


def _together(
    numbers: PageNumbers, units: Iterable[UnitTrackers], changes: PageDifferences
) -> dict[tuple[str, ...], PageDifference]:
    """Return what changes of several conditions of a unit make different, by their keys.

    The rules decide what two make together: Speed is 0 if one is Grappled, with or without Prone.
    Only conditions that change a figure or roll, or have begun and so may hide that another does,
    are combined, and of many the first.
    """
    together: dict[tuple[str, ...], PageDifference] = {}
    for unit in units:
        trackers = [
            tracker
            for group in unit.groups
            for tracker in group.trackers
            if tracker.form == "tick"
            and tracker.event["do"] == "condition"
            and numbers.can_change(tracker.event)
            and (
                tracker.start
                or any(one.figures or one.rolls for one in changes.get(tracker.key, {}).values())
            )
        ][:MOST_COMBINED_CONDITIONS]
        for number in range(2, len(trackers) + 1):
            for several in combinations(trackers, number):
                events = [(one.event, 1 - 2 * one.start) for one in several]
                change = numbers.together(events) or PageDifference((), {}, {})
                together[tuple(one.key for one in several)] = change
    return together


def page_units(character: Character) -> tuple[UnitTrackers, ...]:
    """Return the trackers of the character and its units, without those that have none."""
    state = character.state
    units = [
        UnitTrackers(
            _title(character, unit.id),
            tuple(_groups(state, unit.id)),
            tuple(_numbered(_gauges(state, unit.id))),
            tracker_key(unit.id, state.ruleset.head.sheet.health or ""),
        )
        for unit in state.units
    ]
    return tuple(unit for unit in units if unit.groups)


def script_texts() -> str:
    """Return the texts of the script in the current language as JSON, by their English ones.

    ``d`` is the letter of dice, as in ``2d6``.
    """
    texts = {text: _(text) for text in SCRIPT_TEXTS}
    return json.dumps({**texts, "d": dice_notation("1d6")[1]}, ensure_ascii=False)


@lru_cache(maxsize=2)
def page_script(name: str) -> PageScript:
    """Return a script of the templates exactly as it is in a page, with its hash."""
    text = (data_folder("templates") / name).read_text(encoding="utf-8")
    digest = hashlib.sha256(text.encode()).digest()
    return PageScript(text, f"sha256-{base64.b64encode(digest).decode('ascii')}")


def _title(character: Character, unit: str) -> str:
    return character.name if unit == CHARACTER else character.state.unit(unit).title


def _groups(state: State, unit: str) -> Iterator[PageTrackerGroup]:
    """Yield the groups of trackers of a unit, those needed most first."""
    usual, others = _conditions(state, unit)
    for label, unnumbered, folded in (
        ("", (*_vitals(state, unit), *_other_resources(state, unit)), False),
        (_("Carried"), _carried(state, unit), False),
        (_("Worn"), _worn(state, unit), False),
        (_("On cooldown"), _cooldowns(state, unit), False),
        (_("Conditions"), usual, False),
        (_("More conditions"), others, True),
    ):
        trackers = tuple(_numbered(unnumbered))
        if trackers:
            yield PageTrackerGroup(label, trackers, folded)


def _numbered(trackers: Iterable[PageTracker]) -> Iterator[PageTracker]:
    """Yield the trackers; a label that occurs again gets a number."""
    listed = tuple(trackers)
    for tracker, label in zip(listed, numbered_labels(t.label for t in listed), strict=True):
        yield tracker._replace(label=label)


def _event(kind: type[Event], unit: str, **fields: str) -> dict[str, Any]:
    """Return the fields of an event; the unit is left out if it is the character."""
    of_unit = {} if unit == CHARACTER else {"unit": unit}
    return {"do": kind.model_fields["do"].default, **fields, **of_unit}


# ------------------------------------------------------------------ numbers


def _vitals(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of the unit's own resources that have a box on the sheet."""
    yield from _resources(state, unit, (v.current for v in state.ruleset.head.sheet.vitals))


def _gauges(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of what is always visible: the vitals, else what status lines show."""
    play, vitals = state.ruleset.head.play, list(_vitals(state, unit))
    yield from vitals or _resources(state, unit, play.line)


def _other_resources(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of all other resources of the unit."""
    vitals = {vital.current for vital in state.ruleset.head.sheet.vitals}
    yield from _resources(state, unit, (n for n in state.unit(unit).type.values if n not in vitals))


def _resources(state: State, unit: str, names: Iterable[str]) -> Iterator[PageTracker]:
    """Yield trackers of those of the named values that are the unit's own resources."""
    own = state.unit(unit).type.values
    for name in names:
        if name not in own or state.values(unit).is_hidden(name):
            continue
        computed = own[name]
        if not computed.resource or computed.shared or is_shared(computed):
            continue
        value, now = state.ruleset.values[name], state.values(unit).base(name)
        low = _limit(state, unit, name, now, -LARGEST_AMOUNT)
        high = _limit(state, unit, name, now, LARGEST_AMOUNT)
        if name == state.ruleset.head.gear.money:
            low = min(0, now)  # nobody can spend more than they have
        event, key = _event(ResourceEvent, unit, value=name), tracker_key(unit, name)
        tracker = _count(key, value.label, event, now, low, high)
        track = state.ruleset.tracks.get(name)
        if track is not None and low is not None and high is not None:
            steps = map(track.step, range(low, high + 1))
            tracker = tracker._replace(names=tuple(step.label for step in steps))
        yield tracker


def _limit(state: State, unit: str, name: str, now: int, change: int) -> int | None:
    """Return the value of a resource after a very large change, positive or negative.

    None if the rules do not limit it in that direction.
    """
    _state, actual = state_changes.change_resource(state, unit, name, change)
    return None if actual == change else now + actual


def _carried(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of the capacities of a unit's holdings, such as ammo."""
    for holding in state.holdings:
        if state.bearer(holding) == unit:
            for capacity in holding.entity.capacities:
                yield _capacity(state, unit, holding, capacity)


def _capacity(state: State, unit: str, holding: Holding, capacity: Capacity) -> PageTracker:
    label = f"{HeldEntity.of(state, holding).name()}: {capacity.label}"
    event = _event(ResourceEvent, unit, value=capacity.id, holding=holding.id)
    now, most = (
        state_changes.capacity_left(state, holding, capacity),
        total_capacity(state, holding, capacity),
    )
    return _count(tracker_key(holding.id, capacity.id), label, event, now, 0, most)


def _count(
    key: str, label: str, event: dict[str, Any], now: int, low: int | None, high: int | None
) -> PageTracker:
    """Return the tracker of a number; ``low`` and ``high`` are None if not limited."""
    note = _("of {high}").format(high=high) if high is not None else ""
    bottom = low if low is not None else -LARGEST_QUANTITY
    return PageTracker(key, label, event, now, bottom, high, "count", note)


# ------------------------------------------------------------------ worn gear


def _worn(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of what a unit can wear."""
    for holding in state.holdings if unit == CHARACTER else ():
        pieces = holding.quantity - state.in_hand.get(holding.id, 0)  # those in hand are not worn
        places = wear_places(state, holding)
        if state.bearer(holding) != unit or pieces < 1 or not places:
            continue
        event = _event(CarryEvent, unit, how="wear", holding=holding.id)
        name, key = HeldEntity.of(state, holding).name(), worn_key(holding)
        on = state.pieces_worn(holding)
        if pieces == 1:
            tracker = PageTracker(key, name, event, on)
        else:
            tracker = _count(key, name, event, on, 0, pieces)
        values = state.values(holding.unit)
        limited = [(place.label, place.at_most) for place in places if place.at_most is not None]
        limits = tuple((label, values.evaluate(most)) for label, most in limited)
        yield tracker._replace(places=limits)


# ------------------------------------------------------------------ cooldowns and conditions


def _cooldowns(state: State, unit: str) -> Iterator[PageTracker]:
    """Yield trackers of actions with a cooldown."""
    for holding in state.holdings:
        if state.bearer(holding) != unit:
            continue
        name = HeldEntity.of(state, holding).name()
        for action in holding.entity.actions:
            if not action.cooldown:
                continue
            place = (holding.id, state_changes.action_key(holding.entity, action))
            suffix = f": {action.name}" if action.name not in ("", holding.entity.name) else ""
            event = _event(CooldownEvent, unit, holding=place[0], ability=place[1])
            on_cooldown, key = int(place in state.cooldowns), tracker_key(*place)
            yield PageTracker(key, name + suffix, event, on_cooldown, note=action.cooldown)


def _conditions(state: State, unit: str) -> tuple[list[PageTracker], list[PageTracker]]:
    """Return the trackers of the usual conditions, and of all others that players know.

    Usual are those that every sheet shows, those of the unit's own abilities, and those that it
    has now. Conditions that only help the rules to count are left out.
    """
    always = state.ruleset.head.sheet.conditions
    order = {name: index for index, name in enumerate(always)}
    own = {holding.entity.name for holding in state.holdings if state.bearer(holding) == unit}
    usual: list[PageTracker] = []
    others: list[PageTracker] = []
    listed = [
        entity
        for entity in state.ruleset.conditions
        if entity.active_when is None and not (entity.condition and entity.condition.internal)
    ]
    for entity in sorted(listed, key=lambda entity: order.get(entity.id, len(order))):
        active = [c for c in state.conditions if (c.unit, c.entity.id) == (unit, entity.id)]
        is_own = any(f"{name} ".startswith(f"{entity.name} ") for name in own)
        group = usual if active or entity.id in order or is_own else others
        group += _condition(state, unit, entity, active)
    return usual, others


def _condition(
    state: State, unit: str, entity: Entity, active: Collection[Condition]
) -> Iterator[PageTracker]:
    """Yield a tracker for each subject of a condition, so that each can be removed separately.

    ``active`` are the conditions of this kind that the unit has now.
    """
    amounts: Counter[str] = Counter()
    subjects = {condition.about: condition.subject for condition in active}
    for condition in active:
        amounts[condition.about] += condition.amount
    for about, amount in (amounts or {"": 0}).items():
        label = about_subject(entity.name, subjects.get(about, about))
        fields = {"about": about} if about else {}
        event = _event(ConditionEvent, unit, condition=entity.id, **fields)
        key = tracker_key(unit, entity.id, about)
        if entity.counts:
            filled = state_changes.add_condition(state, unit, entity, LARGEST_QUANTITY, about)
            most = state_changes.amount_about(filled, unit, entity, about)
            high = None if most >= LARGEST_QUANTITY else max(most, amount)
            count = _count(key, label, event, amount, 0, high)
            yield count._replace(event={**event, "amount": 1})
        else:
            yield PageTracker(key, label, event, amount)
