"""Commands without what is plain: a character, a name, a game; sheets made again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.cli.terminals import TerminalRun


def test_a_character_in_place_of_a_command_is_shown(run, nix):
    shown = run("show", nix).out
    assert run("nix").out == run("NIX").out == run("nix.json").out == shown
    run("nixx").refused(2, 'There is no command "nixx".')


def test_a_word_may_name_the_new_character(run, tmp_path):
    run("new", "Bob", "--random", "--seed", "1", "--ruleset", "phase-2d10")
    assert json.loads((tmp_path / "Bob.json").read_text())["name"] == "Bob"
    run("new", "Bob", "--name", "Ann", "--random").refused(2, "Leave out --name.")


def test_a_number_is_the_first_figure_of_the_foe(run, nix):
    words = ("advise", nix, "knacks")
    assert run(*words, "--foe", "9").out == run(*words, "--foe", "watch=9").out


def test_the_game_of_a_rule_may_be_an_option(run, nix):
    rule = ("plunge", nix.name, "--inputs")
    assert run("resolve", "--ruleset", "harbour", *rule).out == run("resolve", "harbour", *rule).out


def test_an_installed_game_is_checked_by_its_id(run):
    ended = run("catalog", "check", "phase-2d10")
    assert ended.code == 0
    assert ended.out.splitlines()[-1].startswith("phase-2d10: no errors")


@pytest.mark.slow
def test_in_a_terminal_a_missing_character_is_asked_for(run, nix, tmp_path):
    (tmp_path / "ada.json").write_bytes(nix.read_bytes())
    terminal = TerminalRun(tmp_path, "show")
    terminal.sees("Which character?")
    terminal.take("Ada  ada.json")
    assert terminal.ends() == 0
    assert "Ada" in terminal.seen.rpartition("\x1b[?1049l")[2]


@pytest.mark.slow
def test_a_sheet_without_a_character_asks_for_one_in_a_terminal(nix, tmp_path):
    (tmp_path / "ada.json").write_bytes(nix.read_bytes())
    terminal = TerminalRun(tmp_path, "sheet", "--format", "html")
    terminal.sees("Which character?")
    terminal.take("Ada  ada.json")
    assert terminal.ends() == 0
    assert [file.name for file in tmp_path.glob("*.html")] == ["ada.html"]


@pytest.mark.parametrize(
    "format", ["html", pytest.param("pdf", marks=[pytest.mark.slow, pytest.mark.needs("pango")])]
)
def test_a_sheet_of_the_same_character_is_replaced_without_force(run, nix, tmp_path, format):
    sheet = tmp_path / f"nix.{format}"
    for _time in range(2):
        assert run("sheet", nix, "--only", "story", "--format", format).code == 0
    run("new", "--random", "--seed", "2", "--ruleset", "phase-2d10", "-o", "ada.json")
    run("sheet", "ada.json", "-o", sheet.name).refused(2, "this file already exists")
    sheet.write_bytes(b"%PDF-1.7 my own" if format == "pdf" else b"<p>my own</p>")
    run("sheet", nix, "--format", format).refused(2, "this file already exists")


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_a_form_that_was_filled_in_is_kept(run, nix, tmp_path):
    from pypdf import PdfWriter

    run("sheet", nix, "--only", "notes", "--fillable")
    sheet = tmp_path / "nix.pdf"
    writer = PdfWriter(clone_from=sheet)
    name = next(n for n, field in PdfReader(sheet).get_fields().items() if field["/FT"] == "/Tx")
    for page in writer.pages:
        writer.update_page_form_field_values(page, {name: "3"}, auto_regenerate=False)
    writer.write(Path(sheet))
    run("sheet", nix, "--fillable").refused(2, "this file already exists")
