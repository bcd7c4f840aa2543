"""Roll on: a row of a random table, rolled or (where the rules allow it) chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from charforge.character.holdings import add_grant
from charforge.character.state import ChosenOption, State
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
)
from charforge.decisions.roll import dice_items, parse_faces
from charforge.errors import shorten
from charforge.expressions import dice
from charforge.language import N_, _, dice_notation
from charforge.rules.models import Draws, Option, RandomTable, RollOn, TableRow, span_text
from charforge.rules.ruleset import Ruleset

FACE = re.compile(r"-?\d+")
RESULT = re.compile(r"(?:^|, )(.+?) \(([^()]*)\)(?=, |$)")  # as answer_text prints it
MAX_TRIES = 1000  # rolls that send on for ever are started again


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
