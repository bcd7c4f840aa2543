"""A menu on a full-screen page: a list with search, and the text of the entry below it.

The pointer can move to every entry, also to those that cannot be selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from prompt_toolkit.application import get_app
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
from charforge.wizard.pages import (
    WIDEST,
    Back,
    StyledLine,
    WizardPage,
    clipped,
    head,
    padded,
    wrapped,
)

CURSOR = "[SetCursorPosition]"  # marks the row that a window keeps in view
SEARCHED = 12  # longer lists can be searched by typing
WIDEST_LABEL = 40
PAGE_STEP, ALL = 8, 10_000  # entries that Page Up and Home move over
ALWAYS = ("Esc back", "Ctrl-C stop and keep")
MORE, LESS = ("+",), ("-", "\N{MINUS SIGN}")


class MenuRow(NamedTuple):
    """A row of a menu: the heading of a group, or an item."""

    heading: str
    item: MenuItem | None = None

    def matches(self, words: Sequence[str]) -> bool:
        """Whether all words of a search are in an item's label, group or search text."""
        if self.item is None:
            return True
        text = f"{self.item.label} {self.item.group} {self.item.search}".casefold()
        return all(word in text for word in words)


class Menu:
    """The entries of a menu, the search, and which entry is pointed at.

    ``start`` is the value of the entry to begin with; without one, the
    pointer begins at the first entry that can be selected.
    """

    def __init__(self, items: Sequence[MenuItem], start: Any = None) -> None:
        self.all_rows = _rows(items)
        self.searchable = len(items) > SEARCHED
        self.search_text = ""
        in_columns = [item for item in items if item.detail or item.against]
        widest = max((get_cwidth(item.label) for item in in_columns), default=0)
        self.label_width = min(widest, WIDEST_LABEL)
        self.detail_width = max((len(item.detail) for item in items), default=0)
        started = [n for n in self._entries() if self._item(n).value == start]
        self.position = started[0] if started else self._first_legal()

    @property
    def rows(self) -> list[MenuRow]:
        """The rows that the search leaves: matching items, below their headings."""
        words = self.search_text.casefold().split()
        matching: list[MenuRow] = []
        for row in self.all_rows:
            if not row.matches(words):
                continue
            if matching and row.item is None and matching[-1].item is None:
                matching.pop()  # a heading without items
            matching.append(row)
        if words and matching and matching[-1].item is None:
            matching.pop()
        return matching

    def pointed_item(self) -> MenuItem | None:
        """Return the item that is pointed at, if the search has left any."""
        rows = self.rows
        return rows[self.position].item if self.position < len(rows) else None

    def move(self, steps: int, around: bool = False) -> None:
        """Move the pointer over items; ``around``: from one end to the other."""
        entries = self._entries()
        if self.position in entries:
            to = entries.index(self.position) + steps
            to = to % len(entries) if around else min(max(to, 0), len(entries) - 1)
            self.position = entries[to]

    def search(self, text: str) -> None:
        """Search for a text, and point at the first entry that can be selected."""
        self.search_text = text
        self.position = self._first_legal()

    def _entries(self) -> list[int]:
        return [n for n, row in enumerate(self.rows) if row.item is not None]

    def _item(self, number: int) -> MenuItem:
        item = self.rows[number].item
        assert item is not None
        return item

    def _first_legal(self) -> int:
        entries = self._entries()
        legal = [n for n in entries if not self._item(n).against]
        return next(iter((*legal, *entries)), 0)

    def text(self) -> StyleAndTextTuples:
        """Return the rows as styled text."""
        tokens: StyleAndTextTuples = []
        for number, row in enumerate(self.rows):
            if tokens:
                tokens.append(("", "\n"))
            if row.item is None:
                tokens += [("", " "), ("class:separator", row.heading)]
            else:
                tokens += self._columns(row.item, number == self.position)
        return tokens or [("class:note", "   Nothing matches.")]

    def _columns(self, item: MenuItem, pointed: bool) -> StyleAndTextTuples:
        """Return an item in columns: pointer, label, detail, the reason against it."""
        style = "class:disabled" if item.against else "class:highlighted" if pointed else ""
        in_columns = item.detail or item.against
        label = padded(item.label, self.label_width) if in_columns else item.label
        row: StyleAndTextTuples = [("class:pointer", " ▸ " if pointed else "   ")]
        if pointed:
            row.append((CURSOR, ""))
        row.append((style, label))
        if item.against:
            detail = padded(item.detail, self.detail_width)
            row += [("class:detail", f"  {detail}"), ("class:against", f"  {item.against}")]
        elif item.detail:
            row.append(("class:detail", f"  {item.detail}"))
        return _clipped(row, get_app().output.get_size().columns - 1)


def _rows(items: Sequence[MenuItem]) -> list[MenuRow]:
    """Return the rows of all items, under headings if there are several groups."""
    groups = list(dict.fromkeys(item.group for item in items))
    if sum(bool(group) for group in groups) < 2:
        return [MenuRow("", item) for item in items]
    rows: list[MenuRow] = []
    for group in groups:
        rows += [MenuRow(group)] if group else []
        rows += [MenuRow(group, item) for item in items if item.group == group]
    return rows


