"""Allot: each of several values gets a number within bounds, often from a sum of points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from charforge.character.state import FixedModifier
from charforge.decisions.base import (
    MISSING,
    NOTHING_CHOSEN,
    Answer,
    MenuItem,
    NumberField,
    NumberFields,
    NumberStep,
    NumberSteps,
    RandomSource,
    ValueMapDecision,
    WholeAnswer,
    is_whole_number,
    target_ids,
)
from charforge.errors import shorten
from charforge.expressions import dice
from charforge.expressions.template import as_written, true_minus
from charforge.language import N_, _, ngettext
from charforge.rules.models import Allot
from charforge.rules.ruleset import Ruleset


class AllotDecision(ValueMapDecision):
    """Spend points: a map of value ids and numbers, or scores that cost points.

    What is left out gets 0, or the cheapest score.
    """

    question: Allot

    unprinted_hint = N_("Not in this book: enter the value from your rulebook.")

    def numbers(self) -> Sequence[int]:
        """Return the numbers that each value may get, lowest first."""
        question = self.question
        low = None if question.minimum is None else self.evaluate(question.minimum)
        high = None if question.maximum is None else self.evaluate(question.maximum)
        if not question.only and low is not None and high is not None:
            return range(low, high + 1)
        numbers = [
            number
            for number in sorted({*question.only, *question.costs})
            if (low is None or number >= low) and (high is None or number <= high)
        ]
        in_a_row = bool(question.costs and numbers) and numbers[-1] - numbers[0] < len(numbers)
        return range(numbers[0], numbers[-1] + 1) if in_a_row else numbers

    def left_out(self) -> int:
        """Return the number of a value that an answer leaves out: 0, or the cheapest score."""
        if not self.question.costs:
            return 0
        return min(self.numbers() or self.question.costs, key=lambda n: (self.cost(n), n))

    def cost(self, number: int) -> int:
        """Return how many points a number costs."""
        return self.question.costs.get(number, number)

    def spent(self, amounts: Mapping[str, int]) -> int:
        """Return how many points all numbers cost together."""
        return sum(map(self.cost, amounts.values()))

    def numbers_for(self, name: str) -> Sequence[int]:
        """Return the numbers that one value may get, lowest first."""
        numbers, room = self.numbers(), self.room(name)
        if room is None:
            return numbers
        if isinstance(numbers, range):
            return range(numbers.start, max(numbers.start, min(numbers.stop, room + 1)))
        return [number for number in numbers if number <= room]

    def room(self, name: str) -> int | None:
        """Return the highest number that a value may get; None without a limit.

        It is by how much the value may still be raised, or its highest score.
        """
        maximum = self.maximum_of(name)
        if maximum is None or self.question.costs:
            return maximum
        return max(0, maximum - self.before.values(self.unit).base(name))

    def maximum_of(self, name: str) -> int | None:
        """Return the maximum of a value that no answer may exceed; None if there is none."""
        if not self.question.within_maximum:
            return None
        computed = self.before.unit(self.unit).type.values.get(name)
        if computed is None or computed.maximum is None:
            return None
        return computed.maximum.evaluate(self.before.values(self.unit))

    def points(self) -> int | None:
        """Return the points to spend in total; None if they are not limited."""
        return None if self.question.points is None else self.evaluate(self.question.points)

    @property
    def is_copied(self) -> bool:
        """Whether the player copies the numbers from a rulebook."""
        return self.unprinted and self.points() is None

    def suggested(self) -> dict[str, int]:
        """Return the suggestion: for each value the allowed number nearest to the default."""
        default = self.left_out()
        if self.question.default is not None:
            default = self.evaluate(self.question.default)
        return {
            name: min(self.numbers_for(name), key=lambda n: (abs(n - default), n), default=default)
            for name in self.targets()
        }

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        errors = list(self.not_a_map(answer, "number"))
        yield from errors
        if errors:
            return
        numbers, values = self.numbers(), self.ruleset.values
        amounts = {**dict.fromkeys(self.targets(), self.left_out()), **self.by_value(answer)}
        for name, number in amounts.items():
            if not is_whole_number(number):
                yield _("{label}: {number} is not a whole number").format(
                    label=values[name].label, number=shorten(number)
                )
                errors.append(name)
            elif number not in numbers:
                yield _("{label}: must be {numbers}, not {number}").format(
                    label=values[name].label, numbers=numbers_text(numbers), number=number
                )
            elif number not in self.numbers_for(name):
                now = self.before.values(self.unit).base(name)
                most = self.maximum_of(name)
                if self.question.costs:
                    yield _("{label} can be at most {most}, not {number}").format(
                        label=values[name].label, most=most, number=number
                    )
                    continue
                yield (
                    _(
                        "{label} is {now} and can be at most {most}, so +{number} is too much"
                    ).format(label=values[name].label, now=now, most=most, number=number)
                )
        points = self.points()
        if points is None or errors:
            return
        spent = self.spent(amounts)
        if spent != points:
            yield _("spend exactly {points} points (you have spent {spent})").format(
                points=points, spent=spent
            )

    def keeps_effect(self, answer: Answer) -> bool:
        """Whether nothing but the maxima of the values is against an answer."""
        question = self.question.model_copy(update={"within_maximum": False})
        return not replace(self, question=question).rule_violations(answer)

    def completed(self, answer: Answer, former: Answer) -> Answer:
        """Return a new answer with the former numbers, unless it spends all points without them."""
        merged = super().completed(answer, former)
        if self.points() is None or not self.rule_violations(merged):
            return merged
        return merged if self.rule_violations(answer) else answer

    def _malformed(self, answer: Answer) -> Iterator[str]:
        yield from self.not_all_numbers(answer, complete=False)

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield each number that is not 0, added to its value; or each value set to its score."""
        for name, number in answer.items():
            if self.question.costs:
                yield FixedModifier(self.unit, name, "set", number, self.id, (self._price(number),))
            elif number:
                yield FixedModifier(self.unit, name, "add", number, self.id)

    # ------------------------------------------------------------ one step

    def number_steps(self, former: Answer) -> NumberSteps:
        """Return each value one step higher; without points left, at the cost of another value."""
        start, points = self._begun(former), self.points()
        if points is None:
            text = _("Compared: one step more for each value.")
            return NumberSteps(start, text, tuple(self._raised(start, start)))
        left = points - self.spent(start)
        raised = tuple(
            step for step in self._raised(start, start) if self.spent(step.answer) <= points
        )
        if raised:
            text = _("Compared: one step more for each value, with {left} of {points} points left.")
            return NumberSteps(start, text.format(left=left, points=points), raised)
        moved = tuple(
            step
            for name in start
            for lower in [n for n in self.numbers_for(name) if n < start[name]][-1:]
            for step in self._raised(start, {**start, name: lower})
            if step.answer[name] == lower and not self.rule_violations(step.answer)
        )
        text = _("Compared: one step more for each value and one less for another, from {answer}.")
        return NumberSteps(start, text.format(answer=self.answer_text(start)), moved)

    def _begun(self, former: Answer) -> dict[str, int]:
        """Return the numbers of an answer, which may leave points, if allowed; else the default."""
        start = self.suggested()
        if not isinstance(former, dict) or self.malformed(former):
            return start
        numbers, points = start | self.by_value(former), self.points()
        is_allowed = all(number in self.numbers_for(name) for name, number in numbers.items())
        return (
            numbers if is_allowed and (points is None or self.spent(numbers) <= points) else start
        )

    def _raised(self, start: Mapping[str, int], numbers: Mapping[str, int]) -> Iterator[NumberStep]:
        """Yield the numbers with each value at the next one that it may get."""
        for name, number in numbers.items():
            for higher in [n for n in self.numbers_for(name) if n > number][:1]:
                answer = {**numbers, name: higher}
                more = self.spent(answer) - self.spent(start)
                cost = ngettext("{more} point", "{more} points", more).format(more=more)
                yield NumberStep(
                    self.step_text(start, answer), answer, cost if self.points() and more else ""
                )

    # ------------------------------------------------------------ random answers

    def random_answer(self, source: RandomSource) -> Answer:
        """Distribute the points at random; without points, return the suggestion.

        The values are visited in a random order. Each gets a number with
        which the remaining values can still reach the remaining points.
        """
        amounts, points = self.suggested(), self.points()
        if points is None or (self.unprinted and self.spent(amounts) == points):
            return amounts
        stream, order = (
            dice.random_stream(source.seed, f"{self.id} choice"),
            list(amounts),
        )
        for last in range(len(order) - 1, 0, -1):
            other = dice.draw_below(stream, last + 1)
            order[last], order[other] = order[other], order[last]
        for visited, name in enumerate(order, 1):
            sums_of_rest = _sums([self._costs_for(other) for other in order[visited:]])
            candidates = [
                n for n in self.numbers_for(name) if points - self.cost(n) in sums_of_rest
            ]
            if not candidates:
                return self.suggested()  # no distribution is legal; the replay reports it
            amounts[name] = candidates[dice.draw_below(stream, len(candidates))]
            points -= self.cost(amounts[name])
        return amounts

    def _costs_for(self, name: str) -> Sequence[int]:
        """Return what the numbers that one value may get cost."""
        numbers = self.numbers_for(name)
        return [self.cost(number) for number in numbers] if self.question.costs else numbers

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> NumberFields:
        """Return a number field for each value."""
        start = self.suggested()
        if isinstance(former, dict) and not self.malformed(former):
            start |= self.by_value(former)
        values = [self.ruleset.values[name] for name in start]
        limited = self.points() is not None
        return NumberFields(
            [NumberField(v.id, v.name, v.title, as_written(v.text)) for v in values],
            start,
            lambda _numbers, name: self.numbers_for(name),
            numbers_text(self.numbers()),
            status=self._status,
            missing=self.rule_violations,
            suggestions=[MenuItem(WholeAnswer(source(self)), _("Suggest"))] if limited else (),
            answered=former is not MISSING,
        )

    def _status(self, amounts: Mapping[str, int]) -> str:
        """Return the points left and the allowed numbers, in words."""
        each = _("Each value: {numbers}.").format(numbers=numbers_text(self.numbers()))
        points = self.points()
        if points is None:
            return each
        prices = _(" Points: {prices}.").format(prices=self.prices()) if self.question.costs else ""
        return _("{left} of {points} points left. {each}{prices}").format(
            left=points - self.spent(amounts), points=points, each=each, prices=prices
        )

    def prices(self) -> str:
        """Return what each score costs: ``8 = 0, 9 = 1, 10 = 3``."""
        return ", ".join(f"{number} = {self.cost(number)}" for number in self.numbers())

    def _price(self, number: int) -> str:
        cost = self.cost(number)
        return ngettext("for {cost} point", "for {cost} points", cost).format(cost=cost)

    # ------------------------------------------------------------ words

    def answer_text(self, answer: Answer) -> str:
        """Return each value whose number is not 0, with its number."""
        if not isinstance(answer, dict):
            return super().answer_text(answer)
        names = (name for name in self.targets() if answer.get(name) or self.question.costs)
        answer = {**dict.fromkeys(self.targets(), self.left_out()), **answer}
        return ", ".join(self.number_text(name, answer[name]) for name in names) or _(
            NOTHING_CHOSEN
        )

    @classmethod
    def question_lines(cls, question: Allot, ruleset: Ruleset) -> Iterator[str]:
        """Yield the allowed numbers and the points, and what each score costs."""
        bounds = (("from", question.minimum), ("to", question.maximum))
        limits = [f"{word} {bound}" for word, bound in bounds if bound is not None]
        if question.only:
            limits = [_("one of {names}").format(names=", ".join(map(str, question.only))), *limits]
        if question.costs:
            limits = [
                _("one of {names}").format(names=", ".join(map(str, sorted(question.costs)))),
                *limits,
            ]
        points = f"; {question.points} {_('points in all')}" if question.points is not None else ""
        what = _("a score") if question.costs else _("a number")
        yield _("{what} for each, {limits}{points}").format(
            what=what, limits=" ".join(limits), points=points
        )
        if question.costs:
            prices = (f"{score} = {cost}" for score, cost in sorted(question.costs.items()))
            yield _("points for each score: {prices}").format(prices=", ".join(prices))

    @classmethod
    def example_answer(cls, question: Allot, ruleset: Ruleset) -> Answer:
        """Return the default, else the lowest number, for each value."""
        number = None if question.default is None else question.default.constant
        cheapest = min(question.costs, key=lambda score: (question.costs[score], score), default=0)
        lowest = min(question.only, default=cheapest)
        return dict.fromkeys(target_ids(question, ruleset), number or lowest)


def numbers_text(numbers: Sequence[int]) -> str:
    """Return the allowed numbers in words: ``from 0 to 2``, ``one of 4, 6, 8``."""
    if isinstance(numbers, range) or len(numbers) < 2:
        return (
            true_minus(_("from {low} to {high}").format(low=numbers[0], high=numbers[-1]))
            if numbers
            else _("a possible number")
        )
    return _("one of {names}").format(names=", ".join(map(str, numbers)))


def _sums(choices: Sequence[Sequence[int]]) -> range | set[int]:
    """Return every possible sum of one number from each of several choices."""
    if all(isinstance(numbers, range) and numbers for numbers in choices):
        return range(sum(n[0] for n in choices), sum(n[-1] for n in choices) + 1)
    sums = {0}
    for numbers in choices:
        sums = {total + number for total in sums for number in numbers}
    return sums
