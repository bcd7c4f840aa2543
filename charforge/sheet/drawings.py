"""Drawings: dice, their symbols, and pips, which are rows of small boxes to cross off.

Dice differ by shape and tone. Tones can be told apart without colours: light is an outline, mid
has a smaller one inside, dark is filled. Their paths fit a square of 10 by 10.

Pips are one path, because a page with hundreds of separate boxes takes several times as long to
print. Lengths are millimetres.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from charforge.language import _
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import (
    SheetCapacity,
    SheetDie,
    SheetPoolDie,
    SheetSymbol,
    SheetVital,
    Tracker,
)

GUTTER = 2.0
PADDING = 4.8
FEW, SOME = 10, 30
WORTH = 5
MOST_CELLS, MOST_SHORT = 80, 12
SHORT_ROW = 6  # boxes of a row of a short sheet; more are smaller
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
    """A drawing of ``width`` by ``height``.

    ``path`` draws the pips, ``half`` a bar after half of them (empty if there is none).
    One pip counts ``worth``. ``places`` are the upper left corners of the pips, which are
    ``pip`` wide.
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
    """A vital with its track. ``weight`` is its share of the row.

    If that is more than 1, the box to write in is beside the track, else above it.
    """

    vital: SheetVital
    weight: int
    track: DrawnTrack | None


# The room of a row of tiles: its share of the page's width, and what is left free of that.
ROW_ROOM = {
    "page": (1.0, 0.0),
    "wide page": (2 / 3, 0.0),
    "unit": (1.0, 8.0),
    "half unit": (0.5, 8.0),
    "quarter unit": (0.25, 8.0),
}
# The room of boxes to tick, by their place.
BOX_ROOM = {
    "card": 60.0,
    "line": 40.0,
    "ammo": 27.5,
    "narrow": 14.0,
    "many": 57.0,
    "large": 31.0,
    "across": 92.0,
}
MOST_WEIGHT = 6  # of a row of tiles on a small page
# Columns of a row with vitals and attributes at most, and of one vital in it; fewer on small pages.
SHARED_ROW, SMALL_SHARED_ROW = 9, 8
SHARED_WEIGHT = 3
# The width of the box to write in, by the weight of its tile; the scale of pips.
WRITING = {1: 0.0, 2: 18.4, 3: 18.4, 4: 24.4}
LARGE_WRITING = {1: 0.0, 2: 32.0, 3: 32.0, 4: 40.0}
LOW_ROW, LOW_LARGE_ROW = 8.5, 14.0  # the height of pips beside a lower box to write in
LARGE_PIPS, LOW_LARGE_PIPS = 1.6, 1.3
CELL = PipShape(2.72, 3.9, 0.34, 5, 1.0)
LARGE_CELL = PipShape(3.4, 4.2, 0.5, 5, 1.2)
HEXAGON = PipShape(4.3, 4.3, 0.5, 5, 0.5, "hexagon")
SMALL_HEXAGON = PipShape(3.2, 3.4, 0.45, 5, 1.2, "hexagon")
CIRCLE = PipShape(3.0, 3.0, 0.45, 5, 0.45, "circle")
PAIR = PipShape(2.5, 2.5, 0.25, 2, 0.6)
TICK_BOX = PipShape(3.6, 3.6, 0.8, 6, 2.2)
SMALL_TICK = PipShape(2.5, 2.9, 0.25, 5, 0.5)
MANY = 12
BOX = PipShape(2.9, 2.9, 0.5, 5, 1.1)
ONE_GROUP = 6


def tile_rows(
    vitals: Iterable[SheetVital], options: PrintOptions, place: str = "page"
) -> tuple[tuple[Tile, ...], ...]:
    """Return rows of tiles for a ``place`` of ``ROW_ROOM``; style sheets give them their widths.

    There is one row; where that is too narrow for all, vitals with many pips have their own. The
    shortest sheet on a narrow page has no room for pips.
    """
    own = [vital for vital in vitals if not vital.shared]
    weights = _weights(own, options)
    small_page = options.is_narrow or (options.large and not options.is_wide)
    crowded = sum(weights) > MOST_WEIGHT or (options.is_narrow and options.large)
    if not small_page or not crowded:
        groups = [own]
    else:
        groups = [[vital] for vital in own if _weight(vital.max) == 4]
        groups.append([vital for vital in own if _weight(vital.max) < 4])
    share, free = ROW_ROOM[place]
    room = options.page.width * share - free
    rows = ((group, _weights(group, options)) for group in groups if group)
    return tuple(_row_of_tiles(group, weights, room, options) for group, weights in rows)


