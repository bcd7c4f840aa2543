"""``party``: one file with the GM's summary, all sheets and the cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from charforge.cli import batch, console
from charforge.cli.files import character_files, print_path, refuse_same_file
from charforge.cli.messages import error_message
from charforge.cli.options import Command, ForceOption, OptionalFiles
from charforge.cli.print_options import (
    CleanOption,
    Layout,
    LayoutOption,
    Orientation,
    OrientationOption,
    Paper,
    PaperOption,
    SheetOptions,
    StyleOption,
    look_with_portrait,
)
from charforge.cli.sheet_files import SheetFormat, sheet_format, shown_character, write_sheet_file
from charforge.errors import CharforgeError, UsageError
from charforge.replay.loaded_character import load_character
from charforge.sheet.html import render_html
from charforge.sheet.party import (
    SUMMARY,
    Member,
    parties,
    party_member,
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
    files: OptionalFiles = None,
    output: Annotated[
        Optional[Path],
        typer.Option(
            "-o", "--output", metavar="FILE", help=f"A PDF or HTML file (default: {DEFAULT})."
        ),
    ] = None,
    layout: LayoutOption = Layout.full,
    paper: PaperOption = Paper.a4,
    orientation: OrientationOption = Orientation.portrait,
    style: StyleOption = None,
    clean: CleanOption = False,
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
    if not files:
        raise UsageError("no character is named", "Give character files, or folders of them.")
    if layout is Layout.cards:
        raise UsageError(
            "--layout is that of the sheets; cards come beside them",
            "For cards alone: --no-summary --no-sheets.",
        )
    if no_summary and no_sheets and no_cards:
        raise UsageError("nothing is left to make", "Leave out one of the --no options.")
    format = sheet_format(None, output)
    if format is SheetFormat.html and no_summary and no_sheets:
        raise UsageError("cards are cut from paper, and HTML has none", "Give -o with .pdf.")
    target = DEFAULT if output is None else output / DEFAULT if output.is_dir() else output
    characters = character_files(files)
    refuse_same_file(target, *characters)
    options = SheetOptions(layout, paper, orientation, tuple(style or ()), clean=clean)
    members, failed = _read_members(characters, options)
    look, title = options.look(), party_title([member for member, _look in members])
    parts = [
        *([] if no_summary else [_summary(members, look)]),
        *([] if no_sheets else [_sheet(member, look) for member, look in members]),
    ]
    cards = [] if no_cards else [_cards(member, look) for member, _look in members]

    def pdf() -> bytes:
        return merge_pdf([*parts, *cards], list(_lay_out_parts([*parts, *cards])), title)

    html = (lambda: party_html(parts, title)) if parts else None
    print_path(write_sheet_file(target, format, force, pdf, html, "an HTML page is in {}"))
    if failed:
        console.say(f"{len(failed)} of {len(characters)} not in it: {', '.join(failed)}.")
        raise typer.Exit(max(failed.values()))


def _read_members(
    files: list[Path], options: SheetOptions
) -> tuple[list[tuple[Member, Look]], dict[str, int]]:
    """Return the characters that can be read, and the exit codes of the other files.

    Each character comes with its look; errors are printed. Raises UsageError
    if no character can be read.
    """
    members: list[tuple[Member, Look]] = []
    failed: dict[str, int] = {}
    for file in files:
        try:
            loaded = load_character(file)
            look = look_with_portrait(options, file, loaded.document)
            members.append((party_member(*shown_character(file, loaded, options.clean)), look))
        except CharforgeError as error:
            console.say(error_message(error))
            failed[str(file)] = error.exit_code
    if not members:
        raise UsageError("no character could be read, so nothing is made")
    return members, failed


def _summary(members: list[tuple[Member, Look]], look: Look) -> PartyPart:
    summary = parties([member for member, _look in members])
    return PartyPart(render_summary(summary, replace(look, layout="party")), SUMMARY)


def _sheet(member: Member, look: Look) -> PartyPart:
    return PartyPart(render_html(member.view, look), member.view.name)


def _cards(member: Member, look: Look) -> PartyPart:
    html = render_html(member.view, replace(look, layout="cards"))
    return PartyPart(html, member.view.name, "Cards")


def _lay_out_parts(parts: list[PartyPart]) -> Iterator[Document]:
    """Yield the layout of each part, and show the progress."""
    progress = batch.Progress(len(parts))
    for part in parts:
        with progress.step(part.label):
            document = lay_out(part.html)
        yield document
