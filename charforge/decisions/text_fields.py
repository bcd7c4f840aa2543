"""Enter and Write: a whole number within bounds, and a text of the player, both typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from charforge.character.holdings import rename_holding
from charforge.character.state import FixedModifier, State
from charforge.decisions.base import (
    MISSING,
    WHOLE_NUMBER,
    Answer,
    Decision,
    RandomSource,
    TextField,
    is_whole_number,
    text_violations,
    whole_number,
)
from charforge.errors import not_between
from charforge.expressions import dice
from charforge.expressions.template import number_text, true_minus
from charforge.language import N_, _
from charforge.rules.models import Enter, Write
from charforge.rules.names import original
from charforge.rules.ruleset import Ruleset

NUMBERED = re.compile(r" \d+$")  # the end of a name that several holdings would have


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
    def question_lines(cls, question: Enter, ruleset: Ruleset) -> Iterator[str]:
        """Yield the bounds."""
        yield _("a whole number from {minimum} to {maximum}").format(
            minimum=question.minimum, maximum=question.maximum
        )

    @classmethod
    def example_answer(cls, question: Enter, ruleset: Ruleset) -> Answer:
        """Return the default if the book leaves the number open."""
        return (
            question.default.constant
            if question.unprinted and question.default is not None
            else None
        )


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
    def example_answer(cls, question: Write, ruleset: Ruleset) -> Answer:
        """Return an empty text, or the first example where the book leaves it open."""
        return question.examples[0] if question.unprinted and question.examples else ""
