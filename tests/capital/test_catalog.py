"""The contents of the Capital pack: sources and rulings, and texts that repeat figures.

What the book prints of each entity is in the samples of the pack (catalog-*.yaml). The names and
figures there and here are read from the book a second time, never from the pack.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

DAMAGE_TYPES = ["Blunt", "Sharp", "True", "Heat", "Cold", "Electric", "Toxic"]
# D82 and D90 were never given.
RULINGS = {f"D{number:02}" for number in range(1, 104)} - {"D82", "D90"}


def slug(name: str) -> str:
    """Return the last part of an id, as the rule for ids makes it from a printed name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


def test_ids_follow_the_slug_rule(capital):
    """D74 alone puts a word before the printed name."""
    for entity in capital.entities.values():
        printed = entity.name.removeprefix("Augmentation: ")
        assert entity.slug == slug(printed), entity.id


def test_no_two_entities_of_a_kind_share_a_name(capital):
    names = Counter((entity.kind, entity.name) for entity in capital.entities.values())
    assert [name for name, times in names.items() if times > 1] == []


def test_every_entity_has_a_source_and_known_rulings(capital):
    for entity in capital.entities.values():
        assert entity.source.strip(), entity.id
        assert set(entity.rulings) <= RULINGS, entity.id


def test_every_entity_says_what_it_does(capital):
    """A text, an action, an attack, or (for Training) a summary."""
    for entity in capital.entities.values():
        says = (entity.text, entity.actions, entity.attacks, entity.own.get("summary"))
        assert any(says), entity.id


def test_the_rulings(capital):
    assert len(RULINGS) == 101
    assert set(capital.rulings) == RULINGS


def test_every_ruling_says_something(capital):
    for ruling in capital.rulings.values():
        assert ruling.title
        assert ruling.question
        assert ruling.ruling


def test_the_table_rules_and_their_defaults(capital):
    """D18 and D57 are the two that a group may switch."""
    rules = {rule.id: (rule.ruling, rule.default) for rule in capital.head.table_rules}
    assert rules == {"cooldown": ("D18", "or_more"), "long_break": ("D57", "each_level")}
    switched = {name: r.table_rule for name, r in capital.rulings.items() if r.table_rule}
    assert switched == {"D18": "cooldown", "D57": "long_break"}


def test_the_attributes_in_the_books_order(capital):
    assert capital.group("attributes") == ("str", "ftd", "agi", "vsn", "wis", "wil", "cha", "knw")


def test_the_damage_types(capital):
    assert [term.label for term in capital.head.terms["damage_types"]] == DAMAGE_TYPES


# ------------------------------------------------------------------ Roles


def test_the_options_of_a_role_say_what_they_change(capital):
    """Each is named after the Attribute it changes, and the question after the change."""
    choices = [choice for role in capital.of_kind("role") for choice in role.choices]
    changing = [choice for choice in choices if choice.id in ("plus", "minus")]
    assert len(changing) == 2 * 6
    for choice in changing:
        assert re.findall(r"\d+", choice.label) == ["1"]
        for option in choice.options:
            [change] = option.modifies
            value = capital.values[change.value]
            assert option.id == value.id
            assert option.label == f"{value.name} ({value.label})"


@pytest.mark.parametrize(
    ("name", "attribute"),
    [
        ("the-lancer", "vsn"),
        ("the-scout", "agi"),
        ("the-healer", "knw"),
        ("the-captain", "cha"),
        ("the-tank", "str"),
        ("the-sentinel", "wis"),
    ],
)
def test_the_attribute_important_for_a_role(capital, name, attribute):
    """As Step 5 says; all eight stand in order of use, this one at the first or second place."""
    role = capital.entity(f"role/{name}")
    assert role.key == (attribute,)
    assert attribute in role.priority[:2]
    assert sorted(role.priority) == sorted(capital.group("attributes"))


