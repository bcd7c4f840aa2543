"""``sheet``: the character sheet, as PDF or HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character import storage
from charforge.character.document import Document
from charforge.cli import (
    batch,
    console,
    print_options,
)
from charforge.cli.files import (
    STDOUT,
    character_files,
    may_replace,
    may_write,
    print_path,
    refuse_binary,
    refuse_stdout,
    result_name,
    sheet_paths,
    write_result,
)
from charforge.cli.messages import sentence
from charforge.cli.options import AtLevel, ClusterOption, Command, ForceOption, JobsOption
from charforge.cli.print_options import SheetExtras, SheetOptions
from charforge.errors import MissingPack, SheetError, UsageError, WriteError
from charforge.replay.loaded_character import as_of_level, load_document
from charforge.rules.loader import default_ruleset, load
from charforge.sheet import fonts
from charforge.sheet.audit import audit
from charforge.sheet.build import blank_view, build
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.offline import offline_view
from charforge.sheet.pdf import (
    INSTALL_FONTS,
    SUBSET_LIBRARY,
    install_hint,
    load as load_weasyprint,
    render_pdf,
)
from charforge.sheet.playable import playable

app = typer.Typer(add_completion=False)


class SheetFormat(StrEnum):
    """The formats of a sheet."""

    pdf = "pdf"
    html = "html"


@app.command("sheet", cls=Command)
def sheet(
    files: Annotated[
        Optional[list[Path]],
        typer.Argument(
            metavar="FILE…", help="Character files, or folders of them.", show_default=False
        ),
    ] = None,
    format: Annotated[
        Optional[SheetFormat],
        typer.Option("--format", help="PDF to print (default) or HTML to read."),
    ] = None,
    layout: print_options.LayoutOption = print_options.Layout.full,
    paper: print_options.PaperOption = print_options.Paper.a4,
    orientation: print_options.OrientationOption = print_options.Orientation.portrait,
    style: print_options.StyleOption = None,
    audit: print_options.AuditOption = False,
    odds: print_options.OddsOption = False,
    blank: print_options.BlankOption = False,
    ruleset: print_options.BlankRuleset = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="A file, - to print it, or a folder for several sheets.",
        ),
    ] = None,
    portrait: Annotated[
        Optional[Path],
        typer.Option(
            "--portrait", metavar="F", help="A portrait (JPEG, PNG or WebP) for this sheet only."
        ),
    ] = None,
    fillable: Annotated[
        bool, typer.Option("--fillable", help="Add form fields for vitals, money, ammo and notes.")
    ] = False,
    no_attach: Annotated[
        bool, typer.Option("--no-attach", help="Do not attach the character file to the PDF.")
    ] = False,
    force: ForceOption = False,
    at_level: AtLevel = None,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
) -> None:
    """Create the sheets of one or more characters.

    Without -o the sheet is saved next to the character file. If Pango is
    missing, you get HTML and are told what to install for the PDF. A PDF
    contains the whole character file: charforge import extracts it.

    \b
    Examples:
      charforge sheet nix.json
      charforge sheet nix.json --format html --paper letter
      charforge sheet nix.json --layout short --style large-print --style grey
      charforge sheet nix.json --layout cards --paper letter
      charforge sheet nix.json --odds
      charforge sheet --blank --ruleset capital
      charforge sheet nix.json --fillable --portrait nix.jpg
      charforge sheet *.json -o sheets/
      charforge sheet campaign/ -o sheets/ --jobs 4
    """
    extras = SheetExtras(portrait, fillable, not no_attach)
    options = SheetOptions(
        layout, paper, orientation, tuple(style or ()), blank, ruleset, audit, odds
    )
    print_options.check_options(options, files or [], at_level, portrait)
    if blank:
        print_options.check_extras(extras, 1, format is SheetFormat.html, options.layout.value)
        print_path(
            _write_blank_sheet(options, sheet_format(format, output), output, force, fillable)
        )
        return
    write_sheets(
        files or [],
        sheet_format(format, output),
        options,
        output,
        force,
        at_level,
        extras,
        batch.Workers(jobs, cluster),
    )


def sheet_format(option: SheetFormat | None, output: Path | None) -> SheetFormat | None:
    """Return the format that was asked for, by option or by the ending of -o."""
    ending = output.suffix.lower().removeprefix(".") if output and not output.is_dir() else ""
    by_ending = next((format for format in SheetFormat if format.value == ending), None)
    if option and by_ending and option is not by_ending:
        reason = f"--format {option.value} and -o {output} name two formats"
        raise UsageError(reason, "Give one of them.")
    if ending and by_ending is None and option is None:
        raise UsageError(f"a sheet is PDF or HTML, not .{ending}", "Give -o with .pdf or .html.")
    return option or by_ending


def write_sheets(
    files: list[Path],
    format: SheetFormat | None = None,
    options: SheetOptions = SheetOptions(),
    output: Path | None = None,
    force: bool = False,
    at_level: int | None = None,
    extras: SheetExtras = SheetExtras(),
    workers: batch.Workers = batch.Workers(),
) -> None:
    """Write a sheet for each file; a failed one is told and the rest go on."""
    several = len(files) > 1 or any(file.is_dir() for file in files)
    if several:
        instead = "Give a folder; charforge party makes one file of all."
        refuse_stdout(output, "these are several", instead)
    if several and output is not None and output.suffix.lower()[1:] in list(SheetFormat):
        reason = f"-o {output} names one file for several sheets"
        raise UsageError(reason, "Give a folder; charforge party makes one file of all.")
    if several and output is not None and output.exists() and not output.is_dir():
        raise WriteError(output, "this is a file", "Several sheets need a folder.")
    characters = character_files(files)
    print_options.check_extras(
        extras, len(characters), format is SheetFormat.html, options.layout.value
    )
    if not several:
        target = _target(characters[0], format, output)
        print_path(
            _write_sheet(SheetTask(characters[0], target, format, options, force, at_level, extras))
        )
        return
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
    ending = (format or SheetFormat.pdf).value
    tasks = []
    for file, target in zip(characters, sheet_paths(characters, ending, output), strict=True):
        allowed = force or workers.may_repeat(target, len(characters)) or may_replace(target)
        tasks.append(SheetTask(file, target, format, options, allowed, at_level, extras))
    batch.run_batch(_write_sheet, tasks, characters, [task.target for task in tasks], workers)


def write_default_sheet(file: Path, force: bool) -> Path:
    """Write the sheet of one character beside its file, and return where it is."""
    return _write_sheet(
        SheetTask(file, _target(file, None, None), None, SheetOptions(), force, None, SheetExtras())
    )


def _target(file: Path, format: SheetFormat | None, output: Path | None) -> Path:
    ending = (format or SheetFormat.pdf).value
    if output is not None and (output == STDOUT or not output.is_dir()):
        return output
    return sheet_paths([file], ending, output)[0]


@dataclass(frozen=True)
class SheetTask:
    """One sheet to be made."""

    file: Path
    target: Path
    format: SheetFormat | None
    options: SheetOptions
    force: bool
    at_level: int | None
    extras: SheetExtras


def _write_sheet(task: SheetTask) -> Path:
    """Write one sheet and return where it is."""
    file, target, at_level, extras = task.file, task.target, task.at_level, task.extras
    if target.exists() and file.exists() and target.samefile(file):
        raise WriteError(target, "this is the character itself", "Give another -o.")
    data = storage.read_bytes(file)
    document_read = storage.parse_document(storage.decode_text(data, file), file)
    try:
        latest = load_document(document_read, file)
    except MissingPack as error:
        return _write_summary_sheet(task, document_read, data, error)
    character = latest if at_level is None else as_of_level(latest, at_level)
    view = build(character.character)
    if task.options.odds:
        # Here, because exact odds need icepool, which takes long to import.
        from charforge.sheet.odds import odds_tables

        view = view._replace(odds=odds_tables(character.character))
    audited = tuple(audit(character.character)) if task.options.audit else ()
    look = print_options.with_portrait(task.options.look(), extras, file, character.document)

    document = latest.document

    def page(fillable: bool, shown: bool) -> str:
        # What was earlier is not played on: only the character as it is has trackers.
        is_current = shown and at_level is None
        play = playable(character.character, document.id, document.log) if is_current else None
        return render_html(view, replace(look, fillable=fillable), audited, play)

    def carried() -> dict[str, bytes]:
        return print_options.attachments(extras, data, file, latest.document)

    return _write_page(page, target, task.format, task.force, look.fillable, carried)


def _write_summary_sheet(
    task: SheetTask, document: Document, data: bytes, error: MissingPack
) -> Path:
    """Write the sheet of a character whose rules are not installed: what its file remembers."""
    if task.at_level is not None:
        raise error
    console.say(sentence(error))
    view, extras = offline_view(document, error), task.extras
    look = print_options.with_portrait(task.options.look(), extras, task.file, document)

    def page(fillable: bool, _shown: bool) -> str:
        return render_html(view, replace(look, fillable=fillable))

    def carried() -> dict[str, bytes]:
        return print_options.attachments(extras, data, task.file, document)

    return _write_page(page, task.target, task.format, task.force, look.fillable, carried)


def _write_blank_sheet(
    options: SheetOptions,
    format: SheetFormat | None,
    output: Path | None,
    force: bool,
    fillable: bool,
) -> Path:
    """Write an empty sheet and return where it is."""
    ruleset = load(options.ruleset if options.ruleset is not None else default_ruleset())
    view, look = blank_view(ruleset), options.look()
    name = Path(f"{ruleset.head.id}-blank.json")
    target = _target(name, format, output)

    def page(fillable: bool, _shown: bool) -> str:
        return render_html(view, replace(look, fillable=fillable))

    return _write_page(page, target, format, force, fillable, dict)


def _write_page(
    page: Callable[[bool, bool], str],
    target: Path,
    format: SheetFormat | None,
    force: bool,
    fillable: bool,
    attachments: Callable[[], dict[str, bytes]],
) -> Path:
    """Write a page and return where it is.

    ``page`` makes it with fields to fill in or without, and for a screen,
    where it is played from, or for paper. Where a PDF cannot be made the
    HTML is written: with a word when no format was asked for, as an error
    when it was.
    """
    if format is not SheetFormat.html:
        refuse_binary(target)
    html = page(fillable, format is SheetFormat.html)
    allowed = may_write(target, force)
    if format is SheetFormat.html:
        write_result(target, embed_fonts(html).encode(), allowed)
        return target
    try:
        with fonts.collect_missing_glyphs() as missing:
            pdf = render_pdf(html, attachments(), fillable)
    except SheetError as error:
        if target == STDOUT:
            raise
        instead = target.with_suffix(".html")
        html_data = embed_fonts(page(False, True)).encode()
        storage.write(instead, html_data, replace=may_write(instead, force))
        reason = f"{error.reason}; the HTML sheet is in {instead}, print it from a browser"
        html_instead = SheetError(reason, error.advice)
        if format is not None:
            raise html_instead from error
        console.say(sentence(html_instead))
        return instead
    write_result(target, pdf, allowed)
    print_missing(target, missing)
    return target


def print_missing(target: Path, glyphs_missing: Iterable[str]) -> None:
    """Print missing fonts and libraries, and how to install them."""
    if glyphs_missing:
        reason = f"{result_name(target)} has empty boxes where no font here has the sign"
        advice = f"Install one, then make it again: {install_hint(INSTALL_FONTS)}"
        console.say(f"{reason}: {fonts.list_glyphs(glyphs_missing)}. {advice}")
    if not load_weasyprint().subsets_fonts:
        reason = f"PDFs are made faster with {SUBSET_LIBRARY}, which is not installed"
        console.say(f"{reason}: {install_hint()}")
