"""A browser for tests of pages: Debian's Chromium, without a sandbox and with a fresh profile."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.requirements import AXE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page  # slow to import, and few tests need it

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
