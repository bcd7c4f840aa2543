"""Corrections of samples: only the corrected places of a file change."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, strategies as st

from charforge.rules.loading.yaml_reader import REMOVAL, Correction, corrected

NUMBERS = st.integers(-9, 99)
KEYS = st.sampled_from(["agi", "str", "max_hp", "status/prone"])
WRITTEN = st.dictionaries(KEYS, NUMBERS, min_size=1)


@pytest.mark.parametrize(
    ("text", "key_path", "value", "after"),
    [
        ("a: 1 # one\nb: 2\n", ("a",), 3, "a: 3 # one\nb: 2\n"),
        ("a: {b: 1, c: [x, y]}\n", ("a", "c"), ["z"], "a: {b: 1, c: [z]}\n"),
        ("a:\n- x\n# why\nb: 1\n", ("a",), ["y"], "a: [y]\n# why\nb: 1\n"),
        ("a:\n- x # one\n- y # two\n", ("a", 1), REMOVAL, "a:\n- x # one\n"),
        ("a: [x, y, z]\n", ("a", 1), REMOVAL, "a: [x, z]\n"),
        ("a: x\n", ("a", 0), REMOVAL, "a: []\n"),
        ("a:\n- x\n", ("a", 0), REMOVAL, "a: []\n"),
        ("a:\n  b: 1\n  c: 2\n", ("a", "c"), REMOVAL, "a:\n  b: 1\n"),
        ("- a: 1\n  b: 2\n", (0, "a"), REMOVAL, "- b: 2\n"),
        ("levels: {3: {values: {agi: 1}}}\n", ("levels", 3, "values", "agi"), -2,
         "levels: {3: {values: {agi: -2}}}\n"),
        ("a: 'ä'\r\nb: 1\r\n", ("b",), 2, "a: 'ä'\r\nb: 2\r\n"),
    ],
)  # fmt: skip
def test_one_correction(text, key_path, value, after):
    assert corrected(text, [Correction(key_path, value)]) == after


@given(WRITTEN, st.dictionaries(KEYS, NUMBERS), st.booleans())
def test_the_file_has_what_was_found_and_nothing_else_changes(written, found, block):
    """Every value that is corrected is read back; every comment stays."""
    text = (
        f"# Above.\n{yaml.safe_dump({'values': written}, default_flow_style=not block)}# Below.\n"
    )
    changes = {key: number for key, number in found.items() if key in written}
    after = corrected(text, [Correction(("values", key), new) for key, new in changes.items()])
    assert yaml.safe_load(after) == {"values": {**written, **changes}}
    assert (after.startswith("# Above.\n"), after.endswith("# Below.\n")) == (True, True)
