"""The contents of the Capital pack: numbers of entities, names and sources.

The names and figures here and in the other tests of the catalog are read from the
book a second time, never from the pack.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest

ROLES = ["The Lancer", "The Scout", "The Healer", "The Captain", "The Tank", "The Sentinel"]
AUGMENTATIONS = ["Weapon", "Slots", "Attribute", "Limb"]
COMPANIONS = ["Land Beast", "Sky Beast", "Droid", "Drone"]
VEHICLES = ["Bike", "Mechsuit", "Tank", "Aeroplane"]
STATUSES = ["Grappled", "Prone", "Taunted"]
KEYWORDS = [
    "Action", "Active", "Aim", "Atmospheric", "Block", "Cooldown", "Companion", "Crit", "Flying",
    "Heavy", "Innate", "Instant", "Reaction", "Regeneration", "Repeatable", "Requires", "Shots",
    "Signature", "Spread", "Two-handed",
]  # fmt: skip
IDEALS = [
    "Religion", "Tradition", "Strength", "Skill", "Trust", "Independence", "Retribution",
    "Justice", "Honour", "Family", "Friendship", "Bootstraps", "Community", "Hedonism",
]  # fmt: skip
GOALS = [
    "Revenge", "Treasure", "Reunion", "Protection", "Hunt", "Service", "Liberation",
    "Fame/Infamy", "Redemption", "Absolution", "Discovery",
]  # fmt: skip
FLAWS = [
    "Judgemental", "Trusting", "Suspicious", "Stubborn", "Obsessed", "Idealist", "Impulsive",
    "Arrogant", "Cowardly", "Kleptomaniac", "Liar",
]  # fmt: skip
STRENGTHS = [
    "Athletic", "Sneaky", "Empathetic", "Good Liar", "Observant", "Connections", "Knowledgeable",
]  # fmt: skip
WEAKNESSES = ["Unfit", "Obvious", "Cold", "Bad Liar", "Blind", "Clueless"]
DAMAGE_TYPES = ["Blunt", "Sharp", "True", "Heat", "Cold", "Electric", "Toxic"]
# D82 and D90 were never given.
RULINGS = {f"D{number:02}" for number in range(1, 104)} - {"D82", "D90"}


def slug(name: str) -> str:
    """Return the last part of an id, as the rule for ids makes it from a printed name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub("[^a-z0-9]+", "-", plain.replace("'", "")).strip("-")


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("That's an Order II", "thats-an-order-ii"),
        ("Look out!", "look-out"),
        ("Fame/Infamy", "fame-infamy"),
        ("Primitive rope (20m)", "primitive-rope-20m"),
        ("Café", "cafe"),
    ],
)
def test_the_slug_rule(name, made):
    assert slug(name) == made


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("role", 6),
        ("system", 45),
        ("augmentation", 4),
        ("companion", 4),
        ("vehicle", 4),
        ("vehicle-system", 10),
        ("special-weapon", 11),
        ("equipment", 35),
        ("status", 3),
        ("keyword", 20),
        ("ideal", 14),
        ("goal", 11),
        ("flaw", 11),
        ("strength", 7),
        ("weakness", 6),
    ],
)
def test_how_many_of_each_kind(capital, kind, number):
    assert sum(1 for _entity in capital.of_kind(kind)) == number


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("role", ROLES),
        ("augmentation", AUGMENTATIONS),
        ("companion", COMPANIONS),
        ("vehicle", VEHICLES),
        ("status", STATUSES),
        ("keyword", KEYWORDS),
        ("ideal", IDEALS),
        ("goal", GOALS),
        ("flaw", FLAWS),
        ("strength", STRENGTHS),
        ("weakness", WEAKNESSES),
    ],
)
def test_names_and_ids(capital, kind, names):
    assert {entity.id for entity in capital.of_kind(kind)} == {f"{kind}/{slug(n)}" for n in names}


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

