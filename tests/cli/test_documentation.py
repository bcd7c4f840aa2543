"""The documentation: its commands run, its links lead somewhere, its generated pages are current.

Every page is followed from top to bottom in an empty folder. A fence says what happens to it:

- ``sh``: each line is run and must succeed, or end as ``# exit code N`` says;
- ``text``: each line is printed by the ``sh`` block before it;
- ``yaml title="FILE"``: the file is written (without a title it is only shown);
- ``yaml title="FILE: add to KEY"``: the lines are added at the end of a key, or without
  ``to KEY`` at the end of the file; ``FILE: change`` has old lines, ``---``, and new ones;
- ``console``: shown, never run (it needs a terminal or changes the machine);
- ``<!-- run: … -->``: a command that readers need not see, such as the outcome of the wizard.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.source import ROOT

DOCS = ROOT / "docs"
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
EXIT_CODE = re.compile(r"\s+# exit code (\d)$")
GENERATED = {
    "pack-reference.md": "reference", "commands.md": "commands", "json.md": "json_output",
    "view.md": "view", "macros.md": "macros",
    "guides/gallery.md": "gallery",
}  # fmt: skip


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


READER = script("pages")
FOLLOWED = [
    page
    for page, text in PAGES.items()
    if any(block.language == "sh" for block in READER.blocks(text))
]


def run_line(run: Callable[..., Any], line: str) -> str:
    """Run one line of a page; return everything it printed."""
    expected = EXIT_CODE.search(line)
    command, _redirect, target = EXIT_CODE.sub("", line).partition(" > ")
    program, *arguments = shlex.split(command)
    assert program == "charforge", line
    ran = run(*arguments)
    assert ran.code == int(expected[1] if expected else 0), f"{line}\n{ran.out}{ran.err}"
    if target:
        Path(target).write_text(ran.out, encoding="utf-8")
    return f"{ran.out}\n{ran.err}\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", FOLLOWED)
def test_a_page_can_be_followed_to_the_letter(page, run, packs_home, tmp_path):
    packs_home.mkdir(parents=True)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    printed = ""
    for block in READER.blocks(PAGES[page]):
        if block.language in ("yaml", "jinja") and block.file:
            READER.write(tmp_path, block)
        elif block.language == "sh":
            printed = "".join(run_line(run, line) for line in block.text.splitlines() if line)
        elif block.language == "text":
            for line in block.text.splitlines():
                assert line in printed, f"{line}\n---\n{printed}"


def test_every_block_is_seen():
    for page, text in PAGES.items():
        fences = len(re.findall(r"^```", text, re.MULTILINE))
        shown = [b for b in READER.BLOCK.finditer(text) if not b["hidden"]]
        assert fences == 2 * len(shown), page
        languages = {block["language"] for block in shown}
        assert languages <= {"sh", "text", "yaml", "console", "python", "mermaid", "jinja"}, page
    assert {"tutorial.md", "game-master.md", "packs.md"} <= set(FOLLOWED)


@pytest.mark.parametrize("page", [*PAGES, "../README.md", "../CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page):
    path = (DOCS / page).resolve()
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        target, _hash, anchor = link.partition("#")
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), f"{page}: {link}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text("utf-8"), re.MULTILINE)
            assert anchor in map(heading_anchor, headings), f"{page}: {link}"


def heading_anchor(heading: str) -> str:
    """Return the anchor that a page gives a heading."""
    kept = (sign for sign in heading.lower() if sign.isalnum() or sign in " -_")
    return "".join(kept).replace(" ", "-")


@pytest.mark.parametrize(("page", "name"), GENERATED.items())
def test_a_generated_page_is_current(page, name):
    """``nox -s docs`` writes it; a key or an option that changes is documented, or this fails."""
    assert PAGES[page] == script(name).reference()
