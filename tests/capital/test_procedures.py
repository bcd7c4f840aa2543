"""Attribute Checks at the table: modifiers, Grit, special results, and the checks rules ask for.

The Tank of Level 1 here has STR 7, FTD 7, AGI 5, VSN 5, WIS 5, WIL 6, CHA 5, KNW 4.
"""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal


@pytest.fixture
def tank(at_table):
    return at_table("the-tank")


def strength(table, own, theirs, chosen=None, **inputs):
    """Make a STR check (7) of Difficulty 5 unless said otherwise."""
    inputs = {"attribute": "str", "vs": 5, **inputs}
    faces = {"own": [own]} if theirs is None else {"own": [own], "theirs": [theirs]}
    return table("attribute-check", faces, chosen or {}, **inputs)


def test_a_higher_result_succeeds_by_the_difference(tank):
    # 3 + 4 + STR 7 = 14 against 2 + 5 + Difficulty 5 = 12.
    assert strength(tank, [3, 4], [2, 5]).outputs == {
        "total": 14, "opposed_total": 12, "margin": 2, "success": 1, "tie": 0, "critical": 0,
        "gm_decides": 0,
    }  # fmt: skip
    assert tank["grit"] == 0


def test_a_lower_result_fails_and_gives_1_grit(tank):
    # 1 + 2 + 7 = 10 against 4 + 5 + 5 = 14.
    done = strength(tank, [1, 2], [4, 5])
    assert (done.outputs["success"], done.outputs["margin"], tank["grit"]) == (0, -4, 1)
    strength(tank, [1, 2], [4, 5])
    assert tank["grit"] == 2


def test_a_tie_with_the_gm_succeeds_with_a_drawback_and_gives_no_grit(tank):
    # 2 + 3 + 7 = 12 against 3 + 4 + 5 = 12.
    done = strength(tank, [2, 3], [3, 4])
    assert (done.outputs["success"], done.outputs["tie"], tank["grit"]) == (1, 1, 0)
    assert "Success, with some drawback: a tie." in [told.text for told in done.steps]


def test_a_tie_with_a_character_lets_both_succeed(tank):
    done = strength(tank, [2, 3], [3, 4], opponent="character")
    assert (done.outputs["success"], done.outputs["tie"], tank["grit"]) == (1, 1, 0)
    assert "Success, with some drawback: a tie." not in [told.text for told in done.steps]


def test_a_known_total_is_not_rolled_for(tank):
    # 3 + 4 + 7 = 14 against 14.
    done = strength(tank, [3, 4], None, vs=None, opposed=14)
    assert (done.outputs["tie"], "theirs" in done.faces) == (1, False)


def test_a_fixed_score_stands_in_place_of_an_attribute(tank):
    # 3 + 4 + 9 = 16 against 1 + 2 + 5 = 8.
    done = strength(tank, [3, 4], [1, 2], attribute=None, fixed=9)
    assert (done.outputs["total"], done.outputs["margin"]) == (16, 8)


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"attribute": None}, "either an Attribute"),
        ({"fixed": 3}, "either an Attribute"),
        ({"vs": None}, "what it is against"),
    ],
)
def test_a_check_needs_one_score_and_something_against_it(tank, inputs, told):
    with pytest.raises(RuleRefusal, match=told):
        strength(tank, [3, 4], [3, 4], **inputs)


def test_wrong_inputs_are_all_named_at_once(tank):
    with pytest.raises(ProcedureError) as refused:
        strength(tank, [3, 4], [3, 4], attribute="hp", opponent="dragon", colour=1)
    assert {name for name, _reason in refused.value.problems} == {
        "attribute", "opponent", "colour",
    }  # fmt: skip


@pytest.mark.parametrize(("helps", "plus"), [(0, 0), (1, 2), (2, 3), (5, 3)])
def test_one_help_adds_2_and_more_add_3(tank, helps, plus):
    # 3 + 4 + 7 = 14, and what helps.
    assert strength(tank, [3, 4], [1, 2], helps=helps).outputs["total"] == 14 + plus


