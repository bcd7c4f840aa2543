"""Order the tests of a mutant: tests that load no ruleset first, then the fastest.

mutmut stops at the first failing test and does not order them itself.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TIMES = Path("mutmut-stats.json")  # in the folder of mutants, in which the tests run
COSTLY = {"toy": 1, "harbour": 1, "smithy": 1, "reef": 1, "rules": 3, "capital": 3}


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    if not TIMES.is_file():
        return
    seconds = json.loads(TIMES.read_text(encoding="utf-8"))["duration_by_test"]

    def cost(item: pytest.Function) -> tuple[int, float]:
        loading = sum(COSTLY.get(name, 0) for name in item.fixturenames)
        return loading, seconds.get(item.nodeid, 0.0)

    items.sort(key=cost)
