"""Pips: as many as there is to count, inside the room they have."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.sheet.track import CELL, CIRCLE, HEXAGON, PAIR, SMALL_HEXAGON, TICK, tiles, track
from charforge.sheet.view import Vital

SHAPES = (CELL, CIRCLE, HEXAGON, SMALL_HEXAGON, PAIR, TICK)


def vital(most: int | None, half: bool = False) -> Vital:
    return Vital("v", "V", "", 0, most, -(-most // 2) if half and most else None)


@given(st.sampled_from(SHAPES), st.integers(0, 120), st.floats(12, 180))
def test_every_pip_is_drawn_within_the_room(shape: object, pips: int, room: float) -> None:
    made = track(pips, shape, room)  # type: ignore[arg-type]
    assert made.path.count("z") == pips
    assert pips == 0 or made.width <= room + 0.5


@pytest.mark.parametrize(
    ("most", "pips", "worth"), [(62, 62, 1), (80, 80, 1), (81, 17, 5), (195, 39, 5)]
)
def test_many_points_share_a_pip(most: int, pips: int, worth: int) -> None:
    (tile,) = tiles([vital(most, half=True)])
    assert tile.track is not None
    assert (tile.track.pips, tile.track.worth) == (pips, worth)
    assert tile.track.half


@given(st.lists(st.one_of(st.none(), st.integers(0, 300)), min_size=1, max_size=6))
def test_tiles_fill_the_row_exactly(maxima: list[int | None]) -> None:
    row = tiles([vital(most, half=number == 0) for number, most in enumerate(maxima)])
    assert sum(tile.width for tile in row) + 2 * (len(row) - 1) == pytest.approx(190, abs=0.1)


def test_what_another_holds_has_no_tile() -> None:
    assert tiles([Vital("e", "Energy", "", 3, 3, None, shared=True)]) == ()
