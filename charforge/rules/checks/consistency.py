"""Checks of how the parts of a pack fit together, beyond the names that they use.

Each check yields the errors of one model; ``CHECKS`` at the end lists the
checks by model. ``references`` walks over a pack and calls them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

from charforge.errors import FormulaError, nearest, shorten
from charforge.expressions import dice
from charforge.expressions.formula import Formula
from charforge.expressions.formula_types import type_mistake
from charforge.language import _, format_number
from charforge.rules import models
from charforge.rules.checks.cycles import (
    MAX_DECISIONS,
    cells,
    circular_grant,
    names_read,
    reachable,
)
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    unknown_name,
    unknown_names,
)
from charforge.rules.models.sheet import REFERENCE


def _grant(known: SymbolTable, grant: models.Grant) -> PartProblems:
    """Check that the choices that a grant answers exist, and have those options."""
    granted = known.ruleset.entities.get(known.ruleset.canonical(grant.id))
    if granted is None:
        return
    choices = {choice.id: choice for choice in granted.choices}
    for name, answer in grant.with_.items():
        where = ("with", name)
        yield from unknown_name(_("choice of {id}").format(id=grant.id), name, choices, where)
        if name in choices:
            yield from _answered_choice(known, choices[name], answer, where)


def _answered_choice(
    known: SymbolTable, question: models.Question, answer: str | int, where: tuple[str, ...]
) -> PartProblems:
    """Check a grant's answer to a choice: a number where one is entered, else a word."""
    if question.preset_type is None:
        yield PartProblem(
            where, _("{id} cannot be answered in advance").format(id=shorten(question.id))
        )
    elif not isinstance(answer, question.preset_type):
        expected = _("a whole number") if question.preset_type is int else _("a word or text")
        yield PartProblem(
            where,
            _("{id} must be {expected}, not {answer}").format(
                id=shorten(question.id), expected=expected, answer=shorten(answer)
            ),
        )
    elif isinstance(answer, str):
        yield from _option(known, question, answer, where)


def _choose(known: SymbolTable, question: models.Choose) -> PartProblems:
    """Check that the default is an option."""
    if question.default is not None:
        yield from _option(known, question, question.default, ("default",))


def _option(
    known: SymbolTable, question: models.Question, answer: str, where: tuple[str, ...]
) -> PartProblems:
    options = known.options(question)
    if options:
        yield from unknown_name("option", answer, options, where)


def _among(known: SymbolTable, among: models.Among) -> PartProblems:
    """Check what it is limited to, that dice are one roll, and what options must match."""
    roll = known.ruleset.rolls.get(among.faces or "")
    if roll is not None and roll.is_repeated:
        yield PartProblem(("faces",), _("these dice are rolled several times"))
    kinds = [known.ruleset.kinds.get(kind) for kind in among.query.kind] if among.query else []
    fields = {"tags", *(name for kind in kinds if kind is not None for name in kind.fields)}
    questions = {*known.pools["question"], *known.pools["choice of this entity"]}
    for field, question in among.match.items():
        yield from unknown_name("field of these entities", field, fields, ("match", field))
        yield from unknown_name("earlier question", question, questions, ("match", field))
    if terms := known.terms(among.terms):
        yield from unknown_names("term", among.only, terms, ("only",))
    if values := known.ruleset.group(among.values) if among.values is not None else ():
        yield from unknown_names("value of the group", among.only, values, ("only",))


def _dice(known: SymbolTable, roll: models.Roll | models.AttackRoll) -> PartProblems:
    """Check the notation of dice."""
    yield from _dice_notation(known, roll.dice)


def _check_spec(known: SymbolTable, spec: models.CheckSpec) -> PartProblems:
    """Check the notation of dice, and that some entity has each figure."""
    yield from _dice_notation(known, spec.dice)
    entities = known.ruleset.entities.values()
    figures = {figure.id for entity in entities for figure in entity.figures}
    yield from unknown_names("figure", spec.figure, figures, ("figure",))


