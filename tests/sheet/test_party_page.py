"""A party's file as a page in a browser: what the GM types is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from charforge.sheet.build import build
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.party import parties, party_member, render_summary
from charforge.sheet.party_pdf import PartyPart, party_html
from charforge.sheet.print_options import Look
from tests.browsers import CHROMIUM
from tests.sheet.conftest import Make
from tests.sheet.test_page import AXE, BEYOND, SCHEMES, WIDTHS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture(scope="module")
def address(make: Make, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a captain with a vehicle and of a scout."""
    captain = make(level=5, role="role/the-captain", asset="vehicle/mechsuit", name="Nix")
    scout = make(role="role/the-scout", name="Ottoline Featherstonehaugh")
    games = parties([party_member(captain), party_member(scout)])
    parts = [
        PartyPart(render_summary(games, Look()), "The party"),
        PartyPart(render_html(build(scout)), "Ottoline", "Sheets"),
    ]
    path = tmp_path_factory.mktemp("party") / "party.html"
    path.write_text(embed_fonts(party_html(parts, "Party: Nix, Ottoline")), encoding="utf-8")
    return path.as_uri()


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
    page.on("console", lambda told: pytest.fail(f"the page complained: {told.text}"))
    page.goto(address)
    return page


def test_what_is_typed_is_kept(context: BrowserContext, address: str) -> None:
    page = opened(context, address)
    hp = page.get_by_label("Nix: HP", exact=True)
    assert int(hp.input_value()) > 0
    hp.fill("17")
    page.get_by_label("Nix: Conditions, notes").fill("Prone, angry")
    page.get_by_label("Others 1: Others").fill("Bandit")
    page.reload()
    assert page.get_by_label("Nix: HP", exact=True).input_value() == "17"
    assert page.get_by_label("Nix: Conditions, notes").input_value() == "Prone, angry"
    assert page.get_by_label("Others 1: Others").input_value() == "Bandit"
    assert page.get_by_label("Mechsuit: HP", exact=True).input_value() != "17"


def test_what_is_typed_is_printed_and_nothing_is_without_a_script(
    browser: Browser, address: str
) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = opened(plain, address)
    assert page.locator("input, textarea").count() == 0
    assert page.locator(".vitals-table .write b").first.is_visible()
    plain.close()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not in CHARFORGE_AXE")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_at_any_width(browser: Browser, address: str, scheme: Any) -> None:
    for width in WIDTHS:
        person = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True
        )
        page = opened(person, address)
        assert page.evaluate(BEYOND, width) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document)")
        wrong = [(one["id"], node["html"]) for one in found["violations"] for node in one["nodes"]]
        assert wrong == []
        person.close()
