"""A page on the full screen: how it is divided, which rows are in view, the text below them.

``menu_view`` and ``form_view`` say what the rows and the text are, and what the keys do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, NamedTuple

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import AnyContainer, Dimension, FormattedTextControl, Window
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.language import _
from charforge.usecases.key_values import KeyValue
from charforge.wizard.pages import (
    WIDEST,
    Back,
    StyledLine,
    WizardPage,
    clipped,
    head,
    line_width,
    panel_width,
)

PAGE_STEP = 8  # entries that Page Up and Page Down move over
KEY_GAP = " · "


def always(page: WizardPage) -> tuple[str, str]:
    """Return the keys that every page has."""
    return (_("Esc back"), _("Ctrl-C {stop}").format(stop=_(page.stop)))


def always_short() -> tuple[str, str]:
    """Return the keys that every page has, for a narrow terminal."""
    return (_("Esc back"), _("Ctrl-C quit"))


def key_line(*keys: str) -> StyledLine:
    """Return the line that lists the keys of a page."""
    return [("class:keys", f" {KEY_GAP.join(filter(None, keys))}")]


def common_keys() -> KeyBindings:
    """Return the keys that mean the same everywhere."""
    bindings = KeyBindings()

    @bindings.add(Keys.ControlC, eager=True)
    @bindings.add(Keys.SIGINT, eager=True)
    def _stop(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt())

    @bindings.add(Keys.ControlB, eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(exception=Back())

    return bindings


def join_lines(lines: Sequence[StyledLine]) -> StyleAndTextTuples:
    """Return lines as one text."""
    tokens: StyleAndTextTuples = [part for line in lines for part in (*line, ("", "\n"))]
    return tokens[:-1]


MOST_TEXT = 6  # lines below the rows, if there is no room for more
ROWS_KEPT = 3  # for rows and text between the head and the end of a tiny screen
STICKY = 4  # rows from which on the heading of the first row stays in view


class PageRow(NamedTuple):
    """One row of a page, or the heading above some."""

    line: StyledLine
    is_heading: bool = False


class _Sizes(NamedTuple):
    """The lines above the rows, and the heights of the rows and of the text below them."""

    above: list[StyledLine]
    rows: int
    text: int


class PageView(ABC):
    """A page with rows: how many lines each part gets, and which rows are in view."""

    more: ClassVar[str] = "…"  # after the number of the text's page: the key for the next one

    def __init__(self, page: WizardPage, output: Output) -> None:
        self.page = page
        self.output = output
        self.message = ""  # what the last key did or could not do
        self.text_page = 0  # of a text too long for its place
        self._first = 0  # the first row in view
        self._sized: tuple[object, _Sizes] | None = None

    # ------------------------------------------------------------ what a page contains

    @abstractmethod
    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character as the page stands now."""

    @abstractmethod
    def version(self) -> object:
        """Return what stays equal as long as the sizes do not change."""

    @abstractmethod
    def rows(self, width: int) -> Sequence[PageRow]:
        """Return all rows."""

    @abstractmethod
    def pointed_row(self) -> int:
        """Return the number of the row that is pointed at, from 0."""

    @abstractmethod
    def text(self) -> list[StyledLine]:
        """Return the text that belongs to the row that is pointed at."""

    @abstractmethod
    def longest_text(self) -> int:
        """Return the lines of the longest text, so that nothing moves with the pointer."""

    @abstractmethod
    def key_names(self) -> Sequence[Sequence[str]]:
        """Return the names of the keys, followed by shorter lists for narrow screens."""

    def status(self) -> tuple[str, ...]:
        """Return the progress in words."""
        return self.page.status

    def pinned(self, _width: int) -> list[StyledLine]:
        """Return the rows that stay above the others."""
        return []

    def searched(self) -> str:
        """Return what is searched for, for the line above the text."""
        return ""

    # ------------------------------------------------------------ how it is divided

    def columns(self) -> int:
        """Return the columns of the page without the panel beside it."""
        columns = self.output.get_size().columns
        return columns - panel_width(columns, self.values())

    def width(self) -> int:
        """Return the width of texts in columns."""
        return min(self.columns(), WIDEST)

    def sizes(self) -> _Sizes:
        """Return how the page is divided, for the present size of the terminal."""
        key = (self.output.get_size(), self.version())
        if self._sized is None or self._sized[0] != key:
            self._sized = (key, self._divided())
        return self._sized[1]

    def _divided(self) -> _Sizes:
        """Divide the page: the text has room for the longest, but the rows get two thirds."""
        size, columns = self.output.get_size(), self.columns()
        pinned, count = self.pinned(columns - 2), len(self.rows(columns - 2))
        longest = self.longest_text()
        text = longest + 1 if longest else 0
        values = () if columns < size.columns else self.values()
        page = replace(self.page, status=self.status(), values=values)
        room = size.rows - 2 - len(pinned)
        above = head(page, columns, room - count - min(text, MOST_TEXT))
        if len(above) > max(1, room - ROWS_KEPT):  # on a tiny screen, the question alone
            above = head(replace(page, intro="", help=""), columns, 0)[-max(1, room - ROWS_KEPT) :]
        left = room - len(above)
        listed = min(count, max(left - text, (2 * left + 2) // 3))
        return _Sizes([*above, *pinned], max(1, listed), max(0, min(text, left - listed)))

    def parts(self) -> list[AnyContainer]:
        """Return the windows of the page, from the top."""
        above = FormattedTextControl(lambda: join_lines(self.sizes().above))
        rows = FormattedTextControl(
            lambda: join_lines(self.in_view()), focusable=True, show_cursor=False
        )
        below = FormattedTextControl(lambda: join_lines(self.below()))
        return [
            Window(above, height=lambda: Dimension.exact(len(self.sizes().above))),
            Window(
                rows, height=lambda: Dimension.exact(self.sizes().rows), always_hide_cursor=True
            ),
            Window(below, height=lambda: Dimension.exact(self.sizes().text)),
        ]

    def in_view(self) -> list[StyledLine]:
        """Return the rows in view, with a scrollbar if there are others.

        The heading of the first one stays in view, because it has the titles of a table.
        """
        width, height = self.columns() - 2, self.sizes().rows
        rows, at = self.rows(width), self.pointed_row()
        margin = 1 if height >= STICKY else 0
        self._first = max(min(self._first, at - margin), at - height + 1 + margin)
        self._first = max(0, min(self._first, len(rows) - height))
        first = self._first
        lines = [row.line for row in rows[first : first + height]]
        if margin and first and not rows[first + 1].is_heading:
            headings = [row.line for row in rows[: first + 1] if row.is_heading]
            lines[:1] = headings[-1:] or lines[:1]
        return lines if len(rows) <= height else _with_scrollbar(lines, first, len(rows), width)

    def below(self) -> list[StyledLine]:
        """Return the lines below the rows: a rule, then one page of the row's text."""
        height = self.sizes().text - 1
        if height < 0:
            return []
        lines = self.text()
        pages = max(1, -(-len(lines) // max(height, 1)))
        page = self.text_page % pages
        more = f" {page + 1}/{pages} {_(self.more)} " if pages > 1 else ""
        typed = self.searched()
        search = _(" search: {typed}▏").format(typed=typed) if typed else ""
        rule = "─" * max(0, self.width() - get_cwidth(search) - len(more) - 2)
        return [
            [("", " "), ("class:rule", "─"), ("class:status", search), ("class:rule", rule + more)],
            *([("", "  "), *line] for line in lines[page * height : (page + 1) * height]),
        ]

    def keys(self) -> StyledLine:
        """Return the line of keys that fits, or what the last key did."""
        columns = self.output.get_size().columns
        if self.message:
            return [("class:note", clipped(f" {self.message}", columns))]
        lines = [key_line(*names) for names in self.key_names()]
        return next((line for line in lines if line_width(line) < columns), lines[-1])

    # ------------------------------------------------------------ keys

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = common_keys()

        @bindings.add(Keys.ControlD, eager=True)
        def _end_of_input(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError())

        return bindings


def _with_scrollbar(
    lines: list[StyledLine], first: int, count: int, width: int
) -> list[StyledLine]:
    """Return lines with a scrollbar behind them, which shows without colours too."""
    height = len(lines)
    thumb = max(1, height * height // count)
    start = first * (height - thumb) // max(1, count - height)
    shown: list[StyledLine] = []
    for number, line in enumerate(lines):
        is_thumb = start <= number < start + thumb
        bar = ("class:pointer", "┃") if is_thumb else ("class:rule", "│")
        shown.append([*line, ("", " " * (width + 1 - line_width(line))), bar])
    return shown
