"""Small whole-number expressions that packs write over values.

A formula is arithmetic and comparison over value ids (case ignored), the
scopes ``owner.`` and ``operator.``, and the few functions below. It is
parsed once and checked node by node; ``arithmetic`` says what each node
means, and Python itself is never given the text to run. Dice are not part
of a formula.
"""

from __future__ import annotations

import ast
import copy
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from charforge.errors import FormulaError
from charforge.expressions.arithmetic import FunctionScope, Meaning, Scope, meaning

ALLOWED_NODES = (
    ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.BinOp,
    ast.BoolOp, ast.Compare, ast.Call, ast.IfExp, ast.USub, ast.UAdd, ast.Not,
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.And, ast.Or,
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE,
)  # fmt: skip
SCOPES = ("owner", "operator")
MAX_LENGTH = 200
LARGEST = 10**12
WITHOUT_VALUE = (ArithmeticError, TypeError, ValueError, KeyError)  # where arithmetic ends

Number = int | float | bool
Names = Callable[[str], Any]


def half_up(amount: Number) -> int:
    """Half of ``amount``, rounded up."""
    return math.ceil(amount / 2)


def half_down(amount: Number) -> int:
    """Half of ``amount``, rounded down."""
    return math.floor(amount / 2)


def count(roll: Sequence[int], *faces: int) -> int:
    """How many dice of ``roll`` show one of ``faces``."""
    return len([face for face in roll if face in faces])


PLAIN_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": min,
    "max": max,
    "half_up": half_up,
    "half_down": half_down,
    "floor": math.floor,
    "count": count,
}
SCOPE_FUNCTIONS = ("has", "number")
FUNCTIONS = (*PLAIN_FUNCTIONS, *SCOPE_FUNCTIONS)


def _nothing(_id: str) -> bool:
    return False


def _none(_id: str) -> int:
    return 0


class _Parsed(NamedTuple):
    """A formula's tree, names it reads, ids it refers to, its number if it is one, its meaning."""

    tree: ast.Expression
    names: frozenset[str]
    referred: tuple[str, ...]
    constant: int | None
    meaning: Meaning


