"""Batches: many sheets and characters with one command, in one process or two."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from statistics import fmean

from timing import PROGRAM, ROOT, Row, Sizes, Spent, run

SHEETS, FEW, LEVELS = 100, 10, 5
GAIN = 1.7  # the speed-up by two processes
SHARE = 0.7  # of the cost of a sheet by itself, for one of many


def sheets(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield the cost of a sheet in batches, and their speed-up by two processes.

    The batches are of the number of sheets and of a fifth of it.
    """
    number = sizes.sheets
    names = write_characters(folder, number)
    single = [*PROGRAM, "sheet", "--force", "-o", "alone.pdf"]
    alone = fmean(run([*single, name], folder).cpu for name in names[:LEVELS])
    (folder / "sheets").mkdir(exist_ok=True)  # or a batch of one would be a file of this name
    command = [*PROGRAM, "sheet", "--force", "-o", "sheets", "--jobs"]
    for size in dict.fromkeys((number // 5 or number, number)):
        one, two = (run([*command, jobs, *names[:size]], folder) for jobs in "12")
        yield Row(f"one of {size:,} sheets", "a sheet by itself", one.cpu / size, alone, SHARE)
        yield from _gain(f"{size:,} sheets", one, two)


def long_batches(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield whether many sheets, and many characters, each cost more than a few."""
    number = sizes.sheets
    names = write_characters(folder, number)
    command = [*PROGRAM, "sheet", "--force", "-o", "sheets", "--jobs", "1"]
    few = min(FEW, number)
    batches = dict.fromkeys((few, number))
    cost = {n: run([*command, *names[:n]], folder).cpu / n for n in batches}
    yield Row(f"one of {number:,} sheets", f"one of {few}", cost[number], cost[few], 1.1)
    measured, characters = folder / "characters.json", 10 * number
    memory = [sys.executable, str(ROOT / "bench/memory.py"), str(number), str(characters)]
    run([*memory, str(measured)], folder)
    early, late = json.loads(measured.read_text("utf-8"))
    work, against = f"a character after {characters:,}", f"after {number:,}"
    yield Row(work, f"{against}, time", late["seconds"], early["seconds"], 1.1)
    yield Row(work, f"{against}, memory", late["kB"], early["kB"], 1.1, "kB")
    folders = count()

    def create(jobs: str) -> Spent:
        target = f"characters{next(folders)}"
        command = [*PROGRAM, "new", "--random", "--count", str(characters), "--level", "10"]
        spent = run([*command, "--seed", "1", "--jobs", jobs, "-o", f"{target}/"], folder)
        shutil.rmtree(folder / target)
        return spent

    yield from _gain(f"{characters:,} characters", create("1"), create("2"))


def write_characters(folder: Path, number: int) -> list[str]:
    """Write character files of five different levels and return their names."""
    command = [*PROGRAM, "new", "--random", "--count", "1", "--force"]
    for index in range(number):
        path = folder / f"m{index}.json"
        if index >= LEVELS:
            shutil.copy(folder / f"m{index % LEVELS}.json", path)
        elif not path.exists():
            level = str(2 * index + 1)
            run([*command, "--seed", str(index), "--level", level, "-o", path.name], folder)
    return [f"m{index}.json" for index in range(number)]


def _gain(work: str, one: Spent, two: Spent) -> Iterator[Row]:
    """Yield the speed-up by two processes, and their cost in processor time.

    The speed-up means something only if two cores are idle. The cost does not depend on
    that: if it is more than the aim, two processes cannot be fast enough on any machine.
    """
    work = f"{work}, two processes"
    yield Row(work, "one process", two.wall, one.wall, GAIN, "wall", at_least=True)
    yield Row(work, "one process", two.cpu, one.cpu, 2 / GAIN)
