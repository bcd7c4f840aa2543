"""Asking a decision on a terminal: one renderer for each widget.

A decision says by itself how it is asked (``Decision.widget``); what may
be chosen, and why not, is always read from it. Each function returns an
answer that the decision allows, or raises Back where its first page is
left backwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from charforge.answers.random import RandomAnswers
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import (
    Checklist,
    Command,
    Menu,
    MenuItem,
    NumberField,
    NumberFields,
    TextField,
    WholeAnswer,
)
from charforge.describe import entities
from charforge.expressions.template import as_written
from charforge.wizard.pages import Back, Page, Prompts

NUMBER = re.compile(r"[+-]?\d{1,9}")


@dataclass(frozen=True)
class Asking:
    """A decision being asked: on which page, and what was answered before (or MISSING)."""

    decision: Decision
    prompts: Prompts
    page: Page
    former: Answer
    chance: RandomAnswers


@dataclass(frozen=True)
class ChangedNumber:
    """A number changed where it stands on the page."""

    id: str
    number: int


def ask(asking: Asking) -> Answer:
    """Ask a decision until an allowed answer is given. Raises Back."""
    decision = asking.decision
    unprinted = decision.unprinted_hint if decision.unprinted else ""
    page = replace(
        asking.page,
        question=decision.title(),
        help="\n".join(filter(None, (as_written(decision.ask.help), unprinted))),
    )
    asking = replace(asking, page=page)
    widget = decision.widget(asking.former, asking.chance)
    if isinstance(widget, Menu):
        chosen = _menu(asking, widget)
        return chosen.answer if isinstance(chosen, WholeAnswer) else chosen
    if isinstance(widget, Checklist):
        return _checklist(asking, widget)
    if isinstance(widget, NumberFields):
        return _numbers(asking, widget)
    return _text(asking, widget)


def _menu(asking: Asking, menu: Menu) -> Any:
    """Ask for one entry; return its value, or the answer typed into its field."""
    ruleset = asking.decision.ruleset
    items = [
        item if item.option is None
        else replace(item, about=entities.offer(item.option, ruleset))
        for item in menu.items
    ]  # fmt: skip
    question = f"{asking.page.question} {menu.question}".strip()
    page = replace(asking.page, question=question, status=menu.status)
    start = menu.start
    while True:
        chosen = asking.prompts.menu(page, items, start)
        if not isinstance(chosen, TextField):
            return chosen
        try:
            return _text(asking, chosen)
        except Back:
            start = chosen


def _text(asking: Asking, field: TextField) -> Answer:
    """Ask for a text, and for more where the answer needs it; Back leaves the first field."""
    page = replace(
        asking.page,
        status=field.status,
        help=asking.page.help if field.help is None else field.help,
        note=asking.page.note if field.note is None else field.note,
    )

    def problem(text: str) -> str:
        return sentence(field.problems(text))

    while True:
        answer = field.parse(asking.prompts.line(page, field.text, problem, field.examples))
        further = field.follow_up(answer)
        if further is None:
            return answer
        try:
            return _text(asking, further)
        except Back:
            continue


def _checklist(asking: Asking, checklist: Checklist) -> Answer:
    """Ask item by item; Back removes what was added on these pages, then leaves."""
    picked, added = list(checklist.picked), 0
    last: Answer = MISSING
    while True:
        menu = checklist.next_menu(picked, last, added)
        if menu is None:
            return checklist.answer(picked)
        try:
            chosen = _menu(asking, menu)
        except Back:
            if not added:
                raise
            chosen = Command.REMOVE_LAST
        if isinstance(chosen, WholeAnswer):
            return chosen.answer
        if chosen is Command.DONE:
            return checklist.answer(picked)
        if chosen is Command.REMOVE_LAST:
            last, added = picked.pop(), max(0, added - 1)
        else:
            picked.append(chosen)
            last, added = chosen, added + 1


def _numbers(asking: Asking, widget: NumberFields) -> Answer:
    """Let each number be changed until they are right together."""
    given = dict(widget.start)
    ids = [field.id for field in widget.fields]
    start: Any = Command.DONE if widget.answered else None
    while True:
        items = list(_number_items(widget, given))
        page = replace(asking.page, status=(widget.status(given),))
        chosen = asking.prompts.menu(page, items, start or items[1].value)
        if chosen is Command.DONE:
            return given
        if chosen is Command.SUGGEST:
            given, start = widget.suggest(), Command.DONE
        elif isinstance(chosen, ChangedNumber):
            given, start = {**given, chosen.id: chosen.number}, chosen.id
        else:
            start = chosen
            try:
                given = {**given, chosen: _number(asking, widget, chosen, given[chosen])}
            except Back:
                continue
            complete = widget.counted and not widget.problems(given)
            after = ids[ids.index(chosen) + 1 :]
            start = Command.DONE if complete or not after else after[0]


def _number_items(widget: NumberFields, given: Mapping[str, int]) -> Iterator[MenuItem]:
    """Yield the entries of number fields: done, suggest, and each number."""
    yield MenuItem(Command.DONE, "Done", against="; ".join(widget.problems(given)))
    if widget.counted:
        yield MenuItem(Command.SUGGEST, "Spread the points for me")
    for field in widget.fields:
        now = given[field.id]
        less = (ChangedNumber(field.id, n) for n in reversed(widget.numbers) if n < now)
        more = (ChangedNumber(field.id, n) for n in widget.numbers if n > now)
        yield MenuItem(
            field.id,
            field.title,
            str(now),
            field.about,
            number=True,
            less=next(less, None),
            more=next(more, None),
        )


def _number(asking: Asking, widget: NumberFields, name: str, now: int) -> int:
    """Ask for one of several numbers."""
    field: NumberField = next(field for field in widget.fields if field.id == name)

    def problem(text: str) -> str:
        typed = NUMBER.fullmatch(text.strip())
        fits = typed is not None and int(text) in widget.numbers
        return "" if fits else sentence([f"it is {widget.bounds}"])

    page = replace(
        asking.page,
        question=f"{asking.page.question} {field.name}",
        status=(sentence([widget.bounds]),),
    )
    return int(asking.prompts.line(page, str(now), problem))


def sentence(reasons: Sequence[str]) -> str:
    """Join reasons to a sentence; nothing for none."""
    joined = "; ".join(filter(None, reasons))
    return f"{joined[0].upper()}{joined[1:]}." if joined else ""
