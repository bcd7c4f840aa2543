"""The texts, name, actions and unmet requirements of an entity, with the figures of its bearer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from charforge.character import play_state
from charforge.character.holdings import choice_label, fill_attack, total_capacity
from charforge.character.modifiers import LocalFormulas, local_formulas
from charforge.character.requirements import Applicant, unmet_requirements
from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import SheetError
from charforge.expressions import markup as prose
from charforge.expressions.formula import Formula
from charforge.expressions.markup import Prose
from charforge.expressions.template import (
    MINUS,
    NO_BREAK,
    Figure,
    parse_figure,
    parse_figures as figures,
    signed_amount,
    substitute,
)
from charforge.rules.models import Action, Attack, Capacity, Entity, Question, Requirement
from charforge.sheet import view

ALLOWED = "†"
NOT_CHOSEN = "not chosen yet"
CHOICE = "{$"  # begins what prints a choice
MEASURE = re.compile(r"(?<=\d)(?=[a-z]+$)")
IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")


@dataclass(frozen=True)
class Bearer:
    """A bearer: an entity of a unit, and its instance where it is held."""

    state: State
    entity: Entity
    unit: str = CHARACTER
    holding: str = ""

    @classmethod
    def of(cls, state: State, holding: Holding) -> Bearer:
        """Return the bearer of a holding; that of a unit reads the values of that unit."""
        return cls(state, holding.entity, state.bearer(holding), holding.id)

    @cached_property
    def own(self) -> LocalFormulas:
        """The formulas of its local numbers; each is 0 for an entity that is not held."""
        held = self.state.holding(self.holding)
        if held is None:
            return dict.fromkeys(self.entity.own_numbers, Formula(0))
        return local_formulas(self.state, held)

    @property
    def trained(self) -> bool:
        """Whether the character has Training with it."""
        return self.state.trained(self.entity, self.holding)

    def prose(self, text: str) -> Prose:
        """Return a text of the pack with its figures, as paragraphs."""
        return prose.parse_markup(self._resolved(text))

    def line(self, text: str) -> str:
        """Return a text of the pack with its figures, as one line without markup."""
        return prose.strip_markup(self._resolved(text).replace("\n", " "))

    def amount(self, text: int | str) -> str:
        """Return dice and a formula with the bearer's figures: ``1d6 + 8``."""
        return self._figure_text(parse_figure(str(text)))

    def number(self, value: str | int) -> int:
        """Return a value of the bearer's unit, or of its owner, as it is now."""
        return self._number(Formula(value))

    def reasons(self, clause: Requirement | None) -> tuple[str, ...]:
        """Return the unmet parts of a requirement, as sentences."""
        unmet = unmet_requirements(
            clause, Applicant(self.state, self.unit, self.entity, self.holding)
        )
        return tuple(reason[:1].upper() + reason[1:] for reason in unmet)

    def name(self) -> str:
        """Return its name with the choices made for it: ``Pistol (Heat)``; a unit has its own name.

        A dagger marks what breaks a rule with permission.
        """
        choices = ", ".join(self.naming_choices())
        held = self.state.holding(self.holding)
        name = held.name if held is not None else self.entity.name
        if self.unit == self.holding:
            name = self.state.unit(self.unit).name
        full_name = f"{name} ({choices})" if choices else name
        return f"{full_name} {ALLOWED}" if self.breaks_rules else full_name

    @property
    def breaks_rules(self) -> bool:
        """Whether it is held against the rules: by an override, or given by the GM."""
        holding = self.state.holding(self.holding)
        return holding is not None and (holding.granted or holding.origin in self.state.allowed)

    def naming_choices(self) -> Iterator[str]:
        """Yield the labels of the choices that distinguish this instance from others of the entity.

        Options that grant or modify something are left out, because the sheet shows their
        effects. A holding with a title needs none.
        """
        if self.entity.titled is not None:
            return
        for question in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{question.id}")
            if answer and _is_in_name(question):
                yield IN_BRACKETS.sub("", self.label(question, answer))

    def notes(self) -> Iterator[str]:
        """Yield the texts of the options chosen for it."""
        for question in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{question.id}")
            for option in question.listed_options:
                if option.id == answer and option.text:
                    yield option.text

    def label(self, question: Question, answer: Any) -> str:
        """Return the label of an answer."""
        return self.state.ruleset.answer_label(question, answer)

    def filled_attack(self, attack: Attack) -> Attack:
        """Return an attack with the values that the choices of its bearer give it."""
        return fill_attack(self.state, self.state.holding(self.holding), self.unit, attack)

    def figures(self) -> Iterator[str]:
        """Yield the figures of the entity, each with its label."""
        labels = {die.id: die.label or die.id for die in self.state.ruleset.head.dice}
        for one in self.entity.figures:
            if one.formula is not None:
                shown = f"{one.before}{self._number(one.formula)} {one.unit}".strip()
            else:
                counts = {labels[die]: self._number(count) for die, count in one.dice.items()}
                shown = ", ".join(f"{die} {n}" for die, n in counts.items() if n > 0) or "none"
            yield f"{one.label} {shown}".replace(" ", NO_BREAK)

    def _number(self, formula: Formula) -> int:
        return self.state.values(self.unit).evaluate_now(formula.with_variables(self.own))

    def actions(self) -> tuple[view.SheetAction, ...]:
        """Return the actions of the entity."""
        return tuple(map(self._action, self.entity.actions))

    def costs(self, cost: dict[str, Any]) -> Iterator[str]:
        """Yield each cost in words: ``1 Energy``, ``Ammo −3`` for a capacity; never 0."""
        capacities = {capacity.id: capacity.label for capacity in self.entity.capacities}
        for name, amount in cost.items():
            number = self.number(amount.text if isinstance(amount, Formula) else amount)
            if name in capacities:
                yield f"{capacities[name]}{NO_BREAK}{MINUS}{number}"
            elif number:
                yield f"{number}{NO_BREAK}{self.state.ruleset.values[name].label}"

    def capacities(self, pieces: int, held: Iterable[str]) -> tuple[view.SheetCapacity, ...]:
        """Return the capacities of the entity; ``held`` are the ids of the holdings that use them.

        ``pieces`` is the number of items with each of them.
        """
        holdings = list(filter(None, map(self.state.holding, held)))
        found = []
        for one in self.entity.capacities:
            used = [number for holding in holdings for number in self._used(holding, one)]
            most = self._number(one.max.with_variables(self.own))
            found.append(
                view.SheetCapacity(one.label, most, pieces, tuple(used) if any(used) else ())
            )
        return tuple(found)

    def _used(self, holding: Holding, capacity: Capacity) -> Iterator[int]:
        """Yield how much each piece of a holding has used; the first piece is used up first."""
        full = total_capacity(self.state, holding, capacity)
        used = full - min(max(play_state.capacity_left(self.state, holding, capacity), 0), full)
        most = full // holding.quantity
        for piece in range(holding.quantity):
            yield min(max(used - piece * most, 0), most)

    def _action(self, action: Action) -> view.SheetAction:
        timings = {timing.id: timing.label for timing in self.state.ruleset.head.timings}
        trigger = action.trigger[:1].upper() + action.trigger[1:]
        return view.SheetAction(
            name=action.name,
            timing=action.timing,
            label=timings[action.timing],
            chips=tuple(self._chips(action)),
            trigger=self.prose(trigger),
            who=self.line(action.who),
            text=self.prose(action.text),
            unmet=self.reasons(action.requires),
        )

    def _chips(self, action: Action) -> Iterator[view.Chip]:
        if action.limit:
            yield view.Chip("limit", self.line(action.limit[:1].upper() + action.limit[1:]))
        if action.cooldown:
            numbered = any(sign.isdigit() for sign in action.cooldown)
            text = f"Cooldown {action.cooldown}" if numbered else action.cooldown.capitalize()
            place = (self.holding, play_state.action_key(self.entity, action))
            yield view.Chip("cooldown", text, box=True, ticked=place in self.state.cooldowns)
        for text in self.costs(action.cost):
            yield view.Chip("cost", text)

    def _resolved(self, text: str) -> str:
        """Return a text with its figures; lines that print an empty optional text are left out."""
        lines = (line for line in text.split("\n") if not self._empty(line))
        return substitute("\n".join(lines), self._marked)

    def _marked(self, figure: Figure) -> str:
        """Return a figure in bold, or a player's own text without markup."""
        written = {question.id for question in self.entity.choices if question.is_text}
        mark = prose.mark_quote if figure.choice in written else prose.mark_figure
        return mark(self._figure_text(figure))

    def _empty(self, line: str) -> bool:
        """Whether a line prints an optional text that was left empty."""
        if not self.holding or CHOICE not in line:
            return False
        optional = {a.id for a in self.entity.choices if a.may_be_empty}
        unanswered = {
            name for name in optional if not self.state.answers.get(f"{self.holding}.{name}")
        }
        return any(figure.choice in unanswered for figure in figures(line))

    def _figure_text(self, figure: Figure) -> str:
        if not figure.choice:
            if self._unanswered(figure.formula):
                return NOT_CHOSEN
            return signed_amount(figure.dice, self._number(figure.formula))
        question = next(
            (question for question in self.entity.choices if question.id == figure.choice), None
        )
        if question is None:
            raise SheetError(
                f"{self.entity.id} names a choice {figure.choice!r} that it does not have"
            )
        held = self.state.holding(self.holding)
        return choice_label(self.state, held, figure.choice) or NOT_CHOSEN

    def _unanswered(self, formula: Formula) -> bool:
        """Whether a formula reads a choice that is still to be answered."""
        return bool(formula.names) and any(
            question.id in formula.names
            and f"{self.holding}.{question.id}" not in self.state.answers
            for question in self.entity.numbers
            if question.when is None
        )


def _is_in_name(question: Question) -> bool:
    """Whether a choice is part of its entity's name."""
    if question.is_text or question.option_source is not None:
        return True
    options = question.listed_options
    return bool(options) and not any(option.grants or option.modifies for option in options)


def printed_range(text: str) -> str:
    """Return a range as printed: ``50m`` becomes ``50 m``, with a space that never breaks."""
    return MEASURE.sub(NO_BREAK, text)
