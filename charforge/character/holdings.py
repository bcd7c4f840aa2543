"""Holdings: gaining and losing them, what they grant, and formulas with the holding's own numbers.

A skill or weapon that the player describes has formulas that read the answers of its own choices.
Those names stand for other formulas, a number or the value that was chosen; once they are replaced,
the formula is like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from charforge.character.modifiers import LocalFormulas, local_formulas
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.expressions.formula import Formula
from charforge.expressions.template import Figure, parse_figure, signed_amount, substitute
from charforge.rules.models import Attack, Capacity, Entity, Grant


def gain(
    state: State,
    entity: Entity,
    path: str,
    origin: str,
    unit: str = CHARACTER,
    quantity: int = 1,
    answers: Mapping[str, str | int] | None = None,
    granted_beyond: bool = False,
    note: str = "",
) -> State:
    """Return the state with ``entity`` held at ``path``, and all it grants.

    ``answers`` settle the entity's own choices in advance;
    ``granted_beyond`` marks a gift beyond the rules. What it replaces
    leaves; a path that is taken gets ``#2``, ``#3`` …
    """
    kind = state.ruleset.kinds[entity.kind]
    unit = state.holder(entity, unit)
    path = _free(state, path)
    for old in state.holdings if entity.replaces else ():
        if old.entity.id == entity.replaces and old.unit == unit:
            state = remove_holding(state, old)
    held = Holding(path, entity, unit, origin, state.level, quantity, granted_beyond, note)
    settled = {f"{path}.{name}": answer for name, answer in (answers or {}).items()}
    state = state.with_changes(
        holdings=(*state.holdings, held), answers={**state.answers, **settled}
    )
    if kind.unit is not None:
        made = Unit(path, state.ruleset.units[kind.unit], _unnamed(state, entity), entity, unit)
        state = state.with_changes(units=(*state.units, made))
    return add_grants(state, held, 1, state.level)


def remove_holding(state: State, gone: Holding) -> State:
    """Return the state without a holding, the effects of its choices, and its unit."""
    asked = {f"{gone.id}.{question.id}" for question in gone.entity.choices}
    return state.with_changes(
        in_hand={name: number for name, number in state.in_hand.items() if name != gone.id},
        cooldowns=tuple(pair for pair in state.cooldowns if pair[0] != gone.id),
        conditions=state.conditions.replace(
            {number: None for number, _condition in state.conditions.numbered_of(gone.id)}
        ),
        units=tuple(unit for unit in state.units if unit.id != gone.id),
        holdings=tuple(h for h in state.holdings if gone.id not in (h.id, h.unit)),
        chosen_options=tuple(c for c in state.chosen_options if gone.id not in (c.holding, c.unit)),
        fixed_modifiers=tuple(
            s for s in state.fixed_modifiers if s.unit != gone.id and s.source not in asked
        ),
    )


def remove_answer(state: State, decision: str, kept: Iterable[object] = ()) -> State:
    """Return the state without a decision's answer and everything the answer granted.

    ``decision`` is its id; entities in ``kept`` stay, with what they granted.
    """
    gone, stays, left = {decision}, set[str](), Counter(kept)
    for holding in state.holdings:
        mine = holding.origin == decision and left[holding.entity.id] > 0
        if mine or holding.origin in stays:
            left[holding.entity.id] -= mine
            stays |= _roots(holding)
        elif holding.origin in gone or holding.unit in gone:
            gone |= _roots(holding)
            if state.holding(holding.id) is not None:
                state = remove_holding(state, holding)
    return state.with_changes(
        chosen_options=tuple(c for c in state.chosen_options if c.decision != decision),
        fixed_modifiers=tuple(s for s in state.fixed_modifiers if s.source != decision),
        answers={name: a for name, a in state.answers.items() if name not in gone},
        roll_totals={name: n for name, n in state.roll_totals.items() if name not in gone},
    )


def rename_holding(state: State, holding: Holding, title: str) -> State:
    """Return the state with a new title for a holding and its unit."""
    named = replace(holding, title=" ".join(title.split()))
    units = tuple(
        replace(unit, name=named.name) if unit.id == holding.id else unit for unit in state.units
    )
    holdings = tuple(named if one.id == holding.id else one for one in state.holdings)
    return state.with_changes(units=units, holdings=holdings)


def _roots(holding: Holding) -> set[str]:
    """Return the possible origins of grants of a holding: itself and its choices."""
    return {holding.id, *(f"{holding.id}.{question.id}" for question in holding.entity.choices)}


def add_grants(state: State, holding: Holding, first: int, last: int) -> State:
    """Return the state with the grants of a holding from level ``first`` to ``last``."""
    for grant in holding.entity.grants:
        if first <= grant.level <= last:
            state = add_grant(state, grant, holding.id, state.bearer(holding))
    return state


def add_grant(
    state: State, grant: Grant, origin: str, unit: str = CHARACTER, path: str = ""
) -> State:
    """Return the state with one granted entity, if the condition of the grant holds now.

    An entity of a ``single`` kind is not granted twice. ``path`` is the id of
    the holding, by default that of the origin followed by the slug.
    """
    if grant.when is not None and not state.values(unit).holds(grant.when):
        return state
    entity = state.ruleset.entity(state.ruleset.canonical(grant.id))
    single = state.ruleset.kinds[entity.kind].single
    if single and not entity.repeatable and state.unit_has(state.holder(entity, unit), entity.id):
        return state
    return gain(
        state, entity, path or f"{origin}.{entity.slug}", origin, unit, grant.quantity, grant.with_
    )


def _unnamed(state: State, entity: Entity) -> str:
    """Return the default name of a unit: its entity's, numbered from the second on."""
    taken = {unit.name for unit in state.units}
    number, name = 1, entity.name
    while name in taken:
        number += 1
        name = f"{entity.name} {number}"
    return name


