"""A list on a full-screen page: how the page is divided, and what each key does."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    AnyContainer,
    Dimension,
    FormattedTextControl,
    ScrollOffsets,
    Window,
)
from prompt_toolkit.layout.containers import WindowRenderInfo
from prompt_toolkit.layout.margins import ConditionalMargin, ScrollbarMargin
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.decisions.widgets import MenuItem
from charforge.usecases.key_values import KeyValue
from charforge.wizard.keys import ALWAYS_SHORT, PAGE_STEP, always, common_keys, join_lines, key_line
from charforge.wizard.list_pages import Leave, Outcome
from charforge.wizard.menu import Menu
from charforge.wizard.pages import (
    WIDEST,
    Back,
    StyledLine,
    TermsAsked,
    WizardPage,
    clipped,
    head,
    wrapped,
)
from charforge.wizard.panel import panel_width

MOST_TRIED = 10  # entries whose previews are all made before the page is shown
PREVIEW_LINES = 1  # that the previews of a longer list mostly take
ALL = 10_000  # entries that Home and End move over
MORE, LESS = ("+",), ("-", "\N{MINUS SIGN}")


class _Scrollbar(ScrollbarMargin):
    """A scrollbar of lines, which shows without colours too."""

    def create_margin(
        self, window_render_info: WindowRenderInfo, width: int, height: int
    ) -> StyleAndTextTuples:
        bar: StyleAndTextTuples = []
        for style, text, *_mouse in super().create_margin(window_render_info, width, height):
            bar.append((style, "\n" if text == "\n" else "┃" if "button" in style else "│"))
        return bar


class _Sizes(NamedTuple):
    """The lines above the list, and the heights of the list and of the text below it."""

    above: list[StyledLine]
    list_height: int
    text_height: int


class MenuView:
    """A menu on its page: how many lines each part gets, and what they contain."""

    def __init__(self, page: WizardPage, menu: Menu, output: Output) -> None:
        self.page = page
        self.menu = menu
        self.output = output
        self.message = ""  # what the last key did or could not do
        self.text_page = 0  # of a text too long for its place
        self._sized: tuple[object, _Sizes] | None = None
        self._values: tuple[int, tuple[KeyValue, ...]] | None = None
        self._longest_text: dict[int, int] = {}  # by the columns of the screen

    def parts(self) -> list[AnyContainer]:
        """Return the windows of the page, from the top."""
        menu = Window(
            FormattedTextControl(self._list, focusable=True, show_cursor=False),
            height=lambda: Dimension.exact(self.sizes().list_height),
            right_margins=[ConditionalMargin(_Scrollbar(), Condition(self.scrolls))],
            scroll_offsets=ScrollOffsets(top=1, bottom=1),
            always_hide_cursor=True,
        )
        above = FormattedTextControl(lambda: join_lines(self.sizes().above))
        below = FormattedTextControl(lambda: join_lines(self.about()))
        return [
            Window(above, height=lambda: Dimension.exact(len(self.sizes().above))),
            menu,
            Window(below, height=lambda: Dimension.exact(self.sizes().text_height)),
        ]

    def _list(self) -> StyleAndTextTuples:
        return self.menu.text(self.columns() - 1)

    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character as the list stands now."""
        if self._values is None or self._values[0] != self.menu.version:
            self._values = (self.menu.version, self.menu.page.values() or self.page.values)
        return self._values[1]

    def columns(self) -> int:
        """Return the columns of the page without the panel beside it."""
        columns = self.output.get_size().columns
        return columns - panel_width(columns, self.values())

    def sizes(self) -> _Sizes:
        """Return how the page is divided, for the present size of the terminal.

        The text below the list has room for the longest one, so that nothing
        moves with the pointer; but the list gets at least half of the rows.
        The pinned entries are the last lines above the list.
        """
        size, menu = self.output.get_size(), self.menu
        key = (size, menu.version, menu.position)
        if self._sized is None or self._sized[0] != key:
            self._sized = (key, self._divided(size.rows, self.columns()))
        return self._sized[1]

    def _longest(self, columns: int) -> int:
        """Return the number of lines of the longest description, with a reason against it."""
        if columns not in self._longest_text:
            items = [row.item for row in self.menu.all_rows if row.item is not None]
            tried = self.menu.page.trial is not None
            few = tried and len(items) <= MOST_TRIED
            describe = self._description if few else self._text
            lines = [len(describe(item)) for item in items]
            preview = PREVIEW_LINES if tried and not few else 0
            self._longest_text[columns] = max(lines, default=0) + preview
        return self._longest_text[columns]

    def _divided(self, rows: int, columns: int) -> _Sizes:
        pinned = self.menu.pinned_lines(columns - 1)
        longest, entries = self._longest(columns), len(self.menu.all_rows)
        text_height = longest + 1 if longest or self.menu.searchable else 0
        in_panel = columns < self.output.get_size().columns
        page = replace(
            self.page,
            status=(*self.page.status, *self.menu.page.status()),
            values=() if in_panel else self.values(),
        )
        free = rows - 2 - entries - text_height - len(pinned)
        above = head(page, columns, free)
        highest = max(1, rows - 5 - len(pinned))
        if len(above) > highest:  # on a tiny screen, the question without its help
            above = head(replace(page, help=""), columns, free)[-highest:]
        room = rows - 2 - len(above) - len(pinned)
        listed = min(entries, max(room - text_height, (room + 1) // 2))
        above = [*above, *pinned]
        return _Sizes(above, max(1, listed), max(0, min(text_height, room - listed)))

    def width(self) -> int:
        """Return the width of texts in columns."""
        return min(self.columns(), WIDEST)

    def scrolls(self) -> bool:
        """Whether the list is longer than its window."""
        return len(self.menu.rows) - len(self.menu.pinned) > self.sizes().list_height

    def _description(self, item: MenuItem | None) -> list[StyledLine]:
        """Return what an item would change, and its text."""
        if item is None:
            return []
        lines: list[StyledLine] = []
        for text in self.menu.page.changes(item):
            lines += wrapped(text, self.width() - 4, "class:change", markup=False)
        return [*lines, *self._text(item)]

    def _text(self, item: MenuItem) -> list[StyledLine]:
        """Return the text of an item in lines: the reason against it, then its description."""
        width = self.width() - 4
        against = f"Not possible: {item.against}." if item.against and not item.pinned else ""
        return [
            *wrapped(against, width, "class:note", markup=False),
            *wrapped(item.about, width),
        ]

    def about(self) -> list[StyledLine]:
        """Return the lines below the list: a rule, then one page of the entry's text."""
        height = self.sizes().text_height - 1
        if height < 0:
            return []
        lines = self._description(self.menu.pointed_item())
        pages = max(1, -(-len(lines) // max(height, 1)))
        page = self.text_page % pages
        more = f" {page + 1}/{pages} → more " if pages > 1 else ""
        typed = self.menu.page.search_text
        search = f" search: {typed}▏" if typed else ""
        rule = "─" * max(0, self.width() - len(search) - len(more) - 2)
        return [
            [("", " "), ("class:rule", "─"), ("class:status", search), ("class:rule", rule + more)],
            *([("", "  "), *line] for line in lines[page * height : (page + 1) * height]),
        ]

    def keys(self) -> StyledLine:
        """Return the line of keys, or what the last key did."""
        columns = self.output.get_size().columns
        if self.message:
            return [("class:note", clipped(f" {self.message}", columns))]
        menu, item = self.menu, self.menu.pointed_item()
        search = "type to search" if menu.searchable and not (item and item.is_number) else ""
        show = "all" if menu.page.available_only else "available only"
        filter_key = f"Tab {show}" if menu.filterable else ""
        own = (*menu.page.keys(item), "? help" if self.page.explains else "")
        for keys in (
            ("↑↓ move", *own, filter_key, *always(self.page), search),
            ("↑↓ move", *own, filter_key, *always(self.page)),
            (*own, filter_key, *always(self.page)),
            (*own, filter_key, *ALWAYS_SHORT),
            (*own, *ALWAYS_SHORT),
            (*own[:-1], *ALWAYS_SHORT),
        ):
            line = key_line(*keys)
            if sum(get_cwidth(text) for _style, text in line) < columns:
                return line
        return key_line(*own)

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = common_keys()
        self._bind_moves(bindings)
        self._bind_changes(bindings)
        self._bind_ends(bindings)

        @bindings.add(Keys.Backspace, eager=True)
        @bindings.add(Keys.Any)
        def _type(event: KeyPressEvent) -> None:
            self.message, self.text_page = "", 0
            if event.key_sequence[0].key is Keys.Backspace:
                self.menu.search(self.menu.page.search_text[:-1])
            elif event.data == "?" and self.page.explains:
                event.app.exit(exception=TermsAsked())
            elif not self._changes(event):
                self._search(event.data)

        return bindings

    def _search(self, typed: str) -> None:
        if self.menu.searchable and typed.isprintable():
            self.menu.search(self.menu.page.search_text + typed)

    def _changes(self, event: KeyPressEvent) -> bool:
        """Whether a typed character changes the entry that is pointed at."""
        item, typed = self.menu.pointed_item(), event.data
        if item is None:
            return False
        counted = item.is_number or bool(item.picked)
        if counted and typed in (*MORE, *LESS):
            self._do(event, self.menu.page.step(item, typed in MORE))
        elif item.is_number and typed.isdecimal():
            self._do(event, self.menu.page.digit(item, typed))
        else:
            return False
        return True

    def _do(self, event: KeyPressEvent, outcome: Outcome) -> None:
        """Leave the page, or show the changed list with a message."""
        if isinstance(outcome, Leave):
            event.app.exit(result=outcome.value)
            return
        self.message = outcome
        self.menu.update()

    def _bind_moves(self, bindings: KeyBindings) -> None:
        moves = {
            Keys.Up: (-1, True), Keys.Down: (1, True), Keys.ControlP: (-1, True),
            Keys.ControlN: (1, True), Keys.PageUp: (-PAGE_STEP, False),
            Keys.PageDown: (PAGE_STEP, False), Keys.Home: (-ALL, False), Keys.End: (ALL, False),
        }  # fmt: skip
        for key, (steps, around) in moves.items():

            @bindings.add(key, eager=True)
            def _move(_event: KeyPressEvent, steps: int = steps, around: bool = around) -> None:
                self.message, self.text_page = "", 0
                self.menu.move(steps, around)

    def _bind_changes(self, bindings: KeyBindings) -> None:
        """Bind the keys that change an entry or what is listed."""

        @bindings.add(Keys.Right, eager=True)
        @bindings.add(Keys.Left, eager=True)
        def _sideways(event: KeyPressEvent) -> None:
            self.message = ""
            item, right = self.menu.pointed_item(), event.key_sequence[0].key is Keys.Right
            if item is not None and item.is_number:
                self._do(event, self.menu.page.step(item, right))
            else:
                self.text_page += 1 if right else -1

        @bindings.add(" ", eager=True)
        def _space(event: KeyPressEvent) -> None:
            self.message = ""
            item = self.menu.pointed_item()
            if item is None or self.menu.page.spaced_search:
                self._search(" ")
            else:
                self._do(event, self.menu.page.space(item))

        @bindings.add(Keys.Tab, eager=True)
        def _filter(_event: KeyPressEvent) -> None:
            self.message, self.text_page = "", 0
            if self.menu.filterable:
                self.menu.filter()

    def _bind_ends(self, bindings: KeyBindings) -> None:
        """Bind the keys that leave the page."""

        @bindings.add(Keys.ControlD, eager=True)
        def _end_of_input(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError())

        @bindings.add(Keys.Escape, eager=True)
        def _back(event: KeyPressEvent) -> None:
            if self.menu.page.search_text:
                self.menu.search("")
            else:
                event.app.exit(exception=Back())

        @bindings.add(Keys.Enter, eager=True)
        def _select(event: KeyPressEvent) -> None:
            self.message = ""
            item = self.menu.pointed_item()
            if item is not None:
                self._do(event, self.menu.page.enter(item))
