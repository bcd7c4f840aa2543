"""The sheet of one character as a page: its view with its options, by a layout or a template."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from charforge.character.files.document import Document
from charforge.cli import console
from charforge.cli.files import STDOUT, may_write, write_result
from charforge.cli.messages import located_message
from charforge.cli.printing.options import SheetFormat
from charforge.cli.printing.printed_sheet import PrintedSheet
from charforge.cli.problems import say_pack_changes
from charforge.errors import PackProblem
from charforge.language import _, ngettext
from charforge.replay.loaded_character import LoadedCharacter
from charforge.replay.replay import Character
from charforge.sheet import sandbox
from charforge.sheet.build import build, without_current_state
from charforge.sheet.fit import TYPE_SCALES, fit_template, sheet_pdf
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.html import render_html
from charforge.sheet.pdf import ignored_css, write as write_pdf
from charforge.sheet.print_options import DIGESTS, LINES, NAMES, PrintOptions
from charforge.sheet.template_rendering import render_template
from charforge.sheet.templates import STYLE, OwnTemplate
from charforge.sheet.trackers import PageTrackers, page_trackers
from charforge.sheet.values import UnitAudit
from charforge.sheet.view import SheetView

# In the head of a page while it is watched: the browser loads it again each second.
RELOAD = '<meta http-equiv="refresh" content="1">'


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
    """Return the character of a sheet and its view, and print what replaced packs changed.

    A ``clean`` one is without its state of play.
    """
    changes = say_pack_changes(file, loaded)
    character = without_current_state(loaded.character) if clean else loaded.character
    return character, build(character)._replace(pack_changes=changes)
