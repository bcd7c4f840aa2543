"""Measure the program's cost as ratios, with the project's aims.

    python bench/run.py [--runs N] [--sheets N] [--events N] [--only PART …] [--long] [--json]

The two sides of a ratio run in turns; the medians are compared. Processor time is measured,
because other programs may be running; for several processes at once it is wall time. The usual
parts take about ten minutes on two idle cores:

    commands       --help                          a bare typer app
                   check and show --json, level    a bare typer app
                   10 with 200 events and level 1
    pdf            a full PDF of four pages        an empty WeasyPrint page
                   by a template of a user         a full PDF
                   the same in a warm process      WeasyPrint alone, with the same HTML,
                                                   styles and fonts, in the same process
    browser        a full PDF, warm                headless Chromium
    replays        replaying played events         reading their JSON; shorter logs
    sheets         one of 20 and of 100 sheets     a sheet by itself
                   20 and 100 in two processes     in one process
    live_table     a tap, seen on another phone    the limits, in seconds and kB;
                   40 pages, 10 taps a second      wall time
    features       advise, plan --want, luck       show
                   a rulebook of about 30 pages    a full PDF

--long adds the parts catalog, batches (--sheets sheets and ten times as many characters; hours with
--sheets 1000) and dungeonsheets (see that file). Parts that this machine cannot run are listed as
skipped. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from batches import SHEETS, long_batches, sheets  # noqa: E402  (in this folder)
from character import RULESET  # noqa: E402
from commands import browser, commands, pdf  # noqa: E402
from dungeonsheets import dungeonsheets  # noqa: E402
from features import features  # noqa: E402
from live_table import live_table  # noqa: E402
from replays import MANY_EVENTS, catalog, replays  # noqa: E402
from timing import Row, Sizes, Skipped  # noqa: E402

Part = Callable[[Path, Sizes], Iterator[Row | Skipped]]
USUAL: dict[str, Part] = {
    "commands": commands,
    "pdf": pdf,
    "browser": browser,
    "replays": replays,
    "sheets": sheets,
    "live_table": live_table,
    "features": features,
}
LONG: dict[str, Part] = {
    "catalog": catalog,
    "batches": long_batches,
    "dungeonsheets": dungeonsheets,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=9, metavar="N", help="rounds for each row")
    parser.add_argument("--sheets", type=int, default=SHEETS, metavar="N", help="for batches")
    parser.add_argument(
        "--events", type=int, default=MANY_EVENTS, metavar="N", help="in the long history"
    )
    parser.add_argument("--book", default=RULESET, metavar="GAME", help="of the rulebook")
    parser.add_argument("--only", choices=[*USUAL, *LONG], nargs="+", metavar="PART")
    parser.add_argument("--long", action="store_true", help="measure all parts")
    parser.add_argument("--json", action="store_true", help="print JSON when all is measured")
    parser.add_argument("--examples", type=Path, metavar="FOLDER", help="of dungeonsheets")
    options = parser.parse_args()
    parts = {**USUAL, **LONG}
    if options.only:
        parts = {name: parts[name] for name in options.only}
    elif not options.long:
        parts = USUAL
    if not options.json:
        print(f"{'work':<44}{'compared with':<26}{'ours':>9}{'theirs':>9}{'ratio':>8}{'aim':>8}")
    measured = []
    sizes = Sizes(options.runs, options.sheets, options.events, options.book)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.examples:
            ignored = shutil.ignore_patterns("*.pdf")
            shutil.copytree(options.examples, folder / "examples", ignore=ignored)
        for part in parts.values():
            for row in part(folder, sizes):
                measured.append(row)
                if not options.json:
                    print(line(row), flush=True)
    if options.json:
        print(json.dumps([as_json(row) for row in measured], indent=1))


def line(row: Row | Skipped) -> str:
    """Return a row as a line of the table, with the aim and whether it is met."""
    if isinstance(row, Skipped):
        return f"{row.work:<44}skipped, missing: {row.missing}"
    aim = f"{'≥' if row.at_least else '≤'} {row.aim:.3g}×"
    figures = "".join(f"{figure:>9.{4 if figure < 10 else 0}f}" for figure in row[2:4])
    verdict = f"{'met' if row.met else 'missed'} ({row.clock})"
    return f"{row.work:<44}{row.against:<26}{figures}{row.ratio:>7.2f}×{aim:>8} {verdict}"


def as_json(row: Row | Skipped) -> dict[str, object]:
    """Return a row as JSON; a measured one with its ratio and whether the aim is met."""
    more = {"ratio": row.ratio, "met": row.met} if isinstance(row, Row) else {}
    return {**row._asdict(), **more}


if __name__ == "__main__":
    main()
