"""Form fields: named, in place, drawn, and valid PDF/UA."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pypdfium2
import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader, PdfWriter

from charforge.rules.loading.loader import load
from charforge.sheet.build import blank_view, build
from charforge.sheet.fit import sheet_pdf
from charforge.sheet.form_fields import field_name, note_heading, parse_name
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Layout, PrintOptions, Style
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import find_template
from charforge.sheet.view import SheetView
from tests.samples import few
from tests.sheet.conftest import Make, made, printed
from tests.sheet.printed import Printed, Rect, page_texts, record

pytestmark = pytest.mark.slow

MILLIMETRE = 72 / 25.4
DESIGNS = Path(__file__).resolve().parents[2] / "examples" / "templates"
POPPLER = shutil.which("pdftoppm")


@pytest.fixture(scope="module")
def view(make: Make) -> SheetView:
    return build(make(level=3, role="role/the-scout", asset="vehicle/bike"))


@lru_cache(maxsize=8)
def fillable_pdf(html: str) -> bytes:
    """Make a PDF with fields, at most once."""
    return render_pdf(html, fillable=True)


def filled(view: SheetView, layout: Layout = "full", *styles: Style) -> PdfReader:
    options = PrintOptions(layout=layout, styles=frozenset(styles), fillable=True)
    return PdfReader(BytesIO(fillable_pdf(render_html(view, options))))


@pytest.fixture(scope="module")
def found(view: SheetView) -> PdfReader:
    return filled(view)


def lost_text(before: str, after: str, typed: str = "", pages: int = 0) -> tuple[str, set[str]]:
    """Return the digits and the words with ligatures that only the first of two texts has.

    Digits may also be ``typed`` in fields. So many ``pages`` have numbers at their feet.
    """

    def digits(text: str) -> Counter[str]:
        return Counter(filter(str.isdecimal, text))

    numbers = "".join(f"{pages}{number}" for number in range(pages + 1)) if pages else ""
    lost = digits(before) - digits(after) - digits(typed) - digits(numbers)
    joined = {word for word in before.split() if "ff" in word or "fi" in word}
    return "".join(sorted(lost.elements())), joined - {*after.split()}


def test_a_text_without_its_digits_and_ligatures_is_found() -> None:
    assert lost_text("13 Difficulty 4", "Di\ufb03culty", typed="4") == ("13", {"Difficulty"})
    assert lost_text("1 of 2 Difficulty 4", "Difficulty 4", pages=2) == ("", set())


PRINTED: dict[str, PrintOptions] = {
    **{layout: PrintOptions(layout) for layout in get_args(Layout) if layout != "party"},
    "large": PrintOptions(styles=frozenset({"large-print"})),
    "short a5": PrintOptions("short", "a5"),
}  # fmt: skip


@pytest.mark.parametrize("name", few(list(PRINTED), 0, slow=2))
def test_figures_and_ligatures_are_text_with_fields_too(view: SheetView, name: str) -> None:
    """What a plain sheet prints as text, a fillable one does too, or has it in a field.

    A party and a booklet have no fields.
    """
    options = PRINTED[name]
    html = render_html(view, replace(options, fillable=True))
    _all_text_is_there(printed(render_html(view, options)), fillable_pdf(html))


@pytest.mark.parametrize("design", sorted(path.name for path in DESIGNS.iterdir() if path.is_dir()))
def test_so_they_are_in_each_design(view: SheetView, design: str) -> None:
    template = find_template(str(DESIGNS / design))
    options = PrintOptions(paper=template.about.papers[0])
    pages = (render_template(template, view, replace(options, fillable=on)) for on in (False, True))
    plain, found = (
        render_pdf(html, fillable=on) for html, on in zip(pages, (False, True), strict=True)
    )
    _all_text_is_there(plain, found)


def _all_text_is_there(plain: bytes, found: bytes) -> None:
    pages, fields = page_texts(plain), widgets(PdfReader(BytesIO(found)))
    before, typed = "\n".join(pages), " ".join(str(note.get("/V", "")) for note in fields)
    assert sum(map(str.isdecimal, before)) > 10
    assert lost_text(before, "\n".join(page_texts(found)), typed, len(pages)) == ("", set())


def widgets(found: PdfReader) -> list[Any]:
    return [note.get_object() for page in found.pages for note in page.get("/Annots", [])]


def keyed(found: PdfReader) -> dict[str, list[Any]]:
    """Return the fields that ``import`` reads back, by the key of their tracker."""
    by_key: dict[str, list[Any]] = {}
    for note in widgets(found):
        name = parse_name(note["/T"])
        assert name is not None
        by_key.setdefault(name.key, []).append(note)
    return by_key


def test_each_thing_that_changes_in_play_has_a_field(view: SheetView, found: PdfReader) -> None:
    fields = keyed(found)
    for unit in (view, *view.units):
        for vital in unit.vitals:
            assert (vital.tracker_key in fields) is not vital.shared
    assert set(view.condition_keys.values()) < set(fields)
    assert [note["/TU"] for note in fields["character:hp"]] == ["HP now"]
    for store in view.stores:
        assert [note["/TU"] for note in fields[store.tracker_key]] == [f"{store.label} now"]
    chips = [chip for card in view.cards for action in card.actions for chip in action.chips]
    for chip in chips:
        assert len(fields.get(chip.tracker_key, ())) == chip.box
    armed = next(weapon for weapon in view.weapons if weapon.capacities)
    ammo = armed.capacities[0]
    boxes = [parse_name(note["/T"]) for note in fields[ammo.tracker_keys[0]]]
    assert [(box.form, box.number) for box in boxes if box] == [
        ("used", number) for number in range(1, ammo.max + 1)
    ]
    notes = {key for key in fields if note_heading(key) is not None}
    assert notes == {"notes", "notes:People and places", "notes:Rulings at our table", "notes:Loot"}


def test_what_a_pencil_fills_in_has_a_field(view: SheetView, found: PdfReader) -> None:
    labels = {note["/TU"] for note in widgets(found)}
    assert {*(line.label for line in view.plate), "STR now"} <= labels
    assert {item.name for item in view.unlisted_items} <= labels
    slots = [label for label in labels if label.startswith(f"{view.cards_label} ")]
    assert len(slots) == 4 * view.empty_slots
    plain = [weapon for weapon in view.weapons if not weapon.modes]
    few = view._replace(weapons=tuple(plain[:1]), items=())  # so that a row is left
    labels = {note["/TU"] for note in widgets(filled(few))}
    assert {"Attack 2, name", "Attack 2, damage"} <= labels


@pytest.mark.parametrize(("layout", "style"), [("full", ("large-print",)), ("short", ())])
def test_lines_at_the_head_are_fields_with_what_is_written_in_them(
    view: SheetView, layout: Layout, style: tuple[Style, ...]
) -> None:
    plate = (view.plate[0]._replace(text="Zoë"), *view.plate[1:])
    fields = keyed(filled(view._replace(plate=plate), layout, *style))
    assert [note["/V"] for number in (1, 2) for note in fields[f"plate:{number}"]] == ["Zoë", ""]


def test_a_short_sheet_has_a_field_for_all_that_changes_too(
    view: SheetView, found: PdfReader
) -> None:
    in_play = {key for key in keyed(found) if not key.startswith(("blank:", "notes:"))}
    assert "notes" in in_play
    short = filled(view, "short")
    assert in_play <= set(keyed(short))
    assert clashes(short) == []


@pytest.mark.parametrize("layout", ["short", "full"])
def test_what_is_filled_in_looks_the_same_in_every_viewer(
    view: SheetView, layout: Layout, tmp_path: Path
) -> None:
    """PDFium, and Poppler where it is installed, draw the typed number and the tick."""
    writer = PdfWriter(clone_from=filled(view, layout))
    values = {"character:hp": "88", "character:status/prone": "/on"}
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    path = tmp_path / "filled.pdf"
    writer.write(path)
    empty = tmp_path / "empty.pdf"
    PdfWriter(clone_from=filled(view, layout)).write(empty)
    places = {note["/T"]: note["/Rect"] for note in widgets(PdfReader(path))}
    for draw in (pdfium_page, *((poppler_page,) if POPPLER else ())):
        before, after = draw(empty), draw(path)
        for name in values:
            box = pixels(places[name], after.height)
            assert before.crop(box).tobytes() != after.crop(box).tobytes(), (draw, name)
        # The hit points fit their box: nothing is drawn beside it.
        difference = ImageChops.difference(before, after)
        for name in values:
            difference.paste(0, pixels(places[name], after.height))
        assert difference.getbbox() is None


def pixels(rectangle: Any, height: int) -> tuple[int, int, int, int]:
    left, low, right, high = (float(side) for side in rectangle)
    sides = (left, height - max(low, high), right, height - min(low, high))
    return (int(sides[0]) - 1, int(sides[1]) - 1, int(sides[2]) + 2, int(sides[3]) + 2)


def poppler_page(path: Path) -> Image.Image:
    """Return the first page in grey, a pixel for each point."""
    target = path.with_suffix("")
    command = [str(POPPLER), "-r", "72", "-f", "1", "-l", "1", "-gray", "-singlefile"]
    subprocess.run([*command, str(path), str(target)], check=True)
    return Image.open(target.with_suffix(".pgm")).convert("L")


def pdfium_page(path: Path) -> Image.Image:
    with pypdfium2.PdfDocument(path) as document:
        document.init_forms()
        return document[0].render(scale=1, may_draw_forms=True).to_pil().convert("L")


def test_they_begin_with_what_holds_now(view: SheetView, found: PdfReader) -> None:
    fields = keyed(found)
    for vital in view.vitals:
        assert fields[vital.tracker_key][0]["/V"] == str(vital.current)
    assert (fields["character:money"][0]["/V"], fields["notes"][0]["/V"]) == ("", "")
    assert all(note["/DV"] == note["/V"] for note in widgets(found))


def test_no_two_have_one_name(found: PdfReader) -> None:
    names = [note["/T"] for note in widgets(found)]
    assert len(names) == len(set(names)) > 20
    assert not [name for name in names if "." in name]


def test_equal_things_have_fields_of_their_own(view: SheetView) -> None:
    """A weapon that is printed twice has its boxes twice, with two names."""
    armed = next(weapon for weapon in view.weapons if weapon.capacities)
    twice = view._replace(weapons=(armed, armed), items=())
    names = [note["/T"] for note in widgets(filled(twice))]
    ammo = field_name(armed.capacities[0].tracker_keys[0], "used", 1)
    assert {ammo, f"{ammo}~2"} <= set(names)


def test_fields_are_in_reading_order(found: PdfReader) -> None:
    names = [note["/TU"] for note in widgets(found)]
    wanted = ["Player", "HP now", "STR now", "Prone", "Money now", "Notes", "Loot"]
    assert [name for name in dict.fromkeys(names) if name in wanted] == wanted


def test_every_field_is_drawn_and_needs_no_viewer_for_it(found: PdfReader) -> None:
    form = found.trailer["/Root"]["/AcroForm"]
    assert "/NeedAppearances" not in form
    for note in widgets(found):
        looks = note["/AP"]["/N"]
        if note["/FT"] == "/Btn":
            assert note["/AS"] == "/Off"
            assert b" l S Q" in looks["/on"].get_data()
            assert looks["/Off"].get_data() == b""
        else:
            assert (b"Tj" in looks.get_data()) == bool(note["/V"])
            assert looks["/Resources"]["/Font"]


def test_a_line_has_room_for_accents(view: SheetView, found: PdfReader) -> None:
    """Å and g fit above and below, three figures (about half as wide as high) side by side."""
    for note in (*widgets(found), *widgets(filled(view, "full", "large-print"))):
        if note["/FT"] == "/Tx":
            left, low, right, high = (float(side) for side in note["/Rect"])
            size = float(note["/DA"].split()[-2])
            assert abs(high - low) >= 1.39 * size
            assert abs(right - left) >= 1.5 * size + 4


def clashes(pdf: PdfReader) -> list[str]:
    """Return the fields that are outside the margins or on another field."""
    found = []
    for page in pdf.pages:
        boxes: list[tuple[float, float, float, float]] = []
        for note in page.get("/Annots", []):
            left, one, right, other = (float(side) for side in note.get_object()["/Rect"])
            boxes.append((left, min(one, other), right, max(one, other)))
            name = str(note.get_object()["/TU"])
            margin = 9.9 * MILLIMETRE
            inside = left >= margin and right <= float(page.mediabox.width) - margin
            inside = inside and boxes[-1][1] >= 14.9 * MILLIMETRE
            if not inside or boxes[-1][3] > float(page.mediabox.height) - margin:
                found.append(f"{name} is outside")
        for number, (left, low, right, high) in enumerate(boxes):
            for other_left, other_low, other_right, other_high in boxes[:number]:
                wide = min(right, other_right) - max(left, other_left)
                tall = min(high, other_high) - max(low, other_low)
                if min(wide, tall) >= 0.1:
                    found.append(f"field {number} is on another")
    return found


@pytest.mark.parametrize("styles", [(), ("large-print",)])
def test_fields_lie_within_the_page_and_not_on_each_other(
    view: SheetView, styles: tuple[Style, ...]
) -> None:
    assert clashes(filled(view, "full", *styles)) == []


def test_fields_for_notes_are_as_high_as_the_last_page_has_room(found: PdfReader) -> None:
    last = {str(note.get_object()["/T"]): note.get_object() for note in found.pages[-1]["/Annots"]}
    for name in ("notes:People and places", "notes:Rulings at our table", "notes:Loot"):
        low = min(float(last[name]["/Rect"][side]) for side in (1, 3)) / MILLIMETRE
        assert 15 <= low <= 15 + 8  # below it is less than a line of handwriting, and the foot


def test_the_field_of_a_low_box_lies_in_it() -> None:
    """Half a page wide, the pips of this vital need two rows: the box beside them is as low."""
    view = build(made(load("squad-d20"), "m"))
    options = PrintOptions(paper="a5", fillable=True)
    data = fillable_pdf(render_html(view, options))
    page = Printed(data, ()).pages[0]
    [field] = [
        note["/Rect"] for note in widgets(PdfReader(BytesIO(data))) if note["/TU"] == "HP now"
    ]
    left, one, right, other = (float(side) for side in field)
    height = page.paper.height
    place = Rect(left, height - max(one, other), right, height - min(one, other))
    assert [side for side in page.frames if side.shared(place)] == []


GAMES = ("capital", "narrative-dice", "phase-2d10", "shields-biotics", "squad-d20")


@pytest.mark.parametrize("game", GAMES)
def test_a_blank_sheet_has_few_pages_and_can_be_filled_in_everywhere(game: str) -> None:
    """No page has a heading alone: it has more words, or the fields of empty rows."""
    view = blank_view(load(game))
    options = PrintOptions(blank=True, fillable=True, styles=frozenset({"ink-saver"}))
    made = record(lambda: sheet_pdf(view, options))
    assert (made.warnings, made.missing_glyphs) == ((), ())
    found = PdfReader(BytesIO(made.data))
    assert len(found.pages) <= 6
    pages = zip(page_texts(made.data), found.pages, strict=True)
    short = [page for text, page in pages if len(text.split()) <= 20]
    assert all(len(page["/Annots"]) > 20 for page in short)
    assert clashes(found) == []
    labels = [str(note["/TU"]) for note in widgets(found)]
    wanted = {"Name", *(line.label for line in view.plate), *(part.kind for part in view.headline)}
    wanted |= {score.label for score in view.attributes} | {fact.label for fact in view.combat}
    wanted |= {f"{vital.label} now" for vital in view.vitals}
    wanted |= {f"{vital.label} maximum" for vital in view.vitals if vital.max is not None}
    wanted |= {condition.name for condition in view.conditions} | {"Notes", "Loot"}
    wanted |= {part.label for part in view.story if part.id != "notes"}
    if view.attack_rules:
        # The lists below a drawn body and its attacks have room on the page, too.
        rows = 4 if any(group.marks for group in view.tracker_groups) else 8
        wanted |= {f"Attack {row}, damage" for row in range(1, rows + 1)}
    if view.cards_label:
        wanted |= {f"{view.cards_label} {row}, name" for row in range(1, 11)}
    if view.has_equipment:
        wanted |= {f"Item {row}" for row in range(1, 25)}
    assert wanted <= set(labels)
    assert "" not in labels


def test_they_are_in_the_tags_that_are_read_out(found: PdfReader) -> None:
    """PDF/UA: each field is a Form among the tags, says what it is, and follows their order."""
    root = found.trailer["/Root"]
    assert b"pdfuaid" in root["/Metadata"].get_data()
    numbers = root["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    owners = dict(zip(numbers[::2], numbers[1::2], strict=True))
    for note in widgets(found):
        owner = owners[note["/StructParent"]].get_object()
        assert owner["/S"] == "/Form"
        assert owner["/K"][0]["/Obj"].get_object()["/T"] == note["/T"]
        assert note["/TU"]
    assert all(page["/Tabs"] == "/S" for page in found.pages)


def test_what_is_filled_in_is_kept(found: PdfReader) -> None:
    writer = PdfWriter(clone_from=found)
    for page in writer.pages:
        if "/Annots" in page:
            values = {"character:hp": "7", "notes": "Åsa owes me 20 mC"}
            writer.update_page_form_field_values(page, values)
    made = BytesIO()
    writer.write(made)
    fields = PdfReader(made).get_fields() or {}
    read = (fields["character:hp"]["/V"], fields["notes"]["/V"])
    assert read == ("7", "Åsa owes me 20 mC")


def test_the_same_character_gives_the_same_bytes(view: SheetView) -> None:
    html = render_html(view, PrintOptions(fillable=True))
    assert render_pdf(html, fillable=True) == fillable_pdf(html)


def test_without_it_there_are_no_fields(view: SheetView) -> None:
    html = render_html(view)
    assert "<input" not in html
    found = PdfReader(BytesIO(printed(html)))
    assert "/AcroForm" not in found.trailer["/Root"]
    assert widgets(found) == []
