"""A character is named by its file, the start of the file's name, or its own name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


@pytest.fixture
def table(nix, data, tmp_path):
    """A folder with the characters of three players, and other files."""
    for file, name in (("kas.json", "Kasimir Vale"), ("nina.json", "Nina")):
        log = [{**event, "name": name} if "name" in event else event for event in data["log"]]
        (tmp_path / file).write_text(json.dumps({**data, "name": name, "log": log}))
    (tmp_path / "other.json").write_text('{"title": "Kas"}')
    (tmp_path / "README.md").write_text("# Read me\n")
    (tmp_path / "sheet.pdf").write_bytes(b"%PDF-1.7 \xff\xfe")
    (tmp_path / "mo.yaml").write_text("answers: {}\n")
    return tmp_path


@pytest.mark.parametrize(
    "typed", ["kas", "KAS", "ka", "kas.json", "./kas", "kasimir vale", "Kasim"]
)
def test_a_character_is_found_by_the_start_of_its_file_or_name(run, table, typed):
    lines = run("check", typed).out.splitlines()
    assert lines[0].lstrip("./").startswith("kas.json: ")


def test_a_change_is_saved_to_the_file_that_was_meant(run, table):
    before = Path("kas.json").read_bytes()
    assert run("note", "ka", "Rain").out
    assert Path("kas.json").read_bytes() != before
    assert not Path("ka").exists()


def test_several_characters_can_be_named_so(run, table):
    out = run("check", "kas", "nix").out
    assert "kas.json: " in out
    assert "nix.json: " in out
    assert run("diff", "kas", "nin").code == 0
    assert run("odds", "kas", "lift", "--set", "weight=3").code == 0
    assert run("export", "kas", "--format", "text").code == 0


def test_a_name_that_fits_several_lists_them(run, table):
    run("show", "ni").refused(2, '"ni" matches several characters:\n  nina.json\n  nix.json\n')


def test_a_name_that_fits_none_lists_the_characters(run, table):
    run("show", "pip").refused(2, 'There is no character "pip". There are: kas.json, nina.json')


def test_a_folder_without_characters_has_none_to_list(run, tmp_path):
    for command in ("show", "serve"):
        run(command, "pip").refused(
            2,
            "pip: there is no such folder, and no character whose name starts like this. "
            "To create a character here: charforge new",
        )


def test_a_folder_of_that_name_is_meant_before_a_character(run, table):
    Path("kas").mkdir()
    run("check", "kas").refused(2, "kas has no characters in it")


def test_a_file_of_another_kind_is_no_character(run, table):
    for command in ("show", "check", "level-up", "restore"):
        words = [command, "README.md"] if command != "restore" else ["show", "other.json"]
        ended = run(*words)
        assert ended.err == f"{words[1]} is not a character file.\n"
        assert ended.code == 2
    ended = run("show", "sheet.pdf")
    assert ended.err == (
        "sheet.pdf is not a character file. "
        "To get a character out of its sheet: charforge import sheet.pdf\n"
    )
    run("show", "mo.yaml").refused(2, "an answers file, not a character", "charforge new --answers")


def test_answers_are_read_from_standard_input(run, tmp_path):
    answers = "name: Mo\nanswers:\n  role: role/the-tank\n"
    assert run("new", "--answers", "-", "--random", stdin=answers).out == "Mo.json\n"
    assert json.loads(Path("Mo.json").read_text())["character"]["role"] == "role/the-tank"
    ended = run("new", "--answers", "-", "--random", stdin=f"{answers}  rolee: 1\n")
    ended.refused(2, "standard input:4: ", "did you mean role?")


def test_a_deleted_character_is_restored_by_its_name(run, table):
    run("note", "kas", "Rain")
    Path("kas.json").unlink()
    run("show", "kas").refused(2, 'There is no character "kas"')
    versions = run("restore", "kas", "--list").out.splitlines()
    number = versions[0].split()[0]
    assert run("restore", "kas", number, "--yes").code == 0
    assert Path("kas.json").exists()
