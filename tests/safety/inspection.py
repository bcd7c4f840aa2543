"""Read results of the program: elements of a page, objects of a PDF, embedded files."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject, StreamObject

from charforge.paths import data_folder
from charforge.sheet.trackers import page_script
from tests.safety.conftest import SECRET
from tests.safety.hostile import WORKED_OUT
from tests.sheet.printed import page_texts

ADDRESSES = {
    "src", "href", "action", "formaction", "srcset", "data", "poster", "background", "ping",
    "cite", "longdesc", "manifest", "xlink:href",
}  # fmt: skip
RUNNING = {"/JS", "/JavaScript", "/URI", "/Launch", "/GoToR", "/GoToE", "/SubmitForm",
           "/ImportData", "/RichMedia", "/XFA"}  # fmt: skip
TAG = re.compile(r"<([a-z][a-z0-9]*)")
PROSE = {"p", "ul", "li", "em", "strong"}  # what a text becomes
REACHING = {
    "applet", "area", "audio", "base", "embed", "foreignobject", "form", "frame", "iframe",
    "image", "link", "object", "picture", "portal", "source", "video",
}  # fmt: skip
META = {"charforge-character", "viewport", "author", "generator", "description"}


@cache
def tags() -> frozenset[str]:
    """Return the elements that the templates of sheets write; the live table has forms."""
    templates = data_folder("templates")
    sheets = (path for path in templates.rglob("*.html") if path.parent != templates / "serve")
    pages = [path.read_text("utf-8") for path in sheets]
    found = {tag for page in pages for tag in TAG.findall(page)} | PROSE
    assert found & REACHING == set()
    return frozenset(found)


class Page(HTMLParser):
    """What a browser makes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.handlers: set[str] = set()
        self.addresses: set[str] = set()
        self.meta: list[dict[str, str | None]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self.styles: list[str] = []
        self._open = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._open = tag if tag in self.inside else ""
        if self._open:
            self.inside[tag].append("")
        if tag == "meta":
            self.meta.append(dict(attributes))
        for name, value in attributes:
            if name.startswith("on"):
                self.handlers.add(f"{tag} {name}")
            if name in ADDRESSES:
                self.addresses.add(value or "")
            if name == "style":
                self.styles.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[self._open][-1] += data


def policy(html: str) -> dict[str, str]:
    """Return the directives of a page's content security policy."""
    met = [one for one in Page(html).meta if one.get("http-equiv")]
    assert [one["http-equiv"] for one in met] == ["Content-Security-Policy"]
    parts = (part.strip().partition(" ") for part in (met[0]["content"] or "").split(";"))
    return {name: value for name, _space, value in parts if name}


def look(path: Path) -> None:
    """State that a result holds no secret, nothing that runs, and no way to elsewhere."""
    data = path.read_bytes()
    assert data
    if path.suffix == ".html":
        look_at_page(data.decode("utf-8"))
    elif path.suffix == ".pdf":
        look_at_pdf(data)
    else:
        look_at_text(data)


def look_at_text(data: bytes) -> None:
    """State that bytes tell no secret, in no usual coding, and no template was run."""
    secret = SECRET.encode()
    codings = (
        secret,
        SECRET.encode("utf-16-be"),
        SECRET.encode("utf-16-le"),
        secret.hex().encode(),
    )
    codings += tuple(base64.b64encode(b" " * shift + secret)[4:-4] for shift in range(3))
    assert [one for one in codings if one in data] == []
    assert WORKED_OUT.encode() not in data
    assert b"<class '" not in data


def look_at_page(html: str) -> None:
    """State that a page has only the elements of templates, and addresses of its own."""
    look_at_text(html.encode())
    page = Page(html)
    assert page.tags <= tags(), page.tags - tags()
    assert page.handlers == set()
    elsewhere = {one for one in page.addresses if not one.startswith(("data:image/", "#"))}
    assert elsewhere == set()
    assert {one.get("name") for one in page.meta if "name" in one} <= META
    play, party = page_script("play.js").text, page_script("party.js").text
    assert page.inside["script"] in ([], [play], [play, party])
    for css in (*page.inside["style"], *page.styles):
        assert "@import" not in css
        assert re.findall(r"url\((?![\"']?data:)[^)]*\)", css) == []
    rules = policy(html)
    assert rules["default-src"] == "'none'"
    hashes = [hashlib.sha256(text.encode()).digest() for text in page.inside["script"]]
    allowed = [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in hashes]
    assert rules["script-src"] == (" ".join(allowed) or "'none'")
    assert rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == rules["font-src"] == "data:"
    assert not {"connect-src", "object-src", "frame-src", "worker-src"} - {"object-src"} & {*rules}
    assert rules.get("object-src", "'none'") == "'none'"


def look_at_pdf(data: bytes) -> None:
    """State the same of everything in a PDF, unpacked: its pages, its files, its objects."""
    look_at_text(data)
    reader = PdfReader(BytesIO(data))
    seen: set[int] = set()
    streams: list[bytes] = []
    todo: list[Any] = [reader.trailer]
    while todo:
        one = todo.pop()
        if isinstance(one, IndirectObject):
            if one.idnum in seen:
                continue
            seen.add(one.idnum)
            one = one.get_object()
        if isinstance(one, StreamObject):
            streams.append(one.get_data())
        if isinstance(one, DictionaryObject):
            assert {*one} & RUNNING == set()
            assert one.get("/S") not in RUNNING
            todo += one.values()
        elif isinstance(one, ArrayObject):
            todo += one
    assert len(streams) > 1
    for stream in streams:
        look_at_text(stream)
    look_at_text("\n".join(page_texts(data)).encode())
    names = [entry.name for entry in reader.attachment_list]
    assert {*names} <= {"character.json"} | {n for n in names if n.startswith("portrait-")}
