"""What a file says at its top is what reading the whole of it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.rules import yaml_source
from charforge.rules.folders import built_in
from charforge.rules.heading import stated


@pytest.fixture
def said(tmp_path: Path):
    """Read the version that a text states."""

    def said(text: str) -> str:
        (tmp_path / "pack.yaml").write_text(text, encoding="utf-8")
        return stated(tmp_path / "pack.yaml", "version")

    return said


@pytest.mark.parametrize("folder", built_in().values(), ids=lambda folder: folder.name)
@pytest.mark.parametrize("key", ["id", "name", "version", "book", "text"])
def test_it_is_what_the_whole_file_says(folder: Path, key: str) -> None:
    file = folder / "ruleset.yaml"
    assert stated(file, key) == yaml_source.read(file)[key]


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("version: 1.2", "1.2"),
        ("id: calm\nversion: 'one'\n", "one"),
        ('{"id": "calm", "version": "2.0"}', "2.0"),
        ("needs: {version: 3, other: [version, 4]}\nversion: 5  # so far", "5"),
        ("list:\n  - version: 3\n  - version\nversion: 6\n", "6"),
        ("text: version\nversion: 7", "7"),
        ("id: &a calm\nname: *a\nversion: 8", "8"),
        ("version: 9\nworse: [", "9"),  # what comes after is not read
        ("? {k: l}\n: version\nid: 7\nversion: 8", "8"),
        ("'': a\nversion: 9", "9"),
        ("? [k]\n: v\nversion: 6", "6"),
    ],
)
def test_it_is_the_word_at_a_key_of_the_top(said, text, version):
    assert said(text) == version


@pytest.mark.parametrize(
    "text",
    ["", "# nothing", "version", "- version\n- 1\n", "id: calm", "version: [1]", "version: *gone",
     "a: {version: 1}", "id: [\nversion: 1", "\x00", "version: 'open",
     'version: "\\e[31mred"', 'version: "one\\ntwo"'],
)  # fmt: skip
def test_it_is_empty_where_there_is_no_such_word(said, text):
    assert said(text) == ""


def test_it_is_empty_where_nothing_can_be_read(tmp_path: Path) -> None:
    assert stated(tmp_path / "pack.yaml", "version") == ""
    (tmp_path / "pack.yaml").write_bytes(b"version: \xff\xfe")
    assert stated(tmp_path / "pack.yaml", "version") == ""
    assert stated(tmp_path, "version") == ""
