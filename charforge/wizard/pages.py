"""Pages of the wizard as data: a question with its context, and what the player can want instead.

``Prompts`` are the operations of a terminal: ``screen.Screen`` fills the
screen, ``line_prompts.LinePrompts`` prints lines. ``page_view`` lays a page out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self

from charforge.language import N_
from charforge.usecases.preview import KeyValue
from charforge.wizard.form import Form, OpenField
from charforge.wizard.list_pages import ListPage

SENTENCE_END = re.compile(r"(?<=[.!?])\s")


class Back(Exception):
    """The player wants to go back to the question before this one.

    ``picked`` is what was picked on the page, so that it is there again when
    the page is shown again.
    """

    def __init__(self, picked: Sequence[Any] = ()) -> None:
        super().__init__()
        self.picked = picked


class Stopped(KeyboardInterrupt):
    """The player stopped on a list; ``picked`` is what was picked, for the draft."""

    def __init__(self, picked: Sequence[Any]) -> None:
        super().__init__()
        self.picked = picked


COMPARE_KEY = "!"  # the key that compares the options of a list


class TermsAsked(Exception):
    """The player wants an explanation of the terms on a page.

    ``start`` is where the page goes on afterwards: the row of a form, or the
    text typed so far.
    """

    def __init__(self, start: str = "") -> None:
        super().__init__(start)
        self.start = start


class AdviceAsked(Exception):
    """The player wants the options of a list compared."""


SAVE_AND_QUIT = N_("save draft and quit")


@dataclass(frozen=True, slots=True)
class WizardPage:
    """One question with its context.

    With ``explains``, the player can ask for the terms on it (TermsAsked).
    ``answers`` are labels and texts of the answers just before, ``status``
    the progress of this answer, ``note`` a warning above the prompt,
    ``values`` those of the character, shown next to the question. With
    ``keeps_answer`` the last answer is new to the player and always shown: the
    result of a roll. ``stop`` is what Ctrl-C does.
    """

    title: str
    step: str = ""
    number: int = 1
    total: int = 1
    intro: str = ""
    answers: tuple[tuple[str, str], ...] = ()
    question: str = ""
    help: str = ""
    status: tuple[str, ...] = ()
    note: str = ""
    explains: bool = False
    keeps_answer: bool = False
    values: tuple[KeyValue, ...] = ()
    stop: str = SAVE_AND_QUIT


class Prompts(Protocol):
    """A terminal that can be asked on.

    All questions raise Back, TermsAsked, AdviceAsked, KeyboardInterrupt, and EOFError or OSError
    when the terminal is gone.
    """

    @property
    def keys_help(self) -> str:
        """A text on the keys of every page; empty where lines are typed and no keys pressed."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_exception: object) -> None: ...

    def menu(self, page: WizardPage, list_page: ListPage) -> Any:
        """Show a list until a key leaves it, and return the value with which it is left."""
        ...

    def line(
        self,
        page: WizardPage,
        text: str,
        problem: Callable[[str], str],
        examples: Sequence[str] = (),
    ) -> str:
        """Return a line of text without problems; ``text`` is filled in already."""
        ...

    def form(self, page: WizardPage, form: Form, start: str = "") -> OpenField | None:
        """Let the player fill in a form; return None when all of it is answered.

        Or return the row that they open on a page of its own. ``start`` is
        the row pointed at first.
        """
        ...

    def progress(self, number: int, count: int, label: str) -> None:
        """Say between two pages which option of how many is compared now."""
        ...


def terminal() -> Prompts:
    """Return full-screen prompts, or line prompts on a terminal without cursor control."""
    # Here, because prompt_toolkit takes 70 ms to import, and few commands ask anything.
    from charforge.wizard import screen

    return screen.terminal_prompts()


def first_sentence(text: str) -> str:
    """Return the first sentence of a text."""
    return SENTENCE_END.split(text, maxsplit=1)[0]
