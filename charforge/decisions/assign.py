"""Assign: each of several values gets one of the scores, fixed or rolled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations

from charforge.character.state_data import AmountNote, FixedModifier
from charforge.decisions.base import (
    MISSING,
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
    value_priority,
)
from charforge.decisions.roll import RollDecision, last_faces
from charforge.errors import shorten
from charforge.expressions.dice import faces_text
from charforge.expressions.template import as_written
from charforge.language import N_, _
from charforge.rules.models import Assign, Roll, Scores
from charforge.rules.ruleset import Ruleset


class AssignDecision(ValueMapDecision):
    """Hand out scores: a map of every value id and its score."""

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
            origin, _score, dice = other
            notes[name] = (dice._replace(swapped_with=origin if self.one_swap else ""),)
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
