"""A style sheet in the dark: the same rules with other colours, and nothing else.

Every colour of the light one is looked up by what it is for, so that a
new rule is dark without a second one. Only colours are repeated: widths,
places and sizes stay with the light rule, of which this is a supplement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from markupsafe import Markup

Colours = Mapping[str, str]

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
COLOUR = re.compile(r"#[0-9a-f]{6}\b|#[0-9a-f]{3}\b")
DRAWING = re.compile(r'url\("[^"]*"\)')
FILL = re.compile(r"%23([0-9a-f]{6}|[0-9a-f]{3})\b")
LINES = ("border", "border-top", "border-right", "border-bottom", "border-left", "outline")
TEXT = ("color", "accent-color")


def night(css: str, text: Colours, surface: Colours, edge: Colours) -> Markup:
    """Return the rules that make a style sheet dark.

    ``text``, ``surface`` and ``edge`` say what each colour becomes; one
    that they do not name stays. Rules for paper alone are left out.
    """
    made = _rules(str(css), *(tuple(part.items()) for part in (text, surface, edge)))
    return Markup(made)  # noqa: S704 - our own style sheet  # nosec B704


@lru_cache(maxsize=32)
def _rules(css: str, *parts: tuple[tuple[str, str], ...]) -> str:
    text, surface, edge = map(dict, parts)
    made = []
    for selector, body in RULE.findall(COMMENT.sub("", css)):
        changes = "; ".join(_changes(body, text, surface, edge))
        if changes and "@" not in selector:
            made.append(f"{selector.strip()} {{ {changes}; }}")
    return "\n".join(made)


def _changes(body: str, text: Colours, surface: Colours, edge: Colours) -> Iterator[str]:
    """Yield the declarations of a rule that have another colour in the dark."""
    for declaration in _declarations(body):
        name, _colon, value = (part.strip() for part in declaration.partition(":"))
        last = " !important" if value.endswith("!important") else ""
        if name in TEXT:
            yield from _colour(name, value, text, last)
        elif name.startswith("background"):
            yield from _colour("background-color", DRAWING.sub("", value), surface, last)
            drawing = DRAWING.search(value)
            if drawing:
                yield f"background-image: {FILL.sub(_filled(text), drawing[0])}"
        elif name in LINES or name.endswith("-color"):
            own = name if name.endswith("-color") else f"{name}-color"
            yield from _colour(own, value, edge, last)


def _declarations(body: str) -> Iterator[str]:
    """Yield the declarations of a rule; a semicolon inside a drawing ends none."""
    held = DRAWING.findall(body)
    for part in DRAWING.sub("\0", body).split(";"):
        yield re.sub("\0", lambda _found: held.pop(0), part)


def _colour(name: str, value: str, colours: Colours, last: str) -> Iterator[str]:
    found = COLOUR.search(value)
    if found and found[0] in colours:
        yield f"{name}: {colours[found[0]]}{last}"


def _filled(colours: Colours) -> Callable[[re.Match[str]], str]:
    return lambda found: "%23" + colours.get(f"#{found[1]}", f"#{found[1]}")[1:]
