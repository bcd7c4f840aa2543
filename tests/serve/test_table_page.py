"""The game master's page in a browser, with a player's phone beside it."""

from __future__ import annotations

from contextlib import ExitStack, closing

import pytest
from playwright.sync_api import Page

from charforge.serve.table import GAME_MASTER_SEAT
from tests.browsers import run_axe
from tests.serve.browsing import DESK, PHONE, SMALL, Playing
from tests.serve.clients import Browser, Listener

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]


def test_what_is_typed_stays_when_others_change_something(playing: Playing) -> None:
    playing.do("foe-add", name="Rat", hit_points="5", count="2")
    page, other = playing.open(), playing.open()
    page.click("#initiative > summary")
    page.fill("#figures-foe1", "19")
    page.click("#several-award > summary")
    page.fill("#several-award [name=what]", "half a wo")
    page.check("#who-everyone")
    page.focus("#several-award [name=what]")
    for number in range(3):
        other.fill(f"#amount-foe2-{5 - number}", "1")
        other.click("article:has-text('Rat 2') >> text=Damage")
        page.wait_for_selector(f"#amount-foe2-{4 - number}")
        assert page.input_value("#figures-foe1") == "19"
        assert page.input_value("#several-award [name=what]") == "half a wo"
        assert page.is_checked("#who-everyone")
        assert page.evaluate("document.activeElement.name") == "what"
    page.click("#initiative form > button")
    page.wait_for_selector("#turn-next")
    assert "Rat 1: 19" in page.inner_text("#result")


def test_a_whole_fight_is_seen_on_a_phone(playing: Playing) -> None:
    first, second = playing.server.table.seats
    page, phone = playing.open(), playing.open(first, **PHONE)
    page.click("#foe-add > summary")
    page.fill("#foe-form [name=name]", "Rat")
    page.fill("#foe-form [name=hit_points]", "41")
    page.click("#foe-form button")
    page.wait_for_selector("#figures-foe1", state="attached")
    page.click("#initiative > summary")
    page.fill(f"#figures-{first}", "30")
    page.fill(f"#figures-{second}", "20")
    page.fill("#figures-foe1", "10")
    page.click("#initiative form > button")
    phone.wait_for_selector("text=Your turn")
    page.click("#turn-next")
    phone.wait_for_selector("text=Your turn", state="hidden")
    phone.wait_for_selector("#others >> text=Rat")
    assert "41" not in phone.inner_text("#others")
    page.click("#settings > summary")
    page.check("[name=foe_vitals]")
    phone.wait_for_selector("#others >> text=41 / 41")
    page.click("#log > summary")
    playing.confirm(page)
    page.click("#end-combat")
    page.wait_for_selector("#end-combat", state="detached")
    phone.wait_for_selector("#turns section", state="detached")


def test_another_combat_has_to_be_confirmed_and_undo_brings_back_the_former(
    playing: Playing,
) -> None:
    first, second = playing.server.table.seats
    playing.do("initiative", who=[first], **{f"figures.{first}": "30"})
    page = playing.open()
    asked = playing.confirm(page)
    page.click("#initiative-again > summary")
    page.fill(f"#figures-{second}", "40")
    page.click("#initiative-again form > button")
    page.wait_for_selector(".places li >> nth=1")
    assert len(asked) == 1
    page.click("#result dialog >> text=Undo")
    page.wait_for_selector(".places li >> nth=1", state="detached")
    page.click("#redo")
    page.wait_for_selector(".places li >> nth=1")
    page.click("#result .close button")
    page.click("#next-turn, #turn-next")
    page.wait_for_selector("#result >> text=Round 1")


def connected(page: Page) -> Page:
    """Return a page when it is connected; the server counts those that are."""
    page.wait_for_function("!document.getElementById('main').inert")
    return page


def test_the_oldest_of_too_many_pages_is_told_and_stays_closed(playing: Playing) -> None:
    """A seat has room for eight; all but the two oldest are only connections."""
    seat = playing.server.table.seats[0]
    oldest, next_one = (connected(playing.open(seat, **PHONE)) for _page in range(2))
    visitor = Browser(playing.port)
    with ExitStack() as ending:
        ending.enter_context(closing(visitor))
        visitor.take_seat(playing.server.seats.token(seat))
        for number in range(7):
            ending.enter_context(closing(Listener(visitor, seat, f"newer{number}")))
        oldest.wait_for_selector("#closed:not([hidden])")
        oldest.wait_for_timeout(4_000)  # longer than a page waits for a sign of life
        assert oldest.is_hidden("#connection")
        assert not next_one.is_visible("#closed")
        oldest.click("#use-here")
        oldest.wait_for_selector("#live")
        next_one.wait_for_selector("#closed:not([hidden])")


def test_the_result_covers_no_form_on_a_wide_screen(playing: Playing) -> None:
    page = playing.open()
    playing.do("initiative", who=list(playing.server.table.seats))
    page.reload()
    page.click("#turn-next")
    page.wait_for_selector("#result dialog")
    result, parts = (page.locator(one).bounding_box() for one in ("#result", ".main-parts"))
    turns = page.locator("#gm-turns").bounding_box()
    assert result and parts and turns
    assert result["x"] + result["width"] <= parts["x"]
    assert turns["y"] + turns["height"] <= result["y"]
    assert result["y"] + result["height"] <= DESK["height"]


def test_a_refusal_is_told_and_changes_nothing_on_the_page(playing: Playing) -> None:
    page = playing.open()
    page.click("#several-damage > summary")
    page.fill("#several-damage [name=amount]", "1")
    page.click("#several-damage form > button")
    page.wait_for_selector("#result .refused")
    assert page.input_value("#several-damage [name=amount]") == "1"


@pytest.mark.needs("axe")
@pytest.mark.parametrize(("viewport", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_the_page_is_accessible_and_fits(
    playing: Playing, viewport: dict[str, int], scheme: str
) -> None:
    table = playing.server.table
    playing.do("foe-add", name="A" * 60 + " the rat", hit_points="5", notes="n" * 300)
    playing.do("foe-add", name="Ghost", hidden="1")
    playing.do("initiative", who=list(table.seats), figures__foe1="9", figures__foe2="8")
    playing.do("show", foe_vitals="1", **{f"seen.{table.seats[1]}": "all"})
    page = playing.open(GAME_MASTER_SEAT, scheme, **viewport)
    page.evaluate("""document.querySelectorAll(".gm details").forEach((one) => {
        one.removeAttribute("name");
        one.open = true;
    })""")
    assert page.evaluate(SMALL) == []
    phone = playing.open(table.seats[0], scheme, **viewport)
    phone.wait_for_selector("#others section")
    for shown, parts in ((page, ["body"]), (phone, ["#turns", "#others"])):
        assert shown.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        assert run_axe(shown, *parts).wrong == []
