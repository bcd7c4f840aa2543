"""A menu on a full-screen page: a list with search, and the text of the entry below it.

The pointer can move to every entry, also to those that cannot be selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

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
from charforge.wizard.list_pages import Leave, ListPage, Outcome
from charforge.wizard.pages import (
    WIDEST,
    Back,
    StyledLine,
    TermsAsked,
    WizardPage,
    clipped,
    head,
    padded,
    wrapped,
)
from charforge.wizard.panel import panel_width

CURSOR = "[SetCursorPosition]"  # marks the row that a window keeps in view
SEARCHED = 12  # longer lists can be searched by typing
WIDEST_LABEL = 40
WIDEST_IN_TABLE = 26
ROW_START, GAP = 3, 2  # columns before a label, and between columns
MOST_TRIED = 10  # entries whose previews are all made before the page is shown
PREVIEW_LINES = 1  # that the previews of a longer list mostly take
PAGE_STEP, ALL = 8, 10_000  # entries that Page Up and Home move over
ALWAYS = ("Esc back", "Ctrl-C save draft and quit")
ALWAYS_SHORT = ("Esc back", "Ctrl-C quit")
KEY_GAP = " · "
MORE, LESS = ("+",), ("-", "\N{MINUS SIGN}")


class MenuRow(NamedTuple):
    """A row of a menu: the heading of a group, or an item."""

    heading: str
    item: MenuItem | None = None

    def matches(self, words: Sequence[str]) -> bool:
        """Whether all words of a search are in an item's texts."""
        if self.item is None or self.item.pinned:
            return True
        item = self.item
        cells = " ".join(text for _title, text in item.cells)
        text = f"{item.label} {item.group} {item.search} {cells} {item.about}".casefold()
        return all(word in text for word in words)


class Menu:
    """The rows of a list that the search and the filter leave, and which is pointed at.

    Without a start, the pointer begins at the first entry that can be selected.
    """

    def __init__(self, page: ListPage) -> None:
        self.page = page
        self.version = 0
        self.position = 0
        self.refresh()
        self.searchable = len(self.items) > SEARCHED
        self.point(page.pointed_value)

    def refresh(self) -> None:
        """Read the entries of the list again, after a key has changed it."""
        self.version += 1
        self.items = self.page.items()
        self.pinned = [item for item in self.items if item.pinned]
        self.all_rows = _rows([item for item in self.items if not item.pinned])
        self.columns = _Columns.by_group(self.items)
        self._select_rows()

    def _select_rows(self) -> None:
        """Find the rows that the search and the filter leave, below their headings."""
        words = self.page.search_text.casefold().split()
        rows: list[MenuRow] = []
        for row in self.all_rows:
            if not row.matches(words) or (self.page.available_only and _is_closed(row.item)):
                continue
            if rows and row.item is None and rows[-1].item is None:
                rows.pop()  # a heading without items
            rows.append(row)
        if rows and rows[-1].item is None:
            rows.pop()
        self.rows = [MenuRow("", item) for item in self.pinned] + rows

    @property
    def filterable(self) -> bool:
        """Whether a filter for what is available would hide anything."""
        return self.page.available_only or (self.searchable and any(map(_is_closed, self.items)))

    def pointed_item(self) -> MenuItem | None:
        """Return the item that is pointed at, if the search has left any."""
        return self.rows[self.position].item if self.position < len(self.rows) else None

    def point(self, value: Any) -> None:
        """Point at the entry of a value, or else at the first that can be selected."""
        found = [n for n in self._entries() if self._item(n).value == value]
        self.position = found[0] if found else self._first_legal()
        self._remember()

    def update(self) -> None:
        """Show the list as a key has changed it; the pointer stays at its entry."""
        self.refresh()
        found = [n for n in self._entries() if self._item(n).value == self.page.pointed_value]
        if found:
            self.position = found[0]
        else:
            last = max(self._entries(), default=0)
            self.position = min(self.position, last)
        self._remember()

    def move(self, steps: int, around: bool = False) -> None:
        """Move the pointer over items; ``around``: from one end to the other."""
        entries = self._entries()
        if self.position in entries:
            to = entries.index(self.position) + steps
            to = to % len(entries) if around else min(max(to, 0), len(entries) - 1)
            self.position = entries[to]
            self._remember()

    def search(self, text: str) -> None:
        """Search for a text, and point at the first entry found: by its name, if there is one."""
        self.page.search_text = text
        self._select_rows()
        words = text.casefold().split()
        named = [
            n
            for n in self._entries()
            if words and all(word in self._item(n).label.casefold() for word in words)
        ]
        legal = [n for n in named if not self._item(n).against]
        self.position = next(iter((*legal, *named)), self._first_legal())
        self._remember()

    def filter(self) -> None:
        """Show only what is available, or everything again."""
        self.page.available_only = not self.page.available_only
        self.update()

    def _remember(self) -> None:
        item = self.pointed_item()
        if item is not None:
            self.page.pointed_value = item.value

    def _entries(self) -> list[int]:
        return [n for n, row in enumerate(self.rows) if row.item is not None]

    def _item(self, number: int) -> MenuItem:
        item = self.rows[number].item
        assert item is not None
        return item

    def _first_legal(self) -> int:
        entries = self._entries()
        free = [n for n in entries if not self._item(n).pinned]
        legal = [n for n in free if not self._item(n).against]
        return next(iter((*legal, *free, *entries)), 0)

    def text(self, width: int) -> StyleAndTextTuples:
        """Return the rows below the pinned entries as styled text."""
        tokens: StyleAndTextTuples = []
        for number, row in enumerate(self.rows):
            if number < len(self.pinned):
                continue
            if tokens:
                tokens.append(("", "\n"))
            tokens += self._row(number, row, width)
        nothing = "Nothing matches."
        if self.page.available_only:
            nothing = "Nothing that is available matches. Tab shows all."
        return tokens or [("class:note", f"   {nothing}")]

    def pinned_lines(self, width: int) -> list[StyledLine]:
        """Return the pinned entries as lines."""
        return [self._row(number, self.rows[number], width) for number in range(len(self.pinned))]

    def _row(self, number: int, row: MenuRow, width: int) -> StyledLine:
        """Return a heading, or an item with pointer and tick."""
        if row.item is None:
            heading = padded(row.heading, get_cwidth(row.heading))
            titles = self.columns[row.heading].titles(get_cwidth(heading) + 1)
            return _clipped([("", " "), ("class:separator", heading), *titles], width)
        item, pointed = row.item, number == self.position
        style = "class:disabled" if item.against else "class:highlighted" if pointed else ""
        line: StyledLine = [("class:pointer", " ▸ " if pointed else "   ")]
        if pointed:
            line.append((CURSOR, ""))
        if item.picked is not None:
            mark = "✓" if item.picked == 1 else str(item.picked or " ")
            line.append(("class:detail" if item.picked else style, f"[{mark}] "))
        return _clipped([*line, *self.columns[item.group].row(item, style)], width)


