"""Several sheets in one file: each as it would be alone, with what they have in common.

In a PDF the parts are drawn one by one, where and when one likes, and
written together: each counts its pages from 1, the outline, the tags and
what a reader calls the pages are of all. In HTML the style sheet of the
first part is that of the page; that of another is nested below the part,
where it differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pydyf
from markupsafe import Markup

from charforge.sheet.garbage import uncollected
from charforge.sheet.html import environment
from charforge.sheet.leaf import FOLDED, Entry, Leaf, Part, Pieces
from charforge.sheet.pdf import STYLE, outlined, unpaged, written
from charforge.sheet.pdf_objects import Written, object_of

PAGES = 1  # the number of the list of pages, in every PDF


@uncollected()
def bind(leaves: Sequence[Leaf], title: str) -> bytes:
    """Return the leaves as one PDF/UA document, the same bytes wherever they were drawn."""
    whole = unpaged(leaves[0].metadata)
    whole.metadata.title = title
    whole.metadata.description = None

    def finish(_document: Any, pdf: Any) -> None:
        for leaf in leaves:
            _add(pdf, leaf)
        outlined(pdf, _outline(leaves))
        pdf.catalog["PageLabels"] = _labels(leaves)

    return written(whole, [title.encode(), *(leaf.digest for leaf in leaves)], finish=finish)


def bind_html(parts: Sequence[Part], title: str) -> str:
    """Return the parts as one page of HTML, to be read from top to bottom."""
    looks: dict[tuple[tuple[str, str], ...], int] = {}
    leaves = []
    for part in parts:
        look = looks.setdefault(tuple(STYLE.findall(part.html)), len(looks))
        body = part.html.partition("<main>")[2].rpartition("</main>")[0]
        leaves.append((part.label, look, Markup(body)))  # noqa: S704 - by a template  # nosec B704
    styles = [
        (number, media, Markup(css))  # noqa: S704  # nosec B704
        for sheets, number in looks.items()
        for media, css in sheets
    ]
    return (
        environment().get_template("bound.html").render(title=title, styles=styles, leaves=leaves)
    )


def _add(pdf: Any, leaf: Leaf) -> None:
    """Add the objects of a leaf to a document under numbers of their own, its tags to the tree."""
    tree = object_of(pdf, pdf.catalog["StructTreeRoot"])
    whole, marks = object_of(pdf, tree["K"][0]), object_of(pdf, tree["ParentTree"])
    first = len(pdf.objects)
    numbers = {PAGES: PAGES, leaf.root: whole.number}
    numbers |= {old: first + place for place, (old, *_more) in enumerate(leaf.objects)}
    for _old, stream, pieces in leaf.objects:
        pdf.add_object(Written(_numbered(pieces, numbers), stream))
    for page in leaf.pages:
        pdf.pages["Kids"].extend((numbers[page], 0, "R"))
    pdf.pages["Count"] += len(leaf.pages)
    whole["K"].extend(pdf.objects[numbers[tag]].reference for tag in leaf.tags)
    marks["Nums"].append(Written(_numbered(leaf.marks, numbers)))


def _numbered(pieces: Pieces, numbers: Mapping[int, int]) -> bytes:
    return b"".join(
        piece if isinstance(piece, bytes) else b"%d 0 R" % numbers[piece] for piece in pieces
    )


def _outline(leaves: Iterable[Leaf]) -> list[Entry]:
    """Return the entries of all, those with a common name above them below one entry."""
    found: list[Entry] = []
    above, before = "", 0
    for leaf in leaves:
        entries = _later(leaf.outline, before)
        if not leaf.under:
            found += entries
        elif leaf.under == above:
            found[-1][2].extend(entries)
        else:
            found.append((leaf.under, entries[0][1], entries, FOLDED))
        above, before = leaf.under, before + len(leaf.pages)
    return found


def _later(entries: Iterable[Entry], before: int) -> list[Entry]:
    """Return entries of a part with so many pages before it."""
    return [
        (label, (page + before, x, y), _later(below, before), state)
        for label, (page, x, y), below, state in entries
    ]


def _labels(leaves: Iterable[Leaf]) -> Any:
    """Return what a reader calls the pages: the label and a number from 1, part by part."""
    numbers, first = pydyf.Array(), 0
    for leaf in leaves:
        style = {"P": pydyf.String(f"{leaf.label} "), "S": "/D"}
        numbers.extend((first, pydyf.Dictionary(style)))
        first += len(leaf.pages)
    return pydyf.Dictionary({"Nums": numbers})
