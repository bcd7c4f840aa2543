"""charforge alone: the start screen in a terminal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.terminals import ESCAPE, TerminalRun

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
    terminal.asked("What would you like to do?")
    shown = [line[3:] for line in terminal.lines]
    start = shown.index("Continue the draft Bo.draft.yaml")
    assert [" ".join(line.split()) for line in shown[start + 1 : start + 6]] == [
        "Vesper Nakamura level 3, nix.json",
        "Vesper Nakamura level 3, old.json",
        "Create a character",
        "List the games",
        "List all commands",
    ]
    terminal.type(ESCAPE)
    assert terminal.ends() == 0


def test_a_character_is_opened_with_a_command(nix: Path) -> None:
    terminal = TerminalRun(nix.parent)
    terminal.asked("What would you like to do?")
    terminal.take("Vesper Nakamura")
    terminal.asked("Vesper Nakamura")
    terminal.type(ESCAPE)
    terminal.asked("What would you like to do?")
    terminal.take("Vesper Nakamura")
    terminal.asked("Vesper Nakamura")
    terminal.sees("charforge show nix.json")
    terminal.take("Show the character")
    assert terminal.ends() == 0
    assert "> charforge show nix.json" in terminal.seen
    assert "HP" in terminal.seen


def test_a_draft_is_continued(tmp_path: Path) -> None:
    (tmp_path / "Bo.draft.yaml").write_text(DRAFT)
    terminal = TerminalRun(tmp_path)
    terminal.take("Continue the draft")
    terminal.until(lambda: "> charforge new --resume Bo.draft.yaml" in terminal.seen, "the command")
    terminal.sees("Step 1 of")


def test_the_games_are_listed(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path)
    terminal.take("List the games")
    assert terminal.ends() == 0
    assert "Squad d20 (squad-d20)" in terminal.seen


def test_new_asks_for_the_game_and_only_where_none_is_named(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path, "new")
    terminal.asked("Which game?")
    terminal.sees("A science-fiction game")
    terminal.take("Narrative Dice")
    terminal.sees("Step 1 of")
    named = TerminalRun(tmp_path, "new", "--ruleset", "capital")
    named.sees("Step 1 of")
    assert "Which game?" not in named.seen


def test_simple_terminals_have_numbered_lines(tmp_path: Path) -> None:
    terminal = TerminalRun(tmp_path, TERM="dumb")
    terminal.sees("List the games")
    terminal.type("2\n")
    assert terminal.ends() == 0
    assert "Squad d20 (squad-d20)" in terminal.seen
