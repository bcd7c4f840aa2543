"""Layouts, styles and papers: contents, type sizes and margins."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from typing import Any

import pdfplumber
import pypdfium2
import pytest
from PIL import ImageChops, ImageFilter

from charforge.paths import data_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import blank_view, build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, PrintOptions, Style
from charforge.sheet.values import audit
from charforge.sheet.view import SheetView
from tests.sheet.conftest import Make, printed
from tests.sheet.printed import page_texts

MM = 72 / 25.4
LARGE: frozenset[Style] = frozenset({"large-print"})
# A weapon and nothing else; a vehicle with systems; a companion.
WHO: dict[str, dict[str, Any]] = {
    "lancer": {"level": 1, "role": "role/the-lancer", "asset": "special-weapon/rifle"},
    "tank": {"level": 10, "role": "role/the-tank", "asset": "vehicle/mechsuit"},
    "captain": {"level": 10, "role": "role/the-captain", "asset": "companion/land-beast"},
}


@lru_cache(maxsize=64)
def pages(html: str) -> list[Any]:
    return pdfplumber.open(BytesIO(printed(html))).pages


def words(html: str) -> str:
    return "\n".join(page_texts(printed(html)))


def squeezed(text: str) -> str:
    return "".join(text.split())


def images(html: str, dots: int = 3) -> Iterator[Any]:
    """Yield the pages as pictures with a number of dots a millimetre."""
    for page in pypdfium2.PdfDocument(printed(html)):
        yield page.render(scale=dots * 25.4 / 72).to_pil().convert("RGB")


@pytest.fixture(scope="module", params=["lancer", "captain"])
def view(request: pytest.FixtureRequest, make: Make) -> SheetView:
    return build(make(**WHO[request.param]))


@pytest.mark.slow
def test_a_wide_page_has_the_size_of_its_paper(make: Make) -> None:
    """Upright pages: test_pdf."""
    options = PrintOptions("short", "letter", "landscape")
    for page in pages(render_html(build(make()), options)):
        found = (float(page.width) / MM, float(page.height) / MM)
        assert found == pytest.approx((279.4, 215.9), abs=0.2)


def coloured(html: str) -> bool:
    """Whether anything is neither black nor grey nor white."""
    for image in images(html):
        red, green, blue = image.split()
        for one, other in ((red, green), (green, blue)):
            if ImageChops.difference(one, other).getextrema() != (0, 0):
                return True
    return False


def filled(html: str) -> bool:
    """Whether a square of 4 mm is nowhere white; large letters and icons are smaller.

    With fewer dots, the white within a large letter can be lost.
    """
    for image in images(html, dots=4):
        dark = image.convert("L").point(lambda light: 255 if light >= 250 else 0)
        for _step in range(8):  # faster than a square of 17 points in one step
            dark = dark.filter(ImageFilter.MaxFilter(3))
        if dark.getextrema()[0] == 0:
            return True
    return False


@pytest.mark.slow
def test_ink_saver_has_no_filled_area_and_grey_no_colour(make: Make) -> None:
    """Neither changes a size: the same words are on the same pages as without them."""
    view = build(make(**WHO["tank"]))
    usual, saved, grey = (
        render_html(view, PrintOptions(styles=styles))
        for styles in (
            frozenset[Style](),
            frozenset[Style]({"ink-saver"}),
            frozenset[Style]({"grey"}),
        )
    )
    assert filled(usual)
    assert coloured(usual)
    assert not filled(saved)
    assert not coloured(grey)
    assert page_texts(printed(saved)) == page_texts(printed(grey)) == page_texts(printed(usual))


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["short", "cards"])
def test_ink_saver_and_grey_are_used_together(make: Make, layout: Layout) -> None:
    styles: frozenset[Style] = frozenset({"ink-saver", "grey"})
    html = render_html(build(make(**WHO["tank"])), PrintOptions(layout, styles=styles))
    assert not filled(html)
    assert not coloured(html)


@pytest.mark.slow
def test_the_reference_stands_alone(view: SheetView) -> None:
    text = squeezed(words(render_html(view, PrintOptions("reference"))))
    assert [entry.name for entry in view.reference if squeezed(entry.name) not in text] == []
    assert "Money" not in text


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["full", "short"])
@pytest.mark.parametrize("styles", [frozenset(), LARGE], ids=["normal", "large"])
def test_an_empty_sheet_has_room_for_everything_and_no_figure(
    capital: Ruleset, layout: Layout, styles: frozenset[Style]
) -> None:
    options = PrintOptions(layout, styles=styles, blank=True)
    html = render_html(blank_view(capital), options)
    text = words(html)
    for label in ("STR", "HP", "Energy", "Range", "Equipment", "Systems", "Prone", "Name"):
        assert label.casefold() in text.casefold(), label
    assert text.count("max") == 3
    assert "None" not in text
    left = {word for word in text.split() if word.isdigit()} - {"1", "2"}
    pages_told = {str(number) for number in range(len(pages(html)) + 1)}
    assert left <= pages_told


@pytest.mark.slow
def test_the_blank_sheet_of_another_game_has_its_labels(toy: Ruleset) -> None:
    assert "Warmth" in words(render_html(blank_view(toy), PrintOptions("short", blank=True)))


def test_the_audit_adds_up(make: Make) -> None:
    ledgers = list(audit(make(**WHO["captain"])))
    assert [ledger.unit for ledger in ledgers][:1] == ["Nix Calloway"]
    assert len(ledgers) == 2
    for ledger in ledgers:
        for value in ledger.values:
            total = 0
            for line in value.lines:
                amount = line.amount.replace("−", "-")
                if amount.startswith("= "):
                    total = int(amount[2:])
                elif amount.startswith(("+", "-")):
                    total += int(amount)
                else:
                    total = int(line.total.replace("−", "-"))
                assert line.total.replace("−", "-") == str(total), (value, line)
                assert line.source
            assert value.total.replace("−", "-") == str(total), value


@pytest.mark.slow
def test_the_audit_has_pages_of_its_own(make: Make) -> None:
    character = make(**WHO["captain"])
    ledgers = tuple(audit(character))
    view = build(character)
    alone = page_texts(printed(render_html(view, PrintOptions("short"))))
    found = page_texts(printed(render_html(view, PrintOptions("short"), ledgers)))
    assert len(found) > len(alone)
    text = squeezed("".join(found[len(alone) :]))
    for ledger in ledgers:
        for value in ledger.values:
            for line in value.lines:
                assert all(word in text for word in line.source.split()), line


@pytest.mark.slow
def test_the_number_of_a_page_is_at_the_outer_edge(make: Make) -> None:
    found = pages(render_html(build(make(**WHO["tank"]))))
    for number, page in enumerate(found, 1):
        of = next(w for w in page.extract_words()[::-1] if w["text"] == "of")
        right = of["x0"] > page.width / 2
        assert right == (number % 2 == 1)


@pytest.mark.slow
def test_slots_still_empty_have_room_to_be_filled(make: Make) -> None:
    view = build(make(**WHO["lancer"]))._replace(empty_slots=3)
    assert words(render_html(view)).upper().count("EMPTY") == 3


def test_every_size_of_letters_has_one_in_large_print() -> None:
    folder = data_folder("templates")
    files = [path for path in folder.rglob("*") if path.suffix in (".css", ".html")]
    texts = [path.read_text("utf-8") for path in files]
    used = {float(size) for text in texts for size in re.findall(r"\bpt\(([0-9.]+)\)", text)}
    tokens = (folder / "partials" / "tokens.html").read_text("utf-8")
    [table] = re.findall(r"set sizes = \{(.*)\}", tokens)
    assert len(used) > 10
    assert used <= {float(size) for size in re.findall(r"([0-9.]+):", table)}
