"""Damage, the condition track, falling, dying and recovery, worked by hand. The threshold is 5."""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal

HELPLESS = 5


def standing(table):
    """Return steps down, whether Staggered, whether Unconscious, whether Dead."""
    return (table["condition"], *(table.under(s) for s in ("staggered", "unconscious", "dead")))


def test_threshold_and_stamina(table):
    """Class 4 + Vitality 1; class 5 + Vitality 1."""
    assert (table["threshold"], table["max_stamina"], table["stamina"]) == (5, 6, 6)


# The book's chart, then on beyond it (N8): damage, steps if staggered, steps if not.
CHART = [
    (4, 0, 0),
    (5, 1, 0),
    (9, 1, 0),
    (10, 2, 1),
    (14, 2, 1),
    (15, 3, 2),
    (20, 4, 3),
    (25, 5, 4),
]


@pytest.mark.parametrize(("damage", "steps", "_fresh"), CHART)
def test_the_chart_when_staggered(table, damage, steps, _fresh):
    table.put("staggered")
    done = table("take-damage", amount=damage)
    assert done.outputs["steps"] == steps
    assert standing(table) == (steps, 1, 0, 0)


@pytest.mark.parametrize(("damage", "_staggered", "steps"), CHART)
def test_the_chart_when_not_staggered(table, damage, _staggered, steps):
    table("take-damage", amount=damage)
    assert standing(table) == (steps, int(damage >= 5), 0, 0)


def test_the_books_two_examples(sit):
    """10 against 5 is 2 steps down when staggered; 20 staggers and moves 3."""
    first, second = sit(), sit()
    first.put("staggered")
    first("take-damage", amount=10)
    second("take-damage", amount=20)
    assert (first["condition"], second["condition"]) == (2, 3)


@pytest.mark.parametrize(("damage", "multiple", "falls"), [(30, 6, 0), (35, 7, 1), (60, 12, 1)])
def test_the_multiples_go_on(table, damage, multiple, falls):
    """Not staggered: 6 times is 5 steps, to Helpless; 7 times would be one more (N8, N6)."""
    done = table("take-damage", amount=damage)
    assert done.outputs["multiple"] == multiple
    assert standing(table) == (HELPLESS, 1, falls, 0)


# ------------------------------------------------------------- soak and vulnerability (N8, N15)

# Soak: weapon 3, fire 1. Vulnerability: cold 2, holy 4.
SOAKED = [
    (7, {"type": "weapon"}, 0),  # 7 < 5 + 3
    (8, {"type": "weapon"}, 1),
    (5, {"type": "fire"}, 0),  # 5 < 5 + 1
    (6, {"type": "fire"}, 1),
    (5, {}, 1),  # untyped: no soak
    (5, {"type": "acid"}, 1),  # no soak against acid
    (6, {"type": "weapon", "second": "fire"}, 1),  # the lower of 3 and 1
    (5, {"type": "weapon", "second": "fire"}, 0),
    (5, {"type": "weapon", "second": "acid"}, 1),  # none against acid: 0
    (5, {"type": "weapon", "second": "fire", "third": "force"}, 1),
    (3, {"type": "cold"}, 1),  # 3 + 2 = 5: added before the threshold is compared
    (2, {"type": "cold"}, 0),
    (1, {"type": "cold", "second": "holy"}, 1),  # the higher of 2 and 4: 1 + 4 = 5
    (2, {"type": "holy", "second": "weapon"}, 1),  # 2 + 4 = 6 against 5 + 0
    (11, {"type": "weapon", "second": "fire"}, 1),  # 11 against 6: once
    (12, {"type": "weapon", "second": "fire"}, 2),  # 12 against 6: twice
]


@pytest.mark.parametrize(("amount", "types", "multiple"), SOAKED)
def test_soak_raises_the_threshold_and_vulnerability_the_damage(table, amount, types, multiple):
    assert table("take-damage", amount=amount, **types).outputs["multiple"] == multiple


