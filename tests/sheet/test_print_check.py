"""The print check finds faults: small PDFs with one fault each."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from allpairspy import AllPairs

from charforge.expressions.template import Block, Span
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.sheet import fonts
from charforge.sheet.build import build
from charforge.sheet.cards import (
    LARGE_SIZES,
    FittedCard,
    Piece,
    PrintCard,
)
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import CARD_SIZES, Paper, PrintOptions, Style
from tests.sheet.conftest import Make, made
from tests.sheet.print_check import at_edge, check
from tests.sheet.print_faults import faults, normal
from tests.sheet.print_layout import misplaced
from tests.sheet.printed import Finding, Printed, record

pytestmark = pytest.mark.slow
PAPERS = get_args(Paper)
EVERYTHING = [
    *(PrintOptions(layout, paper) for layout in ("full", "short", "reference") for paper in PAPERS),
    *(
        PrintOptions("cards", paper, styles=styles, card_format=size)
        for paper, size, styles in AllPairs(
            [
                PAPERS,
                [*CARD_SIZES],
                [frozenset[Style](), frozenset[Style](["large-print"])],
            ]
        )
    ),
]

NOWHERE = "\U0010fffd"  # the last sign for private use: no font has it


def page(body: str, css: str = "") -> Printed:
    """Make a PDF of A5 with margins of 12 mm, 30 mm at its foot."""
    options = "@page { size: A5; margin: 12mm 12mm 30mm } html { font: 12pt/1.3 Barlow }"
    head = f"<title>A</title><style>{options} body, p {{ margin: 0 }} {css}</style>"
    html = f"<!DOCTYPE html><html lang='en'><head>{head}</head><body>{body}</body></html>"
    return record(lambda: render_pdf(html))


def found(made: Printed, *wanted: str) -> list[tuple[int, str, str]]:
    return sorted((one.page, one.fault, one.about) for one in faults(made, wanted))


@pytest.mark.parametrize("options", EVERYTHING, ids=range(len(EVERYTHING)))
def test_nothing_is_printed_at_the_edge_of_the_paper(
    harbour: Ruleset, options: PrintOptions
) -> None:
    view = build(made(harbour))
    assert view.credits
    pdf = record(lambda: sheet_pdf(view, options))
    assert [*at_edge(pdf)] == []
    text = normal("".join(word.text for sheet in pdf.pages for word in sheet.words))
    assert normal(view.credits[0].line) in text


@pytest.mark.parametrize(
    "options", [PrintOptions(paper="a5"), PrintOptions(styles=frozenset({"large-print"}))]
)
def test_a_body_is_drawn_without_faults(options: PrintOptions) -> None:
    """Its marks are whole, on the drawing or beside it, and none covers another."""
    view = build(made(load("phase-2d10"), "m"))
    assert view.tracker_groups[0].marks
    assert check(record(lambda: sheet_pdf(view, options)), view, options) == []


def test_what_is_at_the_edge_is_found() -> None:
    low = page("<p>Low</p>", "p { position: absolute; left: -9mm }")
    assert [(one.fault, one.about) for one in at_edge(low)] == [("edge", "Low")]


def test_a_good_page_has_no_faults() -> None:
    made = page(
        "<h1 style='text-transform: uppercase'>Focus</h1><p>You have 2\N{NO-BREAK SPACE}Energy"
        " and an <b>effi</b>cient office, a naïve Ñandú and שלום עולם.</p>"
    )
    assert found(made, "Focus", "You have 2 Energy", "efficient office", "nai\u0308ve Ñandú") == []
    assert found(made, "שלום עולם") == []


def test_a_word_broken_at_a_hyphen_or_inside_is_whole() -> None:
    made = page("<p>Two-handed Donaudampfschiffahrt</p>",
                "p { width: 12mm; overflow-wrap: break-word }")  # fmt: skip
    assert len(made.pages[0].words) > 3
    assert found(made, "Two-handed", "Donaudampfschiffahrt") == []


def test_a_text_may_go_on_on_the_next_page() -> None:
    text = " ".join(f"word{number}" for number in range(900))
    made = page(f"<p>{text}</p>")
    assert len(made.pages) > 1
    assert found(made, text) == []
    assert found(made, f"{text} end") == [(0, "missing", f"{text} end")]


@pytest.mark.parametrize("wanted", ["Drone", "the Focus", "Foc", "ocus", "Focus II", "2"])
def test_a_word_that_is_not_there_is_found(wanted: str) -> None:
    assert found(page("<p>Focus, the 12 others</p>"), wanted) == [(0, "missing", wanted)]


def test_what_is_wanted_twice_must_be_there_twice() -> None:
    made = page("<p>Focus and Aim</p>")
    assert found(made, "Focus", "Aim") == []
    assert found(made, "Focus", "Aim", "Aim") == [(0, "missing", "Aim")]


@pytest.mark.parametrize("css", ["margin-left: -3mm", "margin-top: -4mm", "text-indent: 122mm"])
def test_a_word_in_the_margin_is_found(css: str) -> None:
    made = page("<p>edge</p>", f"p {{ {css}; white-space: nowrap }}")
    assert found(made, "edge") == [(1, "margin", "edge")]


def test_words_on_each_other_are_found() -> None:
    made = page("<p>under</p><p>over</p>", "p { position: absolute; top: 0 } p + p { left: 2mm }")
    assert [one[:2] for one in found(made, "under", "over")] == [(1, "overlap")]


def test_words_on_a_drawing_are_found() -> None:
    drawing = "<svg width='20' height='9'><title>pips</title><path d='M0 0h20v9z'/></svg>"
    css = "div { position: absolute; top: 1mm; left: 7mm } p { white-space: nowrap }"
    made = page(f"<p>abracadabra</p><div>{drawing}</div>", css)
    assert found(made) == [(1, "overlap", "abracadabra | drawing")]
    assert found(page(f"<p>3</p><div>{drawing}</div>", css)) == []


@pytest.mark.parametrize("css", [
    "position: absolute; top: 2mm; left: 0; width: 40mm; border-top: 1px solid",
    "position: absolute; top: 0; left: 9mm; height: 9mm; border-left: 1px solid",
    "position: absolute; top: 0; left: 2mm; height: 3mm; width: 3mm; border: 1px solid",
])  # fmt: skip
def test_lines_through_words_are_found(css: str) -> None:
    made = page("<p>abracadabra</p><div></div>", f"div {{ {css} }}")
    assert found(made) == [(1, "line through", "abracadabra")]


def test_tight_lines_do_not_overlap() -> None:
    made = page("<p>Agility grip<br>bdfhkl</p>", "p { line-height: 1.05 }")
    assert found(made) == []


@pytest.mark.parametrize("left", ["{STR + 2}", "{{ name }}", "$damage", "None", "undefined"])
def test_a_placeholder_is_found(left: str) -> None:
    made = page(f"<p>Deal {left} now</p>")
    told = [one for one in found(made) if one[1] == "placeholder"]
    assert told == found(made)
    assert told
    assert list(faults(made, (), own=(left,))) == []


@pytest.mark.parametrize("css", ["height: 6mm", "width: 20mm; white-space: nowrap"])
def test_text_that_its_box_clips_is_found_though_the_pdf_has_it(css: str) -> None:
    css = f"p {{ width: 12mm; overflow: hidden; margin-bottom: 9mm; {css} }}"
    made = page("<p>aaaaa bbbbb</p><p>after</p>", css)
    told = found(made, "aaaaa", "bbbbb", "after")
    assert told == [(1, "clipped", "bbbbb")]


def test_a_word_of_the_colour_of_its_ground_is_found() -> None:
    assert found(page("<p>seen <b>unseen</b></p>", "b { color: #fff }")) == [
        (1, "clipped", "unseen")
    ]


def test_small_letters_are_found() -> None:
    made = page("<p>Legal <small>footnote</small></p>", "small { font-size: 6.5pt }")
    assert found(made) == [(1, "small", "footnote")]
    assert [one.about.strip() for one in faults(made, (), least=14)] == ["Legal", "footnote"]


def test_a_warning_is_found() -> None:
    [(where, fault, about)] = found(page("<p>A</p>", "p { gleam: bright }"), "A")
    assert (where, fault) == (0, "warning")
    assert "gleam: bright" in about


def test_a_sign_that_no_font_has_is_found_and_told() -> None:
    with fonts.collect_missing_glyphs() as told:
        made = page(f"<p>Nix {NOWHERE}</p>")
    assert found(made, "Nix") == [(0, "missing glyph", NOWHERE)]
    assert list(told) == [NOWHERE]
    assert "Barlow" in made.families


def test_of_a_whole_sheet_the_missing_sentence_is_found(make: Make) -> None:
    view = build(make())
    html = render_html(view)
    assert [
        one for one in check(record(lambda: render_pdf(html)), view, PrintOptions()) if not one.page
    ] == []
    text = str(view.cards[-1].actions[0].text.full[0])
    assert html.count(text) == 1
    without = record(lambda: render_pdf(html.replace(text, "Something else.")))
    assert Finding(0, "missing", text) in check(without, view, PrintOptions())


@pytest.mark.parametrize(("one", "other"), [
    ("STRASSE", "Straße"), ("ﬁn", "fin"), ("2\N{NO-BREAK SPACE}m", "2 m"), ("e\u0301", "É"),
    ("soft\N{SOFT HYPHEN}ly", "softly"), ("…", "..."),
])  # fmt: skip
def test_texts_are_compared_by_their_letters(one: str, other: str) -> None:
    assert normal(one) == normal(other)


# ------------------------------------------------------------------ pages as a whole

LINES = "<div class='line'></div>" * 4
LINE = "h3 { margin: 0 } .line { height: 8mm; border-bottom: 1px solid }"


def composed(
    body: str, css: str = "", options: PrintOptions | None = None
) -> list[tuple[int, str]]:
    made = page(body, f"@page {{ size: A4; margin: 10mm 10mm 15mm }} {css}")
    return [(one.page, one.fault) for one in misplaced(made, options or PrintOptions())]


def test_a_page_that_ends_early_is_found_unless_it_is_the_last() -> None:
    css = "div { break-after: page; margin-bottom: 1px } p { height: 100mm }"
    assert composed("<p>A</p><div>B</div><p>C</p>", css) == [(1, "half empty")]
    assert composed("<p>A</p><p>A</p><div>B</div><p>C</p>", css) == []


def test_a_card_that_ends_early_is_found_unless_its_type_is_the_largest(harbour: Ruleset) -> None:
    options = PrintOptions("cards", styles=frozenset({"large-print"}))
    view, text = build(made(harbour)), Piece("text", Block((Span("You have Aim 1. " * 2),)))
    largest, *smaller = LARGE_SIZES

    def half_empty(size: float, *pieces: Piece) -> list[str]:
        card = PrintCard("abilities", "A Card of Two Lines", "Always", pieces, pieces, "Nix")
        cards = [FittedCard(card, pieces, size)]
        html = render_html(view, replace(options, measured=True), cards=cards)
        made = record(lambda: render_pdf(html))
        assert {one.fault for one in misplaced(made, options)} <= {"half empty"}
        return [one.about for one in misplaced(made, options)]

    assert half_empty(largest, text) == []
    for size in smaller:
        assert half_empty(size, text) == ["A Card of Two Lines"]
        assert half_empty(size, *[text] * 12) == []


def test_a_page_without_words_is_found() -> None:
    assert (2, "empty page") in composed("<p>A</p><hr>", "hr { break-before: page }")


def test_two_rules_with_nothing_between_are_found() -> None:
    css = "h3 { border-bottom: 2px solid; margin-bottom: 1mm } p { border-top: 1px solid }"
    assert composed("<h3>A</h3><p>B</p>", css) == [(1, "double rule")]
    assert composed("<h3>A</h3><p>B</p>", css.replace("1mm", "4mm")) == []


def test_lines_to_write_on_need_a_label() -> None:
    assert composed(f"<h3>Loot</h3>{LINES}", LINE) == []
    far = ".line:first-of-type { margin-top: 30mm }"
    assert composed(f"<p>Text</p>{LINES}", LINE + far) == [(1, "no label")]


def test_columns_that_start_unevenly_are_found() -> None:
    body = "<section><div>A<br>B</div><div><p>C<br>D</p></div></section>"
    css = "section { display: flex } div { width: 95mm }"
    assert composed(body, css) == []
    assert composed(body, css + " div > p { padding-top: 3mm }") == [(1, "uneven")]


def test_a_heading_at_the_end_of_a_column_is_found() -> None:
    body = "<div><p>A</p><h3>B</h3></div><div>C<br>D</div>"
    css = "div { float: left; width: 45% }"
    assert composed(body, css) == [(1, "heading alone")]
    assert composed(body.replace("</h3>", "</h3><p>E</p>"), css) == []
