"""The prompt of a session: lines with history and Tab, or plain ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import is_dumb_terminal

from charforge.cli import console
from charforge.errors import Cancelled
from charforge.wizard.screen import ESCAPE_TIMEOUT, create_terminal_output

Completions = Callable[[], Mapping[str, Iterable[str]]]


class LinePrompt(Protocol):
    """Asks for lines. Ctrl-C raises KeyboardInterrupt, Ctrl-D EOFError."""

    def read_line(self, mark: str) -> str:
        """Return a line of the session, typed after ``mark``."""

    def ask(self, question: str) -> str:
        """Return the answer to a question. Raises Cancelled for Esc."""


def line_prompt(completions: Completions) -> LinePrompt:
    """Return the prompt for a terminal: with editing and completion, or plain lines."""
    return PlainPrompt() if is_dumb_terminal() else EditedPrompt(completions)


class PlainPrompt:
    """Reads lines as the terminal gives them, for screen readers and simple terminals."""

    def read_line(self, mark: str) -> str:
        """Return a line of the session."""
        sys.stderr.write(mark)
        sys.stderr.flush()
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            sys.stderr.write("\n")
            raise
        if not line:
            raise EOFError
        return line

    def ask(self, question: str) -> str:
        """Return the answer to a question."""
        return console.ask_line(question)


class _LineOutput(Vt100_Output):
    """Output that does not ask for the position of the cursor: not all terminals answer."""

    @property
    def responds_to_cpr(self) -> bool:
        """Whether the terminal tells the position of the cursor."""
        return False


class EditedPrompt:
    """Reads lines with history and Tab; ``completions`` are the words by verb.

    Those for the start of a line have the key "".
    """

    def __init__(self, completions: Completions) -> None:
        self._lines = _session(
            completer=_WordCompleter(completions),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )
        keys = KeyBindings()
        keys.add("escape")(lambda event: event.app.exit(exception=Cancelled()))
        self._questions = _session(key_bindings=keys)
        self._questions.app.ttimeoutlen = ESCAPE_TIMEOUT
        self._questions.app.timeoutlen = ESCAPE_TIMEOUT

    def read_line(self, mark: str) -> str:
        """Return a line of the session."""
        return self._lines.prompt(mark)

    def ask(self, question: str) -> str:
        """Return the answer to a question."""
        return self._questions.prompt(question).strip()


def _session(**settings: Any) -> PromptSession[str]:
    output = create_terminal_output(_LineOutput)
    return PromptSession(reserve_space_for_menu=0, output=output, **settings)


class _WordCompleter(Completer):
    """Completes the first words of a line, and those after a verb."""

    def __init__(self, completions: Completions) -> None:
        self._completions = completions

    def get_completions(
        self, document: Document, _complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield the names that begin with the typed text, else those with a word that does."""
        text = document.text_before_cursor.lstrip()
        verb, space, rest = text.partition(" ")
        known = self._completions()
        after_verb = space and verb.casefold() in known
        typed = (rest.lstrip() if after_verb else text).casefold()
        names = list(known.get(verb.casefold() if after_verb else "", ()))
        first = [name for name in names if name.casefold().startswith(typed)]
        for name in first or [name for name in names if f" {typed}" in f" {name.casefold()}"]:
            yield Completion(name, start_position=-len(typed))
