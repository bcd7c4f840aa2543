"""What is counted, rolled or looked up, as a sheet shows it: dice, tracks, lists, tables."""

from __future__ import annotations

from typing import NamedTuple

from charforge.expressions.markup import Prose


class Symbol(NamedTuple):
    """A symbol that dice show; ``icon`` draws it."""

    id: str
    label: str
    icon: str


class Die(NamedTuple):
    """A die with the symbols of each of its faces; an empty face shows none."""

    id: str
    label: str
    shape: str
    tone: str
    faces: tuple[tuple[Symbol, ...], ...]


class PoolDie(NamedTuple):
    """So many of a die: ``shape`` and ``tone`` draw it."""

    id: str
    label: str
    shape: str
    tone: str
    number: int


class Pool(NamedTuple):
    """Dice for something; there may be none now."""

    id: str
    label: str
    dice: tuple[PoolDie, ...]


class TrackStep(NamedTuple):
    """A step of a track by its figure; ``here`` is the one that holds now."""

    number: int
    label: str
    text: Prose
    here: bool


class Track(NamedTuple):
    """A resource whose figures have names; ``id`` is its value."""

    id: str
    label: str
    current: int
    steps: tuple[TrackStep, ...]


class Tracker(NamedTuple):
    """A resource to keep count of on paper, under the heading ``over``.

    It goes from ``low`` to ``high`` in boxes, of which those up to
    ``current`` are filled; None where there is only room to write. On one
    with ``steps`` the figures have names.
    """

    id: str
    over: str
    label: str
    note: str
    current: int
    low: int = 0
    high: int | None = None
    steps: tuple[TrackStep, ...] = ()


class Cell(NamedTuple):
    """A figure of a list: a text, or dice."""

    text: str
    dice: tuple[PoolDie, ...] = ()


class ListRow(NamedTuple):
    """A line of a list; ``note`` says more about it."""

    name: str
    cells: tuple[Cell, ...]
    note: str = ""


class Listing(NamedTuple):
    """A compact list: ``columns`` head the cells of its rows, ``lines`` are left to write on."""

    label: str
    columns: tuple[str, ...]
    rows: tuple[ListRow, ...]
    lines: int = 0


class ChartRow(NamedTuple):
    """A row of a chart: what heads it, then a cell a column."""

    heading: str
    cells: tuple[str, ...]


class Chart(NamedTuple):
    """A table of the book; ``key`` heads the first column, that of the rows' headings."""

    id: str
    label: str
    text: Prose
    key: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    source: str = ""


class OddsRow(NamedTuple):
    """One thing with its figures, column by column; ``note`` says why it has none."""

    name: str
    cells: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class OddsTable(NamedTuple):
    """A table of odds: ``over`` is what the columns are, ``shown`` what a cell holds."""

    label: str
    text: str
    over: str
    columns: tuple[str, ...]
    shown: tuple[str, ...]
    rows: tuple[OddsRow, ...]
