"""``sheet``: the page worth holding, as PDF to print or HTML to read."""

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
from charforge.cli.options import AtLevel, Command, ForceOption
from charforge.cli.print_options import Asked, Extras
from charforge.errors import MissingPack, SheetError, UsageError, WriteError
from charforge.replay.loaded import as_of_level, load_document
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


class Format(StrEnum):
    """What to write."""

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
        Optional[Format], typer.Option("--format", help="PDF to print (default) or HTML to read.")
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
    jobs: batch.JobsOption = None,
    cluster: batch.ClusterOption = None,
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
    more = Extras(portrait, fillable, not no_attach)
    asked = Asked(layout, paper, orientation, tuple(style or ()), blank, ruleset, audit, odds)
    print_options.check_options(asked, files or [], at_level, portrait)
    if blank:
        print_options.check_extras(more, 1, format is Format.html, asked.layout.value)
        print_path(_empty(asked, meant(format, output), output, force, fillable))
        return
    make(
        files or [],
        meant(format, output),
        asked,
        output,
        force,
        at_level,
        more,
        batch.Workers(jobs, cluster),
    )


def meant(asked: Format | None, output: Path | None) -> Format | None:
    """Return the format that was asked for, by option or by the ending of -o."""
    ending = output.suffix.lower().removeprefix(".") if output and not output.is_dir() else ""
    meant = next((format for format in Format if format.value == ending), None)
    if asked and meant and asked is not meant:
        told = f"--format {asked.value} and -o {output} name two formats"
        raise UsageError(told, "Give one of them.")
    if ending and meant is None and asked is None:
        raise UsageError(f"a sheet is PDF or HTML, not .{ending}", "Give -o with .pdf or .html.")
    return asked or meant


def make(
    files: list[Path],
    format: Format | None = None,
    asked: Asked = Asked(),
    output: Path | None = None,
    force: bool = False,
    at_level: int | None = None,
    more: Extras = Extras(),
    workers: batch.Workers = batch.Workers(),
) -> None:
    """Write a sheet for each file; a failed one is told and the rest go on."""
    several = len(files) > 1 or any(file.is_dir() for file in files)
    if several:
        instead = "Give a folder; charforge party makes one file of all."
        refuse_stdout(output, "these are several", instead)
    if several and output is not None and output.suffix.lower()[1:] in list(Format):
        told = f"-o {output} names one file for several sheets"
        raise UsageError(told, "Give a folder; charforge party makes one file of all.")
    if several and output is not None and output.exists() and not output.is_dir():
        raise WriteError(output, "this is a file", "Several sheets need a folder.")
    found = character_files(files)
    print_options.check_extras(more, len(found), format is Format.html, asked.layout.value)
    if not several:
        target = _target(found[0], format, output)
        print_path(_one(Order(found[0], target, format, asked, force, at_level, more)))
        return
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
    ending = (format or Format.pdf).value
    orders = []
    for file, target in zip(found, sheet_paths(found, ending, output), strict=True):
        allowed = force or workers.may_repeat(target, len(found)) or may_replace(target)
        orders.append(Order(file, target, format, asked, allowed, at_level, more))
    batch.run_batch(_one, orders, found, [order.target for order in orders], workers)


def one(file: Path, force: bool) -> Path:
    """Write the sheet of one character beside its file, and return where it is."""
    return _one(Order(file, _target(file, None, None), None, Asked(), force, None, Extras()))


def _target(file: Path, format: Format | None, output: Path | None) -> Path:
    ending = (format or Format.pdf).value
    if output is not None and (output == STDOUT or not output.is_dir()):
        return output
    return sheet_paths([file], ending, output)[0]


@dataclass(frozen=True)
class Order:
    """One sheet to be made."""

    file: Path
    target: Path
    format: Format | None
    asked: Asked
    force: bool
    at_level: int | None
    more: Extras