# ----------------------------------------------------------------- Helpless and death (N6, N6a)


def test_to_helpless_exactly_is_not_unconscious(table):
    table.put("staggered")
    table.change("condition", 3)
    table("take-damage", amount=10)
    assert standing(table) == (HELPLESS, 1, 0, 0)
    assert table.under("helpless") == 1


def test_further_than_helpless_is_unconscious(table):
    table.put("staggered")
    table.change("condition", 3)
    table("take-damage", amount=15)
    assert standing(table) == (HELPLESS, 1, 1, 0)
    assert table["stamina"] == 6  # falling costs none


def test_helpless_counts_as_staggered(table):
    """Helpless without the status: once the threshold is already a move down."""
    table.change("condition", HELPLESS)
    table("take-damage", amount=5)
    assert standing(table) == (HELPLESS, 0, 1, 0)


@pytest.mark.parametrize("amount", [5, 15, 40])
def test_a_hit_costs_the_unconscious_one_stamina_whatever_its_multiple(table, amount):
    table.change("condition", HELPLESS)
    table.put("unconscious")
    done = table("take-damage", amount=amount)
    assert table["stamina"] == 5
    assert done.outputs["steps"] == 0  # N6a
    assert table.under("dead") == 0


def test_less_than_the_threshold_costs_the_unconscious_nothing(table):
    table.change("condition", HELPLESS)
    table.put("unconscious")
    table("take-damage", amount=4)
    assert table["stamina"] == 6


def test_the_last_stamina_of_the_unconscious_is_death(table):
    table.change("condition", HELPLESS)
    table.put("unconscious")
    table.change("stamina", -5)
    table("take-damage", amount=5)
    assert table["stamina"] == 0
    assert table.under("dead") == 1


def test_falling_unconscious_without_stamina_is_death(table):
    table.change("stamina", -6)
    table("take-damage", amount=35)
    assert standing(table) == (HELPLESS, 1, 1, 1)


def test_stamina_spent_otherwise_while_unconscious_is_death_too(table):
    table.change("condition", HELPLESS)
    table.put("unconscious")
    table.change("stamina", -5)
    assert table.under("dead") == 0
    table.change("stamina", -1)
    assert table.under("dead") == 1


@pytest.mark.parametrize("power", ["Basic Melee", "Basic Retaliate", "Basic Grab", "Basic Grapple"])
def test_the_helpless_take_no_actions(table, power):
    table.change("condition", HELPLESS)
    with pytest.raises(RuleRefusal, match="cannot take actions"):
        table.use(power, vs=1)


def test_the_helpless_may_still_save(table):
    """S is a Success: Helpless adds no dice (N11)."""
    table.change("condition", HELPLESS)
    assert table.use("Make a saving throw", {"ability": [2]}).steps[-1].text == "The effect ends."


def test_no_stamina_alone_is_not_death(table):
    table.change("stamina", -6)
    table("take-damage", amount=30)
    assert standing(table) == (HELPLESS, 1, 0, 0)


def test_the_dead_take_no_more(table):
    table.put("dead")
    for procedure, inputs in (
        ("take-damage", {"amount": 5}),
        ("recover", {}),
        ("extended-rest", {}),
    ):
        with pytest.raises(RuleRefusal):
            table(procedure, **inputs)


# ------------------------------------------------------------------------ recovery (N7, N7a)


def test_steady_goes_up_a_step_and_ends_staggered(table):
    table.put("staggered")
    table.change("condition", 2)
    table.use("Steady")
    assert (table["condition"], table["stamina"], table.under("staggered")) == (1, 5, 0)


def test_steady_at_normal_clears_staggered(table):
    table.put("staggered")
    table.use("Steady")
    assert (table["condition"], table["stamina"], table.under("staggered")) == (0, 5, 0)


def test_steady_is_of_no_use_to_the_unhurt(table):
    with pytest.raises(RuleRefusal, match="Normal"):
        table.use("Steady")
    assert table["stamina"] == 6


