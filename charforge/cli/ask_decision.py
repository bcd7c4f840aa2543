"""One decision of a character asked on the terminal, outside the wizard's way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import typer

from charforge.cli import console
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING
from charforge.decisions.widgets import MenuItem
from charforge.replay.loaded import LoadedCharacter
from charforge.usecases.edit import random_reanswers
from charforge.wizard.pages import Back, WizardPage
from charforge.wizard.questions import ask_decision
from charforge.wizard.screen import terminal


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
