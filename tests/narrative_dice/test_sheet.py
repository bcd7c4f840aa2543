"""The contents of a sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from charforge.character import state_changes
from charforge.character.state import CHARACTER
from charforge.expressions.template import plain_text
from charforge.sheet.build import build

OWN = {
    "powers": ["power/own-encounter", "power/own-at-will"],
    "powers.own-encounter.name": "Sweeping Blow",
    "powers.own-encounter.further_type": "Warden 1",
    "powers.own-encounter.action": "maneuver",
    "powers.own-encounter.range": "close",
    "powers.own-encounter.range_specific": "burst 1",
    "powers.own-encounter.opportunity_cost": 1,
    "powers.own-encounter.hit": "3 *weapon* damage.",
    "powers.own-encounter.target": "",
    "powers.own-encounter.effect": "",
    "powers.own-at-will.name": "Feint",
    "powers.own-at-will.action": "incidental",
    "powers.own-at-will.range": "personal",
    "powers.own-at-will.opportunity_cost": 0,
    "race.trait": "Steady on stone.",
    "feats": ["feat/own"],
    "feats.own.name": "Tough",
    "feats.own.effect": "You may reroll a saving throw.",
}


@pytest.fixture(scope="module")
def character(make):
    """Return the usual character with powers, a feat and a trait."""
    return make(OWN).character


@pytest.fixture(scope="module")
def sheet(character):
    """Return the view of its sheet."""
    return build(character)


def down(character, steps):
    """Return the character some steps down the condition track."""
    state, _real = state_changes.change_resource(character.state, CHARACTER, "condition", steps)
    return replace(character, state=state)


def rows(sheet, label):
    """Return the rows of a chart as texts, headings included."""
    (chart,) = [chart for chart in sheet.charts if chart.label == label]
    return [(row.heading, *row.cells) for row in chart.rows]


def test_class_and_race_are_named_as_the_player_named_them(sheet):
    assert [one.name for one in sheet.headline] == ["Warden", "Dwarf"]
    assert not sheet.story  # neither their names nor the trait are told a second time


def test_the_defense_pools(sheet):
    """Reflex: Agility 2, rank 1. Willpower: Wisdom 2. Fortitude: Brawn 3."""
    assert [(pool.label, [(d.label, d.number) for d in pool.dice]) for pool in sheet.pools] == [
        ("Against Reflex", [("Difficulty", 1), ("Challenge", 1)]),
        ("Against Willpower", [("Difficulty", 2)]),
        ("Against Fortitude", [("Difficulty", 3)]),
    ]


def test_the_skill_pools(sheet):
    facts = {item.name: [fact.replace("\xa0", " ") for fact in item.facts] for item in sheet.items}
    assert facts["Martial"] == ["Rank 2", "Pool Ability 1, Proficiency 2"]
    assert facts["Stealth"] == ["Rank 3", "Pool Ability 1, Proficiency 2"]
    assert facts["Acrobatics (Agility)"] == ["Rank 0", "Pool Ability 2"]


def test_the_threshold_by_damage_type(sheet):
    """Threshold 5; soak 3 against weapon, 1 against fire; vulnerable to cold 2, holy 4."""
    found = rows(sheet, "Threshold by damage type")
    assert found[0] == ("untyped", "5", "0", "0")
    assert ("weapon", "8", "3", "0") in found
    assert ("fire", "6", "1", "0") in found
    assert ("cold", "5", "0", "2") in found
    assert ("holy", "5", "0", "4") in found
    assert ("electric, poison, acid, force", "5", "0", "0") in found
    assert len(found) == 7


def test_the_threshold_is_shown_once(sheet):
    assert not sheet.figures
    assert [line.text for line in sheet.combat if line.label == "Threshold"] == [
        "5, double 10, triple 15"
    ]


def test_the_damage_multiples_with_the_characters_threshold(sheet):
    found = rows(sheet, "Damage and threshold")
    assert found[0] == ("less than 5", "no effect", "no effect")
    assert found[4] == ("20 or more", "4 steps down", "staggered and 3 steps down")
    assert found[-1][0] == "each 5 more"


@pytest.mark.parametrize(("steps", "label"), [(0, "Normal"), (2, "Fatigued"), (5, "Helpless")])
def test_the_condition_track(character, steps, label):
    (track,) = (one for one in build(down(character, steps)).trackers if one.steps)
    assert [step.label for step in track.steps if step.here] == [label]
    assert len(track.steps) == 6


def card(sheet, name):
    """Return the card of something."""
    (found,) = [one for one in sheet.cards if one.name == name]
    return found


def test_a_power_of_ones_own_prints_what_was_written_and_nothing_else(sheet):
    found = card(sheet, "Sweeping Blow")
    assert plain_text(found.text.full) == "Type: Warden 1"
    (action,) = found.actions
    assert plain_text(action.text.full).splitlines() == [
        "Action: Maneuver",
        "Range: Close",
        "Exact range: burst 1",
        "Hit: 3 *weapon* damage.",
    ]
    assert [chip.text.replace("\xa0", " ") for chip in action.chips] == [
        "Encounter",
        "1 Opportunity",
    ]


def test_a_power_that_costs_nothing_says_nothing_of_it(sheet):
    (action,) = card(sheet, "Feint").actions
    assert action.chips == ()


def test_a_basic_power_with_the_characters_own_figures(sheet):
    """Brawn 3."""
    (action,) = card(sheet, "Basic Melee").actions
    assert plain_text(action.text.full).splitlines() == [
        "Keywords: Basic · Range: Melee, 1 or weapon",
        "Target: one creature.",
        "Attack: primary power source vs Reflex.",
        "Hit (weapon): melee weapon + 3 (Brawn) + Successes weapon damage.",
        "Hit (unarmed): 3 (Brawn) + Successes damage.",
    ]


@pytest.mark.parametrize(
    ("option", "dice"), [("one_ability", "1 Ability"), ("two_boost", "2 Boosts")]
)
def test_the_saving_throw_as_the_table_rules_it(character, option, dice):
    state = replace(character.state, rules={"saving_throw": option})
    assert f"roll {dice} plus" in state.text(state.ruleset.entity("rule/saving-throw"))
