"""Exact odds: every way that the dice of a procedure can fall, weighed, never simulated.

``faces`` says how dice can fall and how often, ``reads`` what the steps
of a procedure still need, ``tree`` follows a procedure through all of
its dice and choices, ``chances`` is what comes out: exact fractions.
"""

from charforge.odds.distributions import Chances as Chances, Outcome as Outcome
from charforge.odds.solver import MOST as MOST, Case as Case, Odds as Odds
