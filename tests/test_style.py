"""Lint, format, complexity and types of the whole tree; finished sentences are not edited."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.source import modules, tree

ROOT = Path(__file__).resolve().parents[1]


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


EDITS = {"replace", "removeprefix", "removesuffix", "partition", "rpartition"}
READS = {"startswith", "endswith"}
SENTENCES = ("_text", "_label", "_line", "_message", "name", "title", "digest", "message")
MADE = ("_", "format", "join")


def edits_of_sentences(tree: ast.AST) -> Iterator[str]:
    """Yield the places that read or edit what another function has put into words."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        made, method = node.func.value, node.func.attr
        function = made.func if isinstance(made, ast.Call) else None
        called = getattr(function, "attr", getattr(function, "id", ""))
        is_sentence = called in MADE or called.endswith(SENTENCES)
        is_built = is_sentence or isinstance(made, ast.JoinedStr)
        is_layout = [*map(ast.unparse, node.args)][-1:] in (["NO_BREAK"], ["MINUS"])
        if (method in READS and is_sentence) or (method in EDITS and is_built and not is_layout):
            yield f"{node.lineno}: {ast.unparse(node)}"


@pytest.mark.slow
def test_no_code_edits_a_finished_sentence() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{place}"
        for path in modules()
        for place in edits_of_sentences(tree(path))
    ]
    assert found == []
    assert list(edits_of_sentences(ast.parse("self.formula_text().removeprefix(label)")))
