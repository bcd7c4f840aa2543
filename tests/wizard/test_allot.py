"""Allotments and open values in a terminal that prints lines."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.decisions.base import MISSING
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.wizard.decision_prompts import ask_decision
from charforge.wizard.line_prompts import LinePrompts
from charforge.wizard.pages import WizardPage

UNPRINTED = "Not in this book:"
OTHERS = {"embers": {"max_heat": 4}, "guard": 2, "oath": "x", "skills": [], "tools": []}
Sat = tuple[dict[str, Any], str]


@pytest.fixture
def answered(
    smithy: Ruleset, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Sat]:
    """Type lines at the wizard, and return the answers and what it printed."""

    def sit(*typed: str, without: str = "abilities") -> Sat:
        answers = {**OTHERS, "abilities": {"brawn": 1, "wits": 1, "grace": 1}}
        del answers[without]
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        plan = CharacterSpec(smithy, "s", "Ilmar", answers=answers)
        decision = plan.replay().decision(without)
        assert decision is not None
        page = WizardPage(title="The Smithy")
        made = ask_decision(decision, LinePrompts(), page, MISSING, RandomAnswers("s"))
        return {without: decision.canonical(made)}, capsys.readouterr().err

    return sit


def test_the_values_stand_under_one_another_with_what_is_left(
    answered: Callable[..., Sat],
) -> None:
    # Brawn 2, then Wits 1; then all is given and Done is pointed at.
    made, shown = answered("3", "2", "4", "1", "", "")
    assert made["abilities"] == {"brawn": 2, "wits": 1, "grace": 0}
    lines = shown.splitlines()
    assert "3 of 3 points left. Each value: from 0 to 2." in shown
    first = next(n for n, line in enumerate(lines) if "Brawn (BRN)" in line)
    assert [line.split() for line in lines[first : first + 3]] == [
        ["3", "Brawn", "(BRN)", "0"],
        ["4", "Wits", "(WIT)", "0"],
        ["5", "Grace", "(GRC)", "0"],
    ]
    assert "Done (not possible: spend exactly 3 points (you have spent 0))" in shown
    assert "1 of 3 points left." in shown
    assert "Brawn (BRN): 2" in shown


def test_a_number_that_may_not_be_given_is_asked_again(answered: Callable[..., Sat]) -> None:
    made, shown = answered("5", "3", "5", "two", "5", "2", "3", "1", "", "")
    assert made["abilities"] == {"brawn": 1, "wits": 0, "grace": 2}
    assert shown.count("Grace (GRC): from 0 to 2.") == 2


def test_back_from_a_number_is_the_page_again_and_back_from_there_the_question_before(
    answered: Callable[..., Sat],
) -> None:
    # Back, from Brawn's number; the points spread; then Done, and Save.
    made, _shown = answered("3", "<", "2", "", "")
    assert sum(made["abilities"].values()) == 3


def test_what_is_suggested_stands_there_and_the_book_s_silence_is_told(
    answered: Callable[..., Sat],
) -> None:
    made, shown = answered("1", "", without="embers")
    assert made["embers"] == {"max_heat": 4}
    assert UNPRINTED in shown
    assert "one of 2, 4, 6." in shown


@pytest.mark.parametrize("name", ["guard", "oath"])
def test_an_entry_and_a_text_say_that_the_book_leaves_them_open(
    answered: Callable[..., Sat], name: str
) -> None:
    made, shown = answered("5", "", without=name)
    assert str(made[name]) == "5"
    assert UNPRINTED in shown


def test_what_the_book_prints_is_not_said_to_be_open(answered: Callable[..., Sat]) -> None:
    _made, shown = answered("2", "", "")
    assert UNPRINTED not in shown


def test_an_allotment_in_words_names_what_got_something(smithy: Ruleset) -> None:
    decision = CharacterSpec(smithy, "s", "Ilmar").replay().decision("abilities")
    assert decision is not None
    assert decision.answer_text({"brawn": 2, "wits": 0, "grace": 1}) == "BRN 2, GRC 1"
    assert decision.answer_text({"brawn": 0}) == "none"


def test_the_template_says_what_may_be_given_and_what_is_open(smithy: Ruleset) -> None:
    lines = questions_file(smithy, 1).splitlines()
    at = lines.index("  # Which abilities do you raise?")
    assert lines[at + 1 : at + 3] == [
        "  #   a number for each, from 0 to 2; 3 points in all",
        "  # abilities: {brawn: 0, wits: 0, grace: 0}",
    ]
    at = lines.index("  # How hot do you burn?")
    assert lines[at + 1 : at + 4] == [
        f"  #   {UNPRINTED} enter the value from your rulebook.",
        "  #   a number for each, one of 2, 4, 6",
        "  # embers: {max_heat: 4}",
    ]
    assert "  # guard: 2" in lines
    assert "  # oath: Never to quench in anger" in lines
    assert "  # tools.own.ring: 1" in lines
    # The three open questions of creation, and the hammer's own.
    assert sum(UNPRINTED in line for line in lines) == 4
