"""Names in the JSON Schemas of a pack, and the messages of an editor about them.

Ids are lists; formulas, figures and dice are patterns. An editor knows one
file and not where in it a name holds. So a formula may read any number that
some formula of the game can read; ``catalog check`` knows better. The keys
``errorMessage`` and ``patternErrorMessage`` are those of yaml-language-server.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from typing import Any

from charforge.expressions.formula import CHOICE_FUNCTION, FUNCTIONS, WRITTEN
from charforge.rules.checks.symbols import SymbolTable
from charforge.rules.errors import PATTERNS, TAG_KEY
from charforge.rules.models.base import GROUP, GROUPED, NAMED
from charforge.rules.models.procedures import GEAR_NAMES, MELEE
from charforge.rules.ruleset import Ruleset

Schema = dict[str, Any]
REF = "#/$defs/{}"
MARKED = (NAMED, GROUPED, WRITTEN)
ANSWERS, DIE = "answers", "die"  # the pools of what may follow a $, and of the dice of the game
# Pools of the names that formulas read.
READ = (
    "figure", "own figure", "unit figure", "field", "faces", "value or level", "value or input",
    "value or input of a price", "value or input of attacks", "number of a roll",
)  # fmt: skip
KEYWORDS = ("and", "or", "not", "if", "else", "True", "False")
CHOICES = "choice of this entity"
UNUSABLE_SIGNS = r"[-+*/%<>=!^&|~(),.\s]"  # ADVICE is about those that a formula cannot use
MOST_LISTED = 60  # names that an editor shows in a list
NUMBERS_TOO = (REF.format("written.formula"), REF.format("written.figure"))
DICE_FORMS = {
    "1d6": "One die with six faces",
    "2d6": "The sum of two dice",
    "4d6k3": "Four dice, of which the highest three count",
    "2d20kl1": "Two dice, of which the lowest counts",
}
NUMBERED_DICE = r"[1-9][0-9]?[dD][1-9][0-9]{0,2}(?:[kK][hHlL]?[1-9][0-9]?)?(?![A-Za-z0-9_.])"
PRINTABLE = r"[^{}\x00-\x08\x0b-\x1f\x7f]"
NOUN_FORMS = r"\|[^{}|]+\|[^{}|]+"  # after a figure: | shot | shots
CHECK = "charforge catalog check says which."


def _balanced(depth: int = 6) -> str:
    """Return the pattern of a text in which every bracket has its partner."""
    plain = "[^()]*"
    return rf"{plain}(?:\({_balanced(depth - 1)}\){plain})*" if depth else plain


NOTATION_ADVICE = [  # what authors write who know another notation, each with its remedy
    {"title": "formula", "pattern": pattern, "patternErrorMessage": message}
    for pattern, message in (
        (r"^(?:[^=]|[<>=!]=)*$", "To compare, write == instead of =."),
        (r"^[^^]*$", "Formulas cannot use ^; multiply instead."),
        (r"^(?:[^*]|\*(?!\*))*$", "Formulas cannot use **; multiply instead."),
        (r"^[^&|~]*$", "Write and, or, not."),
        (r"^(?:[^!]|!=)*$", "Write not, or != for what differs."),
        (
            f"^{_balanced()}$",
            "A bracket is missing. Inside { } or [ ], put a formula with a comma in quotes.",
        ),
    )
]


def with_names(
    definitions: Mapping[str, Schema], ruleset: Ruleset, functions: Mapping[str, str]
) -> dict[str, Schema]:
    """Return definitions in which every text that names something must be a name that exists.

    ``functions`` are those of formulas, with their meanings.
    """
    names = _Names(definitions, names_anywhere(ruleset), _meanings(ruleset), functions)
    found = {name: names.checked(schema) for name, schema in definitions.items()}
    return {**found, **dict(sorted(names.used.items()))}


class _Names:
    """The names of a game; ``used`` are the definitions of those that some key needs."""

    def __init__(
        self,
        definitions: Mapping[str, Schema],
        pools: Mapping[str, set[str]],
        meanings: Mapping[str, str],
        functions: Mapping[str, str],
    ) -> None:
        self.pools, self.meanings = pools, meanings
        self.models = {REF.format(name): _first_line(part) for name, part in definitions.items()}
        values = {name: meanings.get(name, "") for name in sorted(pools.get("value", ()))}
        completions = [completion(name, about) for name, about in values.items()]
        completions += [
            completion(f"{name}()", text, f"{name}($1)") for name, text in functions.items()
        ]
        self.written = _notations(pools, completions)
        self.used: dict[str, Schema] = {}

    def checked(self, part: Any, pool: str = "", groups: bool = False) -> Any:
        """Return a schema in which the texts of a pool, or of a notation, are checked."""
        if isinstance(part, list):
            return [self.checked(item, pool, groups) for item in part]
        if not isinstance(part, dict):
            return part
        pool, groups = part.get(NAMED, pool), part.get(GROUPED, groups)
        if reference := self._reference(part, pool, groups):
            kept = {key: part[key] for key in ("description", "default") if key in part}
            return {**kept, **reference}
        inner = {
            key: self.checked(value, *((pool, groups) if key in ("anyOf", "items") else ()))
            for key, value in part.items()
            if key not in MARKED
        }
        if "const" in part.get("properties", {}).get(TAG_KEY, {}):  # which step or question it is
            inner["properties"][TAG_KEY]["description"] = _first_line(part)
        if (name := part.get("propertyNames", {}).get(NAMED)) in self.pools:
            inner["propertyNames"] = self._keys(name)
        return _decided(inner, self.models)

    def _reference(self, part: Schema, pool: str, groups: bool) -> Schema:
        """Return the reference to what a text must be; empty if it can be any text."""
        if WRITTEN in part:
            notation = part[WRITTEN]
            return self._used(f"written.{notation}", self.written[notation])
        is_text = part.get("type", "string") == "string" and not {"const", "enum", "$ref"} & {*part}
        if not pool or not is_text or {"anyOf", "propertyNames"} & {*part}:
            return {}
        answers = ANSWERS if r"\$" in part.get("pattern", r"\$") else ""
        wanted = [name for name in (pool, GROUPED if groups else "", answers) if name in self.pools]
        if not wanted or (len(wanted) == 1 and wanted[0] != pool):
            return {}
        name = "-or-".join(one.replace(" ", "-") for one in wanted)
        return self._used(f"known.{name}", self._listed(wanted))

    def _used(self, definition: str, schema: Schema) -> Schema:
        self.used[definition] = schema
        return {"$ref": REF.format(definition)}

    def _keys(self, pool: str) -> Schema:
        """Return the schema of keys that are names of a pool; editors complete only a list."""
        names = sorted(self.pools[pool])
        return {"enum": names, "errorMessage": f"No {pool} has this name. {CHECK}"}

    def _listed(self, wanted: list[str]) -> Schema:
        """Return the schema of a name of some pools.

        Few names are an enumeration, which editors show as a whole. Many, and
        those with an answer in them, are a pattern with completions.
        """
        names = sorted(name for pool in wanted if pool != ANSWERS for name in self.pools[pool])
        message = f"No {wanted[0]} has this name. {CHECK}"
        meanings = [self.meanings.get(name, "") for name in names]
        if ANSWERS not in wanted and len(names) <= MOST_LISTED:
            return {
                "type": "string",
                "enum": names,
                "enumDescriptions": meanings,
                "errorMessage": message,
            }
        pattern = f"^(?:{either(names)})$"
        if ANSWERS in wanted:
            answers = self.pools[ANSWERS]
            pattern = rf"^(?:{either(names)}|([a-z][a-z0-9_]*_)?\$({either(answers)}))$"
        completions = [completion(name, about) for name, about in zip(names, meanings, strict=True)]
        return {**_pattern(pattern, message), "defaultSnippets": completions}


def _first_line(model: Schema) -> str:
    return str(model["description"]).partition("\n")[0]


def completion(name: str, about: str = "", body: str = "") -> Schema:
    """Return what an editor offers at a place: a name, and what it means."""
    return {"label": name, "description": about, "body": body or name}


def _meanings(ruleset: Ruleset) -> dict[str, str]:
    """Return what the names of a game mean, as far as they have a name for players."""
    head = ruleset.head
    return {
        **{kind.id: kind.label for kind in head.kinds},
        **{name: procedure.label for name, procedure in ruleset.procedures.items()},
        **{value.id: value.name for value in head.values},
        **{name: entity.name for name, entity in ruleset.entities.items()},
    }


def _decided(union: Schema, meanings: Mapping[str, str]) -> Schema:
    """Return a union in which it is clear what is meant: a mistake is then marked where it is.

    A key that is left out has no empty alternative, a formula is a number as
    well, and ``do`` says which step or question it is.
    """
    parts = union.get("anyOf", [])
    if union.get("default", "") is None:
        union = {key: part for key, part in union.items() if key != "default"}
        parts = [part for part in parts if part != {"type": "null"}]
    if any(part.get("$ref") in NUMBERS_TOO for part in parts):
        parts = [part for part in parts if part != {"type": "integer"}]
    if parts:
        others = {key: part for key, part in union.items() if key != "anyOf"}
        return {**parts[0], **others} if len(parts) == 1 else {**others, "anyOf": parts}
    if "discriminator" not in union:
        return union
    key, models = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
    decisions = [
        {"if": {"properties": {key: {"const": word}}, "required": [key]}, "then": {"$ref": model}}
        for word, model in models.items()
    ]
    kept = {name: part for name, part in union.items() if name not in ("oneOf", "discriminator")}
    described = [meanings[model] for model in models.values()]
    words = {key: {"enum": [*models], "enumDescriptions": described}}
    return {**kept, "type": "object", "required": [key], "properties": words, "allOf": decisions}


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
    pools["figure"] |= {MELEE, *GEAR_NAMES}  # read where a line modifies attacks or other things
    pools[DIE] = {die.id for die in ruleset.head.dice}
    pools[GROUPED] = {GROUP + name for name in pools["group"]}
    pools[ANSWERS] = pools.get("input", set()) | pools[CHOICES]
    return {pool: names for pool, names in pools.items() if names}


def _notations(
    pools: Mapping[str, Collection[str]], completions: Collection[Schema]
) -> dict[str, Schema]:
    """Return the schemas of what a pack writes in a notation: formulas, figures and dice."""
    read = {name for pool in READ for name in pools.get(pool, ())}
    quoted = pools.get("thing", ())
    chosen = {name for pool in ("question", CHOICES) for name in pools.get(pool, ())}
    token = "|".join(
        [
            UNUSABLE_SIGNS,
            r"[0-9](?![A-Za-z_])",
            rf"(?:{either(read, _any_case)}|{either(KEYWORDS)})(?![A-Za-z0-9_.])",
            rf"{CHOICE_FUNCTION}\s*\(\s*['\"](?:{either(chosen)})['\"]\s*,\s*['\"][^'\"]*['\"]\s*\)",
            rf"(?:{either(FUNCTIONS)})(?=\s*\()",
            rf"""['"](?:{either(quoted)})['"]""",
        ]
    )
    answer = rf"\s*\$(?:{either(pools.get(ANSWERS, ()))})\s*"
    figure = rf"(?:{answer}|(?:{NUMBERED_DICE}|{token})+)"
    dice = "".join(f"|{_any_case(name)}" for name in sorted(pools.get(DIE, ())))
    named = rf"^\s*[1-9][0-9]?[dD](?:[1-9][0-9]{{0,2}}{dice})(?:[kK][hHlL]?[1-9][0-9]?)?\s*$"
    completed = {"defaultSnippets": completions, "allOf": NOTATION_ADVICE}
    formula = _pattern(
        rf"^(?:{token})+$",
        f"A name in this formula does not exist, or text is not an id in quotes. {CHECK}",
    )
    amount = _pattern(rf"^{figure}$", f"A name in this amount does not exist. {CHECK}")
    return {
        "formula": {**formula, **completed, "type": ["string", "integer", "boolean"]},
        "figure": {**amount, **completed, "type": ["string", "integer"]},
        "text": _pattern(
            rf"^(?:{PRINTABLE}|\{{\{{|\}}\}}|\{{{figure}(?:{NOUN_FORMS})?\}})*$",
            f"A figure in braces does not exist; to print a brace, write it twice. {CHECK}",
        ),
        "dice": {
            **_pattern(named, "These are no dice. Write 1d6, 4d6k3 or 2d20kl1, without a sum."),
            "defaultSnippets": [
                completion(example, about) for example, about in DICE_FORMS.items()
            ],
        },
    }


