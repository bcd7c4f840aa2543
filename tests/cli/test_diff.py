"""diff, as text and as JSON."""

from __future__ import annotations

import pytest


def test_no_difference(run, nix):
    ended = run("diff", nix, nix)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[1:] == ["  no difference"]
    assert run("diff", nix, nix, "--json").json == []


def test_two_points_of_one_character(run, nix):
    old = run("show", nix, "--json", "--at-level", "1").json
    new = run("show", nix, "--json").json
    ended = run("diff", nix, "--from", "1")
    head, *lines = ended.out.splitlines()
    assert head == f"{nix}: {new['name']}, level 1 → level 3"
    assert lines[0] == "  Level 1 → 3"
    for name, value in new["values"].items():
        was, now = old["values"][name]["total"], value["total"]
        assert (f"  {value['label']} {was} → {now}" in lines) == (was != now)
    gained = {h["instance"] for h in new["holdings"]} - {h["instance"] for h in old["holdings"]}
    names = [h["name"] for h in new["holdings"] if h["instance"] in gained]
    assert names
    assert all(any(line.startswith(f"  + {name} (") for line in lines) for name in names)
    assert any(line.startswith("  + Level 2: Max vigour: ") for line in lines)


def test_the_other_way_about_it_is_lost(run, nix):
    there = run("diff", nix, "--from", "1", "--to", "2", "--json").json
    back = run("diff", nix, "--from", "2", "--to", "1", "--json").json
    assert {(d["topic"], d["id"]): (d["old"], d["new"]) for d in there} == {
        (d["topic"], d["id"]): (d["new"], d["old"]) for d in back
    }


def test_a_changed_choice_says_what_it_was(run, nix, tmp_path):
    run("edit", nix, "level.3.vigour", "--answer", "4")
    copy = tmp_path / "old.json"
    copy.write_bytes(nix.read_bytes())
    run("undo", copy)
    was = run("show", copy, "--json").json["values"]["max_vigour"]["total"]
    lines = run("diff", copy, nix).out.splitlines()
    assert f"  Max vigour {was} → {was + 1}" in lines
    assert "  Level 3: Max vigour: 4 → Max vigour +4, was 3 → Max vigour +3" in lines


def test_one_file_alone_has_nothing_to_compare_with(run, nix):
    run("diff", nix).refused(2, "There is nothing to compare this character with.", "--from 3")


def test_each_missing_or_damaged_file_is_refused(run, nix, tmp_path):
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    run("diff", nix, "gone.json").refused(2, "gone.json")
    run("diff", nix, "bad.json").refused(2, "bad.json")


@pytest.mark.parametrize("level", ["0", "4"])
def test_a_level_that_was_not_reached(run, nix, level):
    run("diff", nix, "--from", level).refused(
        2, "evels start at 1" if level == "0" else "is only level 3"
    )


def test_the_file_is_only_read(run, nix):
    before = nix.read_bytes()
    run("diff", nix, "--from", "1", "--json")
    assert nix.read_bytes() == before
