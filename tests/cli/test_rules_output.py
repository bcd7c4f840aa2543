"""Charts, pools and tracks in the terminal, with the numbers of a character."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from tests.sheet.printed import page_texts


@pytest.fixture
def ada(run, games_of_tests):
    """A diver of the reef: nerve 5, and shivering."""
    Path("a.yaml").write_text("ruleset: reef\nname: Ada\nanswers: {nerve: 5}\n", encoding="utf-8")
    ended = run("new", "--answers", "a.yaml", "-o", "a.json")
    assert ended.code == 0, ended.err
    gained = run("award", "a.json", "chill", "1")
    assert "  Chill 0 (Warm) → 1 (Shivering)" in gained.out.splitlines()
    return "a.json"


def test_a_sheet_in_the_terminal_has_them(run, ada):
    shown = run("show", ada).out
    assert "Chill 1 (Shivering)" in shown
    assert "d8" in shown
    assert "Against sharks Wave 4" in shown  # nerve 5, less 1 of the cold
    assert ["2–5", "Arm", "—"] in [line.split() for line in shown.splitlines()]


@pytest.mark.parametrize("named", ["bites", "Bites"])
def test_a_chart_is_explained_by_its_rows(run, ada, named):
    lines = [line.split() for line in run("explain", ada, named).out.splitlines()]
    assert lines == [
        ["Bites"],
        ["Roll", "Place", "Held", "for"],
        ["1", "Mask", "1d4", "+", "4", "breaths"],
        ["2–5", "Arm", "—"],
        ["4", "or", "more", "Leg", "2"],
    ]


def test_a_pool_is_explained_by_its_formulas(run, ada):
    assert run("explain", ada, "against sharks").out.splitlines() == [
        "Against sharks",
        "  Wave 4  [NERVE]",
        "  Storm 0  [Chill is more than 1]",
    ]


def test_a_step_of_a_track_is_the_source_of_what_it_changes(run, ada):
    output = run("explain", ada, "nerve").out.splitlines()
    assert output[0] == "Nerve (NERVE): 5 (now 4)"
    assert output[-1] == "  −1  = 4    How cold you are: Shivering"
    assert run("explain", ada, "chill").out.startswith("Chill: 1 (Shivering)\n")


def test_what_a_pool_can_be_told_is_listed_die_by_die(run, ada):
    listed = run("use", ada, "dive", "--inputs").out
    each = "each as 1 to {} or as what it shows:"
    assert f"  check.fin=…   Your dive: Fin, {each.format(6)} Moon" in listed
    assert f"  check.wave=…  Your dive: Wave, {each.format(4)} Weed + Tide" in listed


def test_a_text_of_a_chart_comes_out_of_a_rule(run, ada):
    output = run("resolve", "reef", "bite", ada, "--set", "own=1", "--json").json
    assert output["outputs"] == {"hurt": 6, "place": "Mask"}  # a ray's 1, and nerve 4 + 1


# ------------------------------------------------------------------ rulebook


TABLE = "name: Nine <Lanterns>\nruleset: shields-biotics\npaper: letter\n"


@pytest.fixture
def table(tmp_path):
    """A campaign file in this folder."""
    (tmp_path / "charforge.yaml").write_text(TABLE)
    return tmp_path


def test_a_page_for_screens_has_the_game_of_the_campaign(run, table):
    ended = run("rulebook", "-o", "book.html")
    assert ended.code == 0, ended.err
    assert ended.out == "book.html\n"
    said = "From charforge.yaml: Shields and Biotics; paper letter."
    assert ended.err.splitlines() == [said]  # without a terminal there is no bar
    page = (table / "book.html").read_text(encoding="utf-8")
    assert "<title>Nine &lt;Lanterns&gt; · Rulebook</title>" in page
    assert "https://" not in page
    assert run("rulebook", "-o", "book.html").code == 2  # it exists


def test_options_win(run, table):
    ended = run("rulebook", "--ruleset", "squad-d20", "--title", "Ours", "-o", "book.html")
    assert ended.code == 0, ended.err
    page = (table / "book.html").read_text(encoding="utf-8")
    assert "<title>Ours · Rulebook</title>" in page
    assert "Squad d20" in page


@pytest.mark.slow
def test_a_book_has_page_numbers_in_its_contents(run, table, caplog):
    assert run("rulebook", "--style", "grey", "--style", "ink-saver").code == 0
    assert caplog.messages == []
    pages = [page.extract_text() for page in PdfReader(table / "rulebook.pdf").pages]
    assert PdfReader(table / "rulebook.pdf").pages[0].mediabox.width == 612
    lines = pages[1].splitlines()
    numbers = [int(line) for line in lines[: lines.index("Contents")]]
    titles = lines[lines.index("Contents") + 1 :][: len(numbers)]
    assert {"How we play", "Rules", "Odds", "Index"} <= {*titles}
    for number, title in zip(numbers, titles, strict=True):
        assert title.casefold() in pages[number - 1].casefold().splitlines(), title
    assert all(page.strip() for page in pages)


@pytest.mark.slow
def test_a_book_in_large_print(run, table, caplog):
    """The other styles: in the test above."""
    assert run("rulebook", "--style", "large-print", "-o", "book.pdf").code == 0
    assert len(PdfReader(table / "book.pdf").pages) > 5
    assert caplog.messages == []


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_no_page_of_a_book_has_a_heading_alone(run, table):
    """Entries of a heading and a line of italics were one piece, which no column had room for."""
    made = run("rulebook", "--ruleset", "squad-d20", "--paper", "a5", "-o", "book.pdf")
    assert made.code == 0, made.err
    for text in page_texts((table / "book.pdf").read_bytes())[1:]:
        assert len(text.split()) > 25, text