def test_steady_is_once_a_turn(table):
    table.change("condition", 3)
    table.use("Steady")
    with pytest.raises(RuleRefusal, match="once a turn"):
        table.use("Steady")
    table("turn-end")
    table.use("Steady")
    assert table["condition"] == 1


def test_steady_is_not_for_the_helpless(table):
    table.change("condition", HELPLESS)
    with pytest.raises(RuleRefusal, match="Helpless, you cannot"):
        table.use("Steady")


def test_nothing_that_expends_stamina_helps_at_zero(table):
    table.change("condition", 2)
    table.change("stamina", -6)
    with pytest.raises(RuleRefusal, match="expends 1 Stamina"):
        table("recover")
    table("recover", amount=2, cost=0)  # a power that expends none does
    assert table["condition"] == 0


def test_recovery_is_of_a_step_or_more(table):
    table.put("staggered")
    with pytest.raises(ProcedureError, match="0 is less than 1"):
        table("recover", amount=0)
    assert (table["stamina"], table.under("staggered")) == (6, 1)


def test_a_power_that_heals_more_than_one_step(table):
    table.put("staggered")
    table.change("condition", 4)
    assert table("recover", amount=3).outputs["steps"] == 3
    assert (table["condition"], table["stamina"], table.under("staggered")) == (1, 5, 0)


def test_moving_up_from_helpless_ends_unconsciousness(table):
    table.change("condition", HELPLESS)
    table.put("unconscious")
    table("recover")
    assert standing(table) == (4, 0, 0, 0)


def test_staggered_again_after_moving_up(table):
    """5 staggers, 5 moves a step, Steady clears, 5 staggers again."""
    for _ in range(2):
        table("take-damage", amount=5)
    assert standing(table) == (1, 1, 0, 0)
    table.use("Steady")
    table("take-damage", amount=5)
    assert standing(table) == (0, 1, 0, 0)


def test_an_extended_rest_restores_stamina_only(table):
    table.change("condition", 2)
    table.change("stamina", -4)
    table("extended-rest")
    assert (table["stamina"], table["condition"]) == (6, 2)


def test_a_short_rest_restores_no_stamina(table):
    table.change("stamina", -4)
    table("short-rest")
    assert table["stamina"] == 2


# ----------------------------------------------------------------------------------- turns (N9)


def test_a_second_maneuver_for_the_action(table):
    table.use("Second Maneuver", pay="action")
    with pytest.raises(RuleRefusal, match="gave up your Action"):
        table.use("Basic Melee", vs=1)
    table("turn-end")
    assert table.under("no-action-this-turn") == 0


def test_a_second_maneuver_for_an_advantage(table):
    with pytest.raises(RuleRefusal, match="no Advantage"):
        table.use("Second Maneuver", pay="advantage")
    table.change("opportunity", 2)
    table.use("Second Maneuver", pay="advantage")
    assert table["opportunity"] == 1


def test_a_second_maneuver_for_combat_advantage_until_the_next_turn(table):
    table.use("Second Maneuver", pay="combat-advantage")
    table("turn-end")
    assert table.under("combat-advantage") == 1
    table("turn")
    assert table.under("combat-advantage") == 0


def test_there_is_no_third_maneuver(table):
    table.use("Second Maneuver", pay="action")
    with pytest.raises(RuleRefusal, match="2 Maneuvers"):
        table.use("Second Maneuver", pay="combat-advantage")
    table("turn")
    table.use("Second Maneuver", pay="combat-advantage")


@pytest.mark.parametrize("status", ["grabbed", "restrained", "combat-advantage"])
def test_undefined_states_are_named_and_change_nothing(table, status):
    before = {name: table[name] for name in table.state.values().ids()}
    table.put(status)
    assert table.under(status) == 1
    assert {name: table[name] for name in table.state.values().ids()} == before
