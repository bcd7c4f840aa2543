"""``doctor``: checks Python, libraries and fonts, and names what to install; reports of bugs."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import typer

from charforge.cli import console
from charforge.cli.console import quoted
from charforge.cli.messages import error_message
from charforge.cli.options import Command
from charforge.errors import CharforgeError, SheetError
from charforge.language import _
from charforge.paths import backups_folder
from charforge.rules.loading import loader
from charforge.sheet.browser import find_browser
from charforge.sheet.pdf import SUBSET_LIBRARY, fonts, install_hint, load

app = typer.Typer(add_completion=False)


class Finding(NamedTuple):
    """A part of the machine: whether it is present and needed, and the command to install it."""

    name: str
    present: bool
    detail: str
    remedy: str = ""
    needed: bool = True


@app.command("doctor", cls=Command)
def doctor() -> None:
    """Check that everything charforge needs is installed.

    If something is missing, the exit code is 1 and you see the command that
    installs it.

    \b
    Examples:
      charforge doctor
    """
    missing = False
    for finding in findings():
        mark = "ok     " if finding.present else "missing" if finding.needed else "useful "
        console.print_result(f"{mark}  {finding.name}: {finding.detail}")
        if not finding.present:
            missing = missing or finding.needed
            if finding.remedy:
                console.print_result(f"         {finding.remedy}")
    raise typer.Exit(1 if missing else 0)


def findings() -> Iterator[Finding]:
    """Yield the findings, the most important first."""
    yield Finding(
        "Python",
        sys.version_info >= (3, 11),
        sys.version.split()[0],
        _("Install Python 3.11 or newer."),
    )
    yield from _catalogs()
    yield from _libraries()
    yield from _fonts()
    yield _earlier_versions()


def _catalogs() -> Iterator[Finding]:
    names = loader.available()
    if not names:
        yield Finding(_("Catalog"), False, _("no games were found"), _("Install charforge again."))
    for name in names:
        try:
            loaded = loader.load(name)
        except CharforgeError as error:
            yield Finding(_("Catalog {name}").format(name=name), False, error_message(error))
        else:
            detail = _("version {version}, {count} entities").format(
                version=loaded.head.version, count=len(loaded.entities)
            )
            yield Finding(_("Catalog {name}").format(name=name), True, detail)


def _libraries() -> Iterator[Finding]:
    """Yield whether WeasyPrint finds the libraries that it needs, and an optional one."""
    try:
        weasyprint = load()
    except SheetError as error:
        yield Finding(_("PDF libraries"), False, error.reason, install_hint())
        browser = find_browser()
        if browser is not None:
            yield Finding(
                browser.name, True, _("is used to print PDFs until the libraries are installed")
            )
        return
    yield Finding(
        _("PDF libraries"),
        True,
        _("found by WeasyPrint {version}").format(version=weasyprint.module.__version__),
    )
    purpose = (
        _("makes PDFs faster") if weasyprint.subsets_fonts else _("not found; PDFs take longer")
    )
    yield Finding(SUBSET_LIBRARY, weasyprint.subsets_fonts, purpose, install_hint(), needed=False)


def _fonts() -> Iterator[Finding]:
    try:
        fonts()
    except (CharforgeError, ImportError, OSError) as error:
        yield Finding(_("Fonts"), False, str(error), "pip install --upgrade charforge")
    else:
        yield Finding(_("Fonts"), True, "Barlow, Barlow Condensed, Atkinson Hyperlegible")


def _earlier_versions() -> Finding:
    """Return whether the folder of earlier versions is writable; it is created when needed."""
    place = backups_folder()
    existing = next(folder for folder in (place, *place.parents) if os.access(folder, os.F_OK))
    writable = existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)
    note = _("to get one back: charforge restore FILE") if writable else _("it is not writable")
    remedy = _("Set XDG_STATE_HOME to a writable folder: export XDG_STATE_HOME=FOLDER.")
    return Finding(_("Earlier versions"), writable, f"{place} ({note})", remedy)


def program_version() -> str:
    """Return the installed version, or say that the program runs from a checkout."""
    try:
        return version("charforge")
    except PackageNotFoundError:
        return _("from a checkout, not installed")


def versions() -> Iterator[str]:
    """Yield the versions of the program, the rulesets and the installed packs, one per line.

    Only the header of each is read. A built-in ruleset hides an installed one of its name.
    """
    yield f"charforge {program_version()}"
    built_in = loader.built_in()
    for name, folder in {**built_in, **loader.installed(), **built_in}.items():
        check = f"charforge catalog check {quoted(folder)}"
        missing = _("has no version; to see what is wrong: {check}").format(check=check)
        origin = "" if name in built_in else " (installed)"
        yield f"{name} {loader.stated_version(folder) or missing}{origin}"


def save_bug_report(words: Sequence[str]) -> str:
    """Save a report of the current exception and return what to tell the user.

    The report has versions, the typed words and the traceback, never the content
    of a character.
    """
    lines = [
        f"charforge {program_version()}",
        f"Python {sys.version}",
        f"arguments: {list(words)}",
        "",
        traceback.format_exc(),
    ]
    try:
        handle, path = tempfile.mkstemp(prefix="charforge-bug-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(lines))
    except OSError:
        path = ""
    report = (
        _("A report was saved in {path}.").format(path=path)
        if path
        else _("The report could not be saved.")
    )
    return _("charforge has a bug here. {report}").format(report=report)
