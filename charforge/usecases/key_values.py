"""The values that a player watches: scores, vitals, slots, money and the best attack.

The ruleset says which they are: those at the head of its sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from statistics import fmean
from typing import Literal, NamedTuple

from charforge.character import gear
from charforge.character.state import Holding, State, Unit
from charforge.character.values import Values
from charforge.describe.entities import HeldEntity
from charforge.expressions.dice import parse_dice
from charforge.expressions.template import NO_BREAK
from charforge.language import _
from charforge.procedures.pools import dice_of_unit
from charforge.rules.ruleset import Ruleset
from charforge.sheet import attacks
from charforge.sheet.values import combat
from charforge.sheet.view import AttackMode

Part = Literal["score", "vital", "figure", "list", "money", "attack"]


class KeyValue(NamedTuple):
    """One value in words; ``unit`` and ``id`` stay the same when it changes.

    ``owner`` is the name of the unit, empty for the character. ``short`` is
    the label where there is little room. ``extra`` is what an attack deals,
    ``measure`` the unit of measure of a number.
    Of the part ``list`` are those in lists of the sheet, such as skills.
    """

    unit: str
    id: str
    part: Part
    label: str
    text: str
    short: str
    owner: str = ""
    extra: str = ""
    measure: str = ""

    @property
    def words(self) -> str:
        """Its text; of an attack with the damage."""
        if not self.extra:
            return self.text
        return _("{text}, {extra} damage").format(text=self.text, extra=self.extra)


def key_values(state: State) -> tuple[KeyValue, ...]:
    """Return the values of the character, then those of its units.

    There are none before the character has scores: what else there is would
    be calculated without them.
    """
    if not has_scores(state):
        return ()
    return tuple(value for unit in state.units for value in _of_unit(state, unit))


def other_figures(state: State) -> tuple[KeyValue, ...]:
    """Return the other figures of a sheet: further values, its line for combat, pools, attacks.

    As with ``key_values`` there are none before the character has scores.
    """
    if not has_scores(state):
        return ()
    return tuple(value for unit in state.units for value in _others_of_unit(state, unit))


def _others_of_unit(state: State, unit: Unit) -> Iterator[KeyValue]:
    values, owner = state.values(unit.id), unit.name
    watched = {name for _part, *names in _watched(state.ruleset) for name in names}
    printed = dict[str, tuple[str, str]]()
    for name in values.shown_ids():
        if name not in watched:
            value = state.ruleset.values[name]
            printed[value.label] = values.figure_text(name, values.total(name)), value.unit
    facts = (fact for fact in combat(values) if fact.value not in watched)
    printed |= {fact.label: (fact.text, "") for fact in facts}
    for label, (text, measure) in printed.items():
        key = f"figure.{label}"
        yield KeyValue(unit.id, key, "figure", label, text, label, owner, measure=measure)
    for pool in unit.type.pools:
        text, key = dice_of_unit(values, pool), f"pool.{pool.id}"
        yield KeyValue(unit.id, key, "figure", pool.label, text, pool.label, owner)
    for holding, mode in _attack_modes(state, unit):
        name = ": ".join(filter(None, (holding.name, mode.name)))
        text, extra = _attack_figures(mode)
        key = f"attack.{holding.id}.{mode.name}.{mode.range}"
        yield KeyValue(unit.id, key, "attack", name, text, name, owner, extra)


def has_scores(state: State) -> bool:
    """Whether the scores of the character are handed out, or are there from the beginning."""
    group = state.ruleset.head.sheet.attributes
    if not group:
        return True
    scores, target_values = set(state.ruleset.group(group)), state.ruleset.target_values
    handed_out = (
        question.id in state.answers
        for question in state.ruleset.head.creation_questions
        if not scores.isdisjoint(chain.from_iterable(map(target_values, question.assigned)))
    )
    if not all(handed_out):
        return False
    return any(state.values().base(name) for name in scores)


def _of_unit(state: State, unit: Unit) -> Iterator[KeyValue]:
    """Yield the values of one unit; those that it does not have yet are left out."""
    ruleset, values = state.ruleset, state.values(unit.id)
    for part, name, short in _watched(ruleset):
        if values.is_shown(name) and not _is_unset(values, part, name):
            value, text = ruleset.values[name], values.figure_text(name, values.base(name))
            yield KeyValue(
                unit.id, name, part, value.label, text, ruleset.values[short].label, unit.name,
                measure=value.unit,
            )  # fmt: skip
    money = gear.money(state) if unit is state.units[0] else None
    if money:
        value = ruleset.values[ruleset.head.gear.money or ""]
        yield KeyValue(
            unit.id, "money", "money", value.label, str(money), value.label, measure=value.unit
        )
    best = best_attack(state, unit)
    if best is not None:
        name, mode = best
        text, extra = _attack_figures(mode)
        yield KeyValue(unit.id, "attack", "attack", name, text, name, unit.name, extra)


def _watched(ruleset: Ruleset) -> Iterator[tuple[Part, str, str]]:
    """Yield the ids of the values at the head of a sheet: maxima where there are any.

    The second id is that of the value with the short label: ``HP`` for ``Max HP``.
    """
    sheet = ruleset.head.sheet
    scores = ruleset.group(sheet.attributes) if sheet.attributes else ()
    yield from (("score", name, name) for name in scores)
    for vital in sheet.vitals:
        name = vital.max or vital.current
        if name not in scores:
            yield "vital", name, vital.current
    yield from (("figure", name, name) for name in sheet.figures)
    seen = {*scores, *sheet.figures}
    for listed in sheet.lists:
        names = ruleset.group(listed.of) if listed.of in ruleset.head.groups else ()
        yield from (("list", name, name) for name in names if name not in seen)


def _is_unset(values: Values, part: Part, name: str) -> bool:
    """Whether a value is not there yet: a maximum of 0, a score that nothing has set."""
    if part == "score":
        return not values.base(name) and len(values.explain(name).steps) < 2
    return part == "vital" and values.base(name) <= 0


def best_attack(state: State, unit: Unit) -> tuple[str, AttackMode] | None:
    """Return the attack with the highest sum of roll and average damage, with its weapon's name."""
    ranked = [
        (mode.roll_bonus + _average(mode.damage_dice), holding.name, mode)
        for holding, mode in _attack_modes(state, unit)
        if not mode.unmet
    ]
    if not ranked:
        return None
    _worth, name, mode = max(ranked, key=lambda entry: entry[0])
    return name, mode


