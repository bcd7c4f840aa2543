"""The prompt of a session: a live line, history, completion. Drawn on stderr."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import create_output
from prompt_toolkit.shortcuts import CompleteStyle

NARROWEST = 20  # columns of a terminal that tells no size of its own
Known = Callable[[], Mapping[str, Iterable[str]]]


class Prompt:
    """Asks for one line after another; ``live`` is shown above each."""

    def __init__(self, live: Callable[[], str], known: Known) -> None:
        self._live = live
        self._session: PromptSession[str] = PromptSession(
            completer=_Words(known),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            output=create_output(sys.stderr),
        )

    def ask(self) -> str:
        """Return a line. Ctrl-C raises KeyboardInterrupt, Ctrl-D EOFError."""
        width = self._session.output.get_size().columns
        live = textwrap.fill(self._live(), max(width, NARROWEST), break_long_words=False)
        return self._session.prompt(FormattedText([("bold", live), ("", "\n> ")]))


class _Words(Completer):
    """Completes the verb, then what it may be about."""

    def __init__(self, known: Known) -> None:
        self._known = known

    def get_completions(
        self, document: Document, _complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield the words that go on as the text before the cursor does."""
        text = document.text_before_cursor.lstrip()
        verb, space, rest = text.partition(" ")
        if space and " " in rest.lstrip():
            return
        begun = rest.lstrip() if space else verb
        words = self._known().get(verb if space else "", ())
        for word in words:
            if word.casefold().startswith(begun.casefold()):
                yield Completion(word, start_position=-len(begun))
