"""The form that an answer should have, by example: a list where one word was given, or a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import cycle, islice

from charforge.answers.file import scalar
from charforge.decisions.base import Answer, Decision
from charforge.replay.replay import Character
from charforge.rules.models import Choose, Roll


def refused(
    character: Character, problems: Iterable[tuple[str, str]], answers: Mapping[str, Answer]
) -> Iterator[tuple[str, str]]:
    """Yield problems ``(decision, reason)``, with an example where the form was wrong."""
    for name, reason in problems:
        decision = character.decision(name)
        if decision is not None and name in answers:
            yield name, formed(decision, answers[name], reason)
        else:
            yield name, reason


def formed(decision: Decision, answer: Answer, reason: str) -> str:
    """Return a reason against an answer, with an example if it has the wrong form."""
    right = example(decision, answer)
    many = not isinstance(decision.ask, Choose) or decision.ask.many
    one = "" if many else "; give one"
    return f"{reason}{one}, for example {right}" if right else reason


def example(decision: Decision, answer: Answer) -> str:
    """Return an answer of the right form, as YAML has it; nothing where the form is right.

    It is made of what was given, as far as that may be chosen, and of
    other options.
    """
    ask, listed = decision.ask, isinstance(answer, list | tuple)
    if isinstance(ask, Roll):
        dice = decision.dice()
        return "" if listed else scalar(list(islice(cycle(dice.faces), dice.number)))
    if not isinstance(ask, Choose) or (listed if ask.many else isinstance(answer, str | int)):
        return ""
    items = answer if listed else [answer]
    given = [decision.item(one) for one in items if isinstance(one, str | int)]
    legal = dict.fromkeys(offer.id for offer in decision.options() if offer.legal)
    names = [*(one for one in given if one in legal), *(one for one in legal if one not in given)]
    if not ask.many:
        return scalar(names[0]) if names else ""
    number = 1 if ask.count is None or ask.up_to else ask.count
    return scalar(names[:number]) if names else ""
