"""QR codes: divide a character file among the codes of a sheet, and join it from photos.

Each code holds a header and a part of the compressed file. The header says
which of how many parts it is and has the checksum of the whole, so that codes
of other characters are noticed and nothing is read by halves.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from charforge.errors import DocumentError
from charforge.language import N_, _, ngettext

MARK = b"charforge"
VERSION = 1
HEADER = struct.Struct(">9sBBBI")  # mark, version, number of the part, parts, checksum
PART_BYTES = 640  # with the header it fits a QR code of 97 modules, level M
MOST_PARTS = 255
MOST_BYTES = 50_000_000  # of a file that codes contain
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
        HEADER.pack(MARK, VERSION, number, len(parts), checksum) + part
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
    if version != VERSION:
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
        data = unpacker.decompress(packed, MOST_BYTES)
    except zlib.error:
        return None
    return data if unpacker.eof and not unpacker.unused_data else None
