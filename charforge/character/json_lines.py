"""The line of any part of a JSON file, found without building the whole file again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\r\n]*")
CLOSING = {"{": "}", "[": "]"}


def line_of(path: Path, where: Sequence[str | int]) -> int:
    """Return the line (from 1) of the part of a file at the end of a path of keys.

    If the path leads nowhere, its last part that exists counts. Returns 0
    if the file is not JSON.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        position = value = _skip_space(text, 0)
        for part in where:
            found = _find(text, value, part)
            if found is None:
                break
            position, value = found
    except (OSError, ValueError, RecursionError):
        return 0
    return text.count("\n", 0, position) + 1


def _find(text: str, start: int, part: str | int) -> tuple[int, int] | None:
    """Return where an entry of the map or list at ``start`` begins, and where its value does."""
    closing = CLOSING.get(text[start : start + 1])
    number, at = 0, _skip_space(text, start + 1)
    while closing is not None and text[at : at + 1] != closing:
        entry, key = at, number
        if closing == "}":
            key, at = DECODER.raw_decode(text, at)
            at = _skip_space(text, _skip_space(text, at) + 1)  # the colon
        if key == part:
            return entry, at
        _value, at = DECODER.raw_decode(text, at)
        at = _skip_space(text, at)
        if text[at : at + 1] != ",":
            return None
        number, at = number + 1, _skip_space(text, at + 1)
    return None


def _skip_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return at if found is None else found.end()
