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

    def clean(self) -> None:
        """Forget what a test did, and close the other pages that it opened.

        What listens to dialogs is the test's own, and so to be removed by it.
        """
        for other in self.context.pages:
            if other is not self.page:
                other.close()
        self.page.unroute_all()
        self.page.evaluate(FORGET)
        self.page.goto("about:blank")
        self.context.clear_cookies()
        self.page.mouse.move(0, 0)
        scheme = self.settings.get("color_scheme", "null")
        self.page.emulate_media(media="null", color_scheme=scheme)
        self.page.set_viewport_size(self.settings["viewport"])


class UsedPages:
    """The pages that tests of a module have left, by the settings of their contexts."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._left: dict[str, list[UsedPage]] = {}

    def take(self, settings: dict[str, Any]) -> UsedPage:
        """Return a page that was left, or a new one."""
        left = self._left.get(repr(settings))
        return left.pop() if left else UsedPage(self.browser, settings)

    def leave(self, used: UsedPage) -> None:
        """Leave a page to other tests, unless it complained or was closed."""
        if used.complaints or used.page.is_closed():
            used.context.close()
        else:
            used.clean()
            self._left.setdefault(repr(used.settings), []).append(used)


@pytest.fixture(scope="module")
def used_pages(browser: Browser) -> UsedPages:
    """The pages that tests of a module have left."""
    return UsedPages(browser)


@pytest.fixture
def take_page(used_pages: UsedPages) -> Iterator[TakePage]:
    """Open a page with some settings that remembers nothing; what it complains of fails the test.

    It may be one that another test has left: a new one, with its process, takes longer to start
    than to show a sheet. A test that changes more than its viewport and medium, such as its clock,
    needs a context of its own.
    """
    taken: list[UsedPage] = []

    def refuse(dialog: Dialog) -> None:
        taken[0].complaints.append(dialog.message)
        dialog.dismiss()

    def take(**settings: Any) -> Page:
        used = used_pages.take(settings)
        taken.append(used)
        used.context.on("dialog", refuse)
        return used.page

    yield take
    complaints = [text for used in taken for text in used.complaints]
    for used in taken:
        used.context.remove_listener("dialog", refuse)
        used_pages.leave(used)
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
