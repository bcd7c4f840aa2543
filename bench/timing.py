"""Timing: run two sides in turns and compare their medians."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = [sys.executable, "-m", "charforge"]
Side = Callable[[], float]  # does its work once and returns the seconds it took
Clock = Literal["cpu", "wall", "kB"]


class Spent(NamedTuple):
    """The seconds that a command took: processor time of all its processes, and wall time."""

    cpu: float
    wall: float


class Row(NamedTuple):
    """A line of the table: two measured figures and the aim for their ratio.

    The ratio is ``ours / theirs``, which should be at most ``aim``; with ``at_least`` it is
    the speed-up ``theirs / ours``, which should be at least ``aim``.
    """

    work: str
    against: str
    ours: float
    theirs: float
    aim: float
    clock: Clock = "cpu"
    at_least: bool = False

    @property
    def ratio(self) -> float:
        """The measured ratio."""
        return self.theirs / self.ours if self.at_least else self.ours / self.theirs

    @property
    def met(self) -> bool:
        """Whether the aim is met."""
        return self.ratio >= self.aim if self.at_least else self.ratio <= self.aim


class Sizes(NamedTuple):
    """How much is measured.

    Rounds for each row, sheets of a batch, events of a long history, the game of the rulebook.
    """

    runs: int
    sheets: int
    events: int
    book: str


class Skipped(NamedTuple):
    """A line of the table that could not be measured on this machine."""

    work: str
    missing: str


def environment() -> dict[str, str]:
    """Return the environment of a command, in which Python caches compiled modules."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def run(command: list[str], folder: Path) -> Spent:
    """Run a command in a folder and return what it took. A failing command ends the benchmark."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(cpu, wall)


def timed(act: Callable[[], object], clock: Callable[[], float] = time.process_time) -> Side:
    """Return a side that does something in this process, by default in processor time."""

    def side() -> float:
        start = clock()
        act()
        return clock() - start

    return side


def medians(runs: int, *sides: Side) -> list[float]:
    """Run the sides in turns and return their medians; before several runs, once to warm up."""
    if runs > 1:
        for side in sides:
            side()
    rounds = [[side() for side in sides] for _ in range(runs)]
    return [statistics.median(seconds) for seconds in zip(*rounds, strict=True)]


def command(folder: Path, *words: str, prepare: Callable[[], object] = lambda: None) -> Side:
    """Return a side that runs a command, in processor time; ``prepare`` is run before it."""

    def side() -> float:
        prepare()
        return run(list(words), folder).cpu

    return side
