"""Builds the book forbids: each is refused at its decision, with its reason in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from charforge.errors import AnswerError, AnswersError, MissingAnswers, UnknownId, UsageError
from charforge.replay.replay import leave_open
from charforge.replay.spec import CharacterSpec
from charforge.usecases.level_up import level_up_character

DICE = [6, 6, 5, 5, 4, 4, 3, 2, 1, 1]  # as in conftest; without the 1s: 6 6 6 6 5 5 5 4
SCORES = {"str": 6, "ftd": 6, "agi": 5, "vsn": 6, "wis": 5, "wil": 6, "cha": 5, "knw": 4}
RESIST = "system/damage-resist"


def systems(*names: str) -> dict[str, object]:
    """Return the Systems asked for at Level 2, where there are 2 Slots."""
    return {"level.2.systems": [f"system/{name}" for name in names]}


def refused(make, role, level, answers) -> tuple[tuple[str, str], ...]:
    """Return the (decision, reason) pairs with which a build is refused."""
    with pytest.raises(AnswerError) as caught:
        make(role, level, answers)
    return caught.value.problems


# ------------------------------------------------------------------ Systems


@pytest.mark.parametrize(
    ("role", "names", "reason"),
    [
        # Another Role's System
        ("the-lancer", ["bonk"], "Bonk: requires The Tank"),
        ("the-scout", ["certitude"], "Certitude: requires The Captain"),
        ("the-tank", ["try-that-again-ii"], "Try That Again II: requires Try That Again I"),
        ("the-healer", ["power-play-ii"], "Power Play II: requires Power Play I"),
        # A prerequisite missing
        ("the-tank", ["offensive-focus"], "Offensive Focus: requires Focus I or Focus II"),
        ("the-lancer", ["focus-ii"], "Focus II: requires Focus I"),
        ("the-tank", ["backup"], "Backup: requires a Special Vehicle"),
        # More than 2 Slots
        ("the-tank", ["healthy", "generous"], "Generous: needs 1 Slot, 0 free"),
        ("the-tank", ["healthy", "quick"], "Quick: needs 2 Slots, 0 free"),
        ("the-tank", ["generous", "clear-mind", "jury-rig"], "Jury-rig: needs 1 Slot, 0 free"),
        # Not Repeatable
        ("the-tank", ["generous", "generous"], "Generous: held already"),
        # Innate: only when the character is first built
        ("the-tank", ["deaf"], "Deaf is not among the options here"),
        ("the-tank", ["robotic"], "Robotic is not among the options here"),
        # Without a number of Slots: not to be selected
        ("the-lancer", ["focus-i"], "Focus I is not among the options here"),
        ("the-tank", ["patch-up-i"], "Patch Up I is not among the options here"),
        # Signature Systems come from the Role at Level 3 alone
        ("the-lancer", ["surge"], "Surge is not among the options here"),
        ("the-captain", ["sanctuary"], "Sanctuary is not among the options here"),
        # No such System
        ("the-tank", ["generus"], "'system/generus' is no option; did you mean system/generous?"),
    ],
)
def test_systems_refused_at_level_2(make, role, names, reason):
    refusals = refused(make, role, 2, systems(*names))
    assert {decision for decision, _said in refusals} == {"level.2.systems"}
    assert reason in " ".join(said for _decision, said in refusals)


def test_a_vehicle_system_is_no_system_of_a_character(make):
    answers = {"level.2.systems": ["vehicle-system/capacitor-a1-mk1"]}
    [(_decision, said)] = refused(make, "the-tank", 2, answers)
    assert said == "Capacitor A1 Mk1 is not among the options here"


def test_a_system_held_since_an_earlier_level(make):
    answers = {**systems("healthy"), "level.4.systems": ["system/healthy"]}
    [(decision, said)] = refused(make, "the-tank", 4, answers)
    assert decision == "level.4.systems"
    assert "Healthy: held already" in said


def test_an_upgrade_a_second_time(make):
    """Focus I left when Focus II came."""
    answers = {**systems("focus-ii"), "level.4.systems": ["system/focus-ii"]}
    reasons = [said for _decision, said in refused(make, "the-scout", 4, answers)]
    assert "Focus II: requires Focus I" in reasons


def test_two_slots_of_the_augmentation_hold_no_more_than_two(make):
    answers = {
        "asset": "augmentation/slots",
        "level.1.systems": ["system/healthy", "system/generous"],
    }
    assert refused(make, "the-tank", 1, answers) == (
        ("level.1.systems", "Generous: needs 1 Slot, 0 free"),
    )


def test_slots_filled_at_level_2_are_not_free_at_level_3(make):
    tank = make("the-tank", 2, systems("generous"))
    with pytest.raises(AnswerError) as caught:
        level_up_character(
            tank.opened,
            3,
            {"level.3.hp": [6, 6], "level.3.systems": ["system/healthy"]},
            leave_open,
        )
    assert caught.value.problems == (("level.3.systems", "Healthy: needs 2 Slots, 1 free"),)


def test_damage_resist_twice_against_one_type(make):
    answers = {
        "level.2.systems": [RESIST, RESIST],
        "level.2.systems.damage-resist.damage": "sharp",
        "level.2.systems.damage-resist#2.damage": "sharp",
    }
    assert refused(make, "the-tank", 2, answers) == (
        ("level.2.systems.damage-resist#2.damage", "Sharp: chosen already"),
    )


def test_damage_resist_against_a_type_resisted_since_an_earlier_level(make):
    answers = {
        "level.2.systems": [RESIST],
        "level.2.systems.damage-resist.damage": "toxic",
        "level.4.systems": [RESIST],
        "level.4.systems.damage-resist.damage": "toxic",
    }
    assert refused(make, "the-tank", 4, answers) == (
        ("level.4.systems.damage-resist.damage", "Toxic: chosen already"),
    )


def test_damage_resist_once_more_than_there_are_types(make):
    """Seven types; the eighth has nothing left to choose."""
    types = iter(["blunt", "sharp", "true", "heat", "cold", "electric", "toxic"])
    answers = {}
    for level in (2, 4, 6, 8):
        answers[f"level.{level}.systems"] = [RESIST, RESIST]
        for number in ("", "#2"):
            if (kind := next(types, None)) is not None:
                answers[f"level.{level}.systems.damage-resist{number}.damage"] = kind
    problems = refused(make, "the-tank", 8, answers)
    assert ("level.8.systems", "Damage Resist: every choice of it is taken") in problems


def test_power_under_pressure_twice_for_one_attribute(make):
    answers = {
        **systems("power-under-pressure"),
        "level.2.systems.power-under-pressure.attribute": "str",
        "level.4.systems": ["system/power-under-pressure"],
        "level.4.systems.power-under-pressure.attribute": "str",
    }
    assert refused(make, "the-tank", 4, answers) == (
        ("level.4.systems.power-under-pressure.attribute", "Strength (STR): chosen already"),
    )


# ------------------------------------------------------------------ Creation


@pytest.mark.parametrize(
    ("role", "decision", "answer", "reason"),
    [
        ("the-tank", "role", "role/lancer", "did you mean role/the-lancer?"),
        # The Role's changes: +1 STR or VSN, -1 FTD or AGI for The Lancer
        ("the-lancer", "role.plus", "agi", "Agility is not among the options here; choose"),
        ("the-lancer", "role.plus", "wil", "Will is not among the options here"),
        ("the-lancer", "role.minus", "vsn", "Vision is not among the options here"),
        # Scores: 4 to 6, as the dice left over make them
        ("the-tank", "attributes.assign", {**SCORES, "str": 7}, "6, 6, 6, 6, 5, 5, 5, 4, not 7"),
        ("the-tank", "attributes.assign", {**SCORES, "knw": 3}, "not 6, 6, 6, 6, 5, 5, 5, 3"),
        ("the-tank", "attributes.assign", {**SCORES, "str": 5}, "not 6, 6, 6, 5, 5, 5, 5, 4"),
        ("the-tank", "attributes.assign", {**SCORES, "str": "6"}, "whole numbers"),
        ("the-tank", "attributes.assign", {**SCORES, "luck": 6}, "'luck' gets no score"),
        ("the-tank", "attributes.assign", {"str": 6}, "no score is given to ftd, agi"),
        ("the-tank", "attributes.assign", [6] * 8, "give a map of str, ftd"),
        # The ten dice
        ("the-tank", "attributes.roll", [7, *DICE[1:]], "7 is not a face of 10d6 (1 to 6)"),
        ("the-tank", "attributes.roll", [0, *DICE[1:]], "0 is not a face of 10d6 (1 to 6)"),
        ("the-tank", "attributes.roll", DICE[:9], "10d6 is 10 dice, not 9"),
        ("the-tank", "attributes.roll", [*DICE, 3], "10d6 is 10 dice, not 11"),
        ("the-tank", "attributes.roll", [4, 4, 3, 3, 4, 3, 2, 2, 1, 1], "must be rolled again"),
        ("the-tank", "attributes.roll", [6, 6, 5, 5, 4, 4, 3, 3, 3, 4], "must be rolled again"),
        ("the-tank", "attributes.roll", [DICE, DICE], "stands: it is not to be rolled again"),
        ("the-tank", "attributes.roll", [[6] * 10, [1] * 10], "must be rolled again"),
        ("the-tank", "attributes.roll", "6655443211", "as a list"),
        # The two dice dropped
        ("the-tank", "attributes.discard", [2, 2], "2: no more dice show it"),
        ("the-tank", "attributes.discard", [1, 7], "7 is no option"),
        ("the-tank", "attributes.discard", [1], "choose 2, not 1"),
        ("the-tank", "attributes.discard", [1, 1, 2], "choose 2, not 3"),
        # Personality, Strengths, Weaknesses
        ("the-tank", "personality.goal", "goal/revnge", "did you mean goal/revenge?"),
        ("the-tank", "personality.goal", "ideal/skill", "Skill is not among the options"),
        ("the-tank", "personality.flaw", "  ", "it is empty"),
        ("the-tank", "personality.ideal", "x" * 201, "201 characters; at most 200"),
        ("the-tank", "personality.ideal", "a\x07b", "control characters"),
        ("the-tank", "strengths", ["strength/sneaky"] * 3, "Sneaky: chosen already"),
        ("the-tank", "strengths", ["Brave", "Swift"], "choose 3, not 2"),
        ("the-tank", "strengths", ["Brave", "Swift", "weakness/cold"], "Cold is not among"),
        ("the-tank", "weaknesses", ["Slow", "Loud", "Vain", "Rude"], "choose 2, not 4"),
        # Starting equipment
        ("the-lancer", "role.weapon", "equipment/sniper-rifle", "Sniper Rifle is not among"),
        ("the-lancer", "role.weapon", "equipment/primitive-shield", "Primitive Shield is not"),
        ("the-scout", "role.weapon", "special-weapon/pistol", "Pistol is not among"),
        ("the-tank", "role.weapon", "equipment/auto-rifle", "Auto Rifle is not among"),
        ("the-tank", "role.weapon", "equipment/primitive-shield", "Primitive Shield is not"),
        (
            "the-sentinel",
            "role.standard-pistol.damage",
            "blunt",
            "Blunt is not among the options here",
        ),
        ("the-tank", "outfits", ["everyday"] * 3, "choose 2, not 3"),
        ("the-tank", "outfits", ["everyday", "formal"], "'formal' is no option"),
        ("the-tank", "money", 199, "199 is not from 200 to 400"),
        ("the-tank", "money", 401, "401 is not from 200 to 400"),
        ("the-tank", "money", "300", "a whole number from 200 to 400"),
        ("the-tank", "money", True, "a whole number from 200 to 400"),
        # Innate Systems
        ("the-tank", "innate", ["system/healthy"], "Healthy is not among the options"),
        ("the-tank", "innate", ["system/deaf", "system/deaf"], "Deaf: held already"),
        # The Special Asset
        ("the-tank", "asset", "vehicle/boat", "'vehicle/boat' is no option"),
        ("the-tank", "asset", ["vehicle/bike", "vehicle/tank"], "is no option"),
        ("the-tank", "asset", "equipment/standard-pistol", "Standard Pistol is not among"),
    ],
)
def test_an_answer_refused_at_creation(make, role, decision, answer, reason):
    [(where, said), *_rest] = refused(make, role, 1, {decision: answer})
    assert where == decision
    assert reason in said


@pytest.mark.parametrize(
    ("asset", "decision", "answer", "reason"),
    [
        ("vehicle/mechsuit", "asset.vehicle.legs", "wheels", "'wheels' is no option"),
        ("vehicle/tank", "asset.vehicle.weapon", "ballistc", "did you mean ballistic?"),
        (
            "special-weapon/pistol",
            "asset.weapon.damage",
            "blunt",
            "Blunt is not among the options here",
        ),
        (
            "special-weapon/spear",
            "asset.weapon.damage",
            "blunt",
            "Blunt is not among the options here",
        ),
        ("special-weapon/shield", "asset.weapon.hands", "three", "'three' is no option"),
        (
            "augmentation/weapon",
            "asset.augmentation.weapon",
            "equipment/sniper-rifle",
            "Sniper Rifle is not among the options here",
        ),
        ("augmentation/attribute", "asset.augmentation.attribute", "luck", "'luck' is no option"),
        (
            "companion/land-beast",
            "asset.companion.array",
            {"str": 7, "ftd": 7, "agi": 5, "cha": 4},
            "the scores to hand out are 7, 6, 5, 4, not 7, 7, 5, 4",
        ),
        (
            "companion/droid",
            "asset.companion.array",
            {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
            "'ftd' gets no score here",
        ),
    ],
)
def test_an_answer_refused_by_the_asset(make, asset, decision, answer, reason):
    [(where, said), *_rest] = refused(make, "the-tank", 1, {"asset": asset, decision: answer})
    assert where == decision
    assert reason in said


@pytest.mark.parametrize(
    ("role", "faces", "reason"),
    [
        ("the-lancer", [7], "7 is not a face of 1d6 (1 to 6)"),
        ("the-lancer", [0], "0 is not a face of 1d6 (1 to 6)"),
        ("the-lancer", [3, 4], "not 2"),
        ("the-tank", [3], "2d6 is 2 dice, not 1"),
        ("the-tank", [[1, 1], [6, 6]], "[1, 1] stands: it is not to be rolled again"),
        ("the-tank", 12, "give the faces of 2d6 as a list"),
    ],
)
def test_hp_dice_refused(make, role, faces, reason):
    [(where, said)] = refused(make, role, 2, {"level.2.hp": faces})
    assert where == "level.2.hp"
    assert reason in said


def test_every_illegal_answer_is_named_at_once(make):
    answers = {"money": 500, "outfits": ["everyday"], "personality.goal": "goal/revnge"}
    refusals = refused(make, "the-tank", 1, answers)
    assert [decision for decision, _reason in refusals] == ["personality.goal", "outfits", "money"]


@pytest.mark.parametrize(
    "strengths",
    [
        ["Brave", "Brave", "Swift"],
        ["Brave", " Brave ", "Swift"],
        ["Brave", "brave", "Swift"],
    ],
)
def test_the_same_own_words_twice(make, strengths):
    [(decision, reason)] = refused(make, "the-tank", 1, {"strengths": strengths})
    assert decision == "strengths"
    assert "chosen already" in reason


@pytest.mark.parametrize(
    "goal",
    [
        "gaol/revenge",
        "goals/revenge",
    ],
)
def test_own_words_that_misspell_a_kind(make, goal):
    [(_decision, said)] = refused(make, "the-tank", 1, {"personality.goal": goal})
    assert "did you mean goal/revenge?" in said


@pytest.mark.parametrize(
    "words",
    [
        "Find my sister",
        "Live and/or let live",
        "50/50",
        "loyal/lawful",
        "revenge/redemption",
    ],
)
def test_own_words_are_welcome_where_the_book_only_suggests(make, words):
    """The contrast: what does not look like an id is a Goal of one's own."""
    tank = make("the-tank", 1, {"personality.goal": words})
    assert tank.state.answers["personality.goal"] == words