def _one(order: Order) -> Path:
    """Write one sheet and return where it is."""
    file, target, at_level, more = order.file, order.target, order.at_level, order.more
    if target.exists() and file.exists() and target.samefile(file):
        raise WriteError(target, "this is the character itself", "Give another -o.")
    data = storage.read_bytes(file)
    loaded = storage.parse_document(storage.decode_text(data, file), file)
    try:
        whole = load_document(loaded, file)
    except MissingPack as error:
        return _remembered(order, loaded, data, error)
    opened = whole if at_level is None else as_of_level(whole, at_level)
    view = build(opened.character)
    if order.asked.odds:
        # Here, because exact odds need icepool, which takes long to import.
        from charforge.sheet.odds import odds_tables

        view = view._replace(odds=odds_tables(opened.character))
    audited = tuple(audit(opened.character)) if order.asked.audit else ()
    look = print_options.with_portrait(order.asked.look(), more, file, opened.document)

    document = whole.document

    def page(fillable: bool, shown: bool) -> str:
        # What was earlier is not played on: only the character as it is has trackers.
        now = shown and at_level is None
        play = playable(opened.character, document.id, document.log) if now else None
        return render_html(view, replace(look, fillable=fillable), audited, play)

    def carried() -> dict[str, bytes]:
        return print_options.attachments(more, data, file, whole.document)

    return _written(page, target, order.format, order.force, look.fillable, carried)


def _remembered(order: Order, document: Document, data: bytes, error: MissingPack) -> Path:
    """Write the sheet of a character whose rules are not installed: what its file remembers."""
    if order.at_level is not None:
        raise error
    console.say(sentence(error))
    view, more = offline_view(document, error), order.more
    look = print_options.with_portrait(order.asked.look(), more, order.file, document)

    def page(fillable: bool, _shown: bool) -> str:
        return render_html(view, replace(look, fillable=fillable))

    def carried() -> dict[str, bytes]:
        return print_options.attachments(more, data, order.file, document)

    return _written(page, order.target, order.format, order.force, look.fillable, carried)


def _empty(
    asked: Asked, format: Format | None, output: Path | None, force: bool, fillable: bool
) -> Path:
    """Write an empty sheet and return where it is."""
    ruleset = load(asked.ruleset if asked.ruleset is not None else default_ruleset())
    view, look = blank_view(ruleset), asked.look()
    name = Path(f"{ruleset.head.id}-blank.json")
    target = _target(name, format, output)

    def page(fillable: bool, _shown: bool) -> str:
        return render_html(view, replace(look, fillable=fillable))

    return _written(page, target, format, force, fillable, dict)


def _written(
    page: Callable[[bool, bool], str],
    target: Path,
    format: Format | None,
    force: bool,
    fillable: bool,
    carried: Callable[[], dict[str, bytes]],
) -> Path:
    """Write a page and return where it is.

    ``page`` makes it with fields to fill in or without, and for a screen,
    where it is played from, or for paper. Where a PDF cannot be made the
    HTML is written: with a word when no format was asked for, as an error
    when it was.
    """
    if format is not Format.html:
        refuse_binary(target)
    html = page(fillable, format is Format.html)
    allowed = may_write(target, force)
    if format is Format.html:
        write_result(target, embed_fonts(html).encode(), allowed)
        return target
    try:
        with fonts.collect_missing_glyphs() as missing:
            made = render_pdf(html, carried(), fillable)
    except SheetError as error:
        if target == STDOUT:
            raise
        instead = target.with_suffix(".html")
        written = embed_fonts(page(False, True)).encode()
        storage.write(instead, written, replace=may_write(instead, force))
        told = f"{error.reason}; the HTML sheet is in {instead}, print it from a browser"
        told_error = SheetError(told, error.advice)
        if format is not None:
            raise told_error from error
        console.say(sentence(told_error))
        return instead
    write_result(target, made, allowed)
    say_missing(target, missing)
    return target


def say_missing(target: Path, glyphs_missing: Iterable[str]) -> None:
    """Say what this machine has no font and no library for, and what to install."""
    if glyphs_missing:
        told = f"{result_name(target)} has empty boxes where no font here has the sign"
        advice = f"Install one, then make it again: {install_hint(INSTALL_FONTS)}"
        console.say(f"{told}: {fonts.list_glyphs(glyphs_missing)}. {advice}")
    if not load_weasyprint().subsets_fonts:
        told = f"PDFs are made faster with {SUBSET_LIBRARY}, which is not installed"
        console.say(f"{told}: {install_hint()}")
