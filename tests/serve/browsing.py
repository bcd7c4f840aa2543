"""A table whose pages are open in browsers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from charforge.serve.app import Server
from charforge.serve.guard import Guard
from charforge.serve.table import GAME_MASTER_SEAT, Seats, Table
from charforge.serve.table_actions import TableResult, run_table_action
from charforge.serve.table_state import TableStore
from tests.browsers import UsedPage, UsedPages

if TYPE_CHECKING:
    from playwright.sync_api import Dialog, Page  # slow to import, and few tests need it

AT = "2026-11-28 19:05+00:00"
PHONE: Any = {"width": 390, "height": 844}
DESK: Any = {"width": 1280, "height": 900}
# What Chromium says of an answer that is an error, and of htmx moving the focus.
HARMLESS = ("Failed to load resource", "Autofocus processing was blocked")
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
    confirm: Callable[[Page], list[str]]  # from now on; what the page asks is in the list

    def do(self, action: str, **fields: Any) -> TableResult:
        form = {name.replace("__", "."): value for name, value in fields.items()}
        return run_table_action(self.server.table, self.server.store, action, form, AT)


@pytest.fixture
def playing(
    files: list[Path], tmp_path: Path, serving: Callable[..., int], used_pages: UsedPages
) -> Iterator[Playing]:
    """A table with a server; pages that other tests have left are opened there."""
    table, folder = Table(files), tmp_path / "table"
    seats, store = Seats.open(folder, table.seats), TableStore.open(folder)
    server = Server(table, seats, store, lambda error, _seat: str(error), lambda: AT)
    hosts: set[str] = set()
    opened: list[UsedPage] = []
    confirming: list[tuple[Page, Callable[[Dialog], None]]] = []

    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        await Guard(app, hosts, server.connections)(scope, receive, send)

    def open_page(
        seat: str = GAME_MASTER_SEAT, scheme: Any = "light", touch: bool = False, **viewport: Any
    ) -> Page:
        size: Any = viewport or DESK
        settings = {"viewport": size, "color_scheme": scheme, "has_touch": touch}
        opened.append(used_pages.take(settings))
        page = opened[-1].page
        page.goto(f"http://127.0.0.1:{port}/s/{seats.token(seat)}")
        page.wait_for_selector("#live")
        page.wait_for_load_state()  # with the styles: the link's first page leads on by itself
        return page

    def confirm(page: Page) -> list[str]:
        asked: list[str] = []

        def accept(dialog: Dialog) -> None:
            asked.append(dialog.message)
            dialog.accept()

        page.on("dialog", accept)
        confirming.append((page, accept))
        return asked

    app = server.application()
    port = serving(guarded, server.connections)
    hosts.add(f"127.0.0.1:{port}")
    yield Playing(server, port, open_page, confirm)
    for page, accept in confirming:
        page.remove_listener("dialog", accept)
    for used in opened:
        used.complaints[:] = [one for one in used.complaints if not one.startswith(HARMLESS)]
    complaints = [text for used in opened for text in used.complaints]
    for used in opened:
        used_pages.leave(used)
    assert complaints == []
