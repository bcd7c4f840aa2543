"""Full-screen prompts: each question is a page of its own.

All pages are drawn on one alternate screen on standard error: progress and
earlier answers above, keys below, so that going back leaves nothing behind.
Esc and Ctrl-B go back everywhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, Self

import questionary
from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.layout import (
    AnyContainer,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import is_dumb_terminal

from charforge.decisions.base import TextField
from charforge.language import N_, _
from charforge.usecases.preview import KeyValue
from charforge.wizard.form import Form, OpenField, TextEntry
from charforge.wizard.form_view import FormView
from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.list_pages import ListPage
from charforge.wizard.menu import Menu, MenuView
from charforge.wizard.pages import (
    PANEL_WIDTH,
    Prompts,
    StyledLine,
    TermsAsked,
    WizardPage,
    clipped,
    join_lines,
    panel_lines,
    panel_width,
)

LINE = "line"  # the id of a question without a decision
ESCAPE_TIMEOUT = 0.1  # seconds in which an escape sequence must be complete
KEYS_HELP = N_(
    "Enter selects, or goes to the next question; on the last one it continues. "
    "Esc goes back, Ctrl-C stops. Space picks, removes or opens a list. "
    "←→ changes a value, or shows more of a text. "
    "Tab writes an example, or shows only what is available. "
    "Type to search a list; ! compares its options. "
    "In a text, Ctrl-A and Ctrl-E go to its ends, Ctrl-W deletes a word, Ctrl-U a line."
)
STYLE = questionary.Style(
    [
        ("title", "bold"),
        ("step", "ansicyan"),
        ("bar.done", "ansicyan"),
        ("bar.left", "#888888"),
        ("intro", "italic"),
        ("done", "ansigreen"),
        ("earlier", "#888888"),
        ("earlier.answer", "ansigreen"),
        ("question", "bold"),
        ("answer", "#ff9d00 bold"),
        ("help", ""),
        ("status", "ansicyan"),
        ("note", "ansiyellow bold"),
        ("separator", "bold"),
        ("pointer", "ansicyan bold"),
        ("highlighted", "ansicyan bold"),
        ("detail", "ansicyan"),
        ("change", "ansigreen bold"),
        ("recommended", "ansiyellow"),
        ("disabled", "#888888"),
        ("against", "#888888 italic"),
        ("rule", "#888888"),
        ("keys", "#888888"),
    ]
)


def terminal() -> Prompts:
    """Return full-screen prompts, or line prompts on a terminal without cursor control."""
    return LinePrompts() if is_dumb_terminal() or not sys.stderr.isatty() else Screen()


class _WizardOutput(Vt100_Output):
    """Output to a screen of which the wizard uses every row but the last.

    Otherwise the renderer asks the terminal for the cursor's position and
    waits for an answer that not all terminals give. The last row stays free
    because the renderer moves below the page when it ends, which must not
    scroll the screen.
    """

    def get_rows_below_cursor_position(self) -> int:
        """Return the number of rows for a page, which starts at the top."""
        return self.get_size().rows - 1


def create_terminal_output(kind: type[Vt100_Output]) -> Output:
    """Return the output to a terminal: of this kind, if the system's terminals allow it."""
    if sys.platform == "win32":
        return create_output(stdout=sys.stderr)
    return kind.from_pty(
        sys.stderr, term=os.environ.get("TERM"), default_color_depth=ColorDepth.from_env()
    )


class Screen:
    """Prompts that each fill the screen; the former screen is restored at the end."""

    @property
    def keys_help(self) -> str:
        """A text on the keys of every page."""
        return _(KEYS_HELP)

    def __init__(self) -> None:
        self.output = create_terminal_output(_WizardOutput)
        self.input = create_input()
        self._open = ExitStack()

    def __enter__(self) -> Self:
        # In raw mode from the first page to the last, or keys typed between two are echoed.
        self._open.enter_context(self.input.raw_mode())
        self._open.callback(self.output.flush)
        self._open.callback(self.output.quit_alternate_screen)
        self.output.enter_alternate_screen()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._open.close()

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        """Return the value with which the list is left."""
        view = MenuView(page, Menu(list_page), self.output)
        return self._ask(view.parts(), view.keys, view.bindings(), view.values)

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text that has no problem: a form with one row."""
        field = TextField(lambda typed: [problem(typed)], str, text, examples=tuple(examples))
        form = Form([TextEntry(LINE, "", field, text)])
        try:
            self.form(page, form)
        except TermsAsked:
            raise TermsAsked(form.rows()[0].text) from None
        return form.rows()[0].text

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        """Let the player fill in a form; return the row that they open, or None at the end."""
        view = FormView(page, form, self.output, start)
        opened: OpenField | None = self._ask(view.parts(), view.keys, view.bindings(), form.values)
        return opened

    def progress(self, number: int, count: int, label: str) -> None:
        """Say in the line of keys which option is compared now."""
        size = self.output.get_size()
        text = _("Comparing {number} of {count}: {label} …").format(
            number=number, count=count, label=label
        )
        self.output.cursor_goto(size.rows - 1, 0)
        self.output.erase_end_of_line()
        self.output.write(f" {clipped(text, size.columns - 2)}")
        self.output.flush()

    def _ask(
        self,
        parts: Sequence[AnyContainer],
        keys: Callable[[], StyledLine],
        bindings: KeyBindings,
        values: Callable[[], tuple[KeyValue, ...]],
    ) -> Any:
        """Show the parts of a page above its line of keys, and return the answer.

        On a wide screen the ``values`` of the character stand beside it.
        """
        panel = ConditionalContainer(
            Window(
                FormattedTextControl(lambda: join_lines(panel_lines(values()))), width=PANEL_WIDTH
            ),
            Condition(lambda: bool(panel_width(self.output.get_size().columns, values()))),
        )
        key_row = Window(FormattedTextControl(lambda: join_lines([keys()])), height=1)
        stack = HSplit(
            [VSplit([HSplit([*parts, Window()]), panel]), key_row],
            height=lambda: Dimension.exact(self.output.get_size().rows - 1),
        )
        application: Application[Any] = Application(
            layout=Layout(stack),
            key_bindings=bindings,
            style=STYLE,
            output=self.output,
            input=self.input,
        )
        application.ttimeoutlen = application.timeoutlen = ESCAPE_TIMEOUT
        self.output.cursor_goto(0, 0)
        return questionary.Question(application).unsafe_ask()
