"""Running a procedure: its steps taken one by one, on a state, with dice from outside.

Dice come from a callable by the roll's id, so the same procedure serves a
roll on the screen, dice typed from the table, a replay of recorded faces
and the counting of odds. A run tells its steps and never touches the
state it began with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charforge.character.state import CHARACTER, Holding, State
from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.expressions.formula import Formula
from charforge.expressions.template import parse_figure, signed_amount
from charforge.procedures.context import (
    AGAIN as AGAIN,
    MOST_DICE as MOST_DICE,
    Chooser as Chooser,
    Roller as Roller,
    Running,
    Told as Told,
    UnknownFigure as UnknownFigure,
)
from charforge.procedures.inputs import choices, input_faults
from charforge.procedures.steps import refuse_unit, take_steps
from charforge.rules.models import Decide, Entity, Input, Output, Procedure, Steps


@dataclass(frozen=True)
class Run:
    """What a run came to: the state after it, its outputs, its steps, the faces it used.

    An output is a number, or a text that was read of a chart. ``inputs``
    are those it was given and the numbers chosen on the way: with them and
    the faces the same run can be had again.
    """

    state: State
    outputs: Mapping[str, int | str]
    labels: Mapping[str, str]
    steps: tuple[Told, ...]
    faces: Mapping[str, list[list[int]]]
    inputs: Mapping[str, Any]


def nobody(_step: Decide, _low: int, _high: int, suggested: int, _told: Sequence[Told] = ()) -> int:
    """Choose what stands when nobody is asked."""
    return suggested


def run(
    state: State,
    procedure: Procedure,
    inputs: Mapping[str, Any],
    roll: Roller,
    unit: str = CHARACTER,
    choose: Chooser = nobody,
    given: Mapping[str, int] | None = None,
    bare: bool = False,
    quiet: bool = False,
) -> Run:
    """Run a procedure for a unit.

    ``given`` are figures that stand in place of the unit's own; ``bare``
    says that there is no character, so that every other figure is unknown;
    ``quiet`` that nobody is told of the steps, nor of what came out.
    Raises ProcedureError for inputs that are missing or wrong (all at
    once) and for a rule that refuses.
    """
    figures = given or {}
    wanted, steps = procedure.inputs, procedure.steps
    problems = list(_faults(state, wanted, steps, inputs, unit, figures if bare else None))
    if problems:
        raise ProcedureError(procedure.id, problems)
    refuse_unit(state, procedure, unit)
    told: list[Told] | None = None if quiet else []
    running = Running(
        state,
        unit,
        roll,
        choose,
        procedure.source,
        dict(figures),
        bare,
        told=told,
        answers=dict(inputs),
    )
    running.begin(procedure.inputs, inputs)
    take_steps(running, procedure.steps)
    return _result(running, () if quiet else procedure.outputs, inputs)


def take(
    state: State,
    unit: str,
    bearer: Entity,
    holding: Holding | None,
    inputs: tuple[Input, ...],
    steps: Steps,
    given: Mapping[str, Any],
    roll: Roller,
    choose: Chooser = nobody,
    quiet: bool = False,
) -> Run:
    """Take the steps of an action of ``bearer`` that a unit uses; ``holding`` is the item used."""
    problems = list(_faults(state, inputs, steps, given, unit))
    if problems:
        raise ProcedureError(bearer.id, problems)
    told: list[Told] | None = None if quiet else []
    running = Running(
        state, unit, roll, choose, bearer.id, {}, False, holding, told=told, answers=dict(given)
    )
    running.begin(inputs, given)
    take_steps(running, steps)
    return _result(running, (), given)


def usual(
    state: State,
    unit: str,
    inputs: tuple[Input, ...],
    given: Mapping[str, Any],
    holding: Holding | None = None,
) -> dict[str, int | str]:
    """Return what inputs are to begin with: what is given, else their defaults as they come out.

    Nothing is said of those without either. ``holding`` is the item used.
    """
    running = Running(state, unit, _no_dice, nobody, "", {}, False, holding)
    running.begin(inputs, given)
    found: dict[str, int | str] = {}
    for one in inputs:
        value = running.variables[one.id]
        if isinstance(value, tuple) or value in (None, ""):
            continue
        if one.type == "amount":
            said = parse_figure(str(value))
            value = signed_amount(said.dice, running.whole(said.formula))
        if one.id in given or one.default is not None or one.default_word:
            found[one.id] = value
    return found


def holds(
    state: State,
    unit: str,
    condition: Formula,
    inputs: tuple[Input, ...],
    given: Mapping[str, Any],
) -> bool:
    """Whether a formula over a unit's figures and these inputs holds; nothing is rolled for it."""
    running = Running(state, unit, _no_dice, nobody, "", {}, False)
    running.begin(inputs, given)
    return bool(running.whole(condition))


def _no_dice(name: str, dice: Dice, _label: str) -> list[int]:
    raise ProcedureError(name, [(name, f"{dice.notation} are not rolled for a condition")])


def _faults(
    state: State,
    wanted: tuple[Input, ...],
    steps: Steps,
    given: Mapping[str, Any],
    unit: str,
    figures: Mapping[str, int] | None = None,
) -> Iterator[tuple[str, str]]:
    known = {one.id for one in wanted}
    if not given.keys() <= known:
        chosen = {step.id for step in choices(state.ruleset, steps)}
        for name in given:
            if name not in known and name.partition(AGAIN)[0] not in chosen:
                yield name, "the procedure has no such input"
    yield from input_faults(state, wanted, given, unit, figures)


def _result(running: Running, outputs: tuple[Output, ...], inputs: Mapping[str, Any]) -> Run:
    """Sum up: what came out, and everything needed to run it again."""
    made = running.variables
    found = {one.id: made[one.id] for one in outputs if one.id in made}
    return Run(
        running.state,
        {name: value for name, value in found.items() if not isinstance(value, tuple)},
        {one.id: one.label for one in outputs},
        tuple(running.told or ()),
        running.faces,
        {**inputs, **running.answers},
    )
