"""Every page of the torture set, printed in every way and read back: no fault at all.

Pairs of characters and ways are printed as a rule; ``--long`` prints every
combination.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any

import pytest
from allpairspy import AllPairs

from charforge.content.ruleset import Ruleset
from charforge.sheet import glyphs
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.look import Look
from charforge.sheet.pdf import render_pdf
from charforge.sheet.view import SheetView
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.sheet.torture import NAMES, TORTURE

pytestmark = pytest.mark.slow

Views = Callable[[str], SheetView]

# A new way to print is one more word here.
WAYS: dict[str, Sequence[Any]] = {
    "who": tuple(TORTURE),
    "layout": ("full", "reference", "cards"),
    "paper": ("a4", "letter"),
    "orientation": ("portrait", "landscape"),
    "styles": ("", "ink-saver", "grey", "ink-saver grey"),
}
OURS = {"Barlow", "Atkinson"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if set(WAYS) <= set(metafunc.fixturenames):
        every = metafunc.config.getoption("--long")
        rows = [*product(*WAYS.values())] if every else [*AllPairs([*WAYS.values()])]
        metafunc.parametrize(tuple(WAYS), rows)


@pytest.fixture(scope="session")
def views(capital: Ruleset) -> Views:
    """Make the view of each character once."""
    return cache(lambda who: build(TORTURE[who](capital)))


def test_a_page_has_no_fault(
    views: Views, who: str, layout: Any, paper: Any, orientation: Any, styles: str
) -> None:
    view = views(who)
    look = Look(layout, paper, orientation, frozenset(styles.split()))  # type: ignore[arg-type]
    with glyphs.missing() as told:
        made = record(lambda: render_pdf(render_html(view, look)))
    found = check(made, view, look)
    assert [one for one in found if one.fault != "missing glyph"] == []
    assert {one.about for one in found if one.fault == "missing glyph"} == set(told)
    if who not in NAMES:
        assert not told
        assert made.families <= OURS, "what we write ourselves has signs that our fonts lack"


def test_every_pair_of_ways_is_printed() -> None:
    rows = [*AllPairs([*WAYS.values()])]
    for one, first in enumerate(WAYS.values()):
        for other, second in enumerate(WAYS.values()):
            if one < other:
                assert {(row[one], row[other]) for row in rows} == {*product(first, second)}
