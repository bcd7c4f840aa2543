"""Checks of procedures, their steps, actions, charts, the turn order, odds and advice."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Collection, Iterator
from contextlib import suppress

from charforge.errors import FormulaError, nearest, shorten
from charforge.expressions.dice import parse_dice, possible_totals
from charforge.expressions.formula import Formula, FunctionScope, NoFacts
from charforge.expressions.template import parse_figure
from charforge.language import N_, _
from charforge.rules import models
from charforge.rules.checks.symbols import (
    CellUse,
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    following,
    needed_inputs,
    unknown_inputs,
    unknown_name,
    unknown_names,
    unknown_outputs,
)
from charforge.rules.checks.values import bounded, check_dice, constant
from charforge.rules.errors import KeyPath
from charforge.rules.models.sheet import REFERENCE

NO_ATTACKS = N_("no procedure for attacks is set (play.attack)")
NUMBER_TYPES = ("number", "flag")  # types of inputs that are numbers
MAX_COMBINATIONS = 20_000  # of dice and inputs with which the rows of a chart are looked up


def _input(symbols: SymbolTable, entry: models.Input) -> PartProblems:
    """Check that there are entities of the kinds that an item is of, and the bounds."""
    kinds = [kind for kind in entry.kind if kind in symbols.ruleset.kinds]
    if kinds and not any(any(symbols.ruleset.of_kind(kind)) for kind in kinds):
        yield PartProblem(
            ("kind",), _("there is nothing of the kind {kinds}").format(kinds=_(" or ").join(kinds))
        )
    yield from bounded(entry.minimum, entry.maximum, entry.default)
    if entry.type == "value" and entry.default_word:
        allowed = symbols.ruleset.grouped(entry.group) or symbols.ruleset.values
        yield from unknown_name("value", entry.default_word, allowed, ("default_word",))
    yield from _owned(symbols, entry)


@following
def _owned(symbols: SymbolTable, entry: models.Input) -> PartProblems:
    """Check that a unit that may use the procedure, or its owner, has each value offered."""
    procedure = symbols.ruleset.procedures.get(symbols.procedure or "")
    names = symbols.units() if procedure is None else procedure.units
    units = [symbols.ruleset.units[name] for name in names if name in symbols.ruleset.units]
    if not entry.group or not (units or not names):
        return  # an unknown unit is reported by itself
    units = units or [*symbols.ruleset.units.values()]
    owned = {name for unit in (*units, symbols.ruleset.head.units[0]) for name in unit.values}
    labels = _(" or ").join(unit.label for unit in units)
    for place, group in enumerate(entry.group):
        for name in symbols.ruleset.group(group):
            if name not in owned:
                message = _("the group {group} has {value}, which is no value of {labels}")
                yield PartProblem(
                    ("group", place),
                    message.format(group=shorten(group), value=shorten(name), labels=labels),
                )


def _choose(_symbols: SymbolTable, step: models.ChooseStep) -> PartProblems:
    yield from bounded(step.minimum, step.maximum, step.default)


@following
def _judge(symbols: SymbolTable, step: models.Judge) -> PartProblems:
    """Check that a number is compared where the way to roll does that, and nowhere else."""
    way = symbols.ruleset.ways_to_roll.get(step.by)
    if way is None:
        return
    if way.how == "step":
        yield PartProblem(("by",), _("{by} has nothing to judge: read the roll").format(by=step.by))
    elif way.how == "under" and step.number is None:
        yield PartProblem((), _("{by} needs the 'number' to roll under").format(by=step.by))
    elif way.how == "pool" and step.number is not None:
        yield PartProblem(("number",), _("{by} counts dice: it takes no number").format(by=step.by))


def _dice_of_step(symbols: SymbolTable, roll: models.RollDice | models.Recover) -> PartProblems:
    """Check the notation of a step's dice."""
    if roll.dice.startswith("$") and isinstance(roll, models.RollDice):
        message = _("to roll the dice of an input, write figure: {id} instead")
        yield PartProblem(("dice",), message.format(id=roll.dice[1:]))
    elif roll.dice:
        yield from check_dice(symbols, roll.dice)


