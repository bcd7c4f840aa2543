"""From a view to one page of HTML that needs nothing else: for a screen and for paper.

Whatever a player or a pack wrote is escaped before it becomes markup,
and never stands inside a style sheet or an unquoted attribute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from charforge.paths import data_folder
from charforge.sheet import track
from charforge.sheet.prose import Block, Prose, plain
from charforge.sheet.view import Card, Entry, SheetView

Paper = Literal["a4", "letter"]
FOOTER_LENGTH = 48
STEPS = (22, 34, 60, 110)


def render_html(view: SheetView, paper: Paper = "a4") -> str:
    """Return the sheet as a self-contained HTML file."""
    template = environment().get_template("sheet.html")
    return template.render(view=view, paper=paper)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the templates, set so that a missing name is an error."""
    made = Environment(
        loader=FileSystemLoader(data_folder("templates")),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(
        prose=markup, inline=inline, step=step, shortened=shortened, in_twos=in_twos, halves=halves
    )
    made.globals.update(tiles=track.tiles, ticks=track.ticks)
    return made


def markup(prose: Prose) -> Markup:
    """Return prose as paragraphs and lists."""
    parts: list[Markup] = []
    items: list[Markup] = []
    for block in prose:
        text = _spans(block)
        if block.listed:
            items.append(Markup("<li>{}</li>").format(text))
            continue
        parts += _list(items)
        items = []
        parts.append(Markup("<p>{}</p>").format(text))
    return Markup("").join([*parts, *_list(items)])


def inline(prose: Prose) -> Markup:
    """Return prose as one run of text."""
    return Markup(" ").join(_spans(block) for block in prose)


def _list(items: Sequence[Markup]) -> list[Markup]:
    return [Markup("<ul>{}</ul>").format(Markup("").join(items))] if items else []


def _spans(block: Block) -> Markup:
    parts = []
    for span in block.spans:
        text = escape(span.text)
        if span.italic:
            text = Markup("<em>{}</em>").format(text)
        if span.bold:
            text = Markup("<strong>{}</strong>").format(text)
        parts.append(text)
    return Markup("").join(parts)


def step(text: str) -> int:
    """Return how far a name must step down in size, 0 to 4."""
    return sum(len(text) > limit for limit in STEPS)


def shortened(text: str) -> str:
    """Return a name short enough for the foot of a page."""
    return text if len(text) <= FOOTER_LENGTH else text[: FOOTER_LENGTH - 1].rstrip() + "…"


def in_twos(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield cards in rows of two; those of one timing with others of their length."""
    order: dict[str, list[Card]] = {}
    for card in cards:
        order.setdefault(card.timing, []).append(card)
    listed = [card for group in order.values() for card in sorted(group, key=length)]
    for start in range(0, len(listed), 2):
        yield tuple(listed[start : start + 2])


def halves(entries: Sequence[Entry]) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """Split entries into two columns of about the same length, in order."""
    sizes = [length(entry) for entry in entries]
    best = min(
        range(len(entries) + 1), key=lambda cut: abs(sum(sizes[:cut]) - sum(sizes[cut:]))
    )
    return tuple(entries[:best]), tuple(entries[best:])


def length(part: Card | Entry) -> int:
    """Estimate the room that a card or an entry takes, in letters."""
    total = 60 + sum(len(str(block)) + 25 for block in part.text)
    for action in part.actions:
        total += 60 + len(plain(action.text)) + len(plain(action.trigger))
        total += 25 * len(action.text)
    return total