def _pattern(pattern: str, message: str) -> Schema:
    return {"type": "string", "pattern": pattern, "patternErrorMessage": message}


def either(names: Iterable[str], write: Callable[[str], str] | None = None) -> str:
    """Return the pattern of one of some names, the longest first."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    return "|".join((write or _escaped)(name) for name in ordered) or r"(?!)"


def _escaped(name: str) -> str:
    return re.sub(r"[.*+?^${}()|\[\]\\]", r"\\\g<0>", name)


def _any_case(name: str) -> str:
    """Return the pattern of a name in capital or small letters."""
    return "".join(f"[{sign.upper()}{sign}]" if sign.isalpha() else _escaped(sign) for sign in name)


TYPE_ADVICE = {
    "array": "Write a list: [first, second], or one item a line, each after a hyphen and a space.",
    "integer": "Write a whole number, without quotes.",
    "number": "Write a number, without quotes.",
    "boolean": "Write true or false.",
    "string": "Write a text; a number, a date, yes and no need quotes to be one.",
}
ANY_MAP = "{key: value}"
UNTITLED = ("#/$defs/known.", "#/$defs/written.")  # definitions that have no title of their own
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
    if isinstance(kind, str) and kind in TYPE_ADVICE and "const" not in part:
        inner.setdefault("errorMessage", TYPE_ADVICE[kind])
    if kind == "object":
        inner["title"] = _map_title(part)
    return inner


def _entitled(key: str, schema: Any) -> Any:
    """Return the schema of a key with the key as its title, unless it is a model with its own."""
    if not isinstance(schema, dict) or not schema.get("$ref", UNTITLED[0]).startswith(UNTITLED):
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
