"""The actions, capacities and attacks of an entity as a sheet shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from charforge.character import play_state
from charforge.character.holdings import fill_attack, total_capacity
from charforge.character.requirements import is_met
from charforge.character.state import Holding, State
from charforge.describe.entities import NOT_CHOSEN, HeldEntity, cooldown_text, formula_text
from charforge.expressions.formula import Formula
from charforge.expressions.template import MINUS, NO_BREAK
from charforge.procedures import abilities, run
from charforge.rules.models import Action, Attack, Capacity, Requirement
from charforge.rules.ruleset import matches
from charforge.sheet import view

MEASURE = re.compile(r"(?<=\d)(?=[a-z]+$)")  # between number and unit in ``50m``


def actions(held: HeldEntity) -> tuple[view.SheetAction, ...]:
    """Return the actions of an entity."""
    timings = {timing.id: timing.label for timing in held.state.ruleset.head.timings}
    return tuple(
        view.SheetAction(
            name=action.name,
            timing=action.timing,
            label=timings[action.timing],
            chips=tuple(_chips(action, held)),
            trigger=held.prose(action.trigger[:1].upper() + action.trigger[1:]),
            who=held.line(action.who),
            text=held.prose(action.text),
            unmet=held.unmet(action.requires),
        )
        for action in held.entity.actions
    )


def _chips(action: Action, held: HeldEntity) -> Iterator[view.Chip]:
    if action.limit:
        yield view.Chip("limit", held.line(action.limit[:1].upper() + action.limit[1:]))
    if action.cooldown:
        place = (held.holding_id, play_state.action_key(held.entity, action))
        ticked = place in held.state.cooldowns
        yield view.Chip("cooldown", cooldown_text(action.cooldown), box=True, ticked=ticked)
    for text in _costs(action.cost, held):
        yield view.Chip("cost", text)


def _costs(cost: dict[str, Any], held: HeldEntity) -> Iterator[str]:
    """Yield each cost in words: ``1 Energy``, ``Ammo −3`` for a capacity; never 0."""
    labels = {capacity.id: capacity.label for capacity in held.entity.capacities}
    for name, amount in cost.items():
        number = held.number(amount.text if isinstance(amount, Formula) else amount)
        if name in labels:
            yield f"{labels[name]}{NO_BREAK}{MINUS}{number}"
        elif number:
            yield f"{number}{NO_BREAK}{held.state.ruleset.values[name].label}"


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
        shown.append(
            view.SheetCapacity(capacity.label, most, pieces, tuple(used) if any(used) else ())
        )
    return tuple(shown)


def _used(state: State, holding: Holding, capacity: Capacity) -> Iterator[int]:
    """Yield the amount that each piece of a holding has used; the first is used up first."""
    full = total_capacity(state, holding, capacity)
    used = full - min(max(play_state.capacity_left(state, holding, capacity), 0), full)
    most = full // holding.quantity
    for piece in range(holding.quantity):
        yield min(max(used - piece * most, 0), most)


def attack_lines(
    held: HeldEntity, facts: tuple[str, ...], capacities: tuple[view.SheetCapacity, ...]
) -> Iterator[view.AttackLine]:
    """Yield a line for each attack of an entity; the first has ``facts`` and ``capacities``."""
    same_bearer = False
    for attack in held.entity.attacks:
        if not _exists(attack.requires, held):
            continue
        attack = fill_attack(held.state, held.holding, held.unit, attack)
        yield view.AttackLine(
            bearer=held.name(),
            mode=attack.name,
            same_bearer=same_bearer,
            notes=() if same_bearer else (*facts, *_training(held)),
            range=_printed_range(attack.range),
            roll=_signed(_bonus(attack, held)),
            versus=held.state.ruleset.values[attack.defence].label,
            made_of=_made_of(attack, held),
            damage=_damage(attack, held),
            types=_types(attack, held),
            extras=tuple(_extras(attack, held)),
            text=held.prose(attack.text),
            capacities=() if same_bearer else capacities,
            unmet=held.unmet(attack.requires),
        )
        same_bearer = True


def _exists(clause: Requirement | None, held: HeldEntity) -> bool:
    """Whether an entity has an attack at all, which its choices may decide."""
    if clause is None:
        return True
    if clause.all is not None:
        return all(_exists(part, held) for part in clause.all)
    return clause.choice is None or is_met(clause, held.applicant())


def _trained_bonus(held: HeldEntity) -> tuple[int, str]:
    """Return what Training adds to the roll, and its label."""
    rules = held.state.ruleset.head.attack_roll
    return (rules.trained, rules.trained_label) if rules and held.trained else (0, "")


def _bonus(attack: Attack, held: HeldEntity) -> int:
    bonus = held.number(attack.bonus.text)
    return held.number(attack.hit) + bonus + _trained_bonus(held)[0]


def attack_steps(held: HeldEntity) -> Iterator[view.AttackSteps]:
    """Yield the roll and the damage of each attack of an entity, step by step."""
    ruleset = held.state.ruleset
    for attack in held.entity.attacks:
        if not _exists(attack.requires, held):
            continue
        attack = fill_attack(held.state, held.holding, held.unit, attack)
        fixed = not isinstance(attack.hit, str)
        label = "Fixed" if fixed else ruleset.values[str(attack.hit)].label
        steps = [(str(held.number(attack.hit)), label)]
        bonus = held.number(attack.bonus.text)
        if bonus:
            steps.append((_signed(bonus), formula_text(attack.bonus.text, ruleset)))
        trained = _trained_bonus(held)[0]
        steps += [(_signed(trained), label) for label in _training(held)]
        damage = formula_text(str(attack.damage), ruleset)
        if attack.shots is not None:
            damage += f" × {formula_text(str(attack.shots), ruleset)} shots"
        yield view.AttackSteps(
            attack.name or (held.holding.name if held.holding else held.entity.name),
            f"{_signed(_bonus(attack, held))} against {ruleset.values[attack.defence].label}",
            tuple(steps),
            f"{_damage(attack, held)} {_types(attack, held)}".replace(NO_BREAK, " ").strip(),
            damage,
            tuple(_situations(attack, held, "roll")),
            (*_crit(attack, held), *_situations(attack, held, "damage")),
        )


def _situations(attack: Attack, held: HeldEntity, part: str) -> Iterator[tuple[str, str]]:
    """Yield what can change the roll or the damage of an attack in some situations, and when."""
    state, rules = held.state, held.state.ruleset.head.attack_roll
    if rules is None or state.ruleset.head.play.attack is None:
        return
    ability = abilities.attack_ability(held.unit, held.entity, held.holding, attack)
    inputs, _steps = abilities.ability_inputs(state, ability)
    supplied = abilities.supplied_inputs(state, ability)
    unit = abilities.acting_unit(state, ability)
    for situation in rules.situations:
        if situation.part == part and run.condition_holds(
            state, unit, situation.when, inputs, supplied
        ):
            yield held.line(situation.amount), held.line(situation.text)


def _crit(attack: Attack, held: HeldEntity) -> Iterator[tuple[str, str]]:
    """Yield what the Crit of an attack adds, and what it needs."""
    if attack.crit is not None:
        reasons = "".join(f"; {reason}" for reason in held.unmet(attack.crit.requires))
        label = f"Crit: the roll beats the target's by {attack.crit.margin} or more"
        yield held.line(attack.crit.effect), label + reasons


def _made_of(attack: Attack, held: HeldEntity) -> str:
    number = held.number(attack.hit)
    if isinstance(attack.hit, str):
        parts = [f"{held.state.ruleset.values[attack.hit].label}{NO_BREAK}{number}"]
    else:
        parts = [f"Fixed{NO_BREAK}{number}"]
    amount, label = _trained_bonus(held)
    if amount:
        parts.append(f"{label}{NO_BREAK}{amount}")
    bonus = held.number(attack.bonus.text)
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
        yield f"no {rules.trained_label}"


def _damage(attack: Attack, held: HeldEntity) -> str:
    """Return the damage and the number of shots: ``3 × 4 shots``.

    A line may break after the sign and before the word: in large print it has to.
    """
    damage = held.amount(attack.damage)
    if attack.shots is None:
        return damage
    shots = held.amount(attack.shots)
    if "d" in shots:
        shots = f"({shots})"
    return f"{damage}{NO_BREAK}× {shots} shots"


def _types(attack: Attack, held: HeldEntity) -> str:
    """Return the names of the damage types: the chosen one, or those to choose from each time."""
    ruleset, names = held.state.ruleset, []
    choices = {f"${question.id}": question for question in held.entity.choices}
    for name in attack.type:
        if name in choices:
            answer = held.answer(choices[name])
            names.append(ruleset.answer_label(choices[name], answer) if answer else NOT_CHOSEN)
        else:
            term = ruleset.term(name)
            names.append(term.label if term else name)
    return " or ".join(names)


def _extras(attack: Attack, held: HeldEntity) -> Iterator[str]:
    """Yield the other properties of an attack: who makes it, its cost, Crit, Spread."""
    if attack.who:
        yield attack.who
    yield from _costs(attack.cost, held)
    if attack.crit is not None:
        effect = held.line(attack.crit.effect)
        reasons = "; ".join(held.unmet(attack.crit.requires))
        yield f"Crit {attack.crit.margin}: {effect}" + (f" ({reasons})" if reasons else "")
    if attack.spread is not None:
        yield f"Spread {attack.spread}"


def _signed(amount: int) -> str:
    return f"{MINUS}{-amount}" if amount < 0 else f"+{amount}"


def _printed_range(text: str) -> str:
    """Return a range as printed: ``50m`` becomes ``50 m``, with a space that never breaks."""
    return MEASURE.sub(NO_BREAK, text)
