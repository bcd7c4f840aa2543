"""Pips: the right number, within their space."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.sheet.drawings import (
    CELL,
    CIRCLE,
    HEXAGON,
    MOST_WEIGHT,
    PAIR,
    ROW_ROOM,
    SMALL_HEXAGON,
    TICK_BOX,
    box_count,
    box_label,
    draw_track,
    filled_pips,
    marked_path,
    shared_row,
    ticks,
    tile_rows,
    used_boxes,
)
from charforge.sheet.print_options import LINES, PrintOptions
from charforge.sheet.view import SheetCapacity, SheetTrackStep, SheetVital, Tracker

SHAPES = (CELL, CIRCLE, HEXAGON, SMALL_HEXAGON, PAIR, TICK_BOX)


def vital(most: int | None, half: bool = False) -> SheetVital:
    return SheetVital("v", "V", "", 0, most, -(-most // 2) if half and most else None)


@given(st.sampled_from(SHAPES), st.integers(0, 120), st.floats(12, 180))
def test_every_pip_is_drawn_within_the_room(shape: object, pips: int, room: float) -> None:
    made = draw_track(pips, shape, room)  # type: ignore[arg-type]
    assert made.path.count("z") == pips
    assert pips == 0 or made.width <= room + 0.5


@pytest.mark.parametrize(
    ("most", "pips", "worth"), [(62, 62, 1), (80, 80, 1), (81, 17, 5), (195, 39, 5)]
)
def test_many_points_share_a_pip(most: int, pips: int, worth: int) -> None:
    ((tile,),) = tile_rows([vital(most, half=True)], PrintOptions())
    assert tile.track is not None
    assert (tile.track.pips, tile.track.worth) == (pips, worth)
    assert tile.track.half


@pytest.mark.parametrize(
    ("most", "current", "filled"),
    [(30, 30, 0), (30, 10, 20), (5, 0, 5), (5, -3, 5), (20, 25, 0), (221, 219, 1), (221, 0, 45),
     (None, 0, 0), (None, 4, 4), (None, 65, 12)],
)  # fmt: skip
def test_lost_points_are_filled_and_points_without_a_maximum_that_there_are(
    most: int | None, current: int, filled: int
) -> None:
    hurt = vital(most, half=most is not None and most > 80)._replace(current=current)
    ((tile,),) = tile_rows([hurt], PrintOptions())
    assert tile.track is not None
    assert filled_pips(hurt, tile.track) == filled


@pytest.mark.parametrize("most", [20, 59, 80, 81, 221])
def test_the_bar_is_after_the_pips_that_are_filled_at_half(most: int) -> None:
    full = vital(most, half=True)
    assert full.half is not None
    ((tile,),) = tile_rows([full], PrintOptions())
    assert tile.track is not None
    last = filled_pips(full._replace(current=full.half), tile.track) - 1
    x, y = tile.track.places[last]
    bar_x, bar_y = map(float, tile.track.half[1:].partition("v")[0].split())
    assert (bar_x, bar_y) == pytest.approx((x + tile.track.pip, y), abs=0.02)


@given(st.lists(st.one_of(st.none(), st.integers(0, 300)), min_size=1, max_size=4))
def test_few_vitals_share_a_row_in_large_print(maxima: list[int | None]) -> None:
    """Of a vehicle or a companion: each would have half a page's width for a few pips."""
    vitals = [vital(most) for most in maxima]
    rows = tile_rows(vitals, PrintOptions(styles=frozenset({"large-print"})), "unit")
    assert [tile.vital for row in rows for tile in row] == sorted(
        vitals, key=lambda one: len(rows) > 1 and (one.max or 0) <= 30
    )
    weights = [1 if most is None or most <= 10 else 2 if most <= 30 else 4 for most in maxima]
    has_room = sum(weights) <= MOST_WEIGHT or len(weights) == 1
    assert (len(rows) == 1) == (has_room or 4 not in weights)


@pytest.mark.parametrize(
    ("maxima", "scores", "weights", "across"),
    [
        ((10, None), 6, [1, 1], 8),
        ((40,), 6, [3], 9),  # the boxes leave a tile with many pips a third of the page
        ((2,), 3, [1], 8),
        ((62, 12, 5, None), 8, [], 8),
    ],
)
def test_vitals_share_a_row_with_attributes_that_have_room_there(
    maxima: tuple[int | None, ...], scores: int, weights: list[int], across: int
) -> None:
    tiles, shares = shared_row([vital(most) for most in maxima], scores, PrintOptions())
    assert ([tile.weight for tile in tiles], shares) == (weights, across)
    for tile in tiles:
        assert tile.track is not None
        assert tile.track.width < 190 / across * tile.weight


