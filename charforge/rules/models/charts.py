"""Charts: tables of the book that are printed, and that procedures read."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, PlainValidator, StrictInt

from charforge.expressions.template import EN_DASH, sole, true_minus
from charforge.rules.models.base import PackModel, RuleRef, Slug, Text, ValueId

WORD = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
Span = tuple[int | None, int | None]


def _at(raw: object) -> Span | str:
    """Read where a row stands."""
    match raw:
        case bool():
            pass
        case int():
            return raw, raw
        case str() if WORD.fullmatch(raw):
            return raw
        case (int() | None as low, int() | None as high) if not isinstance(low, bool):
            if low is None or high is None or low <= high:
                return low, high
    raise ValueError("a row is at a number, from one to another ([8, 10], [13, null]), or a word")


class Column(PackModel):
    """A column of a chart; a ``hidden`` one is only for procedures."""

    id: ValueId
    label: str
    hidden: bool = False


class Row(PackModel):
    """A row: the number ``at`` which it holds, a span of them, or a word.

    A span without an end (null) goes on for ever. ``label`` heads it, if
    not its numbers. Cells are numbers or texts; a text may have figures of
    the character, and one that is nothing else is a number too.
    """

    at: Annotated[Span | str, PlainValidator(_at, json_schema_input_type=StrictInt | str | Span)]
    label: Text = ""
    cells: tuple[StrictInt | Text, ...]

    @property
    def span(self) -> Span | None:
        """The numbers that it holds for; None where it is a word's."""
        return None if isinstance(self.at, str) else self.at

    @property
    def heading(self) -> str:
        """What stands before its cells."""
        if self.label:
            return self.label
        if isinstance(self.at, str):
            return self.at
        low, high = (None if end is None else true_minus(str(end)) for end in self.at)
        if low is None or high is None:
            return f"{low}+" if low else f"up to {high}" if high else "any"
        return low if low == high else f"{low}{EN_DASH}{high}"

    def holds(self, key: int | str) -> bool:
        """Whether it is the row of a number or word."""
        if isinstance(self.at, str) or isinstance(key, str):
            return self.at == key
        low, high = self.at
        return (low is None or low <= key) and (high is None or key <= high)


class Chart(PackModel):
    """A table of the book: its rows by a number or a word, which ``key`` heads.

    ``between`` says what a number between two rows means: the ``next``
    row, the ``last`` one, or nothing (``refuse``).
    """

    id: Slug
    label: str
    source: RuleRef = ""
    text: Text = ""
    key: str = ""
    columns: tuple[Column, ...] = Field(min_length=1)
    rows: tuple[Row, ...] = Field(min_length=1)
    between: Literal["refuse", "next", "last"] = "refuse"

    def row(self, key: int | str) -> Row | None:
        """Return the row of a number or word, if there is one."""
        for row in self.rows:
            if row.holds(key):
                return row
        if isinstance(key, str) or self.between == "refuse":
            return None
        spans = [(row.span, row) for row in self.rows if row.span is not None]
        if self.between == "next":
            above = [(low, row) for (low, _high), row in spans if low is not None and low > key]
            return min(above, key=lambda found: found[0])[1] if above else None
        below = [(high, row) for (_low, high), row in spans if high is not None and high < key]
        return max(below, key=lambda found: found[0])[1] if below else None

    def column(self, name: str) -> int:
        """Return the place of a column."""
        return [column.id for column in self.columns].index(name)

    def wording(self, name: str) -> str | None:
        """Return the first cell of a column that is a text and comes to no number."""
        place = self.column(name)
        cells = [row.cells[place] for row in self.rows if place < len(row.cells)]
        texts = (cell for cell in cells if isinstance(cell, str) and sole(cell) is None)
        return next(texts, None)
