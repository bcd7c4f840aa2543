"""Write docs/guides/gallery.md and its pictures: one character in every layout and design.

    python docs/gallery.py

It needs the packages of the tests.
"""

from __future__ import annotations

import base64
from functools import partial
from pathlib import Path
from typing import NamedTuple

from charforge.answers.automatic import RandomAnswers
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading import loader
from charforge.sheet.build import build
from charforge.sheet.fit import fit_template, sheet_pdf
from charforge.sheet.pdf import write
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import find_template
from charforge.sheet.view import SheetView

GUIDES = Path(__file__).with_name("guides")
PAGE, PICTURES = GUIDES / "gallery.md", GUIDES / "gallery"
PORTRAIT = PICTURES / "portrait.jpg"
WIDE, SHARP = 560, 2  # pixels of a picture; how much larger it is drawn first
MM = 72 / 25.4
START = """# Gallery

<!-- Written by docs/gallery.py, with its pictures: change it there. -->

Juno Vance, captain of level 4 in *Capital*, in every layout and design. The designs come with
charforge: use them by their names, or copy the folder of one from `examples/templates` and
[change it](templates.md).
"""


class Picture(NamedTuple):
    """A picture of pages side by side, or of the part ``cut`` out of one: x, y, width, height."""

    name: str
    title: str
    about: str
    command: str
    layout: Layout | None = None  # None for a design
    pages: tuple[int, ...] = (0,)
    cut: tuple[float, float, float, float] | None = None  # in millimetres


GALLERY = (
    Picture(
        "booklet", "Booklet", "A5 with a cover; `--booklet` prints two pages on a sheet of A4.",
        "--template booklet", pages=(0, 1),
    ),
    Picture(
        "zine", "Zine", "One page in landscape with bold type; it shrinks to fit.",
        "--template zine",
    ),
    Picture(
        "dossier", "Dossier", "A personnel file, typewritten in two colours.",
        "--template dossier",
    ),
    Picture(
        "tarot", "Tarot card",
        "To cut out, fold and glue. Without a portrait, the card has the mark of the role.",
        "--template tarot", cut=(25, 28, 160, 144),
    ),
    Picture(
        "tent", "Initiative tent", "To fold: the name to the others, the figures to you.",
        "--template tent", cut=(13, 20, 184, 188),
    ),
    Picture("full", "Full sheet", "The sheet that you get without any option.", "", "full"),
    Picture(
        "short", "Short sheet", "All that a fight needs, on one page.", "--layout short", "short"
    ),
    Picture("cards", "Cards", "Abilities and attacks to cut out.", "--layout cards", "cards"),
)  # fmt: skip


def main() -> None:
    """Write the page and all pictures."""
    PAGE.write_text(reference(), encoding="utf-8")
    view = captain()
    for picture in GALLERY:
        _draw(picture, _pdf(picture, view), PICTURES / f"{picture.name}.png")


def reference() -> str:
    """Return the whole page."""
    parts = [START]
    for one in GALLERY:
        command = f"charforge sheet juno.json {one.command}".strip()
        parts += [f"## {one.title}", "", f"{one.about} `{command}`", ""]
        parts += [f"![{one.title} of Juno Vance](gallery/{one.name}.png)", ""]
    return "\n".join(parts)


def captain() -> SheetView:
    """Return the character that all pictures show."""
    spec = CharacterSpec(
        loader.load("capital"), "7", "Juno Vance", 4, answers={"role": "role/the-captain"}
    )
    return build(spec.replay(RandomAnswers("7")))


def _pdf(picture: Picture, view: SheetView) -> bytes:
    portrait = f"data:image/jpeg;base64,{base64.b64encode(PORTRAIT.read_bytes()).decode()}"
    if picture.layout is not None:
        shown = portrait if picture.layout == "full" else ""
        return sheet_pdf(view, PrintOptions(picture.layout, portrait=shown))
    template = find_template(picture.name)
    options = PrintOptions(paper=template.about.papers[0], portrait=portrait)
    render = partial(render_template, template, view)
    sheet = fit_template(render, options, template.about.pages)
    return write(sheet.document, [sheet.html])


def _draw(picture: Picture, pdf: bytes, to: Path) -> None:
    """Save the picture of a PDF with a thin frame around each page."""
    import pypdfium2
    from PIL import Image, ImageOps

    document = pypdfium2.PdfDocument(pdf)
    each = WIDE // len(picture.pages)
    drawn = []
    for number in picture.pages:
        printed = document[number]
        left, top, width, height = picture.cut or (
            0,
            0,
            *(side / MM for side in printed.get_size()),
        )
        scale = SHARP * each / (width * MM)
        whole = printed.render(scale=scale).to_pil().convert("RGB")
        box = [round(side * MM * scale) for side in (left, top, left + width, top + height)]
        size = (each - 8, round((each - 8) * height / width))
        small = whole.crop(tuple(box)).resize(size, Image.Resampling.LANCZOS)
        drawn.append(ImageOps.expand(small, 1, "#c3ccd3"))
    sheet = Image.new("RGB", (each * len(drawn), max(one.height for one in drawn)), "#fff")
    for number, one in enumerate(drawn):
        sheet.paste(one, (number * each, 0))
    sheet.quantize(96).save(to, optimize=True)


if __name__ == "__main__":
    main()
