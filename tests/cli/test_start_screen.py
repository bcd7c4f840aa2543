"""charforge alone: the start screen in a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminals import ESCAPE, ThreadRun

pytestmark = pytest.mark.skipif(os.name == "nt", reason="terminals of Unix")
DRAFT = "# Harbour: answers for `charforge new --resume THIS-FILE`\nruleset: harbour\nname: Bo\n"
AtTerminal = Callable[..., ThreadRun]


def test_it_lists_drafts_recent_characters_and_what_one_can_start(
    at_terminal: AtTerminal, nix: Path
) -> None:
    (nix.parent / "Bo.draft.yaml").write_text(DRAFT)
    (nix.parent / "old.json").write_bytes(nix.read_bytes())
    os.utime(nix.parent / "old.json", (1, 1))
    (nix.parent / "other.json").write_text("{}")
    terminal = at_terminal()
    terminal.asked("What would you like to do?")
    shown = [line[3:] for line in terminal.lines]
    start = shown.index("Continue the draft Bo.draft.yaml")
    assert [" ".join(line.split()) for line in shown[start + 1 : start + 6]] == [
        "Ada level 3, nix.json",
        "Ada level 3, old.json",
        "Create a character",
        "List the games",
        "List all commands",
    ]
    terminal.type(ESCAPE)
    assert terminal.ends() == 0


def test_a_character_is_opened_with_a_command(at_terminal: AtTerminal, nix: Path) -> None:
    terminal = at_terminal()
    terminal.asked("What would you like to do?")
    terminal.take("Ada")
    terminal.asked("Ada")
    terminal.type(ESCAPE)
    terminal.asked("What would you like to do?")
    terminal.take("Ada")
    terminal.asked("Ada")
    terminal.sees("charforge show nix.json")
    terminal.take("Show the character")
    assert terminal.ends() == 0
    assert "> charforge show nix.json" in terminal.seen
    assert "Vigour" in terminal.seen


def test_a_draft_is_continued(at_terminal: AtTerminal, tmp_path: Path, text: str) -> None:
    (tmp_path / "Bo.draft.yaml").write_text(DRAFT)
    terminal = at_terminal()
    terminal.take("Continue the draft")
    terminal.until(lambda: "> charforge new --resume Bo.draft.yaml" in terminal.seen, "the command")
    terminal.asked("What is your trade?")


def test_the_games_are_listed(at_terminal: AtTerminal, tmp_path: Path) -> None:
    terminal = at_terminal()
    terminal.take("List the games")
    assert terminal.ends() == 0
    assert "Squad d20 (squad-d20)" in terminal.seen


def test_new_asks_for_the_game_and_only_where_none_is_named(
    at_terminal: AtTerminal, tmp_path: Path
) -> None:
    terminal = at_terminal("new")
    terminal.asked("Which game?")
    terminal.sees("A science-fiction game")
    terminal.take("Narrative Dice")
    terminal.sees("Step 1 of")
    named = at_terminal("new", "--ruleset", "capital")
    named.sees("Step 1 of")
    assert "Which game?" not in named.seen


def test_simple_terminals_have_numbered_lines(at_terminal: AtTerminal, tmp_path: Path) -> None:
    terminal = at_terminal(TERM="dumb")
    terminal.sees("List the games")
    terminal.type("2\n")
    assert terminal.ends() == 0
    assert "Squad d20 (squad-d20)" in terminal.seen
