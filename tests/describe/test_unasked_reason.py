"""Why a question is not asked: in templates and for single answers."""

from __future__ import annotations

import pytest

from charforge.answers.file import questions_file
from charforge.decisions.kinds import possible_decisions
from charforge.describe.remarks import asked_when, unasked_reason
from charforge.rules.ruleset import Ruleset


def asked(rules: Ruleset, name: str) -> str:
    """Return when the question of an id is asked."""
    return next(
        asked_when(rules, one.question) for one in possible_decisions(rules, 10) if one.id == name
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("role", ""),
        (
            "level.1.systems",
            "only if Slots is more than Slots used; depends on asset: augmentation/slots",
        ),
        # At each further Level the rules give Slots themselves.
        ("level.2.systems", "only if Slots is more than Slots used"),
        ("kit.food", "only if you do not have Robotic"),
    ],
)
def test_a_question_says_by_which_figures_it_is_asked(capital, name, said):
    assert asked(capital, name) == said


def test_all_that_creation_chose_before_may_change_a_figure(toy):
    changed = "post: post/head-keeper; keepsakes: bell; habits: habit/sea-legs"
    assert asked(toy, "warning") == f"only if Nerve is less than 3; depends on {changed}"


def test_a_template_says_who_is_asked(capital):
    lines = questions_file(capital, 1).splitlines()
    slots = "only if Slots is more than Slots used; depends on asset: augmentation/slots"
    assert f"  # Which Systems do you choose? [{slots}]" in lines
    assert "  # What is your Role?" in lines
    vehicle = "  # Which Systems does the Vehicle get?"
    of_units = [
        line for line in questions_file(capital, 2).splitlines() if line.startswith(vehicle)
    ]
    assert of_units == [
        f"{vehicle} [only for Bike; Mechsuit; Tank; Aeroplane, "
        "and only if Slots is more than Slots used]"
    ]


@pytest.mark.parametrize(
    ("name", "level", "answers", "said"),
    [
        (
            "role.symbol", 1, {"role": "role/the-scout"},
            "it needs Role: The Captain, and you chose The Scout",
        ),
        ("role.symbol", 1, {}, "it needs Role: The Captain"),
        (
            "strengths.connections.kind", 1, {"strengths": ["strength/sneaky"]},
            "it needs Strengths: Connections",
        ),
        (
            "level.1.systems", 1, {"asset": "vehicle/bike"},
            "it is asked only if Slots is more than Slots used",
        ),
        ("level.3.hp", 2, {}, "it comes at Level 3, and the character will only be Level 2"),
        ("level.11.hp", 2, {}, ""),
        ("roll", 1, {}, ""),
    ],
)  # fmt: skip
def test_what_would_have_to_be_for_a_question_to_be_asked(capital, name, level, answers, said):
    assert unasked_reason(capital, level, answers, name) == said


def test_of_several_ways_those_count_that_are_gone_furthest(capital):
    """A Lancer's gun is at fault, not the Role; a Healer has no such gun at all."""
    lancer = {"role": "role/the-lancer", "role.weapon": "equipment/precision-rifle"}
    said = unasked_reason(capital, 1, lancer, "role.weapon.damage")
    assert said.startswith("it needs Weapon: Auto Rifle, ")
    assert said.endswith("Simple Spear, and you chose Precision Rifle")
    healer = unasked_reason(capital, 1, {"role": "role/the-healer"}, "role.weapon.damage")
    assert healer == ("it needs Role: The Lancer, The Scout or The Tank, and you chose The Healer")


def test_one_of_several_of_the_same_is_the_same_question(capital):
    name = "level.1.systems.power-under-pressure#2.attribute"
    said = unasked_reason(capital, 1, {"level.1.systems": []}, name)
    assert said == "it needs Level 1: Systems: Power Under Pressure"


def test_what_a_unit_brings_to_a_level_names_the_unit(harbour):
    assert unasked_reason(harbour, 2, {}, "level.2.dog.vigour") == "it needs Terrier"
