"""Differences between two characters, or two levels of one."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import Difference
from charforge.character.files.events import AcquireEvent, ConditionEvent, SetEvent
from charforge.describe.differences import difference_lines, differences
from charforge.errors import UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, as_of_level, replay_document
from charforge.usecases.create import create_character
from charforge.verbs.change import EventDraft, change_character, draft_event
from tests.capital.conftest import Maker, lowest


@pytest.fixture(scope="module")
def tank(capital) -> LoadedCharacter:
    """A Tank of Level 3."""
    return Maker(capital)("the-tank", 3).opened


def changed(opened: LoadedCharacter, *drafts: EventDraft) -> list[Difference]:
    """Return what a change made different."""
    after = change_character(opened, *drafts, source=lowest)
    return list(differences(opened.character, after.character))


def test_nothing_differs_from_itself(tank):
    assert differences(tank.character, tank.character) == ()


def test_two_levels_of_one_character(tank):
    found = differences(as_of_level(tank, 1).character, tank.character)
    said = {(d.topic, d.id): (d.old, d.new) for d in found}
    # FTD 7: 7 + 18, and twice 7 + 12. WIL 6: WIL + 3 becomes WIL + 5 at Level 3; 2 Slots.
    assert said == {
        ("level", "level"): (1, 3),
        ("value", "max_hp"): (25, 63),
        ("value", "hp"): (25, 63),
        ("value", "max_energy"): (9, 11),
        ("value", "energy"): (9, 11),
        ("value", "slots"): (0, 2),
        ("holding", "system/sanctuary"): (None, 1),
        ("choice", "level.2.hp"): (None, "1 1 → Max HP +19"),
        ("choice", "level.2.systems"): (None, "none"),
        ("choice", "level.3.hp"): (None, "1 1 → Max HP +19"),
        ("choice", "level.3.systems"): (None, "none"),
    }


def test_quantities_units_and_conditions(tank):
    rope = draft_event(AcquireEvent, entity="equipment/primitive-rope-20m", quantity=3)
    (found,) = changed(tank, rope)
    assert (found.topic, found.old, found.new, found.kind) == ("holding", 1, 4, "Equipment")
    bike = draft_event(AcquireEvent, entity="vehicle/bike", granted=True)
    said = {(d.topic, d.label): (d.old, d.new) for d in changed(tank, bike)}
    assert said[("unit", "Bike")] == (None, "Bike")
    prone = changed(tank, draft_event(ConditionEvent, condition="status/prone"))
    (found,) = (d for d in prone if d.topic == "condition")
    assert (found.label, found.old, found.new) == ("Prone", None, 1)


def test_names_and_table_rules(tank):
    ruled = changed(tank, draft_event(SetEvent, rule="long_break", value="once"))
    assert [d.id for d in ruled if d.topic == "rule"] == ["long_break"]
    assert {d.topic for d in ruled} <= {"rule", "text"}
    (found,) = changed(tank, draft_event(SetEvent, name="Nyx"))
    assert (found.topic, found.old, found.new) == ("name", "Worked Example", "Nyx")


def test_texts_follow_a_table_rule(tank):
    (found,) = (
        d
        for d in changed(tank, draft_event(SetEvent, rule="cooldown", value="or_less"))
        if d.topic == "text"
    )
    keyword = tank.ruleset.entity("keyword/cooldown")
    assert (found.id, found.old, found.new) == (keyword.id, keyword.text, keyword.ruled[0].text)


def test_characters_of_two_games_cannot_be_compared(tank, toy):
    chance = RandomAnswers("7")
    keeper = create_character(CharacterSpec(toy, "7", "Ida"), chance)
    opened = replay_document(keeper, toy)
    with pytest.raises(
        UsageError, match="Worked Example is a Capital character and Ida a The Long Light"
    ):
        differences(tank.character, opened.character)


def test_two_characters_of_one_game_differ_both_ways_alike(tank, capital):
    scout = Maker(capital)("the-scout", 2).opened
    there = differences(tank.character, scout.character)
    back = differences(scout.character, tank.character)
    assert {(d.topic, d.id, d.old, d.new) for d in there} == {
        (d.topic, d.id, d.new, d.old) for d in back
    }
    assert ("holding", "role/the-scout", None, 1) in {(d.topic, d.id, d.old, d.new) for d in there}


# ------------------------------------------------------------------ in words


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (None, "Yes", "+ Table rule Does a rest heal? Yes"),
        ("No", None, "− Table rule Does a rest heal? No"),
        ("No", "Yes", "Table rule Does a rest heal? No → Yes"),
    ],
)
def test_a_table_rule_that_one_side_does_not_have(toy, old, new, line):
    rule = Difference("rule", "rest", "Does a rest heal?", old, new)
    assert list(difference_lines([rule], toy)) == [line]
