"""The guide to packs: every file of it is written, every command run, and said what it says."""

from __future__ import annotations

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE = DOCS / "packs.md"
FENCE = re.compile(r"^```(?P<what>\w+)(?: (?P<file>\S+))?\n(?P<text>.*?)^```$", re.M | re.S)
ENDS = re.compile(r"\s+# exit code (\d)$")


class Block(NamedTuple):
    """A block of the guide: a file, commands, or what they print."""

    what: str
    file: str
    text: str


def blocks() -> Iterator[Block]:
    for found in FENCE.finditer(GUIDE.read_text("utf-8")):
        yield Block(found["what"], found["file"] or "", found["text"])


@pytest.mark.slow
def test_the_guide_can_be_followed_to_the_letter(run, packs_home, tmp_path):
    """From an empty folder: files are written, commands run, in the order of the page."""
    packs_home.mkdir(parents=True)
    printed = ""
    for block in blocks():
        if block.what == "yaml":
            assert block.file, "a file of the guide has a name"
            path = tmp_path / block.file
            assert path.parent.is_dir(), block.file
            path.write_text(block.text, encoding="utf-8")
        elif block.what == "sh":
            printed = "".join(said(run, line) for line in block.text.splitlines())
        else:
            assert block.what == "text"
            for line in block.text.splitlines():
                assert line in printed, f"{line}\n---\n{printed}"
    assert (tmp_path / "nadia.pdf").read_bytes().startswith(b"%PDF")
    assert "Lantern" in (tmp_path / "hero.html").read_text("utf-8")


def said(run, line: str) -> str:
    """Run a command of the guide; return all that it prints."""
    ends = ENDS.search(line)
    program, *arguments = shlex.split(ENDS.sub("", line))
    assert program == "charforge", line
    ran = run(*arguments)
    assert ran.code == int(ends[1] if ends else 0), f"{line}\n{ran.out}{ran.err}"
    return f"{ran.out}\n{ran.err}\n"


def test_the_guide_has_what_the_test_looks_for():
    """A block that the pattern does not see would not be run."""
    found = list(blocks())
    assert GUIDE.read_text("utf-8").count("\n```") == 2 * len(found)
    assert {block.what for block in found} == {"yaml", "sh", "text"}
    commands = "".join(block.text for block in found if block.what == "sh")
    for name in ("new", "check", "test", "add", "show", "installed", "diff", "schema"):
        assert f"charforge catalog {name} " in f"{commands.replace(chr(10), ' ')} "


@pytest.mark.parametrize("page", ["packs.md", "pack-reference.md"])
def test_every_link_leads_somewhere(page):
    text = (DOCS / page).read_text("utf-8")
    anchors = {anchor(line) for line in re.findall(r"^#+ (.*)$", text, re.M)}
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 5
    for link in links:
        target, _hash, place = link.partition("#")
        assert (DOCS / target).exists() if target else place in anchors, link


def anchor(heading: str) -> str:
    """Return the name that a page gives a heading."""
    kept = (sign for sign in heading.lower() if sign.isalnum() or sign in " -_")
    return "".join(kept).replace(" ", "-")


def test_the_reference_is_what_the_models_say():
    """Written by docs/reference.py; a key that changes is told there, or this fails."""
    spec = importlib.util.spec_from_file_location("reference", DOCS / "reference.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert (DOCS / "pack-reference.md").read_text("utf-8") == script.reference()


def test_the_readme_leads_to_both():
    readme = DOCS.with_name("README.md").read_text("utf-8")
    assert "(docs/packs.md)" in readme
    assert "(docs/pack-reference.md)" in readme
