"""Sources, rulings and procedures of the pack. What its rules say is in its samples."""

from __future__ import annotations

SECTIONS = {"Shield (X)", "Arcing", "Biotic Explosion", "Cool Down", "Knocked Back/Pulled (X)"}
RULINGS = {*(f"B{number}" for number in range(1, 17)), "B3a"}
PROCEDURES = {
    "cover", "trait-roll", "skill-roll", "damage", "thrown", "heal", "biotic-explosion", "blast",
    "caught-in-explosion", "cool-down", "round-end", "joker", "initiative-count",
}  # fmt: skip
SERVED = {
    "damage": "damage",
    "heal": "heal",
    "check": "skill-roll",
    "turn": "initiative-count",
    "turn_end": "round-end",
}


def test_every_entity_says_something_and_where_it_stands(biotics):
    assert {entity.source for entity in biotics.entities.values()} == SECTIONS
    for entity in biotics.entities.values():
        assert entity.text or entity.actions or entity.figures, entity.id


def test_every_ruling_is_named_where_it_counts(biotics):
    assert set(biotics.rulings) == RULINGS
    named = {name for entity in biotics.entities.values() for name in entity.rulings}
    assert RULINGS - named == {"B16"}  # Pace and Parry are questions, no entities


def test_the_one_table_rule(biotics):
    (rule,) = biotics.head.table_rules
    assert (rule.id, rule.ruling, rule.default) == ("second_shaken_wounds", "B3", "off")
    assert [option.id for option in rule.options] == ["off", "on"]


def test_the_procedures_and_what_serves_a_command(biotics):
    assert set(biotics.procedures) == PROCEDURES
    assert {name: getattr(biotics.head.play, name) for name in SERVED} == SERVED


def test_what_the_book_leaves_open_is_said_at_every_question(biotics):
    """All of it but what a thing of one's own may say of itself."""
    asks = [*biotics.head.creation]
    asks += [question for entity in biotics.entities.values() for question in entity.choices]
    assert len(asks) == 9 + 2 + 4 + 4 + 3 * 3
    assert {question.id for question in asks if not question.unprinted} == {"effect"}
