"""restore: earlier versions of a changed, damaged or deleted file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

from charforge.character.files import storage
from charforge.cli import console


@pytest.fixture
def lived(run, nix) -> list[bytes]:
    """A file that three commands changed; return what it held after each of them."""
    held = [nix.read_bytes()]
    for words in (("note", nix, "one"), ("damage", nix, 3), ("level-up", nix, "--random")):
        assert run(*words).code == 0
        held.append(nix.read_bytes())
    return held


def test_the_list_is_newest_first_with_what_happened_last(run, nix, lived):
    listed = run("restore", nix, "--list", "--json").json
    assert [one["version"] for one in listed] == [3, 2, 1]
    assert [one["level"] for one in listed] == [3, 3, 3]
    assert [one["change"] for one in listed] == [
        json.loads(held)["log"][-1]["group"] for held in reversed(lived[:-1])
    ]
    damaged, noted, made = (one["last"] for one in listed)
    assert "Hurt (How much 3)" in damaged
    assert noted.endswith(": one")
    events = [one for part in run("history", nix, "--json").json for one in part["events"]]
    texts = [one["text"] for one in events if one["event"]["group"] == listed[2]["change"]]
    assert made == texts[-1]
    assert {one["fault"] for one in listed} == {""}


def test_a_game_without_levels_does_not_mention_them(run, tmp_path):
    file = tmp_path / "ada.json"
    assert run("new", "--ruleset", "squad-d20", "--random", "--seed", "1", "-o", file).code == 0
    assert run("note", file, "one").code == 0
    listed = run("restore", file, "--list")
    assert (listed.code, len(listed.out.splitlines())) == (0, 1)
    assert "level" not in listed.out
    ended = run("level-up", file, "--random")
    assert (ended.code, ended.err.strip()) == (2, "Squad d20 has no levels.")


def test_the_plain_list(run, nix, lived):
    ended = run("restore", nix, "--list")
    assert (ended.code, ended.err) == (0, "")
    first, *rest = ended.out.splitlines()
    number = json.loads(lived[2])["log"][-1]["group"]
    assert first.startswith("    3  ")
    assert f"level 3, no. {number} in history; Hurt" in first
    assert len(rest) == 2
    assert nix.read_bytes() == lived[-1]


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="needs a time zone that can be set")
def test_times_are_local(run, nix, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    os.utime(nix, (1_700_000_000, 1_700_000_000))
    assert run("note", nix, "one").code == 0
    [one] = run("restore", nix, "--list", "--json").json
    monkeypatch.undo()
    time.tzset()
    assert one["saved"] == "2023-11-15 03:43:20+05:30"
    assert datetime.fromisoformat(one["saved"]).timestamp() == 1_700_000_000


def test_a_version_comes_back_byte_for_byte_and_so_does_what_stood_there(run, nix, lived):
    ended = run("restore", nix, 2, "--yes")
    assert (ended.code, ended.err) == (0, "")
    head, former = ended.out.splitlines()
    assert head.startswith(f"{nix}: Version 2 is back: level 3, ")
    assert former == "  The content before that is version 4."
    assert nix.read_bytes() == lived[1]
    assert run("restore", nix, 4, "--yes").code == 0
    assert nix.read_bytes() == lived[3]
    for number, held in ((1, lived[0]), (3, lived[2])):
        assert run("restore", nix, number, "--yes").code == 0
        assert nix.read_bytes() == held


def test_a_session_names_no_file(run, nix, lived):
    ended = run("play", nix, stdin="restore 99\nrestore 2 --yes\n")
    assert "nix.json" not in ended.out + ended.err
    assert "It has no version 99. It has 3, 2, 1." in ended.err
    assert "Version 2 is back: level 3, " in ended.out


def test_restoring_as_json(run, nix, lived):
    output = run("restore", nix, 1, "--yes", "--json").json
    assert output["file"] == str(nix)
    assert output["former"] == 4
    assert output["restored"]["version"] == 1
    assert output["restored"]["level"] == 3
    assert nix.read_bytes() == lived[0]


def test_a_lost_file_comes_back_as_it_last_was(run, nix, lived):
    nix.unlink()
    run("show", nix).refused(
        2, "this file does not exist", f"To get it back: charforge restore {nix}."
    )
    newest = run("restore", nix, "--list", "--json").json[0]["version"]
    ended = run("restore", nix, newest)
    assert (ended.code, ended.err) == (0, "")
    assert len(ended.out.splitlines()) == 1  # nothing stood there
    assert nix.read_bytes() == lived[-1]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda whole: whole[: len(whole) // 2], "the file ends too early"),
        (lambda _whole: b"", "the file is empty"),
        (lambda _whole: b"\0\xff" * 99, "this is not a text file (see line 1)."),
        (lambda _whole: b"[]", "is not a character file"),
    ],
    ids=["cut off", "empty", "binary", "another thing"],
)
def test_a_damaged_file_comes_back_and_the_damaged_one_is_kept(run, nix, lived, damage, said):
    broken = damage(lived[-1])
    nix.write_bytes(broken)
    assert said in run("check", nix).err
    ended = run("restore", nix, 4, "--yes")
    assert (ended.code, ended.err) == (0, "")
    assert nix.read_bytes() == lived[-1]
    newest = run("restore", nix, "--list", "--json").json[0]
    assert newest["level"] is None
    assert newest["fault"]
    assert f"not readable: {newest['fault']}" in run("restore", nix, "--list").out
    assert run("restore", nix, newest["version"], "--yes").code == 0
    assert nix.read_bytes() == broken


def test_a_version_that_was_damaged_itself_is_listed_and_not_brought_back(run, nix, lived):
    from charforge.character.files import storage

    [damaged] = [one for one in storage.backups_of(nix) if one.number == 2]
    damaged.file.write_bytes(b"")
    listed = {one["version"]: one for one in run("restore", nix, "--list", "--json").json}
    assert listed[2]["fault"] == "this version is damaged"
    run("restore", nix, 2, "--yes").refused(2, "version 2 is damaged", "another version")
    assert nix.read_bytes() == lived[-1]


def test_without_its_rules_a_version_is_still_told(run, nix, data):
    data["ruleset"] = "gone"
    data["packs"] = [{"id": "gone", "version": "1", "hash": "0"}]
    was = nix.read_text("utf-8")
    nix.write_text(json.dumps(data), encoding="utf-8")

    storage.save_bytes(nix, was.encode())
    [one] = run("restore", nix, "--list", "--json").json
    assert (one["level"], one["last"], one["fault"]) == (3, "answer", "")


def test_a_file_that_was_never_changed_has_no_version(run, nix):
    run("restore", nix, "--list").refused(
        2, "there is no saved version", "A version is saved with every change."
    )
    run("restore", "nobody.json").refused(2, "nobody.json: there is no saved version")


def test_what_makes_no_sense(run, nix, lived):
    run("restore", nix, 9, "--yes").refused(2, "nix.json: it has no version 9. It has 3, 2, 1.")
    run("restore", nix, 2, "--list").refused(2, "--list cannot be used with a version")
    run("restore", nix, 2).refused(2, "no terminal to ask in", "--yes")
    ended = run("restore", nix)
    ended.refused(2, "No version is given", "level 3", "Hurt")
    assert nix.read_bytes() == lived[-1]


@pytest.fixture
def answering(monkeypatch):
    """Answer the questions in their order."""

    def answer(*lines: str) -> None:
        left = list(lines)
        monkeypatch.setattr(console, "is_interactive", lambda: True)
        monkeypatch.setattr(console, "ask_line", lambda _question: left.pop(0))
        monkeypatch.setattr(console, "confirm", lambda _question: left.pop(0) == "y")

    return answer


def test_somebody_is_asked_which_and_whether(run, nix, lived, answering):
    answering("1", "n")
    run("restore", nix).refused(2, "Nothing was changed")
    assert nix.read_bytes() == lived[-1]
    answering("x")
    run("restore", nix).refused(2, '"x" is not a version')
    answering("", "y")
    assert run("restore", nix).code == 0
    assert nix.read_bytes() == lived[2]


def test_what_may_not_be_kept_is_not_replaced(run, nix, lived, monkeypatch):
    monkeypatch.setattr("charforge.character.files.storage.MAX_FILE_BYTES", len(lived[0]) + 100_000)
    nix.write_bytes(b" " * (len(lived[0]) + 200_000))
    run("restore", nix, 1, "--yes").refused(
        2, "the present file cannot be backed up", "Move it away"
    )
    assert nix.stat().st_size == len(lived[0]) + 200_000


def test_a_character_that_is_made_over_another_keeps_it(run, nix):
    held = nix.read_bytes()
    assert run("new", "--random", "--seed", "9", "-o", nix, "--force").code == 0
    [one] = run("restore", nix, "--list", "--json").json
    assert run("restore", nix, one["version"], "--yes").code == 0
    assert nix.read_bytes() == held


def test_doctor_says_where_versions_are_kept(run):
    from charforge import paths

    assert f"Earlier versions: {paths.backups_folder()} (" in run("doctor").out


def test_a_link_is_restored_where_it_points(run, nix, lived, tmp_path):
    link = tmp_path / "link.json"
    link.symlink_to(nix)
    assert run("restore", Path("link.json"), 1, "--yes").code == 0
    assert link.is_symlink()
    assert nix.read_bytes() == lived[0]


READ = """
import sys
from charforge.cli.app import run
assert run(["check", sys.argv[1]]) == 0
print(*{"filelock", "gzip", "charforge.character.files.storage"} & {*sys.modules})
"""


@pytest.mark.slow
def test_a_command_that_only_reads_does_not_load_the_lock(nix, environment):
    done = subprocess.run(
        [sys.executable, "-c", READ, str(nix)],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == ""
