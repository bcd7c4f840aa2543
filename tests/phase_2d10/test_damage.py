"""Damage taken: wounds by location, shock, special damage, and what later phases bring.

Armour is 6, BODY 7.
"""

from __future__ import annotations

import pytest

from charforge.errors import RuleRefusal
from tests.phase_2d10.conftest import ANSWERS, Table, texts


def hurt(table, location, *, ar=10, er=10, die=20):
    """Take a hit of a known location; ER 10 leaves 4 damage after the armour."""
    faces = {"die": [[die]]} if er > 6 else {}
    return table("damage", faces, amount=er, ar=ar, location=location)


@pytest.mark.parametrize(
    ("location", "right", "left"),
    [
        (3, "eye_right", "eye_left"), (4, "neck", "neck"), (5, "head", "head"),
        (6, "hand_right", "hand_left"), (7, "arm_right", "arm_left"), (8, "chest", "chest"),
        (9, "chest", "chest"), (10, "chest", "chest"), (11, "vitals", "vitals"),
        (12, "abdomen", "abdomen"), (13, "abdomen", "abdomen"), (14, "leg_right", "leg_left"),
        (15, "leg_right", "leg_left"), (16, "leg_right", "leg_left"),
        (17, "knee_right", "knee_left"), (18, "foot_right", "foot_left"),
    ],
)  # fmt: skip
def test_even_is_right_odd_is_left_and_each_hit_one_wound(table, location, right, left):
    for ar, place in ((10, right), (11, left)):
        before = table[place]
        done = hurt(table, location, ar=ar)
        assert table[place] == before + 1
        assert any(text.endswith("left side" if ar % 2 else "right side") for text in texts(done))
    assert sum(table[name] for name in table.state.ruleset.group("wounds")) == 2


def test_armour_counts_and_no_damage_is_no_wound(table):
    # 6 - 6 = 0; 7 - 6 = 1.
    done = hurt(table, 8, er=6)
    assert (done.outputs["dealt"], done.outputs["place"], table["chest"]) == (0, 8, 0)
    assert hurt(table, 8, er=7).outputs["dealt"] == 1
    assert table["chest"] == 1
    assert table("damage", amount=4, ar=10, location=8, rv=9).outputs["dealt"] == 0


def test_the_location_is_rolled_where_it_is_not_known(table):
    done = table("damage", {"two": [(6, 5)], "die": [[20]]}, amount=9, ar=3, cover="high")
    assert (done.outputs["place"], table["knee_left"]) == (17, 1)  # 11 + 6


def test_the_ar_is_needed_for_the_side(table):
    with pytest.raises(RuleRefusal, match="Give the AR"):
        table("damage", amount=9)


@pytest.mark.parametrize(
    ("location", "die", "dead"),
    [
        (3, 7, 0),  # 7 + 7 = 14 against 14 D!
        (3, 6, 1),  # 13
        (4, 3, 0),  # 10 against 10 D!
        (4, 2, 1),
        (5, 2, 1),
        (11, 2, 1),
        (11, 3, 0),
        (8, 2, 0),  # 9 against 10: failed, and not D!
        (12, 1, 0),
        (14, 1, 0),
    ],
)
def test_a_failed_deadly_shock_check_is_death(table, location, die, dead):
    hurt(table, location, die=die)
    assert table.under("status/dead") == dead


def test_an_ordinary_failed_check_is_told_and_no_more(table):
    done = hurt(table, 8, die=2)
    assert "Shock: 2 + 7 = 9 against 10: failed." in texts(done)
    assert table["wound_penalty"] == -2


def test_shock_leaves_the_wound_itself_out_and_counts_the_others(table):
    # First 5 + 7 = 12; then, with the first wound's 2, 5 + 5 = 10.
    assert "Shock: 5 + 7 = 12 against 10: withstood." in texts(hurt(table, 8, die=5))
    assert "Shock: 5 + 5 = 10 against 10: withstood." in texts(hurt(table, 12, die=5))
    assert table["shock_av"] == 3


