"""Plans for later levels: checked, saved, suggested, or refused with reasons."""

from __future__ import annotations

import pytest

from charforge.character.files.events import AcquireEvent
from charforge.errors import AnswerError, UnknownId, UsageError
from charforge.replay.loaded_character import LoadedCharacter
from charforge.usecases.edit import draft_answer, find_decision, try_edit
from charforge.usecases.level_up import LevelUp, level_up_character
from charforge.usecases.plan import change_plan, planned_choices, preview_plan, replace_planned
from charforge.verbs.change import change_character, commit_change, draft_event
from charforge.verbs.history import undo
from tests.capital.conftest import Maker, lowest


@pytest.fixture(scope="module")
def scout(capital) -> LoadedCharacter:
    """A Scout of Level 1, whose first Slots come at Level 2 (2) and 4 (2 more)."""
    return Maker(capital)("the-scout", 1).opened


def judged(opened: LoadedCharacter) -> dict[str, tuple[str, ...]]:
    return {one.id: one.reasons for one in planned_choices(opened)}


FOCUS = {
    "level.2.systems": ["system/focus-ii", "system/move-carefully"],
    "level.4.systems": ["system/offensive-focus"],
}


def test_a_plan_stands_in_the_log_and_the_header_repeats_it(scout):
    after = change_plan(scout, FOCUS)
    assert after.document.plan == FOCUS
    assert [event.do for event in after.document.log[len(scout.document.log) :]] == ["plan"] * 2
    assert after.problems == ()
    # Nothing that was played is changed by it.
    assert after.document.character == scout.document.character
    assert undo(after).after.document.plan == {}


def test_each_choice_is_judged_with_those_before_it(scout):
    assert judged(change_plan(scout, FOCUS)) == {"level.2.systems": (), "level.4.systems": ()}
    with pytest.raises(AnswerError, match="Backup: requires a Special Vehicle"):
        change_plan(scout, {"level.2.systems": ["system/backup"]})
    with pytest.raises(AnswerError, match="Bonk: requires The Tank"):
        change_plan(scout, {"level.2.systems": ["system/bonk"]})


def test_what_was_planned_is_offered_at_its_level_and_then_done(scout):
    after = level_up_character(change_plan(scout, FOCUS), 2, {}, lowest)
    assert after.document.answers["level.2.systems"] == FOCUS["level.2.systems"]
    assert after.document.plan == {"level.4.systems": ["system/offensive-focus"]}
    assert LevelUp(change_plan(scout, FOCUS), 2).refused_planned_answers({}) == {}


def test_a_plan_that_became_illegal_says_why(scout):
    planned = change_plan(scout, FOCUS)
    found = draft_answer(planned, find_decision(planned, "role"), "role/the-tank")
    source = {"role.plus": "str", "role.minus": "agi", "role.weapon": "equipment/simple-warhammer"}
    tank = commit_change(try_edit(planned, [found], lambda d: source.get(d.id, lowest(d))))
    assert tank.problems == ()
    reasons = {
        "level.2.systems": ("Focus II: requires Focus I",),
        "level.4.systems": ("Offensive Focus: requires Focus I or Focus II",),
    }
    assert judged(tank) == reasons
    refused = LevelUp(tank, 2).refused_planned_answers({})
    assert refused == {"level.2.systems": reasons["level.2.systems"]}
    after = level_up_character(tank, 2, {}, lowest)
    assert after.document.answers["level.2.systems"] == []  # as the player answered instead


def test_dice_are_not_planned(scout):
    with pytest.raises(UsageError, match="cannot be planned"):
        change_plan(scout, {"level.2.hp": [6]})


def test_what_is_answered_is_edited_instead(scout):
    with pytest.raises(UsageError, match="Role: already chosen"):
        change_plan(scout, {"role": "role/the-tank"})


def test_mistyped_decisions_have_a_nearest_one(scout):
    with pytest.raises(UnknownId) as caught:
        change_plan(scout, {"level.2.system": []})
    assert caught.value.nearest == "level.2.systems"
    with pytest.raises(UnknownId):
        change_plan(scout, {}, ["level.2.systems"])


def test_a_decision_that_will_not_be_asked_says_so(scout):
    # Level 2's two Slots are full, so Level 3 has none to ask about.
    with pytest.raises(AnswerError, match=r"level\.3\.systems: no later level asks for it"):
        change_plan(scout, {**FOCUS, "level.3.systems": ["system/bonk"]})


def test_intentions_are_changed_dropped_and_cleared(scout):
    planned = change_plan(scout, FOCUS)
    other = change_plan(planned, {"level.4.systems": ["system/charge"]})
    assert other.document.plan["level.4.systems"] == ["system/charge"]
    assert list(change_plan(other, {}, ["level.2.systems"]).document.plan) == ["level.4.systems"]
    assert change_plan(other, {}, clear=True).document.plan == {}
    with pytest.raises(UsageError, match="is already"):
        change_plan(planned, FOCUS)


def test_a_vehicles_systems_are_planned_up_to_the_level_its_owner_will_have(scout):
    # A mechsuit of Level 1 has no Slot free; each Level to come brings it at least one.
    gift = draft_event(AcquireEvent, entity="vehicle/mechsuit", granted=True)
    choices = {"legs": "strider", "damage": "blunt"}
    given = change_character(scout, gift, source=lambda d: choices[d.id.rsplit(".", 1)[-1]])
    suit = given.character.state.units[1].id
    wheels = {f"{suit}.level.2.systems": ["vehicle-system/giant-wheels-mk1"]}
    planned = change_plan(given, wheels)
    assert judged(planned) == {f"{suit}.level.2.systems": ()}
    higher = level_up_character(planned, 2, {}, lowest)
    assert higher.document.plan == wheels  # the character's own level asks nothing of it
    after = level_up_character(higher, 2, {}, lowest, higher.character.state.units[1])
    assert wheels.items() <= after.document.answers.items()
    assert after.document.plan == {}


def test_the_wizard_is_asked_about_choices_to_come_alone(scout):
    ahead, asked = preview_plan(scout, 4)
    # Nothing fills the Slots of Level 2 yet, so Levels 2, 3 and 4 all ask.
    assert asked == {"level.2.systems", "level.3.systems", "level.4.systems"}
    assert {decision.id for decision in ahead.replay().open} == asked
    with pytest.raises(UsageError, match="is already"):
        preview_plan(scout, 1)


def test_what_the_wizard_left_empty_is_not_planned(scout):
    after = replace_planned(scout, {**FOCUS, "level.5.systems": []})
    assert after.document.plan == FOCUS
    assert replace_planned(after, dict(FOCUS)) is after
    assert list(replace_planned(after, {**FOCUS, "level.4.systems": []}).document.plan) == [
        "level.2.systems"
    ]
