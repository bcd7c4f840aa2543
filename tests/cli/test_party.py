"""party: the parts of the file, files left out, and messages."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from charforge.character.files.document import to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.usecases.create import create_character

PEOPLE = {"ada": 1, "nix": 2, "teo": 3}  # and their levels
REFERENCE = ">Reference</h"  # its heading
NO_PAGES = ("--no-sheets", "--no-summary", "--no-reference")


@pytest.fixture(scope="module")
def texts(harbour):
    """The files of three dockhands; Teo has a dog."""
    found = {}
    for name, level in PEOPLE.items():
        answers = {"trade": "trade/stevedore", "scores": {"arm": 4, "wit": 2}, "motto": ""}
        answers |= {"knacks": ["knack/kennel"] if name == "teo" else []}
        answers |= {"knacks.kennel.dog": "dog/hound"} if name == "teo" else {}
        for reached in range(2, level + 1):
            answers |= {f"level.{reached}.vigour": [2], f"level.{reached}.knacks": []}
        plan = CharacterSpec(harbour, name, name.title(), level, answers=answers)
        found[name] = to_text(create_character(plan))
    return found


@pytest.fixture
def crew(text, texts, tmp_path):
    """The three in a folder, with the Harbour installed."""
    (tmp_path / "crew").mkdir()
    for name, document in texts.items():
        (tmp_path / "crew" / f"{name}.json").write_text(document, encoding="utf-8")
    return tmp_path / "crew"


def page(run, *arguments):
    ended = run("party", *arguments, "-o", "party.html")
    assert ended.code == 0, ended.err
    return html.unescape(Path("party.html").read_text(encoding="utf-8"))


def page_text(text):
    """Return the words of a page, one space between them."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_the_sheets_of_a_page_are_played_on(run, crew):
    """Each has its own trackers, which the summary shares; a copy of a character has none."""
    (crew / "twin.json").write_bytes((crew / "ada.json").read_bytes())
    shown = page(run, "crew")
    ids = [json.loads((crew / f"{name}.json").read_text())["id"] for name in ("ada", "nix", "teo")]
    bars = re.findall(r'class="play bar" id="([^"]+)" .*? data-id="([^"]+)"', shown)
    assert bars == [(f"play-{number}", id) for number, id in enumerate(ids, 1)]
    assert {*re.findall(r'data-sheet="(play[^"]*)"', shown)} == {prefix for prefix, _id in bars}
    every = re.findall(r' id="([^"]+)"', shown)
    assert len(every) == len(set(every))
    for without in ("--clean", "--no-sheets"):
        assert "play bar" not in page(run, "crew", without, "--force")


def test_the_figures_are_those_of_show(run, crew):
    summary = page_text(page(run, "crew", "--no-sheets"))
    for name in PEOPLE:
        shown = run("show", f"crew/{name}.json", "--json").json
        values = [shown["values"], *(unit["values"] for unit in shown["units"])]
        for one in values:
            assert f"{one['vigour']['total']} of {one['max_vigour']['total']} " in summary
        scores = " ".join(str(shown["values"][short]["total"]) for short in ("arm", "wit"))
        assert f"{name.title()} {scores} " in summary
        assert f" · level {shown['level']} " in summary
    assert "Hound" in summary


def test_damage_shows_beside_the_maximum(run, crew):
    before = run("show", "crew/ada.json", "--json").json["values"]["max_vigour"]["total"]
    assert run("damage", "crew/ada.json", "3", "--type", "sharp").code == 0
    left = run("show", "crew/ada.json", "--json").json["values"]["vigour"]["total"]
    assert left < before
    assert f"{left} of {before} " in page_text(page(run, "crew", "--no-sheets"))


@pytest.mark.slow
def test_each_part_can_be_left_out(run, crew):
    parts = ("summary", "sheets", "reference")
    every, *lessened = (
        page(run, "crew", *more, "--force") for more in ((), *([f"--no-{one}"] for one in parts))
    )
    counts = [text.count("<h1") for text in (every, *lessened)]
    assert counts == [5, 4, 2, 4]  # three sheets, the summary and the reference
    assert "Who can do what" in every
    assert "Who can do what" not in lessened[0]
    assert REFERENCE in every
    assert REFERENCE not in lessened[2]


def test_the_reference_is_there_once_for_all_sheets(run, crew):
    for layout in ("full", "short"):
        text = page(run, "crew", "--layout", layout, "--force")
        assert text.count(REFERENCE) == 1


