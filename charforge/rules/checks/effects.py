"""Checks of what could never have an effect: in the wrong place, out of its bounds, never reached.

Each check yields the errors of one model, as those of ``consistency`` do;
``CHECKS`` at the end lists them. Bounds are compared where they are plain
numbers; what formulas give is only known in play.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from charforge.errors import FormulaError, shorten
from charforge.expressions.formula import Formula
from charforge.expressions.template import parse_figure
from charforge.language import _
from charforge.rules import models
from charforge.rules.checks.symbols import (
    Checks,
    PartProblem,
    PartProblems,
    SymbolTable,
    unknown_name,
)
from charforge.rules.errors import KeyPath
from charforge.rules.models.play import GEAR_NAMES
from charforge.rules.ruleset import matches

NUMBERS = ("number", "flag")  # types of inputs that are numbers
LEVEL = "level"
WORN = GEAR_NAMES[-1]


# ------------------------------------------------------------------ bounds


def _crossed(low: int | None, high: int | None) -> PartProblems:
    """Yield an error if no number is within two bounds."""
    if low is not None and high is not None and low > high:
        yield PartProblem(
            ("minimum",), _("no number is between {low} and {high}").format(low=low, high=high)
        )


def _constant(formula: Formula | int | None) -> int | None:
    return formula.constant if isinstance(formula, Formula) else formula


def _bounded(
    minimum: Formula | None, maximum: Formula | None, default: Formula | None = None
) -> PartProblems:
    """Check that some number is within the bounds, and the default too."""
    low, high, number = _constant(minimum), _constant(maximum), _constant(default)
    crossed = list(_crossed(low, high))
    yield from crossed
    if number is None or crossed:
        return
    if low is not None and number < low:
        yield PartProblem(
            ("default",),
            _("the default {number} is below the minimum {low}").format(number=number, low=low),
        )
    if high is not None and number > high:
        yield PartProblem(
            ("default",),
            _("the default {number} is above the maximum {high}").format(number=number, high=high),
        )


def _input(_known: SymbolTable, entry: models.Input) -> PartProblems:
    yield from _bounded(entry.minimum, entry.maximum, entry.default)


def _decide(_known: SymbolTable, step: models.Decide) -> PartProblems:
    yield from _bounded(step.minimum, step.maximum, step.default)


def _computed(_known: SymbolTable, computed: models.Computed) -> PartProblems:
    yield from _bounded(computed.minimum, computed.maximum)


def _value_test(_known: SymbolTable, test: models.ValueTest) -> PartProblems:
    if test.at_least is None and test.at_most is None:
        yield PartProblem((), _("a test of a value needs 'at_least' or 'at_most'"))


def _enter(known: SymbolTable, question: models.Enter) -> PartProblems:
    yield from _bounded(question.minimum, question.maximum, question.default)
    yield from _targets_of_question(known, [question.to] if question.to else [])


def _roll(known: SymbolTable, question: models.Roll) -> PartProblems:
    yield from _bounded(question.minimum, question.maximum)
    yield from _targets_of_question(known, question.to)


def _allot(known: SymbolTable, question: models.Allot) -> PartProblems:
    if not list(_crossed(_constant(question.minimum), _constant(question.maximum))):
        yield from _bounded(question.minimum, question.maximum, question.default)
    yield from _targets_of_question(known, question.to)


def _assign(known: SymbolTable, question: models.Assign) -> PartProblems:
    yield from _targets_of_question(known, question.to)


def _targets_of_question(known: SymbolTable, targets: Sequence[str]) -> PartProblems:
    """Check that some unit has the values that an answer changes."""
    if targets:
        yield from _without_effect(known, targets, known.units(), ("to",))


def _choose(known: SymbolTable, question: models.Choose) -> PartProblems:
    """Check that there are as many options as must be picked."""
    yield from _choose_reasons(known, question)
    count, among = question.count, question.option_source
    if count is None or question.up_to or question.own_words or question.repeats:
        return
    if among is not None and among.faces is not None:
        return
    query = question.query
    if query is not None and any(e.repeatable for e in known.ruleset.select(query)):
        return
    number = len(known.ruleset.option_ids(question))
    if count > number:
        message = _("{count} are to be picked, but there are only {number} options").format(
            count=count, number=number
        )
        yield PartProblem(("count",), message)


# ------------------------------------------------------------------ levels


def _grant(known: SymbolTable, grant: models.Grant) -> PartProblems:
    highest = known.ruleset.head.advancement.maximum
    if grant.level > highest:
        yield PartProblem(
            ("level",),
            _("there is no level {level}: the last is {highest}").format(
                level=grant.level, highest=highest
            ),
        )


def _table(known: SymbolTable, table: models.LevelTable) -> PartProblems:
    """Check that the rows by level are those of levels that can be reached."""
    highest = known.ruleset.head.advancement.maximum
    beyond = [row for row in table.rows if row > highest] if table.by == LEVEL else []
    if beyond:
        message = _("there is no level {beyond}: the last is {highest}").format(
            beyond=beyond[0], highest=highest
        )
        yield PartProblem(("rows", beyond[0]), message)


# ------------------------------------------------------------------ places


def _without_effect(
    known: SymbolTable,
    targets: Iterable[str],
    units: Collection[str],
    where: tuple[str | int, ...],
) -> PartProblems:
    """Yield an error if none of some unit types has any of the values that are changed."""
    changed = [name for target in targets for name in known.targets(target)]
    changed = [name for name in changed if name in known.ruleset.values]  # others are reported
    owned = {name for unit in units for name in known.ruleset.units[unit].values}
    if changed and not owned & {*changed}:
        names = known.ruleset.units
        message = _("no unit has the value {value}: this has no effect")
        if len(units) == 1:
            message = _("{unit} does not have the value {value}: this has no effect")
        unit = names[next(iter(units))].label if len(units) == 1 else ""
        yield PartProblem(where, message.format(unit=unit, value=shorten(changed[0])))


def _beyond_maximum(
    known: SymbolTable, modifier: models.Modifier, units: Collection[str], where: KeyPath
) -> PartProblems:
    """Yield an error if a resource would be raised above the maximum at which it starts."""
    if modifier.op not in ("set", "add", "at_least") or (_constant(modifier.amount) or 0) <= 0:
        return
    for name in known.targets(modifier.value):
        for unit in units:
            value = known.ruleset.units[unit].values.get(name)
            if value is None or not value.resource or value.maximum is None:
                continue
            highest = value.maximum.constant
            beyond = highest is not None and (_constant(modifier.amount) or 0) > highest
            if beyond or (modifier.op == "add" and value.formula == value.maximum):
                message = _("{value} cannot be above its maximum, {maximum}: change that instead")
                yield PartProblem(
                    where, message.format(value=shorten(name), maximum=value.maximum.text)
                )
                return


def _modifiers(
    known: SymbolTable, modifiers: Iterable[models.Modifier], units: Collection[str]
) -> PartProblems:
    for number, modifier in enumerate(modifiers):
        yield from _without_effect(known, [modifier.value], units, ("modifies", number, "value"))
        yield from _beyond_maximum(known, modifier, units, ("modifies", number, "value"))
        for problem in _selected(known, modifier):
            yield problem._replace(where=("modifies", number, *problem.where))


def _selected(known: SymbolTable, modifier: models.Modifier) -> PartProblems:
    """Check that a modifier selects something, and that attacks have what it changes."""
    ruleset, part = known.ruleset, modifier.attacks
    if modifier.of is not None:
        chosen = ruleset.select(modifier.of)
        if part is not None:
            chosen = tuple(entity for entity in chosen if entity.attacks)
        if not chosen:
            message = _("this selects nothing with an attack: this has no effect")
            nothing = _("this selects nothing: this has no effect")
            yield PartProblem(("of",), message if part else nothing)
    procedure = ruleset.procedures.get(ruleset.head.play.attack or "")
    needed = {"roll": "bonus", "damage": "damage"}.get(part or "", "")
    if needed and procedure is not None and procedure.input(needed) is None:
        message = _("the procedure of attacks, {procedure}, has no input {needed} for this")
        yield PartProblem(
            ("attacks",), message.format(procedure=procedure.id, needed=shorten(needed))
        )


def _columns(
    known: SymbolTable, tables: Iterable[models.LevelTable], units: Collection[str]
) -> PartProblems:
    """Check that one of some unit types has the values that tables set."""
    for number, table in enumerate(tables):
        for column, name in table.value_columns:
            where = ("tables", number, "columns", column)
            yield from _without_effect(known, [name], units, where)


def _entity(known: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that what an entity has can have an effect for an entity of its kind."""
    unit = known.ruleset.unit_type(entity)
    yield from _modifiers(known, entity.modifies, known.units())
    for key in ("values", "supplies"):
        if getattr(entity, key) and unit is None:
            message = _(
                "only units have {key}, and things of the kind {kind} are not "
                "units (set unit under kinds in ruleset.yaml)"
            ).format(key=shorten(key), kind=shorten(entity.kind))
            yield PartProblem((key,), message)
    yield from _columns(known, entity.tables, known.units())
    if unit is not None:
        for name in entity.values:
            yield from _without_effect(known, [name], [unit.id], ("values", name))
    if entity.covers is not None and entity.covers.asks_bearer:
        message = _("Training covers the same for everybody: it cannot read bearer")
        yield PartProblem(("covers", "where"), message)
    if entity.condition is not None and entity.tables:
        yield PartProblem(("tables",), _("a condition has no tables: use 'modifies'"))
    yield from _worn(known, entity)
    if entity.active_when is not None and entity.condition is None:
        message = _("only a condition applies by itself: add condition: {}")
        yield PartProblem(("active_when",), message)
    if entity.distinct is not None and not entity.repeatable:
        yield PartProblem(
            ("distinct",), _("this needs repeatable: only such a thing can be held twice")
        )


