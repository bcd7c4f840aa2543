"""Why an answer is not allowed, by kind of question; nothing said means allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from charforge.decisions.options import Item, Offer
from charforge.errors import FEW, hint, nearest, told
from charforge.expressions.template import unprintable
from charforge.rules.models import Allot, Assign, Choose, Enter, Roll, Write

if TYPE_CHECKING:
    from charforge.decisions.base import Answer, Decision
    from charforge.rules.ruleset import Ruleset

LONGEST_OWN = 200  # characters of an option in one's own words
NEARLY = 0.8  # how like an id own words must be to be taken for a mistyped one
LIKE_AN_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


def faults(decision: Decision, answer: Answer) -> Iterator[str]:
    """Yield every reason against an answer."""
    ask = decision.ask
    if isinstance(ask, Choose):
        yield from _list(decision, ask, answer) if ask.many else _item(decision, ask, answer, ())
    elif isinstance(ask, Roll):
        yield from _roll(decision, ask, answer)
    elif isinstance(ask, Assign):
        yield from _assign(decision, answer)
    elif isinstance(ask, Allot):
        yield from _allot(decision, answer)
    elif isinstance(ask, Enter):
        yield from _enter(decision, answer)
    elif isinstance(ask, Write):
        yield from _text(answer, ask.longest, ask.optional)


def unsound(decision: Decision, answer: Answer) -> Iterator[str]:
    """Yield what no override can allow: an answer that is none of this sort of question."""
    ask = decision.ask
    if isinstance(ask, Choose):
        yield from _unsound_choice(decision, ask, answer)
    elif isinstance(ask, Roll):
        rolls = answer if isinstance(answer, Sequence) and not isinstance(answer, str) else [None]
        for face in rolls:
            if isinstance(face, bool) or not isinstance(face, int):
                yield "give one list of faces"
                return
    elif isinstance(ask, Assign | Allot):
        scores = decision.by_value(answer) if isinstance(answer, dict) else {None: None}
        wanted, given = set(decision.targets()), set(scores)
        complete = given == wanted if isinstance(ask, Assign) else given <= wanted
        if not complete or not all(map(_is_number, scores.values())):
            yield f"give a whole number to each of {', '.join(decision.targets())}"
    elif isinstance(ask, Enter):
        if not _is_number(answer):
            yield "give a whole number"
    else:
        yield from faults(decision, answer)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _unsound_choice(decision: Decision, ask: Choose, answer: Answer) -> Iterator[str]:
    if ask.many and (not isinstance(answer, Sequence) or isinstance(answer, str)):
        yield "give a list"
        return
    offers = {offer.id for offer in decision.options()}
    among = decision.before.ruleset.entities if ask.among and ask.among.query else {}
    for item in answer if ask.many else [answer]:
        if isinstance(item, str):
            known = item in offers or ask.own_words or decision.item(item) in among
        else:
            known = _is_number(item) and item in offers
        if not known:
            yield from _item(decision, ask, item, ())


def _list(decision: Decision, ask: Choose, answer: Answer) -> Iterator[str]:
    if not isinstance(answer, Sequence) or isinstance(answer, str):
        yield "give a list"
        return
    number = len(answer)
    if ask.count is not None and (number > ask.count or (number < ask.count and not ask.up_to)):
        yield f"choose {'at most ' if ask.up_to else ''}{ask.count}, not {number}"
        yield from (_joined(item) for item in answer if _are_options(decision, item))
        return
    picked: list[Item] = []
    for item in decision.in_order(answer):
        reasons = list(_item(decision, ask, item, picked))
        yield from reasons
        if not reasons:
            picked.append(decision.item(item))


def _item(decision: Decision, ask: Choose, item: Answer, picked: Sequence[Item]) -> Iterator[str]:
    """Yield the reasons against one item of a list, or against a single choice."""
    if isinstance(item, bool) or not isinstance(item, str | int):
        yield f"{told(item)} is no option"
        return
    item = decision.item(item)
    for meant in decision.options(picked, item):
        yield from (f"{meant.label}: {reason}" for reason in meant.reasons)
        return
    offers = {offer.id: offer for offer in decision.options(picked)}
    if _are_options(decision, item):
        yield _joined(item)
    elif ask.own_words and isinstance(item, str) and not _looks_like_id(decision, item, offers):
        yield from _text(item, LONGEST_OWN, optional=False)
        taken = {name.casefold() for name in picked if isinstance(name, str)}
        if item.casefold() in taken and not ask.repeats:
            yield f"{item}: chosen already"
    else:
        yield _no_option(decision, item, offers)


def _are_options(decision: Decision, item: Item) -> bool:
    """Whether one item is several options in a row: a list without its commas."""
    parts = item.split() if isinstance(item, str) else ()
    known = {offer.id for offer in decision.options()} if len(parts) > 1 else ()
    return len(parts) > 1 and all(part in known for part in parts)


def _joined(item: Item) -> str:
    return f"{told(item)} is more than one: a comma is missing"


def _no_option(decision: Decision, item: Item, offers: Mapping[Item, Offer]) -> str:
    """Say that something is no option, and what is: the nearest, or all where they are few."""
    spelt = item if isinstance(item, str) else told(item)
    known = _name(decision.before.ruleset, spelt)
    said = f"{known} is not among the options here" if known else f"{told(item)} is no option"
    near = "" if known else nearest(spelt, map(str, offers))
    if near:
        return f"{said}; did you mean {near}?"
    legal = [str(offer.id) for offer in offers.values() if offer.legal]
    if not 0 < len(legal) <= FEW:
        return said
    return f"{said}; choose {' or '.join(filter(None, (', '.join(legal[:-1]), legal[-1])))}"


def _name(ruleset: Ruleset, name: str) -> str:
    """Return what the ruleset calls an entity, value or term; nothing for what it does not know."""
    name = name.casefold()
    term = ruleset.term(name)
    if name in ruleset.entities:
        return ruleset.entities[name].name
    if name in ruleset.values:
        return ruleset.values[name].name
    return term.label if term is not None else ""


def _looks_like_id(decision: Decision, item: str, offers: Mapping[Item, Offer]) -> bool:
    """Whether one's own words are rather an id that is no option, or a mistyped one."""
    written = item.casefold()
    if not LIKE_AN_ID.fullmatch(written):
        return False
    known = written.split("/", 1)[0] in decision.before.ruleset.kinds
    return known or bool(get_close_matches(written, map(str, offers), n=1, cutoff=NEARLY))


