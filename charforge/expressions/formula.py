"""Small whole-number expressions that packs write over values.

A formula is arithmetic and comparison over value ids (case ignored), the
scopes ``owner.``, ``operator.``, ``bearer.``, ``full.`` and ``shared.``, and the few functions
below. It is parsed once, checked node by node and compiled into nested functions, one
for each node; Python itself is never given the text to run. Dice are not
part of a formula.

Only a few functions take a list of numbers, such as the faces of a roll, and only where they expect
it; a formula as a whole always gives a number.
"""

from __future__ import annotations

import ast
import copy
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from charforge.errors import FormulaError, shorten
from charforge.language import N_, _, format_number

# What people try who know programming languages: kinds of nodes, how they are written, and advice.
FORBIDDEN_SYNTAX: tuple[tuple[tuple[type[ast.AST], ...], str, str], ...] = (
    ((ast.Pow,), "**", N_("multiply instead")),
    ((ast.BitXor,), "^", N_("multiply instead")),
    ((ast.Is,), "is", N_("write ==")),
    ((ast.IsNot,), "is not", N_("write !=")),
    ((ast.In, ast.NotIn), "in", N_("compare with each number: x == 1 or x == 2")),
    ((ast.BitAnd,), "&", N_("write and")),
    ((ast.BitOr,), "|", N_("write or")),
    ((ast.Invert,), "~", N_("write not")),
    ((ast.List, ast.Tuple, ast.Set, ast.Dict), N_("lists"), N_("write one number")),
    ((ast.Attribute,), N_("a dot after a name"), N_("write the id of a value")),
)
# What people try who know other notations: a pattern in a formula that cannot be read, and advice.
NOTATIONS = (
    (
        r"(?i)\b(\d+\s*[dw]\s*\d|d\d)",
        N_("a formula cannot roll dice: give the roll a step or a question"),
    ),
    (r"[=][<>]", N_("write <= or >=")),
    (r"[≤≥≠]", N_("write <=, >= or !=")),
    (r"(?<![<>=!])=(?!=)", N_("to compare, write ==")),
    (r"&&|\|\||!(?!=)", N_("write and, or, not")),
    (r"[−–—]", N_("write - for minus")),
    (r"(?i)[×·]|\bx\b", N_("to multiply, write *")),
    (r"(?i)[÷:]|\bdiv\b", N_("to divide, write /, or floor() and half_up() to round")),
    (r"%\s*($|\))", N_("for a part of a hundred, multiply and divide: value * 50 / 100")),
    (r"(?i)\bif\b", N_("write the result first: 2 if level >= 3 else 1")),
    (r"\d[A-Za-z_]|\d\s*\(", N_("to multiply, write *")),
    (
        r"[-+]\s*[*/]|[-+*/]\s*($|\))|(^|\()\s*[*/]",
        N_("a number or a name is missing beside a sign"),
    ),
)
SCOPES = ("owner", "operator", "bearer")
FULL = "full."  # before a resource: its figure before play changed it
SHARED = "shared."  # before a value of what the group owns together
MAX_LENGTH = 200
WRITTEN = "x-written"  # marks in a JSON Schema what has a notation: a formula, dice
LARGEST = 10**12
WITHOUT_VALUE = (ArithmeticError, TypeError, ValueError, KeyError)  # errors of evaluation

Number = int | float | bool


def half_up(amount: Number) -> int:
    """Return half of ``amount``, rounded up."""
    return math.ceil(amount / 2)


def half_down(amount: Number) -> int:
    """Return half of ``amount``, rounded down."""
    return math.floor(amount / 2)


def count(roll: Sequence[int], *faces: int) -> int:
    """Return how many dice of ``roll`` show one of ``faces``."""
    return len([face for face in roll if face in faces])


def nth(numbers: Sequence[int], place: Number) -> int:
    """The number at a place of a list, counted from 1; 0 beyond its end."""
    return numbers[int(place) - 1] if 1 <= place <= len(numbers) else 0


