"""A page of several short questions, a row for each: what is typed, chosen and still missing.

``form_view`` shows it on a screen, ``line_prompts`` in lines; nothing here
draws or reads anything. A row has a text that is typed, a choice that is
stepped through, or a list that is opened on a page of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, NamedTuple

from charforge.answers.automatic import RandomAnswers, Recommendation, recommendations
from charforge.character.holdings import NOT_CHOSEN
from charforge.decisions.base import (
    MISSING,
    Answer,
    Decision,
    MenuItem,
    NumberFields,
    OptionId,
    OptionMenu,
    TextField,
    whole_number,
)
from charforge.describe import entities
from charforge.errors import sentence
from charforge.expressions.template import as_written
from charforge.language import _
from charforge.usecases.preview import KeyValue


class RowKind(Enum):
    """The kinds of rows; each decides what the keys do in it."""

    TEXT = auto()
    NUMBER = auto()
    CHOICE = auto()
    LIST = auto()
    COMMAND = auto()


@dataclass(frozen=True, slots=True)
class FormRow:
    """One row of a page: its label and text, and what is shown while it is pointed at.

    ``id`` is that of the question, with the id of a value where a question
    has a number for each of several. ``heading`` stands above the first of
    the rows that have it. ``opens`` says that Space opens a list;
    ``recommended`` why its present answer is recommended, if it is; ``remark``
    is what to know about the answer.
    """

    id: str
    label: str
    text: str
    kind: RowKind
    about: str = ""
    heading: str = ""
    examples: tuple[str, ...] = ()
    opens: bool = False
    problem: str = ""
    recommended: str = ""
    remark: str = ""


class FormField(ABC):
    """One question of a form: its rows, and its answer so far.

    ``id`` is the decision's. A field is replaced, never changed.
    """

    id: str

    @abstractmethod
    def rows(self) -> Sequence[FormRow]:
        """Return the rows."""

    @abstractmethod
    def problem(self) -> str:
        """Return why the answer is not complete or not allowed, as a sentence; empty if it is."""

    @property
    @abstractmethod
    def answer(self) -> Answer:
        """The answer; MISSING if there is a problem with it."""

    def typed(self, _row: str, _text: str) -> FormField:
        """Return the field with a text typed into a row."""
        return self

    def stepped(self, _row: str, _steps: int) -> FormField:
        """Return the field with the next or former option or number of a row."""
        return self

    def with_answer(self, _answer: Answer) -> FormField:
        """Return the field with an answer that was given on a page of its own."""
        return self

    def resumed(self, _former: FormField) -> FormField:
        """Return the field with what a former one contains: the same question, asked again."""
        return self


@dataclass(frozen=True)
class TextEntry(FormField):
    """A text or a number that is typed; ``remark`` returns what to know about it, if anything."""

    id: str
    label: str
    widget: TextField
    text: str
    about: str = ""
    heading: str = ""
    is_number: bool = False
    remark: Callable[[str], str] = lambda _text: ""

    def rows(self) -> Sequence[FormRow]:
        """Return its only row."""
        kind = RowKind.NUMBER if self.is_number else RowKind.TEXT
        about = "\n".join(filter(None, (self.about, *self.widget.status)))
        examples = self.widget.examples
        row = FormRow(self.id, self.label, self.text, kind, about, self.heading, examples)
        return [replace(row, problem=self.problem(), remark=self.remark(self.text.strip()))]

    def problem(self) -> str:
        """Return why the text is not allowed."""
        problem = sentence(self.widget.problems(self.text))
        if problem and not self.text.strip() and self.widget.examples:
            return _("Please type an answer; Tab writes an example.")
        return problem

    @property
    def answer(self) -> Answer:
        """The answer that the text stands for."""
        return MISSING if self.problem() else self.widget.parse(self.text)

    def typed(self, _row: str, text: str) -> FormField:
        """Return the field with another text."""
        return replace(self, text=text)

    def stepped(self, _row: str, steps: int) -> FormField:
        """Return the field with a higher or lower number, if it is allowed."""
        if not self.is_number:
            return self
        number = whole_number(self.text) or 0
        changed = replace(self, text=str(number + steps))
        return self if changed.problem() and not self.problem() else changed

    def with_answer(self, answer: Answer) -> FormField:
        """Return the field with another text or number."""
        return replace(self, text=str(answer))

    def resumed(self, former: FormField) -> FormField:
        """Return the field with the text of a former one."""
        return replace(self, text=former.text) if isinstance(former, TextEntry) else self


@dataclass(frozen=True)
class NumbersEntry(FormField):
    """A number for each of several values, under the question as a heading."""

    id: str
    widget: NumberFields
    texts: Mapping[str, str]
    heading: str = ""
    help: str = ""

    @classmethod
    def start(
        cls, name: str, widget: NumberFields, heading: str, help_text: str = ""
    ) -> NumbersEntry:
        """Return the field with the numbers to begin with."""
        texts = {key: str(number) for key, number in widget.start.items()}
        return cls(name, widget, texts, heading, help_text)

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers that were typed, without those that are none."""
        typed = ((name, whole_number(text)) for name, text in self.texts.items())
        return {name: number for name, number in typed if number is not None}

    def rows(self) -> Sequence[FormRow]:
        """Return the suggestions, then a row for each value."""
        status, numbers = self.widget.status(self.numbers), self.numbers
        heading = f"{self.heading} {status}"
        rows = [
            FormRow(f"{self.id}:{n}", item.label, item.detail, RowKind.COMMAND, item.about, heading)
            for n, item in enumerate(self.widget.suggestions)
        ]
        for entry in self.widget.fields:
            text = self.texts.get(entry.id, "")
            wrong = text and numbers.get(entry.id) not in self.widget.allowed(numbers, entry.id)
            about = "\n".join(filter(None, (entry.about, self.help)))
            rows.append(FormRow(
                f"{self.id}:{entry.id}", entry.title, text, RowKind.NUMBER, about, heading,
                problem=sentence([_("Enter a number: {bounds}").format(bounds=self.widget.bounds)])
                if wrong
                else "",
            ))  # fmt: skip
        return rows

    def problem(self) -> str:
        """Return why the numbers are not right together."""
        for row in self.rows():
            if row.problem:
                return row.problem
        return sentence(self.widget.missing(self.numbers))

    @property
    def answer(self) -> Answer:
        """The answer that the numbers make."""
        return MISSING if self.problem() else self.widget.answer(self.numbers)

    def typed(self, row: str, text: str) -> FormField:
        """Return the field with another number in a row; empty where it is taken away."""
        texts = {**self.texts, _part(row): text}
        return replace(self, texts={name: typed for name, typed in texts.items() if typed})

    def stepped(self, row: str, steps: int) -> FormField:
        """Return the field with the next number that a row may have, or with a suggestion."""
        name = _part(row)
        if name.isdecimal():
            return self.with_answer(self.widget.suggestions[int(name)].value.answer)
        allowed, number = self.widget.allowed(self.numbers, name), self.numbers.get(name)
        further = [n for n in allowed if number is None or (n - number) * steps > 0]
        if not further:
            return self
        return self.typed(row, str(further[0] if steps > 0 else further[-1]))

    def with_answer(self, answer: Answer) -> FormField:
        """Return the field with all numbers replaced."""
        return replace(self, texts={name: str(number) for name, number in answer.items()})

    def resumed(self, former: FormField) -> FormField:
        """Return the field with the numbers of a former one."""
        return replace(self, texts=former.texts) if isinstance(former, NumbersEntry) else self


