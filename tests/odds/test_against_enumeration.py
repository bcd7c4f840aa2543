"""Odds equal plain enumeration, as exact fractions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from charforge.errors import FormulaError
from charforge.odds import Case, Odds
from tests.odds.enumeration import Enumerated, TooMany
from tests.odds.random_procedures import draw_procedure
from tests.samples import few

CASES = 260


@pytest.mark.parametrize("part", few(range(10), 1, slow=5))
@pytest.mark.parametrize("chosen", [False, True], ids=["as suggested", "at best"])
def test_random_procedures(keeper, part, chosen):
    """Dice of every kind, pools, rerolls, loops, calls, stops, choices, resources that run out."""
    agreed, seed = 0, part * 100_000
    while agreed < CASES // 20:
        seed += 1
        ruleset, procedure = draw_procedure(keeper.ruleset, seed)
        state = replace(keeper, ruleset=ruleset)
        best = procedure.outputs[0].id if chosen else None
        plain = Enumerated(state, procedure, {"told": 2}, best, most=400)
        try:
            found = plain.all()
        except (TooMany, FormulaError):
            continue
        outcomes = Odds(state, procedure, [Case({"told": 2})], best=best).of(Case({"told": 2}))
        for at, outcome in enumerate(outcomes):
            if chosen and at:
                continue  # of equally good ways either may be taken
            expected = plain.marginal(found, at)
            assert outcome.chances.nothing == expected.pop(None, 0), seed
            assert outcome.chances.by_value == expected, seed
        agreed += len(found) > 1
