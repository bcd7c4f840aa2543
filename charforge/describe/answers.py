"""Questions and answers in the words of their ruleset.

Everything here is read from the pack: nothing knows a game, and nothing
asks or prints. Texts keep the pack's small markup.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from charforge.decisions.base import Answer, Decision, rolled
from charforge.expressions.template import MINUS, true_minus
from charforge.rules.models import Allot, Ask, Assign, Choose, Enter, Roll

NOTHING = "none"
EMPTY = "left empty"
UNPRINTED = "The book leaves this open: take"


def unprinted(ask: Ask) -> str:
    """Say that the book does not give the answer, and what to take instead."""
    figure = isinstance(ask, Enter | Allot)
    return f"{UNPRINTED} {'your own figure' if figure else 'what your game has'}."


def question(decision: Decision) -> str:
    """Return what is asked, with the name of the thing whose choice it is."""
    label = decision.ask.label
    holding = decision.before.holding(decision.holding)
    if holding is None or holding.name.casefold() in label.casefold():
        return label
    return f"{holding.name}: {label}"


def answer(decision: Decision, given: Answer) -> str:
    """Return an answer in words; it need not be an allowed one."""
    ask = decision.ask
    if isinstance(ask, Roll):
        sound = not decision.faults(given)
        return _dice(decision, ask, rolled(given)) if sound else json.dumps(given)
    if isinstance(ask, Assign) and isinstance(given, dict):
        names = [name for name in decision.targets() if name in given]
        return ", ".join(_scored(decision, name, given[name]) for name in names)
    if isinstance(ask, Allot) and isinstance(given, dict):
        names = [name for name in decision.targets() if given.get(name)]
        return ", ".join(_scored(decision, name, given[name]) for name in names) or NOTHING
    if isinstance(ask, Enter):
        to = decision.before.ruleset.values[ask.to] if ask.to else None
        return f"{to.before}{given} {to.unit}".strip() if to is not None else str(given)
    if isinstance(given, list | tuple):
        counted = Counter(label(decision, item) for item in given)
        shown = (name if times == 1 else f"{name} × {times}" for name, times in counted.items())
        return ", ".join(shown) or NOTHING
    if not isinstance(ask, Choose):
        return str(given) or EMPTY
    return label(decision, given)


def label(decision: Decision, item: Answer) -> str:
    """Return the name of one option; own words and numbers are their own."""
    ruleset, ask = decision.before.ruleset, decision.ask
    for option in ask.options if isinstance(ask, Choose) else ():
        if option.id == item:
            return option.label
    if not isinstance(item, str):
        return str(item)
    if item in ruleset.entities:
        return ruleset.entities[item].name
    if item in ruleset.values:
        return ruleset.values[item].name
    term = ruleset.term(item)
    return term.label if term else item


def value(decision: Decision, name: str) -> str:
    """Return the short label of a value."""
    return decision.before.ruleset.values[name].label


def _scored(decision: Decision, name: str, score: Answer) -> str:
    """Say a value with the score that it is given: ``Agility d8``."""
    return f"{value(decision, name)} {decision.before.ruleset.values[name].before}{score}"


def _dice(decision: Decision, ask: Roll, rolls: list[list[int]]) -> str:
    """Show the dice that count, what they bring, and those that were rolled again."""
    *before, last = rolls
    shown = faces(last)
    if ask.to is not None:
        total, _note = decision.result(last)
        shown += f" → {value(decision, ask.to)} {signed(total)}"
    if before:
        shown += f" (rolled again after {'; '.join(map(faces, before))})"
    return shown


def faces(rolls: Iterable[int]) -> str:
    """Show the faces of some dice."""
    return " ".join(map(str, rolls))


def signed(amount: int) -> str:
    """Show a change with its sign."""
    return true_minus(f"{amount:+d}")


def dice(decision: Decision) -> str:
    """Return what a roll adds up to, with this character's figures: ``1d6 + 7, at least 11``."""
    ask = decision.ask
    assert isinstance(ask, Roll)
    plus = decision.figure(ask.plus)
    shown = ask.dice
    if plus:
        shown += f" {'+' if plus > 0 else MINUS} {abs(plus)}"
    if ask.minimum is not None:
        shown += f", at least {decision.figure(ask.minimum)}"
    if ask.maximum is not None:
        shown += f", at most {decision.figure(ask.maximum)}"
    return f"{value(decision, ask.to)}: {shown}" if ask.to else shown
