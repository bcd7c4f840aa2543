"""Tracks: resources whose figures are steps with names of their own."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from charforge.expressions.formula import Formula
from charforge.rules.models.base import Modifier, PackModel, RuleRef, Slug, Text, ValueRef


class TrackStep(PackModel):
    """One step of a track, and what it changes while one stands on it."""

    id: Slug
    label: str
    text: Text = ""
    modifies: tuple[Modifier, ...] = ()


class Track(PackModel):
    """An ordered track, such as morale or a condition track.

    ``value`` is the resource that says where one stands: ``lowest`` is the
    first step, one more the next. Beyond the ends the nearest step holds.
    """

    id: Slug
    label: str
    value: ValueRef
    lowest: int = 0
    steps: tuple[TrackStep, ...] = Field(min_length=1)
    source: RuleRef = ""

    def step(self, figure: int) -> TrackStep:
        """Return the step of a figure."""
        return self.steps[min(max(figure - self.lowest, 0), len(self.steps) - 1)]

    def told(self, figure: int) -> str:
        """Say a figure with its step: ``2 (Winded)``."""
        return f"{figure} ({self.step(figure).label})"

    def named(self, step: TrackStep) -> str:
        """Return what a step is called as the source of what it changes."""
        return f"{self.id}.{step.id}"

    def conditions(self) -> Iterator[tuple[TrackStep, Formula]]:
        """Yield each step with the condition under which one stands on it."""
        last = len(self.steps) - 1
        for place, step in enumerate(self.steps):
            at = self.lowest + place
            bounds = [f"{self.value} >= {at}"] if place else []
            bounds += [f"{self.value} <= {at}"] if place < last else []
            yield step, Formula(" and ".join(bounds) or 1)
