"""Reading charts: a cell is a number, a text with figures, or a figure to be computed."""

from __future__ import annotations

from collections.abc import Callable

from charforge.character.values import Values
from charforge.expressions.formula import Formula
from charforge.expressions.template import sole_formula
from charforge.rules.models import Chart, ChartRow


def cell_value(
    raw: int | str, whole: Callable[[Formula], int], words: Callable[[str], str]
) -> int | str:
    """Return the number or text of a cell.

    ``whole`` evaluates a formula, ``words`` fills the figures of a text.
    """
    if isinstance(raw, int):
        return raw
    formula = sole_formula(raw)
    return words(raw) if formula is None else whole(formula)


def printed_rows(chart: Chart, values: Values) -> list[tuple[str, tuple[int | str, ...]]]:
    """Return the rows of a chart for a sheet: each its heading and its visible cells.

    ``values`` are those of the unit.
    """

    def cells(row: ChartRow) -> tuple[int | str, ...]:
        pairs = zip(chart.columns, row.cells, strict=True)
        shown = (raw for column, raw in pairs if not column.hidden)
        return tuple(cell_value(raw, values.evaluate_now, values.text) for raw in shown)

    return [(values.text(row.heading), cells(row)) for row in chart.rows]
