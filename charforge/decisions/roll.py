"""Rolls, made for the player or typed: dice whose total counts, and random tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from charforge.character.holdings import add_grant
from charforge.character.state import ChosenOption, FixedModifier, State
from charforge.character.state_data import RolledSum
from charforge.decisions.base import (
    MISSING,
    Answer,
    CountedRoll,
    Decision,
    DecisionOption,
    MenuItem,
    OptionMenu,
    RandomSource,
    TextField,
    WholeAnswer,
    is_sequence,
    is_whole_number,
    target_ids,
    whole_number,
)
from charforge.errors import shorten
from charforge.expressions import dice
from charforge.expressions.template import MINUS, signed_number
from charforge.language import N_, _, dice_notation
from charforge.rules.models import Draws, Option, RandomTable, Roll, RollOn, TableRow, span_text
from charforge.rules.ruleset import Ruleset

IN_BRACKETS = re.compile(r"\(([^()]*)\)")
DICE_SEPARATOR = re.compile(r"[\s,;]+")
FACE = re.compile(r"-?\d+")
RESULT = re.compile(r"(?:^|, )(.+?) \(([^()]*)\)(?=, |$)")  # as answer_text prints it
MAX_TRIES = 1000  # rolls that send on for ever are started again


class RollDecision(Decision):
    """Roll dice: a list of faces, or a list of such lists where they were rolled again.

    A roll that is repeated is a list of those. A percentile die can be two dice, tens and ones.
    """

    question: Roll

    settled_once = N_("dice were rolled")

    def dice(self) -> dice.Dice:
        """Return the dice to roll."""
        return dice.parse_dice(self.question.dice, self.ruleset.dice)

    def targets(self) -> tuple[str, ...]:
        """Return the ids of the values that get a total, with groups expanded."""
        return target_ids(self.question, self.ruleset)

    def times(self) -> int:
        """Return how often the dice are rolled: once for each value, or as the pack says."""
        return len(self.targets()) if self.targets() else self.question.times

    def sets(self, answer: Answer) -> list[list[list[int]]]:
        """Return the rolls of an answer, set by set; the last roll of a set counts.

        A roll that is not repeated has one set. All faces in a row are divided.
        """
        if not self.question.is_repeated:
            return [self._rolls(answer)]
        if all(map(is_whole_number, answer)):
            rolled, number = self.dice(), self.dice().number
            pairs = [answer[at : at + 2] for at in range(0, len(answer), 2)]
            if len(pairs) == self.times() and all(dice.tens_and_ones(rolled, p) for p in pairs):
                return [[dice.as_one_roll(rolled, pair)] for pair in pairs]
            return [[list(answer[at : at + number])] for at in range(0, len(answer), number)]
        return [self._rolls(item) for item in answer]

    def _rolls(self, answer: Answer) -> list[list[int]]:
        """Return every set of faces of one roll; the last one counts."""
        return [dice.as_one_roll(self.dice(), faces) for faces in all_rolls(answer)]

    def totals(self, answer: Answer) -> tuple[int, ...]:
        """Return the total of each set of an answer."""
        return tuple(self.result(rolls[-1])[0] for rolls in self.sets(answer))

    def result(self, faces: Sequence[int]) -> tuple[int, RolledSum]:
        """Return the total of a roll, at least its minimum, and how it is calculated."""
        added, rolled = self.evaluate(self.question.plus), self.dice()
        total = rolled.total(faces) + added
        made_of = RolledSum(
            self.question.dice,
            rolled.counted(faces),
            rolled.dropped(faces),
            self.question.plus,
            added,
            total,
        )
        if self.question.minimum is None:
            return total, made_of
        least = self.evaluate(self.question.minimum)
        if total < least:
            made_of = made_of._replace(minimum=self.question.minimum, least=least)
        return max(total, least), made_of

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        if not is_sequence(answer) or not answer:
            yield _("enter the dice of {dice} as a list").format(dice=self.dice().shown)
            return
        if not self.question.is_repeated:
            yield from self._violations_of_set(answer)
            return
        in_a_row = all(map(is_whole_number, answer))
        sets = self.sets(answer) if in_a_row else answer
        if len(sets) != self.times():
            yield _("{dice} is rolled {times} times, not {count}").format(
                dice=self.dice().shown, times=self.times(), count=len(sets)
            )
            return
        for place, rolls in enumerate(sets):
            yield from (f"{self._label(place)}: {why}" for why in self._violations_of_set(rolls))

    def _violations_of_set(self, answer: Answer) -> Iterator[str]:
        """Yield what is wrong with one roll and those before it that were rolled again."""
        if not is_sequence(answer) or not answer:
            yield _("enter the dice of {dice} as a list").format(dice=self.dice().shown)
            return
        nested = [is_sequence(item) for item in answer]
        if any(nested) and not all(nested):
            yield _("enter one list of dice, or one list per roll if you rerolled")
            return
        rolls = self._rolls(answer)
        for faces in rolls:
            if problem := self.dice().problem(faces):
                yield problem
                return
        for faces in rolls[:-1]:
            if not self.question.must_reroll(faces):
                yield _("{faces} must be kept: no reroll is allowed").format(
                    faces=dice.faces_text(faces)
                )
        if self.question.must_reroll(rolls[-1]):
            yield _("{faces} must be rerolled: add the next roll to the list").format(
                faces=dice.faces_text(rolls[-1])
            )

    def _label(self, place: int) -> str:
        """Return what a set of a repeated roll is for: its value, or its number."""
        targets = self.targets()
        return (
            self.ruleset.values[targets[place]].label
            if targets
            else _("roll {place}").format(place=place + 1)
        )

    def _malformed(self, answer: Answer) -> Iterator[str]:
        if not self.question.is_repeated:
            sets = [answer]
        elif not is_sequence(answer) or len(answer) != self.times():
            sets = [None]
        else:
            sets = list(answer)
        for faces in sets:
            if not is_sequence(faces) or not all(map(is_whole_number, faces)):
                yield _("enter one list of dice")
                return

    def as_typed(self, answer: Answer) -> Answer:
        """Return one face as a list of one."""
        return [answer] if is_whole_number(answer) else answer

    def in_words(self, text: str) -> Answer:
        """Return the dice of a text such as ``4 2`` or ``2 → Max HP +11 (rerolled from 1)``."""
        if self.question.is_repeated:
            return list(map(self.dice().read, IN_BRACKETS.findall(text))) or MISSING
        last, _bracket, before = text.partition(" (")
        rolls = filter(None, map(self.dice().read, [*before.split(";"), last.partition(" → ")[0]]))
        return list(rolls) or MISSING

    def canonical(self, answer: Answer) -> Answer:
        """Return the faces, as a list of lists only where they were rolled again.

        Those of a repeated roll are a list of its sets.
        """
        sets = [rolls[0] if len(rolls) == 1 else rolls for rolls in self.sets(answer)]
        return sets if self.question.is_repeated else sets[0]

    def right_form(self, answer: Answer) -> Answer:
        """Return a list of faces where none was given, else MISSING."""
        if isinstance(answer, list | tuple):
            return MISSING
        faces = list(islice(cycle(self.dice().faces), self.dice().number))
        return [faces] * self.times() if self.question.is_repeated else faces

    # ------------------------------------------------------------ effects of an answer

    def state_after(self, answer: Answer) -> State:
        """Return the state after a roll; a holding keeps its total by the question's id."""
        state = super().state_after(answer)
        if state.holding(self.holding) is None or self.question.is_repeated:
            return state
        total = self.totals(answer)[0]
        return state.with_changes(roll_totals={**state.roll_totals, self.id: total})

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield each total, added to the value that it was rolled for."""
        for name, rolls in zip(self.targets(), self.sets(answer), strict=False):
            total, note = self.result(rolls[-1])
            yield FixedModifier(self.unit, name, "add", total, self.id, (note,))

    def counted_rolls(self, answer: Answer) -> tuple[CountedRoll, ...]:
        """Return the dice, the faces that count, and which faces are rerolled."""
        rerolled = self.question.must_reroll if self.question.reroll_all_while else None
        return tuple(CountedRoll(self.dice(), rolls[-1], rerolled) for rolls in self.sets(answer))

    # ------------------------------------------------------------ random answers

    def roll(self, seed: str, attempt: int = 0) -> Answer:
        """Roll the dice from the seed's stream; return every set of faces."""
        numbers = dice.random_stream(seed, self.id, attempt)
        rolled = [
            dice.roll_dice(self.dice(), numbers, self.question.must_reroll)
            for _time in range(self.times())
        ]
        return rolled if self.question.is_repeated else rolled[0]

    def random_answer(self, source: RandomSource) -> Answer:
        """Return the dice of the next try."""
        return self.canonical(self.roll(source.seed, source.attempt(self)))

    def lowest_roll(self) -> Answer:
        """Return the lowest equal faces that need not be rolled again, else a roll."""
        for face in sorted(self.dice().faces):
            faces = [face] * self.dice().number
            if not self.question.must_reroll(faces):
                return [faces] * self.times() if self.question.is_repeated else faces
        return self.canonical(self.roll(""))

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> OptionMenu:
        """Return the menu to keep the dice, have them rolled, or type real ones."""
        items = list(dice_items(self, former, source, self._typed([], [])))
        formula = self.formula_text()
        return OptionMenu(items, status=(formula,) if formula != self.dice().shown else ())

    def _typed(self, sets: list[list[list[int]]], before: list[list[int]]) -> TextField:
        """Return the field for real dice.

        ``sets`` are those of a repeated roll typed so far, ``before`` are rolls
        of this set that had to be rolled again.
        """
        rolled_dice, repeated = self.dice(), self.question.is_repeated
        amount = (
            _("the number")
            if rolled_dice.number == 1
            else _("the {number} numbers").format(number=rolled_dice.number)
        )
        purpose = _(" for {label}").format(label=self._label(len(sets))) if repeated else ""
        faces = f"({dice.describe_faces(rolled_dice.faces)})"

        def parse(text: str) -> Answer:
            rolls = [*before, parse_faces(text, rolled_dice)]
            return [*sets, rolls] if repeated else rolls

        def follow_up(answer: Answer) -> TextField | None:
            rolls = answer[-1] if repeated else answer
            if self.question.must_reroll(rolls[-1]):
                return self._typed(sets, rolls)
            return self._typed(answer, []) if repeated and len(answer) < self.times() else None

        return TextField(
            problems=lambda text: [rolled_dice.problem(parse_faces(text, rolled_dice))],
            parse=parse,
            status=(
                _("Type {amount} your {rolled} shows{purpose} {faces}.").format(
                    amount=amount, rolled=rolled_dice.rolled, purpose=purpose, faces=faces
                ),
                *([_("In any order, with spaces between them.")] if rolled_dice.number > 1 else []),
            ),
            note=_("{faces} must be rerolled.").format(faces=dice.faces_text(before[-1]))
            if before
            else "",
            follow_up=follow_up,
        )

    # ------------------------------------------------------------ words

    def answer_text(self, answer: Answer) -> str:
        """Return the dice that count, their result, and those that were rolled again."""
        if self.rule_violations(answer):
            return json.dumps(answer)
        if self.question.is_repeated:
            return ", ".join(
                self._set_text(place, rolls) for place, rolls in enumerate(self.sets(answer))
            )
        *before, last = self._rolls(answer)
        text = self.dice().describe(last)
        if self.question.to:
            total, _note = self.result(last)
            label = self.ruleset.values[self.question.sets_value].label
            text += f" → {label} {signed_number(total)}"
        if before:
            text += _(" (rerolled from {names})").format(
                names="; ".join(map(dice.faces_text, before))
            )
        return text

    def _set_text(self, place: int, rolls: list[list[int]]) -> str:
        """Return one set of a repeated roll: ``STR 14 (6 [1] 5 3)``."""
        label = f"{self._label(place)} " if self.targets() else ""
        return f"{label}{self.result(rolls[-1])[0]} ({self.dice().describe(rolls[-1])})"

    def gain_text(self) -> str:
        """Return the roll and what it raises: ``Max HP +1d6 + 7, at least 11``."""
        if not self.question.sets_value:
            return super().gain_text()
        label = self.ruleset.values[self.question.sets_value].label
        return f"{label} +{self._sum_text()}"

    def formula_text(self) -> str:
        """Return the roll with this character's numbers, after what it sets: ``HP: 1d6 + 7``."""
        labels = ", ".join(self.ruleset.values[name].label for name in self.targets())
        each = _("; once for each") if labels and self.question.is_repeated else ""
        return f"{labels}: {self._sum_text()}{each}" if labels else self._sum_text()

    def _sum_text(self) -> str:
        """Return the roll with this character's numbers: ``1d6 + 7, at least 11``."""
        plus = self.evaluate(self.question.plus)
        text = self.dice().words
        if plus:
            text += f" {'+' if plus > 0 else MINUS} {abs(plus)}"
        if self.question.minimum is not None:
            text += _(", at least {evaluate}").format(evaluate=self.evaluate(self.question.minimum))
        if self.question.is_repeated and not self.targets():
            return _("{text}; {times} times").format(text=text, times=self.times())
        return text

    @classmethod
    def question_lines(cls, question: Roll, ruleset: Ruleset) -> Iterator[str]:
        """Yield the dice with their formula, and how often they are rolled."""
        plus = f" + {question.plus}" if question.plus.constant != 0 else ""
        low = (
            _(", minimum {minimum}").format(minimum=question.minimum)
            if question.minimum is not None
            else ""
        )
        yield _("the dice: {dice}{plus}{low}").format(
            dice=dice_notation(question.dice), plus=plus, low=low
        )
        targets = target_ids(question, ruleset)
        if question.is_repeated:
            each = (
                _("for each of {targets}").format(targets=", ".join(targets))
                if targets
                else _("{times} times").format(times=question.times)
            )
            yield _("{each}, a list each time").format(each=each)

    @classmethod
    def example_answer(cls, question: Roll, ruleset: Ruleset) -> Answer:
        """Return an empty list."""
        return []

    @classmethod
    def growth_text(
        cls, question: Roll, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return the value that grows, with the formula of the roll."""
        if not question.sets_value:
            return ""
        return f"{label(question.sets_value)} + {_roll_text(question, formula)}"

    @classmethod
    def numbers_text(
        cls, question: Roll, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return the dice with what is added to them: ``1d6 + FTD, at least 4``."""
        return _roll_text(question, formula)


def _roll_text(question: Roll, formula: Callable[[str], str]) -> str:
    """Return the dice of a roll with what is added to them, and the bounds of the total."""
    text = dice_notation(question.dice)
    if question.plus.constant != 0:
        text += f" + {formula(str(question.plus))}"
    if question.minimum is not None:
        text += _(", at least {formula}").format(formula=formula(str(question.minimum)))
    return text


def dice_items(
    decision: Decision, former: Answer, source: RandomSource, typed: TextField
) -> Iterator[MenuItem]:
    """Yield the entries to keep a former roll, have the dice rolled, and type real ones."""
    rolled_now = decision.random_answer(source)
    may_keep = former is not MISSING and not decision.rule_violations(former)
    if may_keep:
        yield MenuItem(
            WholeAnswer(former), _("Keep {answer}").format(answer=decision.answer_text(former))
        )
    if not may_keep or decision.canonical(former) != rolled_now:
        yield MenuItem(WholeAnswer(rolled_now, secret=True), _("Roll for me"))
    yield MenuItem(typed, _("Type my own dice"))


def all_rolls(answer: Answer) -> list[list[int]]:
    """Return every set of faces of a roll's answer; the last one counts."""
    if is_sequence(answer) and answer and is_sequence(answer[0]):
        return [list(faces) for faces in answer]
    return [list(answer)]


def last_faces(answer: Answer) -> list[int]:
    """Return the faces of a roll's answer that count."""
    return all_rolls(answer)[-1]


def parse_faces(text: str, rolled: dice.Dice) -> list[Any]:
    """Read typed dice: ``3 5 1``, ``3,5,1``, or ``351`` where each face is one digit.

    ``60 3`` is 63 of a percentile die. A word that is no number stays a text, to be named as wrong.
    """
    if text.strip().isdigit() and all(0 <= face <= 9 for face in rolled.faces):
        return [int(digit) for digit in text.strip()]
    words = (word for word in DICE_SEPARATOR.split(text.strip()) if word)
    numbers = ((word, whole_number(word)) for word in words)
    faces: list[Any] = [word if number is None else number for word, number in numbers]
    return dice.as_one_roll(rolled, faces)


class RollOnDecision(Decision):
    """Roll on a table: the faces of the roll, or the id of a row.

    It is a list of those where a row rolls again, or there are several rolls.
    """

    question: RollOn

    settled_once = N_("dice were rolled")

    def draws(self, answer: Answer) -> Draws:
        """Return the results of an answer."""
        return self.question.draws(self._as_rolls(answer), self.ruleset.dice)

    def _as_rolls(self, answer: Answer) -> Answer:
        """Return an answer with tens and ones as one number, if it is all percentile dice."""
        if not is_sequence(answer):
            return answer
        tables = self.question.all_tables
        first, *others = (dice.parse_dice(table.dice, self.ruleset.dice) for table in tables)
        if any(other.faces != first.faces or other.number != first.number for other in others):
            return answer
        if self.question.times == 1 and _are_faces(answer):
            return dice.as_one_roll(first, answer)
        return [dice.as_one_roll(first, item) if _are_faces(item) else item for item in answer]

    # ------------------------------------------------------------ checking answers

    def _violations(self, answer: Answer) -> Iterator[str]:
        malformed = list(self._malformed(answer))
        if malformed:
            yield from malformed
            return
        found = self.draws(answer)
        if found.problem:
            yield found.problem
        elif found.waiting is not None:
            yield _("roll {dice} as well: {name}").format(
                dice=self._dice_text(found.waiting), name=self._name(found.waiting)
            )
        elif not self.question.may_choose and not all(draw.faces for draw in found.results):
            yield _("roll {dice}: here you cannot choose").format(
                dice=dice_notation(self.question.first_table.dice)
            )

    def _malformed(self, answer: Answer) -> Iterator[str]:
        items = answer if is_sequence(answer) else [answer]
        right = items and all(
            isinstance(item, str) or is_whole_number(item) or _are_faces(item) for item in items
        )
        if not right:
            yield _("{answer} is not a roll of {dice}").format(
                answer=shorten(answer), dice=dice_notation(self.question.first_table.dice)
            )

    def as_typed(self, answer: Answer) -> Answer:
        """Return the results of a text such as ``Brigandine (15)``."""
        worded = self.in_words(answer) if isinstance(answer, str) else MISSING
        return answer if worded is MISSING else worded

    def in_words(self, text: str) -> Answer:
        """Return the results of a text such as ``Brigandine (15)``: their dice, or chosen rows."""
        items = [
            row.rpartition(": ")[2] if how == _("chosen") else [int(n) for n in FACE.findall(how)]
            for row, how in RESULT.findall(text)
        ]
        return items or MISSING

    def canonical(self, answer: Answer) -> Answer:
        """Return each result as its faces or the id of its row; a single one without a list."""
        results = self.draws(answer).results
        items = [list(draw.faces) or draw.row.id for draw in results]
        return items[0] if len(items) == 1 else items

    def right_form(self, answer: Answer) -> Answer:
        """Return the lowest roll where there was none, else MISSING."""
        return self.lowest_roll() if any(self._malformed(answer)) else MISSING

    # ------------------------------------------------------------ effects of an answer

    def state_after(self, answer: Answer) -> State:
        """Return the state after the results: what the rows change and grant."""
        state = super().state_after(answer)
        holding = state.holding(self.holding)
        source = holding.entity.id if holding else self.id
        for draw in self.draws(answer).results:
            chosen = ChosenOption(self.unit, source, self._option(draw.row), self.id, self.holding)
            state = state.with_changes(chosen_options=(*state.chosen_options, chosen))
            for grant in draw.row.grants:
                state = add_grant(state, grant, self.id, self.unit)
        return state

    def _option(self, row: TableRow) -> Option:
        """Return a row with a label: that of what it grants, if it has none."""
        return row.model_copy(update={"label": self.ruleset.row_label(row)})

    def sheet_items(self, answer: Answer) -> list[object]:
        """Return the results as a sheet shows them: entities and rows by id."""
        items: list[object] = []
        for draw in self.draws(answer).results if answer else ():
            granted = [self.ruleset.canonical(grant.id) for grant in draw.row.grants]
            named = [draw.row.id] if draw.row.label else []
            items += named or granted
        return items

    def counted_rolls(self, answer: Answer) -> tuple[CountedRoll, ...]:
        """Return the dice and the faces of each roll, on further tables too."""
        drawn = self.draws(answer).results if answer else ()
        parsed = ((dice.parse_dice(draw.table.dice, self.ruleset.dice), draw) for draw in drawn)
        return tuple(CountedRoll(rolled, draw.faces) for rolled, draw in parsed if draw.faces)

    # ------------------------------------------------------------ random answers

    def random_answer(self, source: RandomSource) -> Answer:
        """Roll the dice of the next try, and those of the tables that rows lead to."""
        return self._rolled(source.seed, source.attempt(self), [])

    def _rolled(self, seed: str, attempt: int, given: list[Answer]) -> Answer:
        """Return the items that are given, with all further rolls."""
        numbers = dice.random_stream(seed, self.id, attempt)
        for _try in range(MAX_TRIES):
            items = list(given)
            found = self.draws(items)
            while found.waiting is not None:
                rolled = dice.parse_dice(found.waiting.dice, self.ruleset.dice)
                items.append(dice.roll_dice(rolled, numbers)[0])
                found = self.draws(items)
            if not found.problem:
                return self.canonical(items)
        raise ValueError(
            _("{id} still needed a roll after {max_tries} tries").format(
                id=self.question.id, max_tries=MAX_TRIES
            )
        )

    def lowest_roll(self) -> Answer:
        """Return a roll that does not depend on the seed."""
        return self._rolled("", 0, [])

    # ------------------------------------------------------------ the wizard

    def widget(self, former: Answer, source: RandomSource) -> OptionMenu:
        """Return the menu: keep the roll, roll, type real dice, or choose a row."""
        items = list(dice_items(self, former, source, self._typed([])))
        if self.question.may_choose:
            items += self._rows(source)
        return OptionMenu(items, status=(self._dice_text(self.question.first_table),))

    def _rows(self, source: RandomSource) -> Iterator[MenuItem]:
        """Yield the rows to choose; further rolls that a row needs are made."""
        for low, high, row in self.question.first_table.spans(self.ruleset.dice):
            label = self.ruleset.row_label(row)
            if not label:
                tables = [t for name in row.roll for t in self.question.all_tables if t.id == name]
                label = _("Roll: {names}").format(names=", ".join(map(self._name, tables)))
            option = DecisionOption(row.id, label, row.text, option=self._option(row))
            ends = not row.roll and self.question.times == 1
            answer: Answer = row.id
            if not ends:
                answer = self._rolled(source.seed, source.attempt(self), [row.id])
            chosen = WholeAnswer(answer, secret=not ends)
            yield MenuItem(chosen, label, span_text(low, high), group=_("Choose"), option=option)

    def _typed(self, before: list[Answer]) -> TextField:
        """Return the field for the next real dice; ``before`` are those typed so far."""
        table = self.draws(before).waiting or self.question.first_table
        rolled = dice.parse_dice(table.dice, self.ruleset.dice)
        amount = (
            _("the number")
            if rolled.number == 1
            else _("the {number} numbers").format(number=rolled.number)
        )
        faces = dice.describe_faces(rolled.faces)
        results = ", ".join(self._result_texts(before))

        def parse(text: str) -> Answer:
            return [*before, parse_faces(text, rolled)]

        def problems(text: str) -> Sequence[str]:
            items = parse(text)
            return [rolled.problem(items[-1]) or self.draws(items).problem]

        def follow_up(answer: Answer) -> TextField | None:
            return None if self.draws(answer).waiting is None else self._typed(answer)

        return TextField(
            problems=problems,
            parse=parse,
            status=(
                _("{name}: type {amount} your {rolled} shows ({faces}).").format(
                    name=self._name(table), amount=amount, rolled=rolled.rolled, faces=faces
                ),
            ),
            note=_("So far: {results}.").format(results=results) if results else "",
            follow_up=follow_up,
        )

    # ------------------------------------------------------------ words

    def gain_text(self) -> str:
        """Return what answering will bring, for the summary of a level."""
        return _("You will also roll: {name}").format(name=self._name(self.question.first_table))

    def answer_text(self, answer: Answer) -> str:
        """Return the results by name, with their dice: ``Brigandine (15)``."""
        if self.rule_violations(answer):
            return str(answer)
        return ", ".join(self._result_texts(answer))

    def _result_texts(self, answer: Answer) -> Iterator[str]:
        """Yield each result: of a further table with its name; not rows that only roll again."""
        for draw in self.draws(answer).results if answer else ():
            label = self.ruleset.row_label(draw.row)
            if not label:
                continue
            table = "" if draw.table.id == self.question.id else f"{self._name(draw.table)}: "
            rolled = dice.parse_dice(draw.table.dice, self.ruleset.dice)
            how = rolled.describe(draw.faces) or _("chosen")
            yield f"{table}{label} ({how})"

    def _name(self, table: RandomTable) -> str:
        """Return the name of a table; of the first one that of the question."""
        if table.id == self.question.id:
            return self.ruleset.short_label(self.question)
        return table.label or table.id

    def _dice_text(self, table: RandomTable) -> str:
        rolled = dice.parse_dice(table.dice, self.ruleset.dice)
        times = self.question.times if table.id == self.question.id else 1
        return (
            _("{words}, {times} times").format(words=rolled.words, times=times)
            if times > 1
            else rolled.words
        )

    @classmethod
    def question_lines(cls, question: RollOn, ruleset: Ruleset) -> Iterator[str]:
        """Yield the dice, and the rows of each table with their totals."""
        times = _(", {times} times").format(times=question.times) if question.times > 1 else ""
        instead = _(", or the id of a row") if question.may_choose else ""
        yield _("the dice: {dice}{times}{instead}").format(
            dice=dice_notation(question.first_table.dice), times=times, instead=instead
        )
        for table in question.all_tables:
            if table.id != question.id:
                yield f"{table.id}: {dice_notation(table.dice)}"
            for low, high, row in table.spans(ruleset.dice):
                again = _(" (roll {names})").format(names=", ".join(row.roll)) if row.roll else ""
                label = ruleset.row_label(row)
                named = f" ({label})" if label and question.may_choose else ""
                what = row.id if question.may_choose or not label else label
                yield f"  {span_text(low, high)}: {what}{named}{again}"

    @classmethod
    def example_answer(cls, question: RollOn, ruleset: Ruleset) -> Answer:
        """Return an empty list."""
        return []

    @classmethod
    def listed_labels(cls, question: RollOn, ruleset: Ruleset) -> Iterator[str]:
        """Yield the labels of the rows that are not entities."""
        yield from (row.label for row in question.listed_options if row.label)


def _are_faces(item: Any) -> bool:
    return is_sequence(item) and bool(item) and all(map(is_whole_number, item))
