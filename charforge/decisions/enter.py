"""Enter: a whole number within bounds."""

from __future__ import annotations

from collections.abc import Iterator

from charforge.character.state import FixedModifier
from charforge.decisions.base import (
    MISSING,
    WHOLE_NUMBER,
    Answer,
    Decision,
    RandomSource,
    TextField,
    is_whole_number,
    whole_number,
)
from charforge.errors import not_between
from charforge.expressions import dice
from charforge.expressions.template import number_text, true_minus
from charforge.language import N_, _
from charforge.rules.models import Enter
from charforge.rules.ruleset import Ruleset


class EnterDecision(Decision):
    """Type a whole number."""

    question: Enter

    unprinted_hint = N_("Not in this book: enter the value from your rulebook.")

    def bounds(self) -> tuple[int, int, int | None]:
        """Return the lowest, the highest and the suggested number, if there is one."""
        suggested = None if self.question.default is None else self.evaluate(self.question.default)
        return self.evaluate(self.question.minimum), self.evaluate(self.question.maximum), suggested

    def _violations(self, answer: Answer) -> Iterator[str]:
        low, high, _suggested = self.bounds()
        if not is_whole_number(answer):
            yield _("enter a whole number from {low} to {high}").format(low=low, high=high)
        elif not low <= answer <= high:
            yield not_between(answer, low, high)

    def _malformed(self, answer: Answer) -> Iterator[str]:
        if not is_whole_number(answer):
            yield _("enter a whole number")

    def in_words(self, text: str) -> Answer:
        """Return the number of a text such as ``336 mC``."""
        found = WHOLE_NUMBER.search(text)
        number = None if found is None else whole_number(found[0])
        return MISSING if number is None or self.answer_text(number) != text else number

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield the number, added to its value."""
        if self.question.to is not None:
            yield FixedModifier(self.unit, self.question.to, "add", answer, self.id)

    def random_answer(self, source: RandomSource) -> Answer:
        """Return a number within the bounds; the suggested one if the book leaves it open."""
        low, high, suggested = self.bounds()
        if self.unprinted and suggested is not None:
            return min(max(suggested, low), high)
        numbers = dice.random_stream(source.seed, f"{self.id} choice")
        return low + dice.draw_below(numbers, high - low + 1)

    def widget(self, former: Answer, source: RandomSource) -> TextField:
        """Return the number field, filled in with the former or the suggested number."""
        low, high, suggested = self.bounds()
        number = suggested if former is MISSING else former

        def problems(text: str) -> tuple[str, ...]:
            number = whole_number(text)
            return self.rule_violations(text if number is None else number)

        start = "" if number is None else str(number)
        return TextField(
            problems,
            whole_number,
            start,
            (true_minus(_("From {low} to {high}.").format(low=low, high=high)),),
        )

    def answer_text(self, answer: Answer) -> str:
        """Return the number with the prefix and the unit of its value."""
        to = self.ruleset.values[self.question.to] if self.question.to else None
        shown = number_text(answer)
        return f"{to.before}{shown} {to.unit}".strip() if to is not None else shown

    @classmethod
    def template_lines(cls, question: Enter, ruleset: Ruleset) -> Iterator[str]:
        """Yield the bounds."""
        yield _("a whole number from {minimum} to {maximum}").format(
            minimum=question.minimum, maximum=question.maximum
        )

    @classmethod
    def template_answer(cls, question: Enter, ruleset: Ruleset) -> Answer:
        """Return the default if the book leaves the number open."""
        return (
            question.default.constant
            if question.unprinted and question.default is not None
            else None
        )
