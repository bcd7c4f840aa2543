"""Remarks on a legal character: opposite traits, empty slots, and what else its ruleset lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from charforge.character.requirements import Applicant, is_met
from charforge.character.state import State, Unit
from charforge.language import _
from charforge.rules.models import Remark
from charforge.rules.ruleset import are_opposed


class Advice(NamedTuple):
    """A remark in words, with the command that changes what it is about.

    ``command`` is the verb; ``decision`` the id of the decision to answer
    again. Both are empty where there is none.
    """

    text: str
    command: str = ""
    decision: str = ""


def remarks(state: State) -> tuple[str, ...]:
    """Return the remarks on a character in words; none of them makes it illegal."""
    return tuple(advice.text for advice in advices(state))


def advices(state: State) -> tuple[Advice, ...]:
    """Return the remarks on a character, each with the command that helps."""
    return tuple(
        _advice(remark, state, unit, f"{unit.name}: {text}" if unit.name else text)
        for remark in state.ruleset.head.remarks
        for unit in _units(remark, state)
        for text in _texts(remark, state, unit)
    )


def _advice(remark: Remark, state: State, unit: Unit, text: str) -> Advice:
    if remark.fix != "edit":
        return Advice(text, remark.fix or "")
    if unit is not state.units[0]:
        return Advice(text)
    levels = (f"level.{level}." for level in range(state.level, 1, -1))
    asked = [name for at in (*levels, "") if (name := f"{at}{remark.question}") in state.answers]
    return Advice(text, remark.fix, asked[0]) if asked else Advice(text)


def _units(remark: Remark, state: State) -> Iterator[Unit]:
    """Yield the units that a remark is about."""
    for unit in state.units:
        if unit.type.id in remark.units or (not remark.units and unit is state.units[0]):
            yield unit


def _texts(remark: Remark, state: State, unit: Unit) -> Iterator[str]:
    """Yield a remark for each time that it applies to a unit."""
    values = state.values(unit.id)

    if remark.when is not None and not values.evaluate_now(remark.when):
        return
    if remark.lacks is not None and is_met(remark.lacks, Applicant(state, unit.id)):
        return
    text = values.plain_text(remark.text)
    if remark.opposed is None:
        yield text
        return
    for one, other in combinations(state.held(unit.id), 2):
        if are_opposed(one.entity, other.entity, remark.opposed):
            yield _("{name} and {other_name}: {text}").format(
                name=one.name, other_name=other.name, text=text
            )
