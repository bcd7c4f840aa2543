"""The character next to a question, and the preview of the selected entry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.cli.terminals import CTRL_C, ENTER, TerminalRun, ThreadRun

pytestmark = pytest.mark.slow
SYSTEMS = "Which Systems do you choose?"
AtTerminal = Callable[..., ThreadRun]


@pytest.fixture
def file(capital: Ruleset, tmp_path: Path) -> Path:
    """A Scout of Level 1 with a pistol, who has 2 Slots from Level 2 on."""
    given = {"money": 350, "role": "role/the-scout", "asset": "special-weapon/pistol"}
    path = tmp_path / "nix.json"
    spec = CharacterSpec(capital, "7", "Nix", 1, answers=given)
    path.write_text(to_text(create_character(spec, RandomAnswers("7"))), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rows", "columns", "env"), [(24, 80, {}), (32, 100, {"NO_COLOR": "1"}), (40, 140, {})]
)
def test_scores_vitals_and_the_best_attack_stand_next_to_the_question(
    at_terminal: AtTerminal, file: Path, rows: int, columns: int, env: dict[str, str]
) -> None:
    """A strip above the question; from 110 columns on a panel at the right."""
    screen = at_terminal("level-up", file, rows=rows, columns=columns, **env)
    screen.asked_anywhere("Roll for HP")
    wide = columns >= 110
    for text in ("STR ", "HP ", "Slots ", "Pistol +"):
        line = next(line for line in screen.lines if text in line)
        assert ("│ " in line) is wide, line
    assert all(len(line) <= columns for line in screen.lines)
    screen.type(ENTER)
    screen.asked_anywhere(SYSTEMS)
    screen.sees("Slots used 0")
    screen.point("[ ] Focus II")
    screen.sees("  Slots used 0 → 1")
    screen.type(" ")
    screen.sees("Slots used 1")
    screen.type(CTRL_C)
    assert screen.ends() == 130


def test_an_edit_shows_what_another_answer_would_change(
    at_terminal: AtTerminal, file: Path
) -> None:
    screen = at_terminal("edit", file, "role", rows=24, columns=80)
    screen.asked("What is your Role?")
    screen.until(lambda: screen.pointed == "The Scout", "the present Role")
    screen.point("The Tank")
    screen.sees("AGI ")
    screen.sees("You lose: The Scout")
    screen.sees("Ctrl-C cancel")
    screen.sees(" → ")
    screen.type(CTRL_C)
    assert screen.ends() == 130


def test_the_shop_shows_the_money_left_and_a_better_attack(
    at_terminal: AtTerminal, file: Path
) -> None:
    """A Torch costs 20 mC; a Sonic Rifle deals 18 True damage at 10 m."""
    screen = at_terminal("shop", file, rows=32, columns=100)
    screen.asked("What do you buy or sell?")
    screen.type("torch")
    screen.until(lambda: screen.pointed.startswith("Torch"), "the Torch")
    screen.sees("  Money 350 → 330")
    screen.sees("Ctrl-C leave")
    screen.type("\x7f" * 5, "sonic")
    screen.until(lambda: screen.pointed.startswith("Sonic Rifle"), "the rifle")
    screen.sees("Equipment: weapons")
    screen.sees("Range")
    assert "10 m / 20 m" in screen.pointed
    assert "18 / 10 True" in screen.pointed
    screen.sees("Best attack Pistol +")
    screen.type(CTRL_C)
    screen.ends()


def test_a_terminal_that_prints_lines_tells_it_on_request(file: Path) -> None:
    """In a process of its own: here the terminal makes a signal of Ctrl-C."""
    lines = TerminalRun(file.parent, "level-up", file, rows=200, columns=120, TERM="dumb")
    lines.sees("= your character")
    assert not any("STR " in line for line in lines.lines)
    lines.type("=\n")
    lines.sees("STR ")
    lines.type("1\n")
    lines.sees("[ ] Focus II")
    number = next(line for line in lines.lines if "[ ] Focus II" in line).split()[0]
    lines.sees("Enter for 1 (Done)")
    lines.type(f"?{number}\n")
    lines.sees("Slots used 0 → 1")
    lines.type(f"{number}\n")
    lines.sees("Picked: Focus II")
    lines.sees("1 of 2 Slots left; picked: Focus II")
    lines.type(f"{number}\n")
    lines.sees("Removed: Focus II")
    lines.sees("2 of 2 Slots left")
    lines.type(CTRL_C)
    assert lines.ends() == 130
    assert "\x1b" not in lines.seen
