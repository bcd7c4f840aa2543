"""Lists of the wizard without a terminal: their entries, and what the keys do to them.

A list stays on its page until a key leaves it: picking, removing and changing
numbers happen where the entry stands. ``screen`` and ``line_prompts`` show the
same lists.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Any, ClassVar, NamedTuple, Protocol

from charforge.decisions.base import (
    MISSING,
    Answer,
    Checklist,
    MenuItem,
    NumberField,
    NumberFields,
    OptionId,
    OptionMenu,
    TextField,
    WholeAnswer,
)
from charforge.errors import nearest
from charforge.language import N_, _
from charforge.rules.names import name_matches
from charforge.usecases.advise import Advice, Advised, OptionProgress
from charforge.usecases.preview import KeyValue

SELECT, CONTINUE = N_("select"), N_("continue")
DID_YOU_MEAN = N_("Nothing matches. Did you mean:")


class PageCommand(Enum):
    """Entries of a list that are no options of the rules."""

    DONE = auto()


class Leave(NamedTuple):
    """A key leaves the page with this value."""

    value: Any


KeyOutcome = Leave | str  # what a key does: leave the page, or stay with a message (or none)
Describe = Callable[[MenuItem], MenuItem]  # adds the description of an option


class Trial(Protocol):
    """A trial copy of the character: what an answer would change, and the values with it."""

    def lines(self, answer: Any, instead_of: Any = MISSING) -> Sequence[str]:
        """Return in words what an answer changes, instead of another or of none."""
        ...

    def values(self, answer: Any = MISSING) -> tuple[KeyValue, ...]:
        """Return the values of the character with an answer."""
        ...


def not_possible(item: MenuItem) -> str:
    """Return the message that an entry cannot be selected."""
    return _("Not possible: {against}.").format(against=item.against)


def search_items(items: Sequence[MenuItem], text: str) -> tuple[Sequence[MenuItem], bool]:
    """Return the entries with all words of a text, else the one with the name most like it.

    The second value says that the text was corrected.
    """
    words = text.casefold().split()
    found = [item for item in items if all(word in _searched_text(item) for word in words)]
    if found:
        return found, False
    near = name_matches(items, text, lambda item: (item.label,))
    name = nearest(text.strip(), (item.label for item in items))
    corrected = near or [item for item in items if item.label == name][:1]
    return corrected, bool(corrected)


def _searched_text(item: MenuItem) -> str:
    """Return the texts of an entry in which words are searched."""
    cells = " ".join(text for _title, text in item.cells)
    return f"{item.label} {item.group} {item.search} {cells} {item.about}".casefold()


class ListPage:
    """A list of which one entry is selected; the other lists extend it.

    ``start`` is the value of the entry to point at first. The page keeps the
    entry that was pointed at last, the search and the filter, so that a list
    looks the same after another page was shown.
    """

    spaced_search: ClassVar[bool] = True  # whether Space belongs to the text of a search

    def __init__(
        self, items: Sequence[MenuItem], start: Any = None, status: tuple[str, ...] = ()
    ) -> None:
        self._entries = list(items)
        self._status = status
        self._described: dict[OptionId, MenuItem] = {}
        self.describe: Describe = lambda item: item
        self.trial: Trial | None = None
        # Compares the options, if possible.
        self.advice: Callable[[OptionProgress], Advice] | None = None
        self.former: Answer = MISSING
        self.pointed_value = start
        self.search_text = ""
        self.available_only = False

    def items(self) -> list[MenuItem]:
        """Return the present entries, those of options with their description."""
        return [self._with_description(item) for item in self.entries()]

    def entries(self) -> Iterable[MenuItem]:
        """Return the present entries without the descriptions of options."""
        return self._entries

    def status(self) -> tuple[str, ...]:
        """Return the progress in words."""
        return self._status

    def enter(self, item: MenuItem) -> KeyOutcome:
        """Select an entry."""
        return not_possible(item) if item.against else Leave(item.value)

    def space(self, item: MenuItem) -> KeyOutcome:
        """Pick or remove an entry of a checklist."""
        return self.enter(item)

    def step(self, _item: MenuItem, _up: bool) -> KeyOutcome:
        """Raise or lower the number of an entry."""
        return ""

    def digit(self, _item: MenuItem, _typed: str) -> KeyOutcome:
        """Type a digit of the number of an entry."""
        return ""

    def number(self, _item: MenuItem, _typed: str) -> KeyOutcome:
        """Set the number of an entry to a whole number that was typed."""
        return ""

    def text(self, answer: Answer) -> KeyOutcome:
        """Accept what was typed into the text field of an entry."""
        return Leave(answer)

    def keys(self, _item: MenuItem | None) -> tuple[str, ...]:
        """Return what the special keys do to an entry, for the line of keys."""
        return (_("Enter {action}").format(action=_(SELECT)),)

    def is_complete(self) -> bool:
        """Return whether the list can be left as it is, without selecting an entry."""
        return False

    def present_answer(self) -> Answer:
        """Return the answer that the page makes now; MISSING if it makes none yet."""
        return self.former

    def begun_answer(self) -> Answer:
        """Return what there is of an answer, perhaps not complete."""
        return self.present_answer()

    def take_advice(self, advised: Advised) -> None:
        """Point at the entry of an option that was compared."""
        for item in self.entries():
            option = getattr(item.value, "id", item.value)
            if str(option) == advised.id or self.answer_with(item) == advised.answer:
                self.pointed_value = item.value

    def answer_with(self, item: MenuItem) -> Answer:
        """Return the answer that selecting an entry would make; MISSING if it makes none."""
        if isinstance(item.value, WholeAnswer):
            return MISSING if item.value.secret else item.value.answer
        return MISSING if item.option is None else item.value

    def changes(self, item: MenuItem) -> Sequence[str]:
        """Return what selecting an entry would change, in words."""
        answer = self.answer_with(item)
        if self.trial is None or answer is MISSING or (item.against and not item.picked):
            return ()
        if item.picked:  # what it has changed already
            return self.trial.lines(self.present_answer(), answer)
        return self.trial.lines(answer, self.present_answer())

    def values(self) -> tuple[KeyValue, ...]:
        """Return the values of the character as the page stands now."""
        return self.trial.values(self.present_answer()) if self.trial is not None else ()

    def _with_description(self, item: MenuItem) -> MenuItem:
        if item.option is None:
            return item
        if item.option.id not in self._described:
            self._described[item.option.id] = self.describe(item)
        known = self._described[item.option.id]
        return item._replace(about=known.about, cells=known.cells, recommended=known.recommended)


class _EditedPage(ListPage, ABC):
    """A list that is changed on its page, with Done always visible above it."""

    def items(self) -> list[MenuItem]:
        """Return Done, with what is still missing, and the entries."""
        missing = "; ".join(self.missing())
        done = MenuItem(PageCommand.DONE, _("Done"), against=missing, pinned=True)
        return [done, *super().items()]

    @abstractmethod
    def missing(self) -> Sequence[str]:
        """Return what is still to do before the page is complete."""

    @abstractmethod
    def answer(self) -> Answer:
        """Return the answer that the page makes now."""

    def is_complete(self) -> bool:
        """Return whether nothing is missing."""
        return not self.missing()

    def present_answer(self) -> Answer:
        """Return the answer that the page makes now."""
        return self.answer()

    def finish(self) -> KeyOutcome:
        """Leave the page with its answer, or say what is missing."""
        missing = "; ".join(self.missing())
        return (
            _("Not done yet: {missing}.").format(missing=missing)
            if missing
            else Leave(self.answer())
        )


class ChecklistPage(_EditedPage):
    """A list from which several entries are picked; it cannot be overfilled."""

    spaced_search = False

    def __init__(self, checklist: Checklist) -> None:
        super().__init__(())
        self.checklist = checklist
        self.picked = list(checklist.start)
        nothing = not any(map(self._can_pick, self.entries()))
        if self.is_complete() and (checklist.answered or nothing):
            self.pointed_value = PageCommand.DONE

    def entries(self) -> Iterator[MenuItem]:
        """Yield the options, each with how often it is picked."""
        yield from self.checklist.items(self.picked)

    def status(self) -> tuple[str, ...]:
        """Return how much is picked."""
        return self.checklist.status(self.picked)

    def missing(self) -> Sequence[str]:
        """Return what is still to be picked."""
        return self.checklist.missing(self.picked)

    def answer(self) -> Answer:
        """Return the picked options."""
        return list(self.picked)

    def enter(self, item: MenuItem) -> KeyOutcome:
        """Pick an entry; on one that is picked already, continue if the list is complete."""
        if item.value is PageCommand.DONE or item.picked:
            return self.finish()
        return self._pick(item) if self._can_pick(item) else not_possible(item)

    def space(self, item: MenuItem) -> KeyOutcome:
        """Remove an entry that is picked, or pick it."""
        if item.value is PageCommand.DONE:
            return self.finish()
        if item.picked:
            return self._remove(item)
        return self._pick(item) if self._can_pick(item) else not_possible(item)

    def step(self, item: MenuItem, up: bool) -> KeyOutcome:
        """Pick an entry once more, or once less."""
        if up:
            if self._can_pick(item):
                return self._pick(item)
            return not_possible(item) if item.against else ""
        return self._remove(item) if item.picked else ""

    def take_advice(self, advised: Advised) -> None:
        """Point at the entry that was compared; dice that were compared together are picked."""
        if advised.scores:
            self.picked = list(advised.answer)
            self.pointed_value = PageCommand.DONE
        else:
            super().take_advice(advised)

    def text(self, answer: Answer) -> KeyOutcome:
        """Pick an option in the player's own words."""
        self.picked.append(answer)
        return ""

    def answer_with(self, item: MenuItem) -> Answer:
        """Return the list with an entry added, or without one that is picked."""
        if item.value is PageCommand.DONE or isinstance(item.value, TextField):
            return MISSING
        if item.picked:
            return self._without(item)
        return [*self.picked, item.value] if self._can_pick(item) else MISSING

    def keys(self, item: MenuItem | None) -> tuple[str, ...]:
        """Return what Space and Enter do now."""
        if item is None:
            return ()
        can_continue = _("Enter {action}").format(action=_(CONTINUE)) if self.is_complete() else ""
        if item.value is PageCommand.DONE:
            return (can_continue,)
        if not item.picked:
            return (_("Space or Enter pick") if self._can_pick(item) else "",)
        return (_("Space remove"), _("+ once more") if self._can_pick(item) else "", can_continue)

    def _can_pick(self, item: MenuItem) -> bool:
        return item.picked is not None and not item.against and (not item.picked or item.again)

    def _pick(self, item: MenuItem) -> KeyOutcome:
        if isinstance(item.value, TextField):
            return Leave(item.value)
        self.picked.append(item.value)
        return ""

    def _remove(self, item: MenuItem) -> str:
        """Remove an entry, and those that are not allowed without it."""
        lost = list(self.picked)
        lost.remove(item.value)
        self.picked = self._without(item)
        for kept in self.picked:
            lost.remove(kept)
        also = ", ".join(map(self.checklist.label, lost))
        return (
            _("Also removed, because it depends on {label}: {also}.").format(
                label=item.label, also=also
            )
            if also
            else ""
        )

    def _without(self, item: MenuItem) -> list[Answer]:
        """Return what stays picked without an entry, of several alike the last."""
        at = len(self.picked) - 1 - self.picked[::-1].index(item.value)
        return list(self.checklist.remaining(self.picked[:at] + self.picked[at + 1 :]))


