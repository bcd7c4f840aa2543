"""The program contains no id or name of a game's content.

Every id of every pack in ``catalog/`` (entities, values, kinds, decisions, terms, tables and
whatever else has one), every name and every example of one is looked for among the whole string
literals of ``charforge/``. Docstrings may speak of the games; two sorts of words are the program's
own, and none else: the few below, each of them reviewed, and the shape of a pack: the keys and
fixed words that ``charforge/rules/models`` declares for any pack. Those are read from the models
alone, never from a pack, so a game's word could only hide among them as a key of every pack. No
such word has a slash, a sign or a capital, as ids of entities and names have; and a pack that
calls a value or a rule by one of them is counted.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import pytest
import yaml

from charforge.rules.loading.loader import catalog_folder
from charforge.rules.loading.parser import pack_models
from tests.source import PACKAGE, modules, tree

# Each word is reviewed: a word of the program that some pack happens to use as well.
GENERAL = {
    # keys of the contract's JSON with other programs
    "ammo", "rarity",
    # a value and a key of JSON Schemas for editors, a tag of YAML's whole numbers
    "array", "body", "int",
    # commands of the program
    "rest", "resolve", "run", "initiative",
    # labels of what an entity of any pack may have: repeatable, attacks, trained
    "Repeatable", "Attack", "Training",
    # names of models of the pack's shape, as the reference tells of them
    "Action", "Crit",
    # an input of every procedure of attacks, and the headings of tables of attacks and of dice
    "melee", "Weapon", "Range", "Dice",
    # a section of every sheet, named by --only
    "abilities",
    # plain words
    "yes", "no", "on", "off", "true", "0", "left", "right", "head", "die", "what", "status",
    "summary", "levels", "symbol", "place",
    # a horizontal line of a drawing's path
    "h",
    # a header of HTTP
    "close",
}  # fmt: skip


# What a procedure's own variables are called concerns nobody else: they are no content.
LOCAL = ("inputs", "steps", "does", "outputs")


# What holds words of a game without an id of its own: the keys of a mapping, the parts of a list.
LISTED = {
    "groups": dict, "terms": dict, "values": dict, "fields": dict, "names": list, "examples": list,
}  # fmt: skip


def said(node: Any) -> Iterator[str]:
    """Yield every id and name below a node of a pack."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("id", "name") and isinstance(value, str):
                yield value
            elif key in LISTED and isinstance(value, LISTED[key]):
                yield from map(str, value)
            if key not in LOCAL:
                yield from said(value)
    elif isinstance(node, list):
        for part in node:
            yield from said(part)


@cache
def shape() -> set[str]:
    """Return the words of a pack's shape: the keys and the fixed words of its models."""
    found: set[str] = set()
    for model in pack_models().values():
        for name, field in model.model_fields.items():
            found |= {name, field.alias or name, *fixed(field.annotation)}
    return found


def fixed(annotation: Any) -> Iterator[str]:
    """Yield the words that a type allows, however deep they stand in it."""
    for part in get_args(annotation):
        if isinstance(part, str):
            yield part
        yield from fixed(part)


@cache
def content() -> set[str]:
    """Return every id and name of the games in the catalog."""
    return {
        word
        for path in sorted(catalog_folder().rglob("*.yaml"))
        if path.parent.name != "lang"  # the same ids, with names in other languages
        for word in said(yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
        if word  # a sample may expect an action without a name
    }


def literals(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a module with their lines; no docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = set()
    for node in ast.walk(module):  # what a statement is in comes before it
        if isinstance(node, documented):
            if node.body and isinstance(node.body[0], ast.Expr):
                docstrings.add(node.body[0].value)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in docstrings
        ):
            yield node.lineno, node.value


@cache
def words_of_games() -> set[str]:
    """Return the words of games that are no words of the program."""
    return content() - GENERAL - shape()


def found(module: ast.Module) -> list[str]:
    """Return the literals of a module that are a game's."""
    known = words_of_games()
    return [f"line {line}: {text!r}" for line, text in literals(module) if text in known]


@pytest.mark.slow
def test_no_id_or_name_of_a_game_is_a_literal() -> None:
    assert [
        f"{path.relative_to(PACKAGE).as_posix()}, {literal}"
        for path in modules()
        for literal in found(tree(path))
    ] == []


# Forms of code that a word may hide in
FORMS = (
    "KEY = {word!r}",
    'def f(a):\n    """Doc."""\n    return {{"a": [a == {word!r}]}}',
    "def f(a):\n    match a:\n        case {word!r}:\n            return 1",
    "def f(a={word!r}): ...",
    "print(x.get({word!r}, 0))",
)


PLANTED = (  # of each game a thing, a name, an example and a value
    "role/the-tank", "The Lancer", "Nix Calloway", "max_hp", "long-break", "sharp",
    "status/taunted", "Warden", "Rallying Cry", "stamina", "triumph",
    "tactic/hardiness", "Marine Ortega", "morale", "overage_melee",
    "weapon/own", "Mind thrust", "wound_penalty", "hit-location",
    "protection/barrier", "Throw/Pull", "markers", "biotic-explosion",
)  # fmt: skip


def test_a_planted_word_of_a_game_is_found() -> None:
    for word in PLANTED:
        for form in FORMS:
            literal = [text.partition(": ")[2] for text in found(ast.parse(form.format(word=word)))]
            assert literal == [repr(word)]


def test_the_shape_of_a_pack_hides_no_word_of_a_game() -> None:
    """Nothing of it looks like an id of an entity or a name; what packs use of it is few."""
    assert not [word for word in shape() if "/" in word or word != word.lower() or " " in word]
    entities = {word for word in content() if "/" in word or " " in word or word != word.lower()}
    assert len(entities) > 800
    assert not entities & shape()
    assert len(content() & shape()) <= 60


def test_the_general_words_are_few_and_no_ids() -> None:
    assert len(GENERAL) <= 40
    assert not [word for word in GENERAL if "/" in word]
