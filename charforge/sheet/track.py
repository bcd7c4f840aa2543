"""Rows of pips to cross off, each row one drawing.

A track is one path, because a page with two hundred little boxes takes a
multiple of the time of a page with one line. Lengths are millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from charforge.sheet.view import Vital

LIVE_WIDTH = 190.0
GUTTER = 2.0
PADDING = 4.8
WRITING = {1: 0.0, 2: 18.4, 4: 24.4}
FEW, SOME = 10, 30
WORTH = 5
MOST_CELLS = 80
BLANK_PIPS = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """A pip of ``width`` by ``height``; ``group`` pips stand together."""

    width: float
    height: float
    gap: float = 0.5
    group: int = 5
    group_gap: float = 0.9
    figure: str = "box"


@dataclass(frozen=True, slots=True)
class Track:
    """A drawing of ``width`` by ``height``: one path, and a bar where half is reached.

    ``worth`` is how much one pip stands for.
    """

    width: float
    height: float
    path: str
    half: str
    pips: int
    worth: int = 1


@dataclass(frozen=True, slots=True)
class Tile:
    """A vital with the width of its box (mm), its track and its manner.

    Tiles of more ``weight`` than 1 have the box to write in beside the
    track, others above it.
    """

    vital: Vital
    width: float
    weight: int
    track: Track | None

    @property
    def height(self) -> float:
        """The height of its box in mm."""
        pips = 0.0
        if self.track is not None:
            pips = self.track.height + (4 if self.track.worth > 1 else 0)
        return 11.1 + (max(19.6, pips) if self.weight > 1 else 12.6 + pips)


CELL = Shape(2.72, 3.9, 0.34, 5, 1.0)
LARGE_CELL = Shape(3.4, 4.2, 0.5, 5, 1.2)
HEXAGON = Shape(4.3, 4.3, 0.5, 5, 0.5, "hexagon")
SMALL_HEXAGON = Shape(3.2, 3.4, 0.45, 7, 0.45, "hexagon")
CIRCLE = Shape(3.0, 3.0, 0.45, 5, 0.45, "circle")
PAIR = Shape(2.5, 2.5, 0.25, 2, 0.6)
TICK = Shape(3.6, 3.6, 0.8, 6, 2.2)


def tiles(vitals: Iterable[Vital], live: float = LIVE_WIDTH) -> tuple[Tile, ...]:
    """Share a row of ``live`` mm among vitals: the more to cross off, the wider.

    Boxes lie on a grid with gutters, so that they line up with the row below.
    """
    own = [vital for vital in vitals if not vital.shared]
    weights = [_weight(vital.max) for vital in own]
    column = (live + GUTTER) / sum(weights) if weights else 0
    return tuple(
        _tile(vital, round(column * weight - GUTTER, 2), weight)
        for vital, weight in zip(own, weights, strict=True)
    )


def _weight(most: int | None) -> int:
    if most is None or most <= FEW:
        return 1
    return 2 if most <= SOME else 4


def _tile(vital: Vital, width: float, weight: int) -> Tile:
    return Tile(vital, width, weight, _track(vital, width - PADDING - WRITING[weight]))


def _track(vital: Vital, room: float) -> Track | None:
    """Choose pips by what there is to count: many, some, few, or nobody knows."""
    if vital.max is None:
        return track(BLANK_PIPS, PAIR, room)
    if vital.max == 0:
        return None
    if vital.half is not None:
        if vital.max > MOST_CELLS:
            pips = math.ceil(vital.max / WORTH)
            return track(pips, LARGE_CELL, room, math.ceil(vital.half / WORTH), WORTH)
        return track(vital.max, CELL, room, vital.half)
    if vital.max <= FEW:
        return track(vital.max, CIRCLE, room)
    return track(vital.max, HEXAGON if vital.max <= 10 else SMALL_HEXAGON, room)


def ticks(number: int, room: float = 60.0) -> Track:
    """Return boxes to tick, in rows that fit ``room``."""
    return track(number, TICK, room)


def track(pips: int, shape: Shape, room: float, half: int = 0, worth: int = 1) -> Track:
    """Set ``pips`` in rows no wider than ``room``, whole groups to a row where they fit."""
    step = shape.group * (shape.width + shape.gap) - shape.gap + shape.group_gap
    groups = max(1, int((room + shape.group_gap) // step))
    row = min(groups * shape.group, 20)
    if shape.gap == shape.group_gap:
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
    return Track(round(width + 0.4, 2), round(height + 0.4, 2), path, mark, pips, worth)


def _place(number: int, row: int, shape: Shape) -> tuple[float, float]:
    """Return the upper left corner of a pip."""
    column = number % row
    x = column * (shape.width + shape.gap)
    x += column // shape.group * (shape.group_gap - shape.gap)
    return x + 0.2, number // row * (shape.height + max(shape.gap, 0.6)) + 0.2


def _figure(x: float, y: float, shape: Shape) -> str:
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