def shared_row(
    vitals: Iterable[SheetVital], scores: int, options: PrintOptions
) -> tuple[tuple[Tile, ...], int]:
    """Return the tiles of a row that has as many boxes of attributes too, and its shares.

    Large print has two rows of as many shares, if all tiles are narrow. Without room for all there
    are no tiles.
    """
    own = [vital for vital in vitals if not vital.shared]
    has_room = not (options.is_narrow or options.large)
    weights = _weights(own, options, SHARED_WEIGHT if has_room else MOST_WEIGHT)
    shares = sum(weights) + scores
    per_row = options.scores_per_row
    if not own or not scores or shares > (SHARED_ROW if has_room else SMALL_SHARED_ROW):
        return (), per_row
    if options.large and (options.is_narrow or options.is_wide or max(weights) > 1):
        return (), per_row
    across = per_row if options.large else max(per_row, shares)
    return _row_of_tiles(own, weights, options.page.width, options, across), across


def is_low(row: Iterable[Tile], options: PrintOptions) -> bool:
    """Return whether the pips of all vitals of a row are lower than their usual box to write in."""
    most = LOW_LARGE_ROW if options.large else LOW_ROW
    return all(
        tile.weight > 1 and (tile.track is None or tile.track.height <= most) for tile in row
    )


def _row_of_tiles(
    vitals: Sequence[SheetVital],
    weights: Sequence[int],
    room: float,
    options: PrintOptions,
    shares: int = 1,
) -> tuple[Tile, ...]:
    """Return a row of tiles, which is divided into as many ``shares`` as they weigh, or more."""
    writing = LARGE_WRITING if options.large else WRITING
    column = (room + GUTTER) / max(sum(weights), shares)
    return tuple(
        Tile(
            vital,
            weight,
            None
            if _only_numbers(options)
            else _track(vital, column * weight - GUTTER - PADDING - writing[weight], options),
        )
        for vital, weight in zip(vitals, weights, strict=True)
    )


def _only_numbers(options: PrintOptions) -> bool:
    """Return whether vitals are as wide as their number needs, without pips."""
    return options.is_narrow and options.lines and not options.large


def _weights(
    vitals: Iterable[SheetVital], options: PrintOptions, most: int = MOST_WEIGHT
) -> list[int]:
    """Return the shares of a row for vitals: more for those with more pips, at most ``most``."""
    if _only_numbers(options):
        return [1 for _vital in vitals]
    return [min(_weight(vital.max), most) for vital in vitals]


def _weight(maximum: int | None) -> int:
    """Return the share of a row for a vital with this maximum: 1, 2 or 4."""
    if maximum is None or maximum <= FEW:
        return 1
    return 2 if maximum <= SOME else 4


def _track(vital: SheetVital, room: float, options: PrintOptions) -> DrawnTrack | None:
    """Return the track of a vital: the shape of pips depends on its maximum.

    None if the maximum is 0; without a maximum there are a few pips. The bar of one with a half is
    after the pips that are filled when half of it is left.
    """
    factor = (LOW_LARGE_PIPS if options.layout == "short" else LARGE_PIPS) if options.large else 1.0
    if vital.max == 0:
        return None
    if vital.max is None:
        return draw_track(BLANK_PIPS, PAIR.times(factor), room)
    if vital.half is not None:
        if vital.max > MOST_CELLS:
            pips, half = math.ceil(vital.max / WORTH), math.ceil(vital.half / WORTH)
            return draw_track(pips, LARGE_CELL.times(factor), room, pips - half, WORTH)
        return draw_track(vital.max, CELL.times(factor), room, vital.max - vital.half)
    if vital.max <= FEW:
        return draw_track(vital.max, CIRCLE.times(factor), room)
    shape = HEXAGON if vital.max <= 10 else SMALL_HEXAGON
    return draw_track(vital.max, shape.times(factor), room)


