"""The base class of decisions: a question of the rules, asked of one unit at one time.

Each kind (choose, roll, assign …) is one module of this package with a subclass
of Decision: its options, the reasons against an answer, the effects of an
answer, a random answer, and the widget it is asked with. A widget is data: the
wizard renders it on whatever terminal there is.

``MapDecision`` is the base of those that give a number to each of several values.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from charforge.character.modifiers import local_formulas
from charforge.character.state import CHARACTER, FixedModifier, State
from charforge.errors import did_you_mean, shorten
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.expressions.template import MINUS, has_unprintable, keyboard_minus
from charforge.language import N_, _
from charforge.rules.models import Allot, Assign, Entity, Option, Question, Roll
from charforge.rules.names import answer_matches
from charforge.rules.ruleset import LEVEL_DECISION, Ruleset

WHOLE_NUMBER = re.compile(rf"[+{MINUS}-]?\d{{1,9}}")  # as typed
NOTHING_CHOSEN = N_("none")
LEFT_EMPTY = N_("left empty")


class RandomSource(Protocol):
    """A source of random answers: a seed, and weights for options."""

    @property
    def seed(self) -> str:
        """The seed of every stream of random numbers."""
        ...

    def __call__(self, decision: Decision) -> Answer:
        """Return a legal answer to a decision."""
        ...

    def attempt(self, decision: Decision) -> int:
        """Return how often the dice of a decision were rolled before."""
        ...

    def weight(self, option: DecisionOption, decision: Decision) -> int:
        """Return how likely an option is, compared with the others; at least 1."""
        ...


class Reason(str):
    """A reason against an answer, in words; ``code`` says what it is about, for programs.

    The codes are listed in ``ReasonCode`` of ``rules/models/sample.py``.
    """

    code: str

    def __new__(cls, text: str, code: str = "") -> Self:
        """Return a reason with its code."""
        reason = super().__new__(cls, text)
        reason.code = code
        return reason

    def about(self, label: str) -> Reason:
        """Return the reason with what it is about: ``Bonk: requires The Tank``."""
        return Reason(f"{label}: {self}", self.code)


class CountedRoll(NamedTuple):
    """A roll whose total counts: dice, faces, and whether given faces must be rerolled."""

    dice: Dice
    faces: Sequence[int]
    rerolled: Callable[[Sequence[int]], bool] | None = None


@dataclass(frozen=True)
class Decision(ABC):
    """A question asked of one unit; ``before`` is the state it is checked against.

    ``id`` is stable and path-like; ``holding`` is the id of the holding
    whose choice this is; ``section`` is the creation step and ``level`` the
    level it belongs to. ``root`` replaces ``id`` as the beginning of the ids
    of what an answer adds: what is chosen again later gets a new id.
    """

    id: str
    question: Question
    before: State
    unit: str = CHARACTER
    holding: str = ""
    section: str = ""
    level: int = 1
    root: str = ""

    is_comparable: ClassVar[bool] = False  # it has options, or numbers to give to values
    gives_numbers: ClassVar[bool] = False  # its answer is a number for each of several values
    settled_once: ClassVar[str] = ""  # why it cannot be answered from now on: "dice were rolled"
    unprinted_hint: ClassVar[str] = N_("Not in this book: use what your rulebook says.")

    # ------------------------------------------------------------ unit and time

    def is_asked_in(self, state: State) -> bool:
        """Return whether a state has the unit and the holding that it is asked of."""
        has_holding = not self.holding or state.holding(self.holding) is not None
        return has_holding and state.has_unit(self.unit)

    def evaluate(self, formula: Formula) -> int:
        """Return the number of a formula of the question, for this unit and holding."""
        holding = self.before.holding(self.holding)
        return self.before.values(self.unit).evaluate(
            formula.with_variables(local_formulas(self.before, holding))
        )

    def applies(self) -> bool:
        """Return whether its condition holds, so that it is asked."""
        return self.question.when is None or bool(self.evaluate(self.question.when))

    def reads(self) -> tuple[str, ...]:
        """Return the ids of the decisions whose dice this one uses."""
        return ()

    @property
    def ruleset(self) -> Ruleset:
        """The rules that it belongs to."""
        return self.before.ruleset

    @property
    def rolls_dice(self) -> bool:
        """Whether dice are rolled for the answer."""
        return self.question.rolls_dice

    def counted_rolls(self, answer: Answer) -> tuple[CountedRoll, ...]:
        """Return the rolls of an answer that count; none for an answer without dice."""
        return ()

    @property
    def unprinted(self) -> bool:
        """Whether the book leaves this open."""
        return self.question.is_unprinted

    # ------------------------------------------------------------ checking answers

    def options(
        self, picked: Sequence[OptionId] = (), only: OptionId | None = None
    ) -> tuple[DecisionOption, ...]:
        """Return every option of a choice, the illegal ones with their reasons.

        ``picked`` are the items that a list already contains; with ``only``,
        just that option is checked.
        """
        return ()

    @property
    def options_by_id(self) -> Mapping[OptionId, DecisionOption]:
        """All options of a choice by id, without the reasons against them."""
        return {}

    def is_full(self, picked: Sequence[OptionId]) -> bool:
        """Return whether a list has as many items as it may have."""
        return False

    def list_answers(self) -> list[list[OptionId]]:
        """Return every possible answer of a list that is short; none if it is not."""
        return []

    def ways_to_pick_dice(self) -> Iterator[tuple[int, ...]]:
        """Yield the different faces that can be picked, where dice are the options."""
        yield from ()

    def scores(self) -> tuple[int, ...]:
        """Return the scores to hand out, highest first; none if it hands out none."""
        return ()

    def number_steps(self, former: Answer) -> NumberSteps | None:
        """Return the answers one step from a former one; None if they are not numbers."""
        return None

    @property
    def is_copied(self) -> bool:
        """Whether the player copies the answer from a rulebook, so that nothing can be advised."""
        return False

    def has_legal_option(self) -> bool:
        """Return whether there is an answer to choose; true for questions without options."""
        return True

    def why_nothing_is_left(self) -> str:
        """Return why every option of a choice is closed; empty if there is an answer."""
        return ""

    def closed_reasons(self, entity_id: str) -> tuple[str, ...]:
        """Return why an entity can no longer be chosen here; empty if it can."""
        return ()

    def rule_violations(self, answer: Answer) -> tuple[Reason, ...]:
        """Return why the rules do not allow an answer; empty if they do."""
        texts = tuple(self._violations(answer))
        code = "form" if texts and self.malformed(answer) else "value"
        return tuple(text if isinstance(text, Reason) else Reason(text, code) for text in texts)

    def broken_rules(self, answer: Answer) -> tuple[str, ...]:
        """Return the rules that an answer breaks, without advice on what to choose instead."""
        return self.rule_violations(answer)

    def malformed(self, answer: Answer) -> tuple[str, ...]:
        """Return why an answer has the wrong form, which no override allows; empty if none."""
        return tuple(self._malformed(answer))

    def keeps_effect(self, answer: Answer) -> bool:
        """Return whether a recorded answer that a newer rule refuses still counts.

        So an old file replays to the same state.
        """
        return False

    def sheet_items(self, answer: Answer) -> list[object]:
        """Return the parts of an answer that a sheet shows one by one."""
        if isinstance(answer, list | tuple):
            return list(answer)
        return [answer] if answer else []

    def refused_entities(self, answer: Answer) -> tuple[str, ...]:
        """Return the ids of the entities of an answer that the rules do not allow."""
        return ()

    def refused_values(self, answer: Answer) -> frozenset[str]:
        """Return the ids of the unit's values that a refused answer changes."""
        return frozenset(modifier.value for modifier in self.modifiers(self.canonical(answer)))

    @abstractmethod
    def _violations(self, answer: Answer) -> Iterator[str]:
        """Yield why the rules do not allow an answer; it may have a wrong form."""

    @abstractmethod
    def _malformed(self, answer: Answer) -> Iterator[str]:
        """Yield why an answer has the wrong form, such as a text in place of a number."""

    def as_typed(self, answer: Answer) -> Answer:
        """Return a typed answer in the form of its kind: a single face becomes a list."""
        return answer

    def in_words(self, text: str) -> Answer:
        """Return the answer that ``answer_text`` prints like this, MISSING for other texts.

        Of a list the names may also be typed in short.
        """
        empty = self.empty_answer()
        is_empty = empty is not MISSING and text == self.answer_text(empty)
        return empty if is_empty else MISSING

    def resolve_names(self, answer: Answer) -> Answer:
        """Return an answer with names and aliases replaced by ids, allowed or not."""
        return answer

    def canonical(self, answer: Answer) -> Answer:
        """Return an allowed answer in the form that is saved in files."""
        return answer.strip() if isinstance(answer, str) else answer

    def completed(self, answer: Answer, former: Answer) -> Answer:
        """Return a new answer together with what it leaves as it was in the former answer."""
        return answer

    def right_form(self, answer: Answer) -> Answer:
        """Return an example of the right form for an answer of the wrong form, else MISSING.

        The example contains the items of the answer that are allowed.
        """
        return MISSING

    def similar_options(self, answer: Answer) -> Iterator[tuple[str, str]]:
        """Yield texts of an answer that may be mistyped options, each with the option's label."""
        return iter(())

    def empty_answer(self) -> Answer:
        """Return the answer that leaves the question empty; MISSING if it must be answered."""
        return MISSING

    # ------------------------------------------------------------ effects of an answer

    def state_after(self, answer: Answer) -> State:
        """Return the state after an allowed, canonical answer, without asking further."""
        state = self.before.with_changes(answers={**self.before.answers, self.id: answer})
        return state.with_changes(fixed_modifiers=(*state.fixed_modifiers, *self.modifiers(answer)))

    def modifiers(self, answer: Answer) -> Iterator[FixedModifier]:
        """Yield the changes to values that an allowed answer makes."""
        yield from ()

    def kept_items(self, state: State, answer: Answer) -> list[OptionId]:
        """Return the items of a list that are kept when it is answered again at ``state``."""
        return []

    # ------------------------------------------------------------ random answers

    @abstractmethod
    def random_answer(self, source: RandomSource) -> Answer:
        """Return a legal and sensible answer; the same for the same seed."""

    def lowest_roll(self) -> Answer:
        """Return the lowest faces that need no reroll; MISSING if this is not a roll."""
        return MISSING

    # ------------------------------------------------------------ the wizard

    @abstractmethod
    def widget(self, former: Answer, source: RandomSource) -> Widget:
        """Return how it is asked; ``former`` is the earlier answer, or MISSING."""

    # ------------------------------------------------------------ words

    @property
    def answer_form(self) -> str:
        """The form of an answer on a sheet: ``text``, ``one`` option or ``many``."""
        return "text"

    def title(self) -> str:
        """Return the question, after the name of the holding whose choice it is."""
        holding = self.before.holding(self.holding)
        if holding is None or holding.name.casefold() in self.question.label.casefold():
            return self.question.label
        return f"{holding.name}: {self.question.label}"

    def in_short(self) -> str:
        """Return what there is to choose in a few words, for a list of such decisions."""
        return self.question.label.removesuffix("?")

    def gain_text(self) -> str:
        """Return what answering will bring, for the summary of a level."""
        return _("You will also choose: {in_short}").format(in_short=self.in_short())

    def heading(self) -> str:
        """Return its short name, after the level or the holding it belongs to.

        Such as ``Level 2: HP`` or ``Pistol: Damage type``.
        """
        return self._with_level_and_bearer(self.ruleset.short_label(self.question))

    def full_title(self) -> str:
        """Return the question, after the level, and the unit or the holding it belongs to.

        Such as ``Level 2: Bike: Which Systems does the Vehicle get?``.
        """
        return self._with_level_and_bearer(self.question.label)

    def _with_level_and_bearer(self, label: str) -> str:
        holding = self.before.holding(self.holding)
        if holding is not None and holding.name.casefold() not in label.casefold():
            label = f"{holding.name}: {label}"
        elif holding is None and self.unit != CHARACTER and self.before.has_unit(self.unit):
            label = f"{self.before.unit(self.unit).title}: {label}"
        level = LEVEL_DECISION.fullmatch(self.id)
        advancement = self.ruleset.head.advancement
        return label if level is None else f"{advancement.text(int(level[1]))}: {label}"

    def names(self) -> tuple[str, ...]:
        """Return what a player can type for it: its id, its short name or the question."""
        return self.id, self.heading(), self.full_title(), self.title(), self.question.label

    def answer_text(self, answer: Answer) -> str:
        """Return an answer in words; it need not be an allowed one."""
        if isinstance(answer, list | tuple):
            return self.list_text(answer)
        return str(answer) or _(LEFT_EMPTY)

    def list_text(self, items: Iterable[Answer]) -> str:
        """Return the items of a list in words, equal ones counted."""
        counted = Counter(self.option_label(item) for item in items)
        labels = (name if times == 1 else f"{name} × {times}" for name, times in counted.items())
        return ", ".join(labels) or _(NOTHING_CHOSEN)

    def option_label(self, item: Answer) -> str:
        """Return the label of an option; texts of the player and numbers are unchanged."""
        return self.ruleset.option_label(self.question, item)

    # ------------------------------------------------------------ words without a character

    @classmethod
    def possible_answers(cls, question: Any, ruleset: Ruleset) -> tuple[str, ...] | None:
        """Return every possible answer; None if they cannot be listed."""
        return None

    @classmethod
    def question_lines(cls, question: Any, ruleset: Ruleset) -> Iterator[str]:
        """Yield the lines of an answers file that say which answers are possible."""
        yield from ()

    @classmethod
    def example_answer(cls, question: Any, ruleset: Ruleset) -> Answer:
        """Return the example answer of an answers file; None leaves the line empty."""
        return None

    @classmethod
    def listed_labels(cls, question: Any, ruleset: Ruleset) -> Iterator[str]:
        """Yield the labels of the options that the pack lists itself: not entities or values."""
        yield from ()

    @classmethod
    def numbers_text(
        cls, question: Any, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return the dice or the numbers that this question gives out, or an empty text.

        ``formula`` writes a formula and ``label`` a value id for readers.
        """
        return ""

    @classmethod
    def growth_text(
        cls, question: Any, formula: Callable[[str], str], label: Callable[[str], str]
    ) -> str:
        """Return what this question adds at every further level, or an empty text.

        ``formula`` writes a formula and ``label`` a value id for readers.
        """
        return ""


def whole_number(text: str) -> int | None:
    """Return the whole number that a player typed, with either minus sign; None for other texts."""
    typed = text.strip()
    return int(keyboard_minus(typed)) if WHOLE_NUMBER.fullmatch(typed) else None


def is_whole_number(value: object) -> bool:
    """Return whether a value is an int, and not True or False."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_sequence(value: object) -> bool:
    """Return whether a value is a list or the like, and not a text."""
    return isinstance(value, Sequence) and not isinstance(value, str)


def text_violations(text: Answer, longest: int, optional: bool) -> Iterator[str]:
    """Yield why a text that the player writes is not allowed."""
    if not isinstance(text, str):
        yield _("it must be text")
        return
    if not text.strip() and not optional:
        yield _("it must not be empty")
    if len(text) > longest:
        yield _("it has {count} characters; the limit is {longest}").format(
            count=len(text), longest=longest
        )
    if has_unprintable(text):
        yield _("it contains control characters or invalid characters")


def priority_owner(state: State, unit_id: str) -> Entity | None:
    """Return what says which values matter most to a unit: its own entity, or one that it holds."""
    entity = next((u.entity for u in state.units if u.id == unit_id), None)
    if entity is not None and entity.priority:
        return entity
    return next((h.entity for h in state.held(unit_id) if h.entity.priority), None)


def value_priority(state: State, unit_id: str) -> tuple[str, ...]:
    """Return the value ids that matter most to a unit, best first, by what it is and holds."""
    owner = priority_owner(state, unit_id)
    return owner.priority if owner is not None else ()


Answer = Any  # an id, a list of ids, faces, a map of scores, a number or a text
OptionId = str | int  # what an answer names: an id, or a face
MISSING: Any = object()  # no answer, where None or an empty text could be one


class DecisionOption(NamedTuple):
    """An option of a choice at its place; it is legal if there are no reasons against it.

    ``names`` are further names it can be chosen by; ``cost`` is its share of
    the decision's budget, ``number`` how many of it there are (dice that
    show the same face).
    """

    id: OptionId
    label: str
    text: str = ""
    group: str = ""
    reasons: tuple[Reason, ...] = ()
    entity: Entity | None = None
    option: Option | None = None
    cost: int = 0
    number: int | None = None
    names: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether it may be chosen."""
        return not self.reasons

    def all_names(self) -> Iterator[str]:
        """Yield the names by which it can be chosen."""
        yield from (str(self.id), self.label, *self.names)
        if self.entity is not None:
            yield from self.entity.names


@dataclass(frozen=True, eq=False, slots=True)
class WholeAnswer:
    """A menu entry that is the complete answer, for example the former one.

    A ``secret`` answer, such as dice not rolled yet, is not shown beforehand.
    """

    answer: Answer
    secret: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class TextField:
    """A line of text to type.

    ``problems`` returns the reasons against a typed text, ``parse`` the
    answer that it stands for, and ``follow_up`` the field to ask after
    that answer, if any (dice that must be rolled again). ``help`` and
    ``note`` replace those of the page where they are not None.
    """

    problems: Callable[[str], Sequence[str]]
    parse: Callable[[str], Answer] = str
    text: str = ""
    status: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    help: str | None = None
    note: str | None = None
    follow_up: Callable[[Answer], TextField | None] = lambda _answer: None


class NumberStep(NamedTuple):
    """An answer that is one step from another; ``cost`` is what it costs more, in words.

    ``recommended`` says why a number that it raises should be high, ``against`` why one that it
    lowers should be.
    """

    label: str
    answer: dict[str, int]
    cost: str = ""
    recommended: str = ""
    against: str = ""


class NumberSteps(NamedTuple):
    """Answers to compare: the numbers that they start from, what they are in words, and each."""

    start: dict[str, int]
    text: str
    steps: tuple[NumberStep, ...]


class MenuItem(NamedTuple):
    """One entry of a menu; ``against`` is the reason why it cannot be chosen now.

    ``value`` is an option's id, a WholeAnswer, a TextField, or whatever the
    page that shows the entry uses. ``about`` (or the description of
    ``option``) is shown while the entry is pointed at; ``search`` are further
    words to find it by. ``cells`` are pairs of a column's title and a text,
    for entries that are shown as a table. ``recommended`` says to whom it is
    recommended, and why.

    ``picked`` is how often an entry of a checklist is picked, None for any
    other entry; ``again`` says that it can be picked more than once.
    ``is_number`` is true for an entry whose number is changed where it stands.
    An entry that is ``pinned`` stays visible while the list scrolls.
    """

    value: Any
    label: str
    detail: str = ""
    about: str = ""
    against: str = ""
    group: str = ""
    search: str = ""
    option: DecisionOption | None = None
    cells: tuple[tuple[str, str], ...] = ()
    recommended: str = ""
    picked: int | None = None
    again: bool = False
    is_number: bool = False
    pinned: bool = False


class OptionMenu(NamedTuple):
    """A list to choose one entry from; ``start`` is the value pointed at first."""

    items: Sequence[MenuItem]
    start: Any = None
    status: tuple[str, ...] = ()


class Checklist(NamedTuple):
    """A list on one page, from which several entries are picked.

    ``start`` are the entries picked at the beginning. Of the entries picked
    so far, ``items`` are all entries, ``status`` the progress in words and
    ``missing`` what is still to do before the list is complete. ``remaining``
    are the picked entries that are still allowed after one was removed.
    ``answered`` says that it was answered before, or may stay empty: nothing
    needs to be picked.
    """

    start: Sequence[Answer]
    items: Callable[[Sequence[Answer]], Sequence[MenuItem]]
    status: Callable[[Sequence[Answer]], tuple[str, ...]]
    missing: Callable[[Sequence[Answer]], Sequence[str]]
    remaining: Callable[[Sequence[Answer]], Sequence[Answer]]
    label: Callable[[Answer], str]
    answered: bool = False


class NumberField(NamedTuple):
    """One number among several: the value it belongs to, with its title and description.

    ``recommended`` says why it should be high, if it should.
    """

    id: str
    name: str
    title: str
    about: str = ""
    recommended: str = ""


class NumberFields(NamedTuple):
    """Several numbers on one page, changed until they are right together.

    A field without a number is not in ``start``; with ``clearable``, a number
    can be taken away again. With the present numbers, ``allowed`` are those
    that a field may have, in ascending order; ``status`` and ``missing`` judge
    all of them together, and ``answer`` is the answer that they make. ``bounds``
    are the possible numbers in words. ``suggestions`` are entries that fill in
    everything. ``answered`` says that nothing needs to be changed.
    """

    fields: Sequence[NumberField]
    start: Mapping[str, int]
    allowed: Callable[[Mapping[str, int], str], Sequence[int]]
    bounds: str
    status: Callable[[Mapping[str, int]], str]
    missing: Callable[[Mapping[str, int]], Sequence[str]]
    answer: Callable[[Mapping[str, int]], Answer] = dict
    suggestions: Sequence[MenuItem] = ()
    clearable: bool = False
    answered: bool = False


Widget = OptionMenu | Checklist | NumberFields | TextField


# A value with its number: Agility d8
WITH_NUMBER = re.compile(rf"\s*(.+) [^\d\s+{MINUS}-]*([+{MINUS}-]?\d{{1,9}})\s*")


# A value and its number without the space that YAML needs between them: blade:10
WITHOUT_SPACE = re.compile(rf"(.+):([+{MINUS}-]?\d{{1,9}})")


def _without_space(item: tuple[Any, Any]) -> tuple[Any, Any]:
    """Return a key and its number, also if YAML read both as one key."""
    key, number = item
    both = WITHOUT_SPACE.fullmatch(key) if isinstance(key, str) and number is None else None
    return (both[1], int(keyboard_minus(both[2]))) if both else item


class ValueMapDecision(Decision):
    """A question answered by a map of value ids and numbers."""

    question: Assign | Allot

    is_comparable = True
    gives_numbers = True

    def targets(self) -> tuple[str, ...]:
        """Return the ids of the values that get a number, with groups expanded."""
        return target_ids(self.question, self.ruleset)

    @abstractmethod
    def number_steps(self, former: Answer) -> NumberSteps:
        """Return the answers one step from a former one, or from the suggestion without one."""

    def by_value(self, answer: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return the numbers of a map by value id; its keys can be ids, labels or names."""
        targets, values = self.targets(), self.ruleset.values

        def named(key: Any) -> Any:
            found = (
                answer_matches(targets, key, lambda id_: (values[id_].label, values[id_].name))
                if isinstance(key, str) and key not in targets
                else []
            )
            return found[0] if len(found) == 1 else key

        return {named(key): number for key, number in map(_without_space, answer.items())}

    def resolve_names(self, answer: Answer) -> Answer:
        """Return an answer by value id, allowed or not."""
        return self.by_value(answer) if isinstance(answer, dict) else answer

    def canonical(self, answer: Answer) -> Answer:
        """Return an allowed answer by value id, in the order of the question."""
        numbers = self.by_value(answer)
        return {name: numbers.get(name, self.left_out()) for name in self.targets()}

    def completed(self, answer: Answer, former: Answer) -> Answer:
        """Return a new answer with the former numbers of the values that it does not name."""
        if not isinstance(former, dict) or not isinstance(answer, dict) or not answer:
            return answer
        kept = {name: former[name] for name in self.targets() if name in former}
        return kept | self.by_value(answer)

    def in_words(self, text: str) -> Answer:
        """Return the numbers of a text such as ``STR 4, Agility d8``."""
        if text == self.answer_text({}):
            return {}
        parts = [WITH_NUMBER.fullmatch(part) for part in text.split(",")]
        if not all(parts):
            return MISSING
        return {part[1]: int(keyboard_minus(part[2])) for part in parts if part}

    def left_out(self) -> int:
        """Return the number of a value that an answer leaves out."""
        return 0

    def not_a_map(self, answer: Answer, what: str) -> Iterator[str]:
        """Yield why an answer is not a map of these values; ``what`` names their numbers."""
        targets = self.targets()
        if not isinstance(answer, dict):
            yield _("enter a number for each of {targets}").format(targets=", ".join(targets))
            return
        for name in self.by_value(answer):
            if name not in targets:
                near = did_you_mean(name, targets) if isinstance(name, str) else ""
                yield _("{name} does not get a {what} here{near}").format(
                    name=shorten(name), what=what, near=near
                )
        if len(self.by_value(answer)) < len(answer):
            yield _("one value appears twice")

    def not_all_numbers(self, answer: Answer, complete: bool) -> Iterator[str]:
        """Yield why an answer is not a map of whole numbers; ``complete`` requires every value."""
        numbers = self.by_value(answer) if isinstance(answer, dict) else {None: None}
        targets, named = set(self.targets()), set(numbers)
        right_targets = named == targets if complete else named <= targets
        if not right_targets or not all(map(is_whole_number, numbers.values())):
            yield _("enter a whole number for each of {targets}").format(
                targets=", ".join(self.ruleset.values[name].label for name in self.targets())
            )

    def number_text(self, name: str, number: Answer) -> str:
        """Return a value with its number: ``Agility d8``."""
        return f"{self.ruleset.values[name].label} {self.figure_text(name, number)}"

    def figure_text(self, name: str, number: Answer) -> str:
        """Return a number of a value with its sign or die: ``d8``."""
        value = self.ruleset.values[name]
        shown = value.number_text(number) if is_whole_number(number) else str(number)
        return f"{value.before}{shown}"

    def step_text(self, before: Mapping[str, int], after: Mapping[str, int]) -> str:
        """Return the numbers that differ: ``AGI 4 → 6, STR 6 → 4``."""
        return ", ".join(
            f"{self.number_text(name, before[name])} → {self.figure_text(name, after[name])}"
            for name in before
            if before[name] != after[name]
        )


def target_ids(question: Assign | Allot | Roll, ruleset: Ruleset) -> tuple[str, ...]:
    """Return the ids of the values that get a number, with groups expanded."""
    return tuple(name for target in question.to for name in ruleset.target_values(target))
