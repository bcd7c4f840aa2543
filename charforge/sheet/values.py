"""The numbers of a unit as a sheet shows them: scores, vitals, figures, stores."""

from __future__ import annotations

from collections.abc import Container

from charforge.content.models import Computed, Vital
from charforge.engine.derive import Values
from charforge.formula import half_up
from charforge.sheet import view
from charforge.text import NO_BREAK

OWNERS = "owner."


def attributes(values: Values, key: Container[str]) -> tuple[view.Attribute, ...]:
    """Return the scores of a unit, if its type has any."""
    ruleset = values.state.ruleset
    found = []
    for name in ruleset.group(ruleset.head.sheet.attributes):
        if name in values:
            score, value = values.explain(name), ruleset.values[name]
            shown = view.Attribute(
                name, value.label, value.name, score.base, score.total, name in key
            )
            found.append(shown)
    return tuple(found)


def vitals(values: Values) -> tuple[view.Vital, ...]:
    """Return the resources of a unit that have room to write."""
    listed = values.state.ruleset.head.sheet.vitals
    return tuple(_vital(values, spec) for spec in listed if spec.current in values)


def _vital(values: Values, spec: Vital) -> view.Vital:
    most = values.total(spec.max) if spec.max is not None and spec.max in values else None
    return view.Vital(
        id=spec.current,
        label=values.state.ruleset.values[spec.current].label,
        icon=spec.icon,
        current=values.total(spec.current),
        max=most,
        half=half_up(most) if spec.half and most is not None else None,
        shared=shared(values.unit.type.values[spec.current]),
    )


def shared(computed: Computed) -> bool:
    """Whether a resource is the owner's and only repeated here."""
    names = computed.formula.names if computed.formula is not None else ()
    return bool(names) and all(name.startswith(OWNERS) for name in names)


def figures(values: Values) -> tuple[view.Fact, ...]:
    """Return the ruleset's figures; what is used of something stands with it: ``3 of 6``.

    A unit beside the character has no list of its own: it shows whatever
    is shown nowhere else.
    """
    sheet = values.state.ruleset.head.sheet
    listed = [name for name in sheet.figures if name in values]
    if values.unit.owner is not None:
        shown = {*listed, *values.state.ruleset.group(sheet.attributes)}
        shown |= {name for vital in sheet.vitals for name in (vital.current, vital.max) if name}
        listed += [name for name in values.ids() if name not in shown]
    used = {
        computed.total_of: name
        for name, computed in values.unit.type.values.items()
        if computed.total_of is not None and computed.total_of in values
    }
    return tuple(
        _figure(values, name, used.get(name)) for name in listed if name not in used.values()
    )


def _figure(values: Values, name: str, used: str | None) -> view.Fact:
    text = f"{values.total(name)}{_unit(values, name)}"
    if used is not None:
        text = f"{values.total(used)} of {text}"
    return view.Fact(values.state.ruleset.values[name].label, text)


def empty(values: Values) -> int:
    """Return how much room for entities is not used yet."""
    return sum(
        max(values.total(computed.total_of) - values.total(name), 0)
        for name, computed in values.unit.type.values.items()
        if computed.total_of is not None and computed.total_of in values
    )


def stores(values: Values) -> tuple[view.Fact, ...]:
    """Return the resources that are no vitals, such as money."""
    ruleset = values.state.ruleset
    shown = {vital.current for vital in ruleset.head.sheet.vitals}
    return tuple(
        view.Fact(ruleset.values[name].label, f"{values.total(name)}{_unit(values, name)}")
        for name, computed in values.unit.type.values.items()
        if computed.resource and name not in shown
    )


def _unit(values: Values, name: str) -> str:
    unit = values.state.ruleset.values[name].unit
    return f"{NO_BREAK}{unit}" if unit else ""
