"""Numbers for several values: scores to assign, fixed or rolled, and points to spend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from charforge.character.state import FixedModifier
from charforge.character.state_data import AmountNote
from charforge.decisions.base import (
    MISSING,
    NOTHING_CHOSEN,
    Answer,
    MenuItem,
    NumberField,
    NumberFields,
    NumberStep,
    NumberSteps,
    OptionMenu,
    RandomSource,
    ValueMapDecision,
    WholeAnswer,
    is_whole_number,
    priority_owner,
    target_ids,
    value_priority,
)
from charforge.decisions.roll import RollDecision, last_faces
from charforge.errors import shorten
from charforge.expressions import dice
from charforge.expressions.dice import faces_text
from charforge.expressions.template import as_written, true_minus
from charforge.language import N_, _, ngettext
from charforge.rules.models import Allot, Assign, Roll, Scores
from charforge.rules.ruleset import Ruleset


class AssignDecision(ValueMapDecision):
    """Assign fixed or rolled scores: a map of every value id and its score."""

    question: Assign

    settled_once = N_("scores were assigned")

    def scores(self) -> tuple[int, ...]:
        """Return the scores to hand out, highest first."""
        scores = self.question.scores
        return tuple(sorted(self.rolled() if isinstance(scores, Scores) else scores, reverse=True))

    def rolled(self) -> tuple[int, ...]:
        """Return the scores that the dice made: totals in the order rolled, else faces."""
        scores = self.question.scores
        if not isinstance(scores, Scores):
            return ()
        answer = self.before.answers[scores.roll]
        roll = self.ruleset.rolls[scores.roll]
        numbers: Iterable[int]
        if isinstance(roll, Roll) and roll.is_repeated:
            numbers = RollDecision(scores.roll, roll, self.before, self.unit).totals(answer)
        else:
            faces = Counter(last_faces(answer))
            faces.subtract(self.before.answers[scores.without] if scores.without else ())
            numbers = faces.elements()
        return tuple(scores.table.get(number, number) for number in numbers)

    @property
    def one_swap(self) -> bool:
        """Whether the scores stay in the order rolled, except for one swap."""
        scores = self.question.scores
        return isinstance(scores, Scores) and scores.one_swap

    def arrangements(self) -> Iterator[dict[str, int]]:
        """Yield the scores in the order rolled, then with each swap that changes something."""
        as_rolled = dict(zip(self.targets(), self.rolled(), strict=True))
        yield as_rolled
        yield from _swapped(as_rolled)

    def reads(self) -> tuple[str, ...]:
        """Return the ids of the roll that makes the scores, and of the choice of dice."""
        scores = self.question.scores
        if not isinstance(scores, Scores):
            return ()
        return tuple(filter(None, (scores.roll, scores.without)))

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        errors = list(self.not_a_map(answer, "score"))
        yield from errors
        if not isinstance(answer, dict):
            return
        numbers = self.by_value(answer)
        missing = [name for name in self.targets() if name not in numbers]
        if missing:
            yield _("there is no score for {names}").format(names=", ".join(missing))
        if errors or missing:
            return
        scores = [numbers[name] for name in self.targets()]
        if not all(map(is_whole_number, scores)):
            yield _("scores must be whole numbers")
        elif sorted(scores, reverse=True) != list(self.scores()):
            have = ", ".join(map(shorten, sorted(scores, reverse=True)))
            yield _("the scores to assign are {names}, not {have}").format(
                names=", ".join(map(str, self.scores())), have=have
            )
        elif self.one_swap and {name: numbers[name] for name in self.targets()} not in (
            *self.arrangements(),
        ):
            yield _("you rolled {answer}; swap only two of them").format(
                answer=self.answer_text(next(self.arrangements()))
            )

    def _malformed(self, answer: Answer) -> Iterator[str]:
        yield from self.not_all_numbers(answer, complete=True)

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield each value set to its score, with the dice that made it."""
        notes = self._rolled_notes(answer)
        for name in self.targets():
            yield FixedModifier(self.unit, name, "set", answer[name], self.id, notes.get(name, ()))

    def _rolled_notes(self, answer: Answer) -> dict[str, AmountNote]:
        """Return the dice of each value's score, and what it was swapped with."""
        scores = self.question.scores
        roll = self.ruleset.rolls[scores.roll] if isinstance(scores, Scores) else None
        if not isinstance(scores, Scores) or roll is None or not roll.is_repeated:
            return {}
        decision = RollDecision(scores.roll, roll, self.before, self.unit)
        sets = decision.sets(self.before.answers[scores.roll])
        rolled = list(
            zip(self.rolled(), (decision.result(one[-1])[1] for one in sets), strict=True)
        )
        names, notes = self.targets(), dict[str, AmountNote]()
        moved = []
        for name, (score, note) in zip(names, rolled, strict=False):
            if answer[name] == score and self.one_swap:
                notes[name] = (note,)
            else:
                moved.append((name, score, note))
        left = list(moved)
        for name, _score, _note in moved:
            other = next((one for one in left if one[1] == answer[name]), None)
            if other is None:
                continue  # no score that was rolled: a problem reports it
            left.remove(other)
            origin, _score, note = other
            notes[name] = (note._replace(swapped_with=origin if self.one_swap else ""),)
        return notes

    def random_answer(self, source: RandomSource) -> Answer:
        """Give the highest scores to the most important values, the rest in pack order."""
        return self._suggested()

    def number_steps(self, former: Answer) -> NumberSteps:
        """Return each swap of two scores that differ."""
        if former is not MISSING and not self.rule_violations(former):
            start = self.canonical(former)
        else:
            start = next(self.arrangements()) if self.one_swap else self._suggested()
        answers = self.arrangements() if self.one_swap else _swapped(start)
        steps = tuple(self._step(start, answer) for answer in answers if answer != start)
        text = _("Compared: each swap of two scores, from {answer}.")
        return NumberSteps(start, text.format(answer=self.answer_text(start)), steps)

    def _step(self, start: Mapping[str, int], answer: dict[str, int]) -> NumberStep:
        """Return a step, with what it does to the scores that are recommended to be high."""
        best = self._most_important()
        raised = [name for name in best if answer[name] > start[name]]
        lowered = [name for name in best if answer[name] < start[name]]
        text = self.step_text(start, answer)
        if raised and not lowered:
            return NumberStep(text, answer, recommended=best[raised[0]])
        if lowered and not raised:
            label = self.ruleset.value_label(lowered[0])
            against = _("Lowers {value}: {reason}").format(value=label, reason=best[lowered[0]])
            return NumberStep(text, answer, against=against)
        return NumberStep(text, answer)

    def _suggested(self) -> dict[str, int]:
        targets = self.targets()
        first = [name for name in value_priority(self.before, self.unit) if name in targets]
        order = [*first, *(name for name in targets if name not in first)]
        if self.one_swap:
            use = {name: len(order) - place for place, name in enumerate(order)}
            return max(self.arrangements(), key=lambda given: sum(use[n] * given[n] for n in given))
        numbers = dict(zip(order, self.scores(), strict=True))
        return {name: numbers[name] for name in targets}

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> NumberFields | OptionMenu:
        """Return a field for the score of each value; what is left over needs no choice.

        If only two scores can be swapped, return a menu of the swaps.
        """
        may_keep = former is not MISSING and not self.rule_violations(former)
        if self.one_swap:
            return self._swaps(self.canonical(former) if may_keep else MISSING)
        suggested = MenuItem(
            WholeAnswer(source(self)),
            _("Suggest"),
            about=_("The highest scores go where this character needs them most."),
        )
        values = [self.ruleset.values[name] for name in self.targets()]
        best = self._most_important()
        return NumberFields(
            [
                NumberField(v.id, v.name, v.title, as_written(v.text), best.get(v.id, ""))
                for v in values
            ],
            self.canonical(former) if may_keep else {},
            self._allowed,
            _("one of {names}").format(names=", ".join(map(str, sorted(set(self.scores()))))),
            status=self._status,
            missing=self._missing,
            answer=self._complete,
            suggestions=(suggested,),
            clearable=True,
            answered=may_keep,
        )

    def _swaps(self, former: Answer) -> OptionMenu:
        """Return a menu: keep the order, or swap two scores."""
        kept, *swapped = self.arrangements()
        entries = [
            MenuItem(WholeAnswer(kept), _("Keep {answer}").format(answer=self.answer_text(kept)))
        ]
        for given in swapped:
            moved = {name: number for name, number in given.items() if number != kept[name]}
            entries.append(
                MenuItem(
                    WholeAnswer(given), _("Swap: {answer}").format(answer=self.answer_text(moved))
                )
            )
        start = next((e.value for e in entries if e.value.answer == former), entries[0].value)
        return OptionMenu(entries, start)

    def _most_important(self) -> dict[str, str]:
        """Return the third of the values that matters most to the unit, with the reason."""
        owner, targets = priority_owner(self.before, self.unit), self.targets()
        if owner is None:
            return {}
        ranked = [name for name in owner.priority if name in targets]
        reason = _("{name} needs this most.").format(name=owner.name)
        return dict.fromkeys(ranked[: len(targets) // 3], reason)

    def _remaining(self, numbers: Mapping[str, int]) -> list[int]:
        """Return the scores that nothing has yet, highest first."""
        remaining = list(self.scores())
        for number in numbers.values():
            remaining.remove(number)
        return remaining

    def _allowed(self, numbers: Mapping[str, int], name: str) -> list[int]:
        others = {other: number for other, number in numbers.items() if other != name}
        return sorted(set(self._remaining(others)))

    def _status(self, numbers: Mapping[str, int]) -> str:
        remaining = self._remaining(numbers)
        if not remaining:
            return _("All scores are assigned.")
        last = len(set(remaining)) == 1 and numbers
        rest = _(" (the rest get these)") if last else ""
        return _("Scores left: {faces}{rest}").format(faces=faces_text(remaining), rest=rest)

    def _missing(self, numbers: Mapping[str, int]) -> list[str]:
        remaining = self._remaining(numbers)
        return [_("assign the remaining scores")] if len(set(remaining)) > 1 else []

    def _complete(self, numbers: Mapping[str, int]) -> Answer:
        """Return the whole answer: the remaining scores, which are equal, go to the rest."""
        remaining = iter(self._remaining(numbers))
        return {n: numbers[n] if n in numbers else next(remaining) for n in self.targets()}

    # ------------------------------------------------------------ words

    def answer_text(self, answer: Answer) -> str:
        """Return each value with its score."""
        if not isinstance(answer, dict):
            return super().answer_text(answer)
        names = (name for name in self.targets() if name in answer)
        return ", ".join(self.number_text(name, answer[name]) for name in names)

    @classmethod
    def question_lines(cls, question: Assign, ruleset: Ruleset) -> Iterator[str]:
        """Yield the scores to hand out."""
        scores = question.scores
        if isinstance(scores, Scores) and scores.one_swap:
            yield _("the rolled scores in their order; you may swap two of them")
            return
        listed = _("the rolled scores") if isinstance(scores, Scores) else list(scores)
        yield _("{listed}, one for each").format(listed=listed)

    @classmethod
    def numbers_text(
        cls, question: Assign, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return the scores and what gets them: ``7, 6, 5, 4 for STR, FTD, AGI, CHA``."""
        if isinstance(question.scores, Scores):
            return ""
        return _("{scores} for {values}").format(
            scores=", ".join(map(str, question.scores)), values=", ".join(map(label, question.to))
        )

    @classmethod
    def example_answer(cls, question: Assign, ruleset: Ruleset) -> Answer:
        """Return an empty map."""
        return {}


def _swapped(numbers: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Yield the scores with each swap of two that changes something."""
    for first, second in combinations(numbers, 2):
        if numbers[first] != numbers[second]:
            yield {**numbers, first: numbers[second], second: numbers[first]}


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
        """Return whether nothing but the maxima of the values is against an answer."""
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
        stream, order = (dice.random_stream(source.seed, f"{self.id} choice"), list(amounts))
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
