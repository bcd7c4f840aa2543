"""Lists, tables of the book and tables of odds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.markup import Prose
from charforge.sheet.view.figures import Check, Fact, SheetPoolDie


class Cell(NamedTuple):
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[SheetPoolDie, ...] = ()


class ListRow(NamedTuple):
    """A row of a list with an optional note, and the roll for its value."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""
    check: Check | None = None

    def repeats(self, facts: Iterable[Fact]) -> bool:
        """Whether one of these facts says the same."""
        texts = [cell.text for cell in self.cells]
        return any((fact.label, [fact.text]) == (self.name, texts) for fact in facts)


class ViewList(NamedTuple):
    """A compact list: ``columns`` are the headings of the cells, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0

    @property
    def has_dice(self) -> bool:
        """Whether some of its figures are dice."""
        return any(cell.dice for row in self.rows for cell in row.cells)

    def without(self, facts: Iterable[Fact]) -> ViewList:
        """Return it without the rows that repeat one of these facts."""
        known = tuple(facts)
        return self._replace(rows=tuple(row for row in self.rows if not row.repeats(known)))


class SheetChartRow(NamedTuple):
    """A row of a chart: its heading, then one cell for each column."""

    heading: str
    cells: tuple[str, ...]


class SheetChart(NamedTuple):
    """A table of the book; ``key`` is the heading of the first column, that of row headings."""

    id: str
    label: str
    text: Prose
    key: str
    columns: tuple[str, ...]
    rows: tuple[SheetChartRow, ...]
    # Its place in the book.
    source: str = ""

    def titled(self, addition: str) -> SheetChart:
        """Return it with an addition to its label."""
        return self._replace(label=f"{self.label} ({addition})")


class OddsRow(NamedTuple):
    """A row of odds: the figures of each column, or a ``note`` why there are none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class OddsTable(NamedTuple):
    """A table of odds; ``cell_labels`` are the labels of the figures in every cell.

    ``rows_heading`` is that of a table whose rows are values of an input.
    """

    label: str
    text: str
    columns_heading: str
    columns: tuple[str, ...]
    cell_labels: tuple[str, ...]
    rows: tuple[OddsRow, ...]
    rows_heading: str = ""


class SaveCode(NamedTuple):
    """A QR code with a part of the character file: its number, how many there are, its drawing."""

    number: int
    codes: int
    svg: str


class LuckRow(NamedTuple):
    """All rolls of the same dice for one purpose: ``percentile`` is a number from 0 to 100."""

    name: str
    rolls: int
    average: str
    expected: str
    share: str
    percentile: float


class LuckTable(NamedTuple):
    """The recorded rolls compared with fair dice, and sentences about checks and attacks."""

    rows: tuple[LuckRow, ...]
    lines: tuple[str, ...]