def test_a_weakness_takes_2_and_gives_grit_even_on_a_success(tank):
    # 5 + 5 + 7 - 2 = 15.
    assert strength(tank, [5, 5], [1, 2], weakness=1).outputs["total"] == 15
    assert tank["grit"] == 1


def test_a_weakness_and_a_failure_give_2_grit(tank):
    # 1 + 2 + 7 + 2 - 2 - 1 = 9 against 5 + 6 + 5 = 16.
    done = strength(tank, [1, 2], [5, 6], weakness=1, helps=1, bonus=-1)
    assert (done.outputs["total"], tank["grit"]) == (9, 2)


@pytest.mark.parametrize(("spent", "doubled", "total"), [(4, 0, 12), (5, 0, 12), (4, 1, 14)])
def test_grit_is_spent_after_the_roll(tank, spent, doubled, total):
    # 1 + 2 + 7 = 10 against 2 + 5 + 5 = 12. 4 or 5 Grit add 2; 4 that are doubled add 4.
    tank.change("grit", 6)
    done = strength(tank, [1, 2], [2, 5], {"grit": spent}, doubled=doubled)
    assert (done.outputs["total"], done.outputs["success"]) == (total, 1)
    assert tank["grit"] == 6 - spent


def test_grit_that_is_not_enough_is_spent_all_the_same(tank):
    # 10 + 1 = 11 against 12: 3 - 2 spent + 1 for failing.
    tank.change("grit", 3)
    assert strength(tank, [1, 2], [2, 5], {"grit": 2}).outputs["success"] == 0
    assert tank["grit"] == 2


def test_the_grit_of_a_weakness_can_be_spent_at_once(tank):
    # 1 held + 1 for the Weakness = 2 to spend: 3 + 4 + 7 - 2 + 1 = 13.
    tank.change("grit", 1)
    assert strength(tank, [3, 4], [1, 2], {"grit": 2}, weakness=1).outputs["total"] == 13
    assert tank["grit"] == 0


def test_more_grit_than_held_is_refused(tank):
    tank.change("grit", 1)
    with pytest.raises(ProcedureError) as refused:
        strength(tank, [1, 2], [2, 5], grit=2)
    assert list(refused.value.problems) == [("grit", "2 is not from 0 to 1")]
    assert tank["grit"] == 1


@pytest.mark.parametrize(
    ("own", "theirs", "critical", "decides"),
    [
        ([6, 6], [3, 4], 1, 0),  # you roll a double six
        ([3, 4], [1, 1], 1, 0),  # the GM rolls a double one
        ([1, 1], [3, 4], -1, 0),  # you roll a double one
        ([3, 4], [6, 6], -1, 0),  # the GM rolls a double six
        ([3, 3], [4, 4], 0, 0),  # other doubles mean nothing
        ([6, 6], [6, 6], 0, 1),  # both: they speak against each other
        ([1, 1], [1, 1], 0, 1),
        ([6, 6], [1, 1], 1, 1),  # both speak for it: so the GM is expected to decide
        ([1, 1], [6, 6], -1, 1),
    ],
)
def test_doubles_against_the_gm(tank, own, theirs, critical, decides):
    outputs = strength(tank, own, theirs).outputs
    assert (outputs["critical"], outputs["gm_decides"]) == (critical, decides)


@pytest.mark.parametrize(("own", "theirs"), [([6, 6], [3, 4]), ([3, 4], [1, 1])])
def test_between_characters_the_gm_decides_about_doubles(tank, own, theirs):
    outputs = strength(tank, own, theirs, opponent="character").outputs
    assert (outputs["critical"], outputs["gm_decides"]) == (0, 1)


@pytest.mark.parametrize("verdict", [-1, 0, 1])
def test_what_the_gm_decides_counts(tank, verdict):
    outputs = strength(tank, [6, 6], [1, 1], {"verdict": verdict}).outputs
    assert outputs["critical"] == verdict


