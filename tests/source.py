"""The folders of the project, and its source as syntax trees, each parsed once in a process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, EXAMPLES, TESTDATA = ROOT / "charforge", ROOT / "examples", ROOT / "tests" / "testdata"


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module; nobody changes it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of the syntax tree of a module."""
    return tuple(ast.walk(tree(path)))


def modules() -> list[Path]:
    """Return the modules of the program, in the order of their paths."""
    return sorted(PACKAGE.rglob("*.py"))
