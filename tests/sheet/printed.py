"""Read a PDF: words, lines and drawings with their places on the page."""

from __future__ import annotations

import ctypes
import logging
import math
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from io import BytesIO
from typing import Any

import pypdfium2
from PIL import Image
from pypdf import PdfReader
from pypdfium2 import raw

from tests.requirements import require

SLACK = 0.5  # points by which ink may be off, such as the overhang of an italic
THIN = 4.0  # points: a filled shape as thin as this is a line
DOTS = 3  # pixels to a point, of a picture of a page
NOTDEF = ".notdef glyph"
SLOWER = "Using fontTools instead of HarfBuzz-Subset"  # the PDF looks the same


@dataclass(frozen=True, order=True)
class Finding:
    """One fault; page 0 is the whole document."""

    page: int
    fault: str
    about: str


@dataclass(frozen=True, order=True)
class Rect:
    """A rectangle in points from the upper left corner of the paper."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Its width in points."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Its height in points."""
        return self.bottom - self.top

    def scaled(self, by: float) -> Rect:
        """Return the rectangle in units of another size."""
        return Rect(by * self.left, by * self.top, by * self.right, by * self.bottom)

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
    """A word with the box of its ink, the size of its type in points and its marked content.

    The box of a ``turned`` word is larger than its ink.
    """

    text: str
    rect: Rect
    size: float = 0.0
    content: int = -1
    turned: bool = False


@dataclass(frozen=True)
class Page:
    """A page: the paper, and what is drawn on it.

    ``words`` are in the order of drawing. ``lines`` are straight lines by themselves, ``frames``
    the sides of boxes, and ``drawings`` everything else.
    """

    paper: Rect
    words: tuple[Word, ...]
    lines: tuple[Rect, ...]
    frames: tuple[Rect, ...]
    drawings: tuple[Rect, ...]


@dataclass(frozen=True, eq=False)
class Printed:
    """A PDF, and what WeasyPrint had to say.

    Missing glyphs are not in ``warnings`` but in ``missing_glyphs``. Two are never equal, so
    that what was read of one can be cached.
    """

    data: bytes
    warnings: tuple[str, ...]

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        """Its pages."""
        with pypdfium2.PdfDocument(self.data) as document:
            return tuple(map(_page, document))

    def pictures(self) -> Iterator[Image.Image]:
        """Yield its pages as pictures, with ``DOTS`` pixels to a point."""
        with pypdfium2.PdfDocument(self.data) as document:
            for page in document:
                yield page.render(scale=DOTS).to_pil().convert("RGB")

    @cached_property
    def reader(self) -> PdfReader:
        """Its objects; to read them again would take longer than most tests look at them."""
        return PdfReader(BytesIO(self.data))

    @cached_property
    def missing_glyphs(self) -> tuple[str, ...]:
        """What is drawn with the empty box of a font."""
        return tuple(dict.fromkeys(sign for font in self._fonts for sign in _boxes_of(font)))

    @property
    def families(self) -> set[str]:
        """The fonts that it holds, each without its tag and cut: ``Barlow``."""
        names = (str(font["/BaseFont"]).removeprefix("/") for font in self._fonts)
        return {name.partition("+")[2].partition("-")[0] for name in names}

    @cached_property
    def _fonts(self) -> list[Any]:
        pages = self.reader.pages
        fonts = [(page["/Resources"].get("/Font") or {}).values() for page in pages]
        return [font.get_object() for some in fonts for font in some]


def record(make: Callable[[], bytes]) -> Printed:
    """Make a PDF and keep every warning of WeasyPrint about it."""
    require("pango")
    told: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not str(record.msg).startswith((NOTDEF, SLOWER)):
                told.append(record.getMessage())

    listener, logger = Listener(logging.WARNING), logging.getLogger("weasyprint")
    logger.addHandler(listener)
    try:
        return Printed(make(), tuple(told))
    finally:
        logger.removeHandler(listener)


def page_texts(data: bytes) -> list[str]:
    """Return the text of each page of a PDF: pypdf takes about a second for a page of a sheet."""
    with pypdfium2.PdfDocument(data) as document:
        return [page.get_textpage().get_text_range() for page in document]


# ------------------------------------------------------------------ words


def _page(page: pypdfium2.PdfPage) -> Page:
    width, height = page.get_size()
    words: list[Word] = []
    broken = True
    for sign in _signs(page, height):
        if sign.text.isspace() or sign.ink is None:
            broken = broken or sign.text.isspace()
            continue
        # A combining mark belongs to the letter before it.
        mark = not sign.text or unicodedata.combining(sign.text[0]) > 0
        if not words or (broken and not mark) or _starts(sign, words[-1]):
            words.append(Word(sign.text, sign.ink, sign.size, sign.content, sign.turned))
        else:
            last = words[-1]
            words[-1] = replace(
                last, text=last.text + sign.text, rect=last.rect.around(sign.ink),
                size=min(last.size, sign.size),
            )  # fmt: skip
        broken = False
    whole = (replace(word, text=_paired(word.text)) for word in words)
    return Page(Rect(0, 0, width, height), tuple(whole), *_shapes(page, height))


