"""When the garbage of pages is picked up."""

from __future__ import annotations

import gc
import weakref

import pytest

from charforge.sheet.garbage import left_to_the_end, uncollected


class Ring:
    """Garbage as pages leave it: what nobody holds but itself."""

    def __init__(self) -> None:
        self.itself = self


def left() -> weakref.ref[Ring]:
    return weakref.ref(Ring())


@pytest.fixture(autouse=True)
def collecting():
    gc.enable()
    yield
    gc.unfreeze()
    gc.enable()


def test_what_pages_leave_is_gone_before_the_next():
    with uncollected():
        assert not gc.isenabled()
        ring = left()
        assert ring() is not None
    assert (ring(), gc.isenabled()) == (None, True)


def test_within_other_work_on_pages_it_waits_for_the_end_of_that():
    with uncollected():
        with uncollected():
            ring = left()
        assert (ring() is not None, gc.isenabled()) == (True, False)
    assert (ring(), gc.isenabled()) == (None, True)


def test_what_is_done_last_leaves_its_garbage_until_it_is_done_again():
    with left_to_the_end(), uncollected():
        ring = left()
    gc.collect()
    assert (ring() is not None, gc.isenabled()) == (True, True)
    with left_to_the_end():
        assert ring() is None


def test_an_error_leaves_the_collector_at_work():
    for kept_out in (uncollected, left_to_the_end):
        with pytest.raises(ValueError), kept_out():
            raise ValueError
        assert gc.isenabled()
