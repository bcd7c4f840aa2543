"""Changing one decision: at its level, later, with override, with new dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.character.files.document import to_text
from charforge.character.files.events import AnswerEvent, Override
from charforge.character.state import find_unit
from charforge.decisions.base import MISSING
from charforge.errors import AnswerError, UnknownId, UnusedAnswers, UsageError
from charforge.replay.loaded_character import LoadedCharacter, as_of_level, load_document
from charforge.sheet.build import build
from charforge.usecases.edit import (
    Reanswers,
    draft_answer,
    draft_name,
    draft_table_rules,
    find_decision,
    preview_edit,
    random_reanswers,
    try_edit,
)
from charforge.usecases.level_up import level_up_character
from charforge.verbs.change import TrialChange, change_character, commit_change
from charforge.verbs.history import undo
from tests.capital.conftest import Maker

GM = Override(by="GM", reason="an old debt")


@pytest.fixture(scope="module")
def tank(capital) -> LoadedCharacter:
    """A Tank of Level 3 with a land beast; every Level rolled (1, 1)."""
    array = {"str": 7, "ftd": 6, "agi": 5, "cha": 4}
    answers = {"asset": "companion/land-beast", "asset.companion.array": array}
    return Maker(capital)("the-tank", 3, answers).opened


def again(opened: LoadedCharacter, decision: str, answer, **more) -> LoadedCharacter:
    """Answer a decision again, and leave what that breaks."""
    found = draft_answer(opened, find_decision(opened, decision), answer, **more)
    return commit_change(try_edit(opened, [found]), tolerant=True)


def test_an_edit_is_one_event_at_the_end_of_the_log(tank):
    after = again(tank, "role.plus", "wil")
    assert after.document.log[:-1] == tank.document.log
    last = after.document.log[-1]
    assert isinstance(last, AnswerEvent)
    assert (last.decision, last.answer, last.group) == ("role.plus", "wil", tank.document.group + 1)


def test_it_counts_at_the_place_of_the_first_answer(tank):
    # FTD 6 + 1 is 7 from the start: Max HP 7 + 18, then twice FTD + 12 at least.
    assert tank.character.state.values().total("max_hp") == 25 + 2 * 19
    scores = {**tank.document.answers["attributes.assign"], "ftd": 4, "knw": 6}
    after = again(tank, "attributes.assign", scores)
    assert after.character.state.values().total("max_hp") == (5 + 18) + 2 * (5 + 12)
    # At the end of Level 1 it is so too: what was edited later counts at its place.
    early = as_of_level(after, 1)
    assert early.character.state.values().total("max_hp") == 5 + 18


def test_scores_that_an_answer_does_not_name_stay_as_they_were(tank):
    """The scores of two Attributes change places; one score alone would be there twice."""
    scores = tank.document.answers["attributes.assign"]
    low, high = min(scores, key=scores.get), max(scores, key=scores.get)
    assert scores[low] != scores[high]
    swapped = {low: scores[high], high: scores[low]}
    after = again(tank, "attributes.assign", swapped)
    assert after.document.answers["attributes.assign"] == scores | swapped
    with pytest.raises(AnswerError, match="the scores to assign are"):
        again(tank, "attributes.assign", {low: scores[high]})


def test_numbers_that_an_answer_does_not_name_stay_as_they_were(smith):
    """There are 3 points: numbers that spend all of them are a full answer."""
    before = smith(abilities={"brawn": 2, "wits": 1, "grace": 0})
    for answer, kept in (
        ({"brawn": 1, "grace": 1}, {"brawn": 1, "wits": 1, "grace": 1}),
        ({"wits": 1, "grace": 2}, {"brawn": 0, "wits": 1, "grace": 2}),
    ):
        after = again(before, "abilities", answer)
        assert after.document.answers["abilities"] == kept
    with pytest.raises(AnswerError, match=r"exactly 3 points \(you have spent 2\)"):
        again(before, "abilities", {"brawn": 1})


def test_from_now_on_what_was_before_stays_as_it_was(tank):
    after = again(tank, "personality.goal", "goal/discovery", now=True)
    goals = [h.entity.id for h in after.character.state.holdings if h.entity.kind == "goal"]
    assert goals == ["goal/discovery"]
    assert after.problems == ()
    assert after.document.answers["personality.goal"] == "goal/hunt"  # at its place
    later = level_up_character(after, 4, {}, random_reanswers(after.document))
    was = [
        h.entity.id
        for h in as_of_level(later, 1).character.state.holdings
        if h.entity.kind == "goal"
    ]
    assert was == ["goal/hunt"]


@pytest.mark.parametrize("decision", ["level.2.hp", "attributes.roll", "attributes.assign"])
def test_dice_and_scores_cannot_be_others_from_now_on(tank, decision):
    former = tank.document.answers[decision]
    with pytest.raises(UsageError, match="at creation or level-up"):
        draft_answer(tank, find_decision(tank, decision), former, now=True)


def test_a_slot_left_empty_is_filled_late(tank):
    assert tank.document.answers["level.2.systems"] == []
    after = again(tank, "level.2.systems", ["system/charge"], now=True)
    assert after.problems == ()
    state = after.character.state
    assert (state.has("system/charge"), state.values().total("slots_used")) == (True, 2)


def test_from_now_on_no_more_slots_can_be_filled_than_are_free(tank):
    with pytest.raises(AnswerError):
        again(tank, "level.2.systems", ["system/charge", "system/bonk"], now=True)


def test_what_the_rules_forbid_is_refused_with_reasons(tank):
    with pytest.raises(AnswerError, match="1000 is not between 200 and 400"):
        again(tank, "money", 1000)
    with pytest.raises(AnswerError, match=r"2d6 is 2 dice, not 1"):
        again(tank, "level.2.hp", [6])


def test_an_override_lets_it_stand_on_record(tank):
    after = again(tank, "money", 1000, override=GM)
    assert after.problems == ()
    assert after.character.state.values().total("money") == 1000
    assert after.notes == (
        "Starting money: 1000 is not between 200 and 400 (allowed by GM: an old debt)",
    )
    stores = {fact.label: fact.text for fact in build(after.character).stores}
    assert stores == {"Money": "1000\N{NO-BREAK SPACE}mC †"}


def test_an_override_allows_a_value_that_is_not_listed(tank):
    """The Tank's listed options add 1 to the Attribute chosen; so does one that the GM allows."""
    before = tank.character.state.values().total("cha")
    with pytest.raises(AnswerError, match="Charisma is not an option for The Tank"):
        again(tank, "role.plus", "cha")
    after = again(tank, "role.plus", "Charisma", override=GM)
    assert after.problems == ()
    assert after.document.answers["role.plus"] == "cha"
    assert after.character.state.values().total("cha") == before + 1
    (note,) = after.notes
    assert (
        note == "The Tank: Attribute +1: Charisma is not an option for The Tank "
        "(allowed by GM: an old debt)"
    )
    assert after.character.state.allowed_values == {("character", "cha")}
    marked = [one.label for one in build(after.character).attributes if one.after == " †"]
    assert marked == ["CHA"]
    with pytest.raises(AnswerError, match="is not an option"):
        again(tank, "role.plus", "chaos", override=GM)
    with pytest.raises(AnswerError, match="is not an option for"):
        again(tank, "role.plus", "max_hp", override=GM)


