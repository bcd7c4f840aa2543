"""The contents of the pack, transcribed from the book independently, and its dice."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from charforge.procedures import inputs

ABILITIES = ["Brawn", "Vitality", "Agility", "Intellect", "Wisdom", "Presence"]
DEFENSES = ["Reflex", "Willpower", "Fortitude"]
DAMAGE_TYPES = ["weapon", "fire", "electric", "poison", "acid", "force", "cold", "holy", "unholy"]
TRACK = ["Normal", "Winded", "Fatigued", "Exhausted", "Crippled", "Helpless"]
RANGES = ["Personal", "Melee", "Close", "Sight", "Range", "Area"]
ACTIONS = ["Action", "Maneuver", "Incidental", "Free", "Retaliate", "No Action"]
RULINGS = {*(f"N{number}" for number in range(1, 16)), *("N5a", "N6a", "N7a")}
# The fields of the basic powers, in the order of N12.
HEAD = ["Keywords", "Range"]
BLOW = ["Target", "Attack", "Hit (weapon)", "Hit (unarmed)"]
POWERS = {
    "Basic Melee": [*HEAD, *BLOW],
    "Basic Ranged": [*HEAD, "Target", "Attack", "Hit"],
    "Basic Retaliate": [*HEAD, "Trigger", *BLOW],
    "Basic Grab": [*HEAD, "Target", "Attack", "Requirement", "Hit"],
    "Basic Grapple": [*HEAD, "Target", "Attack", "Hit", "Special"],
    "Steady": ["Keywords", "Range", "Effect"],
}
FIELDS = [
    "Action", "Keywords", "Range", "Exact range", "Trigger", "Target", "Attack", "Check",
    "Recharge", "Requirement", "Hit", "Miss", "Effect", "Sustain", "Special",
]  # fmt: skip


def labels(ruleset, group):
    """Return the labels of a group of values."""
    return [ruleset.values[name].label for name in ruleset.group(group)]


def test_the_vocabulary(narrative):
    assert labels(narrative, "abilities") == ABILITIES
    assert labels(narrative, "defenses") == DEFENSES
    assert [term.label for term in narrative.head.terms["damage_types"]] == DAMAGE_TYPES
    assert [term.label for term in narrative.head.terms["ranges"]] == RANGES
    assert [term.label for term in narrative.head.terms["action_types"]] == ACTIONS
    for group in ("soak", "vulnerability"):
        assert [name.split("_")[1] for name in narrative.group(group)] == DAMAGE_TYPES


def test_the_condition_track(narrative):
    (track,) = narrative.head.tracks
    assert [step.label for step in track.steps] == TRACK


def fields(entity):
    """Return the labels of a power's fields, in the order in which they stand."""
    return re.findall(r"\*\*(.+?):\*\*", entity.actions[0].text)


def test_the_fields_of_the_basic_powers(narrative):
    basic = [entity for entity in narrative.of_kind("power") if "basic" in entity.tags]
    assert {entity.name: fields(entity) for entity in basic} == POWERS


@pytest.mark.parametrize("frequency", ["At-Will", "Encounter", "Daily"])
def test_the_fields_of_a_power_of_ones_own(narrative, frequency):
    """The Opportunity Cost is the cost of its use."""
    (entity,) = [
        e for e in narrative.of_kind("power") if e.own["frequency"] == frequency and "own" in e.tags
    ]
    assert fields(entity) == FIELDS
    assert "opportunity" in entity.actions[0].cost


def test_the_rulings_and_the_table_rule(narrative):
    assert set(narrative.rulings) == RULINGS
    assert {r.id: (r.ruling, r.default) for r in narrative.head.table_rules} == {
        "saving_throw": ("N4", "one_ability")
    }


def test_every_ruling_is_named_where_it_counts(narrative):
    named = {name for entity in narrative.entities.values() for name in entity.rulings}
    assert named == RULINGS


def test_every_entity_says_something_and_where_it_stands(narrative):
    for entity in narrative.entities.values():
        assert entity.source.strip(), entity.id
        assert entity.text or entity.actions or entity.figures, entity.id


def test_ids_follow_the_printed_names(narrative):
    """What a player names has no printed name: own, own-melee, primary, secondary …"""
    typed = {e.id for e in narrative.entities.values() if e.titled}
    for entity in narrative.entities.values():
        if entity.id not in typed:
            assert entity.slug == entity.name.lower().replace(" ", "-"), entity.id


# ------------------------------------------------------------------ the proof of N1, N2 and N4


def odds(ruleset, **dice):
    """Return the chance of every (net Successes, net Advantages, Triumphs, Despairs) of a pool."""
    whole = Counter({(0, 0, 0, 0): 1.0})
    for name, number in dice.items():
        die = ruleset.symbol_dice[name]
        for _ in range(number):
            after: Counter[tuple[int, ...]] = Counter()
            for face in range(1, len(die.symbols) + 1):
                net = inputs.net_symbols(ruleset, inputs.count_symbols(die, [face]))
                add = (net["success"], net["advantage"], net["triumph"], net["despair"])
                for before, chance in whole.items():
                    total = tuple(map(sum, zip(before, add, strict=True)))
                    after[total] += chance / len(die.symbols)
            whole = after
    return whole


def percent(found, holds):
    """Return how likely it is that ``holds`` of the result, in percent."""
    return 100 * sum(chance for result, chance in found.items() if holds(result))


# The book's percentages of 1 Ability and 2 Proficiency against 2 Difficulty.
PRINTED = [
    ({}, (70, 47.8, 27.8, 0)),
    ({"setback": 1}, (61.8, 40.24, 35.9, 0)),
    ({"setback": 2}, (53.75, 33.5, 43.87, 0)),
    ({"difficulty": 3}, (57.87, 31.7, 45.87, 0)),
    ({"challenge": 1}, (51.76, 33.9, 43.78, 8.3)),
]


@pytest.mark.parametrize(("added", "printed"), PRINTED, ids=TRACK[:5])
def test_the_faces_and_the_track_give_the_printed_percentages(narrative, added, printed):
    found = odds(narrative, **{"ability": 1, "proficiency": 2, "difficulty": 2, **added})
    worked = (
        percent(found, lambda net: net[0] > 0),
        percent(found, lambda net: net[1] > 0),
        percent(found, lambda net: net[1] < 0),
        percent(found, lambda net: net[3] > 0),
    )
    assert worked == pytest.approx(printed, abs=0.06)


def test_the_odds_of_a_saving_throw_under_both_table_rules(narrative):
    """4 of 8 faces; 1 - (4/6)^2."""
    saves = [odds(narrative, ability=1), odds(narrative, boost=2)]
    assert [percent(found, lambda net: net[0] > 0) for found in saves] == pytest.approx(
        [50, 500 / 9]
    )


@pytest.mark.parametrize(
    ("die", "faces"),
    [
        ("boost", "- - S SA AA A"),
        ("setback", "- - F F T T"),
        ("ability", "- S S SS A A SA AA"),
        ("difficulty", "- F FF T T T TT FT"),
        ("proficiency", "- S S SS SS A SA SA SA AA AA !"),
        ("challenge", "- F F FF FF T T FT FT TT TT ?"),
    ],
)
def test_the_faces(narrative, die, faces):
    signs = dict(
        zip(
            ("success", "failure", "advantage", "threat", "triumph", "despair"),
            "SFAT!?",
            strict=True,
        )
    )
    shown = ["".join(signs[s] for s in face) or "-" for face in narrative.symbol_dice[die].symbols]
    assert shown == faces.split()
