"""One self-contained page of HTML from a view, for a screen and for paper.

Whatever a player or a pack wrote is escaped before it becomes markup,
and never stands inside a style sheet or an unquoted attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import (
    BytecodeCache,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    select_autoescape,
)
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from charforge.expressions.markup import Block, Prose
from charforge.paths import cache_folder, data_folder, read_cache_file, write_cache_file
from charforge.sheet import (
    deck,
    dice,
    estimate,
    listing,
    panels,
    pips,
    scales,
    short,
    slip,
    spread,
    tables,
    tales,
)
from charforge.sheet.audit import UnitAudit
from charforge.sheet.estimate import BESIDE
from charforge.sheet.playable import Playable
from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetView

FOOTER_LENGTH = 48
STEPS = (22, 34, 60, 110)


def render_html(
    view: SheetView,
    look: Look | None = None,
    audit: Sequence[UnitAudit] = (),
    play: Playable | None = None,
) -> str:
    """Return the sheet as a self-contained HTML file.

    The values of ``audit`` stand on pages of their own after the rest;
    what there is to ``play`` is kept count of on a screen, by a script.
    """
    look = look or Look()
    template = environment().get_template(f"{look.layout}.html")
    return template.render(view=view, look=look, audit=audit, play=play)


# What templates call, to arrange what a view holds.
CALLED: dict[str, Callable[..., Any]] = {
    "tile_rows": pips.tile_rows,
    "score_name": estimate.score_name,
    "ticks": pips.ticks,
    "box_label": pips.box_label,
    "boxes_used": pips.used_boxes,
    "boxes_marked": pips.marked_path,
    "brief": short.brief,
    "deal": deck.deal,
    "title_size": slip.title_size,
    "card_width": slip.width,
    "first_page": spread.fight,
    "follows": spread.follows,
    "room_for_notes": tales.room_for_notes,
    "gear_ends": spread.gear_ends,
    "items_in_columns": spread.gear,
    "spare": spread.spare,
    "reference_in_columns": spread.reference,
    "story_in_columns": tales.story,
    "traits": tales.traits,
    "panels_of": panels.panels,
    "panels_of_unit": panels.of_unit,
    "track_in_a_row": scales.in_a_row,
    "track_steps": scales.steps,
    "tracker_boxes": panels.boxes,
    "boxes_abreast": panels.boxes_abreast,
    "boxes_filled": panels.filled,
    "figure_width": listing.figure_width,
    "list_in_pairs": listing.in_pairs,
    "list_pairs": listing.pairs,
    "charts_of": tables.tables,
    "die_size": dice.die_size,
    "dice_row": dice.dice_row,
    "dice_said": dice.dice_text,
    "one_die": dice.single_die,
    "die_symbols": dice.die_symbols,
    "icon_letters": dice.symbol_letters,
}


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
        bytecode_cache=_Compiled(),
    )
    made.filters.update(prose=prose_html, inline=inline_html, step=size_step, shortened=short_name)
    made.globals.update(CALLED)
    return made


class _Compiled(BytecodeCache):
    """Templates compiled once, kept in the user's cache folder.

    Jinja compares the source before it trusts what is kept; a folder that
    is missing or read-only is harmless.
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            bucket.bytecode_from_string(read_cache_file(self._path(bucket)))

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            write_cache_file(self._path(bucket), bucket.bytecode_to_string())

    def _path(self, bucket: Bucket) -> Path:
        return cache_folder() / "templates" / f"{bucket.key}.bin"


def prose_html(prose: Prose) -> Markup:
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


def inline_html(prose: Prose) -> Markup:
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


def size_step(text: str, pictured: bool = False) -> int:
    """Return how far a name must step down in size, 0 to 4; a portrait takes of its room."""
    return sum(len(text) * (BESIDE if pictured else 1) > limit for limit in STEPS)


def short_name(text: str) -> str:
    """Return a name short enough for the foot of a page."""
    return text if len(text) <= FOOTER_LENGTH else text[: FOOTER_LENGTH - 1].rstrip() + "…"
