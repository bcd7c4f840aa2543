"""A page with hostile texts in a browser: nothing runs, and the policy forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from charforge.answers.automatic import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.party import PartyPart, party_html
from charforge.sheet.trackers import page_trackers
from charforge.sheet.values import audit
from charforge.usecases.create import create_character
from tests.conftest import REEF
from tests.safety.conftest import Listener, Sandbox
from tests.safety.hostile import payloads
from tests.safety.inspection import policy
from tests.safety.test_packs import TriedPack, write

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]
RAN = "[window.ran, document.querySelectorAll('iframe, object, embed, base, link').length]"


@dataclass
class Seen:
    """What a page did that it should not."""

    page: Page
    requests: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[[Path], Seen]]:
    """Open a page and take down what it asks for, says and opens."""
    context = browser.new_context()

    def visit(path: Path) -> Seen:
        page = context.new_page()
        seen = Seen(page)

        def dialog(met: Any) -> None:
            seen.told.append(f"dialog {met.message}")
            met.dismiss()

        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("dialog", dialog)
        page.on("pageerror", lambda error: seen.told.append(f"error {error}"))
        page.on("console", lambda told: seen.told.append(told.text))
        page.on("popup", lambda popup: seen.told.append(f"popup {popup.url}"))
        page.goto(path.as_uri())
        return seen

    yield visit
    context.close()


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> LoadedCharacter:
    """A diver of a reef of which every text is hostile; so is the name."""
    texts = payloads(Path("/private/canary.txt").as_uri(), "http://127.0.0.1:9")
    tried = TriedPack(REEF, tmp_path_factory.mktemp("hostile") / "pack")
    write(tried, tried.hostile(texts), whole=True)
    rules = load_folder(tried.folder)
    plan = CharacterSpec(rules, "page", texts["script"], 3)
    return replay_document(create_character(plan, RandomAnswers("page")), rules)


def own(seen: Seen, path: Path) -> list[str]:
    """Return the requests of a page that are neither for itself nor for what it holds."""
    return [
        one
        for one in seen.requests
        if one != path.as_uri() and not one.startswith(("data:image/", "data:font/", "blob:"))
    ]


def test_nothing_of_a_hostile_character_runs(
    opened: LoadedCharacter, sandbox: Sandbox, visit: Callable[[Path], Seen]
) -> None:
    """With every button pressed, every field filled, and what was kept read again."""
    view, document = build(opened.character), opened.document
    play = page_trackers(opened.character, document.id, document.log)
    html = render_html(view, None, tuple(audit(opened.character)), play)
    path = sandbox.work / "a.html"
    path.write_text(html, encoding="utf-8")
    for turn in range(2):
        seen = visit(path)
        shown = seen.page.inner_text("body")
        assert "window.ran=1" in shown and "onerror" in shown  # they are there to be read
        for box in seen.page.locator("#play input[type=checkbox]:visible").all():
            box.click()
        for number in seen.page.locator("#play input[type=number]:visible").all():
            number.fill("1")
            number.press("Enter")
        # Locators would be searched again for each of hundreds of buttons.
        pressed = seen.page.query_selector_all("#play button:visible:enabled")
        assert pressed or turn
        for button in pressed:
            button.dispatch_event("click")  # a panel that another button opened may cover it
        assert seen.page.evaluate(RAN) == [None, 0]
        assert seen.told == []
        assert own(seen, path) == []


def test_nothing_of_a_hostile_party_runs(
    opened: LoadedCharacter, sandbox: Sandbox, visit: Callable[[Path], Seen]
) -> None:
    part = PartyPart(render_html(build(opened.character)), opened.document.name)
    path = sandbox.work / "p.html"
    path.write_text(party_html([part, part], opened.document.name), encoding="utf-8")
    seen = visit(path)
    seen.page.locator("nav a").first.click()
    assert seen.page.evaluate(RAN) == [None, 0]
    assert seen.told == []
    assert own(seen, path) == []


DIRECTIVES = {
    "default-src": "'none'",
    "style-src": "'unsafe-inline'",  # widths of what is drawn stand at it; no style can reach out
    "img-src": "data:",
    "font-src": "data:",
    "base-uri": "'none'",
    "form-action": "'none'",
}
# Each asks for an address that ends with its own name, and would run if it begins with "run".
HOLES = {
    "run-script": "<script>window.ran=1</script>",
    "run-handler": "<img src='data:image/gif;base64,x' onerror='window.ran=1'>",
    "script": "<script src='{address}'></script>",
    "picture": "<img src='{address}'>",
    "style": "<link rel=stylesheet href='{address}'>",
    "import": "<style>@import '{address}';</style>",
    "background": "<p style=\"background: url('{address}')\">x</p>",
    "font": "<style>@font-face {{ font-family: x; src: url('{address}') }} "
    "p {{ font-family: x }}</style><p>x</p>",
    "frame": "<iframe src='{address}'></iframe>",
    "run-frame": "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    "object": "<object data='{address}'></object>",
    "embed": "<embed src='{address}'>",
    "preload": "<link rel=preload as=image href='{address}'>",
    "drawing": "<svg><image href='{address}'/></svg>",
    "run-drawing": "<svg><script>window.ran=1</script></svg>",
    "sound": "<audio src='{address}' autoplay></audio>",
    "film": "<video poster='{address}'></video>",
    "base": "<base href='{address}/'><img src='x.png'>",  # the last: it changes no other address
}


def torn(html: str, address: str) -> str:
    """Return a page into which the markup of each hole is put by force, instead of its contents."""
    before, _main, _after = html.partition("<main>")
    holes = (text.format(address=f"{address}/{name}") for name, text in HOLES.items())
    return f"{before}<main>{''.join(holes)}</main></body></html>"


@pytest.mark.parametrize("played", [True, False], ids=["screen", "paper"])
def test_the_policy_holds_where_escaping_would_not(
    dockhand: Callable[..., LoadedCharacter],
    sandbox: Sandbox,
    visit: Callable[[Path], Seen],
    played: bool,
) -> None:
    """Markup that escaping would stop reaches nobody and runs nothing.

    On paper only the policy of scripts is another one.
    """
    made = dockhand()
    play = page_trackers(made.character, made.document.id, made.document.log) if played else None
    html = render_html(build(made.character), play=play)
    rules = policy(html)
    assert {name: rules[name] for name in DIRECTIVES} == DIRECTIVES
    assert {*rules} == {*DIRECTIVES, "script-src"}
    assert rules["script-src"].startswith("'sha256-") if played else rules["script-src"] == "'none'"
    path = sandbox.work / "a.html"
    sandbox.listener.lenient = True
    path.write_text(torn(html, sandbox.listener.address), "utf-8")
    seen = visit(path)
    seen.page.wait_for_timeout(150)
    assert seen.page.evaluate("window.ran") is None
    assert seen.page.url == path.as_uri()
    assert sandbox.listener.heard == []


def test_without_a_policy_each_hole_would_be_used(
    tmp_path: Path, visit: Callable[[Path], Seen]
) -> None:
    """So those tests can fail, and no hole hides another."""
    listener = Listener()
    listener.lenient = True
    path = tmp_path / "a.html"
    path.write_text(torn("", listener.address), "utf-8")
    page = visit(path).page
    asking = {name for name in HOLES if not name.startswith("run-")}
    asked: set[str] = set()
    for _turn in range(100):
        asked = {request.split()[1].split("/")[1] for request in listener.heard}
        if asked == asking:
            break
        page.wait_for_timeout(50)
    listener.close()
    assert asked == asking
    for name, text in HOLES.items():
        if name.startswith("run-"):
            path.write_text(text, "utf-8")
            visit(path).page.wait_for_function("window.ran === 1")
