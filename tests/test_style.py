"""Lint, format and types hold for the whole tree, and nothing in it grows too long."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import charforge

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = Path(charforge.__file__).parent
MODULES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}
# In lines. Most stay below 300 and 30; beyond these, a module or function has a second idea.
LONGEST_MODULE, LONGEST_FUNCTION = 400, 40
Function = ast.FunctionDef | ast.AsyncFunctionDef


@pytest.mark.slow
@pytest.mark.parametrize(
    "check",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]],
    ids=["ruff", "format", "mypy"],
)
def test_the_tree_is_clean(check: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *check], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", MODULES)
def test_no_module_is_too_long(name: str) -> None:
    assert len(MODULES[name].read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("name", MODULES)
def test_no_function_is_too_long(name: str) -> None:
    found = lengths(MODULES[name].read_text(encoding="utf-8"))
    assert {function: size for function, size in found if size > LONGEST_FUNCTION} == {}


def lengths(source: str) -> Iterator[tuple[str, int]]:
    """Yield the functions of a module with the lines of their bodies.

    What a function takes and its docstring do not count (commands have many
    options), and functions inside of it count by themselves.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            yield node.name, _body(node) - sum(map(_whole, _inner(node)))


def _body(node: Function) -> int:
    """Return the lines of a function's body, from behind its docstring on."""
    told = ast.get_docstring(node, clean=False) is not None
    lines = [part for part in node.body[1 if told else 0 :] if part.end_lineno is not None]
    return max(part.end_lineno or 0 for part in lines) - lines[0].lineno + 1 if lines else 0


def _whole(node: Function) -> int:
    """Return the lines of a function with its head and decorators."""
    first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
    return (node.end_lineno or first) - first + 1


def _inner(node: ast.AST) -> Iterator[Function]:
    """Yield the functions that are written inside of a part, the outermost alone."""
    for part in ast.iter_child_nodes(node):
        if isinstance(part, Function):
            yield part
        else:
            yield from _inner(part)


def test_lengths_are_those_of_bodies() -> None:
    source = '''
@first(
    1,
)
def outer(
    one,
    two,
):
    """Say something.

    And more.
    """
    three = 3

    @second
    def inner():
        return three

    if three:
        def other(): return (
            4
        )
    return inner
'''
    assert dict(lengths(source)) == {"outer": 5, "inner": 1, "other": 3}
    assert dict(lengths("def told():\n    'Only told.'\n")) == {"told": 0}
