"""The benchmark runs, in its smallest sizes. What it measures is not looked at.

Parts that print PDFs or write many characters run with --long; mypy checks their calls.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import LONG

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["--runs", "1", "--sheets", "1", "--events", "400", "--json"]
QUICK = {
    "commands": ("--help", "check, level 10", "show --json, level 1"),
    "replays": ("replay, 400",),
    "live_table": ("a tap, seen on another phone", "40 pages, 10 taps a second"),
    "catalog": ("load rules",),
}
OTHERS = {
    "pdf": ("full PDF, 4 pages, warm",),
    "browser": ("full PDF, warm",),
    "sheets": ("one of 1 sheets",),
    "features": ("advise", "rulebook"),
    "batches": ("10 characters",),
    "dungeonsheets": ("20 full PDFs",),
}
PARTS = {**QUICK, **(OTHERS if LONG else {})}


@pytest.mark.slow
def test_each_part_of_the_benchmark_is_measured_or_says_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "bench/run.py", *SMALL, "--only", *PARTS],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONSAFEPATH": ""},  # its modules are beside it
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert all(row.get("missing") or (row["ours"] > 0 and row["theirs"] > 0) for row in rows)
    told = "\n".join(row["work"] for row in rows)
    assert [row for rows in PARTS.values() for row in rows if row not in told] == []
