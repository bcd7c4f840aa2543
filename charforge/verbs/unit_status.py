"""The status of a unit in play: figures, conditions, items, what it can use, and completions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from charforge.character import state_changes
from charforge.character.holdings import fill_attack, total_capacity
from charforge.character.state import CHARACTER, State, find_unit
from charforge.character.state_changes import remove_condition
from charforge.describe.entities import cooldown_text
from charforge.describe.held_entities import HeldEntity
from charforge.errors import ProcedureError, RuleRefusal
from charforge.expressions.formula import SHARED
from charforge.expressions.template import number_text
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.procedures import abilities, costs, use
from charforge.procedures.abilities import Ability
from charforge.procedures.context import RunSettings
from charforge.procedures.inputs import LowestDice
from charforge.rules.models import Entity
from charforge.rules.names import numbered, numbered_labels
from charforge.rules.ruleset import Ruleset
from charforge.sheet.attacks import attack_summary
from charforge.verbs.lookup import ability_name, does_something

SEPARATOR = " · "


class StatusFigure(NamedTuple):
    """A figure of a status: the id of its value, its label, the amount in words and as a number.

    ``most`` is its maximum, if it has one; ``worded`` says that the amount is more than a number,
    such as a step of a track.
    """

    id: str
    label: str
    now: str
    number: int
    most: int | None
    worded: bool = False

    @property
    def text(self) -> str:
        """It as text: ``HP 30/37``; without the maximum if it is worded."""
        counted = self.most is not None and not self.worded
        return f"{self.label} {self.now}" + (f"/{self.most}" if counted else "")


class UnitStatus(NamedTuple):
    """The status of a unit: its figures, and the rest in words."""

    name: str
    figures: tuple[StatusFigure, ...]
    conditions: tuple[str, ...]
    cooling: tuple[str, ...]
    items: tuple[str, ...]

    @property
    def figure_texts(self) -> tuple[str, ...]:
        """Each figure as text: ``HP 30/37``."""
        return tuple(figure.text for figure in self.figures)

    @property
    def line(self) -> str:
        """Return the status without items in one line, as the prompt of a session."""
        parts = [SEPARATOR.join(self.figure_texts), ", ".join(self.conditions)]
        if self.cooling:
            parts.append(_("on cooldown: {names}").format(names=", ".join(self.cooling)))
        return (f"{self.name}: " if self.name else "") + " | ".join(filter(None, parts))


def unit_status(state: State, unit_id: str = CHARACTER) -> UnitStatus:
    """Return the status of a unit."""
    bearer = state.unit(unit_id)
    return UnitStatus(
        bearer.name,
        tuple(_figures(state, unit_id)),
        tuple(c.label for c in state.active_conditions(unit_id) if not c.hidden),
        tuple(_cooling(state, unit_id)),
        tuple(_items(state, unit_id)),
    )


def _figures(state: State, unit_id: str) -> Iterator[StatusFigure]:
    head, values = state.ruleset.head, state.values(unit_id)
    shared = {figure.id: figure for figure in shared_figures(state)}
    highest = {vital.current: vital.max for vital in head.sheet.vitals}
    for name in head.play.line:
        if values.is_shown(name):
            most = highest.get(name)
            bound = values.starting_maximum(name) if name in highest else values.maximum(name)
            if most is not None and most in values:
                bound = values.base(most)
            now = values.figure_text(name, values.base(name))
            label = state.ruleset.values[name].label
            yield StatusFigure(name, label, now, values.base(name), bound, values.is_worded(name))
        elif name in shared:
            yield shared[name]._replace(label=state.ruleset.value_label(name))


def shared_figures(state: State) -> Iterator[StatusFigure]:
    """Yield the figures of what the group owns; their ids are their names in formulas."""
    for name, label in state.ruleset.shared_labels.items():
        owned = name.removeprefix(SHARED)
        if state.shared is not None and owned in state.shared.values:
            now = state.shared.values[owned]
            _low, high = state.shared.bounds.get(owned, (0, LARGEST_AMOUNT))
            most = None if high == LARGEST_AMOUNT else high
            yield StatusFigure(name, label, number_text(now), now, most)


def _cooling(state: State, unit_id: str) -> Iterator[str]:
    for holding, action in state_changes.unit_cooldowns(state, state.unit(unit_id)):
        name = holding.name
        own = f": {action.name}" if action.name and action.name != name else ""
        yield f"{name}{own} ({action.cooldown})"


def _items(state: State, unit_id: str) -> Iterator[str]:
    for holding in state.held(unit_id):
        pieces = state.in_hand.get(holding.id, 0)
        parts = (
            [_("in hand") if pieces == 1 else _("{pieces} in hand").format(pieces=pieces)]
            if pieces
            else []
        )
        worn = state.pieces_worn(holding)
        parts += (
            [_("worn") if worn == 1 else _("{pieces} worn").format(pieces=worn)] if worn else []
        )
        for capacity in holding.entity.capacities:
            left = state_changes.capacity_left(state, holding, capacity)
            parts.append(f"{capacity.label} {left}/{total_capacity(state, holding, capacity)}")
        if parts:
            yield f"{holding.name}: {', '.join(parts)}"


# ------------------------------------------------------------------ completion


class CompletionWords(NamedTuple):
    """The words that a session completes, by what they name."""

    conditions: tuple[str, ...]
    condition_slugs: tuple[str, ...]
    resources: tuple[str, ...]
    attributes: tuple[str, ...]
    values: tuple[str, ...]
    rests: tuple[str, ...]
    items: tuple[str, ...]
    units: tuple[str, ...]


def completion_words(state: State, unit_id: str) -> CompletionWords:
    """Return the words that a session of a unit completes."""
    ruleset = state.ruleset
    bearer = state.unit(unit_id)
    names = tuple(bearer.type.values)
    group = ruleset.group(ruleset.head.sheet.attributes) if ruleset.head.sheet.attributes else names
    conditions = player_conditions(state, unit_id)
    held = list(state.held(unit_id))
    gear = [h.name for h in held if h.entity.kind in ruleset.head.gear.kinds]
    resources = [name for name in names if bearer.type.values[name].resource]
    resources += [capacity.id for h in held for capacity in h.entity.capacities]
    resources += [c.entity.slug for c in state.conditions if c.unit == unit_id and c.entity.counts]
    return CompletionWords(
        _once(e.name for e in conditions),
        _once(e.slug for e in conditions),
        _once(resources),
        _once(name for name in group if name in names),
        _once(ruleset.values[name].label for name in names),
        tuple(ruleset.head.play.rests),
        _once(gear),
        _once(other.id for other in state.units),
    )


def player_conditions(state: State, unit_id: str) -> tuple[Entity, ...]:
    """Return the conditions that a player adds or removes: those of the reference, and active ones.

    The others follow from rules; they can still be named.
    """
    kinds = state.ruleset.head.sheet.reference
    active = {condition.entity.id for condition in state.active_conditions(unit_id)}
    settable = settable_conditions(state.ruleset)
    return tuple(one for one in settable if one.kind in kinds or one.id in active)


def settable_conditions(ruleset: Ruleset) -> Iterator[Entity]:
    """Yield the conditions that can be set by hand: those that no rule keeps to itself."""
    for entity in ruleset.conditions:
        known = entity.condition is not None and not entity.condition.internal
        if known and entity.active_when is None:
            yield entity


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


# ------------------------------------------------------------------ what a unit can use


@dataclass(frozen=True)
class AbilityRow:
    """One thing that a unit can use.

    ``facts`` are its timing, roll, damage, cost and cooldown in words,
    ``reasons`` everything that forbids it now. ``common`` says that every
    unit can do it.
    """

    ability: Ability
    name: str
    facts: tuple[str, ...]
    reasons: tuple[str, ...]
    common: bool

    @property
    def is_attack(self) -> bool:
        """Whether it is an attack."""
        return self.ability.attack is not None

    @property
    def words(self) -> tuple[str, str, str]:
        """Return the words of ``use`` that mean exactly this ability."""
        return self.ability.source, "--action", self.ability.key


def ability_rows(state: State, unit_id: str) -> tuple[AbilityRow, ...]:
    """Return what a unit can use: attacks, then its own abilities, then those of every unit.

    Of several equal items the second one is called ``Kit (2)``, as its tracker on a page is.
    """
    rows = (_row(state, ability, name) for ability, name in _named_abilities(state, unit_id))
    return tuple(sorted(rows, key=lambda row: (not row.is_attack, row.common)))


def ability_row(state: State, ability: Ability) -> AbilityRow:
    """Return one ability as the list of its unit has it."""
    names = (name for one, name in _named_abilities(state, ability.unit) if one == ability)
    name = next(names, None)
    if name is None:  # it does nothing by itself
        name = _name(state, ability, list(abilities.all_abilities(state, ability.unit)))
    return _row(state, ability, name)


def _named_abilities(state: State, unit_id: str) -> Iterator[tuple[Ability, str]]:
    """Yield the abilities of a unit that do something, each with its name in a list of them."""
    everything = list(abilities.all_abilities(state, unit_id))
    listed = [ability for ability in everything if does_something(ability)]
    names = (_name(state, ability, everything) for ability in listed)
    yield from zip(listed, numbered_labels(names), strict=True)


def _row(state: State, ability: Ability, name: str) -> AbilityRow:
    return AbilityRow(
        ability,
        name,
        tuple(filter(None, _facts(state, ability))),
        tuple(_reasons(state, ability)),
        ability.holding is None and ability.entity.kind == state.ruleset.head.sheet.actions,
    )


def named_or_numbered(
    state: State, words: Sequence[str], action: str | None, unit_id: str | None
) -> tuple[str, str | None]:
    """Return the name and action of an ability; a number is one of the list of now.

    Only numbers can follow it: ``5 damage`` is no ability.
    """
    row = None
    if all(word.isdecimal() for word in words):
        row = numbered(words[0], ability_rows(state, find_unit(state, unit_id).id))
    if row is None:
        return " ".join(words), action
    source, _option, key = row.words
    return " ".join([source, *words[1:]]), key


def _name(state: State, ability: Ability, everything: list[Ability]) -> str:
    """Return the name of an ability; the only attack of an item has the name of the item."""
    owner = ability.holding.name if ability.holding is not None else ability.entity.name
    attacks = [a for a in everything if a.source == ability.source and a.attack is not None]
    if attacks == [ability] and not ability.definition.name:
        return owner
    return ability_name(state, ability, everything)


def _reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield what forbids an ability now: its limits and cost, else what its steps refuse.

    The steps are tried on a copy if they need nothing from the player, else the first of them.
    """
    reasons = list(use.reasons_against(state, ability))
    yield from reasons
    if reasons:
        return
    inputs, _steps = abilities.ability_inputs(state, ability)
    try:
        if inputs or ability.attack is not None:
            use.refuse_by_first_steps(state, ability)
            return
        use.use_ability(state, ability, {}, RunSettings(LowestDice().roll, quiet=True))
    except RuleRefusal as refusal:
        yield refusal.reason
    except ProcedureError as error:  # such as a rule that is not for this kind of unit
        yield "; ".join(reason for _input, reason in error.problems)