def _value(known: SymbolTable, value: models.Value) -> PartProblems:
    """Check that each unit with a value has the values that it is shown with."""
    character = next(iter(known.ruleset.units.values()))
    for unit in known.ruleset.units.values():
        if value.id not in unit.values:
            continue
        readable = {LEVEL, *unit.values, *(character.values if unit is not character else ())}
        for key, names in (("shown", value.shown.names), ("modifier", {value.modifier})):
            owned = unit.values if key == "modifier" else readable
            for name in sorted(known.ruleset.values.keys() & names - {*owned}):
                message = _("a {label} has {id}, but not the value {name}").format(
                    label=unit.label, id=value.id, name=shorten(name)
                )
                yield PartProblem((key,), message, culprit=name)


def _choose_reasons(_known: SymbolTable, question: models.Choose) -> PartProblems:
    """Check that a reason against an option does not depend on who chooses."""
    for number, part in enumerate(question.why_not):
        if part.asks_bearer:
            message = _(
                "the reasons in why_not are the same for everybody: they cannot read bearer"
            )
            yield PartProblem(("why_not", number, "where"), message)


def _option(known: SymbolTable, option: models.Option) -> PartProblems:
    yield from _modifiers(known, option.modifies, known.units())


def _unit_type(known: SymbolTable, unit: models.UnitType) -> PartProblems:
    yield from _modifiers(known, unit.modifies, [unit.id])
    yield from _columns(known, unit.tables, [unit.id])
    for number, table in enumerate(unit.tables):
        if table.grants:
            message = _(
                "a unit type grants nothing: use 'grants' of an entity, or a step of creation"
            )
            yield PartProblem(("tables", number), message)