def _roll(known: SymbolTable, question: models.Roll) -> PartProblems:
    """Check the dice, and that rerolling them all while a condition holds comes to an end."""
    problems = list(_dice(known, question))
    yield from problems
    formula = question.reroll_all_while
    if problems or formula is None or not formula.names <= {models.FACES}:
        return
    if type_mistake(formula, {models.FACES}):
        return  # reported with all other formulas
    rolled = dice.parse_dice(question.dice, known.ruleset.dice)
    try:
        dice.roll_dice(rolled, dice.random_stream("", question.id), question.must_reroll)
    except ValueError:
        yield PartProblem(("reroll_all_while",), _("these dice would be rerolled forever"))
    except FormulaError as error:
        yield PartProblem(("reroll_all_while",), error.reason)


def _roll_on(known: SymbolTable, question: models.RollOn) -> PartProblems:
    """Check the tables: a row for each total, tables that exist, and an end of rolling."""
    tables = {table.id: table for table in question.all_tables}
    if question.table is None:
        yield from _table(known, question.first_table, tables, ())
    for number, table in enumerate(question.tables):
        yield from _table(known, table, tables, ("tables", number))
    own = {question.id, *(table.id for table in question.tables)}
    if question.first_table.rows and own & _never_ending(tables):
        where = ("rows",) if question.table is None else ("table",)
        yield PartProblem(where, _("rolling on these tables would never end"))


def _shared_tables(known: SymbolTable, head: models.Head) -> PartProblems:
    """Check the tables that questions share, as their own ones."""
    tables = {table.id: table for table in head.random_tables}
    endless = _never_ending(tables)
    for number, table in enumerate(head.random_tables):
        yield from _table(known, table, tables, ("random_tables", number))
        if table.id in endless:
            where = ("random_tables", number, "rows")
            yield PartProblem(where, _("rolling on this table would never end"))


def _never_ending(tables: Mapping[str, models.RandomTable]) -> set[str]:
    """Return the tables of which every row rolls on, in a circle."""
    ending: set[str] = set()
    for _table_id in tables:
        endless = tables.keys() - ending
        ending |= {
            name
            for name in endless
            if any(endless.isdisjoint(row.roll) for row in tables[name].rows)
        }
    return tables.keys() - ending


def _table(
    known: SymbolTable,
    table: models.RandomTable,
    tables: Mapping[str, models.RandomTable],
    where: tuple[str | int, ...],
) -> PartProblems:
    """Check the dice and the rows of one random table."""
    try:
        rolled = dice.parse_dice(table.dice, known.ruleset.dice)
    except ValueError as error:
        yield PartProblem((*where, "dice"), str(error))
        return
    left = set(dice.possible_totals(rolled))
    for number, (first, last, row) in enumerate(table.spans(known.ruleset.dice)):
        at = (*where, "rows", number)
        for name in row.roll:
            yield from unknown_name("table", name, tables, (*at, "roll"))
        held = {total for total in left if first <= total <= last}
        if not held:
            span = models.span_text(first, last)
            yield PartProblem(
                at,
                _("{dice} cannot total {span}, or an earlier row has it").format(
                    dice=table.dice, span=span
                ),
            )
        left -= held
    if left:
        yield PartProblem(
            (*where, "rows"),
            _("there is no row for a total of {left} ({dice})").format(
                left=min(left), dice=table.dice
            ),
        )


def _dice_notation(known: SymbolTable, notation: str) -> PartProblems:
    """Check that dice are like 2d6, or of a die that the ruleset names."""
    try:
        dice.parse_dice(notation, known.ruleset.dice)
    except ValueError as error:
        near = nearest(notation.partition("d")[2], known.ruleset.dice)
        yield PartProblem(("dice",), str(error), near)


def _assign(known: SymbolTable, question: models.Assign) -> PartProblems:
    """Check that there is one score for each value, and that a swap has an order."""
    scores, number = question.scores, 0
    if isinstance(scores, models.Scores):
        roll = known.ruleset.rolls.get(scores.roll)
        if roll is not None and roll.is_repeated:
            number = sum(len(known.targets(target)) for target in roll.to) or roll.times
        elif scores.one_swap and roll is not None:
            where, message = ("scores", "one_swap"), _("the roll needs 'times': one for each value")
            yield PartProblem(where, message)
        if number and scores.without:
            message = _("no dice can be left out of a roll with 'times': use 4d6k3")
            yield PartProblem(("scores", "without"), message)
    else:
        number = len(scores)
    values = [name for target in question.to for name in known.targets(target)]
    if values and number and len(values) != number:
        yield PartProblem(
            (), _("{number} scores for {count} values").format(number=number, count=len(values))
        )


