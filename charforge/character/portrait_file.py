"""A character's portrait: a file beside its own, named with its hash.

The log holds the name alone. Only what has that hash is taken for the
portrait, whichever file bears the name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from charforge.character import storage
from charforge.character.document import Document, logged_portrait
from charforge.errors import DocumentError

MARKS = {
    "jpg": re.compile(rb"\xff\xd8\xff"),
    "png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
AGAIN = "Put the right file there, or print with --portrait."


def file_name(data: bytes) -> str:
    """Return the name that a picture's file has beside the character's.

    Raises ValueError for what is no JPEG, PNG or WebP.
    """
    ending = next((end for end, mark in MARKS.items() if mark.match(data)), None)
    if ending is None:
        raise ValueError("a portrait is a JPEG, a PNG or a WebP")
    return f"{_stem(data)}.{ending}"


def _stem(data: bytes) -> str:
    return f"portrait-{hashlib.sha256(data).hexdigest()[:16]}"


def beside(path: Path, document: Document) -> Path | None:
    """Return where the portrait of the character at ``path`` lies; None where it has none."""
    name = logged_portrait(document.log)
    return path.with_name(name) if name else None


def there(path: Path, document: Document) -> bool:
    """Whether what the log says of a portrait is so: its picture is there, or it has none."""
    try:
        read(path, document)
    except DocumentError:
        return False
    return True


def read(path: Path, document: Document) -> bytes | None:
    """Return the portrait of the character at ``path``; None where it has none.

    Raises DocumentError where its file is missing, or holds another picture.
    """
    file = beside(path, document)
    if file is None:
        return None
    if file.exists() and not file.is_file():
        raise DocumentError(file, "this is no ordinary file", AGAIN)
    data = storage.read_bytes(file)
    if _stem(data) != file.stem:
        raise DocumentError(file, "this is not the picture that was set as portrait", AGAIN)
    return data


def among(files: Mapping[str, bytes], document: Document) -> bytes | None:
    """Return the portrait of a character among the files that a PDF carries."""
    stem = Path(logged_portrait(document.log)).stem
    return next((data for data in files.values() if _stem(data) == stem), None)
