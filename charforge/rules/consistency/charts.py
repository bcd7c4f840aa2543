"""What the rows of a chart agree on, and the steps that read them."""

from __future__ import annotations

import itertools
import math

from charforge.rules import models
from charforge.rules.symbols import Checks, Finding, Findings, Known, missing


def _chart(_known: Known, chart: models.Chart) -> Findings:
    """A chart's rows have a cell a column, hold for nothing twice, and leave no gap unruled."""
    for number, row in enumerate(chart.rows):
        if len(row.cells) != len(chart.columns):
            told = f"{len(row.cells)} cells for {len(chart.columns)} columns"
            yield Finding(("rows", number, "cells"), told)
        if row.at in [other.at for other in chart.rows[:number] if isinstance(other.at, str)]:
            yield Finding(("rows", number, "at"), f"{row.at} has a row already")
    spans = [(row.span, n, row.heading) for n, row in enumerate(chart.rows) if row.span is not None]
    spans.sort(key=lambda found: -math.inf if found[0][0] is None else found[0][0])
    for ((_low, high), _n, before), ((low, _high), number, heading) in itertools.pairwise(spans):
        if high is None or low is None or low <= high:
            yield Finding(("rows", number, "at"), f"the rows {before} and {heading} overlap")
        elif low > high + 1 and chart.between == "refuse":
            told = f"nothing is said between {before} and {heading}: add a row, or 'between'"
            yield Finding(("rows", number, "at"), told)


def _read_chart(known: Known, step: models.ReadChart) -> Findings:
    """What is taken of a chart are columns of it; every word that is looked up has a row."""
    chart = known.ruleset.charts.get(step.chart)
    if chart is None:
        return
    columns = [column.id for column in chart.columns]
    for name, column in step.take.items():
        yield from missing(f"column of {chart.id}", column, columns, ("take", name))
    words = [row.at for row in chart.rows if isinstance(row.at, str)]
    for one in known.inputs:
        if step.at == f"${one.id}":
            for option in one.options:
                yield from missing(f"row of {chart.id}", option, words, ("at",))


CHECKS: Checks = {
    models.Chart: _chart,
    models.ReadChart: _read_chart,
}