def _attack_modes(state: State, unit: Unit) -> Iterator[tuple[Holding, AttackMode]]:
    """Yield the attacks of a unit as its sheet prints them, with what has them."""
    for holding in state.holdings:  # a companion is a holding of its owner, with attacks itself
        if state.bearer(holding) != unit.id or not holding.entity.attacks:
            continue
        if _is_unfinished(state, holding):
            continue
        weapon = attacks.weapon(HeldEntity.of(state, holding), (), ())
        for mode in weapon.attacks if weapon is not None else ():
            yield holding, mode


def _attack_figures(mode: AttackMode) -> tuple[str, str]:
    """Return the roll of an attack and its damage; of one without a roll only the damage."""
    damage = mode.damage.replace(NO_BREAK, " ")
    return (mode.roll, damage) if mode.roll else (damage, "")


def _is_unfinished(state: State, holding: Holding) -> bool:
    """Whether figures of a thing are answers to its own choices that are still open."""
    return any(
        f"{holding.id}.{question.id}" not in state.answers
        for question in holding.entity.numbers
        if question.when is None
    )


def _average(damage: str) -> float:
    """Return roughly the average of a sum of dice and numbers: ``2d6+3``."""
    total = 0.0
    for part in filter(None, damage.replace("-", "+-").split("+")):
        if part.lstrip("-").isdigit():
            total += int(part)
        else:
            with suppress(ValueError):  # dice of symbols have no average
                dice = parse_dice(part)
                total += (dice.keep or dice.number) * fmean(dice.faces)
    return total
