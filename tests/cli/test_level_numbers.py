"""A game whose levels are counted from 0: what players read and type, and what stays data."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_runner import CommandResult, run_command

NIGHT_POST = Path(__file__).resolve().parents[2] / "examples" / "night-post"
Run = Callable[..., CommandResult]


@pytest.fixture
def run(packs_home: Path, tmp_path: Path) -> Run:
    """Run a command next to a courier who could take an advance."""
    shutil.copytree(NIGHT_POST, packs_home / "night-post")

    def call(*words: str) -> CommandResult:
        return run_command(*words, folder=tmp_path)

    words = ("new", "--ruleset", "night-post", "--random", "--seed", "4", "--name", "Ansa")
    made = call(*words, "-o", "a.json")
    assert made.code == 0, made.err
    assert call("award", "a.json", "xp", "5").code == 0
    return call


def test_nobody_has_an_advance_before_the_first(run: Run) -> None:
    assert "Advance 0" in run("show", "a.json").out
    assert "Ansa, Advance 0" in run("check", "a.json").out
    assert json.loads(run("show", "a.json", "--json").out)["level"] == 1


def test_a_formula_counts_from_1_and_its_explanation_says_so(run: Run) -> None:
    """At Advance 0, the level of formulas is 1: what was taken is level − 1 = 0."""
    told = run("explain", "a.json", "advances").out
    assert "0  = 0    Advances (Rules)  [(Advance + 1) − 1]" in told


def test_the_first_advance_is_number_1(run: Run, tmp_path: Path) -> None:
    done = run("level-up", "a.json", "--to", "1", "--random", "--seed", "2")
    assert done.code == 0, done.err
    assert "Advance 0 → 1" in done.out
    assert json.loads(run("show", "a.json", "--json").out)["level"] == 2
    assert "Advance 1" in run("history", "a.json").out
    assert "Advance 0" in run("show", "a.json", "--at-level", "0").out
    assert "Advance 0 → 1" in run("diff", "a.json", "--from", "0").out
    printed = run("sheet", "a.json", "--at-level", "0", "-o", "a.html")
    assert printed.code == 0, printed.err
    assert "<p>Advance</p><b>0</b>" in (tmp_path / "a.html").read_text(encoding="utf-8")
    again = run("level-up", "a.json", "--to", "1")
    assert "Ansa is already Advance 1" in again.err
    assert run("undo", "a.json", "--to-level", "0").code == 0
    assert "Advance 0" in run("show", "a.json").out


def test_two_versions_of_the_game_name_the_level_in_its_words(run: Run, tmp_path: Path) -> None:
    newer = shutil.copytree(NIGHT_POST, tmp_path / "newer")
    head = newer / "ruleset.yaml"
    text = head.read_text(encoding="utf-8")
    head.write_text(text.replace("version: 1.0.0", "version: 1.0.1"), encoding="utf-8")
    compared = run("catalog", "diff", "night-post", str(newer), "a.json").out
    assert "a.json: Ansa, Advance 0: no difference" in compared


def test_there_are_six(run: Run) -> None:
    refused = run("new", "--ruleset", "night-post", "--random", "--level", "7", "-o", "b.json")
    assert "levels 0 to 6; there is no level 7" in refused.err
