"""Trying the rules and actions of a pack: formulas that have no value in some run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, product

from charforge.character.holdings import add_holding
from charforge.character.state import State
from charforge.character.state_changes import action_key, change_resource
from charforge.decisions.unreachable import Obtainable
from charforge.errors import CharforgeError, FormulaError, PackProblem
from charforge.expressions.dice import Dice
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.procedures.abilities import Ability, supplied_inputs
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import LowestDice, input_bounds, items_of, values_of
from charforge.procedures.run import ActionUser, run_action, run_procedure
from charforge.rules.loading.formula_places import problems_in
from charforge.rules.loading.parser import PackReader
from charforge.rules.models import Action, Entity, Input, Procedure
from charforge.rules.ruleset import Ruleset

TRIED = "tried"  # the id of a holding whose actions are tried


def without_result(
    reader: PackReader,
    places: Iterable[str],
    ruleset: Ruleset,
    bearers: Sequence[tuple[State, str]],
) -> Iterator[PackProblem]:
    """Yield the formulas of rules and actions without a value for a random character or unit.

    Each rule, and each action of the entities at ``places``, is tried with the lowest inputs and
    dice and with higher ones, and again when no resource is left.
    """
    found: dict[str, FormulaError] = {}
    obtainable = Obtainable(ruleset)
    acting = [entity for entity in map(ruleset.entity, places) if entity.actions]
    units = {entity.id: obtainable.bearers(entity) for entity in acting}
    for state, unit in bearers:
        held = [entity for entity in acting if state.unit(unit).type.id in units[entity.id]]
        for spent, more in product((False, True), (0, 1)):
            rules = (partial(_try_rule, state, unit, rule) for rule in ruleset.procedures.values())
            actions = (
                partial(_try_action, state, unit, entity, action)
                for entity in held
                for action in entity.actions
            )
            for attempt in chain(rules, actions):
                try:
                    attempt(spent, more)
                except FormulaError as error:
                    found.setdefault(error.written, error)
                except CharforgeError:
                    continue  # a rule may refuse
    for why in found.values():
        for path in sorted(reader.data):
            yield from problems_in(path, why, cannot_be_calculated(why))


def _try_rule(state: State, unit: str, procedure: Procedure, spent: bool, more: int) -> None:
    """Run a rule with its lowest inputs and dice, or higher ones."""
    state = _without_resources(state, unit) if spent else state
    inputs = {one.id: _tried(state, one, unit, more) for one in procedure.inputs}
    run_procedure(state, procedure, inputs, _settings(more), unit)


def _try_action(
    state: State, bearer: str, entity: Entity, action: Action, spent: bool, more: int
) -> None:
    """Use an action of an entity that a unit gains, without its price and requirements."""
    is_unit = state.ruleset.kinds[entity.kind].unit is not None
    unit = TRIED if is_unit else bearer
    state = add_holding(state, entity, TRIED, TRIED, bearer)
    state = _without_resources(state, unit) if spent else state
    holding = state.holding(TRIED)
    if action.procedure is not None:
        ability = Ability(TRIED, action_key(entity, action), entity, holding, unit, action)
        supplied_inputs(state, ability)  # the rule itself is tried, too
        return
    inputs = {one.id: _tried(state, one, unit, more) for one in action.inputs}
    user = ActionUser(unit, entity, holding)
    run_action(state, user, action.inputs, action.does, inputs, _settings(more))


def _without_resources(state: State, unit: str) -> State:
    """Return a state in which a unit has nothing left of its resources."""
    for name, computed in state.unit(unit).type.values.items():
        if computed.resource:
            state, _change = change_resource(state, unit, name, -LARGEST_AMOUNT)
    return state


def _settings(more: int) -> RunSettings:
    return RunSettings(_highest_faces if more else LowestDice().roll)


def _highest_faces(_id: str, dice: Dice, _label: str) -> list[int]:
    return [dice.faces[-1]] * dice.number


def _tried(state: State, entry: Input, unit: str, more: int) -> int | str | None:
    """Return a possible value of an input: its lowest number and so much ``more``, a name."""
    if entry.type in ("number", "flag"):
        low, high = input_bounds(state, entry, unit)
        number = (low or 0) + more
        return number if high is None else min(number, high)
    if entry.type == "amount":
        return str(more)
    names = {"word": entry.options, "value": values_of(state.ruleset, entry)}.get(entry.type, ())
    if entry.type == "item":
        names = tuple(held.id for held in items_of(state, entry, unit))
    return names[min(more, len(names) - 1)] if names else None


def cannot_be_calculated(error: CharforgeError) -> str:
    """Return the message about a formula or text that fails."""
    return _("this cannot be calculated or printed: {error}").format(error=error)
