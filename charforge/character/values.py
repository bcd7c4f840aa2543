"""Values that explain themselves.

A value is calculated in steps: set, add, multiply (rounded down), at_least,
at_most, in that order and then by source id. So the order in which packs
load never changes a total, and the steps always add up. Lasting steps make
the base; the steps of the state of play follow and make the total.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import repeat
from typing import NamedTuple

from charforge.character.modifiers import (
    NO_FORMULAS,
    Calculation,
    UnitModifiers,
    ValueModifier,
    ValueStep,
)
from charforge.character.state_data import AmountNote, AmountRow, StateData, Unit
from charforge.errors import FormulaError, UnknownId
from charforge.expressions.formula import FULL, LARGEST, SHARED, Formula, FunctionScope
from charforge.expressions.template import (
    NO_BREAK,
    Figure,
    signed_amount,
    signed_number,
    strip_markup,
    substitute,
)
from charforge.language import _, format_number
from charforge.rules.models import Computed, Entity, attack_part
from charforge.rules.models.entities import LEVEL
from charforge.rules.ruleset import matches

PLAY = "play"  # the source of the change of a resource in play
BEFORE_PLAY = ("set", "add")  # operations before the change of a resource in play
BEYOND = LARGEST + 1


class ExplainedValue(NamedTuple):
    """A value with its base, its total now, and the steps to it."""

    id: str
    label: str
    base: int
    total: int
    steps: tuple[ValueStep, ...]


Applied = tuple[str, int | float, str, AmountNote]  # an operation, its amount, source and note


def apply_operation(op: str, total: int, amount: int | float) -> int:
    """Return a running total after one step."""
    if op == "multiply":
        return math.floor(total * amount)
    whole_amount = int(amount)
    if op == "set":
        return whole_amount
    if op == "add":
        return total + whole_amount
    return max(total, whole_amount) if op == "at_least" else min(total, whole_amount)


def fold(start: int, applied: Iterable[Applied], lasting: bool) -> tuple[int, list[ValueStep]]:
    """Apply operations in order to ``start``; return the total and the steps.

    A bound or factor that changes nothing leaves no step. Raises FormulaError
    for a figure beyond LARGEST, so that nothing grows without limit.
    """
    total, steps = start, []
    for op, amount, source, note in applied:
        after = apply_operation(op, total, amount) if -LARGEST <= amount <= LARGEST else BEYOND
        if not -LARGEST <= after <= LARGEST:
            raise FormulaError(
                next((part.text for part in note if isinstance(part, Formula)), source),
                _("the number is larger than {largest}").format(
                    largest=format_number(LARGEST, ",")
                ),
            )
        if after != total or op in ("set", "add"):
            steps.append(ValueStep(source, op, amount, after, note, lasting))
        total = after
    return total, steps


class Values:
    """All values of one unit at one moment, each calculated when it is first read.

    ``owner`` are the values of the unit's owner, used for values that the
    unit does not have. It is a ``Scope`` for formulas, on the lasting figures.
    """

    def __init__(
        self, data: StateData, unit: Unit, modifiers: UnitModifiers, owner: Values | None = None
    ) -> None:
        self.data = data
        self.ruleset = data.ruleset
        self.unit = unit
        self.owner = owner
        self._modifiers = modifiers
        self._base: dict[str, Calculation] = {}
        self._now: dict[str, Calculation] = {}
        self._full: dict[str, int] = {}
        self._in_progress: set[str] = set()
        self._in_play: set[str] = set()  # values whose lasting figures read the state of play
        self._reads_play = False  # whether what is being calculated has read it

    def __contains__(self, name: str) -> bool:
        return name.removeprefix(FULL) in self.unit.type.values

    def ids(self) -> tuple[str, ...]:
        """Return the ids of this unit's values, in the order of its type."""
        return tuple(self.unit.type.values)

    def shown_ids(self) -> tuple[str, ...]:
        """Return the ids of the values to show."""
        return tuple(name for name in self.ids() if self.is_shown(name))

    def is_shown(self, name: str) -> bool:
        """Return whether the unit has a value that sheets and lists of values show now."""
        if name not in self or self.is_hidden(name):
            return False
        return not self.ruleset.values[name].hide_zero or self.total(name) != 0

    def is_hidden(self, name: str) -> bool:
        """Return whether only explanations show a value now."""
        return not self.evaluate_now(self.ruleset.values[name].shown)

    def modifier_text(self, name: str) -> str:
        """Return the value that is printed after another one, such as ``+2``; empty without one."""
        modifier = self.ruleset.values[name].modifier
        if modifier is None or modifier not in self:
            return ""
        return self.ruleset.figure_text(modifier, self.total(modifier))

    def figure_text(self, name: str, figure: int) -> str:
        """Return a figure of a value as text without its unit, with its modifier: ``15 (+2)``."""
        modifier = self.modifier_text(name)
        return self.ruleset.figure_text(name, figure) + (f" ({modifier})" if modifier else "")

    def is_worded(self, name: str) -> bool:
        """Return whether figures of a value are printed as more than a number: ``d8``, ``+2``."""
        value, ruleset = self.ruleset.values[name], self.ruleset
        more = value.before or value.signed or self.modifier_text(name)
        return bool(more or name in ruleset.tracks or ruleset.way_to_roll(name))

    def printed(self, figure: Figure, local_formulas: Mapping[str, Formula] = NO_FORMULAS) -> str:
        """Return a figure of a text with the figures of this unit, and those of local names.

        A value that always has a sign has it in a text too, where it stands alone.
        """
        amount = self.evaluate_now(figure.formula.with_variables(local_formulas))
        alone = self.ruleset.values.get(figure.formula.text.lower())
        if alone is not None and alone.signed and not figure.dice:
            return signed_number(amount)
        return signed_amount(figure.dice, amount)

    def modifiers(self, name: str) -> list[ValueModifier]:
        """Return the modifiers of a value, in the order in which they apply."""
        return self._modifiers.of(name)

    def base(self, name: str) -> int:
        """Return the lasting figure: for maxima, requirements and advancement."""
        return self._lasting(name).total

    def full(self, name: str) -> int:
        """Return the lasting figure of a resource before play changed it, without its bounds."""
        key = f"{FULL}{name}"
        if key not in self._full:
            if key in self._in_progress:
                raise FormulaError(name, _("this value depends on itself"))
            self._in_progress.add(key)
            try:
                applied = self._applied(name, lasting=True, played=False)
                self._full[key] = fold(0, applied, lasting=True)[0]
            finally:
                self._in_progress.discard(key)
        return self._full[key]

    def full_score(self, name: str) -> int | None:
        """Return the full figure of a score that play can lower; None for any other value.

        Such a score has its own full figure as its maximum.
        """
        maximum = self.unit.type.values[name].maximum
        own = maximum is not None and maximum.text.lower() == f"{FULL}{name}"
        return self.full(name) if own else None

    def starting_maximum(self, name: str) -> int | None:
        """Return the maximum of a value that starts there, such as hit points; else None."""
        computed = self.unit.type.values[name]
        starts_full = computed.maximum is not None and computed.formula == computed.maximum
        return self.maximum(name) if starts_full else self.full_score(name)

    def maximum(self, name: str) -> int | None:
        """Return the maximum of a resource; None for any other value, and without one."""
        computed = self.unit.type.values[name]
        maximum = computed.maximum if computed.resource else None
        return None if maximum is None else maximum.evaluate(self)

    def unbounded(self, name: str) -> int:
        """Return the lasting figure before the bounds of its unit type."""
        return self._lasting(name).unbounded

    def total(self, name: str) -> int:
        """Return the figure now: for checks, attacks and sheets."""
        return self._current(name).total

    def explain(self, name: str) -> ExplainedValue:
        """Return a value with all its steps. Raises UnknownId for a value it does not have."""
        current = self._current(name)
        label = self.ruleset.values[name].label
        return ExplainedValue(name, label, self.base(name), current.total, tuple(current.steps))

    def read(self, name: str) -> int:
        """Return this unit's lasting figure, or its owner's where it has none."""
        if name == LEVEL:
            return self.data.level_of(self.unit)
        if name in self.unit.type.values:
            return self.base(name)
        self._reads_play = True
        if name.startswith(FULL):
            return self._full_of(name)
        if name.startswith(SHARED):
            return self.data.shared_figure(name)
        return self._owner(name).read(name.rpartition(".")[2])

    def now(self, name: str) -> int:
        """Return the figure now of a name in a formula: this unit's or its owner's."""
        if name == LEVEL:
            return self.data.level_of(self.unit)
        if name in self.unit.type.values:
            return self.total(name)
        if name.startswith(FULL):
            return self._full_of(name)
        if name.startswith(SHARED):
            return self.data.shared_figure(name)
        return self._owner(name).now(name.rpartition(".")[2])

    def _full_of(self, name: str) -> int:
        """Return the full figure that a name in a formula reads: this unit's or its owner's."""
        return self.full(name[len(FULL) :]) if name in self else self._owner(name).read(name)

    @property
    def facts(self) -> Values:
        """The facts that formulas can ask for, besides values: the next six functions."""
        self._reads_play = True
        return self

    def has(self, name: str) -> bool:
        """Return whether the character has a thing, or this unit has it as a condition."""
        return self.data.has(name) or self.data.condition_amount(self.unit.id, name) > 0

    def number(self, name: str) -> int:
        """Return how many of a thing the character has, or this unit's amount of a condition."""
        return self.data.number(name) + self.data.condition_amount(self.unit.id, name)

    def held(self, name: str) -> int:
        """Return how many pieces of a thing the character has in hand."""
        return self.data.carried(name, self.data.pieces_in_hand)

    def worn(self, name: str) -> int:
        """Return how many pieces of a thing the character wears."""
        return self.data.carried(name, self.data.pieces_worn)

    def chose(self, choice: str, answer: str) -> bool:
        """Return whether a choice was answered in a certain way."""
        return answer in self.data.chosen_words(choice)

    def used(self, entity: str) -> int:
        """Return how often this unit has used up the limit of an entity."""
        return self.data.times_used(self.unit.id, entity)

    def applies(self, entity: Entity) -> bool:
        """Return whether a derived condition applies; not without the values that it reads."""
        condition = entity.active_when
        names = frozenset() if condition is None else condition.names - {LEVEL}
        if condition is None or not all(name in self or name.startswith(SHARED) for name in names):
            return False
        return self.holds(condition)

    def attack_changes(
        self, part: str, entity: Entity, facts: Mapping[str, Formula], item: str = ""
    ) -> Iterator[tuple[int, str]]:
        """Yield what is added to the roll or the damage of an attack of an entity, and its source.

        ``facts`` are the facts of the attack that the formulas of these changes can read, ``item``
        the id of the holding whose attack it is.
        """
        for modifier in self._attack_modifiers(part, entity, facts, item):
            if isinstance(modifier.amount, Formula):
                amount = self.evaluate_now(modifier.amount.with_variables(facts)) * modifier.times
                if amount:
                    yield amount, modifier.source

    def damage_dice(
        self, entity: Entity, facts: Mapping[str, Formula], item: str = ""
    ) -> Iterator[tuple[str, str]]:
        """Yield the dice that the damage of an attack gains, and their source."""
        for modifier in self._attack_modifiers("damage", entity, facts, item):
            if modifier.dice:
                yield from repeat((modifier.dice, modifier.source), modifier.times)

    def _attack_modifiers(
        self, part: str, entity: Entity, facts: Mapping[str, Formula], item: str
    ) -> Iterator[ValueModifier]:
        """Yield the modifiers of a part of attacks that apply to one of an entity."""
        for modifier in self._modifiers.of(attack_part(part)):
            if modifier.about not in ("", item):
                continue
            if modifier.of is not None and not matches(modifier.of, entity, self):
                continue
            if modifier.when is None or self.evaluate_now(modifier.when.with_variables(facts)):
                yield modifier

    def evaluate(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's lasting figures."""
        return formula.evaluate(self)

    def evaluate_now(self, formula: Formula) -> int:
        """Evaluate a formula on this unit's figures now, as texts print them."""
        return formula.evaluate(FunctionScope(self.now, self))

    def text(self, text: str) -> str:
        """Return a text with this unit's figures in place of its formulas."""
        return substitute(text, self.printed)

    def plain_text(self, text: str) -> str:
        """Return a text with this unit's figures, without markup and special spaces."""
        return strip_markup(self.text(text)).replace(NO_BREAK, " ")

    def holds(self, condition: Formula | None) -> bool:
        """Return whether a condition holds on the lasting figures; None always does."""
        return condition is None or bool(condition.evaluate_exact(self))

    def _lasting(self, name: str) -> Calculation:
        calculation = self._base.get(name) or self._modifiers.settled.get(name)
        if calculation is None:
            outer, self._reads_play = self._reads_play, False
            try:
                calculation = self._base[name] = self._calculate_base(name)
            finally:
                read, self._reads_play = self._reads_play, self._reads_play or outer
            if read:
                self._in_play.add(name)
            else:
                self._modifiers.settled[name] = calculation
        self._reads_play |= name in self._in_play
        return calculation

    def _current(self, name: str) -> Calculation:
        calculation = self._now.get(name)
        if calculation is None:
            calculation = self._now[name] = self._calculate_now(name)
        return calculation

    def _calculate_base(self, name: str) -> Calculation:
        if name not in self.unit.type.values:
            raise UnknownId(
                _("value of a {label}").format(label=self.unit.type.label), name, self.ids()
            )
        assumed = self.data.assumed.get((self.unit.id, name))
        if assumed is not None:
            self._reads_play = True
            return Calculation(assumed, assumed, [])
        if name in self._in_progress:
            raise FormulaError(name, _("this value depends on itself"))
        self._in_progress.add(name)
        try:
            unbounded, steps = fold(0, self._applied(name, lasting=True), lasting=True)
            total, bounds = fold(unbounded, self._bounds(name), lasting=True)
        finally:
            self._in_progress.discard(name)
        return Calculation(total, unbounded, steps + bounds)

    def _calculate_now(self, name: str) -> Calculation:
        base, _unbounded, steps = self._lasting(name)
        if (self.unit.id, name) in self.data.assumed:
            return self._lasting(name)
        unbounded, more = fold(base, self._applied(name, lasting=False), lasting=False)
        if not more:
            return Calculation(unbounded, unbounded, steps)
        total, bounds = fold(unbounded, self._bounds(name), lasting=False)
        return Calculation(total, unbounded, steps + more + bounds)

    def _applied(self, name: str, lasting: bool, played: bool = True) -> Iterator[Applied]:
        """Yield the modifiers that apply, lasting or not, in their fixed order.

        The change of a resource in play is added last, if it counts (``played``).
        Formulas read lasting figures, in which a resource has its present amount, so a value that
        depends on the state of play can never depend on itself.
        """
        computed = self.unit.type.values[name]
        if computed.temporary and not lasting:
            yield from self._temporary_change(computed)
        resource = lasting and played and computed.resource
        self._reads_play |= resource
        change = self.data.resource_change(self.unit.id, name) if resource else 0
        for modifier in self._modifiers.of(name):
            if change and modifier.op not in BEFORE_PLAY:
                yield "add", change, PLAY, ()
                change = 0
            if modifier.lasting is not lasting:
                continue
            if self.holds(modifier.when) and self.holds(modifier.where):
                amount, note = self._amount(modifier)
                yield modifier.op, amount, modifier.source, (*modifier.note, *note)
        if change:
            yield "add", change, PLAY, ()

    def _temporary_change(self, computed: Computed) -> Iterator[Applied]:
        """Yield how a formula differs with the present numbers, if it does."""
        if computed.formula is None:
            return
        change = self.evaluate_now(computed.formula) - computed.formula.evaluate(self)
        if change:
            yield "add", change, self._source(computed), (computed.formula, _("now"))

    def _amount(self, modifier: ValueModifier) -> tuple[int | float, AmountNote]:
        """Return the amount of a modifier, and its formula; nothing for a number.

        After the formula comes the row of the table that the amount is from, if any.
        """
        amount = modifier.amount
        note: AmountNote = ()
        if isinstance(amount, int):
            return amount, note
        if isinstance(amount, tuple):
            table, column = amount
            row = self.evaluate(Formula(table.by).with_variables(modifier.local_formulas))
            amount = table.cell(row, column).with_variables(modifier.local_formulas)
            note = (AmountRow(table.by, table.nearest_row(row)),)
        if amount.constant is not None:
            return amount.constant, note
        exact = modifier.op == "multiply"
        return amount.evaluate_exact(self) if exact else amount.evaluate(self), (amount, *note)

    def _bounds(self, name: str) -> Iterator[Applied]:
        """Yield the bounds that the unit type sets for a value."""
        computed = self.unit.type.values[name]
        source = self._source(computed)
        if computed.minimum is not None:
            yield "at_least", computed.minimum.evaluate(self), source, ()
        if computed.maximum is not None:
            yield "at_most", computed.maximum.evaluate(self), source, ()

    def _source(self, computed: Computed) -> str:
        """Return the id of what calculates a value: its rule, that of the unit, or the game."""
        return computed.source or self.unit.type.source or self.ruleset.id

    def _owner(self, name: str) -> Values:
        """Return the values of the owner. Raises FormulaError if the unit has no owner."""
        if self.owner is None:
            raise FormulaError(
                name, _("a {label} does not have this value").format(label=self.unit.type.label)
            )
        return self.owner
