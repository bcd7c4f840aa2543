"""Forms of a player's page: what they ask for, and what a page has sent, read with care.

The fields of a form are texts. ``unit`` is the unit that acts, ``in.NAME`` an input, ``dice.ROLL``
the dice rolled at the table, ``thrown.ROLL`` those rolled before a question, ``answers`` the
numbers chosen so far. Whatever a client sends, ids are looked up only in what the character has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from charforge.character.files.events import LONGEST_NOTE, Override
from charforge.character.state import CHARACTER, Holding, State, Unit
from charforge.errors import ProcedureError, RuleRefusal, UsageError
from charforge.expressions.formula import SHARED
from charforge.expressions.template import Prose
from charforge.language import _
from charforge.limits import LARGEST_AMOUNT
from charforge.procedures import abilities
from charforge.procedures.abilities import Ability
from charforge.procedures.context import StepMessage, choose_suggested
from charforge.procedures.inputs import DiceSource, read_faces, read_whole
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import ChooseStep, Entity, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.sheet import view
from charforge.sheet.build import build
from charforge.sheet.phrases import counted_name, plain
from charforge.verbs import manual_changes, play
from charforge.verbs.change import ResultLine
from charforge.verbs.typed_inputs import TypedInputs

INPUT, DICE, THROWN = "in.", "dice.", "thrown."  # before the name of an input or a roll
ANSWERS = "answers"  # the numbers chosen on the way so far
OVERRIDE, GRANTED, UNTRAINED, HOLD_FIRST, LIFT = "override", "granted", "untrained", "hold", "lift"
PERMISSIONS = (OVERRIDE, GRANTED, UNTRAINED, LIFT)  # they stay while a form asks for more
MOST_ACTION_FIELDS = 100  # of a form of one character
LONGEST_ACTION_FIELD = 300  # letters
LONGEST_OF_TYPE = {"text": LONGEST_NOTE}  # of the fields that may have more
OVERRIDDEN_BY = "GM"  # whose permission it is, as --override "GM: …" has it


class Tap(NamedTuple):
    """A button: the action that it runs, or whose form it opens, with the fields that it sends."""

    action: str
    label: str
    fields: Mapping[str, str]
    opens_form: bool = False
    # Whether it is a permission of the game master.
    permission: bool = False


class PageField(NamedTuple):
    """A field of a form: a number, select, check, text, long text, or dice.

    ``value`` is what it has at first, ``usual`` what is taken if it is left empty. ``options`` are
    values with their labels. ``error`` says what is wrong with what was typed.
    """

    name: str
    label: str
    type: str = "number"
    value: str = ""
    usual: str = ""
    options: tuple[tuple[str, str], ...] = ()
    low: int | None = None
    high: int | None = None
    required: bool = False
    help: str = ""
    error: str = ""
    longest: int = LONGEST_ACTION_FIELD


class ActionForm(NamedTuple):
    """The form of an action: its fields, or what keeps it from being done.

    ``facts`` and ``text`` explain it, ``steps`` are those before a question. ``fields`` are always
    shown, ``more`` and ``dice`` on demand; ``hidden`` are sent along. ``submits`` are the buttons
    that send it, ``taps`` others, such as the permissions that would lift a refusal. ``why`` are
    lines that explain a number, ``chapters`` what a sheet says in words.
    """

    name: str
    title: str
    unit: str = CHARACTER
    facts: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    text: Prose = ()
    steps: tuple[ResultLine, ...] = ()
    message: str = ""
    fields: tuple[PageField, ...] = ()
    more: tuple[PageField, ...] = ()
    dice: tuple[PageField, ...] = ()
    hidden: Mapping[str, str] = {}
    submits: tuple[tuple[str, str], ...] = ()
    taps: tuple[Tap, ...] = ()
    has_odds: bool = False
    why: tuple[str, ...] = ()
    chapters: tuple[FeatureChapter, ...] = ()

    @property
    def all_fields(self) -> tuple[PageField, ...]:
        """All fields that are shown."""
        return (*self.fields, *self.more, *self.dice)

    @property
    def wrong_dice(self) -> bool:
        """Whether something is wrong with dice that were typed."""
        return any(field.error or field.value for field in self.dice)

    @property
    def wrong_more(self) -> bool:
        """Whether a field that is shown on demand has something typed or wrong."""
        return any(field.error or field.value for field in self.more)

    def with_problems(self, problems: Mapping[str, str]) -> ActionForm:
        """Return the form with what is wrong, beside the field or, without one, above them all."""
        told: set[str] = set()

        def marked(fields: Iterable[PageField]) -> Iterator[PageField]:
            for field in fields:
                names = [field.name, field.name.partition(".")[2]]
                found = next((name for name in names if name in problems), None)
                told.update([] if found is None else [found])
                yield field if found is None else field._replace(error=problems[found])

        form = self._replace(
            fields=tuple(marked(self.fields)), more=tuple(marked(self.more)),
            dice=tuple(marked(self.dice)),
        )  # fmt: skip
        rest = dict.fromkeys(why for name, why in problems.items() if name not in told)
        return form._replace(message="; ".join(rest) or _("Something is missing or wrong."))


class UnansweredStep(Exception):
    """A rule asks for a number, and the form does not have it: its bounds, the steps so far."""

    def __init__(
        self, step: ChooseStep, low: int, high: int, suggested: int, steps: Sequence[StepMessage]
    ) -> None:
        super().__init__(step.label)
        self.step, self.low, self.high, self.suggested = step, low, high, suggested
        self.steps = tuple(steps)


def yes_or_no() -> tuple[tuple[str, str], ...]:
    """Return the options of a question with yes and no."""
    return ("1", _("yes")), ("0", _("no"))


def gone() -> RuleRefusal:
    """Return the error of something that a page names and the character does not have."""
    return RuleRefusal(_("you no longer have that"))


def refuse_long_text(text: str, most: int) -> None:
    """Raise UsageError for a text with more characters than ``most``."""
    if len(text) > most:
        raise UsageError(
            _("a text has {count} characters; the limit is {most}").format(
                count=len(text), most=most
            )
        )


class FormFields:
    """The fields that a page has sent: texts, ticks and whole numbers, read on demand."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields

    def text(self, name: str) -> str:
        """Return a field without spaces around it; empty if it is not there."""
        return self.fields.get(name, "").strip()

    def flag(self, name: str) -> bool:
        """Return whether a box is ticked."""
        return self.text(name) not in ("", "0")

    def number(self, name: str, usual: int | None = None) -> int | None:
        """Return a whole number, or ``usual`` for an empty field. Raises UsageError."""
        text = self.text(name)
        try:
            return read_whole(text) if text else usual
        except ValueError as error:
            raise UsageError(str(error)) from None


