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

from charforge.rules.checks.cycles import reachable
from charforge.rules.editor.names import REF, Schema, completion, either, with_hints, with_names
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.parser import PackReader, pack_model
from charforge.rules.loading.patches import item_names
from charforge.rules.models import RULESET, Entity, Kind, PackFile, PackHead, RulesetHead
from charforge.rules.models.base import annotated_fields
from charforge.rules.models.sample import Sample
from charforge.rules.ruleset import Ruleset

Keys = tuple[str, ...]  # the path to a part of a file
MODELS = {RULESET: "RulesetHead", "procedures": "Procedure", "rulings": "Ruling", "charts": "Chart"}


class MapPlace(NamedTuple):
    """The path of a map in the game, and the definition of its keys; empty if any key may be."""

    at: Keys
    definition: str


def with_paths(
    definitions: Mapping[str, Schema], parts: Iterable[tuple[Keys, Any]]
) -> dict[str, Schema]:
    """Return definitions in which a patch knows every path into the parts of a game."""
    places: dict[str, set[Keys]] = {}
    for at, data in parts:
        for place in _Walk(definitions).places(at, data, _definition(at)):
            places.setdefault(place.definition, set()).add(place.at)
    patch = definitions["Patch"]
    refs = {name: {"$ref": REF.format(_paths(name))} for name in sorted(places)}
    changes = [
        {
            # Turned round, because editors would show all paths that a condition allows.
            "if": {"not": {"properties": {"at": refs[name]}, "required": ["at"]}},
            "else": {"properties": _changes(name, definitions[name], definitions)},
        }
        for name in refs
        if name
    ]
    known = {_paths(name): {"enum": _spellings(paths)} for name, paths in places.items()}
    described = {
        "description": patch["properties"]["at"]["description"],
        **_at({path for paths in places.values() for path in paths}),
    }
    patched = {**patch, "properties": {**patch["properties"], "at": described}, "allOf": changes}
    return {**definitions, **known, "Patch": patched}


def _at(paths: set[Keys]) -> Schema:
    """Return the schema of a path: an id or a list of words, each marked where it is wrong."""
    alone = sorted(path[0] for path in paths if len(path) == 1)
    first = sorted({path[0] for path in paths})
    words = sorted({word for path in paths for word in path[1:]})
    parts = [int(word) if word.isdecimal() else word for word in words]
    lists = [path for path in _spellings(paths) if isinstance(path, list)]
    return {
        "anyOf": [
            {"type": "string", **_one_of(alone, NO_ENTITY)},
            {
                "type": "array",
                "minItems": 1,
                "prefixItems": [{"type": "string", **_one_of(first, NO_ENTITY)}],
                "items": {"enum": parts, "errorMessage": NO_WORD},
            },
        ],
        "if": {"type": "array", "prefixItems": [{"enum": first}], "items": {"enum": parts}},
        "then": {"if": {"not": {"enum": lists}}, "then": {"enum": [], "errorMessage": NO_PATH}},
    }


def _one_of(names: list[str], message: str) -> Schema:
    """Return the schema of one of many names, which an editor completes but does not list."""
    return {
        "pattern": f"^(?:{either(names)})$",
        "patternErrorMessage": message,
        "defaultSnippets": [completion(name) for name in names],
    }


def _paths(definition: str) -> str:
    return f"paths.{definition or 'other'}"


NO_ENTITY = (
    "The game has nothing with this id. A path begins with the id of an entity, or with ruleset, "
    "procedures, rulings or charts."
)
NO_WORD = "No path has this word. charforge catalog paths ID lists the paths into an entity."
NO_PATH = "Nothing has this path. charforge catalog paths ID lists the paths into an entity."


def _definition(at: Keys) -> str:
    """Return the definition of a part of the game: its kind's, or that of its list."""
    return MODELS.get(at[0]) or f"kind.{at[0].partition('/')[0]}"


def _spellings(paths: Iterable[Keys]) -> list[Any]:
    """Return paths as YAML has them: a single word alone, numbers as numbers."""
    spelled: list[Any] = []
    for path in sorted(set(paths)):
        spelled += [path[0]] if len(path) == 1 else []
        spelled.append([int(word) if word.isdecimal() else word for word in path])
    return spelled


