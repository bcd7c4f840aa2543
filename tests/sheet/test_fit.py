"""The short sheet fits its page, and texts fit their cards."""

from __future__ import annotations

import math
import re
from bisect import bisect
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from types import SimpleNamespace
from typing import Any, cast

import pdfplumber
import pytest

from charforge.errors import UsageError
from charforge.expressions.template import Block, Prose, Span, plain_text
from charforge.rules.loading.loader import load
from charforge.sheet import fit_cards, fit_full, fit_short, laid_out
from charforge.sheet.build import build
from charforge.sheet.fit import fit_sheet, sheet_pdf
from charforge.sheet.html import render_html
from charforge.sheet.laid_out import LaidOutSheet, MeasuredSheet, Place
from charforge.sheet.print_options import (
    CARD_KINDS,
    LINES,
    NAMES,
    SIDE,
    CardSize,
    PrintOptions,
    Style,
)
from charforge.sheet.view import Card, Entry, RulesText, SheetAction, SheetView, grouped_cards
from tests.sheet.conftest import Make, made
from tests.sheet.print_layout import misplaced
from tests.sheet.printed import record

MM = 72 / 25.4
LARGE: frozenset[Style] = frozenset({"large-print"})
SENTENCE = "The quick brown fox jumps over the lazy dog at noon. "


def pages(view: SheetView, options: PrintOptions) -> list[Any]:
    with pdfplumber.open(BytesIO(sheet_pdf(view, options))) as pdf:
        return list(pdf.pages)


def squeezed(text: str) -> str:
    return re.sub(r"[\s\N{NO-BREAK SPACE}·-]", "", text)


def text_of(found: list[Any]) -> str:
    return squeezed("".join(sign["text"] for page in found for sign in page.chars))


def least_size(found: list[Any]) -> float:
    signs = (sign for page in found for sign in page.chars if sign["text"].strip())
    return min(float(sign["size"]) for sign in signs)


def rules(view: SheetView, *, gear: bool) -> Iterator[tuple[Prose, Prose]]:
    """Yield the text and the digest of everything that a fight needs."""
    holders = [*view.cards, *(view.unlisted_items if gear else ())]
    holders += [card for unit in view.units for card in unit.cards]
    for holder in holders:
        for part in (holder, *holder.actions):
            yield part.text.full, part.text.digest
    for weapon in (*view.weapons, *(weapon for unit in view.units for weapon in unit.weapons)):
        for mode in (weapon.shared, *weapon.modes):
            yield mode.text.full, mode.text.digest


def assert_all_rules(view: SheetView, printed: str, *, gear: bool) -> None:
    for full, digest in rules(view, gear=gear):
        for whole in (full, digest):
            if all(squeezed(plain_text((block,))) in printed for block in whole):
                break
        else:
            pytest.fail(plain_text(full))


def one_card(make: Make, *texts: str, short: str = "") -> SheetView:
    text = tuple(Block((Span(each),)) for each in texts)
    digest = (Block((Span(short),)),) if short else ()
    card = Card("a/b", "Long", (), "", "", RulesText(text, digest), (), ())
    return build(make())._replace(cards=(card,), items=(), weapons=(), units=())


# ---------------------------------------------------------------- the short sheet


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize("level", [1, 10])
def test_a_short_sheet_has_one_page_with_every_rule(make: Make, level: int) -> None:
    view = build(make(level=level, role="role/the-scout"))
    found = pages(view, PrintOptions("short"))
    assert len(found) == 1
    assert least_size(found) >= 6.95
    text = text_of(found)
    assert_all_rules(view, text, gear=False)
    assert all(squeezed(item.name) in text for item in view.unlisted_items)


@pytest.mark.needs("pango")
@pytest.mark.slow
def test_what_does_not_fit_large_print_continues_and_nothing_is_lost(make: Make) -> None:
    role, asset = "role/the-captain", "companion/land-beast"
    view = build(make(level=10, role=role, asset=asset))
    found = pages(view, PrintOptions("short", "letter", styles=LARGE))
    assert least_size(found) >= 13.95
    assert_all_rules(view, text_of(found), gear=True)


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [PrintOptions("short", "letter"), PrintOptions("short", "a4", "landscape")],
    ids=["letter", "landscape"],
)
def test_a_short_sheet_keeps_the_rules_of_abilities_longest(
    make: Make, options: PrintOptions
) -> None:
    role, asset = "role/the-captain", "companion/land-beast"
    view = build(make(level=10, role=role, asset=asset))
    found = pages(view, options)
    assert len(found) == 1
    assert least_size(found) >= 6.95
    assert_all_rules(view, text_of(found), gear=False)


