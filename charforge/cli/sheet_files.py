"""Sheets as files: PDF, or HTML if it is wanted or a PDF cannot be made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from pathlib import Path

from charforge.character import atomic_write
from charforge.cli import console
from charforge.cli.files import STDOUT, may_write, refuse_binary, result_name, write_result
from charforge.cli.messages import error_message
from charforge.cli.pack_changes import say_pack_changes
from charforge.cli.print_options import SHEET_FORMATS, SheetFormat
from charforge.errors import MissingLibraryError, SheetError, UsageError
from charforge.language import _
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.sheet import fonts
from charforge.sheet.browser_pdf import find_browser, print_shortest_pdf
from charforge.sheet.build import build, without_current_state
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.pdf import INSTALL_FONTS, SUBSET_LIBRARY, install_hint, load as load_weasyprint
from charforge.sheet.view import SheetView

STANDARD = "PDF/UA"  # the standard for screen readers, which no browser writes


def sheet_format(option: SheetFormat | None, output: Path | None) -> SheetFormat | None:
    """Return the format of the option or of the ending of ``-o``; None if neither names one."""
    ending = output.suffix.lower().removeprefix(".") if output and not output.is_dir() else ""
    by_ending = next((format for format in SHEET_FORMATS if format == ending), None)
    if option and by_ending and option != by_ending:
        reason = _("--format {format} does not match -o {output}").format(
            format=option, output=output
        )
        raise UsageError(reason, _("Use only one of them."))
    if ending and by_ending is None and option is None:
        raise UsageError(
            _("a sheet can be PDF or HTML, not .{ending}").format(ending=ending),
            _("Use -o with .pdf or .html."),
        )
    return option or by_ending


def shown_character(
    file: Path, loaded: LoadedCharacter, clean: bool
) -> tuple[Character, SheetView]:
    """Return the character of a sheet and its view, and print what replaced packs changed.

    A ``clean`` one is without its state of play.
    """
    changes = say_pack_changes(file, loaded)
    character = without_current_state(loaded.character) if clean else loaded.character
    return character, build(character)._replace(pack_changes=changes)


def write_sheet_file(
    target: Path,
    format: SheetFormat | None,
    force: bool,
    render_pdf: Callable[[], bytes],
    render_html: Callable[[], str] | None,
    html_notice: str,
    *,
    attachments: Callable[[], dict[str, bytes]] = dict,
    html_lacks: tuple[str, ...] = (),
    shorter_html: Callable[[], Iterable[str]] = tuple,
) -> Path:
    """Write a sheet and return its path, which ends in .html if a PDF cannot be made.

    Without the libraries for a PDF, an installed browser prints the HTML, with the
    ``attachments``; ``html_lacks`` are what a browser leaves out, ``shorter_html`` are ways to
    print it on fewer pages. Without a browser the HTML
    is written, and the message has ``html_notice``, with the path in place of ``{}``; it is
    an error (SheetError) if a PDF was asked for. Without ``render_html`` there is only a PDF.
    """
    if format != "html":
        refuse_binary(target)
    allowed = may_write(target, force)
    if format == "html" and render_html is not None:
        write_result(target, embed_fonts(render_html()).encode(), allowed)
        return target
    try:
        with fonts.collect_missing_glyphs() as missing:
            pdf = render_pdf()
    except SheetError as error:
        if render_html is None:
            raise
        html = embed_fonts(render_html())
        pages = chain((html,), map(embed_fonts, shorter_html()))
        printed = _print_in_browser(pages, attachments, error, target, html_lacks)
        if printed is not None:
            write_result(target, printed, allowed)
            return target
        if target == STDOUT:
            raise
        html_file = target.with_suffix(".html")
        atomic_write.write(html_file, html.encode(), replace=may_write(html_file, force))
        notice = SheetError(f"{error.reason}; {html_notice.format(html_file)}", error.advice)
        if format is not None:
            raise notice from error
        console.say(error_message(notice))
        return html_file
    write_result(target, pdf, allowed)
    if missing:
        reason = _("{result} has empty boxes for characters that no installed font has").format(
            result=result_name(target)
        )
        advice = _("Install a font and print it again: {install_hint}").format(
            install_hint=install_hint(INSTALL_FONTS)
        )
        console.say(f"{reason}: {fonts.list_characters(missing)}. {advice}")
    if not load_weasyprint().subsets_fonts:
        reason = _("PDFs are printed faster with {subset_library}, which is not installed").format(
            subset_library=SUBSET_LIBRARY
        )
        console.say(f"{reason}: {install_hint()}")
    return target


def _print_in_browser(
    pages: Iterable[str],
    attachments: Callable[[], dict[str, bytes]],
    error: SheetError,
    target: Path,
    lacks: tuple[str, ...],
) -> bytes | None:
    """Return the PDF that an installed browser prints, and say so.

    None if no browser is installed or it fails, and if ``error`` is not a missing library.
    """
    browser = find_browser() if isinstance(error, MissingLibraryError) else None
    if browser is None:
        return None
    try:
        data = print_shortest_pdf(pages, browser, attachments())
    except SheetError as failure:
        console.say(error_message(failure))
        return None
    without = (
        _("{lacks} and {standard}").format(lacks=", ".join(lacks), standard=STANDARD)
        if lacks
        else STANDARD
    )
    reason = _("{reason}; {name} printed {result} without {without}").format(
        reason=error.reason, name=browser.name, result=result_name(target), without=without
    )
    console.say(error_message(SheetError(reason, error.advice)))
    return data
