"""Readiness: the attacks and abilities of a unit, each with its cost and what forbids it now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from charforge.character.holdings import fill_attack
from charforge.character.state import State
from charforge.describe.entities import HeldEntity, cooldown_text
from charforge.errors import ProcedureError, RuleRefusal
from charforge.language import _
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.procedures.dice_source import LowestDice
from charforge.sheet.attacks import attack_summary
from charforge.usecases.lookup import ability_name, does_something


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


def ability_rows(state: State, unit: str) -> tuple[AbilityRow, ...]:
    """Return what a unit can use: attacks, then its own abilities, then those of every unit."""
    usable = [a for a in abilities.all_abilities(state, unit) if does_something(a)]
    everyone = state.ruleset.head.sheet.actions
    rows = [
        AbilityRow(
            ability,
            _name(state, ability, usable),
            tuple(filter(None, _facts(state, ability))),
            tuple(_reasons(state, ability)),
            ability.holding is None and ability.entity.kind == everyone,
        )
        for ability in usable
    ]
    return tuple(sorted(rows, key=lambda row: (not row.is_attack, row.common)))


def _name(state: State, ability: Ability, usable: list[Ability]) -> str:
    """Return the name of an ability; the only attack of an item has the name of the item."""
    owner = ability.holding.name if ability.holding is not None else ability.entity.name
    attacks = [a for a in usable if a.attack is not None and a.source == ability.source]
    if attacks == [ability] and not ability.definition.name:
        return owner
    return ability_name(state, ability)


def _reasons(state: State, ability: Ability) -> Iterator[str]:
    """Yield what forbids an ability now: its limits and cost, else what its steps refuse.

    The steps are tried on a copy if they need nothing from the player.
    """
    reasons = list(abilities.reasons_against(state, ability))
    yield from reasons
    inputs, _steps = abilities.ability_inputs(state, ability)
    if reasons or inputs or ability.attack is not None:
        return
    try:
        abilities.use_ability(state, ability, {}, LowestDice().roll, quiet=True)
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
    for label, amount, left in abilities.present_costs(state, ability):
        stored = left is not None and left >= amount
        yield (
            _("{amount} of {left} {label}").format(amount=amount, left=left, label=label)
            if stored
            else f"{amount} {label}"
        )
    if ability.action is not None and ability.action.cooldown:
        yield cooldown_text(ability.action.cooldown)