@dataclass(frozen=True)
class ChoiceEntry(FormField):
    """One of several options; ``chosen`` is MISSING until one is.

    The value of each item is an answer. ``other`` is the text of an answer
    that is not among the items: the player's own words.
    """

    id: str
    label: str
    items: Sequence[MenuItem]
    chosen: Answer = MISSING
    heading: str = ""
    help: str = ""
    other: str = ""
    opens: bool = False

    @property
    def item(self) -> MenuItem | None:
        """The item that is chosen, if it is one of them."""
        return next((item for item in self.items if item.value == self.chosen), None)

    def rows(self) -> Sequence[FormRow]:
        """Return its only row."""
        item = self.item
        text = item.label if item else self.other or _(NOT_CHOSEN)
        about = "\n".join(filter(None, (self.help, item.about if item else "")))
        row = FormRow(self.id, self.label, text, RowKind.CHOICE, about, self.heading)
        recommended = item.recommended if item else ""
        problem = self.problem()
        return [replace(row, opens=self.opens, problem=problem, recommended=recommended)]

    def problem(self) -> str:
        """Return that nothing is chosen, or why the option cannot be."""
        if self.chosen is MISSING:
            return _("Pick one: Space lists them all.") if self.opens else _("Pick one.")
        item = self.item
        return (
            sentence([_("not possible: {against}").format(against=item.against)])
            if item and item.against
            else ""
        )

    @property
    def answer(self) -> Answer:
        """The option that is chosen."""
        return MISSING if self.problem() else self.chosen

    def stepped(self, _row: str, steps: int) -> FormField:
        """Return the field with the next option that can be chosen, around the ends."""
        legal = [item for item in self.items if not item.against]
        if not legal:
            return self
        at = next((n for n, item in enumerate(legal) if item.value == self.chosen), None)
        at = (at + steps) % len(legal) if at is not None else 0 if steps > 0 else -1
        return replace(self, chosen=legal[at].value, other="")

    def with_answer(self, answer: Answer) -> FormField:
        """Return the field with another answer."""
        return replace(self, chosen=answer, other=str(answer))

    def resumed(self, former: FormField) -> FormField:
        """Return the field with the option of a former one, if there was one."""
        if not isinstance(former, ChoiceEntry) or former.chosen is MISSING:
            return self
        return replace(self, chosen=former.chosen, other=former.other)