@following
def _reroll(symbols: SymbolTable, step: models.Reroll) -> PartProblems:
    """Check that the faces to keep are on the dice of the roll."""
    rolls = [roll for roll in symbols.steps if isinstance(roll, models.RollDice)]
    notations = [roll.dice for roll in rolls if roll.id == step.id]
    if not notations or "" in notations:
        return  # dice that only play knows
    try:
        dice = [parse_dice(notation, symbols.ruleset.dice) for notation in notations]
    except ValueError:
        return  # reported at the roll
    for number, face in enumerate(step.keep):
        if not any(face in one.faces for one in dice):
            message = _("no die of {dice} shows {face}").format(dice=dice[0].shown, face=face)
            yield PartProblem(("keep", number), message)


def _ruled(symbols: SymbolTable, step: models.ProcedureStep) -> PartProblems:
    """Check the options of table rules that a step depends on."""
    for rule, option in step.ruled.items():
        yield from _rule_option(symbols, rule, option, ("ruled", rule))


def _ruled_text(symbols: SymbolTable, text: models.RuledText) -> PartProblems:
    """Check the option of the table rule that a text is for."""
    yield from _rule_option(symbols, text.rule, text.option, ("option",))


def _rule_option(symbols: SymbolTable, rule: str, option: str, key_path: KeyPath) -> PartProblems:
    """Check that a table rule has an option."""
    table_rule = symbols.ruleset.table_rules.get(rule)
    if table_rule is not None:
        options = [allowed.id for allowed in table_rule.options]
        what = _("option of the table rule {rule}").format(rule=rule)
        yield from unknown_name(what, option, options, key_path)


def _call(symbols: SymbolTable, step: models.Call) -> PartProblems:
    """Check the inputs and results of a call against the procedure called."""
    called = symbols.ruleset.procedures.get(step.procedure)
    if called is None:
        return
    yield from unknown_inputs(called, step.with_, ("with",))
    yield from unknown_inputs(called, step.for_each, ("for_each",))
    if not symbols.call_graph.runs_itself(symbols.procedure or "", called.id):
        yield from needed_inputs(called, _meant_inputs(called, step), ())
    for name, group in step.for_each.items():
        yield from _each_value(symbols, called.input(name), group)
    variables = models.variables(called.inputs, called.steps, symbols.ruleset.symbols)
    for name, output in step.take.items():
        what = _("result of {id}").format(id=called.id)
        yield from unknown_name(what, output, variables, ("take", name))
    yield from _given(symbols, step)


def _meant_inputs(called: models.Procedure, step: models.Call) -> set[str]:
    """Return the inputs that a call gives, with those that a misspelt name is meant for."""
    known = [entry.id for entry in called.inputs]
    given = {*step.with_, *step.for_each}
    return given | {nearest(name, known) for name in given if name not in known}


@following
def _each_value(symbols: SymbolTable, entry: models.Input | None, group: str) -> PartProblems:
    """Check that an input takes each value of a group."""
    if entry is None:
        return
    if entry.type != "value":
        message = _("{id} must be an input of the type value").format(id=shorten(entry.id))
        yield PartProblem(("for_each",), message)
    for name in symbols.ruleset.group(group):
        allowed = symbols.ruleset.grouped(entry.group) or (name,)
        what = _("value for the input {id}").format(id=shorten(entry.id))
        yield from unknown_name(what, name, allowed, ("for_each",))


@following
def _given(symbols: SymbolTable, step: models.Call | models.Action) -> PartProblems:
    """Check that what a call or an action gives each input of a procedure fits that input."""
    called = symbols.ruleset.procedures.get(step.procedure or "")
    if called is None:
        return
    words = called.words_given(step.with_)
    for name, given in step.with_.items():
        entry = called.input(name)
        if entry is None:
            continue
        what = _("the input {id} of {procedure}").format(id=shorten(entry.id), procedure=called.id)
        if name in words:
            problems = _word_given(symbols, what, entry, words[name])
        elif isinstance(given, str) and isinstance(step, models.Call):
            problems = _passed(symbols, step, what, entry, given)
        elif isinstance(given, str):
            problems = _answer_given(symbols, what, entry, given)
        else:
            problems = _number_given(what, entry)
        for problem in problems:
            yield problem._replace(key_path=("with", name))