def _wear(known: SymbolTable, place: models.WearSpec) -> PartProblems:
    """Check that some gear can be worn at a place, and that it has room."""
    gear = known.ruleset.head.gear.kinds
    if not any(entity.kind in gear for entity in known.ruleset.select(place.among)):
        yield PartProblem(("among",), _("this selects no gear: nothing can be worn here"))
    if place.at_most is not None and place.at_most.constant == 0:
        yield PartProblem(("at_most",), _("nothing can be worn here: at_most is 0"))


def _worn(known: SymbolTable, entity: models.Entity) -> PartProblems:
    """Check that gear whose changes read whether it is worn can be worn."""
    ruleset = known.ruleset
    if any(matches(place.among, entity) for place in ruleset.head.gear.wear):
        return
    for number, modifier in enumerate(entity.modifies):
        for key, formula in (("when", modifier.when), ("amount", modifier.amount)):
            if (
                formula is not None
                and not (modifier.of or modifier.attacks)
                and WORN in formula.names
                and entity.kind in ruleset.head.gear.kinds
            ):
                message = _("{name} cannot be worn: no place of gear.wear selects it").format(
                    name=entity.name
                )
                yield PartProblem(("modifies", number, key), message)


def _lasting(_known: SymbolTable, condition: models.Lasting) -> PartProblems:
    if condition.turns > 1 and not condition.until:
        yield PartProblem(("turns",), _("turns needs until, which says when one ends"))
    if condition.most is not None and not condition.counts:
        yield PartProblem(("most",), _("most needs counts: true"))


def _head(known: SymbolTable, head: models.Head) -> PartProblems:
    """Check that something reads each roll that adds its total to no value."""
    read = {*head.sheet.story}
    asked = [*head.creation_questions]
    for entity in known.ruleset.entities.values():
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


# ------------------------------------------------------------------ procedures


def _change(known: SymbolTable, step: models.ChangeStep) -> PartProblems:
    """Check that what a step changes is a resource of some unit."""
    units = known.ruleset.units.values()
    computed = [unit.values[step.value] for unit in units if step.value in unit.values]
    if step.value in known.ruleset.values and not any(value.resource for value in computed):
        message = _("{value} is not a resource of any unit, so it cannot change in play").format(
            value=shorten(step.value)
        )
        yield PartProblem(("value",), message)


def _put(known: SymbolTable, step: models.Put) -> PartProblems:
    """Check that only a condition that counts is put on more than once."""
    entity = known.ruleset.entities.get(step.condition)
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