def test_an_override_allows_no_nonsense(tank):
    with pytest.raises(AnswerError, match="enter a whole number"):
        again(tank, "money", "plenty", override=GM)


def test_an_override_covers_the_answer_it_was_given_with_and_no_later_one(tank):
    rich = again(tank, "money", 1000, override=GM)
    poor = again(rich, "money", 300)
    assert (poor.problems, poor.notes) == ((), ())
    with pytest.raises(AnswerError, match="900 is not between 200 and 400"):
        again(poor, "money", 900)
    event = poor.document.log[-1].model_copy(update={"answer": 900})
    forged = poor.document.model_copy(update={"log": (*poor.document.log[:-1], event)})
    opened = load_document(forged, Path("forged.json"), poor.ruleset)
    assert [p.message for p in opened.character.problems] == ["900 is not between 200 and 400"]


def test_dice_take_the_next_try_each_time(tank):
    faces = [tank.document.answers["level.2.hp"]]
    opened = tank
    for _try in range(3):
        rolled = random_reanswers(opened.document)(find_decision(opened, "level.2.hp"))
        opened = again(opened, "level.2.hp", rolled)
        faces.append(opened.document.answers["level.2.hp"])
    # The typed dice were the first try, so the seed's second to fourth follow.
    decision = find_decision(tank, "level.2.hp")
    seed = tank.document.seed
    assert faces == [[1, 1], *(decision.roll(seed, n)[-1] for n in (1, 2, 3))]


def test_one_die_may_be_typed_as_a_number(capital):
    scout = Maker(capital)("the-scout", 2).opened
    after = again(scout, "level.2.hp", 6)
    assert after.document.answers["level.2.hp"] == [6]


def test_unknown_decisions_have_a_nearest_one(tank):
    with pytest.raises(UnknownId) as caught:
        find_decision(tank, "role.pluss")
    assert caught.value.nearest == "role.plus"


def test_a_dormant_decision_says_so(tank):
    after = again(tank, "asset", "augmentation/limb")
    with pytest.raises(UsageError, match=r"Attribute scores has no effect"):
        find_decision(after, "asset.companion.array")


