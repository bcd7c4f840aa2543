"""The symbol table of a ruleset: every name that its files define, by what it names.

Charts are part of it: a step can take a cell, and use it as the id of a condition or a value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, partial, wraps
from itertools import chain
from typing import Any, NamedTuple, ParamSpec

from charforge.errors import nearest, shorten
from charforge.expressions.formula import FACT_FUNCTIONS, FULL, SCOPES, SHARED, TAG_PREFIX, Formula
from charforge.language import N_, _
from charforge.rules.checks.cycles import CallGraph, Dependencies, GrantGraph
from charforge.rules.errors import KeyPath
from charforge.rules.models import (
    GRANTS,
    GROUP,
    ROLLED_FACES,
    Call,
    Chart,
    Entity,
    Input,
    Modifier,
    Procedure,
    ProcedureStep,
    Question,
    ReadChart,
    Steps,
    variables,
)
from charforge.rules.models.base import BEARER, Names, annotated_fields
from charforge.rules.models.procedures import GEAR_NAMES, GIVEN_FLAG, MELEE
from charforge.rules.models.vocabulary import TARGET_NUMBER
from charforge.rules.ruleset import Ruleset, value_named_by


class PartProblem(NamedTuple):
    """One error in a part of a pack; the parser adds the file and the line.

    ``key_path`` is its place in the part, ``nearest`` the nearest correct name,
    ``culprit`` the wrong word in a longer text, ``missing`` the name that
    does not exist and ``noun`` what it would be. ``follows`` is true for one that an error in
    ``ruleset.yaml`` can bring about. ``first`` is the place of an id that is defined again.
    """

    key_path: KeyPath
    message: str
    nearest: str = ""
    culprit: str = ""
    missing: str = ""
    follows: bool = False
    noun: str = ""
    first: KeyPath = ()


PartProblems = Iterator[PartProblem]
P = ParamSpec("P")
# What names can be of, in messages; longer nouns ("input of NAME") come with a translation.
NOUNS = frozenset(
    {
        N_("entity"),
        N_("entity with a limit"),
        N_("kind"),
        N_("value"),
        N_("choice"),
        N_("field"),
        N_("vocabulary"),
        N_("random table"),
        N_("group"),
        N_("group or kind"),
        N_("tag"),
        N_("section"),
        N_("ruling"),
        N_("roll"),
        N_("timing"),
        N_("resource"),
        N_("unit type"),
        N_("choice of this entity"),
        N_("table rule"),
        N_("procedure"),
        N_("chart"),
        N_("moment"),
        N_("input"),
        N_("input of this procedure"),
        N_("roll of this procedure"),
        N_("way to roll"),
        N_("capacity of this entity"),
        N_("damage type"),
        N_("question"),
        N_("symbol"),
        N_("symbol die"),
        N_("option"),
        N_("term"),
        N_("figure"),
        N_("table"),
        N_("variable"),
        N_("condition"),
        N_("field of these entities"),
        N_("earlier question"),
        N_("value of the group"),
        N_("figure of the foe"),
        N_("input of the procedure of attacks"),
        N_("word of the input 'type'"),
        N_("fact of the catalog"),
        N_("option of this rule"),
        N_("output of this procedure"),
    }
)


def unknown_names(
    what: str, names: Collection[str], valid_names: Collection[str], key_path: KeyPath
) -> PartProblems:
    """Yield an error for each unknown name among the keys of a map or the items of a list."""
    places = names if isinstance(names, Mapping) else range(len(names))
    for place, name in zip(places, names, strict=True):
        yield from unknown_name(what, name, valid_names, (*key_path, place))


def unknown_name(
    what: str, name: str, valid_names: Collection[str], key_path: KeyPath, culprit: str = ""
) -> PartProblems:
    """Yield an error if a name is not known; ``what`` is the noun for what it names."""
    if name not in valid_names:
        message = _("there is no {what} {name}").format(
            what=_(what) if what in NOUNS else what, name=shorten(name)
        )
        near = nearest(name.removeprefix(GROUP), valid_names)
        yield PartProblem(key_path, message, near, culprit, name, noun=what)


def unknown_inputs(procedure: Procedure, names: Collection[str], key_path: KeyPath) -> PartProblems:
    """Yield an error for each name that is no input; a map has names as keys."""
    what = _("input of {id}").format(id=procedure.id)
    yield from unknown_names(what, names, [entry.id for entry in procedure.inputs], key_path)


def unknown_outputs(
    procedure: Procedure, names: Collection[str] | Mapping[str, str], key_path: KeyPath
) -> PartProblems:
    """Yield an error for each name that is no output; a map has names by their key."""
    what, outputs = _("output of {id}").format(id=procedure.id), [o.id for o in procedure.outputs]
    for place, name in names.items() if isinstance(names, Mapping) else enumerate(names):
        yield from unknown_name(what, name, outputs, (*key_path, place))


def needed_inputs(procedure: Procedure, given: Collection[str], key_path: KeyPath) -> PartProblems:
    """Yield an error for each input that a procedure needs and is not given."""
    for entry in procedure.inputs:
        if entry.needed and entry.id not in given:
            message = _("the procedure {id} needs the input {entry_id}")
            entry_id = shorten(entry.id)
            yield PartProblem(key_path, message.format(id=shorten(procedure.id), entry_id=entry_id))


def following(check: Callable[P, PartProblems]) -> Callable[P, PartProblems]:
    """Mark the errors of a check: an error in ``ruleset.yaml`` can bring them about.

    They say what could never have an effect: in the wrong place, out of its bounds, never reached.
    """

    @wraps(check)
    def marked(*args: P.args, **kwargs: P.kwargs) -> PartProblems:
        return (problem._replace(follows=True) for problem in check(*args, **kwargs))

    return marked


class SymbolTable:
    """The names of a ruleset, in pools by the things that they name.

    Some pools depend on the entity (``enter_entity``) or on the procedure
    (``enter_steps``) that is being checked.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.entity: Entity | None = None
        self.pools: dict[str, Collection[str]] = {
            **_ruleset_pools(ruleset),
            **_question_pools(ruleset),
        }
        self._figures = frozenset(self.pools["figure"])
        self.pools["unit figure"] = self._figures
        self.in_steps = False
        self.inputs: tuple[Input, ...] = ()
        self.steps: Steps = ()
        self.procedure: str | None = None  # whose steps these are
        self.lists: frozenset[str] = frozenset({ROLLED_FACES})  # names of lists of numbers
        self.texts: dict[str, str] = {}  # variables that hold texts, with an example
        self._texts_of: dict[str, dict[str, str]] = {}  # the same of procedures, by id
        self.call_graph = CallGraph(ruleset.procedures)
        self.enter_entity(None)
        self.dependencies = Dependencies(ruleset.head.units, self.targets)
        self.grant_graph = GrantGraph(ruleset)

    def enter_entity(self, entity: Entity | None) -> None:
        """Fill the pools for an entity, or (None) for a part outside of any."""
        self.entity = entity
        self.pools["figure"] = self._figures.union(self._own_numbers())
        numbers = [question.id for question in entity.numbers] if entity else []
        self.pools["own figure"] = self._figures.union(numbers)
        capacities = {item.id for item in entity.capacities} if entity else set()
        self.pools["capacity of this entity"] = capacities
        self.pools["resource"] = capacities.union(self.ruleset.values, self.ruleset.shared_labels)
        choices = entity.choices if entity else ()
        self.pools["choice of this entity"] = [choice.id for choice in choices]

    def enter_steps(self, inputs: tuple[Input, ...], steps: Steps) -> None:
        """Add the variables of a procedure or an action to the pools."""
        own = variables(inputs, steps, self.ruleset.symbols)
        for entry in inputs:
            numbers = self.ruleset.own_numbers(entry.kind)
            own |= {f"{entry.id}_{name}": "input" for name in numbers}
        bearers = self._own_numbers()
        self.texts = self._text_variables(steps)
        numbers_inputs = (entry.id for entry in inputs if entry.type == "numbers")
        faces = (name for name, origin in own.items() if origin == "faces")
        self.lists = frozenset((*numbers_inputs, *faces))
        attackers = {f"bearer.{name}" for name in self.ruleset.values}
        known = (own.keys() - self.texts.keys(), bearers, attackers)
        self.pools["figure"] = self._figures.union(*known)
        own_values = {*self.ruleset.values, *self.ruleset.shared_labels}
        self.pools["value or input"] = own_values | own.keys()
        read = {name for step in steps if step.chart_read for name in step.results}
        self.pools["input"] = [*(entry.id for entry in inputs), *sorted(self.texts.keys() | read)]
        self.inputs, self.steps = inputs, steps
        self.pools["roll of this procedure"] = [n for n, origin in own.items() if origin == "roll"]
        self.pools["any roll of this procedure"] = [n for n in own if f"{n}_dice" in own]
        self.in_steps = True

    def _own_numbers(self) -> tuple[str, ...]:
        """Return the numbers of the present entity itself that its formulas can read."""
        if self.entity is None:
            return ()
        gear = self.entity.kind in self.ruleset.head.gear.kinds
        fields = self.ruleset.number_fields(self.entity)
        return (*fields, *self.entity.own_numbers, *(GEAR_NAMES if gear else ()))

    def _text_variables(self, steps: Steps) -> dict[str, str]:
        """Return the variables that hold texts from charts, each with a cell that is one.

        No formula can read them.
        """
        texts: dict[str, str] = {}
        for step in steps:
            chart = self.ruleset.charts.get(step.chart_read or "")
            sources = text_columns(chart) if chart is not None else {}
            if step.called_procedure and self.call_graph.can_follow(step.called_procedure):
                sources = self._procedure_texts(step.called_procedure)
            texts |= {
                variable: sources[source]
                for variable, source in step.results.items()
                if source in sources
            }
        return texts

    def _procedure_texts(self, name: str) -> dict[str, str]:
        """Return the variables of a procedure that hold texts."""
        if name not in self._texts_of:
            self._texts_of[name] = self._text_variables(self.ruleset.procedures[name].steps)
        return self._texts_of[name]

    def leave_steps(self) -> None:
        """Remove the variables of a procedure or an action."""
        self.in_steps, self.texts, self.lists = False, {}, frozenset({ROLLED_FACES})
        self.pools["figure"] = self._figures.union(self._own_numbers())

    @cached_property
    def cell_uses(self) -> CellUses:
        """How steps use the columns of charts as ids."""
        return cell_uses(self.ruleset)

    def units(self) -> Collection[str]:
        """Return the unit types whose values the present part can change."""
        unit = self.ruleset.unit_type(self.entity) if self.entity else None
        return self.ruleset.units if unit is None else (unit.id,)

    def targets(self, name: str) -> Collection[str]:
        """Return the values that a target means: one, a group, or the options of a choice."""
        prefix, chosen, choice_id = name.partition("$")
        if chosen:
            choice = self.choice(choice_id)
            options = self.options(choice) if choice is not None else ()
            return [value_named_by(prefix, option) for option in options]
        return self.ruleset.target_values(name)

    def choice(self, name: str) -> Question | None:
        """Return a choice of the present entity by id."""
        choices = self.entity.choices if self.entity else ()
        return next((choice for choice in choices if choice.id == name), None)

    def question(self, name: str) -> Question | None:
        """Return a question of creation or of levels, or (``role.plus``) a choice of an option."""
        asked, _dot, choice = name.partition(".")
        head = self.ruleset.head
        questions = (*head.creation_questions, *head.advancement.asks)
        question = next((question for question in questions if question.id == asked), None)
        if question is None or not choice:
            return question
        offered = self.ruleset.offered(question)
        return next((c for entity in offered for c in entity.choices if c.id == choice), None)

    def values_read(self, names: frozenset[str]) -> frozenset[str]:
        """Return names, and the values that those read that are numbers of the present entity."""
        read = set(names)
        for figure in self.entity.figures if self.entity else ():
            if figure.id in read and figure.formula is not None:
                read |= figure.formula.names
        for question in self.entity.numbers if self.entity else ():
            if question.id in read:
                read |= set(self.options(question))
        return frozenset(read)

    def options(self, question: Question) -> Collection[str]:
        """Return the ids that a question offers; none if other answers are possible too."""
        return () if question.allows_own_words else self.ruleset.option_ids(question)

    def terms(self, vocabulary: str | None) -> Collection[str]:
        """Return the ids of the terms of a vocabulary."""
        return [term.id for term in self.ruleset.head.terms.get(vocabulary or "", ())]