# ------------------------------------------------------------------ What nothing asks


@pytest.mark.parametrize(
    ("level", "decision", "near"),
    [
        (1, "rol", "role"),
        (1, "role.minsu", "role.minus"),
        (1, "attributes.asign", "attributes.assign"),
        (1, "weakness", "weaknesses"),
        (1, "kit.tnt", "kit.tent"),
        (2, "level.2.system", "level.2.systems"),
    ],
)
def test_an_unknown_decision_names_the_nearest(make, level, decision, near):
    with pytest.raises(AnswersError) as caught:
        make("the-tank", level, {decision: "x"})
    [(_line, said)] = caught.value.faults
    assert said == f"nothing asks for {decision!r}; did you mean {near}?"


@pytest.mark.parametrize(
    "decision",
    [
        "level.1.hp",  # Level 1 has no dice
        "level.1.systems",  # nor Slots, without the augmentation
        "level.2.hp",  # the character is made at Level 1
        "asset.vehicle.legs",  # the asset is a limb
    ],
)
def test_an_answer_that_no_rule_asks_for(make, decision):
    with pytest.raises(AnswersError) as caught:
        make("the-tank", 1, {decision: [3]})
    [(_line, said)] = caught.value.faults
    assert f"nothing asks for {decision!r}" in said


