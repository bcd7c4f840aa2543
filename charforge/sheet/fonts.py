"""The fonts of a sheet: their files, their subsets in an HTML page, and missing glyphs."""

from __future__ import annotations

import base64
import json
import logging
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import printable
from typing import NamedTuple

from charforge.errors import SheetError

MISSING = ".notdef glyph"
MOST_NAMED = 12
COMMON = printable.strip() + " "  # in every font of an HTML page


class Face(NamedTuple):
    """One cut of a family."""

    family: str
    weight: int
    style: str = "normal"

    def file(self) -> Path:
        """Return its file. Raises SheetError naming the package that has it."""
        package = "fontpkg_" + self.family.lower().replace(" ", "_")
        found = _files(package).get((self.weight, self.style))
        if found is None or not found.is_file():
            remedy = f"pip install --force-reinstall {package.replace('_', '-')}"
            raise SheetError(
                f"the font {self.family} {self.weight} {self.style} is missing", remedy
            )
        return found

    def rule(self, source: str) -> str:
        """Return the style rule that loads it from an address."""
        return (
            f'@font-face {{ font-family: "{self.family}"; font-weight: {self.weight}; '
            f'font-style: {self.style}; src: url("{source}") }}\n'
        )


@cache
def _files(package: str) -> dict[tuple[int, str], Path]:
    """Return the files of an installed family by weight and style, none of one not whole.

    ``fontpkg`` would read what every installed package says of itself.
    """
    found = find_spec(package)
    if found is None or found.origin is None:
        return {}
    folder = Path(found.origin).parent
    try:
        listed = json.loads((folder / "metadata.json").read_bytes())["files"]
        return {(one["weight"], one["style"]): folder / one["path"] for one in listed}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


FACES = (
    Face("Barlow", 400),
    Face("Barlow", 400, "italic"),
    Face("Barlow", 600),
    Face("Barlow", 600, "italic"),
    Face("Barlow Condensed", 500),
    Face("Barlow Condensed", 600),
    Face("Barlow Condensed", 700),
    Face("Atkinson Hyperlegible", 400),
    Face("Atkinson Hyperlegible", 400, "italic"),
    Face("Atkinson Hyperlegible", 700),
    Face("Atkinson Hyperlegible", 700, "italic"),
)


def faces(html: str) -> tuple[Face, ...]:
    """Return the cuts of the families that a page names."""
    return tuple(face for face in FACES if face.family in html)


def embed_fonts(html: str) -> str:
    """Return a page that carries its fonts, cut down to ASCII and the other letters that it uses.

    Nearly every page uses nearly all of ASCII. With all of it, the pages of a batch share their
    fonts, which are cut once instead of for each page.

    A page without them shows in whatever the reader's machine has; the
    PDF does not need them in the page.
    """
    letters = "".join(sorted(set(html) | set(COMMON)))
    rules = "".join(face.rule(_data(face, letters)) for face in faces(html))
    head, found, rest = html.partition("</head>")
    return f'{head}<style media="screen">\n{rules}</style>\n{found}{rest}'


@lru_cache(maxsize=64)
def _data(face: Face, letters: str) -> str:
    """Return the face as a ``data:`` URI with the glyphs of ``letters`` alone."""
    from fontTools import subset  # type: ignore[import-untyped]

    options = subset.Options(
        flavor="woff", layout_features=["kern", "tnum", "mark", "ccmp"], notdef_outline=True
    )
    made = BytesIO()
    with subset.load_font(str(face.file()), options) as font:
        cutter = subset.Subsetter(options)
        cutter.populate(text=letters)
        cutter.subset(font)
        subset.save_font(font, made, options)
    return "data:font/woff;base64," + base64.b64encode(made.getvalue()).decode("ascii")


class _Listener(logging.Handler):
    """Collects the signs for which WeasyPrint logs that no font has them."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.signs: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the sign, in the order of the pages."""
        if isinstance(record.args, tuple) and str(record.msg).startswith(MISSING):
            self.signs[str(record.args[0])] = None


@contextmanager
def collect_missing_glyphs() -> Iterator[dict[str, None]]:
    """Collect the signs that no font has, in the PDFs made within the context."""
    listener, logger = _Listener(), logging.getLogger("weasyprint")
    logger.addHandler(listener)
    try:
        yield listener.signs
    finally:
        logger.removeHandler(listener)


def list_glyphs(signs: Iterable[str]) -> str:
    """Return signs with their code points, at most ``MOST_NAMED`` of them."""
    listed = list(signs)
    names = [f"{_shown(sign)} (U+{ord(sign):04X})" for sign in listed[:MOST_NAMED]]
    if len(listed) > MOST_NAMED:
        names.append(f"{len(listed) - MOST_NAMED} more")
    return ", ".join(names)


def _shown(sign: str) -> str:
    """Return a sign; a combining mark on a circle, so that it does not join the text before it."""
    return f"\N{DOTTED CIRCLE}{sign}" if unicodedata.combining(sign) else sign
