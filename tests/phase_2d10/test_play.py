"""Locations that are typed, and hits in old files. Attacks and damage are samples."""

from __future__ import annotations

from pathlib import Path

from charforge.character.files import reader
from charforge.character.files.document import to_text
from charforge.character.files.events import ConditionEvent, ProcedureEvent
from charforge.character.state import CHARACTER
from charforge.procedures.inputs import read_input
from charforge.replay.loaded_character import load_document
from charforge.verbs.change import change_character, draft_event


def test_a_location_is_typed_by_the_name_that_is_printed(table):
    rules = table.state.ruleset
    for procedure, name in (("damage", "location"), ("attack", "called"), ("struck", "location")):
        asked = rules.procedure(procedure).input(name)
        assert [read_input(rules, asked, word) for word in ("head", "Vitals", "11")] == [5, 11, 11]


def test_damage_that_was_saved_for_the_dead_replays(cy):
    """Nobody can hurt the dead now; a file with such a hit opens as it was."""
    opened = cy()
    dead = draft_event(ConditionEvent, condition="status/dead", unit=CHARACTER)
    hit = draft_event(
        ProcedureEvent, procedure="damage", unit=CHARACTER,
        inputs={"amount": 8, "rv": 0, "ar": 20, "location": 14}, faces={"die": [[20]]},
    )  # fmt: skip
    after = change_character(change_character(opened, dead), hit)
    read = reader.parse_document(to_text(after.document), Path("cy.json"))
    again = load_document(read, Path("cy.json"), opened.ruleset)
    assert not again.problems
    assert again.character.state.values(CHARACTER).total("leg_right") == 1
