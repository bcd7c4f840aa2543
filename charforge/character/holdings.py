"""Holdings: gained and lost, with what they grant, and their own numbers and texts.

A weapon or skill that the player describes has formulas that read the answers
of its own choices (``local_formulas``): a number, or the value that was chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from charforge.character.gear import wear_at_once
from charforge.character.modifiers import FALSE, TRAINED, TRUE, LocalFormulas, local_formulas
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.errors import RuleRefusal
from charforge.expressions.formula import Formula, is_choice_key
from charforge.expressions.template import Figure, parse_figure, parse_figures, substitute
from charforge.language import N_, _
from charforge.rules.models import Attack, Capacity, Entity, Grant
from charforge.rules.models.procedures import GEAR_NAMES, MELEE
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

NOT_CHOSEN = N_("not chosen yet")
CHOICE_FIGURE = "{$"  # begins a figure that prints a choice


class Gain(NamedTuple):
    """How an entity is gained: how many, and with what.

    ``answers`` answer choices of the entity in advance; ``granted_beyond`` marks a gift beyond
    the rules; ``note`` is what the history says of it.
    """

    quantity: int = 1
    answers: Mapping[str, str | int] = MappingProxyType({})
    granted_beyond: bool = False
    note: str = ""


ONE = Gain()


def add_holding(
    state: State, entity: Entity, path: str, origin: str, unit_id: str = CHARACTER, gain: Gain = ONE
) -> State:
    """Return the state with ``entity`` held, and everything that it grants.

    ``path`` is the id of the holding; if it is in use, ``#2``, ``#3`` … is added.
    ``origin`` is the id of the decision, holding or event that gives it.
    The entity that it replaces is removed.
    """
    kind = state.ruleset.kinds[entity.kind]
    unit_id = state.holder(entity, unit_id)
    path = _unused_id(state, path)
    for old in state.holdings if entity.replaces else ():
        if old.entity.id == entity.replaces and old.unit == unit_id:
            state = remove_holding(state, old)
    holding = Holding(
        path, entity, unit_id, origin, state.level, gain.quantity, gain.granted_beyond, gain.note
    )
    preset = {f"{path}.{name}": answer for name, answer in gain.answers.items()}
    state = state.with_changes(
        holdings=(*state.holdings, holding), answers={**state.answers, **preset}
    )
    if kind.unit is not None:
        name = _default_name(state, entity)
        companion = Unit(path, state.ruleset.units[kind.unit], name, entity, unit_id)
        state = state.with_changes(units=(*state.units, companion))
    return add_grants(wear_at_once(state, holding), holding, 1, state.level)


def remove_holding(state: State, removed: Holding) -> State:
    """Return the state without a holding, the effects of its choices, and its unit.

    What the holding granted stays; see ``remove_answer``.
    """
    choices = {f"{removed.id}.{question.id}" for question in removed.entity.choices}
    return state.with_changes(
        in_hand={name: number for name, number in state.in_hand.items() if name != removed.id},
        worn={name: number for name, number in state.worn.items() if name != removed.id},
        cooldowns=tuple(pair for pair in state.cooldowns if pair[0] != removed.id),
        uses=tuple(use for use in state.uses if use.source != removed.id),
        conditions=state.conditions.replace(
            {number: None for number, _condition in state.conditions.numbered_of(removed.id)}
        ),
        units=tuple(unit for unit in state.units if unit.id != removed.id),
        holdings=tuple(
            holding for holding in state.holdings if removed.id not in (holding.id, holding.unit)
        ),
        chosen_options=tuple(
            chosen
            for chosen in state.chosen_options
            if removed.id not in (chosen.holding, chosen.unit)
        ),
        fixed_modifiers=tuple(
            modifier
            for modifier in state.fixed_modifiers
            if modifier.unit != removed.id and modifier.source not in choices
        ),
    )


def remove_pieces(state: State, holding: Holding, quantity: int) -> State:
    """Return the state without some pieces of a holding; first those neither worn nor in hand.

    Raises RuleRefusal if there are fewer pieces.
    """
    if quantity > holding.quantity:
        raise RuleRefusal(
            _("you have {quantity} {name}, not {wanted}").format(
                quantity=holding.quantity, name=holding.name, wanted=quantity
            )
        )
    if quantity == holding.quantity:
        return remove_holding(state, holding)
    rest = holding._replace(quantity=holding.quantity - quantity)
    in_hand = min(state.in_hand.get(holding.id, 0), rest.quantity)
    on_body = min(state.pieces_worn(holding), rest.quantity - in_hand)
    state = state.with_changes(
        holdings=tuple(rest if other is holding else other for other in state.holdings),
        in_hand={**state.in_hand, holding.id: in_hand} if in_hand else state.in_hand,
        worn={**state.worn, holding.id: on_body} if on_body else _without(state.worn, holding.id),
    )
    return _limit_spent(state, rest)


def _without(pieces: Mapping[str, int], name: str) -> dict[str, int]:
    return {other: number for other, number in pieces.items() if other != name}


def _limit_spent(state: State, holding: Holding) -> State:
    """Return the state in which no more is spent of a holding than its pieces can carry."""
    spent = dict(state.resource_changes)
    for capacity in holding.entity.capacities:
        key = (holding.id, capacity.id)
        if key in spent:
            spent[key] = max(spent[key], -total_capacity(state, holding, capacity))
    return state.with_changes(resource_changes=spent)


def remove_answer(state: State, decision: str, kept: Iterable[object] = ()) -> State:
    """Return the state without a decision's answer and everything that the answer granted.

    ``decision`` is its id. ``kept`` are ids of entities that stay, with what
    they granted.
    """
    removed_origins, kept_origins, left_to_keep = {decision}, set[str](), Counter(kept)
    for holding in state.holdings:
        keeps = holding.origin == decision and left_to_keep[holding.entity.id] > 0
        if keeps or holding.origin in kept_origins:
            left_to_keep[holding.entity.id] -= keeps
            kept_origins |= _origins(holding)
        elif holding.origin in removed_origins or holding.unit in removed_origins:
            removed_origins |= _origins(holding)
            if state.holding(holding.id) is not None:
                state = remove_holding(state, holding)
    return state.with_changes(
        chosen_options=tuple(
            chosen for chosen in state.chosen_options if chosen.decision != decision
        ),
        fixed_modifiers=tuple(
            modifier for modifier in state.fixed_modifiers if modifier.source != decision
        ),
        answers={
            name: answer for name, answer in state.answers.items() if name not in removed_origins
        },
        roll_totals={
            name: total for name, total in state.roll_totals.items() if name not in removed_origins
        },
    )


def rename_holding(state: State, holding: Holding, title: str) -> State:
    """Return the state with a new title for a holding and its unit."""
    tidy = " ".join(title.split())
    renamed = holding._replace(title=title if title == tidy else tidy)  # it may be Translated
    units = tuple(
        unit._replace(name=renamed.name) if unit.id == holding.id else unit for unit in state.units
    )
    holdings = tuple(renamed if other.id == holding.id else other for other in state.holdings)
    return state.with_changes(units=units, holdings=holdings)


def _origins(holding: Holding) -> set[str]:
    """Return the ids from which a holding can grant: its own and those of its choices."""
    return {holding.id, *(f"{holding.id}.{question.id}" for question in holding.entity.choices)}


def add_grants(state: State, holding: Holding, first: int, last: int) -> State:
    """Return the state with what a holding grants at the levels ``first`` to ``last``."""
    for grant in holding.entity.level_grants:
        if first <= grant.level <= last:
            state = add_grant(state, grant, holding.id, state.bearer(holding))
    return state


def has_all(state: State, entity: Entity, unit_id: str, quantity: int = 1) -> bool:
    """Return whether a unit cannot have so many more of an entity, by the rules."""
    holder = state.holder(entity, unit_id)
    if entity.repeatable is True:
        return False
    if entity.repeatable:
        held = (h for h in state.holdings if h.unit == holder and h.entity.id == entity.id)
        return sum(holding.quantity for holding in held) + quantity > entity.repeatable
    return state.ruleset.kinds[entity.kind].single and state.unit_has(holder, entity.id)


def add_grant(
    state: State, grant: Grant, origin: str, unit_id: str = CHARACTER, path: str = ""
) -> State:
    """Return the state with one granted entity, if the condition of the grant holds now.

    ``origin`` is the id of what grants it. An entity that the unit has as often
    as it can is not granted again. ``path`` is the id of the holding; by default the
    origin followed by the slug.
    """
    if grant.when is not None and not state.values(unit_id).holds(grant.when):
        return state
    entity = state.ruleset.entity(state.ruleset.canonical(grant.id))
    if has_all(state, entity, unit_id, grant.quantity):
        return state
    gain = Gain(grant.quantity, grant.with_)
    return add_holding(state, entity, path or f"{origin}.{entity.slug}", origin, unit_id, gain)


def _default_name(state: State, entity: Entity) -> str:
    """Return the default name of a unit: its entity's, numbered from the second on."""
    used = {unit.name for unit in state.units}
    number, name = 1, entity.name
    while name in used:
        number += 1
        name = f"{entity.name} {number}"
    return name


