"""Patches in the JSON Schemas: the paths into the game, and the keys that exist at each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from charforge.rules.editor.names import completion, either
from charforge.rules.loading.patches import item_names
from charforge.rules.models import RULESET

Schema = dict[str, Any]
Path = tuple[str, ...]
REF = "#/$defs/{}"
MODELS = {RULESET: "RulesetHead", "procedures": "Procedure", "rulings": "Ruling", "charts": "Chart"}


class Place(NamedTuple):
    """The path of a map in the game, and the definition of its keys; empty if any key may be."""

    at: Path
    definition: str


def with_paths(
    definitions: Mapping[str, Schema], parts: Iterable[tuple[Path, Any]]
) -> dict[str, Schema]:
    """Return definitions in which a patch knows every path into the parts of a game."""
    places: dict[str, set[Path]] = {}
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


def _at(paths: set[Path]) -> Schema:
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
        "if": {
            "type": "array",
            "prefixItems": [{"enum": first}],
            "items": {"enum": parts},
        },
        "then": {
            "if": {"not": {"enum": lists}},
            "then": {"enum": [], "errorMessage": NO_PATH},
        },
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


def _definition(at: Path) -> str:
    """Return the definition of a part of the game: its kind's, or that of its list."""
    return MODELS.get(at[0]) or f"kind.{at[0].partition('/')[0]}"


def _spellings(paths: Iterable[Path]) -> list[Any]:
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
    """Whether additions have the form of the whole: those to a list, or a map of any keys."""
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

    def places(self, at: Path, data: Any, name: str) -> Iterator[Place]:
        """Yield every map in a part of the game."""
        yield from self._follow(at, data, {"$ref": REF.format(name)})

    def _follow(self, at: Path, data: Any, node: Schema) -> Iterator[Place]:
        name, schema = self._fitting(data, node)
        if isinstance(data, dict):
            yield Place(at, name)
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