def _number_given(what: str, entry: models.Input) -> PartProblems:
    """Check an input that is given a number."""
    if entry.type == "item":
        yield PartProblem(
            (), _("{what} is an item, not a number: pass on an input ($input)").format(what=what)
        )


def _word_given(symbols: SymbolTable, what: str, entry: models.Input, word: str) -> PartProblems:
    """Check an input that is given a word: one of its options, or an amount."""
    if entry.type in ("word", "value"):
        values = symbols.ruleset.grouped(entry.group) or symbols.ruleset.values
        options = entry.options or values
        yield from unknown_name(
            _("{type} for {what}").format(type=entry.type, what=what), word, options, (), word
        )
    elif entry.type == "amount":
        try:
            parse_figure(word)
        except FormulaError as error:
            yield PartProblem(
                (),
                _("{what} must be an amount: {reason}").format(what=what, reason=error.reason),
                culprit=word,
            )
    elif entry.type in ("number", "flag"):
        try:
            Formula(word)
        except FormulaError as error:
            yield PartProblem(
                (),
                _("{what} must be a formula: {reason}").format(what=what, reason=error.reason),
                culprit=word,
            )
    elif entry.type == "item":
        yield from _number_given(what, entry)


def _answer_given(symbols: SymbolTable, what: str, entry: models.Input, given: str) -> PartProblems:
    """Check an input that an answer of the entity is given to."""
    choice = symbols.choice(given[1:])
    if choice is not None and choice.is_list:
        message = _("{what} takes one answer; {id} has several")
        yield PartProblem((), message.format(what=what, id=shorten(choice.id)))
        return
    if choice is None or entry.type not in ("word", "value"):
        return
    options = entry.options or symbols.ruleset.grouped(entry.group) or symbols.ruleset.values
    for answer in symbols.options(choice):
        yield from unknown_name(
            _("{type} for {what}").format(type=entry.type, what=what), answer, options, ()
        )


def _passed(
    symbols: SymbolTable, step: models.Call, what: str, entry: models.Input, given: str
) -> PartProblems:
    """Check one input that is passed on: its type, and its words, values or kinds."""
    guarded = step.when is not None
    own = next((own for own in symbols.inputs if own.id == given[1:]), None)
    if own is None or entry.type == "text":
        return
    names_a_value = (own.type, entry.type) == ("word", "value")
    if (
        own.type != entry.type
        and not names_a_value
        and not {own.type, entry.type} <= {*NUMBER_TYPES}
    ):
        message = _("{given} is a {type}, but {what} is a {entry_type}")
        yield PartProblem(
            (), message.format(given=given, type=own.type, what=what, entry_type=entry.type)
        )
        return
    allowed, passed = (_possible(symbols, one) for one in (entry, own))
    if guarded and {*passed} & {*allowed}:
        return  # the others may be excluded by the formula of the step
    for name in passed if allowed else ():
        yield from unknown_name(
            _("{type} for {what}").format(type=entry.type, what=what), name, allowed, ()
        )


def _possible(symbols: SymbolTable, entry: models.Input) -> Collection[str]:
    """Return the words, values or kinds that an input can be; none if it can be anything."""
    kinds = [kind for kind in entry.kind if any(symbols.ruleset.of_kind(kind))]
    return entry.options or kinds or symbols.ruleset.grouped(entry.group)


@following
def _change(symbols: SymbolTable, step: models.ChangeStep) -> PartProblems:
    """Check that what a step changes is a resource of some unit."""
    units = symbols.ruleset.units.values()
    computed = [unit.values[step.value] for unit in units if step.value in unit.values]
    if step.value in symbols.ruleset.values and not any(value.resource for value in computed):
        message = _("{value} is not a resource of any unit, so it cannot change in play").format(
            value=shorten(step.value)
        )
        yield PartProblem(("value",), message)


