"""replay: recorded events once more, after another choice."""

from __future__ import annotations

import pytest

from tests.cli.tank import write_tank


@pytest.fixture
def tank(tmp_path, capital):
    return write_tank(tmp_path / "nix.json", capital, **{"role.plus": "str"})


def test_events_that_would_go_differently_are_listed(run, tank):
    before = tank.read_bytes()
    vs = run("show", tank, "--json").json["values"]["wil"]["total"] + 1
    assert (
        run("roll", tank, "wil", "--vs", vs, "--dice", "own=3,4", "--dice", "theirs=3,4").code == 0
    )
    played = tank.read_bytes()
    assert played != before
    ended = run("replay", tank, "--instead", "role.plus=wil")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "With The Tank: Attribute +1: Will (WIL):"
    assert "         Success: no; would be: yes" in lines
    assert "Compared 1 event of play; 1 would have gone differently." in lines
    assert tank.read_bytes() == played, "the character is not changed"
    data = run("replay", tank, "--instead", "role.plus=wil", "--json").json
    assert (data["compared"], len(data["events"]), data["unknown"]) == (1, 1, None)


def test_the_choice_already_made_says_that_nothing_changes(run, tank):
    lines = run("replay", tank, "--instead", "role.plus=str").out.splitlines()
    assert lines[1] == "  your character stays the same"


def test_wrong_choices_are_refused(run, tank):
    run("replay", tank, "--instead", "frob=3").refused(2, 'no choice named "frob"')
    run("replay", tank, "--instead", "frob").refused(2, "--instead role.plus=wis")
    run("replay", tank, "--instead", "role.plus=agi").refused(1, "Agility is not an option")


def test_an_answer_is_judged_after_those_before_it(run, tank):
    """Agility is no option for The Tank, but for the Role that is chosen first."""
    other = ("--instead", "role=The Healer", "--instead")
    refused = run("replay", tank, *other, "role.plus=str")
    refused.refused(1, "The Healer: Attribute +1: Strength is not an option")
    asked = run("replay", tank, *other, "role.plus=agi")
    assert "Attribute +1" not in asked.err
    run("replay", tank, "--instead", "role=The Tank", "--instead", "role.plus=agi").refused(
        1, "Agility is not an option for The Tank"
    )


def test_a_list_is_typed_as_for_edit(run, tank):
    """In the words that charforge prints, without the brackets of a file."""
    typed = ("replay", tank, "--instead")
    ended = run(*typed, "strengths=[Sneaky, Athletic, Empathetic]")
    assert ended.out.startswith("With Strengths: Sneaky, Athletic, Empathetic:")
    assert run(*typed, "strengths=Sneaky, Athletic, Empathetic").out == ended.out
