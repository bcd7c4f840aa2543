"""Texts, names and reasons as one bearer says them, with its own figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from charforge.character import play_state
from charforge.character.holdings import answer_label, choice_label, fill_attack, total_capacity
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
from charforge.rules.models import Action, Ask, Attack, Capacity, Entity, Requirement
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
        """Return the bearer of something held; a unit speaks with its own figures."""
        return cls(state, holding.entity, state.bearer(holding), holding.id)

    @cached_property
    def own(self) -> LocalFormulas:
        """What the names of its own numbers stand for: 0 where it is only told of."""
        held = self.state.holding(self.holding)
        if held is None:
            return dict.fromkeys(self.entity.own_numbers, Formula(0))
        return local_formulas(self.state, held)

    @property
    def trained(self) -> bool:
        """Whether the character has Training with it."""
        return self.state.trained(self.entity, self.holding)

    def prose(self, text: str) -> Prose:
        """Resolve a text of the pack."""
        return prose.parse_markup(self._resolved(text))

    def line(self, text: str) -> str:
        """Resolve a text into one plain line."""
        return prose.strip_markup(self._resolved(text).replace("\n", " "))

    def amount(self, text: int | str) -> str:
        """Print dice and a formula with the bearer's figures: ``1d6 + 8``."""
        return self._say(parse_figure(str(text)))

    def number(self, value: str | int) -> int:
        """Return a value of the bearer's unit, or of its owner, as it is now."""
        return self._number(Formula(value))

    def reasons(self, clause: Requirement | None) -> tuple[str, ...]:
        """Say what of a requirement is unmet."""
        found = unmet_requirements(
            clause, Applicant(self.state, self.unit, self.entity, self.holding)
        )
        return tuple(reason[:1].upper() + reason[1:] for reason in found)

    def name(self) -> str:
        """Return its name with what was chosen for it: ``Pistol (Heat)``; a unit has its own.

        What breaks a rule with somebody's leave is marked.
        """
        told = ", ".join(self.told())
        held = self.state.holding(self.holding)
        called = held.name if held is not None else self.entity.name
        if self.unit == self.holding:
            called = self.state.unit(self.unit).name
        name = f"{called} ({told})" if told else called
        return f"{name} {ALLOWED}" if self.beyond else name

    @property
    def beyond(self) -> bool:
        """Whether it is held beyond the rules: by an override, or as a gift of the GM."""
        holding = self.state.holding(self.holding)
        return holding is not None and (holding.granted or holding.origin in self.state.allowed)

    def told(self) -> Iterator[str]:
        """Yield the choices that tell this instance from others of the entity.

        Options that only bring or change something are seen by that; a
        title is enough.
        """
        if self.entity.titled is not None:
            return
        for ask in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{ask.id}")
            if answer and _tells(ask):
                yield IN_BRACKETS.sub("", self.label(ask, answer))

    def notes(self) -> Iterator[str]:
        """Yield the texts of the options that were chosen for it."""
        for ask in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{ask.id}")
            for option in ask.listed_options:
                if option.id == answer and option.text:
                    yield option.text

    def label(self, ask: Ask, answer: Any) -> str:
        """Return an answer in the words of its question."""
        return answer_label(self.state.ruleset, ask, answer)

    def settled(self, attack: Attack) -> Attack:
        """Return an attack with what its bearer's own choices say put in."""
        return fill_attack(self.state, self.state.holding(self.holding), self.unit, attack)

    def figures(self) -> Iterator[str]:
        """Yield the figures that it shows of itself, each with its label."""
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
        """Return what the entity lets one do, resolved."""
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
        """Return what the entity carries itself, and what of it those ``held`` have used up."""
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
        """Yield what each piece of a holding has used, the first one first."""
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
        """Fill the figures of a text; a line about what was left empty is left out."""
        kept = (line for line in text.split("\n") if not self._empty(line))
        return substitute("\n".join(kept), self._printed)

    def _printed(self, found: Figure) -> str:
        """Print a figure bold, and what a player wrote as it is."""
        written = {ask.id for ask in self.entity.choices if ask.is_text}
        mark = prose.mark_quote if found.choice in written else prose.mark_figure
        return mark(self._say(found))

    def _empty(self, line: str) -> bool:
        """Whether a line prints an optional text that nobody wrote."""
        if not self.holding or CHOICE not in line:
            return False
        optional = {a.id for a in self.entity.choices if a.may_be_empty}
        left = {name for name in optional if not self.state.answers.get(f"{self.holding}.{name}")}
        return any(found.choice in left for found in figures(line))

    def _say(self, found: Figure) -> str:
        if not found.choice:
            if self._unanswered(found.formula):
                return NOT_CHOSEN
            return signed_amount(found.dice, self._number(found.formula))
        ask = next((ask for ask in self.entity.choices if ask.id == found.choice), None)
        if ask is None:
            raise SheetError(
                f"{self.entity.id} names a choice {found.choice!r} that it does not have"
            )
        held = self.state.holding(self.holding)
        return choice_label(self.state, held, found.choice) or NOT_CHOSEN

    def _unanswered(self, formula: Formula) -> bool:
        """Whether a formula reads a choice that is still to be answered."""
        return bool(formula.names) and any(
            ask.id in formula.names and f"{self.holding}.{ask.id}" not in self.state.answers
            for ask in self.entity.numbers
            if ask.when is None
        )


def _tells(ask: Ask) -> bool:
    """Whether a choice is part of its entity's name."""
    if ask.is_text or ask.option_source is not None:
        return True
    options = ask.listed_options
    return bool(options) and not any(option.grants or option.modifies for option in options)


def printed_range(text: str) -> str:
    """Set a printed range: ``50m`` becomes ``50 m`` without a break."""
    return MEASURE.sub(NO_BREAK, text)
