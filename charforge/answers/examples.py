"""Examples in the errors about answers of the wrong form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from charforge.answers.file import yaml_line
from charforge.decisions.base import Decision
from charforge.decisions.option import MISSING, Answer
from charforge.replay.replay import Character


def with_examples(
    character: Character, problems: Iterable[tuple[str, str]], answers: Mapping[str, Answer]
) -> Iterator[tuple[str, str]]:
    """Yield problems ``(decision, reason)``, with an example if the answer has the wrong form."""
    for name, reason in problems:
        decision = character.decision(name)
        if decision is not None and name in answers:
            yield name, with_example(decision, answers[name], reason)
        else:
            yield name, reason


def with_example(decision: Decision, answer: Answer, reason: str) -> str:
    """Return a reason against an answer, with an example if the answer has the wrong form."""
    example = decision.right_form(answer)
    if example is MISSING:
        return reason
    hint = "" if isinstance(example, list) else "; give one"
    return f"{reason}{hint}, for example {yaml_line(example)}"
