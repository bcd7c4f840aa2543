"""Tables that grant something when a value reaches a row: at levels, and after undo."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.usecases.create import create_character
from charforge.usecases.level_up import level_up_character
from charforge.verbs.history import undo
from charforge.verbs.manual_changes import award_entity, draft_award
from tests.conftest import TOWER


@pytest.fixture
def vowed(tmp_path: Path) -> LoadedCharacter:
    """A fighter whose vow gives Deft at Skill 3, which a fighter has at level 3."""
    folder = Path(shutil.copytree(TOWER, tmp_path / "tower"))
    page = folder / "things.yaml"
    old = "by: grace, columns: [grants], rows: {14: [null], 15: [feat/deft]}"
    new = "by: skill, columns: [grants], rows: {3: [feat/deft]}"
    text = page.read_text(encoding="utf-8")
    assert old in text
    page.write_text(text.replace(old, new), encoding="utf-8")
    rules = load_folder(folder)
    answers = {
        "scores": {"brawn": 15, "grace": 8},
        "purse": [[10, 5, 5, 5, 5]],
        "vows": ["vow/height"],
        "calling": "calling/fighter",
    }
    return replay_document(
        create_character(CharacterSpec(rules, "7", "Ama", answers=answers)), rules
    )


def _has_deft(opened: LoadedCharacter) -> bool:
    return opened.character.state.has("feat/deft")


def test_a_row_is_gained_at_the_level_that_reaches_it(vowed: LoadedCharacter) -> None:
    second = level_up_character(vowed, 2, {"calling.parry.hand": "left"})
    assert not _has_deft(second)
    third = level_up_character(second, 3, {"vows.height.deft.hand": "right"})
    assert _has_deft(third)
    assert third.character.legal
    assert third.character.decision("vows.height.deft.hand").section == "level.3"


def test_it_is_the_same_after_a_replay_and_gone_after_undo(vowed: LoadedCharacter) -> None:
    answers = {"calling.parry.hand": "left", "vows.height.deft.hand": "right"}
    third = level_up_character(vowed, 3, answers)
    again = replay_document(third.document, third.ruleset)
    assert again.character.state == third.character.state
    before = undo(third).after
    assert not _has_deft(before)
    assert before.character.legal


def test_what_is_held_several_times_grants_once(vowed: LoadedCharacter) -> None:
    answers = {"calling.parry.hand": "left", "vows.height.deft.hand": "right"}
    third = level_up_character(vowed, 3, answers)
    before, vow = third.character.state, third.ruleset.entity("vow/height")
    twice = award_entity(third, draft_award(before, vow, 1, before.unit())).after
    state = twice.character.state
    assert [h.entity.id for h in state.holdings].count("vow/height") == 2
    assert [h.entity.id for h in state.holdings].count("feat/deft") == 1