class SentForm(FormFields):
    """A form that a page has sent, with its character.

    ``at`` is the time of day. With ``suggested``, the numbers that a rule asks for are the
    suggested ones.
    """

    def __init__(
        self,
        opened: LoadedCharacter,
        fields: Mapping[str, str],
        at: str = "",
        suggested: bool = False,
    ) -> None:
        _refuse_size(fields)
        super().__init__(fields)
        self.opened, self.at = opened, at
        self._suggested = suggested
        self._dice: list[DiceSource] = []
        try:
            self._answers = list(read_faces(self.text(ANSWERS)))
        except ValueError as error:
            raise UsageError(str(error)) from None

    @property
    def state(self) -> State:
        """The state of the character."""
        return self.opened.character.state

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the character."""
        return self.opened.ruleset

    # ------------------------------------------------------------------ plain fields

    def amount(self) -> int:
        """Return the amount. Raises ProcedureError without one, or for one that is not possible."""
        try:
            amount = self.number("amount")
        except UsageError as error:
            raise ProcedureError(_("Amount"), [("amount", error.reason)]) from None
        if amount is None or not 1 <= amount <= LARGEST_AMOUNT:
            reason = _("the amount must be at least 1")
            raise ProcedureError(_("Amount"), [("amount", reason)])
        return amount

    def override(self) -> Override | None:
        """Return what the game master allows, and why; None if nothing."""
        reason = self.text(OVERRIDE)
        if not reason:
            return None
        manual_changes.refuse_unprintable(reason)
        return Override(by=OVERRIDDEN_BY, reason=reason)

    # ------------------------------------------------------------------ what the character has

    @property
    def unit(self) -> Unit:
        """The unit that acts. Raises RuleRefusal if there is no such unit any more."""
        name = self.text("unit") or CHARACTER
        if not self.state.has_unit(name):
            raise gone()
        return self.state.unit(name)

    @property
    def unit_name(self) -> str | None:
        """The id of the unit for a verb; None for the character, with whom others may act."""
        unit = self.unit
        return None if unit.id == CHARACTER else unit.id

    def ability(self) -> Ability:
        """Return the ability that the form is about. Raises RuleRefusal."""
        source, key = self.text("source"), self.text("key")
        found = abilities.ability_of(self.state, self.unit.id, source, key)
        if found is None:
            raise gone()
        return found

    def rule(self) -> Procedure:
        """Return the rule that the form is about. Raises RuleRefusal."""
        rule = self.ruleset.procedures.get(self.text("rule"))
        if rule is None:
            raise gone()
        return rule

    def item(self) -> Holding:
        """Return the piece of gear that the form is about. Raises RuleRefusal."""
        holding = self.state.holding(self.text("item"))
        if holding is None or holding.entity.kind not in self.ruleset.head.gear.kinds:
            raise gone()
        return holding

    def condition(self, name: str) -> Entity:
        """Return the condition with an id. Raises RuleRefusal for one that nobody can set."""
        for entity in self.ruleset.conditions:
            if entity.id == name and entity.active_when is None:
                return entity
        raise RuleRefusal(_("there is no such condition"))

    def resource(self) -> str:
        """Return the id of a resource of the unit or the group, or of a counter.

        Raises RuleRefusal.
        """
        name, shared = self.text("what"), self.state.shared
        if shared is not None and name.startswith(SHARED):
            if name.removeprefix(SHARED) not in shared.bounds:
                raise gone()
            return name
        computed = self.unit.type.values.get(name)
        if computed is not None and computed.resource:
            return name
        return self.condition(name).id

    def check(self) -> tuple[str, Procedure]:
        """Return what is rolled, and the rule of checks. Raises RuleRefusal."""
        what, procedure = self.text("what"), check_rule(self.ruleset)
        if procedure is None or what not in checkable(self.state, self.unit.id):
            raise gone()
        return what, procedure

    # ------------------------------------------------------------------ inputs, dice, numbers

    def typed(self, *without: str) -> TypedInputs:
        """Return the inputs and dice of the form, ``without`` inputs that a verb takes itself.

        Raises ProcedureError for dice that cannot be read.
        """
        words: dict[str, str] = {}
        dice: dict[str, tuple[int, ...]] = {}
        for field, text in self.fields.items():
            sort, dot, name = field.partition(".")
            if not text.strip() or name in without:
                continue
            if sort + dot in (INPUT, DICE):
                words[name] = text.strip()
            elif sort + dot == THROWN:
                try:
                    dice[name] = read_faces(text)
                except ValueError as error:
                    raise ProcedureError(name, [(name, str(error))]) from None
        choose = choose_suggested if self._suggested else self._choose
        self._dice = []
        return TypedInputs(words, dice, choose=choose, new_dice=self._new_dice)

    def _new_dice(self, seed: str, place: str, faces: Mapping[str, Sequence[int]]) -> DiceSource:
        """Return the dice of a rule, which are kept in case it asks for a number on the way."""
        self._dice.append(DiceSource(seed, place, faces))
        return self._dice[-1]

    def _choose(
        self,
        step: ChooseStep,
        low: int,
        high: int,
        suggested: int,
        steps: Sequence[StepMessage] = (),
    ) -> int:
        """Return the next number that was chosen. Raises UnansweredStep if there is none yet."""
        if not self._answers:
            raise UnansweredStep(step, low, high, suggested, steps)
        number = self._answers.pop(0)
        if not low <= number <= high:
            reason = _("please enter a number from {low} to {high}").format(low=low, high=high)
            raise ProcedureError(step.label, [(ANSWERS, reason)])
        return number

    def thrown(self) -> dict[str, list[int]]:
        """Return all dice rolled so far by roll, and those typed that were not rolled yet."""
        faces: dict[str, list[int]] = {}
        for dice in self._dice:
            for name, rolled in dice.thrown.items():
                faces.setdefault(name.casefold(), []).extend(rolled)
        for name, left in self._dice[-1].unused.items() if self._dice else ():
            faces.setdefault(name, []).extend(left)
        return {name: rolled for name, rolled in faces.items() if rolled}


def _refuse_size(fields: Mapping[str, str]) -> None:
    """Raise UsageError for a form with more fields, or longer ones, than any page sends."""
    if len(fields) > MOST_ACTION_FIELDS:
        raise UsageError(_("the form has too many fields"))
    for name, text in fields.items():
        refuse_long_text(max(name, text, key=len), LONGEST_OF_TYPE.get(name, LONGEST_ACTION_FIELD))


def check_rule(ruleset: Ruleset) -> Procedure | None:
    """Return the rule of checks; None in a game without one."""
    return ruleset.procedures.get(ruleset.head.play.check or "")


def checkable(state: State, unit: str) -> tuple[str, ...]:
    """Return the names of everything that a unit can roll a check of."""
    procedure = check_rule(state.ruleset)
    return () if procedure is None else tuple(play.checkable_names(state, procedure, unit))


# ------------------------------------------------------------------ chapters


class Feature(NamedTuple):
    """Something that can be read of a unit: its name, short facts, and texts with their titles."""

    name: str
    facts: tuple[str, ...] = ()
    texts: tuple[tuple[str, Prose], ...] = ()


class FeatureChapter(NamedTuple):
    """Features under a title."""

    title: str
    features: tuple[Feature, ...]


def chapters(opened: LoadedCharacter, unit: str) -> tuple[FeatureChapter, ...]:
    """Return what the sheet of the character has of a unit, with everything that has a text."""
    sheet = build(opened.character)
    panel = next((one for one in sheet.units if one.id == unit), None)
    parts = _of_character(sheet) if panel is None else _of_unit(panel, sheet)
    found = (FeatureChapter(title, tuple(features)) for title, features in parts)
    return tuple(chapter for chapter in found if chapter.features)


def _of_character(sheet: view.SheetView) -> Iterator[tuple[str, Iterable[Feature]]]:
    yield "", (_headline(one) for one in sheet.headline if one.text or one.facts)
    yield sheet.cards_label or _("Your abilities"), map(_card, sheet.cards)
    yield sheet.items_label or _("Gear"), map(_item, sheet.items)
    yield sheet.training_label, map(_entry, sheet.training)
    yield _("Story"), (_story(part) for part in sheet.story if part.answers)
    yield _("Tables"), (*map(_list, sheet.lists), *map(_chart, sheet.charts))
    yield _("Allowed"), (Feature(fact.label, (fact.text,)) for fact in sheet.allowed)
    yield _("Table rules"), (Feature(fact.label, (fact.text,)) for fact in sheet.table_rules)
    yield sheet.actions_label, map(_entry, sheet.actions)
    yield _("Conditions"), map(_entry, sheet.conditions)
    yield _("Rules"), map(_entry, sheet.reference)


def _of_unit(
    panel: view.UnitPanel, sheet: view.SheetView
) -> Iterator[tuple[str, Iterable[Feature]]]:
    facts = tuple(f"{fact.label} {fact.text}" for fact in panel.facts)
    if panel.text or facts:
        yield "", (Feature(panel.kind or panel.name, facts, _titled(panel.text)),)
    yield sheet.cards_label or _("Your abilities"), map(_card, panel.cards)


def _titled(text: Prose, title: str = "") -> tuple[tuple[str, Prose], ...]:
    return ((title, text),) if text else ()


def _headline(one: view.Headline) -> Feature:
    facts = tuple(f"{fact.label} {fact.text}" for fact in one.facts)
    return Feature(f"{one.kind}: {one.name}", facts, _titled(one.text))


def _card(card: view.Card) -> Feature:
    facts = (*card.subtitle, *map(_capacity, card.capacities))
    return Feature(card.name, facts, (*_titled(card.text.full), *_actions(card.actions)))


def _item(item: view.Item) -> Feature:
    facts = filter(None, (item.category, *item.facts, *map(_capacity, item.capacities)))
    return Feature(
        counted_name(item), tuple(facts), (*_titled(item.text.full), *_actions(item.actions))
    )


def _capacity(capacity: view.SheetCapacity) -> str:
    return f"{capacity.label} {capacity.left}/{capacity.max * capacity.pieces}"


def _entry(entry: view.Entry) -> Feature:
    return Feature(entry.name, (), (*_titled(entry.text.full), *_actions(entry.actions)))


def _actions(actions: Iterable[view.SheetAction]) -> Iterator[tuple[str, Prose]]:
    """Yield what each action does, after its name, timing and terms."""
    for action in actions:
        terms = [action.name, action.label, *(chip.text for chip in action.chips)]
        title = " · ".join(dict.fromkeys(map(plain, filter(None, (*terms, *action.unmet)))))
        yield title, (*action.trigger, *action.text.full)


def _story(part: view.StoryPart) -> Feature:
    return Feature(part.label, (), tuple((answer.name, answer.text) for answer in part.answers))


def _list(one: view.ViewList) -> Feature:
    rows = (" · ".join(filter(None, (row.name, *(c.text for c in row.cells), row.note)))
            for row in one.rows)  # fmt: skip
    return Feature(one.label, tuple(rows))


def _chart(chart: view.SheetChart) -> Feature:
    return Feature(chart.label, tuple(map(partial(_row, chart), chart.rows)), _titled(chart.text))


def _row(chart: view.SheetChart, row: view.SheetChartRow) -> str:
    cells = zip(chart.columns, row.cells, strict=True)
    return f"{row.heading}: " + ", ".join(f"{column} {cell}".strip() for column, cell in cells)
