"""The lists and charts of a sheet, with the numbers of the unit that they are for."""

from __future__ import annotations

from collections.abc import Iterable

from charforge.character.values import Values
from charforge.describe.entities import HeldEntity
from charforge.expressions import markup
from charforge.expressions.template import signed_amount, substitute
from charforge.procedures.charts import printed_rows
from charforge.rules.models import Chart, ListSpec, OwnFigure
from charforge.rules.ruleset import Ruleset
from charforge.sheet import view
from charforge.sheet.audit import with_labels
from charforge.sheet.holdings import PlacedHoldings, Stack, stacks
from charforge.sheet.values import pool_dice, resolved_text, values_of_list


def lists(placed: PlacedHoldings, values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a character; empty ones are left out."""
    found = (_listing(spec, placed, values) for spec in placed.state.ruleset.head.sheet.lists)
    return tuple(one for one in found if one.rows or one.lines)


def list_headings(ruleset: Ruleset) -> dict[str, str]:
    """Return the headings of the lists of holdings, by kind."""
    head = ruleset.head
    specs = (spec for spec in head.sheet.lists if spec.of in head.listed_kinds)
    return {spec.of: _heading(spec, ruleset) for spec in specs}


def blank_lists(values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a blank sheet: lists of holdings have lines to write on."""
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


def _listing(spec: ListSpec, placed: PlacedHoldings, values: Values) -> view.ViewList:
    ruleset = placed.state.ruleset
    if spec.values or spec.of in ruleset.head.groups:
        return _of_values(spec, values)
    held = list(stacks(placed.of_kind(spec.of)))
    columns = _columns(stack.held.entity.figures for stack in held)
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
    """Return the labels of all figures of the entities, by id."""
    return {one.id: one.label for figures in found for one in figures}


def _row(stack: Stack, columns: Iterable[str]) -> view.ListRow:
    held = stack.held
    shown = {one.id: _cell(one, held) for one in held.entity.figures}
    cells = tuple(shown.get(name, view.Cell("")) for name in columns)
    times = f"{stack.quantity} × " if stack.quantity > 1 else ""
    text = " ".join((held.state.text(held.entity), *held.option_texts()))
    return view.ListRow(f"{times}{held.name()}", cells, held.line(text).strip())


def _cell(one: OwnFigure, held: HeldEntity) -> view.Cell:
    values = held.state.values(held.unit)
    if one.formula is None:
        dice = {die: count.with_variables(held.own) for die, count in one.dice.items()}
        found = pool_dice(held.state.ruleset, dice, values)
        return view.Cell("" if found else "none", found)
    number = signed_amount((), values.evaluate_now(one.formula.with_variables(held.own)))
    return view.Cell(f"{one.before}{number} {one.unit}".strip())


def _minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}") if text.startswith("-") else text


def chart(found: Chart, values: Values) -> view.SheetChart:
    """Return a chart with the figures of a unit; columns only for procedures are left out."""
    columns = [column.label for column in found.columns if not column.hidden]
    rows = (
        view.SheetChartRow(_plain_text(heading), tuple(_plain_text(str(cell)) for cell in cells))
        for heading, cells in printed_rows(found, values)
    )
    text = resolved_text(found.text, values)
    source = _source(found, values.ruleset)
    return view.SheetChart(
        found.id, found.label, text, found.key, tuple(columns), tuple(rows), source
    )


def _source(found: Chart, ruleset: Ruleset) -> str:
    """Return the place of a chart in the book; empty if the chart is named after it."""
    rule = ruleset.entities.get(found.source)
    source = rule.source if rule is not None else ""
    return "" if source.casefold() == found.label.casefold() else source


def blank_chart(found: Chart, ruleset: Ruleset) -> view.SheetChart:
    """Return a chart for a blank sheet: formulas with labels instead of figures."""

    def words(text: int | str) -> str:
        return _plain_text(substitute(str(text), lambda figure: with_labels(figure.text, ruleset)))

    columns = [column for column in found.columns if not column.hidden]
    places = [found.columns.index(column) for column in columns]
    rows = (
        view.SheetChartRow(words(row.heading), tuple(words(row.cells[place]) for place in places))
        for row in found.rows
    )
    text = markup.player_text(words(found.text))
    labels = tuple(column.label for column in columns)
    source = _source(found, ruleset)
    return view.SheetChart(found.id, found.label, text, found.key, labels, tuple(rows), source)


def _plain_text(text: str) -> str:
    """Return a text as one line without markup."""
    return markup.strip_markup(text.replace("\n", " "))