@following
def _about(symbols: SymbolTable, step: models.LookUp | models.Put | models.Lift) -> PartProblems:
    """Check that only a condition that names something is about something."""
    entity = symbols.ruleset.entities.get(step.condition or "")
    lasting = None if entity is None else entity.condition
    known = step.about is not None and step.about[1:] in symbols.pools["input"]
    if known and lasting is not None and not lasting.names:
        message = _("{id} is about nothing: add names: true to its condition")
        yield PartProblem(("about",), message.format(id=step.condition))


@following
def _put(symbols: SymbolTable, step: models.Put) -> PartProblems:
    """Check that only a condition that counts is put on more than once."""
    yield from _about(symbols, step)
    entity = symbols.ruleset.entities.get(step.condition)
    if entity is None:
        return
    if entity.condition is None:
        yield PartProblem(
            ("condition",), _("{id} is not a condition: add condition: {{}}").format(id=entity.id)
        )
    elif step.amount.constant not in (None, 1) and not entity.condition.counts:
        yield PartProblem(
            ("amount",), _("{id} does not count, so it has no amount").format(id=entity.id)
        )


def _procedure(symbols: SymbolTable, procedure: models.Procedure) -> PartProblems:
    """Check that outputs are variables, and that the procedure does not run itself."""
    variables = models.variables(procedure.inputs, procedure.steps, symbols.ruleset.symbols)
    for number, output in enumerate(procedure.outputs):
        yield from unknown_name("variable", output.id, variables, ("outputs", number, "id"))
    for number, step in enumerate(procedure.steps):
        called = step.called_procedure
        if called is not None and symbols.call_graph.runs_itself(procedure.id, called):
            message = _("the procedure {id} runs itself").format(id=shorten(procedure.id))
            yield PartProblem(("steps", number, "procedure"), message)
    yield from _calls(symbols, procedure.steps, "steps")


def _action(symbols: SymbolTable, action: models.Action) -> PartProblems:
    """Check that what an action does comes to an end soon, and what it gives its procedure."""
    yield from _calls(symbols, action.does, "does")
    played_as = action.played_as or ""
    choice = symbols.choice(played_as[1:]) if played_as[:1] == "$" else None
    if choice is not None:
        timings = [timing.id for timing in symbols.ruleset.head.timings]
        yield from unknown_names("timing", symbols.options(choice), timings, ("played_as",))
    called = symbols.ruleset.procedures.get(action.procedure or "")
    if called is not None:
        yield from unknown_inputs(called, action.with_, ("with",))
        outputs = [output.id for output in called.outputs]
        what = _("result of {id}").format(id=called.id)
        yield from unknown_names(what, action.results, outputs, ("results",))
    yield from _given(symbols, action)


def _calls(symbols: SymbolTable, steps: models.Steps, key: str) -> PartProblems:
    message = symbols.call_graph.error(steps)
    if message:
        yield PartProblem((key,), message)


def _order(symbols: SymbolTable, order: models.TurnOrder) -> PartProblems:
    """Check the procedures of the turn order: their outputs, their inputs, and dice on a page."""
    if order.dice:
        yield from check_dice(symbols, order.dice)
    yield from _initiative(symbols, order.procedure, order.output, ())
    for key, roll in (("rolled", order.rolled), ("tie", order.tie)):
        if roll is not None:
            yield from _initiative(symbols, roll.procedure, roll.output, (key,))
    table = symbols.ruleset.procedures.get(order.table_roll.procedure)
    if table is not None:
        special = {"extra_turns": order.extra_turns, "missed": order.missed, "last": order.last}
        yield from unknown_outputs(table, {key: name for key, name in special.items() if name}, ())
    called = symbols.call_graph.all_called(order.procedure) & symbols.ruleset.procedures.keys()
    steps = [step for name in called for step in symbols.ruleset.procedures[name].steps]
    if order.dice and any(step.rolls_dice for step in steps):
        yield PartProblem(
            ("procedure",),
            _("the procedure {procedure} rolls dice").format(procedure=shorten(order.procedure)),
        )


