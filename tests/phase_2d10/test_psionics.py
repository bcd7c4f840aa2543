"""Psionic attacks, ping, range, mass targets, detection, contact. Power 6 + Focus 3, 12 points."""

from __future__ import annotations

import pytest

from charforge.errors import ProcedureError, RuleRefusal
from tests.phase_2d10.conftest import texts

USE = "Dread: Use the power"


def touch(table, victim):
    """Succeed with a power of 1 point, so that there is contact."""
    return table("psionic-attack", points=1, allowed=1, victim=victim)


def test_a_power_from_its_dice_to_its_contact(table):
    # 9 + 7 + 6 = 22 against 15: 7 over, level 2. EV 4 + 2. 3 of 12 points; ping 30 - 3.
    done = table.use(USE, {"own": [(7, 6)]}, vs=15, victim="Bo")
    assert table["psi"] == 9
    assert "AR 22 against DV 15: success, level 2." in texts(done)
    assert "EV 4 + 2: ER 6" in texts(done)
    assert "Range: 500 m" in texts(done)
    assert "Awareness DV 27" in texts(done)
    assert table.about("status/contact") == ["Bo"]


def test_a_failure_pings_and_costs_but_makes_no_contact(table):
    # 9 + 2 = 11 against 15.
    done = table.use(USE, {"own": [(1, 1)]}, vs=15)
    assert "Awareness DV 27" in texts(done)
    assert (table["psi"], table.under("status/contact")) == (9, 0)


def test_points_set_range_and_ping_and_power_counts_in_full(table):
    # AR 9 + 10 = 19 with 1 point and with 10.
    for points, where in ((1, "20 m"), (10, "Solar system")):
        done = table("psionic-attack", {"own": [(5, 5)]}, points=points, vs=19)
        assert (done.outputs["ar"], done.outputs["ping"]) == (19, 30 - points)
        assert f"Range: {where}" in texts(done)


def test_other_points_than_usual_may_be_used(table):
    done = table.use(USE, {"own": [(5, 5)]}, vs=10, used=5)
    assert table["psi"] == 7
    assert "Range: 10 km" in texts(done)


def test_points_run_out(table):
    table.change("psi", -10)
    with pytest.raises(RuleRefusal, match="3 points are needed, 2 are left"):
        table.use(USE, vs=10)


@pytest.mark.parametrize(
    ("targets", "penalty"),
    [
        (1, 0), (2, -4), (10, -4), (11, -8), (100, -8), (101, -12), (1000, -12), (1001, -16),
        (10_000, -16), (10_001, -20), (100_000, -20), (100_001, -24), (1_000_000, -24),
        (1_000_001, -28), (10_000_001, -32), (1_000_000_000, -36),
    ],
)  # fmt: skip
def test_many_targets(table, targets, penalty):
    assert table("mass-penalty", targets=targets).outputs == {"penalty": penalty}


def test_alien_and_mass_penalties_and_wounds_all_apply(table):
    # 9 - 4 (alien) - 8 (30 targets) - 2 (chest) + 10 + 9 = 14.
    table.change("chest", 1)
    done = table("psionic-attack", {"own": [(10, 9)]}, points=2, vs=14, alien=1, targets=30)
    assert (done.outputs["ar"], done.outputs["level"]) == (14, 0)


def test_a_target_may_allow_it_success_at_level_0(table):
    done = table("psionic-attack", points=2, ev=4, allowed=1, alien=1, targets=100, victim="Bo")
    assert (done.outputs["success"], done.outputs["level"], done.outputs["er"]) == (1, 0, 4)
    assert table.about("status/contact") == ["Bo"]


@pytest.mark.parametrize(("option", "level"), [("0", 3), ("10", 0)])
def test_the_opposed_bonus_of_a_psionic_attack(table, option, level):
    # 9 + 10 + 5 = 24 against 13 (11 over), or against 23.
    table.rule("opposed_dv_bonus", option)
    done = table("psionic-attack", {"own": [(10, 5)]}, points=1, vs=13)
    assert done.outputs["level"] == level


def test_surprise_is_nothing_that_a_psionic_attack_can_be_told(table):
    with pytest.raises(ProcedureError, match="surprise"):
        table("psionic-attack", points=1, vs=10, surprise=1)