def test_a_weapon_for_a_role_that_starts_with_a_pistol(make):
    with pytest.raises(AnswersError, match="fault"):
        make("the-sentinel", 1, {"role.weapon": "equipment/minigun"})


def test_rations_for_a_robot(make):
    """The kit's questions about food and water are not asked, so not to be answered."""
    with pytest.raises(AnswersError) as caught:
        make("the-tank", 1, {"innate": ["system/robotic"]})
    said = " ".join(fault for _line, fault in caught.value.faults)
    assert "'kit.food'" in said
    assert "'kit.water'" in said


def test_answers_left_out_are_named(make):
    with pytest.raises(MissingAnswers) as caught:
        make("the-tank", 1, {"personality.ideal": None, "money": None})
    assert [name for name, _label in caught.value.decisions] == ["personality.ideal", "money"]


@pytest.mark.parametrize(
    "left_out",
    [
        "role",  # role.plus, role.minus and role.weapon would be asked after it
        "attributes.roll",  # attributes.discard and attributes.assign read its dice
    ],
)
def test_the_answer_left_out_is_what_is_missing(make, left_out):
    """Not those that were given and depend on it."""
    with pytest.raises(MissingAnswers) as caught:
        make("the-tank", 1, {left_out: None})
    assert left_out in [name for name, _label in caught.value.decisions]


