"""Terminal prompts outside the wizard: the command line of ``play``, one decision of ``edit``."""

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
from charforge.usecases.preview import loaded_trial
from charforge.wizard.decision_prompts import ask_decision
from charforge.wizard.list_pages import ListPage
from charforge.wizard.pages import Back, WizardPage
from charforge.wizard.screen import terminal

NARROWEST = 20  # columns, for a terminal that does not report its width
WordsByVerb = Callable[[], Mapping[str, Iterable[str]]]


class Prompt:
    """Asks for one line after another, with the status line above each.

    ``completions`` returns the words that complete a line, by verb.
    """

    def __init__(self, status: Callable[[], str], completions: WordsByVerb) -> None:
        self._status = status
        self._session: PromptSession[str] = PromptSession(
            completer=_WordCompleter(completions),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            reserve_space_for_menu=0,
            output=create_output(sys.stderr),
        )

    def read_line(self) -> str:
        """Return a line. Ctrl-C raises KeyboardInterrupt, Ctrl-D EOFError."""
        width = self._session.output.get_size().columns
        status = textwrap.fill(self._status(), max(width, NARROWEST), break_long_words=False)
        return self._session.prompt(FormattedText([("bold", status), ("", "\n> ")]))


class _WordCompleter(Completer):
    """Completes the verb, then its first argument."""

    def __init__(self, completions: WordsByVerb) -> None:
        self._completions = completions

    def get_completions(
        self, document: Document, _complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        """Yield the words that begin with the text before the cursor."""
        text = document.text_before_cursor.lstrip()
        verb, space, rest = text.partition(" ")
        if space and " " in rest.lstrip():
            return
        prefix = rest.lstrip() if space else verb
        for word in self._completions().get(verb if space else "", ()):
            if word.casefold().startswith(prefix.casefold()):
                yield Completion(word, start_position=-len(prefix))


def choose_decision(loaded: LoadedCharacter, asked: Sequence[Decision]) -> Decision:
    """Return the decision to change, chosen from a list with search; Esc exits."""
    effective = loaded.character.state.answers
    labels = {section.id: section.label for section in loaded.ruleset.head.sections}
    level_label = loaded.ruleset.head.advancement.label
    items = []
    for decision in asked:
        answer_text = (
            decision.answer_text(effective[decision.id]) if decision.id in effective else "open"
        )
        label, level = decision.title(), f"{level_label} {decision.level}"
        group = labels.get(decision.section, level)
        text = f"{label} {answer_text}"
        items.append(MenuItem(decision, label, answer_text, text, group=group, search=decision.id))
    page = _wizard_page(loaded, "Which decision do you want to answer again?")
    prompts = terminal()
    try:
        with prompts:
            chosen: Decision = prompts.menu(page, ListPage(items))
    except Back:
        _cancel()
    return chosen


def ask_one_decision(loaded: LoadedCharacter, decision: Decision) -> Any:
    """Return a new answer to a decision, which starts with the present one; Esc exits."""
    former = loaded.document.answers.get(decision.id, MISSING)
    prompts = terminal()
    try:
        with prompts:
            page, source = _wizard_page(loaded, ""), random_reanswers(loaded.document)
            trial = loaded_trial(loaded, decision)
            return decision.canonical(ask_decision(decision, prompts, page, former, source, trial))
    except Back:
        _cancel()


def _wizard_page(loaded: LoadedCharacter, question: str) -> Any:
    title = f"{loaded.ruleset.head.name} · {loaded.document.name}"
    return WizardPage(title=title, step="Edit", question=question)


def _cancel() -> None:
    console.say("Nothing is changed.")
    raise typer.Exit(0)