def _unused_id(state: State, path: str) -> str:
    """Return an id that no holding has: the path, or the path with ``#2``, ``#3`` …."""
    number, name = 1, path
    while state.holding(name) is not None:
        number += 1
        name = f"{path}#{number}"
    return name


# --------------------------------------------- numbers and texts of a holding's own choices


def local_numbers(state: State, holding: Holding) -> dict[str, int]:
    """Return the present numbers of a holding's choices and figures, by their ids."""
    values = state.values(state.bearer(holding))
    formulas = local_formulas(state, holding).items()
    return {n: values.evaluate_now(formula) for n, formula in formulas if not is_choice_key(n)}


def fill_attack(state: State, holding: Holding | None, unit_id: str, attack: Attack) -> Attack:
    """Return an attack with the answers of the holding's choices filled in.

    ``hit`` is then the id of a value or a number.
    """
    known, hit = local_formulas(state, holding), attack.hit
    if not known and "{" not in attack.range and str(hit)[:1] != "$":
        return attack
    if isinstance(hit, str) and hit.startswith("$"):
        formula = known.get(hit[1:], Formula(0))
        hit = formula.text if formula.constant is None else formula.constant
    changes = {
        "hit": hit,
        "bonus": attack.bonus.with_variables(known),
        "damage": _fill_amount(attack.damage, known),
        "shots": None if attack.shots is None else _fill_amount(attack.shots, known),
        "range": fill_text(state, holding, unit_id, attack.range)
        if "{" in attack.range
        else attack.range,  # which knows the original of a translation
        "with_": {name: formula.with_variables(known) for name, formula in attack.with_.items()},
    }
    return attack.model_copy(update=changes)


