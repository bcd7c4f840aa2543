"""The contents of a sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from charforge.export.text_formats import write
from charforge.expressions.template import plain_text
from charforge.replay.replay import replay
from charforge.sheet.build import build


@pytest.fixture(scope="module")
def character(make):
    """Return the usual character."""
    return make().character


@pytest.fixture(scope="module")
def sheet(character):
    """Return the view of its sheet."""
    return build(character)


def rows(sheet, label):
    """Return the rows of a chart as texts, headings included."""
    (chart,) = [chart for chart in sheet.charts if chart.label == label]
    return [(row.heading, *row.cells) for row in chart.rows]


def test_toughness_with_its_armor_and_the_shield(sheet):
    assert [(one.label, one.total) for one in sheet.attributes] == [
        ("Toughness", 8),
        ("Armor", 2),
        ("Pace", 6),
        ("Parry", 5),
        ("Shield (X)", 3),
    ]


def test_boxes_for_layers_and_wounds(sheet):
    assert [(one.label, one.current, one.max) for one in sheet.vitals] == [
        ("Shield", 3, 3),
        ("Wounds", 0, None),
    ]


def test_six_boxes_for_markers(adept):
    """As many are filled as were placed: 2."""
    adept.use("Throw/Pull: Use")
    (one,) = build(replace(adept.opened.character, state=adept.state)).trackers
    assert (one.label, one.low, one.current, one.high) == ("C/D", 0, 2, 6)


def test_boxes_for_shaken_prone_and_a_biotic_attack(sheet):
    assert [one.name for one in sheet.conditions] == ["Shaken", "Prone", "Under a Biotic Attack"]


def listing(sheet, label):
    """Return the rows of a list, cells as texts, with its headings."""
    (found,) = [one for one in sheet.lists if one.label == label]
    rows = [(row.name, *(cell.text for cell in row.cells)) for row in found.rows]
    return found.columns, rows


def test_attributes_with_their_die(sheet):
    assert listing(sheet, "Attributes") == (("Die",), [("Agility", "d8"), ("Spirit", "d6")])


def test_skills_with_their_die_and_cd(sheet):
    facts = {
        card.name: [fact.replace("\xa0", " ") for fact in card.subtitle] for card in sheet.cards
    }
    assert facts == {
        "Throw/Pull": ["Die d10, C/D 2"],
        "Shooting": ["Die d6, C/D 0"],
        "Warp": ["Die d12, C/D 3"],
    }


@pytest.mark.parametrize("protection", ["barrier", "heavy-armor"])
def test_what_else_protects_is_listed(make, protection):
    found = build(make({protection: "yes"}).character)
    (row,) = listing(found, "Protection")[1]
    assert row[0].lower().replace(" ", "-") == protection


def test_a_biotic_attack_says_that_it_is_one(sheet):
    texts = {card.name: plain_text(card.text.full) for card in sheet.cards}
    assert texts["Warp"].startswith("Biotic Attack.")
    assert texts["Throw/Pull"] == "Knocked Back or Pulled (2)."


def test_damage_and_layers_with_the_characters_own_toughness(sheet):
    """Toughness 8: 8 to 11 is 1 hit, 12 to 15 is 2 …"""
    found = rows(sheet, "Damage and Shield layers")
    assert found[:4] == [
        ("less than 8", "0", "no effect"),
        ("8–11", "1", "Shaken"),
        ("12–15", "2", "Shaken, 1 wound"),
        ("16–19", "3", "Shaken, 2 wounds"),
    ]
    assert found[-1] == ("each 4 more", "1 more", "1 wound more")


@pytest.mark.parametrize("row", range(1, 7))
def test_the_chart_says_what_the_procedure_does(sit, row):
    """Both ends of each row, with many layers and with none."""
    heading, lost, bare = rows(build(sit().opened.character), "Damage and Shield layers")[row]
    for amount in map(int, heading.split("–")):
        shielded, unshielded = sit({"shield": 9}), sit({"shield": 0})
        assert shielded("damage", amount=amount)["lost"] == int(lost)
        unshielded("damage", amount=amount)
        wounds = unshielded["wounds"]
        said = f"Shaken, {wounds} wound{'s' * (wounds != 1)}" if wounds else "Shaken"
        assert bare == said


def test_the_steps_of_a_biotic_explosion(sheet):
    found = rows(sheet, "Biotic Explosion")
    assert [heading for heading, _text in found] == list("1234567")
    assert "−2 for each raise" in found[2][1]
    assert 'd3" (rolled once for all) + 1" for each raise' in found[4][1]


def test_the_immunity_line_is_on_every_sheet(sheet):
    (line,) = [entry for entry in sheet.reference if entry.name == "Immunity"]
    assert plain_text(line.text.full).startswith(
        "While your Shield is active, you cannot be Knocked Back"
    )


@pytest.mark.parametrize(
    ("option", "words"), [("off", "does nothing more"), ("on", "exactly 1 such hit is 1 wound")]
)
def test_damage_as_the_table_rules_it(character, option, words):
    state = replace(character.state, rules={"second_shaken_wounds": option})
    assert words in " ".join(state.text(state.ruleset.entity("rule/damage")).split())


def test_a_die_that_is_not_chosen_yet_is_a_question_mark(character):
    answers = {"skills": ["skill/throw-pull"]}
    sheet = write("markdown", replay(character.state.ruleset, answers), ())
    assert "*Die d?, C/D 2*" in sheet
    assert "Roll d**? (not chosen yet)**. It places 2 C/D markers" in sheet
    assert '**? (not chosen yet)**", and 1" more for each raise' in sheet
