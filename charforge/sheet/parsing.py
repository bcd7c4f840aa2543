"""A page read for the PDF: by the parser of XML, which a sheet is but for a few letters.

That of HTML, which WeasyPrint comes with, mends whatever people write; a
page of the templates has nothing to mend. It is read by it all the same
where it is no XML after all.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

from charforge.sheet.loading import load

VOID = re.compile(r"<((?:area|br|col|hr|img|input|link|meta|wbr)\b[^>]*?) ?/?>")
DRAWING = "http://www.w3.org/2000/svg"


def parsed(html: str, fetcher: Any) -> Any:
    """Return a page of HTML without style sheets as WeasyPrint takes it."""
    try:
        root = tree(html)
    except ElementTree.ParseError:
        return load().HTML(string=html, url_fetcher=fetcher)
    return _page(root, fetcher)


def tree(html: str) -> ElementTree.Element:
    """Return the elements of a page. Raises ParseError for what is no XML.

    Nothing before its root is read, so no entity can be declared.
    """
    _before, root, rest = html.partition("<html")
    closed = VOID.sub(r"<\1/>", root + rest).replace("<svg ", f'<svg xmlns="{DRAWING}" ')
    return ElementTree.fromstring(closed)  # noqa: S314 - see above  # nosec B314


def _page(root: ElementTree.Element, fetcher: Any) -> Any:
    """Return a page that is read already: to make one is to read a text."""
    from cssselect2 import ElementWrapper

    html = load().HTML

    class Page(html):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            self.base_url, self.url_fetcher, self.media_type = None, fetcher, "print"
            self.wrapper_element = ElementWrapper.from_html_root(root, content_language=None)
            self.etree_element = root

        def __getattr__(self, name: str) -> Any:
            """Return what another version's pages have besides, as an empty one has it."""
            return getattr(html(string="", url_fetcher=fetcher), name)

    return Page()
