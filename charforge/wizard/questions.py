"""How each kind of decision is asked: one function a kind, menus and lines only.

Each returns an answer that the decision allows, or raises Back where its
first page is left backwards. What may be taken, and why not, is always
read from the decision.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from charforge.decisions.base import Answer, Decision
from charforge.describe import answers
from charforge.expressions.dice import describe
from charforge.expressions.template import as_written, true_minus
from charforge.replay.replay import MISSING
from charforge.rules.models import Allot, Ask, Assign, Choose, Enter, Roll, Write
from charforge.wizard.allot import allot
from charforge.wizard.lists import several
from charforge.wizard.pages import Back, Item
from charforge.wizard.prompts import OWN_WORDS, Act, Asking, entry, own_words, sentence

SEPARATOR = re.compile(r"[\s,;]+")
NUMBER = re.compile(r"[+-]?\d{1,9}")


def ask(asking: Asking) -> Answer:
    """Ask a decision until an allowed answer is given. Raises Back."""
    decision = asking.decision
    unprinted = answers.unprinted(decision.ask) if decision.unprinted else ""
    page = replace(
        asking.page,
        question=answers.question(decision),
        help="\n".join(filter(None, (as_written(decision.ask.help), unprinted))),
    )
    asked = replace(asking, page=page)
    if isinstance(decision.ask, Choose):
        return (several if decision.ask.many else _one)(asked, decision.ask)
    return ASKED[type(decision.ask)](asked)


def _one(asking: Asking, choose: Choose) -> Answer:
    decision = asking.decision
    items = [entry(asking, offer) for offer in decision.options()]
    start = asking.former
    if choose.own_words:
        items.append(Item(Act.OWN_WORDS, OWN_WORDS))
        if start is not MISSING and not any(item.value == start for item in items):
            start = Act.OWN_WORDS
    while (taken := asking.menu(items, start)) is Act.OWN_WORDS:
        start = Act.OWN_WORDS
        try:
            return own_words(asking, lambda text: decision.faults(text))
        except Back:
            continue
    return taken


def _roll(asking: Asking) -> Answer:
    """Keep the dice, roll them for the player, or let real dice be typed."""
    decision = asking.decision
    ready = asking.chance.dice(decision)
    items = []
    if asking.kept:
        items.append(Item(Act.KEEP, f"Keep {answers.answer(decision, asking.former)}"))
    if not asking.kept or decision.canonical(asking.former) != ready:
        items.append(Item(Act.ROLL, "Roll for me"))
    items.append(Item(Act.TYPE, "Type my own dice"))
    summed = answers.dice(decision)
    status = (summed,) if summed != decision.dice().notation else ()
    start: Act | None = None
    while True:
        start = asking.menu(items, start, status=status)
        try:
            if start is Act.TYPE:
                return _typed(asking)
        except Back:
            continue
        return ready if start is Act.ROLL else asking.former


def _typed(asking: Asking) -> Answer:
    """Let dice be typed, again for as long as the rules demand another roll."""
    decision, rolls = asking.decision, list[list[int]]()
    dice = decision.dice()

    def fault(text: str) -> str:
        return sentence([dice.fault(numbers(text, dice.faces))])

    asked = "the number" if dice.number == 1 else f"the {dice.number} numbers"
    status = (f"Type {asked} that your {dice.notation} shows ({describe(dice.faces)}).",)
    while not rolls or decision.again(rolls[-1]):
        again = f"{answers.faces(rolls[-1])} must be rolled again." if rolls else ""
        page = replace(asking.page, status=status, note=again)
        try:
            rolls.append(numbers(asking.prompts.line(page, "", fault), dice.faces))
        except Back:
            if not rolls:
                raise
            rolls.pop()
    return rolls


def numbers(text: str, faces: Sequence[int]) -> list[int]:
    """Read typed dice: ``3 5 1``, ``3,5,1``, or ``351`` where each face is one digit."""
    if text.strip().isdigit() and all(0 <= face <= 9 for face in faces):
        return [int(digit) for digit in text.strip()]
    found = (word for word in SEPARATOR.split(text.strip()) if word)
    return [int(word) if NUMBER.fullmatch(word) else word for word in found]  # type: ignore[misc]


def _assign(asking: Asking) -> Answer:
    """Hand out the scores, the highest first; equal ones that are left go by themselves."""
    decision = asking.decision
    ready = asking.chance(decision)
    given: dict[str, int] = {}
    while True:
        left = list((Counter(decision.scores()) - Counter(given.values())).elements())
        free = [name for name in decision.targets() if name not in given]
        if len(set(left)) <= 1:
            return {**given, **dict(zip(free, left, strict=True))}
        items = [_target(decision, name, given) for name in decision.targets()]
        if not given:
            items = [*_ready(asking, ready), *items]
        page = f"{asking.page.question} Which one gets {left[0]}?"
        status = (f"Scores to give: {answers.faces(left)}",)
        try:
            taken = asking.menu(items, None if not given else free[0], question=page, status=status)
        except Back:
            if not given:
                raise
            given.popitem()
            continue
        if isinstance(taken, Act):
            return asking.former if taken is Act.KEEP else ready
        given[taken] = left[0]


def _ready(asking: Asking, suggested: Answer) -> Iterator[Item]:
    """Offer whole assignments: the former one, and one that suits the character."""
    decision = asking.decision
    if asking.kept:
        yield Item(Act.KEEP, "Keep", answers.answer(decision, asking.former))
    if not asking.kept or decision.canonical(asking.former) != suggested:
        about = "The highest scores where they serve this character best."
        yield Item(Act.SUGGEST, "Suggest for me", answers.answer(decision, suggested), about)


def _target(decision: Decision, name: str, given: dict[str, int]) -> Item:
    value = decision.before.ruleset.values[name]
    return Item(
        name,
        value.title,
        str(given.get(name, "")),
        as_written(value.text),
        against="has its score" if name in given else "",
    )


def _enter(asking: Asking) -> Answer:
    low, high, suggested = asking.decision.bounds()
    former = suggested if asking.former is MISSING else asking.former

    def fault(text: str) -> str:
        number = int(text) if NUMBER.fullmatch(text.strip()) else text
        return sentence(asking.decision.faults(number))

    page = replace(asking.page, status=(true_minus(f"From {low} to {high}."),))
    return int(asking.prompts.line(page, "" if former is None else str(former), fault))


def _write(asking: Asking) -> Answer:
    decision, write = asking.decision, asking.decision.ask
    assert isinstance(write, Write)
    examples: list[str] = []
    if write.examples:
        examples = list(dict.fromkeys((asking.chance(decision), *write.examples)))
    status = ("You may leave it empty.",) if write.optional else ()
    begun = "" if asking.former is MISSING else str(asking.former)
    page = replace(asking.page, status=status)
    text = asking.prompts.line(page, begun, lambda text: sentence(decision.faults(text)), examples)
    return decision.canonical(text)


ASKED: dict[type[Ask], Callable[[Asking], Answer]] = {
    Roll: _roll,
    Assign: _assign,
    Allot: allot,
    Enter: _enter,
    Write: _write,
}
