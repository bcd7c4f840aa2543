"""A made PDF read back: words where they lie on the paper, boxes where they were laid out."""

from __future__ import annotations

import ctypes
import logging
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import Any

import pypdfium2
import pytest
from pypdf import PdfReader
from pypdfium2 import raw

SLACK = 0.5  # points by which ink may be off, such as the overhang of an italic
NOTDEF = ".notdef glyph"


@dataclass(frozen=True, order=True)
class Finding:
    """One fault; page 0 is the whole document."""

    page: int
    fault: str
    about: str


@dataclass(frozen=True)
class Rect:
    """A rectangle in points from the upper left corner of the paper."""

    left: float
    top: float
    right: float
    bottom: float

    def past(self, other: Rect) -> float:
        """Return how far it reaches out of another at most."""
        return max(
            other.left - self.left, other.top - self.top,
            self.right - other.right, self.bottom - other.bottom,
        )  # fmt: skip

    def shared(self, other: Rect) -> float:
        """Return the lesser side of what it has in common with another, 0 for nothing."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(min(wide, high), 0.0)

    def below(self, other: Rect) -> bool:
        """Whether it lies under another with some room between."""
        return self.top > other.bottom + 1

    def around(self, other: Rect) -> Rect:
        """Return the rectangle around both."""
        return Rect(
            min(self.left, other.left), min(self.top, other.top),
            max(self.right, other.right), max(self.bottom, other.bottom),
        )  # fmt: skip


@dataclass(frozen=True)
class Word:
    """A word with the box of its ink."""

    text: str
    rect: Rect


@dataclass(frozen=True)
class Page:
    """A page: the paper, and its words in the order in which they were drawn."""

    paper: Rect
    words: tuple[Word, ...]


@dataclass(frozen=True)
class Printed:
    """A PDF, the boxes it was drawn from, and what WeasyPrint had to say.

    Each of ``boxes`` is WeasyPrint's box of one page. What of ``warnings``
    is about missing glyphs is left to ``missing_glyphs``.
    """

    data: bytes
    boxes: tuple[Any, ...]
    warnings: tuple[str, ...]

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """Its pages, read from the PDF alone."""
        with pypdfium2.PdfDocument(self.data) as document:
            return tuple(map(_page, document))

    @cached_property
    def missing_glyphs(self) -> tuple[str, ...]:
        """What is drawn with the empty box of a font, read from the PDF alone."""
        return tuple(dict.fromkeys(sign for font in self._fonts for sign in _boxes_of(font)))

    @property
    def families(self) -> set[str]:
        """The fonts that it holds, each without its tag and cut: ``Barlow``."""
        names = (str(font["/BaseFont"]).removeprefix("/") for font in self._fonts)
        return {name.partition("+")[2].partition("-")[0] for name in names}

    @cached_property
    def _fonts(self) -> list[Any]:
        pages = PdfReader(BytesIO(self.data)).pages
        fonts = [(page["/Resources"].get("/Font") or {}).values() for page in pages]
        return [font.get_object() for some in fonts for font in some]


def record(make: Callable[[], bytes]) -> Printed:
    """Make a PDF and keep the layout it was drawn from, and every warning."""
    from weasyprint.document import Document

    drawn: list[Document] = []
    told: list[str] = []
    write = Document.write_pdf

    def keeping(document: Document, *args: Any, **options: Any) -> Any:
        drawn.append(document)
        return write(document, *args, **options)

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not str(record.msg).startswith(NOTDEF):
                told.append(record.getMessage())

    listener, logger = Listener(logging.WARNING), logging.getLogger("weasyprint")
    logger.addHandler(listener)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Document, "write_pdf", keeping)
            data = make()
    finally:
        logger.removeHandler(listener)
    return Printed(data, tuple(page._page_box for page in drawn[-1].pages), tuple(told))


def _page(page: pypdfium2.PdfPage) -> Page:
    width, height = page.get_size()
    words: list[Word] = []
    broken = True
    for sign, rect in _signs(page, height):
        if sign.isspace() or rect is None:
            broken = broken or sign.isspace()
            continue
        mark = not sign or unicodedata.combining(sign[0]) > 0  # belongs to what is before it
        hyphen = bool(words) and words[-1].text.endswith("-") and rect.below(words[-1].rect)
        if not words or hyphen or (broken and not mark):
            words.append(Word(sign, rect))
        else:
            words[-1] = Word(words[-1].text + sign, words[-1].rect.around(rect))
        broken = False
    whole = (replace(word, text=_paired(word.text)) for word in words)
    return Page(Rect(0, 0, width, height), tuple(whole))


def _paired(text: str) -> str:
    """Put together what PDFium gives as the two halves of a pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def _signs(page: pypdfium2.PdfPage, height: float) -> Iterator[tuple[str, Rect | None]]:
    """Yield the signs of a page with the boxes of their ink; none for what was not drawn.

    They come in the order of drawing: PDFium itself puts what stands in one
    line together, even of two columns.
    """
    drawn = [
        raw.FPDFPage_GetObject(page, place) for place in range(raw.FPDFPage_CountObjects(page))
    ]
    order = {_address(one): number for number, one in enumerate(drawn)}
    read = page.get_textpage()
    rank, ranked = 0, []
    for place in range(read.count_chars()):
        rank = order.get(_address(raw.FPDFText_GetTextObject(read, place)), rank)
        ranked.append((rank, place))
    before = -1
    for _rank, place in sorted(ranked):
        if place != before + 1:
            yield " ", None
        before = place
        generated = raw.FPDFText_IsGenerated(read, place) == 1
        left, bottom, right, top = read.get_charbox(place)
        ink = None if generated else Rect(left, height - top, right, height - bottom)
        yield _sign(read, place), ink


def _address(handle: Any) -> int | None:
    return ctypes.cast(handle, ctypes.c_void_p).value


def _sign(read: pypdfium2.PdfTextPage, place: int) -> str:
    """Return a sign; an empty one for a glyph without a text of its own.

    Such is the letter below a mark that has the text of both.
    """
    if raw.FPDFText_HasUnicodeMapError(read, place) == 1:
        return ""
    return (
        "-"
        if raw.FPDFText_IsHyphen(read, place) == 1
        else chr(raw.FPDFText_GetUnicode(read, place))
    )


def _boxes_of(font: Any) -> Iterator[str]:
    """Yield what a font of the PDF draws as its glyph 0.

    WeasyPrint gives such signs numbers past the font's own glyphs, an
    encoding that leads them to 0, and their text as any other's.
    """
    encoding = font.get("/Encoding")
    if isinstance(encoding, str) or encoding is None or "/ToUnicode" not in font:
        return
    empty = re.findall(rb"<(\w{4})> 0\b", encoding.get_object().get_data())
    texts = dict(re.findall(rb"<(\w{4})> <(\w+)>", font["/ToUnicode"].get_object().get_data()))
    for number in empty:
        yield bytes.fromhex(texts[number].decode()).decode("utf-16-be")
