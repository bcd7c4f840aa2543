"""Write docs/view.md: what a template can print, from the classes of the view.

python docs/view.py
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from charforge.answers.automatic import RandomAnswers
from charforge.expressions.template import Prose, Span
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading import loader
from charforge.sheet import view
from charforge.sheet.build import build
from charforge.sheet.templates import VIEW_VERSION

PAGE = Path(__file__).with_name("view.md")
START = """# What a template can print

<!-- Written by docs/view.py from the classes of charforge/sheet/view: change the texts there. -->

A [template of your own](guides/templates.md) has a variable `view`, a [SheetView](#sheetview). This
is version {version} of the view: what it has now stays, or the error of a later version
[names what to use instead](guides/templates.md#later-versions).
This page lists its fields, with an example from one character of *Capital* where that has one. A
*list* can be empty, and an empty text means that there is nothing to show.

*text* is plain; *formatted text* has paragraphs, bold and italic parts: `{{ x|prose }}` prints it
as HTML, `{{ x|inline }}` in one line of HTML, and `{{ x|plain }}` without its styles, for other
kinds of text.

To see what your own character has, print a field as it is: `{{ view.trackers }}`.

## What the player asked for

`options` says how the sheet is to be printed:

{options}
"""
OPTIONS = [  # of charforge/sheet/print_options.py: name, type, about it
    ("`options.portrait`", "text",
        "The portrait as an address for `<img src>`; empty if there is none."),
    ("`options.paper`, `options.orientation`", "text",
        "`a4`, `a5` or `letter`; `portrait` or `landscape`."),
    ("`options.paper_size`, `options.page`", "text",
        "The paper, and the room inside its margins: `.width` and `.height` in "
        "millimetres."),
    ("`options.styles`", "list of texts",
        "Of `ink-saver`, `large-print` and `grey`, those that were asked for. Your own "
        "colours and sizes are up to you."),
    ("`options.large`", "yes or no",
        "Whether it is a large print."),
    ("`options.blank`", "yes or no",
        "A sheet without a character's numbers. `view` has fewer things then."),
    ("`options.fillable`", "yes or no",
        "A PDF with form fields."),
    ("`options.digest`", "yes or no",
        "Whether rules are short, so that [all fits](guides/templates.md#a-number-of-pages)."),
    ("`options.type_scale`", "number",
        "What sizes of type are multiplied with, for the same reason."),
    ("`options.columns`", "number",
        "The columns of running text for this paper."),
]  # fmt: skip
WORDS = {str: "text", int: "number", bool: "yes or no", float: "number"}
LONGEST = 50  # letters of an example
EXAMPLE = ("capital", "role/the-captain", 4, "7")  # has a vehicle, Systems, equipment and a story


def main() -> None:
    """Write the page."""
    PAGE.write_text(reference(), encoding="utf-8")


def reference() -> str:
    """Return the whole page."""
    examples: dict[type, list[Any]] = {}
    _collect(_example(), examples)
    sections = (_section(part, examples.get(part, [])) for part in reached(view.SheetView))
    table = ["| name | type | about it |", "|---|---|---|"]
    table += [f"| {' | '.join(row)} |" for row in OPTIONS]
    start = START.replace("{version}", str(VIEW_VERSION)).replace("{options}", "\n".join(table))
    return "\n".join([start, *sections])


def _example() -> view.SheetView:
    game, role, level, seed = EXAMPLE
    spec = CharacterSpec(loader.load(game), seed, "Nix", level, answers={"role": role})
    return build(spec.replay(RandomAnswers(seed)))


def _collect(thing: Any, examples: dict[type, list[Any]]) -> None:
    """Gather all parts of a view by their classes."""
    if isinstance(thing, tuple):
        if hasattr(thing, "_fields"):
            examples.setdefault(type(thing), []).append(thing)
        for part in thing:
            _collect(part, examples)


def reached(part: type, met: set[type] | None = None) -> Iterator[type]:
    """Yield a class of the view, then those that its fields need, each once."""
    met = {part} if met is None else met
    yield part
    for kind in _kinds(part):
        for inner in _parts(kind):
            if inner not in met:
                met.add(inner)
                yield from reached(inner, met)


def _kinds(part: type) -> Iterator[Any]:
    hints = get_type_hints(part)
    yield from (hints[name] for name in part._fields)  # type: ignore[attr-defined]
    yield from (_returned(getter) for _name, getter in properties(part))


def properties(part: type) -> Iterator[tuple[str, Any]]:
    """Yield what is computed from the fields: a name and its getter."""
    for name, member in vars(part).items():
        if isinstance(member, property) and not name.startswith("_"):
            yield name, member.fget


def _returned(getter: Any) -> Any:
    return get_type_hints(getter)["return"]


def _parts(kind: Any) -> Iterator[type]:
    """Yield the classes of the view in a type."""
    if kind == Prose:
        return
    if get_args(kind):
        for inner in get_args(kind):
            yield from _parts(inner)
    elif isinstance(kind, type) and hasattr(kind, "_fields") and kind is not Span:
        yield kind


def _section(part: type, examples: list[Any]) -> str:
    """Return a class with its fields as a table."""
    hints = get_type_hints(part)
    comments = _comments(part)
    rows = [
        f"| `{name}` | {_type(hints[name])} | {_about(comments.get(name, ''), name, examples)} |"
        for name in part._fields  # type: ignore[attr-defined]
    ]
    rows += [
        f"| `{name}` | {_type(_returned(getter))} | {_sentence(getter.__doc__)} |"
        for name, getter in properties(part)
    ]
    paragraphs = (part.__doc__ or "").split("\n\n")
    about = "\n\n".join(re.sub(r"\s+", " ", text).strip() for text in paragraphs)
    head = (f"## {part.__name__}", "", about.replace("``", "`"), "")
    return "\n".join((*head, "| field | type | about it |", "|---|---|---|", *rows, ""))


def _comments(part: type) -> dict[str, str]:
    """Return the comments above the fields of a class, by field."""
    comments: dict[str, str] = {}
    lines: list[str] = []
    for line in inspect.getsource(part).splitlines():
        text = line.strip()
        if text.startswith("# "):
            lines.append(text[2:])
        else:
            name = text.partition(":")[0]
            if lines:
                comments[name] = " ".join(lines)
            lines = []
    return comments


def _sentence(text: str | None) -> str:
    first = (text or "").partition("\n\n")[0]
    return re.sub(r"\s+", " ", first).replace("``", "`").replace("|", "\\|")


def _type(kind: Any) -> str:
    """Return a type in words, with links to classes."""
    if kind == Prose:
        return "formatted text"
    if get_origin(kind) is tuple:
        inner = [one for one in get_args(kind) if one is not Ellipsis]
        return ("list of " if Ellipsis in get_args(kind) else "") + ", ".join(map(_type, inner))
    if get_origin(kind) is dict:
        return "table of texts"
    if get_origin(kind) in (Union, UnionType):
        return _type(get_args(kind)[0]) + ", or none"
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(f"`{word}`" for word in get_args(kind))
    return WORDS.get(kind) or f"[{kind.__name__}](#{kind.__name__.lower()})"


def _about(comment: str, name: str, examples: list[Any]) -> str:
    """Return what a field is, and its first example that is not empty."""
    found = next(filter(None, (_shown(getattr(one, name)) for one in examples)), "")
    cut = found if len(found) <= LONGEST else found[: LONGEST - 1].rstrip() + "…"
    example = f"`{cut}`" if cut else ""
    return " ".join(filter(None, (comment, example))).replace("|", "\\|").replace("\n", " ")


def _shown(found: Any) -> str:
    """Return a text or number as it is, and of a list the names in it."""
    if isinstance(found, bool) or found is None:
        return ""
    if isinstance(found, str | int):
        return str(found)
    if isinstance(found, tuple) and not hasattr(found, "_fields"):
        names = (
            _shown(
                getattr(one, "name", "")
                or getattr(one, "label", "")
                or (one if isinstance(one, str) else "")
            )
            for one in found
        )
        return ", ".join(filter(None, names))
    return ""


if __name__ == "__main__":
    main()
