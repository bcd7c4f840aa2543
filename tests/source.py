"""The folders of the project, and the modules of the program."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE, EXAMPLES, TESTDATA = ROOT / "charforge", ROOT / "examples", ROOT / "tests" / "testdata"


def modules() -> list[Path]:
    """Return the modules of the program, in the order of their paths."""
    return sorted(PACKAGE.rglob("*.py"))
