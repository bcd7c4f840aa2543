"""What an explanation or a refusal says about dice that were assigned and about the bearer."""

from __future__ import annotations

import shutil
from pathlib import Path

from charforge.describe.formulas import note_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load_folder
from tests.conftest import TOWER

CINDERWELL = Path(__file__).resolve().parents[2] / "examples" / "cinderwell"


def test_a_swapped_score_explains_its_dice() -> None:
    answers = {
        "rolled": [[5, 4, 3], [3, 2, 2], [6, 5, 3]],
        "scores": {"brawn": 12, "quick": 14, "nerve": 7},
    }
    spec = CharacterSpec(load_folder(CINDERWELL), "1", "Ada", answers=answers)
    state = spec.replay().state
    steps = {name: state.values().explain(name).steps[-1] for name in ("brawn", "quick", "nerve")}
    assert {name: note_text(step.note, state.ruleset) for name, step in steps.items()} == {
        "brawn": "3d6 (5 + 4 + 3)",
        "quick": "3d6 (6 + 5 + 3), swapped with NERVE",
        "nerve": "3d6 (3 + 2 + 2), swapped with QUICK",
    }


def test_a_filter_that_only_asks_about_the_bearer_says_what_it_needs(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(TOWER, tmp_path / "tower"))
    page = folder / "ruleset.yaml"
    text = page.read_text(encoding="utf-8")
    old = "up_to: true, among: {kind: vow}"
    assert old in text
    new = "up_to: true, among: {kind: vow, where: bearer.brawn >= 20}"
    page.write_text(text.replace(old, new), encoding="utf-8")
    answers = {"scores": {"brawn": 15, "grace": 8}, "vows": ["vow/thirst"]}
    problems = CharacterSpec(load_folder(folder), "1", "Ama", answers=answers).replay().problems
    assert any(
        "Thirst has a condition: your BRN (15) is at least 20" in one.message for one in problems
    )
