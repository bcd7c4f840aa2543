"""Random changes of bytes and data, with a preference for difficult values."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

TOKENS = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3(", b"\xed\xa0\x80", b"\\ud800", b"\\u0000", b'"',
    b"NaN", b"-Infinity", b"1e999", b"9" * 30, b"-0", b"0x10", b"[" * 60, b"{" * 60, b'{"a":' * 60,
    b"null", b"true", b"[]", b"{}", b"\r\n", b"\x1b[2J", b"\xf0\x9f\x90\xb2", b"&a [*a]", b"*b",
    b"!!python/object:os.system", b"<<: *a", b"%s", b"{0}", b"{{ x }}", b"../../x", b"CON",
)  # fmt: skip
VALUES = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**17, 0.5, 1e308, -0.0, "", " ", "x",
    "\u202e", "\ud800", "\0", "\x1b[31m", "0", "-1", "x" * 10_000, "{0}", "%s", "{{ x }}", "..",
    "role", "character", "event.1", "\u0301" * 500, "<b>", "|", ":", "/", [], {}, [[]], [None],
    {"": None}, [1] * 1000, {"a": {"b": [{}]}}, ["x"], {"str": 1},
)  # fmt: skip
MOST = 4  # changes of one thing


def changed_bytes(data: bytes, chance: Random) -> bytes:
    """Return bytes with a few places flipped, cut, doubled, moved or replaced."""
    for _ in range(chance.randint(1, MOST)):
        at, to = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        to = min(to, at + chance.choice((1, 8, 200, len(data))))
        act = chance.randrange(6)
        if act == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif act == 1:
            data = data[:at] + data[to:]
        elif act == 2:
            data = data[:to] + data[at:to] * chance.randint(1, 3) + data[to:]
        elif act == 3:
            data = data[:at] + chance.choice(TOKENS) + data[at:]
        elif act == 4:
            data = data[:at] + chance.choice(TOKENS) + data[to:]
        elif chance.random() < 0.3:
            data = data[:at]
    return data


def changed_data(data: Any, chance: Random) -> Any:
    """Return lists and maps with a few of their parts replaced, removed, doubled or swapped."""
    data = copy.deepcopy(data)
    for _ in range(chance.randint(1, MOST)):
        places = list(_places(data))
        if not places:
            return chance.choice(VALUES)
        inside, key = chance.choice(places)
        other_inside, other_key = chance.choice(places)
        act = chance.randrange(7)
        if act <= 2:
            inside[key] = copy.deepcopy(chance.choice(VALUES))
        elif act == 3:
            del inside[key]
        elif act == 4:
            inside[key] = copy.deepcopy(other_inside[other_key])
        elif act == 5 and isinstance(inside, list):
            inside.insert(key, copy.deepcopy(inside[key]))
        elif isinstance(inside, dict):
            inside[str(chance.choice(VALUES))[:40]] = inside.pop(key)
    return data


def _places(data: Any) -> Any:
    """Yield each part of data: what it is in, and its key or index there."""
    parts = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in list(parts):
        yield data, key
        if isinstance(value, dict | list) and value:
            yield from _places(value)
