"""Plain text export: short and at most 80 columns wide."""

from __future__ import annotations

import pytest
from wcwidth import wcswidth

from charforge.export.text_formats import write
from charforge.replay.replay import Problem
from charforge.sheet import phrases
from charforge.sheet.build import build

WIDE = "漢" * 120


def test_no_line_is_wider_than_80_columns(character):
    lines = write("text", character).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("name", [WIDE, "x" * 199, "e\N{COMBINING ACUTE ACCENT}" * 99, "漢x" * 60])
def test_long_and_wide_names_are_wrapped_and_lose_no_sign(make, name):
    lines = write("text", make(name=name, level=1)).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    head = lines[: next(n for n, line in enumerate(lines) if line.startswith("Capital"))]
    assert "".join(line.strip() for line in head) == name


def test_scores_in_a_line_and_weapons_with_their_modes(character):
    shown, lines = build(character), write("text", character).splitlines()
    scores = " · ".join(f"{a.label} {phrases.score_text(a)}" for a in shown.attributes)
    assert scores in lines
    printed = " ".join(line.strip() for line in lines)
    for weapon in shown.weapons:
        assert weapon.name in printed
        for attack in weapon.attacks:
            roll = f"{attack.roll.replace(chr(0x2212), '-')} vs {attack.versus}"
            assert {roll, phrases.plain(attack.damage)} <= {
                part for part in (roll, phrases.plain(attack.damage)) if part in printed
            }


def test_a_system_has_its_digest_uncut(make):
    """Every rule is told to its end, or not at all."""
    told = " ".join(write("text", make(level=1, innate=[])).split())
    for card in build(make(level=1, innate=[])).cards:
        for digest in (card.text.digest, *(action.text.digest for action in card.actions)):
            assert phrases.plain_line(digest) in told
    assert "…" not in told


def test_a_character_fits_a_message(character):
    """2,000 characters, or as many messages as the names need; texts that are left out are counted.

    An ability has its whole text or its name alone.
    """
    told = write("text", character)
    names = [card.name for card in build(character).cards]
    assert all(name in told for name in names)
    assert len(told) <= 2000 or character.name != "Nix Calloway"
    shown = build(character)
    cards = [card for one in (shown, *shown.units) for card in one.cards]
    line = " ".join(told.split())
    left_out = [card.name for card in cards if phrases.plain_line(card.text.digest) not in line]
    assert ("To fit in a message, the last" in told) == bool(left_out)


def test_units_table_rules_and_problems_are_told(hostile):
    told = write("text", hostile, (Problem("broken", "money", "10 is not enough"),))
    assert "\n-- Sky Beast · Special Companion · Level 10 --\n" in told
    assert "When does an effect come off Cooldown X+? A roll of X or less ends it" in told
    body, _line, shortened = told.partition("\n\nTo fit in a message, ")
    assert body.endswith("money: 10 is not enough")
    assert " ".join(shortened.split()).endswith("left out: only their names are here.")
