"""One file for a whole party: the GM's pages, every sheet and all cards, each with its own name.

In a PDF each part is laid out as it would be alone, so that it counts its pages from 1, and
the pages of all are written together: outline, tags and page labels are those of one
document. In HTML the style sheet of the first part is that of the page; that of another is
nested below the part, where it differs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pydyf
from markupsafe import Markup

from charforge.sheet.html import environment
from charforge.sheet.pdf import lay_out, write

if TYPE_CHECKING:
    from weasyprint.document import Document, Page  # needs system libraries when it is imported

FOLDED = "closed"  # the state of an outline entry that hides the entries below it
STYLE = re.compile(r'<style(?: media="(\w+)")?>(.*?)</style>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class PartyPart:
    """One part of a party's file: a page of HTML and its name in the outline.

    Parts with the same ``group`` follow each other below one entry of that name.
    """

    html: str
    name: str
    group: str = ""

    @property
    def label(self) -> str:
        """The name of its pages, which a number follows."""
        return f"{self.name}, {self.group.lower()}" if self.group else self.name


def party_pdf(parts: Sequence[PartyPart], title: str) -> bytes:
    """Return the parts as one PDF/UA document. Raises SheetError like ``render_pdf``."""
    return merge_pdf(parts, [lay_out(part.html) for part in parts], title)


def merge_pdf(parts: Sequence[PartyPart], documents: Sequence[Document], title: str) -> bytes:
    """Write the laid out documents of parts as one PDF."""
    group = ""
    for part, document in zip(parts, documents, strict=True):
        _set_bookmarks(part, document.pages, opens_group=part.group != group)
        group = part.group
    merged = documents[0].copy([page for document in documents for page in document.pages])
    merged.metadata.title, merged.metadata.description = title, None
    lengths = [len(document.pages) for document in documents]
    label_pages = partial(_label_pages, list(zip(parts, lengths, strict=True)))
    return write(merged, [title, *(part.html for part in parts)], finisher=label_pages)


def _set_bookmarks(part: PartyPart, pages: Sequence[Page], opens_group: bool) -> None:
    """Put the outline of a part below one entry of its name, and that below its group's."""
    depth = 1 if part.group else 0
    first = pages[0].bookmarks
    if not first or first[0][0] > 1:
        first.insert(0, (1, part.name, (0, 0), FOLDED))
    for page in pages:
        page.bookmarks = [
            (level + depth, label, place, FOLDED if level == 1 else state)
            for level, label, place, state in page.bookmarks
        ]
    if part.group and opens_group:
        pages[0].bookmarks.insert(0, (1, part.group, (0, 0), FOLDED))


def _label_pages(
    parts: Iterable[tuple[PartyPart, int]], _document: Document, pdf: pydyf.PDF
) -> None:
    """Name each page by its part and its number there; ``parts`` come with their lengths."""
    labels, first = pydyf.Array(), 0
    for part, length in parts:
        style = {"P": pydyf.String(f"{part.label} "), "S": "/D"}
        labels.extend((first, pydyf.Dictionary(style)))
        first += length
    pdf.catalog["PageLabels"] = pydyf.Dictionary({"Nums": labels})


def party_html(parts: Sequence[PartyPart], title: str) -> str:
    """Return the parts as one page of HTML, to be read from top to bottom."""
    looks: dict[tuple[tuple[str, str], ...], int] = {}
    bodies = []
    for part in parts:
        look = looks.setdefault(tuple(STYLE.findall(part.html)), len(looks))
        body = part.html.partition("<main>")[2].rpartition("</main>")[0]
        bodies.append((part.label, look, Markup(body)))  # noqa: S704 - by a template  # nosec B704
    styles = list(_numbered_styles(looks))
    template = environment().get_template("bound.html")
    return template.render(title=title, styles=styles, leaves=bodies)


def _numbered_styles(
    looks: dict[tuple[tuple[str, str], ...], int],
) -> Iterator[tuple[int, str, Markup]]:
    """Yield each style sheet with the number of its look and its medium."""
    for sheets, number in looks.items():
        for media, css in sheets:
            yield number, media, Markup(css)  # noqa: S704 - by a template  # nosec B704
