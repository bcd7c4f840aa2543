"""Exact odds of procedures: every possible roll is counted, nothing is simulated.

``Odds`` in ``solver`` follows a procedure step by step, ``branches`` runs
one step for every roll and every choice, ``liveness`` finds the variables
that later steps need, ``distributions`` adds up the chances. What the
command ``odds`` offers is in ``verbs.odds``, the tables on a sheet are in
``sheet.odds``.
"""

from charforge.odds.branches import THE_CHARACTER as THE_CHARACTER, Actor as Actor
from charforge.odds.distributions import Chances as Chances, Outcome as Outcome
from charforge.odds.solver import MAX_BRANCHES as MAX_BRANCHES, Case as Case, Odds as Odds