Checks = dict[type, Callable[[SymbolTable, Any], PartProblems]]  # by the model that each is for


def text_columns(chart: Chart) -> dict[str, str]:
    """Return the columns of a chart that hold texts, each with a cell that is one."""
    texts = {column.id: chart.first_text(column.id) for column in chart.columns}
    return {
        column: _("{text} in the column {column} of the chart {id}").format(
            text=shorten(text), column=column, id=chart.id
        )
        for column, text in texts.items()
        if text is not None
    }


def _ruleset_pools(ruleset: Ruleset) -> dict[str, Collection[str]]:
    """Return the pools that are the same for every part of a pack."""
    head = ruleset.head
    counted = ("number", "flag")
    fields = [field for kind in head.kinds for field in kind.fields.items()]
    numbers = {name for name, field in fields if field.type in counted}
    resources = {n for unit in head.units for n, one in unit.values.items() if one.resource}
    shared = {*ruleset.shared_labels}
    values = {"level", *ruleset.values, *(f"{FULL}{name}" for name in resources)}
    tags = {tag for entity in ruleset.entities.values() for tag in entity.tags}
    return {
        "entity": ruleset.entities,
        "entity with a limit": [e.id for e in ruleset.entities.values() if e.uses is not None],
        "kind": ruleset.kinds,
        "value": ruleset.values,
        "value or grants": {*ruleset.values, GRANTS},
        "value or shared": {*ruleset.values, *shared},
        "value of the group": {name.removeprefix(SHARED) for name in shared},
        "value or level": values | shared,
        "value or input of a price": values
        | shared
        | {one.id for one in head.play.untrained_inputs},
        "value or input of attacks": values | shared | _attack_inputs(ruleset),
        "field": {"slots", "price", *numbers},
        "field or bearer": {"slots", "price", *numbers, *(BEARER + name for name in values)},
        "thing": {*ruleset.entities, *ruleset.kinds, *(TAG_PREFIX + tag for tag in tags)},
        "number field": numbers,
        "text field": {name for name, field in fields if field.type == "text"},
        "random table": [table.id for table in head.random_tables],
        "group": head.groups,
        "group or kind": {*head.groups, *ruleset.kinds},
        "tag": tags,
        "timing": {timing.id for timing in head.timings},
        "section": {section.id for section in head.sections},
        "ruling": ruleset.rulings,
        "table rule": ruleset.table_rules,
        "unit type": ruleset.units,
        "vocabulary": head.terms,
        "procedure": ruleset.procedures,
        "chart": ruleset.charts,
        "way to roll": ruleset.ways_to_roll,
        "number of a roll": {TARGET_NUMBER},
        "moment": {moment.id for moment in head.moments},
        "damage type": {term.id for terms in head.terms.values() for term in terms},
        "faces": {ROLLED_FACES},
        "symbol": ruleset.symbols,
        "symbol die": ruleset.symbol_dice,
        "figure": values | shared | {f"{scope}.{name}" for scope in SCOPES for name in values},
    }