def test_a_units_decisions_are_found_by_their_own_part(tank):
    beast = find_unit(tank.character.state, "land-beast")
    assert find_decision(tank, "array", beast).id == "asset.companion.array"
    with pytest.raises(UnknownId):
        find_decision(tank, "role", beast)


# ------------------------------------------------------------------ what an edit asks again


def to_sentinel(opened: LoadedCharacter, source) -> TrialChange:
    """Make the Tank a Sentinel: 1d6 a Level, CHA or KNW more, a pistol with a damage type."""
    found = draft_answer(opened, find_decision(opened, "role"), "role/the-sentinel")
    return try_edit(opened, [found], source)


ANEW = {
    "role.plus": "knw",
    "role.minus": "agi",
    "level.2.hp": [4],
    "level.3.hp": [2],
    "role.standard-pistol.damage": "sharp",
}


def test_answers_given_with_an_edit_settle_what_it_breaks_and_asks(tank):
    source = Reanswers(tank, ANEW)
    found = to_sentinel(tank, source)
    source.complete()
    assert preview_edit(found).sound
    assert preview_edit(found).dormant == ("role.weapon",)
    after = commit_change(found)
    assert after.problems == ()
    assert ANEW.items() <= after.document.answers.items()
    assert {event.group for event in after.document.log[len(tank.document.log) :]} == {
        tank.document.group + 1
    }
    # FTD 6: 6 + 10, then 4 + 8 = 12 (the minimum) and 2 + 8 < 12.
    assert after.character.state.values().total("max_hp") == 16 + 12 + 12


def test_an_answer_that_is_not_allowed_there_either_is_refused(tank):
    with pytest.raises(AnswerError, match=r"role\.plus: Agility is not an option for The Sentinel"):
        to_sentinel(tank, Reanswers(tank, {**ANEW, "role.plus": "agi"}))


def test_an_answer_that_is_not_asked_again_is_refused(tank):
    source = Reanswers(tank, {**ANEW, "money": 300})
    to_sentinel(tank, source)
    with pytest.raises(UnusedAnswers, match="1 problem"):
        source.complete()


def test_nobody_answering_leaves_everything_as_it_is(tank):
    seen = preview_edit(to_sentinel(tank, lambda _decision: MISSING))
    assert set(seen.broken) == ANEW.keys() - {"role.standard-pistol.damage"}
    assert [decision.id for decision in seen.open] == ["role.standard-pistol.damage"]


def test_what_was_left_open_can_be_answered_later(tank):
    left = commit_change(to_sentinel(tank, lambda _decision: MISSING), tolerant=True)
    found = draft_answer(left, find_decision(left, "role.plus"), "knw")
    source = Reanswers(left, {name: a for name, a in ANEW.items() if name != "role.plus"})
    after = commit_change(try_edit(left, [found], source, source.waiting()), tolerant=True)
    source.complete()
    assert after.problems == ()


def test_a_choice_taken_back_revives_what_was_dormant(tank):
    without = again(tank, "asset", "augmentation/limb")
    assert without.character.dormant == (
        "asset.companion.array",
        "level.2.companion.hp",
        "level.3.companion.hp",
    )
    found = draft_answer(without, find_decision(without, "asset"), "companion/land-beast")
    seen = preview_edit(try_edit(without, [found]))
    assert seen.sound
    assert seen.revived == without.character.dormant
    assert [note.partition(" has no effect now")[0] for note in without.notes] == [
        "Land Beast: Attribute scores",
        "Level 2: Land Beast: HP",
        "Level 3: Land Beast: HP",
    ]
    assert [d.label for d in seen.differences if d.topic == "unit"] == ["Land Beast"]


# ------------------------------------------------------------------ names and table rules


def test_a_table_rule_holds_from_here_on_and_says_what_it_alters(tank):
    found = try_edit(tank, draft_table_rules(tank, {"cooldown": "or_less"}))
    after = commit_change(found)
    assert after.document.rules == {"cooldown": "or_less"}
    assert undo(after).after.document.rules == {}
    with pytest.raises(UnknownId):
        draft_table_rules(tank, {"cooldown": "never"})


def test_names_of_a_character_and_of_its_beast(tank):
    beast = find_unit(tank.character.state, "land-beast")
    after = change_character(tank, draft_name("Nyx"), draft_name("Fang", beast))
    assert after.document.name == "Nyx"
    assert [unit.name for unit in after.character.state.units[1:]] == ["Fang"]
    assert after.document.group == tank.document.group + 1
    back = undo(after).after.document.model_copy(update={"undone": ()})
    assert to_text(back) == to_text(tank.document)
    with pytest.raises(UsageError, match="at least one letter"):
        draft_name(" ")
