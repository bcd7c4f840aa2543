"""Rows of pips to cross off, each row one drawing.

A track is one path, because a page with two hundred little boxes takes a
multiple of the time of a page with one line. Lengths are millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetCapacity, SheetVital

LIVE_WIDTH = 190.0
GUTTER = 2.0
PADDING = 4.8
FEW, SOME = 10, 30
WORTH = 5
MOST_CELLS, MOST_SHORT = 80, 12
BLANK_PIPS = 12


class PipShape(NamedTuple):
    """A pip of ``width`` by ``height``; ``group`` pips stand together."""

    width: float
    height: float
    gap: float = 0.5
    group: int = 5
    group_gap: float = 0.9
    figure: str = "box"

    def times(self, factor: float) -> PipShape:
        """Return it larger by a factor."""
        lengths = (self.width, self.height, self.gap, self.group_gap)
        width, height, gap, group_gap = (round(factor * length, 3) for length in lengths)
        return PipShape(width, height, gap, self.group, group_gap, self.figure)


class DrawnTrack(NamedTuple):
    """A drawing of ``width`` by ``height``: one path, and a bar where half is reached.

    ``worth`` is how much one pip stands for; ``places`` are the upper left
    corners of pips that are ``pip`` wide.
    """

    width: float
    height: float
    path: str
    half: str
    pips: int
    worth: int = 1
    places: tuple[tuple[float, float], ...] = ()
    pip: float = 0.0


class Tile(NamedTuple):
    """A vital with the width and height of its box (mm), its track and its manner.

    Tiles of more ``weight`` than 1 have the box to write in beside the
    track, others above it.
    """

    vital: SheetVital
    width: float
    height: float
    weight: int
    track: DrawnTrack | None


class TileMeasures(NamedTuple):
    """The measures of a tile: ``writing`` is what the box takes of its width, by weight.

    ``wide`` and ``narrow`` are the heights of the box, ``pips`` how much
    larger than usual a pip is.
    """

    writing: dict[int, float]
    head: float
    wide: float
    narrow: float
    pips: float = 1.0


NORMAL = TileMeasures({1: 0.0, 2: 18.4, 4: 24.4}, 11.1, 19.6, 12.6)
LARGE = TileMeasures({1: 0.0, 2: 32.0, 4: 40.0}, 14.6, 26.0, 20.0, 1.6)
LOW = TileMeasures({1: 0.0, 2: 18.4, 4: 24.4}, 11.1, 15.6, 8.6)
LARGE_LOW = TileMeasures({1: 0.0, 2: 32.0, 4: 40.0}, 14.6, 18.0, 16.0, 1.3)
CELL = PipShape(2.72, 3.9, 0.34, 5, 1.0)
LARGE_CELL = PipShape(3.4, 4.2, 0.5, 5, 1.2)
HEXAGON = PipShape(4.3, 4.3, 0.5, 5, 0.5, "hexagon")
SMALL_HEXAGON = PipShape(3.2, 3.4, 0.45, 7, 0.45, "hexagon")
CIRCLE = PipShape(3.0, 3.0, 0.45, 5, 0.45, "circle")
PAIR = PipShape(2.5, 2.5, 0.25, 2, 0.6)
TICK = PipShape(3.6, 3.6, 0.8, 6, 2.2)


def tile_measures(look: Look) -> TileMeasures:
    """Return the measures of a look's tiles; those of a short sheet are lower."""
    if look.layout == "short":
        return LARGE_LOW if look.large else LOW
    return LARGE if look.large else NORMAL


def tile_rows(
    vitals: Iterable[SheetVital], look: Look, inside: float = 0.0
) -> tuple[tuple[Tile, ...], ...]:
    """Set vitals in rows as wide as a page, or as something ``inside`` mm narrower on it.

    One row is enough but in large print on a narrow page, where much to cross off has its own.
    """
    listed = tuple(vitals)
    live, measures = look.page.width - inside, tile_measures(look)
    if not look.large or look.orientation == "landscape":
        return (row_of_tiles(listed, live, measures),)
    most = [vital for vital in listed if _weight(vital.max) == 4]
    others = [vital for vital in listed if _weight(vital.max) < 4]
    made = (row_of_tiles(part, live, measures) for part in (*([vital] for vital in most), others))
    return tuple(row for row in made if row)


def row_of_tiles(
    vitals: Iterable[SheetVital], live: float = LIVE_WIDTH, measures: TileMeasures = NORMAL
) -> tuple[Tile, ...]:
    """Share a row of ``live`` mm among vitals: the more to cross off, the wider.

    Boxes lie on a grid with gutters, so that they line up with the row below.
    """
    own = [vital for vital in vitals if not vital.shared]
    weights = [_weight(vital.max) for vital in own]
    column = (live + GUTTER) / sum(weights) if weights else 0
    return tuple(
        _tile(vital, round(column * weight - GUTTER, 2), weight, measures)
        for vital, weight in zip(own, weights, strict=True)
    )


def _weight(most: int | None) -> int:
    if most is None or most <= FEW:
        return 1
    return 2 if most <= SOME else 4


def _tile(vital: SheetVital, width: float, weight: int, measures: TileMeasures) -> Tile:
    made = _track(vital, width - PADDING - measures.writing[weight], measures.pips)
    pips = 0.0
    if made is not None:
        pips = made.height + (4 * measures.pips if made.worth > 1 else 0)
    box = max(measures.wide, pips) if weight > 1 else measures.narrow + pips
    return Tile(vital, width, round(measures.head + box, 2), weight, made)