@dataclass(frozen=True)
class ListEntry(FormField):
    """A question with a page of its own; here it is one row that opens it."""

    id: str
    label: str
    chosen: Answer
    words: Callable[[Answer], str]
    violations: Callable[[Answer], Sequence[str]]
    heading: str = ""
    help: str = ""

    def rows(self) -> Sequence[FormRow]:
        """Return its only row."""
        text = _(NOT_CHOSEN) if self.chosen is MISSING else self.words(self.chosen)
        row = FormRow(self.id, self.label, text, RowKind.LIST, self.help, self.heading)
        return [replace(row, opens=True, problem=self.problem())]

    def problem(self) -> str:
        """Return why the list is not complete."""
        if self.chosen is MISSING:
            return _("Press Space to choose.")
        return sentence(self.violations(self.chosen))

    @property
    def answer(self) -> Answer:
        """The list."""
        return MISSING if self.problem() else self.chosen

    def with_answer(self, answer: Answer) -> FormField:
        """Return the field with another list."""
        return replace(self, chosen=answer)

    def resumed(self, former: FormField) -> FormField:
        """Return the field with the list of a former one."""
        return replace(self, chosen=former.chosen) if isinstance(former, ListEntry) else self


@dataclass
class Form:
    """The fields of a page. ``refresh`` returns them again after a change of one.

    A choice can change what the questions after it offer, and add questions
    to the page. ``preview`` returns in words what a field's answer changes,
    ``values`` the character with all of them. ``may_stay_open`` says that a
    field needs no answer now. ``touched`` are the ids of the fields that the
    player changed; ``done`` the ids of the rows that they changed or left
    with Enter, which does not stop at them again.
    """

    fields: Sequence[FormField]
    refresh: Callable[[Sequence[FormField]], Sequence[FormField]] = lambda fields: fields
    preview: Callable[[FormField], Sequence[str]] = lambda _field: ()
    values: Callable[[], tuple[KeyValue, ...]] = tuple
    may_stay_open: Callable[[FormField], bool] = lambda _field: False
    touched: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    _rows: tuple[Sequence[FormField], list[FormRow]] = field(
        default=((), []), init=False, repr=False, compare=False
    )

    def rows(self) -> list[FormRow]:
        """Return the rows of all fields: one page asks for them many times before a change."""
        if self._rows[0] is not self.fields:
            self._rows = self.fields, [row for entry in self.fields for row in entry.rows()]
        return self._rows[1]

    def field(self, row: str) -> FormField:
        """Return the field that a row belongs to."""
        return next(entry for entry in self.fields if entry.id == row.partition(":")[0])

    def change(self, entry: FormField) -> None:
        """Replace a field, and the fields that depend on it."""
        if entry == self.field(entry.id):
            return
        self.touched.add(entry.id)
        self.fields = self.refresh([entry if f.id == entry.id else f for f in self.fields])

    def first_problem(self) -> tuple[str, str] | None:
        """Return the row and the sentence of the first problem; None if all is answered."""
        for entry in self.fields:
            text = entry.problem()
            if text and not self.may_stay_open(entry):
                rows = [row for row in entry.rows() if row.kind is not RowKind.COMMAND]
                return next((row for row in rows if row.problem), rows[0]).id, text
        return None

    def answers(self) -> dict[str, Any]:
        """Return the answers without problems, by the ids of their fields."""
        answers = {entry.id: entry.answer for entry in self.fields}
        return {name: answer for name, answer in answers.items() if answer is not MISSING}


