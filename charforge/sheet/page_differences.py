"""Differences from what a page to play from says, for every value that its trackers can have.

A page has the numbers of the time when it was made. For every condition, box and value that can
change on it, this says which of its figures and rolls are then others, so that nothing on the page
is silently out of date. They are what the program calculates for the same change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from charforge.character import gear, state_changes
from charforge.character.state import CHARACTER, State
from charforge.character.state_data import names_of
from charforge.describe.differences import ARROW, difference_lines, state_differences
from charforge.errors import RuleRefusal
from charforge.expressions.template import plain_text, true_minus
from charforge.language import _
from charforge.odds.solver import Reads, reads_of
from charforge.replay.replay import Character
from charforge.sheet import values
from charforge.sheet.attacks import attack_numbers, weapon_name
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


class PageNumbers:
    """The numbers of a page, to compare it with other states of its character."""

    def __init__(self, character: Character) -> None:
        self.character = character
        self.rolls = _rolls(character)
        self.figures = _printed_figures(character)
        self.facts = _facts(character.state)
        self.weapons = _attack_rolls(PlacedHoldings(character))[0].keys()
        rolled = _read_by_rolls(character.state)
        self.rolled = rolled.names
        self.reads = _reads(character.state) | rolled

    def can_change(self, event: Mapping[str, Any]) -> bool:
        """Return whether something else on the page depends on the tracker of an event."""
        ruleset, kind = self.character.state.ruleset, str(event["do"])
        if kind == "condition":
            entity = ruleset.entity(event["condition"])
            return bool(entity.modifies) or not self.reads.words.isdisjoint(names_of(entity))
        if kind == "change":
            return "holding" not in event and str(event["value"]) in self.reads.names
        return kind == "carry"

    def changes(
        self, event: Mapping[str, Any], values: Iterable[int], start: int
    ) -> dict[int, PageDifference]:
        """Return what each value of a tracker makes different; ``start`` is the present one.

        ``event`` has the fields of its event. A value that makes nothing different is left out.
        """
        found = {value: self._change(event, value - start) for value in values if value != start}
        return {value: change for value, change in found.items() if change is not None}

    def together(self, events: Iterable[tuple[Mapping[str, Any], int]]) -> PageDifference | None:
        """Return what the events of several conditions make different; None if nothing."""
        before = after = self.character.state
        conditions = set()
        for event, by in events:
            conditions.add(str(event["condition"]))
            try:
                after = changed_state(after, event, by)
            except RuleRefusal:
                return None
        texts = [
            *difference_lines(
                (one for one in state_differences(before, after) if one.topic == "value"),
                after.ruleset,
            ),
            *self._changed_facts(after),
            *_conditions(before, after, conditions),
        ]
        return self._difference(after, texts)

    def _change(self, event: Mapping[str, Any], by: int) -> PageDifference | None:
        """Return what the event of a tracker makes different; None if nothing."""
        before = self.character.state
        try:
            after = changed_state(before, event, by)
        except RuleRefusal:
            # What is worn there already has to be taken off first, which is a change by itself.
            room = _with_room(before, event)
            if room is before:
                return None
            return PageNumbers(replace(self.character, state=room))._change(event, by)
        if after is before:
            return None
        texts = [
            *_figures(before, after, event),
            *self._changed_facts(after),
            *_conditions(before, after, {event.get("condition")}),
        ]
        if not texts and event.get("value") not in self.rolled and event["do"] == "change":
            return None
        return self._difference(after, texts)

    def _changed_facts(self, after: State) -> Iterator[str]:
        """Yield the facts of a fight that are different and no values: ``Move 10 m → 1 m``."""
        facts = _facts(after)
        for unit in self.character.state.units:
            new = facts[unit.id]
            for label, text in self.facts[unit.id].items():
                if new.get(label, text) != text:
                    yield f"{_prefix(unit.name)}{label} {text} {ARROW} {new[label]}"

    def _difference(self, after: State, texts: Sequence[str]) -> PageDifference | None:
        """Return these texts with the rolls and figures that are different; None if nothing is."""
        changed_character = replace(self.character, state=after)
        rolls, printed = _rolls(changed_character), _printed_figures(changed_character)
        figures = {
            roll_key(*key): printed[key]
            for key, text in self.figures.items()
            if printed.get(key, text) != text
        }
        changed = {
            key: _transitions(numbers, rolls.get(key, ()))
            for key, numbers in self.rolls.items()
            if rolls.get(key) != numbers
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


def _reads(state: State) -> Reads:
    """Return the names and words that everything on a page can read."""
    ruleset, head = state.ruleset, state.ruleset.head
    entities = [
        (one.modifies, one.active_when, one.figures, one.choices)
        for one in ruleset.entities.values()
    ]
    units = [unit.type for unit in state.units]
    return reads_of(ruleset, (entities, units, head.tracks, state.chosen_options))


def _read_by_rolls(state: State) -> Reads:
    """Return what rolls read by themselves, and not through another value."""
    attacks = [entity.attacks for entity in state.ruleset.entities.values()]
    head = state.ruleset.head
    return reads_of(state.ruleset, (attacks, head.sheet, head.attack_roll))


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


def _figures(before: State, after: State, event: Mapping[str, Any]) -> Sequence[str]:
    """Return the other figures that are different, in words."""
    others = (
        one
        for one in state_differences(before, after)
        if one.topic == "value" and one.id != event.get("value")  # units may share it
    )
    return difference_lines(others, after.ruleset)


def _facts(state: State) -> dict[str, dict[str, str]]:
    """Return the facts of a fight that are no values, by unit and label."""
    return {
        unit.id: {
            fact.label: fact.text for fact in values.combat(state.values(unit.id)) if not fact.value
        }
        for unit in state.units
    }


def _conditions(before: State, after: State, own: Collection[str | None]) -> Iterator[str]:
    """Yield the rules of own conditions that begin, and the other conditions that begin or end."""
    for unit in before.units:
        prefix = _prefix(unit.name)
        old, new = (
            {one.id: one for one in shown_conditions(active_conditions(state, unit.id))}
            for state in (before, after)
        )
        for name in (one for one in new if one not in old):
            rule = plain_text(new[name].effect)
            if name in own:
                yield from filter(None, [rule])
            else:
                yield f"{prefix}{new[name].text}" + (f": {rule}" if rule else "")
        for name in (one for one in old if one not in {*new, *own}):
            yield prefix + _("{condition} ends").format(condition=old[name].text)


def _printed_figures(character: Character) -> dict[tuple[str, str], str]:
    """Return the figures of a page that change with others, by companion and place.

    A place is what it is and its name, as the templates have it: ``score|Agility``. What a tracker
    of its own shows is not among them.
    """
    found: dict[tuple[str, str], str] = {}
    placed = PlacedHoldings(character)
    for unit in placed.state.units:
        numbers, name = placed.state.values(unit.id), unit.name
        for score in values.attributes(numbers, ()):
            number = score.printed(score.total if score.full is None else score.full)
            found[name, f"score|{score.name}"] = f"{number}{score.aside}"
        for vital in values.vitals(numbers):
            if vital.max is not None:
                most = true_minus(str(vital.max))
                found[name, f"maximum|{vital.label}"] = f"{most}{vital.unit}"
        for fact in (*values.combat(numbers), *values.figures(numbers)):
            found.setdefault((name, f"fact|{fact.label}"), fact.text)
    for listed in lists(placed, placed.state.values()):
        for row in listed.rows:
            found["", f"row|{row.name}"] = " ".join(cell.text for cell in row.cells)
    return found


def _transitions(old: Sequence[str], new: Sequence[str]) -> str:
    """Return the numbers of a roll that are different, each before and after."""
    if len(old) != len(new):
        return _("not available")
    pairs = zip(old, new, strict=True)
    return ", ".join(
        dict.fromkeys(f"{one} {ARROW} {other}" for one, other in pairs if one != other)
    )


def _rolls(character: Character) -> RollTexts:
    """Return the numbers of everything that the buttons of a page roll."""
    placed = PlacedHoldings(character)
    weapons, modes = _attack_rolls(placed)
    found = {**modes, **weapons}
    for unit in placed.state.units:
        numbers, name = placed.state.values(unit.id), unit.name
        for score in values.attributes(numbers, ()):
            if score.check is not None:
                found[name, score.name] = (score.check.number_text,)
        for fact in values.combat(numbers):
            if fact.check is not None:
                found[name, fact.label] = (fact.text,)
        for pool in values.pools(numbers):
            found[name, pool.label] = (pool_dice_text(pool.dice),)
    for listed in lists(placed, placed.state.values()):
        for row in listed.rows:
            rolled = [pool_dice_text(cell.dice) for cell in row.cells if cell.dice]
            if row.check is not None:
                rolled.append(row.check.number_text)
            if rolled:
                found["", row.name] = tuple(rolled)
    return found


def _attack_rolls(placed: PlacedHoldings) -> tuple[RollTexts, RollTexts]:
    """Return the rolls and the damage of weapons, and those of modes.

    A mode that several weapons have is on a page once.
    """
    weapons, modes = RollTexts(), RollTexts()
    for unit in placed.state.units:
        for stack in placed.armed(unit.id):
            weapon, attacks = weapon_name(stack.held), [*attack_numbers(stack.held)]
            weapons[unit.name, weapon] = tuple(attack.roll for attack in attacks)
            weapons[unit.name, weapon + DAMAGE] = tuple(attack.damage for attack in attacks)
            for mode, roll, damage in attacks:
                for name, number in ((mode, roll), (mode + DAMAGE, damage)):
                    if mode:
                        modes[unit.name, name] = (*modes.get((unit.name, name), ()), number)
    return weapons, modes