def _starts(sign: Sign, word: Word) -> bool:
    """Whether a sign starts a word of its own: on the next line, or after a gap."""
    assert sign.ink is not None
    if sign.ink.below(word.rect):
        return True
    return sign.content != word.content and sign.ink.left - word.rect.right > 0.15 * sign.size


def _paired(text: str) -> str:
    """Put together what PDFium gives as the two halves of a pair."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


@dataclass(frozen=True)
class Sign:
    """A sign of a page with the box of its ink; none for what was not drawn."""

    text: str
    ink: Rect | None = None
    size: float = 0.0
    content: int = -1
    turned: bool = False


def _signs(page: pypdfium2.PdfPage, height: float) -> Iterator[Sign]:
    """Yield the signs of a page in the order of drawing.

    PDFium itself puts what stands in one line together, even of two columns.
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
    for rank, place in sorted(ranked):
        if place != before + 1:
            yield Sign(" ")
        before = place
        if raw.FPDFText_IsGenerated(read, place) == 1:
            yield Sign(_sign(read, place))
            continue
        left, bottom, right, top = read.get_charbox(place)
        ink = Rect(left, height - top, right, height - bottom)
        content = raw.FPDFPageObj_GetMarkedContentID(drawn[rank])
        size, turned = _type(drawn[rank])
        yield Sign(_sign(read, place), ink, size, content, turned)


def _type(text: Any) -> tuple[float, bool]:
    """Return the size of the type of a text object in points, and whether it is turned."""
    size, matrix = ctypes.c_float(), raw.FS_MATRIX()
    raw.FPDFTextObj_GetFontSize(text, size)
    raw.FPDFPageObj_GetMatrix(text, matrix)
    return size.value * math.hypot(matrix.c, matrix.d), abs(matrix.b) > 0.001


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


# ------------------------------------------------------------------ lines and drawings


def _shapes(
    page: pypdfium2.PdfPage, height: float
) -> tuple[tuple[Rect, ...], tuple[Rect, ...], tuple[Rect, ...]]:
    """Return the lines, the frames and the other drawings of a page, each once."""
    lines: dict[Rect, None] = {}
    frames: dict[Rect, None] = {}
    drawings: dict[Rect, None] = {}
    kinds = [raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE]
    for drawn in page.get_objects(filter=kinds, max_depth=1):
        left, bottom, right, top = drawn.get_bounds()
        bounds = Rect(left, height - top, right, height - bottom)
        ring = _ring(drawn, height) if drawn.type == raw.FPDF_PAGEOBJ_PATH else ()
        if ring:
            sides = tuple(side for side in ring if min(side.width, side.height) > 0.1)
            (lines if len(sides) == 1 else frames).update(dict.fromkeys(sides))
        elif min(bounds.width, bounds.height) <= THIN < max(bounds.width, bounds.height):
            lines[bounds] = None
        else:
            drawings[bounds] = None
    return tuple(lines), tuple(frames), tuple(drawings)


def _ring(drawn: Any, height: float) -> tuple[Rect, ...]:
    """Return the sides of a border: WeasyPrint fills the room between two rectangles."""
    mode, stroked = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(drawn.raw, mode, stroked)
    if mode.value != raw.FPDF_FILLMODE_ALTERNATE:
        return ()
    number = raw.FPDFPath_CountSegments(drawn.raw)
    matrix, points = drawn.get_matrix(), []
    if number not in (8, 10) or abs(matrix.b) > 0.001:  # a turned one is a drawing
        return ()
    for place in range(number):
        x, y = ctypes.c_float(), ctypes.c_float()
        raw.FPDFPathSegment_GetPoint(raw.FPDFPath_GetPathSegment(drawn.raw, place), x, y)
        points.append(matrix.on_point(x.value, y.value))
    inner, outer = (
        Rect(
            min(x for x, _ in half), height - max(y for _, y in half),
            max(x for x, _ in half), height - min(y for _, y in half),
        )
        for half in (points[: number // 2], points[number // 2 :])
    )  # fmt: skip
    return (
        Rect(outer.left, outer.top, outer.right, inner.top),
        Rect(outer.left, inner.bottom, outer.right, outer.bottom),
        Rect(outer.left, outer.top, inner.left, outer.bottom),
        Rect(inner.right, outer.top, outer.right, outer.bottom),
    )
