"""new on a terminal: its drafts, and what it shows after saving."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminals import CTRL_C, DOWN, ENTER, RIGHT, TerminalRun, ThreadRun

pytestmark = [pytest.mark.capital, pytest.mark.slow]
Start = Callable[..., ThreadRun]
NEW = ("new", "--ruleset", "capital", "--seed", "7")


def drafts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.draft.yaml"))


def test_stopping_on_an_empty_first_page_leaves_no_file(tmp_path: Path) -> None:
    """In a process of its own: Ctrl-C comes from the terminal."""
    terminal = TerminalRun(tmp_path, *NEW)
    terminal.asked("Who is your character?")
    terminal.type(CTRL_C)
    assert terminal.ends() == 130
    assert drafts(tmp_path) == []
    assert "Draft saved" not in terminal.seen


def test_a_draft_has_the_name_of_the_role_then_of_the_character_and_is_offered(
    at_terminal: Start, tmp_path: Path
) -> None:
    terminal = at_terminal(*NEW)
    terminal.asked("Who is your character?")
    terminal.submit()
    terminal.asked("What is your Role?")
    terminal.take("The Scout")
    terminal.asked("Roll 10d6 for your Attributes")
    (draft,) = drafts(tmp_path)
    assert "Scout" in draft
    terminal.type("\x1b")
    terminal.asked("Who is your character?")
    terminal.type("Nix")
    terminal.sees("› Nix")
    terminal.submit()
    terminal.asked("Roll 10d6 for your Attributes")
    terminal.type(CTRL_C)
    assert terminal.ends() == 130
    assert drafts(tmp_path) == ["Nix.draft.yaml"]
    assert "To continue: charforge new --resume Nix.draft.yaml" in terminal.seen
    again = at_terminal(*NEW)
    again.asked("A new character, or an unfinished one?")
    again.take("Continue Nix")
    again.asked("Roll 10d6 for your Attributes")
    again.type(CTRL_C)
    assert again.ends() == 130
    fresh = at_terminal(*NEW)
    fresh.asked("A new character, or an unfinished one?")
    fresh.type(ENTER)
    fresh.asked("Who is your character?")


def quick_build(at_terminal: Start) -> ThreadRun:
    """Return a wizard that built Nix, a Lancer, and filled in the rest."""
    terminal = at_terminal(*NEW)
    terminal.asked("Who is your character?")
    terminal.type("Nix", DOWN)
    terminal.sees("‹ Step by step ›")
    terminal.type(RIGHT)
    terminal.sees("‹ Quick build ›")
    terminal.type(DOWN, RIGHT)
    terminal.sees("‹ The Lancer ›")
    terminal.type(ENTER)
    terminal.sees("The rest was filled in for you")
    return terminal


def test_a_quick_build_ends_with_a_short_sheet_and_the_next_commands(
    at_terminal: Start, tmp_path: Path
) -> None:
    terminal = quick_build(at_terminal)
    terminal.sees("Unspent money: 336 mC.")
    terminal.type(ENTER)
    assert terminal.ends() == 0
    shown = "\n".join(terminal.lines)
    for text in ("Auto Rifle", "charforge show Nix.json", "charforge sheet Nix.json"):
        assert text in shown
    assert json.loads((tmp_path / "Nix.json").read_text("utf-8"))["name"] == "Nix"
    assert drafts(tmp_path) == []


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (32, 100), (40, 140)])
def test_the_first_page_and_a_page_of_numbers_fit_every_screen(
    at_terminal: Start, tmp_path: Path, rows: int, columns: int
) -> None:
    game = ("new", "--ruleset", "squad-d20")
    terminal = at_terminal(*game, rows=rows, columns=columns, NO_COLOR="1")
    terminal.sees("Who is your character?")
    terminal.sees("Step by step")
    terminal.point("Strength (STR)")
    terminal.type("12")
    terminal.until(lambda: "› 12" in terminal.pointed, "the digits")
    assert "Enter next" in terminal.lines[-2]


def test_a_level_up_says_what_the_level_brings_before_it_asks(
    at_terminal: Start, nix: Path
) -> None:
    terminal = at_terminal("level-up", nix.name)
    terminal.asked("Roll for HP")
    terminal.sees("brings:")
    terminal.sees("• Max HP +")
    terminal.sees("to fill")


def test_a_level_up_that_was_stopped_is_offered_again(at_terminal: Start, nix: Path) -> None:
    terminal = at_terminal("level-up", nix.name)
    terminal.asked("Roll for HP")
    terminal.take("Roll for me")
    terminal.asked("Which Systems do you choose?")
    terminal.type(CTRL_C)
    assert terminal.ends() == 130
    assert drafts(nix.parent) == ["nix.level-4.draft.yaml"]
    again = at_terminal("level-up", nix.name)
    again.asked("Continue an unfinished level-up of Vesper Nakamura?")
    again.take("nix.level-4.draft.yaml")
    again.asked("Which Systems do you choose?")
    again.type(CTRL_C)
    assert again.ends() == 130
    fresh = at_terminal("level-up", nix.name)
    fresh.take("Start the level-up again")
    fresh.asked("Roll for HP")


def test_a_name_that_exists_is_noticed_on_its_page(at_terminal: Start, tmp_path: Path) -> None:
    (tmp_path / "Nix.json").write_text("{}", encoding="utf-8")
    terminal = at_terminal(*NEW)
    terminal.asked("Who is your character?")
    terminal.type("Nix")
    terminal.sees("Nix.json exists already. It is replaced only if you agree at the end.")
    terminal.type("a")
    terminal.until(lambda: not any("exists" in line for line in terminal.lines), "another name")


def test_a_name_that_exists_at_the_end_is_changed_or_replaced(
    at_terminal: Start, tmp_path: Path
) -> None:
    """What is there is kept until the player agrees, and so is the draft."""
    other = tmp_path / "Nix.json"
    other.write_text("{}", encoding="utf-8")
    terminal = quick_build(at_terminal)
    terminal.type(ENTER)
    terminal.sees("Nix.json exists. Replace it?")
    terminal.type("n", ENTER)
    terminal.sees("Another name for the character:")
    assert drafts(tmp_path) == ["Nix.draft.yaml"]
    terminal.type(ENTER)
    terminal.sees("A name needs at least one letter.")
    terminal.type("Nyx", ENTER)
    assert terminal.ends() == 0
    assert other.read_text("utf-8") == "{}"
    assert json.loads((tmp_path / "Nyx.json").read_text("utf-8"))["name"] == "Nyx"
    assert drafts(tmp_path) == []
