"""Terminal prompts outside the wizard: the line of a session, and one decision of ``edit``."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.output import create_output
from prompt_toolkit.shortcuts import CompleteStyle

from charforge.cli import console
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING
from charforge.decisions.widgets import MenuItem
from charforge.replay.loaded import LoadedCharacter
from charforge.usecases.edit import random_reanswers
from charforge.wizard.pages import Back, WizardPage
from charforge.wizard.questions import ask_decision
from charforge.wizard.screen import terminal

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


def choose(opened: LoadedCharacter, asked: Sequence[Decision]) -> Decision:
    """Let a decision be chosen from a list that can be searched; Esc leaves."""
    effective = opened.character.state.answers
    labels = {section.id: section.label for section in opened.ruleset.head.sections}
    items = []
    for one in asked:
        told = one.answer_text(effective[one.id]) if one.id in effective else "open"
        label = one.title()
        group = labels.get(one.section, f"{opened.ruleset.head.advancement.label} {one.level}")
        items.append(MenuItem(one, label, told, f"{label} {told}", group=group, search=one.id))
    page = _page(opened, "Which decision do you want to answer again?")
    prompts = terminal()
    try:
        with prompts:
            found: Decision = prompts.menu(page, items)
    except Back:
        _leave()
    return found


def ask(opened: LoadedCharacter, decision: Decision) -> Any:
    """Ask one decision, its present answer to begin with; Esc leaves."""
    former = opened.document.answers.get(decision.id, MISSING)
    prompts = terminal()
    try:
        with prompts:
            page, source = _page(opened, ""), random_reanswers(opened.document)
            return decision.canonical(ask_decision(decision, prompts, page, former, source))
    except Back:
        _leave()


def _page(opened: LoadedCharacter, question: str) -> Any:
    title = f"{opened.ruleset.head.name} · {opened.document.name}"
    return WizardPage(title=title, step="Edit", question=question)


def _leave() -> None:
    console.say("Nothing is changed.")
    raise typer.Exit(0)
