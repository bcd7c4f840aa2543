"""Time the program beside what it stands on, in one run, as ratios.

    python bench/run.py [--runs N] [--json]

Machines are noisy: the two sides of a ratio are run in turn, and each side
counts with its median. The aims are those the project has set itself.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BARE = """
import typer
app = typer.Typer()
@app.command()
def one(name: str = "x"): print(name)
@app.command()
def two(name: str = "x"): print(name)
app()
"""
EMPTY_PAGE = """
import typer, pydantic, jinja2, weasyprint
page = jinja2.Template("<html lang=en><title>x</title><body></body></html>").render()
weasyprint.HTML(string=page).write_pdf("empty.pdf")
"""


def once(command: list[str], folder: Path) -> float:
    """Run a command and return its seconds; a failing one ends the benchmark."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return seconds


def compare(ours: list[str], theirs: list[str], folder: Path, runs: int) -> tuple[float, float]:
    """Return the median seconds of two commands that take turns."""
    once(ours, folder)
    once(theirs, folder)
    pairs = [(once(ours, folder), once(theirs, folder)) for _ in range(runs)]
    mine, other = zip(*pairs, strict=True)
    return statistics.median(mine), statistics.median(other)


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=15)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    program = [sys.executable, "-m", "charforge"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bare.py").write_text(BARE)
        (folder / "empty.py").write_text(EMPTY_PAGE)
        bare, empty = [sys.executable, "bare.py"], [sys.executable, "empty.py"]
        make = [*program, "new", "--random", "--seed", "1", "--level", "10", "-o", "c.json"]
        once(make, folder)
        rows = [
            ("--help", [*program, "--help"], [*bare, "--help"], 1.3),
            ("check, level 10", [*program, "check", "c.json"], [*bare, "one"], 2.5),
            ("show, level 10", [*program, "show", "c.json"], [*bare, "one"], 2.5),
            ("show --json, level 10", [*program, "show", "c.json", "--json"], [*bare, "one"], 2.5),
            ("sheet, PDF", [*program, "sheet", "c.json", "--force"], empty, 1.5),
        ]
        found = []
        for label, ours, theirs, aim in rows:
            mine, other = compare(ours, theirs, folder, chosen.runs)
            found.append({"work": label, "seconds": mine, "against": other,
                          "ratio": mine / other, "aim": aim})  # fmt: skip
    if chosen.json:
        print(json.dumps(found, indent=1))
        return
    print(f"{'work':<24}{'seconds':>9}{'against':>9}{'ratio':>8}{'aim':>8}")
    for row in found:
        print(f"{row['work']:<24}{row['seconds']:>9.3f}{row['against']:>9.3f}"
              f"{row['ratio']:>7.2f}x{row['aim']:>7.1f}x")  # fmt: skip


if __name__ == "__main__":
    main()