def _roll(decision: Decision, ask: Roll, answer: Answer) -> Iterator[str]:
    lists = isinstance(answer, Sequence) and not isinstance(answer, str) and len(answer) > 0
    if not lists:
        yield f"give the faces of {ask.dice} as a list"
        return
    nested = [isinstance(item, Sequence) and not isinstance(item, str) for item in answer]
    if any(nested) and not all(nested):
        yield "give one list of faces, or a list of such lists"
        return
    rolls = [list(faces) for faces in answer] if all(nested) else [list(answer)]
    dice = decision.dice()
    for faces in rolls:
        fault = dice.fault(faces)
        if fault:
            yield fault
            return
    for faces in rolls[:-1]:
        if not decision.again(faces):
            yield f"{faces} stands: it is not to be rolled again"
    if decision.again(rolls[-1]):
        yield f"{rolls[-1]} must be rolled again; add the next roll to the list"


def _assign(decision: Decision, answer: Answer) -> Iterator[str]:
    targets, scores = decision.targets(), decision.scores()
    strange = list(_not_a_map(decision, answer, "score"))
    yield from strange
    if not isinstance(answer, dict):
        return
    answer = decision.by_value(answer)
    missing = [name for name in targets if name not in answer]
    if missing:
        yield f"no score is given to {', '.join(missing)}"
    if strange or missing:
        return
    given = [answer[name] for name in targets]
    if any(isinstance(score, bool) or not isinstance(score, int) for score in given):
        yield "scores are whole numbers"
    elif sorted(given, reverse=True) != list(scores):
        have = ", ".join(map(told, sorted(given, reverse=True)))
        yield f"the scores to hand out are {', '.join(map(str, scores))}, not {have}"


def _not_a_map(decision: Decision, answer: Answer, what: str) -> Iterator[str]:
    """Yield what keeps an answer from being a map of the values that get something here."""
    targets = decision.targets()
    if not isinstance(answer, dict):
        yield f"give a map of {', '.join(targets)}"
        return
    for name in decision.by_value(answer):
        if name not in targets:
            near = hint(name, targets) if isinstance(name, str) else ""
            yield f"{told(name)} gets no {what} here{near}"
    if len(decision.by_value(answer)) < len(answer):
        yield "a value is named twice"


def _allot(decision: Decision, answer: Answer) -> Iterator[str]:
    wrong = list(_not_a_map(decision, answer, "number"))
    yield from wrong
    if wrong:
        return
    numbers, labels = decision.numbers(), decision.before.ruleset.values
    given = {**dict.fromkeys(decision.targets(), 0), **decision.by_value(answer)}
    for name, number in given.items():
        if not _is_number(number):
            yield f"{labels[name].label}: {told(number)} is no whole number"
            wrong.append(name)
        elif number not in numbers:
            yield f"{labels[name].label}: {number} is not {spelt(numbers)}"
    points = decision.points()
    if points is not None and not wrong and sum(given.values()) != points:
        yield f"{points} points are to be given, not {sum(given.values())}"


def spelt(numbers: Sequence[int]) -> str:
    """Say which numbers an allotment may give: ``from 0 to 2``, ``one of 4, 6, 8``."""
    if isinstance(numbers, range) or len(numbers) < 2:
        return f"from {numbers[0]} to {numbers[-1]}" if numbers else "possible here"
    return f"one of {', '.join(map(str, numbers))}"


def _enter(decision: Decision, answer: Answer) -> Iterator[str]:
    low, high, _suggested = decision.bounds()
    if isinstance(answer, bool) or not isinstance(answer, int):
        yield f"give a whole number from {low} to {high}"
    elif not low <= answer <= high:
        yield f"{told(answer)} is not from {low} to {high}"


def _text(text: Answer, longest: int, optional: bool) -> Iterator[str]:
    if not isinstance(text, str):
        yield "give a text"
        return
    if not text.strip() and not optional:
        yield "it is empty"
    if len(text) > longest:
        yield f"it has {len(text)} characters; at most {longest} fit"
    if unprintable(text):
        yield "it holds control characters or broken signs"
