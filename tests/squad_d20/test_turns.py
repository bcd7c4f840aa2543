"""Checks, morale, influence, sneaking, sprinting, initiative, the turn.

Influence 8, Stealth 6, Resolve 16, morale bonus 3, initiative 4, 2 free sprint rounds.
"""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal


def told(done):
    return [step.text for step in done.steps]


# ------------------------------------------------------------------ checks and morale


@pytest.mark.parametrize(("face", "success"), [(8, 0), (9, 1)])
def test_a_check_that_equals_its_dc_succeeds(table, face, success):
    # 9 + Athletics 6 = 15.
    assert table("skill-check", [face], attribute="athletics").outputs["success"] == success


@pytest.mark.parametrize(("hands", "total"), [(0, 16), (1, 14)])
def test_action_wounds_hinder_checks_that_use_the_hands(table, hands, total):
    # 10 + 6 − 2.
    table.change("wounds_action", 2)
    done = table("skill-check", [10], attribute="athletics", hands=hands)
    assert done.outputs["total"] == total


def test_a_skill_of_ones_own_is_checked(table):
    # 10 + Medicine 4 − 1 critical wound − 2 action wounds.
    table.change("wounds_critical", 1)
    table.change("wounds_action", 2)
    done = table("skill-check", [10], skill="skills.further.own", hands=1)
    assert done.outputs["total"] == 11


def test_a_check_names_one_skill(table):
    with pytest.raises(RuleRefusal, match="Name one skill"):
        table("skill-check")


@pytest.mark.parametrize(("face", "morale"), [(1, -1), (20, 1), (2, 0), (19, 0)])
def test_a_natural_1_or_20_on_a_check_changes_morale(table, face, morale):
    table("skill-check", [face], attribute="lore")
    assert table["morale"] == morale


def test_a_kill_gives_morale_once_per_turn(table):
    table.use("Enemy killed")
    with pytest.raises(RuleRefusal, match="once per turn"):
        table.use("Enemy killed")
    table("turn-end")
    table.use("Enemy killed")
    assert table["morale"] == 2


def test_spent_morale_adds_the_bonus_of_focusing_too(table):
    # 5 + 6 + 3 + 4 = 18.
    table.use("Focusing")
    table.change("morale", 1)
    done = table("skill-check", [5], {"spend": 1}, attribute="athletics")
    assert (done.outputs["total"], table["morale"]) == (18, 0)


# ------------------------------------------------------------------ influence


@pytest.mark.parametrize(
    ("face", "success", "loss"), [(5, 0, 0), (6, 1, 1), (10, 1, 1), (11, 1, 2), (16, 1, 3)]
)
def test_demoralize_takes_1_morale_and_1_for_each_5_over_resolve(table, face, success, loss):
    # Influence 8 against 14: 13; 14, 18; 19; 24.
    done = table("demoralize", [face], resolve=14)
    assert (done.outputs["success"], done.outputs["loss"]) == (success, loss)
    assert done.outputs["target_after"] == -loss


def test_demoralize_works_on_high_morale_too(table):
    # 6 + 8 = 14 equals the resolve: from +2 down to +1. It spends none.
    assert table("demoralize", [6], resolve=14, target_morale=2).outputs["target_after"] == 1


@pytest.mark.parametrize(
    ("procedure", "spent", "face"),
    [("taunt", 1, 6), ("terrorize", 4, 6), ("demand-surrender", 5, 11)],
)
def test_influence_spends_negative_morale_on_success_only(table, procedure, spent, face):
    # Resolve 14: 6 + 8 = 14; demanding surrender against 14 + 5 = 19: 11 + 8.
    done = table(procedure, [face], resolve=14, target_morale=-6)
    assert (done.outputs["success"], done.outputs["target_after"]) == (1, spent - 6)
    done = table(procedure, [face - 1], resolve=14, target_morale=-6)
    assert (done.outputs["success"], done.outputs["target_after"]) == (0, -6)


@pytest.mark.parametrize(
    ("procedure", "spent"), [("taunt", 1), ("terrorize", 4), ("demand-surrender", 5)]
)
def test_influence_needs_the_morale_it_spends(table, procedure, spent):
    with pytest.raises(RuleRefusal, match=f"spend {spent} negative morale"):
        table(procedure, resolve=14, target_morale=1 - spent)
    assert table(procedure, [19], resolve=14, target_morale=-spent).outputs["target_after"] == 0


def test_influence_is_used_as_an_action(table):
    done = table.use("Terrorize", [6], resolve=14, target_morale=-4)
    assert "The target spends 4 negative morale (now 0) and flees the combat." in told(done)


# ------------------------------------------------------------------ hiding, moving


@pytest.mark.parametrize(("face", "sneaks"), [(8, 0), (9, 1)])
@pytest.mark.parametrize(("name", "status"), [("Sneak", "sneaking"), ("Cloak", "cloaked")])
def test_stealth_against_15_hides(table, name, status, face, sneaks):
    # 9 + 6.
    table.use(name, [face])
    assert table.under(f"status/{status}") == sneaks


def test_nobody_hides_while_observed(table):
    with pytest.raises(RuleRefusal, match="nobody observes"):
        table.use("Sneak", observed=1)


def test_sprint_rounds_beyond_half_of_fortitude_tire(table):
    # 5 / 2 = 2 free rounds; a new minute counts anew, fatigue stays.
    for _round in range(4):
        table.use("Sprint")
    assert (table["sprints"], table["fatigue"]) == (4, 2)
    table("minute-passes")
    table.use("Sprint")
    assert (table["sprints"], table["fatigue"]) == (1, 2)


@pytest.mark.parametrize(("fortitude", "free"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_free_sprint_rounds_are_half_of_fortitude(soldier, fortitude, free):
    others = {"strength": 1, "agility": 1, "instinct": 1, "intelligence": 1, "willpower": 1}
    values = soldier({"attributes": {"fortitude": fortitude, **others}}).character.state.values()
    assert values.total("free_sprints") == free


# ------------------------------------------------------------------ the turn


@pytest.mark.parametrize("face", [1, 12, 20])
def test_initiative_is_a_d20_and_no_check(table, face):
    assert table("initiative", [face]).outputs["total"] == face + 4
    assert table["morale"] == 0


def test_a_behavior_ends_when_the_next_turn_starts(table):
    table.use("Bob and Weave")
    table("turn-end")
    assert table["defense"] == 20
    table("turn")
    assert table["defense"] == 18


def test_the_end_of_combat_ends_effects_and_sets_morale_to_0(table):
    for name in ("effect/hardiness", "status/cover", "effect/charged"):
        table.put(name)
    table.change("morale", -4)
    table("combat-ends")
    assert (table.state.conditions, table["morale"]) == ((), 0)


@pytest.mark.parametrize(
    ("morale", "step"),
    [(-7, "Can be made to surrender"), (-5, "Can be made to surrender"), (-4, "Can be terrorized"),
     (-3, "Can be taunted"), (-1, "Can be taunted"), (0, "Nothing to spend"), (2, "Can be spent")],
)  # fmt: skip
def test_the_track_says_what_a_morale_level_means(table, morale, step):
    assert step in table.state.ruleset.told("morale", morale)
