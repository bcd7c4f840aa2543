"""The structure tree of every layout of every game, as a screen reader sees it."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from charforge.rules.loading.loader import load
from charforge.sheet.build import blank_view
from charforge.sheet.html import render_html
from charforge.sheet.party import parties, party_member, render_summary
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.view import SheetView, grouped_cards
from tests.samples import LONG
from tests.sheet.conftest import made
from tests.sheet.printed import Printed, record
from tests.sheet.structure import HEADING, Tag, structure
from tests.sheet.torture import NAMES, torture_view

LAYOUTS: tuple[Layout, ...] = ("full", "short", "cards", "reference", "party")
GAMES = {
    "struck": "capital",
    "dead": "capital",
    "squad": "squad-d20",
    "narrative": "narrative-dice",
    "phase": "phase-2d10",
    "shields": "shields-biotics",
}
# Each game in full, each other layout of the main game, the short one where rows are lines of text,
# and a party of another game; with --long each other layout of two more games.
TREES = [
    *((who, PrintOptions()) for who in GAMES),
    *(("struck", PrintOptions(layout)) for layout in LAYOUTS[1:]),
    ("squad", PrintOptions("short", orientation="landscape")),
    ("shields", PrintOptions("party")),
]
if LONG:
    TREES += [
        (who, PrintOptions(layout))
        for who, layouts in {
            "narrative": ("cards", "reference"),
            "phase": ("short", "reference"),
            "shields": ("cards",),
            "squad": ("party",),
        }.items()
        for layout in layouts
    ]
# Of the main game: test_fillable.
FORMS: list[tuple[str, Layout, bool]] = [("phase", "full", False), ("narrative", "short", True)]
ARABIC = NAMES["arabic"]


def sheet(who: str, options: PrintOptions) -> Printed:
    if options.layout == "party":
        member = party_member(made(load(GAMES[who]), name=ARABIC))
        html = render_summary(parties([member]), options)
    else:
        html = render_html(torture_view(who), options)
    return record(lambda: render_pdf(html))


def cell_texts(table: Tag) -> list[Tag]:
    """Return the cells of a table that hold any words."""
    return [cell for cell in table.all("TD") if cell.text.strip()]


def assert_every_figure_has_a_text(root: Tag) -> None:
    figures = root.all("Figure")
    assert [figure.page for figure in figures if not figure.alt.strip()] == []


def assert_headings_skip_no_level(root: Tag) -> None:
    levels = [int(tag.kind[1]) for tag in root.walk() if HEADING.fullmatch(tag.kind)]
    assert levels[:1] == [1]
    assert levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []
    assert not [tag for tag in root.walk() if HEADING.fullmatch(tag.kind) and not tag.text]


def assert_tables_have_headers_for_their_cells(root: Tag) -> None:
    for table in root.all("Table"):
        cells = cell_texts(table)
        assert table.all("TH") or not cells, table.text
        assert [cell.text for cell in cells if not cell.headers] == [], table.text[:80]


# What is read of conditions that somebody has.
TICKED = {
    "struck": (r"\bProne ticked\b", r"Taunted .* ticked"),
    "dead": (r"\bDead ticked\b",),
}


def first(text: str, *words: str) -> list[int]:
    """Return where texts start in what is read aloud; all of them must be there."""
    places = [text.find(word) for word in words]
    assert -1 not in places, [word for word in words if word not in text]
    return places


def assert_labels_come_before_what_they_label(view: SheetView, root: Tag) -> None:
    text = root.text
    for vital in view.vitals:
        if not vital.shared and vital.max:
            label, boxes = first(text, vital.label, f"boxes for {vital.label}")
            assert label < boxes
    for score in view.attributes:
        assert re.search(rf"(?<!\w){re.escape(score.label)} .{{0,12}}{score.total}", text, re.I)
    for group in grouped_cards(view.cards):
        names = (", ".join(filter(None, group.titles)),)
        for name in (card.name for card in group.cards) if group.lead else names:
            [heading, *_] = [tag for tag in root.all("H3") if tag.text.endswith(name)]
            badge = group.cards[0].label or "Always"
            assert heading.text.casefold() in (name.casefold(), f"{badge} {name}".casefold())


def assert_weapons_are_headers_of_their_rows(view: SheetView, root: Tag) -> None:
    headers = [tag.text for tag in root.all("TH")]
    for weapon in view.weapons:
        assert any(text.startswith(weapon.name) for text in headers), weapon.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("who", "options"), TREES, ids=lambda one: one if isinstance(one, str) else one.layout
)
def test_a_screen_reader_can_follow_each_page(
    who: str, options: PrintOptions, tmp_path: Path
) -> None:
    """All in one test: to print a page takes much longer than to look at it."""
    made = sheet(who, options)
    tags = structure(made)
    assert_every_figure_has_a_text(tags)
    assert_headings_skip_no_level(tags)
    assert_tables_have_headers_for_their_cells(tags)
    if options.layout == "full":
        assert_labels_come_before_what_they_label(torture_view(who), tags)
        assert_weapons_are_headers_of_their_rows(torture_view(who), tags)
        for ticked in TICKED.get(who, ()):
            assert re.search(ticked, tags.text), ticked
        assert not re.search(r"\bGrappled ticked\b", tags.text)
    root = PdfReader(BytesIO(made.data)).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert b"pdfuaid" in root["/Metadata"].get_data()
    assert not made.warnings
    checker = shutil.which("qpdf")
    if checker:
        (tmp_path / "sheet.pdf").write_bytes(made.data)
        subprocess.run([checker, "--check", str(tmp_path / "sheet.pdf")], check=True)


# ------------------------------------------------------------------ fields


@pytest.mark.slow
@pytest.mark.parametrize(("who", "layout", "blank"), FORMS)
def test_every_field_has_a_name_and_is_in_the_tree(who: str, layout: Layout, blank: bool) -> None:
    view = blank_view(load(GAMES[who])) if blank else torture_view(who)
    options = PrintOptions(layout, fillable=True, blank=blank)
    printed = record(lambda: render_pdf(render_html(view, options), fillable=True))
    forms = structure(printed).all("Form")
    names = [str(one["/T"]) for form in forms for one in form.fields]
    assert names
    assert len(set(names)) == len(names)
    assert all(str(one.get("/TU", "")).strip() for form in forms for one in form.fields)


# ------------------------------------------------------------------ names from right to left


class Isolated(HTMLParser):
    """Collects the elements around each text that has a name in it."""

    def __init__(self, name: str, html: str) -> None:
        super().__init__()
        self.name, self.open, self.found = name, list[str](), list[list[str]]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br", "input", "img", "col"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.name in data:
            self.found.append([*self.open])


def named(view: SheetView, name: str) -> SheetView:
    """Return a view in which the character, its units, things and weapons have a name."""
    return view._replace(
        name=name,
        units=tuple(unit._replace(name=name) for unit in view.units),
        items=tuple(item._replace(name=name) for item in view.items),
        weapons=tuple(weapon._replace(name=name) for weapon in view.weapons),
        cards=tuple(card._replace(name=name) for card in view.cards),
    )


@pytest.mark.parametrize("layout", ["full", "short", "cards", "reference"])
def test_names_are_isolated(layout: Any) -> None:
    page = render_html(named(torture_view("struck"), ARABIC), PrintOptions(layout))
    found = Isolated(ARABIC, page).found
    assert found
    drawn = ("title", "style")  # of a page or a drawing: nothing stands beside the name
    assert [tags[-3:] for tags in found if "bdi" not in tags and tags[-1] not in drawn] == []


@pytest.mark.slow
@pytest.mark.parametrize(("script", "layout"), [("arabic", "short"), ("hebrew", "reference")])
def test_a_name_from_right_to_left_leaves_the_page_number_alone(script: str, layout: Any) -> None:
    view = torture_view(script)
    printed = record(lambda: render_pdf(render_html(view, PrintOptions(layout))))
    for number, page in enumerate(printed.pages, 1):
        foot = [word for word in page.words if word.rect.top > page.paper.bottom - 15 * 72 / 25.4]
        line = sorted(foot, key=lambda word: word.rect.left)
        texts = [word.text for word in line]
        place = texts.index("of")
        assert texts[place - 2 : place + 2] == ["·", str(number), "of", str(len(printed.pages))]
    isolates = {"\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"}
    assert not isolates & set(printed.missing_glyphs)