def _attack_inputs(ruleset: Ruleset) -> set[str]:
    """Return the inputs of the procedure of attacks that are numbers, and which were given."""
    procedure = ruleset.procedures.get(ruleset.head.play.attack or "")
    inputs = procedure.inputs if procedure is not None else ()
    numbers = {input_.id for input_ in inputs if input_.type in ("number", "flag")}
    return numbers | {input_.id + GIVEN_FLAG for input_ in inputs if input_.optional}


def selected_names(modifier: Modifier, symbols: SymbolTable) -> frozenset[str]:
    """Return what a modifier can read of the things that it selects, or of their attacks."""
    if modifier.attacks is not None:
        return frozenset((*_attack_inputs(symbols.ruleset), *GEAR_NAMES, MELEE))
    return frozenset(GEAR_NAMES if modifier.of is not None else ())


def _question_pools(ruleset: Ruleset) -> dict[str, Collection[str]]:
    """Return the pools of the questions of creation."""
    questions = ruleset.head.creation_questions
    return {
        "question": {question.id for question in questions},
        "question for chose()": {
            question.id for question in (*questions, *ruleset.head.advancement.asks)
        },
        "roll": ruleset.rolls,
        "choice of dice": {question.id for question in questions if question.dice_roll},
    }


# ------------------------------------------------------------------ charts whose cells are ids


