"""Answers that give a number to each of several values: the base of assign and allot."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

from charforge.decisions.base import MISSING, Answer, Decision, NumberSteps, is_whole_number
from charforge.errors import did_you_mean, shorten
from charforge.language import _
from charforge.rules.models import Allot, Assign
from charforge.rules.ruleset import Ruleset

WITH_NUMBER = re.compile(r"\s*(.+) [^\d\s+-]*([+-]?\d{1,9})\s*")  # of a value: Agility d8


class ValueMapDecision(Decision):
    """A question answered by a map of value ids and numbers."""

    question: Assign | Allot

    is_comparable = True
    gives_numbers = True

    def targets(self) -> tuple[str, ...]:
        """Return the ids of the values that get a number, with groups expanded."""
        return target_ids(self.question, self.ruleset)

    @abstractmethod
    def number_steps(self, former: Answer) -> NumberSteps:
        """Return the answers one step from a former one, or from the suggestion without one."""

    def by_value(self, answer: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return the numbers of a map by value id; its keys can be ids, labels or names."""
        by_word: dict[str, set[str]] = {}
        for name in self.targets():
            value = self.ruleset.values[name]
            for word in (value.label, value.name):
                by_word.setdefault(word.casefold(), set()).add(name)
        numbers: dict[Any, Any] = {}
        for key, number in answer.items():
            matching = by_word.get(key.strip().casefold(), ()) if isinstance(key, str) else ()
            by_name = key not in self.targets() and len(matching) == 1
            numbers[next(iter(matching)) if by_name else key] = number
        return numbers

    def canonical(self, answer: Answer) -> Answer:
        """Return an allowed answer by value id, in the order of the question."""
        numbers = self.by_value(answer)
        return {name: numbers.get(name, self.left_out()) for name in self.targets()}

    def in_words(self, text: str) -> Answer:
        """Return the numbers of a text such as ``STR 4, Agility d8``."""
        if text == self.answer_text({}):
            return {}
        parts = [WITH_NUMBER.fullmatch(part) for part in text.split(",")]
        return {part[1]: int(part[2]) for part in parts if part} if all(parts) else MISSING

    def left_out(self) -> int:
        """Return the number of a value that an answer leaves out."""
        return 0

    def not_a_map(self, answer: Answer, what: str) -> Iterator[str]:
        """Yield why an answer is not a map of these values; ``what`` names their numbers."""
        targets = self.targets()
        if not isinstance(answer, dict):
            yield _("enter a number for each of {targets}").format(targets=", ".join(targets))
            return
        for name in self.by_value(answer):
            if name not in targets:
                near = did_you_mean(name, targets) if isinstance(name, str) else ""
                yield _("{name} does not get a {what} here{near}").format(
                    name=shorten(name), what=what, near=near
                )
        if len(self.by_value(answer)) < len(answer):
            yield _("one value appears twice")

    def not_all_numbers(self, answer: Answer, complete: bool) -> Iterator[str]:
        """Yield why an answer is not a map of whole numbers; ``complete`` requires every value."""
        numbers = self.by_value(answer) if isinstance(answer, dict) else {None: None}
        targets, named = set(self.targets()), set(numbers)
        right_targets = named == targets if complete else named <= targets
        if not right_targets or not all(map(is_whole_number, numbers.values())):
            yield _("enter a whole number for each of {targets}").format(
                targets=", ".join(self.targets())
            )

    def number_text(self, name: str, number: Answer) -> str:
        """Return a value with its number: ``Agility d8``."""
        return f"{self.ruleset.values[name].label} {self.figure_text(name, number)}"

    def figure_text(self, name: str, number: Answer) -> str:
        """Return a number of a value with its sign or die: ``d8``."""
        value = self.ruleset.values[name]
        sign = "+" if value.signed and is_whole_number(number) and number >= 0 else ""
        return f"{value.before}{sign}{number}"

    def step_text(self, before: Mapping[str, int], after: Mapping[str, int]) -> str:
        """Return the numbers that differ: ``AGI 4 → 6, STR 6 → 4``."""
        return ", ".join(
            f"{self.number_text(name, before[name])} → {self.figure_text(name, after[name])}"
            for name in before
            if before[name] != after[name]
        )


def target_ids(question: Assign | Allot, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the ids of the values that get a number, with groups expanded."""
    return tuple(name for target in question.to for name in ruleset.target_values(target))
