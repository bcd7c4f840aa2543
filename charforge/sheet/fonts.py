"""The fonts of a sheet: their files, their subsets in an HTML page, and missing glyphs."""

from __future__ import annotations

import base64
import json
import logging
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import printable
from typing import NamedTuple

from charforge.errors import SheetError
from charforge.language import _
from charforge.paths import (
    cache_folder,
    data_folder,
    read_cache_file,
    remove_old_cache_files,
    write_cache_file,
)

NO_GLYPH = ".notdef glyph"  # how WeasyPrint's warnings of missing glyphs begin
MOST_FONTS_LISTED = 12
# What most pages use: ASCII, and what the program's own texts and games have beside it. Glyphs that
# a font lacks do no harm.
COMMON = frozenset(printable.strip() + " \N{NO-BREAK SPACE}°·½×÷ÄÖÜßäöü–„“”’…†−≥←↑→↓")


class Face(NamedTuple):
    """One weight and style of a font family; ``alias`` is another name for it on a page."""

    family: str
    weight: int
    style: str = "normal"
    alias: str = ""

    @property
    def name(self) -> str:
        """Return its family as style sheets name it."""
        return self.alias or self.family

    def file(self) -> Path:
        """Return its font file. Raises SheetError, naming the package to install."""
        package = "fontpkg_" + self.family.lower().replace(" ", "_")
        path = font_files(package).get((self.weight, self.style))
        if path is None or not path.is_file():
            remedy = f"pip install --force-reinstall {package.replace('_', '-')}"
            raise SheetError(
                _("the font {font} is missing").format(
                    font=f"{self.family} {self.weight} {self.style}"
                ),
                remedy,
            )
        return path

    def rule(self, source: str) -> str:
        """Return the CSS rule that loads the face from the URL ``source``."""
        return (
            f'@font-face {{ font-family: "{self.name}"; font-weight: {self.weight}; '
            f'font-style: {self.style}; src: url("{source}") }}\n'
        )


@cache
def font_files(package: str) -> dict[tuple[int, str], Path]:
    """Return the font files of a package by weight and style; empty if it is damaged or missing.

    Read from the package's own metadata, because ``fontpkg`` searches all installed packages.
    """
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return {}
    folder = Path(spec.origin).parent
    try:
        files = json.loads((folder / "metadata.json").read_bytes())["files"]
        return {(file["weight"], file["style"]): folder / file["path"] for file in files}
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
    # WeasyPrint embeds the fonts of form fields whole and maps only their plain letters to text,
    # no tabular figures and no ligatures. So fields have fonts that no other text of a page uses.
    Face("Barlow", 400, alias="Barlow Fields"),
    Face("Barlow Condensed", 500, alias="Barlow Condensed Fields"),
    Face("Barlow Condensed", 600, alias="Barlow Condensed Fields"),
    Face("Atkinson Hyperlegible", 400, alias="Atkinson Hyperlegible Fields"),
    Face("Atkinson Hyperlegible", 700, alias="Atkinson Hyperlegible Fields"),
)


def faces(html: str) -> tuple[Face, ...]:
    """Return the faces of the font families that a page names."""
    return tuple(
        face
        for face in FACES
        if f'{face.name}"' in html or (not face.alias and face.family in html)
    )


def embed_fonts(html: str) -> str:
    """Return a page of HTML for a browser, with its fonts and what a browser needs to print it.

    WeasyPrint needs neither.

    Fonts are reduced to the common characters and the others of the page, so that most pages
    share the reduced fonts.
    """
    characters = "".join(sorted(COMMON | set(html)))
    rules = "".join(face.rule(font_uri(face, characters)) for face in faces(html))
    head, tag, rest = html.partition("</head>")
    return f"{head}<style>\n{rules}{browser_style()}</style>\n{tag}{rest}"


@cache
def browser_style() -> str:
    """Return the style sheet that is only for browsers."""
    return (data_folder("templates") / "styles" / "browser.css").read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def font_uri(face: Face, characters: str) -> str:
    """Return a face as a ``data:`` URI, with the glyphs of ``characters`` only.

    Reduced fonts are kept in the user's cache folder: making them takes half as long as a sheet.
    """
    file = face.file()
    stamp = file.stat()
    key = f"{file} {stamp.st_mtime_ns} {stamp.st_size} {characters}"
    kept = cache_folder() / "fonts" / f"{sha256(key.encode()).hexdigest()[:32]}.woff"
    try:
        woff = read_cache_file(kept)
    except OSError:
        woff = reduced_font(file, characters)
        with suppress(OSError):
            write_cache_file(kept, woff)
            remove_old_cache_files(kept.parent)
    return "data:font/woff;base64," + base64.b64encode(woff).decode("ascii")


def reduced_font(file: Path, characters: str) -> bytes:
    """Return a font with the glyphs of ``characters`` only, as WOFF."""
    # Here, because only a new set of characters needs it: fontTools takes 120 ms to import.
    from fontTools import subset

    options = subset.Options(
        flavor="woff", layout_features=["kern", "tnum", "mark", "ccmp"], notdef_outline=True
    )
    woff = BytesIO()
    with subset.load_font(str(file), options) as font:
        subsetter = subset.Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        subset.save_font(font, woff, options)
    return woff.getvalue()


class _MissingGlyphs(logging.Handler):
    """Collects the characters that, by WeasyPrint's log, no font has."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.characters: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Add the character of a warning."""
        if isinstance(record.args, tuple) and str(record.msg).startswith(NO_GLYPH):
            self.characters[str(record.args[0])] = None


@contextmanager
def collect_missing_glyphs() -> Iterator[dict[str, None]]:
    """Collect the characters that no font has, in PDFs made within the context.

    The keys of the dict are the characters, in the order of the pages.
    """
    handler, logger = _MissingGlyphs(), logging.getLogger("weasyprint")
    logger.addHandler(handler)
    try:
        yield handler.characters
    finally:
        logger.removeHandler(handler)


def list_characters(characters: Iterable[str]) -> str:
    """Return characters with their code points as a text; of many, the first and a number."""
    all_of_them = list(characters)
    texts = [f"{_printable(char)} (U+{ord(char):04X})" for char in all_of_them[:MOST_FONTS_LISTED]]
    if len(all_of_them) > MOST_FONTS_LISTED:
        texts.append(_("{count} more").format(count=len(all_of_them) - MOST_FONTS_LISTED))
    return ", ".join(texts)


def _printable(character: str) -> str:
    """Return a character; a combining mark on a circle, as it would join the text before it."""
    return f"\N{DOTTED CIRCLE}{character}" if unicodedata.combining(character) else character
