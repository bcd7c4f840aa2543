"""Time the program beside what it stands on, in one run, as ratios.

    python bench/run.py [--runs N] [--json] [--long] [--examples FOLDER]
                        [--only single|inside|others|sheets|characters]

The two sides of a ratio take turns, and each counts with its median:
processor time, as others may use the machine too, or the clock where
several processes work at once. The aims are those the project has set
itself. What a machine lacks for a row is named, and the row left out;
``--long`` makes 1,000 sheets for 100 and 10,000 characters for 1,000,
which takes half an hour. How dungeonsheets and its ``--examples`` are come
by stands in ``batches.py``. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import batches  # noqa: E402  (beside this file)
import inside  # noqa: E402
import single  # noqa: E402
from character import played  # noqa: E402
from timing import Row  # noqa: E402

from charforge.character.document import to_text  # noqa: E402

PARTS = {
    "single": single.rows,
    "inside": inside.rows,
    "others": batches.others,
    "sheets": batches.sheets,
    "characters": batches.characters,
}
LARGE = ("others", "sheets", "characters")  # each run takes minutes
FEWER = 10  # times as many runs of the rest


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--runs", type=int, default=15, metavar="N")
    options.add_argument("--json", action="store_true")
    options.add_argument("--long", action="store_true")
    options.add_argument("--only", choices=PARTS)
    options.add_argument("--examples", type=Path, metavar="FOLDER")
    chosen = options.parse_args()
    found: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "nix.json").write_text(to_text(played()), encoding="utf-8")
        if chosen.examples:
            made_before = shutil.ignore_patterns("*.pdf")
            shutil.copytree(chosen.examples, folder / "examples", ignore=made_before)
        if not chosen.json:
            print(f"{'work':<34}{'against':<26}{'ours':>10}{'theirs':>10}{'ratio':>9}{'aim':>10}")
        for part, rows in PARTS.items():
            if chosen.only not in (None, part):
                continue
            runs = max(1, chosen.runs // FEWER) if part in LARGE else chosen.runs
            for row in rows(folder, runs, chosen.long):
                found.append(row)
                if not chosen.json:
                    print(line(row), flush=True)
    if chosen.json:
        print(json.dumps(found, indent=1))


def line(row: Row) -> str:
    """Return a row of the table, with its aim and whether that is met."""
    if "skipped" in row:
        return f"{row['work']:<34}left out: {row['skipped']}"
    aim = ("≥" if row["at_least"] else "≤") + f" {row['aim']:g}×"
    told = "met" if row["met"] else "missed"
    return (
        f"{row['work']:<34}{row['against']:<26}{_figure(row['ours'])}{_figure(row['theirs'])}"
        f"{row['ratio']:>8.2f}×{aim:>10} {told} ({row['clock']})"
    )


def _figure(figure: float) -> str:
    return f"{figure:>10.0f}" if figure >= 1000 else f"{figure:>10.4f}"


if __name__ == "__main__":
    main()
