"""Text for a chat: short, plain, and never wider than 80 columns."""

from __future__ import annotations

import pytest
from wcwidth import wcswidth

from charforge.export import phrases, text
from charforge.replay.replay import Problem
from charforge.sheet.build import build

WIDE = "漢" * 120


def test_no_line_is_wider_than_80_columns(character):
    lines = text.write(character).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    assert not any("\x1b" in line for line in lines)


@pytest.mark.parametrize("name", [WIDE, "x" * 199, "e\N{COMBINING ACUTE ACCENT}" * 99, "漢x" * 60])
def test_long_and_wide_names_are_wrapped_and_lose_no_sign(make, name):
    lines = text.write(make(name=name, level=1)).splitlines()
    assert max(map(wcswidth, lines)) <= 80
    head = lines[: next(n for n, line in enumerate(lines) if line.startswith("Capital"))]
    assert "".join(line.strip() for line in head) == name


def test_scores_in_a_line_and_attacks_in_one_each(character):
    shown, lines = build(character), text.write(character).splitlines()
    scores = " · ".join(f"{a.label} {phrases.score_text(a)}" for a in shown.attributes)
    assert scores in lines
    for attack in shown.attacks:
        begins = f"{phrases.attack_name(attack)}: "
        printed = " ".join(lines)  # a companion may have an attack of the same name
        assert f"{begins}{attack.roll.replace(chr(0x2212), '-')} vs {attack.versus}" in printed


def test_a_system_has_one_line_cut_with_an_ellipsis(character):
    shown, lines = build(character), text.write(character).splitlines()
    for card in shown.cards:
        assert (
            len([line for line in lines if line.startswith((f"{card.name} (", f"{card.name}: "))])
            == 1
        )


@pytest.mark.parametrize(
    ("long", "cut"),
    [
        ("short", "short"),
        ("word " * 30, "word " * 14 + "word word…"),
        ("漢" * 50, "漢" * 39 + "…"),
    ],
)
def test_short(long, cut):
    # "word " × 15 + "word" has 79 columns, the ellipsis is the 80th; 39 × 2 + 1 = 79, a 40th
    # wide sign would need 81 with the ellipsis.
    assert text.short(long) == cut
    assert wcswidth(cut) <= 80


def test_units_table_rules_and_problems_are_told(hostile):
    told = text.write(hostile, (Problem("broken", "money", "10 is not enough"),))
    assert "\n-- Sky Beast · Special Companion · Level 10 --\n" in told
    assert "When does an effect come off Cooldown X+? A roll of X or less ends it" in told
    assert told.endswith("money: 10 is not enough\n")
