"""Layouts, styles and papers: what is on each, how large its letters are, and where it may lie."""

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

from charforge.expressions.markup import plain_text
from charforge.paths import data_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet.audit import audit
from charforge.sheet.build import blank_view, build
from charforge.sheet.deck import Slip, deal
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, Look, Orientation, Paper, Style
from charforge.sheet.short import short_sheet
from charforge.sheet.view import SheetView
from tests.sheet.conftest import Make, made, printed

MM = 72 / 25.4
LARGE: frozenset[Style] = frozenset({"large-print"})
# A weapon and nothing else; a vehicle with systems; a companion; the most Systems.
WHO: dict[str, dict[str, Any]] = {
    "lancer": {"level": 1, "role": "role/the-lancer", "asset": "special-weapon/rifle"},
    "tank": {"level": 10, "role": "role/the-tank", "asset": "vehicle/mechsuit"},
    "captain": {"level": 10, "role": "role/the-captain", "asset": "companion/land-beast"},
    "healer": {"level": 10, "role": "role/the-healer", "asset": "augmentation/slots"},
}
# Each pair of layout, paper, orientation and style stands in one of these at least once.
LOOKS = [
    Look("full", "letter", "landscape", frozenset({"ink-saver"})),
    Look("full", "a4", "portrait", LARGE),
    Look("full", "a4", "landscape", frozenset({"grey"})),
    Look("short", "a4", "portrait", frozenset({"grey", "ink-saver"})),
    Look("short", "letter", "portrait"),
    Look("short", "letter", "landscape", LARGE),
    Look("short", "a4", "landscape"),
    Look("short", "letter", "portrait", LARGE),
    Look("cards", "a4", "portrait"),
    Look("cards", "letter", "portrait", frozenset({"ink-saver", "grey"})),
    Look("cards", "letter", "landscape", LARGE),
    Look("cards", "a4", "landscape", frozenset({"grey"})),
    Look("reference", "a4", "landscape", LARGE),
    Look("reference", "letter", "portrait", frozenset({"ink-saver"})),
    Look("reference", "a4", "portrait", frozenset({"grey"})),
]


def told(look: Look) -> str:
    return "-".join((look.layout, look.paper, look.orientation, *sorted(look.styles)))


@lru_cache(maxsize=64)
def pages(html: str) -> list[Any]:
    return pdfplumber.open(BytesIO(printed(html))).pages


def words(html: str) -> str:
    return "\n".join(page.extract_text() for page in pages(html))


def squeezed(text: str) -> str:
    return "".join(text.split())


def images(html: str) -> Iterator[Any]:
    """Yield the pages as pictures of three dots a millimetre."""
    for page in pypdfium2.PdfDocument(printed(html)):
        yield page.render(scale=3 * 25.4 / 72).to_pil().convert("RGB")


@pytest.fixture(scope="module", params=WHO)
def view(request: pytest.FixtureRequest, make: Make) -> SheetView:
    return build(make(**WHO[request.param]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "who"),
    [(look, list(WHO)[number % len(WHO)]) for number, look in enumerate(LOOKS)],
    ids=lambda one: told(one) if isinstance(one, Look) else one,
)
def test_letters_are_large_enough_and_inside_the_margins(make: Make, look: Look, who: str) -> None:
    view = build(make(**WHO[who]))
    sheet = look.paper_size
    least = 14 if look.large else 7
    for page in pages(render_html(view, look)):
        assert float(page.width) == pytest.approx(sheet.width * MM, abs=0.5)
        assert float(page.height) == pytest.approx(sheet.height * MM, abs=0.5)
        signs = [sign for sign in page.chars if sign["text"].strip()]
        assert len(signs) > 40
        assert min(sign["size"] for sign in signs) >= least - 0.05
        for word in page.extract_words():
            assert word["x0"] >= 10 * MM - 0.5, word
            assert word["x1"] <= (sheet.width - 10) * MM + 0.5, word
            assert word["top"] >= 10 * MM - 2.5, word
            assert word["bottom"] <= (sheet.height - 10) * MM + 1, word


@pytest.mark.slow
@pytest.mark.parametrize(
    ("paper", "orientation"), [("letter", "portrait"), ("a4", "landscape"), ("a4", "portrait")]
)
@pytest.mark.parametrize("styles", [frozenset(), LARGE], ids=["normal", "large"])
def test_a_short_sheet_has_one_page_and_two_in_large_print(
    view: SheetView, paper: Paper, orientation: Orientation, styles: frozenset[Style]
) -> None:
    look = Look("short", paper, orientation, styles)
    assert len(pages(render_html(view, look))) == (2 if styles else 1)


