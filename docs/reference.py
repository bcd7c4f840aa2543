"""Write docs/pack-reference.md: every key of a pack, from the models that read it.

python docs/reference.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

from charforge.expressions.formula import WRITTEN
from charforge.rules.editor import schema
from charforge.rules.editor.schema import description, title
from charforge.rules.loading.parser import pack_model
from charforge.rules.models import PackModel, ProcedureStep, Question, UnprintedQuestion
from charforge.rules.models.base import NAMED

PAGE = Path(__file__).with_name("pack-reference.md")
FIRST = (
    "PackHead",
    "PackFile",
    "Patch",
    "Entity",
    "RulesetHead",
    "Sample",
)  # each before what it needs
SHARED: dict[type[PackModel], str] = {
    ProcedureStep: "Any step of a procedure",
    Question: "Any question",
    UnprintedQuestion: "A question that the book may leave open",
}
FILES = {
    "PackHead": "pack.yaml",
    "PackFile": "Any other file (*.yaml)",
    "Entity": "Entity",
    "RulesetHead": "ruleset.yaml",
    "Sample": "A sample (tests/*.yaml)",
}
START = """# Every key of a pack

<!-- Written by docs/reference.py from the models that read packs: change the texts there. -->

This page lists every key of every file of a pack. To learn how to write one, read
[Write a pack](packs.md). An [entity](#entity) also has the fields of its kind, which `ruleset.yaml`
defines.

The types:

- *text*: words for players. `**bold**`, `*italic*` and lists are allowed, but no HTML.
  `{STR + 2}` and `{1d6 + KNW}` print numbers of the character; `{{` prints a brace.
- *formula*: a number, or arithmetic and comparison (`str + 2`, `level >= 3 and not melee`,
  `2 if level > 4 else 1`) over value ids, `level`, `owner.level`, `full.hp` (a resource before
  play changed it) and [functions](#functions-in-formulas).
- *dice*: `1d6`, `2d20`, `4d6k3` (the highest three count), `2d20kl1` (the lowest one).
- *id*: lower-case letters, digits and hyphens; for values and variables, underscores instead.
- *id of a …*: an id that exists in the ruleset or in a pack.
- *…, or a list*: if there is only one, you can leave out the brackets.
"""
WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no"}
EMPTY: tuple[Any, ...] = (None, "", [], {})
SLUG, VALUE, ENTITY = "^[a-z0-9]+([", "^[a-z][a-z0-9_]*$", "^[a-z0-9-]+/"


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


def reference() -> str:
    """Return the whole page."""
    known = schema.definitions()
    sections = (_section(name, known) for name in _ordered(known))
    return "\n".join([START, *sections, _functions()])


def _functions() -> str:
    """Return the functions of formulas as a table."""
    rows = (
        f"| `{name}` | `{entry['example']}` | {entry['meaning']} |"
        for name, entry in schema.glossary().functions.items()
    )
    heading = ("## Functions in formulas", "", "| function | example | meaning |", "|---|---|---|")
    return "\n".join([*heading, *rows]) + "\n"


def _ordered(known: dict[str, Any]) -> Iterator[str]:
    """Yield each model after what first needs it; what several share stands before them."""
    met = {*FIRST}

    def visit(name: str) -> Iterator[str]:
        yield name
        for needed in _referred(known[name]):
            shared = [model.__name__ for model in _line(needed)]
            for one in (*reversed(shared), needed):
                if one not in met:
                    met.add(one)
                    yield from visit(one) if one in known else (one,)

    for name in FIRST:
        yield from visit(name)


def _line(name: str) -> list[type[PackModel]]:
    """Return the shared models that a model is one of, the nearest first."""
    return [one for one in pack_model(name).__mro__[1:] if one in SHARED]


def _referred(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield _name(node)
        for key, part in node.items():
            yield from _referred(part) if key != "discriminator" else ()
    elif isinstance(node, list):
        for part in node:
            yield from _referred(part)


def _section(name: str, known: dict[str, Any]) -> str:
    """Return a model with its keys as a table."""
    model, above = pack_model(name), _line(name)
    found = known.get(name) or next(part for one, part in known.items() if model in _line(one))
    lines = [f"## {_heading(name)}", "", description(model), ""]
    if above:
        link = (
            f"[{SHARED[above[0]][:1].lower()}{SHARED[above[0]][1:]}]({_anchor(above[0].__name__)})"
        )
        lines += [f"It has the keys of {link}, and:", ""]
    theirs = above[0].model_fields if above else ()
    lines += ["| key | type | default | meaning |", "|---|---|---|---|"]
    for field, spec in model.model_fields.items():
        key = spec.alias or field
        if field not in theirs and (name, key) != ("Entity", "own"):
            lines.append(_row(key, found["properties"][key], key in found.get("required", ())))
    return "\n".join(lines) + "\n"


def _row(key: str, part: dict[str, Any], needed: bool) -> str:
    cells = (
        f"`{key}`",
        _type(part),
        "required" if needed else _default(part.get("default")),
        part["description"],
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _heading(name: str) -> str:
    model = pack_model(name)
    if model in SHARED or name in FILES:
        return SHARED.get(model) or FILES[name]
    do = model.model_fields.get("do")
    if do is None:
        return title(model)
    sort = (
        "Step"
        if issubclass(model, ProcedureStep)
        else "Question"
        if issubclass(model, Question)
        else "Creation"
    )
    return f"{sort}: {get_args(do.annotation)[0]}"


def _anchor(name: str) -> str:
    plain = (sign for sign in _heading(name).lower() if sign.isalnum() or sign in " -_")
    return "#" + "".join(plain).replace(" ", "-")


def _name(node: dict[str, Any]) -> str:
    return str(node["$ref"]).rsplit("/", 1)[-1]


def _default(value: Any) -> str:
    if value in EMPTY and value is not False:
        return ""
    return f"`{json.dumps(value, ensure_ascii=False)}`"


def _type(node: dict[str, Any]) -> str:
    """Say a type in words."""
    if "$ref" in node:
        return f"[{_heading(_name(node))}]({_anchor(_name(node))})"
    if "const" in node:
        return f"`{node['const']}`"
    if "enum" in node:
        return _either(f"`{one}`" for one in node["enum"])
    several = node.get("anyOf") or node.get("oneOf")
    if several:
        return _several([one for one in several if one.get("type") != "null"], node)
    if node.get("type") == "array":
        if "prefixItems" in node:
            return "[from, to]"
        return f"list of {_type({**_named(node), **node.get('items', {})})}"
    if node.get("type") == "object":
        return _map(node)
    return _plain(node)


def _several(parts: list[dict[str, Any]], node: dict[str, Any]) -> str:
    """Say which of several types it is; of one or a list, which one."""
    said = [*dict.fromkeys(_type({**_named(node), **one}) for one in parts)]
    if len(said) == 2 and said[1] == f"list of {said[0]}":
        return f"{said[0]}, or a list"
    return _either(said)


def _named(node: dict[str, Any]) -> dict[str, Any]:
    """Return what a type names, for the parts of it."""
    return {key: node[key] for key in (NAMED,) if key in node}


def _map(node: dict[str, Any]) -> str:
    values = node.get("additionalProperties")
    patterns = node.get("patternProperties")
    inner = next(iter(patterns.values())) if patterns else values
    return f"map of {_type(inner)}" if isinstance(inner, dict) else "map"


def _plain(node: dict[str, Any]) -> str:
    pattern = node.get("pattern", "")
    sort = node.get("type")
    if isinstance(sort, list):
        return "formula" if "boolean" in sort else "text or number"
    if node.get(WRITTEN) == "dice":
        return "dice"
    if sort == "string" and NAMED in node:
        what = node[NAMED]
        return f"id of a{'n' if what[0] in 'aeio' else ''} {what}"
    if pattern.startswith(ENTITY):
        return "`kind/slug`"
    if pattern.startswith((SLUG, VALUE)):
        return "id"
    return WORDS.get(str(sort), "anything")


def _either(parts: Iterable[str]) -> str:
    listed = list(parts)
    return " or ".join([", ".join(listed[:-1]), listed[-1]]) if len(listed) > 1 else listed[0]


if __name__ == "__main__":
    main()
