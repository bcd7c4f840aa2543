"""JSON Schemas of a ruleset's files, so that editors can complete and explain keys.

They are made from the models and one pack with what it builds on: the kinds
with their own fields, the names that exist, the paths into the game. The
meaning of a key comes from its field, from ``glossary.yaml``, or from the
docstring of its model.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from charforge.rules import models
from charforge.rules.checks.cycles import reachable
from charforge.rules.editor.names import REF, Schema, completion, with_hints, with_names
from charforge.rules.editor.patches import with_paths
from charforge.rules.loading import yaml_source
from charforge.rules.loading.parser import PackReader
from charforge.rules.models import Entity, Kind, PackFile, PackHead, RulesetHead, Sample
from charforge.rules.models.base import annotated_fields
from charforge.rules.ruleset import Ruleset

FOLDER = ".schema"
PAGE = "page.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, type[BaseModel]] = {
    "ruleset.json": RulesetHead,
    "pack.json": PackHead,
    PAGE: PackFile,
    "test.json": Sample,
}
LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n|- ) *")  # not between paragraphs and list items
ENTITY_ID = (
    "An id is a kind, a slash, and a name in small letters, digits and hyphens, such as "
    "{example}/long-rope. The kinds are {kinds}."
)
SLUG = "[a-z0-9]+(-[a-z0-9]+)*"
JSON_TYPES = {"text": "string", "number": "integer", "flag": "boolean", "list": "array"}


def write(folder: Path, reader: PackReader, ruleset: Ruleset) -> list[Path]:
    """Write the schemas of a pack into its folder ``.schema``; return the files."""
    paths = []
    for name, schema in schemas(reader, ruleset).items():
        path = folder / FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(schema, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        paths.append(path)
    return paths


def schemas(reader: PackReader, ruleset: Ruleset) -> dict[str, Schema]:
    """Return the JSON Schema of each sort of file, by the name of the schema's file."""
    functions = {name: entry["meaning"] for name, entry in glossary().functions.items()}
    shared = with_names(definitions(), ruleset, functions)
    kinds = {_kind_name(kind): _kind(kind, shared["Entity"]) for kind in ruleset.head.kinds}
    shared |= kinds
    shared["PackFile"]["properties"]["entities"]["items"] = _entity(ruleset.head.kinds)
    shared = with_paths(shared, reader.all_parts())
    shared["PackHead"]["properties"]["ruleset"]["enum"] = [ruleset.id]
    shared = with_hints(shared)
    return {
        name: _with_definitions(model.__name__, shared, f"{ruleset.head.name}: {title(model)}")
        for name, model in FILES.items()
    }


def _with_definitions(root: str, shared: Mapping[str, Schema], heading: str) -> Schema:
    """Return a schema with only the definitions that it needs."""
    needed = reachable(_referred(shared[root]), lambda name: _referred(shared[name]))
    return {
        "$schema": DIALECT,
        **shared[root],
        "title": heading,
        "$defs": {name: shared[name] for name in sorted(needed)},
    }


def _referred(node: Any) -> Iterable[str]:
    """Yield the definitions that a schema refers to."""
    if isinstance(node, dict):
        ref = node.get("$ref")
        if isinstance(ref, str):
            yield ref.removeprefix(REF.format("")).partition("/")[0]
        for part in node.values():
            yield from _referred(part)
    elif isinstance(node, list):
        for part in node:
            yield from _referred(part)


# ------------------------------------------------------------------ from the models


def definitions() -> dict[str, Schema]:
    """Return the definitions of all models, each key with its meaning.

    ``x-names`` is the pool of the names that a text is one of.
    """
    inputs = [(model, "validation") for model in (*FILES.values(), Entity)]
    _map, combined = models_json_schema(inputs, by_alias=True, ref_template=REF.format("{model}"))  # type: ignore[arg-type]
    defs: dict[str, Schema] = combined["$defs"]
    for name, schema in defs.items():
        model = models.pack_model(name)
        schema |= {"title": title(model), "description": description(model)}
        for place in annotated_fields(model):
            key = schema["properties"][place.key]
            key.pop("title", None)
            key["description"] = key_meaning(model, place.key)
        if "const" in schema["properties"].get("do", {}):
            schema["required"] = sorted({"do", *schema.get("required", ())})
    defs["PackFile"]["properties"]["entities"]["items"] = {"$ref": REF.format("Entity")}
    # The keys of a query may stand in the place of `query`.
    defs["Among"]["properties"] |= defs["Query"]["properties"]
    return defs


# ------------------------------------------------------------------ from a ruleset


