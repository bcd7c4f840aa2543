"""Booklets: two pages on each side of a sheet, in the order for printing and folding.

The sheets are printed on both sides, flipped on the short edge, put on each other and folded once.
Attached files are kept. A booklet is for paper: it has no tags for screen readers.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

PAGES_OF_SHEET = 4


class Side(NamedTuple):
    """The numbers of the pages on one side of a sheet, from 0."""

    left: int
    right: int


def sides(pages: int) -> Iterator[Side]:
    """Yield the sides of the sheets of a booklet: the front of each, then its back.

    The outermost sheet is first. Numbers of ``pages`` and more are blank pages at the end.
    """
    sheets = -(-pages // PAGES_OF_SHEET)
    last = PAGES_OF_SHEET * sheets - 1
    for sheet in range(sheets):
        first = 2 * sheet
        yield Side(last - first, first)
        yield Side(first + 1, last - first - 1)


def impose(data: bytes) -> bytes:
    """Return a PDF whose pages are the sides of a booklet of the pages of another."""
    from pypdf import PdfReader, PdfWriter  # slow to import, and most sheets are no booklets
    from pypdf.generic import NameObject

    reader, writer = PdfReader(BytesIO(data)), PdfWriter()
    writer.pdf_header = reader.pdf_header
    pages = list(reader.pages)
    width, height = pages[0].mediabox.width, pages[0].mediabox.height
    for side in sides(len(pages)):
        sheet = writer.add_blank_page(2 * width, height)
        for number, x in ((side.left, 0.0), (side.right, float(width))):
            if number < len(pages):
                sheet.merge_translated_page(pages[number], x, 0.0)
    writer.add_metadata(reader.metadata or {})
    language = reader.root_object.get("/Lang")
    if language is not None:
        writer.root_object[NameObject("/Lang")] = language
    writer.create_viewer_preferences()[NameObject("/Duplex")] = NameObject("/DuplexFlipShortEdge")
    for name, contents in sorted(reader.attachments.items()):
        for content in contents:
            writer.add_attachment(name, content)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()