def attack_changes(
    state: State, holding: Holding | None, unit_id: str, entity: Entity, attack: Attack, part: str
) -> tuple[tuple[int, str], ...]:
    """Return what modifiers add to the ``part`` (roll or damage) of an attack, with their sources.

    Their formulas can read the inputs that the attack gives its procedure as numbers, and
    whether it is a melee attack.
    """
    facts = _attack_facts(state, holding, entity, attack)
    item = "" if holding is None else holding.id
    return tuple(state.values(unit_id).attack_changes(part, entity, facts, item))


def damage_dice(
    state: State, holding: Holding | None, unit_id: str, entity: Entity, attack: Attack
) -> tuple[tuple[str, str], ...]:
    """Return the dice that the damage of an attack gains, with their sources."""
    facts = _attack_facts(state, holding, entity, attack)
    item = "" if holding is None else holding.id
    return tuple(state.values(unit_id).damage_dice(entity, facts, item))


def _attack_facts(
    state: State, holding: Holding | None, entity: Entity, attack: Attack
) -> LocalFormulas:
    """Return what the formulas of changes can read of an attack."""
    trained = holding is None or state.trained(entity, holding.id)
    return {
        **dict.fromkeys((*state.ruleset.attack_inputs, *GEAR_NAMES), FALSE),
        **attack.with_,
        **local_formulas(state, holding),
        MELEE: TRUE if is_melee(attack, state.ruleset) else FALSE,
        TRAINED: TRUE if trained else FALSE,
    }