def ticks(
    number: int, options: PrintOptions, room: float = BOX_ROOM["card"], at_once: int = 1
) -> DrawnTrack:
    """Return boxes to tick, in rows no wider than ``room``; if many, each counts several.

    They are in groups of six, or of five if that needs fewer rows; many boxes are smaller. A short
    sheet has fewer boxes. What is used ``at_once`` is a number of whole boxes, if those are few
    enough.
    """
    most = MOST_SHORT if options.layout == "short" else MOST_CELLS
    boxes, worth = box_count(number, most, at_once)
    shape = TICK_BOX if boxes <= (SHORT_ROW if options.layout == "short" else MANY) else SMALL_TICK
    shape = shape.times(1.35) if options.large else shape
    groups = (shape, shape._replace(group=shape.group - 1))
    return min(
        (draw_track(boxes, grouped, room, worth=worth) for grouped in groups),
        key=lambda track: track.height,
    )


def box_count(number: int, most: int = MOST_CELLS, at_once: int = 1) -> tuple[int, int]:
    """Return the number of boxes, at most ``most``, for a number, and how much each counts.

    If what is used ``at_once`` is less than a box counts, a box is that, unless those are too many.
    """
    worth = 1 if number <= most else WORTH * math.ceil(number / (WORTH * most // 2))
    if at_once % worth and math.ceil(number / at_once) <= most:
        worth = at_once
    return math.ceil(number / worth), worth


def box_label(capacity: SheetCapacity, options: PrintOptions, play: object = None) -> str:
    """Return the label of boxes for a capacity; if each counts several, with what is left.

    Pages to ``play`` from and fillable sheets do not print what is left, because it changes.
    """
    worth = ticks(capacity.max, options, at_once=capacity.used_at_once).worth
    if worth == 1:
        return capacity.label
    left = (
        _(", {left} left").format(left=capacity.left)
        if capacity.used and not play and not options.fillable
        else ""
    )
    return _("{label} {max}, each box {worth}{left}").format(
        label=capacity.label, max=capacity.max, worth=worth, left=left
    )


def filled_pips(vital: SheetVital, track: DrawnTrack) -> int:
    """Return the number of pips to fill: those that are gone, as a pen can only fill.

    Without a maximum nothing is gone: those that the character has are filled.
    """
    left = min(max(math.ceil(vital.current / track.worth), 0), track.pips)
    return left if vital.max is None else track.pips - left


def used_boxes(capacity: SheetCapacity, piece: int, track: DrawnTrack) -> int:
    """Return the number of boxes used up of one piece: one that counts several, if all of it is."""
    used = sum(capacity.used[piece : piece + 1])
    return track.pips if used == capacity.max else used // track.worth


def marked_path(track: DrawnTrack, number: int) -> str:
    """Return the path that fills the first ``number`` boxes."""
    inset = round(0.2 * track.pip, 2)
    side = round(track.pip - 2 * inset, 2)
    places = track.places[: max(number, 0)]
    return "".join(f"M{x + inset:.2f} {y + inset:.2f}h{side}v{side}h-{side}z" for x, y in places)


def tracker_boxes(tracker: Tracker, options: PrintOptions) -> DrawnTrack:
    """Return the boxes of a tracker: a few are one group."""
    number = (tracker.high or 0) - tracker.low
    shape = BOX._replace(group=number) if number <= ONE_GROUP else BOX
    return draw_track(
        number, shape.times(1.4) if options.large else shape, 44 if options.large else 20
    )


def filled_path(tracker: Tracker, drawn: DrawnTrack) -> str:
    """Return the path that marks the boxes up to the present value of a tracker."""
    return marked_path(drawn, tracker.current - tracker.low)


def draw_track(
    pips: int, shape: PipShape, room: float, half: int = 0, worth: int = 1
) -> DrawnTrack:
    """Return the drawing of ``pips`` in rows no wider than ``room``, in whole groups if possible.

    ``half`` is the number of pips before the bar, 0 for none.
    """
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
    """Return the upper left corner of pip ``number`` (from 0), with ``row`` pips in a row."""
    column = number % row
    x = column * (shape.width + shape.gap)
    x += column // shape.group * (shape.group_gap - shape.gap)
    return x + 0.2, number // row * (shape.height + max(shape.gap, 0.6)) + 0.2


def _figure(x: float, y: float, shape: PipShape) -> str:
    """Return the path of one pip."""
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


SIZE, LARGE_SIZE, GAP = 4.4, 6.2, 0.7
INSIDE = 0.52  # the size of the smaller outline inside a die
CORNERS = {"triangle": 3, "square": 4, "diamond": 4, "pentagon": 5, "hexagon": 6, "octagon": 8}
TURNS = {"square": 45.0, "hexagon": 30.0, "octagon": 22.5}


class DrawnDie(NamedTuple):
    """One die of a drawing: its position, its outline and the smaller one, and its tone."""

    x: float
    outline: str
    inner: str
    tone: str


def die_size(options: PrintOptions) -> float:
    """Return the width of a die."""
    return LARGE_SIZE if options.large else SIZE


def dice_row(dice: Sequence[SheetPoolDie]) -> tuple[DrawnDie, ...]:
    """Return the dice of a pool side by side."""
    repeated = [die for die in dice for _ in range(die.number)]
    step = 10 * (1 + GAP / SIZE)
    return tuple(
        DrawnDie(round(index * step, 1), outline(die.shape), outline(die.shape, INSIDE), die.tone)
        for index, die in enumerate(repeated)
    )


def single_die(die: SheetDie) -> tuple[DrawnDie, ...]:
    """Return a drawing of one die, for a legend."""
    return (DrawnDie(0.0, outline(die.shape), outline(die.shape, INSIDE), die.tone),)


def pool_dice_text(dice: Iterable[SheetPoolDie]) -> str:
    """Return a pool in words: ``1 Ability, 2 Proficiency``."""
    return ", ".join(f"{die.number} {die.label}" for die in dice if die.number) or _("no dice")


def outline(shape: str, scale: float = 1.0) -> str:
    """Return the path of a shape, centred in the square and scaled."""
    radius = 4.5 * scale
    if shape not in CORNERS:
        arc = f"a{_n(radius)} {_n(radius)} 0 1 0 "
        return f"M{_n(5 - radius)} 5{arc}{_n(2 * radius)} 0{arc}{_n(-2 * radius)} 0z"
    corners, turn = CORNERS[shape], TURNS.get(shape, 0.0)
    # Shapes with fewer corners are drawn larger, so that all dice look the same size.
    reach = radius * (1.24 if shape == "square" else 1.12 if shape == "triangle" else 1.04)
    points = []
    for corner in range(corners):
        angle = math.radians(360 / corners * corner + turn)
        points.append((5 + reach * math.sin(angle), 5 - reach * math.cos(angle)))
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "z"


def symbol_letters(symbol: SheetSymbol) -> str:
    """Return the letters printed for a symbol that has no drawing."""
    return symbol.label[:2]


def die_symbols(dice: Iterable[SheetDie]) -> tuple[SheetSymbol, ...]:
    """Return the symbols on the faces of dice, each once."""
    symbols = {symbol.id: symbol for die in dice for face in die.faces for symbol in face}
    return tuple(symbols.values())


def face_counts(die: SheetDie) -> tuple[tuple[tuple[SheetSymbol, ...], int], ...]:
    """Return the different faces of a die and how many there are of each, in their order."""
    return tuple(Counter(die.faces).items())


def faces_json(dice: Iterable[SheetDie]) -> str:
    """Return the label and faces of each die by its id, as JSON for a page that rolls them."""
    faces = {
        die.id: {
            "label": die.label,
            "faces": [[symbol.label for symbol in face] for face in die.faces],
        }
        for die in dice
    }
    return json.dumps(faces, ensure_ascii=False)
