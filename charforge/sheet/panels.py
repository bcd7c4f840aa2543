"""The panels below the attributes: tracks over the full width, then columns.

The height of each panel is estimated before the layout. Each goes to the shortest column, so
that the first ones are at the top. A short sheet has those that fit a share of its page. Lengths
are in millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from charforge.sheet import reading
from charforge.sheet.deck import POOLS
from charforge.sheet.estimate import (
    LEADING,
    POINT,
    attack_height,
    height_above_attacks,
    height_above_cards,
    lines,
    scale_of,
)
from charforge.sheet.listing import list_height, row_height, width
from charforge.sheet.pips import DrawnTrack, PipShape, draw_track, marked_path
from charforge.sheet.print_options import Look
from charforge.sheet.scales import line, scale_height
from charforge.sheet.view import SheetPool, SheetView, Tracker, UnitPanel, ViewList

LARGE_SHARE = 0.55  # of a page: the most for panels of a short sheet in large print
LEFT, LEFT_LARGE, UNITS = 42.0, 50.0, 14.0  # room for the rest of the page, more with units
ATTACKS, DEEDS, LARGER = 70.0, 60.0, 1.6  # room that lists leave for attacks and for actions
BOX = PipShape(2.9, 2.9, 0.5, 5, 1.1)
LABEL, LABEL_LARGE = 24.0, 36.0  # the width of the label of a row of boxes
ONE_ROW = 6  # boxes in one group


class Panel(NamedTuple):
    """One block: a list, pools, trackers with boxes, or room to write numbers."""

    heading: str
    height: float
    listing: ViewList | None = None
    pools: tuple[SheetPool, ...] = ()
    boxes: tuple[Tracker, ...] = ()
    counts: tuple[Tracker, ...] = ()


class Panels(NamedTuple):
    """Tracks and columns of panels with their total height.

    ``wide`` panels have the width of the page, the lists ``below`` are under the attacks,
    ``more`` is the number of panels without room.
    """

    scales: tuple[Tracker, ...]
    wide: tuple[Panel, ...]
    columns: tuple[tuple[Panel, ...], ...]
    below: tuple[tuple[Panel, ...], ...]
    more: int
    height: float


def panels(view: SheetView, look: Look) -> Panels:
    """Arrange the panels of a sheet."""
    return _short(view, look) if look.layout == "short" else _full(view, look)


def _full(view: SheetView, look: Look) -> Panels:
    """Arrange all panels; lists that leave no room for the attacks go below them."""
    scales = _scales(view)
    over = sum(scale_height(one, look) for one in scales)
    most = look.page.height - height_above_cards(view, look) - over
    needed = [*_trackers(view, look), *_pools(view, look)]
    lists = list(_lists(view, look))
    beside = _fitting(needed, lists, most, look)
    columns, high = _columns([*needed, *beside], look)
    below, low = _columns([panel for panel in lists if panel not in beside], look)
    return Panels(scales, (), columns, below, 0, over + high + low)


def _short(view: SheetView, look: Look) -> Panels:
    """Arrange the panels that leave room for the other parts of a fight, in their order."""
    above = height_above_attacks(view, look)
    left = (LEFT_LARGE if look.large else LEFT) + (UNITS if view.units else 0)
    least = look.page.height - above - left
    if look.large and not look.side_by_side:
        least = LARGE_SHARE * look.page.height
    written = least
    if not look.large:
        least = min(least, look.page.height - above - reading.least(view, look, 1))
        needed = reading.least(view, look, len(view.attacks))
        written = min(least, look.page.height - above - needed)
    over = _footnotes_height(view, look)
    trackers = list(_trackers(view, look))
    scales: list[Tracker] = []
    for one in _scales(view):
        if over + scale_height(one, look) <= least:
            scales.append(one)
            over += scale_height(one, look)
    wide: list[Panel] = []
    for panel in trackers:
        if panel.boxes and over + panel.height <= least:
            wide.append(panel)
            over += panel.height
    most = min(least, _left_by_attacks(view, look))
    counts, pools = [one for one in trackers if not one.boxes], list(_pools(view, look))
    lists = list(_lists(view, look))
    narrow = _fitting([], counts, written - over, look)
    narrow += _fitting(narrow, pools, least - over, look)
    narrow += _fitting(narrow, lists, most - over, look)
    columns, high = _columns(narrow, look)
    every = len(_scales(view)) + len(trackers) + bool(view.pools) + len(lists)
    more = every - len(scales) - len(wide) - len(narrow)
    return Panels(tuple(scales), tuple(wide), columns, (), more, over + high)


def _fitting(
    before: Sequence[Panel], panels: Sequence[Panel], most: float, look: Look
) -> list[Panel]:
    """Return the panels that fit: in ``most`` mm, or in gaps of the columns."""
    fitting: list[Panel] = []
    for panel in panels:
        now, then = (_columns([*before, *fitting, *more], look)[1] for more in ((), (panel,)))
        if then <= max(now, most):
            fitting.append(panel)
    return fitting


def _scales(view: SheetView | UnitPanel) -> tuple[Tracker, ...]:
    return tuple(one for one in view.trackers if one.steps or one.low < 0)


def _left_by_attacks(view: SheetView, look: Look) -> float:
    """Return the height that a short sheet has left for lists, beside attacks and actions."""
    above = height_above_attacks(view, look) + scale_of(look).heading
    attacks = min(sum(attack_height(line, look) for line in view.attacks), ATTACKS)
    deeds = DEEDS if view.cards else DEEDS / 2
    if look.side_by_side:
        return look.page.height - above - (LEFT_LARGE if look.large else max(attacks, deeds) + LEFT)
    pages, grown = (2, LARGER) if look.large else (1, 1.0)
    return pages * look.page.height - above - grown * (attacks + deeds)


def _footnotes_height(view: SheetView, look: Look) -> float:
    """Return the height of the footnotes of a short sheet: names of dice, parts left out."""
    if look.layout != "short":
        return 0.0
    line = scale_of(look).note * POINT * LEADING
    names = "        ".join(die.label for die in view.dice)
    wide = scale_of(look).wider
    rows = lines(names, look.page.width - 12 * len(view.dice), scale_of(look).note, wide)
    return (rows * (line + 1.6) + 1.4 if view.dice else 0.0) + (
        line + 0.6 if view.charts or view.lists or view.trackers else 0.0
    )


def of_unit(unit: UnitPanel, look: Look) -> Panels:
    """Return the trackers and pools of a companion or vehicle, one below the other."""
    column = (*_trackers(unit, look), *_pools(unit, look))
    return Panels(_scales(unit), (), (column,) if column else (), (), 0, 0.0)


def height(view: SheetView, look: Look) -> float:
    """Return the height of everything between the attributes and the attacks."""
    return panels(view, look).height


def _columns(panels: Sequence[Panel], look: Look) -> tuple[tuple[tuple[Panel, ...], ...], float]:
    """Return columns of panels, each below the shortest, and the height of the highest."""
    columns: list[list[Panel]] = [[] for _ in range(look.columns)]
    filled = [0.0] * look.columns
    for panel in panels:
        side = filled.index(min(filled))
        columns[side].append(panel)
        filled[side] += panel.height
    return tuple(map(tuple, columns)) if panels else (), max(filled)


# ------------------------------------------------------------------ boxes


def boxes(tracker: Tracker, look: Look) -> DrawnTrack:
    """Return the boxes of a tracker."""
    number = (tracker.high or 0) - tracker.low
    shape = BOX._replace(group=number) if number <= ONE_ROW else BOX
    shape = shape.times(1.4) if look.large else shape
    return draw_track(number, shape, _box_room(look))


def filled(tracker: Tracker, drawn: DrawnTrack) -> str:
    """Return the path that marks the boxes up to the present value of a tracker."""
    return marked_path(drawn, tracker.current - tracker.low)


def _box_room(look: Look) -> float:
    return 44.0 if look.large else 20.0


def _trackers(view: SheetView | UnitPanel, look: Look) -> Iterator[Panel]:
    """Yield a panel for consecutive trackers with the same heading."""
    plain = [one for one in view.trackers if not one.steps and one.low >= 0]
    scale = scale_of(look)
    for (heading, boxed), consecutive in groupby(plain, lambda t: (t.heading, t.high is not None)):
        group = tuple(consecutive)
        if look.layout == "short":
            group = tuple(one._replace(note="") for one in group)
        if boxed:
            heights = [_boxes_height(one, look) for one in group]
            each = boxes_abreast(look)
            heights = [max(heights[n : n + each]) for n in range(0, len(heights), each)]
            height = scale.heading + sum(heights)
            yield Panel(heading, height, boxes=group)
        else:
            box = (38.0, 18.0) if look.large else (21.2, 12.0)
            rows = -(-len(group) // int((width(look) + 1.6) // box[0]))
            yield Panel(heading, scale.heading + rows * box[1], counts=group)


def boxes_abreast(look: Look) -> int:
    """Return how many trackers fit in a row: on a short sheet the width of the page is used."""
    if look.layout != "short":
        return 1
    return int(look.page.width // (LABEL_LARGE + 48 if look.large else LABEL + 23))


def _boxes_height(tracker: Tracker, look: Look) -> float:
    scale = scale_of(look)
    drawn = boxes(tracker, look)
    label = LABEL_LARGE if look.large else LABEL
    room = width(look) - label - _box_room(look) - 4
    note = 0
    if tracker.note:
        note = lines(tracker.note, room, scale.note, scale.wider)
    name = lines(tracker.label, label - 2, scale.body, 0.92 * scale.wider)
    text = max(note * line(scale.note), name * line(scale.body))
    return 1.5 + max(text, drawn.height + 0.6)


# ------------------------------------------------------------------ pools and lists


def _pools(view: SheetView | UnitPanel, look: Look) -> Iterator[Panel]:
    if view.pools:
        row = row_height(look, drawn=True)
        yield Panel(POOLS, scale_of(look).heading + len(view.pools) * row, pools=view.pools)


def _lists(view: SheetView, look: Look) -> Iterator[Panel]:
    for one in view.lists:
        yield Panel(one.label, list_height(one, look), listing=one)
