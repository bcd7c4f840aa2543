"""Answers of the wrong shape. Illegal builds are samples (catalog/capital/tests)."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.errors import AnswerError, AnswersError, MissingAnswers, UnknownId, UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import leave_open
from charforge.usecases.level_up import level_up_character
from tests.samples import law

RESIST = "system/damage-resist"


def systems(*names: str) -> dict[str, object]:
    """Return the Systems asked for at Level 2, where there are 2 Slots."""
    return {"level.2.systems": [f"system/{name}" for name in names]}


def refused(make, role, level, answers) -> tuple[tuple[str, str], ...]:
    """Return the (decision, reason) pairs with which a build is refused."""
    with pytest.raises(AnswerError) as caught:
        make(role, level, answers)
    return caught.value.problems


# ------------------------------------------------------------------ Creation


@pytest.mark.parametrize(
    ("ideal", "reason"),
    [("x" * 201, "201 characters; the limit is 200"), ("a\x07b", "control characters")],
)
def test_words_that_no_file_should_hold(make, ideal, reason):
    [(decision, said), *_rest] = refused(make, "the-tank", 1, {"personality.ideal": ideal})
    assert decision == "personality.ideal"
    assert reason in said


@pytest.mark.parametrize(
    "words",
    ["Find my sister", "Live and/or let live", "50/50", "loyal/lawful", "revenge/redemption"],
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
    [(_line, said)] = caught.value.problems
    assert said == f'there is no choice "{decision}" here; did you mean {near}?'


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
    [(_line, said)] = caught.value.problems
    assert f'there is no choice "{decision}"' in said


def test_a_weapon_for_a_role_that_starts_with_a_pistol(make):
    with pytest.raises(AnswersError, match="problem"):
        make("the-sentinel", 1, {"role.weapon": "equipment/minigun"})


def test_rations_for_a_robot(make):
    """The kit's questions about food and water are not asked, so not to be answered."""
    with pytest.raises(AnswersError) as caught:
        make("the-tank", 1, {"innate": ["system/robotic"]})
    said = " ".join(fault for _line, fault in caught.value.problems)
    assert '"kit.food"' in said
    assert '"kit.water"' in said


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
    with pytest.raises(UsageError, match=f"Capital has levels 1 to 10; there is no level {level}$"):
        make("the-tank", level)


def test_level_up_beyond_10(make):
    with pytest.raises(UsageError, match="Level 10, the highest"):
        level_up_character(make("the-tank", 10).opened, 11, {}, leave_open)


@pytest.mark.parametrize("level", [1, 3])
def test_level_up_to_a_level_reached(make, level):
    with pytest.raises(UsageError, match="is already level 3"):
        level_up_character(make("the-tank", 3).opened, level, {}, leave_open)


def test_level_up_does_not_change_what_an_earlier_level_settled(make):
    with pytest.raises(AnswersError) as caught:
        level_up_character(make("the-tank", 2).opened, 3, {"level.2.hp": [6, 6]}, leave_open)
    assert caught.value.problems == ((0, "Level 2: HP was chosen at an earlier level"),)


@pytest.mark.parametrize(
    ("rules", "near"), [({"cooldwn": "or_more"}, "cooldown"), ({"cooldown": "or_les"}, "or_less")]
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


@law()
@given(st.data(), anything)
def test_any_answer_is_allowed_or_refused_in_words(decisions, data, answer):
    """Whatever a file may hold, a decision judges it; what it allows can be taken."""
    decision = data.draw(st.sampled_from(decisions), label="decision")
    reasons = decision.rule_violations(answer)
    assert all(isinstance(reason, str) and reason for reason in reasons)
    if not reasons:
        assert decision.id in decision.state_after(decision.canonical(answer)).answers


def test_gear_is_refused_for_what_it_is_not_by_who_else_gets_it(make):
    """The Tank starts with a Simple melee weapon; that the Sentinel has a pistol is no reason."""
    opened = make("the-tank").opened
    decision = opened.character.decision("role.weapon")
    [reason] = decision.rule_violations("equipment/standard-pistol")
    assert reason.startswith("Standard Pistol is not Melee.")
