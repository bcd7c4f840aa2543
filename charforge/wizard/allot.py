"""How an allotment is asked: every value on one page, each with its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from charforge.decisions.base import Answer, Decision
from charforge.decisions.validation import spelt
from charforge.expressions.template import as_written
from charforge.replay.replay import MISSING
from charforge.wizard.pages import Back, Item
from charforge.wizard.prompts import Act, Asking, sentence

NUMBER = re.compile(r"[+-]?\d{1,9}")


@dataclass(frozen=True)
class Changed:
    """A value's number, changed where it stands on the page."""

    name: str
    number: int


def allot(asking: Asking) -> Answer:
    """Let each value's number be changed until they are right together. Raises Back."""
    decision = asking.decision
    given = decision.suggested()
    if isinstance(asking.former, dict) and not [*decision.unsound(asking.former)]:
        given |= decision.by_value(asking.former)
    start: Answer = Act.DONE if asking.former is not MISSING else None
    while True:
        items = [*_acts(decision, given), *(_entry(decision, name, given) for name in given)]
        taken = asking.menu(items, start or items[1].value, status=tuple(_left(decision, given)))
        if taken is Act.DONE:
            return given
        if taken is Act.SUGGEST:
            given, start = asking.chance(decision), Act.DONE
            continue
        if isinstance(taken, Changed):
            given, start = {**given, taken.name: taken.number}, taken.name
            continue
        try:
            given = {**given, taken: _number(asking, taken, given[taken])}
        except Back:
            start = taken
            continue
        complete = decision.points() is not None and not decision.faults(given)
        after = list(given)[list(given).index(taken) + 1 :]
        start = Act.DONE if complete or not after else after[0]


def _acts(decision: Decision, given: dict[str, int]) -> Iterator[Item]:
    yield Item(Act.DONE, "Done", against="; ".join(decision.faults(given)))
    if decision.points() is not None:
        yield Item(Act.SUGGEST, "Spread the points for me")


def _entry(decision: Decision, name: str, given: dict[str, int]) -> Item:
    value, numbers = decision.before.ruleset.values[name], decision.numbers()
    return Item(
        name,
        value.title,
        str(given[name]),
        as_written(value.text),
        number=True,
        less=next((Changed(name, n) for n in reversed(numbers) if n < given[name]), None),
        more=next((Changed(name, n) for n in numbers if n > given[name]), None),
    )


def _left(decision: Decision, given: dict[str, int]) -> Iterator[str]:
    """Say how far the allotment has come, and what each value may get."""
    each = f"Each {spelt(decision.numbers())}."
    points = decision.points()
    if points is not None:
        each = f"{points - sum(given.values())} of {points} points left. {each}"
    yield each


def _number(asking: Asking, name: str, now: int) -> int:
    """Ask for one value's number."""
    numbers = asking.decision.numbers()

    def fault(text: str) -> str:
        typed = NUMBER.fullmatch(text.strip())
        fits = typed is not None and int(text) in numbers
        return "" if fits else sentence([f"it is {spelt(numbers)}"])

    label = asking.decision.before.ruleset.values[name].name
    page = replace(
        asking.page,
        question=f"{asking.page.question} {label}",
        status=(sentence([spelt(numbers)]),),
    )
    return int(asking.prompts.line(page, str(now), fault))
