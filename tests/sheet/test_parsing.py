"""A page is read for the PDF as a browser reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import pytest
import tinyhtml5

from charforge.rules.loader import available, load
from charforge.sheet import parsing
from charforge.sheet.blank import blank
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import STYLE
from charforge.sheet.print_options import Look
from tests.sheet.conftest import HOSTILE, Make, made

LAYOUTS = ("full", "short", "cards", "reference")


def elements(root: Element) -> Iterator[tuple[Any, ...]]:
    """Yield the elements of a body with what stands in them, in order."""
    for one in root.iter():
        if one.tag not in ("html", "head", "body"):
            yield one.tag, sorted(one.attrib.items()), one.text or "", one.tail or ""


def alike(html: str) -> None:
    page = STYLE.sub("", html)
    found = list(elements(parsing.tree(page)))
    read = list(elements(tinyhtml5.parse(page, namespace_html_elements=False)))
    inside = next(place for place, one in enumerate(found) if one[0] == "main")
    assert found[inside + 1 :] == read[-(len(found) - inside - 1) :]
    assert len(found) == len(read) > 30


@pytest.mark.parametrize("ruleset", available())
@pytest.mark.parametrize("layout", LAYOUTS)
def test_both_parsers_read_a_sheet_alike(ruleset: str, layout: Any) -> None:
    view = build(made(load(ruleset)))
    alike(render_html(view, Look(layout)))
    alike(render_html(view, Look(layout, fillable=True)))
    alike(render_html(blank(load(ruleset)), Look(layout, blank=True)))


def test_hostile_words_are_words_to_both(make: Make) -> None:
    alike(render_html(build(make(name=HOSTILE, story__further=HOSTILE))))


def test_what_is_no_xml_is_read_as_html() -> None:
    page = "<html lang=en><title>t</title><body><main><p>one<p>two &nbsp; &amp; a < b</main></html>"
    with pytest.raises(ParseError):
        parsing.tree(page)
    read = parsing.parsed(page, None)
    assert [one.text for one in read.etree_element.iter("p")] == ["one", "two \xa0 & a < b"]


def test_no_entity_can_be_declared() -> None:
    page = '<!DOCTYPE html [<!ENTITY e "eee">]><html lang="en"><body>{}</body></html>'
    assert parsing.tree(page.format("plain"))[0].text == "plain"
    with pytest.raises(ParseError):
        parsing.tree(page.format("&e;"))