def test_large_print_shares_two_rows_if_all_tiles_are_narrow() -> None:
    large = PrintOptions(styles=frozenset({"large-print"}))
    tiles, across = shared_row([vital(10), vital(None)], 6, large)
    assert (len(tiles), across) == (2, 4)
    assert shared_row([vital(40)], 6, large)[0] == ()


def test_on_half_a_page_with_little_room_vitals_are_a_row_of_numbers() -> None:
    vitals = [vital(most) for most in (221, 17, 7, None)]
    [row] = tile_rows(vitals, PrintOptions("short", "a5", brevity=LINES))
    assert [(tile.weight, tile.track) for tile in row] == [(1, None)] * 4


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 300)), min_size=1, max_size=4),
    st.sampled_from(sorted(ROW_ROOM)),
)
def test_tracks_stay_within_their_shares_of_the_row(maxima: list[int | None], place: str) -> None:
    vitals = [vital(most, half=number == 0) for number, most in enumerate(maxima)]
    (row,) = tile_rows(vitals, PrintOptions(), place)
    share = 190 / sum(tile.weight for tile in row)
    assert [tile.weight for tile in row] == [
        1 if most is None or most <= 10 else 2 if most <= 30 else 4 for most in maxima
    ]
    for tile in row:
        assert tile.track is None or tile.track.width < share * tile.weight


@pytest.mark.parametrize(
    ("number", "rows", "each"), [(6, 1, 6), (12, 2, 6), (15, 1, 15), (30, 2, 15)]
)
def test_boxes_stand_in_the_groups_that_take_fewer_rows(number: int, rows: int, each: int) -> None:
    """In 50 mm, the width of a card, there is room for one group of six, or three of small ones."""
    drawn = ticks(number, PrintOptions("cards"), 50)
    heights = sorted({y for _x, y in drawn.places})
    assert (len(heights), drawn.pips, drawn.worth) == (rows, number, 1)
    assert sum(y == heights[0] for _x, y in drawn.places) == each


@given(st.integers(1, 200), st.lists(st.integers(0, 200), min_size=1, max_size=4), st.booleans())
def test_boxes_used_up_are_those_of_each_thing(most: int, each: list[int], short: bool) -> None:
    used, pieces = tuple(min(one, most) for one in each), len(each)
    held = SheetCapacity("Ammo", most, pieces, used if any(used) else ())
    options = PrintOptions("short" if short else "full")
    drawn = ticks(most, options)
    found = [used_boxes(held, piece, drawn) for piece in range(pieces)]
    assert all(0 <= number <= drawn.pips for number in found)
    assert (found == [drawn.pips] * pieces) == (held.left == 0)
    assert marked_path(drawn, found[0]).count("z") == found[0]
    if drawn.worth == 1:
        assert tuple(found) == used
    else:
        assert box_label(held, options).endswith(f", {held.left} left") == any(used)
        assert "left" not in box_label(held, options, play=True)


@given(st.integers(1, 300), st.integers(1, 50), st.sampled_from([12, 80]))
def test_what_is_used_at_once_is_whole_boxes_unless_those_are_too_many(
    number: int, at_once: int, most: int
) -> None:
    boxes, worth = box_count(number, most, at_once)
    assert boxes <= most
    assert boxes * worth >= number
    if at_once % worth:
        assert number > at_once * most


def test_what_another_holds_has_no_tile() -> None:
    assert tile_rows([SheetVital("e", "Energy", "", 3, 3, None, shared=True)], PrintOptions()) == ()


@pytest.mark.parametrize(
    ("current", "shown"),
    [(-1, [-1, 0, 1]), (1, [-1, 0, 1]), (4, [-1, 0, 4]), (-7, [-7, 0, 1])],
)
def test_a_figure_beyond_the_ends_of_a_track_is_shown_as_it_is(
    current: int, shown: list[int]
) -> None:
    here = min(max(current, -1), 1)
    named = tuple(SheetTrackStep(n, str(n), (), n == here) for n in (-1, 0, 1))
    stops = Tracker("m", "M", "M", "", current, -1, 1, named).stops
    assert [stop.number for stop in stops] == shown
    assert [stop.number for stop in stops if stop.here] == [current]
