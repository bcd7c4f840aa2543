"""A browser for tests of pages: Debian's Chromium, without a sandbox and with a fresh profile."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.requirements import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page  # slow to import, and few tests need it

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-background-networking"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser with a fresh profile.

    It is closed with its module: while it is open, nothing else may run an event loop.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


TakePage = Callable[..., "Page"]
FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"


class UsedPage:
    """A page that tests take in turn, with what it complained of."""

    def __init__(self, browser: Browser, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.context = browser.new_context(**settings)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        self.context.on("console", lambda told: self.complaints.append(told.text))
        self.context.on("dialog", self._refuse)

    def _refuse(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def clean(self) -> None:
        """Forget what a test did, and close the other pages that it opened."""
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        self.page.evaluate(FORGET)
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        scheme = self.settings.get("color_scheme", "null")
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.set_viewport_size(self.settings["viewport"])


@pytest.fixture(scope="module")
def used_pages(browser: Browser) -> dict[str, UsedPage]:
    """The pages that tests of a module have left, by the settings of their contexts."""
    return {}


@pytest.fixture
def take_page(browser: Browser, used_pages: dict[str, UsedPage]) -> Iterator[TakePage]:
    """Open a page with some settings that remembers nothing; what it complains of fails the test.

    It may be one that another test has left: a new one, with its process, takes longer to start
    than to show a sheet. A test that changes more than its viewport and medium, such as its clock,
    needs a context of its own.
    """
    taken: dict[str, UsedPage] = {}

    def take(**settings: Any) -> Page:
        key = repr(settings)
        taken[key] = used_pages.pop(key, None) or UsedPage(browser, settings)
        return taken[key].page

    yield take
    complaints = [text for used in taken.values() for text in used.complaints]
    for key, used in taken.items():
        if complaints or used.page.is_closed():
            used.context.close()
        else:
            used.clean()
            used_pages[key] = used
    assert complaints == []


RUN_AXE = """async parts => {
  const found = await axe.run(parts.length ? {include: parts.map(part => [part])} : document);
  const wrong = found.violations.flatMap(one => one.nodes.map(node => [one.id, node.html]));
  return {passed: found.passes.length, wrong};
}"""


class AxeResult(NamedTuple):
    """How many of axe's rules a page passes, and what breaks others: rule and element."""

    passed: int
    wrong: list[list[str]]


def run_axe(page: Page, *parts: str) -> AxeResult:
    """Check a page, or only these selectors, with axe-core; its context must bypass the policy.

    Only what is wrong leaves the browser: axe names each element for each rule that it passes.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return AxeResult(**page.evaluate(RUN_AXE, parts))
