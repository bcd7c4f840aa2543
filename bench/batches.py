"""What is measured of many at once: sheets and characters in one command, in one process or two.

dungeonsheets, beside which sheets are measured, comes from PyPI; what it
starts from Debian: pdftk-java, texlive-latex-base, -recommended and
-extra, texlive-fonts-recommended. Its examples are the folder of that name
in its source repository; the archive on PyPI lacks them:

    python -m venv others && others/bin/pip install dungeonsheets
    PATH=$PWD/others/bin:$PATH python bench/run.py --only others --examples FOLDER

Of the examples those are taken that it makes a sheet of, as some releases
fail with a few. It shares work among processes, charforge is told not to;
processor time is that of all, so that this gains nothing.
"""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

from inside import FIRST
from timing import PROGRAM, ROOT, Row, Spent, environment, ratio, row, run, skipped

SHEETS, FEW, LEVELS = 20, 10, 5
INSIDE = str(ROOT / "bench" / "inside.py")
TOOLS = ("makesheets", "pdftk", "pdflatex")  # the first is dungeonsheets
EXAMPLE = re.compile(r"^dungeonsheets_version = ", re.MULTILINE)  # what it knows its files by
FOR_GM = re.compile(r"^sheet_type = ", re.MULTILINE)
GAIN = 1.7  # of two processes, by the clock


def others(folder: Path, runs: int, _long: bool) -> Iterator[Row]:
    """Yield sheets in one command beside dungeonsheets on as many of its examples, a page each."""
    label = f"{SHEETS} full PDFs, a page"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        yield skipped(label, f"dungeonsheets: no {', '.join(lacking)}")
        return
    examples = folder / "examples"
    found = list(_examples(examples))
    if len(found) < SHEETS:
        yield skipped(label, f"dungeonsheets: {len(found)} of {SHEETS} --examples that it prints")
        return
    names = _characters(folder, SHEETS)
    ours = [*PROGRAM, "sheet", "--force", "-o", "beside", "--jobs", "1", *names]
    theirs = [TOOLS[0], *(path.name for path in found)]
    run(ours, folder)
    mine = _pages((folder / "beside").glob("*.pdf"))
    other = _pages(path.with_suffix(".pdf") for path in found)
    yield row(
        label, "dungeonsheets, a page", 0.2,
        lambda: run(ours, folder).cpu / mine, lambda: run(theirs, examples).cpu / other, runs,
    )  # fmt: skip


def sheets(folder: Path, runs: int, long: bool) -> Iterator[Row]:
    """Yield what a sheet of many costs beside one of few, and what two processes gain."""
    number = 1000 if long else 100
    names = _characters(folder, number)
    make = [*PROGRAM, "sheet", "--force", "-o", "sheets", "--jobs"]
    few, one, two = _in_turn(
        runs,
        lambda: run([*make, "1", *names[:FEW]], folder),
        lambda: run([*make, "1", *names], folder),
        lambda: run([*make, "2", *names], folder),
    )
    yield ratio(f"a sheet of {number:,}", f"a sheet of {FEW}", 1.1, one.cpu / number, few.cpu / FEW)
    yield from _gain(f"{number:,} sheets", one, two)


def characters(folder: Path, runs: int, long: bool) -> Iterator[Row]:
    """Yield what a character costs after many, and what two processes gain."""
    number = 10_000 if long else 1_000
    measured = folder / "characters.json"
    run([sys.executable, INSIDE, str(number), str(measured)], folder)
    few, many = json.loads(measured.read_text("utf-8"))
    for what, clock in (("seconds", "cpu"), ("memory", "kB")):
        label = f"a random character after {number:,}"
        yield ratio(label, f"after {FIRST}, {what}", 1.1, many[what], few[what], clock)
    fresh = count()
    make = [*PROGRAM, "new", "--random", "--count", str(number), "--level", "10", "--seed", "1"]

    def crew(jobs: str) -> Spent:
        made = f"crew{next(fresh)}"
        spent = run([*make, "--jobs", jobs, "-o", f"{made}/"], folder)
        shutil.rmtree(folder / made)
        return spent

    yield from _gain(
        f"{number:,} characters", *_in_turn(runs, lambda: crew("1"), lambda: crew("2"))
    )


def _characters(folder: Path, number: int) -> list[str]:
    """Write so many characters, of five levels, and return their names."""
    make = [*PROGRAM, "new", "--random", "--count", "1", "--seed"]
    for one in range(number):
        if one < LEVELS:
            level = ["--level", str(2 * one + 1)]
            run([*make, str(one), *level, "--force", "-o", f"m{one}.json"], folder)
        else:
            shutil.copy(folder / f"m{one % LEVELS}.json", folder / f"m{one}.json")
    return [f"m{one}.json" for one in range(number)]


def _in_turn(runs: int, *sides: Callable[[], Spent]) -> list[Spent]:
    """Let sides take turns, which take minutes and need no warming up; return their medians."""
    rounds = [[side() for side in sides] for _ in range(runs)]
    return [
        Spent(*(statistics.median(kind) for kind in zip(*spent, strict=True)))
        for spent in zip(*rounds, strict=True)
    ]


def _gain(label: str, one: Spent, two: Spent) -> Iterator[Row]:
    """Yield what two processes gain by the clock, and what they cost of the processors.

    The clock tells something only where two cores have nothing else to do;
    processes that cost more than this are slower by it wherever they run.
    """
    label = f"{label}, two processes"
    yield ratio(label, "one process", GAIN, two.wall, one.wall, "wall", at_least=True)
    yield ratio(label, "one process", 2 / GAIN, two.cpu, one.cpu)


def _examples(folder: Path) -> Iterator[Path]:
    """Yield characters of a folder that dungeonsheets makes a sheet of, as many as are wanted."""
    wanted = SHEETS
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        text = path.read_text("utf-8")
        if not wanted:
            return
        if not EXAMPLE.search(text) or FOR_GM.search(text):
            continue
        told = {"cwd": folder, "env": environment(), "capture_output": True}
        done = subprocess.run([TOOLS[0], path.name], **told, check=False)
        if done.returncode == 0 and path.with_suffix(".pdf").exists():
            wanted -= 1
            yield path


def _pages(files: Iterator[Path]) -> int:
    from pypdf import PdfReader

    return sum(len(PdfReader(path).pages) for path in files)
