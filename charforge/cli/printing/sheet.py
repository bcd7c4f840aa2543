"""``sheet``: character sheets as files, PDF or HTML."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.files import atomic_write, pdf_attachments, reader
from charforge.character.files.document import Document
from charforge.cli import batch, console
from charforge.cli.files import (
    STDOUT,
    character_files,
    character_summary,
    choose_character,
    make_folder,
    may_replace,
    may_write,
    print_path,
    refuse_binary,
    refuse_overwriting,
    refuse_stdout,
    result_name,
    sheet_paths,
    write_result,
)
from charforge.cli.messages import error_message, located_message
from charforge.cli.options import (
    AtLevel,
    ClusterOption,
    Command,
    ForceOption,
    JobsOption,
    OptionalFiles,
    PlannedOption,
    TemplateOption,
)
from charforge.cli.packs.campaign_defaults import campaign_of, choose_game, usual_template
from charforge.cli.printing.options import (
    SHEET_FORMATS,
    AuditOption,
    BacksOption,
    BlankOption,
    BlankRuleset,
    BookletOption,
    CardSizeOption,
    CardsOption,
    CleanOption,
    FormatOption,
    LayoutOption,
    LuckOption,
    OddsOption,
    OnlyOption,
    OrientationOption,
    PaperOption,
    QrOption,
    ReferenceOption,
    SheetFormat,
    SheetOptions,
    SheetStyle,
    StyleOption,
    WithoutOption,
    attachments,
    check_options,
    chosen_cards,
    chosen_sections,
    options_with_portrait,
)
from charforge.cli.problems import say_pack_changes
from charforge.errors import (
    CharforgeError,
    DocumentError,
    MissingLibraryError,
    MissingPack,
    SheetError,
    UsageError,
    WriteError,
)
from charforge.language import N_, _, ngettext
from charforge.packs.campaign import CAMPAIGN_FILE, Campaign
from charforge.paths import is_folder, typed_path
from charforge.replay.loaded_character import (
    LoadedCharacter,
    as_of_level,
    level_read,
    load_document,
    with_shared,
)
from charforge.replay.replay import Character
from charforge.sheet import fonts, sandbox
from charforge.sheet.browser import find_browser, print_shortest_pdf
from charforge.sheet.build import blank_view, build, offline_view, without_current_state
from charforge.sheet.fit import TYPE_SCALES, fit_template, sheet_pdf
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.form_fields import draw_fields
from charforge.sheet.html import render_html
from charforge.sheet.odds import odds_tables
from charforge.sheet.pdf import (
    INSTALL_FONTS,
    SUBSET_LIBRARY,
    impose,
    install_hint,
    load as load_weasyprint,
    write,
)
from charforge.sheet.print_options import DIGESTS, LINES, NAMES, PrintOptions
from charforge.sheet.qr_codes import save_codes
from charforge.sheet.template_output import render_template
from charforge.sheet.template_printing import ignored_styles
from charforge.sheet.templates import OwnTemplate, find_template, refuse_other_game
from charforge.sheet.trackers import PageTrackers, page_trackers
from charforge.sheet.values import UnitAudit, audit
from charforge.sheet.view import SheetView
from charforge.usecases.luck import luck_table, measure_luck
from charforge.usecases.plan import as_planned, titled_as_planned

ONE_FILE_HINT = N_("Use a folder, or charforge party for one file with all of them.")

app = typer.Typer(add_completion=False)


@app.command("sheet", cls=Command)
def sheet(
    files: OptionalFiles = None,
    format: FormatOption = None,
    layout: LayoutOption = "full",
    paper: PaperOption = "a4",
    orientation: OrientationOption = "portrait",
    booklet: BookletOption = False,
    style: StyleOption = None,
    audit: AuditOption = False,
    odds: OddsOption = False,
    luck: LuckOption = False,
    qr: QrOption = False,
    clean: CleanOption = False,
    only: OnlyOption = None,
    without: WithoutOption = None,
    reference: ReferenceOption = "short",
    cards: CardsOption = None,
    card_size: CardSizeOption = "poker",
    backs: BacksOption = False,
    blank: BlankOption = False,
    ruleset: BlankRuleset = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            parser=typed_path,
            help=N_("A file, - to print it, or a folder for several sheets."),
        ),
    ] = None,
    portrait: Annotated[
        Optional[Path],
        typer.Option(
            "--portrait",
            metavar="FILE",
            help=N_("A portrait (JPEG, PNG or WebP) for this sheet only."),
        ),
    ] = None,
    template: TemplateOption = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help=N_("Print again whenever the template or the character changes.")
        ),
    ] = False,
    fillable: Annotated[
        bool,
        typer.Option("--fillable", help=N_("Add form fields wherever there is room to write.")),
    ] = False,
    no_attach: Annotated[
        bool, typer.Option("--no-attach", help=N_("Do not attach the character file to the PDF."))
    ] = False,
    force: ForceOption = False,
    at_level: AtLevel = None,
    planned: PlannedOption = False,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Create character sheets as PDF or HTML (same as print).

    Without -o the sheet is saved next to the character file. If Pango is
    missing, an installed Chromium, Chrome or Edge prints the PDF; without one
    you get HTML and are told what to install. A PDF contains the whole
    character file: charforge import extracts it.

    \b
    Examples:
      charforge sheet nix.json
      charforge sheet nix.json --format html --paper letter
      charforge sheet nix.json --layout short --style large-print --style grey
      charforge sheet nix.json --layout cards --paper letter
      charforge sheet nix.json --layout cards --cards gear,conditions --card-size a7 --backs
      charforge sheet nix.json --odds --luck --qr
      charforge sheet nix.json --planned --at-level 6 -o plan.pdf
      charforge sheet nix.json --clean --without story,reference
      charforge sheet nix.json --only reference --reference long
      charforge sheet nix.json --booklet
      charforge sheet --blank --ruleset capital
      charforge sheet nix.json --fillable --portrait nix.jpg
      charforge sheet nix.json --template my-sheet --watch
      charforge sheet *.json -o sheets/
      charforge sheet campaign/ -o sheets/ --jobs 4
    """
    sections = chosen_sections(only, without)
    odds = odds or (bool(only) and "odds" in sections)
    luck = luck or (bool(only) and "luck" in sections)
    # A blank sheet has no dark areas, because a pencil does not write on them.
    styles = {*(style or ()), *([SheetStyle.ink_saver] if blank else [])}
    print_options = PrintOptions(
        layout,
        paper,
        orientation,
        frozenset(one.value for one in styles),
        blank=blank,
        fillable=fillable,
        card_kinds=chosen_cards(cards),
        card_format=card_size,
        backs=backs,
        sections=sections,
        long_reference=reference == "long",
        booklet=booklet,
    )
    options = SheetOptions(
        print_options,
        ruleset=ruleset,
        audit=audit,
        odds=odds,
        luck=luck,
        qr=qr,
        portrait=portrait,
        attach=not no_attach,
        at_level=at_level,
        clean=clean,
        planned=planned,
        template=find_template(template) if template else None,
    )
    options = _on_its_paper(options)
    if options.template is None or options.template.is_page:
        format = sheet_format(format, output)
    else:
        refuse_page_format(options.template, format, output)
    if not files and not blank and console.is_interactive():
        files = [choose_character()]
    check_options(options, files or [], format == "html")
    workers = batch.Workers(jobs, cluster)
    if watch:
        _watch_sheet(files or [], format, options, output, force)
    elif blank:
        print_path(_write_blank_sheet(options, format, output, force))
    else:
        _write_sheets(files or [], format, options, output, force, workers)


