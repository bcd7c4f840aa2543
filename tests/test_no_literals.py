"""Rules are data: no id and no name of a game's content is written into the program.

Every id of every pack in ``catalog/`` (entities, values, kinds, decisions, terms, tables and
whatever else has one) and every name is looked for among the whole string literals of
``charforge/``. Docstrings may speak of the games; the few words below are the program's own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import charforge
from charforge.content.load import catalog_folder

PACKAGE = Path(charforge.__file__).parent
# Each word is reviewed: a word of the program that some pack happens to use as well.
GENERAL = {
    # keys and literals of a pack's shape, as content/models.py declares them
    "kind", "type", "slots", "character", "levels", "rule", "status", "summary",
    # keys of the contract's JSON (DESIGN 9)
    "ammo", "cooldown", "damage", "rarity", "attack", "heal",
    # labels of what an entity of any pack may have: requires, repeatable, attacks, trained
    "Requires", "Repeatable", "Attack", "Training",
    # keys of the contract's JSON and words of the pack's shape that a pack also uses as an id
    "effect", "lift",
    # plain words
    "yes", "no", "true",
}  # fmt: skip


# What a procedure's own variables are called concerns nobody else: they are no content.
LOCAL = ("inputs", "steps", "does", "outputs")


def said(node: Any) -> Iterator[str]:
    """Yield every id and name below a node of a pack."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("id", "name") and isinstance(value, str):
                yield value
            elif key in ("groups", "terms", "values", "fields") and isinstance(value, dict):
                yield from map(str, value)
            if key not in LOCAL:
                yield from said(value)
    elif isinstance(node, list):
        for part in node:
            yield from said(part)


def content() -> set[str]:
    return {
        word
        for path in sorted(catalog_folder().rglob("*.yaml"))
        for word in said(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    }


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a module with their lines; no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if id(node) in docstrings or not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            yield node.lineno, node.value


CONTENT = content()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.relative_to(PACKAGE).as_posix())
        for path in sorted(PACKAGE.rglob("*.py"))
    ],
)
def test_no_id_or_name_of_a_game_is_a_literal(path: Path) -> None:
    known = CONTENT - GENERAL
    found = [f"line {line}: {text!r}" for line, text in literals(path) if text in known]
    assert found == []


def test_the_general_words_are_few_and_no_ids() -> None:
    assert len(GENERAL) <= 40
    assert not [word for word in GENERAL if "/" in word]


def test_the_content_is_read_whole() -> None:
    """Some of each kind of word, so that an empty search cannot pass."""
    assert {
        "role/the-lancer", "The Lancer", "max_hp", "vehicle-system", "attributes.assign",
        "damage_types", "attributes", "sharp", "ammo", "long_break",
    } <= CONTENT  # fmt: skip
    assert len(CONTENT) > 600


def test_a_literal_is_seen_and_a_docstring_is_not(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""A doc."""\ndef f():\n    """Doc."""\n    return "said", f"{1}x"\n', "utf-8"
    )
    assert [text for _line, text in literals(module)] == ["said", "x"]
