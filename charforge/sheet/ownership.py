"""Whose sheet a file is: charforge replaces its own sheets of a character without asking."""

from __future__ import annotations

from pathlib import Path

from charforge.character.files import pdf_attachments, reader
from charforge.errors import DocumentError
from charforge.sheet.trackers import character_meta

HEAD = 20_000  # bytes of a page that contain the tag with its character


def is_sheet_of(path: Path, character: str | None) -> bool:
    """Return whether a file is a sheet that charforge made of a character, and nothing is lost.

    A PDF has the character as its attachment; one whose form was filled in is kept.
    """
    if not character or not path.is_file():
        return False
    try:
        with path.open("rb") as opened:
            head = opened.read(HEAD)
        if not pdf_attachments.is_pdf(head):
            return character_meta(character).encode() in head
        found = pdf_attachments.read_attachments(path)
        attached = reader.parse_bytes(found.character, path).id
    except (OSError, DocumentError):
        return False
    return attached == character and all(one.value == one.before for one in found.fields)
