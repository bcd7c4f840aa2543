"""The types in formulas: where they need one number, and where a list of numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from functools import partial

from charforge.errors import shorten
from charforge.expressions.formula import FACT_FUNCTIONS, Formula
from charforge.language import _

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
