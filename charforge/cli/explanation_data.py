"""The data of ``explain --json``: what is printed otherwise, for other programs."""

from __future__ import annotations

from typing import Any

from charforge.character.state import Holding, Unit
from charforge.export import report
from charforge.procedures import pools
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.sheet import lists
from charforge.sheet.audit import source_text
from charforge.usecases.lookup import explain_legality
from charforge.usecases.names import find_unit
from charforge.usecases.preview import preview_entity
from charforge.usecases.subjects import Subject


def explanation_data(loaded: LoadedCharacter, unit: str | None, subject: Subject) -> dict[str, Any]:
    """Return the explanation of a subject; ``kind`` says what it is."""
    character = loaded.character
    state = character.state
    owner = find_unit(state, unit)
    values = state.values(owner.id)
    if subject.value:
        return {"kind": "value", **_value_data(character, owner, subject.value)}
    if subject.chart is not None:
        shown = lists.chart(subject.chart, values)
        head = {"kind": "chart", "id": subject.chart.id, "label": subject.chart.label}
        rows = [[row.heading, *row.cells] for row in shown.rows]
        return {**head, "headings": [shown.key, *shown.columns], "rows": rows}
    if subject.pool is not None:
        dice = pools.dice_counts(subject.pool.dice, values.evaluate_now)
        head = {"kind": "pool", "id": subject.pool.id, "label": subject.pool.label}
        return {**head, "dice": dict(dice)}
    if subject.entity:
        return _entity_data(loaded, subject.entity, unit)
    if subject.holdings:
        return {"kind": "holdings", "holdings": _holdings_data(character, subject.holdings)}
    return _decision_data(character, subject.decision)


def all_values_data(character: Character, unit: Unit) -> dict[str, Any]:
    """Return the explanations of all values of a unit."""
    names = character.state.values(unit.id).shown_ids()
    return {"kind": "values", "values": [_value_data(character, unit, name) for name in names]}


def _value_data(character: Character, unit: Unit, name: str) -> dict[str, Any]:
    """Return a value with its steps as ``show --json`` has them, with their labels."""
    value = report.value_report(character.state, unit, name).model_dump()
    for step in value["steps"]:
        step["label"] = source_text(character, step["source"])
    return {"id": name, "unit": unit.id, **value}


def _holdings_data(
    character: Character, holdings: tuple[Holding, ...] | list[Holding]
) -> list[dict[str, Any]]:
    state = character.state
    wanted = {holding.id for holding in holdings}
    return [
        {"unit": unit.id, **part.model_dump(by_alias=True, exclude_defaults=True)}
        for unit in state.units
        for part in report.holdings(state, unit)
        if part.instance in wanted
    ]


def _entity_data(loaded: LoadedCharacter, name: str, unit: str | None) -> dict[str, Any]:
    """Return what a character has of an entity, or what it would change, and whether it may."""
    character, state = loaded.character, loaded.character.state
    entity, reasons = explain_legality(character, name, unit)
    units = state.units if unit is None else (find_unit(state, unit),)
    bearers = {state.holder(entity, bearer.id) for bearer in units}
    held = [h for h in state.holdings if h.entity.id == entity.id and h.unit in bearers]
    conditions = [part for part in report.conditions(state, *units) if part.id == entity.id]
    preview = None if held or conditions else preview_entity(loaded, entity, units)
    return {
        "kind": "entity",
        "id": entity.id,
        "name": entity.name,
        "holdings": _holdings_data(character, held),
        "conditions": [part.model_dump() for part in conditions],
        "allowed": not reasons,
        "reasons": list(reasons),
        "changes": [] if preview is None else list(preview[0].lines()),
    }


def _decision_data(character: Character, name: str) -> dict[str, Any]:
    """Return a decision with its answer and what the rules say about it."""
    decision, answers = character.decision(name), character.state.answers
    if decision is None:
        return {"kind": "decision", "id": name, "dormant": True}
    answered = name in answers
    return {
        "kind": "decision",
        "id": name,
        "question": decision.title(),
        "answer": answers[name] if answered else None,
        "text": decision.answer_text(answers[name]) if answered else "",
        "source": source_text(character, name),
        "problems": [p.message for p in character.problems if p.decision == name],
        "dormant": False,
    }