class _Columns(NamedTuple):
    """The widths of the columns of a group; ``cells`` are those of its table, by title."""

    label: int
    detail: int
    cells: dict[str, int]

    @classmethod
    def of(cls, items: Sequence[MenuItem]) -> _Columns:
        """Return columns that hold the texts of all items."""
        listed = [item for item in items if item.detail or item.against or item.cells]
        widest = max((get_cwidth(item.label) for item in listed), default=0)
        detail = max((get_cwidth(item.detail) for item in items), default=0)
        cells: dict[str, int] = {}
        for title, text in (cell for item in items for cell in item.cells):
            cells[title] = max(cells.get(title, get_cwidth(title)), get_cwidth(text))
        return cls(min(widest, WIDEST_IN_TABLE if cells else WIDEST_LABEL), detail, cells)

    @classmethod
    def by_group(cls, items: Sequence[MenuItem]) -> dict[str, _Columns]:
        """Return the columns of each group: all alike, unless there are tables."""
        groups = dict.fromkeys(item.group for item in items)
        common = cls.of([item for item in items if not item.pinned])
        if not common.cells:
            return dict.fromkeys(groups, common)
        return {group: cls.of([item for item in items if item.group == group]) for group in groups}

    def titles(self, before: int) -> StyledLine:
        """Return the titles of a table, to stand above its cells; ``before`` columns are used."""
        if not self.cells:
            return []
        gap = ROW_START + self.label + (self.detail + GAP if self.detail else 0) - before
        titles = (f"{' ' * GAP}{padded(title, width)}" for title, width in self.cells.items())
        return [("", " " * gap), *(("class:rule", title) for title in titles)]

    def row(self, item: MenuItem, style: str) -> StyledLine:
        """Return the label of an item, its detail and its cells, each as wide as its column."""
        if item.pinned or not (item.detail or item.against or item.cells):
            against = f"{' ' * GAP}{item.against}" if item.against else ""
            return [(style, item.label), ("class:against", against)]
        row: StyledLine = [(style, padded(item.label, self.label))]
        if self.detail:
            row.append(("class:detail", f"{' ' * GAP}{padded(item.detail, self.detail)}"))
        texts = dict(item.cells)
        for title, width in self.cells.items() if texts else ():
            row.append(("class:detail", f"{' ' * GAP}{padded(texts.get(title, ''), width)}"))
        if item.against:
            row.append(("class:against", f"{' ' * GAP}{item.against}"))
        return row


def _is_closed(item: MenuItem | None) -> bool:
    """Whether the filter hides an entry: it cannot be selected and is not picked."""
    return item is not None and bool(item.against) and not item.picked and not item.pinned


def _rows(items: Sequence[MenuItem]) -> list[MenuRow]:
    """Return the rows of all items, under headings if there are several groups or a table."""
    groups = list(dict.fromkeys(item.group for item in items))
    in_table = any(item.cells for item in items)
    if sum(bool(group) for group in groups) < 2 and not in_table:
        return [MenuRow("", item) for item in items]
    rows: list[MenuRow] = []
    for group in groups:
        rows += [MenuRow(group)] if group or in_table else []
        rows += [MenuRow(group, item) for item in items if item.group == group]
    return rows


def _clipped(row: StyledLine, room: int) -> StyledLine:
    """Return a row cut to ``room`` columns, with an ellipsis."""
    shown: StyledLine = []
    for style, text in row:
        if style != CURSOR:
            text = clipped(text, room)
            room -= get_cwidth(text)
        shown.append((style, text))
    return shown


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
            ("↑↓ move", *own, filter_key, *ALWAYS, search),
            ("↑↓ move", *own, filter_key, *ALWAYS),
            (*own, filter_key, *ALWAYS),
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
