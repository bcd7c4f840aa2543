"""The errors of a faulty pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.errors import PackError, PackProblem
from charforge.rules.loading.loader import load_folder


def faults_of(folder: Path) -> tuple[PackProblem, ...]:
    """Load a pack that must be refused, and return its errors."""
    with pytest.raises(PackError) as refused:
        load_folder(folder)
    return refused.value.problems
