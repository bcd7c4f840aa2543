"""Write docs/json.md, the keys of what ``--json`` prints, and the schema of the JSON export.

python docs/json_output.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from charforge.cli import advise, check, explain, history, initiative, luck, odds, plan, resolve
from charforge.cli.packs import catalog, packs, update
from charforge.export import SCHEMA, json as json_export, show_json
from charforge.packs.sources import IndexEntry
from charforge.rules.models import Ruling
from charforge.usecases.luck import WhatIf
from charforge.verbs.history import HistoryChapter

PAGE = Path(__file__).with_name("json.md")
# What each command prints; a list has one of the models for each line of the plain output.
OUTPUTS: dict[str, Any] = {
    "show": show_json.CharacterJson | show_json.ShownUnitJson | show_json.RememberedJson,
    "explain": explain.ExplanationJson,
    "check": list[check.CheckedFileJson],
    "history": list[HistoryChapter],
    "diff": list[show_json.DifferenceJson],
    "plan": list[plan.PlannedChoiceJson],
    "advise": advise.AdviceJson,
    "odds": odds.OddsJson,
    "resolve": resolve.ResolutionJson | list[resolve.ProcedureJson],
    "replay": WhatIf,
    "luck": list[luck.LuckJson],
    "initiative": initiative.InitiativeJson,
    "restore": list[history.VersionJson] | history.RestoredJson,
    "games": list[catalog.GameJson],
    "catalog list": list[show_json.EntityJson],
    "catalog search": list[show_json.EntityJson],
    "catalog show": show_json.EntityJson,
    "catalog rulings": list[Ruling],
    "catalog paths": list[catalog.PathsJson],
    "catalog installed": list[packs.InstalledPackJson],
    "catalog find": list[IndexEntry],
    "catalog check": packs.CheckedPackJson,
    "catalog test": list[packs.SampleJson],
    "catalog diff": update.VersionDiffJson | update.PackEffectsJson,
}
START = """# What `--json` prints

<!-- Written by docs/json_output.py from the models that are printed: change the texts there. -->

Each command with `--json` prints one object or one list on standard output. Every key is always
there: what is missing is `null`, an empty text or an empty list. A newer version may add keys.
The whole character, with the view of its sheet, is `charforge export FILE --format json`, and
`charforge export --format json --schema` prints its JSON Schema.
"""
TYPES = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no"}


def main() -> None:
    """Write the page and the schema."""
    PAGE.write_text(reference(), encoding="utf-8")
    schema = json.dumps(json_export.export_schema(), ensure_ascii=False, indent=1)
    SCHEMA.write_text(f"{schema}\n", encoding="utf-8")


def reference() -> str:
    """Return the whole page."""
    definitions: dict[str, Any] = {}
    outputs = []
    for command, output in OUTPUTS.items():
        schema = TypeAdapter(output).json_schema(mode="serialization")
        definitions |= {part["title"]: part for part in schema.pop("$defs", {}).values()}
        if "properties" in schema:
            definitions[schema["title"]] = schema
            schema = {"$ref": f"#/$defs/{schema['title']}"}
        outputs.append(f"| `{command}` | {_type(schema)} |")
    table = "\n".join(["| command | prints |", "|---|---|", *outputs])
    return "\n".join([START, table, "", *map(_section, definitions.values())])


def _section(schema: dict[str, Any]) -> str:
    """Return a model with its keys as a table."""
    rows = [f"| `{key}` | {_type(part)} |" for key, part in schema.get("properties", {}).items()]
    description = " ".join(schema.get("description", "").split()).replace("``", "`")
    head = [f"## {schema['title']}", "", description, ""]
    return "\n".join([*head, "| key | type |", "|---|---|", *rows, ""])


def _type(schema: dict[str, Any]) -> str:
    """Return a type in words, with links to the models."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2].removesuffix("Json")
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        types = dict.fromkeys(map(_type, schema.get("anyOf") or schema["oneOf"]))
        return " or ".join(types)
    if schema.get("type") == "array":
        items = schema.get("items") or {}
        return f"list of {_type(items)}" if items else "list"
    if schema.get("type") == "object":
        values = schema.get("additionalProperties")
        return f"map of {_type(values)}" if isinstance(values, dict) and values else "map"
    if schema.get("type") == "null":
        return "null"
    return TYPES.get(str(schema.get("type")), "anything")


if __name__ == "__main__":
    main()