def test_contact_needs_a_line_of_sight_once(table):
    with pytest.raises(RuleRefusal, match="line of sight"):
        table("psionic-attack", points=1, vs=10, sight=0, victim="Bo")
    touch(table, "Bo")
    done = table("psionic-attack", {"own": [(5, 5)]}, points=1, vs=10, sight=0, victim="Bo")
    assert done.outputs["success"] == 1


def test_contact_that_is_dropped_still_holds_until_it_ends(table):
    touch(table, "Bo")
    table("drop-contact", victim="Bo")
    done = table("psionic-attack", {"own": [(5, 5)]}, points=1, vs=30, sight=0, victim="Bo")
    assert done.outputs["success"] == 0
    for _phase in range(2):
        table("phase-end")
    with pytest.raises(RuleRefusal, match="line of sight"):
        table("psionic-attack", points=1, vs=10, sight=0, victim="Bo")


def test_a_power_needs_a_dv_or_leave(table):
    with pytest.raises(RuleRefusal, match="WILL"):
        table("psionic-attack", points=1)


@pytest.mark.parametrize(
    ("points", "distance", "dv"),
    [
        (1, 0, 29), (10, 20, 20), (4, 20, 26), (4, 24, 26), (4, 25, 27), (4, 29, 27), (4, 30, 28),
        (4, 120, 46),
    ],
)  # fmt: skip
def test_ping(table, points, distance, dv):
    # 30 - points, + 1 for each full 5 m beyond 20.
    assert table("ping", points=points, distance=distance).outputs == {"dv": dv}


@pytest.mark.parametrize(("dice", "noticed"), [((10, 9), 1), ((9, 9), 0)])
def test_noticing_a_ping_takes_awareness(table, dice, noticed):
    # Awareness 7 + 19 = 26 against 30 - 4.
    assert table("sense-ping", {"own": [dice]}, points=4).outputs["success"] == noticed


@pytest.mark.parametrize(
    ("dice", "direction", "identity"),
    [
        ((4, 4), 0, 0),  # 10 + 8 = 18 against 19
        ((4, 5), 1, 0),  # equal
        ((6, 6), 1, 0),  # 3 over: a level, and not enough
        ((6, 7), 1, 1),  # 4 over
    ],
)
def test_detection(table, dice, direction, identity):
    done = table("detection", {"own": [dice]}, vs=19)
    assert (done.outputs["direction"], done.outputs["identity"]) == (direction, identity)


@pytest.mark.parametrize(("option", "direction"), [("0", 1), ("10", 0)])
def test_the_opposed_bonus_of_detection(table, option, direction):
    # 10 + 9 = 19 against 10, or against 20.
    table.rule("opposed_dv_bonus", option)
    assert table("detection", {"own": [(4, 5)]}, vs=10).outputs["direction"] == direction


def test_only_a_detectable_power_can_be_detected(table):
    with pytest.raises(RuleRefusal, match="detectable"):
        table("detection", vs=10, detectable=0)


@pytest.mark.parametrize(("die", "withstood"), [(14, 1), (13, 0)])
def test_a_death_in_contact(table, die, withstood):
    # 14 + 7 = 21 against 16 + 5. Not D!; the contact is over.
    touch(table, "Bo")
    touch(table, "Cass")
    done = table("death-in-contact", {"die": [[die]]}, victim="Bo", spirit_of=5)
    assert (done.outputs["success"], table.under("status/dead")) == (withstood, 0)
    assert table.about("status/contact") == ["Cass"]


def test_a_death_without_contact_is_nothing(table):
    with pytest.raises(RuleRefusal, match="no contact with Bo"):
        table("death-in-contact", victim="Bo", spirit_of=5)


def test_dropping_contact_takes_until_the_end_of_the_next_phase(table):
    touch(table, "Bo")
    table.use("Drop contact", victim="Bo")
    table("phase-end")
    # A death in the next phase still counts: 9 + 7 = 16 against 16 + 0.
    done = table("death-in-contact", {"die": [[9]]}, victim="Bo", spirit_of=0)
    assert done.outputs["success"] == 1
    touch(table, "Bo")
    table.use("Drop contact", victim="Bo")
    table("phase-end")
    table("phase-end")
    with pytest.raises(RuleRefusal, match="no contact"):
        table("death-in-contact", victim="Bo", spirit_of=0)


def test_contact_lasts_while_its_target_is_affected(table):
    touch(table, "Bo")
    for _phase in range(9):
        table("phase-end")
    assert table.under("status/contact") == 1
    table("contact-over", victim="Bo")
    assert table.under("status/contact") == 0
