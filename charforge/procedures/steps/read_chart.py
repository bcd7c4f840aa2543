"""The step ``read``: read a row of a chart."""

from __future__ import annotations

from typing import Any

from charforge.language import _
from charforge.procedures import charts
from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import NameReader, Names, StepKind
from charforge.rules.models import ReadChart


class ReadChartKind(StepKind[ReadChart]):
    """Reads cells of a chart into variables."""

    def run(self, context: ProcedureContext, step: ReadChart) -> None:
        """Read the row. Raises ProcedureError where the chart has none."""
        chart = context.state.ruleset.charts[step.chart]
        at = step.at
        key: Any = context.variables[at[1:]] if isinstance(at, str) else context.evaluate(at)
        row = chart.row(key)
        if row is None:
            raise context.refused(chart.label, _("the table has no row for {key}").format(key=key))
        cells = {
            column.id: charts.cell_value(cell, context.evaluate, context.words)
            for column, cell in zip(chart.columns, row.cells, strict=True)
            if column.id in step.take.values()  # others may read figures that are missing here
        }
        context.variables |= {ours: cells[column] for ours, column in step.take.items()}

        def message() -> str:
            taken = [column for column in chart.columns if column.id in cells and not column.hidden]
            shown = ", ".join(str(cells[column.id]) for column in taken)
            place = key if isinstance(key, int) else context.words(row.heading)
            return f"{chart.label} {place}" + (f": {shown}" if shown else "")

        context.add_message(step, message, chart.id)

    def reads(self, step: ReadChart, names: NameReader) -> Names:
        """Return also the names in the texts of the chart."""
        rows = names.ruleset.charts[step.chart].rows
        cells = (text for row in rows for text in (row.heading, *row.cells))
        texts = names.figures_of(text for text in cells if isinstance(text, str))
        return super().reads(step, names) | texts