# ------------------------------------------------------------------ Levels, table rules


@pytest.mark.parametrize("level", [-1, 0, 11])
def test_levels_that_capital_does_not_have(make, level):
    with pytest.raises(UsageError, match=f"Capital has levels 1 to 10, not {level}$"):
        make("the-tank", level)


def test_level_up_beyond_10(make):
    with pytest.raises(UsageError, match="Level 10 is the highest"):
        level_up_character(make("the-tank", 10).opened, 11, {}, leave_open)


@pytest.mark.parametrize("level", [1, 3])
def test_level_up_to_a_level_reached(make, level):
    with pytest.raises(UsageError, match="has level 3 already"):
        level_up_character(make("the-tank", 3).opened, level, {}, leave_open)


def test_level_up_does_not_change_what_an_earlier_level_settled(make):
    with pytest.raises(AnswersError) as caught:
        level_up_character(make("the-tank", 2).opened, 3, {"level.2.hp": [6, 6]}, leave_open)
    assert caught.value.faults == ((0, "'level.2.hp' was answered at an earlier level"),)


@pytest.mark.parametrize(
    ("rules", "near"),
    [({"cooldwn": "or_more"}, "cooldown"), ({"cooldown": "or_les"}, "or_less")],
)
def test_table_rules_that_do_not_exist(capital, rules, near):
    with pytest.raises(UnknownId) as caught:
        CharacterSpec(capital, "seed", "Somebody", 1, rules=rules)
    assert caught.value.nearest == near


