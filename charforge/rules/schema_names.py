"""Names in the JSON Schemas of a pack: ids as lists, formulas, figures and dice as patterns.

An editor knows one file and not where in it a name holds. So a formula may read any
number that some formula of the game can read; ``catalog check`` knows better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from charforge.expressions.formula import CHOICE_FUNCTION, FUNCTIONS, WRITTEN
from charforge.rules.models.base import GROUP, GROUPED, NAMED
from charforge.rules.ruleset import Ruleset
from charforge.rules.symbols import SymbolTable

Schema = dict[str, Any]
REF = "#/$defs/{}"
MARKS = (NAMED, GROUPED, WRITTEN)
ANSWERS, DIE = "answers", "die"  # the pools of what may follow a $, and of the dice of the game
# Pools of the names that formulas read.
READ = (
    "figure", "own figure", "unit figure", "field", "faces", "value or level", "value or input",
    "value or input of a price", "value or input of attacks",
)  # fmt: skip
KEYWORDS = ("and", "or", "not", "if", "else", "True", "False")
CHOICES = "choice of this entity"
SIGNS = r"[-+*/%<>=!(),.\s]"
NUMBERED_DICE = r"[1-9][0-9]?[dD][1-9][0-9]{0,2}(?:[kK][hHlL]?[1-9][0-9]?)?(?![A-Za-z0-9_.])"
PRINTABLE = r"[^{}\x00-\x08\x0b-\x1f\x7f]"
CHECK = "charforge catalog check says which."


def with_names(definitions: Mapping[str, Schema], ruleset: Ruleset) -> dict[str, Schema]:
    """Return definitions in which every text that names something must be a name that exists."""
    pools = names_anywhere(ruleset)
    known = {**{pool: _listed(pool, names) for pool, names in pools.items()}, **_patterns(pools)}
    used: set[str] = set()

    def refer(names: Iterable[str]) -> list[Schema]:
        found = [name for name in names if name in known]
        used.update(found)
        return [{"$ref": REF.format(_known(name))} for name in found]

    def checked(part: Any, pool: str = "", groups: bool = False) -> Any:
        if isinstance(part, list):
            return [checked(item, pool, groups) for item in part]
        if not isinstance(part, dict):
            return part
        pool, groups = part.get(NAMED, pool), part.get(GROUPED, groups)
        wanted = refer(_definitions_for(part, pool, groups))
        if wanted and (len(wanted) > 1 or pools.get(pool) or WRITTEN in part):
            kept = {key: part[key] for key in ("description", "default") if key in part}
            return {**kept, "anyOf": wanted}
        inner = {
            key: checked(value, *((pool, groups) if key in ("anyOf", "items") else ()))
            for key, value in part.items()
            if key not in MARKS
        }
        return _decided(inner)

    found = {name: checked(schema) for name, schema in definitions.items()}
    return {**found, **{_known(name): known[name] for name in sorted(used)}}


def _decided(union: Schema) -> Schema:
    """Return a union in which it is clear what is meant: a mistake is then marked where it is.

    A key that is left out has no empty alternative, and ``do`` says which step or question it is.
    """
    if union.get("default", "") is None:
        parts = [part for part in union["anyOf"] if part != {"type": "null"}]
        others = {key: part for key, part in union.items() if key != "anyOf"}
        return {**others, "allOf" if len(parts) == 1 else "anyOf": parts}
    if "discriminator" not in union:
        return union
    key, models = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
    decisions = [
        {
            "if": {"properties": {key: {"const": word}}, "required": [key]},
            "then": {"$ref": model},
        }
        for word, model in models.items()
    ]
    kept = {name: part for name, part in union.items() if name not in ("oneOf", "discriminator")}
    words = {key: {"enum": [*models]}}
    return {**kept, "type": "object", "required": [key], "properties": words, "allOf": decisions}


def _known(name: str) -> str:
    return "known." + name.replace(" ", "-")


def _definitions_for(part: Schema, pool: str, groups: bool) -> Iterator[str]:
    """Yield the definitions of which a text must meet one; none for anything but a text."""
    if WRITTEN in part:
        yield part[WRITTEN]
    is_text = part.get("type", "string") == "string" and not {"const", "enum", "$ref"} & {*part}
    if pool and WRITTEN not in part and is_text and not {"anyOf", "propertyNames"} & {*part}:
        yield pool
        yield from (GROUPED,) if groups else ()
        yield from (ANSWERS,) if r"\$" in part.get("pattern", r"\$") else ()


def names_anywhere(ruleset: Ruleset) -> dict[str, set[str]]:
    """Return all names by their pool, also those that exist only in some entity or procedure."""
    symbols, pools = SymbolTable(ruleset), dict[str, set[str]]()

    def keep() -> None:
        for pool, names in symbols.pools.items():
            pools.setdefault(pool, set()).update(map(str, names))

    keep()
    for procedure in ruleset.procedures.values():
        symbols.enter_steps(procedure.inputs, procedure.steps)
        keep()
        symbols.leave_steps()
    for entity in ruleset.entities.values():
        symbols.enter_entity(entity)
        keep()
        for action in entity.actions:
            symbols.enter_steps(action.inputs, action.does)
            keep()
            symbols.leave_steps()
    pools[DIE] = {die.id for die in ruleset.head.dice}
    pools[GROUPED] = {GROUP + name for name in pools["group"]}
    pools[ANSWERS] = pools.get("input", set()) | pools[CHOICES]
    return {pool: names for pool, names in pools.items() if names}


def _listed(pool: str, names: Collection[str]) -> Schema:
    """Return the schema of a name of a pool."""
    if pool == ANSWERS:
        pattern = rf"^([a-z][a-z0-9_]*_)?\$({_either(names)})$"
        return _pattern(pattern, "This does not name an input or a choice after the $.")
    message = f"No {pool} has this name. {CHECK}"
    return {"type": "string", "enum": sorted(names), "errorMessage": message}


def _patterns(pools: Mapping[str, Collection[str]]) -> dict[str, Schema]:
    """Return the schemas of what a pack writes in a notation: formulas, figures and dice."""
    read = {name for pool in READ for name in pools.get(pool, ())}
    quoted = pools.get("thing", ())
    chosen = {name for pool in ("question", CHOICES) for name in pools.get(pool, ())}
    token = "|".join(
        [
            SIGNS,
            r"[0-9](?![A-Za-z_])",
            rf"(?:{_either(read, _any_case)}|{_either(KEYWORDS)})(?![A-Za-z0-9_.])",
            rf"{CHOICE_FUNCTION}\s*\(\s*['\"](?:{_either(chosen)})['\"]\s*,\s*['\"][^'\"]*['\"]\s*\)",
            rf"(?:{_either(FUNCTIONS)})(?=\s*\()",
            rf"""['"](?:{_either(quoted)})['"]""",
        ]
    )
    answer = rf"\s*\$(?:{_either(pools.get(ANSWERS, ()))})\s*"
    figure = rf"(?:{answer}|(?:{NUMBERED_DICE}|{token})+)"
    dice = "".join(f"|{_any_case(name)}" for name in sorted(pools.get(DIE, ())))
    named = rf"^\s*[1-9][0-9]?[dD](?:[1-9][0-9]{{0,2}}{dice})(?:[kK][hHlL]?[1-9][0-9]?)?\s*$"
    formula = _pattern(rf"^(?:{token})+$", f"A name in this formula does not exist. {CHECK}")
    return {
        "formula": {**formula, "type": ["string", "integer", "boolean"]},
        "figure": _pattern(rf"^{figure}$", f"A name in this amount does not exist. {CHECK}"),
        "text": _pattern(
            rf"^(?:{PRINTABLE}|\{{\{{|\}}\}}|\{{{figure}\}})*$",
            f"A figure in braces does not exist; to print a brace, write it twice. {CHECK}",
        ),
        "dice": _pattern(named, "These are no dice. Write 1d6, 4d6k3 or 2d20kl1."),
    }


def _pattern(pattern: str, message: str) -> Schema:
    return {"type": "string", "pattern": pattern, "patternErrorMessage": message}


def _either(names: Iterable[str], write: Callable[[str], str] | None = None) -> str:
    """Return the pattern of one of some names, the longest first."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join((write or _escaped)(name) for name in ordered) or r"(?!)"


def _escaped(name: str) -> str:
    return re.sub(r"[.*+?^${}()|\[\]\\]", r"\\\g<0>", name)


def _any_case(name: str) -> str:
    """Return the pattern of a name in capital or small letters."""
    return "".join(f"[{sign.upper()}{sign}]" if sign.isalpha() else _escaped(sign) for sign in name)