def test_the_look_is_that_of_the_options(run, crew):
    plain = page(run, "crew")
    short = page(run, "crew", "--layout", "short", "--style", "large-print", "--force")
    assert "Atkinson Hyperlegible" not in plain
    assert "Atkinson Hyperlegible" in short


def test_a_faulty_file_is_named_and_the_rest_is_made(run, crew):
    (crew / "empty.json").touch()
    (crew / "notes.json").write_text("[]")
    ended = run("party", "crew", "gone.json", "-o", "party.html")
    assert (ended.code, ended.out) == (2, "party.html\n")
    assert "crew/empty.json: the file is empty" in ended.err
    assert "gone.json: this file does not exist" in ended.err
    assert "crew/notes.json is not a character file; it is skipped." in ended.err
    assert "2 of 5 left out: crew/empty.json, gone.json." in ended.err


def test_where_nobody_can_be_read_nothing_is_made(run, tmp_path):
    (tmp_path / "empty.json").touch()
    ended = run("party", "empty.json", "-o", "party.html")
    ended.refused(2, "the file is empty", "None of the characters could be read")
    assert not (tmp_path / "party.html").exists()


def test_who_is_named_twice_is_in_it_once(run, crew):
    ended = run("party", "crew", "crew/ada.json", "-o", "party.html")
    assert ended.code == 0
    assert ended.err == "crew/ada.json is listed twice; it is used once.\n"


def test_characters_of_one_name_are_both_in_it(run, crew):
    (crew / "second.json").write_bytes((crew / "ada.json").read_bytes())
    assert page(run, "crew", "--no-summary").count("<h1") == 5


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Which character? Give a file or a folder."),
        (["void"], "void has no characters in it"),
        (["crew", "--layout", "cards"], "--no-summary --no-sheets"),
        (["crew", "--layout", "reference"], "one reference for all"),
        (["crew", *NO_PAGES, "--no-cards"], "Nothing is left to print"),
        (["crew", *NO_PAGES, "-o", "a.html"], "Cards can only be printed as a PDF"),
        (["crew", "-o", "party.odt"], "PDF or HTML"),
        (["crew", "-o", "crew/ada.json"], "PDF or HTML"),
        (["crew", "-o", "nowhere/party.html"], "this folder does not exist"),
        (["crew", "-o", "there.html"], "already exists"),
    ],
)
def test_what_cannot_be_is_refused(run, crew, tmp_path, arguments, said):
    (tmp_path / "void").mkdir()
    (tmp_path / "there.html").write_text("precious")
    run("party", *arguments).refused(2, said)
    assert (tmp_path / "there.html").read_text() == "precious"


@pytest.mark.needs("user")
def test_a_folder_that_may_not_be_written_to_is_told(run, crew, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o500)
    run("party", "crew", "-o", "locked/party.html").refused(2, "may not be written to")


def test_into_a_folder_it_goes_by_its_usual_name(run, crew, tmp_path, without_pango):
    (tmp_path / "out").mkdir()
    ended = run("party", "crew", "-o", "out")
    assert (ended.code, ended.out) == (0, "out/party.html\n")
    assert "apt-get install" in ended.err


def test_without_the_libraries_the_page_is_written(run, crew, without_pango, tmp_path):
    ended = run("party", "crew")
    assert (ended.code, ended.out) == (0, "party.html\n")
    assert "apt-get install" in ended.err
    ended = run("party", "crew", "-o", "asked.pdf")
    ended.refused(2, "an HTML page is in asked.html", "apt-get install")
    assert (tmp_path / "asked.html").is_file()


@pytest.mark.slow
@pytest.mark.needs("pango")
class TestPdf:
    """What needs Pango."""

    def test_it_is_one_pdf_and_how_far_it_is_is_told(self, run, crew, tmp_path):
        (crew / "empty.json").touch()
        ended = run("party", "crew", "--layout", "short")
        assert (ended.code, ended.out) == (2, "party.pdf\n")
        assert ended.err.startswith("crew/empty.json: the file is empty")
        assert ended.err.splitlines()[1:] == [
            "1 of 6  The party",
            *(f"{n} of 6  {name}" for n, name in enumerate(("Ada", "Nix", "Teo"), 2)),
            "5 of 6  Reference",
            "6 of 6  Cards",
            "1 of 4 left out: crew/empty.json.",
        ]
        assert (tmp_path / "party.pdf").read_bytes().startswith(b"%PDF-")

    def test_a_party_is_no_character_to_import(self, run, crew):
        assert run("party", "crew", "--no-sheets", "--no-cards", "--no-reference").code == 0
        run("import", "party.pdf", "-o", "x.json").refused(2, "this PDF contains no character")