def _on_its_paper(options: SheetOptions) -> SheetOptions:
    """Return options with a paper that the template is made for, and print if it is another."""
    papers = options.template.about.papers if options.template else ()
    paper = options.print_options.paper
    if not papers or paper in papers:
        return options
    if paper != "a4":  # which is also what nobody has asked for
        text = _("The template is not made for {paper}; it is printed on {fitting}.")
        console.say(text.format(paper=paper, fitting=papers[0]))
    return replace(options, print_options=replace(options.print_options, paper=papers[0]))


@dataclass(frozen=True)
class SheetTask:
    """One sheet to create."""

    file: Path
    target: Path
    format: SheetFormat | None
    options: SheetOptions
    force: bool


def _write_sheets(
    files: list[Path],
    format: SheetFormat | None,
    options: SheetOptions,
    output: Path | None,
    force: bool,
    workers: batch.Workers,
) -> None:
    """Write a sheet for each file; failures are listed and the others still written."""
    several = len(files) > 1 or any(file.is_dir() for file in files)
    if several:
        refuse_stdout(output, _("these are several files"), _(ONE_FILE_HINT))
    if several and sheet_ending(output) in SHEET_FORMATS:
        raise UsageError(
            _("{output} is one file, and there are several sheets").format(output=output),
            _(ONE_FILE_HINT),
        )
    if several and output is not None and output.exists() and not output.is_dir():
        raise WriteError(output, _("this is a file"), _("Name a folder for several sheets."))
    characters = character_files(files)
    if options.portrait and len(characters) > 1:
        raise UsageError(_("--portrait is for one character"), _("Print them one by one."))
    kind = _ending(format, options.template)
    if not several:
        target = _target(characters[0], kind, output)
        print_path(_write_sheet(SheetTask(characters[0], target, format, options, force)))
        return
    folder = None if output is None else make_folder(output)
    targets = sheet_paths(characters, kind, folder)
    tasks = []
    for file, target in zip(characters, targets, strict=True):
        allowed = force or workers.may_repeat(target, len(characters))
        if not allowed and console.is_interactive():  # without questions, each process looks itself
            own = is_sheet_of(target, character_summary(file).get("id"))
            allowed = own or may_replace(target)
        tasks.append(SheetTask(file, target, format, options, allowed))
    batch.run_batch(_write_sheet, tasks, characters, targets, workers)