def _allot(known: SymbolTable, question: models.Allot) -> PartProblems:
    """Check that the points of an allotment can be spent within its bounds."""
    points = None if question.points is None else question.points.constant
    low, high = _bounds(question)
    if question.costs:
        yield from _point_buy(known, question, points)
        return
    if low is not None and high is not None and low > high:
        yield PartProblem(
            ("minimum",), _("no number is between {low} and {high}").format(low=low, high=high)
        )
    number = len({name for target in question.to for name in known.targets(target)})
    if not number or points is None or low is None or high is None:
        return
    if not low * number <= points or (points > high * number and not question.up_to):
        message = _(
            "{number} values between {low} and {high} cannot add up to {points} points"
        ).format(number=number, low=low, high=high, points=points)
        yield PartProblem(("points",), message)


def _point_buy(known: SymbolTable, question: models.Allot, points: int | None) -> PartProblems:
    """Check that scores can be bought with exactly the points, or (``up_to``) with fewer."""
    number = len({name for target in question.to for name in known.targets(target)})
    bounds = (question.minimum, question.maximum)
    if not number or points is None or any(b is not None and b.constant is None for b in bounds):
        return
    low, high = (None if bound is None else bound.constant for bound in bounds)
    prices = {
        cost
        for score, cost in question.costs.items()
        if (low is None or score >= low) and (high is None or score <= high)
    }
    sums = {0}
    for _value in range(number):
        sums = {total + cost for total in sums for cost in prices}
    if not sums:
        yield PartProblem(("costs",), _("no score is within the bounds"))
    elif min(sums) > points:
        message = _("{number} scores cost at least {least} points, more than {points}").format(
            number=number, least=min(sums), points=points
        )
        yield PartProblem(("points",), message)
    elif points not in sums and not question.up_to:
        yield PartProblem(
            ("points",),
            _("no {number} scores cost exactly {points} points").format(
                number=number, points=points
            ),
        )


def _bounds(question: models.Allot) -> tuple[int | None, int | None]:
    """Return the lowest and highest number of an allotment, if they are constant."""
    if question.only:
        return min(question.only), max(question.only)
    low, high = question.minimum, question.maximum
    return (None if low is None else low.constant), (None if high is None else high.constant)


def _advancement(known: SymbolTable, advancement: models.Advancement) -> PartProblems:
    """Check that a level costs resources that the character can spend."""
    character = next(iter(known.ruleset.units.values()))
    for name in advancement.costs:
        computed = character.values.get(name)
        if name in known.ruleset.values and (computed is None or not computed.resource):
            message = _("{name} is not a resource of a {label}").format(
                name=shorten(name), label=character.label
            )
            yield PartProblem(("costs", name), message)