PLAIN_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "half_up": half_up,
    "half_down": half_down,
    "floor": math.floor,
    "count": count,
    "nth": nth,
    "length": len,
}
# What formulas can ask about a character: the functions with the id of an entity, a kind or a tag,
# the one with something that has a limit, and the one with a choice and its answer.
COUNTING = ("has", "number", "held", "worn")
LIMIT_FUNCTION = "used"
CHOICE_FUNCTION = "chose"
FACT_FUNCTIONS = (*COUNTING, LIMIT_FUNCTION, CHOICE_FUNCTION)
FUNCTIONS = (*PLAIN_FUNCTIONS, *FACT_FUNCTIONS)
TAG_PREFIX = "tag:"  # before a tag that stands for everything with it


def choice_key(choice: str, answer: str = "") -> str:
    """Return the name under which local formulas have an answer to a choice of their holder.

    Without an answer it is the name for any other answer.
    """
    return f"{choice}={answer}"


def is_choice_key(name: str) -> bool:
    """Whether a name of a local formula is that of an answer, and not of a number."""
    return "=" in name


class _Parsed(NamedTuple):
    """A checked formula: the names that it reads, and the function that evaluates it.

    ``referred`` are the entities, kinds and tags that it counts, ``limited``
    what has a limit in used(), ``chosen`` the pairs of choice and answer in
    chose(); ``constant`` is the number of a formula that is only a number.
    """

    names: frozenset[str]
    referred: tuple[str, ...]
    limited: tuple[str, ...]
    chosen: tuple[tuple[str, str], ...]
    constant: int | None
    function: Evaluator


