"""The key ! compares the options of a list, in the wizard, at a level-up and in the shop."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.shop import Shop
from tests.cli.terminals import ENTER, ESCAPE, ThreadRun
from tests.usecases.test_example_advice import sample

pytestmark = pytest.mark.slow
AtTerminal = Callable[..., ThreadRun]
COMPARED = "Compare the options"


@pytest.fixture
def file(tmp_path: Path, capital: Ruleset) -> Path:
    """The file of a random Healer, whose only weapon is a rifle."""
    spec = CharacterSpec(capital, "3", "Nix", answers={"role": "role/the-healer"})
    save(create_character(spec, RandomAnswers("3")), tmp_path / "nix.json")
    return tmp_path / "nix.json"


def test_the_options_of_a_level_are_compared_and_the_best_pointed_at(
    at_terminal: AtTerminal, file: Path
) -> None:
    terminal = at_terminal("level-up", file, rows=32)
    terminal.asked("Roll for HP")
    terminal.take("Roll for me")
    terminal.asked("Which Systems do you choose?")
    terminal.type("!")
    terminal.sees("Comparing ")
    terminal.asked(COMPARED)
    terminal.sees("Against a foe with Defense Attribute 5, Hit Attribute 5, damage 2d6.")
    best = terminal.pointed.rstrip(" │┃")
    terminal.sees("Attacks until 0 HP ")
    terminal.type(ENTER)
    terminal.asked("Which Systems do you choose?")
    assert best in terminal.pointed


def test_the_shop_compares_what_can_be_bought(at_terminal: AtTerminal, file: Path) -> None:
    terminal = at_terminal("shop", file, rows=32)
    terminal.sees("! compare")
    terminal.type("!")
    terminal.asked(COMPARED)
    terminal.sees("Ctrl-C leave")
    terminal.type(ESCAPE)
    terminal.sees("! compare")


def test_the_swaps_of_scores_are_compared_and_the_best_is_taken_over(
    at_terminal: AtTerminal, file: Path
) -> None:
    terminal = at_terminal("edit", file, "attributes.assign", rows=32)
    terminal.asked("Which Attribute gets which score?")
    terminal.sees("! compare")
    terminal.type("!")
    terminal.asked(COMPARED)
    terminal.sees("Compared: each swap of two")
    name, change = terminal.pointed.split(",")[0].strip(" ▸").split(" ", 1)
    terminal.type(ENTER)
    terminal.asked("Which Attribute gets which score?")
    row = next(line for line in terminal.lines if f"({name})" in line)
    assert row.split(f"({name})")[1].split()[0] == change.split("→")[1].strip()


def test_a_list_without_numbers_to_compare_has_no_such_key(at_terminal: AtTerminal) -> None:
    terminal = at_terminal("new", "--ruleset", "capital", "--seed", "7", "--name", "Nix")
    terminal.asked("What is your Role?")
    terminal.type(ENTER)
    terminal.asked("Roll 10d6 for your Attributes")
    assert not any("! compare" in line for line in terminal.lines)
    terminal.type("!")
    terminal.sees("There is nothing to compare here.")


# ------------------------------------------------------------------ progress


def test_lines_say_once_how_many_options_are_compared(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    loaded = sample("cinderwell", "digger")
    monkeypatch.setattr(sys, "stdin", io.StringIO("!\n<\n1\n"))
    Shop(loaded, Path("nix.json"), lambda _before, after, _file: after, LinePrompts()).run()
    shown = capsys.readouterr().err
    before, compared = shown.split("Compare the options")
    assert shown.count("Comparing ") == before.count(" options …") == 1
    assert "The best comes first." in " ".join(compared.split())
