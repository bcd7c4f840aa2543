"""The numbers of a unit as a sheet shows them: scores, vitals, figures, stores."""

from __future__ import annotations

from collections.abc import Container, Iterable

from charforge.character.values import Values
from charforge.expressions.formula import half_up
from charforge.rules.models import Computed, ListSpec, Vital
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import GROUP
from charforge.sheet import view

OWNERS = "owner."


def attributes(values: Values, key: Container[str]) -> tuple[view.Attribute, ...]:
    """Return the scores of a unit, if its type has any."""
    ruleset = values.ruleset
    found = []
    for name in ruleset.group(ruleset.head.sheet.attributes):
        if name in values:
            score, value = values.explain(name), ruleset.values[name]
            shown = view.Attribute(
                name, value.label, value.name, score.base, score.total, name in key, value.before
            )
            found.append(shown)
    return tuple(found)


def vitals(values: Values) -> tuple[view.SheetVital, ...]:
    """Return the resources of a unit that have room to write."""
    listed = values.ruleset.head.sheet.vitals
    return tuple(_vital(values, spec) for spec in listed if spec.current in values)


def _vital(values: Values, spec: Vital) -> view.SheetVital:
    most = values.total(spec.max) if spec.max is not None and spec.max in values else None
    track = values.ruleset.tracks.get(spec.current)
    return view.SheetVital(
        id=spec.current,
        label=values.ruleset.values[spec.current].label,
        icon=spec.icon,
        current=values.total(spec.current),
        max=most,
        half=half_up(most) if spec.half and most is not None else None,
        shared=is_shared(values.unit.type.values[spec.current]),
        step=track.step(values.base(spec.current)).label if track is not None else "",
    )


def is_shared(computed: Computed) -> bool:
    """Whether a resource is the owner's and only repeated here."""
    names = computed.formula.names if computed.formula is not None else ()
    return bool(names) and all(name.startswith(OWNERS) for name in names)


def figures(values: Values) -> tuple[view.Fact, ...]:
    """Return the ruleset's figures; what is used of something stands with it: ``3 of 6``.

    Those that only lists show come last. A unit beside the character has
    no list of its own: it shows whatever is shown nowhere else.
    """
    sheet = values.ruleset.head.sheet
    listed = [name for name in sheet.figures if name in values]
    if values.unit.owner is None:
        shown = {*listed, *values.ruleset.group(sheet.attributes)}
        of_lists = (values_of_list(spec, values.ruleset) for spec in sheet.lists)
        listed += [n for names in of_lists for n in names if n in values and n not in shown]
    else:
        shown = {*listed, *values.ruleset.group(sheet.attributes)}
        shown |= {name for vital in sheet.vitals for name in (vital.current, vital.max) if name}
        listed += [name for name in values.ids() if name not in shown]
    used = {
        computed.total_of: name
        for name, computed in values.unit.type.values.items()
        if computed.total_of is not None and computed.total_of in values
    }
    told = listed_values(values.ruleset)
    listed = [name for name in listed if name not in used.values()]
    return tuple(_figure(values, name, used.get(name), told) for name in listed)


def _figure(values: Values, name: str, used: str | None, listed: Container[str]) -> view.Fact:
    text = _said(values, name)
    if used is not None:
        text = f"{values.total(used)} of {text}"
    return view.Fact(values.ruleset.values[name].label, text, name in listed)


def empty_slots(values: Values) -> int:
    """Return how much room for entities is not used yet."""
    return sum(
        max(values.total(computed.total_of) - values.total(name), 0)
        for name, computed in values.unit.type.values.items()
        if computed.total_of is not None and computed.total_of in values
    )


def stores(values: Values) -> tuple[view.Fact, ...]:
    """Return the resources that are no vitals, such as money."""
    ruleset = values.ruleset
    shown = {vital.current for vital in ruleset.head.sheet.vitals}
    listed = listed_values(ruleset)
    return tuple(
        view.Fact(ruleset.values[name].label, _said(values, name), name in listed)
        for name, computed in values.unit.type.values.items()
        if computed.resource and name not in shown
    )


def _said(values: Values, name: str) -> str:
    """Print a figure with what stands around it, and the step of a track where one goes by it."""
    ruleset = values.ruleset
    text = ruleset.values[name].figure(values.total(name))
    track = ruleset.tracks.get(name)
    return text if track is None else f"{text} ({track.step(values.base(name)).label})"


def listed_values(ruleset: Ruleset) -> frozenset[str]:
    """Return the values that lists or trackers of a sheet show."""
    sheet = ruleset.head.sheet
    shown = {name for spec in sheet.trackers for name in expand_groups(spec.value, ruleset)}
    shown |= {track.value for track in ruleset.head.tracks}
    return frozenset(
        shown | {name for spec in sheet.lists for name in values_of_list(spec, ruleset)}
    )


def values_of_list(spec: ListSpec, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the values that a list names itself or by their group; none for one of a kind."""
    return expand_groups(spec.values, ruleset) or ruleset.group(spec.of)


def expand_groups(named: Iterable[str], ruleset: Ruleset) -> tuple[str, ...]:
    """Return value ids; ``group:NAME`` stands for all of its own."""
    found: list[str] = []
    for name in named:
        found += ruleset.group(name.removeprefix(GROUP)) if name.startswith(GROUP) else (name,)
    return tuple(found)