def _kind_name(kind: Kind) -> str:
    return f"kind.{kind.id}"


def _entity(kinds: Iterable[Kind]) -> Schema:
    """Return the schema of an entity of any kind: its id says which."""
    listed = list(kinds)
    ids = "|".join(kind.id for kind in listed)
    return {
        "type": "object",
        "required": ["id"],
        "properties": {
            "id": {
                "type": "string",
                "pattern": f"^({ids})/{SLUG}$",
                "patternErrorMessage": ENTITY_ID.format(
                    example=listed[0].id, kinds=", ".join(kind.id for kind in listed)
                ),
                "description": key_meaning(Entity, "id"),
                "defaultSnippets": [
                    completion(f"{kind.id}/", kind.label, f"{kind.id}/$1") for kind in listed
                ],
            }
        },
        "allOf": [
            {
                "if": {"properties": {"id": {"pattern": f"^{kind.id}/"}}, "required": ["id"]},
                "then": {"$ref": REF.format(_kind_name(kind))},
            }
            for kind in listed
        ],
    }


def _kind(kind: Kind, common: Schema) -> Schema:
    """Return the schema of a kind: the keys of any entity, and its own fields."""
    shared = (key for key in common["properties"] if key != "own")
    properties: Schema = {key: {"$ref": REF.format(f"Entity/properties/{key}")} for key in shared}
    properties["id"] = {"type": "string", "description": key_meaning(Entity, "id")}
    for key, own in kind.fields.items():
        about = f"{own.label}: a field of {kind.plural}."
        properties[key] = {"type": JSON_TYPES[own.type], "title": own.label, "description": about}
        if own.type == "number":
            properties[key]["minimum"] = own.minimum
        if own.type == "list":
            properties[key]["items"] = {"type": ["string", "integer"]}
    about = f"{kind.label}: a kind of entity of this ruleset."
    return {**common, "title": kind.label, "description": about, "properties": properties}


TITLES = {  # what pack authors call a model, where its class is named otherwise
    "RulesetHead": "ruleset.yaml",
    "PackFile": "Page",
    "LevelTable": "Table",
    "Limit": "Maximum",
    "ChartColumn": "Column",
    "ChartRow": "Row",
    "OddsRange": "Span",
    "ProcedureStep": "Step",
    "ChangeStep": "Change",
}
CLAUSE = re.compile(r"(?<=[.;])\s+|\n\n")


class Glossary(NamedTuple):
    """The meanings in ``glossary.yaml``: of keys in any model and by model, and of functions."""

    everywhere: dict[str, str]
    models: dict[str, dict[str, str]]
    functions: dict[str, dict[str, str]]


@cache
def glossary() -> Glossary:
    """Read the glossary."""
    return Glossary(**yaml_source.read(Path(__file__).with_name("glossary.yaml"), plain=True))


def title(model: type[BaseModel]) -> str:
    """Return the title of a model for pack authors."""
    return TITLES.get(model.__name__, model.__name__)


def description(model: type[BaseModel]) -> str:
    """Return the docstring of a model, with each paragraph and list item on one line."""
    return LINE_BREAK.sub(" ", inspect.getdoc(model) or "").replace("``", "`")


def key_meaning(model: type[BaseModel], key: str) -> str:
    """Return the meaning of a key in a model, or an empty text."""
    return next(_meanings(model, key), glossary().everywhere.get(key, ""))


def _meanings(model: type[BaseModel], key: str) -> Iterator[str]:
    """Yield the meanings of a key: from its field, the glossary, the docstring."""
    name = next((place.name for place in annotated_fields(model) if place.key == key), key)
    field = model.model_fields[name]
    if field.description:
        yield field.description
    ancestors = [c for c in model.__mro__ if issubclass(c, BaseModel) and c is not BaseModel]
    by_model = glossary().models
    meanings = [by_model.get(title(ancestor), {}).get(key) for ancestor in ancestors]
    meanings += [_clauses(ancestor).get(key) for ancestor in ancestors]
    yield from filter(None, meanings)


@cache
def _clauses(model: type[BaseModel]) -> dict[str, str]:
    """Return the clauses of a docstring by the keys of the model that they name."""
    clauses: dict[str, list[str]] = {}
    for clause in CLAUSE.split(model.__doc__ or ""):
        plain = " ".join(clause.split()).rstrip(";.")
        for place in annotated_fields(model):
            if f"``{place.key}``" in plain:
                text = plain.replace("``", "`")
                clauses.setdefault(place.key, []).append(text[:1].upper() + text[1:] + ".")
    return {key: " ".join(dict.fromkeys(texts)) for key, texts in clauses.items()}
