"""The benchmark runs from end to end, in its smallest sizes. What it measures is not looked at."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SMALL = ["--runs", "1", "--sheets", "1", "--events", "400", "--book", "squad-d20", "--json"]
PARTS = (
    "--help", "check, level 10", "show --json, level 1", "full PDF, 4 pages, warm",
    "full PDF, warm", "replay, 400", "one of 1 sheets", "advise", "rulebook",
    "load rules", "10 characters", "20 full PDFs",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_each_part_of_the_benchmark_is_measured_or_says_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "bench/run.py", *SMALL, "--long"],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONSAFEPATH": ""},  # its modules are beside it
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert all(row.get("missing") or (row["ours"] > 0 and row["theirs"] > 0) for row in rows)
    told = "\n".join(row["work"] for row in rows)
    assert [part for part in PARTS if part not in told] == []
