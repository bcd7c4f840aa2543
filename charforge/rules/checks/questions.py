"""Checks of questions, random tables, grants with answers, and the steps of creation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from charforge.errors import FormulaError, shorten
from charforge.expressions import dice
from charforge.language import _, format_number
from charforge.rules import models
from charforge.rules.checks.cycles import MAX_DECISIONS
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    following,
    type_mistake,
    unknown_name,
    unknown_names,
)
from charforge.rules.checks.values import (
    bounded,
    check_dice,
    constant,
    crossed,
    level_exists,
    without_effect,
)
from charforge.rules.errors import KeyPath


def _grant(symbols: SymbolTable, grant: models.Grant) -> PartProblems:
    """Check the level, and that the choices that a grant answers exist and have those options."""
    yield from level_exists(symbols, grant.level, ("level",))
    granted = symbols.ruleset.entities.get(symbols.ruleset.canonical(grant.id))
    if granted is None:
        return
    choices = {choice.id: choice for choice in granted.choices}
    for name, answer in grant.with_.items():
        key_path = ("with", name)
        yield from unknown_name(_("choice of {id}").format(id=grant.id), name, choices, key_path)
        if name in choices:
            yield from _answered_choice(symbols, choices[name], answer, key_path)


def _answered_choice(
    symbols: SymbolTable, question: models.Question, answer: str | int, key_path: tuple[str, ...]
) -> PartProblems:
    """Check a grant's answer to a choice: a number where one is entered, else a word."""
    if question.preset_type is None:
        yield PartProblem(
            key_path, _("{id} cannot be answered in advance").format(id=shorten(question.id))
        )
    elif not isinstance(answer, question.preset_type):
        expected = _("a whole number") if question.preset_type is int else _("a word or text")
        message = _("{id} must be {expected}, not {answer}")
        yield PartProblem(
            key_path,
            message.format(id=shorten(question.id), expected=expected, answer=shorten(answer)),
        )
    elif isinstance(answer, str):
        yield from _option(symbols, question, answer, key_path)


def _choose(symbols: SymbolTable, question: models.Choose) -> PartProblems:
    """Check the default, the reasons against options, and that there are enough options."""
    if question.default is not None:
        yield from _option(symbols, question, question.default, ("default",))
    yield from _choose_reasons(question)
    yield from _option_count(symbols, question)


def _option(
    symbols: SymbolTable, question: models.Question, answer: str, key_path: tuple[str, ...]
) -> PartProblems:
    options = symbols.options(question)
    if options:
        yield from unknown_name("option", answer, options, key_path)


@following
def _choose_reasons(question: models.Choose) -> PartProblems:
    """Check that a reason against an option does not depend on who chooses."""
    for number, part in enumerate(question.why_not):
        if part.asks_bearer:
            message = _(
                "the reasons in why_not are the same for everybody: they cannot read bearer"
            )
            yield PartProblem(("why_not", number, "where"), message)


@following
def _option_count(symbols: SymbolTable, question: models.Choose) -> PartProblems:
    """Check that there are as many options as must be picked."""
    count, among = question.count, question.option_source
    if count is None or question.up_to or question.own_words or question.repeats:
        return
    if among is not None and among.faces is not None:
        return
    query = question.query
    if query is not None and any(e.repeatable for e in symbols.ruleset.select(query)):
        return
    number = len(symbols.ruleset.option_ids(question))
    if count > number:
        message = _("{count} are to be picked, but there are only {number} options").format(
            count=count, number=number
        )
        yield PartProblem(("count",), message)


def _among(symbols: SymbolTable, among: models.Among) -> PartProblems:
    """Check what it is limited to, that dice are one roll, and what options must match."""
    roll = symbols.ruleset.rolls.get(among.faces or "")
    if roll is not None and roll.is_repeated:
        yield PartProblem(("faces",), _("these dice are rolled several times"))
    kinds = [symbols.ruleset.kinds.get(kind) for kind in among.query.kind] if among.query else []
    fields = {"tags", *(name for kind in kinds if kind is not None for name in kind.fields)}
    questions = {*symbols.pools["question"], *symbols.pools["choice of this entity"]}
    for field, question in among.match.items():
        yield from unknown_name("field of these entities", field, fields, ("match", field))
        yield from unknown_name("earlier question", question, questions, ("match", field))
    if terms := symbols.terms(among.terms):
        yield from unknown_names("term", among.only, terms, ("only",))
    if values := symbols.ruleset.group(among.values) if among.values is not None else ():
        yield from unknown_names("value of the group", among.only, values, ("only",))