def _initiative(
    symbols: SymbolTable, name: str, output: tuple[str, ...], at: tuple[str, ...]
) -> PartProblems:
    """Check that a procedure of the turn order has the outputs and needs no inputs."""
    procedure = symbols.ruleset.procedures.get(name)
    if procedure is None:
        return
    yield from unknown_outputs(procedure, output, (*at, "output"))
    yield from needed_inputs(procedure, (), (*at, "procedure"))


def _chart(symbols: SymbolTable, chart: models.Chart) -> PartProblems:
    """Check the rows of a chart: one cell per column, no overlap, no gap without a rule for it."""
    yield from _ids_in_cells(symbols, chart)
    for number, row in enumerate(chart.rows):
        if len(row.cells) != len(chart.columns):
            message = _("a row needs a cell for each column: {columns}, not {count}").format(
                count=len(row.cells), columns=len(chart.columns)
            )
            yield PartProblem(("rows", number, "cells"), message)
        if row.at in [other.at for other in chart.rows[:number] if isinstance(other.at, str)]:
            yield PartProblem(("rows", number, "at"), _("{at} already has a row").format(at=row.at))
    spans = [(row.span, n, row.heading) for n, row in enumerate(chart.rows) if row.span is not None]
    spans.sort(key=lambda row: -math.inf if row[0][0] is None else row[0][0])
    for ((_low, high), _n, before), ((low, _high), number, heading) in itertools.pairwise(spans):
        if high is None or low is None or low <= high:
            yield PartProblem(
                ("rows", number, "at"),
                _("the rows {before} and {heading} overlap").format(before=before, heading=heading),
            )
        elif low > high + 1 and chart.between == "refuse":
            message = _(
                "there is no row between {before} and {heading}: add one, or set 'between'"
            ).format(before=before, heading=heading)
            yield PartProblem(("rows", number, "at"), message)


def _ids_in_cells(symbols: SymbolTable, chart: models.Chart) -> PartProblems:
    """Check the cells that steps use as ids, such as the condition that a row puts on."""
    for place, column in enumerate(chart.columns):
        uses = symbols.cell_uses.get((chart.id, column.id), ())
        for number, row in enumerate(chart.rows):
            for cell in row.cells[place : place + 1]:
                problems = (_cell_id(symbols, use, cell) for use in uses)
                problem = next((found for found in problems if found is not None), None)
                if problem is not None:
                    yield problem._replace(key_path=("rows", number, "cells", place))


def _cell_id(symbols: SymbolTable, use: CellUse, cell: int | str) -> PartProblem | None:
    """Return what is wrong with a cell as an id; a step with ``when`` may pass over some cells."""
    text = str(cell)
    if isinstance(cell, str) and "{" in cell:
        return None  # known only in play
    names = use.among or symbols.pools[use.pool]
    if text not in names:
        what = use.what
        if isinstance(use.step, models.Call):
            what = _("value for the input {id}").format(id=use.field)
        problem = next(unknown_name(what, text, names, (), culprit=text))
        passed_over = use.step.when is not None and not problem.nearest and "/" not in text
        return None if passed_over else problem
    if isinstance(use.step, models.Put):
        named = use.step.model_copy(update={use.field: text})
        return next(_put(symbols, named), None)
    return None


def _read_chart(symbols: SymbolTable, step: models.ReadChart) -> PartProblems:
    """Check the columns that a step takes from a chart, and the words or values it looks up."""
    chart = symbols.ruleset.charts.get(step.chart)
    if chart is None:
        return
    columns = [column.id for column in chart.columns]
    for name, column in step.take.items():
        yield from unknown_name(
            _("column of {id}").format(id=chart.id), column, columns, ("take", name)
        )
    words = [row.at for row in chart.rows if isinstance(row.at, str)]
    for entry in symbols.inputs:
        if step.at == f"${entry.id}":
            values = symbols.ruleset.grouped(entry.group) if step.when is None else ()
            for option in entry.options or values:
                yield from unknown_name(
                    _("row of {id}").format(id=chart.id), option, words, ("at",)
                )
    yield from _missing_row(symbols, step, chart)


