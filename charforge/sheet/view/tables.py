"""Lists, trackers, tables of the book and tables of odds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.markup import Prose
from charforge.language import _
from charforge.sheet.view.parts import Check, Fact, SheetPool, SheetPoolDie

# A chart with no more columns, or no more letters across, has room in a column of the page.
FEW_COLUMNS, FEW_LETTERS = 4, 50


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

    @property
    def is_wide(self) -> bool:
        """Whether it has so many columns and words that it needs the width of a page."""
        columns = zip(self.columns, *(row.cells for row in self.rows), strict=False)
        letters = sum(max(map(len, column)) for column in columns)
        return len(self.columns) > FEW_COLUMNS and letters > FEW_LETTERS

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


MOST_TOGETHER = 8  # rows of boxes in one block


class SheetTrackStep(NamedTuple):
    """A step of a track with its number; ``here`` marks the present one."""

    number: int
    label: str
    text: Prose
    here: bool


class BodyMark(NamedTuple):
    """The mark of a resource on the drawing of a body; ``x`` and ``y`` are percent of its size."""

    text: str
    x: int
    y: int


class Tracker(NamedTuple):
    """A resource to keep count of on paper, under a heading.

    It goes from ``low`` to ``high`` in boxes, of which those up to ``current`` are filled; a
    ``high`` of None leaves room to write instead. With ``steps`` its numbers have names.
    """

    id: str
    heading: str
    label: str
    note: str
    current: int
    low: int = 0
    high: int | None = None
    steps: tuple[SheetTrackStep, ...] = ()
    # The key of its tracker on a page to play from.
    tracker_key: str = ""
    mark: BodyMark | None = None
    hint: str = ""  # what the marks mean

    @property
    def is_track(self) -> bool:
        """Whether its numbers are printed one by one: they have names, or are below zero."""
        return bool(self.steps) or self.low < 0

    @property
    def stops(self) -> tuple[SheetTrackStep, ...]:
        """Its numbers from lowest to highest; a text is said once where several have the same.

        A step at either end stands for whatever is beyond it, and then shows that number.
        """
        top = max(self.high if self.high is not None else self.low, self.low)
        known = any(step.here for step in self.steps)
        stops: list[SheetTrackStep] = []
        last: Prose = ()
        for number in range(self.low, top + 1):
            step: tuple[str, Prose] = ("", ())
            if self.steps:
                named = self.steps[min(number - self.low, len(self.steps) - 1)]
                step = (named.label, named.text)
            here = known and number == min(max(self.current, self.low), top)
            text = () if step[1] == last else step[1]
            stops.append(SheetTrackStep(self.current if here else number, step[0], text, here))
            last = step[1]
        return tuple(stops)


class TrackerGroup(NamedTuple):
    """Trackers under one heading, in boxes or with room to write; or the pools of dice."""

    heading: str
    boxes: tuple[Tracker, ...]
    numbers: tuple[Tracker, ...] = ()
    pools: tuple[SheetPool, ...] = ()

    @property
    def marks(self) -> tuple[BodyMark, ...]:
        """The marks on the drawing of a body beside the boxes, if there is one."""
        return tuple(tracker.mark for tracker in self.boxes if tracker.mark)

    @property
    def hint(self) -> str:
        """The meaning of the marks."""
        return next((tracker.hint for tracker in self.boxes if tracker.hint), "")

    @property
    def is_long(self) -> bool:
        """Whether it has so many boxes that they need columns of their own."""
        return len(self.boxes) > MOST_TOGETHER


def tracker_groups(
    trackers: Iterable[Tracker], pools: tuple[SheetPool, ...]
) -> tuple[TrackerGroup, ...]:
    """Return the trackers without steps by heading, then the pools of dice."""
    headings: dict[str, list[Tracker]] = {}
    for tracker in trackers:
        if not tracker.is_track:
            headings.setdefault(tracker.heading, []).append(tracker)
    groups = [
        TrackerGroup(
            heading,
            tuple(tracker for tracker in group if tracker.high is not None),
            tuple(tracker for tracker in group if tracker.high is None),
        )
        for heading, group in headings.items()
    ]
    return (*groups, *([TrackerGroup(_("Dice pools"), (), (), pools)] if pools else ()))
