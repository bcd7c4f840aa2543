"""One file for a party: the GM's pages, all sheets and all cards, as PDF or HTML.

In a PDF each part is laid out separately, so that it numbers its pages from 1; then all pages
are written as one document with one outline and a label for each page. In HTML the style sheet
of the first part is that of the page; other style sheets are nested in the parts that need them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import pydyf
from markupsafe import Markup

from charforge.sheet.fit import FittedSheet
from charforge.sheet.html import environment
from charforge.sheet.pdf import lay_out, write
from charforge.sheet.playable import page_script

if TYPE_CHECKING:
    from weasyprint.document import Document, Page  # needs system libraries when it is imported

FOLDED = "closed"  # the state of an outline entry that hides the entries below it
STYLE = re.compile(r'<style(?: media="(\w+)")?>(.*?)</style>', re.DOTALL)


@dataclass(frozen=True, slots=True)
class PartyPart:
    """One part of a party's file: a page of HTML, and its name in the outline.

    ``fit`` lays out a part whose content has to fit on its pages, with HTML of its own.
    """

    html: str
    name: str
    fit: Callable[[], FittedSheet] | None = None

    def laid_out(self) -> tuple[PartyPart, Document]:
        """Return the part as it is printed, and its pages."""
        if self.fit is None:
            return self, lay_out(self.html)
        html, document = self.fit()
        return replace(self, html=html), document


def party_pdf(parts: Sequence[PartyPart], title: str) -> bytes:
    """Return the parts as one PDF/UA document. Raises SheetError like ``render_pdf``."""
    return merge_pdf([part.laid_out() for part in parts], title)


def merge_pdf(laid_out: Sequence[tuple[PartyPart, Document]], title: str) -> bytes:
    """Return one PDF of parts with their printed pages."""
    parts, documents = zip(*laid_out, strict=True)
    for part, document in zip(parts, documents, strict=True):
        _set_bookmarks(part, document.pages)
    merged = documents[0].copy([page for document in documents for page in document.pages])
    merged.metadata.title, merged.metadata.description = title, None
    lengths = [len(document.pages) for document in documents]
    label_pages = partial(_label_pages, list(zip(parts, lengths, strict=True)))
    return write(merged, [title, *(part.html for part in parts)], finisher=label_pages)


def _set_bookmarks(part: PartyPart, pages: Sequence[Page]) -> None:
    """Move the outline of a part below an entry with its name."""
    first = pages[0].bookmarks
    if not first or first[0][0] > 1:
        first.insert(0, (1, part.name, (0, 0), FOLDED))
    for page in pages:
        page.bookmarks = [
            (level, label, position, FOLDED if level == 1 else state)
            for level, label, position, state in page.bookmarks
        ]


def _label_pages(
    parts: Iterable[tuple[PartyPart, int]], _document: Document, pdf: pydyf.PDF
) -> None:
    """Label each page with its part and the number within it (a WeasyPrint finisher).

    ``parts`` are pairs of a part and its number of pages.
    """
    labels, first = pydyf.Array(), 0
    for part, page_count in parts:
        style = {"P": pydyf.String(f"{part.name} "), "S": "/D"}
        labels.extend((first, pydyf.Dictionary(style)))
        first += page_count
    pdf.catalog["PageLabels"] = pydyf.Dictionary({"Nums": labels})


def party_html(parts: Sequence[PartyPart], title: str) -> str:
    """Return the parts as one page of HTML, with a table of contents."""
    # The text between tags is safe: it was written, and escaped, by a template.
    numbers: dict[tuple[tuple[str, str], ...], int] = {}  # of each different set of style sheets
    sections = []
    for part in parts:
        number = numbers.setdefault(tuple(STYLE.findall(part.html)), len(numbers))
        body = part.html.partition("<main>")[2].rpartition("</main>")[0]
        sections.append((part.name, number, Markup(body)))  # noqa: S704  # nosec B704
    styles = [
        (number, media, Markup(css))  # noqa: S704  # nosec B704
        for style_sheets, number in numbers.items()
        for media, css in style_sheets
    ]
    template = environment().get_template("party_parts.html")
    scripts = [page_script(name) for name in ("play.js", "party.js")]
    return template.render(title=title, styles=styles, sections=sections, scripts=scripts)
