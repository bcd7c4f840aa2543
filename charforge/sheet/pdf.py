"""PDF: a page of HTML as a tagged PDF (PDF/UA), made by WeasyPrint; booklets.

The same page always gives the same bytes. WeasyPrint is imported only to make a PDF: it needs
system libraries that other commands should work without, and takes longer to import than most
commands run. It may read only the fonts, the template folder and small ``data:`` URIs.
"""

from __future__ import annotations

import atexit
import logging
import os
import platform
import re
import shutil
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import bidirectional
from urllib.parse import unquote, urlsplit

from charforge.errors import MissingLibraryError
from charforge.language import _
from charforge.paths import data_folder
from charforge.process import environment_variable
from charforge.sheet.fonts import FACES, Face, faces
from charforge.sheet.form_fields import draw_fields

if TYPE_CHECKING:
    import pydyf
    from weasyprint import CSS
    from weasyprint.document import Document
    from weasyprint.text.fonts import FontConfiguration
    from weasyprint.urls import URLFetcher

Finisher = Callable[["Document", "pydyf.PDF"], None]
VARIANT = "pdf/ua-1"
LONGEST_DATA_URI = 1_000_000  # characters; a portrait has about a tenth of that
FIXED_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # of all that has a date: the same bytes on any day
SUBSET_LIBRARY = "libharfbuzz-subset"
PAGE_OF_LOG = re.compile(r" Page (\d+)$")
PLACE_OF_LOG = re.compile(r" at (\d+):(\d+)")
LIBRARY_NAME = re.compile(r"'([^']+)'")
SCREEN_STYLES = re.compile(r'<style media="screen">.*?</style>', re.DOTALL)
STYLE_BLOCK = re.compile(r"<style>.*?</style>", re.DOTALL)
COLOURS = re.compile(r":root, \.theme \{(.*?)\}", re.DOTALL)  # templates/styles/colours.css
COLOUR = re.compile(r"(--[\w-]+): ([^;]+);")
COLOUR_NAME = re.compile(r"\bvar\((--[\w-]+)\)")
# For a template without fonts of its own for form fields; see ``charforge.sheet.fonts``.
FIELD_STYLE = '<style>input, textarea { font-family: "Barlow Fields" !important }</style>'
PARTS_WITH_COLOURS = 'class="theme"'
RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI"}
# Commands that install Pango and the library that subsets fonts, by package manager.
INSTALL = {
    "apt-get": "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "dnf install pango harfbuzz",
    "pacman": "pacman -S pango harfbuzz",
    "brew": "brew install pango harfbuzz",
    "MSYS2": "pacman -S mingw-w64-ucrt-x86_64-pango mingw-w64-ucrt-x86_64-harfbuzz (in MSYS2)",
}
INSTALL_FONTS = {
    "apt-get": "apt-get install fonts-noto",
    "dnf": "dnf install google-noto-sans-fonts",
    "pacman": "pacman -S noto-fonts",
    "brew": "brew install --cask font-noto-sans",
    "MSYS2": "Noto Sans, from fonts.google.com/noto",
}


class WeasyPrint(NamedTuple):
    """The imported library; ``subsets_fonts`` says whether it found libharfbuzz-subset.

    Without that, WeasyPrint subsets fonts with fontTools: a PDF takes longer to write.
    """

    module: Any
    subsets_fonts: bool


