"""PDF form fields that look the same in every viewer.

WeasyPrint leaves the appearance of a field to the viewer, and viewers differ: some show a
ticked box as empty. Here each field gets an appearance (ISO 32000-1, 12.7), a unique name,
and text in the middle of its line, before WeasyPrint writes the PDF.
"""

from __future__ import annotations

import re
from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pydyf

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont
    from weasyprint.document import Document  # needs system libraries when it is imported


MULTILINE = 1 << 12
NARROW_FIELD = 40  # points
LEFT = 2  # points before a line that begins at the left
FONT_OPERATOR = re.compile(r"/(\S+) ([\d.]+) Tf")
TRANSPARENCY = re.compile(r"/\S+ gs ")  # transparency: not allowed in the default style of a field
TICK = ((0.2, 0.5), (0.42, 0.24), (0.82, 0.8))  # fractions of width and height, from lower left
STROKE = 0.14  # a fraction of the width


def draw_fields(_document: Document, pdf: pydyf.PDF) -> None:
    """Give each form field an appearance and a unique name (a WeasyPrint finisher)."""
    form = pdf.catalog.get("AcroForm")
    if form is None:
        return
    form.pop("NeedAppearances", None)
    names: Counter[str] = Counter()
    for reference in form["Fields"]:
        field = _resolve(pdf, reference)
        field["T"] = pydyf.String(unique_name(field["T"].string, names))
        field["DV"] = field["V"]  # the value when the sheet was made, for ``import``
        if field["FT"] == "/Btn":
            _draw_tick(field, pdf)
        else:
            _draw_text(field, pdf, form["DR"])


def _resolve(pdf: pydyf.PDF, reference: bytes) -> Any:
    """Return the object that a reference such as ``12 0 R`` names."""
    return pdf.objects[int(reference.split()[0])]


def _size(field: Any) -> tuple[float, float]:
    """Return the width and height of a field, in points."""
    left, top, right, bottom = field["Rect"]
    return abs(right - left), abs(top - bottom)


def _add_appearance(
    pdf: pydyf.PDF, size: tuple[float, float], content: str, resources: Any = None
) -> bytes:
    """Add the drawing of a field to the PDF and return its reference."""
    extra = {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": pydyf.Array((0, 0, *(round(length, 3) for length in size))),
    }
    if resources is not None:
        extra["Resources"] = resources
    stream = pydyf.Stream([content.encode("ascii")], pydyf.Dictionary(extra), compress=True)
    pdf.add_object(stream)
    reference: bytes = stream.reference
    return reference


def _draw_tick(field: Any, pdf: pydyf.PDF) -> None:
    """Draw a checkbox in both states; its frame is part of the page."""
    width, height = size = _size(field)
    points = [f"{x * width:.3f} {y * height:.3f}" for x, y in TICK]
    ticked = f"q 1 J 1 j {STROKE * width:.3f} w {points[0]} m {points[1]} l {points[2]} l S Q"
    states = {"on": _add_appearance(pdf, size, ticked), "Off": _add_appearance(pdf, size, "")}
    field["AP"] = pydyf.Dictionary({"N": pydyf.Dictionary(states)})
    field.pop("MK", None)


def _draw_text(field: Any, pdf: pydyf.PDF, resources: bytes) -> None:
    """Draw the initial text of a field: one centred line; a field of several lines is empty."""
    style = TRANSPARENCY.sub("", field["DA"].string.decode("ascii"))
    field["DA"] = pydyf.String(style)
    font = FONT_OPERATOR.search(style)
    text = field["V"].string
    content = "/Tx BMC EMC"
    if not field.get("Ff", 0) & MULTILINE:
        # What is written in a free place begins at the left, as by hand.
        free = (
            field["T"].string.startswith((f"{BLANK_FORM}:", f"{PLATE}:"))
            and _size(field)[0] > NARROW_FIELD
        )
        field["Q"] = 0 if free else 1  # centred
        if text and font is not None:
            face = _embedded_font(pdf, resources, font[1])
            line = _line(text, face, float(font[2]), _size(field), centred=not free)
            content = f"/Tx BMC q BT {style} {line} ET Q EMC"
    reference = _add_appearance(pdf, _size(field), content, resources)
    field["AP"] = pydyf.Dictionary({"N": reference})


