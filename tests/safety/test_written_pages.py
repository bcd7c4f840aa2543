"""Every kind of HTML file with hostile names, opened in a browser: only our elements, no request.

Names are printed in titles, headings and at the foot of pages: each must be only a text there.
A browser opens the pages of one text, which would run and ask for a picture and a frame;
test_characters reads those of all, --long opens them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext

from tests.conftest import REEF
from tests.safety.conftest import Sandbox
from tests.safety.inspection import META, look, tags
from tests.safety.test_packs import LAYOUTS
from tests.samples import few

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]
LONGEST = 200  # characters of a name
# What ends every place in which a name is: a style sheet, a title, a script, an attribute.
ENDED = "</style></title></script></svg>--> \"'>"
TEXTS = ("script", "meta", "css", "object", "attached", "svg", "styled")
PAGE = """() => ({
    ran: window.ran ?? null,
    tags: [...new Set([...document.querySelectorAll('*')].map(one => one.localName))],
    metas: [...document.querySelectorAll('meta')].map(one => one.name).filter(one => one),
    orders: [...document.querySelectorAll('meta[http-equiv]')].map(one => one.httpEquiv),
})"""


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Pages of a browser that keeps nothing."""
    context = browser.new_context()
    yield context
    context.close()


def game(folder: Path, name: str) -> None:
    """Write a game with a name."""
    shutil.copytree(REEF, folder)
    head = folder / "ruleset.yaml"
    quoted = name.replace("'", "''")
    written = head.read_text("utf-8").replace("name: The Reef", f"name: '{quoted}'", 1)
    head.write_text(written, "utf-8")


def commands(text: str) -> Iterator[list[str]]:
    """Yield the commands that write every kind of page with a text in every name."""
    yield ["catalog", "add", "./game", "--replace"]
    yield ["campaign", "--name", text, "--ruleset", "reef", "--force"]
    yield ["new", "--random", "--seed", "4", "--name", text, "-o", "a.json", "--force"]
    yield ["note", "a.json", text]
    for layout in LAYOUTS:
        yield ["sheet", "a.json", "--layout", layout, "--format", "html", "-o", f"{layout}.html"]
    yield ["sheet", "a.json", "--audit", "--odds", "--luck", "--qr", "-o", "more.html"]
    yield ["sheet", "--blank", "--ruleset", "reef", "-o", "blank.html"]
    yield ["party", "a.json", "-o", "party.html"]
    yield ["rulebook", "-o", "campaign.html"]
    yield ["rulebook", "--title", text, "-o", "titled.html"]


@pytest.mark.parametrize("kind", few(TEXTS, 0, slow=1))
def test_no_name_adds_anything_to_a_page(
    sandbox: Sandbox, context: BrowserContext, kind: str
) -> None:
    text = (ENDED + sandbox.payloads[kind])[:LONGEST]
    game(sandbox.work / "game", text)
    ran = sandbox.run(*commands(text))
    assert [(one.words, one.err[-300:]) for one in ran if one.code] == []
    pages = sorted(sandbox.work.glob("*.html"))
    assert len(pages) == len(LAYOUTS) + 5
    sandbox.listener.lenient = True
    for path in pages:
        look(path)
        page = context.new_page()
        told: list[str] = []
        page.on("request", lambda request, told=told: told.append(f"request {request.url}"))
        page.on("dialog", lambda dialog, told=told: told.append(f"dialog {dialog.message}"))
        page.on("popup", lambda popup, told=told: told.append(f"popup {popup.url}"))
        page.on("pageerror", lambda error, told=told: told.append(f"error {error}"))
        page.on("console", lambda line, told=told: told.append(f"console {line.text}"))
        page.goto(path.as_uri())
        page.wait_for_timeout(150)
        ours = (f"request {path.as_uri()}", "request data:image/", "request data:font/")
        assert [one for one in told if not one.startswith(ours)] == [], path.name
        assert page.url == path.as_uri()
        found = page.evaluate(PAGE)
        assert found["ran"] is None
        assert {*found["tags"]} <= tags(), path.name
        assert {*found["metas"]} <= META
        assert found["orders"] == ["Content-Security-Policy"]
        page.close()
