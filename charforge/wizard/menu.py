"""A menu on its page: questionary's list, searched by typing, with room for what is told.

Every entry can be pointed at and read, those that cannot be taken too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import questionary
from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
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
from questionary.prompts.common import InquirerControl

from charforge.decisions.widgets import MenuItem
from charforge.wizard.keys import ALWAYS, key_line
from charforge.wizard.pages import WIDEST, StyledLine, WizardPage, clipped, head, padded, wrapped

CURSOR = "[SetCursorPosition]"
SEARCHED = 12
WIDEST_LABEL = 40


class _Entry(questionary.Choice):
    """A choice of questionary's that knows its whole item."""

    def __init__(self, item: MenuItem) -> None:
        super().__init__(
            item.label, item.value, disabled=item.against or None, description=item.about
        )
        self.item = item
        self.found_by = f"{item.label} {item.group} {item.search}".casefold()


def _entries(items: Sequence[MenuItem]) -> Iterator[questionary.Choice]:
    """Yield items under headings, where they are of several groups."""
    groups = list(dict.fromkeys(item.group for item in items))
    headed = sum(bool(group) for group in groups) > 1
    for group in groups if headed else [None]:
        if group:
            yield questionary.Separator(group)
        for item in items:
            if group is None or item.group == group:
                yield _Entry(item)


class Menu(InquirerControl):
    """Questionary's list, whose disabled entries can be read before they are refused.

    Headings stay above what a search has found; long lists are searched
    by typing.
    """

    pointed_at = 0

    def __init__(self, items: Sequence[MenuItem], start: Any = None) -> None:
        super().__init__(list(_entries(items)), use_indicator=False)
        self.searched = len(items) > SEARCHED
        columned = [item for item in items if item.detail or item.against]
        widest = max((get_cwidth(item.label) for item in columned), default=0)
        self.label_width = min(widest, WIDEST_LABEL)
        self.detail_width = max((len(item.detail) for item in items), default=0)
        entries = [(n, c) for n, c in enumerate(self.choices) if isinstance(c, _Entry)]
        wanted = [n for n, choice in entries if choice.value == start]
        legal = [n for n, choice in entries if not choice.disabled]
        self.pointed_at = next(iter((*wanted, *legal, *(n for n, _choice in entries))), 0)

    def is_selection_valid(self) -> bool:
        """Whether the pointer may stand here: anywhere."""
        return True

    @property
    def filtered_choices(self) -> list[questionary.Choice]:
        """What a search leaves: entries with every word, below their headings."""
        if not self.search_filter:
            return self.choices
        words = self.search_filter.casefold().split()
        found: list[questionary.Choice] = []
        for choice in self.choices:
            if isinstance(choice, _Entry) and not all(word in choice.found_by for word in words):
                continue
            if found and not isinstance(choice, _Entry) and not isinstance(found[-1], _Entry):
                found.pop()
            found.append(choice)
        if found and not isinstance(found[-1], _Entry):
            found.pop()
        self.found_in_search = bool(found)
        return found

    def pointed(self) -> MenuItem | None:
        """Return the entry that is pointed at, if the search has left any."""
        shown = self.filtered_choices
        choice = shown[self.pointed_at] if self.pointed_at < len(shown) else None
        return choice.item if isinstance(choice, _Entry) else None

    def move(self, steps: int, around: bool = False) -> None:
        """Move the pointer over entries; past the ends only one step at a time."""
        at = [n for n, choice in enumerate(self.filtered_choices) if isinstance(choice, _Entry)]
        if self.pointed_at in at:
            to = at.index(self.pointed_at) + steps
            self.pointed_at = at[to % len(at) if around else min(max(to, 0), len(at) - 1)]

    def search(self, typed: str | None = None) -> None:
        """Add a sign to the search, or take one away, and point at the first legal entry."""
        if typed is None:
            self.remove_search_character()
        else:
            self.search_filter = (self.search_filter or "") + typed
        shown = list(enumerate(self.filtered_choices))
        entries = [n for n, choice in shown if isinstance(choice, _Entry)]
        legal = [n for n in entries if not shown[n][1].disabled]
        self.pointed_at = next(iter((*legal, *entries)), 0)

    def _get_choice_tokens(self) -> StyleAndTextTuples:
        tokens: StyleAndTextTuples = []
        for number, choice in enumerate(self.filtered_choices):
            if tokens:
                tokens.append(("", "\n"))
            if isinstance(choice, _Entry):
                tokens += self._row(choice.item, number == self.pointed_at)
            else:
                tokens += [("", " "), ("class:separator", str(choice.title))]
        return tokens or [("class:note", "   Nothing matches.")]

    def _row(self, item: MenuItem, here: bool) -> StyleAndTextTuples:
        """Set an entry in columns: pointer, label, detail, reason against it."""
        style = "class:disabled" if item.against else "class:highlighted" if here else ""
        columned = item.detail or item.against
        label = padded(item.label, self.label_width) if columned else item.label
        row: StyleAndTextTuples = [("class:pointer", " ▸ " if here else "   ")]
        if here:
            row.append((CURSOR, ""))
        row.append((style, label))
        if item.against:
            detail = padded(item.detail, self.detail_width)
            row += [("class:detail", f"  {detail}"), ("class:against", f"  {item.against}")]
        elif item.detail:
            row.append(("class:detail", f"  {item.detail}"))
        return self._clipped(row)

    def _clipped(self, row: StyleAndTextTuples) -> StyleAndTextTuples:
        """Cut a row at the scrollbar, with an ellipsis."""
        room = get_app().output.get_size().columns - 1
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