def _watch_sheet(
    files: list[Path],
    format: SheetFormat | None,
    options: SheetOptions,
    output: Path | None,
    force: bool,
) -> None:
    """Write the sheet of a character again after each change, until Ctrl-C.

    Raises UsageError unless there are one character, a template and a file to write, WriteError,
    and MissingLibraryError without the libraries for a PDF.
    """
    template = options.template
    blank = options.print_options.blank
    if blank or len(files) != 1 or template is None or output == STDOUT:
        raise UsageError(
            _("--watch needs one character and a template"),
            _("For example: charforge sheet nix.json --template my-sheet --watch."),
        )
    (file,) = character_files(files)
    if template.is_page and format is None:
        format = "html"
    if template.is_page and format == "pdf":
        load_weasyprint()  # before anything is written: there is no HTML instead
    target = _target(file, _ending(format, template), output)
    may_write(target, force or is_sheet_of(target, character_summary(file).get("id")))

    def write(watched: bool) -> None:
        seen = replace(options, watched=watched)
        print_path(_write_sheet(SheetTask(file, target, format, seen, force=True)))

    watch_files([file, template.changing], write)


def write_default_sheet(file: Path, force: bool) -> Path:
    """Write the sheet of a character beside its file, and return the path of the sheet."""
    campaign = campaign_of(file.parent) or Campaign()
    print_options = PrintOptions(
        campaign.layout or "full",
        campaign.paper or "a4",
        styles=frozenset(campaign.styles),
        long_reference=campaign.reference == "long",
    )
    name = usual_template(file.parent / CAMPAIGN_FILE, campaign)
    options = SheetOptions(print_options, template=find_template(name) if name else None)
    target = _target(file, _ending(None, options.template), None)
    return _write_sheet(SheetTask(file, target, None, options, force))


def _ending(format: SheetFormat | None, template: OwnTemplate | None) -> str:
    """Return the ending of the files of sheets, without its dot."""
    if template is None or template.is_page:
        return format or "pdf"
    return template.ending.removeprefix(".")


def _target(file: Path, ending: str, output: Path | None) -> Path:
    if output is not None and (output == STDOUT or not is_folder(output)):
        return output
    folder = None if output is None else make_folder(output)
    return sheet_paths([file], ending, folder)[0]


def _write_sheet(task: SheetTask) -> Path:
    file, options = task.file, task.options
    refuse_overwriting(task.target, file)
    data = reader.read_bytes(file)
    document = reader.parse_bytes(data, file)
    refuse_other_game(options.template, document.ruleset)
    level = options.at_level
    try:
        latest = load_document(document, file)
    except MissingPack as error:
        if level is not None or options.planned:
            raise
        console.say(error_message(error))
        page = _SheetPage(
            offline_view(document, error),
            options_with_portrait(options.print_options, file, document, options.portrait),
            template=options.template,
            watched=options.watched,
        )
    else:
        document, level = latest.document, level_read(latest, level)
        latest = with_shared(latest, file) if level is None else latest
        loaded = latest
        if options.planned:
            loaded = titled_as_planned(as_planned(latest, level))
        elif level is not None:
            loaded = as_of_level(latest, level)
        character, view = shown_character(file, loaded, options.clean)
        if options.odds:
            view = view._replace(odds=odds_tables(character))
        if options.luck:
            view = view._replace(luck=luck_table(measure_luck(loaded)))
        if options.qr:
            view = view._replace(save_codes=save_codes(data))
        audited = tuple(audit(character)) if options.audit else ()
        print_options = options_with_portrait(
            options.print_options, file, loaded.document, options.portrait
        )
        # Only the present character can be played on.
        present = loaded is latest and not options.clean
        page = _SheetPage(
            view,
            print_options,
            audited=audited,
            character=character if present else None,
            document=document,
            template=options.template,
            watched=options.watched,
        )
    return page.write(
        task.target, task.format, task.force, lambda: attachments(options, data, file, document)
    )


