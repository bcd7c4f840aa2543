"""The texts of the story in columns, cut after any sentence and put together again.

Lengths are millimetres, all of them estimated before any layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from charforge.expressions.markup import Prose, plain_text
from charforge.sheet.cut import joined, pieces
from charforge.sheet.estimate import creed_height, scale_of, tale_height, trait_height
from charforge.sheet.print_options import Look
from charforge.sheet.spread import (
    AFTER,
    GUTTER,
    LEAST,
    NOTES,
    SPARE_LINE,
    Columns,
    column_width,
    down,
    reference,
)
from charforge.sheet.view import SheetView, StoryAnswer, StoryPart

HEAD = 17.0  # the head of what follows the story
UNSURE = 10.0  # what may be on the next page after all
ROOMY = 1  # lines to write on below each list and text, where there is room


class Tale(NamedTuple):
    """A text of the story with lines to write on; without a label it goes on from a column.

    ``runs`` marks a piece that goes on in the paragraph before it.
    """

    label: str
    hint: str
    text: Prose
    lines: int
    runs: bool = False


class Story(NamedTuple):
    """The texts of the story in columns, and how many ``lines`` there are below each list.

    ``ends`` is how far down the story reaches where the reference goes on below it, else 0.
    """

    columns: list[Columns[Tale]]
    lines: int
    ends: float = 0.0


def story(view: SheetView, look: Look, above: float = 0.0) -> Story:
    """Set the texts of the story in columns to read down, below what stands ``above`` it.

    The reference begins below them where that saves a page; lines to write
    on are given up for that, as many stories leave half of a page empty.
    """
    usual = Story(_columns(view, look, ROOMY, above), 5 if look.blank else ROOMY)
    if look.columns == 1 or look.blank or look.fillable or view.charts or view.dice:
        return usual
    alone = len(reference(view, look))
    for lines in (ROOMY, 0):
        columns = _columns(view, look, lines, above)
        height, tales = above + _above_tales(view, look, lines), _height(columns, look) + AFTER
        height = _below(height, tales, look.page.height)
        fits = len(columns) <= 1 and height + HEAD + LEAST <= look.page.height
        if fits and len(reference(view, look, height)) <= alone:
            return Story(columns, lines, round(height, 1))
    return usual


def room_for_notes(view: SheetView, look: Look) -> bool:
    """Whether the last page of the story surely has room for notes."""
    _parts, sizes = _in_pieces(view, look, ROOMY)
    used = _above_tales(view, look, ROOMY) + sum(sizes) / look.columns + max(sizes, default=0.0)
    return used < look.page.height - NOTES


def traits(view: SheetView) -> tuple[StoryPart, ...]:
    """Return the lists of the story, and the training as one of them."""
    told = tuple(StoryAnswer(one.name, one.text) for one in view.training)
    own = tuple(part for part in view.story if part.form == "many")
    if not view.training_label:
        return own
    return (*own, StoryPart("", "", view.training_label, "many", told))


def _below(above: float, height: float, full: float) -> float:
    """Return how far down what stays whole ends: on the next page where it finds no room."""
    return above + height if above + height <= full else max(above + UNSURE - full, 0.0) + height


def _columns(view: SheetView, look: Look, lines: int, above: float) -> list[Columns[Tale]]:
    parts, sizes = _in_pieces(view, look, lines)
    full = look.page.height - SPARE_LINE
    first = full - (_above_tales(view, look, lines) + above) % look.page.height
    rows = down(parts, sizes, first if first >= LEAST else full, full, look.columns)
    return [tuple(tuple(_mended(column)) for column in row) for row in rows]


def _height(columns: Sequence[Columns[Tale]], look: Look) -> float:
    """Return the height of the highest column."""
    width, scale = column_width(look, GUTTER), scale_of(look)
    heights = (
        sum(tale_height(one.text, one.lines, width, scale) for one in column)
        for row in columns
        for column in row
    )
    return max(heights, default=0.0)


def _tales(view: SheetView, blank: int, lines: int) -> list[Tale]:
    """Return the texts of the story: one's own, then what the headline says of itself."""
    own = []
    for part in view.story:
        if part.form == "text":
            text = tuple(block for told in part.answers for block in told.text)
            own.append(Tale(part.label, part.section, text, lines if text else blank))
    return own + [Tale(one.name, one.kind, one.text, 0) for one in view.headline if one.text]


def _in_pieces(view: SheetView, look: Look, lines: int) -> tuple[list[Tale], list[float]]:
    """Return the texts of the story in pieces, and the heights of these."""
    width, scale = column_width(look, GUTTER), scale_of(look)
    parts: list[Tale] = []
    sizes: list[float] = []
    for tale in _tales(view, 6 if look.blank else lines + 1, lines):
        told = list(_torn(tale))
        whole = tale_height(tale.text, 0, width, scale) - tale_height((), 0, width, scale)
        letters = sum(len(plain_text(part.text)) for part in told)
        for part in told:
            own = tale_height((), part.lines, width, scale) if part.label else 0.0
            own += 0 if part.label else scale.ruled * part.lines
            sizes.append(own + whole * len(plain_text(part.text)) / max(letters, 1))
        parts += told
    return parts, sizes


def _torn(tale: Tale) -> Iterator[Tale]:
    """Yield a text in pieces, the first with its label, the last with its lines."""
    torn = [
        Tale("", "", (piece,), 0, runs=number > 0)
        for block in tale.text
        for number, piece in enumerate(pieces(block))
    ] or [Tale("", "", (), 0)]
    torn[0] = torn[0]._replace(label=tale.label, hint=tale.hint)
    torn[-1] = torn[-1]._replace(lines=tale.lines)
    yield from torn


def _mended(column: Sequence[Tale]) -> list[Tale]:
    """Put the pieces together again that stand in one column."""
    made: list[Tale] = []
    for tale in column:
        if not made or tale.label:
            made.append(tale)
            continue
        before = made[-1]
        text = (*before.text, *tale.text)
        if tale.runs and before.text:
            text = (*before.text[:-1], joined(before.text[-1], tale.text[0]), *tale.text[1:])
        made[-1] = before._replace(text=text, lines=tale.lines)
    return made


def _above_tales(view: SheetView, look: Look, lines: int) -> float:
    """Return the height of what stands over the texts of the story."""
    scale, width = scale_of(look), look.page.width
    height = scale.slim
    for part in view.story:
        if part.form == "one":
            height += sum(creed_height(told.text, width, scale) for told in part.answers)
            height += 0 if part.answers else scale.creed
    lists = traits(view)
    abreast = 1 if look.large and look.orientation == "portrait" else 3
    inside = (width + 6) / abreast - 6
    blank = 5 if look.blank else lines
    sizes = [
        scale.heading + (blank or not part.answers) * scale.ruled
        + sum(trait_height(told.text, inside, scale) for told in part.answers)
        for part in lists
    ]  # fmt: skip
    return height + sum(
        max(sizes[start : start + abreast]) for start in range(0, len(sizes), abreast)
    )