def is_melee(attack: Attack, ruleset: Ruleset) -> bool:
    """Return whether an attack has the range of melee attacks, in whatever language it is shown."""
    return original(attack.range).casefold() == ruleset.head.play.melee_range.casefold()


def total_capacity(state: State, holding: Holding, capacity: Capacity) -> int:
    """Return how much all pieces of a holding can carry, such as shots."""
    formula = capacity.max.with_variables(local_formulas(state, holding))
    each = state.values(state.bearer(holding)).evaluate_now(formula)
    return max(each, 0) * holding.quantity


def _fill_amount(text: int | str, local_formulas: LocalFormulas) -> int | str:
    """Return an amount (``2d6 + power``) with the local names in its formula replaced."""
    if isinstance(text, int):
        return text
    figure = parse_figure(text)
    if not figure.formula.names & local_formulas.keys():
        return text
    return " + ".join([*figure.dice, f"({figure.formula.with_variables(local_formulas)})"])


def fill_text(state: State, holding: Holding | None, unit_id: str, text: str) -> str:
    """Return a text of a holding's entity with its figures calculated for a unit.

    Lines about an answer that was left empty are left out.
    """
    known = local_formulas(state, holding)

    def figure_text(figure: Figure) -> str:
        if figure.choice:
            return choice_label(state, holding, figure.choice) or _(NOT_CHOSEN)
        return state.values(unit_id).printed(figure, known)

    def is_empty(choice: str) -> bool:
        return holding is not None and is_left_empty(state, holding.id, holding.entity, choice)

    return substitute(without_empty_lines(text, is_empty), figure_text)


def without_empty_lines(text: str, is_empty: Callable[[str], bool]) -> str:
    """Return a text of a pack without the lines that name a choice whose answer is empty."""
    if CHOICE_FIGURE not in text:
        return text
    return "\n".join(
        line
        for line in text.split("\n")
        if not any(is_empty(figure.choice) for figure in parse_figures(line) if figure.choice)
    )


def is_left_empty(state: State, holding_id: str, entity: Entity, choice: str) -> bool:
    """Return whether a choice of a held entity is an optional text that was left empty."""
    return any(
        question.id == choice
        and question.may_be_empty
        and not state.answers.get(f"{holding_id}.{choice}")
        for question in entity.choices
    )


def holding_answers(state: State, holding: Holding) -> dict[str, Any]:
    """Return the answers of a holding's choices by choice id; for a roll its total."""
    decisions = {question.id: f"{holding.id}.{question.id}" for question in holding.entity.choices}
    answers = {**state.answers, **state.roll_totals}
    return {choice: answers[name] for choice, name in decisions.items() if name in answers}


def choice_label(state: State, holding: Holding | None, choice: str) -> str:
    """Return the answer of a holding's choice in words; empty without an answer."""
    if holding is None:
        return ""
    question = next(
        (
            choice_question
            for choice_question in holding.entity.choices
            if choice_question.id == choice
        ),
        None,
    )
    answer = holding_answers(state, holding).get(choice)
    if question is None or answer is None:
        return ""
    return state.ruleset.answer_label(question, answer)
