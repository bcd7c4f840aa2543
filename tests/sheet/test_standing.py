"""What a character is under in play stands on paper and in notes, beside the scores it changes."""

from __future__ import annotations

import re

import pytest

from charforge.answers.random import RandomAnswers
from charforge.export import markdown, statblock, text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.party import parties, party_member
from charforge.sheet.print_options import Look
from charforge.usecases import manual_changes
from charforge.usecases.create import create_character


@pytest.fixture(scope="module")
def nix(capital: Ruleset) -> LoadedCharacter:
    """A character with a companion, before anything happened to them."""
    plan = CharacterSpec(capital, "7", "Nix", 1, answers={"asset": "companion/land-beast"})
    return replay_document(create_character(plan, RandomAnswers("7")), capital)


@pytest.fixture(scope="module")
def hurt(nix: LoadedCharacter) -> LoadedCharacter:
    """They are prone and dead, and their companion is prone."""
    beast = nix.character.state.units[1].id
    for named, unit in (("prone", None), ("dead", None), ("prone", beast)):
        nix = manual_changes.change_condition(nix, named, unit).after
    return nix


def test_a_condition_has_a_ticked_box_of_the_sheet_or_one_of_its_own(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    boxes = [one.name for one in build(nix.character).conditions]
    shown = build(hurt.character)
    assert "Prone" in boxes and "Dead" not in boxes
    assert [one.text for one in shown.conditions_without_box] == ["Dead"]
    page = render_html(shown)
    assert page.count('<i class="tick on"></i>Prone') == 1
    assert page.count('<i class="tick on"></i>Dead') == 1
    assert 'tick on"></i>' not in render_html(build(nix.character))


def test_the_box_of_a_unit_says_what_it_is_under(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    assert "Now: Prone." in render_html(build(hurt.character))
    assert "Now: " not in render_html(build(nix.character))
    short = (render_html(build(one.character), Look("short")) for one in (nix, hurt))
    assert [re.findall(r"<b>Now</b> (\w+)", page) for page in short] == [
        [],
        ["Prone"],
    ]


def test_a_fillable_sheet_ticks_the_conditions(hurt: LoadedCharacter) -> None:
    page = render_html(build(hurt.character), Look(fillable=True))
    ticked = [box for box in re.findall(r"<input [^>]*>", page) if re.search(r"\bchecked\b", box)]
    assert [re.findall(r'name="(.*?)"', box) for box in ticked] == [["Prone"], ["Dead"]]


def test_a_party_names_conditions_and_the_dead_take_no_turn(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    (party,) = parties([party_member(nix.character), party_member(hurt.character)])
    assert [one.character for one in party.turn_order] == [nix.character]
    named = [", ".join(one.text for one in row.active_conditions) for row in party.vitals.rows]
    assert named == ["", "", "Prone, Dead", "Prone"]


def test_notes_name_them_too(nix: LoadedCharacter, hurt: LoadedCharacter) -> None:
    for write, said in (
        (text.write, "Conditions Prone, Dead · "),
        (markdown.write, "**Conditions** Prone, Dead"),
        (statblock.write, "Prone, Dead"),
    ):
        assert said in write(hurt.character)
        assert "Prone, Dead" not in write(nix.character)
