"""What can be shown of a character whose rules are not installed: what its file remembers."""

from __future__ import annotations

from charforge.character.document import Document
from charforge.errors import MissingPack
from charforge.rules import loader, loader as packs
from charforge.sheet.offline import offline_view
from charforge.sheet.view import SheetView


def summary_view(document: Document, error: MissingPack) -> SheetView:
    """Return the view of a character's summary, labelled with what is missing."""
    known = packs.load(document.ruleset) if document.ruleset in loader.available() else None
    return offline_view(document, known, f"as last saved: {error.reason}")
