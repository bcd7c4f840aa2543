"""Printing with a browser: PDFs by Chromium, Chrome or Edge, where WeasyPrint lacks libraries.

The browser runs without a window, with a profile that is deleted afterwards, without network and
for a limited time. Its PDF has no form fields; attachments are added to it afterwards.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from charforge.character.files.pdf_attachments import PDF_START
from charforge.errors import SheetError
from charforge.language import _

if TYPE_CHECKING:
    from pypdf import PdfWriter

PRINT_SECONDS = 60
PDF_VERSION = "%PDF-1.7"
# Commands of browsers by name. All of them understand the options of Chromium.
BROWSERS = {
    "Chromium": ("chromium", "chromium-browser"),
    "Chrome": ("google-chrome", "google-chrome-stable", "chrome"),
    "Edge": ("microsoft-edge", "microsoft-edge-stable", "msedge"),
}
MAC_APPS = {
    "Chromium": "Chromium.app/Contents/MacOS/Chromium",
    "Chrome": "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Edge": "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
}
WINDOWS_PROGRAMS = {
    "Chromium": "Chromium/Application/chrome.exe",
    "Chrome": "Google/Chrome/Application/chrome.exe",
    "Edge": "Microsoft/Edge/Application/msedge.exe",
}
WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
BROWSER_OPTIONS = (
    "--headless",
    "--disable-gpu",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no network: no name has an address
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pdf-header-footer",
    "--generate-pdf-document-outline",
)


class Browser(NamedTuple):
    """An installed browser."""

    name: str
    program: Path


def find_browser() -> Browser | None:
    """Return the first browser that is installed and can print a PDF."""
    for name, commands in BROWSERS.items():
        for command in commands:
            found = shutil.which(command)
            if found is not None:
                return Browser(name, Path(found))
    return next((browser for browser in _usual_places() if browser.program.is_file()), None)


def _usual_places() -> Iterator[Browser]:
    """Yield where browsers are on systems that have no command for them."""
    system = platform.system()
    if system == "Darwin":
        for name, path in MAC_APPS.items():
            for folder in (Path("/Applications"), Path.home() / "Applications"):
                yield Browser(name, folder / path)
    elif system == "Windows":
        folders = [Path(os.environ[name]) for name in WINDOWS_FOLDERS if name in os.environ]
        for name, path in WINDOWS_PROGRAMS.items():
            for folder in folders:
                yield Browser(name, folder / path)


def print_pdf(
    html: str,
    browser: Browser,
    attached: Mapping[str, bytes] | None = None,
    seconds: float = PRINT_SECONDS,
) -> bytes:
    """Return a page of HTML, with its fonts embedded, as a PDF that a browser has printed.

    ``attached`` are files by name. Raises SheetError if the browser fails, or needs more than
    so many ``seconds``.
    """
    with TemporaryDirectory(prefix="charforge-", ignore_cleanup_errors=True) as folder:
        page, printed = Path(folder, "sheet.html"), Path(folder, "sheet.pdf")
        page.write_text(html, encoding="utf-8")
        arguments = [
            str(browser.program),
            *BROWSER_OPTIONS,
            *_root_options(),
            f"--user-data-dir={Path(folder, 'profile')}",
            f"--print-to-pdf={printed}",
            page.as_uri(),
        ]
        try:
            # The program is a browser, found by its name.
            subprocess.run(  # noqa: S603  # nosec B603
                arguments, capture_output=True, timeout=seconds, check=True
            )
            data = printed.read_bytes()
        except subprocess.TimeoutExpired as error:
            raise _failure(
                browser, _("took more than {seconds:g} seconds").format(seconds=seconds)
            ) from error
        except subprocess.CalledProcessError as error:
            raise _failure(
                browser, _("ended with exit code {code}").format(code=error.returncode)
            ) from error
        except OSError as error:
            raise _failure(browser, error.strerror or _("could not be started")) from error
    if not data.startswith(PDF_START):
        raise _failure(browser, _("did not create a PDF"))
    return _attach(data, attached) if attached else data


def print_shortest_pdf(
    pages: Iterable[str], browser: Browser, attached: Mapping[str, bytes] | None = None
) -> bytes:
    """Return the PDF with the fewest printed pages, of several ways to show the same sheet.

    The first that needs a single page is taken, and the others are not printed. ``attached`` and
    the errors are those of ``print_pdf``.
    """
    shortest, fewest = b"", 0
    for html in pages:
        data = print_pdf(html, browser)
        number = len(_opened(data).pages)
        if not shortest or number < fewest:
            shortest, fewest = data, number
        if number == 1:
            break
    return _attach(shortest, attached) if attached else shortest


def _opened(data: bytes) -> PdfWriter:
    """Return a PDF to read and to add to."""
    # Here, because few systems lack WeasyPrint, and pypdf takes 100 ms to import.
    from pypdf import PdfWriter

    return PdfWriter(clone_from=BytesIO(data))


def _root_options() -> tuple[str, ...]:
    """Return what Chromium wants when root starts it: it refuses its sandbox then.

    The page has no script but ours and loads nothing.
    """
    return ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()


def _failure(browser: Browser, reason: str) -> SheetError:
    return SheetError(
        _("{browser} could not print a PDF: it {reason}").format(
            browser=browser.name, reason=reason
        )
    )


def _attach(data: bytes, attached: Mapping[str, bytes]) -> bytes:
    """Return a PDF with files attached."""
    writer = _opened(data)
    writer.pdf_header = PDF_VERSION
    for name, content in sorted(attached.items()):
        writer.add_attachment(name, content)
    written = BytesIO()
    writer.write(written)
    return written.getvalue()
