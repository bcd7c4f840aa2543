"""Tracks on paper: their steps in a row, or one below the other where words need more room."""

from __future__ import annotations

from typing import NamedTuple

from charforge.sheet.estimate import LEADING, POINT, lines, scale_of
from charforge.sheet.print_options import Look
from charforge.sheet.view import Tracker

STEP, LARGE_STEP = 13.0, 26.0  # the least width of a step of a track
NARROW_STEP = 22.0  # of one with words


def in_a_row(tracker: Tracker, look: Look) -> bool:
    """Whether the steps of a track stand side by side."""
    least = LARGE_STEP if look.large else STEP
    if any(step.text for step in tracker.steps):
        least = max(least, NARROW_STEP * (1.7 if look.large else 1))
    return len(steps(tracker)) * least <= look.page.width


class Stop(NamedTuple):
    """A place on a track; it says its name and text where the one before has others."""

    number: int
    label: str
    text: str
    here: bool


def steps(tracker: Tracker) -> tuple[Stop, ...]:
    """Return the places of a track from its lowest figure to its highest."""
    found: list[Stop] = []
    last = ("", "")
    top = tracker.high if tracker.high is not None else tracker.low
    for number in range(tracker.low, max(top, tracker.low) + 1):
        told = ("", "")
        if tracker.steps:
            step = tracker.steps[min(number - tracker.low, len(tracker.steps) - 1)]
            told = (step.label, " ".join(map(str, step.text)))
        label, text = told[0], "" if told == last else told[1]
        known = any(step.here for step in tracker.steps)
        here = known and number == min(max(tracker.current, tracker.low), top)
        # The steps at the ends stand for whatever is beyond them: then their figure is shown.
        found.append(Stop(tracker.current if here else number, label, text, here))
        last = told
    return tuple(found)


def scale_height(tracker: Tracker, look: Look) -> float:
    """Return the height of a track with its heading."""
    scale = scale_of(look)
    set_ = steps(tracker)
    note = lines(tracker.note, look.page.width, scale.note, scale.wider) if tracker.note else 0
    told = scale.heading + note * line(scale.note)
    if not in_a_row(tracker, look):
        room = look.page.width - 70
        return told + sum(
            2.4 + line(scale.body) * max(1, lines(s.text, room, scale.note, scale.wider))
            for s in set_
        )
    room = look.page.width / len(set_) - 2.6
    label = max(lines(s.label, room, scale.body, 0.9 * scale.wider) for s in set_)
    text = max(lines(s.text, room, scale.note, scale.wider) if s.text else 0 for s in set_)
    number = 7.4 if look.large else 5.6
    return told + number + label * line(scale.body) + text * line(scale.note) + 2.4


def line(size: float) -> float:
    """Return the height of a line of letters of ``size`` points."""
    return size * POINT * LEADING
