"""A form that the game master has sent, read with care, and the result of a change.

What a client sends is only looked up among the seats, units, foes and places that there are, and
is not longer than a page allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from charforge.character.state import CHARACTER
from charforge.describe.differences import difference_lines, differences_in_play
from charforge.errors import (
    CharforgeError,
    ProcedureError,
    ReasonError,
    RuleRefusal,
    UnknownId,
    UsageError,
)
from charforge.language import _
from charforge.procedures.inputs import read_faces
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Procedure
from charforge.rules.names import name_key
from charforge.serve.forms import INPUT, FormFields, refuse_long_text
from charforge.serve.table import Table
from charforge.serve.table_state import Foe, TableStore, TurnPlace
from charforge.verbs import manual_changes
from charforge.verbs.change import PlayResult
from charforge.verbs.typed_inputs import TypedInputs

AMOUNT_INPUT = "amount"  # the input that the form of every rule for damage and healing has
LONGEST_NAME, LONGEST_NOTES = 80, 500  # letters
MOST_FIGURES = 12  # of one place
Verb = Callable[[LoadedCharacter, str], PlayResult]  # for a unit of a character


class TableResult(NamedTuple):
    """The result of a change: its lines, the seats that it changed, and what was refused.

    ``offers`` is the action that takes back what it changed at the table itself, if it did.
    """

    lines: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    offers: str = ""

    def followed_by(self, *others: TableResult) -> TableResult:
        """Return this result with what others did after it."""
        results = (self, *others)
        return self._replace(
            lines=tuple(line for result in results for line in result.lines),
            changed=tuple(dict.fromkeys(seat for result in results for seat in result.changed)),
            refused=tuple(reason for result in results for reason in result.refused),
        )


class TableForm(FormFields):
    """A form that the game master has sent; its fields are read on demand, with their limits."""

    def __init__(
        self, table: Table, store: TableStore, fields: Mapping[str, str | list[str]], at: str
    ) -> None:
        self.table, self.store, self.at = table, store, at
        self._all = {n: [v] if isinstance(v, str) else list(v) for n, v in fields.items()}
        super().__init__({name: values[-1] for name, values in self._all.items() if values})

    def all(self, name: str) -> list[str]:
        """Return all values of a field."""
        return self._all.get(name, [])

    def text(self, name: str, most: int = LONGEST_NAME) -> str:
        """Return a text of one line. Raises UsageError for a long one."""
        text = super().text(name)
        refuse_long_text(text, most)
        manual_changes.refuse_unprintable(text)
        return text

    def number(self, name: str, usual: int | None = None) -> int | None:
        """Return a whole number from 1, or ``usual`` for an empty field. Raises UsageError."""
        number = super().number(name, usual)
        if number is not None and number < 1:
            raise UsageError(_("please enter an amount of at least 1"))
        return number

    def amount(self) -> int:
        """Return the amount. Raises UsageError without one."""
        amount = self.number("amount")
        if amount is None:
            raise UsageError(_("please enter an amount of at least 1"))
        return amount

    def figures(self, name: str) -> tuple[int, ...]:
        """Return a list of numbers, such as ``1,2,0``. Raises UsageError."""
        try:
            figures = read_faces(self.text(name))
        except ValueError as error:
            raise UsageError(str(error)) from None
        if len(figures) > MOST_FIGURES:
            raise UsageError(_("at most {most} numbers").format(most=MOST_FIGURES))
        return figures

    def inputs(self, rule: Procedure) -> TypedInputs:
        """Return the inputs of a rule that are filled in, without those of other games."""
        names = (one.id for one in rule.inputs if one.id != AMOUNT_INPUT)
        words = {name: self.text(INPUT + name) for name in names}
        return TypedInputs({name: text for name, text in words.items() if text})

    def foe(self) -> Foe:
        """Return the foe that a form is about. Raises RuleRefusal."""
        foe = self.store.state.foe(self.text("foe"))
        if foe is None:
            raise RuleRefusal(_("there is no such foe any more"))
        return foe

    def place(self) -> TurnPlace:
        """Return the place in the order of turns that a form is about. Raises RuleRefusal."""
        key = self.text("place")
        for place in self.store.state.turns.places:
            if place.id == key:
                return place
        raise RuleRefusal(_("there is no such place any more"))

    def units(self) -> list[tuple[str, str]]:
        """Return the seats and units that are ticked. Raises UsageError for none."""
        keys = list(self.table.seats) if self.flag("everyone") else self.all("who")
        chosen = [tuple(key.partition(".")[::2]) for key in dict.fromkeys(keys)]
        units = [(seat, unit or CHARACTER) for seat, unit in chosen if seat in self.table.seats]
        if not units:
            raise UsageError(_("choose at least one character"))
        return units


def change_unit(table: Table, seat: str, unit: str, verb: Verb) -> TableResult:
    """Change a unit of a character, and return what happened, or why nothing did."""
    befores: list[LoadedCharacter] = []

    def act(opened: LoadedCharacter) -> PlayResult:
        befores.append(opened)
        if not opened.character.state.has_unit(unit):
            raise RuleRefusal(_("there is no such unit any more"))
        return verb(opened, unit)

    try:
        result = table.change(seat, act)
    except CharforgeError as error:
        who = _who(table, befores, seat, unit)
        return TableResult(refused=(f"{who}: {refusal_reason(error)}",))
    who = _who(table, befores, seat, unit)
    texts = [line.text for line in result.lines]
    if not texts:
        differences = differences_in_play(befores[-1].character.state, result.after.character.state)
        texts = difference_lines(differences, result.after.ruleset)
    line = f"{who}: {'; '.join(texts) or _('nothing has changed')}"
    return TableResult((line,), (seat,))


def _who(table: Table, opened: Sequence[LoadedCharacter], seat: str, unit: str) -> str:
    """Return the name of a unit with that of its character."""
    if not opened:
        return table.file(seat).stem
    name = table.names()[seat]
    titles = (u.title for u in opened[-1].character.state.units if u.id == unit != CHARACTER)
    return " · ".join((name, *titles))


def refusal_reason(error: CharforgeError) -> str:
    """Return why something was refused, without ids and advice for the command line."""
    if isinstance(error, ProcedureError):
        return "; ".join(dict.fromkeys(why for _name, why in error.problems))
    if isinstance(error, UnknownId) and error.nearest:
        return _("{error}. Did you mean {nearest}?").format(error=error, nearest=error.nearest)
    return error.reason if isinstance(error, ReasonError) else str(error)


def new_names(name: str, count: int, taken: set[str]) -> list[str]:
    """Return this many names that nobody has, numbered if one is not enough."""
    known = {*map(name_key, taken)}
    if count == 1 and name_key(name) not in known:
        return [name]
    numbered = (f"{name} {number}" for number in range(1, len(known) + count + 1))
    return [new for new in numbered if name_key(new) not in known][:count]
