"""What each key of a pack means, in a sentence: for editors and for the reference.

A model's docstring tells of its keys; where it names one, that is its
meaning, unless ``glossary.yaml`` says it plainer: once for a key that means
the same wherever it stands, else by model.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel

from charforge.rules import yaml_source
from charforge.rules.annotations import places

NAMES = {"Head": "ruleset.yaml"}  # what a model is called where it is no good name
CLAUSE = re.compile(r"(?<=[.;])\s+|\n\n")


class Glossary(NamedTuple):
    """What ``glossary.yaml`` says: of a key wherever it stands, and of a model's keys."""

    everywhere: dict[str, str]
    models: dict[str, dict[str, str]]


@cache
def glossary() -> Glossary:
    """Read the glossary."""
    return Glossary(**yaml_source.read(Path(__file__).with_name("glossary.yaml"), plain=True))


def title(model: type[BaseModel]) -> str:
    """Return what a model is called."""
    return NAMES.get(model.__name__, model.__name__)


def told(model: type[BaseModel]) -> str:
    """Return what a model is for: its docstring, in plain paragraphs."""
    paragraphs = (inspect.getdoc(model) or "").split("\n\n")
    return "\n\n".join(" ".join(one.split()) for one in paragraphs).replace("``", "`")


def meaning(model: type[BaseModel], key: str) -> str:
    """Return what a key means in a model; an empty text where nothing is said of it."""
    return next(_said(model, key), glossary().everywhere.get(key, ""))


def _said(model: type[BaseModel], key: str) -> Iterator[str]:
    """Yield what is said of a key by its field, by the glossary, by the docstring."""
    name = next((place.name for place in places(model) if place.key == key), key)
    field = model.model_fields[name]
    if field.description:
        yield field.description
    line = [one for one in model.__mro__ if issubclass(one, BaseModel) and one is not BaseModel]
    by_model = glossary().models
    yield from (found for one in line if (found := by_model.get(title(one), {}).get(key)))
    yield from (found for one in line if (found := _clauses(one).get(key)))


@cache
def _clauses(model: type[BaseModel]) -> dict[str, str]:
    """Return the clauses of a docstring by the keys of the model that they name."""
    found: dict[str, list[str]] = {}
    for clause in CLAUSE.split(model.__doc__ or ""):
        plain = " ".join(clause.split()).rstrip(";.")
        for place in places(model):
            if f"``{place.key}``" in plain:
                found.setdefault(place.key, []).append(plain[:1].upper() + plain[1:] + ".")
    return {key: " ".join(dict.fromkeys(said)).replace("``", "`") for key, said in found.items()}
