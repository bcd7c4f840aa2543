"""sheet: the files it writes, for one character and for several."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from charforge.sheet.browser import Browser


def html(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    return text


def test_it_is_written_beside_the_character(run, nix):
    (nix.parent / "sub").mkdir()
    moved = nix.rename(nix.parent / "sub" / "nix.json")
    ended = run("sheet", moved, "--format", "html")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{moved.with_suffix('.html')}\n"
    assert json.loads(moved.read_text("utf-8"))["name"] in html(moved.with_suffix(".html"))


def test_the_same_character_gives_the_same_page(run, nix):
    run("sheet", nix, "--format", "html", "-o", "a.html")
    run("sheet", nix, "--format", "html", "-o", "b.html")
    assert html(nix.with_name("a.html")) == html(nix.with_name("b.html"))


def test_paper_and_level_change_the_page(run, nix):
    options = {"a": (), "b": ("--paper", "letter"), "c": ("--at-level", "1")}
    for name, more in options.items():
        assert run("sheet", nix, "--format", "html", "-o", f"{name}.html", *more).code == 0
    assert len({html(nix.with_name(f"{name}.html")) for name in options}) == 3


def test_several_go_into_a_folder(run, nix, tmp_path):
    run("new", "--random", "--seed", "9", "-o", "ada.json")
    ended = run("sheet", "nix.json", "ada.json", "--format", "html", "-o", "all/sheets")
    assert ended.out.split() == ["all/sheets/nix.html", "all/sheets/ada.html"]
    assert len(list((tmp_path / "all" / "sheets").iterdir())) == 2


def test_one_goes_into_a_folder_that_is_there(run, nix, tmp_path):
    (tmp_path / "sheets").mkdir()
    assert run("sheet", nix, "--format", "html", "-o", "sheets").out == "sheets/nix.html\n"


def test_a_slash_at_the_end_is_a_folder_that_is_made(run, nix, tmp_path):
    assert run("sheet", nix, "--format", "html", "-o", "new/a/").out == "new/a/nix.html\n"
    (tmp_path / "file").touch()
    for options in (("sheet", nix, "--format", "html"), ("sheet", nix, nix, "--format", "html")):
        run(*options, "-o", "file/").refused(2, "file was not saved: this is a")
    for one in (("export", nix), ("new", "--random"), ("new", "--questions"), ("import", nix)):
        run(*one, "-o", "other/").refused(2, "other was not saved: this is a folder.")
    assert not (tmp_path / "other").exists()


def test_several_do_not_fit_into_a_file(run, nix, tmp_path):
    (tmp_path / "sheets").write_text("precious")
    run("sheet", nix, nix, "--format", "html", "-o", "sheets").refused(2, "sheets was not")
    assert (tmp_path / "sheets").read_text() == "precious"


def test_one_that_fails_does_not_keep_the_others_back(run, nix, tmp_path):
    (tmp_path / "empty.json").touch()
    ended = run("sheet", "empty.json", "nix.json", "gone.json", "--format", "html")
    assert (ended.code, ended.out) == (2, "nix.html\n")
    assert "empty.json: the file is empty" in ended.err
    assert "gone.json: this file does not exist" in ended.err


def test_of_two_with_one_name_none_is_written_over(run, nix, text, tmp_path):
    for folder in ("other", "old/other"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "nix.json").write_text(text, encoding="utf-8")
    files = ("nix.json", "other/nix.json", "old/other/nix.json")
    ended = run("sheet", *files, "--format", "html", "-o", "sheets")
    made = ["sheets/nix.html", "sheets/other-nix.html", "sheets/nix-2.html"]
    assert (ended.code, ended.out.split()) == (0, made)
    assert sorted(path.name for path in (tmp_path / "sheets").iterdir()) == [
        "nix-2.html", "nix.html", "other-nix.html",
    ]  # fmt: skip


def test_names_that_differ_in_case_alone_are_kept_apart(run, nix, text, tmp_path):
    (tmp_path / "NIX.JSON").write_text(text, encoding="utf-8")
    ended = run("sheet", "nix.json", "NIX.JSON", "--format", "html", "-o", "sheets")
    names = ended.out.split()
    assert ended.code == 0
    assert len({name.casefold() for name in names}) == 2 == len(names)


def test_a_folder_stands_for_the_characters_in_it(run, nix, text, tmp_path):
    (tmp_path / "crew" / "deeper").mkdir(parents=True)
    for name in ("b.json", "a.json", ".hidden.json", "deeper/c.json", "notes.txt"):
        (tmp_path / "crew" / name).write_text(text, encoding="utf-8")
    (tmp_path / "crew" / "played.json").write_text('{"id": "x", "n": 1, "events": []}')
    (tmp_path / "crew" / "broken.json").write_text(text[:500])
    ended = run("sheet", "crew", "--format", "html")
    assert (ended.code, ended.out.split()) == (2, ["crew/a.html", "crew/b.html"])
    assert "crew/played.json is not a character file; it is skipped." in ended.err
    assert "crew/broken.json" in ended.err
    assert "1 of 3 failed: crew/broken.json." in ended.err
    assert "notes.txt" not in ended.err


def test_how_far_it_is_is_told_beside_the_results(run, nix, tmp_path):
    (tmp_path / "empty.json").touch()
    ended = run("sheet", "nix.json", "empty.json", "--format", "html", "-o", "sheets")
    assert ended.err.splitlines()[:2] == ["1 of 2  nix.json", "2 of 2  empty.json"]
    assert ended.err.splitlines()[-1] == "1 of 2 failed: empty.json."


def test_one_file_named_twice_is_taken_once(run, nix, tmp_path):
    (tmp_path / "sub").mkdir()
    ended = run("sheet", "nix.json", "sub/../nix.json", "--format", "html", "-o", "sheets")
    assert (ended.code, ended.out) == (0, "sheets/nix.html\n")
    assert "sub/../nix.json is listed twice; it is used once." in ended.err


def test_a_folder_without_characters_is_refused(run, tmp_path):
    (tmp_path / "crew").mkdir()
    run("sheet", "crew").refused(
        2, "crew has no characters in it", "Which character? Give a file or a folder."
    )


@pytest.mark.slow
@pytest.mark.usefixtures("own_workers")
def test_processes_side_by_side_make_the_same_files_in_the_same_order(run, nix, text, tmp_path):
    for name in "bca":
        (tmp_path / f"{name}.json").write_text(text.replace("Calloway", f"C{name}lloway"))
    (tmp_path / "d.json").touch()
    files = ["b.json", "d.json", "c.json", "a.json"]
    alone = run("sheet", *files, "--format", "html", "-o", "one", "--jobs", "1")
    beside = run("sheet", *files, "--format", "html", "-o", "two", "--jobs", "2")
    assert alone.code == beside.code == 2
    assert beside.out.split() == ["two/b.html", "two/c.html", "two/a.html"]
    assert beside.err == alone.err
    for name in "abc":
        page = tmp_path / "one" / f"{name}.html"
        assert page.read_bytes() == (tmp_path / "two" / page.name).read_bytes()


def test_an_illegal_character_has_a_sheet_too(run, data, tmp_path):
    next(event for event in data["log"] if event.get("decision") == "level.2.vigour")["answer"] = [
        9
    ]
    (tmp_path / "poor.json").write_text(json.dumps(data))
    assert run("sheet", "poor.json", "--format", "html").code == 0


def test_without_the_libraries_the_page_is_written(run, nix, without_pango):
    ended = run("sheet", "nix.json")
    assert (ended.code, ended.out) == (0, "nix.html\n")
    assert "apt-get install" in ended.err
    html(nix.with_suffix(".html"))
    ended = run("new", "--random", "--seed", "7", "-o", "made.json", "--sheet")
    assert (ended.code, ended.out) == (0, "made.json\nmade.html\n")


@pytest.mark.parametrize(
    ("command", "lacks"),
    [
        (("sheet", "nix.json"), "lines for notes and PDF/UA"),
        (("sheet", "nix.json", "--fillable"), "lines for notes, form fields and PDF/UA"),
        (("party", "nix.json", "-o", "nix.pdf"), "the cards, lines for notes and PDF/UA"),
    ],
)
def test_what_a_pdf_of_a_browser_lacks_is_said_once(
    run, nix, without_pango, monkeypatch, command, lacks
):
    browser = Browser("Chromium", Path("chromium"))
    monkeypatch.setattr("charforge.cli.printing.printed_sheet.find_browser", lambda: browser)
    monkeypatch.setattr(
        "charforge.cli.printing.printed_sheet.print_shortest_pdf", lambda *_: b"%PDF-1.7 printed"
    )
    ended = run(*command)
    assert (ended.code, ended.out) == (0, "nix.pdf\n")
    assert ended.err.count(f"Chromium printed nix.pdf without {lacks}.") == 1
    assert Path("nix.pdf").read_bytes() == b"%PDF-1.7 printed"


def test_a_pdf_that_was_asked_for_and_cannot_be_made_is_a_failure(run, nix, without_pango):
    ended = run("sheet", "nix.json", "--format", "pdf")
    ended.refused(2, "the HTML sheet is in nix.html", "apt-get install")
    html(nix.with_suffix(".html"))


def test_doctor_names_the_libraries_that_are_missing(run, without_pango):
    ended = run("doctor")
    assert ended.code == 1
    assert "missing  PDF libraries: a PDF needs Pango (libgobject-2.0-0 was not" in ended.out
    assert "         apt-get install" in ended.out


@pytest.mark.slow
@pytest.mark.needs("pango")
class TestPdf:
    """What needs Pango."""

    def test_a_pdf_is_what_is_made_unless_said_otherwise(self, run, nix):
        ended = run("sheet", nix)
        assert (ended.code, ended.out, ended.err) == (0, f"{nix.with_suffix('.pdf')}\n", "")
        assert nix.with_suffix(".pdf").read_bytes().startswith(b"%PDF-")

    def test_a_sign_that_no_font_has_is_told(self, run, tmp_path):
        nowhere = "\U0010fffd"  # for private use, in no font
        run("new", "--random", "--seed", "7", "--name", f"Nix {nowhere}", "-o", "nix.json")
        ended = run("sheet", "nix.json", "--only", "story")
        assert (ended.code, ended.out) == (0, "nix.pdf\n")
        assert "nix.pdf has empty boxes" in ended.err
        assert f"{nowhere} (U+10FFFD)" in ended.err
        assert "apt-get install fonts-noto" in ended.err

    def test_new_with_its_sheet(self, run, tmp_path):
        new = ("new", "--random", "--ruleset", "shields-biotics", "-o", "made.json", "--sheet")
        ended = run(*new)
        assert (ended.code, ended.out) == (0, "made.json\nmade.pdf\n")
        run(*new).refused(2, "made.json was not saved")
        assert run(*new, "--force").code == 0


def test_several_sheets_are_not_written_into_one_file(run, nix):
    (nix.parent / "camp").mkdir()
    nix.rename(nix.parent / "camp" / "nix.json")
    ended = run("sheet", "camp", "-o", "one.pdf")
    assert (ended.code, ended.out) == (2, "")
    assert "one.pdf is one file, and there are several sheets. Use a folder" in ended.err
    assert not (nix.parent / "one.pdf").exists()


def test_the_box_of_a_condition_is_marked_while_it_lasts(run, nix, capital_text):
    """Or a player would mark it, and subtract once more what the scores have already."""
    nix.write_text(capital_text, "utf-8")

    def boxes() -> list[str]:
        assert run("sheet", "nix.json", "--format", "html", "--force").code == 0
        page = html(nix.with_suffix(".html"))
        return re.findall(
            r'<p class="condition"><bdi>([\w ]+)</bdi> <i class="(tick|tick on)"', page
        )

    assert {mark for _name, mark in boxes()} == {"tick"}
    assert run("condition", nix, "prone").code == 0
    assert [name for name, mark in boxes() if mark == "tick on"] == ["Prone"]
