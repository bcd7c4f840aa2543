"""Help for terms on a page, in every kind of prompt."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.terminals import DOWN, ENTER, ESCAPE, ThreadRun

pytestmark = pytest.mark.slow
AtTerminal = Callable[..., ThreadRun]
NEW = ("new", "--ruleset", "capital", "--seed", "7", "--name", "Nix")
F1, WORDS = "\x1bOP", "What do these words mean?"


def test_a_question_mark_explains_the_words_of_a_list_and_of_a_form(
    at_terminal: AtTerminal,
) -> None:
    terminal = at_terminal(*NEW, rows=32)
    terminal.asked("What is your Role?")
    terminal.point("The Scout")
    terminal.type("?")
    terminal.asked(WORDS)
    terminal.type("focus")
    terminal.sees("search: focus")
    terminal.type(ENTER)
    terminal.asked("What is your Role?")
    assert terminal.pointed == "The Scout"
    terminal.type(ENTER)
    terminal.asked("Roll 10d6 for your Attributes")
    terminal.take("Roll for me")
    terminal.asked("Which 2 dice do you drop?")
    terminal.type("?")
    terminal.asked(WORDS)
    terminal.type(ESCAPE)
    terminal.asked("Which 2 dice do you drop?")


def test_a_line_of_text_explains_with_f1_and_keeps_what_was_typed(
    at_terminal: AtTerminal, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-scout}")
    arguments = (*NEW, "--answers", "a.yaml", "--level", "1")
    terminal = at_terminal(*arguments)
    terminal.asked("Roll 10d6 for your Attributes")
    terminal.take("Type my own dice")
    terminal.sees("Type the 10 numbers")
    terminal.type("123", F1)
    terminal.asked(WORDS)
    terminal.type(ENTER)
    terminal.sees("› 123")


def test_lines_explain_words_too(at_terminal: AtTerminal) -> None:
    terminal = at_terminal(*NEW, TERM="dumb")
    terminal.sees("Number")
    terminal.type("?\n")
    terminal.until(lambda: "Max HP: Maximum HP" in terminal.seen, "the values")
    assert WORDS in terminal.seen
    terminal.type("<\n")
    terminal.sees("The Sentinel")


def test_the_first_entry_is_the_rule_of_what_is_marked_then_come_the_keys(
    at_terminal: AtTerminal, tmp_path: Path
) -> None:
    (tmp_path / "a.yaml").write_text("answers: {role: role/the-scout}")
    terminal = at_terminal(*NEW, "--answers", "a.yaml", rows=32)
    terminal.take("Roll for me")
    terminal.asked("Which 2 dice do you drop?")
    terminal.type(" ", DOWN, " ", ENTER)
    terminal.asked("Which Attribute gets which score?")
    terminal.point("Strength (STR)")
    terminal.type("?")
    terminal.asked(WORDS)
    assert terminal.pointed.startswith("Strength (STR)")
    rule = max(n for n, line in enumerate(terminal.lines) if line.startswith(" ──"))
    assert not any("Ideal" in line for line in terminal.lines[rule:])
    terminal.type(DOWN)
    terminal.until(lambda: terminal.pointed.startswith("Keys"), "the keys")
    terminal.sees("Ctrl-W deletes a word")
