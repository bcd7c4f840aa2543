"""Tactics, leadership, lore and squad options; rally.

Tactics 10, Leadership 9, Lore 5; Intelligence 3, Willpower 2, morale bonus 3.
"""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal


def told(done):
    return [step.text for step in done.steps]


@pytest.mark.parametrize(
    ("face", "successes"), [(4, 0), (5, 1), (9, 1), (10, 2), (14, 2), (15, 3), (19, 3)]
)
def test_15_20_and_25_are_a_success_each(table, face, successes):
    # Tactics 10: 14 fails; 15, 19; 20, 24; 25, 29.
    assert table("augmentation", [face], score=10).outputs["successes"] == successes


def test_there_are_at_most_3_successes(table):
    assert table("augmentation", [19], score=30).outputs["successes"] == 3


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("Precision Aim", {"accuracy": (8, 9, 10)}),  # 7 + 1, 2, 3
        ("Defensive Stance", {"defense": (19, 20, 21), "toughness": (15, 16, 17)}),
        ("Fast March", {"speed": (9, 10, 11), "sprint_move": (36, 40, 44)}),
        ("Hardiness", {"dr": (7, 8, 9)}),
    ],
)
@pytest.mark.parametrize(("face", "at"), [(5, 0), (10, 1), (15, 2)])
def test_tactics_change_figures_by_success(table, name, values, face, at):
    table.use(name, [face])
    assert {value: table[value] for value in values} == {v: f[at] for v, f in values.items()}


def test_long_shot_is_counted(table):
    # 3 successes: attack range + 6.
    table.use("Long Shot", [15])
    assert table.under("effect/long-shot") == 3


def test_a_failed_check_begins_nothing_and_ends_nothing(table):
    table.use("Precision Aim", [10])
    table.use("Precision Aim", [4])
    assert table["accuracy"] == 9


def test_a_new_success_replaces_the_former(table):
    table.use("Precision Aim", [15])
    table.use("Precision Aim", [5])
    assert table["accuracy"] == 8


def test_tactics_last_as_many_rounds_as_intelligence(table):
    table.use("Hardiness", [5])
    for _round in range(2):
        table("turn")
    assert table["dr"] == 7
    table("turn")
    assert table["dr"] == 6


def test_leadership_lasts_as_many_rounds_as_willpower(table):
    table.use("Coordinate", [6])
    table("turn")
    assert table.under("effect/coordinate") == 1
    table("turn")
    assert table.under("effect/coordinate") == 0


def test_tactics_with_intelligence_0_last_no_round(soldier, table):
    others = {"strength": 1, "agility": 1, "instinct": 1, "fortitude": 1, "willpower": 1}
    table.state = soldier({"attributes": {"intelligence": 0, **others}}).character.state
    table.use("Precision Aim", [15])
    assert table["accuracy"] == 7


def test_morale_is_spent_on_an_augmentation(table):
    # 7 + 10 + 3 = 20: 2 successes.
    table.change("morale", 1)
    assert table("augmentation", [7], {"spend": 1}, score=10).outputs["successes"] == 2
    assert table["morale"] == 0


def test_focusing_gives_advantage_that_is_only_named(table):
    table.use("Focusing")
    done = table("augmentation", [5], score=10)
    assert done.outputs["successes"] == 1
    assert "Focusing: you have advantage (the rules do not say what it does)." in told(done)


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("Strategic Interrupt", "strategic-interrupt"),
        ("Defensive Formation", "defensive-formation"),
        ("Efficiency", "efficiency"),
        ("Precision Strike: Begin", "precision-strike"),
        ("Deadly Sweep: Begin", "deadly-sweep"),
        ("Evasive Maneuvers: Begin", "evasive-maneuvers"),
        ("Shake it Off: Begin", "shake-it-off"),
    ],
)
@pytest.mark.parametrize(("face", "amount"), [(5, 0), (6, 1), (11, 2), (16, 3)])
def test_leadership_options_begin_with_a_leadership_check(table, name, effect, face, amount):
    # Leadership 9: 14 fails; 15, 20, 25.
    table.use(name, [face])
    assert table.under(f"effect/{effect}") == amount


# ------------------------------------------------------------------ lore


@pytest.mark.parametrize(("face", "amount"), [(9, 0), (10, 1), (15, 2), (20, 3)])
def test_lore_holds_against_its_target_until_combat_ends(table, face, amount):
    # Lore 5: 14 fails; 15, 20, 25.
    table.use("Weak Point", [face], target="the sniper")
    table("turn")
    assert table.under("effect/weak-point") == amount
    table("combat-ends")
    assert table.under("effect/weak-point") == 0


