"""Values as they are shown: signed, with a modifier after them, hidden, or only at times."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.character.files.storage import save
from charforge.describe.differences import differences
from charforge.export import json as json_export, show_json
from charforge.export.text_formats import write
from charforge.replay.loaded_character import LoadedCharacter
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.view import Check
from charforge.usecases.level_up import LevelUp, level_up_character
from charforge.usecases.preview import key_values
from tests.command_runner import run_command
from tests.conftest import TOWER

Climber = Callable[..., LoadedCharacter]


@pytest.fixture
def installed(packs_home: Path) -> None:
    """Install the pack, for commands."""
    shutil.copytree(TOWER, packs_home / "tower")


def test_a_modifier_is_printed_after_its_score(climber: Climber) -> None:
    character = climber().character
    assert "BRN 15 (+2)" in write("text", character)
    assert "GRC 8 (−1)" in write("text", character)
    assert "15 (+2)" in write("markdown", character)
    assert r"15 (+2)" in write("discord", character).replace("\\", "")
    assert [value.text for value in key_values(character.state)][:2] == ["15 (+2)", "8 (−1)"]


def test_a_hidden_value_is_nowhere_but_in_explanations(climber: Climber) -> None:
    loaded = climber()
    values = loaded.character.state.values()
    assert values.total("doom") == 12
    assert "doom" not in show_json.values(loaded.character.state, loaded.character.state.units[0])
    for format in ("text", "markdown"):
        assert "Doom" not in write(format, loaded.character)
    assert "Doom" not in json_export.write(loaded.character)


def test_commands_show_the_same(climber: Climber, tmp_path: Path, installed: None) -> None:
    save(climber().document, tmp_path / "ama.json")

    def out(*words: str) -> str:
        return run_command(words[0], "ama.json", *words[1:], folder=tmp_path).out

    assert "Doom: 12" in out("explain", "doom")
    assert '"total": 12' in out("explain", "doom", "--json")
    assert "Brawn (BRN): 15 (+2)" in out("explain", "brawn")
    assert "Skill bonus (Skill): +2" in out("explain", "skill")
    shown = out("show")
    assert "15 (+2)" in shown
    assert "Doom" not in shown


@pytest.mark.parametrize(("calling", "shown"), [("fighter", True), ("mage", False)])
def test_a_conditional_value_is_shown_while_its_formula_holds(
    climber: Climber, calling: str, shown: bool
) -> None:
    character = climber(calling).character
    assert ("Rage 2" in write("text", character)) is shown
    assert ("rage" in character.state.values().shown_ids()) is shown
    assert character.state.values().total("rage") == 2


def test_a_signed_value_has_its_sign_in_texts(climber: Climber) -> None:
    values = climber().character.state.values()
    assert values.plain_text("{skill}; {grace_mod}; {1d6 + brawn_mod}; {2 * brawn_mod}") == (
        "+2; −1; 1d6 + 2; 4"
    )


def test_the_roll_of_a_score_adds_its_modifier(climber: Climber) -> None:
    brawn, grace = build(climber().character).attributes
    assert (brawn.check, grace.check) == (Check("1d20", 2), Check("1d20", -1))


def test_changes_do_not_tell_of_hidden_values(climber: Climber) -> None:
    """Doom is 13 less the level: it falls with each, and only explanations say so."""
    before = climber("mage")
    spells = {"level.2.spell": "spell/spark", "level.3.spell": "spell/veil"}
    after = level_up_character(before, 3, spells)
    changed = {one.id: (one.old, one.new) for one in differences(before.character, after.character)}
    assert changed["skill"] == (2, 3)
    assert "doom" not in changed
    brings = LevelUp(before, 3).gains()["level.3"]
    assert "Skill +2 → +3" in brings
    assert "Doom" not in brings


def test_a_modifier_is_not_broken_on_a_narrow_sheet(climber: Climber) -> None:
    page = render_html(
        build(climber().character), PrintOptions("full", styles=frozenset({"large-print"}))
    )
    assert '<span class="before modifier">(+2)</span>' in page
    assert ".modifier { display: inline-block; }" in page
