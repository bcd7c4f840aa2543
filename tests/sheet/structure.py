"""Read the structure tree of a PDF in the order of a screen reader."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pypdf.generic import IndirectObject

from tests.sheet.printed import Printed, Word

HEADING = re.compile(r"H[1-6]")


@dataclass
class Tag:
    """An element of the tree: its type, its text for figures, and what it holds in order.

    ``parts`` are tags and words, ``fields`` form fields. ``page`` is the number of its first page,
    from 1; ``headers`` is the number of headers of a cell of a table.
    """

    kind: str
    alt: str = ""
    page: int = 0
    headers: int = 0
    parts: list[Tag | Word] = field(default_factory=list)
    fields: list[Any] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What is read aloud: its words, and the text of each figure in its place."""
        texts = [part.text for part in self.parts]
        return " ".join(filter(None, [self.alt, *texts]))

    @property
    def words(self) -> list[Word]:
        """The words in it, without texts of figures."""
        return [word for part in self.parts for word in _words(part)]

    def walk(self) -> Iterator[Tag]:
        """Yield it and all tags in it, in the order of reading."""
        yield self
        for part in self.parts:
            if isinstance(part, Tag):
                yield from part.walk()

    def all(self, *kinds: str) -> list[Tag]:
        """Return all tags in it of some kinds."""
        return [tag for tag in self.walk() if tag.kind in kinds]


def _words(part: Tag | Word) -> list[Word]:
    return [part] if isinstance(part, Word) else part.words


@lru_cache(maxsize=1)
def structure(made: Printed) -> Tag:
    """Return the root of the structure tree of a PDF."""
    reader = made.reader
    numbers = {
        page.indirect_reference.idnum: number  # type: ignore[union-attr]
        for number, page in enumerate(reader.pages, 1)
    }
    contents: dict[tuple[int, int], list[Word]] = defaultdict(list)
    for number, page in enumerate(made.pages, 1):
        for word in page.words:
            contents[number, word.content].append(word)
    root: Any = reader.trailer["/Root"]
    return _tag(root["/StructTreeRoot"], 0, numbers, contents)


def _tag(
    element: Any, page: int, numbers: dict[int, int], contents: dict[tuple[int, int], list[Word]]
) -> Tag:
    page = _page_number(element, numbers) or page
    found = Tag(
        str(element.get("/S", "/Document"))[1:],
        str(element.get("/Alt", "")),
        page,
        len(element.get("/A", {}).get("/Headers", [])),
    )
    kids = element.get("/K", [])
    for kid in kids if isinstance(kids, list) else [kids]:
        inner = kid.get_object() if isinstance(kid, IndirectObject) else kid
        if isinstance(inner, int):
            found.parts += contents[page, inner]
        elif "/MCID" in inner:
            found.parts += contents[_page_number(inner, numbers) or page, inner["/MCID"]]
        elif "/Obj" in inner:
            found.fields.append(inner["/Obj"].get_object())
        else:
            found.parts.append(_tag(inner, page, numbers, contents))
    found.page = page or next((one.page for one in found.walk() if one.page), 0)
    return found


def _page_number(element: Any, numbers: dict[int, int]) -> int:
    page = element.get("/Pg")
    return numbers[page.indirect_reference.idnum] if page is not None else 0


def headings(made: Printed) -> Iterator[tuple[int, Word]]:
    """Yield the first word of each heading with the number of its page."""
    for tag in structure(made).walk():
        if HEADING.fullmatch(tag.kind) and tag.words:
            yield next((one.page for one in tag.walk() if one.words), tag.page), tag.words[0]
