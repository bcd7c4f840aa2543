"""A part of a PDF, laid out and drawn by itself: in any process, to be bound with others.

What WeasyPrint lays out cannot leave its process. What it draws can: the
objects of a PDF, as bytes with gaps where one names another. Numbers are
given when all parts are bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from charforge.sheet import glyphs
from charforge.sheet.garbage import uncollected
from charforge.sheet.pdf import SCALE, drawn, laid_out
from charforge.sheet.pdf_objects import compress, number_of, object_of, plain

FOLDED = "closed"  # the state of an entry whose own entries show when it is opened
REFERENCE = re.compile(rb"(\d+) 0 R")
APART = 100_000  # between the keys of one part in the tree of tags and those of the next
OWN = 3  # objects that every PDF begins with: none, its pages, its catalog
Pieces = tuple[bytes | int, ...]  # of what is written: an int is the number of another object
Entry = tuple[str, tuple[int, float, float], list[Any], str]  # of an outline, as WeasyPrint has it


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


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part that is drawn: ``objects`` by their numbers here, streams told from others.

    ``pages`` and ``tags`` are objects too, the latter the highest of its
    tree, whose own root was ``root``; ``marks`` say by key which tags the
    contents of a page and its annotations have. ``signs`` are those that no
    font here can draw, ``digest`` that of the page it was made of.
    """

    label: str
    under: str
    objects: tuple[tuple[int, bool, Pieces], ...]
    pages: tuple[int, ...]
    root: int
    tags: tuple[int, ...]
    marks: Pieces
    outline: tuple[Entry, ...]
    metadata: Any
    signs: tuple[str, ...]
    digest: bytes


@uncollected()
def leaf(numbered: tuple[int, Part]) -> Leaf:
    """Lay out and draw a part, whose place among all is its number.

    Raises SheetError like ``render_pdf``.
    """
    number, part = numbered
    with glyphs.missing() as signs:
        document = laid_out(part.html)
        outline = _outline(part, document)
        pdf = drawn(document)
    tree = object_of(pdf, pdf.catalog["StructTreeRoot"])
    marks, whole = object_of(pdf, tree["ParentTree"]), object_of(pdf, tree["K"][0])
    keyed = [key + number * APART if isinstance(key, int) else key for key in marks["Nums"]]
    bound = {tree.number, marks.number, whole.number, number_of(pdf.catalog["Metadata"])}
    kept = [one for one in pdf.objects[OWN:] if one.number not in bound]
    for one in kept:
        _set_apart(one, number)
    return Leaf(
        part.label,
        part.under,
        tuple((one.number, not one.compressible, _joined(_object_pieces(one))) for one in kept),
        tuple(map(number_of, pdf.page_references)),
        whole.number,
        tuple(map(number_of, whole["K"])),
        _joined(_listed(keyed)),
        outline,
        document.metadata,
        tuple(signs),
        sha256(part.html.encode()).digest(),
    )


def _outline(part: Part, document: Any) -> tuple[Entry, ...]:
    """Return the entries of a part, below one of its own name; its pages keep none."""
    first = document.pages[0].bookmarks
    if not first or first[0][0] > 1:
        first.insert(0, (1, part.name, (0, 0), FOLDED))
    for page in document.pages:
        page.bookmarks = [
            (level, label, place, FOLDED if level == 1 else state)
            for level, label, place, state in page.bookmarks
        ]
    entries = document.make_bookmark_tree(SCALE, transform_pages=True)
    for page in document.pages:
        page.bookmarks = []
    return tuple(entries)


def _set_apart(one: Any, number: int) -> None:
    """Give what is named within the whole document a name that no other part has."""
    if not isinstance(one, dict):
        return
    for key in ("StructParents", "StructParent"):
        if key in one:
            one[key] += number * APART
    if "ID" in one:  # of the head of a table, which its cells share
        one["ID"].string = f"{number}-{one['ID'].string}"


def _object_pieces(one: Any) -> Iterator[bytes | int]:
    if one.compressible:
        yield from _pieces(one)
        return
    compress(one)
    data = b"\n".join(map(plain, one.stream))
    yield from _pieces({**one.extra, "Length": len(data)})
    yield b"\nstream\n" + data + b"\nendstream"


def _pieces(value: Any) -> Iterator[bytes | int]:
    """Yield what is written for a value, and the numbers of the objects it names.

    Only bytes name an object: a text that looks so is a string of the PDF.
    """
    if isinstance(value, dict):
        yield b"<<"
        for key, one in value.items():
            yield b"/" + plain(key) + b" "
            yield from _pieces(one)
        yield b">>"
    elif isinstance(value, list):
        yield b"["
        yield from _listed(value)
        yield b"]"
    elif isinstance(value, bytes) and REFERENCE.fullmatch(value):
        yield number_of(value)
    else:
        yield plain(value)


def _listed(values: list[Any]) -> Iterator[bytes | int]:
    for place, one in enumerate(values):
        if place:
            yield b" "
        yield from _pieces(one)


def _joined(pieces: Iterator[bytes | int]) -> Pieces:
    """Return pieces with those between two numbers in one."""
    made: list[bytes | int] = []
    text: list[bytes] = []
    for piece in pieces:
        if isinstance(piece, bytes):
            text.append(piece)
            continue
        made += [b"".join(text), piece]
        text = []
    return (*made, b"".join(text))
