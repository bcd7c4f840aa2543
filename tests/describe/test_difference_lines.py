"""Differences in words."""

from __future__ import annotations

import pytest

from charforge.character.files.document import Difference
from charforge.describe.differences import difference_lines


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (None, "Yes", "+ Table rule Does a rest heal? Yes"),
        ("No", None, "− Table rule Does a rest heal? No"),
        ("No", "Yes", "Table rule Does a rest heal? No → Yes"),
    ],
)
def test_a_table_rule_that_one_side_does_not_have(toy, old, new, line):
    rule = Difference("rule", "rest", "Does a rest heal?", old, new)
    assert list(difference_lines([rule], toy)) == [line]
