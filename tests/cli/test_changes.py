"""The lines that list the changes of a level."""

from __future__ import annotations

from pathlib import Path

from charforge.cli.changes import print_level_changes


def test_a_level_that_brings_a_unit_names_it_and_what_changed_for_the_others(dockhand, capsys):
    """Kennel takes a Slot and comes with a dog, who has no former figures.

    A dockhand has ARM 5 and 5 + 4 = 9 vigour; Level 2 rolls 2 more. Slots are Level + 1.
    """
    taken = {"level__2__knacks": ["knack/kennel"], "level__2__knacks__kennel__dog": "dog/hound"}
    print_level_changes(dockhand(), dockhand(2, **taken), Path("ada.json"))
    assert capsys.readouterr().out.splitlines() == [
        "ada.json: Ada, level 1 → 2",
        "  Max vigour 9 → 11",
        "  Vigour 9 → 11",
        "  Slots 2 → 3",
        "  Slots used 0 → 1",
        "  + Kennel (Knack)",
        "  + Hound (Dog)",
    ]
