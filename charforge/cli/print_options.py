"""Options of a printed sheet: its looks, portrait, form fields and attachment."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.character import pdf_attachments, storage
from charforge.character.document import Document
from charforge.cli import console
from charforge.cli.messages import sentence
from charforge.errors import DocumentError, UsageError
from charforge.sheet import portraits
from charforge.sheet.print_options import Look

PLACES = ("full", "short")  # the layouts with a name plate and boxes to write in


class Layout(StrEnum):
    """The layouts of a sheet."""

    full = "full"
    short = "short"
    cards = "cards"
    reference = "reference"


class Paper(StrEnum):
    """The paper sizes."""

    a4 = "a4"
    letter = "letter"


class Orientation(StrEnum):
    """The orientations of the paper."""

    portrait = "portrait"
    landscape = "landscape"


class Style(StrEnum):
    """The styles of a sheet, which can be combined."""

    ink_saver = "ink-saver"
    large_print = "large-print"
    grey = "grey"


LayoutOption = Annotated[
    Layout,
    typer.Option(
        "--layout",
        help="Everything, one page for combat, cards to cut out (63 × 88 mm), or rules text only.",
    ),
]
PaperOption = Annotated[Paper, typer.Option("--paper", help="The paper size.")]
OrientationOption = Annotated[
    Orientation, typer.Option("--orientation", help="The orientation of the paper.")
]
StyleOption = Annotated[
    Optional[list[Style]],
    typer.Option("--style", help="No filled areas, 14 pt text, or no colour; repeat to combine."),
]
BlankOption = Annotated[
    bool, typer.Option("--blank", help="Create an empty sheet to fill in by hand.")
]
BlankRuleset = Annotated[
    Optional[str], typer.Option("--ruleset", metavar="ID", help="The game of the empty sheet.")
]
AuditOption = Annotated[bool, typer.Option("--audit", help="Explain every value step by step.")]
OddsOption = Annotated[bool, typer.Option("--odds", help="Add odds of attacks and other rolls.")]


@dataclass(frozen=True, slots=True)
class SheetOptions:
    """The options of a sheet's look, as they were given."""

    layout: Layout = Layout.full
    paper: Paper = Paper.a4
    orientation: Orientation = Orientation.portrait
    styles: tuple[Style, ...] = ()
    blank: bool = False
    ruleset: str | None = None
    audit: bool = False
    odds: bool = False

    def look(self) -> Look:
        """Return the look that was asked for."""
        return Look(
            layout=self.layout.value,
            paper=self.paper.value,
            orientation=self.orientation.value,
            styles=frozenset(style.value for style in self.styles),
            blank=self.blank,
        )


def check_options(
    options: SheetOptions,
    files: list[Path],
    at_level: int | None = None,
    portrait: Path | None = None,
) -> None:
    """Raise UsageError, in one sentence, for the first options that do not fit together."""
    bare = options.layout in (Layout.cards, Layout.reference)
    is_blank, listed = options.blank, ", ".join(map(str, files[:3]))
    layout = f"--layout {options.layout.value}"
    conflicts = (
        (not files and not is_blank, "no character is named",
         "Give character files, or --blank for an empty sheet."),
        (bool(files) and is_blank, f"--blank is a sheet of nobody, but {listed} is named",
         "Leave out --blank, or the files."),
        (options.ruleset is not None and not is_blank,
         "--ruleset is for --blank; a character knows its game", "Leave out --ruleset."),
        (is_blank and bare, f"--blank leaves nothing to print on {layout}",
         "Use --layout full or --layout short."),
        (is_blank and at_level is not None, "--blank has no level for --at-level",
         "Leave out one of them."),
        (is_blank and options.audit, "--blank has no values for --audit", "Leave out one of them."),
        (is_blank and options.odds, "--blank has nobody whose --odds to print",
         "Leave out one of them."),
        (is_blank and portrait is not None, "--blank has no place for --portrait",
         "Leave out one of them."),
        (options.audit and options.layout is Layout.cards,
         "--audit adds pages, and --layout cards has none",
         "Use another layout, or leave out --audit."),
        (options.odds and options.layout is Layout.cards,
         "--odds adds a page, and --layout cards has none",
         "Use another layout, or leave out --odds."),
    )  # fmt: skip
    for conflicting, reason, advice in conflicts:
        if conflicting:
            raise UsageError(reason, advice)


@dataclass(frozen=True)
class SheetExtras:
    """Options of one sheet; its ``portrait`` replaces the character's own for this print."""

    portrait: Path | None = None
    fillable: bool = False
    attach: bool = True


def check_extras(extras: SheetExtras, files: int, html: bool, layout: str = "full") -> None:
    """Raise UsageError for an option that would do nothing, or more than is meant."""
    if extras.portrait and files > 1:
        raise UsageError("--portrait is of one character", "Print them one by one.")
    if html and extras.fillable:
        raise UsageError("--fillable makes fields of a PDF", "Leave one of the two options out.")
    if html and not extras.attach:
        raise UsageError("--no-attach is for a PDF; HTML has nothing attached", "Leave it out.")
    for option, value in (("--portrait", extras.portrait), ("--fillable", extras.fillable)):
        if value and layout not in PLACES:
            where = " or ".join(PLACES)
            raise UsageError(
                f"the {layout} layout has no place for {option}", f"Use --layout {where}."
            )


def with_portrait(look: Look, extras: SheetExtras, file: Path, document: Document) -> Look:
    """Return the look with form fields and a portrait: that of the options or the character's.

    Raises DocumentError where the given one is no picture; one that the
    character should have is told and left out.
    """
    look = replace(look, fillable=extras.fillable)
    if look.layout not in PLACES:
        return look
    form = {"low": look.layout == "short", "grey": "grey" in look.styles}
    if extras.portrait is not None:
        picture = portraits.printed_portrait(
            portraits.read_picture(extras.portrait), extras.portrait, **form
        )
        return replace(look, portrait=picture)
    beside = storage.portrait_path(file, document)
    try:
        data = storage.read_portrait(file, document)
        if beside is not None and data is not None:
            return replace(look, portrait=portraits.printed_portrait(data, beside, **form))
    except DocumentError as error:
        console.say(f"{sentence(error)} The sheet is made without it.")
    return look


def attachments(
    extras: SheetExtras, data: bytes, file: Path, document: Document
) -> dict[str, bytes]:
    """Return the attachments of the PDF by name: the character file and its portrait."""
    if not extras.attach:
        return {}
    files = {pdf_attachments.NAME: data}
    beside = storage.portrait_path(file, document)
    with suppress(DocumentError):  # said already, where the sheet should show it
        picture = storage.read_portrait(file, document)
        if beside is not None and picture is not None:
            files[beside.name] = picture
    return files
