"""``-o -``: one result is printed and nothing written; several are refused."""

from __future__ import annotations

import json
import os
import pty

import pytest


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        (("new", "--random", "--seed", "7", "-o", "-"), '{\n "charforge": 1,'),
        (("new", "--questions", "-o", "-"), "# Capital: all choices"),
        (("export", "nix.json", "-o", "-"), "# The Harbour: answers for"),
        (("import", "nix.json", "-o", "-"), '{\n "charforge": 1,'),
        (("sheet", "nix.json", "--format", "html", "-o", "-"), "<!DOCTYPE html>"),
    ],
)
def test_one_result_is_printed(run, nix, tmp_path, command, begins):
    before = nix.read_bytes()
    ended = run(*command)
    assert ended.code == 0, ended.err
    assert ended.out.startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == ["nix.json"]
    assert nix.read_bytes() == before


@pytest.mark.slow
def test_a_character_is_printed_in_utf_8_whatever_the_terminal_has(process):
    """What is printed can be read again from the file that it is sent to."""
    command = ("new", "--random", "--seed", "7", "--name", "Nixé", "-o", "-")
    done = process(*command, variables={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode())["name"] == "Nixé"


def test_what_is_imported_is_judged_beside_it(run, nix):
    ended = run("import", nix, "-o", "-")
    assert ended.out == nix.read_text(encoding="utf-8")
    assert ended.err.startswith(f"{nix}: ")
    assert ended.err.rstrip().endswith(", level 3: legal")


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [("sheet", "nix.json", "--only", "story"), ("party", "nix.json", "--no-cards")]
)
def test_a_pdf_goes_on_to_what_reads_it(process, nix, command):
    done = process(*command, "-o", "-")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"%PDF-")
    assert done.stdout.rstrip().endswith(b"%%EOF")
    assert [path.name for path in nix.parent.iterdir()] == ["nix.json"]


@pytest.mark.slow
@pytest.mark.parametrize("command", [("sheet", "nix.json"), ("party", "nix.json")])
def test_a_pdf_is_not_sent_to_a_terminal(process, nix, command):
    ours, theirs = pty.openpty()
    try:
        done = process(*command, "-o", "-", stdout=theirs)
    finally:
        os.close(theirs)
        os.close(ours)
    assert done.returncode == 2
    assert (
        b"A PDF cannot be shown in a terminal. Save it to a file: -o - > sheet.pdf." in done.stderr
    )


@pytest.mark.parametrize(
    "command",
    [
        ("sheet", "nix.json", "nix.json", "-o", "-"),
        ("sheet", ".", "-o", "-"),
        ("new", "--random", "--count", "2", "-o", "-"),
        ("new", "--random", "--sheet", "-o", "-"),
    ],
)
def test_several_results_are_refused(run, nix, tmp_path, command):
    run(*command).refused(2, "-o - prints a single result, but ")
    assert [path.name for path in tmp_path.iterdir()] == ["nix.json"]
