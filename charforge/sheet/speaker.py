"""Texts, names and reasons as one bearer says them, with its own figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from charforge import prose
from charforge.content.models import Action, Ask, Choose, Entity, Requirement, Write
from charforge.engine.prerequisites import Asker, unmet
from charforge.engine.state import CHARACTER, Holding, State
from charforge.errors import SheetError
from charforge.formula import Formula
from charforge.prose import Prose
from charforge.sheet import view
from charforge.text import MINUS, NO_BREAK, Figure, figure, signed, substitute

ALLOWED = "†"
NOT_CHOSEN = "not chosen yet"
MEASURE = re.compile(r"(?<=\d)(?=[a-z]+$)")
IN_BRACKETS = re.compile(r"\s*\([^()]*\)$")


@dataclass(frozen=True)
class Speaker:
    """A bearer: an entity of a unit, and its instance where it is held."""

    state: State
    entity: Entity
    unit: str = CHARACTER
    holding: str = ""

    @classmethod
    def of(cls, state: State, holding: Holding) -> Speaker:
        """Return the speaker of something held; a unit speaks with its own figures."""
        return cls(state, holding.entity, state.bearer(holding), holding.id)

    @property
    def trained(self) -> bool:
        """Whether the character has Training with it."""
        return self.state.trained(self.entity, self.holding)

    def prose(self, text: str) -> Prose:
        """Resolve a text of the pack."""
        return prose.parse(self._resolved(text))

    def line(self, text: str) -> str:
        """Resolve a text into one plain line."""
        return prose.unmarked(self._resolved(text).replace("\n", " "))

    def amount(self, text: int | str) -> str:
        """Print dice and a formula with the bearer's figures: ``1d6 + 8``."""
        return self._say(figure(str(text)))

    def number(self, value: str | int) -> int:
        """Return a value of the bearer's unit, or of its owner, as it is now."""
        return self.state.values(self.unit).evaluate_now(Formula(value))

    def reasons(self, clause: Requirement | None) -> tuple[str, ...]:
        """Say what of a requirement is unmet."""
        found = unmet(clause, Asker(self.state, self.unit, self.entity, self.holding))
        return tuple(reason[:1].upper() + reason[1:] for reason in found)

    def name(self) -> str:
        """Return its name with what was chosen for it: ``Pistol (Heat)``; a unit has its own.

        What breaks a rule with somebody's leave is marked.
        """
        told = ", ".join(self.told())
        own = self.state.unit(self.unit).name if self.unit == self.holding else self.entity.name
        name = f"{own} ({told})" if told else own
        return f"{name} {ALLOWED}" if self.beyond else name

    @property
    def beyond(self) -> bool:
        """Whether it is held beyond the rules: by an override, or as a gift of the GM."""
        holding = self.state.holding(self.holding)
        return holding is not None and (holding.granted or holding.origin in self.state.allowed)

    def told(self) -> Iterator[str]:
        """Yield the choices that tell this instance from others of the entity.

        Options that only bring or change something are seen by that.
        """
        for ask in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{ask.id}")
            if answer and _tells(ask):
                yield IN_BRACKETS.sub("", self.label(ask, answer))

    def notes(self) -> Iterator[str]:
        """Yield the texts of the options that were chosen for it."""
        for ask in self.entity.choices:
            answer = self.state.answers.get(f"{self.holding}.{ask.id}")
            for option in ask.options if isinstance(ask, Choose) else ():
                if option.id == answer and option.text:
                    yield option.text

    def label(self, ask: Ask, answer: Any) -> str:
        """Return an answer in the words of its question."""
        if isinstance(answer, list | tuple):
            return ", ".join(self.label(ask, item) for item in answer)
        ruleset = self.state.ruleset
        for option in ask.options if isinstance(ask, Choose) else ():
            if option.id == answer:
                return option.label
        if isinstance(ask, Write) or not isinstance(answer, str):
            return str(answer)
        term = ruleset.term(answer)
        if answer in ruleset.entities:
            return ruleset.entities[answer].name
        if answer in ruleset.values:
            return ruleset.values[answer].label
        return term.label if term else answer

    def actions(self) -> tuple[view.Action, ...]:
        """Return what the entity lets one do, resolved."""
        return tuple(map(self._action, self.entity.actions))

    def costs(self, cost: dict[str, Any]) -> Iterator[str]:
        """Yield each cost in words: ``1 Energy``, ``Ammo −3`` for a capacity."""
        capacities = {capacity.id: capacity.label for capacity in self.entity.capacities}
        for name, amount in cost.items():
            number = self.number(amount.text if isinstance(amount, Formula) else amount)
            if name in capacities:
                yield f"{capacities[name]}{NO_BREAK}{MINUS}{number}"
            else:
                yield f"{number}{NO_BREAK}{self.state.ruleset.values[name].label}"

    def capacities(self, pieces: int = 1) -> tuple[view.Capacity, ...]:
        """Return what the entity carries itself."""
        return tuple(view.Capacity(c.label, c.max, pieces) for c in self.entity.capacities)

    def _action(self, action: Action) -> view.Action:
        timings = {timing.id: timing.label for timing in self.state.ruleset.head.timings}
        trigger = action.trigger[:1].upper() + action.trigger[1:]
        return view.Action(
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
            yield view.Chip("cooldown", text, box=True)
        for text in self.costs(action.cost):
            yield view.Chip("cost", text)

    def _resolved(self, text: str) -> str:
        return substitute(text, lambda found: prose.marked(self._say(found)))

    def _say(self, found: Figure) -> str:
        if not found.choice:
            return signed(found.dice, self.state.values(self.unit).evaluate_now(found.formula))
        ask = next((ask for ask in self.entity.choices if ask.id == found.choice), None)
        if ask is None:
            raise SheetError(
                f"{self.entity.id} names a choice {found.choice!r} that it does not have"
            )
        answer = self.state.answers.get(f"{self.holding}.{ask.id}")
        return self.label(ask, answer) if answer else NOT_CHOSEN


def _tells(ask: Ask) -> bool:
    """Whether a choice is part of its entity's name."""
    if isinstance(ask, Write):
        return True
    if not isinstance(ask, Choose):
        return False
    if ask.among is not None:
        return True
    return not any(option.grants or option.modifies for option in ask.options)


def measured(text: str) -> str:
    """Set a printed range: ``50m`` becomes ``50 m`` without a break."""
    return MEASURE.sub(NO_BREAK, text)
