"""Roll: dice whose total counts, rolled for the player or typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from charforge.character.state import FixedModifier, State
from charforge.decisions.base import (
    WHOLE_NUMBER,
    Decision,
    RandomSource,
    is_sequence,
    is_whole_number,
)
from charforge.decisions.option import MISSING, Answer
from charforge.decisions.widgets import MenuItem, OptionMenu, TextField, WholeAnswer
from charforge.expressions import dice
from charforge.expressions.template import MINUS, signed_number
from charforge.rules.models import Roll
from charforge.rules.ruleset import Ruleset

SEPARATOR = re.compile(r"[\s,;]+")


@dataclass(frozen=True)
class RollDecision(Decision):
    """Roll dice: a list of faces, or a list of such lists where they were rolled again."""

    question: Roll

    settled_once = "dice were rolled"

    def dice(self) -> dice.Dice:
        """Return the dice to roll."""
        return dice.parse_dice(self.question.dice, self.ruleset.dice)

    def result(self, faces: Sequence[int]) -> tuple[int, str]:
        """Return the total of a roll and how it is calculated, bounds included."""
        plus = self.evaluate(self.question.plus)
        total = sum(faces) + plus
        note = f"{self.question.dice} ({' + '.join(map(str, faces))})"
        if plus or self.question.plus.constant is None:
            note += f" + {self.question.plus} ({plus}) = {total}"
        bounds = (("minimum", self.question.minimum, max), ("maximum", self.question.maximum, min))
        for word, bound, pick in bounds:
            if bound is not None:
                limit = self.evaluate(bound)
                if pick(total, limit) != total:
                    note += f"; {word} {bound} ({limit})"
                total = pick(total, limit)
        return total, note

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        if not is_sequence(answer) or not answer:
            yield f"enter the dice of {self.question.dice} as a list"
            return
        nested = [is_sequence(item) for item in answer]
        if any(nested) and not all(nested):
            yield "enter one list of dice, or one list per roll if you rerolled"
            return
        rolls = all_rolls(answer)
        for faces in rolls:
            if problem := self.dice().problem(faces):
                yield problem
                return
        for faces in rolls[:-1]:
            if not self.question.must_reroll(faces):
                yield f"{dice.faces_text(faces)} must be kept: no reroll is allowed"
        if self.question.must_reroll(rolls[-1]):
            yield f"{dice.faces_text(rolls[-1])} must be rerolled: add the next roll to the list"

    def _malformed(self, answer: Answer) -> Iterator[str]:
        if not is_sequence(answer) or not all(map(is_whole_number, answer)):
            yield "enter one list of dice"

    def as_typed(self, answer: Answer) -> Answer:
        """Return one face as a list of one."""
        return [answer] if is_whole_number(answer) else answer

    def canonical(self, answer: Answer) -> Answer:
        """Return the faces, as a list of lists only where they were rolled again."""
        rolls = all_rolls(answer)
        return rolls[0] if len(rolls) == 1 else rolls

    def right_form(self, answer: Answer) -> Answer:
        """Return a list of faces where none was given, else MISSING."""
        if isinstance(answer, list | tuple):
            return MISSING
        return list(islice(cycle(self.dice().faces), self.dice().number))

    # ------------------------------------------------------------ effects of an answer

    def state_after(self, answer: Answer) -> State:
        """Return the state after a roll; a holding keeps its total by the question's id."""
        state = super().state_after(answer)
        if state.holding(self.holding) is None:
            return state
        total, _note = self.result(last_faces(answer))
        return state.with_changes(roll_totals={**state.roll_totals, self.id: total})

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield the total, added to the value that the roll is for."""
        if self.question.to is not None:
            total, note = self.result(last_faces(answer))
            yield FixedModifier(self.unit, self.question.to, "add", total, self.id, note)

    # ------------------------------------------------------------ random answers

    def roll(self, seed: str, attempt: int = 0) -> list[list[int]]:
        """Roll the dice from the seed's stream; return every set of faces."""
        return dice.roll_dice(
            self.dice(), dice.random_stream(seed, self.id, attempt), self.question.must_reroll
        )

    def random_answer(self, source: RandomSource) -> Answer:
        """Return the dice of the next try."""
        return self.canonical(self.roll(source.seed, source.attempt(self)))

    def lowest_roll(self) -> Answer:
        """Return the lowest equal faces that need not be rolled again, else a roll."""
        for face in sorted(self.dice().faces):
            faces = [face] * self.dice().number
            if not self.question.must_reroll(faces):
                return faces
        return self.canonical(self.roll(""))

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> OptionMenu:
        """Return the menu to keep the dice, have them rolled, or type real ones."""
        rolled_now = self.random_answer(source)
        may_keep = former is not MISSING and not self.rule_violations(former)
        items = []
        if may_keep:
            items.append(MenuItem(WholeAnswer(former), f"Keep {self.answer_text(former)}"))
        if not may_keep or self.canonical(former) != rolled_now:
            items.append(MenuItem(WholeAnswer(rolled_now, secret=True), "Roll for me"))
        items.append(MenuItem(self._typed([]), "Type my own dice"))
        formula = self.formula_text()
        return OptionMenu(items, status=(formula,) if formula != self.dice().notation else ())

    def _typed(self, before: list[list[int]]) -> TextField:
        """Return the field for real dice; ``before`` are rolls that had to be rolled again."""
        rolled_dice = self.dice()
        amount = "the number" if rolled_dice.number == 1 else f"the {rolled_dice.number} numbers"
        faces = f"{rolled_dice.notation} shows ({dice.describe_faces(rolled_dice.faces)})."

        def follow_up(rolls: list[list[int]]) -> TextField | None:
            return self._typed(rolls) if self.question.must_reroll(rolls[-1]) else None

        return TextField(
            problems=lambda text: [rolled_dice.problem(parse_faces(text, rolled_dice.faces))],
            parse=lambda text: [*before, parse_faces(text, rolled_dice.faces)],
            status=(f"Type {amount} your {faces}",),
            note=f"{dice.faces_text(before[-1])} must be rerolled." if before else "",
            follow_up=follow_up,
        )

    # ------------------------------------------------------------ words

    def answer_text(self, answer: Answer) -> str:
        """Return the dice that count, their result, and those that were rolled again."""
        if self.rule_violations(answer):
            return json.dumps(answer)
        *before, last = all_rolls(answer)
        text = dice.faces_text(last)
        if self.question.to is not None:
            total, _note = self.result(last)
            text += f" → {self.ruleset.values[self.question.to].label} {signed_number(total)}"
        if before:
            text += f" (rerolled from {'; '.join(map(dice.faces_text, before))})"
        return text

    def gain_text(self) -> str:
        """Return the roll and what it raises: ``Max HP +1d6 + 7, at least 11``."""
        if self.question.to is None:
            return super().gain_text()
        label = self.ruleset.values[self.question.to].label
        return f"{label} +{self.formula_text().removeprefix(f'{label}: ')}"

    def formula_text(self) -> str:
        """Return the roll with this character's numbers: ``1d6 + 7, at least 11``."""
        plus = self.evaluate(self.question.plus)
        text = self.question.dice
        if plus:
            text += f" {'+' if plus > 0 else MINUS} {abs(plus)}"
        if self.question.minimum is not None:
            text += f", at least {self.evaluate(self.question.minimum)}"
        if self.question.maximum is not None:
            text += f", at most {self.evaluate(self.question.maximum)}"
        return (
            f"{self.ruleset.values[self.question.to].label}: {text}" if self.question.to else text
        )

    @classmethod
    def template_lines(cls, question: Roll, ruleset: Ruleset) -> Iterator[str]:
        """Yield the dice with their formula."""
        plus = f" + {question.plus}" if question.plus.constant != 0 else ""
        low = f", minimum {question.minimum}" if question.minimum is not None else ""
        yield f"the dice: {question.dice}{plus}{low}"

    @classmethod
    def template_answer(cls, question: Roll, ruleset: Ruleset) -> Answer:
        """Return an empty list."""
        return []

    @classmethod
    def growth_text(
        cls, question: Roll, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return the value that grows, with the formula of the roll."""
        if question.to is None:
            return ""
        text = f"{question.dice} + {formula(str(question.plus))}"
        if question.minimum is not None:
            text += f", at least {formula(str(question.minimum))}"
        return f"{label(question.to)} + {text}"


def all_rolls(answer: Answer) -> list[list[int]]:
    """Return every set of faces of a roll's answer; the last one counts."""
    if is_sequence(answer) and answer and is_sequence(answer[0]):
        return [list(faces) for faces in answer]
    return [list(answer)]


def last_faces(answer: Answer) -> list[int]:
    """Return the faces of a roll's answer that count."""
    return all_rolls(answer)[-1]


def parse_faces(text: str, faces: Sequence[int]) -> list[Any]:
    """Read typed dice: ``3 5 1``, ``3,5,1``, or ``351`` where each face is one digit.

    A word that is no number stays a text, to be named as wrong.
    """
    if text.strip().isdigit() and all(0 <= face <= 9 for face in faces):
        return [int(digit) for digit in text.strip()]
    words = (word for word in SEPARATOR.split(text.strip()) if word)
    return [int(word) if WHOLE_NUMBER.fullmatch(word) else word for word in words]
