"""Checks of what is used in play: rules, actions and attacks, and of typing mistakes.

Rules and actions are tried, to find formulas that have no value in some run. The other checks find
what could never be used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product

from charforge.character.holdings import add_holding
from charforge.character.state import State
from charforge.character.state_changes import action_key, change_resource
from charforge.decisions.unreachable import Obtainable
from charforge.errors import CharforgeError, FormulaError, PackProblem, nearest, shorten
from charforge.expressions.dice import Dice, parse_dice, possible_totals
from charforge.expressions.formula import FunctionScope
from charforge.expressions.template import parse_figure
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.procedures.abilities import Ability, supplied_inputs
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import LowestDice, input_bounds, items_of, values_of
from charforge.procedures.run import ActionUser, run_action, run_procedure
from charforge.rules.checks.symbols import all_steps
from charforge.rules.loading.parser import PackReader, PartPlace
from charforge.rules.loading.yaml_reader import formula_problems
from charforge.rules.models import Action, Entity, Input, Procedure, Recover
from charforge.rules.models.procedures import NUMBER, cooldown_number
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

TRIED = "tried"  # the id of a holding whose actions are tried


def endless_cooldowns(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the cooldowns of the entities at ``places`` that no step, or no roll of dice, ends."""
    every_step = chain.from_iterable(all_steps(ruleset))
    steps = [step for step in every_step if isinstance(step, Recover)]
    words = {step.of for step in steps} - {NUMBER}
    for name, (file, path) in places.items():
        for number, action in enumerate(ruleset.entities[name].actions):
            cooldown = original(action.cooldown)
            ending = [step for step in steps if step.is_for(cooldown)]
            rolled = [step for step in ending if step.dice and _by_default(ruleset, step)]
            if not cooldown or any(_can_end(ruleset, step, cooldown) for step in rolled):
                continue
            if not ending:
                message = _(
                    "this stays on cooldown forever: no step (do: recover) is for {cooldown}"
                )
            elif rolled:
                message = _("no roll of {dice} ends the cooldown {cooldown}")
            else:
                continue
            dice = _(" or ").join(sorted({step.dice for step in rolled}))
            message = message.format(cooldown=shorten(cooldown), dice=dice)
            place = (*path, "actions", number, "cooldown")
            yield reader.problem(file, place, message, nearest(cooldown, words))


def attacks_without_rule(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the first attack of the entities at ``places`` if the game has no rule for attacks."""
    if ruleset.head.play.attack is not None:
        return
    for name, (file, path) in places.items():
        if ruleset.entities[name].attacks:
            message = _(
                "this is only printed: the game has no rule for attacks (set play.attack in "
                "ruleset.yaml to the id of a procedure)"
            )
            yield reader.problem(file, (*path, "attacks", 0), message)
            return


def attacks_with_typos(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the attacks of the entities at ``places`` with damage below 0 or a misspelled range.

    A range in words is probably misspelled if only one entity has it, and several have a
    similar one.
    """
    having = Counter(
        words
        for entity in ruleset.entities.values()
        for words in {original(attack.range).strip() for attack in entity.attacks}
    )
    shared = [words for words, times in having.items() if times > 1 and words]
    for name, (file, path) in places.items():
        for number, attack in enumerate(ruleset.entities[name].attacks):
            place, words = (*path, "attacks", number), original(attack.range).strip()
            figure = parse_figure(str(attack.damage))
            if not figure.dice and (figure.formula.constant or 0) < 0:
                yield reader.problem(file, (*place, "damage"), _("damage cannot be below 0"))
            is_rare = having[words] == 1 and not any(map(str.isdecimal, words))
            if is_rare and (near := nearest(words, shared)):
                message = _("no other attack has this range")
                yield reader.problem(file, (*place, "range"), message, near)


def group_typos(
    reader: PackReader, places: Mapping[str, PartPlace], ruleset: Ruleset
) -> Iterator[PackProblem]:
    """Yield the misspelt ids in the fields by which the entities at ``places`` are grouped."""
    for name, (file, path) in places.items():
        entity = ruleset.entities[name]
        field = ruleset.kinds[entity.kind].group_by
        group = original(str(entity.own.get(field) or ""))
        if ruleset.canonical(group) in ruleset.entities:
            continue
        if group and (near := nearest(group, ruleset.entities)):
            message = _("nothing has the id {name}").format(name=shorten(group))
            yield reader.problem(file, (*path, field), message, near)


def _by_default(ruleset: Ruleset, step: Recover) -> bool:
    """Return whether a step applies when a group has not changed any table rule."""
    return all(ruleset.table_rules[rule].default == option for rule, option in step.ruled.items())


def _can_end(ruleset: Ruleset, step: Recover, cooldown: str) -> bool:
    """Return whether some roll of the dice of a step can end a cooldown."""
    number = cooldown_number(cooldown) or 0
    if step.judged.asks_facts or step.judged.names - {"roll", "number"}:
        return True
    try:
        return any(
            step.judged.evaluate(FunctionScope({"roll": total, "number": number}.__getitem__))
            for total in possible_totals(parse_dice(step.dice, ruleset.dice))
        )
    except FormulaError:
        return True  # that is another error


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
            yield from formula_problems(path, why, cannot_be_calculated(why))


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