@following
def _missing_row(symbols: SymbolTable, step: models.ReadChart, chart: models.Chart) -> PartProblems:
    """Yield an error for the lowest number before or after all rows that the step can look up.

    A number between two rows is an error of the chart.
    """
    spans = [row.span for row in chart.rows if row.span is not None]
    if not spans:
        return
    first = min(-math.inf if low is None else low for low, _high in spans)
    last = max(math.inf if high is None else high for _low, high in spans)
    outside = (n for n in _numbers_read(symbols, step) if not first <= n <= last)
    missing = {number for number in outside if chart.row(number) is None}
    if missing:
        message = _("the chart {id} has no row for {number}, which {at} can be: add a row")
        yield PartProblem(
            ("at",),
            message.format(id=chart.id, number=min(missing), at=step.at),
            culprit=str(step.at),
        )


def _numbers_read(symbols: SymbolTable, step: models.ReadChart) -> Iterator[int]:
    """Yield the numbers that a step can look up; none if they depend on more than dice and inputs.

    A condition (``when``) of the step counts, if it depends on the same dice and inputs. One that
    was decided before these dice are rolled excludes none of their numbers.
    """
    earlier = symbols.steps[: next(n for n, one in enumerate(symbols.steps) if one is step)]
    at = Formula(step.at[1:]) if isinstance(step.at, str) else step.at
    lets = _let_before(symbols, earlier)
    at, when = at.with_variables(lets), step.when or Formula(1)
    first = _first_roll(symbols, earlier, at.names)
    before, after = earlier[: first or 0], earlier[first or 0 :]
    if any(getattr(one, "stop", False) for one in after):
        return  # some numbers may have ended the procedure
    decided = {*models.variables(symbols.inputs, before, symbols.ruleset.symbols)}
    decided -= models.variables((), after, symbols.ruleset.symbols).keys()
    if first is not None and when.names <= decided and not when.asks_facts:
        when = Formula(1)
    when = when.with_variables(lets)
    names = sorted(at.names | when.names)
    possible = [_possible_numbers(symbols, earlier, name) for name in names]
    if at.asks_facts or when.asks_facts or math.prod(map(len, possible)) > MAX_COMBINATIONS:
        return
    for numbers in itertools.product(*possible):
        scope = FunctionScope(dict(zip(names, numbers, strict=True)).__getitem__, NoFacts())
        with suppress(FormulaError):
            if when.evaluate(scope):
                yield at.evaluate(scope)


def _first_roll(symbols: SymbolTable, steps: models.Steps, names: Collection[str]) -> int | None:
    """Return the place of the first step that rolls one of the names.

    None if an input gives one of them, or if one is rolled twice: maybe under other conditions.
    """
    rolls = [
        (place, name)
        for place, step in enumerate(steps)
        for name in step.variables(symbols.ruleset.symbols)
        if name in names
    ]
    rolled_once = sorted(name for _place, name in rolls) == sorted(names)
    return rolls[0][0] if rolls and rolled_once else None


def _let_before(symbols: SymbolTable, steps: models.Steps) -> dict[str, Formula]:
    """Return the formulas of the variables that are set once by some steps, always and first."""
    set_by = collections.Counter(
        name for step in steps for name in step.variables(symbols.ruleset.symbols)
    )
    lets: dict[str, Formula] = {}
    for step in steps:
        if isinstance(step, models.Let) and set_by[step.id] == 1 and step.when is None:
            lets[step.id] = step.to.with_variables(lets)
    return lets


def _possible_numbers(symbols: SymbolTable, steps: models.Steps, name: str) -> Collection[int]:
    """Return what a variable can be that some steps roll or an input gives; none if unknown."""
    sources = [step for step in steps if name in step.variables(symbols.ruleset.symbols)]
    if any(getattr(step, "id", "") != name for step in sources):
        return ()  # faces, or results of a chart or of another procedure
    entry = next((entry for entry in symbols.inputs if entry.id == name), None)
    if entry is not None and not sources and entry.type == "number":
        low, high = constant(entry.minimum), constant(entry.maximum)
        if low is not None and high is not None and high - low < MAX_COMBINATIONS:
            return range(low, high + 1)
    numbers: set[int] = set()
    for step in sources:
        totals = _totals(symbols, step)
        if not totals:
            return ()
        numbers.update(totals)
    return numbers


