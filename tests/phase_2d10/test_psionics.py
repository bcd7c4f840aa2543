"""Psionic attacks, ping, range, mass targets, detection, contact. Power 6 + Focus 3, 12 points."""

from __future__ import annotations

from tests.phase_2d10.conftest import texts


def test_points_set_range_and_ping_and_power_counts_in_full(table):
    # AR 9 + 10 = 19 with 1 point and with 10.
    for points, where in ((1, "20 m"), (10, "Solar system")):
        done = table("psionic-attack", {"own": [(5, 5)]}, points=points, vs=19)
        assert (done.outputs["ar"], done.outputs["ping"]) == (19, 30 - points)
        assert f"Range: {where}" in texts(done)