def _entity(known: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check aliases, old ids, grants and changes of an entity."""
    target = known.ruleset.entities.get(entity.alias_of or "")
    if target is not None and target.alias_of:
        yield PartProblem(
            ("alias_of",), _("{id} is itself an alias").format(id=target.id), target.alias_of
        )
    if entity.uses is not None and entity.uses.of is not None:
        yield PartProblem(("uses", "of"), _("the limit of an entity needs 'until' or 'during'"))
    yield from _own_numbers(known, entity)
    for number, former_id in enumerate(entity.renamed_from):
        if former_id in known.ruleset.entities:
            yield PartProblem(
                ("renamed_from", number),
                _("{former_id} already exists").format(former_id=former_id),
            )
    yield from (PartProblem(where, message) for where, message in known.grant_graph.errors(entity))
    yield from _changes(known, entity)
    for name, settled in entity.supplies.items():
        called = known.ruleset.procedures.get(name)
        inputs = [one.id for one in called.inputs] if called is not None else settled
        for one in settled:
            yield from unknown_name(
                _("input of {name}").format(name=name), one, inputs, ("supplies", name, one)
            )
    for name, formula in entity.values.items():
        yield from _circular(known, name, known.values_read(formula.names), ("values", name))
    for number, table in enumerate(entity.tables):
        for name, cell in cells(table):
            reads = known.values_read(cell.names)
            yield from _circular(known, name, reads, ("tables", number), cell)
        circle = (
            circular_grant(known.ruleset, entity, table) if table in entity.value_tables else ""
        )
        if circle:
            message = _("the value {by} depends on {circle}, which this table grants")
            yield PartProblem(
                ("tables", number, "by"), message.format(by=shorten(table.by), circle=circle)
            )


def _own_numbers(known: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that ``titled`` is a written text, and that no number has the id of another one."""
    titled = known.choice(entity.titled or "")
    if titled is not None and not titled.is_text:
        message = _("the choice {titled} is not a written text, so it cannot be a name").format(
            titled=shorten(entity.titled)
        )
        yield PartProblem(("titled",), message)
    value_ids = {"level", *known.ruleset.values}
    numbers = [question.id for question in entity.numbers]
    for key, parts in (("choices", entity.choices), ("figures", entity.figures)):
        for number, part in enumerate(parts):
            if part.id in value_ids and (key == "figures" or part.id in numbers):
                message = _(
                    "{id} is also the id of a value, so formulas here would be ambiguous"
                ).format(id=shorten(part.id))
                yield PartProblem((key, number, "id"), message)
            elif key == "figures" and part.id in numbers:
                yield PartProblem(
                    (key, number, "id"),
                    _("{id} is already the id of a choice").format(id=shorten(part.id)),
                )


def _attack(known: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check that an attack rolls a value or a number to hit."""
    yield from _attack_inputs(known, attack)
    name = attack.hit[1:] if isinstance(attack.hit, str) and attack.hit[:1] == "$" else ""
    choice, numbers = known.choice(name), known.entity.numbers if known.entity else ()
    if choice is not None and choice not in numbers:
        near = nearest(name, [question.id for question in numbers])
        message = _("the choice {name} chooses neither a value nor a number").format(
            name=shorten(name)
        )
        yield PartProblem(
            ("hit",), message, near, attack.hit if isinstance(attack.hit, str) else ""
        )


def _attack_inputs(known: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check what an attack passes to the procedure of attacks: inputs and damage types."""
    procedure = known.ruleset.procedures.get(known.ruleset.head.play.attack or "")
    inputs = [entry.id for entry in procedure.inputs] if procedure else []
    yield from unknown_names("input of the procedure of attacks", attack.with_, inputs, ("with",))
    for key in ("hit", "defence"):
        entry = procedure.input(key) if procedure else None
        if entry is not None and entry.needed and getattr(attack, key) is None:
            message = _("the procedure of attacks needs {key}: the input is not optional").format(
                key=shorten(key)
            )
            yield PartProblem((), message)
    typed = procedure.input("type") if procedure else None
    if typed is not None and typed.options:
        for name in attack.type:
            choice = known.choice(name[1:]) if name[:1] == "$" else None
            for word in (name,) if choice is None else known.options(choice):
                yield from unknown_name("word of the input 'type'", word, typed.options, ("type",))


def _changes(known: SymbolTable, bearer: models.Entity | models.Option) -> PartProblems:
    """Check that no lasting change makes a value need itself."""
    for number, modifier in enumerate(bearer.modifies):
        reads = known.values_read(names_read(modifier))
        for name in known.targets(modifier.value) if reads else ():
            yield from _circular(known, name, reads, ("modifies", number, "amount"))


def _circular(
    known: SymbolTable,
    target: str,
    reads: frozenset[str],
    where: tuple[str | int, ...],
    cell: Formula | None = None,
) -> PartProblems:
    if known.dependencies.closes(known.units(), target, reads):
        culprit = cell.text if cell else ""
        yield PartProblem(
            where,
            _("the value {target} depends on itself").format(target=shorten(target)),
            "",
            culprit,
        )


def _input(known: SymbolTable, entry: models.Input) -> PartProblems:
    """Check that there are entities of the kinds that an item is of."""
    kinds = [kind for kind in entry.kind if kind in known.ruleset.kinds]
    if kinds and not any(any(known.ruleset.of_kind(kind)) for kind in kinds):
        yield PartProblem(
            ("kind",), _("there is nothing of the kind {kinds}").format(kinds=_(" or ").join(kinds))
        )


def _dice_of_step(known: SymbolTable, roll: models.RollDice | models.Recover) -> PartProblems:
    """Check the notation of a step's dice."""
    if roll.dice:
        yield from _dice_notation(known, roll.dice)


def _ruled(known: SymbolTable, step: models.ProcedureStep) -> PartProblems:
    """Check the options of table rules that a step depends on."""
    for rule, option in step.ruled.items():
        table_rule = known.ruleset.table_rules.get(rule)
        if table_rule is not None:
            options = [allowed.id for allowed in table_rule.options]
            yield from unknown_name(
                _("option of the table rule {rule}").format(rule=rule),
                option,
                options,
                ("ruled", rule),
            )


def _call(known: SymbolTable, step: models.Call) -> PartProblems:
    """Check the inputs and results of a call against the procedure called."""
    called = known.ruleset.procedures.get(step.procedure)
    if called is None:
        return
    inputs = [entry.id for entry in called.inputs]
    yield from unknown_names(_("input of {id}").format(id=called.id), step.with_, inputs, ("with",))
    for entry in called.inputs:
        if entry.needed and entry.id not in step.with_:
            yield PartProblem(
                (),
                _("the procedure {id} needs the input {entry_id}").format(
                    id=shorten(called.id), entry_id=shorten(entry.id)
                ),
            )
    variables = models.variables(called.inputs, called.steps, known.ruleset.symbols)
    for name, output in step.take.items():
        yield from unknown_name(
            _("result of {id}").format(id=called.id), output, variables, ("take", name)
        )


def _procedure(known: SymbolTable, procedure: models.Procedure) -> PartProblems:
    """Check that outputs are variables, and that the procedure does not run itself."""
    variables = models.variables(procedure.inputs, procedure.steps, known.ruleset.symbols)
    for number, output in enumerate(procedure.outputs):
        yield from unknown_name("variable", output.id, variables, ("outputs", number, "id"))
    for number, step in enumerate(procedure.steps):
        called = step.called_procedure
        if called is not None and known.call_graph.runs_itself(procedure.id, called):
            message = _("the procedure {id} runs itself").format(id=shorten(procedure.id))
            yield PartProblem(("steps", number, "procedure"), message)
    yield from _calls(known, procedure.steps, "steps")


def _action(known: SymbolTable, action: models.Action) -> PartProblems:
    """Check that what an action does comes to an end soon, and what it gives its procedure."""
    yield from _calls(known, action.does, "does")
    played_as = action.played_as or ""
    choice = known.choice(played_as[1:]) if played_as[:1] == "$" else None
    if choice is not None:
        timings = [timing.id for timing in known.ruleset.head.timings]
        yield from unknown_names("timing", known.options(choice), timings, ("played_as",))
    called = known.ruleset.procedures.get(action.procedure or "")
    if called is not None:
        inputs = [entry.id for entry in called.inputs]
        yield from unknown_names(
            _("input of {id}").format(id=called.id), action.with_, inputs, ("with",)
        )
        outputs = [output.id for output in called.outputs]
        yield from unknown_names(
            _("result of {id}").format(id=called.id), action.results, outputs, ("results",)
        )


def _calls(known: SymbolTable, steps: models.Steps, key: str) -> PartProblems:
    message = known.call_graph.error(steps)
    if message:
        yield PartProblem((key,), message)


def _order(known: SymbolTable, order: models.TurnOrder) -> PartProblems:
    """Check the procedures of the turn order: their outputs, their inputs, and dice on a page."""
    if order.dice:
        yield from _dice_notation(known, order.dice)
    yield from _initiative(known, order.procedure, order.output, ())
    for key, roll in (("rolled", order.rolled), ("tie", order.tie)):
        if roll is not None:
            yield from _initiative(known, roll.procedure, roll.output, (key,))
    table = known.ruleset.procedures.get(order.table_roll.procedure)
    if table is not None:
        outputs = [output.id for output in table.outputs]
        special = {"extra_turns": order.extra_turns, "missed": order.missed, "last": order.last}
        for key, name in special.items():
            if name:
                yield from unknown_name(
                    _("output of {id}").format(id=table.id), name, outputs, (key,)
                )
    called = known.call_graph.all_called(order.procedure) & known.ruleset.procedures.keys()
    steps = [step for name in called for step in known.ruleset.procedures[name].steps]
    if order.dice and any(step.rolls_dice for step in steps):
        yield PartProblem(
            ("procedure",),
            _("the procedure {procedure} rolls dice").format(procedure=shorten(order.procedure)),
        )


def _initiative(
    known: SymbolTable, name: str, output: tuple[str, ...], at: tuple[str, ...]
) -> PartProblems:
    """Check that a procedure of the turn order has the outputs and needs no inputs."""
    procedure = known.ruleset.procedures.get(name)
    if procedure is None:
        return
    outputs = [output.id for output in procedure.outputs]
    yield from unknown_names(
        _("output of {id}").format(id=procedure.id), output, outputs, (*at, "output")
    )
    for entry in procedure.inputs:
        if entry.needed:
            message = _("the procedure {id} needs the input {entry_id}").format(
                id=shorten(procedure.id), entry_id=shorten(entry.id)
            )
            yield PartProblem((*at, "procedure"), message)


def _odds(known: SymbolTable, spec: models.OddsSpec) -> PartProblems:
    """Check the inputs and outputs of a table of odds against its procedure."""
    procedure = known.ruleset.procedures.get(spec.procedure or known.ruleset.head.play.attack or "")
    if procedure is None:
        if spec.procedure is None:
            yield PartProblem(("each",), _("no procedure for attacks is set (play.attack)"))
        return
    inputs = [entry.id for entry in procedure.inputs]
    outputs = [output.id for output in procedure.outputs]
    for name in filter(None, (spec.input, *spec.set, *(span.input for span in spec.spans))):
        yield from unknown_name(_("input of {id}").format(id=procedure.id), name, inputs, (), name)
    yield from unknown_names(
        _("output of {id}").format(id=procedure.id), spec.show, outputs, ("show",)
    )
    if spec.best is not None:
        yield from unknown_name(
            _("output of {id}").format(id=procedure.id), spec.best, outputs, ("best",)
        )


def _advice(_known: SymbolTable, advice: models.AdviceSpec) -> PartProblems:
    """Check that measures use figures that the foe has."""
    figures = [figure.id for figure in advice.foe]
    for number, measure in enumerate(advice.measures):
        for name, word in measure.set.items():
            if word.startswith(REFERENCE):
                where = ("measures", number, "set", name)
                figure = word.removeprefix(REFERENCE)
                yield from unknown_name("figure of the foe", figure, figures, where)


def _measure(known: SymbolTable, measure: models.Measure) -> PartProblems:
    """Check the inputs and outputs of a measure against its procedure."""
    play = known.ruleset.head.play
    procedure = known.ruleset.procedures.get(measure.procedure or play.attack or "")
    if procedure is None:
        if measure.procedure is None:
            yield PartProblem(("procedure",), _("no procedure for attacks is set (play.attack)"))
        return
    inputs = [entry.id for entry in procedure.inputs]
    for key in ("set", "figures", "look_up"):
        what = _("input of {id}").format(id=procedure.id)
        yield from unknown_names(what, getattr(measure, key), inputs, (key,))
    outputs = [output.id for output in procedure.outputs]
    yield from unknown_name(
        _("output of {id}").format(id=procedure.id), measure.output, outputs, ("output",)
    )


def _chart(_known: SymbolTable, chart: models.Chart) -> PartProblems:
    """Check the rows of a chart: one cell per column, no overlap, no gap without a rule for it."""
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


def _read_chart(known: SymbolTable, step: models.ReadChart) -> PartProblems:
    """Check the columns that a step takes from a chart, and the words that it looks up."""
    chart = known.ruleset.charts.get(step.chart)
    if chart is None:
        return
    columns = [column.id for column in chart.columns]
    for name, column in step.take.items():
        yield from unknown_name(
            _("column of {id}").format(id=chart.id), column, columns, ("take", name)
        )
    words = [row.at for row in chart.rows if isinstance(row.at, str)]
    for entry in known.inputs:
        if step.at == f"${entry.id}":
            for option in entry.options:
                yield from unknown_name(
                    _("row of {id}").format(id=chart.id), option, words, ("at",)
                )


def _head(known: SymbolTable, head: models.Head) -> PartProblems:
    """Check that creation asks few enough decisions, each in a section, and shared tables."""
    yield from _shared_tables(known, head)
    if known.grant_graph.decisions() > MAX_DECISIONS:
        message = _("a character could be asked more than {max_decisions} questions").format(
            max_decisions=format_number(MAX_DECISIONS, ",")
        )
        yield PartProblem(("creation",), message)
    for number, step in enumerate(head.creation):
        if not step.section:
            yield PartProblem(
                ("creation", number), _("this step has no section, so it is never asked")
            )


def _unit_type(known: SymbolTable, unit: models.UnitType) -> PartProblems:
    """Check that no value of a unit type depends on itself."""
    for name in known.dependencies.circular[unit.id]:
        yield PartProblem(
            ("values", name), _("the value {name} depends on itself").format(name=shorten(name))
        )


def _symbol(known: SymbolTable, symbol: models.Symbol) -> PartProblems:
    """Check that symbols cancel each other, and that none counts as itself."""
    symbols = known.ruleset.symbols
    other = symbols.get(symbol.cancels or "")
    if other is symbol:
        yield PartProblem(("cancels",), _("{id} cancels itself").format(id=symbol.id))
    elif other is not None and other.cancels != symbol.id and other.cancels in {None, *symbols}:
        message = _("{id} must also cancel {symbol_id}").format(id=other.id, symbol_id=symbol.id)
        yield PartProblem(("cancels",), message)

    def counts(name: str) -> tuple[str, ...]:
        counted = symbols[name].counts if name in symbols else None
        return () if counted is None else (counted,)

    if symbol.id in reachable(counts(symbol.id), counts):
        yield PartProblem(("counts",), _("{id} counts as itself").format(id=symbol.id))


def _track(known: SymbolTable, track: models.Track) -> PartProblems:
    """Check that the value of a track is a resource without another track."""
    units = known.ruleset.units.values()
    computed = [unit.values[track.value] for unit in units if track.value in unit.values]
    if computed and not any(value.resource for value in computed):
        yield PartProblem(
            ("value",), _("{value} is not a resource of any unit").format(value=track.value)
        )
    other = known.ruleset.tracks.get(track.value, track)
    if other.id != track.id:
        yield PartProblem(
            ("value",),
            _("{value} already has the track {id}").format(value=track.value, id=other.id),
        )


def _track_step(_known: SymbolTable, step: models.TrackStep) -> PartProblems:
    """Check that a step of a track changes only current figures."""
    for number, modifier in enumerate(step.modifies):
        if modifier.layer != "current":
            message = _("a step of a track can only change the layer 'current'")
            yield PartProblem(("modifies", number), message)


CHECKS: Checks = {
    models.Grant: _grant,
    models.Choose: _choose,
    models.Among: _among,
    models.Advancement: _advancement,
    models.Roll: _roll,
    models.RollOn: _roll_on,
    models.AttackRoll: _dice,
    models.CheckSpec: _check_spec,
    models.Assign: _assign,
    models.Allot: _allot,
    models.Entity: _entity,
    models.Attack: _attack,
    models.Option: _changes,
    models.Input: _input,
    models.ProcedureStep: _ruled,
    models.RollDice: _dice_of_step,
    models.Recover: _dice_of_step,
    models.Call: _call,
    models.Procedure: _procedure,
    models.Action: _action,
    models.TurnOrder: _order,
    models.OddsSpec: _odds,
    models.AdviceSpec: _advice,
    models.Measure: _measure,
    models.Chart: _chart,
    models.ReadChart: _read_chart,
    models.Head: _head,
    models.UnitType: _unit_type,
    models.Symbol: _symbol,
    models.Track: _track,
    models.TrackStep: _track_step,
}
