"""Exact odds of procedures: every fall of the dice is followed and weighed, none is simulated.

``distributions`` holds the results and the falls of dice, ``liveness``
finds what later steps of a procedure still need, ``branches`` runs one
step for every fall and choice, ``solver`` follows a whole procedure.
"""

from charforge.odds.distributions import Chances as Chances, Outcome as Outcome
from charforge.odds.solver import MOST as MOST, Case as Case, Odds as Odds
