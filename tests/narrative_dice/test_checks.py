"""Pools, checks, attacks, saving throws and initiative, worked by hand.

Faces by number. Ability: 1 blank, 2-3 S, 4 SS, 5-6 A, 7 SA, 8 AA. Proficiency: 1 blank, 2-3 S,
4-5 SS, 6 A, 7-9 SA, 10-11 AA, 12 Triumph. Difficulty: 1 blank, 2 F, 3 FF, 4-6 T, 7 TT, 8 FT.
Challenge: 1 blank, 2-3 F, 4-5 FF, 6-7 T, 8-9 FT, 10-11 TT, 12 Despair. Boost: 1-2 blank, 3 S,
4 SA, 5 AA, 6 A. Setback: 1-2 blank, 3-4 F, 5-6 T.
"""

from __future__ import annotations

# ----------------------------------------------------------------------- attacks (N5, N12, N14)


def test_a_new_taunt_ends_the_one_before(table):
    table("be-taunted", by="the ogre")
    table("be-taunted", by="the knight")
    assert [one.about for one in table.state.conditions] == ["the knight"]


# --------------------------------------------------------------------------- initiative (N10)


FIRST, SECOND, TIED = (1, 0), (0, 0), (1, 1)
