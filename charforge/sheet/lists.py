"""What stands beside the attributes of a sheet: compact lists, and what is kept count of."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character.values import Values
from charforge.expressions import markup
from charforge.expressions.template import signed_amount, substitute
from charforge.rules.models import ListSpec, OwnFigure, TrackerSpec
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import GROUP
from charforge.sheet import charts, view
from charforge.sheet.bearer import Bearer
from charforge.sheet.holdings import PlacedHoldings, Stack, stacks
from charforge.sheet.values import expand_groups, values_of_list

COUNTERS = "Counters"


def lists(placed: PlacedHoldings, values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a character; one without anything in it is left out."""
    made = (_listing(spec, placed, values) for spec in placed.state.ruleset.head.sheet.lists)
    return tuple(one for one in made if one.rows or one.lines)


def list_headings(ruleset: Ruleset) -> dict[str, str]:
    """Return what the lists of kinds are called, by kind."""
    head = ruleset.head
    specs = (spec for spec in head.sheet.lists if spec.of in head.listed_kinds)
    return {spec.of: _heading(spec, ruleset) for spec in specs}


def blank_lists(values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of an empty sheet: those of kinds have lines to write on."""
    ruleset = values.ruleset
    found = []
    for spec in ruleset.head.sheet.lists:
        if spec.of in ruleset.kinds and spec.of not in ruleset.head.groups:
            columns = _columns(one.figures for one in ruleset.of_kind(spec.of))
            lines = max(spec.lines, 4)
            found.append(view.ViewList(_heading(spec, ruleset), tuple(columns.values()), (), lines))
        else:
            found.append(_of_values(spec, values))
    return tuple(found)


def trackers(values: Values) -> tuple[view.Tracker, ...]:
    """Return what a unit keeps count of; a track that no tracker names has one of its own."""
    ruleset = values.ruleset
    own = values.unit.type.values
    found, met = [], set()
    for spec in ruleset.head.sheet.trackers:
        for name in expand_groups(spec.value, ruleset):
            if name in own and not own[name].shared:
                found.append(_tracker(name, spec, values))
                met.add(name)
    for track in ruleset.head.tracks:
        if track.value in values and track.value not in met and not own[track.value].shared:
            found.append(_tracker(track.value, TrackerSpec(value=(track.value,)), values))
    return tuple(found)


# ------------------------------------------------------------------ lists


def _listing(spec: ListSpec, placed: PlacedHoldings, values: Values) -> view.ViewList:
    ruleset = placed.state.ruleset
    if spec.values or spec.of in ruleset.head.groups:
        return _of_values(spec, values)
    held = list(stacks(placed.of_kind(spec.of)))
    columns = _columns(stack.bearer.entity.figures for stack in held)
    rows = tuple(_row(stack, columns) for stack in held)
    lines = max(spec.lines - len(rows), 0)
    return view.ViewList(_heading(spec, ruleset), tuple(columns.values()), rows, lines)


def _of_values(spec: ListSpec, values: Values) -> view.ViewList:
    ruleset = values.ruleset
    rows = (
        view.ListRow(
            ruleset.values[name].label,
            (view.Cell(_minus(ruleset.values[name].figure(values.total(name)))),),
        )
        for name in values_of_list(spec, ruleset)
        if name in values
    )
    return view.ViewList(_heading(spec, ruleset), (), tuple(rows), spec.lines)


def _heading(spec: ListSpec, ruleset: Ruleset) -> str:
    if spec.label:
        return spec.label
    groups = ruleset.head.groups
    return groups[spec.of] if spec.of in groups else ruleset.kinds[spec.of].plural


def _columns(found: Iterable[tuple[OwnFigure, ...]]) -> dict[str, str]:
    """Return the labels of the figures that any of the entities shows, by id."""
    return {one.id: one.label for figures in found for one in figures}


def _row(stack: Stack, columns: Iterable[str]) -> view.ListRow:
    bearer = stack.bearer
    shown = {one.id: _cell(one, bearer) for one in bearer.entity.figures}
    cells = tuple(shown.get(name, view.Cell("")) for name in columns)
    times = f"{stack.quantity} × " if stack.quantity > 1 else ""
    text = " ".join((bearer.state.text(bearer.entity), *bearer.notes()))
    return view.ListRow(f"{times}{bearer.name()}", cells, bearer.line(text).strip())


def _cell(one: OwnFigure, bearer: Bearer) -> view.Cell:
    values = bearer.state.values(bearer.unit)
    if one.formula is None:
        dice = {die: count.with_variables(bearer.own) for die, count in one.dice.items()}
        found = charts.pool_dice(bearer.state.ruleset, dice, values)
        return view.Cell("" if found else "none", found)
    number = signed_amount((), values.evaluate_now(one.formula.with_variables(bearer.own)))
    return view.Cell(f"{one.before}{number} {one.unit}".strip())


# ------------------------------------------------------------------ trackers


def _tracker(name: str, spec: TrackerSpec, values: Values) -> view.Tracker:
    ruleset = values.ruleset
    value, track = ruleset.values[name], ruleset.tracks.get(name)
    over = spec.label or _shared_heading(spec, ruleset) or (track.label if track else COUNTERS)
    low = track.lowest if track else 0
    high = low + len(track.steps) - 1 if track else None
    if spec.boxes is not None:
        high = max(low, values.evaluate_now(spec.boxes))
    return view.Tracker(
        id=name,
        over=over,
        label=value.label,
        note=_line(spec.note or value.text, values),
        current=values.base(name) if track else values.total(name),
        low=low,
        high=high,
        steps=next((one.steps for one in charts.tracks(values) if one.id == name), ()),
    )


def _shared_heading(spec: TrackerSpec, ruleset: Ruleset) -> str:
    first = spec.value[0]
    return ruleset.head.groups.get(first.removeprefix(GROUP), "") if first.startswith(GROUP) else ""


def _line(text: str, values: Values) -> str:
    """Resolve a text of the ruleset into one line."""
    said = substitute(text, lambda f: signed_amount(f.dice, values.evaluate_now(f.formula)))
    return markup.strip_markup(said.replace("\n", " "))


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else text
