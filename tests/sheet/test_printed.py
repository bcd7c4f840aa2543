"""Every page of the torture set, printed in every way and read back: no fault at all.

Each pair of character, layout, paper, orientation and style is printed as a
rule; ``--long`` prints every combination (half an hour).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from allpairspy import AllPairs
from PIL import Image
from pypdf import PdfReader

from charforge.rules.ruleset import Ruleset
from charforge.sheet import fonts
from charforge.sheet.audit import audit
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import lay_out, render_pdf
from charforge.sheet.print_options import Look
from charforge.sheet.view import SheetView
from tests.sheet.conftest import made
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.sheet.torture import ABOVE, BELOW, MAKE, NAMES, PICTURED, TORTURE, photograph, pictured

pytestmark = pytest.mark.slow

Views = Callable[[str], SheetView]

# A new way to print is one more word here.
WAYS: dict[str, Sequence[Any]] = {
    "who": tuple(TORTURE),
    "layout": ("full", "short", "cards", "reference"),
    "paper": ("a4", "letter"),
    "orientation": ("portrait", "landscape"),
    "styles": (
        "",
        "ink-saver",
        "grey",
        "large-print",
        "ink-saver grey",
        "large-print ink-saver grey",
    ),
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
    if who == PICTURED:
        look = replace(look, portrait=pictured(layout == "short", "grey" in look.styles))
    with fonts.collect_missing_glyphs() as told:
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


def test_a_photograph_on_its_side_is_upright_small_and_tells_nothing(views: Views) -> None:
    """Of 4000 by 6000 pixels upright, 300 to the inch remain: 19.6 mm high, 2/3 of it wide."""
    assert Image.open(BytesIO(photograph())).size == (6000, 4000)
    assert MAKE.encode() in photograph()
    data = render_pdf(render_html(views(PICTURED), Look(portrait=pictured())))
    [found] = PdfReader(BytesIO(data)).pages[0].images
    picture = found.image
    assert picture is not None
    assert picture.size == (154, 231)
    for place, colour in (((77, 20), ABOVE), ((77, 210), BELOW)):
        pixel = picture.convert("RGB").getpixel(place)
        assert isinstance(pixel, tuple)
        assert all(abs(one - other) < 25 for one, other in zip(pixel, colour, strict=True))
    assert picture.getexif() == {}
    assert MAKE.encode() not in data
    assert MAKE.encode() not in found.data


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_row_of_an_audit_is_cut(capital: Ruleset, paper: Any) -> None:
    """A row with less room than it takes stands on the next page, all of it."""
    character = TORTURE["units"](capital)
    look = Look("cards", paper, "landscape")
    page = render_html(build(character), look, tuple(audit(character)))
    pages: dict[Any, set[int]] = defaultdict(set)
    for number, laid in enumerate(lay_out(page).pages):
        for box in laid._page_box.descendants():
            for row in box.children if box.element_tag == "tbody" else ():
                pages[row.element].add(number)
    assert len(pages) > 50
    assert all(len(found) == 1 for found in pages.values())


def test_a_card_that_a_page_cuts_says_on_each_what_it_does(capital: Ruleset) -> None:
    """Its name never stands alone at the foot of a page."""
    cut = 0
    for seed in ("m1", "m3", "m4", "m7"):
        view = build(made(capital, seed, 10))
        pieces: dict[Any, list[bool]] = defaultdict(list)
        for laid in lay_out(render_html(view, Look(orientation="landscape"))).pages:
            for box in laid._page_box.descendants():
                if box.element_tag == "article" and "long" in box.element.get("class").split():
                    classes = {one.element.get("class") for one in box.descendants()}
                    pieces[box.element].append("doing" in classes)
        cut += sum(len(found) > 1 for found in pieces.values())
        assert all(all(found) for found in pieces.values())
    assert cut > 0
