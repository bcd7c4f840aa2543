"""Changes by packs in the entries of the rules."""

from __future__ import annotations

from pathlib import Path

from charforge.packs.install import load_checked
from charforge.packs.marks import PackMarks

ICE = Path(__file__).parents[2] / "examples" / "under-the-ice"


def test_a_pack_that_is_not_installed_has_its_changes_without_reasons() -> None:
    rules = load_checked(ICE).ruleset
    (pack,) = rules.packs
    found = PackMarks(rules)
    marks = [mark for entity in rules.entities for mark in found.of_entity(entity)]
    assert {mark.packs for mark in marks if mark.new} == {pack.name}
    assert {mark.why for mark in marks} == {""}
