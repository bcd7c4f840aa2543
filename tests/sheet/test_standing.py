"""Current conditions on paper and in notes, next to the scores that they change."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.character.state import CHARACTER
from charforge.export.text_formats import write
from charforge.expressions.template import plain_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build, without_current_state
from charforge.sheet.html import render_html
from charforge.sheet.party import parties, party_member
from charforge.sheet.print_options import SECTIONS, Layout, PrintOptions
from charforge.sheet.trackers import page_trackers
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes


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


def ticked(page: str) -> list[str]:
    """Return the names before ticked boxes, as they are read aloud."""
    return re.findall(r"(\w+)</bdi> <svg[^>]*><title>ticked</title></svg>", page)


def test_a_condition_has_a_ticked_box_of_the_sheet_or_one_of_its_own(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    boxes = [one.name for one in build(nix.character).conditions]
    shown = build(hurt.character)
    assert {"Prone", "Critical Condition", "Dead"} <= set(boxes)
    assert shown.conditions_without_box == ()
    assert (build(nix.character).stamp, shown.stamp) == ("", "Dead")
    page = render_html(shown)
    assert ticked(page) == ["Prone", "Dead", "Prone"], "the last is the companion's"
    assert ticked(render_html(build(nix.character))) == []


def test_the_box_of_a_unit_says_what_it_is_under(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    boxes = [
        render_html(build(one.character)).partition("<article data-unit=")[2] for one in (nix, hurt)
    ]
    assert list(map(ticked, boxes)) == [[], ["Prone"]]


@pytest.mark.parametrize("layout", ["full", "short"])
def test_a_score_that_conditions_lower_prints_the_lasting_one_too(
    nix: LoadedCharacter, hurt: LoadedCharacter, layout: Layout
) -> None:
    agility = {score.id: score for score in build(hurt.character).attributes}["agi"]
    assert (agility.total, agility.base) == (3, 7), "Prone: −4"
    page = re.sub(r"<[^>]+>", "", render_html(build(hurt.character), PrintOptions(layout)))
    assert re.search(r"AGI\s+3 normally 7\s+Agility", page)
    assert not any(score.lasting for score in build(nix.character).attributes)


def test_a_fillable_sheet_ticks_the_conditions(hurt: LoadedCharacter) -> None:
    page = render_html(build(hurt.character), PrintOptions(fillable=True))
    boxes = [box for box in re.findall(r"<input [^>]*>", page) if re.search(r"\bchecked\b", box)]
    assert [re.findall(r'title="(.*?)"', box)[0] for box in boxes] == ["Prone", "Dead", "Prone"]


def test_a_party_names_conditions_and_the_dead_take_no_turn(
    nix: LoadedCharacter, hurt: LoadedCharacter
) -> None:
    (party,) = parties([party_member(nix.character), party_member(hurt.character)])
    assert [one.character for one in party.turn_order] == [nix.character]
    named = [", ".join(one.text for one in row.active_conditions) for row in party.vitals.rows]
    assert named == ["", "", "Prone, Dead", "Prone"]


def test_notes_name_them_too(nix: LoadedCharacter, hurt: LoadedCharacter) -> None:
    for format, said in (
        ("text", "Conditions Prone, Dead · "),
        ("markdown", "**Conditions** Prone, Dead"),
        ("statblock", "Prone, Dead"),
    ):
        assert said in write(format, hurt.character)
        assert "Prone, Dead" not in write(format, nix.character)


def test_a_condition_says_whom_it_concerns_what_it_does_and_when_it_ends(
    nix: LoadedCharacter,
) -> None:
    taunted = manual_changes.change_condition(nix, "taunted", about="Ox").after
    (shown,) = build(taunted.character).active_conditions
    assert (shown.text, shown.about) == ("Taunted (Ox)", "Ox")
    assert shown.ends == "your turn ends or any Rest"
    assert "only target the unit that Taunted you" in plain_text(shown.effect)


def test_what_only_helps_the_rules_to_count_is_not_listed(nix: LoadedCharacter) -> None:
    fighting = manual_changes.change_condition(nix, "in combat").after
    view = build(fighting.character)
    assert [(one.text, one.internal) for one in view.active_conditions] == [("In combat", True)]
    assert view.conditions_without_box == ()
    labels = {
        tracker.label: tracker.start
        for loaded in (nix, fighting)
        for unit in page_trackers(loaded.character, "x", ()).units
        for group in unit.groups
        for tracker in group.trackers
    }
    assert not {"In combat", "Actions left"} & set(labels)


def test_a_clean_sheet_has_no_current_state(hurt: LoadedCharacter, nix: LoadedCharacter) -> None:
    """Full resources, no conditions, cooldowns or used boxes; money and gear stay."""
    played = use_ability(hurt)
    assert build(played) != build(nix.character)
    clean = build(without_current_state(played))
    fresh = build(without_current_state(nix.character))
    assert clean == fresh._replace(stores=build(played).stores)
    assert (clean.stamp, clean.active_conditions) == ("", ())
    assert all(vital.current == vital.max for vital in clean.vitals if vital.max is not None)


def use_ability(loaded: LoadedCharacter) -> Character:
    """Return the character with HP lost, a cooldown running and money spent."""
    state = loaded.character.state
    state, _by = state_changes.change_resource(state, CHARACTER, "hp", -3)
    state, _by = state_changes.change_resource(state, CHARACTER, "money", -7)
    holding, action = next(
        (holding, action) for holding in state.holdings for action in holding.entity.actions
    )
    return replace(loaded.character, state=state_changes.start_cooldown(state, holding, action))


def test_notes_have_their_date_and_author(nix: LoadedCharacter) -> None:
    noted = manual_changes.add_note(nix, "The bridge fell.", "2026-01-02 20:00").after
    (note,) = build(noted.character).notes
    assert (plain_text(note.text), note.at, note.by) == ("The bridge fell.", "2026-01-02", "")


def test_a_look_knows_its_sections() -> None:
    assert all(PrintOptions().prints(section) for section in SECTIONS)
    options = PrintOptions(sections=frozenset({"gear"}))
    assert options.prints("gear")
    assert not options.prints("story")
    with pytest.raises(ValueError, match="no section"):
        options.prints("geer")  # type: ignore[arg-type]
