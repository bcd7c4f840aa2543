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
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.edit import random_reanswers
from charforge.wizard.decision_prompts import ask_decision
from charforge.wizard.pages import Back, WizardPage
from charforge.wizard.screen import terminal

NARROWEST = 20  # columns of a terminal that tells no size of its own
WordsByVerb = Callable[[], Mapping[str, Iterable[str]]]


class Prompt:
    """Asks for one line after another; ``live`` is shown above each."""

    def __init__(self, live: Callable[[], str], known: WordsByVerb) -> None:
        self._live = live
        self._session: PromptSession[str] = PromptSession(
            completer=_WordCompleter(known),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            output=create_output(sys.stderr),
        )

    def read_line(self) -> str:
        """Return a line. Ctrl-C raises KeyboardInterrupt, Ctrl-D EOFError."""
        width = self._session.output.get_size().columns
        live = textwrap.fill(self._live(), max(width, NARROWEST), break_long_words=False)
        return self._session.prompt(FormattedText([("bold", live), ("", "\n> ")]))


class _WordCompleter(Completer):
    """Completes the verb, then what it may be about."""

    def __init__(self, known: WordsByVerb) -> None:
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


def choose_decision(opened: LoadedCharacter, asked: Sequence[Decision]) -> Decision:
    """Ask which decision to change, in a list with search; Esc quits."""
    effective = opened.character.state.answers
    labels = {section.id: section.label for section in opened.ruleset.head.sections}
    items = []
    for decision in asked:
        answer_text = (
            decision.answer_text(effective[decision.id]) if decision.id in effective else "open"
        )
        label = decision.title()
        group = labels.get(
            decision.section, f"{opened.ruleset.head.advancement.label} {decision.level}"
        )
        items.append(
            MenuItem(
                decision,
                label,
                answer_text,
                f"{label} {answer_text}",
                group=group,
                search=decision.id,
            )
        )
    page = _wizard_page(opened, "Which decision do you want to answer again?")
    prompts = terminal()
    try:
        with prompts:
            chosen: Decision = prompts.menu(page, items)
    except Back:
        _cancel()
    return chosen


def ask_one_decision(opened: LoadedCharacter, decision: Decision) -> Any:
    """Ask one decision, its present answer to begin with; Esc leaves."""
    former = opened.document.answers.get(decision.id, MISSING)
    prompts = terminal()
    try:
        with prompts:
            page, source = _wizard_page(opened, ""), random_reanswers(opened.document)
            return decision.canonical(ask_decision(decision, prompts, page, former, source))
    except Back:
        _cancel()


def _wizard_page(opened: LoadedCharacter, question: str) -> Any:
    title = f"{opened.ruleset.head.name} · {opened.document.name}"
    return WizardPage(title=title, step="Edit", question=question)


def _cancel() -> None:
    console.say("Nothing is changed.")
    raise typer.Exit(0)
