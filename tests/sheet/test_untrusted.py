"""Texts from outside stay text, on any layout."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from typing import Any, get_args

import pytest

from charforge.paths import data_folder
from charforge.replay.replay import Character
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.party import parties, party_member, render_summary
from charforge.sheet.print_options import Layout, Look
from charforge.sheet.view import SheetView
from tests.sheet.conftest import HOSTILE, Make

PICTURE = "data:image/jpeg;base64,AAAA"
EVIL = f"x onload=alert(1) style=\"background:url('http://example.invalid')\" '>{HOSTILE}"
LENGTHS = re.compile(
    r"((width|height|left|top|font-size):\d+(\.\d+)?(mm|pt|rem);?)+"
    r"|width:calc\(\(100% - 2mm\)\*[01]\.\d+ - 2mm\)"
)
# What a template asks for or puts in a style; a pack can only write words and colours of a list.
KEYS = {"form", "mark", "header", "ornament", "colour", "on_dark"}


def hostile(value: Any) -> Any:
    """Return a view in which every text is ill meant."""
    if isinstance(value, str):
        return EVIL if value else value
    if hasattr(value, "_fields"):
        changed = {name: hostile(getattr(value, name)) for name in value._fields}
        return value._replace(**{name: new for name, new in changed.items() if name not in KEYS})
    if isinstance(value, tuple):
        return tuple(hostile(part) for part in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if field.init]
        changed = {name: hostile(getattr(value, name)) for name in names if name not in KEYS}
        return dataclasses.replace(value, **changed)
    return value


class Page(HTMLParser):
    """What a browser makes of a page: its elements, their attributes, its scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.styles: list[str] = []
        self.addresses: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attributes:
            self.names.add(f"{tag} {name}")
            if name == "style":
                self.styles.append(value or "")
            if name in ("src", "href", "action", "srcset", "data"):
                self.addresses.add(value or "")


@pytest.fixture(scope="module")
def scout(make: Make) -> Character:
    return make(level=5, role="role/the-scout", asset="vehicle/bike")


@pytest.fixture(scope="module")
def view(scout: Character) -> SheetView:
    return build(scout)


def shown(view: SheetView, look: Look, scout: Character) -> Page:
    """Return the page of a layout; that of a party has the view as its only member."""
    if look.layout == "party":
        return Page(render_summary(parties([party_member(scout, view)]), look))
    return Page(render_html(view, look))


@pytest.mark.parametrize("layout", get_args(Layout))
@pytest.mark.parametrize("fillable", [False, True])
def test_ill_meant_words_add_nothing_to_a_page(
    view: SheetView, scout: Character, layout: Layout, fillable: bool
) -> None:
    look = Look(layout=layout, fillable=fillable, portrait=PICTURE)
    tame, wild = shown(view, look, scout), shown(hostile(view), look, scout)
    assert EVIL in hostile(view).name
    assert wild.tags <= tame.tags
    assert wild.names <= tame.names
    assert "script" not in wild.tags
    assert bool(wild.styles) == (layout not in ("reference", "party"))
    assert [style for style in wild.styles if not LENGTHS.fullmatch(style)] == []
    assert wild.addresses <= {PICTURE}


def test_no_template_writes_an_attribute_without_quotes() -> None:
    templates = sorted(data_folder("templates").rglob("*.html"))
    assert len(templates) > 8
    bare = re.compile(r"<\w[^>]*\s[\w-]+=\s*(?!\")[^\s>]*\{\{")
    assert [path.name for path in templates if bare.search(path.read_text("utf-8"))] == []
    assert bare.search("<p class={{ x }}>")
    assert bare.search("<p id=\"a\" title='{{ x }}'>")