def _call(known: SymbolTable, step: models.Call | models.Action) -> PartProblems:
    """Check that what a call or an action gives each input of a procedure fits that input."""
    called = known.ruleset.procedures.get(step.procedure or "")
    if called is None:
        return
    words = called.words_given(step.with_)
    for name, given in step.with_.items():
        entry = called.input(name)
        if entry is None:
            continue
        what = _("the input {id} of {procedure}").format(id=shorten(entry.id), procedure=called.id)
        if name in words:
            problems = _word_given(known, what, entry, words[name])
        elif isinstance(given, str) and isinstance(step, models.Call):
            problems = _passed(known, step, what, entry, given)
        elif isinstance(given, str):
            problems = _answer_given(known, what, entry, given)
        else:
            problems = _number_given(what, entry)
        for problem in problems:
            yield problem._replace(where=("with", name))


def _number_given(what: str, entry: models.Input) -> PartProblems:
    """Check an input that is given a number."""
    if entry.type == "item":
        yield PartProblem(
            (), _("{what} is an item, not a number: pass on an input ($input)").format(what=what)
        )


def _word_given(known: SymbolTable, what: str, entry: models.Input, word: str) -> PartProblems:
    """Check an input that is given a word: one of its options, or an amount."""
    if entry.type in ("word", "value"):
        values = known.ruleset.group(entry.group) or known.ruleset.values
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


def _answer_given(known: SymbolTable, what: str, entry: models.Input, given: str) -> PartProblems:
    """Check an input that an answer of the entity is given to."""
    choice = known.choice(given[1:])
    if choice is not None and choice.is_list:
        message = _("{what} takes one answer; {id} has several")
        yield PartProblem((), message.format(what=what, id=shorten(choice.id)))
        return
    if choice is None or entry.type not in ("word", "value"):
        return
    options = entry.options or known.ruleset.group(entry.group) or known.ruleset.values
    for answer in known.options(choice):
        yield from unknown_name(
            _("{type} for {what}").format(type=entry.type, what=what), answer, options, ()
        )


def _passed(
    known: SymbolTable, step: models.Call, what: str, entry: models.Input, given: str
) -> PartProblems:
    """Check one input that is passed on: its type, and its words, values or kinds."""
    guarded = step.when is not None
    own = next((own for own in known.inputs if own.id == given[1:]), None)
    if own is None or entry.type == "text":
        return
    names_a_value = (own.type, entry.type) == ("word", "value")
    if own.type != entry.type and not names_a_value and not {own.type, entry.type} <= {*NUMBERS}:
        yield PartProblem(
            (),
            _("{given} is a {type}, but {what} is a {entry_type}").format(
                given=given, type=own.type, what=what, entry_type=entry.type
            ),
        )
        return
    allowed, passed = (_possible(known, one) for one in (entry, own))
    if guarded and {*passed} & {*allowed}:
        return  # the others may be excluded by the formula of the step
    for name in passed if allowed else ():
        yield from unknown_name(
            _("{type} for {what}").format(type=entry.type, what=what), name, allowed, ()
        )


def _possible(known: SymbolTable, entry: models.Input) -> Collection[str]:
    """Return the words, values or kinds that an input can be; none if it can be anything."""
    kinds = [kind for kind in entry.kind if any(known.ruleset.of_kind(kind))]
    return entry.options or kinds or known.ruleset.group(entry.group)


def _attack(known: SymbolTable, attack: models.Attack) -> PartProblems:
    """Check that an attack uses values which the inputs of its procedure can be."""
    procedure = known.ruleset.procedures.get(known.ruleset.head.play.attack or "")
    if procedure is None:
        return
    for key, name in (("hit", attack.hit), ("defence", attack.defence)):
        entry = procedure.input(key)
        group = known.ruleset.group(entry.group) if entry is not None else ()
        for value in known.targets(name) if isinstance(name, str) and group else ():
            if value in known.ruleset.values and value not in group:  # others are unknown
                message = _("attacks use a value of {names} here, not {value}").format(
                    names=", ".join(group), value=shorten(value)
                )
                yield PartProblem((key,), message)


CHECKS: Checks = {
    models.Input: _input,
    models.Decide: _decide,
    models.Computed: _computed,
    models.ValueTest: _value_test,
    models.Enter: _enter,
    models.Roll: _roll,
    models.Allot: _allot,
    models.Assign: _assign,
    models.Choose: _choose,
    models.Grant: _grant,
    models.LevelTable: _table,
    models.Entity: _entity,
    models.Option: _option,
    models.UnitType: _unit_type,
    models.Value: _value,
    models.WearSpec: _wear,
    models.Lasting: _lasting,
    models.Head: _head,
    models.ChangeStep: _change,
    models.Put: _put,
    models.Call: _call,
    models.Action: _call,
    models.Attack: _attack,
}