def _facts(state: State, ability: Ability) -> Iterator[str]:
    """Yield timing or roll and damage, cost and cooldown."""
    held = HeldEntity(state, ability.entity, ability.unit, getattr(ability.holding, "id", ""))
    if ability.attack is not None:
        attack = fill_attack(state, ability.holding, ability.unit, ability.attack)
        yield attack_summary(attack, held)
    elif ability.action is not None:
        timings = state.ruleset.head.timings
        yield next(t.label for t in timings if t.id == ability.action.timing)
    for label, amount, left in costs.present_costs(state, ability):
        stored = left is not None and left >= amount
        yield (
            _("{amount} {label} ({left} left)").format(amount=amount, left=left, label=label)
            if stored
            else f"{amount} {label}"
        )
    if ability.action is not None and ability.action.cooldown:
        yield cooldown_text(ability.action.cooldown)


@dataclass(frozen=True)
class Circumstance:
    """A condition of a unit, or a resource of it that is not what it starts with.

    ``id`` is that of the condition or the value; ``label`` is what players read: ``Prone``,
    ``HP 12``, ``Drone: HP 3``.
    """

    id: str
    label: str
    unit: str
    entity: Entity | None = None

    def removed_from(self, state: State) -> State:
        """Return a state without it: the condition gone, the resource as it starts."""
        if self.entity is not None:
            return remove_condition(state, self.unit, self.entity)[0]
        key = (self.unit, self.id)
        changes = {k: by for k, by in state.resource_changes.items() if k != key}
        return state.with_changes(resource_changes=changes)


def circumstances(
    state: State, units: Collection[str] = (CHARACTER,), left_out: Collection[str] = ()
) -> Iterator[Circumstance]:
    """Yield the circumstances of some units, without those whose ids are ``left_out``.

    Hidden conditions, which only remember what happened, are left out, too.
    """
    for one in state.conditions:
        if one.unit in units and not one.hidden and one.entity.id not in left_out:
            label = _of_unit(state, one.unit, one.label)
            yield Circumstance(one.entity.id, label, one.unit, one.entity)
    for unit, name in state.resource_changes:
        if unit in units and name in state.values(unit) and name not in left_out:
            values = state.values(unit)
            amount = values.figure_text(name, values.base(name))
            label = _of_unit(state, unit, f"{state.ruleset.values[name].label} {amount}")
            yield Circumstance(name, label, unit)


def _of_unit(state: State, unit_id: str, label: str) -> str:
    """Return a label, with the name of its unit if that is not the character."""
    return label if unit_id == CHARACTER else f"{state.unit(unit_id).name}: {label}"


def counted_text(labels: Iterable[str]) -> str:
    """Return the sentence that lists the circumstances that count; empty without any."""
    names = ", ".join(labels)
    return _("Counted: {names}.").format(names=names) if names else ""