NAMED_BY_VARIABLE = {
    "entity": "entity",
    "value": "value or shared",
}  # what steps name by a variable, and among
NAMED_INPUTS = ("value", "word")  # types of inputs that a variable gives a name


class CellUse(NamedTuple):
    """How a step uses the cells of a column: ``field`` of ``step`` is the id of a ``what``.

    Of a call ``field`` is the input, which can only be ``among`` these if there are any.
    """

    what: str
    step: ProcedureStep
    field: str
    among: Collection[str] = ()

    @property
    def pool(self) -> str:
        """The pool of the names that exist, in the symbol table."""
        return NAMED_BY_VARIABLE[self.what]


CellUses = dict[tuple[str, str], list[CellUse]]  # by the ids of a chart and of its column


def cell_uses(ruleset: Ruleset) -> CellUses:
    """Return how steps use the columns of charts as ids."""
    uses: CellUses = {}
    for steps in all_steps(ruleset):
        for use, variable in chain(_named_by_variables(steps), _passed_on(ruleset, steps)):
            for column in _columns(ruleset, steps, variable, frozenset()):
                uses.setdefault(column, []).append(use)
    return uses


def all_steps(ruleset: Ruleset) -> Iterator[Steps]:
    """Yield the steps of each procedure and of each action."""
    for procedure in ruleset.procedures.values():
        yield procedure.steps
    for entity in ruleset.entities.values():
        for action in entity.actions:
            yield action.does


