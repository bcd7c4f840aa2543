"""The charts of a sheet on its pages: narrow ones beside each other, wide ones over the page.

The width of a column depends on its words: a number never breaks, a text may. Everything is
estimated before the layout; lengths are in millimetres.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from charforge.sheet import dice
from charforge.sheet.estimate import LEADING, POINT, USUAL, WIDTHS, lines, prose_height, scale_of
from charforge.sheet.print_options import Look
from charforge.sheet.spread import GUTTER, SPARE_LINE, Columns, column_width, down
from charforge.sheet.view import SheetChart, SheetDie, SheetView

NUMBER = re.compile(r"[+\N{MINUS SIGN}-]?\d[\d.,]*%?(\s?\([+\N{MINUS SIGN}-][\d.,]+\))?|[–—-]|")
FITS = 1.2  # times a column: the width of a narrow chart before its words wrap
PADDING = 3.0
LONGEST, LONGEST_HEAD = 62.0, 18.0  # the width of a text before it wraps
FOLLOWING = 0.55  # of a page: the most for charts if the reference follows on it
WHOLE = 0.3  # of a page: the most for a chart that is not split
ATOP = 17.0  # the head of a page
FACE = 6.4  # the width of a face in a legend


class Column(NamedTuple):
    """A column: its heading, its share of the width in percent, whether it has numbers."""

    label: str
    share: float
    number: bool


class Table(NamedTuple):
    """A chart with its columns, that of the row headings first; without a chart, the dice.

    A ``whole`` table is not split between pages.
    """

    chart: SheetChart | None
    columns: tuple[Column, ...]
    height: float
    whole: bool = True


class Tables(NamedTuple):
    """Narrow charts in columns, page by page, then wide ones.

    ``rest`` is how far down they reach; 0 if the next section begins on a new page.
    """

    narrow: list[Columns[Table]]
    wide: tuple[Table, ...]
    rest: float


def tables(view: SheetView, look: Look) -> Tables:
    """Arrange the charts after the legend of the dice."""
    column, page = column_width(look, GUTTER), look.page.height
    narrow, wide = [], []
    if view.dice:
        narrow.append(Table(None, (), legend_height(view.dice, look)))
    for chart in view.charts:
        if look.columns > 1 and _natural(chart, look) <= FITS * column:
            narrow.append(_table(chart, column, look))
        else:
            wide.append(_table(chart, look.page.width, look))
    sizes = [table.height for table in narrow]
    rows = list(down(narrow, sizes, page - ATOP - SPARE_LINE, page - SPARE_LINE, look.columns))
    return Tables(rows, tuple(wide), _rest(rows, wide, look))


def _rest(rows: list[Columns[Table]], wide: list[Table], look: Look) -> float:
    """Return how far down a single page is full, if there is room for more on it."""
    page = look.page.height
    if len(rows) > 1 or not (rows or wide):
        return 0.0
    used = ATOP + sum(table.height for table in wide)
    used += max(
        (sum(table.height for table in column) for row in rows for column in row), default=0
    )
    return round(used, 1) if used < FOLLOWING * page else 0.0


def _table(chart: SheetChart, width: float, look: Look) -> Table:
    columns = _columns(chart, width, look)
    height = _height(chart, columns, width, look)
    return Table(chart, columns, height, height < WHOLE * look.page.height)


def _columns(chart: SheetChart, width: float, look: Look) -> tuple[Column, ...]:
    """Divide the width: numbers get what they need, texts a share by their length."""
    labels = (chart.key, *chart.columns)
    listed = [_cells(chart, place) for place in range(len(labels))]
    numbers = [all(NUMBER.fullmatch(cell) for cell in cells) for cells in listed]
    numbers[0] = all(NUMBER.fullmatch(cell.replace("–", "")) for cell in listed[0])
    wanted = [_wanted(label, cells, look) for label, cells in zip(labels, listed, strict=True)]
    longest = [
        max(_width(word, look) for text in (label, *cells) for word in text.split() or [""])
        for label, cells in zip(labels, listed, strict=True)
    ]
    least = [
        want if number else min(want, word + PADDING)
        for want, word, number in zip(wanted, longest, numbers, strict=True)
    ]
    left = max(width - sum(least), 0.0)
    more = [want - low for want, low in zip(wanted, least, strict=True)]
    if sum(more) > left:
        widths = [low + left * extra / sum(more) for low, extra in zip(least, more, strict=True)]
    else:
        texts = [not number for number in numbers] if not all(numbers) else [True] * len(wanted)
        over = (left - sum(more)) / sum(texts)
        widths = [want + over * text for want, text in zip(wanted, texts, strict=True)]
    total = sum(widths)
    return tuple(
        Column(label, round(100 * each / total, 2), number)
        for label, each, number in zip(labels, widths, numbers, strict=True)
    )


def _cells(chart: SheetChart, place: int) -> list[str]:
    if place == 0:
        return [row.heading for row in chart.rows]
    return [row.cells[place - 1] for row in chart.rows]


def _natural(chart: SheetChart, look: Look) -> float:
    """Return the width of a chart in which only long texts wrap."""
    labels = (chart.key, *chart.columns)
    return sum(_wanted(label, _cells(chart, n), look) for n, label in enumerate(labels))


def _wanted(label: str, cells: list[str], look: Look) -> float:
    longest = max((_width(cell, look) for cell in cells), default=0.0)
    head = max(
        min(_width(label, look) * 0.95, LONGEST_HEAD),
        *(_width(word, look) for word in label.split()),
        0.0,
    )
    return max(min(longest, LONGEST * (1.5 if look.large else 1)), head) + PADDING


def _width(text: str, look: Look) -> float:
    scale = scale_of(look)
    em = scale.small * POINT / 100 * scale.wider * 1.03
    return sum(WIDTHS.get(sign, USUAL) for sign in text) * em


def _height(chart: SheetChart, columns: tuple[Column, ...], width: float, look: Look) -> float:
    scale = scale_of(look)
    line = scale.small * POINT * LEADING
    widths = [column.share / 100 * width - PADDING for column in columns]
    head = max(
        lines(column.label, each, scale.note, 0.95 * scale.wider)
        for column, each in zip(columns, widths, strict=True)
    )
    total = scale.heading + head * scale.note * POINT * 1.25 + 1.2
    total += prose_height(chart.text, width, scale.note, scale.wider)
    for row in chart.rows:
        cells = zip((row.heading, *row.cells), widths, strict=True)
        total += 1.4 + line * max(lines(c, each, scale.small, scale.wider) for c, each in cells)
    return total + 1.0


def legend_height(found: tuple[SheetDie, ...], look: Look) -> float:
    """Return the height of the legend of the dice."""
    scale = scale_of(look)
    each = dice.die_size(look) + 2.4
    if look.large:
        each += FACE * 1.6
    return scale.heading + len(found) * each + 3 * (scale.body * POINT * LEADING + 1)
