"""Level-ups of characters and units, as planned, and their obstacles."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import to_text
from charforge.character.files.events import AnswerEvent, PlanEvent
from charforge.character.state import Unit
from charforge.decisions.base import MISSING, Answer, Decision
from charforge.errors import AnswerError, MissingAnswers, UnusedAnswers, UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.usecases.create import create_character
from charforge.usecases.level_up import LevelUp, PlannedAnswers, level_up_character
from charforge.verbs.change import change_character, commit_change, draft_event, try_change

TWO = {"level.2.vigour": [3], "level.2.knacks": ["knack/strong-back"]}
FITTINGS = "trade.tender.level.2.fittings"


def planning(opened: LoadedCharacter, **plans: Answer) -> LoadedCharacter:
    """Return the character with intentions, by decision id with __ for a point."""
    named = ((name.replace("__", "."), answer) for name, answer in plans.items())
    return change_character(
        opened, *(draft_event(PlanEvent, decision=name, answer=answer) for name, answer in named)
    )


def tender(opened: LoadedCharacter) -> Unit:
    return opened.character.state.unit("trade.tender")


# --------------------------------------------------------------------------- the character


def test_a_level_brings_its_dice_and_its_slots(dockhand):
    """9 + 3 rolled + 1 of ARM."""
    up = level_up_character(dockhand(), 2, TWO)
    values = up.character.state.values()
    assert (up.document.level, values.base("max_vigour"), values.base("slots")) == (2, 13, 3)
    assert (up.problems, up.document.character["level"]) == ((), 2)


def test_several_levels_are_the_same_as_one_after_the_other(dockhand):
    three = {"level.3.vigour": [1], "level.3.knacks": []}
    at_once = level_up_character(dockhand(), 3, {**TWO, **three})
    assert to_text(
        level_up_character(level_up_character(dockhand(), 2, TWO), 3, three).document
    ) == to_text(at_once.document)


def test_a_source_answers_what_is_left(dockhand):
    asked: list[str] = []

    def source(decision: Decision) -> Answer:
        asked.append(decision.id)
        return [4] if decision.id.endswith("vigour") else []

    up = level_up_character(dockhand(), 3, TWO, source)
    assert asked == ["level.3.vigour", "level.3.knacks"]
    assert up.character.state.answers["level.3.vigour"] == [4]


@pytest.mark.parametrize(
    ("level", "to", "message"),
    [
        (1, 5, "The Harbour has levels 1 to 4;"),
        (1, 0, "The Harbour has levels 1 to 4;"),
        (3, 3, "Ada is already"),
        (3, 2, "Ada is already"),
    ],
)
def test_a_level_must_be_one_to_come(dockhand, level, to, message):
    with pytest.raises(UsageError, match=message):
        LevelUp(dockhand(level), to).check()


def test_an_illegal_character_does_not_rise(dockhand):
    broken = commit_change(
        try_change(dockhand(), [draft_event(AnswerEvent, decision="knacks", answer=["knack/ox"])]),
        tolerant=True,
    )
    with pytest.raises(AnswerError) as caught:
        LevelUp(broken, 2).check()
    assert [name for name, _why in caught.value.problems] == ["knacks"]


def test_answers_of_earlier_levels_are_settled(dockhand):
    with pytest.raises(UnusedAnswers) as caught:
        level_up_character(dockhand(2), 3, {"level.2.vigour": [3]})
    assert caught.value.unused == (
        ("level.2.vigour", "Level 2: Max vigour was chosen at an earlier level"),
    )


def test_answers_that_nothing_asks_are_named(dockhand):
    with pytest.raises(UnusedAnswers) as caught:
        level_up_character(dockhand(), 2, {**TWO, "level.2.knack": []})
    assert caught.value.unused == (
        ("level.2.knack", 'there is no choice "level.2.knack" here; did you mean level.2.knacks?'),
    )


def test_what_is_left_open_is_named(dockhand):
    with pytest.raises(MissingAnswers) as caught:
        level_up_character(dockhand(), 2, {})
    assert [name for name, _label in caught.value.decisions] == ["level.2.vigour", "level.2.knacks"]


def test_a_level_on_trial_leaves_the_character_alone(dockhand):
    opened = dockhand()
    found = LevelUp(opened, 2).trial(TWO)
    assert found.character.state.level == 2
    assert opened == dockhand()


# --------------------------------------------------------------------------- as planned


def test_what_was_planned_is_answered_first_and_the_plan_is_carried_out(dockhand):
    opened = planning(dockhand(), level__2__knacks=["knack/strong-back"], level__3__knacks=[])
    assert opened.document.plan == {"level.2.knacks": ["knack/strong-back"], "level.3.knacks": []}
    up = level_up_character(opened, 2, {"level.2.vigour": [1]})
    assert up.character.state.answers["level.2.knacks"] == ["knack/strong-back"]
    assert up.document.plan == {"level.3.knacks": []}


def test_an_answer_goes_before_the_plan(dockhand):
    opened = planning(dockhand(), level__2__knacks=["knack/strong-back"])
    up = level_up_character(opened, 2, {"level.2.vigour": [1], "level.2.knacks": []})
    assert up.character.state.answers["level.2.knacks"] == []
    assert up.document.plan == {}


def test_a_plan_that_the_rules_refuse_by_then_is_left_to_the_source(dockhand):
    opened = planning(dockhand(), level__2__knacks=["knack/ox"])
    refused = {"level.2.knacks": ("Ox: requires Strong Back",)}
    assert LevelUp(opened, 2).refused_planned_answers({"level.2.vigour": [1]}) == refused
    with pytest.raises(MissingAnswers):
        level_up_character(opened, 2, {"level.2.vigour": [1]})
    up = level_up_character(
        opened, 2, {"level.2.vigour": [1]}, lambda _decision: ["knack/strong-back"]
    )
    assert up.character.state.answers["level.2.knacks"] == ["knack/strong-back"]
    assert LevelUp(dockhand(), 2).refused_planned_answers(TWO) == {}


def test_a_planned_source_keeps_what_it_refused(dockhand):
    opened = dockhand()
    source = PlannedAnswers({"level.2.knacks": ["knack/ox"]}, lambda _decision: MISSING)
    found = try_change(opened, LevelUp(opened, 2).drafts(), {"level.2.vigour": [1]}, source)
    assert [d.id for d in found.open] == ["level.2.knacks"]
    assert source.refused == {"level.2.knacks": ("Ox: requires Strong Back",)}


# --------------------------------------------------------------------------- units


def test_a_unit_of_its_own_level_is_raised_alone(dockhand):
    pilot = dockhand(trade="trade/pilot")
    up = level_up_character(pilot, 2, {FITTINGS: ["fitting/sail"]}, unit=tender(pilot))
    assert (up.document.level, up.character.state.level_of(tender(up))) == (1, 2)
    assert [e.group for e in up.document.log[-2:]] == [2, 2]
    assert up.problems == ()


def test_a_unit_rises_no_higher_than_its_bound_and_not_twice(dockhand):
    pilot = dockhand(trade="trade/pilot")
    with pytest.raises(UsageError, match="Tender can be level 2 at most, not 3"):
        level_up_character(pilot, 3, {}, unit=tender(pilot))
    up = level_up_character(pilot, 2, {FITTINGS: []}, unit=tender(pilot))
    with pytest.raises(UsageError, match="Tender is already"):
        level_up_character(up, 2, {}, unit=tender(up))
    higher = level_up_character(up, 2, {"level.2.vigour": [1], "level.2.knacks": []})
    assert LevelUp(higher, 3, tender(higher)).drafts() == [
        draft_event(type(higher.document.log[-3]), level=3, unit="trade.tender")
    ]


def test_the_level_of_a_companion_is_its_owners(dockhand):
    kennel = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/hound")
    dog = kennel.character.state.unit("knacks.kennel.dog")
    with pytest.raises(UsageError, match="a Dog always has its owner's level"):
        level_up_character(kennel, 2, {}, unit=dog)


def test_a_companion_rises_with_its_owner(dockhand):
    kennel = dockhand(knacks=["knack/kennel"], knacks__kennel__dog="dog/terrier")
    up = level_up_character(kennel, 2, {**TWO, "level.2.knacks": [], "level.2.dog.vigour": [3]})
    state = up.character.state
    dog = state.unit("knacks.kennel.dog")
    assert (state.level_of(dog), state.values(dog.id).base("max_vigour")) == (2, 5)


def test_a_plan_for_a_unit_is_carried_out_with_its_level(dockhand):
    pilot = planning(
        dockhand(trade="trade/pilot"), trade__tender__level__2__fittings=["fitting/sail"]
    )
    up = level_up_character(pilot, 2, {}, unit=tender(pilot))
    assert up.character.state.answers[FITTINGS] == ["fitting/sail"]
    assert up.document.plan == {}


def test_what_a_level_brings_says_whose_it_is_and_slots_once(capital):
    answers = {"role": "role/the-captain", "asset": "companion/droid"}
    spec = CharacterSpec(capital, "5", "Cap", 1, answers=answers)
    before = load_document(create_character(spec, RandomAnswers("5")), Path("cap.json"), capital)
    _head, own, droid, slots, *others = LevelUp(before, 2).gains()["level.2"].splitlines()
    assert own.startswith("- Max HP +2d6 + ")
    assert droid.startswith("- Droid: Max HP +1d6 + ")
    assert slots == "- 2 Slots to fill"
    assert not any("Slots" in line for line in others)
