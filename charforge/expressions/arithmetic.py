"""What the tree of a formula means, as a function made of functions.

Each kind of node has one meaning, written here; a node without one has
none, and no text is ever handed to Python. Made once and called often:
that is what a replay does with a few hundred formulas.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol


class Scope(Protocol):
    """Where the figures come from: names, what is held, and how many of it."""

    @property
    def name(self) -> Callable[[str], Any]:
        """Return what a name stands for."""

    @property
    def has(self) -> Callable[[str], bool]:
        """Whether something is held, by id."""

    @property
    def number(self) -> Callable[[str], int]:
        """How many of something are held, by id."""


class FunctionScope(NamedTuple):
    """A reading made of its parts."""

    name: Callable[[str], Any]
    has: Callable[[str], bool]
    number: Callable[[str], int]


Numeric = (int, float)
Meaning = Callable[[Scope], Any]
Functions = Mapping[str, Callable[..., Any]]


def times(left: Any, right: Any) -> Any:
    """Multiply numbers; nothing else may be repeated."""
    if not (isinstance(left, Numeric) and isinstance(right, Numeric)):
        raise _no_number(left, right)
    return left * right


def rest(left: Any, right: Any) -> Any:
    """Divide numbers and return what is left; no text is filled in."""
    if not (isinstance(left, Numeric) and isinstance(right, Numeric)):
        raise _no_number(left, right)
    return left % right


def _no_number(*figures: Any) -> TypeError:
    wrong = next(figure for figure in figures if not isinstance(figure, Numeric))
    return TypeError(f"{wrong!r} is no number")


OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: times,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: rest,
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


def meaning(node: ast.expr, functions: Functions) -> Meaning:
    """Return what a node comes to. Raises KeyError for one that means nothing here."""
    return MEANINGS[type(node)](node, functions)


def _constant(node: ast.Constant, _functions: Functions) -> Meaning:
    value = node.value
    return lambda _reading: value


def _name(node: ast.Name, _functions: Functions) -> Meaning:
    name = node.id
    return lambda reading: reading.name(name)


def _unary(node: ast.UnaryOp, functions: Functions) -> Meaning:
    act, operand = OPERATORS[type(node.op)], meaning(node.operand, functions)
    return lambda reading: act(operand(reading))


def _binary(node: ast.BinOp, functions: Functions) -> Meaning:
    return _applied(OPERATORS[type(node.op)], node.left, node.right, functions)


def _applied(
    act: Callable[..., Any], first: ast.expr, second: ast.expr, functions: Functions
) -> Meaning:
    """Return an operator applied to two operands; most are names and numbers, read at once."""
    left, right = meaning(first, functions), meaning(second, functions)
    match first, second:
        case ast.Name(id=name), ast.Constant(value=number):
            return lambda reading: act(reading.name(name), number)
        case ast.Name(id=name), ast.Name(id=other):
            return lambda reading: act(reading.name(name), reading.name(other))
        case _, ast.Constant(value=number):
            return lambda reading: act(left(reading), number)
    return lambda reading: act(left(reading), right(reading))


def _boolean(node: ast.BoolOp, functions: Functions) -> Meaning:
    parts = [meaning(part, functions) for part in node.values]
    ends = isinstance(node.op, ast.Or)  # the truth that settles it

    def found(reading: Scope) -> Any:
        result = None
        for part in parts:
            result = part(reading)
            if bool(result) is ends:
                break
        return result

    return found


def _compared(node: ast.Compare, functions: Functions) -> Meaning:
    if len(node.ops) == 1:
        return _applied(OPERATORS[type(node.ops[0])], node.left, node.comparators[0], functions)
    first = meaning(node.left, functions)
    others = [
        (OPERATORS[type(act)], meaning(part, functions))
        for act, part in zip(node.ops, node.comparators, strict=True)
    ]

    def found(reading: Scope) -> bool:
        left, holds = first(reading), True
        for act, part in others:
            right = part(reading)
            holds = act(left, right)
            if not holds:
                break
            left = right
        return holds

    return found


def _either(node: ast.IfExp, functions: Functions) -> Meaning:
    test, yes, no = (meaning(part, functions) for part in (node.test, node.body, node.orelse))
    return lambda reading: yes(reading) if test(reading) else no(reading)


def _call(node: ast.Call, functions: Functions) -> Meaning:
    assert isinstance(node.func, ast.Name)
    if node.func.id in HELD:
        asked, held = node.args[0], HELD[node.func.id]
        assert isinstance(asked, ast.Constant)
        entity = str(asked.value)
        return lambda reading: held(reading)(entity)
    act = functions[node.func.id]
    arguments = [meaning(part, functions) for part in node.args]
    if len(arguments) == 2:
        first, second = arguments
        return lambda reading: act(first(reading), second(reading))
    return lambda reading: act(*[part(reading) for part in arguments])


HELD = {"has": operator.attrgetter("has"), "number": operator.attrgetter("number")}
MEANINGS: dict[type[ast.AST], Callable[[Any, Functions], Meaning]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Compare: _compared,
    ast.IfExp: _either,
    ast.Call: _call,
}