@lru_cache(maxsize=1)
def load() -> WeasyPrint:
    """Import WeasyPrint. Raises MissingLibraryError if a system library is missing."""
    with (
        _homebrew_searched(),
        redirect_stdout(StringIO()),  # WeasyPrint prints advice if a library is missing
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", DeprecationWarning)
        try:
            module = import_module("weasyprint")
        except OSError as error:
            match = LIBRARY_NAME.search(str(error))
            library = match[1] if match else str(error)
            reason = _("a PDF needs Pango ({library} was not found)").format(library=library)
            raise MissingLibraryError(reason, install_hint()) from error
    return WeasyPrint(module, not any("HarfBuzz-Subset" in str(w.message) for w in caught))


@contextmanager
def _homebrew_searched() -> Iterator[None]:
    """On macOS, let WeasyPrint find Homebrew's libraries, as its manual says.

    Homebrew for Apple silicon installs outside the folders that macOS searches. The usual
    folders are listed as well, because the variable replaces them.
    """
    if sys.platform != "darwin":
        yield
        return
    variable = "DYLD_FALLBACK_LIBRARY_PATH"
    before = os.environ.get(variable)
    homebrew = ["/opt/homebrew/lib"] if platform.machine() == "arm64" else []
    usual = [str(Path.home() / "lib"), "/usr/local/lib", "/lib", "/usr/lib"]
    folders = [*([before] if before else []), *homebrew, *usual]
    with environment_variable(variable, ":".join(folders)):
        yield


def install_hint(commands: Mapping[str, str] = INSTALL) -> str:
    """Return the command for this machine's package manager, from ``commands`` by its name."""
    if sys.platform == "win32":
        return commands["MSYS2"]
    if sys.platform == "darwin":
        return commands["brew"]
    installed = next((manager for manager in commands if shutil.which(manager)), "apt-get")
    return commands[installed]


def render_pdf(
    html: str, attached: Mapping[str, bytes] | None = None, fillable: bool = False
) -> bytes:
    """Return a page of HTML as a PDF/UA document.

    ``attached`` are files by name, to be attached. If ``fillable``, the inputs of the page
    become form fields. Raises SheetError if a system library or a font is missing.
    """
    return write(lay_out(html, fillable), [html], attached, draw_fields if fillable else None)


@contextmanager
def laid_out_pages(report: Callable[[int], None]) -> Iterator[None]:
    """Call ``report`` with the number of each page that is being laid out, from WeasyPrint's log.

    Pages with the numbers of other pages are laid out again at the end.
    """

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if match := PAGE_OF_LOG.search(record.getMessage()):
                report(int(match[1]))

    with _listening(logging.getLogger("weasyprint.progress"), Listener(), logging.INFO):
        yield


@contextmanager
def _listening(logger: logging.Logger, listener: logging.Handler, level: int) -> Iterator[None]:
    """Let a listener have the messages of a logger, which nobody else gets meanwhile."""
    before = logger.level, logger.propagate
    logger.addHandler(listener)
    logger.setLevel(level)
    logger.propagate = False
    try:
        yield
    finally:
        former, logger.propagate = before
        logger.setLevel(former)
        logger.removeHandler(listener)


def lay_out(html: str, fillable: bool = False) -> Document:
    """Return the printed pages of a page of HTML. Raises SheetError like ``render_pdf``."""
    if fillable and not any(face.alias and f'"{face.alias}"' in html for face in FACES):
        html = FIELD_STYLE + html
    config, font_sheet = fonts(faces(html))
    page = load().module.HTML(string=for_paper(html), url_fetcher=sheet_fetcher())
    return page.render(
        stylesheets=[font_sheet], font_config=config, pdf_variant=VARIANT, pdf_forms=fillable
    )


def ignored_css(styles: str) -> list[tuple[int, int, str]]:
    """Return what WeasyPrint ignores in a style sheet: line, column and reason, from its log."""

    class Listener(logging.Handler):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[tuple[int, int, str]] = []

        def emit(self, record: logging.LogRecord) -> None:
            if place := PLACE_OF_LOG.search(message := record.getMessage()):
                self.found.append((int(place[1]), int(place[2]), message.replace(place[0], "")))

    listener = Listener()
    with _listening(logging.getLogger("weasyprint"), listener, logging.WARNING):
        load().module.CSS(string=styles, url_fetcher=sheet_fetcher())
    return listener.found


def for_paper(html: str) -> str:
    """Return a page without what costs WeasyPrint time and changes nothing on paper.

    That is styles for screens; colours by name, which only dark screens change; and, if no text
    runs from right to left, the elements that keep the directions of names apart: each would be
    a box of its own.
    """
    html = SCREEN_STYLES.sub("", html)
    colours = COLOURS.search(html)
    if colours and PARTS_WITH_COLOURS not in html:
        values = dict(COLOUR.findall(colours[1]))
        html = STYLE_BLOCK.sub(
            lambda style: COLOUR_NAME.sub(lambda name: values.get(name[1], name[0]), style[0]), html
        )
    if "<bdi " not in html and not any(bidirectional(sign) in RIGHT_TO_LEFT for sign in set(html)):
        html = html.replace("<bdi>", "").replace("</bdi>", "")
    return html


def write(
    document: Document,
    sources: Iterable[str],
    attached: Mapping[str, bytes] | None = None,
    finisher: Finisher | None = None,
) -> bytes:
    """Return printed pages as a PDF.

    ``sources``, the HTML of the pages, and the attached files determine the PDF's identifier.
    ``finisher`` may change the PDF before it is written.
    """
    files = dict(sorted((attached or {}).items()))
    attachment = load().module.Attachment
    # fontTools, which subsets fonts without libharfbuzz-subset, writes the time into each.
    with environment_variable("SOURCE_DATE_EPOCH", str(int(FIXED_DATE.timestamp()))):
        data = document.write_pdf(
            pdf_variant=VARIANT,
            pdf_identifier=_identifier(*map(str.encode, sources), *files.values()),
            finisher=finisher,
            attachments=[
                attachment(string=data, name=name, created=FIXED_DATE, modified=FIXED_DATE)
                for name, data in files.items()
            ],
        )
    assert isinstance(data, bytes)
    return data


def _identifier(*parts: bytes) -> bytes:
    """Return 16 bytes that identify a PDF made of these parts: the same for the same parts."""
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())
    return digest.digest()[:16]


