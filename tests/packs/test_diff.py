"""Differences between two versions of a pack, field by field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from charforge.cli.packs.update import field_line
from charforge.packs.diff import FieldDiff, PackMarks, field_diffs, patch_diffs, ruleset_diffs
from charforge.packs.install import load_checked
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset
from tests.conftest import REEF

ICE = Path(__file__).parents[2] / "examples" / "under-the-ice"
Row = tuple[str, Any, Any]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        pytest.param({"a": 1}, {"a": 2}, [("a", 1, 2)], id="a number"),
        pytest.param({"a": 1}, {"b": 1}, [("a", 1, None), ("b", None, 1)], id="another key"),
        pytest.param({"a": {"b": 1, "c": 1}}, {"a": {"b": 1}}, [("a c", 1, None)], id="in a map"),
        pytest.param({"a": ["x", "y"]}, {"a": ["y", "z"]}, [("a", "x", None), ("a", None, "z")],
            id="items"),
        pytest.param({"a": ["x", "y"]}, {"a": ["y", "x"]}, [("a order", ["x", "y"], ["y", "x"])],
            id="only the order"),
        pytest.param({"a": [{"id": "x", "n": 1}, {"id": "y"}]}, {"a": [{"id": "x", "n": 2}]},
            [("a x n", 1, 2), ("a y", {"id": "y"}, None)], id="items with ids"),
        pytest.param({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}, {"n": 4}]},
            [("a 2 n", 2, 3), ("a 3", None, {"n": 4})], id="items without ids"),
        pytest.param({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 2}]}, [("a 1", {"n": 1}, None)],
            id="the first of two gone"),
        pytest.param({"a": 1}, {"a": [1]}, [("a", 1, [1])], id="another sort"),
        pytest.param({"a": [{"x": 1}]}, {"a": [{"x": 1}]}, [], id="nothing"),
    ],
)  # fmt: skip
def test_fields(old: Any, new: Any, found: list[Row]) -> None:
    assert [(" ".join(f.path), f.old, f.new) for f in field_diffs(old, new)] == found


@pytest.mark.parametrize(
    ("field", "line"),
    [
        (FieldDiff(("slots",), 1, 2), "slots: 1 → 2"),
        (FieldDiff(("slots",), None, 2), "slots: + 2"),
        (FieldDiff(("fragile",), True, None), "fragile: − true"),
        (FieldDiff(("a", "b"), {"x": [1, "y"]}, False), "a b: {x: [1, y]} → false"),
        (
            FieldDiff(("text",), f"{'Long ago ' * 9}a man came. The end is near.",
                  f"{'Long ago ' * 9}a woman came. The end is near."),
            "text: …ago Long ago a man came. The…"
            " → …ago Long ago a woman came. The…",
        ),
        (
            FieldDiff(("text",), "Words. " * 20, None),
            f"text: − {('Words. ' * 20)[:69].rstrip()}…",
        ),
    ],
    ids=["changed", "come", "gone", "sorts", "in a long text", "a long text"],
)  # fmt: skip
def test_a_field_in_words(field: FieldDiff, line: str) -> None:
    assert field_line(field) == line


def test_how_a_file_spells_it_is_no_difference(toy: Ruleset, edited: Callable[..., Path]) -> None:
    """One tag is a list of one; what is a default need not be said."""
    folder = edited(
        ("people.yaml", "tags: [shore]", "tags: shore"),
        ("things.yaml", "{id: pet/gull, name: Gull,", "{name: Gull, slots: null, id: pet/gull,"),
    )
    other = load_folder(folder)
    assert other.hash != toy.hash
    assert [*ruleset_diffs(toy, other)] == []


def test_parts_of_a_ruleset(toy: Ruleset, edited: Callable[..., Path]) -> None:
    """An alias is not told again of what it stands for; a renamed entity is one, not two."""
    folder = edited(
        ("ruleset.yaml", "{formula: nerve + 4, minimum: 5}", "{formula: nerve + 5, minimum: 5}"),
        ("things.yaml", "weight: 2, price: 6", "weight: 2, price: 7"),
        ("things.yaml", "pet/gull, name: Gull,", "pet/tern, renamed_from: pet/gull, name: Tern,"),
        ("rulings.yaml", "title: Wreckage", "title: Wrecks"),
    )
    found = [*ruleset_diffs(toy, load_folder(folder))]
    assert [(c.part, c.how, c.id, c.old_id) for c in found] == [
        ("ruleset", "changed", "toy", ""),
        ("entity", "changed", "gear/oilskin", ""),
        ("entity", "renamed", "pet/tern", "pet/gull"),
        ("ruling", "changed", "L1", ""),
    ]
    ways = [(" ".join(f.path), f.old, f.new) for c in found for f in c.fields]
    assert ways == [
        ("units keeper values max_warmth formula", "nerve + 4", "nerve + 5"),
        ("price", 6, 7),
        ("name", "Gull", "Tern"),
        ("title", "Wreckage", "Wrecks"),
    ]


def test_patches_are_told_by_what_they_change() -> None:
    """The second of one thing has a number."""
    one = {"at": "gear/rope", "set": {"weight": 3}}
    two = {"at": ["gear/hook", "attacks", 1], "drop": ["x"], "why": "So."}
    found = [*patch_diffs([one, one], [{**one, "set": {"weight": 4}}, two])]
    assert [(c.how, c.id, c.reason) for c in found] == [
        ("changed", "gear/rope", ""),
        ("added", "gear/hook.attacks.1", "So."),
        ("removed", "gear/rope#2", ""),
    ]
    assert found[0].fields == (FieldDiff(("set", "weight"), 3, 4),)


def test_a_row_of_a_chart_is_compared_by_its_numbers(diving: Callable[..., Path]) -> None:
    """A warning of pydantic about a range of numbers would be an error here."""
    folder = diving(
        ("rules.yaml", "{at: [2, 5], cells", "{at: [2, 6], cells"),
        ("rules.yaml", "{at: [6, null], label", "{at: [7, null], label"),
    )
    found = [*ruleset_diffs(load_folder(REEF), load_folder(folder))]
    assert [(one.part, one.id) for one in found] == [("chart", "bites")]
    ends = {(field.old, field.new) for field in found[0].fields}
    assert ends == {(5, None), (None, 6), (6, None), (None, 7)}


def test_a_pack_that_is_not_installed_has_its_changes_without_reasons() -> None:
    rules = load_checked(ICE).ruleset
    (pack,) = rules.packs
    found = PackMarks(rules)
    marks = [mark for entity in rules.entities for mark in found.of_entity(entity)]
    assert {mark.packs for mark in marks if mark.new} == {pack.name}
    assert {mark.why for mark in marks} == {""}