class NumberPage(_EditedPage):
    """Several numbers, changed where they stand until they are right together."""

    def __init__(self, widget: NumberFields) -> None:
        super().__init__(())
        self.widget = widget
        self.numbers = dict(widget.start)
        self._typed: tuple[Any, str] = (None, "")  # a field, and the digits typed into it
        first = widget.fields[0].id if widget.fields else PageCommand.DONE
        self.pointed_value = PageCommand.DONE if widget.answered else first

    def entries(self) -> Iterator[MenuItem]:
        """Yield the suggestions, then each number."""
        yield from self.widget.suggestions
        for field in self.widget.fields:
            number = self.numbers.get(field.id)
            shown = "–" if number is None else str(number)
            yield MenuItem(
                field.id, field.title, shown, field.about,
                recommended=field.recommended, is_number=True,
            )  # fmt: skip

    def status(self) -> tuple[str, ...]:
        """Return what is left to give."""
        return (self.widget.status(self.numbers),)

    def missing(self) -> Sequence[str]:
        """Return what is wrong with the numbers together."""
        return self.widget.missing(self.numbers)

    def answer(self) -> Answer:
        """Return the numbers by field."""
        return self.widget.answer(self.numbers)

    def enter(self, item: MenuItem) -> KeyOutcome:
        """Continue if all is right; otherwise go to the next number, or give a missing one."""
        if isinstance(item.value, WholeAnswer):
            self.numbers = dict(item.value.answer)
            self.pointed_value = PageCommand.DONE
            return ""
        if item.is_number and self._lacks(item):
            return self.space(item)
        if item.value is PageCommand.DONE or self.is_complete():
            return self.finish()
        ids = [field.id for field in self.widget.fields]
        self.pointed_value = (*ids, PageCommand.DONE)[ids.index(item.value) + 1]
        return ""

    def space(self, item: MenuItem) -> KeyOutcome:
        """Give a field the highest number left, or take its number away."""
        if not item.is_number:
            return self.enter(item)
        if not self.widget.clearable:
            return self.step(item, True)
        if self.numbers.pop(item.value, None) is None:
            allowed = self.widget.allowed(self.numbers, item.value)
            if not allowed:
                return _("Nothing is left for {label}.").format(label=item.label)
            self.numbers[item.value] = allowed[-1]
        return ""

    def step(self, item: MenuItem, up: bool) -> KeyOutcome:
        """Change a number to the next one that is allowed."""
        if not item.is_number:
            return ""
        allowed, now = self.widget.allowed(self.numbers, item.value), self.numbers.get(item.value)
        if now is None:
            return self._set(item, allowed[0 if up else -1]) if allowed else ""
        beyond = [n for n in allowed if (n > now if up else n < now)]
        if not beyond:
            refusal = _("{label} cannot go higher.") if up else _("{label} cannot go lower.")
            return refusal.format(label=item.label)
        return self._set(item, beyond[0] if up else beyond[-1])

    def digit(self, item: MenuItem, typed: str) -> KeyOutcome:
        """Set a number by its digits, one after another."""
        if not item.is_number:
            return ""
        field, before = self._typed
        allowed = self.widget.allowed(self.numbers, item.value)
        for digits in dict.fromkeys((before + typed if field == item.value else typed, typed)):
            if int(digits) in allowed:
                self.numbers[item.value] = int(digits)
                self._typed = (item.value, digits)
                return ""
            if any(str(number).startswith(digits) for number in allowed):
                self._typed = (item.value, digits)
                return f"{item.label}: {digits}…"
        return self._refused(item)

    def number(self, item: MenuItem, typed: str) -> KeyOutcome:
        """Set a number to one that was typed."""
        known = typed.isdecimal() and len(typed) < 10
        if known and int(typed) in self.widget.allowed(self.numbers, item.value):
            return self._set(item, int(typed))
        return self._refused(item)

    def answer_with(self, item: MenuItem) -> Answer:
        """Return the answer that the numbers make now, or that of a suggestion."""
        if isinstance(item.value, WholeAnswer):
            return item.value.answer
        return self.present_answer()

    def present_answer(self) -> Answer:
        """Return the answer that the numbers make, if they are right together."""
        return self.answer() if self.is_complete() else MISSING

    def begun_answer(self) -> Answer:
        """Return the numbers so far."""
        return self.numbers

    def take_advice(self, advised: Advised) -> None:
        """Take over the numbers that were compared."""
        self.numbers = dict(advised.answer)

    def changes(self, item: MenuItem) -> Sequence[str]:
        """Return what a suggestion changes; what numbers change, the character shows."""
        answer = MISSING if item.is_number else self.answer_with(item)
        return () if answer is MISSING or self.trial is None else self.trial.lines(answer)

    def keys(self, item: MenuItem | None) -> tuple[str, ...]:
        """Return what the keys do to a number."""
        if item is None:
            return ()
        if item.value is PageCommand.DONE:
            return (_("Enter {action}").format(action=_(CONTINUE)) if self.is_complete() else "",)
        if not item.is_number:
            return (_("Enter {action}").format(action=_(SELECT)),)
        return (
            _("type a number"),
            _("←→ change"),
            _("Enter {action}").format(action=self._enter_key(item)),
        )

    def field(self, item: MenuItem) -> NumberField:
        """Return the field of an entry."""
        return next(field for field in self.widget.fields if field.id == item.value)

    def _enter_key(self, item: MenuItem) -> str:
        if self._lacks(item):
            return _("give {allowed}").format(
                allowed=self.widget.allowed(self.numbers, item.value)[-1]
            )
        return _(CONTINUE) if self.is_complete() else _("next")

    def _lacks(self, item: MenuItem) -> bool:
        """Return whether a field has no number yet and needs the player to choose one."""
        return item.value not in self.numbers and not self.is_complete()

    def _set(self, item: MenuItem, number: int) -> KeyOutcome:
        self._typed = (None, "")
        self.numbers[item.value] = number
        return ""

    def _refused(self, item: MenuItem) -> str:
        self._typed = (None, "")
        return f"{item.label}: {self.widget.bounds}."


def page_of(widget: OptionMenu | Checklist | NumberFields) -> ListPage:
    """Return the list of a widget."""
    if isinstance(widget, OptionMenu):
        return ListPage(widget.items, widget.start, widget.status)
    if isinstance(widget, Checklist):
        return ChecklistPage(widget)
    return NumberPage(widget)