@pytest.mark.parametrize(
    ("location", "dead"),
    [(3, 1), (4, 1), (5, 1), (6, 0), (7, 0), (8, 1), (10, 1), (11, 1), (13, 1), (14, 0), (18, 0)],
)
def test_8_damage_destroys_the_place(table, location, dead):
    # 14 - 6 = 8.
    hurt(table, location, er=14)
    assert table.under("status/destroyed") == 1
    assert table.under("status/dead") == dead


def test_7_damage_destroys_nothing(table):
    hurt(table, 8, er=13)
    assert (table.under("status/destroyed"), table.under("status/dead")) == (0, 0)


def test_what_is_destroyed_is_named_with_its_side(table):
    hurt(table, 6, er=14, ar=7)
    hurt(table, 14, er=20, ar=8)
    assert table.about("status/destroyed") == ["left hand", "right leg"]


@pytest.mark.parametrize(
    ("location", "first", "second"),
    [
        (3, "Wound: −1, no depth perception / blind", "Both sides are hurt: −1, blind"),
        (
            18,
            "Wound: −1, half RUN, no JUMP / no RUN",
            "Both sides are hurt: −1, no RUN, no JUMP",
        ),
    ],
)
def test_the_second_text_replaces_the_first_when_both_sides_are_hurt(
    table, location, first, second
):
    assert first in texts(hurt(table, location, ar=10))
    assert first in texts(hurt(table, location, ar=12))  # the same side again
    assert second in texts(hurt(table, location, ar=11))


def test_the_head_stuns_in_the_next_phase(table):
    hurt(table, 5)
    assert table.under("status/stunned-next-phase") == 1
    table("phase-end")
    assert table.under("status/stunned-next-phase") == 1
    table("phase-end")
    assert table.under("status/stunned-next-phase") == 0


@pytest.mark.parametrize(
    ("location", "status", "dv"),
    [(4, "status/continual-shock-neck", 14), (11, "status/continual-shock-vitals", 10)],
)
def test_continual_shock_is_checked_each_phase_until_stabilised(table, location, status, dv):
    # Its own wound (2) is left out: 1 + 7 = 8. A failed check is not D!.
    hurt(table, location)
    for _phase in range(2):
        done = table("phase", {"die": [[1]]})
        assert f"Shock: 1 + 7 = 8 against {dv}: failed." in texts(done)
        table("phase-end")
    assert (table.under(status), table.under("status/dead")) == (1, 0)
    table("stabilise")
    assert table.under(status) == 0
    table("phase")


@pytest.mark.parametrize(("location", "place", "dv"), [(4, "neck", 14), (11, "vitals", 10)])
def test_a_wound_that_is_healed_is_not_left_out_twice(table, location, place, dv):
    # Without a wound there is no penalty to leave out: 9 + 7, not 9 + 9.
    hurt(table, location)
    table("heal", amount=1, wound=place)
    assert f"Shock: 9 + 7 = 16 against {dv}: withstood." in texts(table("phase", {"die": [[9]]}))


def test_other_wounds_count_in_continual_shock(table):
    # 7 - 2 (chest): 9 + 5 = 14 against 14.
    hurt(table, 4)
    table.change("chest", 1)
    assert "Shock: 9 + 5 = 14 against 14: withstood." in texts(table("phase", {"die": [[9]]}))


@pytest.mark.parametrize(
    ("sort", "dv", "deadly", "place"),
    [
        ("explosion-fall", 14, 1, "wounds_explosion"),
        ("sonic", 14, 0, "wounds_sonic"),
        ("fire", 18, 0, "wounds_fire"),
        ("cold", 14, 0, "wounds_cold"),
    ],
)
def test_special_damage_gives_its_own_wound(table, sort, dv, deadly, place):
    # dv - 7 on the die is just enough; 1 less is not.
    table("damage", {"die": [[dv - 7]]}, amount=3, type=sort, rv=0)
    assert (table[place], table.under("status/dead")) == (1, 0)
    penalty = -table["wound_penalty"]
    table("damage", {"die": [[dv - 8 + penalty]]}, amount=3, type=sort, rv=2)
    assert (table[place], table.under("status/dead")) == (2, deadly)


