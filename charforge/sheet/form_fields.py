"""The form fields of a PDF, finished: each looks the same in every viewer before it is touched.

WeasyPrint leaves the looks of a field to the viewer, and viewers differ:
a ticked box stays empty in some. Each field is given its own drawing
here, a name that no other has, and text in the middle of its line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from typing import Any

MULTILINE = 1 << 12
FONT = re.compile(r"/(\S+) ([\d.]+) Tf")
STATE = re.compile(r"/\S+ gs ")  # transparency, which the default look of a field may not set
TICK = ((0.2, 0.5), (0.42, 0.24), (0.82, 0.8))  # of width and height, from the lower left
STROKE = 0.14  # of the width


def finish(document: Any, pdf: Any) -> None:
    """Give every field of a laid out document its drawing; called before the PDF is written."""
    form = pdf.catalog.get("AcroForm")
    if form is None:
        return
    form.pop("NeedAppearances", None)
    fonts = {font.hash: font for font in document.fonts.values()}
    names: Counter[str] = Counter()
    for field in _fields(form, pdf):
        field["T"] = _named(field["T"].string, names)
        if field["FT"] == "/Btn":
            _tick(field, pdf)
        else:
            _text(field, pdf, form["DR"], fonts)


def _fields(form: Any, pdf: Any) -> Iterator[Any]:
    for reference in form["Fields"]:
        yield pdf.objects[int(reference.split()[0])]


def _named(name: str, names: Counter[str]) -> Any:
    """Return a name of its own: fields of one name would be one field in many places."""
    import pydyf

    plain = name.replace(".", "-")  # a dot parts a name from that of its parent
    names[plain] += 1
    return pydyf.String(plain if names[plain] == 1 else f"{plain} {names[plain]}")


def _size(field: Any) -> tuple[float, float]:
    left, top, right, bottom = field["Rect"]
    return abs(right - left), abs(top - bottom)


def _drawing(pdf: Any, size: tuple[float, float], content: str, resources: Any = None) -> Any:
    """Add a drawing of a field and return its reference."""
    import pydyf

    extra = {
        "Type": "/XObject",
        "Subtype": "/Form",
        "BBox": pydyf.Array((0, 0, *(round(length, 3) for length in size))),
    }
    if resources is not None:
        extra["Resources"] = resources
    made = pydyf.Stream([content.encode("ascii")], pydyf.Dictionary(extra))
    pdf.add_object(made)
    return made.reference


def _tick(field: Any, pdf: Any) -> None:
    """Draw a box ticked and not; its frame is on the page itself."""
    import pydyf

    width, height = size = _size(field)
    points = [f"{x * width:.3f} {y * height:.3f}" for x, y in TICK]
    ticked = f"q 1 J 1 j {STROKE * width:.3f} w {points[0]} m {points[1]} l {points[2]} l S Q"
    states = {"on": _drawing(pdf, size, ticked), "Off": _drawing(pdf, size, "")}
    field["AP"] = pydyf.Dictionary({"N": pydyf.Dictionary(states)})
    field.pop("MK", None)


def _text(field: Any, pdf: Any, resources: Any, fonts: dict[str, Any]) -> None:
    """Draw what stands in a field at first: one line in the middle, or an empty page."""
    import pydyf

    look = STATE.sub("", field["DA"].string.decode("ascii"))
    field["DA"] = pydyf.String(look)
    found = FONT.search(look)
    text = field["V"].string
    content = "/Tx BMC EMC"
    if not field.get("Ff", 0) & MULTILINE:
        field["Q"] = 1  # in the middle
        if text and found is not None:
            line = _line(text, fonts[found[1]], float(found[2]), _size(field))
            content = f"/Tx BMC q BT {look} {line} ET Q EMC"
    reference = _drawing(pdf, _size(field), content, resources)
    field["AP"] = pydyf.Dictionary({"N": reference})


def _line(text: str, font: Any, size: float, room: tuple[float, float]) -> str:
    """Return the operators that write a line in the middle of ``room``."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    face = TTFont(BytesIO(font.file_content), fontNumber=font.index)
    letters, unit = face.getBestCmap(), size / face["head"].unitsPerEm
    glyphs = [letters.get(ord(sign), ".notdef") for sign in text]
    width = unit * sum(face["hmtx"][glyph][0] for glyph in glyphs)
    high, low = unit * face["hhea"].ascent, unit * face["hhea"].descent
    x, y = (room[0] - width) / 2, (room[1] - high - low) / 2
    coded = "".join(f"{face.getGlyphID(glyph):04x}" for glyph in glyphs)
    return f"{x:.3f} {y:.3f} Td <{coded}> Tj"
