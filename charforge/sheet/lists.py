"""The lists and charts of a sheet, with the numbers of the unit that they are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from charforge.character.values import Values
from charforge.describe.entities import HeldEntity
from charforge.describe.formulas import formula_text
from charforge.expressions import markup
from charforge.expressions.template import substitute
from charforge.language import _
from charforge.procedures.steps.dice import printed_rows
from charforge.rules.models import Chart, ListSpec, OwnFigure
from charforge.rules.ruleset import Ruleset
from charforge.sheet import view
from charforge.sheet.holdings import PlacedHoldings, Stack, stacks
from charforge.sheet.values import (
    check,
    check_dice,
    pool_dice,
    printed_value,
    resolved_text,
    values_of_list,
)

MOST_EQUAL = 3  # rows of a chart with the same cells and words before them; more are one row


def lists(placed: PlacedHoldings, values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a character; empty ones are left out."""
    every = (_list(spec, placed, values) for spec in placed.state.ruleset.head.sheet.lists)
    return tuple(view_list for view_list in every if view_list.rows or view_list.lines)


def list_headings(ruleset: Ruleset) -> dict[str, str]:
    """Return the headings of the lists of holdings, by kind."""
    head = ruleset.head
    specs = (spec for spec in head.sheet.lists if spec.of in head.listed_kinds)
    return {spec.of: _heading(spec, ruleset) for spec in specs}


def blank_lists(values: Values) -> tuple[view.ViewList, ...]:
    """Return the lists of a blank sheet: lists of holdings have lines to write on."""
    ruleset = values.ruleset
    blank = []
    for spec in ruleset.head.sheet.lists:
        if spec.of in ruleset.kinds and spec.of not in ruleset.head.groups:
            columns = _columns(entity.figures for entity in ruleset.of_kind(spec.of))
            lines = max(spec.lines, 4)
            blank.append(view.ViewList(_heading(spec, ruleset), tuple(columns.values()), (), lines))
        else:
            blank.append(_list_of_values(spec, values))
    return tuple(blank)


def _list(spec: ListSpec, placed: PlacedHoldings, values: Values) -> view.ViewList:
    ruleset = placed.state.ruleset
    if spec.values or spec.of in ruleset.head.groups:
        return _list_of_values(spec, values)
    found = list(stacks(placed.of_kind(spec.of)))
    columns = _columns(stack.held.entity.figures for stack in found)
    rows = tuple(_row(stack, columns) for stack in found)
    lines = max(spec.lines - len(rows), 0)
    return view.ViewList(_heading(spec, ruleset), tuple(columns.values()), rows, lines)


def _list_of_values(spec: ListSpec, values: Values) -> view.ViewList:
    ruleset, dice = values.ruleset, check_dice(values.ruleset)
    rows = (
        view.ListRow(
            ruleset.values[name].label,
            (view.Cell(printed_value(values, name)),),
            check=check(dice.get(name, ""), values.total(name)),
        )
        for name in values_of_list(spec, ruleset)
        if values.is_shown(name)
    )
    return view.ViewList(_heading(spec, ruleset), (), tuple(rows), spec.lines)


def _heading(spec: ListSpec, ruleset: Ruleset) -> str:
    if spec.label:
        return spec.label
    groups = ruleset.head.groups
    return groups[spec.of] if spec.of in groups else ruleset.kinds[spec.of].plural


def _columns(figures: Iterable[tuple[OwnFigure, ...]]) -> dict[str, str]:
    """Return the labels of all figures of some entities, by id."""
    return {figure.id: figure.label for of_entity in figures for figure in of_entity}


def _row(stack: Stack, columns: Iterable[str]) -> view.ListRow:
    held = stack.held
    cells = {figure.id: _cell(figure, held) for figure in held.entity.figures}
    times = f"{stack.quantity} × " if stack.quantity > 1 else ""
    note = held.line(" ".join((held.state.text(held.entity), *held.option_texts()))).strip()
    in_columns = tuple(cells.get(name, view.Cell("")) for name in columns)
    return view.ListRow(f"{times}{held.name()}", in_columns, note, _check(held))


def _check(held: HeldEntity) -> view.Check | None:
    """Return the roll with a figure of an entity, if the ruleset has one."""
    formulas = {figure.id: figure.formula for figure in held.entity.figures}
    for spec in held.state.ruleset.head.sheet.checks:
        for name in spec.figure:
            formula = formulas.get(name)
            if formula is not None and not held.is_unanswered(formula):
                return view.Check(spec.dice, held.evaluate(formula))
    return None


def _cell(figure: OwnFigure, held: HeldEntity) -> view.Cell:
    if figure.formula is None:
        counts = {die: count.with_variables(held.own) for die, count in figure.dice.items()}
        dice = pool_dice(held.state.ruleset, counts, held.state.values(held.unit))
        return view.Cell("" if dice else _("none"), dice)
    return view.Cell(held.number_text(figure, figure.formula))


def chart(table: Chart, values: Values) -> view.SheetChart:
    """Return a chart with the figures of a unit."""
    return _chart(table, printed_rows(table, values), resolved_text(table.text, values), values)


def blank_chart(table: Chart, values: Values) -> view.SheetChart:
    """Return a chart for a blank sheet: formulas with labels instead of figures."""

    def with_labels(text: int | str) -> str:
        return substitute(str(text), lambda figure: formula_text(figure.text, values.ruleset))

    places = [place for place, column in enumerate(table.columns) if not column.hidden]
    rows = (
        (with_labels(row.heading), [with_labels(row.cells[place]) for place in places])
        for row in table.rows
    )
    text = markup.player_text(_plain_text(with_labels(table.text)))
    return _chart(table, rows, text, values)


def _chart(
    table: Chart,
    rows: Iterable[tuple[str, Iterable[object]]],
    text: markup.Prose,
    values: Values,
) -> view.SheetChart:
    """Return a chart of rows without its hidden columns, which only procedures read."""
    return view.SheetChart(
        id=table.id,
        label=table.label,
        text=text,
        key=table.key,
        columns=tuple(column.label for column in table.columns if not column.hidden),
        rows=tuple(
            _merged(
                view.SheetChartRow(_plain_text(heading), tuple(_plain_text(str(c)) for c in cells))
                for heading, cells in rows
            )
        ),
        source=_source(table, values.ruleset),
    )


def _merged(rows: Iterable[view.SheetChartRow]) -> Iterator[view.SheetChartRow]:
    """Yield rows; successive ones with the same cells are one: ``8–10``, or many words."""
    for cells, group in groupby(rows, key=lambda row: row.cells):
        equal = list(group)
        headings = [row.heading for row in equal]
        words = not any(character.isdigit() for heading in headings for character in heading)
        if len(equal) > 1 and all(heading.isdecimal() for heading in headings):
            yield view.SheetChartRow(f"{headings[0]}–{headings[-1]}", cells)
        elif len(equal) > MOST_EQUAL and words:
            yield view.SheetChartRow(", ".join(headings), cells)
        else:
            yield from equal


def _source(table: Chart, ruleset: Ruleset) -> str:
    """Return the place of a chart in the book; empty if the chart is named after it."""
    rule = ruleset.entities.get(table.source)
    source = rule.source if rule is not None else ""
    return "" if source.casefold() == table.label.casefold() else source


def _plain_text(text: str) -> str:
    """Return a text as one line without markup."""
    return markup.strip_markup(text.replace("\n", " "))
