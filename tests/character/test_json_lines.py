"""Line numbers in JSON files, compared with those of the YAML reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.character.files.reader import line_of
from charforge.rules.loading import yaml_reader

KEYS = st.text('ab" {}[]:,\\é', min_size=1, max_size=4)
LEAVES = st.none() | st.booleans() | st.integers(-99, 99) | KEYS
DATA = st.recursive(
    LEAVES, lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=4)
)
INDENTS = st.sampled_from([None, 0, 1, 3])
Place = tuple[str | int, ...]


def places(data: Any) -> Iterator[Place]:
    """Yield the path of every part of some data."""
    yield ()
    parts = data.items() if isinstance(data, dict) else ()
    for key, part in enumerate(data) if isinstance(data, list) else parts:
        yield from ((key, *place) for place in places(part))


@given(data=DATA, indent=INDENTS)
def test_it_is_the_line_of_the_yaml_reader(tmp_path_factory, data, indent):
    path: Path = tmp_path_factory.mktemp("json") / "file.json"
    path.write_text("\n" + json.dumps(data, indent=indent, ensure_ascii=False), encoding="utf-8")
    for place in places(data):
        assert line_of(path, place) == yaml_reader.locate(path, place)[0]


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (("log", 1, "do"), 5),
        (("log", 1, "text"), 4),  # the event without it
        (("log", 2), 2),
        (("name", "x"), 6),
        (("seed",), 1),
    ],
)
def test_the_last_part_that_exists_counts(tmp_path, where, line):
    path = tmp_path / "nix.json"
    lines = ["{", ' "log": [', '  {"do": "note"},', "  {", '   "do": "hold"}],', ' "name": "Nix"}']
    path.write_text("\n".join(lines), encoding="utf-8")
    assert line_of(path, where) == line


@pytest.mark.parametrize("text", ["", "{", '{"a": ', '{"a" 1, "b": 2}', "[1, ", "[" * 100_000])
def test_what_is_not_json_has_no_lines(tmp_path, text):
    path = tmp_path / "nix.json"
    path.write_text(text, encoding="utf-8")
    assert line_of(path, ("b",)) in (0, 1)
    assert line_of(path, (3,)) in (0, 1)
    assert line_of(tmp_path / "missing.json", ()) == 0
    (tmp_path / "picture.json").write_bytes(b"\xff\xd8\xff")
    assert line_of(tmp_path / "picture.json", ()) == 0