def _roll(symbols: SymbolTable, question: models.Roll) -> PartProblems:
    """Check the dice, the bounds and the values of a roll."""
    problems = list(check_dice(symbols, question.dice))
    yield from problems or _rerolls(symbols, question)
    yield from _targets_of_question(symbols, question.to)


def _rerolls(symbols: SymbolTable, question: models.Roll) -> PartProblems:
    """Check that rerolling them all while a condition holds comes to an end."""
    formula = question.reroll_all_while
    if formula is None or not formula.names <= {models.ROLLED_FACES}:
        return
    if type_mistake(formula, {models.ROLLED_FACES}):
        return  # reported with all other formulas
    rolled = dice.parse_dice(question.dice, symbols.ruleset.dice)
    try:
        dice.roll_dice(rolled, dice.random_stream("", question.id), question.must_reroll)
    except ValueError:
        yield PartProblem(("reroll_all_while",), _("these dice would be rerolled forever"))
    except FormulaError as error:
        yield PartProblem(("reroll_all_while",), error.reason)


def _roll_on(symbols: SymbolTable, question: models.RollOn) -> PartProblems:
    """Check the tables: a row for each total, tables that exist, and an end of rolling."""
    tables = {table.id: table for table in question.all_tables}
    if question.table is None:
        yield from _table(symbols, question.first_table, tables, ())
    for number, table in enumerate(question.tables):
        yield from _table(symbols, table, tables, ("tables", number))
    own = {question.id, *(table.id for table in question.tables)}
    if question.first_table.rows and own & _never_ending(tables):
        key_path = ("rows",) if question.table is None else ("table",)
        yield PartProblem(key_path, _("rolling on these tables would never end"))


def _shared_tables(symbols: SymbolTable, head: models.RulesetHead) -> PartProblems:
    """Check the tables that questions share, as their own ones."""
    tables = {table.id: table for table in head.random_tables}
    endless = _never_ending(tables)
    for number, table in enumerate(head.random_tables):
        yield from _table(symbols, table, tables, ("random_tables", number))
        if table.id in endless:
            key_path = ("random_tables", number, "rows")
            yield PartProblem(key_path, _("rolling on this table would never end"))


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
    symbols: SymbolTable,
    table: models.RandomTable,
    tables: Mapping[str, models.RandomTable],
    key_path: tuple[str | int, ...],
) -> PartProblems:
    """Check the dice and the rows of one random table."""
    try:
        rolled = dice.parse_dice(table.dice, symbols.ruleset.dice)
    except ValueError as error:
        yield PartProblem((*key_path, "dice"), str(error))
        return
    left = set(dice.possible_totals(rolled))
    for number, (first, last, row) in enumerate(table.spans(symbols.ruleset.dice)):
        at = (*key_path, "rows", number)
        for name in row.roll:
            yield from unknown_name("table", name, tables, (*at, "roll"))
        held = {total for total in left if first <= total <= last}
        if not held:
            span = models.span_text(first, last)
            message = _("{dice} cannot total {span}, or an earlier row has it")
            yield PartProblem(at, message.format(dice=table.dice, span=span))
        left -= held
    if left:
        message = _("there is no row for a total of {left} ({dice})")
        yield PartProblem((*key_path, "rows"), message.format(left=min(left), dice=table.dice))


def _assign(symbols: SymbolTable, question: models.Assign) -> PartProblems:
    """Check that there is one score for each value, and that a swap has an order."""
    scores, number = question.scores, 0
    if isinstance(scores, models.Scores):
        roll = symbols.ruleset.rolls.get(scores.roll)
        if roll is not None and roll.is_repeated:
            number = sum(len(symbols.targets(target)) for target in roll.to) or roll.times
        elif scores.one_swap and roll is not None:
            key_path, message = (
                ("scores", "one_swap"),
                _("the roll needs 'times': one for each value"),
            )
            yield PartProblem(key_path, message)
        if number and scores.without:
            message = _("no dice can be left out of a roll with 'times': use 4d6k3")
            yield PartProblem(("scores", "without"), message)
    else:
        number = len(scores)
    values = [name for target in question.to for name in symbols.targets(target)]
    if values and number and len(values) != number:
        yield PartProblem(
            (), _("{number} scores for {count} values").format(number=number, count=len(values))
        )
    yield from _targets_of_question(symbols, question.to)