def _write_blank_sheet(
    options: SheetOptions, format: SheetFormat | None, output: Path | None, force: bool
) -> Path:
    ruleset = choose_game(options.ruleset).ruleset
    refuse_other_game(options.template, ruleset.id)
    ending = _ending(format, options.template)
    target = _target(Path(f"{ruleset.head.id}-blank.json"), ending, output)
    page = _SheetPage(blank_view(ruleset), options.print_options, template=options.template)
    return page.write(target, format, force, dict)


@dataclass(frozen=True)
class _SheetPage:
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

    def write(
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
            return write(sheet.document, [sheet.html], attachments(), finisher)

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
        return printed.write(target, format, force)


STANDARD = "PDF/UA"  # the standard for screen readers, which no browser writes


def sheet_ending(output: Path | None) -> str:
    """Return the ending of the file of ``-o`` without its dot; empty for a folder."""
    return output.suffix.lower().removeprefix(".") if output and not is_folder(output) else ""


def sheet_format(option: SheetFormat | None, output: Path | None) -> SheetFormat | None:
    """Return the format of the option or of the ending of ``-o``; None if neither names one."""
    ending = sheet_ending(output)
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


def refuse_page_format(
    template: OwnTemplate, format: SheetFormat | None, output: Path | None
) -> None:
    """Raise UsageError if a template that makes no page is to make PDF or HTML."""
    if format is not None or sheet_ending(output) in SHEET_FORMATS:
        ending = template.ending
        raise UsageError(
            _("this template makes {ending}, not PDF or HTML").format(ending=ending),
            _("Leave out --format, and use -o with {ending}.").format(ending=ending),
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

    def write(self, target: Path, format: SheetFormat | None, force: bool) -> Path:
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
            html_file = target.with_suffix(".html")
            allowed = may_write(html_file, force or is_sheet_of(html_file, self.character))
            atomic_write.write(html_file, html.encode(), replace=allowed)
            notice = SheetError(
                f"{error.reason}; {self.html_notice.format(html_file)}", error.advice
            )
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
            reason = _(
                "PDFs are printed faster with {subset_library}, which is not installed"
            ).format(subset_library=SUBSET_LIBRARY)
            console.say(f"{reason}: {install_hint()}")
        return target


CHARACTER_META = '<meta name="charforge-character" content="{id}">'  # in the head of an HTML sheet
HEAD = 20_000  # bytes that contain it


def is_sheet_of(path: Path, character: str | None) -> bool:
    """Return whether a file is a sheet that charforge made of a character, and nothing is lost.

    A PDF has the character as its attachment; one whose form was filled in is kept.
    """
    if not character or path == STDOUT or not path.is_file():
        return False
    try:
        with path.open("rb") as opened:
            head = opened.read(HEAD)
        if not pdf_attachments.is_pdf(head):
            return CHARACTER_META.format(id=character).encode() in head
        found = pdf_attachments.read_attachments(path)
        attached = reader.parse_bytes(found.character, path).id
    except (OSError, DocumentError):
        return False
    return attached == character and all(one.value == one.before for one in found.fields)


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


INTERVAL = 0.2  # seconds between two looks at the files
# In the head of a page while it is watched: the browser loads it again each second.
RELOAD = '<meta http-equiv="refresh" content="1">'


def watch_files(files: Iterable[Path], write: Callable[[bool], object]) -> None:
    """Write a sheet, and again after each change of a file, until Ctrl-C.

    ``files`` are files and folders with everything in them. ``write`` is told whether the page is
    watched; at the end it writes once more without that. Its errors are printed, and the next
    change is waited for.
    """
    watched, before = list(files), None
    console.say(_("Printed again after every change, until you press Ctrl-C."))
    try:
        while True:
            now = _changes(watched)
            if now != before:
                before = now
                _tried(write, watched=True)
            time.sleep(INTERVAL)
    except KeyboardInterrupt:
        _tried(write, watched=False)


def _tried(write: Callable[[bool], object], watched: bool) -> None:
    try:
        write(watched)
    except CharforgeError as error:
        console.say(error_message(error))


def _changes(paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Return when each file was changed, and its size; files that are gone are left out."""
    found = {}
    for path in paths:
        for file in path.rglob("*") if path.is_dir() else (path,):
            try:
                status = file.stat()
            except OSError:  # an editor is replacing it
                continue
            found[file] = status.st_mtime_ns, status.st_size
    return found