def _clipped(row: StyleAndTextTuples, room: int) -> StyleAndTextTuples:
    """Return a row cut to ``room`` columns, with an ellipsis."""
    shown: StyleAndTextTuples = []
    for style, text, *_mouse in row:
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
        self.message = ""  # why the entry could not be selected
        self.text_page = 0  # of a text too long for its place
        self._sized: tuple[object, _Sizes] | None = None

    def parts(self) -> list[AnyContainer]:
        """Return the windows of the page, from the top."""
        menu = Window(
            FormattedTextControl(self.menu.text, focusable=True, show_cursor=False),
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

    def sizes(self) -> _Sizes:
        """Return how the page is divided, for the present size of the terminal.

        The text below the list has room for the longest one, so that nothing
        moves with the pointer; but the list gets at least half of the rows.
        """
        size = self.output.get_size()
        if self._sized is None or self._sized[0] != size:
            rows = self.menu.all_rows
            longest = max((len(self._description(row.item)) for row in rows), default=0)
            text_height = longest + 1 if longest or self.menu.searchable else 0
            above = head(self.page, size.columns, size.rows - 2 - len(rows) - text_height)
            above = above[-max(1, size.rows - 5) :]  # on a tiny screen, the question alone
            room = size.rows - 2 - len(above)
            listed = min(len(rows), max(room - text_height, (room + 1) // 2))
            sizes = _Sizes(above, max(1, listed), max(0, min(text_height, room - listed)))
            self._sized = (size, sizes)
        return self._sized[1]

    def width(self) -> int:
        """Return the width of texts in columns."""
        return min(self.output.get_size().columns, WIDEST)

    def scrolls(self) -> bool:
        """Whether the list is longer than its window."""
        return len(self.menu.rows) > self.sizes().list_height

    def _description(self, item: MenuItem | None) -> list[StyledLine]:
        """Return the text of an item in lines: the reason against it, then its description."""
        if item is None:
            return []
        width = self.width() - 4
        against = f"Not possible: {item.against}." if item.against else ""
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
        search = f" search: {self.menu.search_text}▏" if self.menu.search_text else ""
        rule = "─" * max(0, self.width() - len(search) - len(more) - 2)
        return [
            [("", " "), ("class:rule", "─"), ("class:status", search), ("class:rule", rule + more)],
            *([("", "  "), *line] for line in lines[page * height : (page + 1) * height]),
        ]

    def keys(self) -> StyledLine:
        """Return the line of keys, or why the entry could not be selected."""
        if self.message:
            return [("class:note", clipped(f" {self.message}", self.output.get_size().columns))]
        search = "type to search" if self.menu.searchable else ""
        item = self.menu.pointed_item()
        change = "←→ or − + change" if item is not None and item.number else ""
        return key_line("↑↓ move", change, "Enter take", *ALWAYS, "" if change else search)

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = common_keys()
        self._bind_moves(bindings)
        self._bind_numbers(bindings)
        self._bind_ends(bindings)

        @bindings.add(Keys.Backspace, eager=True)
        @bindings.add(Keys.Any)
        def _search(event: KeyPressEvent) -> None:
            self.message, self.text_page = "", 0
            erase = event.key_sequence[0].key is Keys.Backspace
            if event.data in (*MORE, *LESS) and self._change(event, event.data in MORE):
                return
            if self.menu.searchable and (erase or event.data.isprintable()):
                text = self.menu.search_text
                self.menu.search(text[:-1] if erase else text + event.data)

        return bindings

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

    def _bind_numbers(self, bindings: KeyBindings) -> None:
        @bindings.add(Keys.Right, eager=True)
        def _more(event: KeyPressEvent) -> None:
            if not self._change(event, more=True):
                self.text_page += 1

        @bindings.add(Keys.Left, eager=True)
        def _less(event: KeyPressEvent) -> None:
            self._change(event, more=False)

    def _change(self, event: KeyPressEvent, more: bool) -> bool:
        """Change the number that is pointed at; return whether there is one."""
        item = self.menu.pointed_item()
        if item is None or not item.number:
            return False
        changed = item.more if more else item.less
        self.message = f"{item.label} goes no {'higher' if more else 'lower'}."
        if changed is not None:
            event.app.exit(result=changed)
        return True

    def _bind_ends(self, bindings: KeyBindings) -> None:
        """Bind the keys that leave the page."""

        @bindings.add(Keys.ControlD, eager=True)
        def _end_of_input(event: KeyPressEvent) -> None:
            event.app.exit(exception=EOFError())

        @bindings.add(Keys.Escape, eager=True)
        def _back(event: KeyPressEvent) -> None:
            if self.menu.search_text:
                self.menu.search("")
            else:
                event.app.exit(exception=Back())

        @bindings.add(Keys.Enter, eager=True)
        def _select(event: KeyPressEvent) -> None:
            item = self.menu.pointed_item()
            if item is not None and not item.against:
                event.app.exit(result=item.value)
            elif item is not None:
                self.message = f"Not possible: {item.against}."


def key_line(*keys: str) -> StyledLine:
    """Return the line that lists the keys of a page."""
    return [("class:keys", f" {' · '.join(filter(None, keys))}")]


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
