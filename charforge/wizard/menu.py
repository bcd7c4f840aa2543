"""The rows of a list: headings, entries in columns, tables, what search and filter leave.

The pointer can move to every entry, also to those that cannot be selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    AnyContainer,
    BufferControl,
    Dimension,
    FormattedTextControl,
    VSplit,
    Window,
)
from prompt_toolkit.lexers import SimpleLexer
from prompt_toolkit.output import Output
from prompt_toolkit.utils import get_cwidth

from charforge.decisions.base import MenuItem
from charforge.expressions.template import MINUS
from charforge.language import N_, _
from charforge.usecases.preview import KeyValue
from charforge.wizard.list_pages import (
    DID_YOU_MEAN,
    KeyOutcome,
    Leave,
    ListPage,
    search_items,
)
from charforge.wizard.pages import (
    COMPARE_KEY,
    PAGE_STEP,
    AdviceAsked,
    Back,
    PageRow,
    PageView,
    StyledLine,
    TermsAsked,
    WizardPage,
    always,
    clipped,
    padded,
    wrapped_lines,
)

RECOMMENDED = "★"
SEARCHED = 12  # longer lists say that they can be searched by typing
WIDEST_LABEL = 40  # on a screen that is not wide
WIDEST_IN_TABLE = 26
NARROWEST = 12  # columns of a shortened last column
ROW_START, GAP = 3, 2  # columns before a label, and between columns


class MenuRow(NamedTuple):
    """A row of a menu: the heading of a group, or an item."""

    heading: str
    item: MenuItem | None = None


class Menu:
    """The rows of a list that the search and the filter leave, and which is pointed at.

    Without a start, the pointer begins at the first entry that can be selected.
    """

    def __init__(self, page: ListPage) -> None:
        self.page = page
        self.version = 0
        self.position = 0
        self.refresh()
        self.is_long = len(self.items) > SEARCHED
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
        left = [row.item for row in self.all_rows if row.item is not None]
        if self.page.available_only:
            left = [item for item in left if not _is_closed(item)]
        found, is_corrected = search_items(left, self.page.search_text)
        ids = {*map(id, found)}
        rows: list[MenuRow] = [MenuRow(_(DID_YOU_MEAN))] if is_corrected else []
        for row in self.all_rows:
            if is_corrected and row.item is None:
                continue
            if row.item is not None and id(row.item) not in ids:
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
        return self.page.available_only or (self.is_long and any(map(_is_closed, self.items)))

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
        """Search for a text, and point at the first entry found: by its name, if there is one.

        When the search is cleared, the pointer stays at its entry.
        """
        self.page.search_text = text
        self._select_rows()
        words = text.casefold().split()
        if not words:
            self.point(self.page.pointed_value)
            return
        named = [
            n
            for n in self._entries()
            if all(word in self._item(n).label.casefold() for word in words)
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

    def lines(self, width: int) -> list[PageRow]:
        """Return the rows below the pinned entries as styled text."""
        rows = list(enumerate(self.rows))[len(self.pinned) :]
        if rows:
            return [PageRow(self._row(n, row, width), row.item is None) for n, row in rows]
        nothing = _("Nothing matches. Esc clears the search.")
        if self.page.available_only:
            nothing = _("Nothing that is available matches. Tab shows all.")
        return [PageRow([("class:note", f"   {nothing}")])]

    def pinned_lines(self, width: int) -> list[StyledLine]:
        """Return the pinned entries as lines."""
        return [self._row(number, self.rows[number], width) for number in range(len(self.pinned))]

    def _row(self, number: int, row: MenuRow, width: int) -> StyledLine:
        """Return a heading, or an item with pointer and tick."""
        if row.item is None:
            heading: StyledLine = [("", " "), ("class:separator", row.heading)]
            if row.heading in self.columns:
                columns = self.columns[row.heading].fitted(width - ROW_START - self._tick_width)
                heading += columns.titles(get_cwidth(row.heading) + 1 - self._tick_width)
            return _clipped(heading, width)
        item, pointed = row.item, number == self.position
        style = "class:disabled" if item.against else "class:highlighted" if pointed else ""
        line: StyledLine = [("class:pointer", " ▸ " if pointed else "   ")]
        if item.picked is not None:
            mark = "✓" if item.picked == 1 else str(item.picked or " ")
            line.append(("class:detail" if item.picked else style, f"[{mark}] "))
        room = width - sum(get_cwidth(text) for _style, text in line)
        return _clipped([*line, *self.columns[item.group].fitted(room).row(item, style)], width)

    @property
    def _tick_width(self) -> int:
        """The columns before the labels that the ticks of a checklist take."""
        return len("[ ] ") if any(item.picked is not None for item in self.items) else 0


class _Columns(NamedTuple):
    """The widths of the columns of a group; ``cells`` are those of its table, by title."""

    label: int
    detail: int
    cells: dict[str, int]

    @classmethod
    def of(cls, items: Sequence[MenuItem]) -> _Columns:
        """Return columns that hold the texts of all items."""
        listed = [item for item in items if item.detail or item.against or item.cells]
        widest = max((get_cwidth(_label(item)) for item in listed), default=0)
        detail = max((get_cwidth(item.detail) for item in items), default=0)
        cells: dict[str, int] = {}
        for title, text in (cell for item in items for cell in item.cells):
            cells[title] = max(cells.get(title, get_cwidth(title)), get_cwidth(text))
        return cls(min(widest, WIDEST_IN_TABLE) if cells else widest, detail, cells)

    def fitted(self, room: int) -> _Columns:
        """Return the columns that fit: the last ones of a table are narrower, or left out."""
        label = min(self.label, max(WIDEST_LABEL, room // 2))
        room -= label + (GAP + self.detail if self.detail else 0)
        cells: dict[str, int] = {}
        for title, width in self.cells.items():
            room -= GAP
            is_last = len(cells) == len(self.cells) - 1
            if room < width and not (is_last and room >= NARROWEST):
                break
            cells[title] = min(width, room)
            room -= cells[title]
        return self._replace(label=label, cells=cells)

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
        """Return the label of an item, its detail and its cells, each as wide as its column.

        In a table, the reason against an item takes the place of the last column.
        """
        gap = " " * GAP
        against = ("class:against", f"{gap}{item.against}" if item.against else "")
        if item.pinned or not (item.detail or item.against or item.cells):
            return [(style, _label(item)), against]
        row: StyledLine = [(style, padded(_label(item), self.label))]
        if self.detail:
            is_last = not (item.cells or item.against)
            detail = item.detail if is_last else padded(item.detail, self.detail)
            row.append(("class:detail", f"{gap}{detail}"))
        *first, last = item.cells or [("", "")]
        for title, text in first:
            if title in self.cells:
                row.append(("class:detail", f"{gap}{padded(text, self.cells[title])}"))
        title, text = last
        if item.against:
            row.append(against)
        elif title in self.cells:
            row.append(("class:detail", f"{gap}{_shortened(text, self.cells[title])}"))
        return row


def _label(item: MenuItem) -> str:
    """Return the label of an entry, marked if it is recommended."""
    return f"{item.label} {RECOMMENDED}" if item.recommended else item.label


def _shortened(text: str, width: int) -> str:
    """Return as many parts of a list in words as fit, with an ellipsis for the others."""
    parts = text.split(", ")
    while parts and get_cwidth(text) > width:
        parts.pop()
        text = ", ".join([*parts, "…"])
    return text


def _is_closed(item: MenuItem) -> bool:
    """Return whether the filter hides an entry: it cannot be selected and is not picked."""
    return bool(item.against) and not item.picked and not item.pinned


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
        shown.append((style, clipped(text, room)))
        room -= get_cwidth(shown[-1][1])
    return shown


MOST_TRIED = 10  # entries whose previews are all made before the page is shown
PREVIEW_LINES = 1  # that the previews of a longer list mostly take
SEARCH = N_(" search: ")
ALL = 10_000  # entries that Home and End move over
MORE, LESS = ("+",), ("-", MINUS)


class MenuView(PageView):
    """A menu on its page."""

    more = N_("→ more")

    def __init__(self, page: WizardPage, menu: Menu, output: Output) -> None:
        buffer = Buffer(
            document=Document(menu.page.search_text),
            multiline=False,
            on_text_changed=lambda _buffer: self._search(),
        )
        super().__init__(page, output, buffer)
        self.menu = menu
        self._values: tuple[int, tuple[KeyValue, ...]] | None = None
        self._longest_text: dict[int, int] = {}  # by the columns of the screen

    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character as the list stands now."""
        if self._values is None or self._values[0] != self.menu.version:
            self._values = (self.menu.version, self.menu.page.values() or self.page.values)
        return self._values[1]

    def version(self) -> object:
        """Return the version of the list, and the entry that is pointed at."""
        return (self.menu.version, self.menu.position, len(self.menu.rows), self.buffer.text)

    def status(self) -> tuple[str, ...]:
        """Return the progress of the page and of the list."""
        return (*self.page.status, *self.menu.page.status())

    def pinned(self, width: int) -> list[StyledLine]:
        """Return the entries that stay above the others."""
        return self.menu.pinned_lines(width)

    def rows(self, width: int) -> list[PageRow]:
        """Return the headings and entries below the pinned ones."""
        return self.menu.lines(width)

    def pointed_row(self) -> int:
        """Return the number of the row that is pointed at, 0 for a pinned one."""
        return max(0, self.menu.position - len(self.menu.pinned))

    def searched_width(self) -> int:
        """Return the columns that the search takes: none, if nothing is searched for."""
        text = self.buffer.text
        return min(get_cwidth(_(SEARCH)) + get_cwidth(text) + 1, self.width() // 2) if text else 0

    def rule_windows(self) -> AnyContainer:
        """Return the rule below the rows, with the text of the search and its cursor before it."""

        def search() -> StyleAndTextTuples:
            return [("class:status", _(SEARCH))] if self.buffer.text else []

        label = Window(FormattedTextControl(search), dont_extend_width=True)
        entry = Window(
            BufferControl(self.buffer, lexer=SimpleLexer("class:status")),
            width=lambda: Dimension.exact(max(0, self.searched_width() - get_cwidth(_(SEARCH)))),
            always_hide_cursor=Condition(lambda: not self.buffer.text),
        )
        return VSplit(
            [label, entry, super().rule_windows()],
            height=lambda: Dimension.exact(min(1, self.sizes().text)),
        )

    def longest_text(self) -> int:
        """Return the number of lines of the longest description, with a reason against it."""
        width = self.width()
        if width not in self._longest_text:
            items = [row.item for row in self.menu.all_rows if row.item is not None]
            tried = self.menu.page.trial is not None
            few = tried and len(items) <= MOST_TRIED
            describe = self._description if few else self._text
            lines = [len(describe(item)) for item in items]
            preview = PREVIEW_LINES if tried and not few else 0
            self._longest_text[width] = max(lines, default=0) + preview
        return self._longest_text[width] or int(self.menu.is_long or bool(self.buffer.text))

    def text(self) -> list[StyledLine]:
        """Return what the entry that is pointed at would change, and its text."""
        return self._description(self.menu.pointed_item())

    def _description(self, item: MenuItem | None) -> list[StyledLine]:
        """Return what an item would change, and its text."""
        if item is None:
            return []
        lines: list[StyledLine] = []
        for text in self.menu.page.changes(item):
            lines += wrapped_lines(text, self.width() - 4, "class:change", markup=False)
        return [*lines, *self._text(item)]

    def _text(self, item: MenuItem) -> list[StyledLine]:
        """Return the text of an item in lines: the reason against it, then its description."""
        width = self.width() - 4
        against = (
            _("Not possible: {against}.").format(against=item.against)
            if item.against and not item.pinned
            else ""
        )
        recommended = f"{RECOMMENDED} {item.recommended}" if item.recommended else ""
        return [
            *wrapped_lines(against, width, "class:note", markup=False),
            *wrapped_lines(recommended, width, "class:recommended", markup=False),
            *wrapped_lines(item.about, width),
        ]

    def key_names(self) -> list[tuple[str, ...]]:
        """Return the names of the keys, and shorter lists of them."""
        menu, item = self.menu, self.menu.pointed_item()
        is_long = menu.is_long or len(self.rows(self.columns() - 2)) > self.sizes().rows
        searched = is_long and not (item and item.is_number)
        search, find = (_("type to search"), _("type: search")) if searched else ("", "")
        show = _("all") if menu.page.available_only else _("available only")
        filter_key = _("Tab {show}").format(show=show) if menu.filterable else ""
        advice = _("{key} compare").format(key=COMPARE_KEY) if menu.page.advice is not None else ""
        full, short = (always(self.page, size, bool(self.buffer.text)) for size in (False, True))
        keys = menu.page.keys(item)
        help_key, mark = (_("? help"), "?") if self.page.explains else ("", "")
        own = (*keys, advice, help_key)
        searching = (
            (*own, filter_key, *short, find),
            (*keys, advice, mark, *short, find),
            (*keys, mark, *short, find),
        )
        return [  # the page behind ? names the keys that have no room
            (_("↑↓ move"), *own, filter_key, *full, search),
            *(searching if searched else ()),
            (_("↑↓ move"), *own, filter_key, *full),
            (*own, filter_key, *full),
            (*own, filter_key, *short),
            (*own, *short),
            (*keys, advice, mark, *short),
            (*keys, help_key, *short),
            (*keys, mark, *short),
            own,
        ]

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = super().bindings()
        self._bind_moves(bindings)
        self._bind_changes(bindings)
        self._bind_ends(bindings)

        @bindings.add(Keys.Any)
        def _type(event: KeyPressEvent) -> None:
            self.message, self.text_page = "", 0
            if event.data == "?" and self.page.explains:
                event.app.exit(exception=TermsAsked())
            elif event.data == COMPARE_KEY and self.menu.page.advice is not None:
                event.app.exit(exception=AdviceAsked())
            elif event.data == COMPARE_KEY and not self.buffer.text:
                self.message = _("There is nothing to compare here.")
            elif not self._changes(event) and event.data.isprintable():
                self.buffer.insert_text(event.data)

        return bindings

    def _search(self) -> None:
        """Search for what the buffer contains."""
        self.message, self.text_page = "", 0
        self.menu.search(self.buffer.text)

    def _changes(self, event: KeyPressEvent) -> bool:
        """Return whether a typed character changes the entry that is pointed at."""
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

    def _do(self, event: KeyPressEvent, outcome: KeyOutcome) -> None:
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
                self.buffer.insert_text(" ")
            else:
                self._do(event, self.menu.page.space(item))

        @bindings.add(Keys.Tab, eager=True)
        def _filter(_event: KeyPressEvent) -> None:
            self.message, self.text_page = "", 0
            if self.menu.filterable:
                self.menu.filter()

    def _bind_ends(self, bindings: KeyBindings) -> None:
        """Bind the keys that leave the page."""

        @bindings.add(Keys.Escape, eager=True)
        def _back(event: KeyPressEvent) -> None:
            if self.buffer.text:
                self.buffer.text = ""
            else:
                event.app.exit(exception=Back())

        @bindings.add(Keys.Enter, eager=True)
        def _select(event: KeyPressEvent) -> None:
            self.message = ""
            item = self.menu.pointed_item()
            if item is not None:
                self._do(event, self.menu.page.enter(item))
