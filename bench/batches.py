"""What is measured of many at once: sheets and characters in one command, in one process or two."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from timing import PROGRAM, ROOT, Row, row, run, skipped

SHEETS, FEW, LEVELS = 20, 10, 5
INSIDE = str(ROOT / "bench" / "inside.py")
TOOLS = ("makesheets", "pdftk", "pdflatex")  # of dungeonsheets, from PyPI


def rows(folder: Path, runs: int, long: bool) -> Iterator[Row]:
    """Yield sheets beside other makers', what one of many costs, and what two processes gain."""
    number = 1000 if long else 100
    make = [*PROGRAM, "new", "--random", "--count", "1", "--seed"]
    for one in range(number):
        if one < LEVELS:
            more = ["--level", str(2 * one + 1), "-o", f"m{one}.json"]
            run([*make, str(one), *more], folder)
        else:
            shutil.copy(folder / f"m{one % LEVELS}.json", folder / f"m{one}.json")
    names = [f"m{one}.json" for one in range(number)]
    yield _beside_dungeonsheets(folder, names[:SHEETS], runs)

    def sheets(some: list[str], jobs: str) -> list[str]:
        return [*PROGRAM, "sheet", "--force", "-o", "sheets", "--jobs", jobs, *some]

    yield row(
        f"a sheet of {number}", f"a sheet of {FEW}", 1.1,
        lambda: run(sheets(names, "1"), folder).cpu / number,
        lambda: run(sheets(names[:FEW], "1"), folder).cpu / FEW,
        runs,
    )  # fmt: skip
    yield from _characters(folder, 10_000 if long else 1_000)
    if not long:
        yield skipped("two processes beside one", "--long")
        return
    yield row(
        f"{number:,} sheets, two processes", "one process", 1.7,
        lambda: run(sheets(names, "2"), folder).wall,
        lambda: run(sheets(names, "1"), folder).wall,
        runs, "wall", at_least=True,
    )  # fmt: skip
    fresh = count()
    crew = [*PROGRAM, "new", "--random", "--count", "10000", "--level", "10", "--seed", "1"]

    def characters(jobs: str) -> float:
        return run([*crew, "--jobs", jobs, "-o", f"crew{next(fresh)}/"], folder).wall

    yield row(
        "10,000 characters, two processes", "one process", 1.7,
        lambda: characters("2"), lambda: characters("1"), runs, "wall", at_least=True,
    )  # fmt: skip


def _characters(folder: Path, number: int) -> Iterator[Row]:
    """Yield what a character costs after many beside one of the first hundred."""
    measured = folder / "characters.json"
    run([sys.executable, INSIDE, str(number), str(measured)], folder)
    first, last = json.loads(measured.read_text("utf-8"))
    for what in ("seconds", "memory"):
        ratio = last[what] / first[what]
        yield {
            "work": f"a random character after {number:,}", "against": f"of the first, {what}",
            "clock": "cpu" if what == "seconds" else "kB", "ours": last[what],
            "theirs": first[what], "ratio": ratio, "aim": 1.1, "at_least": False,
            "met": ratio <= 1.1,
        }  # fmt: skip


def _beside_dungeonsheets(folder: Path, names: list[str], runs: int) -> Row:
    """Return sheets in one command beside dungeonsheets on as many of its examples, a page each."""
    label = f"{len(names)} full PDFs, a page"
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if lacking:
        return skipped(label, f"dungeonsheets: no {', '.join(lacking)}")
    examples = folder / "examples"
    found = sorted(examples.glob("*.py"))[: len(names)] if examples.is_dir() else []
    if len(found) < len(names):
        return skipped(label, f"dungeonsheets: fewer than {len(names)} --examples")
    ours = [*PROGRAM, "sheet", "--force", "-o", "beside", "--jobs", "1", *names]
    theirs = [shutil.which(TOOLS[0]) or "", *(path.name for path in found)]
    run(ours, folder)
    run(theirs, examples)
    mine, other = _pages(folder / "beside"), _pages(examples)
    return row(
        label, "dungeonsheets, a page", 0.2,
        lambda: run(ours, folder).cpu / mine, lambda: run(theirs, examples).cpu / other, runs,
    )  # fmt: skip


def _pages(folder: Path) -> int:
    from pypdf import PdfReader

    return sum(len(PdfReader(path).pages) for path in folder.glob("*.pdf"))