@pytest.mark.parametrize(("own", "theirs"), [([1, 1], [3, 4]), ([3, 4], [6, 6])])
def test_no_grit_after_a_critical_failure(tank, own, theirs):
    # Nothing is asked (an answer that nobody asks for would fail this test); it fails: 3 + 1.
    tank.change("grit", 3)
    done = strength(tank, own, theirs)
    assert (done.outputs["success"], tank["grit"]) == (0, 4)
    assert "Critical Failure. No Grit can be spent." in [told.text for told in done.steps]


def test_a_critical_failure_may_still_have_the_higher_result(tank):
    # 1 + 1 + 7 + 3 = 12 against 1 + 2 + 5 = 8: whether it fails is the GM's to say.
    outputs = strength(tank, [1, 1], [1, 2], helps=2).outputs
    assert (outputs["success"], outputs["critical"]) == (1, -1)


def test_scores_now_are_used(tank):
    # Prone: AGI 5 - 4 = 1. 3 + 4 + 1 = 8.
    tank.put("status/prone")
    assert strength(tank, [3, 4], [1, 2], attribute="agi").outputs["total"] == 8


@pytest.mark.parametrize("focus", [0, 1])
def test_a_grappled_unit_has_agi_0_whatever_raises_it(at_table, focus):
    # Focus would add 1 to the AGI of 6.
    scout = at_table("the-scout")
    scout.put("status/grappled", about="an ogre")
    if focus:
        scout.put("effect/focus")
    assert scout["agi"] == 0


def test_a_weight_within_ones_strength_needs_no_check(tank):
    # STR 7.
    assert tank("lift", weight=7).outputs == {"success": 1}


def test_a_greater_weight_needs_a_check_of_6_and_the_weight(tank):
    # 5 + 6 + 7 = 18 against 1 + 3 + 6 + 8 = 18: a tie; then 1 less, a failure.
    assert tank("lift", {"own": [[5, 6]], "theirs": [[1, 3]]}, weight=8).outputs["tie"] == 1
    done = tank("lift", {"own": [[5, 5]], "theirs": [[1, 3]]}, weight=8)
    assert (done.outputs["success"], done.outputs["opposed_total"], tank["grit"]) == (0, 18, 1)


def test_a_grapple_is_strength_against_strength_and_a_tie_is_enough(tank):
    # 2 + 3 + 7 = 12 against 3 + 4 + 5 = 12, then against 3 + 4 + 6 = 13.
    done = tank("grapple", {"own": [[2, 3]], "theirs": [[3, 4]]}, vs=5)
    assert (done.outputs["success"], done.outputs["tie"]) == (1, 1)
    assert done.steps[-1].text.startswith("Choose: the target falls Prone")
    done = tank("grapple", {"own": [[2, 3]], "theirs": [[3, 4]]}, vs=6)
    assert (done.outputs["success"], tank["grit"]) == (0, 1)


def test_nobody_grapples_in_critical_condition(tank):
    tank.change("hp", -25)
    with pytest.raises(RuleRefusal, match="Critical Condition"):
        tank("grapple", vs=5)


def test_breaking_free_ends_one_grapple(tank):
    # 3 + 4 + 7 = 14 against 3 + 3 + 6 = 12, then 1 + 2 + 7 = 10.
    tank.put("status/grappled", about="an ogre")
    tank.put("status/grappled", about="a squid")
    done = tank("break-free", {"own": [[3, 4]], "theirs": [[3, 3]]}, vs=6, grappler="a squid")
    assert (done.outputs["success"], tank.under("status/grappled")) == (1, 1)
    tank("break-free", {"own": [[1, 2]], "theirs": [[3, 3]]}, vs=6)
    assert (tank.under("status/grappled"), tank["grit"]) == (1, 1)
    tank("break-free", {"own": [[3, 4]], "theirs": [[3, 3]]}, vs=6)
    assert tank.under("status/grappled") == 0
    with pytest.raises(RuleRefusal, match="not Grappled"):
        tank("break-free", vs=6)
