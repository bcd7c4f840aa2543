"""``sheet``: character sheets as files, PDF or HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character.files import reader
from charforge.cli import batch, console
from charforge.cli.files import (
    STDOUT,
    character_files,
    character_summary,
    file_changes,
    make_folder,
    may_replace,
    may_write,
    print_path,
    refuse_overwriting,
    refuse_stdout,
    sheet_paths,
)
from charforge.cli.messages import error_message
from charforge.cli.options import (
    AtLevel,
    ClusterOption,
    Command,
    ForceOption,
    JobsOption,
    OptionalFiles,
    PlannedOption,
    TemplateOption,
    output_option,
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
    FillableOption,
    FormatOption,
    LayoutOption,
    LuckOption,
    NoAttachOption,
    OddsOption,
    OnlyOption,
    OrientationOption,
    PaperOption,
    PortraitOption,
    QrOption,
    ReferenceOption,
    SheetFormat,
    SheetOptions,
    SheetStyle,
    StyleOption,
    WatchOption,
    WithoutOption,
    attachments,
    check_options,
    chosen_cards,
    chosen_sections,
    options_with_portrait,
)
from charforge.cli.printing.printed_sheet import (
    SheetPage,
    is_sheet_of,
    sheet_ending,
    sheet_format,
    shown_character,
)
from charforge.errors import CharforgeError, MissingPack, UsageError, WriteError
from charforge.language import N_, _
from charforge.packs.campaign import CAMPAIGN_FILE, Campaign
from charforge.paths import is_folder
from charforge.replay.loaded_character import as_of_level, level_read, load_document, with_shared
from charforge.sheet.build import blank_view, offline_view
from charforge.sheet.odds import odds_tables
from charforge.sheet.pdf import load as load_weasyprint
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.qr_codes import save_codes
from charforge.sheet.templates import (
    OwnTemplate,
    find_template,
    refuse_other_game,
)
from charforge.sheet.values import audit
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
        Optional[Path], output_option(N_("A file, - to print it, or a folder for several sheets."))
    ] = None,
    portrait: PortraitOption = None,
    template: TemplateOption = None,
    watch: WatchOption = False,
    fillable: FillableOption = False,
    no_attach: NoAttachOption = False,
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
    format = sheet_format(format, output, options.template)
    if not files and not blank and console.is_interactive():
        # Here, because few commands ask: the wizard takes 60 ms to import.
        from charforge.cli.prompt import choose_character

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

    def print_again(watched: bool) -> None:
        task = SheetTask(file, target, format, replace(options, watched=watched), force=True)
        try:
            print_path(_write_sheet(task))
        except CharforgeError as error:
            console.say(error_message(error))

    def files_to_watch() -> Iterator[Path]:
        yield file
        changing = template.changing
        yield from changing.rglob("*") if changing.is_dir() else (changing,)

    console.say(_("Printed again after every change, until you press Ctrl-C."))
    try:
        for _change in file_changes(files_to_watch):
            print_again(watched=True)
    except KeyboardInterrupt:
        print_again(watched=False)


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
        page = SheetPage(
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
        page = SheetPage(
            view,
            print_options,
            audited=audited,
            character=character if present else None,
            document=document,
            template=options.template,
            watched=options.watched,
        )
    return page.save(
        task.target, task.format, task.force, lambda: attachments(options, data, file, document)
    )


def _write_blank_sheet(
    options: SheetOptions, format: SheetFormat | None, output: Path | None, force: bool
) -> Path:
    ruleset = choose_game(options.ruleset).ruleset
    refuse_other_game(options.template, ruleset.id)
    ending = _ending(format, options.template)
    target = _target(Path(f"{ruleset.head.id}-blank.json"), ending, output)
    page = SheetPage(blank_view(ruleset), options.print_options, template=options.template)
    return page.save(target, format, force, dict)
