"""Randomly changed files cause no traceback, no hang and at most 500 MB of memory.

The same few cases every time; ``--long`` goes looking for others, and says
by which number a case is repeated.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.cases import KINDS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="limits and signals of Unix"),
]
ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "characters_of_bytes": 14,
    "characters_of_data": 10,
    "answers_files": 10,
    "sheets": 8,
    "portraits": 6,
}
LONGER = 100  # times as many
MOST = 500  # MB


@pytest.mark.parametrize("kind", KINDS)
def test_no_foreign_file_stops_the_program(kind: str, request: pytest.FixtureRequest) -> None:
    long = request.config.getoption("--long")
    first = int(time.time()) if long else 0
    count = CASES[kind] * (LONGER if long else 1)
    told = fuzzed(kind, first, count)
    assert told["faults"] == []
    assert told["memory"] <= MOST, f"{kind} {told['largest']}"
    assert len(told["codes"]) >= 2  # some go further than others


def fuzzed(kind: str, first: int, count: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.fuzz.run", kind, str(first), str(count)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60 + 20 * count,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr[-3000:]
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def test_a_fault_would_be_found(monkeypatch, tmp_path):
    """A command that breaks down, one that says nothing, one that does not end."""
    from tests.fuzz import run

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "SECONDS", 0.2)

    def kind(_chance: object) -> list[list[str]]:
        return [["breaks"], ["silent"], ["hangs"], ["fine"]]

    def program(words: list[str]) -> int:
        if words == ["breaks"]:
            print("charforge has a bug here. Traceback", file=sys.stderr)
            return 70
        if words == ["hangs"]:
            time.sleep(5)
        return 2 if words == ["silent"] else 0

    monkeypatch.setattr("charforge.cli.app.run", program)
    with run.stopping():
        codes, faults = run.tried(kind, 1)
    assert codes == [70, 2, -1, 0]
    assert [fault.split(":")[0] for fault in faults] == ["breaks", "silent", "hangs"]
