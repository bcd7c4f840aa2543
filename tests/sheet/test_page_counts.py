"""How many pages the layouts have: what players are promised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import product
from typing import NamedTuple

import pytest
from pypdf import PdfReader

from charforge.rules.loading.loader import load
from charforge.sheet.build import blank_view, build
from charforge.sheet.fit import fit_sheet, sheet_pdf
from charforge.sheet.party import IN_REFERENCE
from charforge.sheet.pdf import write
from charforge.sheet.print_options import Orientation, Paper, PrintOptions
from tests.samples import few
from tests.sheet.conftest import Make, made
from tests.sheet.printed import page_texts
from tests.sheet.torture import NAMES, TORTURE, torture_view

pytestmark = [pytest.mark.slow, pytest.mark.needs("pango")]


HIGHEST = "marks"


@pytest.mark.parametrize(
    "who", few([who for who in TORTURE if who not in NAMES or who == HIGHEST], 0, slow=3)
)
def test_the_short_sheet_is_half_a_page(who: str) -> None:
    """Larger paper has room, too: the print check demands one page in test_printed.

    Of the foreign names, which change one line, the one with the highest letters is tried.
    """
    assert len(fit_sheet(torture_view(who), PrintOptions("short", "a5")).document.pages) == 1


def test_a_line_of_training_begins_no_page_of_its_own(make: Make) -> None:
    """Below a repeated heading of the equipment, it is in smaller type."""
    view = build(make("s0", role="role/the-lancer", asset="companion/drone"))
    options = PrintOptions()
    options = replace(options, sections=options.sections - IN_REFERENCE)
    assert len(fit_sheet(view, options).document.pages) == 2


@pytest.mark.parametrize("level", few([1, 4, 7, 10], 0, slow=2))
def test_the_full_sheet_of_a_character_alone_is_three_pages(make: Make, level: int) -> None:
    view = build(make(level=level, role="role/the-healer", asset="augmentation/slots"))
    assert len(fit_sheet(view, PrintOptions()).document.pages) == 3


class FullSheet(NamedTuple):
    """What is told of a full sheet here: its boxes would take much memory.

    ``ends`` are where its parts begin and end on each page, in shares of its height; ``first_page``
    is the text of that page, line by line as it is printed.
    """

    html: str
    ends: tuple[Mapping[str, float], ...]
    first_page: str


@cache
def full_sheet(
    game: str,
    seed: str = "m",
    paper: Paper = "a4",
    orientation: Orientation = "portrait",
    fillable: bool = False,
) -> FullSheet:
    """Return the full sheet of a character of another game, laid out once for all tests here."""
    options = PrintOptions(paper=paper, orientation=orientation, fillable=fillable)
    html, document = fit_sheet(build(made(load(game), seed)), options)
    first, *_others = page_texts(document.copy(document.pages[:1]).write_pdf())
    ends = (
        {name: place[1] / page.height for name, place in page.anchors.items()}
        for page in document.pages
    )
    return FullSheet(html, tuple(ends), first)


# Both papers, with and without fields: A4 without, and Letter, which is lower, with them.
WAYS = few([pytest.param(*one) for one in product(("a4", "letter"), (False, True))], 0, slow=2)


MOST_PAGES = {"squad-d20": 4, "narrative-dice": 3, "phase-2d10": 3, "shields-biotics": 2}
MOST_LARGE = {"squad-d20": 7, "narrative-dice": 6, "phase-2d10": 6, "shields-biotics": 3}
IN_A_FIGHT = {"squad-d20": "attack-2", "narrative-dice": "ability-6"}
MOST_HALF = {"squad-d20": 8, "narrative-dice": 6, "phase-2d10": 6, "shields-biotics": 2}


@pytest.mark.parametrize("seed", few(["m", "x0", "n7"], 0, slow=1))
@pytest.mark.parametrize("game", MOST_PAGES)
def test_other_games_are_short(game: str, seed: str) -> None:
    """Other tests here look at the same sheets; with ``--long``, at those of more characters."""
    assert len(full_sheet(game, seed).ends) <= MOST_PAGES[game]


@pytest.mark.parametrize(("paper", "fillable"), WAYS)
def test_modes_of_attacks_are_on_the_page_of_the_attacks(paper: Paper, fillable: bool) -> None:
    """And all options on the next one: one was alone on the third page, above the squad."""
    sheet = full_sheet("squad-d20", paper=paper, fillable=fillable)
    assert 'class="label modes"' in sheet.html
    assert "Saturation Fire" in sheet.first_page
    assert {"abilities", "abilities-end"} <= set(sheet.ends[1])


def test_a_character_with_little_to_say_has_room_for_notes_on_the_back() -> None:
    """In smaller type it would be one page, whose back is empty."""
    sheet = full_sheet("shields-biotics")
    _front, back = sheet.ends
    assert back["end"] < 1 / 3
    assert 'class="part room"' in sheet.html


@pytest.mark.parametrize(("paper", "fillable"), WAYS)
@pytest.mark.parametrize("game", ["narrative-dice", "phase-2d10"])
def test_a_whole_fight_is_on_the_first_page(game: str, paper: Paper, fillable: bool) -> None:
    """The checks with the legend of their dice, or the wounds on a body, and the abilities."""
    sheet = full_sheet(game, paper=paper, fillable=fillable)
    assert "abilities-end" in sheet.ends[0]


@pytest.mark.parametrize(("paper", "fillable"), WAYS)
def test_the_first_wide_page_is_filled(paper: Paper, fillable: bool) -> None:
    """A quarter of it was free: powers and lists began on the second page."""
    narrative = full_sheet("narrative-dice", "m", paper, "landscape", fillable)
    assert "abilities" in narrative.ends[0]
    phase = full_sheet("phase-2d10", "m", paper, "landscape", fillable)
    assert "ACTION VALUES" in phase.first_page
    if not fillable:  # its fields are higher
        assert "fight-end" in phase.ends[0]


def test_conditions_to_tick_are_on_one_line() -> None:
    """The last one was alone on the next line. A4 is the narrower paper."""
    conditions = build(made(load("phase-2d10"), "m")).conditions
    lines = full_sheet("phase-2d10").first_page.splitlines()
    assert any(all(one.name in line for one in conditions) for line in lines)


def test_many_attacks_are_on_one_page_of_wide_paper() -> None:
    """They are below the lists, which fill the first page."""
    view = build(made(load("squad-d20"), "m"))
    assert len(view.weapons) > 4
    sheet = fit_sheet(view, PrintOptions(orientation="landscape"))
    printed = PdfReader(BytesIO(sheet.document.write_pdf())).pages
    assert len(printed) == 4
    first, second, *_rest = (page.extract_text() for page in printed)
    assert [weapon.name for weapon in view.weapons if weapon.name in first] == []
    assert [weapon.name for weapon in view.weapons if weapon.name not in second] == []


@pytest.mark.parametrize("game", few(list(MOST_LARGE), 0, slow=2))
def test_large_print_ends_with_a_page_that_is_not_nearly_empty(game: str) -> None:
    """Their last pages have more than the credits."""
    view, options = build(made(load(game), "m")), PrintOptions(styles=frozenset({"large-print"}))
    pages = fit_sheet(view, options).document.pages
    assert len(pages) <= MOST_LARGE[game]
    assert "end" in pages[-1].anchors
    assert pages[-1].anchors["end"][1] > pages[-1].height / 8


@pytest.mark.parametrize("game", few(list(MOST_PAGES), 0, slow=2))
def test_the_short_sheet_of_other_games_is_half_a_page(game: str) -> None:
    """Vitals and attributes share a row, and what modes do is left to the full sheet.

    The figures of a squad's weapons are equal: they are printed once, in columns of about the
    same height, and in no table, which would leave something out.
    """
    view = build(made(load(game), "m"))
    sheet = fit_sheet(view, PrintOptions("short", "a5"))
    [page] = sheet.document.pages
    assert IN_A_FIGHT.get(game, "end") in page.anchors
    if game == "squad-d20":
        assert '<table class="arms' not in sheet.html.split('id="ability-1"')[0]
        names = {name for name in page.anchors if name.startswith("attack-")}
        assert len(view.weapons) > 4
        assert names == {f"attack-{number}" for number in range(1, len(view.weapons) + 1)}


@pytest.mark.parametrize("game", few(list(MOST_HALF), 0, slow=2))
def test_the_full_sheet_of_other_games_on_half_paper(game: str) -> None:
    """No page has nothing but lines to write on."""
    view = build(made(load(game), "m"))
    pages = fit_sheet(view, PrintOptions(paper="a5")).document.pages
    assert len(pages) <= MOST_HALF[game]
    assert "end" in pages[-1].anchors


def test_the_blank_sheet_of_a_squad_has_four_pages() -> None:
    """Two frames more for options would be alone on the third page, and its tables on two more."""
    sheet = fit_sheet(blank_view(load("squad-d20")), PrintOptions(blank=True))
    assert len(sheet.document.pages) == 4


@pytest.mark.parametrize("paper", few(["letter", "a4"], 0, slow=1))
def test_the_lists_of_a_blank_sheet_are_on_one_page(paper: Paper) -> None:
    """Below the rows for attacks three of six had room."""
    view = blank_view(load("phase-2d10"))
    data = sheet_pdf(view, PrintOptions(paper=paper, blank=True))
    texts = [page.extract_text().upper() for page in PdfReader(BytesIO(data)).pages]
    labels = [one.label.upper() for one in view.lists_beside_combat]
    assert len(labels) > 4
    assert any(all(label in text for label in labels) for text in texts)


def test_a_short_sheet_on_wide_paper_has_a_table_of_attacks_above_its_columns(make: Make) -> None:
    view = build(make(level=4, role="role/the-scout"))
    sheet = fit_sheet(view, PrintOptions("short", orientation="landscape"))
    [page] = sheet.document.pages
    assert 'class="attacks"' in sheet.html
    assert page.anchors["attack-1"][1] < page.anchors["ability-1"][1]


def test_a_short_sheet_on_half_a_page_has_a_table_if_that_leaves_nothing_out(make: Make) -> None:
    view = build(make(level=1, role="role/the-scout"))
    sheet = fit_sheet(view, PrintOptions("short", "a5"))
    assert '<table class="arms' in sheet.html.split('id="ability-1"')[0]


def test_a_frame_that_does_not_fit_its_page_is_pulled_back(make: Make) -> None:
    """In full size this one would be on the next page, below which half a page is empty."""
    view = build(make(level=10, role="role/the-captain", asset="companion/land-beast"))
    sheet = fit_sheet(view, PrintOptions())
    assert len(sheet.document.pages) == 3
    [place] = [n for n, page in enumerate(sheet.document.pages) if "unit-1" in page.anchors]
    assert place == 1, "below the equipment"
    assert "unit-1-end" in sheet.document.pages[place].anchors


def test_equipment_fills_page_1_and_the_story_is_on_one_page(make: Make) -> None:
    """In full size, page 1 would end with much room, and a line of the story be on page 3."""
    view = build(make(level=3, role="role/the-tank", asset="augmentation/slots"))
    first, second, *_rest = fit_sheet(view, PrintOptions()).document.pages
    assert {"abilities-end", "gear"} <= set(first.anchors)
    assert {"story", "story-end"} <= set(second.anchors)


@pytest.mark.parametrize(
    ("orientation", "level"),
    few([pytest.param(*one) for one in product(("portrait", "landscape"), (1, 2, 3))], 0, slow=2),
)
def test_equipment_does_not_begin_below_its_money_on_another_page(
    make: Make, orientation: Orientation, level: int
) -> None:
    options = PrintOptions(orientation=orientation)
    view = build(make(level=level, role="role/the-lancer"))
    sheet = fit_sheet(view, options)
    [number] = [n for n, page in enumerate(sheet.document.pages) if "gear" in page.anchors]
    text = PdfReader(BytesIO(write(sheet.document, [sheet.html]))).pages[number].extract_text()
    assert view.gear_groups[0][1][0].name in " ".join(text.split())


def test_large_print_keeps_a_frame_and_a_body_with_its_boxes_whole(make: Make) -> None:
    """Both were continued on the next page, though each fits on a page."""
    options = PrintOptions(styles=frozenset({"large-print"}))
    view = build(make(level=10, role="role/the-captain", asset="companion/land-beast"))
    pages = fit_sheet(view, replace(options, sections=frozenset({"gear", "units"}))).document.pages
    [place] = [number for number, page in enumerate(pages) if "unit-1" in page.anchors]
    assert "unit-1-end" in pages[place].anchors
    view = build(made(load("phase-2d10"), "m"))
    [marks] = [group.boxes for group in view.tracker_groups if group.marks]
    data = sheet_pdf(view, replace(options, sections=frozenset({"fight"})))
    texts = [page.extract_text() for page in PdfReader(BytesIO(data)).pages]
    [first] = [number for number, text in enumerate(texts) if marks[0].label in text]
    [last] = [number for number, text in enumerate(texts) if marks[-1].label in text]
    assert first == last
    assert view.weapons[0].name in texts[0]


@pytest.mark.parametrize("paper", few(["letter", "a4"], 0, slow=1))
def test_the_story_of_a_blank_sheet_is_on_one_page(paper: Paper) -> None:
    view = blank_view(load("capital"))
    data = sheet_pdf(view, PrintOptions("full", paper, blank=True))
    pages = [page.extract_text().upper() for page in PdfReader(BytesIO(data)).pages]
    found = {
        number
        for part in view.story
        for number, text in enumerate(pages)
        if part.label.upper() in text.split("\n")
    }
    assert len(pages) == 3
    assert len(found) == 1


def test_two_frames_fit_on_a_wide_page() -> None:
    options = PrintOptions(orientation="landscape", sections=frozenset({"units"}))
    pages = fit_sheet(torture_view("units"), options).document.pages
    frames = [name for page in pages for name in page.anchors if re.fullmatch(r"unit-\d+", name)]
    holding = [page for page in pages if any(frame in page.anchors for frame in frames)]
    assert len(holding) <= len(set(frames)) / 2 + 1
