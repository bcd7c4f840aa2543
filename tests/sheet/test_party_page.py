"""A party's page in a browser: typed notes are kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page

from charforge.sheet.build import build
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.party import PartyPart, parties, party_html, party_member, render_summary
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.trackers import page_trackers
from tests.browsers import TakePage, run_axe
from tests.sheet.conftest import Make
from tests.sheet.test_page import BEYOND, DESK, SCHEMES, WIDTHS

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


@pytest.fixture(scope="module")
def address(make: Make, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a captain with a vehicle and of a scout; only the scout has a sheet in it."""
    captain = make(level=5, role="role/the-captain", asset="vehicle/mechsuit", name="Nix")
    scout = make(role="role/the-scout", name="Ottoline Featherstonehaugh")
    play = page_trackers(scout, "otto", (), 2)
    games = parties([party_member(captain), party_member(scout, play=play)])
    parts = [
        PartyPart(render_summary(games, PrintOptions()), "The party"),
        PartyPart(render_html(build(scout), play=play), "Ottoline"),
    ]
    path = tmp_path_factory.mktemp("party") / "party.html"
    path.write_text(embed_fonts(party_html(parts, "Party: Nix, Ottoline")), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def sheets(make: Make, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of two characters with their sheets to play from."""
    members = []
    for number, (name, role) in enumerate({"Nix": "captain", "Ada": "scout"}.items(), 1):
        character = make(level=3, role=f"role/the-{role}", asset="augmentation/limb", name=name)
        members.append(party_member(character, play=page_trackers(character, name, (), number)))
    parts = [PartyPart(render_summary(parties(members), PrintOptions()), "The party")]
    parts += [PartyPart(render_html(one.view, play=one.play), one.view.name) for one in members]
    path = tmp_path_factory.mktemp("sheets") / "party.html"
    path.write_text(embed_fonts(party_html(parts, "Party: Nix, Ada")), encoding="utf-8")
    return path.as_uri()


def opened(take_page: TakePage, address: str) -> Page:
    page = take_page(**DESK)
    page.goto(address)
    return page


def test_what_is_typed_is_kept(take_page: TakePage, address: str) -> None:
    page = opened(take_page, address)
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


def turn_to(page: Page, name: str) -> None:
    """Follow the link to a sheet or to the party; the page shows it after the click."""
    page.get_by_role("link", name=name).click()
    page.locator("h1:visible", has_text=name).wait_for()


def lose(page: Page, button: str, amount: int) -> None:
    """Take damage in the pad that a button opens."""
    page.get_by_role("button", name=re.compile(button)).filter(visible=True).first.click()
    page.locator("dialog[open]").get_by_label("Amount").fill(str(amount))
    page.locator("dialog[open]").get_by_role("button", name="Damage").click()


def test_each_member_is_played_on_its_own_sheet(take_page: TakePage, sheets: str) -> None:
    page = opened(take_page, sheets)
    turn_to(page, "Nix")
    assert page.locator("h1:visible").inner_text() == "Nix"
    assert not page.locator(".party").is_visible()
    lose(page, "^HP [0-9]+: change", 5)
    page.get_by_role("checkbox", name="Prone").filter(visible=True).first.check()
    turn_to(page, "Ada")
    lose(page, "^HP [0-9]+: change", 2)
    kept = page.evaluate(
        "Object.entries(localStorage).map(([key, text]) => [key, JSON.parse(text)])"
    )
    events = {
        key: [event.get("by", event["do"]) for event in found["events"]] for key, found in kept
    }
    assert events == {"charforge.Nix": [-5, "condition"], "charforge.Ada": [-2]}
    page.reload()
    assert page.locator("h1:visible").inner_text() == "Ada"


def test_the_gms_page_shows_and_changes_the_sheets(take_page: TakePage, sheets: str) -> None:
    page = opened(take_page, sheets)
    row = page.locator(".vitals-table tbody").filter(has_text="Nix")
    hit_points = row.locator(".figure").first
    most = int(hit_points.inner_text())
    lose(page, "^Nix: HP", 7)
    assert int(hit_points.inner_text()) == most - 7
    turn_to(page, "Nix")
    assert page.locator(".gauge b:visible").first.inner_text() == str(most - 7)
    page.get_by_role("checkbox", name="Prone").filter(visible=True).first.check()
    page.get_by_role("button", name="Undo").filter(visible=True).click()
    page.get_by_role("checkbox", name="Taunted").filter(visible=True).first.check()
    turn_to(page, "The party")
    assert row.locator("[data-conditions]").inner_text() == "Taunted"
    notes = page.get_by_label("Nix: Conditions, notes")
    notes.fill("Behind the crates")
    page.reload()
    assert notes.input_value() == "Behind the crates"
    assert int(hit_points.inner_text()) == most - 7


def test_the_gms_page_undoes_the_latest_change_of_any_sheet(
    take_page: TakePage, sheets: str
) -> None:
    page = opened(take_page, sheets)
    figures = {
        name: page.locator(".vitals-table tbody").filter(has_text=name).locator(".figure").first
        for name in ("Nix", "Ada")
    }
    before = {name: int(box.inner_text()) for name, box in figures.items()}
    lose(page, "^Nix: HP", 3)
    lose(page, "^Ada: HP", 2)
    page.reload()
    lose(page, "^Nix: HP", 1)
    undo = page.locator(".party-undo")
    undone = []
    for _time in range(3):
        undo.get_by_role("button", name="Undo").click()
        undone.append(undo.get_by_role("status").inner_text())
    assert [text.split(":")[0] for text in undone] == ["Nix", "Ada", "Nix"]
    assert undone[0].endswith("HP −1.")
    assert {name: int(box.inner_text()) for name, box in figures.items()} == before
    undo.get_by_role("button", name="Undo").click()
    assert undo.get_by_role("status").inner_text().endswith("Nothing to undo.")
    assert undo.get_by_role("button").bounding_box()["height"] >= 44


def test_what_is_typed_is_printed_and_nothing_is_without_a_script(
    browser: Browser, address: str
) -> None:
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(address)
    assert page.locator("input, textarea").filter(visible=True).count() == 0
    assert page.locator(".vitals-table .write b").first.is_visible()
    plain.close()


@pytest.mark.needs("axe")
@pytest.mark.parametrize("part", ["", "#part-2"])
def test_axe_finds_nothing_at_any_width(take_page: TakePage, address: str, part: str) -> None:
    """Each width, and at the narrowest and the widest both schemes."""
    page = take_page(**DESK, bypass_csp=True)
    page.goto(address + part)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(BEYOND, width) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for scheme in SCHEMES if width in (WIDTHS[0], WIDTHS[-1]) else SCHEMES[:1]:
            page.emulate_media(color_scheme=scheme)
            passed, wrong = run_axe(page)
            assert passed > 20
            assert wrong == []