class Formula:
    """A formula, parsed and checked once; equal when their texts are equal.

    ``written`` is the text of the pack that it is a part of, or was made from.
    """

    __slots__ = ("_parsed", "text", "written")

    def __init__(self, text: str | int | bool, written: str = "") -> None:
        self.text = str(int(text)) if isinstance(text, bool) else str(text).strip()
        self.written = written or self.text
        if len(self.text) > MAX_LENGTH:
            raise FormulaError(
                self.text[:40] + "…",
                _("it is longer than {max_length} characters").format(max_length=MAX_LENGTH),
            )
        self._parsed: _Parsed | None = _parse(self.text)

    def __reduce__(self) -> tuple[Callable[[str], Formula], tuple[str]]:
        # A compiled pack holds formulas that were checked: they are parsed when first used.
        return _checked, (self.text,)

    @property
    def parsed(self) -> _Parsed:
        """The parsed text."""
        if self._parsed is None:
            self._parsed = _parse(self.text)
        return self._parsed

    @property
    def tree(self) -> ast.expr:
        """The text as a tree, with names in lower case; ``owner.level`` is a single name."""
        return _tree(self.text)

    @property
    def summands(self) -> tuple[Formula, ...]:
        """Its summands, in order; a single formula if it is no sum."""
        found, node = list[ast.expr](), self.tree
        while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            subtracted = ast.UnaryOp(ast.USub(), node.right)
            found.append(node.right if isinstance(node.op, ast.Add) else subtracted)
            node = node.left
        return tuple(Formula(ast.unparse(part), self.written) for part in (node, *reversed(found)))

    @property
    def conjuncts(self) -> tuple[Formula, ...]:
        """The conditions that it joins with ``and``; a single formula if it has none."""
        node = self.tree
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return tuple(Formula(ast.unparse(part), self.written) for part in node.values)
        return (self,)

    @property
    def names(self) -> frozenset[str]:
        """The names of the values that it reads, in lower case."""
        return self.parsed.names

    @property
    def referred(self) -> tuple[str, ...]:
        """The ids of entities and kinds, and the tags, that it counts."""
        return self.parsed.referred

    @property
    def limited(self) -> tuple[str, ...]:
        """The ids of entities in its used() calls."""
        return self.parsed.limited

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        """The pairs of choice and answer in its chose() calls."""
        return self.parsed.chosen

    @property
    def asks_facts(self) -> bool:
        """Whether it asks more about a character than its values."""
        return bool(self.referred or self.limited or self.chosen)

    @property
    def constant(self) -> int | None:
        """The number when this formula is only a number."""
        return self.parsed.constant

    def with_variables(self, formulas: Mapping[str, Formula]) -> Formula:
        """Return this formula with known names replaced by their formulas."""
        if not formulas:
            return self
        replaced = {name: formulas[name].text for name in self.names & formulas.keys()}
        for choice, answer in self.chosen:
            key, other = choice_key(choice, answer), formulas.get(choice_key(choice))
            if other is not None:
                replaced[key] = formulas.get(key, other).text
        if not replaced:
            return self
        return _checked(_substituted(self.text, tuple(sorted(replaced.items()))), self.written)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def evaluate(self, scope: Scope) -> int:
        """Return the value as a whole number.

        Raises FormulaError when a name is unknown, a division is by zero, or
        the result is no number, not whole or too large.
        """
        result = self.evaluate_exact(scope)
        if type(result) is bool:
            return int(result)
        if type(result) is int and -LARGEST <= result <= LARGEST:
            return result
        try:
            whole_number = int(result)
        except (TypeError, ValueError, OverflowError):
            whole_number = None
        if whole_number is None or whole_number != result:
            raise FormulaError(
                self.text,
                _("gives {result}, which is not a whole number").format(result=shorten(result)),
                self.written,
            )
        if abs(whole_number) > LARGEST:  # before the next step multiplies it again
            raise FormulaError(
                self.text,
                _("gives more than {largest}").format(largest=format_number(LARGEST, ",")),
                self.written,
            )
        return whole_number

    def evaluate_exact(self, scope: Scope) -> Any:
        """Return the exact value: a number, perhaps a fraction, or a truth value.

        Raises FormulaError when a name is unknown or a division is by zero.
        """
        try:
            return (self._parsed or self.parsed).function(scope)
        except WITHOUT_VALUE as error:
            reason = _without_value(error)
            if isinstance(error, ZeroDivisionError) and (divisor := self._zero_divisor(scope)):
                because = _("{reason} because {divisor} is 0: write max({divisor}, 1)")
                reason = because.format(reason=reason, divisor=divisor)
            raise FormulaError(self.text, reason, self.written) from error

    def _zero_divisor(self, scope: Scope) -> str:
        """Return the first divisor that is 0; empty if none but a number is."""
        divisions = (node for node in ast.walk(self.tree) if isinstance(node, ast.BinOp))
        for node in divisions:
            if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
                divisor = _checked(ast.unparse(node.right))
                with suppress(FormulaError):
                    if divisor.constant is None and not divisor.evaluate_exact(scope):
                        return divisor.text
        return ""

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        def build(raw: object) -> Formula:
            if isinstance(raw, Formula):
                return raw
            if isinstance(raw, str | int):
                try:
                    return cls(raw)
                except FormulaError as error:
                    raise ValueError(error.reason) from error
            raise ValueError(_("a formula is a number or a text"))

        return core_schema.no_info_plain_validator_function(
            build, serialization=core_schema.plain_serializer_function_ser_schema(_plain)
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": ["string", "integer", "boolean"], WRITTEN: "formula"}


def _plain(formula: Formula) -> str | int:
    constant = formula.constant
    return formula.text if constant is None else constant


def _checked(text: str, written: str = "") -> Formula:
    """Return a formula from a text that was checked before; it is parsed when first used."""
    formula = Formula.__new__(Formula)
    formula.text = text
    formula.written = written or text
    formula._parsed = None
    return formula


def _not_allowed(node: ast.AST) -> str:
    """Return the reason against a part of a formula that is Python but not arithmetic."""
    for kinds, written, advice in FORBIDDEN_SYNTAX:
        if isinstance(node, kinds):
            return _("formulas cannot use {written}; {advice}").format(
                written=_(written), advice=_(advice)
            )
    part = f": {shorten(ast.unparse(node))}" if isinstance(node, ast.expr) else ""
    return _(
        "only numbers, names, arithmetic and comparisons are allowed in a formula{part}"
    ).format(part=part)


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Parsed:
    """Return a checked formula. Raises FormulaError."""
    if not text:
        raise FormulaError(text, _("it must not be empty"))
    try:
        parsed = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormulaError(text, _unreadable(text)) from error
    compiler = _Compiler(text)
    function = compiler.compile(parsed.body)
    asked = compiler.asked
    referred = tuple(word for name in COUNTING for (word,) in asked[name])
    limited = tuple(word for (word,) in asked[LIMIT_FUNCTION])
    chosen = tuple((choice, answer) for choice, answer in asked[CHOICE_FUNCTION])
    number = _number(parsed.body)
    if not compiler.names and not any(asked.values()):
        _refuse_impossible(text, function)
    return _Parsed(frozenset(compiler.names), referred, limited, chosen, number, function)


def _refuse_impossible(text: str, function: Evaluator) -> None:
    """Raise FormulaError for a formula without names that has no value, or far too large a one."""
    try:
        result = function(FunctionScope(_no_value))
    except WITHOUT_VALUE as error:
        raise FormulaError(text, _without_value(error)) from error
    if not -LARGEST <= result <= LARGEST:
        raise FormulaError(
            text, _("gives more than {largest}").format(largest=format_number(LARGEST, ","))
        )


def _without_value(error: Exception) -> str:
    """Return why a formula has no value."""
    return _("it divides by zero") if isinstance(error, ZeroDivisionError) else str(error)


def _no_value(name: str) -> int:
    raise KeyError(name)


@lru_cache(maxsize=4096)
def _tree(text: str) -> ast.expr:
    body: ast.expr = _Scoped().visit(ast.parse(text, mode="eval")).body
    return body


@lru_cache(maxsize=4096)
def _substituted(text: str, known: tuple[tuple[str, str], ...]) -> str:
    """Return the text of a formula with some names replaced by formulas."""
    replacements = {name: _tree(formula) for name, formula in known}

    class Substitution(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return replacements.get(node.id, node)

        def visit_Call(self, node: ast.Call) -> ast.expr:
            match node:
                case ast.Call(
                    func=ast.Name(id=name),
                    args=[ast.Constant(value=str(choice)), ast.Constant(value=str(answer))],
                ) if name == CHOICE_FUNCTION:
                    return replacements.get(choice_key(choice, answer), node)
            node.args = [self.visit(argument) for argument in node.args]
            return node

    return ast.unparse(Substitution().visit(copy.deepcopy(_tree(text))))


def _unreadable(text: str) -> str:
    """Return the reason why a formula cannot be read, with what to write instead."""
    advice = next((advice for pattern, advice in NOTATIONS if re.search(pattern, text)), "")
    if not advice and text.count("(") != text.count(")"):
        advice = N_("a bracket is missing; inside {} or [], put a formula with a comma in quotes")
    message = _("it cannot be read as arithmetic")
    return f"{message}; {_(advice)}" if advice else message


def _number(body: ast.expr) -> int | None:
    """Return the number that a tree consists of, sign included; None if there is more to it."""
    if isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.USub):
        unsigned = _number(body.operand)
        return None if unsigned is None else -unsigned
    if isinstance(body, ast.Constant) and isinstance(body.value, int):
        return body.value
    return None


class _Scoped(ast.NodeTransformer):
    """Make every name lower case and ``owner.level`` a single name."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(node.id.lower(), node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        name = _scoped_name(node)
        return node if name is None else ast.copy_location(ast.Name(name, ast.Load()), node)


FaceSets = frozenset[frozenset[int]]


def counted_faces(formula: Formula, roll: str) -> FaceSets | None:
    """Return the sets of faces that a formula counts in a list; None if it reads more of it."""
    counted: set[frozenset[int]] = set()

    def only_counts(node: ast.AST) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="count"), args=[ast.Name(id=name), *faces]) if (
                name == roll
            ):
                numbers = [_number(face) for face in faces if isinstance(face, ast.expr)]
                counted.add(frozenset(number for number in numbers if number is not None))
                return None not in numbers
            case ast.Call(func=ast.Name(id="length"), args=[ast.Name(id=name)]) if name == roll:
                return True
            case ast.Name(id=name):
                return name != roll
        return all(map(only_counts, ast.iter_child_nodes(node)))

    return frozenset(counted) if only_counts(formula.tree) else None


class Facts(Protocol):
    """Facts about a character besides its values: the functions that formulas can call.

    Things are named by the id of an entity or a kind, or by a tag.
    """

    def has(self, name: str) -> bool:
        """Whether the character has something."""

    def number(self, name: str) -> int:
        """Return how many of something it has."""

    def held(self, name: str) -> int:
        """Return how many pieces of something are in hand."""

    def worn(self, name: str) -> int:
        """Return how many pieces of something are worn."""

    def used(self, name: str) -> int:
        """Return how often something that has a limit was used."""

    def chose(self, choice: str, answer: str) -> bool:
        """Whether a choice was answered in a certain way."""


class NoFacts:
    """Nothing: no thing is owned, nothing was used or chosen."""

    def has(self, _name: str) -> bool:
        """Return that nothing is there."""
        return False

    def number(self, _name: str) -> int:
        """Return 0."""
        return 0

    held = worn = used = number

    def chose(self, _choice: str, _answer: str) -> bool:
        """Return that nothing was chosen."""
        return False


class Scope(Protocol):
    """Everything a formula can read: the values of names, and facts about a character."""

    @property
    def read(self) -> Callable[[str], Any]:
        """Return the value of a name."""

    @property
    def facts(self) -> Facts:
        """Return the facts about the character."""


class FunctionScope(NamedTuple):
    """A scope made of a function and, if a character is known, its facts."""

    read: Callable[[str], Any]
    facts: Facts = NoFacts()


Numeric = (int, float)
Evaluator = Callable[[Scope], Any]


def multiply(left: Any, right: Any) -> Any:
    """Multiply two numbers; Python would also repeat texts and lists."""
    if not (isinstance(left, Numeric) and isinstance(right, Numeric)):
        raise _no_number(left, right)
    return left * right


def remainder(left: Any, right: Any) -> Any:
    """Return the remainder of a division; Python would also fill in texts."""
    if not (isinstance(left, Numeric) and isinstance(right, Numeric)):
        raise _no_number(left, right)
    return left % right


def _no_number(*operands: Any) -> TypeError:
    wrong = next(operand for operand in operands if not isinstance(operand, Numeric))
    return TypeError(_("{wrong} is not a number").format(wrong=shorten(wrong)))


OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: multiply,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: remainder,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class _Compiler:
    """Makes functions of the nodes of a formula, and checks that it has no others.

    ``names`` are the names of values found so far, ``asked`` the texts in calls by function.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: set[str] = set()
        self.asked: dict[str, list[tuple[str, ...]]] = {name: [] for name in FACT_FUNCTIONS}

    def compile(self, node: ast.AST) -> Evaluator:
        """Return the function that evaluates a node. Raises FormulaError for one not allowed."""
        match node:
            case ast.Constant(value=int() | float() as value):
                return lambda _scope: value
            case ast.Constant():
                raise FormulaError(self.text, _misplaced_text(node.value))
            case ast.Name() | ast.Attribute():
                name = self.name(node)
                return lambda scope: scope.read(name)
            case ast.UnaryOp():
                act, operand = self.operator(node.op), self.compile(node.operand)
                return lambda scope: act(operand(scope))
            case ast.BinOp():
                return self.applied(self.operator(node.op), node.left, node.right)
            case ast.Compare(ops=[op], comparators=[other]):
                return self.applied(self.operator(op), node.left, other)
            case ast.Compare():
                return self.chain(node)
            case ast.BoolOp():
                return self.boolean(node)
            case ast.IfExp():
                test, yes, no = map(self.compile, (node.test, node.body, node.orelse))
                return lambda scope: yes(scope) if test(scope) else no(scope)
            case ast.Call():
                return self.call(node)
        raise FormulaError(self.text, _not_allowed(node))

    def name(self, node: ast.expr) -> str:
        """Return the name of a value, in lower case, perhaps with a scope before it."""
        name = _scoped_name(node)
        if name is None:
            raise FormulaError(self.text, _not_allowed(node))
        self.names.add(name)
        return name

    def operator(self, node: ast.AST) -> Callable[..., Any]:
        """Return the function of an operator."""
        act = OPERATORS.get(type(node))
        if act is None:
            raise FormulaError(self.text, _not_allowed(node))
        return act

    def applied(self, act: Callable[..., Any], first: ast.expr, second: ast.expr) -> Evaluator:
        """Return the function of two operands; the usual ones, names and numbers, are faster."""
        left, right = self.compile(first), self.compile(second)
        name, other = _scoped_name(first), _scoped_name(second)
        if isinstance(second, ast.Constant):
            number = second.value
            if name is not None:
                return lambda scope: act(scope.read(name), number)
            return lambda scope: act(left(scope), number)
        if name is not None and other is not None:
            return lambda scope: act(scope.read(name), scope.read(other))
        return lambda scope: act(left(scope), right(scope))

    def chain(self, node: ast.Compare) -> Evaluator:
        """Return the function of several comparisons in a row."""
        first = self.compile(node.left)
        others = [
            (self.operator(op), self.compile(part))
            for op, part in zip(node.ops, node.comparators, strict=True)
        ]

        def evaluate(scope: Scope) -> bool:
            left, holds = first(scope), True
            for act, part in others:
                right = part(scope)
                holds = act(left, right)
                if not holds:
                    break
                left = right
            return holds

        return evaluate

    def boolean(self, node: ast.BoolOp) -> Evaluator:
        """Return the function of parts joined by and, or by or."""
        parts = [self.compile(part) for part in node.values]
        decisive = isinstance(node.op, ast.Or)  # the first part of this truth is the result

        def evaluate(scope: Scope) -> Any:
            result = None
            for part in parts:
                result = part(scope)
                if bool(result) is decisive:
                    break
            return result

        return evaluate

    def call(self, node: ast.Call) -> Evaluator:
        """Return the function of a call. Raises FormulaError for unknown functions and inputs."""
        if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
            raise FormulaError(
                self.text, _("the only functions are {names}").format(names=", ".join(FUNCTIONS))
            )
        if node.keywords:
            raise FormulaError(self.text, _("functions cannot have named arguments"))
        if node.func.id in FACT_FUNCTIONS:
            words = self.words(node.func.id, node.args)
            look_up = operator.attrgetter(f"facts.{node.func.id}")
            return lambda scope: look_up(scope)(*words)
        act = PLAIN_FUNCTIONS[node.func.id]
        arguments = [self.compile(part) for part in node.args]
        if len(arguments) == 2:
            first, second = arguments
            return lambda scope: act(first(scope), second(scope))
        return lambda scope: act(*[part(scope) for part in arguments])

    def words(self, function: str, arguments: list[ast.expr]) -> tuple[str, ...]:
        """Return the texts in a call of a function that asks about the character."""
        constants = [a.value for a in arguments if isinstance(a, ast.Constant)]
        words = tuple(word for word in constants if isinstance(word, str))
        wanted = 2 if function == CHOICE_FUNCTION else 1
        if len(words) == len(arguments) == wanted:
            self.asked[function].append(words)
            return words
        needs = _("the id of one entity")
        if function == CHOICE_FUNCTION:
            needs = _("the id of a question and that of an answer")
        raise FormulaError(
            self.text, _("{id}() needs {needs}, in quotes").format(id=function, needs=needs)
        )


def _scoped_name(node: ast.AST) -> str | None:
    """Return the name of a value that a node reads, such as ``str`` or ``owner.level``."""
    match node:
        case ast.Name(id=name):
            return name.lower()
        case ast.Attribute(value=ast.Name(id=scope)) if scope.lower() in (
            *SCOPES,
            FULL[:-1],
            SHARED[:-1],
        ):
            return f"{scope.lower()}.{node.attr.lower()}"
    return None


def _misplaced_text(value: object) -> str:
    """Return why something that is no number cannot stand where it does."""
    *first, last = (f"{name}()" for name in FACT_FUNCTIONS)
    return _("{value} is not a number; text is only allowed as an id in {names} or {last}").format(
        value=shorten(value), names=", ".join(first), last=last
    )
