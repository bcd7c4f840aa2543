"""What follows from the figures that are typed in, and from wounds, statuses and augmentations.

The soldier has Strength 6, Agility 9, Instinct 4, Fortitude 5, Intelligence 3, Willpower 2, Defense
18 (Agility 4 of it), Resolve 16, Toughness 14, DR 6, Threshold 10, Accuracy 7, and three marines.
"""

from __future__ import annotations

import pytest

from tests.squad_d20.conftest import HAAS, ORTEGA, YUN


@pytest.mark.parametrize(
    ("value", "figure"),
    [
        ("overage_melee", 6),  # Strength
        ("overage_ranged", 4),  # Instinct
        ("speed", 8),  # 4 + 9 / 2 = 4 + 4
        ("shift", 2),  # 1 + 9 / 5 = 1 + 1
        ("half_move", 4),  # 8 / 2
        ("action_move", 10),  # 8 + 2
        ("charge_move", 11),  # 8 + 3
        ("sprint_move", 32),  # 4 × 8
        ("free_sprints", 2),  # 5 / 2
        ("tactics_rounds", 3),  # Intelligence
        ("leadership_rounds", 2),  # Willpower
        ("flat_footed", 14),  # 18 − 4
        ("morale", 0),
        ("hp", 50),
        ("minions", 3),
        ("unit_defense", 15),  # 18 − 3
        ("unit_toughness", 17),  # 14 + 3
        ("unit_resolve", 19),  # 16 + 3
    ],
)
def test_what_follows_from_the_figures_typed_in(table, value, figure):
    assert table[value] == figure


@pytest.mark.parametrize(
    ("agility", "speed", "shift"),
    [(0, 4, 1), (1, 4, 1), (4, 6, 1), (5, 6, 2), (9, 8, 2), (10, 9, 3), (15, 11, 4)],
)
def test_movement_rounds_halves_and_fifths_down(soldier, agility, speed, shift):
    # 4 + ½ Agility and 1 + ⅕ Agility.
    others = {"strength": 1, "instinct": 1, "fortitude": 1, "intelligence": 1, "willpower": 1}
    values = soldier({"attributes": {"agility": agility, **others}}).character.state.values()
    assert (values.total("speed"), values.total("shift")) == (speed, shift)


@pytest.mark.parametrize(("unit", "life"), [(ORTEGA, 4), (HAAS, 5), (YUN, 6)])
def test_life_is_2_and_half_of_fortitude_and_1_each_for_giant_size_and_shields(table, unit, life):
    # 2 + 5 / 2 = 4; Haas is giant sized; Yun has energy shields too.
    assert (table.of(unit, "max_life"), table.of(unit, "life")) == (life, life)


def test_mobility_wounds_slow_before_anything_is_multiplied_or_halved(table):
    # 8 − 3 = 5 squares: sprint 4 × 5, half 2, Action Move 5 + 2, Charge 5 + 3.
    table.change("wounds_mobility", 3)
    moves = ("speed", "sprint_move", "half_move", "action_move", "charge_move", "shift")
    assert [table[move] for move in moves] == [5, 20, 2, 7, 8, 2]
    skills = ("athletics", "acrobatics", "stealth", "pilot", "tactics", "influence")
    assert [table[skill] for skill in skills] == [3, 4, 3, -1, 10, 8]


def test_fast_march_and_mobility_wounds_add_up_before_the_sprint(table):
    # 8 + 2 − 1 = 9 squares; 4 × 9 = 36.
    table.put("effect/fast-march", 2)
    table.change("wounds_mobility", 1)
    assert (table["speed"], table["sprint_move"], table["half_move"]) == (9, 36, 4)


def test_action_wounds_take_accuracy(table):
    table.change("wounds_action", 2)
    assert (table["accuracy"], table["athletics"]) == (5, 6)


def test_core_and_vital_wounds_take_what_heals_and_protects(table):
    # Healing threshold 5 − 4, DR 6 − 2, regeneration 3 − 2.
    table.change("wounds_core", 4)
    table.change("wounds_vital", 2)
    figures = ("healing_threshold", "dr", "regeneration")
    assert [table[figure] for figure in figures] == [1, 4, 1]


def test_regeneration_and_resistance_stop_at_0(table):
    # Regeneration 3 − 4.
    table.change("wounds_vital", 4)
    assert (table["regeneration"], table["dr"]) == (0, 2)


def test_critical_wounds_take_defense_attacks_and_every_skill(table):
    # Defense 18 − 2, accuracy 7 − 2, Tactics 10 − 2; also each other kind of defense.
    table.change("wounds_critical", 2)
    figures = ("defense", "flat_footed", "defense_ranged", "unit_defense", "accuracy", "tactics")
    assert [table[figure] for figure in figures] == [16, 12, 16, 13, 5, 8]


def test_wounds_of_several_places_add_up(table):
    # Stealth 6 − 1 mobility − 2 critical; accuracy 7 − 3 action − 2 critical.
    for place, points in (("mobility", 1), ("action", 3), ("critical", 2)):
        table.change(f"wounds_{place}", points)
    assert (table["stealth"], table["accuracy"]) == (3, 2)


def test_prone_helps_against_ranged_attacks_and_harms_against_melee(table):
    # 18 + 5 and 18 − 5.
    table.put("status/prone")
    assert (table["defense_ranged"], table["defense_melee"], table["defense"]) == (23, 13, 18)


@pytest.mark.parametrize(("status", "ranged"), [("cover", 23), ("improved-cover", 28)])
def test_cover_counts_against_ranged_attacks_only(table, status, ranged):
    table.put(f"status/{status}")
    assert (table["defense_ranged"], table["defense_melee"]) == (ranged, 18)


def test_flat_footed_and_flanked_lose_the_agility_bonus_once(table):
    table.put("status/flat-footed")
    assert (table["defense"], table["unit_defense"]) == (14, 11)
    table.put("status/flanked")
    assert (table["defense"], table["flat_footed"]) == (14, 14)


def test_modifiers_add_up(table):
    # 18 − 2 (charge) + 2 (bob and weave) + 3 (Defensive Stance) + 5 (cover) + 5 (prone).
    for name in ("effect/charged", "effect/bob-and-weave", "status/cover", "status/prone"):
        table.put(name)
    table.put("effect/defensive-stance", 3)
    assert (table["defense_ranged"], table["defense"]) == (31, 21)


def test_focusing_adds_4_to_resolve_and_to_the_morale_bonus(table):
    # Resolve 16 + 4, of the unit 19 + 4, morale bonus 3 + 4.
    table.put("effect/focusing")
    assert (table["resolve"], table["unit_resolve"], table["morale_bonus"]) == (20, 23, 7)


def test_defensive_stance_adds_to_defense_and_toughness_by_success(table):
    table.put("effect/defensive-stance", 2)
    assert (table["defense"], table["toughness"], table["unit_toughness"]) == (20, 16, 19)
