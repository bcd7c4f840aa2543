"""Write: a text of the player."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from charforge.character.holdings import rename_holding
from charforge.character.state import State
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    RandomSource,
    TextField,
    text_violations,
)
from charforge.expressions import dice
from charforge.language import _
from charforge.rules.models import Write
from charforge.rules.models.base import original
from charforge.rules.ruleset import Ruleset

NUMBERED = re.compile(r" \d+$")  # the end of a name that several holdings would have


class WriteDecision(Decision):
    """Write a text."""

    question: Write

    def _violations(self, answer: Answer) -> Iterator[str]:
        yield from text_violations(answer, self.question.longest, self.question.optional)

    def _malformed(self, answer: Answer) -> Iterator[str]:
        yield from self._violations(answer)

    def as_typed(self, answer: Answer) -> Answer:
        """Return the empty text for the words that stand for it."""
        is_empty = self.question.optional and answer == self.answer_text("")
        return "" if is_empty else answer

    def in_words(self, text: str) -> Answer:
        """Return a text as it is."""
        return self.as_typed(text)

    def empty_answer(self) -> Answer:
        """Return the empty text where the text is optional, else MISSING."""
        return "" if self.question.optional else MISSING

    def canonical(self, answer: Answer) -> Answer:
        """Return a text without spaces around it; an example in the language of the pack."""
        return self.question.saved(str(super().canonical(answer)))

    def state_after(self, answer: Answer) -> State:
        """Return the state after an answer, which can be the name of a holding."""
        state = super().state_after(answer)
        holding = state.holding(self.holding)
        if holding is None or holding.entity.titled != self.question.id:
            return state
        return rename_holding(state, holding, self.question.shown(str(answer)))

    def answer_text(self, answer: Answer) -> str:
        """Return the text; an example in the language of the player."""
        return super().answer_text(
            self.question.shown(answer) if isinstance(answer, str) else answer
        )

    def sheet_items(self, answer: Answer) -> list[object]:
        """Return the text, if it is not empty."""
        return [self.question.shown(str(answer))] if answer else []

    def random_answer(self, source: RandomSource) -> Answer:
        """Return one of the pack's examples."""
        examples = self.question.examples
        if not examples:
            return ""
        if self.unprinted:
            return self._own_example(examples)
        numbers = dice.random_stream(source.seed, f"{self.id} choice")
        return original(examples[dice.draw_below(numbers, len(examples))])

    def _own_example(self, examples: Sequence[str]) -> str:
        """Return the example of an open text of a holding.

        Its name is the first example that no other holding has; after the
        last one they repeat with a number. As many examples of another text
        belong to those of the name; of fewer or more, the second holding of
        its kind takes the second.
        """
        state, holding = self.before, self.before.holding(self.holding)
        if holding is None:
            return original(examples[0])
        if holding.entity.titled == self.question.id:
            names_in_use = {other.name for other in state.holdings}
            names = [*map(original, examples)]
            numbered = (name if n == 1 else f"{name} {n}" for n in count(1) for name in names)
            return next(n for n in numbered if self.question.shown(n) not in names_in_use)
        alike = [other.id for other in state.holdings if other.entity is holding.entity]
        place = alike.index(holding.id)
        titles = (one for one in holding.entity.choices if one.id == holding.entity.titled)
        names = [name for title in titles if isinstance(title, Write) for name in title.examples]
        own_name = NUMBERED.sub("", holding.name)
        if len(names) == len(examples) and own_name in names:
            place = names.index(own_name)
        return original(examples[place % len(examples)])

    def widget(self, former: Answer, source: RandomSource) -> TextField:
        """Return the text field, with the examples of the pack."""
        examples = self.question.examples
        rolled = (self.question.shown(str(source(self))),) if examples else ()
        return TextField(
            self.rule_violations,
            self.canonical,
            "" if former is MISSING else self.question.shown(str(former)),
            (_("You can leave it empty."),) if self.question.optional else (),
            tuple(dict.fromkeys((*rolled, *examples))),
        )

    @classmethod
    def template_answer(cls, question: Write, ruleset: Ruleset) -> Answer:
        """Return an empty text, or the first example where the book leaves it open."""
        return question.examples[0] if question.unprinted and question.examples else ""
