"""Which names a pack defines, by what they name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, NamedTuple

from charforge.errors import nearest
from charforge.rules.cycles import Dependencies, GrantGraph
from charforge.rules.models import (
    Ask,
    Call,
    Choose,
    Entity,
    Input,
    ReadChart,
    Roll,
    Steps,
    variables,
)
from charforge.rules.ruleset import Ruleset

SCOPES = ("owner", "operator")
GROUP = "group:"
Way = tuple[str | int, ...]


class PartProblem(NamedTuple):
    """One fault: its way from the top of the part checked, and the nearest right name.

    ``culprit`` is the word at fault where more than it stands there,
    ``missing`` the name that nothing has.
    """

    where: Way
    message: str
    nearest: str = ""
    culprit: str = ""
    missing: str = ""


PartProblems = Iterator[PartProblem]


def unknown_name(
    what: str, name: str, known: Collection[str], where: Way, culprit: str = ""
) -> PartProblems:
    """Yield the fault of a name that is not known."""
    if name not in known:
        told = f"no {what} is named {name!r}"
        yield PartProblem(where, told, nearest(name, known), culprit, name)


class SymbolTable:
    """The names of a ruleset; some depend on the part that is being checked."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.entity: Entity | None = None
        self.pools: dict[str, Collection[str]] = {**_vocabulary(ruleset), **_steps(ruleset)}
        self._figures = frozenset(self.pools["figure"])
        self.pools["unit figure"] = self._figures
        self.steps = False
        self.inputs: tuple[Input, ...] = ()
        self.worded: dict[str, str] = {}  # variables that are texts, each with where one stands
        self.enter(None)
        self.dependencies = Dependencies(ruleset.head.units, self.targets)
        self.bringing = GrantGraph(ruleset)

    def enter(self, entity: Entity | None) -> None:
        """Turn to an entity, or (None) to what belongs to none."""
        self.entity = entity
        self.pools["figure"] = self._figures.union(entity.own_numbers if entity else ())
        numbers = [ask.id for ask in entity.numbers] if entity else []
        self.pools["own figure"] = self._figures.union(numbers)
        capacities = {item.id for item in entity.capacities} if entity else set()
        self.pools["capacity of this entity"] = capacities
        self.pools["resource"] = capacities.union(self.ruleset.values)
        choices = entity.choices if entity else ()
        self.pools["choice of this entity"] = [choice.id for choice in choices]

    def take(self, inputs: tuple[Input, ...], steps: Steps) -> None:
        """Turn to the steps of a procedure or an action: their own variables are known there."""
        own = variables(inputs, steps, self.ruleset.symbols)
        for one in inputs:
            own |= {f"{one.id}_{name}": "input" for name in self.ruleset.own_numbers(one.kind)}
        bearers = self.entity.own_numbers if self.entity else ()
        self.worded = text_variables(self.ruleset, steps)
        self.pools["figure"] = self._figures.union(own.keys() - self.worded.keys(), bearers)
        self.pools["value or input"] = self.ruleset.values.keys() | own.keys()
        read = {name for step in steps if isinstance(step, ReadChart) for name in step.take}
        self.pools["input"] = [*(one.id for one in inputs), *sorted(self.worded.keys() | read)]
        self.inputs = inputs
        self.pools["roll of this procedure"] = [n for n, origin in own.items() if origin == "roll"]
        self.steps = True

    def leave(self) -> None:
        """Turn back from steps."""
        self.steps, self.worded = False, {}
        self.pools["figure"] = self._figures.union(self.entity.own_numbers if self.entity else ())

    def units(self) -> Collection[str]:
        """Return the unit types whose values the part at hand may change."""
        kind = self.ruleset.kinds.get(self.entity.kind) if self.entity else None
        return (kind.unit,) if kind is not None and kind.unit else self.ruleset.units

    def targets(self, name: str) -> Collection[str]:
        """Return the values that a target may mean: one, a group, or what a choice takes."""
        if name.startswith(GROUP):
            return self.ruleset.group(name.removeprefix(GROUP))
        if name.startswith("$"):
            asked = self.choice(name[1:])
            return self.options(asked) if asked else ()
        return (name,)

    def choice(self, name: str) -> Ask | None:
        """Return a choice of the entity at hand."""
        choices = self.entity.choices if self.entity else ()
        return next((choice for choice in choices if choice.id == name), None)

    def through(self, names: frozenset[str]) -> frozenset[str]:
        """Return the values that names may mean: own numbers are read for what they stand for."""
        found = set(names)
        for one in self.entity.figures if self.entity else ():
            if one.id in found and one.formula is not None:
                found |= one.formula.names
        for ask in self.entity.numbers if self.entity else ():
            if ask.id in found:
                found |= set(self.options(ask))
        return frozenset(found)

    def options(self, ask: Ask) -> Collection[str]:
        """Return the ids a question offers; none where the pack alone cannot tell."""
        if not isinstance(ask, Choose) or ask.own_words:
            return ()
        among = ask.among
        if among is None:
            return [option.id for option in ask.options]
        if among.query is not None:
            return [entity.id for entity in self.ruleset.select(among.query)]
        if among.values is not None:
            return self.ruleset.group(among.values)
        return among.only or self.terms(among.terms)

    def terms(self, vocabulary: str | None) -> Collection[str]:
        """Return the ids of the terms of a vocabulary."""
        return [term.id for term in self.ruleset.head.terms.get(vocabulary or "", ())]


