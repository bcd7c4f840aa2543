"""Objects of a PDF that are bytes before it is written."""

from __future__ import annotations

from typing import Any

import pydyf


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
    """Put the objects of a finished PDF into bytes.

    A PDF with an identifier asks each for its bytes twice, and a stream
    would be compressed twice.
    """
    for number, one in enumerate(pdf.objects):
        if one.free != "f":
            pdf.objects[number] = made = Written(one.data, not one.compressible)
            made.number = number