def _totals(symbols: SymbolTable, step: models.ProcedureStep) -> Collection[int]:
    """Return the totals of a step that rolls a fixed number of dice; none of any other."""
    if not isinstance(step, models.RollDice) or step.times.constant != 1:
        return ()
    sides = constant(step.sides)
    notation = step.dice or (f"1d{sides}" if sides is not None else "")
    try:
        return possible_totals(parse_dice(notation, symbols.ruleset.dice))
    except ValueError:
        return ()  # reported at the roll, or only play knows the dice


def _every_step(
    symbols: SymbolTable, procedure: models.Procedure, callers: tuple[str, ...] = ()
) -> Iterator[models.AnyProcedureStep]:
    """Yield the steps of a procedure and of those that it calls."""
    for step in procedure.steps:
        yield step
        called = symbols.ruleset.procedures.get(step.called_procedure or "")
        if called is not None and called.id not in (*callers, procedure.id):
            yield from _every_step(symbols, called, (*callers, procedure.id))


def _odds(symbols: SymbolTable, spec: models.OddsSpec) -> PartProblems:
    """Check the inputs and outputs of a table of odds against its procedure."""
    procedure = symbols.ruleset.procedures.get(
        spec.procedure or symbols.ruleset.head.play.attack or ""
    )
    if procedure is None:
        if spec.procedure is None:
            yield PartProblem(("each",), _(NO_ATTACKS))
        return
    chosen = {step.id for step in _every_step(symbols, procedure) if step.do == "choose"}
    of_rows = {spec.input, None if spec.rows is None else spec.rows.input}
    for name in filter(None, (spec.input, *spec.set, *(span.input for span in spec.spans))):
        if name in chosen and name not in of_rows:
            continue
        for problem in unknown_inputs(procedure, [name], ()):
            yield problem._replace(key_path=(), culprit=name)
    yield from unknown_outputs(procedure, spec.show, ("show",))


def _advice(_symbols: SymbolTable, advice: models.AdviceSpec) -> PartProblems:
    """Check that measures use figures that the foe has."""
    figures = [figure.id for figure in advice.foe]
    for number, measure in enumerate(advice.measures):
        for name, word in measure.set.items():
            if word.startswith(REFERENCE):
                key_path = ("measures", number, "set", name)
                figure = word.removeprefix(REFERENCE)
                yield from unknown_name("figure of the foe", figure, figures, key_path)


def _measure(symbols: SymbolTable, measure: models.Measure) -> PartProblems:
    """Check the inputs and outputs of a measure against its procedure."""
    play = symbols.ruleset.head.play
    procedure = symbols.ruleset.procedures.get(measure.procedure or play.attack or "")
    if procedure is None:
        if measure.procedure is None:
            yield PartProblem(("procedure",), _(NO_ATTACKS))
        return
    for key in ("set", "figures", "look_up"):
        yield from unknown_inputs(procedure, getattr(measure, key), (key,))
    yield from unknown_outputs(procedure, {"output": measure.output}, ())


CHECKS: Checks = {
    models.Input: _input,
    models.ChooseStep: _choose,
    models.ProcedureStep: _ruled,
    models.RuledText: _ruled_text,
    models.RollDice: _dice_of_step,
    models.Reroll: _reroll,
    models.Judge: _judge,
    models.Recover: _dice_of_step,
    models.Call: _call,
    models.ChangeStep: _change,
    models.LookUp: _about,
    models.Put: _put,
    models.Lift: _about,
    models.Procedure: _procedure,
    models.Action: _action,
    models.TurnOrder: _order,
    models.Chart: _chart,
    models.ReadChart: _read_chart,
    models.OddsSpec: _odds,
    models.AdviceSpec: _advice,
    models.Measure: _measure,
}