@lru_cache(maxsize=4)
def fonts(used: tuple[Face, ...] = FACES) -> tuple[FontConfiguration, CSS]:
    """Return a font configuration and style sheet with these faces, loaded once per process.

    Raises SheetError if a font package is missing.
    """
    weasyprint = load().module
    config = weasyprint.text.fonts.FontConfiguration()
    files = {face: face.file() for face in used}
    rules = "".join(face.rule(path.as_uri()) for face, path in files.items())
    sheet = weasyprint.CSS(
        string=rules, font_config=config, url_fetcher=sheet_fetcher(tuple(files.values()))
    )
    return config, sheet


# A font configuration deletes its temporary files when it is freed, which must happen before
# the interpreter unloads modules.
atexit.register(fonts.cache_clear)


def sheet_fetcher(files: tuple[Path, ...] = ()) -> URLFetcher:
    """Return a fetcher that may read ``files``, the template folder and small data URIs."""
    urls: Any = load().module.urls
    folder = data_folder("templates").resolve()

    class SheetFetcher(urls.URLFetcher):  # type: ignore[misc]
        """Refuses everything that sheets do not need."""

        def fetch(self, url: str, headers: Any = None) -> Any:
            if url.startswith("data:"):
                if len(url) > LONGEST_DATA_URI:
                    raise ValueError(f"a data URI of {len(url)} characters is too long")
                return super().fetch(url, headers)
            parts = urlsplit(url)
            path = Path(unquote(parts.path)).resolve()
            if parts.scheme != "file" or not (path in files or path.is_relative_to(folder)):
                raise ValueError(f"sheets may not read {url}")
            return urls.URLFetcherResponse(url, path.read_bytes())

    return SheetFetcher()


PAGES_OF_SHEET = 4


class Side(NamedTuple):
    """The numbers of the pages on one side of a sheet, from 0."""

    left: int
    right: int


def sides(pages: int) -> Iterator[Side]:
    """Yield the sides of the sheets of a booklet: the front of each, then its back.

    The outermost sheet is first. Numbers of ``pages`` and more are blank pages at the end.
    """
    sheets = -(-pages // PAGES_OF_SHEET)
    last = PAGES_OF_SHEET * sheets - 1
    for sheet in range(sheets):
        first = 2 * sheet
        yield Side(last - first, first)
        yield Side(first + 1, last - first - 1)


def impose(data: bytes) -> bytes:
    """Return a PDF whose pages are the sides of a booklet of the pages of another."""
    # Here, because most sheets are no booklets, and pypdf takes 100 ms to import.
    from pypdf import PdfReader, PdfWriter, generic

    reader, writer = PdfReader(BytesIO(data)), PdfWriter()
    writer.pdf_header = reader.pdf_header
    pages = list(reader.pages)
    width, height = pages[0].mediabox.width, pages[0].mediabox.height
    for side in sides(len(pages)):
        sheet = writer.add_blank_page(2 * width, height)
        for number, x in ((side.left, 0.0), (side.right, float(width))):
            if number < len(pages):
                sheet.merge_translated_page(pages[number], x, 0.0)
    writer.add_metadata(reader.metadata or {})
    language = reader.root_object.get("/Lang")
    if language is not None:
        writer.root_object[generic.NameObject("/Lang")] = language
    writer.create_viewer_preferences()[generic.NameObject("/Duplex")] = generic.NameObject(
        "/DuplexFlipShortEdge"
    )
    for name, contents in sorted(reader.attachments.items()):
        for content in contents:
            writer.add_attachment(name, content)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()
