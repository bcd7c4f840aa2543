"""A browser for tests of pages: Debian's Chromium, without a sandbox and with a fresh profile."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser  # slow to import, and few tests need it

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
