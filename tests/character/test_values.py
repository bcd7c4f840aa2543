"""Explained values: every operation, both layers, units and their owners."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character import state_changes
from charforge.character.modifiers import ValueStep
from charforge.character.state import State
from charforge.character.state_data import RolledSum, SharedUnit
from charforge.character.values import ExplainedValue, apply_operation, fold
from charforge.errors import FormulaError, UnknownId
from charforge.expressions.formula import LARGEST, Formula
from charforge.replay.replay import Character, replay
from charforge.rules.ruleset import Ruleset

LegalKeeper = Callable[..., State]
BOAT = "treasure.boat"


def told(value: ExplainedValue) -> list[tuple[str, str, float, int]]:
    return [(step.source, step.op, step.amount, step.total) for step in value.steps]


@pytest.mark.parametrize(
    ("op", "total", "amount", "after"),
    [
        ("set", 7, 3, 3),
        ("add", 7, -3, 4),
        ("multiply", 7, 2, 14),
        ("multiply", 7, 0, 0),
        ("at_least", 7, 9, 9),
        ("at_least", 7, 5, 7),
        ("at_most", 7, 9, 7),
        ("at_most", 7, 5, 5),
    ],
)
def test_an_operation_changes_a_running_total(op: str, total: int, amount: int, after: int) -> None:
    assert apply_operation(op, total, amount) == after


@pytest.mark.parametrize(
    ("op", "sign", "total"),
    [("at_most", 1, 0), ("at_least", -1, 0), ("set", 1, LARGEST), ("add", -1, -LARGEST)],
)
def test_an_amount_beyond_all_use_is_refused_even_where_it_changes_nothing(
    op: str, sign: int, total: int
) -> None:
    assert fold(0, [(op, sign * LARGEST, "a", "")], lasting=True)[0] == total
    with pytest.raises(FormulaError, match="the number is larger than"):
        fold(0, [(op, sign * (LARGEST + 1), "a", "")], lasting=True)


def test_a_fold_shows_the_total_after_each_step() -> None:
    changes = [("set", 4, "a", ""), ("add", 2, "b", "n"), ("multiply", 3, "c", "")]
    total, steps = fold(0, changes, lasting=True)
    assert total == 18
    assert [step.total for step in steps] == [4, 6, 18]
    assert steps[1] == ValueStep("b", "add", 2, 6, "n", lasting=True)


@pytest.mark.parametrize("idle", [("at_least", 3), ("at_most", 9), ("multiply", 1)])
def test_what_changes_nothing_leaves_no_step(idle: tuple[str, int]) -> None:
    assert fold(4, [(*idle, "a", "")], lasting=True) == (4, [])


def test_set_and_add_leave_a_step_even_when_they_change_nothing() -> None:
    _total, steps = fold(4, [("set", 4, "a", ""), ("add", 0, "b", "")], lasting=True)
    assert [step.op for step in steps] == ["set", "add"]


# ------------------------------------------------------------------ each operation


def test_a_score_is_what_was_assigned_and_what_was_added(legal_keeper: LegalKeeper) -> None:
    eyes = legal_keeper().values().explain("eyes")
    assert told(eyes)[:2] == [("knacks", "set", 6, 6), ("keepsakes", "add", 1, 7)]
    assert eyes.base == 7


def test_a_table_gives_the_cell_of_the_level(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper().values()
    assert told(values.explain("oil")) == [("rule/keeping", "set", 3, 3)]
    assert told(values.explain("reach")) == [("rule/keeping", "set", 9, 9)]


def test_a_formula_is_noted_in_its_own_words(legal_keeper: LegalKeeper) -> None:
    (step,) = legal_keeper().values().explain("max_load").steps[:1]
    assert (step.note, step.amount, step.source) == (
        (Formula("2 * hands + 2"),),
        14,
        "rule/keeping",
    )


def test_set_comes_before_add_and_add_before_multiply(legal_keeper: LegalKeeper) -> None:
    reach = legal_keeper({"post": "post/lamplighter"}).values().explain("reach")
    assert told(reach) == [
        ("rule/keeping", "set", 9, 9),
        ("post/lamplighter", "add", 8, 17),
        ("post/lamplighter", "multiply", 2, 34),
    ]


def test_what_is_held_sets_over_what_the_unit_type_says(legal_keeper: LegalKeeper) -> None:
    oil = legal_keeper({"post": "post/lamplighter"}).values().explain("oil")
    assert told(oil) == [("rule/keeping", "set", 3, 3), ("post/lamplighter", "set", 4, 4)]


def test_at_least_lifts_a_value_last(legal_keeper: LegalKeeper) -> None:
    afraid = {
        "storm.roll": [1, 3, 8, 8, 8],
        "storm.drop": [8, 8],
        "knacks": {"hands": 6, "eyes": 3, "nerve": 2},
        "warning": "The gallery.",
    }
    warmth = legal_keeper(afraid).values().explain("max_warmth")
    assert told(warmth) == [("rule/keeping", "set", 6, 6), ("gear/mittens", "at_least", 8, 8)]


def test_at_most_lowers_a_value_last(legal_keeper: LegalKeeper) -> None:
    lucky = legal_keeper({"luck": [6, 6], "habits": ["habit/early-bed"]})
    assert told(lucky.values().explain("luck")) == [
        ("luck", "add", 16, 16),
        ("habit/early-bed", "at_most", 12, 12),
    ]


def test_a_group_changes_each_of_its_values(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper({"post": "post/head-keeper"}).values()
    for name, base in {"hands": 7, "eyes": 8, "nerve": 5}.items():
        assert values.base(name) == base
        assert ("post/head-keeper", "add", 1) in [
            (step.source, step.op, step.amount) for step in values.explain(name).steps
        ]


def test_a_choice_names_the_value_that_changes(legal_keeper: LegalKeeper) -> None:
    practised = legal_keeper({"habits": ["habit/steady-hand"], "habits.steady-hand.knack": "nerve"})
    assert [practised.values().base(name) for name in ("hands", "eyes", "nerve")] == [6, 7, 5]


def test_a_repeatable_thing_counts_each_time(legal_keeper: LegalKeeper) -> None:
    practised = legal_keeper(
        {
            "habits": ["habit/steady-hand", "habit/steady-hand"],
            "habits.steady-hand.knack": "nerve",
            "habits.steady-hand#2.knack": "hands",
        }
    )
    assert [practised.values().base(name) for name in ("hands", "eyes", "nerve")] == [7, 7, 5]


def test_a_condition_decides_whether_a_change_applies(legal_keeper: LegalKeeper) -> None:
    roped = legal_keeper({"habits": ["habit/old-hand"]})
    assert told(roped.values().explain("luck")) == [
        ("habit/old-hand", "add", 1, 1),
        ("luck", "add", 11, 12),
    ]
    ropeless = {"post": "post/head-keeper", "treasure": "pet/gull", "treasure.boat.colour": None}
    unroped = legal_keeper({**ropeless, "habits": ["habit/old-hand"]})
    assert told(unroped.values().explain("luck")) == [("luck", "add", 12, 12)]


def test_a_bound_that_is_just_met_leaves_no_step(legal_keeper: LegalKeeper) -> None:
    sharp = {
        "post": "post/head-keeper",
        "habits": ["habit/steady-hand"],
        "habits.steady-hand.knack": "eyes",
    }
    eyes = legal_keeper(sharp).values().explain("eyes")
    assert eyes.base == 9
    assert [step.total for step in eyes.steps if step.lasting] == [6, 7, 8, 9]


def test_a_value_beyond_its_maximum_is_cut_with_a_step(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(boatman={"modifies": [{"value": "hands", "amount": 5}]})
    hands = legal_keeper(rules=rules).values().explain("hands")
    assert told(hands) == [
        ("knacks", "set", 6, 6),
        ("post/boatman", "add", 5, 11),
        ("rule/knacks", "at_most", 9, 9),
    ]


def test_what_dice_gave_stays_when_what_they_read_changes(legal_keeper: LegalKeeper) -> None:
    calm, brave = legal_keeper(), legal_keeper({"keepsakes": ["bell", "tin"]})
    assert brave.values().base("nerve") == calm.values().base("nerve") + 1
    assert brave.values().base("luck") == calm.values().base("luck") == 11


def test_the_dice_of_a_roll_are_shown_with_its_result(legal_keeper: LegalKeeper) -> None:
    (step,) = legal_keeper({"luck": [6, 6]}).values().explain("luck").steps
    assert step.amount == 16
    assert step.note == (RolledSum("2d6", (6, 6), (), Formula("nerve"), 4, 16),)


def test_a_sum_counts_each_thing_as_often_as_it_is_held(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper({"locker": ["gear/anchor", "gear/oilskin"]})
    assert state.values().base("load") == 2 + 7 + 2
    assert told(state.values(BOAT).explain("load")) == [("gear/rope", "add", 4, 4)]


# ------------------------------------------------------------------------ two layers


def test_the_present_changes_the_total_and_not_the_base(legal_keeper: LegalKeeper) -> None:
    eyes = legal_keeper().values().explain("eyes")
    assert (eyes.base, eyes.total) == (7, 6)
    assert told(eyes)[-1] == ("weather.mist", "add", -1, 6)
    assert [step.lasting for step in eyes.steps] == [True, True, False]


def test_other_values_are_computed_from_the_base(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper().values()
    assert values.total("reach") == values.base("eyes") + 2


def test_a_text_prints_the_present_figure(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper().values()
    assert (values.evaluate(Formula("eyes")), values.evaluate_now(Formula("EYES"))) == (7, 6)


def test_the_present_cannot_push_a_value_over_its_bounds(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(boatman={"modifies": [{"value": "hands", "amount": -20, "layer": "current"}]})
    hands = legal_keeper(rules=rules).values().explain("hands")
    assert (hands.base, hands.total) == (6, 0)
    assert told(hands)[-1] == ("rule/knacks", "at_least", 0, 0)


# --------------------------------------------------------------------- units, owners


def test_a_unit_reads_its_owners_values_by_name(legal_keeper: LegalKeeper) -> None:
    assert legal_keeper().values(BOAT).base("hands") == 3


def test_a_unit_without_a_value_reads_its_owners(legal_keeper: LegalKeeper) -> None:
    skiff = legal_keeper({"treasure": "boat/skiff", "treasure.boat.colour": None})
    assert told(skiff.values(BOAT).explain("hull")) == [("toy", "set", 7, 7)]


def test_an_entitys_own_figure_sets_over_its_unit_type(legal_keeper: LegalKeeper) -> None:
    hull = legal_keeper().values(BOAT).explain("hull")
    assert told(hull) == [("toy", "set", 7, 7), ("boat/dinghy", "set", 4, 4)]


def test_an_option_chosen_for_a_unit_changes_the_unit(legal_keeper: LegalKeeper) -> None:
    painted = legal_keeper({"treasure.boat.colour": "white"})
    assert painted.values(BOAT).base("hull") == 5
    assert told(painted.values(BOAT).explain("hull"))[-1] == ("boat/dinghy", "add", 1, 5)


def test_a_unit_has_the_level_that_its_type_says(legal_keeper: LegalKeeper) -> None:
    state = legal_keeper()
    assert state.level_of(state.unit(BOAT)) == state.level == 1


def test_a_value_that_a_unit_has_not_names_the_nearest_one(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper().values(BOAT)
    assert "luck" not in values
    assert "hull" in values
    with pytest.raises(UnknownId) as refused:
        values.explain("hul")
    assert refused.value.nearest == "hull"


def test_a_character_has_no_owner(legal_keeper: LegalKeeper) -> None:
    with pytest.raises(FormulaError):
        legal_keeper().values().evaluate(Formula("owner.hands"))


def test_has_and_number_count_what_is_held(legal_keeper: LegalKeeper) -> None:
    values = legal_keeper().values()
    assert values.evaluate(Formula("number('gear/candle')")) == 8
    assert values.evaluate(Formula("number('gear/rope')")) == 3
    assert values.evaluate(Formula("has('pet/cat')")) == 0
    assert values.evaluate(Formula("2 if has('gear/rope') else 1")) == 2


def test_an_option_may_change_the_value_that_another_choice_took(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    hard = {"id": "hard", "label": "Hard", "modifies": [{"value": "$knack", "amount": 2}]}
    knack = {"id": "knack", "do": "choose", "label": "Which?", "among": {"values": "knacks"}}
    how = {"id": "how", "do": "choose", "label": "How?", "options": [hard]}
    rules = amended(steady_hand={"choices": [knack, how]})
    practised = legal_keeper(
        {
            "habits": ["habit/steady-hand"],
            "habits.steady-hand.knack": "nerve",
            "habits.steady-hand.how": "hard",
        },
        rules=rules,
    )
    assert practised.values().base("nerve") == 4 + 1 + 2


# ------------------------------------------------------------------------ what goes wrong


def test_a_value_computed_from_itself_is_an_error_and_no_endless_loop(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(boatman={"modifies": [{"value": "savings", "amount": "savings + 1"}]})
    with pytest.raises(FormulaError, match="depends on itself"):
        legal_keeper(rules=rules).values().explain("savings")


def test_after_such_an_error_the_other_values_still_stand(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    rules = amended(boatman={"modifies": [{"value": "savings", "amount": "savings + 1"}]})
    values = legal_keeper(rules=rules).values()
    for _again in range(2):
        with pytest.raises(FormulaError, match="depends on itself"):
            values.base("savings")
    assert values.base("hands") == 6


def test_half_of_a_value_is_rounded_down(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    half = {"value": "reach", "op": "multiply", "amount": "1 / 2"}
    values = legal_keeper(rules=amended(boatman={"modifies": [half]})).values()
    assert told(values.explain("reach"))[-1][2:] == (0.5, 4)


def test_the_order_of_an_entitys_own_lines_never_changes_a_total(
    amended: Callable[..., Ruleset], legal_keeper: LegalKeeper
) -> None:
    lines = [{"value": "oil", "op": "set", "amount": amount} for amount in (2, 7, 10)]
    totals = set()
    for order in permutations(lines):
        rules = amended(boatman={"modifies": list(order)})
        totals.add(legal_keeper(rules=rules).values().base("oil"))
    assert len(totals) == 1


def test_a_table_may_be_read_by_another_value_than_the_level(
    variant: Callable[..., Ruleset], keeper: Callable[..., Character]
) -> None:
    rules = variant(
        ("ruleset.yaml", "        blank: carry\n", "        blank: carry\n        by: nerve\n")
    )
    values = keeper(rules=rules).state.values()
    assert values.base("nerve") == 4
    assert (values.base("oil"), values.base("reach")) == (5, values.base("eyes") + 4)


def test_a_derived_condition_changes_what_it_says_while_it_holds(
    refitted: Callable[..., Ruleset],
) -> None:
    """ARM 2 lower at vigour 0, and as it was with 1 vigour."""
    ruleset = refitted(
        (
            "things.yaml",
            "condition: {}, active_when: vigour == 0}",
            "condition: {}, active_when: vigour == 0,"
            " modifies: [{value: arm, amount: -2, layer: current}]}",
        )
    )
    state = replay(ruleset, {}, source=RandomAnswers("1")).state
    fresh = state.values().total("arm")
    spent, _real = state_changes.change_resource(state, "character", "vigour", -100)
    assert spent.values().total("vigour") == 0
    assert spent.values().total("arm") == fresh - 2
    better, _real = state_changes.change_resource(spent, "character", "vigour", 1)
    assert better.values().total("arm") == fresh


def test_a_formula_reads_what_the_group_owns_and_0_without_it(legal_keeper: LegalKeeper) -> None:
    alone = legal_keeper()
    ship = SharedUnit("ship", "The Gull", {"hull": 3}, {})
    crew = alone.with_changes(shared=ship)
    formula = Formula("shared.hull + 1")
    for state, figure in ((alone, 1), (crew, 4)):
        values = state.values()
        assert (values.evaluate(formula), values.evaluate_now(formula)) == (figure, figure)
