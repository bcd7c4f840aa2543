"""Photos of a sheet: the character file of the QR codes in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from charforge.errors import UsageError
from charforge.language import _
from charforge.sheet.portraits import open_picture
from charforge.sheet.qr_codes import join_codes

PHOTO_SIDE = 4000  # pixels of the shorter side that a photo keeps


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
        # Here, because it is an optional dependency.
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
