"""Sections fill a page and then the next; the check of their order finds what does not."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Paper, PrintOptions, SheetSection
from charforge.sheet.view import SheetView
from tests.sheet.conftest import made
from tests.sheet.print_order import misordered, placed
from tests.sheet.printed import Printed, record
from tests.sheet.structure import structure

pytestmark = [pytest.mark.needs("pango"), pytest.mark.slow]

SECTIONS: frozenset[SheetSection] = frozenset({"abilities", "gear"})
PORTRAIT = PrintOptions(sections=SECTIONS)


@pytest.fixture(scope="module")
def packed(capital: Ruleset) -> SheetView:
    """A view with two places of equipment, more than a page of it."""
    view = build(made(capital, "a", 5, role="role/the-captain"))
    item = next(item for item in view.items if not item.listed)
    items = (
        item._replace(name=f"Thing {number}", place=("Worn", "Packed")[number > 20])
        for number in range(1, 81)
    )
    return view._replace(items=tuple(items))


def bookmarks(printed: Printed) -> list[str]:
    """Return the titles of all bookmarks of a PDF."""
    waiting, titles = [*PdfReader(BytesIO(printed.data)).outline], []
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        else:
            titles.append(str(item.title))
    return titles


def changed(view: SheetView, old: str = "", new: str = "") -> Printed:
    """Print a sheet without fitting it, with a change of its style."""
    html = render_html(view, PORTRAIT)
    assert old in html
    return record(lambda: render_pdf(html.replace(old, new)))


def test_sections_fill_a_page_and_then_the_next(packed: SheetView) -> None:
    """What continues in another column has its heading again, and no column is left empty.

    On wide paper and in large print: test_printed, with sixty things.
    """
    printed = record(lambda: sheet_pdf(packed, PORTRAIT))
    names = [item.name for item in packed.items]
    things = placed(printed, PORTRAIT, packed.items_label or "Equipment", names)
    assert len({thing.page for thing in things}) > 1
    assert [*misordered(printed, packed, PORTRAIT)] == []


def faults(printed: Printed, view: SheetView) -> set[str]:
    return {one.fault for one in misordered(printed, view, PORTRAIT)}


def test_columns_without_headings_are_found(packed: SheetView) -> None:
    assert faults(changed(packed), packed) == set()
    old = ".group { display: table;"
    assert faults(changed(packed, old, ".group { display: block;"), packed) == {"no heading"}


def test_columns_in_another_order_are_found(packed: SheetView) -> None:
    old = ".filled { columns"
    assert "out of order" in faults(
        changed(packed, old, f".filled {{ direction: rtl }} {old}"), packed
    )


def test_columns_that_are_not_balanced_are_found(packed: SheetView) -> None:
    old = ".filled { columns"
    few = packed._replace(items=packed.items[:12], cards=())
    assert faults(changed(few), few) == set()
    auto = changed(few, old, f".filled {{ column-fill: auto }} {old}")
    assert faults(auto, few) == {"unbalanced"}


def test_form_fields_of_rows_are_in_their_order(capital: Ruleset) -> None:
    """Empty slots are numbered row by row, from left to right."""
    view = build(made(capital, "a", 5))._replace(cards=(), empty_slots=30)
    printed = record(lambda: sheet_pdf(view, PrintOptions(fillable=True, sections=SECTIONS)))
    fields: list[tuple[int, Any]] = [
        (tag.page, field) for tag in structure(printed).walk() for field in tag.fields
    ]
    slots = [(page, field) for page, field in fields if str(field["/TU"]).endswith(", name")]
    numbers = [int(str(field["/TU"]).split(",")[0].rsplit(" ", 1)[1]) for _page, field in slots]
    assert numbers == [*range(1, 31)]
    places = [(page, *map(float, field["/Rect"])) for page, field in slots]
    order = [(page, -top, left) for page, left, _bottom, _right, top in places]
    assert order == sorted(order)
    assert len({page for page, *_place in order}) > 1


def test_a_place_of_equipment_repeats_its_heading(packed: SheetView) -> None:
    """A bookmark leads to the first one only."""
    printed = record(lambda: sheet_pdf(packed, PORTRAIT))
    titles = [tag.text for tag in structure(printed).all("H3")]
    assert len(titles) > len({"WORN", "PACKED"} & {*titles}) == 2
    outline = [title.upper() for title in bookmarks(printed)]
    assert [outline.count(title) for title in ("WORN", "PACKED")] == [1, 1]


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_a_group_of_the_reference_repeats_its_heading(capital: Ruleset, paper: Paper) -> None:
    """A bookmark leads to the first one only."""
    view = build(made(capital, "a", 5, role="role/the-captain"))
    options = PrintOptions(paper=paper, sections=frozenset({"reference"}))
    printed = record(lambda: sheet_pdf(view, options))
    titles = [tag.text for tag in structure(printed).all("H3")]
    assert len(titles) > len({*titles})
    assert {*titles} == {view.actions_label.upper(), "CONDITIONS", "WORDS ON THIS SHEET"}
    outline = [title.upper() for title in bookmarks(printed)]
    assert [title for title in titles if outline.count(title) != 1] == []
