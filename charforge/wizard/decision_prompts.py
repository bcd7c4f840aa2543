"""Prompts for one decision: each kind of widget, on pages of the wizard.

``Decision.widget`` says how a decision is asked, what can be chosen, and the
reasons why other options cannot. Each function returns an answer that the
decision allows, or raises Back if the player goes back from its first page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from charforge.answers.random import RandomAnswers
from charforge.decisions.base import WHOLE_NUMBER, Decision
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import (
    Checklist,
    MenuCommand,
    MenuItem,
    NumberField,
    NumberFields,
    OptionMenu,
    TextField,
    WholeAnswer,
)
from charforge.describe import entities
from charforge.expressions.template import as_written
from charforge.rules.ruleset import Ruleset
from charforge.wizard.pages import Back, Prompts, WizardPage


@dataclass(frozen=True)
class ChangedNumber:
    """A number that was changed directly in the menu."""

    id: str
    number: int


def ask_decision(
    decision: Decision, prompts: Prompts, page: WizardPage, former: Answer, source: RandomAnswers
) -> Answer:
    """Ask for an allowed answer to a decision. Raises Back.

    ``former`` is the earlier answer, or MISSING; ``source`` rolls dice and
    makes suggestions.
    """
    unprinted = decision.unprinted_hint if decision.unprinted else ""
    page = replace(
        page,
        question=decision.title(),
        help="\n".join(filter(None, (as_written(decision.question.help), unprinted))),
    )
    render = _Renderer(prompts, page, decision.ruleset)
    widget = decision.widget(former, source)
    if isinstance(widget, OptionMenu):
        chosen = render.menu(widget)
        return chosen.answer if isinstance(chosen, WholeAnswer) else chosen
    if isinstance(widget, Checklist):
        return render.checklist(widget)
    if isinstance(widget, NumberFields):
        return render.numbers(widget)
    return render.text(widget)


@dataclass(frozen=True)
class _Renderer:
    """Renders the widgets of one decision on its page."""

    prompts: Prompts
    page: WizardPage
    ruleset: Ruleset

    def menu(self, menu: OptionMenu) -> Any:
        """Ask for one entry; return its value, or the answer typed into its field."""
        items = [
            item if item.option is None
            else replace(item, about=entities.option_text(item.option, self.ruleset))
            for item in menu.items
        ]  # fmt: skip
        question = f"{self.page.question} {menu.question}".strip()
        page = replace(self.page, question=question, status=menu.status)
        start = menu.start
        while True:
            chosen = self.prompts.menu(page, items, start)
            if not isinstance(chosen, TextField):
                return chosen
            try:
                return self.text(chosen)
            except Back:
                start = chosen

    def text(self, field: TextField) -> Answer:
        """Ask for a text, and then for any text that must follow it."""
        page = replace(
            self.page,
            status=field.status,
            help=self.page.help if field.help is None else field.help,
            note=self.page.note if field.note is None else field.note,
        )

        def problem(text: str) -> str:
            return sentence(field.problems(text))

        while True:
            answer = field.parse(self.prompts.line(page, field.text, problem, field.examples))
            further = field.follow_up(answer)
            if further is None:
                return answer
            try:
                return self.text(further)
            except Back:
                continue

    def checklist(self, checklist: Checklist) -> Answer:
        """Ask item by item; Back removes what was added on these pages, then leaves."""
        picked, added = list(checklist.picked), 0
        last: Answer = MISSING
        while True:
            menu = checklist.next_menu(picked, last, added)
            if menu is None:
                return checklist.answer(picked)
            try:
                chosen = self.menu(menu)
            except Back:
                if not added:
                    raise
                chosen = MenuCommand.REMOVE_LAST
            if isinstance(chosen, WholeAnswer):
                return chosen.answer
            if chosen is MenuCommand.DONE:
                return checklist.answer(picked)
            if chosen is MenuCommand.REMOVE_LAST:
                last, added = picked.pop(), max(0, added - 1)
            else:
                picked.append(chosen)
                last, added = chosen, added + 1

    def numbers(self, widget: NumberFields) -> Answer:
        """Let the player change each number until all are right together."""
        numbers = dict(widget.start)
        ids = [field.id for field in widget.fields]
        start: Any = MenuCommand.DONE if widget.answered else None
        while True:
            items = list(_number_items(widget, numbers))
            page = replace(self.page, status=(widget.status(numbers),))
            chosen = self.prompts.menu(page, items, start or items[1].value)
            if chosen is MenuCommand.DONE:
                return numbers
            if chosen is MenuCommand.SUGGEST:
                numbers, start = widget.suggest(), MenuCommand.DONE
            elif isinstance(chosen, ChangedNumber):
                numbers, start = {**numbers, chosen.id: chosen.number}, chosen.id
            else:
                start = chosen
                try:
                    numbers = {**numbers, chosen: self.number(widget, chosen, numbers[chosen])}
                except Back:
                    continue
                complete = widget.counted and not widget.problems(numbers)
                after = ids[ids.index(chosen) + 1 :]
                start = MenuCommand.DONE if complete or not after else after[0]

    def number(self, widget: NumberFields, name: str, number: int) -> int:
        """Ask for one of several numbers."""
        field: NumberField = next(field for field in widget.fields if field.id == name)

        def problem(text: str) -> str:
            typed = WHOLE_NUMBER.fullmatch(text.strip())
            fits = typed is not None and int(text) in widget.numbers
            return "" if fits else sentence([f"it is {widget.bounds}"])

        page = replace(
            self.page,
            question=f"{self.page.question} {field.name}",
            status=(sentence([widget.bounds]),),
        )
        return int(self.prompts.line(page, str(number), problem))


def _number_items(widget: NumberFields, numbers: Mapping[str, int]) -> Iterator[MenuItem]:
    """Yield the entries of number fields: done, suggest, and each number."""
    yield MenuItem(MenuCommand.DONE, "Done", against="; ".join(widget.problems(numbers)))
    if widget.counted:
        yield MenuItem(MenuCommand.SUGGEST, "Spread the points for me")
    for field in widget.fields:
        number = numbers[field.id]
        less = (ChangedNumber(field.id, n) for n in reversed(widget.numbers) if n < number)
        more = (ChangedNumber(field.id, n) for n in widget.numbers if n > number)
        yield MenuItem(
            field.id,
            field.title,
            str(number),
            field.about,
            number=True,
            less=next(less, None),
            more=next(more, None),
        )


def sentence(reasons: Sequence[str]) -> str:
    """Return reasons as one sentence; empty without reasons."""
    joined = "; ".join(filter(None, reasons))
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""