@pytest.mark.needs("pango")
@pytest.mark.slow
def test_the_last_line_of_a_short_sheet_names_what_does_not_fit(make: Make) -> None:
    view = build(make())
    item = next(item for item in view.items if not item.listed)
    item = item._replace(text=RulesText((Block((Span("A thing."),)),)))
    items = tuple(
        item._replace(name=f"Thing{number:03}" + " and more" * 4) for number in range(1, 121)
    )
    options = PrintOptions("short", "a5", sections=frozenset({"gear", "story"}))
    found = pages(view._replace(items=items), options)
    assert len(found) == 1
    assert least_size(found) >= 6.95
    printed = re.findall(r"Thing\d{3}", text_of(found))
    assert printed == [item.name.split()[0] for item in items[: len(printed)]]
    assert f"Onlyonthefullsheet:Equipment({120 - len(printed)}),Story" in text_of(found)


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("narrative-dice", PrintOptions("short", orientation="landscape")),
        ("phase-2d10", PrintOptions("short", "letter")),
        ("shields-biotics", PrintOptions("short", orientation="landscape")),
    ],
    ids=["narrative-dice", "phase-2d10", "shields-biotics"],
)
def test_a_short_sheet_is_one_page_in_every_game(game: str, options: PrintOptions) -> None:
    """The other two games: test_printed."""
    ruleset = load(game)
    view = build(made(ruleset, "a", ruleset.head.advancement.maximum))
    printed = record(lambda: sheet_pdf(view, options))
    assert [*misplaced(printed, options)] == []


@pytest.mark.needs("pango")
def test_abilities_that_are_used_alike_share_a_row_of_a_short_sheet() -> None:
    """Nine options of a squad have the same check, timing or length: it says them three times."""
    view = build(made(load("squad-d20"), "short"))
    alike = [group for group in grouped_cards(view.cards) if group.lead]
    assert sum(len(group.cards) for group in alike) > 2
    html = render_html(view, PrintOptions("short", measured=True))
    for group in alike:
        assert html.count(f">{group.lead}:<") == 1
    ids = [int(number) for number in re.findall(r' id="ability-(\d+)"', html)]
    assert ids == list(range(1, len(view.cards) + 1))


@pytest.mark.needs("pango")
def test_a_short_sheet_without_abilities_and_weapons_has_the_rules_it_goes_by() -> None:
    view = build(made(load("shields-biotics"), "short"))
    view = view._replace(weapons=(), items=(), cards=(), units=())
    [page] = pages(view, PrintOptions("short"))
    text = text_of([page])
    assert all(squeezed(entry.name) in text for entry in view.conditions)
    assert all(squeezed(chart.label).upper() in text.upper() for chart in view.charts)
    assert view.charts
    assert "Reference" not in render_html(view, PrintOptions("short", brevity=NAMES))


def test_equipment_of_a_short_sheet_has_boxes_to_tick(make: Make) -> None:
    view = build(make())
    assert len(view.unlisted_items) > 1
    for brevity in range(NAMES + 1):
        html = render_html(
            view, PrintOptions("short", brevity=brevity, sections=frozenset({"gear"}))
        )
        assert html.count('<i class="tick"></i>') >= len(view.unlisted_items)


def test_equipment_is_a_name_with_a_box_and_what_it_does_in_a_fight(make: Make) -> None:
    view = build(make())
    some = next(item for item in view.unlisted_items if not item.armed)
    text = RulesText((Block((Span("About it."),)),))
    use = SheetAction(
        "Use", "action", "Action", (), (), "", RulesText((Block((Span("Now."),)),)), ()
    )
    plain = some._replace(name="Tent", text=text, actions=(), capacities=())
    used = plain._replace(name="Kit", actions=(use,))
    rifle = plain._replace(name="Old rifle", armed="Rifle")
    view = view._replace(items=(plain, used, rifle))

    def gear(options: PrintOptions) -> str:
        return render_html(view, replace(options, sections=frozenset({"gear"})))

    html = gear(PrintOptions("short"))
    assert html.count("About it.") == 1, "of the weapon"
    assert html.count("Now.") == 1
    assert html.count('<i class="tick"></i>') == 3
    assert gear(PrintOptions("short", styles=LARGE)).count("About it.") == 3


