"""``rulebook``: a book from the campaign file, as PDF or HTML."""

from __future__ import annotations

import pytest
from pypdf import PdfReader

from tests.sheet.printed import page_texts

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
def test_a_book_has_page_numbers_in_its_contents(run, table):
    assert run("rulebook").code == 0
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
@pytest.mark.parametrize("styles", [("grey", "ink-saver"), ("large-print",)])
def test_a_book_in_each_style(run, table, styles, caplog):
    options = [word for style in styles for word in ("--style", style)]
    assert run("rulebook", *options, "-o", "book.pdf").code == 0
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
