"""An allotment on a terminal: numbers changed where they stand, and where the pointer goes."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

pytest.importorskip("pexpect", reason="terminals of Unix")
pytest.importorskip("pyte", reason="reads what a terminal shows")
from tests.cli.sitting import DOWN, ENTER, Sitting

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")]
SMITHY = Path(__file__).parents[1] / "testdata" / "smithy"
LEFT, RIGHT = "\x1b[D", "\x1b[C"
ABILITIES = "Which abilities do you raise?"


@pytest.fixture
def sitting(tmp_path: Path, packs_home: Path) -> Sitting:
    """The page of abilities of a new smith: three values, 3 points, each from 0 to 2."""
    shutil.copytree(SMITHY, packs_home / "smithy")
    given = tmp_path / "rest.yaml"
    given.write_text(
        "ruleset: smithy\nname: Ilmar\nanswers:\n"
        "  embers: {max_heat: 4}\n  guard: 2\n  oath: x\n  skills: []\n  tools: []\n",
        encoding="utf-8",
    )
    found = Sitting(tmp_path, "new", "--answers", "rest.yaml", "-o", "ilmar.json")
    found.asked(ABILITIES)
    return found


@pytest.mark.parametrize(("more", "less"), [("+", "-"), (RIGHT, LEFT)], ids=["signs", "arrows"])
def test_a_number_is_changed_where_it_stands(
    sitting: Sitting, more: str, less: str, tmp_path: Path
) -> None:
    sitting.point("Brawn (BRN)")
    sitting.sees("←→ or − + change")
    for keys, brawn, left in ((more, 1, 2), (more, 2, 1), (less, 1, 2), (more, 2, 1)):
        sitting.type(keys)
        sitting.sees(f"{left} of 3 points left.")
        sitting.until(lambda: sitting.pointed.split()[-1] == str(brawn), f"Brawn {brawn}")  # noqa: B023
    sitting.type(more)
    sitting.sees("Brawn (BRN) goes no higher.")
    sitting.type(DOWN, DOWN)
    sitting.until(lambda: sitting.pointed.startswith("Grace"), "Grace")
    sitting.type(more)
    sitting.sees("0 of 3 points left.")
    sitting.take("Done")
    sitting.until(lambda: sitting.pointed.startswith("Save"), "the review")
    sitting.type(ENTER)
    assert sitting.ends() == 0
    made = json.loads((tmp_path / "ilmar.json").read_text("utf-8"))
    (event,) = [e for e in made["log"] if e.get("decision") == "abilities"]
    assert event["answer"] == {"brawn": 2, "wits": 0, "grace": 1}


def test_after_the_last_value_done_is_pointed_at(sitting: Sitting) -> None:
    sitting.point("Wits (WIT)")
    for value in ("Wits", "Grace"):
        sitting.until(lambda: sitting.pointed.startswith(value), value)  # noqa: B023
        sitting.type(ENTER)
        sitting.asked(f"{ABILITIES} {value}")
        sitting.type("\x7f1", ENTER)
        sitting.asked(ABILITIES)
    sitting.until(lambda: sitting.pointed.startswith("Done"), "Done")
    sitting.sees("3 points are to be given, not 2")
