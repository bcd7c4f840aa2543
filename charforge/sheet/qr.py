"""QR codes of a sheet: drawn for printing, and read from photos and scans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import segno

from charforge.character.qr_codes import divide_into_codes, join_codes
from charforge.errors import UsageError
from charforge.language import _
from charforge.sheet.portraits import open_picture
from charforge.sheet.view import SaveCode

PHOTO_SIDE = 4000  # pixels of the shorter side that a photo keeps
QUIET_ZONE = 4  # modules around a code, as the standard demands


def save_codes(data: bytes) -> tuple[SaveCode, ...]:
    """Return the codes that contain a character file. Raises UsageError if it is too large."""
    try:
        contents = divide_into_codes(data)
    except ValueError as error:
        raise UsageError(str(error), _("Keep the PDF: it contains the character.")) from error
    return tuple(
        SaveCode(number, len(contents), _drawing(content))
        for number, content in enumerate(contents, start=1)
    )


def make_code(content: bytes) -> segno.QRCode:
    """Return a QR code of bytes; 15 % of it may be unreadable (level M)."""
    return segno.make(content, error="m", mode="byte", micro=False, boost_error=False)


def _drawing(content: bytes) -> str:
    """Return a code as an SVG drawing without a size."""
    return make_code(content).svg_inline(
        border=QUIET_ZONE, omitsize=True, light="#fff", svgclass="qr"
    )


def read_photos(photos: Iterable[tuple[Path, bytes]]) -> bytes:
    """Return the character file of the codes in photos.

    Raises DocumentError for pictures without all codes of one sheet, and
    UsageError if the library that reads codes is not installed.
    """
    photos = list(photos)
    contents = [content for path, data in photos for content in _codes_in(path, data)]
    return join_codes(contents, photos[0][0])


def _codes_in(path: Path, data: bytes) -> Iterator[bytes]:
    """Yield the contents of the QR codes in a picture."""
    try:
        # An optional extra.
        import zxingcpp
    except ImportError as error:
        raise UsageError(
            _("reading QR codes needs the library zxing-cpp"),
            _('To install it: pip install "charforge[photo]"'),
        ) from error
    with open_picture(data, path, PHOTO_SIDE) as image:
        found = zxingcpp.read_barcodes(
            image, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
        )
        yield from (code.bytes for code in found)
