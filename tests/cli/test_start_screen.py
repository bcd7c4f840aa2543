"""charforge alone: the start screen in a terminal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.terminals import ENTER, TerminalRun

pytestmark = pytest.mark.slow
DRAFT = "# Capital: answers for `charforge new --resume THIS-FILE`\nruleset: capital\nname: Bo\n"


@pytest.fixture
def text(capital_text):
    """A Scout of Capital."""
    return capital_text


def test_it_lists_drafts_recent_characters_and_what_one_can_start(nix: Path) -> None:
    (nix.parent / "Bo.draft.yaml").write_text(DRAFT)
    (nix.parent / "old.json").write_bytes(nix.read_bytes())
    os.utime(nix.parent / "old.json", (1, 1))
    (nix.parent / "other.json").write_text("{}")
    terminal = TerminalRun(nix.parent)
    terminal.sees("Number (Enter: quit)")
    start = terminal.lines.index("What would you like to do?")
    assert [line[5:] for line in terminal.lines[start + 1 : start + 7]] == [
        "Continue the draft Bo.draft.yaml",
        "Vesper Nakamura (level 3, nix.json)",
        "Vesper Nakamura (level 3, old.json)",
        "Create a character",
        "List the games",
        "List all commands",
    ]
    terminal.type(ENTER)
    assert terminal.ends() == 0


def test_a_character_is_opened_with_a_command(nix: Path) -> None:
    terminal = TerminalRun(nix.parent)
    terminal.sees("Number (Enter: quit)")
    terminal.type("9", ENTER)
    terminal.sees("Please enter a number from 1 to 4.")
    terminal.type("1", ENTER)
    terminal.sees("Play a session")
    terminal.type("1", ENTER)
    assert terminal.ends() == 0
    assert "> charforge show nix.json" in terminal.seen
    assert "Max HP" in terminal.seen or "HP" in terminal.seen


def test_a_draft_is_continued(tmp_path: Path) -> None:
    (tmp_path / "Bo.draft.yaml").write_text(DRAFT)
    terminal = TerminalRun(tmp_path)
    terminal.sees("Number (Enter: quit)")
    terminal.type("1", ENTER)
    terminal.sees("> charforge new --resume Bo.draft.yaml")


def test_the_games_are_listed(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path)
    terminal.sees("Number (Enter: quit)")
    terminal.type("2", ENTER)
    assert terminal.ends() == 0
    assert "Squad d20 (squad-d20)" in terminal.seen


def test_new_asks_for_the_game_and_only_where_none_is_named(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path, "new")
    terminal.sees("Number (Enter: 1)")
    assert any("1  Capital: A science-fiction game" in line for line in terminal.lines)
    terminal.type("2", ENTER)
    terminal.sees("Narrative Dice")
    terminal.sees("Step 1 of")
    named = TerminalRun(tmp_path, "new", "--ruleset", "capital")
    named.sees("Step 1 of")
    assert "Which game?" not in named.seen
