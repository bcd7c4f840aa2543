"""Several sheets in one file: each as it would be alone, with what they have in common.

In a PDF the parts are laid out one by one and written together: each
counts its pages from 1, the outline and what a reader calls the pages are
of all. In HTML the style sheet of the first part is that of the page;
that of another is nested below the part, where it differs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from charforge.sheet.html import environment
from charforge.sheet.pdf import laid_out, written

STYLE = re.compile(r"<style( media=\"\w+\")?>(.*?)</style>", re.DOTALL)
FOLDED = "closed"  # the state of an entry whose own entries show when it is opened


@dataclass(frozen=True, slots=True)
class Part:
    """A page of HTML by its name in the outline.

    Parts with the same ``under`` follow each other below one entry with
    that name.
    """

    html: str
    name: str
    under: str = ""

    @property
    def label(self) -> str:
        """What stands before the numbers of its pages."""
        return f"{self.name}, {self.under.lower()}" if self.under else self.name


def bind(parts: Sequence[Part], title: str, begin: Callable[[Part], None] | None = None) -> bytes:
    """Return the parts as one PDF/UA document; ``begin`` is called before each is laid out.

    Raises SheetError like ``render_pdf``.
    """
    documents = []
    for part in parts:
        if begin is not None:
            begin(part)
        documents.append(laid_out(part.html))
    _outline(parts, documents)
    whole = documents[0].copy([page for document in documents for page in document.pages])
    whole.metadata.title = title
    whole.metadata.description = None
    labels = [(part.label, len(made.pages)) for part, made in zip(parts, documents, strict=True)]

    def finish(_document: Any, pdf: Any) -> None:
        pdf.catalog["PageLabels"] = _labels(labels)

    return written(whole, [title.encode(), *(part.html.encode() for part in parts)], finish=finish)


def bind_html(parts: Sequence[Part], title: str) -> str:
    """Return the parts as one page of HTML, to be read from top to bottom."""
    looks: dict[tuple[tuple[str, str], ...], int] = {}
    leaves = []
    for part in parts:
        look = looks.setdefault(tuple(STYLE.findall(part.html)), len(looks))
        body = part.html.partition("<main>")[2].rpartition("</main>")[0]
        leaves.append((part.label, look, Markup(body)))  # noqa: S704 - made by a template
    styles = [
        (number, Markup(media), Markup(css))  # noqa: S704
        for sheets, number in looks.items()
        for media, css in sheets
    ]
    return (
        environment().get_template("bound.html").render(title=title, styles=styles, leaves=leaves)
    )


def _outline(parts: Sequence[Part], documents: Sequence[Any]) -> None:
    """Set the entries of parts one level down where they have a common one above them."""
    above = ""
    for part, document in zip(parts, documents, strict=True):
        first = document.pages[0].bookmarks
        if not first or first[0][0] > 1:
            first.insert(0, (1, part.name, (0, 0), FOLDED))
        for page in document.pages:
            page.bookmarks = [
                (level + bool(part.under), label, place, FOLDED if level == 1 else state)
                for level, label, place, state in page.bookmarks
            ]
        if part.under and part.under != above:
            document.pages[0].bookmarks.insert(0, (1, part.under, (0, 0), FOLDED))
        above = part.under


def _labels(counted: Sequence[tuple[str, int]]) -> Any:
    """Return what a reader calls the pages: the label and a number from 1, part by part."""
    import pydyf

    numbers, first = pydyf.Array(), 0
    for label, pages in counted:
        style = {"P": pydyf.String(f"{label} "), "S": "/D"}
        numbers.extend((first, pydyf.Dictionary(style)))
        first += pages
    return pydyf.Dictionary({"Nums": numbers})
