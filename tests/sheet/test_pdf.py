"""PDFs: tagged, complete, reproducible, and nothing outside the margins."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from charforge.expressions.template import plain_text
from charforge.paths import data_folder
from charforge.replay.replay import Start, replay
from charforge.rules.ruleset import Ruleset
from charforge.sheet import pdf
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Paper
from charforge.sheet.view import SheetView
from tests.sheet.conftest import SHEETS, Make, made, printed
from tests.sheet.printed import page_texts

pytestmark = pytest.mark.slow

Sheet = tuple[SheetView, Paper, bytes]
MARGIN = 10 * 72 / 25.4
SIZES = {"a4": (595.3, 841.9), "letter": (612.0, 792.0)}


@dataclass(frozen=True)
class Word:
    """A word and its box in points from the upper left corner."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@lru_cache(maxsize=len(SHEETS))
def words(data: bytes) -> list[list[Word]]:
    """Return the words of each page."""
    done = subprocess.run(
        ["pdftotext", "-bbox", "-", "-"], input=data, capture_output=True, check=True
    )
    box = re.compile(r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>')
    return [
        [Word(found[5], *map(float, found.groups()[:4])) for found in box.finditer(page)]
        for page in done.stdout.decode().split("<page ")[1:]
    ]


def clash(one: Word, other: Word) -> bool:
    """Whether two words lie on each other by more than their line boxes do."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    least = min(one.bottom - one.top, other.bottom - other.top)
    return wide > 0.6 and high > 0.4 * least


def parts(text: str) -> list[str]:
    """Return the words of a text, without signs around them."""
    return re.findall(r"(?<![^\W\d_])[^\W\d_]{2,}(?![^\W\d_])", text)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def reader(data: bytes) -> PdfReader:
    return PdfReader(BytesIO(data))


def test_each_page_has_the_size_of_the_paper_and_something_on_it(sheet: Sheet) -> None:
    _view, paper, data = sheet
    pages = reader(data).pages
    assert 3 <= len(pages) <= 7
    for page in pages:
        size = (float(page.mediabox.width), float(page.mediabox.height))
        assert size == pytest.approx(SIZES[paper], abs=0.5)
    assert min(map(len, page_texts(data))) > 120


def test_everything_held_is_in_the_text(sheet: Sheet) -> None:
    view, _paper, data = sheet
    text = squeezed("".join(page_texts(data)))
    shown = [one.name for one in (*view.cards, *view.items, *view.units, *view.training)]
    shown += [one.name for one in view.weapons] + [entry.name for entry in view.reference]
    assert [name for name in shown if squeezed(name) not in text] == []


def test_the_document_is_tagged_and_names_itself(sheet: Sheet) -> None:
    view, _paper, data = sheet
    found = reader(data)
    root = found.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert "/StructTreeRoot" in root
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert found.metadata is not None
    assert found.metadata.title == f"{view.name} · {view.ruleset}"
    assert found.metadata.author == "charforge"
    assert "/CreationDate" not in found.metadata


@pytest.mark.needs("poppler")
def test_no_word_lies_outside_the_margins_or_on_another(sheet: Sheet) -> None:
    view, paper, data = sheet
    width, height = SIZES[paper]
    credits = {word for credit in view.credits for word in credit.line.split()}  # below the foot
    for page in words(data):
        for word in page:
            assert word.left >= MARGIN - 0.5, word
            assert word.right <= width - MARGIN + 0.5, word
            assert word.top >= MARGIN - 2.5, word
            foot = 0 if word.text in credits else MARGIN
            assert word.bottom <= height - foot + 0.5, word
        from_top = sorted(page, key=lambda word: word.top)
        for place, word in enumerate(from_top):
            for other in from_top[place + 1 :]:
                if other.top > word.bottom:
                    break
                assert not clash(word, other), (word, other)


@pytest.mark.needs("poppler")
def test_no_word_of_the_rules_is_torn(sheet: Sheet) -> None:
    """Words end at spaces and hyphens, even where their style changes at the end of a line."""
    view, _paper, data = sheet
    printed_words = {
        part for page in words(data) for word in page for part in parts(unescape(word.text))
    }
    told = [one.text.full for one in view.cards]
    told += [one.text.digest for one in (*view.items, *view.reference, *view.actions)]
    told += [action.trigger for card in view.cards for action in card.actions]
    wanted = {part for prose in told for part in parts(plain_text(prose))}
    assert wanted - printed_words == set()


@pytest.mark.needs("poppler")
def test_pages_are_numbered(make: Make) -> None:
    pages = words(printed(render_html(build(make()))))
    for number, page in enumerate(pages, 1):
        line = " ".join(word.text for word in page)
        assert f"Nix Calloway · {number} of {len(pages)}" in line


def test_the_same_page_makes_the_same_bytes_at_another_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without libharfbuzz-subset, fontTools would write the time into each font.

    A whole sheet, made in another process: test_attachments.
    """
    html = "<!DOCTYPE html><html lang='en'><head><title>T</title></head><p>P</p></html>"
    before = dict(os.environ)
    first, now = pdf.render_pdf(html), time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_400)
    assert pdf.render_pdf(html) == first
    assert dict(os.environ) == before


def test_what_is_unfinished_or_of_another_game_prints(capital: Ruleset, toy: Ruleset) -> None:
    for character in (replay(capital, {}, Start("Nobody")), made(toy)):
        assert len(reader(printed(render_html(build(character)))).pages) >= 1


def test_nothing_is_fetched_but_templates_and_small_data(tmp_path: Path) -> None:
    fetch = pdf.sheet_fetcher().fetch
    secret = tmp_path / "secret.txt"
    secret.write_text("x", encoding="utf-8")
    inside = data_folder("templates") / "base.html"
    assert fetch(inside.as_uri()).read() == inside.read_bytes()
    assert fetch("data:text/plain,ok").read() == b"ok"
    for url in (
        "http://example.invalid/x",
        "https://example.invalid/x",
        secret.as_uri(),
        inside.parent.as_uri() + "/../" + "pyproject.toml",
        "data:text/plain," + "x" * pdf.LONGEST_DATA_URI,
    ):
        with pytest.raises(ValueError):
            fetch(url)


def test_the_page_alone_needs_no_weasyprint() -> None:
    script = (
        "import sys, charforge.sheet.build, charforge.sheet.html, charforge.sheet.pdf; "
        "assert 'weasyprint' not in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", script], check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
