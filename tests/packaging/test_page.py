"""The package's description as a package index renders it."""

from __future__ import annotations

import email
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.packaging.environments import run

pytestmark = pytest.mark.slow
RENDER = """
import sys
from readme_renderer.markdown import render
print(render(sys.stdin.buffer.read().decode()))
"""


class Page(HTMLParser):
    """What a page points at, and its headings."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [value or "" for name, value in attrs if name in ("href", "src")]


@pytest.fixture(scope="module")
def told(wheel: Path) -> email.message.Message:
    """What the wheel says of itself."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith("METADATA"))
        return email.message_from_bytes(packed.read(name))


def test_the_page_points_at_nothing_that_an_index_lacks(told: email.message.Message) -> None:
    text = str(told.get_payload())
    assert told["Description-Content-Type"] == "text/markdown"
    assert text.startswith("# charforge\n")
    assert "pip install charforge" in text
    assert re.findall(r"\]\((?!https?:)[^)]*\)", text) == []
    assert "![" not in text


def test_an_index_accepts_and_renders_it(
    told: email.message.Message, wheel: Path, sdist: Path, tools: Path, tmp_path: Path
) -> None:
    files = [str(wheel), str(sdist)]
    out = run([str(tools / "twine"), "check", "--strict", *files], tmp_path, tmp_path)
    assert out.count("PASSED") == 2
    (tmp_path / "page.md").write_text(str(told.get_payload()), encoding="utf-8")
    shown = f"{tools / 'python'} -W error -c '{RENDER}' < page.md"
    page = Page()
    page.feed(run(["bash", "-c", shown], tmp_path, tmp_path))
    assert {"h1", "h2", "table", "pre", "code"} <= set(page.tags)
    assert [target for target in page.targets if not target.startswith(("http", "#"))] == []
