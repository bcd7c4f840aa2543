"""Resolving a procedure by itself: for a character, or on figures that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from charforge.content.models import Input, Procedure
from charforge.content.ruleset import Ruleset
from charforge.dice import Dice
from charforge.engine import inputs as reading, procedures
from charforge.engine.procedures import Run, UnknownFigure
from charforge.engine.state import CHARACTER, State, Unit
from charforge.errors import CharforgeError, ProcedureError
from charforge.opened import Opened
from charforge.service.finding import find_unit
from charforge.service.playing import find_rule
from charforge.service.rolling import Heard, Read, Said, Thrown, hear

STANDING_IN: Mapping[str, int | str] = {"amount": "0", "text": "", "flag": 0, "number": 1}


def find_procedure(ruleset: Ruleset, named: str) -> Procedure:
    """Return a procedure by id or label. Raises UnknownId with the nearest one."""
    return find_rule(ruleset, named) or ruleset.procedure(named)


def resolve(
    ruleset: Ruleset,
    named: str,
    said: Said,
    seed: str,
    opened: Opened | None = None,
    unit: str | None = None,
) -> Run:
    """Run a procedure without changing anything; a character, if any, gives the figures.

    Without one each figure that is read must be given. Raises
    ProcedureError with all inputs and figures that are missing.
    """
    procedure = find_procedure(ruleset, named)
    if opened is None:
        state, bearer = _nobody(ruleset, procedure), CHARACTER
        heard = _all_given(state, procedure, said)
    else:
        state = opened.character.state
        bearer = find_unit(state, unit).id
        heard = _hear(state, procedure, said, bearer)
    thrown = Thrown(seed, procedure.id, heard.dice)
    run = procedures.run(
        state, procedure, heard.inputs, thrown, bearer, said.choose, heard.figures, opened is None
    )
    thrown.refuse_unused(procedure.label)
    return run


def _hear(state: State, procedure: Procedure, said: Said, unit: str, bare: bool = False) -> Heard:
    return hear(
        state, procedure.label, procedure.inputs, procedure.steps, said, unit, bare, figures=True
    )


def _nobody(ruleset: Ruleset, procedure: Procedure) -> State:
    """Return the state of a unit of which nothing is known but its type."""
    sort = procedure.units[0] if procedure.units else next(iter(ruleset.units))
    return State(ruleset, units=(Unit(CHARACTER, ruleset.units[sort], ""),))


def _all_given(state: State, procedure: Procedure, said: Said) -> Heard:
    """Hear what is said where there is no character.

    Raises ProcedureError with every input and every figure that is missing.
    """
    missing: dict[str, str] = {}
    unsure = False

    def stand_in(one: Input, _read: Read) -> int | str:
        nonlocal unsure
        missing[one.id] = f"it must be given: {one.label}"
        unsure = unsure or one.type == "value"
        if one.type == "value":
            return reading.values_of(state.ruleset, one)[0]
        return one.options[0] if one.options else STANDING_IN[one.type]

    heard = _hear(state, procedure, replace(said, ask=stand_in), CHARACTER, bare=True)
    if not unsure:  # else nobody can tell which figure is meant
        for name in _unknown(state, procedure, heard):
            value = state.ruleset.values.get(name)
            missing[name] = f"it must be given: {value.name if value else name} (or give a FILE)"
    if missing:
        raise ProcedureError(procedure.label, missing.items())
    return heard


def _unknown(state: State, procedure: Procedure, heard: Heard) -> Iterator[str]:
    """Yield the figures that a run reads and that are not given, each stood in for in its turn."""
    figures = dict(heard.figures)
    while True:
        lowest = _Lowest("", procedure.id, heard.dice)
        try:
            procedures.run(state, procedure, heard.inputs, lowest, given=figures, bare=True)
        except UnknownFigure as error:
            figures[error.figure] = 1  # 0 would often lead to the rarest end of a rule
            yield error.figure
        except CharforgeError:
            return  # what is wrong beyond that shows once everything is given
        else:
            return


class _Lowest(Thrown):
    """Dice at their lowest where none are given: what is missing is no matter of luck."""

    def fallen(self, _name: str, dice: Dice, _attempt: int) -> list[int]:
        """Return the lowest faces."""
        return [dice.faces[0]] * dice.number
