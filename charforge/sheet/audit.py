"""The audit: each value of each unit, with the steps that it is calculated from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from charforge.character.values import PLAY, ExplainedValue, ValueStep
from charforge.decisions.base import Decision
from charforge.describe.formulas import note_text
from charforge.expressions.template import MINUS, true_minus
from charforge.language import _
from charforge.replay.replay import Character

SIGNS = {"add": "", "set": "= ", "multiply": "× ", "at_least": "≥ ", "at_most": "≤ "}


class AuditLine(NamedTuple):
    """One step of a value: its amount with sign, the total after it, its source and formula.

    ``now`` marks a temporary step.
    """

    amount: str
    total: str
    source: str
    note: str
    now: bool


class AuditedValue(NamedTuple):
    """A value with its steps; ``total`` is after all of them, ``base`` without temporary ones."""

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
        explained = (values.explain(name) for name in values.shown_ids())
        audited = tuple(_audited(character, value) for value in explained if value.steps)
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
    source = source_text(character, step.source)
    note = note_text(step.note, character.state.ruleset)
    return AuditLine(
        amount=f"{sign}{_minus(step.amount)}",
        total=_minus(step.total),
        source=source.capitalize() if step.source == PLAY else source,
        note=note.replace("owner's", "owner’s").replace(" - ", f" {MINUS} "),
        now=not step.lasting,
    )


def source_text(character: Character, source: str) -> str:
    """Return the name of a step's source, with its place in the book.

    ``source`` is the id of an entity, of a track's step or of a decision, or ``PLAY``.
    """
    if source == PLAY:
        return _("spent and regained in play")
    entity = character.state.ruleset.entities.get(source)
    if entity is not None:
        rulings = (
            _(", ruling {rulings}").format(rulings=", ".join(entity.rulings))
            if entity.rulings
            else ""
        )
        return f"{entity.name} ({entity.source}{rulings})"
    track_step = character.state.ruleset.track_steps.get(source)
    if track_step is not None:
        track, step = track_step
        return f"{track.label}: {step.label}"
    decision = character.decision(source)
    if decision is None:
        return character.label(source)
    return decision_source(character, decision)


def decision_source(character: Character, decision: Decision) -> str:
    """Return the place of a decision in the book, and the short name by which it is edited."""
    return f"{decision.heading()}{_place(character, decision)}"


def _place(character: Character, decision: Decision) -> str:
    """Return in brackets where the book asks a decision; empty if that is not known."""
    holding = character.state.holding(decision.holding)
    place = decision.question.source or (holding.entity.source if holding else "")
    return f" ({place})" if place else ""


def _minus(number: int | float) -> str:
    return true_minus(str(number))
