"""history and diff, as text, as JSON and in a terminal."""

from __future__ import annotations

import json

import pytest

from charforge.cli import changes
from tests.cli.terminals import TerminalRun


def test_a_section_each_level_and_an_event_a_line(run, nix):
    ended = run("history", nix)
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert [line for line in lines if not line.startswith(" ")] == [
        "Creation",
        "Level 2",
        "Level 3",
    ]
    log = json.loads(nix.read_text("utf-8"))["log"]
    assert len(lines) == 3 + len(log)
    name = run("show", nix, "--json").json["name"]
    assert lines[1] == f"    1  named {name}"
    assert lines[2].startswith("       Trade: ")
    # Only the first event of a command shows the command's number.
    assert [line.split()[0] for line in lines if line[4:5].isdigit()] == ["1", "2", "3"]


def test_edits_stand_where_they_were_made_with_what_they_replaced(run, nix):
    run("edit", nix, "level.2.vigour", "--answer", "4")
    assert run("history", nix).out.splitlines()[-1] == (
        "    4  Level 2: Max vigour: 4 → Max vigour +4, was 2 → Max vigour +2"
    )


def test_as_of_an_earlier_level(run, nix):
    document = run("history", nix).out.splitlines()
    early = run("history", nix, "--at-level", "2").out.splitlines()
    assert early == document[: len(early)]
    assert "Level 3" not in early
    run("history", nix, "--at-level", "4").refused(2, "is only level 3")


def test_as_json_each_event_is_as_in_the_log_and_in_words(run, nix):
    chapters = run("history", nix, "--json").json
    assert [(one["level"], one["label"]) for one in chapters] == [
        (1, "Creation"),
        (2, "Level 2"),
        (3, "Level 3"),
    ]
    found = [event for one in chapters for event in one["events"]]
    log = json.loads(nix.read_text("utf-8"))["log"]
    assert [one["event"]["n"] for one in found] == [event["n"] for event in log]
    for one, logged in zip(found, log, strict=True):
        assert logged.items() <= one["event"].items()
        assert one["text"]


def test_play_is_told_with_its_notes(run, nix):
    run("note", nix, "Met a smuggler.")
    run("condition", nix, "soaked")
    lines = run("history", nix).out.splitlines()
    assert lines[-2].endswith(": Met a smuggler.")
    assert lines[-2].startswith("    4  note of ")
    assert lines[-1] == "    5  now Soaked"


@pytest.mark.slow
def test_on_a_terminal_long_lines_are_wrapped_beside_the_numbers(nix, capital_text):
    nix.write_text(capital_text, "utf-8")
    terminal = TerminalRun(nix.parent, "history", nix.name, rows=120, columns=60, COLUMNS="60")
    assert terminal.ends() == 0
    shown = [line for line in terminal.lines if line]
    assert "Creation" in shown
    begin = next(i for i, line in enumerate(shown) if "Background:" in line)
    assert shown[begin + 1].startswith("       ")
    assert len(shown[begin + 1]) <= 60


def test_who_and_when_are_recorded_on_request(run, nix, monkeypatch):
    """The first event of a command has both; without the options a file has neither."""
    monkeypatch.setattr(changes, "current_time", lambda: "2026-05-04 20:15+02:00")
    run("damage", nix, "3")
    run("damage", nix, "1", "--by", "Mo", "--dated")
    run("buy", nix, "flask", "--dated")
    run("level-up", nix, "--random", "--by", "Zoë")
    log = json.loads(nix.read_text("utf-8"))["log"]
    stamps = {
        event["group"]: [event.get("author"), event.get("at")]
        for event in reversed(log)
        if event["group"] > 3
    }
    assert stamps == {
        4: [None, None],
        5: ["Mo", "2026-05-04 20:15+02:00"],
        6: [None, "2026-05-04 20:15+02:00"],
        7: ["Zoë", None],
    }
    assert sum("author" in event for event in log) == 2
    lines = run("history", nix).out.splitlines()
    assert sum(line.endswith("(by Mo, 2026-05-04 20:15+02:00)") for line in lines) == 1
    assert sum(line.endswith("reached Level 4 (by Zoë)") for line in lines) == 1
    assert run("check", nix).code == 0


@pytest.mark.usefixtures("own_workers")
def test_new_characters_are_signed_on_request_too(run, monkeypatch, tmp_path):
    """Each level is a group of its own, and the first event of a group has the signature."""
    monkeypatch.setattr(changes, "current_time", lambda: "2026-05-04 20:15+02:00")
    making = ("new", "--random", "--seed", "7", "--level", "2")
    run(*making, "-o", "nix.json", "--by", "Mo", "--dated")
    run(*making, "--count", "2", "-o", "crew/", "--by", "Mo", "--jobs", "2")
    run("export", "nix.json", "--format", "answers", "-o", "nix.yaml")
    run("import", "nix.yaml", "-o", "copy.json", "--by", "Zoë")
    crew = sorted((tmp_path / "crew").iterdir())
    stamps = [
        [(event["author"], event.get("at")) for event in log if "author" in event]
        for log in (
            json.loads(path.read_text("utf-8"))["log"]
            for path in (tmp_path / "nix.json", *crew, tmp_path / "copy.json")
        )
    ]
    assert stamps == [
        [("Mo", "2026-05-04 20:15+02:00")] * 2,
        [("Mo", None)] * 2,
        [("Mo", None)] * 2,
        [("Zoë", None)] * 2,
    ]
    assert run("check", "nix.json").code == 0
    run("import", "nix.json", "-o", "x.json", "--by", "Mo").refused(2, "only copies a character")


def test_a_session_signs_all_its_commands(run, nix):
    lines = "damage 2\nspend luck 1 --by Zoë\n"
    assert run("play", nix, "--by", "Mo", stdin=lines).code == 0
    log = json.loads(nix.read_text("utf-8"))["log"]
    assert [event["author"] for event in log[-2:]] == ["Mo", "Zoë"]


def test_a_signature_needs_a_name(run, nix):
    run("damage", nix, "3", "--by", " ").refused(2, "--by is empty")
    run("damage", nix, "3", "--by", "a\x07b").refused(2, "control characters")
    run("damage", nix, "3", "--by", "x" * 201).refused(2, "the limit is 200")


# ------------------------------------------------------------------ diff


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