class OpenField(NamedTuple):
    """The row of a form that the player opens on a page of its own.

    ``continues`` says that the form is left afterwards if it is complete then;
    ``after`` is the row to point at afterwards, if it is another one.
    """

    row: str
    continues: bool = False
    after: str = ""


def _part(row: str) -> str:
    """Return the value, or the number of the suggestion, that a row is for."""
    return row.partition(":")[2]


FEW = 3  # options that Space steps through; a longer list is opened


@dataclass(frozen=True)
class FieldMaker:
    """Makes the fields of one form; ``source`` makes suggestions."""

    source: RandomAnswers

    def field(self, decision: Decision, former: Answer, filled_in: FormField | None) -> FormField:
        """Return the field of a decision, with what was filled in so far."""
        made = self._made(decision, former)
        return made if filled_in is None else made.resumed(filled_in)

    def _made(self, decision: Decision, former: Answer) -> FormField:
        heading = _heading(decision)
        label, help_text = decision.question.label, question_help(decision)
        widget = decision.widget(former, self.source)
        if isinstance(widget, TextField):
            is_number = decision.question.is_numeric
            return TextEntry(decision.id, label, widget, widget.text, help_text, heading, is_number)
        if isinstance(widget, NumberFields):
            return NumbersEntry.start(decision.id, widget, decision.title(), help_text)
        if isinstance(widget, OptionMenu):
            return self._choice(decision, widget, former, heading)
        chosen = former
        if former is MISSING or decision.rule_violations(former):
            suggested = decision.question.allows_own_words
            chosen = self.source(decision) if suggested else decision.empty_answer()
        combined = combinations(decision)
        if combined:
            chosen = combined[0].value if chosen is MISSING else sorted(chosen)
            return ChoiceEntry(decision.id, label, combined, chosen, heading, help_text)
        return ListEntry(
            decision.id, label, chosen, decision.answer_text, decision.rule_violations,
            heading, help_text,
        )  # fmt: skip

    def _choice(
        self, decision: Decision, menu: OptionMenu, former: Answer, heading: str
    ) -> ChoiceEntry:
        recommended = recommendations(decision)
        items = [
            with_text(item, decision, recommended.get(item.value))
            for item in menu.items
            if item.option is not None
        ]
        chosen = former
        if former is MISSING or decision.rule_violations(former):
            chosen = self._first_choice(decision, items, recommended)
        other = "" if chosen is MISSING else decision.answer_text(chosen)
        own_words = len(items) < len(menu.items)
        return ChoiceEntry(
            decision.id,
            decision.question.label,
            items,
            chosen,
            heading,
            question_help(decision),
            other,
            opens=len(items) > FEW or own_words,
        )

    def _first_choice(
        self,
        decision: Decision,
        items: list[MenuItem],
        recommended: Mapping[OptionId, Recommendation],
    ) -> Answer:
        """Return the option that a choice begins with; MISSING where the player must choose."""
        question = decision.question
        default = question.suggested_option
        legal = [item.value for item in items if not item.against]
        if default in legal:
            return default
        if recommended:
            return next(iter(recommended))
        if question.allows_own_words:
            return self.source(decision)
        return legal[0] if question.is_short and legal else MISSING


def _heading(decision: Decision) -> str:
    """Return the name of the holding whose choice a decision is, numbered if others have it too."""
    state = decision.before
    holding = state.holding(decision.holding)
    if holding is None:
        return ""
    held = (other for other in state.holdings if other.entity is holding.entity)
    alike = [other.id for other in held if other.name == holding.name]
    number = f" ({alike.index(holding.id) + 1})" if len(alike) > 1 else ""
    return f"{holding.name}{number}"


def combinations(decision: Decision) -> list[MenuItem]:
    """Return every possible answer of a short list as an entry; empty for any other."""
    return [MenuItem(answer, decision.answer_text(answer)) for answer in decision.list_answers()]


def with_text(
    item: MenuItem, decision: Decision, recommended: Recommendation | None = None
) -> MenuItem:
    """Return a menu entry with the description of its option, and to whom it is recommended."""
    if item.option is None:
        return item
    text = entities.option_text(item.option, decision.ruleset, choices=False)
    return item._replace(about=text, recommended=str(recommended or ""))


def question_help(decision: Decision) -> str:
    """Return the help of a decision's question, and what to do if the book leaves it open."""
    unprinted = _(decision.unprinted_hint) if decision.unprinted else ""
    return "\n".join(filter(None, (as_written(decision.question.help), unprinted)))
