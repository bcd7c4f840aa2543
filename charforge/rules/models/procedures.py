"""Procedures: rules that resolve something, step by step, with dice.

A check, an attack, damage, a rest, the start of a turn: each is data. A
procedure has inputs, steps and outputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from charforge.expressions.formula import Formula
from charforge.rules.annotations import Names
from charforge.rules.models.base import Ids, PackModel, RuleRef, Slug, Text, ValueId
from charforge.rules.models.inputs import Input
from charforge.rules.models.steps import Call, ReadChart, Recover, Reroll, RollDice, RollPool, Steps


class Output(PackModel):
    """A result by the variable that holds it.

    ``when`` says in which runs it means anything: odds then tell of those
    by themselves too, such as the damage of an attack that hits. ``goal`` is
    the one that whoever chooses on the way wants high: odds choose at best
    for it, and else for the first output.
    """

    id: ValueId
    label: str
    when: Formula | None = None
    goal: bool = False


class Procedure(PackModel):
    """A rule that resolves something.

    ``units`` are the unit types it can be run for (none named: any);
    without a unit its figures must all be given.
    """

    id: Slug
    label: str
    source: RuleRef
    rulings: Annotated[Ids, Names("ruling")] = ()
    text: Text = ""
    units: Annotated[Ids, Names("unit type")] = ()
    inputs: tuple[Input, ...] = ()
    steps: Steps = Field(min_length=1)
    outputs: tuple[Output, ...] = ()

    def input(self, name: str) -> Input | None:
        """Return an input by id."""
        return next((one for one in self.inputs if one.id == name), None)


def variables(
    inputs: tuple[Input, ...], steps: Steps, symbols: Iterable[str] = ()
) -> dict[str, str]:
    """Return every variable that a procedure's formulas may read, with where it comes from.

    ``symbols`` are those that the ruleset's dice show: each pool counts them all.
    """
    counted = tuple(symbols)
    found = {one.id: "input" for one in inputs}
    found |= {f"{one.id}_given": "input" for one in inputs if one.optional}
    found |= {name: "input" for one in inputs for name in one.told}
    for step in steps:
        name = getattr(step, "id", None)
        if isinstance(step, RollPool):
            found |= {f"{step.id}_{symbol}": "step" for symbol in counted}
        elif name and not isinstance(step, Reroll):
            found[name] = "roll" if isinstance(step, RollDice) and not step.figure else "step"
        if isinstance(step, RollDice):
            found[f"{step.id}_dice"] = "faces"
        if isinstance(step, Recover):
            found |= {"roll": "die", "number": "die"}
        if isinstance(step, Call | ReadChart):
            found |= dict.fromkeys(step.take, "step")
    return found