def _changes(name: str, definition: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """Return the schemas of ``set``, ``drop``, ``add`` and ``remove`` at a path."""
    keys = sorted(definition["properties"].keys() - {"id"})
    named = {
        "propertyNames": {
            "enum": keys,
            "errorMessage": f"This has only the keys {', '.join(keys)}.",
        }
    }
    values = {key: {"$ref": REF.format(f"{name}/properties/{key}")} for key in keys}
    lists = {key: values[key] for key in keys if _grows(definition["properties"][key], definitions)}
    return {
        "set": {"properties": values, **named},
        "drop": {"items": named["propertyNames"]},
        "add": {"properties": lists, **named},
        "remove": named,
    }


def _grows(node: Schema, definitions: Mapping[str, Schema]) -> bool:
    """Return whether additions have the form of the whole: a list, or a map of any keys."""
    while "$ref" in node:
        name, _, rest = node["$ref"].removeprefix(REF.format("")).partition("/properties/")
        node = definitions[name]["properties"][rest] if rest else definitions[name]
    if "anyOf" in node:
        return any(_grows(part, definitions) for part in node["anyOf"])
    if node.get("type") == "object":
        return "properties" not in node
    return node.get("type") == "array" and node.get("minItems", 0) <= 1


class _Walk:
    """Follows data and the definitions of its parts, side by side."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self.definitions = definitions

    def places(self, at: Keys, data: Any, name: str) -> Iterator[MapPlace]:
        """Yield every map in a part of the game."""
        yield from self._follow(at, data, {"$ref": REF.format(name)})

    def _follow(self, at: Keys, data: Any, node: Schema) -> Iterator[MapPlace]:
        name, schema = self._fitting(data, node)
        if isinstance(data, dict):
            yield MapPlace(at, name)
            properties = schema.get("properties", {})
            others = [
                *schema.get("patternProperties", {}).values(),
                schema.get("additionalProperties"),
            ]
            for key, part in data.items():
                below = properties.get(str(key)) or next(filter(None, others), None)
                inner = below if isinstance(below, dict) else {}
                yield from self._follow((*at, str(key)), part, inner)
        elif isinstance(data, list):
            items = schema.get("items", {})
            for word, part in zip(item_names(data), data, strict=True):
                yield from self._follow((*at, word), part, items if isinstance(items, dict) else {})

    def _fitting(self, data: Any, node: Schema) -> tuple[str, Schema]:
        """Return the alternative of a schema that fits data, and its definition's name."""
        for name, schema in self._alternatives(node):
            keys = schema.get("properties", {})
            do = keys.get("do", {}).get("const")
            if isinstance(data, dict) and schema.get("type") == "object":
                if not name or (data.keys() <= keys.keys() and do in (None, data.get("do"))):
                    return name, schema
            elif isinstance(data, list) and schema.get("type") == "array":
                return name, schema
        return "", {}

    def _alternatives(self, node: Schema, name: str = "") -> Iterator[tuple[str, Schema]]:
        if "$ref" in node:
            name, _, rest = node["$ref"].removeprefix(REF.format("")).partition("/properties/")
            schema = self.definitions[name]
            part = schema["properties"][rest] if rest else schema
            yield from self._alternatives(part, "" if rest else name)
        elif "anyOf" in node:
            for part in node["anyOf"]:
                yield from self._alternatives(part)
        elif "allOf" in node and not name:  # decided by a key
            for part in node["allOf"]:
                yield from self._alternatives(part.get("then", part))
        else:
            yield name, node


SCHEMA_FOLDER = ".schema"
PAGE_SCHEMA = "page.json"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
FILES: dict[str, type[BaseModel]] = {
    "ruleset.json": RulesetHead,
    "pack.json": PackHead,
    PAGE_SCHEMA: PackFile,
    "test.json": Sample,
}
LINE_BREAK = re.compile(r"(?<!\n)\n(?!\n|- ) *")  # not between paragraphs and list items
ENTITY_ID_FORM = (
    "An id is a kind, a slash, and a name in small letters, digits and hyphens, such as "
    "{example}/long-rope. The kinds are {kinds}."
)
SLUG = "[a-z0-9]+(-[a-z0-9]+)*"
JSON_TYPES = {"text": "string", "number": "integer", "flag": "boolean", "list": "array"}


def write_schemas(folder: Path, reader: PackReader, ruleset: Ruleset) -> list[Path]:
    """Write the schemas of a pack into its folder ``.schema``; return the files."""
    paths = []
    for name, schema in schemas(reader, ruleset).items():
        path = folder / SCHEMA_FOLDER / name
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
        model = pack_model(name)
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
                "patternErrorMessage": ENTITY_ID_FORM.format(
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


MODEL_TITLES = {  # what pack authors call a model, where its class is named otherwise
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
    return Glossary(**yaml_reader.read_yaml(Path(__file__).with_name("glossary.yaml"), plain=True))


def title(model: type[BaseModel]) -> str:
    """Return the title of a model for pack authors."""
    return MODEL_TITLES.get(model.__name__, model.__name__)


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
