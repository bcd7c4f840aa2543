"""The prompt that spends points in a terminal: keys, numbers and the pointer."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pexpect", reason="terminals of Unix")
pytest.importorskip("pyte", reason="reads what a terminal shows")
from tests.cli.terminals import DOWN, ENTER, TerminalRun

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")]
SMITHY = Path(__file__).parents[1] / "testdata" / "smithy"
LEFT, RIGHT = "\x1b[D", "\x1b[C"
ABILITIES = "Which abilities do you raise?"


@pytest.fixture
def terminal(tmp_path: Path, packs_home: Path) -> TerminalRun:
    """The page of abilities of a new smith: three values, 3 points, each from 0 to 2."""
    shutil.copytree(SMITHY, packs_home / "smithy")
    given = tmp_path / "rest.yaml"
    given.write_text(
        "ruleset: smithy\nname: Ilmar\nanswers:\n"
        "  embers: {max_heat: 4}\n  guard: 2\n  oath: x\n  skills: []\n  tools: []\n",
        encoding="utf-8",
    )
    found = TerminalRun(tmp_path, "new", "--answers", "rest.yaml", "-o", "ilmar.json")
    found.sees(ABILITIES)
    found.until(lambda: found.whole, "the whole page")
    return found


def number(terminal: TerminalRun) -> str:
    """Return the number that is pointed at."""
    return terminal.pointed.split()[-1].rstrip("▏") if terminal.pointed else ""


@pytest.mark.parametrize(("more", "less"), [("+", "-"), (RIGHT, LEFT)], ids=["signs", "arrows"])
def test_a_number_is_changed_where_it_stands(
    terminal: TerminalRun, more: str, less: str, tmp_path: Path
) -> None:
    terminal.point("Brawn (BRN)")
    for keys, brawn, left in ((more, 1, 2), (more, 2, 1), (less, 1, 2), (more, 2, 1)):
        terminal.type(keys)
        terminal.sees(f"{left} of 3 points left.")
        terminal.until(lambda: number(terminal) == str(brawn), f"Brawn {brawn}")  # noqa: B023
    terminal.type(more)
    terminal.sees("Brawn (BRN) cannot go higher.")
    terminal.type(DOWN, DOWN)
    terminal.until(lambda: terminal.pointed.startswith("Grace"), "Grace")
    terminal.type(more)
    terminal.sees("0 of 3 points left.")
    terminal.submit()
    terminal.until(lambda: terminal.pointed.startswith("Save"), "the review")
    terminal.type(ENTER)
    assert terminal.ends() == 0
    made = json.loads((tmp_path / "ilmar.json").read_text("utf-8"))
    (event,) = [e for e in made["log"] if e.get("decision") == "abilities"]
    assert event["answer"] == {"brawn": 2, "wits": 0, "grace": 1}


def test_digits_are_typed_directly_and_enter_says_what_is_missing(terminal: TerminalRun) -> None:
    terminal.point("Brawn (BRN)")
    terminal.type("1")
    terminal.sees("2 of 3 points left.")
    terminal.submit()
    terminal.until(lambda: " points" in terminal.lines[-2], "what is missing")
    terminal.point("Grace")
    terminal.type("2")
    terminal.sees("0 of 3 points left.")