def _allot(symbols: SymbolTable, question: models.Allot) -> PartProblems:
    """Check that the points of an allotment can be spent within its bounds."""
    yield from (_point_buy if question.costs else _shared_points)(symbols, question)
    if not any(crossed(constant(question.minimum), constant(question.maximum))):
        yield from bounded(question.minimum, question.maximum, question.default)
    yield from _targets_of_question(symbols, question.to)


def _shared_points(symbols: SymbolTable, question: models.Allot) -> PartProblems:
    points = constant(question.points)
    low, high = _bounds(question)
    yield from crossed(low, high)
    number = len({name for target in question.to for name in symbols.targets(target)})
    known = all(
        {*symbols.targets(target)} <= symbols.ruleset.values.keys() for target in question.to
    )
    if not number or not known or points is None or low is None or high is None:
        return
    if not low * number <= points <= high * number:
        message = _(
            "{number} values between {low} and {high} cannot add up to {points} points"
        ).format(number=number, low=low, high=high, points=points)
        yield PartProblem(("points",), message)


def _point_buy(symbols: SymbolTable, question: models.Allot) -> PartProblems:
    """Check that scores can be bought with exactly the points."""
    points = constant(question.points)
    number = len({name for target in question.to for name in symbols.targets(target)})
    bounds = (question.minimum, question.maximum)
    if not number or points is None or any(b is not None and b.constant is None for b in bounds):
        return
    low, high = map(constant, bounds)
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
    elif points not in sums:
        message = _("no {number} scores cost exactly {points} points")
        yield PartProblem(("points",), message.format(number=number, points=points))


def _bounds(question: models.Allot) -> tuple[int | None, int | None]:
    """Return the lowest and highest number of an allotment, if they are constant."""
    if question.only:
        return min(question.only), max(question.only)
    return constant(question.minimum), constant(question.maximum)


def _enter(symbols: SymbolTable, question: models.Enter) -> PartProblems:
    yield from bounded(question.minimum, question.maximum, question.default)
    yield from _targets_of_question(symbols, [question.to] if question.to else [])


def _targets_of_question(symbols: SymbolTable, targets: Sequence[str]) -> PartProblems:
    """Check that some unit has the values that an answer changes."""
    if targets:
        yield from without_effect(symbols, targets, symbols.units(), ("to",))


def _advancement(symbols: SymbolTable, advancement: models.Advancement) -> PartProblems:
    """Check that a level costs resources that the character can spend."""
    character = next(iter(symbols.ruleset.units.values()))
    for name in advancement.costs:
        computed = character.values.get(name)
        if name in symbols.ruleset.values and (computed is None or not computed.resource):
            message = _("{name} is not a resource of a {label}").format(
                name=shorten(name), label=character.label
            )
            yield PartProblem(("costs", name), message)


def _head(symbols: SymbolTable, head: models.RulesetHead) -> PartProblems:
    """Check that creation asks few enough decisions, each in a section, and shared tables."""
    yield from _shared_tables(symbols, head)
    if symbols.grant_graph.decisions() > MAX_DECISIONS:
        message = _("a character could be asked more than {max_decisions} questions").format(
            max_decisions=format_number(MAX_DECISIONS, ",")
        )
        yield PartProblem(("creation",), message)
    for number, step in enumerate(head.creation):
        if not step.section:
            yield PartProblem(
                ("creation", number), _("this step has no section, so it is never asked")
            )
    yield from _unused_rolls(symbols, head)


@following
def _unused_rolls(symbols: SymbolTable, head: models.RulesetHead) -> PartProblems:
    """Check that something reads each roll that adds its total to no value."""
    read = {*head.sheet.story}
    asked = [*head.creation_questions]
    for entity in symbols.ruleset.entities.values():
        asked += entity.choices
    for question in asked:
        read.add(question.dice_roll)
        read.add(question.scores_roll)
    at_levels: KeyPath = ("advancement", "asks")
    for path, steps in ((("creation",), head.creation), (at_levels, head.advancement.asks)):
        for number, step in enumerate(steps):
            roll = step.named_roll if isinstance(step, models.Question) else None
            if roll is not None and not roll.to and roll.id not in read:
                message = _("nothing uses this roll: name the value it is added to (to)")
                yield PartProblem((*path, number), message)


CHECKS: Checks = {
    models.Grant: _grant,
    models.Choose: _choose,
    models.Among: _among,
    models.Roll: _roll,
    models.RollOn: _roll_on,
    models.Assign: _assign,
    models.Allot: _allot,
    models.Enter: _enter,
    models.Advancement: _advancement,
    models.RulesetHead: _head,
}