def _named_by_variables(steps: Steps) -> Iterator[tuple[CellUse, str]]:
    """Yield each field of a step that is a ``$variable`` in place of an id, and the variable."""
    for step in steps:
        for name, _key, annotation, _of_items, _readable in annotated_fields(type(step)):
            value = getattr(step, name)
            if (
                isinstance(annotation, Names)
                and annotation.what in NAMED_BY_VARIABLE
                and isinstance(value, str)
                and value.startswith("$")
            ):
                yield CellUse(annotation.what, step, name), value[1:]


def _passed_on(ruleset: Ruleset, steps: Steps) -> Iterator[tuple[CellUse, str]]:
    """Yield each ``$variable`` that a call passes to an input which is a value or a word."""
    for step in steps:
        called = ruleset.procedures.get(step.called_procedure or "")
        if called is None or not isinstance(step, Call):
            continue
        for name, given in step.with_.items():
            entry = called.input(name)
            if entry is None or entry.type not in NAMED_INPUTS or not str(given).startswith("$"):
                continue
            among = entry.options or ruleset.grouped(entry.group)
            yield CellUse(entry.type, step, name, among), str(given)[1:]


def _columns(
    ruleset: Ruleset, steps: Steps, variable: str, called: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield the charts and columns that steps, or the procedures they call, take a variable from.

    ``called`` are the procedures that led here: one that runs itself ends.
    """
    for step in steps:
        source = step.results.get(variable)
        if source is None:
            continue
        if isinstance(step, ReadChart):
            yield step.chart, source
        elif isinstance(step, Call) and step.procedure not in called:
            procedure: Procedure | None = ruleset.procedures.get(step.procedure)
            if procedure is not None:
                known = called | {step.procedure}
                yield from _columns(ruleset, procedure.steps, source, known)


# ------------------------------------------------------------------ numbers and lists in formulas


IsList = Callable[[ast.expr], bool]
ON_LISTS = "count(), nth(), length(), min()", "max()"
NUMBER_FUNCTIONS = {"half_up": 1, "half_down": 1, "floor": 1}  # functions of so many numbers
OF_A_LIST = {"count": (2, None), "nth": (2, 2), "length": (1, 1)}  # fewest and most arguments


class _TypeMistake(Exception):
    """A list where a number is needed, or the other way round."""


def type_mistake(formula: Formula, lists: Collection[str]) -> str:
    """Return what is wrong with the types in a formula; empty if nothing is.

    ``lists`` are the names that are lists of numbers; all others are numbers.
    """
    try:
        _check_number(formula.tree, partial(_is_list, lists))
    except _TypeMistake as mistake:
        return str(mistake)
    return ""


def _is_list(lists: Collection[str], node: ast.expr) -> bool:
    if isinstance(node, ast.IfExp):
        return _is_list(lists, node.body) and _is_list(lists, node.orelse)
    return isinstance(node, ast.Name) and node.id in lists


def _check_number(node: ast.expr, is_list: IsList) -> None:
    """Check a part that must be a number. Raises _TypeMistake."""
    if is_list(node):
        raise _TypeMistake(
            _("{formula} is a list of numbers, not one number: use it in {on_lists}").format(
                formula=ast.unparse(node),
                on_lists=_("{names} or {last}").format(names=ON_LISTS[0], last=ON_LISTS[1]),
            )
        )
    if isinstance(node, ast.Call):
        _call(node, is_list)
        return
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.expr):
            _check_number(part, is_list)


def _call(node: ast.Call, is_list: IsList) -> None:
    """Check the arguments of a function. Raises _TypeMistake."""
    name, arguments = ast.unparse(node.func), node.args
    if name in FACT_FUNCTIONS:
        return
    numbers, wrong = list(arguments), False
    if name in NUMBER_FUNCTIONS:
        wrong = len(arguments) != NUMBER_FUNCTIONS[name]
    elif name in OF_A_LIST:
        fewest, most = OF_A_LIST[name]
        wrong = len(arguments) < fewest or (most is not None and len(arguments) > most)
        numbers = arguments[1:]
        if not wrong and not is_list(arguments[0]):
            raise _TypeMistake(
                _(
                    "{name}() needs a list such as the faces of a roll (ID_dice) "
                    "first, not {formula}"
                ).format(name=name, formula=shorten(ast.unparse(arguments[0])))
            )
    elif len(arguments) == 1:  # min and max, of a list
        numbers = []
        if not is_list(arguments[0]):
            raise _TypeMistake(
                _("{name}() needs two numbers or more, or one list").format(name=name)
            )
    else:
        wrong = not arguments
    if wrong:
        raise _TypeMistake(
            _("{formula} has the wrong number of arguments").format(formula=ast.unparse(node))
        )
    for argument in numbers:
        _check_number(argument, is_list)
