"""Messages in the JSON Schemas of a pack: what to write where something else stands.

An editor's own messages name types and patterns. These say the same to the
author of a pack. ``errorMessage`` and ``patternErrorMessage`` are keys of
yaml-language-server; other editors ignore them.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from charforge.rules.errors import PATTERNS

Schema = dict[str, Any]
TYPES = {
    "array": "Write a list: [first, second], or one item a line, each after a hyphen and a space.",
    "integer": "Write a whole number, without quotes.",
    "number": "Write a number, without quotes.",
    "boolean": "Write true or false.",
    "string": "Write a text; a number, a date, yes and no need quotes to be one.",
}
ANY_MAP = "{key: value}"
NAMES = ("#/$defs/known.", "#/$defs/written.")  # definitions that have no title of their own
NAMED_KEYS = 3  # keys of a map that its title names


def with_hints(definitions: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return definitions with messages for wrong types and for texts of a wrong form."""
    return {name: _hinted(schema) for name, schema in definitions.items()}


def _hinted(part: Any) -> Any:
    if isinstance(part, list):
        return [_hinted(item) for item in part]
    if not isinstance(part, dict):
        return part
    inner = {key: _hinted(value) for key, value in part.items()}
    if isinstance(part.get("properties"), dict):
        inner["properties"] = {
            key: _entitled(key, value) for key, value in inner["properties"].items()
        }
    kind, pattern, words = part.get("type"), part.get("pattern"), part.get("enum")
    if isinstance(pattern, str) and pattern in PATTERNS:
        inner.setdefault("patternErrorMessage", _sentence(PATTERNS[pattern]))
    if isinstance(words, list) and all(isinstance(word, str) for word in words):
        inner.setdefault("errorMessage", f"Write one of these: {', '.join(words)}.")
    if isinstance(kind, str) and kind in TYPES and "const" not in part:
        inner.setdefault("errorMessage", TYPES[kind])
    if kind == "object":
        inner["title"] = _map_title(part)
    return inner


def _entitled(key: str, schema: Any) -> Any:
    """Return the schema of a key with the key as its title, unless it is a model with its own."""
    if not isinstance(schema, dict) or not schema.get("$ref", NAMES[0]).startswith(NAMES):
        return schema
    title = f"{key}: {ANY_MAP}" if schema.get("title") == ANY_MAP else key
    return {**schema, "title": title} if title != key else {"title": key, **schema}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _map_title(part: Schema) -> str:
    """Return the title of a map, which an editor names if something else stands there."""
    keys = [*islice(part.get("required", ()), NAMED_KEYS)]
    keys += [key for key in part.get("properties", ()) if key not in keys]
    if not keys:
        return part.get("title") or ANY_MAP
    written = ", ".join(f"{key}: …" for key in keys[:NAMED_KEYS])
    return f"{part.get('title', '')} {{{written}}}".strip()
