"""Sheets and notes name the authors and the licence of the game and of each pack."""

from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import PackError
from charforge.export.text_formats import write
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load_folder
from charforge.rules.loading.parser import read_pack_head
from charforge.rules.models import PackHead
from charforge.sheet.build import build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.party import (
    deck_view,
    parties,
    party_member,
    reference_view,
    render_summary,
)
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character
from tests.rules.pack_files import write_pack
from tests.samples import few

TOY = Path(__file__).parents[1] / "testdata" / "toy"
LINE = "Spring Flood 1.0, pack by Ann Rae, Bo, CC BY 4.0"


@pytest.fixture
def character(tmp_path: Path) -> Character:
    more = "authors: [Ann Rae, Bo]\nlicence: CC BY 4.0\n"
    rules = load_folder(TOY, [write_pack(tmp_path / "spring-flood", "entities: []\n", more=more)])
    document = create_character(CharacterSpec(rules, "7", "Ilmar"), RandomAnswers("7"))
    return replay_document(document, rules).character


def test_the_view_has_the_game_and_each_pack(character: Character) -> None:
    game, pack = build(character).credits
    assert (game.name, game.authors, game.licence) == ("The Long Light", (), "")
    assert pack.line == LINE
    assert pack._replace(book="The Book").line.startswith("Spring Flood 1.0, after The Book, ")
    assert pack._replace(authors=(), licence="", book="").line == "Spring Flood 1.0"


@pytest.mark.needs("pango")
@pytest.mark.parametrize("layout", few(["reference", "full", "short"], 0))
def test_the_last_page_names_them_and_no_other(character: Character, layout: str) -> None:
    view, options = build(character), PrintOptions(layout=layout)
    assert f"<bdi>{LINE}</bdi>" in render_html(view, options)
    pages = pypdf.PdfReader(io.BytesIO(sheet_pdf(view, options))).pages
    named = ["Ann Rae" in " ".join(page.extract_text().split()) for page in pages]
    assert named == [False] * (len(pages) - 1) + [True]


@pytest.mark.needs("pango")
def test_both_lines_of_the_foot_are_printed(character: Character) -> None:
    view, options = build(character), PrintOptions("reference", paper="a5")
    view = view._replace(credits=(*view.credits * 2, *view.credits[1:]))
    assert 'class="credits in-foot"' in render_html(view, options)
    pages = pypdf.PdfReader(io.BytesIO(sheet_pdf(view, options))).pages
    text = " ".join(pages[-1].extract_text().split())
    assert text.count(LINE) == 3


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_many_or_large_ones_are_below_the_last_section(character: Character) -> None:
    """The foot of a page has room for two lines."""
    view = build(character)
    many = view._replace(credits=view.credits * 12)
    large = PrintOptions(styles=frozenset({"large-print"}))
    foots = [(view, PrintOptions()), (many, PrintOptions()), (view, large), (many, large)]
    in_foot = ['class="credits in-foot"' in render_html(*one) for one in foots]
    assert in_foot == [True, False, False, False]
    for one in foots[1:3]:  # the first is printed above
        pages = pypdf.PdfReader(io.BytesIO(sheet_pdf(*one))).pages
        text = " ".join(" ".join(page.extract_text() for page in pages).split())
        assert text.count("CC BY 4.0") == len(one[0].credits) // 2


@pytest.mark.needs("pango")
@pytest.mark.parametrize(
    "options",
    [
        PrintOptions("cards"),
        pytest.param(
            PrintOptions("cards", paper="letter", styles=frozenset({"large-print"})),
            marks=pytest.mark.slow,
        ),
        pytest.param(PrintOptions("cards", card_format="a7"), marks=pytest.mark.slow),
        pytest.param(PrintOptions("cards", backs=True), marks=pytest.mark.slow),
    ],
    ids=["poker", "large", "a7", "backs"],
)
def test_the_last_cards_have_them_below_or_a_first_card_where_there_is_no_room(
    character: Character, options: PrintOptions
) -> None:
    view = build(character)
    alone = pypdf.PdfReader(io.BytesIO(sheet_pdf(view._replace(credits=()), options))).pages
    pages = pypdf.PdfReader(io.BytesIO(sheet_pdf(view, options))).pages
    assert len(pages) == len(alone)
    last = -2 if options.backs else -1
    text = " ".join(pages[last if options.has_card_foot else 0].extract_text().split())
    assert LINE in text
    for page in pages:
        height = float(page.mediabox.height)
        assert all(0 < y < height for y in _baselines(page))


def _baselines(page: pypdf.PageObject) -> list[float]:
    """Return where the lines of text of a page are, from its lower edge."""
    found: list[float] = []

    def visit(text: str, matrix: list[float], place: list[float], *_more: object) -> None:
        if text.strip():
            found.append(place[5] * matrix[3] + matrix[5])

    page.extract_text(visitor_text=visit)
    return found


def test_a_party_names_those_of_all_members(character: Character) -> None:
    plain = load_folder(TOY)
    other = create_character(CharacterSpec(plain, "8", "Ona"), RandomAnswers("8"))
    members = [party_member(one) for one in (replay_document(other, plain).character, character)]
    [game] = parties(members)
    expected = [credit.line for credit in build(character).credits]
    assert len(expected) == 2
    for view in (deck_view(game), reference_view(game)):
        assert [credit.line for credit in view.credits] == expected
    summary = render_summary([game], PrintOptions())
    assert summary.count(f"<bdi>{LINE}</bdi>") == 1
    assert summary.count(f"<bdi>{expected[0]}</bdi>") == 1


def test_the_notes_end_with_them(character: Character) -> None:
    assert write("markdown", character).endswith(f"- {LINE}\n")


def test_one_author_needs_no_list(tmp_path: Path) -> None:
    assert _head(tmp_path / "c", "authors: Ann\n").authors == ("Ann",)
    assert _head(tmp_path / "d", "").credit == ""
    with pytest.raises(PackError) as refused:
        _head(tmp_path / "e", "license: MIT\n")
    assert refused.value.problems[0].nearest == "licence"


def _head(folder: Path, more: str) -> PackHead:
    return read_pack_head(write_pack(folder, "entities: []\n", more=more) / "pack.yaml")
