"""Formulas in words, for players: ``max(AGI - 5, 0)`` becomes ``AGI − 5, at least 0``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import singledispatchmethod
from typing import NamedTuple

from charforge.errors import FormulaError
from charforge.expressions.formula import COUNTING, FACT_FUNCTIONS, Formula
from charforge.expressions.template import DICE_FIGURE, MINUS
from charforge.language import N_, _

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: N_("is"),
    ast.NotEq: N_("is not"),
    ast.Lt: N_("is less than"),
    ast.LtE: N_("is at most"),
    ast.Gt: N_("is more than"),
    ast.GtE: N_("is at least"),
}
OPPOSITE_OPERATORS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
}
FUNCTION_TEXTS = {
    "half_up": N_("half of {} (rounded up)"),
    "half_down": N_("half of {} (rounded down)"),
    "floor": N_("{} (rounded down)"),
    "nth": N_("number {1} of {0}"),
    "length": N_("the number of {}"),
}
OF_TWO = {
    "higher": N_("the higher of {others} and {last}"),
    "lower": N_("the lower of {others} and {last}"),
}
OF_MORE = {
    "higher": N_("the highest of {others} and {last}"),
    "lower": N_("the lowest of {others} and {last}"),
}
# Facts that hold or not; pieces that are worn or in hand are rarely counted.
TRUTHS = ("has", "held", "worn", "chose")
DIE = "dice_"  # begins the name that stands for dice while a formula is read


class _Rank(IntEnum):
    """How tightly a part of a formula holds together; looser parts need parentheses."""

    PHRASE = 0
    NOUN = 1  # the higher of two numbers
    SUM = 2
    PRODUCT = 3
    NUMBER = 4


class _Part(NamedTuple):
    """A part of a formula in words."""

    text: str
    rank: _Rank

    def inside(self, rank: _Rank) -> str:
        """Return the text as a part of something with this rank."""
        return self.text if self.rank >= rank else f"({self.text})"


class FactText(NamedTuple):
    """A fact about a character in words: a sentence with ``{name}`` for what it is about."""

    sentence: str
    name: str

    @property
    def text(self) -> str:
        """The sentence with its name."""
        return self.sentence.format(name=self.name)


class FormulaText(NamedTuple):
    """Writes formulas in words.

    ``label`` returns the words for a name in a formula. ``fact`` returns those for a function with
    ids, such as ``you have Focus``, or for its opposite if the last argument is true. ``amount``
    returns those for the number that a function gives.
    """

    label: Callable[[str], str]
    fact: Callable[[str, Sequence[str], bool], FactText]
    amount: Callable[[str, str], str]

    def text(self, formula: str) -> str:
        """Return a formula, with or without dice, in words. Raises FormulaError."""
        dice = [match[0] for match in DICE_FIGURE.finditer(formula)]
        names = iter(range(len(dice)))
        tree = Formula(DICE_FIGURE.sub(lambda _match: f"{DIE}{next(names)}", formula)).tree
        return _Writer(self, dice).part(tree).text

    def case(self, text: str, condition: str) -> str:
        """Return a text with its condition: ``10 m if you have Quick, unless Prone applies``."""
        return _Writer(self, ()).case(text, Formula(condition).tree)


class _Writer:
    """Writes the nodes of one formula; ``dice`` are its dice by number."""

    def __init__(self, words: FormulaText, dice: Sequence[str]) -> None:
        self._words = words
        self._dice = dice

    @singledispatchmethod
    def part(self, node: ast.AST) -> _Part:
        """Return a node in words."""
        raise FormulaError(ast.unparse(node), _("it cannot be put into words"))

    @part.register
    def _constant(self, node: ast.Constant) -> _Part:
        return _Part(str(node.value), _Rank.NUMBER)

    @part.register
    def _name(self, node: ast.Name) -> _Part:
        if node.id.startswith(DIE):
            return _Part(self._dice[int(node.id.removeprefix(DIE))], _Rank.NUMBER)
        return _Part(self._words.label(node.id), _Rank.NUMBER)

    @part.register
    def _unary_op(self, node: ast.UnaryOp) -> _Part:
        if isinstance(node.op, ast.Not):
            return _Part(self._negated(node.operand), _Rank.PHRASE)
        sign = MINUS if isinstance(node.op, ast.USub) else ""
        return _Part(sign + self.part(node.operand).inside(_Rank.NUMBER), _Rank.PRODUCT)

    @part.register
    def _bin_op(self, node: ast.BinOp) -> _Part:
        left, right = node.left, node.right
        match node.op:
            case ast.Add() | ast.Sub():
                sign = "+" if isinstance(node.op, ast.Add) else MINUS
                after = _Rank.SUM if isinstance(node.op, ast.Add) else _Rank.PRODUCT
                text = (
                    f"{self.part(left).inside(_Rank.SUM)} {sign} {self.part(right).inside(after)}"
                )
                return _Part(text, _Rank.SUM)
            case ast.Mult():
                return self._product(left, right)
            case ast.Div():
                return self._quotient(left, right)
            case ast.FloorDiv():
                return _Part(
                    _("{} (rounded down)").format(self._quotient(left, right).text), _Rank.PRODUCT
                )
        quotient = self._quotient(left, right).text
        return _Part(_("the remainder of {quotient}").format(quotient=quotient), _Rank.PRODUCT)

    def _product(self, left: ast.expr, right: ast.expr) -> _Part:
        """Return a product; of an amount and a condition, the amount if the condition is met."""
        for condition, amount in ((left, right), (right, left)):
            if _is_condition(condition):
                text = self.case(self.part(amount).inside(_Rank.NOUN), condition)
                return _Part(text, _Rank.PHRASE)
        factors = (self.part(factor).inside(_Rank.PRODUCT) for factor in (left, right))
        return _Part(" × ".join(factors), _Rank.PRODUCT)

    def case(self, text: str, condition: ast.expr) -> str:
        """Return a text with its condition; negated parts follow as ``unless …``."""
        conditions, exceptions = list[ast.expr](), list[ast.expr]()
        for part in _operands(condition, ast.And):
            match part:
                case ast.UnaryOp(op=ast.Not(), operand=inner):
                    exceptions += _operands(inner, ast.Or)
                case _:
                    conditions.append(part)
        words = {
            "text": text,
            "condition": self._joined(conditions, ast.And) if conditions else "",
            "exceptions": self._joined(exceptions, ast.Or) if exceptions else "",
        }
        if not exceptions:
            return _("{text} if {condition}").format(**words)
        if not conditions:
            return _("{text}, unless {exceptions}").format(**words)
        return _("{text} if {condition}, unless {exceptions}").format(**words)

    def _quotient(self, left: ast.expr, right: ast.expr) -> _Part:
        if isinstance(right, ast.Constant) and right.value == 2:
            return _Part(
                _("half of {amount}").format(amount=self.part(left).inside(_Rank.PRODUCT)),
                _Rank.PRODUCT,
            )
        over = f"{self.part(left).inside(_Rank.PRODUCT)} ÷ {self.part(right).inside(_Rank.NUMBER)}"
        return _Part(over, _Rank.PRODUCT)

    @part.register
    def _bool_op(self, node: ast.BoolOp) -> _Part:
        return _Part(self._joined(node.values, type(node.op)), _Rank.PHRASE)

    def _joined(self, conditions: Sequence[ast.expr], joint: type[ast.boolop]) -> str:
        """Return conditions that all must hold, or one of them: ``you have Focus or Aim``.

        Those with the same sentence share it, where the first of them stands.
        """
        if len(conditions) == 1:
            return self.part(conditions[0]).text
        names = dict[str, list[str]]()
        for fact in map(self._fact, conditions):
            alone = fact.sentence == "{name}"
            names.setdefault(fact.text if alone else fact.sentence, []).append(fact.name)
        texts = [
            FactText(sentence, _listed(found, joint)).text if "{name}" in sentence else sentence
            for sentence, found in names.items()
        ]
        several = any(len(found) > 1 for found in names.values())
        return _listed(texts, joint, "," if several else "")

    def _fact(self, condition: ast.expr) -> FactText:
        """Return a condition among others: as a fact, or as a text in brackets if it is long."""
        match condition:
            case ast.Call(func=ast.Name(id=name)) if name in TRUTHS:
                return self._words.fact(name, _ids(condition), False)
            case ast.BoolOp() | ast.IfExp() | ast.Call():
                return FactText("{name}", self.part(condition).inside(_Rank.SUM))
        return FactText("{name}", self.part(condition).text)

    @part.register
    def _compare(self, node: ast.Compare) -> _Part:
        words = [self._number(node.left)]
        for operator, value in zip(node.ops, node.comparators, strict=True):
            words += [_(COMPARISONS[type(operator)]), self._number(value)]
        return _Part(" ".join(words), _Rank.PHRASE)

    @part.register
    def _if_exp(self, node: ast.IfExp) -> _Part:
        yes, no = (self.part(branch).inside(_Rank.NOUN) for branch in (node.body, node.orelse))
        return _Part(
            _("{yes} if {condition}, otherwise {no}").format(
                yes=yes, condition=self.part(node.test).text, no=no
            ),
            _Rank.PHRASE,
        )

    @part.register
    def _call(self, node: ast.Call) -> _Part:
        assert isinstance(node.func, ast.Name)
        arguments = node.args
        match node.func.id, arguments:
            case name, _ if name in TRUTHS:
                return _Part(self._words.fact(name, _ids(node), False).text, _Rank.PHRASE)
            case "max" | "min", _ if all(map(_is_condition, arguments)):
                joint = ast.Or if node.func.id == "max" else ast.And
                return _Part(self._joined(arguments, joint), _Rank.PHRASE)
            case name, _ if name in FACT_FUNCTIONS:
                return _Part(self._words.amount(name, _ids(node)[0]), _Rank.PRODUCT)
            case "max", _:
                return self._limited(arguments, _("at least"), "higher")
            case "min", _:
                return self._limited(arguments, _("at most"), "lower")
            case "count", [rolled, *faces]:
                shown = _(" or ").join(self.part(face).text for face in faces)
                return _Part(
                    _("the dice of {roll} with {shown}").format(
                        roll=self.part(rolled).text, shown=shown
                    ),
                    _Rank.PRODUCT,
                )
        parts = (self.part(argument).inside(_Rank.PRODUCT) for argument in arguments)
        return _Part(_(FUNCTION_TEXTS[node.func.id]).format(*parts), _Rank.PRODUCT)

    def _number(self, node: ast.expr) -> str:
        """Return a side of a comparison; pieces that are worn or in hand are counted."""
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in COUNTING:
                return self._words.amount(name, _ids(node)[0])
        return self.part(node).inside(_Rank.SUM)

    def _negated(self, node: ast.expr) -> str:
        """Return the opposite of a condition."""
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in TRUTHS:
                return self._words.fact(name, _ids(node), True).text
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self.part(inner).text
            case ast.BoolOp(op=op, values=values):
                opposite_joint = ast.And() if isinstance(op, ast.Or) else ast.Or()
                negated: list[ast.expr] = [ast.UnaryOp(ast.Not(), value) for value in values]
                return self.part(ast.BoolOp(opposite_joint, negated)).text
            case ast.Compare(ops=[operator]):
                opposite = OPPOSITE_OPERATORS[type(operator)]()
                return self.part(ast.Compare(node.left, [opposite], node.comparators)).text
        return _("not {condition}").format(condition=self.part(node).inside(_Rank.SUM))

    def _limited(self, arguments: Sequence[ast.expr], bound: str, which: str) -> _Part:
        """Return ``A, at least 0``, or ``the higher of A and B``."""
        fixed = [part for part in arguments if _is_constant(part)]
        others = [self.part(part).inside(_Rank.SUM) for part in arguments if part not in fixed]
        if len(fixed) != 1 or not others:
            others = [self.part(part).inside(_Rank.SUM) for part in arguments]
            fixed = []
        text = others[0]
        if len(others) > 1:
            words = _(OF_TWO[which] if len(others) == 2 else OF_MORE[which])
            text = words.format(others=", ".join(others[:-1]), last=others[-1])
        if not fixed:
            return _Part(text, _Rank.NOUN)
        return _Part(f"{text}, {bound} {self.part(fixed[0]).text}", _Rank.PHRASE)


def _is_constant(node: ast.expr) -> bool:
    """Return whether a node is a plain number, perhaps negative."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant)


def _is_condition(node: ast.expr) -> bool:
    """Return whether a node is true or false."""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id="max" | "min"), args=arguments):
            return all(map(_is_condition, arguments))
        case ast.Call(func=ast.Name(id=name)):
            return name in TRUTHS
    return False


def _operands(condition: ast.expr, joint: type[ast.boolop]) -> list[ast.expr]:
    """Return the operands of an ``and`` or an ``or``; otherwise the condition alone."""
    match condition:
        case ast.BoolOp(op=op, values=values) if isinstance(op, joint):
            return values
    return [condition]


def _listed(texts: Sequence[str], joint: type[ast.boolop], before: str = "") -> str:
    """Return texts with ``before`` and ``and`` or ``or`` before the last: ``A, B or C``."""
    *others, last = texts
    word = _(" and ") if joint is ast.And else _(" or ")
    return f"{', '.join(others)}{before}{word}{last}" if others else last


def _ids(call: ast.Call) -> list[str]:
    """Return the ids in a function that asks for a fact."""
    return [str(part.value) for part in call.args if isinstance(part, ast.Constant)]
