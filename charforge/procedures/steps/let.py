"""The step ``let``: compute a variable."""

from __future__ import annotations

import ast

from charforge.procedures.context import ProcedureContext
from charforge.procedures.steps.base import Flags, StepKind
from charforge.rules.models import Let


class LetKind(StepKind[Let]):
    """Computes a variable from a formula."""

    def run(self, context: ProcedureContext, step: Let) -> None:
        """Compute the variable."""
        value = context.variables[step.id] = step.to.evaluate(context)
        if context.messages is not None:
            context.add_message(step, f"{step.id} = {value}", step.id, value)

    def is_flag(self, step: Let, name: str, flags: Flags) -> bool:
        """Return whether the formula gives 0 or 1 whatever its names are."""
        return _is_flag(step.to.tree, flags)


def _is_flag(node: ast.expr, flags: Flags) -> bool:
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="has")):
            return True
        case ast.Constant(value=value):
            return value in (0, 1)
        case ast.BoolOp(values=parts):
            return all(_is_flag(part, flags) for part in parts)
        case ast.IfExp(body=body, orelse=other):
            return _is_flag(body, flags) and _is_flag(other, flags)
        case ast.Name(id=name):
            return flags.variable(name)
    return False