# Role: type, gains, gains one of, loses one of, HP at Level 1, dice, plus, minimum,
# Systems at 1 and 3, Training, equipment it is given.
ROLE_FIGURES = {
    "the-lancer": (
        "damage", "wil", ("str", "vsn"), ("ftd", "agi"), "ftd + 10", "1d6", "ftd + 2", "ftd + 6",
        ("try-that-again-i", "surge"), ("the-lancer", "simple-weapons"), (),
    ),
    "the-scout": (
        "damage", "agi", ("cha", "wis"), ("str", "wil"), "ftd + 10", "1d6", "ftd + 2", "ftd + 6",
        ("focus-i", "all-out"), ("the-scout", "simple-weapons"), (),
    ),
    "the-healer": (
        "support", "knw", ("wil", "agi"), ("str", "vsn"), "ftd + 14", "2d6", "ftd", "ftd + 8",
        ("patch-up-i", "supercharge"), ("the-healer",), ("primitive-first-aid-kit",),
    ),
    "the-captain": (
        "support", "cha", ("wil", "wis"), ("str", "agi"), "ftd + 14", "2d6", "ftd", "ftd + 8",
        ("thats-an-order-i", "rally"), ("the-captain",), (),
    ),
    "the-tank": (
        "defense", "ftd", ("str", "wil"), ("vsn", "agi"), "ftd + 18", "2d6", "ftd + 4", "ftd + 12",
        ("intercept-i", "sanctuary"), ("the-tank", "simple-melee-weapons"), (),
    ),
    "the-sentinel": (
        "defense", "wis", ("cha", "knw"), ("str", "agi"), "ftd + 10", "1d6", "ftd + 2", "ftd + 6",
        ("power-play-i", "lockdown"), ("the-sentinel", "simple-gun-weapons"), ("standard-pistol",),
    ),
}  # fmt: skip


def offered(choice, op) -> tuple[str, ...]:
    """Return the values that the options of a Role's choice change by ``op``."""
    changes = [option.modifies[0] for option in choice.options]
    assert {change.amount.constant for change in changes} == {op}
    return tuple(change.value for change in changes)


@pytest.mark.parametrize("name", ROLE_FIGURES)
def test_the_options_of_a_role_say_what_they_change(capital, name):
    """Each is named after the Attribute it changes, and the question after the change."""
    choices = {choice.id: choice for choice in capital.entity(f"role/{name}").choices}
    for choice in (choices["plus"], choices["minus"]):
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


@pytest.mark.parametrize("name", ROLE_FIGURES)
def test_a_roles_figures(capital, name):
    role = capital.entity(f"role/{name}")
    choices = {choice.id: choice for choice in role.choices}
    scores = capital.group("attributes")
    [raised] = [m for m in role.modifies if m.value in scores]
    [hp] = [m for m in role.modifies if m.value == "max_hp"]
    [roll] = role.each_level
    granted = {grant.id: grant.level for grant in role.grants}
    systems = sorted((level, i.split("/")[1]) for i, level in granted.items() if "system/" in i)
    assert raised.amount.constant == 1
    assert [level for level, _name in systems] == [1, 3]
    found = (
        role.own["role_type"], raised.value, offered(choices["plus"], 1),
        offered(choices["minus"], -1), hp.amount.text, roll.dice, roll.plus.text,
        roll.minimum.text, tuple(system for _level, system in systems),
        tuple(i.split("/")[1] for i in granted if i.startswith("training/")),
        tuple(i.split("/")[1] for i in granted if i.startswith("equipment/")),
    )  # fmt: skip
    assert found == ROLE_FIGURES[name]


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


# ------------------------------------------------------------------ Companions

