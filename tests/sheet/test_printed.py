"""Every page of the torture set passes the print check.

Each character is printed in the full layout and in one other, those who differ little from others
in one layout. Each pair of layout, paper, orientation and style is printed for some of them, with
``--long`` every combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from itertools import product
from typing import Any

import pytest
from allpairspy import AllPairs
from PIL import Image
from pypdf import PdfReader

from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.sheet import fonts
from charforge.sheet.build import blank_view, build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.values import audit
from tests.samples import few
from tests.sheet.print_check import check
from tests.sheet.printed import record
from tests.sheet.structure import structure
from tests.sheet.torture import (
    ABOVE,
    BELOW,
    CHARACTERS,
    MAKE,
    NAMES,
    PICTURED,
    TORTURE,
    photograph,
    pictured,
    torture_view,
)

pytestmark = pytest.mark.slow

# A new way to print is one more word here.
OTHER_LAYOUTS = ("short", "cards", "reference")
WAYS: dict[str, Sequence[Any]] = {
    "layout": ("full", *OTHER_LAYOUTS),
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
SECOND = ("squad again", "narrative again")  # the second of a game, with a foreign name
ONCE = {*NAMES, "dead", "long"}  # who differ from others by a name or a condition
FOREIGN = {*NAMES, *SECOND, "struck"}  # with letters our fonts may lack
RULESETS = ("capital", "narrative-dice", "squad-d20", "phase-2d10", "shields-biotics")


def pages_to_print() -> list[tuple[str, ...]]:
    """Return what to print: each character in full, and in one of the other layouts.

    Characters who differ little from others are printed once.
    """
    ways: dict[str, list[Any]] = {}
    for way in AllPairs([*WAYS.values()]):
        ways.setdefault(way[0], []).append(tuple(way))
    rows = []
    for number, who in enumerate(CHARACTERS):
        turn, other = divmod(number, len(OTHER_LAYOUTS))
        printed = [] if who in SECOND else [(OTHER_LAYOUTS[other], turn)]
        printed += [] if who in ONCE else [("full", number)]
        for layout, index in printed:
            rows.append((who, *ways[layout][index % len(ways[layout])]))
    return rows


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"who", *WAYS} <= set(metafunc.fixturenames):
        every = metafunc.config.getoption("--long")
        rows = [*product(CHARACTERS, *WAYS.values())] if every else pages_to_print()
        # Cards choose the orientation of their paper themselves.
        rows = list(dict.fromkeys(
            (who, layout, paper, "portrait" if layout == "cards" else orientation, styles)
            for who, layout, paper, orientation, styles in rows
        ))  # fmt: skip
        metafunc.parametrize(("who", *WAYS), rows)


def test_a_page_has_no_fault(
    who: str, layout: Any, paper: Any, orientation: Any, styles: str
) -> None:
    view = torture_view(who)
    options = PrintOptions(layout, paper, orientation, frozenset(styles.split()))  # type: ignore[arg-type]
    if who == PICTURED:
        options = replace(options, portrait=pictured("grey" in options.styles))
    with fonts.collect_missing_glyphs() as told:
        made = record(lambda: sheet_pdf(view, options))
    found = check(made, view, options)
    assert [one for one in found if one.fault != "missing glyph"] == []
    assert {one.about for one in found if one.fault == "missing glyph"} == set(told)
    if who not in FOREIGN:
        assert not told
        assert made.families <= OURS, "what we write ourselves has signs that our fonts lack"


def test_every_pair_of_ways_is_printed() -> None:
    """Of cards on paper of either orientation as well, which is theirs to choose."""
    rows = [way for _who, *way in pages_to_print()]
    for one, first in enumerate(WAYS.values()):
        for other, second in enumerate(WAYS.values()):
            if one < other:
                assert {(row[one], row[other]) for row in rows} == {*product(first, second)}


def test_a_photograph_on_its_side_is_upright_small_and_tells_nothing() -> None:
    """Of 4000 by 6000 pixels upright, 300 to the inch remain: 46 by 58 mm, as it is printed."""
    assert Image.open(BytesIO(photograph())).size == (6000, 4000)
    assert MAKE.encode() in photograph()
    data = render_pdf(render_html(torture_view(PICTURED), PrintOptions(portrait=pictured())))
    [found] = PdfReader(BytesIO(data)).pages[0].images
    picture = found.image
    assert picture is not None
    assert picture.size == (543, 685)
    for place, colour in (((270, 60), ABOVE), ((270, 620), BELOW)):
        pixel = picture.convert("RGB").getpixel(place)
        assert isinstance(pixel, tuple)
        assert all(abs(one - other) < 25 for one, other in zip(pixel, colour, strict=True))
    assert picture.getexif() == {}
    assert MAKE.encode() not in data
    assert MAKE.encode() not in found.data


@pytest.mark.parametrize("name", few(RULESETS, 0, slow=3))
def test_a_blank_short_sheet_prints_without_a_warning(name: str) -> None:
    """The full one: test_fillable."""
    options = PrintOptions("short", blank=True)
    printed = record(lambda: sheet_pdf(blank_view(load(name)), options))
    assert not printed.warnings
    assert not printed.missing_glyphs
    assert len(printed.pages) <= 2


@pytest.mark.parametrize("fillable", [False, True])
def test_a_blank_short_sheet_on_wide_paper_is_one_page(fillable: bool) -> None:
    options = PrintOptions("short", orientation="landscape", blank=True, fillable=fillable)
    assert len(record(lambda: sheet_pdf(blank_view(load("capital")), options)).pages) == 1


@pytest.mark.parametrize("paper", few(["letter", "a4"], 0, slow=1))
def test_no_row_of_an_audit_is_cut(capital: Ruleset, paper: Any) -> None:
    """The value of a row and its last step are on one page."""
    character = TORTURE["units"](capital)
    ledgers = tuple(audit(character))
    options = PrintOptions("reference", paper, "landscape")
    printed = record(lambda: render_pdf(render_html(build(character), options, ledgers)))
    tables = structure(printed).all("Table")
    tables = [table for table in tables if "HOW IT CAME ABOUT" in table.text.upper()]
    bodies = [body for table in tables for body in table.all("TBody")]
    assert len(bodies) > 50
    for body in bodies:
        assert len({tag.page for tag in body.walk() if tag.words}) == 1, body.text
