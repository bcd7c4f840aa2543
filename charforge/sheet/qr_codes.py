"""QR codes of a sheet: a character file divided among them, joined again, drawn, and read.

Each code holds a header and a part of the compressed file. The header says
which of how many parts it is and has the checksum of the whole, so that codes
of other characters are noticed.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from charforge.errors import DocumentError, UsageError
from charforge.language import N_, _, ngettext
from charforge.limits import MAX_FILE_BYTES
from charforge.sheet.view import SaveCode

if TYPE_CHECKING:
    import segno

MARK = b"charforge"
QR_VERSION = 1
HEADER = struct.Struct(">9sBBBI")  # mark, version, number of the part, parts, checksum
PART_BYTES = 640  # with the header it fits a QR code of 97 modules, level M
MOST_PARTS = 255
PHOTO_ADVICE = N_("Take a sharp photo of all codes, from straight above and in even light.")


class CodePart(NamedTuple):
    """The contents of one code: a numbered part of a file, and the checksum of the whole file."""

    number: int
    parts: int
    checksum: int
    data: bytes


def divide_into_codes(data: bytes) -> list[bytes]:
    """Return the contents of the codes of a character file. Raises ValueError if too large."""
    packed = zlib.compress(data, 9)
    parts = [packed[at : at + PART_BYTES] for at in range(0, len(packed), PART_BYTES)]
    if len(parts) > MOST_PARTS:
        raise ValueError(
            _("the character needs {count} QR codes; the limit is {most_parts}").format(
                count=len(parts), most_parts=MOST_PARTS
            )
        )
    checksum = zlib.crc32(data)
    return [
        HEADER.pack(MARK, QR_VERSION, number, len(parts), checksum) + part
        for number, part in enumerate(parts, start=1)
    ]


def join_codes(contents: Iterable[bytes], place: Path) -> bytes:
    """Return the character file of the contents of codes, in any order.

    Codes that are not of charforge are ignored. ``place`` is the photo, for
    errors. Raises DocumentError for missing codes, codes of several
    characters, and a file that is not whole.
    """
    parts = [part for content in contents if (part := _read_part(content, place)) is not None]
    if not parts:
        raise DocumentError(place, _("no QR code of charforge was found in it"), _(PHOTO_ADVICE))
    if len({(part.checksum, part.parts) for part in parts}) > 1:
        raise DocumentError(
            place, _("its QR codes are from different sheets"), _("Photograph one sheet at a time.")
        )
    by_number = {part.number: part.data for part in parts}
    number = parts[0].parts
    missing = [str(n) for n in range(1, number + 1) if n not in by_number]
    if missing:
        raise DocumentError(
            place,
            ngettext(
                "code {names} of {number} could not be read",
                "codes {names} of {number} could not be read",
                len(missing),
            ).format(names=", ".join(missing), number=number),
            _("Take a sharper photo, or name several photos together."),
        )
    packed = b"".join(by_number[n] for n in sorted(by_number))
    data = _unpack(packed)
    if data is None or zlib.crc32(data) != parts[0].checksum:
        raise DocumentError(place, _("its QR codes are damaged"), _(PHOTO_ADVICE))
    return data


def _read_part(content: bytes, place: Path) -> CodePart | None:
    """Return the part in a code; None for a code of something else. Raises DocumentError."""
    if not content.startswith(MARK) or len(content) <= HEADER.size:
        return None
    _mark, version, number, parts, checksum = HEADER.unpack_from(content)
    if version != QR_VERSION:
        raise DocumentError(
            place, _("its QR codes are from a newer version of charforge"), _("Update charforge.")
        )
    if not 1 <= number <= parts:
        return None
    return CodePart(number, parts, checksum, content[HEADER.size :])


def _unpack(packed: bytes) -> bytes | None:
    """Return decompressed data, or None if it is damaged, incomplete or far too large."""
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, MAX_FILE_BYTES)
    except zlib.error:
        return None
    return data if unpacker.eof and not unpacker.unused_data else None


QUIET_ZONE = 4  # modules around a code, as the standard demands


def save_codes(data: bytes) -> tuple[SaveCode, ...]:
    """Return the codes that contain a character file. Raises UsageError if it is too large."""
    try:
        contents = divide_into_codes(data)
    except ValueError as error:
        raise UsageError(str(error), _("Keep the PDF: it contains the character.")) from error
    return tuple(
        SaveCode(number, len(contents), draw_code(content))
        for number, content in enumerate(contents, start=1)
    )


def make_code(content: bytes) -> segno.QRCode:
    """Return a QR code of bytes; 15 % of it may be unreadable (level M)."""
    # Here, because few sheets have codes, and segno takes 50 ms to import.
    import segno

    return segno.make(content, error="m", mode="byte", micro=False, boost_error=False)


def draw_code(content: bytes) -> str:
    """Return a code as an SVG drawing without a size."""
    return make_code(content).svg_inline(
        border=QUIET_ZONE, omitsize=True, light="#fff", svgclass="qr"
    )


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
    # Here, because drawing codes needs no pictures: Pillow takes 40 ms to import.
    from charforge.sheet.portraits import open_picture

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