@pytest.mark.parametrize(
    ("role", "weapons"),
    [
        ("the-lancer", "any"),
        ("the-scout", "any"),
        ("the-tank", "melee"),
        ("the-healer", None),
        ("the-captain", None),
        ("the-sentinel", None),
    ],
)
def test_the_weapons_a_role_may_start_with(capital, role, weapons):
    """The Simple lists of the book, with the Spear (D04) and without aliases (D01, D05)."""
    melee = {
        "simple-baton-shortsword", "simple-club-longsword", "simple-dagger", "simple-greatsword",
        "simple-spear", "simple-warhammer",
    }  # fmt: skip
    guns = {"auto-rifle", "minigun", "precision-rifle", "standard-pistol"}
    wanted = {"any": melee | guns, "melee": melee, None: set()}[weapons]
    choices = [c for c in capital.entity(f"role/{role}").choices if c.id == "weapon"]
    found = {e.slug for choice in choices for e in capital.select(choice.among.query)}
    assert found == wanted


def test_a_captain_has_a_symbol_of_status(capital):
    assert "symbol" in {choice.id for choice in capital.entity("role/the-captain").choices}


# ------------------------------------------------------------------ Systems


@pytest.mark.parametrize(
    ("system", "figure"),
    [
        ("jury-rig", "{1d6 + KNW - 5}"),
        ("know-your-enemy", "{max(KNW - 3, 1)}"),
        ("patch-up-i", "{1d6 + KNW}"),
        ("patch-up-ii", "{1d6 + KNW + 2}"),
        ("pep-talk", "{CHA}"),
        ("rally", "{CHA}"),
        ("lockdown", "{max(WIS - 1, 4)}"),
        ("urgency", "{max(AGI - 5, 0)}"),
    ],
)
def test_figures_that_a_sheet_computes(capital, system, figure):
    """'KNW - 3 (minimum increase of 1)', 'WIS - 1 (minimum of 4)', 'AGI - 5 (minimum 0)' …"""
    entity = capital.entity(f"system/{system}")
    text = " ".join([entity.text, *(action.text for action in entity.actions)])
    assert figure in re.findall(r"\{[^}]*\}", text)


# ------------------------------------------------------------------ Companions


def test_a_companions_questions_name_its_own_figures(capital):
    """The help texts repeat the scores, the Attributes and the least HP of a level."""
    for companion in capital.of_kind("companion"):
        [assign] = companion.choices
        [roll] = companion.each_level
        assert [int(score) for score in re.findall(r"\d+", assign.help)] == list(assign.scores)
        assert re.findall("[A-Z]{3}", assign.help) == [value.upper() for value in assign.to]
        assert sorted(companion.priority) == sorted(assign.to)
        least = roll.minimum.text.upper().replace("FTD", "its FTD")
        assert roll.help == f"{roll.dice} + its {roll.plus.text.upper()}, at least {least}."


def test_a_sky_beast_moves_its_agi_further(capital):
    assert "{AGI}" in capital.entity("companion/sky-beast").text


# ------------------------------------------------------------------ Levels


def test_a_die_is_worth_4_to_6(capital):
    """1 and 2 make 4, 3 and 4 make 5, 5 and 6 make 6; ten dice less two."""
    steps = {step.id: step for step in capital.head.creation}
    assert steps["attributes.roll"].dice == "10d6"
    assert steps["attributes.discard"].count == 2
    table = steps["attributes.assign"].scores.table
    assert table == {1: 4, 2: 4, 3: 5, 4: 5, 5: 6, 6: 6}


def test_the_table_of_levels(capital):
    """Blank cells stay blank, and carry (D27)."""
    [table] = capital.head.units[0].tables
    rows = {
        level: tuple(None if cell is None else cell.text for cell in row)
        for level, row in table.rows.items()
    }
    assert (table.columns, table.blank) == (("max_energy", "slots"), "carry")
    assert rows == {
        1: ("wil + 3", "0"),
        2: (None, "2"),
        3: ("wil + 5", None),
        4: (None, "4"),
        5: ("wil + 7", None),
        6: (None, "6"),
        7: ("wil + 9", None),
        8: (None, "9"),
        9: ("wil + 11", None),
        10: (None, "12"),
    }


def test_an_attack_roll_is_2d6_and_training_adds_2(capital):
    assert (capital.head.attack_roll.dice, capital.head.attack_roll.trained) == ("2d6", 2)


def test_two_outfits_of_two_types_and_200_to_400_mc(capital):
    steps = {step.id: step for step in capital.head.creation}
    assert [option.id for option in steps["outfits"].options] == ["everyday", "professional"]
    assert steps["outfits"].count == 2
    money = steps["money"]
    assert (money.minimum.constant, money.maximum.constant) == (200, 400)
