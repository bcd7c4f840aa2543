"""Fields to fill in: named, in their places, drawn, and within PDF/UA."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader, PdfWriter

from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Layout, Look, Style
from charforge.sheet.view import SheetView
from tests.sheet.conftest import Make, printed

pytestmark = pytest.mark.slow

MILLIMETRE = 72 / 25.4


@pytest.fixture(scope="module")
def view(make: Make) -> SheetView:
    return build(make(level=3, role="role/the-scout", asset="vehicle/bike"))


def filled(view: SheetView, layout: Layout = "full", *styles: Style) -> PdfReader:
    look = Look(layout=layout, styles=frozenset(styles), fillable=True)
    return PdfReader(BytesIO(render_pdf(render_html(view, look), fillable=True)))


@pytest.fixture(scope="module")
def found(view: SheetView) -> PdfReader:
    return filled(view)


def widgets(found: PdfReader) -> list[Any]:
    return [note.get_object() for page in found.pages for note in page.get("/Annots", [])]


def test_each_thing_that_changes_in_play_has_a_field(view: SheetView, found: PdfReader) -> None:
    fields = found.get_fields() or {}
    texts = {name for name, field in fields.items() if field["/FT"] == "/Tx"}
    assert {"hp", "energy", "bones", "grit", "money", "notes", "Bike: hp", "Bike: energy"} == texts
    assert {fields[name]["/TU"] for name in texts} >= {"HP now", "Energy now", "Bike: HP now"}
    boxes = {name for name, field in fields.items() if field["/FT"] == "/Btn"}
    assert {condition.name for condition in view.conditions} < boxes
    armed = next(one for one in view.attacks if one.capacities)
    ammo = armed.capacities[0]
    wanted = {f"{armed.bearer}: {ammo.label} {number}" for number in range(1, ammo.max + 1)}
    assert len(wanted) == ammo.max > 1
    assert wanted < boxes


def test_they_begin_with_what_holds_now(view: SheetView, found: PdfReader) -> None:
    fields = found.get_fields() or {}
    for vital in view.vitals:
        assert fields[vital.id]["/V"] == str(vital.current)
    assert (fields["money"]["/V"], fields["notes"]["/V"]) == ("", "")


def test_no_two_have_one_name(found: PdfReader) -> None:
    names = [note["/T"] for note in widgets(found)]
    assert len(names) == len(set(names)) > 20
    assert not [name for name in names if "." in name]


def test_equal_things_have_fields_of_their_own(view: SheetView) -> None:
    """Two of one weapon have their ammo in boxes of two names."""
    armed = next(one for one in view.attacks if one.capacities)
    twice = view._replace(attacks=(armed, armed), items=())
    names = [note["/T"] for note in widgets(filled(twice))]
    ammo = f"{armed.bearer}: {armed.capacities[0].label} 1"
    assert {ammo, f"{ammo} 2"} <= set(names)


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
    for note in (*widgets(found), *widgets(filled(view, "short"))):
        if note["/FT"] == "/Tx":
            left, low, right, high = (float(side) for side in note["/Rect"])
            size = float(note["/DA"].split()[-2])
            assert abs(high - low) >= 1.39 * size
            assert abs(right - left) >= 1.5 * size + 4


@pytest.mark.parametrize(
    ("layout", "styles"),
    [("full", ()), ("short", ()), ("full", ("large-print",)), ("short", ("large-print",))],
)
def test_fields_lie_within_the_page_and_not_on_each_other(
    view: SheetView, layout: Layout, styles: tuple[Style, ...]
) -> None:
    for page in filled(view, layout, *styles).pages:
        boxes = []
        for note in page.get("/Annots", []):
            left, one, right, other = (float(side) for side in note.get_object()["/Rect"])
            boxes.append((left, min(one, other), right, max(one, other)))
        for number, (left, low, right, high) in enumerate(boxes):
            assert left >= 9.9 * MILLIMETRE
            assert right <= float(page.mediabox.width) - 9.9 * MILLIMETRE
            assert low >= 14.9 * MILLIMETRE
            assert high <= float(page.mediabox.height) - 9.9 * MILLIMETRE
            for other_left, other_low, other_right, other_high in boxes[:number]:
                wide = min(right, other_right) - max(left, other_left)
                tall = min(high, other_high) - max(low, other_low)
                assert min(wide, tall) < 0.1


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
            writer.update_page_form_field_values(page, {"hp": "7", "notes": "Åsa owes me 20 mC"})
    made = BytesIO()
    writer.write(made)
    fields = PdfReader(made).get_fields() or {}
    assert (fields["hp"]["/V"], fields["notes"]["/V"]) == ("7", "Åsa owes me 20 mC")


def test_the_same_character_gives_the_same_bytes(view: SheetView) -> None:
    html = render_html(view, Look(fillable=True))
    assert render_pdf(html, fillable=True) == render_pdf(html, fillable=True)


def test_without_it_there_are_no_fields(view: SheetView) -> None:
    html = render_html(view)
    assert "<input" not in html
    found = PdfReader(BytesIO(printed(html)))
    assert "/AcroForm" not in found.trailer["/Root"]
    assert widgets(found) == []
