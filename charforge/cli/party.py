"""``party``: one file with the GM's summary, all sheets and the cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import (
    batch,
    console,
    print_options,
)
from charforge.cli.files import (
    STDOUT,
    character_files,
    may_write,
    print_path,
    refuse_binary,
    refuse_same_file,
    write_result,
)
from charforge.cli.messages import sentence
from charforge.cli.options import Command, ForceOption
from charforge.cli.print_options import SheetExtras, SheetOptions
from charforge.cli.sheet import SheetFormat, print_missing, sheet_format
from charforge.errors import CharforgeError, SheetError, UsageError
from charforge.replay.loaded_character import load_character
from charforge.sheet import fonts
from charforge.sheet.fonts import embed_fonts
from charforge.sheet.html import render_html
from charforge.sheet.party import (
    SUMMARY,
    Member,
    member,
    parties,
    party_title,
    render_summary,
)
from charforge.sheet.party_pdf import PartyPart, merge_pdf, party_html
from charforge.sheet.pdf import lay_out
from charforge.sheet.print_options import Look

if TYPE_CHECKING:
    from weasyprint.document import Document

app = typer.Typer(add_completion=False)

DEFAULT = Path("party.pdf")


@app.command("party", cls=Command)
def party(
    files: Annotated[
        Optional[list[Path]],
        typer.Argument(
            metavar="FILE…", help="Character files, or folders of them.", show_default=False
        ),
    ] = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o", "--output", metavar="FILE", help=f"A PDF or HTML file (default: {DEFAULT})."
        ),
    ] = None,
    layout: print_options.LayoutOption = print_options.Layout.full,
    paper: print_options.PaperOption = print_options.Paper.a4,
    orientation: print_options.OrientationOption = print_options.Orientation.portrait,
    style: print_options.StyleOption = None,
    no_summary: Annotated[
        bool, typer.Option("--no-summary", help="Leave out the GM summary.")
    ] = False,
    no_sheets: Annotated[bool, typer.Option("--no-sheets", help="Leave out the sheets.")] = False,
    no_cards: Annotated[bool, typer.Option("--no-cards", help="Leave out the cards.")] = False,
    force: ForceOption = False,
) -> None:
    """Create one file for the whole table: GM summary, sheets and cards.

    The summary has the initiative order, the vitals of every unit with room
    to write, scores and abilities. An HTML page has no cards, because they
    are cut from paper. Files that cannot be read are listed; the others are
    still included.

    \b
    Examples:
      charforge party nix.json ada.json teo.json
      charforge party campaign/ -o table.pdf --layout short --no-cards
      charforge party campaign/ -o gm.pdf --no-sheets --no-cards --style ink-saver
      charforge party campaign/ -o table.html
    """
    options = SheetOptions(layout, paper, orientation, tuple(style or ()))
    _refuse_options(files or [], options, no_summary, no_sheets, no_cards)
    format = sheet_format(None, output)
    if format is not SheetFormat.html:
        refuse_binary(output)
    if format is SheetFormat.html and no_summary and no_sheets:
        raise UsageError("cards are cut from paper, and HTML has none", "Give -o with .pdf.")
    target = DEFAULT if output is None else output / DEFAULT if output.is_dir() else output
    characters = character_files(files or [])
    refuse_same_file(target, *characters)
    allowed = may_write(target, force)
    read, failed = _read_members(characters, options.look())
    members = [member for member, _look in read]
    summary = [] if no_summary else _summary(members, options.look())
    sheets = [] if no_sheets else _sheets(read)
    cards = [] if no_cards else _cards(members, options.look())
    pages, name = [*summary, *sheets], party_title(members)
    if format is SheetFormat.html:
        _write_html(pages, name, target, allowed)
    else:
        target = _write_pdf(pages, cards, name, target, allowed, force, format is not None)
    print_path(target)
    if failed:
        console.say(f"{len(failed)} of {len(characters)} not in it: {', '.join(failed)}.")
        raise typer.Exit(max(failed.values()))


def _refuse_options(
    files: list[Path], options: SheetOptions, no_summary: bool, no_sheets: bool, no_cards: bool
) -> None:
    """Raise UsageError for options that leave nothing, or say a thing twice."""
    if not files:
        raise UsageError("no character is named", "Give character files, or folders of them.")
    if options.layout is print_options.Layout.cards:
        raise UsageError(
            "--layout is that of the sheets; cards come beside them",
            "For cards alone: --no-summary --no-sheets.",
        )
    if no_summary and no_sheets and no_cards:
        raise UsageError("nothing is left to make", "Leave out one of the --no options.")


def _read_members(
    files: list[Path], look: Look
) -> tuple[list[tuple[Member, Look]], dict[str, int]]:
    """Return the characters that can be read, each with its look, and the exit codes of others.

    What is wrong is said. Raises UsageError where nobody is left.
    """
    read: list[tuple[Member, Look]] = []
    failed: dict[str, int] = {}
    for file in files:
        try:
            loaded = load_character(file)
            read_member = member(loaded.character)
            read.append(
                (
                    read_member,
                    print_options.with_portrait(look, SheetExtras(), file, loaded.document),
                )
            )
        except CharforgeError as error:
            console.say(sentence(error))
            failed[str(file)] = error.exit_code
    if not read:
        raise UsageError("no character could be read, so nothing is made")
    return read, failed


def _summary(members: list[Member], look: Look) -> list[PartyPart]:
    return [PartyPart(render_summary(parties(members), replace(look, layout="party")), SUMMARY)]


def _sheets(read: list[tuple[Member, Look]]) -> list[PartyPart]:
    return [
        PartyPart(render_html(sheet_member.view, look), sheet_member.view.name)
        for sheet_member, look in read
    ]


def _cards(members: list[Member], look: Look) -> list[PartyPart]:
    cards = replace(look, layout="cards")
    return [
        PartyPart(render_html(card_member.view, cards), card_member.view.name, "Cards")
        for card_member in members
    ]


def _write_html(pages: list[PartyPart], title: str, target: Path, allowed: bool) -> None:
    """Write everything as one page of HTML."""
    write_result(target, embed_fonts(party_html(pages, title)).encode(), allowed)


def _write_pdf(
    pages: list[PartyPart],
    cards: list[PartyPart],
    title: str,
    target: Path,
    allowed: bool,
    force: bool,
    pdf_requested: bool,
) -> Path:
    """Write the PDF and return where it is.

    Where none can be made the HTML is: with a word where a PDF was not
    ``asked`` for, as an error where it was.
    """
    parts = [*pages, *cards]
    try:
        with fonts.collect_missing_glyphs() as missing:
            documents = list(_lay_out_parts(parts))
            data = merge_pdf(parts, documents, title)
    except SheetError as error:
        if not pages or target == STDOUT:
            raise
        instead = target.with_suffix(".html")
        _write_html(pages, title, instead, may_write(instead, force))
        html_instead = SheetError(f"{error.reason}; an HTML page is in {instead}", error.advice)
        if pdf_requested:
            raise html_instead from error
        console.say(sentence(html_instead))
        return instead
    write_result(target, data, allowed)
    print_missing(target, missing)
    return target


def _lay_out_parts(parts: list[PartyPart]) -> Iterator[Document]:
    """Lay out the parts one after another, and say how far it is."""
    progress = batch.Progress(len(parts))
    for part in parts:
        with progress.step(part.label):
            document = lay_out(part.html)
        yield document
