"""When the garbage of pages is picked up: they keep nearly all that they make, to their end."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 0  # the generation of objects that the collector has not seen yet


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the collector out while pages are made; what is left of them goes before the next."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.collect(YOUNG)
            gc.enable()


@contextmanager
def left_to_the_end() -> Iterator[None]:
    """Keep the collector out, and leave what there is then to the end of the process.

    For the last thing that a command does. Should the process go on, and
    come here again, what was left is picked up first.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
        gc.collect()
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was:
            gc.enable()
