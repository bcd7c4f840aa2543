"""Trackers: resources to keep count of on paper, and tracks whose numbers have names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from charforge.expressions.markup import Prose
from charforge.language import _
from charforge.sheet.view.figures import SheetPool

MOST_TOGETHER = 8  # rows of boxes in one block


class SheetTrackStep(NamedTuple):
    """A step of a track with its number; ``here`` marks the present one."""

    number: int
    label: str
    text: Prose
    here: bool


class Tracker(NamedTuple):
    """A resource to keep count of on paper, under a heading.

    It goes from ``low`` to ``high`` in boxes, of which those up to ``current`` are filled; a
    ``high`` of None leaves room to write instead. With ``steps`` its numbers have names.
    """

    id: str
    heading: str
    label: str
    note: str
    current: int
    low: int = 0
    high: int | None = None
    steps: tuple[SheetTrackStep, ...] = ()
    # The key of its tracker on a page to play from.
    tracker_key: str = ""

    @property
    def is_track(self) -> bool:
        """Whether its numbers are printed one by one: they have names, or are below zero."""
        return bool(self.steps) or self.low < 0

    @property
    def stops(self) -> tuple[SheetTrackStep, ...]:
        """Its numbers from lowest to highest; a text is said once where several have the same.

        A step at either end stands for whatever is beyond it, and then shows that number.
        """
        top = max(self.high if self.high is not None else self.low, self.low)
        known = any(step.here for step in self.steps)
        stops: list[SheetTrackStep] = []
        last: tuple[str, Prose] = ("", ())
        for number in range(self.low, top + 1):
            step: tuple[str, Prose] = ("", ())
            if self.steps:
                named = self.steps[min(number - self.low, len(self.steps) - 1)]
                step = (named.label, named.text)
            here = known and number == min(max(self.current, self.low), top)
            text = () if step == last else step[1]
            stops.append(SheetTrackStep(self.current if here else number, step[0], text, here))
            last = step
        return tuple(stops)


class TrackerGroup(NamedTuple):
    """Trackers under one heading, in boxes or with room to write; or the pools of dice."""

    heading: str
    boxes: tuple[Tracker, ...]
    numbers: tuple[Tracker, ...] = ()
    pools: tuple[SheetPool, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether it has so many boxes that they need columns of their own."""
        return len(self.boxes) > MOST_TOGETHER


def tracker_groups(
    trackers: Iterable[Tracker], pools: tuple[SheetPool, ...]
) -> tuple[TrackerGroup, ...]:
    """Return the trackers without steps by heading, then the pools of dice."""
    headings: dict[str, list[Tracker]] = {}
    for tracker in trackers:
        if not tracker.is_track:
            headings.setdefault(tracker.heading, []).append(tracker)
    groups = [
        TrackerGroup(
            heading,
            tuple(tracker for tracker in group if tracker.high is not None),
            tuple(tracker for tracker in group if tracker.high is None),
        )
        for heading, group in headings.items()
    ]
    return (*groups, *([TrackerGroup(_("Dice pools"), (), (), pools)] if pools else ()))
