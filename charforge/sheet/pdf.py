"""From a page of HTML to a PDF: tagged, the same bytes for the same page.

WeasyPrint is imported only when a PDF is made: it needs system libraries
that no other command should miss. Nothing is fetched but the fonts, what
lies in the template folder, and small ``data:`` URIs.
"""

from __future__ import annotations

import atexit
import ctypes
import hashlib
from ctypes.util import find_library
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from charforge.errors import SheetError
from charforge.paths import data_folder
from charforge.sheet.fonts import FACES

if TYPE_CHECKING:
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration

LIBRARIES = {
    "libpango-1.0.so.0": "sets the text of a PDF",
    "libpangoft2-1.0.so.0": "finds the fonts of a PDF",
    "libharfbuzz-subset.so.0": "cuts fonts down to the letters used",
}
REMEDY = "apt-get install libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"
LONGEST_DATA = 20_000


def render_pdf(html: str) -> bytes:
    """Return the page as a PDF/UA document.

    Raises SheetError when a system library or a font is missing.
    """
    missing = [name for name in LIBRARIES if not find(name)]
    if missing:
        raise SheetError(f"a PDF needs {', '.join(missing)}", REMEDY)
    import weasyprint

    config, sheet = fonts()
    page = weasyprint.HTML(string=html, url_fetcher=_fetcher())
    made = page.write_pdf(
        stylesheets=[sheet],
        font_config=config,
        pdf_variant="pdf/ua-1",
        pdf_identifier=hashlib.sha256(html.encode()).digest()[:16],
    )
    assert isinstance(made, bytes)
    return made


def find(name: str) -> bool:
    """Whether a system library can be loaded, by its Linux name or any other."""
    if _loads(name):
        return True
    # Asked last: it starts the linker and the compiler to search with.
    other = find_library(name.removeprefix("lib").partition(".so")[0])
    return other is not None and _loads(other)


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


@lru_cache(maxsize=1)
def fonts() -> tuple[FontConfiguration, CSS]:
    """Load the fonts once a process. Raises SheetError when a package of them is missing."""
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration

    config = FontConfiguration()
    files = {face: face.file() for face in FACES}
    rules = "".join(face.rule(path.as_uri()) for face, path in files.items())
    sheet = CSS(string=rules, font_config=config, url_fetcher=_fetcher(tuple(files.values())))
    atexit.register(fonts.cache_clear)  # the font files go before the interpreter does
    return config, sheet


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
