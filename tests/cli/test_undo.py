"""undo and redo: messages, and that no data is lost."""

from __future__ import annotations

import json

import pytest


def events(path):
    """Return the log of a file."""
    return json.loads(path.read_text("utf-8"))["log"]


def test_undo_takes_the_last_level_back_and_says_so(run, nix):
    before = run("show", nix, "--json", "--at-level", "2").json
    ended = run("undo", nix)
    assert (ended.code, ended.err) == (0, "")
    head, *lines = ended.out.splitlines()
    assert head == f"{nix}: {before['name']}, undone:"
    assert lines[0] == "  reached Level 3"
    assert lines[1].startswith("  Level 3: Max vigour: ")
    assert run("show", nix, "--json").json == before


def test_redo_puts_back_byte_for_byte(run, nix):
    document = nix.read_bytes()
    taken = run("undo", nix).out.splitlines()
    assert nix.read_bytes() != document
    back = run("redo", nix).out.splitlines()
    assert nix.read_bytes() == document
    assert taken[1:] == back[1:]
    assert back[0].endswith("restored:")


def test_one_redo_puts_back_what_one_undo_took(run, nix):
    document = nix.read_bytes()
    ended = run("undo", nix, "--to-level", "1")
    assert [line for line in ended.out.splitlines() if "reached" in line] == [
        "  reached Level 2",
        "  reached Level 3",
    ]
    assert run("show", nix, "--json").json["level"] == 1
    back = run("redo", nix)
    assert back.out.splitlines()[1:] == ended.out.splitlines()[1:]
    assert nix.read_bytes() == document
    run("redo", nix).refused(2, "nothing to redo")


def test_creation_stays(run, nix):
    run("undo", nix, "--to-level", "1")
    before = nix.read_bytes()
    run("undo", nix).refused(2, "There is nothing to undo: the character is new.", "use edit")
    assert nix.read_bytes() == before


def test_nothing_to_redo(run, nix):
    before = nix.read_bytes()
    run("redo", nix).refused(2, "nothing to redo")
    assert nix.read_bytes() == before


def test_what_was_undone_is_gone_once_something_else_is_done(run, nix):
    run("undo", nix)
    run("edit", nix, "--name", "Nyx")
    run("redo", nix).refused(2, "nothing to redo")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--to-level", "3"), "Ada is level 3, so --to-level must be from 1 to 2."),
        (("--to-level", "0"), "Ada is level 3, so --to-level must be from 1 to 2."),
    ],
)
def test_options_that_make_no_sense(run, nix, options, said):
    before = nix.read_bytes()
    run("undo", nix, *options).refused(2, said)
    assert nix.read_bytes() == before


def test_a_long_life_is_undone_command_by_command_to_the_start(run, nix):
    start = nix.read_bytes()
    run("edit", nix, "--name", "Nyx")
    run("edit", nix, "motto", "--answer", "Heave", "--now")
    run("level-up", nix, "--random")
    run("plan", nix, "trade=trade/pilot").refused(2, "Trade: already chosen")
    run("edit", nix, "level.4.vigour", "--random")
    number = len(events(nix))
    for _command in range(4):
        assert run("undo", nix).code == 0
    left = json.loads(nix.read_text("utf-8"))
    assert len(left["undone"]) == number - len(left["log"])
    left["undone"] = []
    assert left == json.loads(start)


def test_what_redo_restores_keeps_who_made_it(run, nix):
    """Also in a session of somebody else."""
    run("note", nix, "Ate well.", "--by", "Ada")
    document = nix.read_bytes()
    ended = run("play", nix, "--by", "Mo", stdin="undo\nredo\n")
    assert (ended.code, ended.err) == (0, "")
    assert nix.read_bytes() == document
