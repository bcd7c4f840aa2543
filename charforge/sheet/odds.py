"""Tables of exact odds on a sheet: a row for each attack, skill or unit.

The ruleset defines the tables. A row whose odds cannot be calculated shows
the reason instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import CharforgeError, ProcedureError
from charforge.expressions.template import true_minus
from charforge.language import format_number, percent_text
from charforge.odds import THE_CHARACTER, Actor, Case, Odds, Outcome
from charforge.odds.liveness import is_flag
from charforge.procedures import abilities, costs
from charforge.procedures.inputs import input_problems, items_of, read_input, read_whole
from charforge.replay.replay import Character
from charforge.rules.models import OddsRange, OddsSpec, Procedure
from charforge.rules.ruleset import Ruleset
from charforge.sheet.view import OddsRow, OddsTable

MAX_ROW_BRANCHES = 50_000  # branches of one row: a sheet must not take long


@dataclass(frozen=True)
class _RowSubject:
    """The subject of a row: its name, who runs the procedure in which state, known inputs."""

    name: str
    state: State
    actor: Actor = THE_CHARACTER
    inputs: Mapping[str, Any] = field(default_factory=dict)


def odds_tables(character: Character) -> tuple[OddsTable, ...]:
    """Return the odds tables of a character's ruleset, without those that have no rows."""
    state = character.state
    specs = (spec for spec in state.ruleset.head.odds if spec.rows is None)
    tables = (table for spec in specs for table in _tables(state, spec))
    return tuple(table for table in tables if table.rows)


def rulebook_tables(ruleset: Ruleset, rules: Mapping[str, str]) -> tuple[OddsTable, ...]:
    """Return the odds tables of a ruleset that need no character; ``rules`` are table rules."""
    unit_type = next(iter(ruleset.units.values()))
    state = State(ruleset, units=(Unit(CHARACTER, unit_type, ""),), rules=rules)
    specs = (spec for spec in ruleset.head.odds if spec.rows is not None)
    return tuple(table for spec in specs for table in _tables(state, spec))


def _tables(state: State, spec: OddsSpec) -> Iterator[OddsTable]:
    """Yield the table, or one for each value of its ``apart`` input."""
    if spec.apart is None:
        yield _table(state, spec, {}, "")
        return
    procedure = _procedure(state.ruleset, spec)
    for number, word in enumerate(spec.apart.values):
        words = {spec.apart.input: word}
        table = _table(state, spec, words, f"{_heading(procedure, spec.apart)} {word}")
        yield table._replace(text="") if number else table


def _table(state: State, spec: OddsSpec, words: Mapping[str, str], more: str) -> OddsTable:
    """Return one table; ``words`` are fixed inputs and ``more`` is added to its label."""
    procedure = _procedure(state.ruleset, spec)
    labels = {output.id: output.label for output in procedure.outputs}
    subjects = tuple(_subjects(state, spec))
    fixed = {**spec.set, **words}
    if spec.rows is not None:
        rows = _shared_rows(subjects, procedure, spec, fixed)
    else:
        rows = (_row(subject, procedure, spec, fixed) for subject in subjects)
    return OddsTable(
        label=f"{spec.label}: {more}" if more else spec.label,
        text=spec.text,
        columns_heading=_heading(procedure, spec.vary),
        rows_heading="" if spec.rows is None else _heading(procedure, spec.rows),
        columns=spec.vary.values,
        cell_labels=tuple(labels[name] for name in spec.show),
        rows=tuple(rows),
    )


def _heading(procedure: Procedure, span: OddsRange) -> str:
    """Return the label of a range of inputs: its own, or that of the input."""
    spec = procedure.input(span.input)
    return span.label or (spec.label if spec is not None else span.input)


def _procedure(ruleset: Ruleset, spec: OddsSpec) -> Procedure:
    return ruleset.procedure(spec.procedure or ruleset.head.play.attack or "")


def _subjects(state: State, spec: OddsSpec) -> Iterator[_RowSubject]:
    """Yield the subjects of rows; equal attacks of equal weapons have one row."""
    if spec.rows is not None:
        row_input = _procedure(state.ruleset, spec).input(spec.rows.input)
        assert row_input is not None
        for word in spec.rows.values:
            inputs = {row_input.id: read_input(state.ruleset, row_input, word, ())}
            yield _RowSubject(word, state, Actor(no_character=True), inputs)
    elif spec.each == "once":
        yield _RowSubject(spec.label, state)
    elif spec.each == "unit":
        units = _procedure(state.ruleset, spec).units
        able = (unit for unit in state.units if not units or unit.type.id in units)
        yield from (_RowSubject(unit.title or spec.label, state, Actor(unit.id)) for unit in able)
    elif spec.each == "item":
        item_input = _procedure(state.ruleset, spec).input(spec.input or "")
        assert item_input is not None
        for holding in items_of(state, item_input, CHARACTER):
            if holding.entity.kind in spec.kind:
                yield _RowSubject(holding.name, state, inputs={item_input.id: holding.id})
    else:
        procedure = spec.procedure if spec.each == "action" else None
        yield from _abilities(state, procedure)