@pytest.mark.parametrize(("sort", "dv", "deadly"), [("electric", 18, 0), ("suffocation", 10, 1)])
def test_temporary_wounds(table, sort, dv, deadly):
    table("damage", {"die": [[dv - 7]]}, amount=1, type=sort, rv=0)
    assert (table.under("status/temporary-wound"), table["wound_penalty"]) == (1, -1)
    table("damage", {"die": [[dv - 7]]}, amount=1, type=sort, rv=0)  # now 1 short
    assert (table.under("status/temporary-wound"), table.under("status/dead")) == (2, deadly)


def test_special_damage_asks_for_its_rv_and_has_no_location(table):
    with pytest.raises(RuleRefusal, match="Give the RV"):
        table("damage", amount=5, type="cold")
    with pytest.raises(RuleRefusal, match="a row of its own"):
        table("damage", amount=5, type="cold", rv=0, location=5)
    table("damage", amount=5, type="cold", rv=5)
    assert table["wounds_cold"] == 0


def test_fire_burns_until_it_is_put_out(table):
    table("damage", {"die": [[20]]}, amount=1, type="fire", rv=0)
    # 7 on the die + 7 (the fire wound left out) = 14: withstood. 6: 1 more Fire wound.
    table("phase", {"die": [[7]]})
    assert table["wounds_fire"] == 1
    table("phase", {"die": [[6]]})
    assert (table["wounds_fire"], table["wound_penalty"]) == (2, -2)
    # Of 2 wounds 1 is left out: 7 + 6 = 13 fails.
    table("phase", {"die": [[7]]})
    assert table["wounds_fire"] == 3
    table("put-out")
    table("phase")
    assert table["wounds_fire"] == 3


def test_temporary_wounds_heal_one_a_phase_after_10_less_rec(table):
    # REC 8: 2 phases, then 1 each phase, at the ends of phases 3, 4 and 5.
    for _wound in range(3):
        table("temporary-wound")
    left = []
    for _phase in range(6):
        table("phase-end")
        left.append(table.under("status/temporary-wound"))
    assert left == [3, 3, 2, 1, 0, 0]
    assert (table["temporary_last"], table["wound_penalty"]) == (0, 0)


def test_a_later_temporary_wound_waits_for_its_own_phases(table):
    # The first heals at the end of phase 3. The second, taken in phase 3, at the end of phase 5.
    table("temporary-wound")
    table("phase-end")
    table("phase-end")
    assert table("temporary-wound").outputs == {"phases": 3}
    left = []
    for _phase in range(3):
        table("phase-end")
        left.append(table.under("status/temporary-wound"))
    assert left == [1, 1, 0]


@pytest.mark.parametrize(("rec", "phases"), [(0, 11), (6, 5), (9, 2), (10, 1), (14, 1)])
def test_the_wait_is_never_below_0_phases(cy, rec, phases):
    attributes = {**dict(ANSWERS["attributes"]), "rec": rec}
    patient = Table(cy({"attributes": attributes}).character.state)
    assert patient("temporary-wound").outputs == {"phases": phases}


@pytest.mark.parametrize(
    ("er", "rv", "under"),
    [
        (5, 5, set()),
        (3, 5, set()),
        (1, 0, {"impressed"}),
        (9, 5, {"impressed"}),  # 4
        (5, 0, {"stunned"}),
        (8, 0, {"stunned"}),
        (9, 0, {"stunned", "awed"}),
        (14, 2, {"stunned", "awed"}),  # 12
        (13, 0, {"cowed"}),
        (40, 3, {"cowed"}),
    ],
)
def test_being_influenced(table, er, rv, under):
    table("influenced", er=er, rv=rv, attacker="the Countess")
    states = {"impressed", "stunned", "awed", "cowed"}
    assert {name for name in states if table.under(f"status/{name}")} == under
    assert table.about("status/cowed") == ["the Countess"] * ("cowed" in under)
    table("shake-off")
    assert not any(table.under(f"status/{name}") for name in states)


def test_a_stunned_character_loses_one_action(table):
    table("influenced", er=6)
    table("phase-end")
    assert "Stunned: you lose this Action." in texts(table("phase"))
    assert table.under("status/stunned") == 0


def test_an_impressed_character_acts_last_in_this_phase_only(table):
    table("influenced", er=2)
    assert "Impressed: you act last." in texts(table("phase"))
    table("phase-end")
    assert table.under("status/impressed") == 0
