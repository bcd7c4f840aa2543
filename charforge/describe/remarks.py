"""Remarks on a legal character: opposite traits, empty slots, and what else its ruleset lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from charforge.character.requirements import Applicant, is_met
from charforge.character.state import State, Unit
from charforge.expressions.markup import strip_markup
from charforge.expressions.template import NO_BREAK, Figure, signed_amount, substitute
from charforge.rules.models import Remark
from charforge.rules.ruleset import are_opposed


def remarks(state: State) -> tuple[str, ...]:
    """Return the remarks on a character in words; none of them makes it illegal."""
    return tuple(
        f"{unit.name}: {text}" if unit.name else text
        for remark in state.ruleset.head.remarks
        for unit in _units(remark, state)
        for text in _texts(remark, state, unit)
    )


def _units(remark: Remark, state: State) -> Iterator[Unit]:
    """Yield the units that a remark is about."""
    for unit in state.units:
        if unit.type.id in remark.units or (not remark.units and unit is state.units[0]):
            yield unit


def _texts(remark: Remark, state: State, unit: Unit) -> Iterator[str]:
    """Yield a remark for each time that it applies to a unit."""
    values = state.values(unit.id)

    def figure(figure: Figure) -> str:
        return signed_amount(figure.dice, values.evaluate_now(figure.formula))

    if remark.when is not None and not values.evaluate_now(remark.when):
        return
    if remark.lacks is not None and is_met(remark.lacks, Applicant(state, unit.id)):
        return
    text = strip_markup(substitute(remark.text, figure)).replace(NO_BREAK, " ")
    if remark.opposed is None:
        yield text
        return
    for one, other in combinations(state.held(unit.id), 2):
        if are_opposed(one.entity, other.entity, remark.opposed):
            yield f"{one.name} and {other.name}: {text}"
