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
from dataclasses import replace
from typing import Any, Self

import questionary
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import (
    AnyContainer,
    BufferControl,
    ConditionalContainer,
    Dimension,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.lexers import SimpleLexer
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.utils import is_dumb_terminal
from prompt_toolkit.validation import ValidationError, Validator
from prompt_toolkit.widgets import ValidationToolbar

from charforge.language import _
from charforge.usecases.key_values import KeyValue
from charforge.wizard.form import Form, OpenField
from charforge.wizard.form_view import FormView
from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.list_pages import ListPage
from charforge.wizard.menu import Menu, MenuView
from charforge.wizard.pages import (
    PANEL_WIDTH,
    Back,
    Prompts,
    StyledLine,
    TermsAsked,
    WizardPage,
    always,
    clipped,
    common_keys,
    head,
    join_lines,
    key_line,
    panel_lines,
    panel_width,
)

INDENT = " " * 4
PROMPT: StyleAndTextTuples = [("class:qmark", " ›"), ("class:question", "  ")]
LINE_ROWS = 6  # for a text of a few rows, its problem and the keys
ESCAPE_TIMEOUT = 0.1  # seconds in which an escape sequence must be complete
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
        ("qmark", "ansicyan bold"),
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
        ("validation-toolbar", "bg:default ansired bold"),
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
        """Return a line of text that has no problem."""
        entry = Window(
            BufferControl(
                Buffer(
                    document=Document(text),
                    multiline=False,
                    accept_handler=_accept,
                    validator=_LineValidator(problem),
                    validate_while_typing=False,
                ),
                lexer=SimpleLexer("class:answer"),
            ),
            get_line_prefix=_line_prefix,
            wrap_lines=True,
            dont_extend_height=True,
        )
        above = Window(
            FormattedTextControl(lambda: join_lines(self._above(page))), dont_extend_height=True
        )
        example = _("Tab example") if examples else ""
        terms = _("F1 help") if page.explains else ""
        key_hints = key_line(_("Enter continue"), terms, *always(page), example)
        parts: list[AnyContainer] = [above, entry, ValidationToolbar()]
        return str(
            self._ask(
                parts,
                lambda: key_hints,
                _line_keys(examples, page.explains),
                lambda: page.values,
                entry,
            )
        )

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

    def _above(self, page: WizardPage) -> list[StyledLine]:
        size = self.output.get_size()
        room = max(1, size.rows - LINE_ROWS)
        beside = panel_width(size.columns, page.values)
        page = replace(page, values=()) if beside else page
        return head(page, size.columns - beside, room)[-room:]

    def _ask(
        self,
        parts: Sequence[AnyContainer],
        keys: Callable[[], StyledLine],
        bindings: KeyBindings,
        values: Callable[[], tuple[KeyValue, ...]],
        focused: Window | None = None,
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
            layout=Layout(stack, focused_element=focused),
            key_bindings=bindings,
            style=STYLE,
            output=self.output,
            input=self.input,
        )
        application.ttimeoutlen = ESCAPE_TIMEOUT
        self.output.cursor_goto(0, 0)
        return questionary.Question(application).unsafe_ask()


class _LineValidator(Validator):
    """Refuse a line of text, and show the problem below it."""

    def __init__(self, problem: Callable[[str], str]) -> None:
        self.problem = problem

    def validate(self, document: Document) -> None:
        """Raise ValidationError if there is a problem with the text."""
        problem = self.problem(document.text)
        if problem:
            raise ValidationError(len(document.text), INDENT + problem)


def _line_prefix(line: int, wrap_count: int) -> StyleAndTextTuples:
    """Return what stands before a row of the text: the prompt, then an indent."""
    return [("", INDENT)] if line or wrap_count else PROMPT


def _accept(buffer: Buffer) -> bool:
    get_app().exit(result=buffer.text)
    return True  # the text stays on the screen


def _line_keys(examples: Sequence[str], explains: bool) -> KeyBindings:
    """Return the keys of a line of text; Tab writes one example after another.

    ``explains`` says that F1, or ? in an empty line, asks for the terms on the page.
    """
    bindings = common_keys()
    shown = -1

    @bindings.add(Keys.Escape, eager=True)
    def _back(event: KeyPressEvent) -> None:
        event.app.exit(exception=Back())

    @bindings.add(Keys.ControlD, filter=Condition(lambda: not get_app().current_buffer.text))
    def _end_of_input(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError())

    @bindings.add("?", filter=Condition(lambda: explains and not get_app().current_buffer.text))
    @bindings.add(Keys.F1, filter=Condition(lambda: explains))
    def _terms(event: KeyPressEvent) -> None:
        event.app.exit(exception=TermsAsked(event.current_buffer.text))

    @bindings.add(Keys.Tab, eager=True)
    def _example(event: KeyPressEvent) -> None:
        nonlocal shown
        if examples:
            shown = (shown + 1) % len(examples)
            event.current_buffer.text = examples[shown]
            event.current_buffer.cursor_position = len(examples[shown])

    return bindings
