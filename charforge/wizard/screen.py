"""The wizard on a terminal's whole screen: questionary's prompts, set in pages.

Questionary asks one thing and scrolls on. Here each question is a page of
its own, drawn on one alternate screen on standard error: progress and
earlier answers above, keys below, so that going back leaves nothing
behind. Esc or Ctrl-B is Back everywhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Self

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.filters import to_filter
from prompt_toolkit.input import create_input
from prompt_toolkit.layout import (
    AnyContainer,
    BufferControl,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    Window,
)
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import is_dumb_terminal

from charforge.decisions.widgets import MenuItem
from charforge.wizard.keys import ALWAYS, key_line, line_keys
from charforge.wizard.menu import Menu, MenuView, joined
from charforge.wizard.pages import Prompts, StyledLine, WizardPage, head
from charforge.wizard.plain import Lines

INDENT = " " * 4
LINE_NEEDS = 6  # rows for a text of a few lines, its fault, and the keys
ESCAPE_WAITS = 0.1  # seconds in which an escape sequence must be complete
STYLE = questionary.Style(
    [
        ("title", "bold"),
        ("step", "ansicyan"),
        ("bar.done", "ansicyan"),
        ("bar.left", "#888888"),
        ("intro", "italic"),
        ("done", "ansigreen"),
        ("told", "#888888"),
        ("told.answer", "ansigreen"),
        ("question", "bold"),
        ("qmark", "ansicyan bold"),
        ("answer", ""),
        ("help", ""),
        ("status", "ansicyan"),
        ("note", "ansiyellow bold"),
        ("separator", "bold"),
        ("pointer", "ansicyan bold"),
        ("highlighted", "ansicyan bold"),
        ("detail", "ansicyan"),
        ("disabled", "#888888"),
        ("against", "#888888 italic"),
        ("rule", "#888888"),
        ("keys", "#888888"),
        ("validation-toolbar", "bg:default ansired bold"),
        ("scrollbar.background", "bg:default #888888"),
        ("scrollbar.button", "bg:default ansicyan"),
    ]
)


def terminal() -> Prompts:
    """Return the prompts that this terminal can show."""
    return Lines() if is_dumb_terminal() or not sys.stderr.isatty() else Screen()


class _Stage(Vt100_Output):
    """A terminal of which the wizard owns every row but the last.

    The renderer would otherwise ask the terminal where its cursor is,
    and wait for an answer that not all of them give; and it moves below
    what it has drawn, which must not scroll.
    """

    def get_rows_below_cursor_position(self) -> int:
        return self.get_size().rows - 1


def _stage() -> Output:
    if sys.platform == "win32":
        return create_output(stdout=sys.stderr)
    return _Stage.from_pty(
        sys.stderr, term=os.environ.get("TERM"), default_color_depth=ColorDepth.from_env()
    )


class Screen:
    """Prompts that each fill the screen; it is given back as it was."""

    def __init__(self) -> None:
        self.output = _stage()
        self.input = create_input()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        # Raw from the first page to the last: keys typed between two are not echoed.
        self._open.enter_context(self.input.raw_mode())
        self._open.callback(self.output.flush)
        self._open.callback(self.output.quit_alternate_screen)
        self.output.enter_alternate_screen()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._open.close()

    def menu(self, page: WizardPage, items: Sequence[MenuItem], start: Any = None) -> Any:
        """Return the value of the entry that is taken."""
        view = MenuView(page, Menu(items, start), self.output)
        application: Application[Any] = Application(
            layout=Layout(self._paged(view.parts(), view.keys)),
            key_bindings=view.bindings(),
            style=STYLE,
            output=self.output,
            input=self.input,
        )
        return self._ask(questionary.Question(application))

    def line(
        self,
        page: WizardPage,
        text: str,
        fault: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text that has no fault."""
        question = questionary.text(
            "",
            default=text,
            qmark=" ›",
            validate=lambda typed: _below(fault(typed)) or True,
            validate_while_typing=False,
            prompt_continuation=INDENT,
            style=STYLE,
            key_bindings=line_keys(examples),
            output=self.output,
            input=self.input,
        )
        entry = question.application.layout
        for window in entry.find_all_windows():
            if isinstance(window.content, BufferControl):
                window.dont_extend_height = to_filter(True)
        above = FormattedTextControl(lambda: joined(self._above(page)))
        question.application.layout = Layout(
            self._paged(
                [Window(above, dont_extend_height=True), entry.container],
                lambda: key_line("Enter go on", *ALWAYS, "Tab example" if examples else ""),
            ),
            focused_element=entry.current_window,
        )
        return str(self._ask(question))

    def _above(self, page: WizardPage) -> list[StyledLine]:
        size = self.output.get_size()
        room = max(1, size.rows - LINE_NEEDS)
        return head(page, size.columns, room)[-room:]

    def _paged(self, parts: list[AnyContainer], keys: Callable[[], StyledLine]) -> HSplit:
        """Stack the parts of a page, the keys on its last line."""
        return HSplit(
            [*parts, Window(), Window(FormattedTextControl(lambda: joined([keys()])), height=1)],
            height=lambda: Dimension.exact(self.output.get_size().rows - 1),
        )

    def _ask(self, question: questionary.Question) -> Any:
        question.application.ttimeoutlen = ESCAPE_WAITS
        self.output.cursor_goto(0, 0)
        return question.unsafe_ask()


def _below(fault: str) -> str:
    """Set a fault below the text that it is about."""
    return fault and INDENT + fault
