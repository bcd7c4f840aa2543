"""Running a procedure: its steps taken one by one, on a state, with dice from outside.

Dice come from a callable by the roll's id, so the same procedure serves a
roll on the screen, dice typed from the table, a replay of recorded faces
and the counting of odds. A run tells its steps and never touches the
state it began with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from charforge.content.models import Decide, Entity, Input, Procedure, Steps
from charforge.dice import Dice
from charforge.engine.inputs import choices, input_faults
from charforge.engine.running import (
    AGAIN as AGAIN,
    MOST_DICE as MOST_DICE,
    Chooser as Chooser,
    Roller as Roller,
    Running,
    Told as Told,
    UnknownFigure as UnknownFigure,
)
from charforge.engine.state import CHARACTER, Holding, State
from charforge.engine.steps import refuse_unit, take_steps
from charforge.errors import ProcedureError
from charforge.formula import Formula


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
) -> Run:
    """Run a procedure for a unit.

    ``given`` are figures that stand in place of the unit's own; ``bare``
    says that there is no character, so that every other figure is unknown.
    Raises ProcedureError for inputs that are missing or wrong (all at
    once) and for a rule that refuses.
    """
    figures = given or {}
    wanted, steps = procedure.inputs, procedure.steps
    problems = list(_faults(state, wanted, steps, inputs, unit, figures if bare else None))
    if problems:
        raise ProcedureError(procedure.id, problems)
    refuse_unit(state, procedure, unit)
    running = Running(state, unit, roll, choose, procedure.source, dict(figures), bare)
    running.begin(procedure.inputs, inputs)
    take_steps(running, procedure.steps)
    return _result(running, tuple((o.id, o.label) for o in procedure.outputs), inputs)


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
) -> Run:
    """Take the steps of an action of ``bearer`` that a unit uses; ``holding`` is the item used."""
    problems = list(_faults(state, inputs, steps, given, unit))
    if problems:
        raise ProcedureError(bearer.id, problems)
    running = Running(state, unit, roll, choose, bearer.id, {}, False, holding)
    running.begin(inputs, given)
    take_steps(running, steps)
    return _result(running, (), given)


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
    others = given.keys() - {one.id for one in wanted}
    chosen = {step.id for step in choices(state.ruleset, steps)} if others else ()
    for name in given:
        if name in others and name.partition(AGAIN)[0] not in chosen:
            yield name, "the procedure has no such input"
    yield from input_faults(state, wanted, given, unit, figures)


def _result(running: Running, outputs: Iterable[tuple[str, str]], inputs: Mapping[str, Any]) -> Run:
    """Sum up: what came out, and everything needed to run it again."""
    made = running.variables
    found = {name: made[name] for name, _label in outputs if name in made}
    return Run(
        running.state,
        {name: value for name, value in found.items() if not isinstance(value, tuple)},
        dict(outputs),
        tuple(running.told),
        running.faces,
        {**inputs, **running.answers},
    )