@pytest.mark.parametrize("game", ["capital", "squad-d20"])
def test_where_there_is_little_room_a_weapon_is_a_row_and_named_once(game: str) -> None:
    view = build(made(load(game), "rows"))
    html = render_html(view, PrintOptions("short", brevity=LINES, measured=True))
    armed_units = sum(bool(unit.weapons) for unit in view.units)
    assert html.count('<table class="arms">') == 1 + armed_units
    ids = [int(number) for number in re.findall(r' id="attack-(\d+)"><th scope="row">', html)]
    assert ids == list(range(1, len(view.weapons) + 1))
    ids = [int(number) for number in re.findall(r' id="item-(\d+)"', html)]
    assert ids == list(range(1, len(view.unlisted_items) + 1))
    held = [item for item in view.unlisted_items if item.armed]
    assert held
    assert all(html.count(f"<bdi>{item.armed}</bdi>") == 1 for item in held)


def test_names_of_equipment_use_the_room_that_a_companion_is_too_large_for(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last line names the companion and what has no room; without equipment, no money."""
    view = build(make(level=10, role="role/the-captain", asset="companion/land-beast"))
    [unit], options = view.units, PrintOptions("short", brevity=LINES)
    pieces = [piece for part in fit_short.short_parts(view) for piece in part.pieces]
    before, items, room = pieces.index("unit-1"), len(view.unlisted_items), 2
    tried: list[PrintOptions] = []

    def sheet(tried_view: SheetView, options: PrintOptions, _audit: object) -> LaidOutSheet:
        tried.append(options)
        size, places = 0, Places()
        for part in fit_short.short_parts(tried_view):
            for piece in part.pieces:
                places[piece] = (1 if size < before + room else 2, 0.5)
                size += 9 if part.section == "units" else 1
        return sheet_with({**places, "end": (1 if size <= before + room else 2, 0.6)}, options)

    monkeypatch.setattr(fit_short, "lay_out_view", sheet)
    assert items > room
    fit_short.shortened(view, (), MeasuredSheet.of(sheet(view, options, ()), options))
    left_out = [one.left_out for one in tried]
    assert (unit.name, f"Equipment ({items - room})", "Story") in left_out
    assert len(tried) <= 7  # each is laid out, which takes most of the time
    assert all("gear" in one.sections or "Equipment" in one.left_out for one in tried)


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_digests_are_printed_only_where_full_texts_need_another_page(make: Make) -> None:
    long, short = SENTENCE * 160, "In short: a fox."
    view = one_card(make, SENTENCE, short=short)
    assert squeezed(short) not in text_of(pages(view, PrintOptions("short")))
    found = pages(one_card(make, long, short=short), PrintOptions("short"))
    assert len(found) == 1
    assert squeezed(short) in text_of(found)


@pytest.mark.parametrize("need", [0.9, 0.8])
def test_only_the_type_that_fits_is_tried_before_another_page(
    make: Make, monkeypatch: pytest.MonkeyPatch, need: float
) -> None:
    """``need`` is the scale at which this sheet is made to fill its page exactly."""
    view, options = build(make()), PrintOptions("short")
    tried: list[float] = []

    def scale_of(html: str) -> float:
        root = re.search(r"^html \{ font-size: ([\d.]+)pt", html, re.MULTILINE)
        assert root is not None
        return float(root[1]) / 8.75

    def lay_out(html: str, fillable: bool) -> Any:
        tried.append(round(scale_of(html), 2))
        return SimpleNamespace(pages=[None] * end(html).page)

    def end(html: str) -> Place:
        size = scale_of(html) / need - 0.001
        number = math.ceil(size)
        return Place(number, size - number + 1)

    monkeypatch.setattr(laid_out, "lay_out", lay_out)
    for module in (laid_out, fit_short):
        monkeypatch.setattr(module, "number_of_pages", lambda sheet: end(sheet.html).page)
        monkeypatch.setattr(module, "places_of", lambda sheet, _options: {"end": end(sheet.html)})
    assert round(scale_of(fit_sheet(view, options).html), 2) == need
    assert tried[-1] == need and set(tried) == {1.0, need}


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_long_texts_are_not_laid_out_in_full_where_digests_need_another_page(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page to write on, with a text that fits in short and smaller type: two layouts."""
    view = one_card(make, SENTENCE * 400, short=SENTENCE * 90)
    layouts: list[str] = []
    layout = laid_out.lay_out

    def lay_out(html: str, fillable: bool) -> Any:
        layouts.append(html)
        return layout(html, fillable)

    monkeypatch.setattr(laid_out, "lay_out", lay_out)
    found = fit_sheet(view, PrintOptions("short"))
    assert len(found.document.pages) == 1
    assert len(layouts) == 2


# ---------------------------------------------------------------- the last page


@pytest.mark.needs("pango")
@pytest.mark.slow
def test_the_first_round_is_explained_where_the_abilities_still_fit_page_1(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If they divide the abilities of a veteran, no more layouts have them."""
    layouts: list[str] = []
    layout = laid_out.lay_out

    def lay_out(html: str, fillable: bool) -> Any:
        layouts.append(html)
        return layout(html, fillable)

    monkeypatch.setattr(laid_out, "lay_out", lay_out)
    options = PrintOptions(sections=frozenset({"fight", "abilities", "reference"}))
    beginner = fit_sheet(build(make(level=1, role="role/the-lancer")), options)
    assert 'class="primer"' in beginner.html
    assert "abilities-end" in beginner.document.pages[0].anchors
    assert layouts == [beginner.html]
    view = build(make(level=10, role="role/the-tank"))
    veteran = fit_sheet(view._replace(cards=view.cards * 2), options)
    assert 'class="primer"' not in veteran.html
    assert 'class="primer"' in layouts[1]
    assert all('class="primer"' not in html for html in layouts[2:])


@pytest.mark.needs("pango")
@pytest.mark.slow
def test_smaller_type_saves_a_last_page_with_few_lines(make: Make) -> None:
    view, options = (
        build(make())._replace(actions=(), conditions=(), charts=(), table_rules=()),
        PrintOptions("reference", free_back=False),
    )

    def entries(number: int) -> SheetView:
        text = RulesText((Block((Span(SENTENCE),)),))
        return view._replace(
            reference=tuple(Entry(f"c/{n}", f"Name{n}", text) for n in range(number))
        )

    def over_a_page(number: int) -> bool:
        return len(laid_out.lay_out_view(entries(number), options).document.pages) > 1

    fewest = bisect(range(200), False, lo=60, key=over_a_page)
    assert over_a_page(fewest)
    found = pages(entries(fewest), options)
    assert len(found) == 1
    assert least_size(found) >= 6.95
    assert f"Name{fewest - 1}" in text_of(found)


Places = dict[str, tuple[int, float]]  # page and share of its height above, by id


def sheet_with(places: Places, options: PrintOptions) -> LaidOutSheet:
    """A laid out sheet in which elements begin at these places."""
    pages = [SimpleNamespace(anchors={}) for _number in range(places["end"][0])]
    for name, (page, share) in places.items():
        position = (0.0, (share * options.page.height + SIDE) * laid_out.MM)
        pages[page - 1].anchors[name] = position
    return LaidOutSheet("", cast("Any", SimpleNamespace(pages=pages)))


def divided(places: Places) -> Places:
    """Places of a sheet whose abilities begin on page 1 and end on page 2."""
    return {"fight-end": (1, 0.6), "abilities": (1, 0.7), "abilities-end": (2, 0.05), **places}


LONG: Places = {"end": (4, 0.2)}  # there are a few lines on page 4
ALONE: Places = {
    "fight-end": (1, 0.9), "abilities": (2, 0.03), "abilities-end": (2, 0.16), "end": (3, 0.5),
}  # fmt: skip
CUT: Places = {"story": (2, 0.8), "story-end": (3, 0.1), "end": (3, 0.5)}


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ({"T 1.0": {"end": (4, 0.33)}}, "T 1.0"),
        ({"T 1.0": {"end": (1, 0.2)}}, "T 1.0"),
        ({"F 1.0": {"end": (2, 0.32)}}, "F 1.0"),
        ({"F 1.0": LONG, "F 0.85": {"end": (4, 0.01)}}, "F 1.0"),
        ({"F 1.0": LONG, "F 0.85": {"end": (3, 0.9)}}, "F 0.85"),
        ({"F 1.0": {"end": (4, 0.1)}, "F 0.9": {"end": (3, 0.98)}}, "F 0.9"),
        ({"F 1.0": CUT, "F 0.85": {"end": (3, 0.3)}}, "F 0.85"),
        ({"T 1.0": {"end": (3, 0.09)}, "F 1.0": {"end": (2, 0.99)}}, "F 1.0"),
        ({"T 1.0": {"end": (2, 0.2)}}, "T 1.0"),
        ({"F 1.0": ALONE, "F 0.85": {"end": (3, 0.4)}}, "F 0.85"),
        ({"T 1.0": divided({"end": (3, 0.5)}), "F 1.0": {"end": (3, 0.4)}}, "F 1.0"),
        ({"T 1.0": {"fight-end": (2, 0.3), "end": (3, 0.5)}, "F 1.0": {"end": (3, 0.4)}}, "F 1.0"),
        (
            {
                "T 1.0": {"fight-end": (2, 0.3), "end": (4, 0.3)},
                "F 0.85": {"end": (4, 0.1)},
                "F 1.0": {"end": (4, 0.29)},
            },
            "F 1.0",
        ),
        (
            {
                "T 1.0": divided({"end": (3, 0.5)}),
                "F 1.0": {
                    "unit-0-end": (2, 0.6), "unit-1": (3, 0.0), "unit-1-end": (3, 0.45),
                    "end": (4, 0.5),
                },
                "F 0.9": {"end": (3, 0.9)},
            },
            "F 0.9",
        ),
        ({"F 1.0": CUT | {"end": (4, 0.4)}, "F 0.9": {"end": (4, 0.2)}}, "F 0.9"),
    ],
    ids=[
        "full", "one page", "hopeless", "not better", "smallest type", "smaller type",
        "a line of a story", "without first steps", "a back with lines",
        "abilities alone", "divided abilities", "divided attacks", "divided and not better",
        "a frame that does not fit without first steps", "smaller type would leave a short end",
    ],
)  # fmt: skip
def test_only_what_may_fill_pages_is_laid_out(found: dict[str, Places], kept: str) -> None:
    """``found`` has the places of a sheet by its ways, ``T`` with and ``F`` without first steps."""
    laid_out: list[str] = []

    def way(options: PrintOptions) -> str:
        return f"{'FT'[options.primer]} {options.type_scale}"

    def lay_out_with(options: PrintOptions) -> LaidOutSheet:
        laid_out.append(way(options))
        return sheet_with(found[laid_out[-1]], options)

    options = PrintOptions(primer=next(iter(found)).startswith("T"))
    full = fit_full.with_full_pages(lay_out_with, options)
    assert laid_out == [*found]
    assert way(full.options) == kept
    assert len(full.sheet.document.pages) == found[kept]["end"][0]


@pytest.mark.needs("pango")
@pytest.mark.slow
def test_no_page_has_only_lines_to_write_on(make: Make) -> None:
    """However little room the last section leaves on its page."""
    view = build(make())._replace(actions=(), conditions=(), charts=(), table_rules=())
    options = PrintOptions(paper="a5", sections=frozenset({"reference", "notes"}))
    text = RulesText((Block((Span("A short one."),)),))
    for number in range(20, 26):
        entries = tuple(Entry(f"c/{n}", f"Name{n}", text) for n in range(number))
        sheet = laid_out.lay_out_view(view._replace(reference=entries), options)
        assert "end" in sheet.document.pages[-1].anchors, number


def test_columns_are_balanced_in_few_steps(make: Make) -> None:
    """WeasyPrint balances a single box in steps of a line, but one thing pixel by pixel."""
    html = render_html(one_card(make, SENTENCE), PrintOptions())
    assert 'class="filled cards"' not in html
    charts = render_html(build(made(load("shields-biotics"), "a")), PrintOptions())
    tables = charts[charts.index("part tables") :]
    inside = tables[tables.index('<div class="flow">') :].removeprefix('<div class="flow">')
    assert inside.startswith("<div>")


# ---------------------------------------------------------------- cards


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "styles"),
    [("a7", frozenset()), ("poker", LARGE)],
)
def test_every_card_has_its_rules_above_its_foot(
    make: Make, size: CardSize, styles: frozenset[Style]
) -> None:
    view = build(make(level=10, role="role/the-tank", asset="vehicle/mechsuit"))
    options = PrintOptions(
        "cards", styles=styles, card_kinds=frozenset(CARD_KINDS), card_format=size
    )
    found = pages(view, options)
    assert least_size([page for page in found if page.chars]) >= (13.95 if styles else 6.95)
    assert_all_rules(view, text_of(found), gear=True)
    grid, card, margins = options.card_grid, options.card_size, options.card_margins
    for page in found:
        for word in page.extract_words():
            if word["bottom"] / MM < margins.height + options.card_inset:
                continue  # whose cards they are
            if word["top"] / MM > margins.height + grid.rows * card.height - options.card_inset:
                continue  # who wrote the rules
            column = (word["x0"] / MM - margins.width) // card.width
            row = ((word["top"] + word["bottom"]) / 2 / MM - margins.height) // card.height
            assert 0 <= column < grid.columns, word
            assert 0 <= row < grid.rows, word
            right = margins.width + (column + 1) * card.width
            assert word["x1"] / MM <= right - options.card_inset, word
            bottom = margins.height + (row + 1) * card.height
            assert word["bottom"] / MM <= bottom - options.card_inset, word


@pytest.mark.needs("pango")
def test_a_card_that_fits_none_continues_with_all_its_pieces(make: Make) -> None:
    texts = [f"Rule {number}. {SENTENCE * 3}" for number in range(12)]
    sheet = fit_sheet(one_card(make, *texts), PrintOptions("cards"))
    totals = set(re.findall(r"\d+ of (\d+)</span>", sheet.html))
    assert len(totals) == 1
    total = int(totals.pop())
    assert total > 2
    assert re.findall(r"(\d+) of \d+</span>", sheet.html) == [str(n + 1) for n in range(total)]
    numbers = [int(number) for number in re.findall(r"Rule (\d+)\.", sheet.html)]
    assert numbers == list(range(12))
    assert all(room.used <= 1 for room in fit_cards.measured_cards(sheet, total))


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_a_paragraph_longer_than_a_card_ends_after_sentences(make: Make) -> None:
    sheet = fit_sheet(one_card(make, SENTENCE * 40), PrintOptions("cards"))
    parts = re.findall(r"<p>(The quick.*?)</p>", sheet.html)
    assert len(parts) > 1
    assert all(part.strip().endswith("noon.") for part in parts)
    assert " ".join(map(str.strip, parts)) == (SENTENCE * 40).strip()


@pytest.mark.slow
@pytest.mark.needs("pango")
def test_long_cards_take_few_layouts(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cards are measured together, however many of them do not fit."""
    layouts = []
    lay_out = laid_out.lay_out

    def counted(html: str, fillable: bool = False) -> Any:
        layouts.append(html)
        return lay_out(html, fillable)

    monkeypatch.setattr(laid_out, "lay_out", counted)
    [card] = one_card(make, SENTENCE * 14, SENTENCE * 14).cards
    many = tuple(card._replace(name=f"Card {number}") for number in range(6))
    fit_sheet(one_card(make, "")._replace(cards=many), PrintOptions("cards"))
    assert len(layouts) <= 4


def test_a_deck_without_cards_is_refused(make: Make) -> None:
    view = build(make())._replace(cards=(), weapons=(), items=(), units=(), pools=(), lists=())
    with pytest.raises(UsageError, match="no cards to print"):
        fit_sheet(view, PrintOptions("cards"))


@pytest.mark.needs("pango")
@pytest.mark.slow
@pytest.mark.parametrize("size", ["poker", "a7"])
def test_backs_lie_behind_their_fronts(make: Make, size: CardSize) -> None:
    """Upright paper is turned over its left edge, paper that lies over its upper edge."""
    entries = tuple(Entry(f"c/{n}", f"Name{n}", RulesText()) for n in range(2))
    view = build(make())._replace(conditions=entries)
    options = PrintOptions(
        "cards", card_kinds=frozenset({"conditions"}), card_format=size, backs=True
    )
    front, back = pages(view, options)
    turned = options.paper_size.width > options.paper_size.height
    wide, high = float(front.width), float(front.height)
    names = [word for word in front.extract_words() if word["text"].startswith("Name")]
    assert len(names) == 2
    card, margins = options.card_size, options.card_margins

    def place(x: float, y: float) -> tuple[int, int]:
        column = (x / MM - margins.width) // card.width
        return int(column), int((y / MM - margins.height) // card.height)

    expected = set()
    for word in names:
        x, y = word["x0"], word["top"]
        expected.add(place(x, high - y) if turned else place(wide - x, y))
    signs = [sign for sign in back.chars if sign["text"].strip()]
    assert {place(sign["x0"], sign["top"]) for sign in signs} == expected


@pytest.mark.needs("pango")
def test_cards_to_write_complete_a_row_where_they_need_no_back(make: Make) -> None:
    entries = tuple(Entry(f"c/{n}", f"Name{n}", RulesText()) for n in range(2))
    view = build(make())._replace(conditions=entries)
    options = PrintOptions("cards", card_kinds=frozenset({"conditions"}))
    empty = '<div class="print-card" aria-hidden="true">'
    assert fit_sheet(view, options).html.count(empty) == 3 - 2
    assert fit_sheet(view, replace(options, backs=True)).html.count(empty) == 0
