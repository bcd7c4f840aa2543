"""The game master's page in a browser, with a player's phone beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page

from charforge.serve.app import Server
from charforge.serve.evening import Evening
from charforge.serve.guard import Guard
from charforge.serve.seats import GAME_MASTER, Seats
from charforge.serve.table import Table
from charforge.serve.table_actions import TableResult, run_table_action
from tests.requirements import AXE

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

AT = "2026-11-28 19:05+00:00"
PHONE: Any = {"width": 390, "height": 844}
DESK: Any = {"width": 1280, "height": 900}
SMALL = """() => [...document.querySelectorAll("button, a, summary, select, label, input")]
    .filter((one) => one.offsetParent && one.type !== "checkbox" && one.type !== "hidden")
    .filter((one) => {
        const { width, height } = one.getBoundingClientRect();
        return width < 43.5 || height < 43.5;
    })
    .map((one) => one.outerHTML.slice(0, 100))"""


class Playing(NamedTuple):
    """A table with a server, and the pages that are open."""

    server: Server
    port: int
    open: Callable[..., Page]

    def do(self, action: str, **fields: Any) -> TableResult:
        form = {name.replace("__", "."): value for name, value in fields.items()}
        return run_table_action(self.server.table, self.server.evening, action, form, AT)


@pytest.fixture
def playing(
    files: list[Path], tmp_path: Path, serving: Callable[..., int], browser: Browser
) -> Iterator[Playing]:
    table, folder = Table(files), tmp_path / "table"
    seats, evening = Seats.open(folder, table.seats), Evening.open(folder)
    server = Server(table, seats, evening, lambda error, _seat: str(error), lambda: AT)
    hosts: set[str] = set()
    contexts, said = [], []

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        await Guard(app, hosts, server.connections)(scope, receive, send)

    def open_page(seat: str = GAME_MASTER, scheme: Any = "light", **viewport: Any) -> Page:
        size: Any = viewport or DESK
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"http://127.0.0.1:{port}/s/{seats.token(seat)}")
        page.wait_for_selector("#live")
        return page

    app = server.application()
    port = serving(guarded, server.connections)
    hosts.add(f"127.0.0.1:{port}")
    yield Playing(server, port, open_page)
    for context in contexts:
        context.close()
    assert [text for text in said if not text.startswith("Failed to load resource")] == []


def test_what_is_typed_stays_when_others_change_something(playing: Playing) -> None:
    playing.do("foe-add", name="Rat", hp="5", count="2")
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
    page.fill("#foe-form [name=hp]", "41")
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
    page.click("text=Log >> nth=0")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#end-combat")
    page.wait_for_selector("#end-combat", state="detached")
    phone.wait_for_selector("#turns section", state="detached")


def test_a_refusal_is_told_and_changes_nothing_on_the_page(playing: Playing) -> None:
    page = playing.open()
    page.click("#several-damage > summary")
    page.fill("#several-damage [name=amount]", "1")
    page.click("#several-damage form > button")
    page.wait_for_selector("#result .refused")
    assert page.input_value("#several-damage [name=amount]") == "1"


@pytest.mark.needs("axe")
@pytest.mark.parametrize(
    ("viewport", "scheme"), list(product([PHONE, DESK], ["light", "dark"]))
)  # fmt: skip
def test_the_page_is_accessible_and_fits(
    playing: Playing, viewport: dict[str, int], scheme: str
) -> None:
    table = playing.server.table
    playing.do("foe-add", name="A" * 60 + " the rat", hp="5", notes="n" * 300)
    playing.do("foe-add", name="Ghost", hidden="1")
    playing.do("initiative", who=list(table.seats), figures__foe1="9", figures__foe2="8")
    playing.do("visibility", foe_vitals="1", **{f"seen.{table.seats[1]}": "all"})
    page = playing.open(GAME_MASTER, scheme, **viewport)
    page.evaluate("""document.querySelectorAll(".gm details").forEach((one) => {
        one.removeAttribute("name");
        one.open = true;
    })""")
    assert page.evaluate(SMALL) == []
    phone = playing.open(table.seats[0], scheme, **viewport)
    phone.wait_for_selector("#others section")
    for shown, parts in ((page, ["body"]), (phone, ["#turns", "#others"])):
        assert shown.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
        shown.evaluate(AXE.read_text(encoding="utf-8"))
        found = shown.evaluate(
            "(parts) => axe.run({include: parts.map((part) => [part])})", parts
        )  # fmt: skip
        assert [(one["id"], one["nodes"][0]["html"]) for one in found["violations"]] == []