def test_lore_against_two_targets_stands_side_by_side(table):
    table.use("Weak Point", [10], target="the sniper")
    table.use("Weak Point", [15], target="the brute")
    table.use("Weak Point", [15], target="the sniper")
    found = {one.about: one.amount for one in table.state.conditions}
    assert found == {"the sniper": 2, "the brute": 2}


# ------------------------------------------------------------------ leadership in a squad


@pytest.mark.parametrize(("successes", "bonus"), [(1, 3), (2, 5), (3, 7)])
def test_precision_strike_adds_the_morale_bonus_and_2_for_each_bonus_success(
    table, successes, bonus
):
    # Morale bonus 3 + 0, 2, 4, to accuracy (5 + 7) and to penetration (10 − 1 − bonus).
    table.put("effect/precision-strike", successes)
    table.change("morale", 1)
    table.use("Precision Strike: Strike")
    assert table["morale"] == 0
    attack = {"hit": "accuracy", "damage": "12", "vs": 12 + bonus, "resistance": 10}
    done = table("attack", [5], penetration=1, **attack)
    assert (done.outputs["total"], done.outputs["dealt"]) == (12 + bonus, 12 - (9 - bonus))
    assert table("attack", [5], **attack).outputs["total"] == 12  # the next attack


def test_precision_strike_needs_morale_and_to_be_active(table):
    with pytest.raises(RuleRefusal, match="needs 1 Morale"):
        table.use("Precision Strike: Strike")
    table.change("morale", 1)
    with pytest.raises(RuleRefusal, match="not active"):
        table.use("Precision Strike: Strike")


@pytest.mark.parametrize(("successes", "most"), [(1, 2), (2, 3), (3, 4)])
def test_deadly_sweep_turns_2_hailfire_and_1_for_each_bonus_success(table, successes, most):
    table.put("effect/deadly-sweep", successes)
    table.change("morale", 1)
    done = table.use("Deadly Sweep: Sweep", moved=most, into="cleave")
    assert f"The attack gains cleave ({most})." in told(done)
    attack = {"hit": "accuracy", "damage": "12", "vs": 12}
    assert table("attack", [5], hailfire=5, **attack).outputs["hail"] == 5 - most
    table.change("morale", 1)
    if most < 4:
        with pytest.raises(RuleRefusal, match="more Hailfire"):
            table.use("Deadly Sweep: Sweep", moved=most + 1)


@pytest.mark.parametrize("squares", [1, 2, 3])
def test_evasive_maneuvers_shift_1_square_and_1_for_each_bonus_success(table, squares):
    table.put("effect/evasive-maneuvers", squares)
    table.change("morale", 3)
    done = table.use("Evasive Maneuvers: Maneuver")
    assert f"The attack misses; the squad is prone and shifts {squares} squares." in told(done)
    assert table.under("status/prone") == 1
    with pytest.raises(RuleRefusal, match="this round"):
        table.use("Evasive Maneuvers: Maneuver")


@pytest.mark.parametrize(("successes", "tougher"), [(1, 0), (2, 3), (3, 6)])
def test_shake_it_off_cancels_half_the_morale_bonus(table, successes, tougher):
    # 3 / 2 = 1.
    table.put("effect/shake-it-off", successes)
    table.change("morale", 2)
    done = table.use("Shake it Off: Shake")
    assert (
        f"Cancel 1 life hits in all; members have damage threshold +{tougher} against this attack."
        in told(done)
    )
    with pytest.raises(RuleRefusal, match="this round"):
        table.use("Shake it Off: Shake")


# ------------------------------------------------------------------ rally


@pytest.mark.parametrize(("face", "points"), [(5, 0), (6, 1), (10, 1), (11, 2), (16, 3), (19, 3)])
def test_rally_gives_1_morale_and_1_for_each_5_up_to_3(table, face, points):
    # Leadership 9: 14; 15, 19; 20; 25, 28.
    table.put("effect/coordinate")
    assert table("rally", [face]).outputs["points"] == points


def test_rally_stops_at_3_and_may_include_the_leader(table):
    # 16 + 9 + 10 = 35 would be 5.
    table.put("effect/shake-it-off")
    assert table("rally", [16], bonus=10, yourself=1).outputs["points"] == 3
    assert table["morale"] == 1


def test_rally_needs_active_leadership_and_is_once_per_round(table):
    with pytest.raises(RuleRefusal, match="only while a leadership augmentation"):
        table("rally")
    table.put("effect/efficiency")
    table("rally", [2])
    with pytest.raises(RuleRefusal, match="rallied this round"):
        table.use("Rally")
