"""The sheet of one character as a file: its view and options, its format, and what prints a PDF.

Without the libraries for that, a browser prints it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

from charforge.character.files import atomic_write, pdf_attachments, reader
from charforge.character.files.document import Document
from charforge.cli import console
from charforge.cli.check import say_pack_changes
from charforge.cli.files import STDOUT, may_write, refuse_binary, result_name, write_result
from charforge.cli.messages import error_message, located_message
from charforge.cli.printing.options import SHEET_FORMATS, SheetFormat
from charforge.errors import DocumentError, MissingLibraryError, PackProblem, SheetError, UsageError
from charforge.language import _, ngettext
from charforge.paths import is_folder
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.sheet import fonts, sandbox
from charforge.sheet.browser import find_browser, print_shortest_pdf
from charforge.sheet.build import build, without_current_state
from charforge.sheet.fit import fit_template, sheet_pdf
from charforge.sheet.fit_short import TYPE_SCALES
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.html import render_html
from charforge.sheet.pdf import (
    INSTALL_FONTS,
    SUBSET_LIBRARY,
    ignored_css,
    impose,
    install_hint,
    load as load_weasyprint,
    write as write_pdf,
)
from charforge.sheet.print_options import DIGESTS, LINES, NAMES, PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.templates import STYLE, OwnTemplate
from charforge.sheet.trackers import PageTrackers, character_meta, page_trackers
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

STANDARD = "PDF/UA"  # the standard for screen readers, which no browser writes
HEAD = 20_000  # bytes of a page that contain the tag with its character
# In the head of a page while it is watched: the browser loads it again each second.
RELOAD = '<meta http-equiv="refresh" content="1">'


def sheet_ending(output: Path | None) -> str:
    """Return the ending of the file of ``-o`` without its dot; empty for a folder."""
    return output.suffix.lower().removeprefix(".") if output and not is_folder(output) else ""


def sheet_format(
    option: SheetFormat | None, output: Path | None, template: OwnTemplate | None = None
) -> SheetFormat | None:
    """Return the format of the option or of the ending of ``-o``; None if neither names one.

    None, too, for a template that makes no page. Raises UsageError for what does not fit.
    """
    ending = sheet_ending(output)
    if template is not None and not template.is_page:
        if option is not None or ending in SHEET_FORMATS:
            made = template.ending
            raise UsageError(
                _("this template makes {ending}, not PDF or HTML").format(ending=made),
                _("Leave out --format, and use -o with {ending}.").format(ending=made),
            )
        return None
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


@dataclass(frozen=True)
class PrintedSheet:
    """A sheet to write: how its PDF and its HTML are made, and what is said of them.

    Without the libraries for a PDF, an installed browser prints the HTML, with the
    ``attachments``; ``html_lacks`` are what a browser leaves out, ``shorter_html`` are ways to
    print it on fewer pages. Without a browser the HTML is written, and the message has
    ``html_notice``, with the path in place of ``{}``. Without ``render_html`` there is only a PDF.
    The pages of a ``booklet`` are imposed. ``character`` is the id of that of the sheet.
    """

    render_pdf: Callable[[], bytes]
    render_html: Callable[[], str] | None
    html_notice: str
    attachments: Callable[[], dict[str, bytes]] = dict
    html_lacks: tuple[str, ...] = ()
    shorter_html: Callable[[], Iterable[str]] = tuple
    character: str = ""
    booklet: bool = False

    def save(self, target: Path, format: SheetFormat | None, force: bool) -> Path:
        """Write the sheet and return its path, which ends in .html if a PDF cannot be made.

        A sheet of the same character is replaced; other files only with ``force``. Raises
        SheetError if a PDF was asked for and cannot be made.
        """
        if format != "html":
            refuse_binary(target)
        allowed = may_write(target, force or is_sheet_of(target, self.character))
        if format == "html" and self.render_html is not None:
            write_result(target, embed_fonts(self.render_html()).encode(), allowed)
            return target
        try:
            with fonts.collect_missing_glyphs() as missing:
                pdf = impose(self.render_pdf()) if self.booklet else self.render_pdf()
        except SheetError as error:
            if self.render_html is None:
                raise
            html = embed_fonts(self.render_html())
            pages = chain((html,), map(embed_fonts, self.shorter_html()))
            printed = _print_in_browser(pages, self.attachments, error, target, self.html_lacks)
            if printed is not None:
                write_result(target, impose(printed) if self.booklet else printed, allowed)
                return target
            if target == STDOUT:
                raise
            html_file, notice = self._save_html(html, target, error, force)
            if format is not None:
                raise notice from error
            console.say(error_message(notice))
            return html_file
        write_result(target, pdf, allowed)
        _report_missing(target, missing)
        return target

    def _save_html(
        self, html: str, target: Path, error: SheetError, force: bool
    ) -> tuple[Path, SheetError]:
        """Write the page in place of a PDF; return its path, and the error that says so."""
        html_file = target.with_suffix(".html")
        allowed = may_write(html_file, force or is_sheet_of(html_file, self.character))
        atomic_write.write(html_file, html.encode(), replace=allowed)
        reason = f"{error.reason}; {self.html_notice.format(html_file)}"
        return html_file, SheetError(reason, error.advice)


def _report_missing(target: Path, missing: Collection[str]) -> None:
    """Say which characters no font has, and how PDFs would print faster."""
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


def is_sheet_of(path: Path, character: str | None) -> bool:
    """Return whether a file is a sheet that charforge made of a character, and nothing is lost.

    A PDF has the character as its attachment; one whose form was filled in is kept.
    """
    if not character or not path.is_file():
        return False
    try:
        with path.open("rb") as opened:
            head = opened.read(HEAD)
        if not pdf_attachments.is_pdf(head):
            return character_meta(character).encode() in head
        found = pdf_attachments.read_attachments(path)
        attached = reader.parse_bytes(found.character, path).id
    except (OSError, DocumentError):
        return False
    return attached == character and all(one.value == one.before for one in found.fields)


@dataclass(frozen=True)
class SheetPage:
    """A sheet to render: its view, options and audited values, and the character to play on."""

    view: SheetView
    print_options: PrintOptions
    _: KW_ONLY
    audited: tuple[UnitAudit, ...] = ()
    character: Character | None = None
    document: Document | None = None
    template: OwnTemplate | None = None
    watched: bool = False

    @cached_property
    def trackers(self) -> PageTrackers | None:
        """The trackers of a character to play on, which are the same for all options."""
        if self.character is None or self.document is None:
            return None
        return page_trackers(self.character, self.document.id, self.document.log)

    def html(self, print_options: PrintOptions | None = None) -> str:
        """Return the sheet for a screen, with trackers that can be played on."""
        shown = replace(print_options or self.print_options, fillable=False)
        if self.template is not None:
            page = render_template(self.template, self.view, shown)
            return page.replace("<head>", f"<head>\n{RELOAD}", 1) if self.watched else page
        return render_html(self.view, shown, self.audited, self.trackers)

    def shorter_html(self) -> Iterator[str]:
        """Yield a short sheet with digests, then in smaller type, then with ever less text."""
        if self.print_options.layout == "short":
            steps = [(DIGESTS, 1.0)]
            if not self.print_options.large:
                steps += [(DIGESTS, scale) for scale in TYPE_SCALES]
                steps += [(brevity, TYPE_SCALES[-1]) for brevity in (NAMES, LINES)]
            for brevity, scale in steps:
                yield self.html(replace(self.print_options, brevity=brevity, type_scale=scale))

    def save(
        self,
        target: Path,
        format: SheetFormat | None,
        force: bool,
        attachments: Callable[[], dict[str, bytes]],
    ) -> Path:
        """Write the sheet as a PDF or HTML file and return its path."""

        def pdf() -> bytes:
            if self.template is None:
                return sheet_pdf(self.view, self.print_options, self.audited, attachments())
            for problem in ignored_styles(self.template, self.view, self.print_options):
                console.say(located_message(problem))
            if self.template.sandboxed:
                sheets = [(self.view, self.print_options)]
                return sandbox.sandboxed_pdf(self.template, sheets, attachments())
            render = partial(render_template, self.template, self.view)
            most = self.template.about.pages
            sheet = fit_template(render, self.print_options, most)
            if most is not None and len(sheet.document.pages) > most:
                text = ngettext(
                    "The template is made for {most} page; this character needs {count}.",
                    "The template is made for {most} pages; this character needs {count}.", most,
                )  # fmt: skip
                console.say(text.format(most=most, count=len(sheet.document.pages)))
            finisher = draw_fields if self.print_options.fillable else None
            return write_pdf(sheet.document, [sheet.html], attachments(), finisher)

        if self.template is not None and not self.template.is_page:
            text = render_template(self.template, self.view, self.print_options)
            allowed = may_write(target, force)
            shown = console.without_controls(text) if target == STDOUT else text
            write_result(target, shown.encode(errors="backslashreplace"), allowed)
            return target

        notice = _("the HTML sheet is in {}, print it from a browser")
        lacks = (
            (_("lines for notes"), _("form fields"))
            if self.print_options.fillable
            else (_("lines for notes"),)
        )
        printed = PrintedSheet(
            pdf,
            self.html,
            notice,
            attachments,
            html_lacks=lacks,
            shorter_html=self.shorter_html,
            character="" if self.document is None else self.document.id,
            booklet=self.print_options.booklet,
        )
        return printed.save(target, format, force)


def ignored_styles(
    template: OwnTemplate, view: SheetView, options: PrintOptions
) -> tuple[PackProblem, ...]:
    """Return what of a template's ``style.css`` a PDF ignores, such as a misspelled property.

    Raises MissingLibraryError without the libraries for PDFs.
    """
    path = template.folder / STYLE
    if template.sandboxed or not path.is_file() or template.file == STYLE:
        return ()
    styles = render_template(OwnTemplate(template.folder, STYLE), view, options)
    return tuple(
        PackProblem(path, line, column, "", message)
        for line, column, message in ignored_css(styles)
    )


def shown_character(
    file: Path, loaded: LoadedCharacter, clean: bool
) -> tuple[Character, SheetView]:
    """Return the character of a sheet and its view, and print what other pack versions change.

    A ``clean`` one is without its state of play.
    """
    changes = say_pack_changes(file, loaded)
    character = without_current_state(loaded.character) if clean else loaded.character
    return character, build(character)._replace(pack_changes=changes)