def _free(state: State, path: str) -> str:
    taken = {holding.id for holding in state.holdings}
    number, free = 1, path
    while free in taken:
        number += 1
        free = f"{path}#{number}"
    return free


# ------------------------------------------------- a holding's own numbers


def local_numbers(state: State, holding: Holding) -> dict[str, int]:
    """Return the current numbers of a holding: those of its choices and its figures."""
    values = state.values(state.bearer(holding))
    return {
        name: values.evaluate_now(stands) for name, stands in local_formulas(state, holding).items()
    }


def fill_attack(state: State, holding: Holding | None, unit: str, attack: Attack) -> Attack:
    """Return an attack with the answers of the holding's choices filled in.

    ``hit`` is then a value or a number.
    """
    known, hit = local_formulas(state, holding), attack.hit
    if not known and "{" not in attack.range and str(hit)[:1] != "$":
        return attack
    if isinstance(hit, str) and hit.startswith("$"):
        stands = known.get(hit[1:], Formula(0))
        hit = stands.text if stands.constant is None else stands.constant
    changed = {
        "hit": hit,
        "bonus": attack.bonus.with_variables(known),
        "damage": _amount(attack.damage, known),
        "shots": None if attack.shots is None else _amount(attack.shots, known),
        "range": _words(state, holding, unit, attack.range),
        "with_": {name: formula.with_variables(known) for name, formula in attack.with_.items()},
    }
    return attack.model_copy(update=changed)


def total_capacity(state: State, holding: Holding, capacity: Capacity) -> int:
    """Return the capacity of a holding, over all of its pieces."""
    values = state.values(state.bearer(holding))
    return (
        max(values.evaluate_now(capacity.max.with_variables(local_formulas(state, holding))), 0)
        * holding.quantity
    )


def _amount(text: int | str, known: LocalFormulas) -> int | str:
    """Fill known names into an amount of dice and a formula."""
    if isinstance(text, int):
        return text
    found = parse_figure(text)
    if not found.formula.names & known.keys():
        return text
    return " + ".join([*found.dice, f"({found.formula.with_variables(known)})"])


def _words(state: State, holding: Holding | None, unit: str, text: str) -> str:
    """Fill the figures of a text of a holding's entity."""
    known = local_formulas(state, holding)

    def say(found: Figure) -> str:
        if found.choice:
            return choice_label(state, holding, found.choice) or found.text
        return signed_amount(
            found.dice, state.values(unit).evaluate_now(found.formula.with_variables(known))
        )

    return substitute(text, say)


def holding_answers(state: State, holding: Holding) -> dict[str, Any]:
    """Return the answers of a holding's choices by choice id; for a roll its total."""
    named = {question.id: f"{holding.id}.{question.id}" for question in holding.entity.choices}
    known = {**state.answers, **state.roll_totals}
    return {choice: known[name] for choice, name in named.items() if name in known}


def choice_label(state: State, holding: Holding | None, choice: str) -> str:
    """Return the answer of a holding's choice in words; empty without an answer."""
    question = (
        next((a for a in holding.entity.choices if a.id == choice), None) if holding else None
    )
    answer = None if holding is None else holding_answers(state, holding).get(choice)
    return (
        "" if question is None or answer is None else state.ruleset.answer_label(question, answer)
    )