def _track(vital: SheetVital, room: float, factor: float) -> DrawnTrack | None:
    """Choose pips by what there is to count: many, some, few, or nobody knows."""
    if vital.max == 0:
        return None
    if vital.max is None:
        return draw_track(BLANK_PIPS, PAIR.times(factor), room)
    if vital.half is not None:
        if vital.max > MOST_CELLS:
            pips, half = math.ceil(vital.max / WORTH), math.ceil(vital.half / WORTH)
            return draw_track(pips, LARGE_CELL.times(factor), room, half, WORTH)
        return draw_track(vital.max, CELL.times(factor), room, vital.half)
    if vital.max <= FEW:
        return draw_track(vital.max, CIRCLE.times(factor), room)
    shape = HEXAGON if vital.max <= 10 else SMALL_HEXAGON
    return draw_track(vital.max, shape.times(factor), room)


def ticks(number: int, look: Look, room: float = 60.0) -> DrawnTrack:
    """Return boxes to tick, in rows that fit ``room``; of many, each is worth several.

    They stand in groups of six, or of five where that takes fewer rows. A
    short sheet has few of them.
    """
    boxes, worth = box_count(number, MOST_SHORT if look.layout == "short" else MOST_CELLS)
    shape = TICK.times(1.35) if look.large else TICK
    groups = (shape, shape._replace(group=shape.group - 1))
    return min(
        (draw_track(boxes, one, room, worth=worth) for one in groups),
        key=lambda t: t.height,
    )


def box_count(number: int, most: int = MOST_CELLS) -> tuple[int, int]:
    """Return how many boxes stand for so many things, and what each is worth."""
    worth = 1 if number <= most else WORTH * math.ceil(number / (WORTH * most // 2))
    return math.ceil(number / worth), worth


def box_label(held: SheetCapacity, look: Look, play: object = None) -> str:
    """Say what boxes are for, and where each is worth several, what is left of it.

    What changes without being printed anew says no figure: fields, and a page to ``play`` from.
    """
    worth = ticks(held.max, look).worth
    if worth == 1:
        return held.label
    left = f", {held.left} left" if held.used and not play and not look.fillable else ""
    return f"{held.label} {held.max}, each box {worth}{left}"


def used_boxes(held: SheetCapacity, piece: int, drawn: DrawnTrack) -> int:
    """Return how many boxes of a piece are used up: one worth several when all of it is."""
    used = sum(held.used[piece : piece + 1])
    return drawn.pips if used == held.max else used // drawn.worth


def marked_path(drawn: DrawnTrack, number: int) -> str:
    """Return the path of what is marked in the first boxes."""
    inset = round(0.2 * drawn.pip, 2)
    side = round(drawn.pip - 2 * inset, 2)
    places = drawn.places[: max(number, 0)]
    return "".join(f"M{x + inset:.2f} {y + inset:.2f}h{side}v{side}h-{side}z" for x, y in places)


def draw_track(
    pips: int, shape: PipShape, room: float, half: int = 0, worth: int = 1
) -> DrawnTrack:
    """Set ``pips`` in rows no wider than ``room``, whole groups to a row where they fit."""
    step = shape.group * (shape.width + shape.gap) - shape.gap + shape.group_gap
    groups = max(1, int((room + shape.group_gap) // step))
    row = min(groups * shape.group, 20)
    if shape.gap == shape.group_gap or step > room + shape.group_gap:
        row = max(1, int((room + shape.gap) // (shape.width + shape.gap)))
        row = math.ceil(pips / math.ceil(pips / row)) if pips else row
    places = [_place(number, row, shape) for number in range(pips)]
    path = "".join(_figure(x, y, shape) for x, y in places)
    mark = ""
    if 0 < half <= pips:
        x, y = places[half - 1]
        mark = f"M{_n(x + shape.width)} {_n(y)}v{_n(shape.height)}"
    width = max((x for x, _ in places), default=0) + shape.width
    height = max((y for _, y in places), default=0) + shape.height
    corners = tuple((round(x, 2), round(y, 2)) for x, y in places)
    size = (round(width + 0.4, 2), round(height + 0.4, 2))
    return DrawnTrack(*size, path, mark, pips, worth, corners, shape.width)


def _place(number: int, row: int, shape: PipShape) -> tuple[float, float]:
    """Return the upper left corner of a pip."""
    column = number % row
    x = column * (shape.width + shape.gap)
    x += column // shape.group * (shape.group_gap - shape.gap)
    return x + 0.2, number // row * (shape.height + max(shape.gap, 0.6)) + 0.2


def _figure(x: float, y: float, shape: PipShape) -> str:
    width, height = shape.width, shape.height
    if shape.figure == "hexagon":
        quarter, middle = width / 4, height / 2
        return (
            f"M{_n(x)} {_n(y + middle)}l{_n(quarter)} {_n(-middle)}h{_n(2 * quarter)}"
            f"l{_n(quarter)} {_n(middle)}l{_n(-quarter)} {_n(middle)}h{_n(-2 * quarter)}z"
        )
    if shape.figure == "circle":
        r = width / 2
        arc = f"a{_n(r)} {_n(r)} 0 1 1 "
        return f"M{_n(x)} {_n(y + r)}{arc}{_n(width)} 0{arc}{_n(-width)} 0z"
    return f"M{_n(x)} {_n(y)}h{_n(width)}v{_n(height)}h{_n(-width)}z"


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")
