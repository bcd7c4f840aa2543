"""Write: a text of the player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from charforge.decisions.base import Decision, RandomSource, text_violations
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import TextField
from charforge.expressions import dice
from charforge.language import _
from charforge.rules.models import Write
from charforge.rules.ruleset import Ruleset


@dataclass(frozen=True)
class WriteDecision(Decision):
    """Write a text."""

    question: Write

    def _violations(self, answer: Answer) -> Iterator[str]:
        yield from text_violations(answer, self.question.longest, self.question.optional)

    def _malformed(self, answer: Answer) -> Iterator[str]:
        yield from self._violations(answer)

    def empty_answer(self) -> Answer:
        """Return the empty text where the text is optional, else MISSING."""
        return "" if self.question.optional else MISSING

    def random_answer(self, source: RandomSource) -> Answer:
        """Return one of the pack's examples."""
        examples = self.question.examples
        if not examples:
            return ""
        if self.unprinted:
            return self._own_example(examples)
        numbers = dice.random_stream(source.seed, f"{self.id} choice")
        return examples[dice.draw_below(numbers, len(examples))]

    def _own_example(self, examples: Sequence[str]) -> str:
        """Return the example of an open text: the second one for a second holding.

        After the last example they repeat. A name then gets a number, so
        that no two holdings have the same name.
        """
        state, holding = self.before, self.before.holding(self.holding)
        if holding is None:
            return examples[0]
        alike = [other.id for other in state.holdings if other.entity is holding.entity]
        if holding.entity.titled != self.question.id:
            return examples[alike.index(holding.id) % len(examples)]
        names_in_use = {other.name for other in state.holdings}
        names = (name if n == 1 else f"{name} {n}" for n in count(1) for name in examples)
        return next(name for name in names if name not in names_in_use)

    def widget(self, former: Answer, source: RandomSource) -> TextField:
        """Return the text field, with the examples of the pack."""
        examples = self.question.examples
        return TextField(
            self.rule_violations,
            self.canonical,
            "" if former is MISSING else str(former),
            (_("You can leave it empty."),) if self.question.optional else (),
            tuple(dict.fromkeys((source(self), *examples))) if examples else (),
        )

    @classmethod
    def template_answer(cls, question: Write, ruleset: Ruleset) -> Answer:
        """Return an empty text, or the first example where the book leaves it open."""
        return question.examples[0] if question.unprinted and question.examples else ""