# ------------------------------------------------------------------ Anything at all

WORDS = ["str", "ftd", "agi", "cha", "sharp", "everyday", "system/healthy", "role/the-tank"]
atoms = st.none() | st.booleans() | st.integers() | st.integers(0, 7) | st.floats() | st.text()
atoms |= st.sampled_from(WORDS)
anything = st.recursive(
    atoms,
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(WORDS) | st.text(), inner),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def decisions(make):
    """Return every decision of a Tank of Level 2 with a companion and a Slot to spare."""
    answers = {
        "asset": "companion/land-beast",
        "asset.companion.array": {"str": 7, "ftd": 6, "agi": 5, "cha": 4},
        "level.2.systems": [RESIST],
        "level.2.systems.damage-resist.damage": "sharp",
    }
    return make("the-tank", 2, answers).opened.character.asked


@settings(deadline=None)
@given(st.data(), anything)
def test_any_answer_is_allowed_or_refused_in_words(decisions, data, answer):
    """Whatever a file may hold, a decision judges it; what it allows can be taken."""
    decision = data.draw(st.sampled_from(decisions), label="decision")
    reasons = decision.rule_violations(answer)
    assert all(isinstance(reason, str) and reason for reason in reasons)
    if not reasons:
        assert decision.id in decision.take(decision.canonical(answer)).answers