def _embedded_font(pdf: pydyf.PDF, resources: bytes, name: str) -> TTFont:
    """Return the embedded font with this name in the resources of a PDF.

    WeasyPrint embeds the fonts of fields completely, so that any letter can be typed.
    """
    # Here, because only fields in a PDF need fontTools, and every template this module.
    from fontTools.ttLib import TTFont

    fonts = _resolve(pdf, _resolve(pdf, resources)["Font"])
    [descendant] = _resolve(pdf, fonts[name])["DescendantFonts"]
    descriptor = _resolve(pdf, _resolve(pdf, descendant)["FontDescriptor"])
    file = _resolve(pdf, descriptor.get("FontFile2") or descriptor["FontFile3"])
    return TTFont(BytesIO(file.stream[0]), fontNumber=0)


def _line(text: str, face: TTFont, size: float, room: tuple[float, float], centred: bool) -> str:
    """Return PDF operators that write a line in ``room`` (width and height, pt).

    It is ``centred``, or begins at the left.
    """
    glyph_names, unit = face.getBestCmap(), size / face["head"].unitsPerEm
    glyphs = [glyph_names.get(ord(character), ".notdef") for character in text]
    width = unit * sum(face["hmtx"][glyph][0] for glyph in glyphs)
    ascent, descent = unit * face["hhea"].ascent, unit * face["hhea"].descent
    x = (room[0] - width) / 2 if centred else LEFT
    y = (room[1] - ascent - descent) / 2
    codes = "".join(f"{face.getGlyphID(glyph):04x}" for glyph in glyphs)
    return f"{x:.3f} {y:.3f} Td <{codes}> Tj"


FieldForm = Literal["value", "used", "has", "at"]

NOTES = "notes"
PLATE = "plate"
BLANK_FORM = "blank"
FIELD_NAME = re.compile(
    r"(?P<key>[^#~]+)(?:#(?P<form>used|has|at)(?P<number>-?\d{1,9})(?:x(?P<worth>\d{1,9}))?)?"
    r"(?:~(?P<copy>\d{1,9}))?"
)
SPECIAL_IN_NAMES = re.compile(r"[%.#~]")
ESCAPED = re.compile(r"%([0-9A-F]{2})")


class FieldName(NamedTuple):
    """The subject of a field: the key of a tracker, and the box of several if it is one.

    ``copy`` is 2 for what is printed a second time, and so on.
    """

    key: str
    form: FieldForm = "value"
    number: int = 0
    worth: int = 1
    copy: int = 1


def field_name(key: str, form: FieldForm = "value", number: int = 0, worth: int = 1) -> str:
    """Return the name of the field, or of one of the boxes, of a tracker; empty without a key."""
    if not key:
        return ""
    plain = SPECIAL_IN_NAMES.sub(lambda sign: f"%{ord(sign[0]):02X}", key)
    box = "" if form == "value" else f"#{form}{number}"
    return f"{plain}{box}x{worth}" if worth > 1 else f"{plain}{box}"


def notes_name(heading: str = "") -> str:
    """Return the name of a text that becomes notes."""
    return field_name(f"{NOTES}:{heading}" if heading else NOTES)


def plate_name(number: int) -> str:
    """Return the name of a line at the head of the sheet."""
    return field_name(f"{PLATE}:{number}")


def blank_name(what: str) -> str:
    """Return the name of a field for something that has no key."""
    return field_name(f"{BLANK_FORM}:{what}")


def unique_name(name: str, used: Counter[str]) -> str:
    """Return a name that no other field has, and count it in ``used``.

    Fields with one name would have one value.
    """
    used[name] += 1
    return name if used[name] == 1 else f"{name}~{used[name]}"


def parse_name(name: str) -> FieldName | None:
    """Return what a field is about; None if no sheet has such a name."""
    match = FIELD_NAME.fullmatch(name)
    if match is None:
        return None
    key = ESCAPED.sub(lambda code: chr(int(code[1], 16)), match["key"])
    form: FieldForm = match["form"] or "value"  # type: ignore[assignment]
    number, worth, copy = (int(match[part] or 1) for part in ("number", "worth", "copy"))
    return FieldName(key, form, number if form != "value" else 0, worth, copy)


def plate_number(key: str) -> int | None:
    """Return the number of a line at the head of the sheet; None for other fields."""
    kind, _colon, number = key.partition(":")
    return int(number) if kind == PLATE and number.isdecimal() else None


def note_heading(key: str) -> str | None:
    """Return the heading of a field for notes (empty without one); None for other fields."""
    kind, _colon, heading = key.partition(":")
    return heading if kind == NOTES else None
