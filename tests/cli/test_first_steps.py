"""What newcomers try first: the error of a wrong command says what to type instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.command_runner import run_command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a random character of level 2."""
    folder = tmp_path_factory.mktemp("first")
    options = ("--random", "--seed", 7, "--level", 2, "--name", "Nix")
    assert run_command("new", *options, folder=folder).code == 0
    return folder


@pytest.mark.parametrize(
    ("typed", "advice"),
    [
        (("new", "--role", "Scout"), "To answer a choice: --with role=…"),
        (("new", "--set", "role=Scout"), "To answer a choice: --with CHOICE=ANSWER"),
        (("roll", "nix"), "Which check?\n  Strength (STR): charforge roll nix str"),
        (("spend", "nix"), "WHAT is missing. Possible here: hp, energy, "),
        (("spend", "nix", "xyzzy"), "There are: HP, Energy, Bones, Grit, Money"),
        (("spend", "nix", "enrgy"), 'named "enrgy". Did you mean Energy?'),
        (("condition", "nix", "on", "fire"), "There are: Grappled, Prone, Taunted."),
        (("resolve",), "Which game? There are: capital, "),
        (("award", "nix", "200"), "200 of what? For example: charforge award Nix.json money 200"),
        (("sheet", "nix", "--cards"), "For example --cards abilities"),
        (("explain", "nix", "teleport"), "charforge catalog search --ruleset capital teleport"),
        (("rename", "nix"), "Did you mean charforge edit nix --name NAME?"),
        (("portrait", "nix"), "Did you mean charforge edit nix --portrait IMAGE?"),
        (("cards", "nix"), "Did you mean charforge sheet nix --layout cards?"),
        (("add", "friend.zip"), "new friend.zip or charforge catalog add friend.zip?"),
        (("replay", "nix"), "For example --instead CHOICE=ANSWER: A choice and"),
        (("undo", "nix", "--to-level", "2"), "--to-level must be 1. To undo only the last change"),
        (("initiative", "nix", "--with", "Raider"), "For example Raider=9"),
        (("damage", "nix", "--hp", "7"), "To list the options: charforge damage --help"),
    ],
)
def test_an_error_says_what_to_type(folder: Path, typed: tuple[str, ...], advice: str) -> None:
    run_command(*typed, folder=folder).refused(2, advice)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        (("award", "nix", "200", "mC"), "Money 336 → 536 mC"),
        (("award", "nix", "200", "money"), "Money 336 → 536 mC"),
        (("spend", "nix", "1", "energy"), "Energy −1"),
        (("damage", "nix", "heat", "3"), "HP −3"),
    ],
)
def test_an_amount_can_come_first_or_last(folder: Path, typed: tuple[str, ...], text: str) -> None:
    assert text in run_command(*typed, folder=folder).out
    assert run_command("undo", "nix", folder=folder).code == 0


def test_choices_are_answered_with_options(folder: Path) -> None:
    new = ("new", "--with", "role=The Scout", "--random", "--name", "Ada")
    assert run_command(*new, folder=folder).code == 0
    assert "The Scout" in run_command("show", "ada", folder=folder).out
    level_up = ("level-up", "ada", "--with", "level.2.hp=[3]", "--random")
    assert run_command(*level_up, folder=folder).code == 0
    assert "Level 2: HP: 3 " in run_command("history", "ada", folder=folder).out
    run_command("new", "--with", "rloe=x", "--random", folder=folder).refused(
        2, "did you mean role?"
    )


def test_odds_take_the_score_of_the_opponent(folder: Path) -> None:
    by_option = run_command("odds", "nix", "unarmed", "--vs", 7, folder=folder)
    by_input = run_command("odds", "nix", "unarmed", "--set", "vs=7", folder=folder)
    assert (by_option.code, by_option.out) == (0, by_input.out)


def test_a_wrong_die_is_reported_under_the_rule_that_was_used(folder: Path) -> None:
    defend = ("use", "nix", "defend", "--set", "attribute=agi", "--vs", 5, "--dice", "9,9")
    run_command(*defend, folder=folder).refused(2, "Defense Roll: these inputs are invalid")


def test_the_note_of_a_roll_is_in_words(folder: Path) -> None:
    """2d6 + FTD, at least FTD + 8: the formulas have the labels of the sheet."""
    ended = run_command("explain", "nix", "max_hp", folder=folder)
    assert re.search(r"\[\dd6 \([\d +]+\) \+ FTD.* \(\d+\) = \d+; minimum FTD \+ \d+", ended.out)
