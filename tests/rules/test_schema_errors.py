"""Values that do not fit a model are reported in our own words."""

from __future__ import annotations

import copy
import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core import PydanticKnownError
from pydantic_core.core_schema import ErrorType

import charforge
from charforge.character.files.document import Document
from charforge.rules import models
from charforge.rules.errors import (
    EXPECTED,
    PATTERNS,
    SENTENCES,
    SchemaError,
    pydantic_sentence,
    schema_errors,
)
from charforge.rules.loading import yaml_reader
from charforge.rules.models import Entity, Modifier, PackFile, Procedure, Requirement, RulesetHead
from charforge.rules.models.base import annotated_fields
from tests.source import TESTDATA

COMMON = {place.key for place in annotated_fields(Entity)}  # without the keys of a kind's own
WRONG: tuple[Any, ...] = (
    None, 5, -1, 2.5, "Some word", "", True, [], {}, [1], {"x": 1}, datetime.date(2026, 1, 1),
    10**30,
)  # fmt: skip
ENTITY_ID = r"^[a-z0-9-]+/[a-z0-9]+(-[a-z0-9]+)*$"
THEIRS = re.compile(r"Input should|valid |not permitted|Field required|should|at least \d+ i")


def ways(data: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the way to each part of data."""
    yield way
    inner = data.items() if isinstance(data, dict) else ()
    inner = enumerate(data) if isinstance(data, list) else inner
    for key, part in inner:
        yield from ways(part, (*way, key))


def put(data: Any, way: tuple[Any, ...], wrong: Any) -> Any:
    """Return data with one part replaced."""
    if not way:
        return wrong
    made = copy.copy(data)
    made[way[0]] = put(data[way[0]], way[1:], wrong)
    return made


def judged(model: type[BaseModel], data: Any) -> tuple[ValidationError | None, list[SchemaError]]:
    try:
        model.model_validate(data)
    except ValidationError as error:
        return error, list(schema_errors(error, data))
    return None, []


def sound() -> Iterator[tuple[type[BaseModel], Any]]:
    """Yield a ruleset, entities and procedures of small packs, as they stand in YAML."""
    yield RulesetHead, yaml_reader.read_yaml(TESTDATA / "toy" / "ruleset.yaml")
    for page in sorted((TESTDATA / "harbour").glob("*.yaml")):
        data = yaml_reader.read_yaml(page)
        for entity in data.get("entities") or ():
            yield Entity, {key: part for key, part in entity.items() if key in COMMON}
        for procedure in data.get("procedures") or ():
            yield Procedure, procedure


def faulty(text: str) -> Iterator[tuple[type[BaseModel], Any, tuple[Any, ...]]]:
    for model, data in [*sound(), (Document, yaml_reader.parse(text, Path("nix.json")))]:
        for number, way in enumerate(ways(data)):
            if way[:1] != ("character",):
                yield model, put(data, way, WRONG[number % len(WRONG)]), way


@pytest.fixture
def log() -> str:
    events = (
        '{"n": 1, "group": 1, "do": "set", "name": "Nix"},'
        '{"n": 2, "group": 1, "do": "answer", "decision": "post", "answer": ["post/keeper", 3]},'
        '{"n": 3, "group": 2, "do": "change", "unit": "character", "value": "hp", "by": -2},'
        '{"n": 4, "group": 3, "do": "note", "text": "Rain", "at": "2026-01-01T10:00:00Z"}'
    )
    head = '"charforge": 1, "id": "a", "ruleset": "toy", "name": "Nix", "seed": "7"'
    return f'{{{head}, "packs": [{{"id": "toy", "version": "1", "hash": "b"}}], "log": [{events}]}}'


def test_no_words_of_the_library_come_out_whatever_stands_wherever(log: str) -> None:
    codes = set()
    for model, data, way in faulty(log):
        error, found = judged(model, data)
        if error is None:
            continue
        codes |= {item["type"] for item in error.errors(include_url=False)}
        assert found, (model, way)
        for one in found:
            assert not THEIRS.search(one.sentence), (model, way, one)
            assert one.key_path[: len(way)] == way[: len(one.key_path)], (model, way, one)
    assert codes >= {
        "string_type", "int_type", "int_parsing", "bool_type", "tuple_type", "dict_type",
        "model_type", "literal_error", "union_tag_invalid", "union_tag_not_found", "missing",
        "extra_forbidden", "too_short", "string_pattern_mismatch", "value_error",
    }  # fmt: skip


def test_every_code_of_the_tables_is_one_of_the_library() -> None:
    numbers = dict.fromkeys(("ge", "le", "min_length", "max_length", "actual_length"), 3)
    texts = dict.fromkeys(("class_name", "field_type", "error", "discriminator"), "x")
    for code in [*EXPECTED, *SENTENCES]:
        theirs = PydanticKnownError(code, numbers | texts).message()
        ours = pydantic_sentence(code, numbers | texts, theirs)
        assert ours not in ("", theirs), code
        assert "{" not in ours, ours


def test_a_rare_code_keeps_the_words_of_the_library() -> None:
    context = {"error": "theirs", "pattern": "no such pattern"}
    rare = {*get_args(ErrorType)} - {*EXPECTED, *SENTENCES}
    assert {
        code for code in rare if pydantic_sentence(code, context, "theirs") != "theirs"
    } == set()


def test_every_pattern_of_the_models_is_told_with_what_it_asks_for() -> None:
    package = Path(charforge.__file__).parent
    texts = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    patterns = {found for text in texts for found in re.findall(r'pattern=r"([^"]+)"', text)}
    assert len(patterns) > 6
    assert patterns <= PATTERNS.keys()


SAID = {
    "a number for a text": ({"value": 5}, "it must be a text, not the number 5; put it in quotes"),
    "nothing for a text": ({"value": None}, "it must be a text, but it is empty"),
    "an unknown word": (
        {"value": "hp", "op": "ad"}, '"ad" is not one of set, add, multiply, at_least, at_most',
    ),
    "a list for a formula": ({"value": "hp", "amount": [1]}, "a formula is a number or a text"),
    "a word that is no id": (
        {"value": "Max HP"},
        "it must be a value's id such as max_load, group:NAME, or $ and a choice's id",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("data", "told"), SAID.values(), ids=SAID)
def test_what_is_expected_and_what_stands_there(data: dict[str, Any], told: str) -> None:
    _error, (first, *_more) = judged(Modifier, {"amount": 1, **data})
    assert first.sentence == told


def test_of_several_sorts_that_one_may_be_all_are_named() -> None:
    columns, rows = [{"id": "b", "label": "B"}], [{"at": 1, "cells": [2.5]}]
    chart = {"id": "a", "label": "A", "source": "rule/a", "columns": columns, "rows": rows}
    _error, (found,) = judged(PackFile, {"charts": [chart]})
    assert found.key_path == ("charts", 0, "rows", 0, "cells", 0)
    assert found.message == "it must be a whole number or a text, not the number 2.5"


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (
            Entity,
            {"repeatable": 0},
            "it must be true or false or a number of at least 2, not the number 0",
        ),
        (
            Entity,
            {"repeatable": 101},
            "it must be true or false or a number of at most 100, not the number 101",
        ),
        (Requirement, {"has": "Nope"}, PATTERNS[ENTITY_ID]),
    ],
)
def test_one_wrong_value_is_one_error_where_several_types_are_possible(
    model: type[BaseModel], data: dict[str, Any], message: str
) -> None:
    _error, found = judged(model, data)
    (key,) = data
    assert [one.message for one in found if one.key_path == (key,)] == [message]


def test_the_nearest_of_the_words_that_may_stand_there() -> None:
    _error, (found,) = judged(Modifier, {"value": "hp", "amount": 1, "op": "mutliply"})
    assert found.near == "multiply"


def test_names_of_shapes_and_sorts_are_no_part_of_the_way() -> None:
    step = {"id": "x", "do": "rol", "label": "X"}
    _error, found = judged(
        RulesetHead, {**next(data for _model, data in sound()), "creation": [step]}
    )
    assert [one.key_path for one in found] == [("creation", 0)]
    step = {"id": "x", "do": "roll", "label": 3}
    _error, found = judged(
        RulesetHead, {**next(data for _model, data in sound()), "creation": [step]}
    )
    assert ("creation", 0, "label") in [one.key_path for one in found]
    assert not hasattr(models, "roll")
