"""Sheets name the packs of a character; the GM's page omits zeros."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.party import party_member
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character

DATA = Path(__file__).parents[1] / "testdata"


def anybody(rules: Ruleset) -> LoadedCharacter:
    return replay_document(
        create_character(CharacterSpec(rules, "7", "Ilmar"), RandomAnswers("7")), rules
    )


@pytest.mark.parametrize("layout", ["full", "short"])
def test_the_foot_of_each_page_names_the_packs(toy: Ruleset, layout: str) -> None:
    amended = load_folder(DATA / "toy", [DATA / "tide"])
    view = build(anybody(amended).character)
    assert view.packs == ("Spring Tide 1.2.0",)
    assert 'data-game="The Long Light · Spring Tide 1.2.0"' in render_html(
        view, PrintOptions(layout=layout)
    )
    plain = build(anybody(toy).character)
    assert plain.packs == ()
    assert 'data-game="The Long Light"' in render_html(plain, PrintOptions(layout=layout))


def test_a_brief_names_no_figure_that_is_0(phased: Ruleset) -> None:
    found = party_member(anybody(phased).character)
    stated = [*found.view.stores, *found.view.figures_beside_combat]
    idle = [fact for fact in stated if fact.text == "0"]
    assert idle
    assert not {f"{fact.label} 0" for fact in idle} & set(found.facts)
    shown = [fact for fact in stated if fact.text.split()[0] != "0"]
    assert {f"{fact.label} {fact.text}" for fact in shown} <= set(found.facts)


@pytest.fixture(scope="module")
def phased() -> Ruleset:
    from charforge.rules.loading.loader import load

    return load("phase-2d10")