Checks = dict[type, Callable[[SymbolTable, Any], PartProblems]]  # by the model that each is for


def text_variables(ruleset: Ruleset, steps: Steps, within: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the variables that hold texts of charts, each with where one stands.

    No formula can read them. ``within`` are the procedures whose steps
    these are, from outside in.
    """
    found: dict[str, str] = {}
    for step in steps:
        if isinstance(step, ReadChart) and (chart := ruleset.charts.get(step.chart)):
            for ours, column in step.take.items():
                known = any(one.id == column for one in chart.columns)
                text = chart.wording(column) if known else None
                if text is not None:
                    found[ours] = f"{text!r} in the column {column} of the chart {chart.id}"
        elif isinstance(step, Call) and step.procedure not in within:
            called = ruleset.procedures.get(step.procedure)
            inner = text_variables(ruleset, called.steps, (*within, called.id)) if called else {}
            taken = step.take.items()
            found |= {ours: inner[theirs] for ours, theirs in taken if theirs in inner}
    return found


def _vocabulary(ruleset: Ruleset) -> dict[str, Collection[str]]:
    """Return what the pack defines whatever part of it is checked."""
    head = ruleset.head
    counted = ("number", "flag")
    numbers = {name for k in head.kinds for name, own in k.fields.items() if own.type in counted}
    values = {"level", *ruleset.values}
    return {
        "entity": ruleset.entities,
        "kind": ruleset.kinds,
        "value": ruleset.values,
        "value or level": values,
        "field": {"slots", "price", *numbers},
        "group": head.groups,
        "group or kind": {*head.groups, *ruleset.kinds},
        "tag": {tag for entity in ruleset.entities.values() for tag in entity.tags},
        "timing": {timing.id for timing in head.timings},
        "section": {section.id for section in head.sections},
        "ruling": ruleset.rulings,
        "table rule": ruleset.table_rules,
        "unit type": ruleset.units,
        "vocabulary": head.terms,
        "procedure": ruleset.procedures,
        "chart": ruleset.charts,
        "moment": {moment.id for moment in head.moments},
        "damage type": {term.id for terms in head.terms.values() for term in terms},
        "faces": {"roll"},
        "symbol": ruleset.symbols,
        "symbol die": ruleset.symbol_dice,
        "figure": values | {f"{scope}.{name}" for scope in SCOPES for name in values},
    }


def _steps(ruleset: Ruleset) -> dict[str, Collection[str]]:
    """Return the questions of creation, by what others want of them."""
    steps = ruleset.head.creation
    chosen = [step for step in steps if isinstance(step, Choose) and step.among is not None]
    return {
        "question": {step.id for step in steps if isinstance(step, Ask)},
        "roll": {step.id for step in steps if isinstance(step, Roll)},
        "choice of dice": {step.id for step in chosen if step.among and step.among.faces},
    }
