"""From a page of HTML to a PDF: tagged, the same bytes for the same page.

WeasyPrint is imported only when a PDF is made: it needs system libraries
that no other command should miss. Nothing is fetched but the fonts, what
lies in the template folder, and small ``data:`` URIs.
"""

from __future__ import annotations

import atexit
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from charforge.paths import data_folder
from charforge.sheet import form_fields
from charforge.sheet.fonts import FACES, Face, faces
from charforge.sheet.garbage import uncollected
from charforge.sheet.loading import load
from charforge.sheet.parsing import parsed

if TYPE_CHECKING:
    from weasyprint import CSS
    from weasyprint.document import Document
    from weasyprint.text.fonts import FontConfiguration

Finish = Callable[[Any, Any], None]
VARIANT = "pdf/ua-1"
STYLE = re.compile(r'<style(?: media="(\w+)")?>(.*?)</style>', re.DOTALL)
PRINTED = ("", "print")
LONGEST_DATA = 250_000  # characters; a portrait takes a tenth of it, a photograph thousands
SCALE = 0.75  # points of a PDF for a pixel of CSS
DATE = datetime(2000, 1, 1, tzinfo=UTC)  # of what is attached: the same bytes on any day


@uncollected()
def render_pdf(
    html: str, attached: Mapping[str, bytes] | None = None, fillable: bool = False
) -> bytes:
    """Return the page as a PDF/UA document, with files attached to it by their names.

    Where it is ``fillable``, what the page has of inputs become fields.
    Raises SheetError when a system library or a font is missing.
    """
    document = laid_out(html, fillable)
    return written(document, [html.encode()], attached, fillable)


def laid_out(html: str, fillable: bool = False) -> Document:
    """Return the pages before they are written. Raises SheetError like ``render_pdf``."""
    cuts = faces(html)
    config, sheet = fonts(cuts)
    styles = [_style(css, cuts) for media, css in STYLE.findall(html) if media in PRINTED]
    page = parsed(STYLE.sub("", html), _fetcher())
    return page.render(
        stylesheets=[sheet, *styles],
        font_config=config,
        pdf_variant=VARIANT,
        pdf_forms=fillable,
    )


def written(
    document: Document,
    made_of: Iterable[bytes],
    attached: Mapping[str, bytes] | None = None,
    fillable: bool = False,
    finish: Finish = form_fields.finish,
) -> bytes:
    """Return pages as a PDF whose identifier says what they are ``made_of``.

    ``finish`` is given the document and the PDF before it is closed.
    """
    from charforge.sheet.pdf_objects import write_once

    def finished(document: Any, pdf: Any) -> None:
        finish(document, pdf)
        write_once(pdf)

    files = dict(sorted((attached or {}).items()))
    made = document.write_pdf(
        pdf_variant=VARIANT,
        pdf_identifier=_identifier(*made_of, *files.values()),
        pdf_forms=fillable,
        finisher=finished,
        attachments=[
            load().Attachment(string=data, name=name, created=DATE, modified=DATE)
            for name, data in files.items()
        ],
    )
    assert isinstance(made, bytes)
    return made


def drawn(document: Document) -> Any:
    """Return pages as the objects of a PDF that is not written yet."""
    from weasyprint import DEFAULT_OPTIONS
    from weasyprint.pdf import VARIANTS, generate_pdf

    _make, settings = VARIANTS[VARIANT]
    options = {**DEFAULT_OPTIONS, "pdf_variant": VARIANT, **settings}
    return generate_pdf(document, None, 1, **options)


def unpaged(metadata: Any) -> Document:
    """Return a document without pages, for what is drawn elsewhere to be added to."""
    load()
    from weasyprint.document import Document as Pages

    return Pages([], metadata, _fetcher(), None, {}, None)


def outlined(pdf: Any, entries: Sequence[Any]) -> None:
    """Give a PDF an outline, as ``make_bookmark_tree`` of WeasyPrint has it."""
    from weasyprint.pdf.anchors import add_outlines

    add_outlines(pdf, entries)


@lru_cache(maxsize=16)
def _style(css: str, cuts: tuple[Face, ...]) -> CSS:
    """Read a style sheet once a process: many sheets have the same one."""
    return load().CSS(string=css, font_config=fonts(cuts)[0], url_fetcher=_fetcher())


def _identifier(*parts: bytes) -> bytes:
    """Return what tells this PDF from others, the same for the same parts."""
    made = hashlib.sha256()
    for part in parts:
        made.update(hashlib.sha256(part).digest())
    return made.digest()[:16]


@lru_cache(maxsize=4)
def fonts(cuts: tuple[Face, ...] = FACES) -> tuple[FontConfiguration, CSS]:
    """Load fonts once a process. Raises SheetError when a package of them is missing."""
    css = load().CSS
    from weasyprint.text.fonts import FontConfiguration

    config = FontConfiguration()
    files = {face: face.file() for face in cuts}
    rules = "".join(face.rule(path.as_uri()) for face, path in files.items())
    sheet = css(string=rules, font_config=config, url_fetcher=_fetcher(tuple(files.values())))
    atexit.register(_removed, config)
    return config, sheet


def _removed(config: Any) -> None:
    """Remove the font files at the end, whatever still holds them, and leave no second go.

    That would come when the interpreter has lost what removes files.
    """
    config.__del__()
    config._folder = None


def _fetcher(files: tuple[Path, ...] = ()) -> Any:
    """Return a fetcher that serves ``files``, the template folder and small data."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse

    folder = data_folder("templates").resolve()

    class Fetcher(URLFetcher):  # type: ignore[misc]
        """Refuses everything a sheet has no need of."""

        def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
            if url.startswith("data:"):
                if len(url) > LONGEST_DATA:
                    raise ValueError(f"a data URI of {len(url)} characters is too long")
                return super().fetch(url, headers)
            parts = urlsplit(url)
            path = Path(unquote(parts.path)).resolve()
            if parts.scheme != "file" or not (path in files or path.is_relative_to(folder)):
                raise ValueError(f"sheets may not read {url}")
            return URLFetcherResponse(url, path.read_bytes())

    return Fetcher()