def _abilities(state: State, procedure: str | None) -> Iterator[_RowSubject]:
    """Yield each different attack of each unit, or each action that runs a procedure.

    The state is that after its costs are paid.
    """
    seen: list[tuple[str, Mapping[str, Any]]] = []
    for unit in state.units:
        for ability in abilities.all_abilities(state, unit.id):
            if not _has_row(ability, procedure):
                continue
            inputs = abilities.supplied_inputs(state, ability)
            name = f"{unit.name}: {ability.name}" if unit.owner is not None else ability.name
            if (name, inputs) not in seen:
                seen.append((name, inputs))
                after = costs.state_after_cost(state, ability)
                roller = abilities.acting_unit(state, ability)
                yield _RowSubject(name, after, Actor(roller, unit.id), inputs)


def _has_row(ability: abilities.Ability, procedure: str | None) -> bool:
    """Return whether an ability is an attack, or an action that runs the ``procedure``."""
    if procedure is None:
        return ability.attack is not None
    return ability.action is not None and ability.action.procedure == procedure


def _shared_rows(
    subjects: Sequence[_RowSubject], procedure: Procedure, spec: OddsSpec, words: Mapping[str, str]
) -> Iterator[OddsRow]:
    """Yield rows that differ only in their inputs; they share what is calculated for them."""
    try:
        rows = [_cases(subject, procedure, spec, words) for subject in subjects]
        odds = _odds(subjects[0], procedure, spec, [case for row in rows for case in row])
    except CharforgeError:
        yield from (_row(subject, procedure, spec, words) for subject in subjects)
        return
    for subject, cases in zip(subjects, rows, strict=True):
        yield _shown(subject, odds, cases, procedure, spec)


def _row(
    subject: _RowSubject, procedure: Procedure, spec: OddsSpec, words: Mapping[str, str]
) -> OddsRow:
    """Return the row of a subject; ``words`` are its fixed inputs as text."""
    try:
        cases = _cases(subject, procedure, spec, words)
        odds = _odds(subject, procedure, spec, cases)
    except CharforgeError as error:
        return OddsRow(subject.name, note=str(error))
    return _shown(subject, odds, cases, procedure, spec)


def _cases(
    subject: _RowSubject, procedure: Procedure, spec: OddsSpec, words: Mapping[str, str]
) -> list[Case]:
    return [
        Case(_inputs(subject, procedure, {**words, spec.vary.input: word}))
        for word in spec.vary.values
    ]


def _odds(
    subject: _RowSubject, procedure: Procedure, spec: OddsSpec, cases: Sequence[Case]
) -> Odds:
    return Odds(
        subject.state, procedure, cases, subject.actor, most=MAX_ROW_BRANCHES, outputs=spec.show
    )


def _shown(
    subject: _RowSubject, odds: Odds, cases: Iterable[Case], procedure: Procedure, spec: OddsSpec
) -> OddsRow:
    """Return a row with a cell for each case, or with the reason why it has none."""
    flags = {name for name in spec.show if is_flag(subject.state.ruleset, procedure, name)}
    try:
        cells = tuple(tuple(_cells(odds.of(case), spec.show, flags)) for case in cases)
    except CharforgeError as error:
        return OddsRow(subject.name, note=str(error))
    return OddsRow(subject.name, cells)


def _inputs(subject: _RowSubject, procedure: Procedure, words: Mapping[str, str]) -> dict[str, Any]:
    """Return the inputs of a case, with ``words`` parsed. Raises ProcedureError."""
    inputs = dict(subject.inputs)
    for name, word in words.items():
        spec = procedure.input(name)
        try:
            if spec is None:  # a number that is chosen on the way
                inputs[name] = read_whole(word)
                continue
            items = (
                items_of(subject.state, spec, subject.actor.unit_id) if spec.type == "item" else ()
            )
            inputs[name] = read_input(subject.state.ruleset, spec, word, items)
        except ValueError as error:
            raise ProcedureError(procedure.label, [(name, str(error))]) from error
    problems = list(input_problems(subject.state, procedure.inputs, inputs, subject.actor.unit_id))
    if problems:
        raise ProcedureError(procedure.label, problems)
    return inputs


def _cells(outcomes: Iterable[Outcome], show: Iterable[str], flags: Iterable[str]) -> Iterator[str]:
    """Yield the figures of a cell: a percentage for a flag, else the mean."""
    by_id = {outcome.id: outcome.chances for outcome in outcomes}
    for name in show:
        if name in flags:
            yield percent_text(by_id[name].at_least(1), ".0f")
        else:
            yield true_minus(format_number(by_id[name].mean, ".1f"))
