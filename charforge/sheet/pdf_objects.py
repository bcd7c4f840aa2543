"""Objects of a PDF that are bytes before it is written."""

from __future__ import annotations

import zlib
from typing import Any

import pydyf

LEVEL = 6  # of compression: the highest takes three times as long and spares 3%


class Written(pydyf.Object):  # type: ignore[misc]
    """An object that is bytes already; a stream is written by itself, others together."""

    def __init__(self, data: bytes, stream: bool = False) -> None:
        super().__init__()
        self.written, self.stream = data, stream

    @property
    def data(self) -> bytes:
        """What is written for it."""
        return self.written

    @property
    def compressible(self) -> bool:
        """Whether it may be written together with others."""
        return not self.stream


def number_of(reference: bytes) -> int:
    """Return the number in a reference such as ``12 0 R``."""
    return int(reference.split()[0])


def object_of(pdf: Any, reference: bytes) -> Any:
    """Return the object of a PDF that a reference names."""
    return pdf.objects[number_of(reference)]


def write_once(pdf: Any) -> None:
    """Put the objects of a finished PDF into bytes, and compress its streams in their places.

    So, too, with what its writing adds. A PDF with an identifier asks each for its
    bytes twice, and a stream would be compressed twice.
    """
    for number, one in enumerate(pdf.objects):
        if one.compressible and one.free != "f":
            pdf.objects[number] = made = Written(one.data)
            made.number = number
        compress(one)
    add = pdf.add_object

    def added(one: Any) -> None:
        add(one)
        compress(one)

    pdf.add_object = added


def compress(one: Any) -> None:
    """Compress in its place what an object holds, if it is a stream that should be."""
    if isinstance(one, pydyf.Stream) and one.compress:
        one.stream = [zlib.compress(b"\n".join(map(plain, one.stream)), LEVEL)]
        one.extra = {**one.extra, "Filter": "/FlateDecode"}
        one.compress = False


def plain(value: Any) -> bytes:
    """Return what is written for a value that names no object."""
    if isinstance(value, bytes):
        return value
    written: bytes = pydyf.Array([value]).data
    return written[1:-1]