# Companion: size, scores handed out, to which Attributes, the printed ones, HP at
# Level 1, plus and minimum of each level's 1d6, the attack.
COMPANION_FIGURES = {
    "land-beast": (
        "Medium", (7, 6, 5, 4), ("str", "ftd", "agi", "cha"),
        {"vsn": 5, "wis": 3, "wil": 6, "knw": 0},
        "ftd + 5", "ftd", "ftd + 4", ("Melee", "str", "str", 6, ("sharp",)),
    ),
    "sky-beast": (
        "Small", (6, 5, 5, 4), ("str", "ftd", "agi", "cha"),
        {"vsn": 6, "wis": 2, "wil": 5, "knw": 0},
        "ftd + 1", "ftd - 5", "4", ("Melee", "str", "str", 4, ("sharp",)),
    ),
    "droid": (
        "Medium", (7, 6, 5, 4), ("str", "knw", "agi", "cha"),
        {"ftd": 5, "vsn": 5, "wis": 3, "wil": 6},
        "ftd + 5", "ftd", "ftd + 4", ("30m", "vsn", "agi", 4, ("heat",)),
    ),
    "drone": (
        "Small", (6, 5, 5, 4), ("str", "knw", "agi", "cha"),
        {"ftd": 5, "vsn": 5, "wis": 3, "wil": 5},
        "ftd + 1", "ftd - 5", "4", ("30m", "vsn", "agi", 4, ("heat",)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPANION_FIGURES)
def test_a_companions_figures(capital, name):
    companion = capital.entity(f"companion/{name}")
    [assign] = companion.choices
    [roll] = companion.each_level
    [hp] = companion.modifies
    [attack] = companion.attacks
    assert (roll.dice, roll.to, hp.value) == ("1d6", ("max_hp",), "max_hp")
    found = (
        companion.own["size"], assign.scores, assign.to,
        {value: formula.constant for value, formula in companion.values.items()},
        hp.amount.text, roll.plus.text, roll.minimum.text,
        (attack.range, attack.hit, attack.defence, attack.damage, attack.type),
    )  # fmt: skip
    assert found == COMPANION_FIGURES[name]


@pytest.mark.parametrize(
    ("name", "descriptor", "words"),
    [
        ("land-beast", "Medium Special Beast Unit", "+1 for every 2 other allies adjacent"),
        ("sky-beast", "Small Special Beast Unit", "**Flying.**"),
        ("droid", "Medium Special Robot Unit", "Companion"),
        ("drone", "Small Special Robot Unit", "1 to 3 m above the ground"),
    ],
)
def test_what_else_a_companion_says(capital, name, descriptor, words):
    companion = capital.entity(f"companion/{name}")
    assert companion.own["descriptor"] == descriptor
    assert words in companion.text + companion.attacks[0].text


@pytest.mark.parametrize("name", COMPANION_FIGURES)
def test_a_companions_questions_name_its_own_figures(capital, name):
    """The help texts repeat the scores, the Attributes and the least HP of a level."""
    companion = capital.entity(f"companion/{name}")
    [assign] = companion.choices
    [roll] = companion.each_level
    assert [int(score) for score in re.findall(r"\d+", assign.help)] == list(assign.scores)
    assert re.findall("[A-Z]{3}", assign.help) == [value.upper() for value in assign.to]
    assert sorted(companion.priority) == sorted(assign.to)
    least = roll.minimum.text.upper().replace("FTD", "its FTD")
    assert roll.help == f"{roll.dice} + its {roll.plus.text.upper()}, at least {least}."


def test_a_sky_beast_moves_its_agi_further(capital):
    assert "{AGI}" in capital.entity("companion/sky-beast").text


# ------------------------------------------------------------------ Status effects


@pytest.mark.parametrize(
    ("name", "op", "amount", "timings"),
    [
        # "Your AGI is set to 0.": nothing raises it; breaking free twice over, letting go, swapping
        ("grappled", "at_most", 0, ["action", "action", "reaction", "reaction"]),
        ("prone", "add", -4, ["action"]),  # "You have AGI -4."; getting up
    ],
)
def test_a_status_changes_agi_while_it_lasts(capital, name, op, amount, timings):
    status = capital.entity(f"status/{name}")
    [modifier] = status.modifies
    assert (modifier.value, modifier.op, modifier.amount.constant) == ("agi", op, amount)
    assert modifier.layer == "current"
    assert [action.timing for action in status.actions] == timings


def test_taunted_changes_no_figure(capital):
    taunted = capital.entity("status/taunted")
    assert (taunted.modifies, taunted.actions) == ((), ())


# ------------------------------------------------------------------ Levels, unarmed


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


def test_the_unarmed_attack(capital):
    [attack] = capital.entity("attack/unarmed").attacks
    found = (attack.range, attack.hit, attack.defence, attack.damage, attack.type)
    assert found == ("Melee", "str", "str", 2, ("blunt", "sharp"))


# ------------------------------------------------------------------ Gear


BANDAGES = {
    "advanced-first-aid-kit": {"Large Programmable Bandages": 6, "Small Programmable Bandages": 12},
    "primitive-first-aid-kit": {"Large Bandages": 6, "Small Bandages": 12},
}


@pytest.mark.parametrize("name", BANDAGES)
def test_the_bandages_of_a_kit(capital, name):
    """Each Action spends one of them."""
    kit = capital.entity(f"equipment/{name}")
    assert {held.label: held.max.constant for held in kit.capacities} == BANDAGES[name]
    assert [dict(action.cost) for action in kit.actions] == [
        {held.id: 1} for held in kit.capacities
    ]
    assert {action.timing for action in kit.actions} == {"action"}


def test_two_outfits_of_two_types_and_200_to_400_mc(capital):
    steps = {step.id: step for step in capital.head.creation}
    assert [option.id for option in steps["outfits"].options] == ["everyday", "professional"]
    assert steps["outfits"].count == 2
    money = steps["money"]
    assert (money.minimum.constant, money.maximum.constant) == (200, 400)
