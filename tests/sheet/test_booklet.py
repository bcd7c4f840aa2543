"""Booklets: the order of pages for printing on both sides and folding, and what a PDF keeps."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from pypdf import PdfReader

from charforge.character.files import pdf_attachments
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.pdf import Side, impose, render_pdf, sides
from charforge.sheet.print_options import Paper, PrintOptions
from tests.sheet.conftest import Make
from tests.sheet.print_check import check
from tests.sheet.printed import Printed, record

FILES = {pdf_attachments.ATTACHMENT: b'{"charforge": 1}\r\n'}


def folded(printed: list[Side]) -> list[int]:
    """Return the pages in the order of reading: of sheets on each other that are folded once.

    The front of the outermost sheet is outside, its right half in front.
    """
    leaves = [(front, back) for front, back in zip(printed[::2], printed[1::2], strict=True)]
    right = [page for front, back in leaves for page in (front.right, back.left)]
    left = [page for front, back in reversed(leaves) for page in (back.right, front.left)]
    return right + left


@given(st.integers(1, 300))
def test_a_folded_booklet_is_read_from_first_to_last(pages: int) -> None:
    printed = list(sides(pages))
    assert folded(printed) == list(range(2 * len(printed)))
    assert pages <= 2 * len(printed) < pages + 4, "the fewest sheets"
    assert len(printed) % 2 == 0, "both sides of each"


def page_numbers(sheet: bytes) -> list[tuple[str, str]]:
    """Return the words on the left and right half of each page."""
    found = []
    for page in Printed(sheet, ()).pages:
        middle = page.paper.width / 2
        left = [word.text for word in page.words if word.rect.right < middle]
        right = [word.text for word in page.words if word.rect.left > middle]
        assert len(left) + len(right) == len(page.words), "nothing is across the fold"
        found.append((" ".join(left), " ".join(right)))
    return found


@pytest.mark.needs("pango")
def test_pages_are_imposed_and_padded(tmp_path: Path) -> None:
    style = "<style>@page { size: 148.5mm 210mm } p { break-after: page }</style>"
    body = "".join(f"<p>P{number}</p>" for number in range(1, 6))
    html = f"<!DOCTYPE html><html lang='de'><head><title>T</title>{style}</head>{body}</html>"
    booklet = impose(render_pdf(html, FILES))
    assert page_numbers(booklet) == [("", "P1"), ("P2", ""), ("", "P3"), ("P4", "P5")]
    reader = PdfReader(BytesIO(booklet))
    assert (reader.metadata or {})["/Title"] == "T"
    assert reader.root_object["/Lang"] == "de"
    assert reader.viewer_preferences is not None
    assert reader.viewer_preferences.duplex == "/DuplexFlipShortEdge"
    (tmp_path / "booklet.pdf").write_bytes(booklet)
    found = pdf_attachments.read_attachments(tmp_path / "booklet.pdf")
    assert found.character == FILES[pdf_attachments.ATTACHMENT]
    assert impose(render_pdf(html, FILES)) == booklet, "the same bytes"


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize(("paper", "size"), [("a4", (297, 210)), ("letter", (279.4, 215.9))])
def test_a_sheet_fills_the_halves_of_its_paper(
    make: Make, paper: Paper, size: tuple[float, float]
) -> None:
    options = PrintOptions("reference", paper, booklet=True)
    pages = sheet_pdf(build(make()), options)
    booklet = PdfReader(BytesIO(impose(pages)))
    box = booklet.pages[0].mediabox
    assert [float(side) * 25.4 / 72 for side in (box.width, box.height)] == pytest.approx(
        size, abs=0.1
    )
    assert len(booklet.pages) == -(-len(PdfReader(BytesIO(pages)).pages) // 4) * 2


# Each layout but the reference, which has no columns there, and the full one in large print, whose
# boxes are the largest.
NARROW = [
    *(PrintOptions(layout, "a5") for layout in ("full", "short", "cards")),
    PrintOptions("full", "a5", styles=frozenset({"large-print"})),
    PrintOptions("full", "letter", booklet=True),
]


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize(
    "options", NARROW, ids=lambda one: "-".join((one.layout, one.paper, *sorted(one.styles)))
)
def test_half_a_page_has_no_faults(make: Make, options: PrintOptions) -> None:
    view = build(make(level=7, role="role/the-tank", asset="vehicle/mechsuit"))
    made = record(lambda: sheet_pdf(view, options))
    assert check(made, view, options) == []
    if options.layout == "short":
        assert len(made.pages) == 1
