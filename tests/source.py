"""The folders of the project, and the modules of the program with their syntax trees."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, EXAMPLES, TESTDATA = ROOT / "charforge", ROOT / "examples", ROOT / "tests" / "testdata"


def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a module. Do not keep those of all: they slow every later test."""
    return ast.parse(path.read_text(encoding="utf-8"))


def modules() -> list[Path]:
    """Return the modules of the program, in the order of their paths."""
    return sorted(PACKAGE.rglob("*.py"))