@pytest.mark.slow
def test_a_short_sheet_says_what_it_leaves_out(view: SheetView) -> None:
    look = Look("short", "letter")
    shown = short_sheet(view, look)
    text = words(render_html(view, look))
    for row in shown.rows:
        assert squeezed(row.name) in squeezed(text)
    for line in shown.attacks:
        assert squeezed(line.roll) in squeezed(text)
    corners = [corner for row in shown.corners for corner in row]
    counts = [shown.more_attacks, shown.more_rows]
    counts += [corner.more for corner in corners]
    assert sorted(number for number in counts if number) == sorted(
        int(part.split()[0]) for part in text.split("+ ")[1:] if "more, see full" in part[:18]
    )


def test_a_short_sheet_keeps_the_order_and_counts_every_row(make: Make) -> None:
    view = build(make(**WHO["tank"]))
    wide, narrow = short_sheet(view, Look("short")), short_sheet(view, Look("short", "letter"))
    names = [row.name for row in wide.rows]
    assert names[: len(narrow.rows)] == [row.name for row in narrow.rows]
    assert len(wide.rows) + wide.more_rows == len(narrow.rows) + narrow.more_rows
    timings = [row.timing for row in wide.rows if not row.again and row.timing]
    assert timings.index("action") < timings.index("reaction")


def test_a_text_is_cut_after_a_sentence_or_a_word(make: Make) -> None:
    view = build(make(**WHO["captain"]))
    cards = [*view.cards, *(card for unit in view.units for card in unit.cards)]
    told = [card.text for card in cards]
    told += [text for card in cards for one in card.actions for text in (one.trigger, one.text)]
    whole = squeezed(" ".join(map(plain_text, told)))
    cut = [
        plain_text(row.text) for row in short_sheet(view, Look("short", "letter", "landscape")).rows
    ]
    ended = [text.removesuffix("\N{NO-BREAK SPACE}…") for text in cut if text.endswith("…")]
    assert ended
    for text in ended:
        last = text.split(": ")[-1].split("· ")[-1]
        assert squeezed(last).replace("-", "") in whole.replace("-", ""), text
        assert not text.endswith(" ")


def slips(view: SheetView, look: Look) -> list[Slip]:
    return [slip for page in deal(view, look) for slip in page]


@pytest.mark.parametrize("look", [Look("cards"), Look("cards", styles=LARGE)], ids=told)
def test_every_word_of_a_card_is_on_one_of_its_cards(view: SheetView, look: Look) -> None:
    dealt = slips(view, look)
    for card in view.cards:
        mine = [slip for slip in dealt if slip.name == card.name]
        assert [slip.number for slip in mine] == list(range(1, len(mine) + 1))
        assert {slip.total for slip in mine} == {len(mine)}
        text = "".join(
            plain_text((piece.block,)) for s in mine for piece in s.pieces if piece.block
        )
        for wanted in (card.text, *(action.text for action in card.actions)):
            assert squeezed(plain_text(wanted)).replace("-", "") in squeezed(text).replace("-", "")


def test_weapons_items_with_words_and_conditions_have_cards(make: Make) -> None:
    view = build(make(**WHO["lancer"]))
    names = {slip.name: slip.label for slip in slips(view, Look("cards"))}
    assert {names[line.bearer] for line in view.attacks} <= {"Weapon", "Attack"}
    assert {one.name for one in view.conditions} <= {
        name for name, label in names.items() if label == "Condition"
    }
    assert names["Torch"] == "Item"


@pytest.mark.parametrize(
    ("look", "page", "size"),
    [
        (Look("cards"), 9, (63, 88)),
        (Look("cards", "letter"), 9, (63, 88)),
        (Look("cards", "a4", "landscape"), 8, (63, 88)),
        (Look("cards", "letter", styles=LARGE), 4, (94.5, 132)),
        (Look("cards", "letter", "landscape", LARGE), 4, (126, 88)),
    ],
)
def test_cards_to_a_page(make: Make, look: Look, page: int, size: tuple[float, float]) -> None:
    dealt = deal(build(make(**WHO["healer"])), look)
    assert {len(part) for part in dealt[:-1]} == {page}
    assert (look.card_size.width, look.card_size.height) == size


