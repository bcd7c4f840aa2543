"""Attacks, actions and capacities of an entity as a sheet shows them.

A weapon is one row: what all of its modes have in common, then what differs
from mode to mode.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import gcd
from typing import NamedTuple

from charforge.character import state_changes
from charforge.character.holdings import (
    NOT_CHOSEN,
    attack_changes,
    damage_dice,
    fill_attack,
    total_capacity,
)
from charforge.character.requirements import is_chosen
from charforge.character.state import Holding, State
from charforge.describe.entities import results_of, trigger_text
from charforge.describe.formulas import CountText, FormulaWords, formula_text, hit_damage
from charforge.describe.held_entities import HeldEntity
from charforge.expressions.template import (
    MINUS,
    NO_BREAK,
    number_text,
    parse_figure,
    range_text,
    signed_amount,
    signed_number,
)
from charforge.language import _, dice_notation
from charforge.procedures import abilities, run
from charforge.rules.models import Action, Attack, Capacity, RollWay, Term
from charforge.rules.ruleset import matches
from charforge.sheet import view
from charforge.sheet.values import way_check


def weapon(
    held: HeldEntity, facts: tuple[str, ...], capacities: tuple[view.SheetCapacity, ...]
) -> view.Weapon | None:
    """Return an entity with its attacks as a weapon; None without attacks."""
    countable = {capacity.label for capacity in capacities}
    modes = [_mode(attack, held, countable) for attack in _attacks(held)]
    if not modes:
        return None
    trained = [note for note in _training(held) if any(note not in m.made_of for m in modes)]
    shared, modes = _shared(modes)
    return view.Weapon(
        name=weapon_name(held),
        notes=(*facts, *trained),
        capacities=capacities,
        modes=tuple(modes),
        shared=shared,
    )


def weapon_name(held: HeldEntity) -> str:
    """Return the name of an entity with attacks, without its damage type; empty without any."""
    typed = {name[1:] for attack in held.entity.attacks for name in attack.type}
    return held.name(leave_out=typed) if held.entity.attacks else ""


def _mode(attack: Attack, held: HeldEntity, countable: Iterable[str]) -> view.AttackMode:
    """Return an attack; ``countable`` are the labels of capacities that have boxes."""
    rolled = attack.hit is not None
    check = _check(attack, held)
    damage = _damage(attack, held)
    terms = _type_terms(attack, held)
    single = [f"{label}{NO_BREAK}{MINUS}1" for label in countable]
    return view.AttackMode(
        name=attack.name,
        range=range_text(attack.range),
        roll=_roll_text(attack, held),
        versus=held.state.ruleset.values[attack.defence].label if attack.defence else "",
        made_of=_made_of(attack, held) if rolled else "",
        damage=damage.text,
        damage_note=damage.note,
        types=_types(attack, held),
        icons=tuple(term.icon for term in terms if term.icon),
        extras=tuple(extra for extra in held.attack_extras(attack) if extra not in single),
        text=view.RulesText(held.prose(attack.text), held.prose(attack.digest)),
        unmet=held.required(attack.requires),
        roll_dice=check.dice if check is not None else "",
        roll_bonus=check.bonus if check is not None else 0,
        damage_dice=damage.dice,
        roll_against=check.against if check is not None else "",
        roll_counts=check.counts if check is not None else (),
    )


def _way_to_roll(attack: Attack, held: HeldEntity) -> RollWay | None:
    """Return the way in which an attack is rolled: that of all attacks, or else of its score."""
    ruleset = held.state.ruleset
    rules = ruleset.head.attack_roll
    if rules is not None:
        return ruleset.ways_to_roll.get(rules.roll or "")
    hit = attack.hit
    return ruleset.way_to_roll(ruleset.rolled_value(hit)) if isinstance(hit, str) else None


def _roll_text(attack: Attack, held: HeldEntity) -> str:
    """Return what an attack rolls: ``+8``, ``64 %, hard 32 %``, ``6 dice``; empty for nothing."""
    if attack.hit is None:
        return ""
    way, bonus = _way_to_roll(attack, held), _bonus(attack, held)
    return signed_number(bonus) if way is None else way.text(bonus)


def _check(attack: Attack, held: HeldEntity) -> view.Check | None:
    """Return the roll of an attack for a program; None if nothing is rolled or known of it."""
    if attack.hit is None:
        return None
    rules, way = held.state.ruleset.head.attack_roll, _way_to_roll(attack, held)
    if way is not None:
        return way_check(way, _bonus(attack, held))
    return None if rules is None else view.Check(rules.dice, _bonus(attack, held))


def _shared(modes: Sequence[view.AttackMode]) -> tuple[view.AttackMode, list[view.AttackMode]]:
    """Return what all modes have in common, and each mode without it.

    A single mode is common; modes that differ only in range are one.
    """
    first = modes[0]
    nothing = view.AttackMode()
    if len(modes) == 1:
        return first, []
    common = [extra for extra in first.extras if all(extra in mode.extras for mode in modes)]
    rest = [
        mode._replace(extras=tuple(extra for extra in mode.extras if extra not in common))
        for mode in modes
    ]
    shared = nothing._replace(extras=tuple(common))
    for fields in view.SHARED_FIELDS:
        values = {name: getattr(first, name) for name in fields}
        if all(getattr(mode, name) == values[name] for mode in modes for name in fields):
            empty = {name: getattr(nothing, name) for name in fields}
            shared = shared._replace(**values)
            rest = [mode._replace(**empty) for mode in rest]
    if all(mode == nothing._replace(range=mode.range) for mode in rest):
        return shared._replace(range=", ".join(mode.range for mode in rest)), []
    return shared, rest


class Damage(NamedTuple):
    """The damage of a hit: its ``text``, a ``note`` about Shots, and an expression to roll."""

    text: str
    note: str
    dice: str


def _damage(attack: Attack, held: HeldEntity) -> Damage:
    """Return the damage of a hit as something to roll: all Shots together.

    Shots multiply the damage of one (``keyword/shots``): so many dice are rolled once.
    """
    added = sum(_amounts(_changes(attack, held, "damage")))
    gained = tuple(dice for dice, _source in _damage_dice(attack, held))
    one = _Amount.of(attack.damage, held, added, gained)
    if attack.shots is None:
        return Damage(one.text, "", one.expression)
    shots = _Amount.of(attack.shots, held)
    text, note = hit_damage(one.words, shots.words)
    if one.dice or (one.number != 1 and shots.dice):
        return Damage(text, note, f"({shots.expression})*({one.expression})")
    return Damage(text, note, shots.expression if one.number == 1 else text)


class _Amount(NamedTuple):
    """Dice and a number, with the present figures of a character."""

    dice: tuple[str, ...]
    number: int

    @classmethod
    def of(
        cls, amount: int | str, held: HeldEntity, added: int = 0, gained: tuple[str, ...] = ()
    ) -> _Amount:
        """Return the dice and the number of an amount of an attack, with what is added to it."""
        figure = parse_figure(str(amount))
        return cls((*figure.dice, *gained), held.evaluate(figure.formula) + added)

    @property
    def text(self) -> str:
        """The amount as printed: ``1d6 + 8``."""
        return signed_amount(self.dice, self.number)

    @property
    def words(self) -> CountText:
        """The amount in words, with its number if it has no dice."""
        return CountText(self.text, None if self.dice else self.number)

    @property
    def expression(self) -> str:
        """The amount as a program reads it: ``1d6+8``."""
        if not self.dice:
            return str(self.number)
        return "+".join(self.dice) + (f"{self.number:+d}" if self.number else "")


def _attacks(held: HeldEntity) -> Iterator[Attack]:
    """Yield the attacks that an entity has with its choices, filled in with their answers."""
    for attack in held.entity.attacks:
        if is_chosen(attack.requires, held.applicant()):
            yield fill_attack(held.state, held.holding, held.unit, attack)


def _type_terms(attack: Attack, held: HeldEntity) -> Iterator[Term]:
    """Yield the damage types of an attack, or the chosen ones."""
    ruleset = held.state.ruleset
    choices = {f"${question.id}": question for question in held.entity.choices}
    for name in attack.type:
        answer = held.answer(choices[name]) if name in choices else name
        for part in answer if isinstance(answer, list | tuple) else (answer,):
            term = ruleset.term(str(part))
            if term is not None:
                yield term


class AttackNumbers(NamedTuple):
    """The name of an attack, empty if it has none; its roll and damage as its sheet prints them."""

    name: str
    roll: str
    damage: str


def attack_numbers(held: HeldEntity) -> Iterator[AttackNumbers]:
    """Yield the numbers of each attack of an entity."""
    for attack in _attacks(held):
        yield AttackNumbers(attack.name, _roll_text(attack, held), _damage(attack, held).text)


def attack_summary(attack: Attack, held: HeldEntity) -> str:
    """Return range, roll and damage of an attack in a few words: ``30 m, +8 vs STR, 12 Heat``."""
    mode = _mode(attack, held, ())
    roll = mode.roll_line if held.state.ruleset.head.play.attack else ""
    note = f"({mode.damage_note})" if mode.damage_note else ""
    damage = " ".join(f"{mode.damage} {note} {mode.types}".split())
    return ", ".join(filter(None, (mode.range.replace(NO_BREAK, " "), roll, damage)))


def _changes(attack: Attack, held: HeldEntity, part: str) -> tuple[tuple[int, str], ...]:
    """Return what modifiers add to the roll or the damage of an attack, with their sources."""
    return attack_changes(held.state, held.holding, held.unit, held.entity, attack, part)


def _damage_dice(attack: Attack, held: HeldEntity) -> tuple[tuple[str, str], ...]:
    """Return the dice that modifiers add to the damage of an attack, with their sources."""
    return damage_dice(held.state, held.holding, held.unit, held.entity, attack)


def _source_name(source: str, held: HeldEntity) -> str:
    """Return the name of what adds to an attack: an entity, the step of a track, or a choice."""
    ruleset = held.state.ruleset
    if source in ruleset.track_steps:
        return ruleset.track_steps[source][1].label
    return ruleset.name_of(source) or ruleset.decision_label(source)


def _amounts(changes: Iterable[tuple[int, str]]) -> Iterator[int]:
    return (amount for amount, _source in changes)


def _trained_bonus(held: HeldEntity) -> tuple[int, str]:
    """Return what Training adds to the roll, and its label."""
    rules = held.state.ruleset.head.attack_roll
    return (rules.trained, rules.trained_label) if rules and held.trained else (0, "")


def _hit(attack: Attack, held: HeldEntity) -> int:
    """Return the number that an attack is rolled with: of a score what is rolled for it."""
    ruleset, hit = held.state.ruleset, attack.hit or 0
    return held.number(ruleset.rolled_value(hit) if isinstance(hit, str) else hit)


def _bonus(attack: Attack, held: HeldEntity) -> int:
    """Return what is added to the dice of an attack; 0 if none are rolled."""
    if attack.hit is None:
        return 0
    return _hit(attack, held) + _own_bonus(attack, held) + _trained_bonus(held)[0]


def _own_bonus(attack: Attack, held: HeldEntity) -> int:
    """Return the bonus of an attack, with what modifiers add to it."""
    return held.number(attack.bonus.text) + sum(_amounts(_changes(attack, held, "roll")))


def attack_steps(held: HeldEntity) -> Iterator[view.AttackSteps]:
    """Yield the roll and the damage of each attack of an entity, step by step.

    Attacks that differ only in range are one. Others of one name have their ranges after it, as in
    the name by which they are used.
    """
    ranges: dict[view.AttackSteps, list[str]] = {}
    for attack in _attacks(held):
        ranges.setdefault(_steps_of(attack, held), []).append(attack.range)
    names = Counter(steps.name for steps in ranges)
    for steps, at in ranges.items():
        named = ": ".join(filter(None, (steps.name, ", ".join(filter(None, at)))))
        yield steps if names[steps.name] == 1 else steps._replace(name=named)


def _steps_of(attack: Attack, held: HeldEntity) -> view.AttackSteps:
    """Return the roll and the damage of an attack, step by step."""
    ruleset = held.state.ruleset
    roll = _roll_text(attack, held)
    against = (
        _(" against {label}").format(label=ruleset.values[attack.defence].label)
        if attack.defence
        else ""
    )
    damage = f"{_damage(attack, held).text} {_types(attack, held)}"
    return view.AttackSteps(
        attack.name or (held.holding.name if held.holding else held.entity.name),
        roll + against,
        tuple(_roll_steps(attack, held)),
        damage.replace(NO_BREAK, " ").strip(),
        _damage_formula(attack, held).replace(NO_BREAK, " "),
        tuple(_situations(attack, held, "roll")),
        (*_crit(attack, held), *_situations(attack, held, "damage")),
    )


def _damage_formula(attack: Attack, held: HeldEntity) -> str:
    """Return the damage of a hit as a formula with labels; Shots are written as on sheets."""
    words = FormulaWords(None, held.state.ruleset)
    one = words.count(attack.damage)
    added = "".join(
        f" + {dice_notation(dice)} {_source_name(source, held)}"
        for dice, source in _damage_dice(attack, held)
    )
    for amount, source in _changes(attack, held, "damage"):
        sign = MINUS if amount < 0 else "+"
        added += f" {sign} {abs(amount)} {_source_name(source, held)}"
    if added:
        one = CountText(one.text + added, None)
    if attack.shots is None:
        return one.text
    text, note = hit_damage(one, words.count(attack.shots))
    if not note:
        return text
    return note if text == _damage(attack, held).text else f"{text} ({note})"


def _roll_steps(attack: Attack, held: HeldEntity) -> Iterator[tuple[str, str]]:
    """Yield what is added to the dice of an attack, with where it comes from."""
    if attack.hit is None:
        return
    ruleset, fixed = held.state.ruleset, not isinstance(attack.hit, str)
    yield (
        number_text(_hit(attack, held)),
        _("Fixed") if fixed else ruleset.values[str(attack.hit)].label,
    )
    bonus = held.number(attack.bonus.text)
    if bonus:
        formula = _("attack bonus")
        if attack.bonus.constant is None:
            formula = formula_text(attack.bonus.text, ruleset)
        yield signed_number(bonus), formula
    for amount, source in _changes(attack, held, "roll"):
        yield signed_number(amount), _source_name(source, held)
    trained = _trained_bonus(held)[0]
    yield from ((signed_number(trained), label) for label in _training(held))


def _situations(attack: Attack, held: HeldEntity, part: str) -> Iterator[tuple[str, str]]:
    """Yield what can change the roll or the damage of an attack in some situations, and when."""
    state, rules = held.state, held.state.ruleset.head.attack_roll
    if rules is None or state.ruleset.head.play.attack is None:
        return
    ability = abilities.attack_ability(held.unit, held.entity, held.holding, attack)
    inputs, _steps = abilities.ability_inputs(state, ability)
    supplied = abilities.supplied_inputs(state, ability)
    acting = replace(held, unit=abilities.acting_unit(state, ability))
    for situation in rules.situations:
        of = held if situation.of == "bearer" else acting
        if situation.part == part and run.condition_holds(
            state, of.unit, situation.when, inputs, supplied
        ):
            yield of.line(situation.amount), of.line(situation.text)


def _crit(attack: Attack, held: HeldEntity) -> Iterator[tuple[str, str]]:
    """Yield what the Crit of an attack adds, and what it needs."""
    if attack.crit is not None:
        reasons = "".join(f"; {reason}" for reason in held.required(attack.crit.requires))
        label = _("Crit: the roll beats the target's by {margin} or more").format(
            margin=attack.crit.margin
        )
        yield held.line(attack.crit.effect), label + reasons


def _made_of(attack: Attack, held: HeldEntity) -> str:
    """Return the parts of what is added to the dice of an attack."""
    number = number_text(_hit(attack, held))
    if isinstance(attack.hit, str):
        parts = [f"{held.state.ruleset.values[attack.hit].label}{NO_BREAK}{number}"]
    else:
        parts = [_("Fixed{no_break}{number}").format(no_break=NO_BREAK, number=number)]
    amount, label = _trained_bonus(held)
    if amount:
        parts.append(f"{label}{NO_BREAK}{amount}")
    bonus = _own_bonus(attack, held)
    text = " + ".join([parts[0], *([str(bonus)] if bonus > 0 else []), *parts[1:]])
    return f"{text} {MINUS} {-bonus}" if bonus < 0 else text


def _training(held: HeldEntity) -> Iterator[str]:
    """Yield whether the character has Training with it, if there is Training for it."""
    ruleset = held.state.ruleset
    rules = ruleset.head.attack_roll
    if rules is None or not rules.trained_label:
        return
    if held.trained:
        yield rules.trained_label
    elif any(e.covers and matches(e.covers, held.entity) for e in ruleset.entities.values()):
        yield _("no {trained}").format(trained=rules.trained_label)


def _types(attack: Attack, held: HeldEntity) -> str:
    """Return the names of the damage types: the chosen one, or those to choose from each time."""
    ruleset, names = held.state.ruleset, []
    choices = {f"${question.id}": question for question in held.entity.choices}
    for name in attack.type:
        if name in choices:
            answer = held.answer(choices[name])
            names.append(ruleset.answer_label(choices[name], answer) if answer else _(NOT_CHOSEN))
        else:
            term = ruleset.term(name)
            names.append(term.label if term else name)
    return _(" or ").join(names)


def actions(held: HeldEntity) -> tuple[view.SheetAction, ...]:
    """Return the actions of an entity."""
    timings = {timing.id: timing for timing in held.state.ruleset.head.timings}
    return tuple(
        view.SheetAction(
            name=action.name,
            timing=action.timing,
            label=timings[action.timing].label,
            chips=tuple(_chips(action, held)),
            trigger=held.prose(trigger_text(action)),
            who=held.line(action.who),
            text=view.RulesText(
                held.prose("\n\n".join((action.text, *results_of(action, held.state.ruleset)))),
                held.prose(action.digest),
            ),
            unmet=held.required(action.requires),
            statblock=timings[action.timing].statblock,
        )
        for action in held.entity.actions
    )


def held_text(held: HeldEntity) -> view.RulesText:
    """Return the text of an entity; it has no short one if the full one is all there is."""
    state, entity = held.state, held.entity
    has_digest = state.digest(entity) != state.text(entity)
    return view.RulesText(held.description(), held.digest() if has_digest else ())


def _chips(action: Action, held: HeldEntity) -> Iterator[view.Chip]:
    place = (held.holding_id, state_changes.action_key(held.entity, action))
    for kind, text in held.action_terms(action):
        if kind == "cooldown":
            ticked = place in held.state.cooldowns
            yield view.Chip(kind, text, True, ticked, view.tracker_key(*place))
        else:
            yield view.Chip(kind, text)
    if rolled := _rolled(action, held):
        yield view.Chip("roll", rolled)


def _rolled(action: Action, held: HeldEntity) -> str:
    """Return the values that the procedure of an action gets from it: ``Cool 2``."""
    state, values = held.state, held.state.values(held.unit)

    def number(name: str) -> str:
        way, total = state.ruleset.way_to_roll(name), values.total(name)
        return state.ruleset.values[name].number_text(total) if way is None else way.text(total)

    source = held.holding_id or held.entity.id
    ability = abilities.Ability(source, "", held.entity, held.holding, held.unit, action)
    given = abilities.supplied_inputs(state, ability)
    rolled = (given.get(one.id) for one in abilities.ability_inputs(state, ability)[0])
    return ", ".join(
        f"{state.ruleset.values[name].label}{NO_BREAK}{number(name)}"
        for name in rolled
        if isinstance(name, str) and name in values
    )


def capacities(
    held: HeldEntity, pieces: int, holding_ids: Iterable[str]
) -> tuple[view.SheetCapacity, ...]:
    """Return the capacities of an entity with the used amounts of its holdings.

    ``pieces`` is the number of items with each capacity, ``holding_ids`` are their holdings.
    """
    holdings = list(filter(None, map(held.state.holding, holding_ids)))
    shown = []
    for capacity in held.entity.capacities:
        used = [number for holding in holdings for number in _used(held.state, holding, capacity)]
        most = held.evaluate(capacity.max)
        keys = [
            view.tracker_key(holding.id, capacity.id)
            for holding in holdings
            for _piece in range(holding.quantity)
        ]
        shown.append(
            view.SheetCapacity(
                label=capacity.label,
                max=most,
                pieces=pieces,
                used=tuple(used) if any(used) else (),
                tracker_keys=tuple(keys),
                used_at_once=gcd(*_amounts_at_once(held, capacity)) or 1,
            )
        )
    return tuple(shown)


def _amounts_at_once(held: HeldEntity, capacity: Capacity) -> Iterator[int]:
    """Yield the amounts above 1 that attacks of an entity spend of a capacity."""
    for attack in _attacks(held):
        amount = attack.cost.get(capacity.id, 0)
        if amount > 1:
            yield amount


def _used(state: State, holding: Holding, capacity: Capacity) -> Iterator[int]:
    """Yield the amount that each piece of a holding has used; the first is used up first."""
    full = total_capacity(state, holding, capacity)
    used = full - min(max(state_changes.capacity_left(state, holding, capacity), 0), full)
    most = full // holding.quantity
    for piece in range(holding.quantity):
        yield min(max(used - piece * most, 0), most)
