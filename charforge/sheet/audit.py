"""The audit: each value of each unit with the steps that lead to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from charforge.character.values import PLAY, ExplainedValue, ValueStep
from charforge.describe.entities import formula_text
from charforge.expressions.template import MINUS, true_minus
from charforge.replay.replay import Character

SIGNS = {"add": "", "set": "= ", "multiply": "× ", "at_least": "≥ ", "at_most": "≤ "}


class AuditLine(NamedTuple):
    """One step: ``amount`` with its sign, the total after it, its source and reason.

    ``now`` marks a temporary step.
    """

    amount: str
    total: str
    source: str
    note: str
    now: bool


class AuditedValue(NamedTuple):
    """A value with its steps, which end at ``total``; ``base`` is without temporary steps."""

    label: str
    name: str
    base: str
    total: str
    lines: tuple[AuditLine, ...]


class UnitAudit(NamedTuple):
    """The values of one unit."""

    unit: str
    values: tuple[AuditedValue, ...]


def audit(character: Character) -> Iterator[UnitAudit]:
    """Yield the values with steps, of the character and of each unit."""
    for unit in character.state.units:
        values = character.state.values(unit.id)
        explained = (values.explain(name) for name in values.ids())
        audited = tuple(_audited(character, one) for one in explained if one.steps)
        yield UnitAudit(character.name if unit.owner is None else unit.title, audited)


def _audited(character: Character, value: ExplainedValue) -> AuditedValue:
    return AuditedValue(
        label=value.label,
        name=character.state.ruleset.values[value.id].name,
        base=_minus(value.base),
        total=_minus(value.total),
        lines=tuple(_line(character, step) for step in value.steps),
    )


def _line(character: Character, step: ValueStep) -> AuditLine:
    sign = "+" if step.op == "add" and step.amount >= 0 else SIGNS[step.op]
    origin = source_text(character, step.source)
    note = formula_text(step.note, character.state.ruleset)
    return AuditLine(
        amount=f"{sign}{_minus(step.amount)}",
        total=_minus(step.total),
        source=origin.capitalize() if step.source == PLAY else origin,
        note=note.replace("owner's", "owner’s").replace(" - ", f" {MINUS} "),
        now=not step.lasting,
    )


def source_text(character: Character, origin: str) -> str:
    """Return the name of a step's source (an entity or decision) with its place in the book."""
    if origin == PLAY:
        return "spent and regained in play"
    entity = character.state.ruleset.entities.get(origin)
    if entity is not None:
        rulings = f", ruling {', '.join(entity.rulings)}" if entity.rulings else ""
        return f"{entity.name} ({entity.source}{rulings})"
    stood = character.state.ruleset.track_steps.get(origin)
    if stood is not None:
        track, step = stood
        return f"{track.label}: {step.label}"
    decision = character.decision(origin)
    if decision is None:
        return origin
    bearer = character.state.holding(decision.holding)
    place = decision.question.source or (bearer.entity.source if bearer else "")
    return f"{origin} ({place})" if place else origin


def _minus(number: int | float) -> str:
    return true_minus(str(number))
