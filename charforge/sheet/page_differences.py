"""Differences from what a page to play from says, for every value that its trackers can have.

A page has the numbers of the time when it was made. For every condition, box and value that can
change on it, this says which of its figures and rolls are then others, so that nothing on the page
is silently out of date. They are what the program calculates for the same change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from charforge.character import gear, state_changes
from charforge.character.state import CHARACTER, State, Unit
from charforge.character.state_data import names_of
from charforge.character.values import Values
from charforge.describe.differences import (
    ARROW,
    UnitFigures,
    difference_lines,
    unit_differences,
    unit_figures,
)
from charforge.errors import RuleRefusal
from charforge.expressions.template import plain_text, true_minus
from charforge.language import _
from charforge.odds.solver import Reads, reads_of, value_formulas
from charforge.procedures.steps.base import NameSet
from charforge.replay.replay import Character
from charforge.rules.models import attack_part
from charforge.sheet import values, view
from charforge.sheet.attacks import AttackNumbers, attack_numbers, weapon_name
from charforge.sheet.drawings import pool_dice_text
from charforge.sheet.holdings import PlacedHoldings, active_conditions, lists
from charforge.sheet.view import shown_conditions

DAMAGE = "|damage"  # after the weapon, where its damage is rolled
RollTexts = dict[tuple[str, str], tuple[str, ...]]  # by the name of a companion, and what is rolled


class PageDifference(NamedTuple):
    """Differences from the page with one value of a tracker.

    ``texts`` are figures, attacks, and conditions that begin, with their rules, or end; ``rolls``
    are changes of what a button rolls (``+5 → +1``) by ``roll_key``; ``figures`` are what places
    on the page would print instead, by ``roll_key`` as well.
    """

    texts: tuple[str, ...]
    rolls: Mapping[str, str]
    figures: Mapping[str, str]


# By the key of a tracker and its value; a value that makes nothing different is left out.
PageDifferences = Mapping[str, Mapping[int, PageDifference]]

# By what else is then different, for the values of one tracker.
KnownDifferences = dict[tuple[object, ...], PageDifference | None]


class UnitNumbers:
    """The numbers of a unit on a page, each calculated once."""

    def __init__(self, placed: PlacedHoldings, unit: Unit) -> None:
        self.unit = unit
        self.name = unit.name
        self._placed = placed
        self._state = placed.state

    @cached_property
    def values(self) -> UnitFigures:
        """The values and the pools."""
        return unit_figures(self._state, self.unit)

    @cached_property
    def scores(self) -> tuple[view.Attribute, ...]:
        """The attributes."""
        return values.attributes(self._values, ())

    @cached_property
    def combat(self) -> tuple[view.Fact, ...]:
        """The figures that are needed in every round of a fight."""
        return values.combat(self._values)

    @cached_property
    def facts(self) -> dict[str, str]:
        """The texts of the facts of a fight that are no values, by their labels."""
        return {fact.label: fact.text for fact in self.combat if not fact.value}

    @cached_property
    def conditions(self) -> dict[str, view.ActiveCondition]:
        """The conditions that players see, by their ids."""
        shown = shown_conditions(active_conditions(self._state, self.unit.id))
        return {condition.id: condition for condition in shown}

    @cached_property
    def vitals(self) -> tuple[view.SheetVital, ...]:
        """The resources with boxes."""
        return values.vitals(self._values)

    @cached_property
    def figures(self) -> tuple[view.Fact, ...]:
        """The other figures."""
        return values.figures(self._values)

    @cached_property
    def pools(self) -> dict[str, str]:
        """The dice of the pools in words, by their labels."""
        return {pool.label: pool_dice_text(pool.dice) for pool in values.pools(self._values)}

    @cached_property
    def attacks(self) -> list[tuple[str, list[AttackNumbers]]]:
        """The weapons, each with its attacks."""
        armed = [stack.held for stack in self._placed.armed(self.unit.id)]
        return [(weapon_name(held), [*attack_numbers(held)]) for held in armed]

    @cached_property
    def rows(self) -> list[view.ListRow]:
        """The rows of the lists, which only a character has."""
        listed = lists(self._placed, self._values) if self.unit.id == CHARACTER else ()
        return [row for one in listed for row in one.rows]

    @property
    def _values(self) -> Values:
        return self._state.values(self.unit.id)


class PageNumbers:
    """The numbers of a page, to compare them with those of other states of its character."""

    def __init__(self, character: Character, same: Mapping[str, UnitNumbers] | None = None) -> None:
        """``same`` are the numbers of units, by id, that are as in another state."""
        self.character = character
        self.state = character.state
        placed = PlacedHoldings(character)
        self._units = {
            unit.id: (same or {}).get(unit.id) or UnitNumbers(placed, unit)
            for unit in self.state.units
        }

    def can_change(self, event: Mapping[str, Any]) -> bool:
        """Return whether something else on the page depends on the tracker of an event."""
        kind = str(event["do"])
        if kind == "condition":
            entity = self.state.ruleset.entity(event["condition"])
            return bool(entity.modifies) or not self._reads.words.isdisjoint(names_of(entity))
        if kind == "change":
            return "holding" not in event and str(event["value"]) in self._reads.names
        return kind == "carry"

    def changes(
        self, event: Mapping[str, Any], values: Iterable[int], start: int
    ) -> dict[int, PageDifference]:
        """Return what each value of a tracker makes different; ``start`` is the present one.

        ``event`` has the fields of its event. A value that makes nothing different is left out.
        """
        known: KnownDifferences = {}
        found = {
            value: self._change(event, value - start, known) for value in values if value != start
        }
        return {value: change for value, change in found.items() if change is not None}

    def together(self, events: Sequence[tuple[Mapping[str, Any], int]]) -> PageDifference | None:
        """Return what the events of several conditions of a unit change; None if nothing."""
        state = self.state
        for event, by in events:
            try:
                state = changed_state(state, event, by)
            except RuleRefusal:
                return None
        after = self._after(state, events[0][0])
        conditions = {str(event["condition"]) for event, _by in events}
        return self._difference(after, self._texts(after, conditions))

    @cached_property
    def rolls(self) -> RollTexts:
        """The numbers of everything that the buttons of a page roll."""
        weapons, modes = self._attack_rolls
        found = {**modes, **weapons}
        for unit in self._units.values():
            for score in unit.scores:
                if score.check is not None:
                    found[unit.name, score.name] = (score.check.number_text,)
            for fact in unit.combat:
                if fact.check is not None:
                    found[unit.name, fact.label] = (fact.text,)
            for label, dice in unit.pools.items():
                found[unit.name, label] = (dice,)
        for row in self._rows():
            rolled = [pool_dice_text(cell.dice) for cell in row.cells if cell.dice]
            if row.check is not None:
                rolled.append(row.check.number_text)
            if rolled:
                found["", row.name] = tuple(rolled)
        return found

    @cached_property
    def figures(self) -> dict[tuple[str, str], str]:
        """The figures of a page that change with others, by companion and place.

        A place is what it is and its name, as the templates have it: ``score|Agility``. What a
        tracker of its own shows is not among them.
        """
        found: dict[tuple[str, str], str] = {}
        for unit in self._units.values():
            for score in unit.scores:
                number = score.printed(score.total if score.full is None else score.full)
                found[unit.name, f"score|{score.name}"] = f"{number}{score.aside}"
            for vital in unit.vitals:
                if vital.max is not None:
                    most = true_minus(str(vital.max))
                    found[unit.name, f"maximum|{vital.label}"] = f"{most}{vital.unit}"
            for fact in (*unit.combat, *unit.figures):
                found.setdefault((unit.name, f"fact|{fact.label}"), fact.text)
        for row in self._rows():
            found["", f"row|{row.name}"] = " ".join(cell.text for cell in row.cells)
        return found

    @property
    def weapons(self) -> Collection[tuple[str, str]]:
        """The keys of the rolls of weapons."""
        return self._attack_rolls[0].keys()

    def _rows(self) -> Iterator[view.ListRow]:
        """Yield the rows of all lists."""
        return (row for unit in self._units.values() for row in unit.rows)

    @cached_property
    def _attack_rolls(self) -> tuple[RollTexts, RollTexts]:
        """The rolls and the damage of weapons, and those of modes.

        A mode that several weapons have is on a page once.
        """
        weapons, modes = RollTexts(), RollTexts()
        for unit in self._units.values():
            for weapon, attacks in unit.attacks:
                weapons[unit.name, weapon] = tuple(attack.roll for attack in attacks)
                weapons[unit.name, weapon + DAMAGE] = tuple(attack.damage for attack in attacks)
                for mode, roll, damage in attacks:
                    for name, number in ((mode, roll), (mode + DAMAGE, damage)):
                        if mode:
                            modes[unit.name, name] = (*modes.get((unit.name, name), ()), number)
        return weapons, modes

    @cached_property
    def _read_by_rolls(self) -> NameSet:
        """The names that rolls and figures read by themselves, and not through another value.

        What only facts of a fight read is not among them.
        """
        state, ruleset = self.state, self.state.ruleset
        sheet = ruleset.head.sheet
        entities = [unit.entity for unit in state.units if unit.entity is not None]
        entities += [holding.entity for holding in state.holdings]
        rolled = (
            [(entity.attacks, entity.figures) for entity in entities],
            [
                value_formulas(state, unit.id, attack_part(part))
                for unit in state.units
                for part in ("roll", "damage")
            ],
            [unit.type.pools for unit in state.units],
            [value.maximum for unit in state.units for value in unit.type.values.values()],
            (sheet.figures, sheet.lists, ruleset.head.attack_roll),
        )
        scores = frozenset(ruleset.group(sheet.attributes))
        return scores | reads_of(ruleset, rolled).names

    @cached_property
    def _reads(self) -> Reads:
        """The names and words that everything on a page can read by itself."""
        ruleset, head = self.state.ruleset, self.state.ruleset.head
        entities = [
            (one.modifies, one.active_when, one.figures, one.choices, one.attacks)
            for one in ruleset.entities.values()
        ]
        units = [unit.type for unit in self.state.units]
        chosen = self.state.chosen_options
        return reads_of(
            ruleset, (entities, units, head.tracks, chosen, head.sheet, head.attack_roll)
        )

    def _change(
        self, event: Mapping[str, Any], by: int, known: KnownDifferences
    ) -> PageDifference | None:
        """Return what the event of a tracker makes different; None if nothing.

        ``known`` are the differences that other amounts make.
        """
        try:
            state = changed_state(self.state, event, by)
        except RuleRefusal:
            # What is worn there already has to be taken off first, which is a change by itself.
            room = _with_room(self.state, event)
            if room is self.state:
                return None
            return PageNumbers(replace(self.character, state=room))._change(event, by, {})
        if state is self.state:
            return None
        after = self._after(state, event)
        texts = self._texts(after, {event.get("condition")}, event.get("value"))
        if event["do"] != "change" or event["value"] in self._read_by_rolls:
            return self._difference(after, texts)
        # Of a hundred values of health most differ in nothing but health.
        key = (*texts, *after._everything_but(event))
        if key not in known:
            known[key] = self._difference(after, texts)
        return known[key]

    def _everything_but(self, event: Mapping[str, Any]) -> Iterator[object]:
        """Yield all values but the one that an event changes, and the facts of a fight."""
        changed = (event.get("unit", CHARACTER), event["value"])
        for unit_id, unit in self._units.items():
            numbers = self.state.values(unit_id)
            for name in numbers.ids():
                if (unit_id, name) != changed:
                    yield numbers.base(name)
                    yield numbers.total(name)
            yield unit.combat

    def _after(self, state: State, event: Mapping[str, Any]) -> PageNumbers:
        """Return the numbers of the page in another state, after an event.

        All units can read what is worn. Other events can change only their unit and those that it
        owns, because no others read its values and conditions.
        """
        changed = event.get("unit", CHARACTER)
        same = {
            unit_id: unit
            for unit_id, unit in self._units.items()
            if event["do"] != "carry" and not _belongs(state, unit_id, changed)
        }
        return PageNumbers(replace(self.character, state=state), same)

    def _texts(
        self, after: PageNumbers, own: Collection[str | None], value: str | None = None
    ) -> list[str]:
        """Return the figures, facts and conditions that are different, in words.

        ``own`` are the conditions and ``value`` is the value whose trackers change, which units
        may share.
        """
        units = [(unit, after._units[name]) for name, unit in self._units.items()]
        differences = (
            difference
            for old, new in units
            for difference in unit_differences(old.values, new.values, old.name)
            if difference.id != value
        )
        return [
            *difference_lines(differences, self.state.ruleset),
            *(text for old, new in units for text in _changed_facts(old, new)),
            *(text for old, new in units for text in _changed_conditions(old, new, own)),
        ]

    def _difference(self, after: PageNumbers, texts: Sequence[str]) -> PageDifference | None:
        """Return these texts with the rolls and figures that are different; None if nothing is."""
        figures = {
            roll_key(*key): after.figures[key]
            for key, text in self.figures.items()
            if after.figures.get(key, text) != text
        }
        changed = {
            key: _transitions(numbers, after.rolls.get(key, ()))
            for key, numbers in self.rolls.items()
            if after.rolls.get(key) != numbers
        }
        if not (texts or changed or figures):
            return None
        armed = (
            f"{_prefix(unit)}{_rolled_words(what)} {text}"
            for (unit, what), text in changed.items()
            if (unit, what) in self.weapons
        )
        return PageDifference(
            (*texts, *armed), {roll_key(*key): text for key, text in changed.items()}, figures
        )


def _belongs(state: State, unit_id: str, other: str) -> bool:
    """Return whether a unit is another one, or owned by it."""
    owner = state.unit(unit_id).owner
    return unit_id == other or (owner is not None and _belongs(state, owner, other))


def _changed_facts(old: UnitNumbers, new: UnitNumbers) -> Iterator[str]:
    """Yield the facts of a fight that are different and no values: ``Move 10 m → 1 m``."""
    for label, text in old.facts.items():
        if new.facts.get(label, text) != text:
            yield f"{_prefix(old.name)}{label} {text} {ARROW} {new.facts[label]}"


def _changed_conditions(
    old: UnitNumbers, new: UnitNumbers, own: Collection[str | None]
) -> Iterator[str]:
    """Yield the rules of own conditions that begin, and the other conditions that begin or end."""
    before, after, prefix = old.conditions, new.conditions, _prefix(old.name)
    for name in (one for one in after if one not in before):
        rule = plain_text(after[name].effect)
        if name in own:
            yield from filter(None, [rule])
        else:
            yield f"{prefix}{after[name].text}" + (f": {rule}" if rule else "")
    for name in (one for one in before if one not in {*after, *own}):
        yield prefix + _("{condition} ends").format(condition=before[name].text)


def _prefix(unit: str) -> str:
    """Return the name of a companion before what is said of it; nothing for the character."""
    return f"{unit}: " if unit else ""


def roll_key(unit: str, what: str) -> str:
    """Return the key of a roll or figure: the name of a companion, and what is rolled."""
    return f"{unit}|{what}"


def _rolled_words(what: str) -> str:
    """Return what is rolled for a weapon, in words."""
    name = what.removesuffix(DAMAGE)
    return name if name == what else _("{name} damage").format(name=name)


def changed_state(state: State, event: Mapping[str, Any], by: int) -> State:
    """Return the state after the event of a tracker, with this amount.

    Cooldowns and what an item has left make nothing else on a page different. Raises RuleRefusal.
    """
    unit = event.get("unit", CHARACTER)
    if event["do"] == "condition":
        entity, about = state.ruleset.entity(event["condition"]), event.get("about", "")
        if by > 0:
            return state_changes.add_condition(state, unit, entity, by, about)
        return state_changes.remove_condition(state, unit, entity, -by, about or None)[0]
    if event["do"] == "change" and "holding" not in event:
        return state_changes.change_resource(state, unit, event["value"], by)[0]
    if event["do"] == "carry":
        holding = state.holding(event["holding"])
        assert holding is not None
        for _piece in range(abs(by)):
            state = (gear.wear if by > 0 else gear.take_off)(state, holding)
    return state


def _with_room(state: State, event: Mapping[str, Any]) -> State:
    """Return the state without what is worn where the item of a tracker's event would be."""
    holding = state.holding(event.get("holding", ""))
    for place in () if holding is None else gear.wear_places(state, holding):
        for worn in gear.worn_at(state, place):
            state = gear.take_off(state, worn)
    return state


def _transitions(old: Sequence[str], new: Sequence[str]) -> str:
    """Return the numbers of a roll that are different, each before and after."""
    if len(old) != len(new):
        return _("not available")
    pairs = zip(old, new, strict=True)
    return ", ".join(
        dict.fromkeys(f"{one} {ARROW} {other}" for one, other in pairs if one != other)
    )
