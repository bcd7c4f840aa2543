"""Seconds of two sides that take turns, and the row of the table that they make."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = [sys.executable, "-m", "charforge"]
Row = dict[str, Any]
Side = Callable[[], float]  # does its work once; returns its seconds


class Spent(NamedTuple):
    """What a command took: of the processors, and by the clock."""

    cpu: float
    wall: float


def environment() -> dict[str, str]:
    """Return the variables of a command: both sides keep their compiled modules."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}


def run(command: list[str], folder: Path) -> Spent:
    """Run a command and return what it took; a failing one ends the benchmark."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(cpu, wall)


def work(act: Callable[[], object]) -> Side:
    """Return a side of something done in this process."""

    def side() -> float:
        start = time.process_time()
        act()
        return time.process_time() - start

    return side


def row(
    label: str,
    against: str,
    aim: float,
    ours: Side,
    theirs: Side,
    runs: int,
    clock: Literal["cpu", "wall"] = "cpu",
    at_least: bool = False,
) -> Row:
    """Let two sides take turns, once to warm up; return the row of their medians.

    Processor time says what work costs on a machine that others use too;
    the clock says what several processes gain. ``at_least`` is the aim of
    something that is to be faster so many times.
    """
    ours()
    theirs()
    pairs = [(ours(), theirs()) for _ in range(runs)]
    mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
    return ratio(label, against, aim, mine, other, clock, at_least)


def ratio(
    label: str,
    against: str,
    aim: float,
    mine: float,
    other: float,
    clock: str = "cpu",
    at_least: bool = False,
) -> Row:
    """Return the row of two figures."""
    found = other / mine if at_least else mine / other
    return {
        "work": label, "against": against, "clock": clock, "ours": mine, "theirs": other,
        "ratio": found, "aim": aim, "at_least": at_least,
        "met": found >= aim if at_least else found <= aim,
    }  # fmt: skip


def skipped(label: str, lacking: str) -> Row:
    """Return the row of what cannot be measured on this machine."""
    return {"work": label, "skipped": lacking}
