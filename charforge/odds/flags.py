"""Which outputs only say yes or no: they have a chance, and no number to expect."""

from __future__ import annotations

import ast

from charforge.rules.models import AnyProcedureStep, Call, Let, Procedure
from charforge.rules.ruleset import Ruleset


def is_flag(ruleset: Ruleset, procedure: Procedure, name: str, seen: tuple[str, ...] = ()) -> bool:
    """Whether a variable of a procedure is 0 or 1 whatever happens.

    Everything that makes it must be a comparison, a flag itself, or 0 or 1.
    """
    place = f"{procedure.id} {name}"
    if place in seen:
        return True  # made from itself: as the others that make it
    seen = (*seen, place)
    asked = procedure.input(name)
    makers = [step for step in procedure.steps if _makes(step, name)]
    if asked is not None:
        return asked.type == "flag" and not makers
    told = any(name in one.told or name == f"{one.id}_given" for one in procedure.inputs)
    return bool(makers or told) and all(_flagged(ruleset, procedure, m, name, seen) for m in makers)


def _makes(step: AnyProcedureStep, name: str) -> bool:
    return getattr(step, "id", None) == name or name in getattr(step, "take", ())


def _flagged(
    ruleset: Ruleset, procedure: Procedure, step: AnyProcedureStep, name: str, seen: tuple[str, ...]
) -> bool:
    if isinstance(step, Call):
        return is_flag(ruleset, ruleset.procedure(step.procedure), step.take[name], seen)
    return isinstance(step, Let) and _decides(ruleset, procedure, step.to.parsed.tree.body, seen)


def _decides(ruleset: Ruleset, procedure: Procedure, node: ast.expr, seen: tuple[str, ...]) -> bool:
    """Whether an expression is 0 or 1 whatever its names are."""
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "has"
    if isinstance(node, ast.Constant):
        return node.value in (0, 1)
    if isinstance(node, ast.BoolOp):
        return all(_decides(ruleset, procedure, part, seen) for part in node.values)
    if isinstance(node, ast.IfExp):
        parts = (node.body, node.orelse)
        return all(_decides(ruleset, procedure, part, seen) for part in parts)
    return isinstance(node, ast.Name) and is_flag(ruleset, procedure, node.id, seen)
