"""What is wrong with a table of odds, at its line."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from charforge.rules.models import OddsSpec, Span
from tests.rules.faulty import Case

PLAY = "play:\n  check: dive\n"
GOOD = """odds:
  - id: dives
    label: Dives
    procedure: dive
    set: {calm: 1}
    vary: {input: waves, from: 0, to: 4}
    show: [check_pearl, won]
    best: won
"""


def test_a_good_table_is_taken(flooded):
    ruleset = flooded(("ruleset.yaml", PLAY, GOOD + PLAY))
    (spec,) = ruleset.head.odds
    assert (spec.vary.values, spec.set) == (("0", "1", "2", "3", "4"), {"calm": "1"})


@pytest.mark.parametrize(
    "case",
    [
        Case("", "waves, from", "wavs, from", "wavs", "no input of dive is named", "waves"),
        Case("", "{calm: 1}", "{clam: 1}", "{clam", "no input of dive is named", "calm"),
        Case("", "[check_pearl, won]", "[won, one]", "show:", "no output of dive is named", "won"),
        Case("", "best: won", "best: wn", "best:", "no output of dive is named", "won"),
        Case("", "procedure: dive", "procedure: dives", "procedure: dives", "no procedure", "dive"),
        Case("", "procedure: dive", "each: attack", "each: attack", "no procedure serves attacks"),
    ],
    ids=lambda case: case.new,
)
def test_a_fault(diving, case):
    """Each names what there is not, and the nearest that there is."""
    edited = GOOD.replace(case.old, case.new)
    assert edited != GOOD
    folder = diving(("ruleset.yaml", PLAY, edited + PLAY))
    placed = Case("ruleset.yaml", case.old, case.new, case.at, case.message, case.nearest)
    assert placed.found(folder) == [placed.expected(folder)]


@pytest.mark.parametrize(
    ("span", "told"),
    [
        ({"from": 1}, "'from' and 'to', or 'words'"),
        ({"from": 1, "to": 3, "words": ["a"]}, "'from' and 'to', or 'words'"),
        ({}, "'from' and 'to', or 'words'"),
        ({"from": 3, "to": 1}, "takes 1 to 20 values"),
        ({"from": 1, "to": 21}, "takes 1 to 20 values"),
    ],
)
def test_values_of_an_input(span, told):
    with pytest.raises(ValidationError, match=told):
        Span.model_validate({"input": "vs", **span})


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"each": "item", "procedure": "p", "kind": "skill"}, "told by an 'input'"),
        ({"each": "unit", "procedure": "p", "kind": "skill"}, "told by an 'input'"),
        ({"each": "unit"}, "only attacks have a procedure of their own"),
    ],
)
def test_what_each_thing_needs(spec, told):
    raw = {
        "id": "a",
        "label": "A",
        "vary": {"input": "vs", "words": ["1"]},
        "show": ["won"],
        **spec,
    }
    with pytest.raises(ValidationError, match=told):
        OddsSpec.model_validate(raw)
