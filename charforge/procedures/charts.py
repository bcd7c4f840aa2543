"""Reading charts: a cell is a number, a text with figures, or a figure to be computed."""

from __future__ import annotations

from collections.abc import Callable

from charforge.character.values import Values
from charforge.expressions.formula import Formula
from charforge.expressions.template import signed_amount, sole_formula, substitute
from charforge.rules.models import Chart, Row


def cell_value(
    written: int | str, whole: Callable[[Formula], int], words: Callable[[str], str]
) -> int | str:
    """Return what a cell comes to: ``whole`` computes, ``words`` fills the figures of a text."""
    if isinstance(written, int):
        return written
    formula = sole_formula(written)
    return words(written) if formula is None else whole(formula)


def printed_rows(chart: Chart, values: Values) -> list[tuple[str, tuple[int | str, ...]]]:
    """Return the rows of a chart as a sheet shows them, for the unit whose values these are.

    Each is its heading with its cells; hidden columns are left out.
    """

    def words(text: str) -> str:
        return substitute(text, lambda f: signed_amount(f.dice, values.evaluate_now(f.formula)))

    def row(found: Row) -> tuple[int | str, ...]:
        pairs = zip(chart.columns, found.cells, strict=True)
        shown = (written for column, written in pairs if not column.hidden)
        return tuple(cell_value(written, values.evaluate_now, words) for written in shown)

    return [(words(found.heading), row(found)) for found in chart.rows]
