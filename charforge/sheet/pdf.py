"""PDFs by WeasyPrint: tagged, and the same bytes for the same page.

WeasyPrint is imported only when a PDF is made: it needs system libraries that no other
command should miss, and takes longer to import than most commands run. Nothing is fetched
but the fonts, the template folder and small ``data:`` URIs.
"""

from __future__ import annotations

import atexit
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
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote, urlsplit

from charforge.errors import SheetError
from charforge.paths import data_folder
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
LONGEST_DATA = 250_000  # characters; a portrait takes a tenth of it, a photograph thousands
ATTACHMENT_DATE = datetime(2000, 1, 1, tzinfo=UTC)  # fixed: the same bytes on any day
SUBSET_LIBRARY = "libharfbuzz-subset"
LIBRARY_NAME = re.compile(r"'([^']+)'")
# What installs Pango, with all it needs, and the library that subsets fonts.
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
    """Import WeasyPrint. Raises SheetError where it does not find a library that it needs."""
    with (
        _homebrew_searched(),
        redirect_stdout(StringIO()),  # where a library is missing, it prints how to install it
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always", DeprecationWarning)
        try:
            module = import_module("weasyprint")
        except OSError as error:
            named = LIBRARY_NAME.search(str(error))
            library = named[1] if named else str(error)
            reason = f"a PDF needs Pango ({library} was not found)"
            raise SheetError(reason, install_hint()) from error
    return WeasyPrint(module, not any("HarfBuzz-Subset" in str(one.message) for one in caught))


@contextmanager
def _homebrew_searched() -> Iterator[None]:
    """Let WeasyPrint find Homebrew's libraries on a Mac, by the variable that its manual names.

    Homebrew for Apple silicon installs outside the folders that macOS searches; on Intel it
    does not, but a variable that is set replaces those folders.
    """
    if sys.platform != "darwin":
        yield
        return
    variable = "DYLD_FALLBACK_LIBRARY_PATH"
    before = os.environ.get(variable)
    homebrew = ["/opt/homebrew/lib"] if platform.machine() == "arm64" else []
    usual = [str(Path.home() / "lib"), "/usr/local/lib", "/lib", "/usr/lib"]
    os.environ[variable] = ":".join([*([before] if before else []), *homebrew, *usual])
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


def install_hint(commands: Mapping[str, str] = INSTALL) -> str:
    """Return the command of this machine's package manager."""
    if sys.platform == "win32":
        return commands["MSYS2"]
    if sys.platform == "darwin":
        return commands["brew"]
    return next((commands[one] for one in commands if shutil.which(one)), commands["apt-get"])


def render_pdf(
    html: str, attached: Mapping[str, bytes] | None = None, fillable: bool = False
) -> bytes:
    """Return a page of HTML as a PDF/UA document, with files attached by their names.

    Where it is ``fillable``, the inputs of the page become form fields.
    Raises SheetError when a system library or a font is missing.
    """
    return write(lay_out(html, fillable), [html], attached, draw_fields if fillable else None)


def lay_out(html: str, fillable: bool = False) -> Document:
    """Return the laid out pages of a page of HTML. Raises SheetError like ``render_pdf``."""
    config, font_sheet = fonts(faces(html))
    page = load().module.HTML(string=html, url_fetcher=_fetcher())
    return page.render(
        stylesheets=[font_sheet], font_config=config, pdf_variant=VARIANT, pdf_forms=fillable
    )


def write(
    document: Document,
    sources: Iterable[str],
    attached: Mapping[str, bytes] | None = None,
    finisher: Finisher | None = None,
) -> bytes:
    """Return laid out pages as a PDF.

    Its identifier is made from ``sources``, the HTML of its pages, and what is attached;
    ``finisher`` may add to the PDF before it is written.
    """
    files = dict(sorted((attached or {}).items()))
    attachment = load().module.Attachment
    data = document.write_pdf(
        pdf_variant=VARIANT,
        pdf_identifier=_identifier(*map(str.encode, sources), *files.values()),
        finisher=finisher,
        attachments=[
            attachment(string=data, name=name, created=ATTACHMENT_DATE, modified=ATTACHMENT_DATE)
            for name, data in files.items()
        ],
    )
    assert isinstance(data, bytes)
    return data


def _identifier(*parts: bytes) -> bytes:
    """Return 16 bytes that tell this PDF from others, the same for the same parts."""
    digest = sha256()
    for part in parts:
        digest.update(sha256(part).digest())
    return digest.digest()[:16]


@lru_cache(maxsize=4)
def fonts(cuts: tuple[Face, ...] = FACES) -> tuple[FontConfiguration, CSS]:
    """Load fonts once a process. Raises SheetError when a package of them is missing."""
    css = load().module.CSS
    from weasyprint.text.fonts import FontConfiguration

    config = FontConfiguration()
    files = {face: face.file() for face in cuts}
    rules = "".join(face.rule(path.as_uri()) for face, path in files.items())
    sheet = css(string=rules, font_config=config, url_fetcher=_fetcher(tuple(files.values())))
    return config, sheet


# A font configuration removes its temporary files when it goes, which must be before the
# interpreter takes its modules apart.
atexit.register(fonts.cache_clear)


def _fetcher(files: tuple[Path, ...] = ()) -> URLFetcher:
    """Return a fetcher that serves ``files``, the template folder and small data."""
    from weasyprint.urls import URLFetcher, URLFetcherResponse  # with WeasyPrint: see above

    folder = data_folder("templates").resolve()

    class SheetFetcher(URLFetcher):  # type: ignore[misc]
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

    return SheetFetcher()
