"""The panels below the attributes: tracks over the whole width, then columns.

Each panel has its height reckoned before any layout; the next one goes
below the shortest column, so that the first ones stand highest. A short
sheet takes those that fit a share of its page. Lengths are millimetres.
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

LARGE_SHARE = 0.55  # of a page in large print, that panels of a short sheet may take
LEFT, LEFT_LARGE, UNITS = 42.0, 50.0, 14.0  # what they always leave to the rest, more with units
ATTACKS, DEEDS, LARGER = 70.0, 60.0, 1.6  # what lists leave to attacks and to the rest of it
BOX = PipShape(2.9, 2.9, 0.5, 5, 1.1)
LABEL, LABEL_LARGE = 24.0, 36.0  # the width of what a row of boxes is called
ONE_ROW = 6  # boxes that stand in one group


class Panel(NamedTuple):
    """One block: a list, pools, trackers with boxes, or room to write numbers."""

    heading: str
    height: float
    listing: ViewList | None = None
    pools: tuple[SheetPool, ...] = ()
    boxes: tuple[Tracker, ...] = ()
    counts: tuple[Tracker, ...] = ()


class Panels(NamedTuple):
    """Tracks and columns of panels, ``height`` in all; so many ``more`` found no room.

    Those that are ``wide`` take the width of the page; the lists ``below``
    stand under the attacks.
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
    """Arrange all of them; lists that leave no room for the attacks on the page go below these."""
    scales = _scales(view)
    over = sum(scale_height(one, look) for one in scales)
    most = look.page.height - height_above_cards(view, look) - over
    needed = [*_trackers(view, look), *_pools(view, look)]
    lists = list(_lists(view, look))
    kept = _fitting(needed, lists, most, look)
    columns, high = _columns([*needed, *kept], look)
    below, low = _columns([panel for panel in lists if panel not in kept], look)
    return Panels(scales, (), columns, below, 0, over + high + low)


def _short(view: SheetView, look: Look) -> Panels:
    """Arrange those that leave room for what a fight needs besides, the first ones first."""
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
    over = _told_below(view, look)
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
    kept = _fitting([], counts, written - over, look)
    kept += _fitting(kept, pools, least - over, look)
    kept += _fitting(kept, lists, most - over, look)
    columns, high = _columns(kept, look)
    wanted = len(_scales(view)) + len(trackers) + bool(view.pools) + len(lists)
    more = wanted - len(scales) - len(wide) - len(kept)
    return Panels(tuple(scales), tuple(wide), columns, (), more, over + high)


def _fitting(
    before: Sequence[Panel], panels: Sequence[Panel], most: float, look: Look
) -> list[Panel]:
    """Return the panels that can be added: in ``most`` mm, or in gaps that there are already."""
    kept: list[Panel] = []
    for panel in panels:
        now, then = (_columns([*before, *kept, *more], look)[1] for more in ((), (panel,)))
        if then <= max(now, most):
            kept.append(panel)
    return kept


def _scales(view: SheetView | UnitPanel) -> tuple[Tracker, ...]:
    return tuple(one for one in view.trackers if one.steps or one.low < 0)


def _left_by_attacks(view: SheetView, look: Look) -> float:
    """Return what a short sheet has left for lists beside its attacks and what else is done."""
    above = height_above_attacks(view, look) + scale_of(look).heading
    attacks = min(sum(attack_height(line, look) for line in view.attacks), ATTACKS)
    deeds = DEEDS if view.cards else DEEDS / 2
    if look.side_by_side:
        return look.page.height - above - (LEFT_LARGE if look.large else max(attacks, deeds) + LEFT)
    pages, grown = (2, LARGER) if look.large else (1, 1.0)
    return pages * look.page.height - above - grown * (attacks + deeds)


def _told_below(view: SheetView, look: Look) -> float:
    """Return the height of what a short sheet says below: the names of dice, what is left out."""
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
    """Return what a companion or vehicle keeps count of, and its pools, one below the other."""
    made = (*_trackers(unit, look), *_pools(unit, look))
    return Panels(_scales(unit), (), (made,) if made else (), (), 0, 0.0)


def height(view: SheetView, look: Look) -> float:
    """Return the height of all that stands between the attributes and the attacks."""
    return panels(view, look).height


def _columns(made: Sequence[Panel], look: Look) -> tuple[tuple[tuple[Panel, ...], ...], float]:
    """Return columns of panels, each below the shortest, and the height of the highest."""
    columns: list[list[Panel]] = [[] for _ in range(look.columns)]
    filled = [0.0] * look.columns
    for panel in made:
        side = filled.index(min(filled))
        columns[side].append(panel)
        filled[side] += panel.height
    return tuple(map(tuple, columns)) if made else (), max(filled)


# ------------------------------------------------------------------ boxes


def boxes(tracker: Tracker, look: Look) -> DrawnTrack:
    """Return the boxes of a tracker."""
    number = (tracker.high or 0) - tracker.low
    shape = BOX._replace(group=number) if number <= ONE_ROW else BOX
    shape = shape.times(1.4) if look.large else shape
    return draw_track(number, shape, _box_room(look))


def filled(tracker: Tracker, drawn: DrawnTrack) -> str:
    """Return the path of what is marked in the boxes up to where a tracker stands."""
    return marked_path(drawn, tracker.current - tracker.low)


def _box_room(look: Look) -> float:
    return 44.0 if look.large else 20.0


def _trackers(view: SheetView | UnitPanel, look: Look) -> Iterator[Panel]:
    """Yield panels of trackers that follow each other under one heading."""
    plain = [one for one in view.trackers if not one.steps and one.low >= 0]
    scale = scale_of(look)
    for (over, counted), found in groupby(plain, lambda one: (one.heading, one.high is not None)):
        group = tuple(found)
        if look.layout == "short":
            group = tuple(one._replace(note="") for one in group)
        if counted:
            heights = [_boxes_height(one, look) for one in group]
            each = boxes_abreast(look)
            heights = [max(heights[n : n + each]) for n in range(0, len(heights), each)]
            height = scale.heading + sum(heights)
            yield Panel(over, height, boxes=group)
        else:
            box = (38.0, 18.0) if look.large else (21.2, 12.0)
            rows = -(-len(group) // int((width(look) + 1.6) // box[0]))
            yield Panel(over, scale.heading + rows * box[1], counts=group)


def boxes_abreast(look: Look) -> int:
    """Return how many trackers stand in a row: on a short sheet as many as a page is wide."""
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
    told = max(note * line(scale.note), name * line(scale.body))
    return 1.5 + max(told, drawn.height + 0.6)


# ------------------------------------------------------------------ pools and lists


def _pools(view: SheetView | UnitPanel, look: Look) -> Iterator[Panel]:
    if view.pools:
        row = row_height(look, drawn=True)
        yield Panel(POOLS, scale_of(look).heading + len(view.pools) * row, pools=view.pools)


def _lists(view: SheetView, look: Look) -> Iterator[Panel]:
    for one in view.lists:
        yield Panel(one.label, list_height(one, look), listing=one)
