"""The fenced blocks of a page of the documentation: files to write and commands to run.

tests/cli/test_documentation.py follows every page with it; pictures.py makes what a page makes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BLOCK = re.compile(
    r'^```(?P<language>\w*)(?: title="(?P<file>[^"]+)")?\n(?P<text>.*?)^```$'
    r"|^<!-- run: (?P<hidden>.*?) -->$",
    re.MULTILINE | re.DOTALL,
)


class Block(NamedTuple):
    """A fenced block of a page: its language, the file it is, its text."""

    language: str
    file: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """Yield the blocks in the text of a page."""
    for match in BLOCK.finditer(page):
        if match["hidden"]:
            yield Block("sh", "", match["hidden"] + "\n")
        else:
            yield Block(match["language"], match["file"] or "", match["text"])


def write(folder: Path, block: Block) -> None:
    """Write the file of a block, or edit it as its title says. Raises ValueError."""
    name, _colon, edit = block.file.partition(": ")
    path = folder / name
    if not edit:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return
    text = path.read_text("utf-8")
    if edit == "change":
        old, _line, new = block.text.partition("---\n")
        if text.count(old.rstrip("\n")) != 1:
            raise ValueError(f"{block.file}: the old lines must be there once")
        path.write_text(text.replace(old.rstrip("\n"), new.rstrip("\n")), encoding="utf-8")
        return
    key = edit.removeprefix("add").removeprefix(" to ")
    found = re.search(rf"^{key}:\n(?:[ ].*\n)+", text, re.MULTILINE) if key else None
    if key and found is None:
        raise ValueError(f"{block.file}: there is no such key")
    end = found.end() if found else len(text)
    path.write_text(text[:end] + block.text + text[end:], encoding="utf-8")