class MenuView:
    """A menu on its page: how many lines each part gets, and what stands in them."""

    def __init__(self, page: WizardPage, menu: Menu, output: Output) -> None:
        self.page = page
        self.menu = menu
        self.output = output
        self.refused = ""
        self.turned = 0
        self._sized: tuple[object, list[StyledLine], int, int] | None = None

    def parts(self) -> list[AnyContainer]:
        """Return the windows of the page, from the top."""
        menu = Window(
            self.menu,
            height=lambda: Dimension.exact(self.sizes()[1]),
            right_margins=[ConditionalMargin(_Scrollbar(), Condition(self.scrolls))],
            scroll_offsets=ScrollOffsets(top=1, bottom=1),
            always_hide_cursor=True,
        )
        above = FormattedTextControl(lambda: joined(self.sizes()[0]))
        below = FormattedTextControl(lambda: joined(self.about()))
        return [
            Window(above, height=lambda: Dimension.exact(len(self.sizes()[0]))),
            menu,
            Window(below, height=lambda: Dimension.exact(self.sizes()[2])),
        ]

    def sizes(self) -> tuple[list[StyledLine], int, int]:
        """Return the head, and the heights of the list and of what is told about an entry.

        The latter has room for the longest text, so that nothing jumps
        while the pointer moves; the list keeps half of what there is.
        """
        size = self.output.get_size()
        if self._sized is None or self._sized[0] != size:
            longest = max((len(self._told(choice)) for choice in self.menu.choices), default=0)
            wanted = longest + 1 if longest or self.menu.searched else 0
            above = head(self.page, size.columns, size.rows - 2 - len(self.menu.choices) - wanted)
            above = above[-max(1, size.rows - 5) :]  # on a tiny screen, the question alone
            room = size.rows - 2 - len(above)
            listed = min(len(self.menu.choices), max(room - wanted, (room + 1) // 2))
            self._sized = (size, above, max(1, listed), max(0, min(wanted, room - listed)))
        return self._sized[1:]

    def width(self) -> int:
        """Return how wide texts are set."""
        return min(self.output.get_size().columns, WIDEST)

    def scrolls(self) -> bool:
        """Whether the list is longer than its window."""
        return len(self.menu.filtered_choices) > self.sizes()[1]

    def _told(self, choice: questionary.Choice) -> list[StyledLine]:
        if not isinstance(choice, _Entry):
            return []
        width = self.width() - 4
        against = f"Not possible: {choice.item.against}." if choice.item.against else ""
        told = wrapped(against, width, "class:note", markup=False)
        return [*told, *wrapped(choice.item.about, width)]

    def about(self) -> list[StyledLine]:
        """Return the lines below the list: a rule, then the text, turned where it is long."""
        height = self.sizes()[2] - 1
        if height < 0:
            return []
        item = self.menu.pointed()
        lines = self._told(_Entry(item)) if item else []
        pages = max(1, -(-len(lines) // max(height, 1)))
        first = self.turned % pages * height
        more = f" {self.turned % pages + 1}/{pages} → more " if pages > 1 else ""
        search = f" search: {self.menu.search_filter}▏" if self.menu.search_filter else ""
        rule = "─" * max(0, self.width() - len(search) - len(more) - 2)
        return [
            [("", " "), ("class:rule", "─"), ("class:status", search), ("class:rule", rule + more)],
            *([("", "  "), *line] for line in lines[first : first + height]),
        ]

    def keys(self) -> StyledLine:
        """Return the line of keys, or why the entry was refused."""
        if self.refused:
            return [("class:note", clipped(f" {self.refused}", self.output.get_size().columns))]
        search = "type to search" if self.menu.searched else ""
        item = self.menu.pointed()
        change = "←→ or − + change" if item is not None and item.number else ""
        return key_line("↑↓ move", change, "Enter take", *ALWAYS, "" if change else search)


def joined(lines: Sequence[StyledLine]) -> StyleAndTextTuples:
    """Return lines as one text."""
    tokens: StyleAndTextTuples = [part for line in lines for part in (*line, ("", "\n"))]
    return tokens[:-1]
