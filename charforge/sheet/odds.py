"""Odds on a sheet: for each attack, skill or unit, what its dice come to, exactly.

The ruleset says which tables there are; nothing is chosen by chance, and
numbers on the way are as the table says. What cannot be reckoned stands
in its row with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from charforge.character.state import CHARACTER, State
from charforge.errors import CharforgeError, ProcedureError
from charforge.expressions.template import true_minus
from charforge.odds import Case, Odds, Outcome
from charforge.odds.liveness import is_flag
from charforge.procedures import abilities
from charforge.procedures.inputs import input_problems, items_of, read_input
from charforge.replay.replay import Character
from charforge.rules.models import OddsRange, OddsSpec, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.sheet.view import OddsRow, OddsTable

MOST = 50_000  # ways to follow for one row: a sheet is not waited for


@dataclass(frozen=True)
class _Thing:
    """What a row is of: who runs the procedure, on what state, and what is told already."""

    name: str
    state: State
    unit: str
    told: Mapping[str, Any] = field(default_factory=dict)


def odds_tables(character: Character) -> tuple[OddsTable, ...]:
    """Return the tables of odds that a character's ruleset has for it; none without rows."""
    state = character.state
    found = (one for spec in state.ruleset.head.odds for one in _tables(state, spec))
    return tuple(table for table in found if table.rows)


def _tables(state: State, spec: OddsSpec) -> Iterator[OddsTable]:
    """Yield the table, or one for each value of the input that sets tables apart."""
    if spec.apart is None:
        yield _table(state, spec, {}, "")
        return
    procedure = _procedure(state.ruleset, spec)
    for number, word in enumerate(spec.apart.values):
        told = {spec.apart.input: word}
        table = _table(state, spec, told, f"{_over(procedure, spec.apart)} {word}")
        yield table._replace(text="") if number else table


def _table(state: State, spec: OddsSpec, told: Mapping[str, str], more: str) -> OddsTable:
    procedure = _procedure(state.ruleset, spec)
    labels = {output.id: output.label for output in procedure.outputs}
    things = list(_things(state, spec))
    return OddsTable(
        label=f"{spec.label}: {more}" if more else spec.label,
        text=spec.text,
        over=_over(procedure, spec.vary),
        columns=spec.vary.values,
        shown=tuple(labels[name] for name in spec.show),
        rows=tuple(_row(thing, procedure, spec, {**spec.set, **told}) for thing in things),
    )


def _over(procedure: Procedure, span: OddsRange) -> str:
    one = procedure.input(span.input)
    return span.label or (one.label if one is not None else span.input)


def _procedure(ruleset: Ruleset, spec: OddsSpec) -> Procedure:
    return ruleset.procedure(spec.procedure or ruleset.head.play.attack or "")


def _things(state: State, spec: OddsSpec) -> Iterator[_Thing]:
    """Yield what has a row; equal attacks of equal weapons have one."""
    if spec.each == "once":
        yield _Thing(spec.label, state, CHARACTER)
    elif spec.each == "unit":
        units = _procedure(state.ruleset, spec).units
        able = (unit for unit in state.units if not units or unit.type.id in units)
        yield from (_Thing(unit.title or spec.label, state, unit.id) for unit in able)
    elif spec.each == "item":
        one = _procedure(state.ruleset, spec).input(spec.input or "")
        assert one is not None
        for held in items_of(state, one, CHARACTER):
            if held.entity.kind in spec.kind:
                yield _Thing(held.name, state, CHARACTER, {one.id: held.id})
    else:
        yield from _attacks(state)


def _attacks(state: State) -> Iterator[_Thing]:
    seen: list[tuple[str, Mapping[str, Any]]] = []
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            if ability.attack is None:
                continue
            _procedure, said = abilities.attack_procedure(state, ability, ability.attack)
            name = f"{unit.name}: {ability.name}" if unit.owner is not None else ability.name
            if (name, said) not in seen:
                seen.append((name, said))
                after = abilities.state_once_paid(state, ability)
                yield _Thing(name, after, abilities.attack_unit(state, ability), said)


def _row(thing: _Thing, procedure: Procedure, spec: OddsSpec, told: Mapping[str, str]) -> OddsRow:
    """Return the row of one thing."""
    try:
        cases = [
            Case(_told(thing, procedure, {**told, spec.vary.input: word}))
            for word in spec.vary.values
        ]
        odds = Odds(thing.state, procedure, cases, thing.unit, best=spec.best, most=MOST)
        flags = {name for name in spec.show if is_flag(thing.state.ruleset, procedure, name)}
        cells = tuple(tuple(_cells(odds.of(case), spec.show, flags)) for case in cases)
    except CharforgeError as error:
        return OddsRow(thing.name, note=str(error))
    return OddsRow(thing.name, cells)


def _told(thing: _Thing, procedure: Procedure, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the inputs of a run; words are read as those of a command. Raises ProcedureError."""
    found = dict(thing.told)
    for name, word in words.items():
        one = procedure.input(name)
        assert one is not None
        try:
            among = items_of(thing.state, one, thing.unit) if one.type == "item" else ()
            found[name] = read_input(thing.state.ruleset, one, word, among)
        except ValueError as error:
            raise ProcedureError(procedure.label, [(name, str(error))]) from error
    problems = list(input_problems(thing.state, procedure.inputs, found, thing.unit))
    if problems:
        raise ProcedureError(procedure.label, problems)
    return found


def _cells(outcomes: Iterable[Outcome], show: Iterable[str], flags: Iterable[str]) -> Iterator[str]:
    by_id = {one.id: one.chances for one in outcomes}
    for name in show:
        if name in flags:
            yield f"{float(100 * by_id[name].at_least(1)):.0f}%"
        else:
            yield true_minus(f"{float(by_id[name].mean):.1f}")