@pytest.mark.slow
@pytest.mark.parametrize("look", [look for look in LOOKS if look.layout == "cards"], ids=told)
def test_no_word_leaves_its_card_or_its_place_above_the_foot(view: SheetView, look: Look) -> None:
    left = (look.paper_size.width - look.card_grid.width * look.card_size.width) / 2
    top = (look.paper_size.height - look.card_grid.height * look.card_size.height) / 2
    found = pages(render_html(view, look))
    dealt = deal(view, look)
    assert len(found) == len(dealt)
    for page, cards in zip(found, dealt, strict=True):
        for word in page.extract_words():
            x = word["x0"] / MM - left
            y = (word["top"] + word["bottom"]) / 2 / MM - top
            column, row = int(x // look.card_size.width), int(y // look.card_size.height)
            assert row * look.card_grid.width + column < len(cards), word
            right = left + (column + 1) * look.card_size.width
            assert word["x0"] / MM >= right - look.card_size.width + 5, word
            assert word["x1"] / MM <= right - 5, word
            assert word["bottom"] / MM <= top + (row + 1) * look.card_size.height - 3.6, word
        found_words = page.extract_words()
        for place, one in enumerate(found_words):
            for other in found_words[place + 1 :]:
                wide = min(one["x1"], other["x1"]) - max(one["x0"], other["x0"])
                high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
                least = min(one["bottom"] - one["top"], other["bottom"] - other["top"])
                assert wide <= 0.6 or high <= 0.5 * least, (one["text"], other["text"])


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["full", "short", "cards", "reference"])
def test_grey_has_no_colour(make: Make, layout: Layout) -> None:
    view = build(make(**WHO["captain"]))
    for image in images(render_html(view, Look(layout, styles=frozenset({"grey"})))):
        red, green, blue = image.split()
        assert ImageChops.difference(red, green).getextrema() == (0, 0)
        assert ImageChops.difference(green, blue).getextrema() == (0, 0)


def filled(html: str) -> bool:
    """Whether a square of 4 mm is nowhere white; large letters and icons are smaller."""
    for image in images(html):
        dark = image.convert("L").point(lambda light: 255 if light >= 250 else 0)
        if dark.filter(ImageFilter.MaxFilter(13)).getextrema()[0] == 0:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["full", "short", "cards"])
def test_ink_saver_has_no_filled_area(make: Make, layout: Layout) -> None:
    view = build(make(**WHO["tank"]))
    assert filled(render_html(view, Look(layout)))
    assert not filled(render_html(view, Look(layout, styles=frozenset({"ink-saver"}))))


@pytest.mark.slow
def test_styles_leave_every_word_where_it_is(make: Make) -> None:
    """Ink-saver and grey change no size: the same words are on the same pages."""
    view = build(make(**WHO["tank"]))
    usual = [page.extract_text() for page in pages(render_html(view, Look()))]
    saved = Look(styles=frozenset({"ink-saver", "grey"}))
    assert [page.extract_text() for page in pages(render_html(view, saved))] == usual


@pytest.mark.slow
def test_the_reference_stands_alone(view: SheetView) -> None:
    text = squeezed(words(render_html(view, Look("reference"))))
    assert [entry.name for entry in view.reference if squeezed(entry.name) not in text] == []
    assert "Money" not in text


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["full", "short"])
@pytest.mark.parametrize("styles", [frozenset(), LARGE], ids=["normal", "large"])
def test_an_empty_sheet_has_room_for_everything_and_no_figure(
    capital: Ruleset, layout: Layout, styles: frozenset[Style]
) -> None:
    look = Look(layout, styles=styles, blank=True)
    html = render_html(blank_view(capital), look)
    text = words(html)
    for label in ("STR", "HP", "Energy", "Range", "Equipment", "Systems", "Prone", "Name"):
        assert label.casefold() in text.casefold(), label
    assert text.count("max") == 3
    assert "None" not in text
    left = {word for word in text.split() if word.isdigit()} - {"1", "2"}
    pages_told = {str(number) for number in range(len(pages(html)) + 1)}
    assert left <= pages_told


@pytest.mark.slow
def test_another_game_has_every_layout(toy: Ruleset) -> None:
    keeper = build(made(toy))
    for layout in ("full", "short", "cards", "reference"):
        assert len(pages(render_html(keeper, Look(layout)))) >= 1
    assert "Warmth" in words(render_html(blank_view(toy), Look("short", blank=True)))


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
    alone = pages(render_html(view, Look("short")))
    found = pages(render_html(view, Look("short"), ledgers))
    assert len(found) > len(alone)
    text = squeezed("".join(page.extract_text() for page in found[len(alone) :]))
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
