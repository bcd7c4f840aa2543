"""A list on a full-screen page: its entries and their texts, and what each key does."""

from __future__ import annotations

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output

from charforge.decisions.widgets import MenuItem
from charforge.language import N_, _
from charforge.usecases.key_values import KeyValue
from charforge.wizard.list_pages import Leave, Outcome
from charforge.wizard.menu import RECOMMENDED, Menu
from charforge.wizard.page_view import PAGE_STEP, PageRow, PageView, always, always_short
from charforge.wizard.pages import (
    ADVICE,
    AdviceAsked,
    Back,
    StyledLine,
    TermsAsked,
    WizardPage,
    wrapped,
)

MOST_TRIED = 10  # entries whose previews are all made before the page is shown
PREVIEW_LINES = 1  # that the previews of a longer list mostly take
ALL = 10_000  # entries that Home and End move over
MORE, LESS = ("+",), ("-", "\N{MINUS SIGN}")


class MenuView(PageView):
    """A menu on its page."""

    more = N_("→ more")

    def __init__(self, page: WizardPage, menu: Menu, output: Output) -> None:
        super().__init__(page, output)
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
        return (self.menu.version, self.menu.position, len(self.menu.rows))

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

    def searched(self) -> str:
        """Return what is searched for."""
        return self.menu.page.search_text

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
        return self._longest_text[width] or int(self.menu.searchable)

    def text(self) -> list[StyledLine]:
        """Return what the entry that is pointed at would change, and its text."""
        return self._description(self.menu.pointed_item())

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
        against = (
            _("Not possible: {against}.").format(against=item.against)
            if item.against and not item.pinned
            else ""
        )
        recommended = f"{RECOMMENDED} {item.recommended}" if item.recommended else ""
        return [
            *wrapped(against, width, "class:note", markup=False),
            *wrapped(recommended, width, "class:recommended", markup=False),
            *wrapped(item.about, width),
        ]

    def key_names(self) -> list[tuple[str, ...]]:
        """Return the names of the keys, and shorter lists of them."""
        menu, item = self.menu, self.menu.pointed_item()
        search = _("type to search") if menu.searchable and not (item and item.is_number) else ""
        show = _("all") if menu.page.available_only else _("available only")
        filter_key = _("Tab {show}").format(show=show) if menu.filterable else ""
        advice = _("{key} compare").format(key=ADVICE) if menu.page.advice is not None else ""
        own = (*menu.page.keys(item), advice, _("? help") if self.page.explains else "")
        return [
            (_("↑↓ move"), *own, filter_key, *always(self.page), search),
            (_("↑↓ move"), *own, filter_key, *always(self.page)),
            (*own, filter_key, *always(self.page)),
            (*own, filter_key, *always_short()),
            (*own, *always_short()),
            (*own[:-1], *always_short()),
            own,
        ]

    def bindings(self) -> KeyBindings:
        """Return what each key does."""
        bindings = super().bindings()
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
            elif event.data == ADVICE and self.menu.page.advice is not None:
                event.app.exit(exception=AdviceAsked())
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