class Formula:
    """A formula, parsed and checked once; equal when their texts are equal."""

    __slots__ = ("_parsed", "text")

    def __init__(self, text: str | int | bool) -> None:
        self.text = str(int(text)) if isinstance(text, bool) else str(text).strip()
        if len(self.text) > MAX_LENGTH:
            raise FormulaError(self.text[:40] + "…", f"it is longer than {MAX_LENGTH} signs")
        self._parsed: _Parsed | None = _parse(self.text)

    def __reduce__(self) -> tuple[Callable[[str], Formula], tuple[str]]:
        # A compiled pack holds formulas that were checked: they are parsed when first used.
        return _checked, (self.text,)

    @property
    def parsed(self) -> _Parsed:
        """What the text says."""
        if self._parsed is None:
            self._parsed = _parse(self.text)
        return self._parsed

    @property
    def names(self) -> frozenset[str]:
        """The value names it reads, in lower case."""
        return self.parsed.names

    @property
    def referred(self) -> tuple[str, ...]:
        """The entity ids it asks after."""
        return self.parsed.referred

    @property
    def constant(self) -> int | None:
        """The number when this formula is only a number."""
        return self.parsed.constant

    def given(self, known: Mapping[str, Formula]) -> Formula:
        """Return this formula with the names that are known replaced by what they stand for."""
        used = self.names & known.keys() if known else None
        if not used:
            return self
        return _checked(_filled(self.text, tuple(sorted((n, known[n].text) for n in used))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def evaluate(
        self,
        names: Names,
        has: Callable[[str], bool] | None = None,
        number: Callable[[str], int] | None = None,
    ) -> Any:
        """Return the value with ``names`` giving each name's number.

        Raises FormulaError when a name is unknown, a division is by
        zero, or the result is not a number.
        """
        return self.of(FunctionScope(names, has or _nothing, number or _none))

    def of(self, reading: Scope) -> Any:
        """Evaluate as ``evaluate`` does, on a reading that many formulas share."""
        try:
            return (self._parsed or self.parsed).meaning(reading)
        except WITHOUT_VALUE as error:
            raise FormulaError(self.text, str(error)) from error

    def whole(
        self,
        names: Names,
        has: Callable[[str], bool] | None = None,
        number: Callable[[str], int] | None = None,
    ) -> int:
        """Evaluate to a whole number; FormulaError when it is not whole, or beyond all use."""
        return self.whole_of(FunctionScope(names, has or _nothing, number or _none))

    def whole_of(self, reading: Scope) -> int:
        """Evaluate as ``whole`` does, on a reading that many formulas share."""
        try:
            result = (self._parsed or self.parsed).meaning(reading)
        except WITHOUT_VALUE as error:
            raise FormulaError(self.text, str(error)) from error
        if type(result) is bool:
            return int(result)
        if type(result) is int and -LARGEST <= result <= LARGEST:
            return result
        try:
            whole = int(result)
        except (TypeError, ValueError, OverflowError):
            whole = None
        if whole is None or whole != result:
            raise FormulaError(self.text, f"gives {result!r}, which is not a whole number")
        if abs(whole) > LARGEST:  # before the next step multiplies it again
            raise FormulaError(self.text, f"gives more than {LARGEST:,}")
        return whole

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
            raise ValueError("a formula is a number or a text")

        return core_schema.no_info_plain_validator_function(
            build,
            serialization=core_schema.plain_serializer_function_ser_schema(_plain),
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {"type": ["string", "integer", "boolean"]}


def _plain(formula: Formula) -> str | int:
    constant = formula.constant
    return formula.text if constant is None else constant


def _checked(text: str) -> Formula:
    """Return a formula whose text is known to be good, without parsing it yet."""
    formula = Formula.__new__(Formula)
    formula.text = text
    formula._parsed = None
    return formula


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Parsed:
    """Parse and check. Raises FormulaError."""
    if not text:
        raise FormulaError(text, "it is empty")
    try:
        parsed = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormulaError(text, "it cannot be read as arithmetic") from error
    tree = _Scoped().visit(parsed)
    names: list[str] = []
    referred: list[str] = []
    inside: list[ast.AST] = [tree]
    while inside:
        node = inside.pop()
        if isinstance(node, ast.Call):
            inside += _arguments(text, node, referred)
            continue
        if not isinstance(node, ALLOWED_NODES):
            raise FormulaError(text, f"{type(node).__name__} is not allowed in a formula")
        if isinstance(node, ast.Constant) and not isinstance(node.value, int | float):
            reason = f"{node.value!r} is no number; a text may only be an id in has() or number()"
            raise FormulaError(text, reason)
        if isinstance(node, ast.Name):
            names.append(node.id)
        inside += ast.iter_child_nodes(node)
    means = meaning(tree.body, PLAIN_FUNCTIONS)
    return _Parsed(tree, frozenset(names), tuple(referred), _number(tree.body), means)


@lru_cache(maxsize=4096)
def _filled(text: str, known: tuple[tuple[str, str], ...]) -> str:
    """Put other formulas in the place of some names of one."""
    stands = {name: _parse(formula).tree.body for name, formula in known}

    class Filling(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return stands.get(node.id, node)

        def visit_Call(self, node: ast.Call) -> ast.expr:
            node.args = [self.visit(argument) for argument in node.args]
            return node

    return ast.unparse(Filling().visit(copy.deepcopy(_parse(text).tree)))


def _number(body: ast.expr) -> int | None:
    """Return the number a tree is, sign included; None when it is more than that."""
    if isinstance(body, ast.UnaryOp) and isinstance(body.op, ast.USub):
        inside = _number(body.operand)
        return None if inside is None else -inside
    if isinstance(body, ast.Constant) and isinstance(body.value, int):
        return body.value
    return None


def _arguments(text: str, node: ast.Call, referred: list[str]) -> list[ast.expr]:
    """Check a call; return its arguments, or note the id that it asks after."""
    if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS:
        raise FormulaError(text, f"the only functions are {', '.join(FUNCTIONS)}")
    if node.keywords:
        raise FormulaError(text, "functions take no named arguments")
    if node.func.id not in SCOPE_FUNCTIONS:
        return node.args
    match node.args:
        case [ast.Constant(value=str(entity))]:
            referred.append(entity)
            return []
    raise FormulaError(text, f"{node.func.id}() takes the id of one entity, in quotes")


class _Scoped(ast.NodeTransformer):
    """Make every name lower case and ``owner.level`` a single name."""

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(node.id.lower(), node.ctx), node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if isinstance(node.value, ast.Name) and node.value.id.lower() in SCOPES:
            name = f"{node.value.id.lower()}.{node.attr.lower()}"
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        return node
