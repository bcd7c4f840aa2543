"""Options of a sheet: what is printed, portrait, form fields and attachments."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Optional, get_args

import typer

from charforge.character.files import pdf_attachments, reader
from charforge.character.files.document import Document
from charforge.cli import console
from charforge.cli.messages import error_message
from charforge.cli.options import game_option, refuse_together
from charforge.errors import DocumentError, UnknownId, UsageError
from charforge.language import N_, _
from charforge.sheet import portraits
from charforge.sheet.print_options import (
    CARD_KINDS,
    DEFAULT_CARDS,
    SECTIONS,
    CardSize,
    Orientation,
    Paper,
    PrintOptions,
    SheetSection,
)
from charforge.sheet.templates import OwnTemplate

SheetFormat = Literal["pdf", "html"]
SHEET_FORMATS: tuple[SheetFormat, ...] = get_args(SheetFormat)
SheetLayout = Literal["full", "short", "cards", "reference"]
PLACES: tuple[SheetLayout, ...] = ("full", "short")  # with a name plate and boxes to write in
Reference = Literal["short", "long"]  # the length of the texts in the reference


class SheetStyle(StrEnum):
    """The styles of a sheet, which can be combined. An option with several values needs an enum."""

    ink_saver = "ink-saver"
    large_print = "large-print"
    grey = "grey"


FormatOption = Annotated[
    Optional[SheetFormat],
    typer.Option("--format", help=N_("PDF to print (default) or HTML to read.")),
]
LayoutOption = Annotated[
    SheetLayout,
    typer.Option(
        "--layout",
        help=N_("Everything, one page for combat, cards to cut out, or rules text only."),
    ),
]
PaperOption = Annotated[Paper, typer.Option("--paper", help=N_("The paper size."))]
OrientationOption = Annotated[
    Orientation, typer.Option("--orientation", help=N_("The orientation of the paper."))
]
BookletOption = Annotated[
    bool,
    typer.Option(
        "--booklet",
        help=N_(
            "Put two pages on each side of the paper, to print on both sides (short edge) and fold."
        ),
    ),
]
StyleOption = Annotated[
    Optional[list[SheetStyle]],
    typer.Option(
        "--style", help=N_("No filled areas, 14 pt text, or no colour; repeat to combine.")
    ),
]
BlankOption = Annotated[
    bool, typer.Option("--blank", help=N_("Create an empty sheet to fill in by hand."))
]
BlankRuleset = Annotated[Optional[str], game_option(N_("The game of the empty sheet."))]
AuditOption = Annotated[bool, typer.Option("--audit", help=N_("Explain every value step by step."))]
CleanOption = Annotated[
    bool,
    typer.Option(
        "--clean",
        help=N_("Print full resources: no damage, conditions, cooldowns or ticked boxes."),
    ),
]
OnlyOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--only",
        metavar="|".join(SECTIONS),
        help=N_("Print only these sections, separated by commas."),
    ),
]
WithoutOption = Annotated[
    Optional[list[str]],
    typer.Option("--without", metavar="SECTION", help=N_("Leave these sections out.")),
]
ReferenceOption = Annotated[
    Reference,
    typer.Option(
        "--reference", help=N_("The rules in one or two lines each, or their full texts.")
    ),
]
CardsOption = Annotated[
    Optional[list[str]],
    typer.Option(
        "--cards",
        metavar="|".join(CARD_KINDS),
        help=N_("Print cards of these kinds (default: the first two); use commas for several."),
    ),
]
CardSizeOption = Annotated[
    CardSize, typer.Option("--card-size", help=N_("63 × 88, 70 × 120 or 74 × 105 mm."))
]
BacksOption = Annotated[
    bool,
    typer.Option(
        "--backs", help=N_("Add backs for printing on both sides, flipped on the long edge.")
    ),
]
DuplexOption = Annotated[
    bool,
    typer.Option(
        "--duplex",
        help=N_("For printing on both sides: start each character on a new sheet of paper."),
    ),
]
OddsOption = Annotated[
    bool, typer.Option("--odds", help=N_("Add odds of attacks and other rolls."))
]
LuckOption = Annotated[
    bool, typer.Option("--luck", help=N_("Add a page that compares your rolls with fair dice."))
]
QrOption = Annotated[
    bool,
    typer.Option(
        "--qr", help=N_("Add QR codes that contain the character, to import it from a photo.")
    ),
]
PortraitOption = Annotated[
    Optional[Path],
    typer.Option(
        "--portrait", metavar="FILE", help=N_("A portrait (JPEG, PNG or WebP) for this sheet only.")
    ),
]
WatchOption = Annotated[
    bool,
    typer.Option("--watch", help=N_("Print again whenever the template or the character changes.")),
]
FillableOption = Annotated[
    bool, typer.Option("--fillable", help=N_("Add form fields wherever there is room to write."))
]
NoAttachOption = Annotated[
    bool, typer.Option("--no-attach", help=N_("Do not attach the character file to the PDF."))
]


@dataclass(frozen=True)
class SheetOptions:
    """The options of a sheet; ``portrait`` replaces the one of the character on this sheet.

    A ``watched`` page is loaded again by the browser each second.
    """

    print_options: PrintOptions
    _: KW_ONLY
    ruleset: str | None = None
    audit: bool = False
    odds: bool = False
    luck: bool = False
    qr: bool = False
    portrait: Path | None = None
    attach: bool = True
    at_level: int | None = None
    clean: bool = False
    planned: bool = False
    template: OwnTemplate | None = None
    watched: bool = False


def chosen_sections(
    only: Iterable[str] | None, without: Iterable[str] | None
) -> frozenset[SheetSection]:
    """Return the sections to print. Raises UnknownId for a name that is no section."""
    refuse_together({"--only": only, "--without": without})
    named = frozenset(_sections(only or without or ()))
    sections = named if only else frozenset(SECTIONS) - named
    if not sections:
        raise UsageError(_("--without leaves nothing to print"), _("Name fewer sections."))
    return sections


def _sections(names: Iterable[str]) -> Iterator[SheetSection]:
    """Yield sections by name; one option can name several, with commas."""
    known = {str(section): section for section in SECTIONS}
    for name in (part.strip() for text in names for part in text.split(",")):
        if name not in known:
            raise UnknownId(_("section of a sheet"), name, known)
        yield known[name]


def chosen_cards(names: Iterable[str] | None) -> frozenset[str]:
    """Return the kinds of cards to print; one option can name several, with commas."""
    parts = (part.strip().casefold() for text in names or () for part in text.split(","))
    return frozenset(parts) or DEFAULT_CARDS


# Options that cannot be used with one of them.
EXCLUDED_OPTIONS = {
    "--blank": ("--at-level", "--clean", "--audit", "--odds", "--luck", "--qr", "--portrait",
                "--planned"),
    "--qr": ("--at-level", "--planned"),
    "--template": ("--audit",),
}  # fmt: skip
NOT_OF_CARDS = ("--audit", "--odds", "--luck", "--qr")


def check_options(options: SheetOptions, files: list[Path], html: bool) -> None:
    """Raise UsageError for the first options that cannot be used together; ``html``: not a PDF."""
    printed = options.print_options
    blank, layout = printed.blank, printed.layout
    refuse(booklet_conflicts(printed, html))
    refuse((
        (not files and not blank, _("which character?"),
         _("Give a file or a folder, or --blank for an empty sheet.")),
        (bool(files) and blank,
         _("--blank prints an empty sheet, and {names} is a character").format(
             names=", ".join(map(str, files[:3]))),
         _("Leave out one of them. For the game: --blank --ruleset GAME.")),
        (options.ruleset is not None and not blank,
         _("--ruleset is for --blank only"), _("Leave out --ruleset.")),
        (blank and layout not in PLACES,
         _("--blank cannot be used with {layout}").format(layout=f"--layout {layout}"),
         _("Use --layout full or --layout short.")),
        (options.template is not None and layout != "full",
         _("a template is a layout of its own"), _("Leave out --template or --layout.")),
    ))  # fmt: skip
    given = {
        "--blank": blank, "--at-level": options.at_level is not None, "--clean": options.clean,
        "--audit": options.audit, "--odds": options.odds, "--luck": options.luck,
        "--qr": options.qr, "--portrait": options.portrait is not None,
        "--planned": options.planned, "--template": options.template is not None,
    }  # fmt: skip
    for option, others in EXCLUDED_OPTIONS.items():
        for other in others:
            refuse_together({option: given[option], other: given[other]})
    refuse(_layout_conflicts(options, {option for option in given if given[option]}))
    refuse((
        (html and printed.backs, _("--backs is for PDFs only"),
         _("Leave it out, or print a PDF.")),
        (html and printed.fillable, _("--fillable is for PDFs only"),
         _("Leave one of the two options out.")),
        (html and not options.attach, _("--no-attach is for PDFs only"), _("Leave it out.")),
    ))  # fmt: skip


def _layout_conflicts(options: SheetOptions, given: Container[str]) -> Iterator[Conflict]:
    """Yield what a layout has no place for, and what is only for cards."""
    printed = options.print_options
    is_cards, has_places = printed.layout == "cards", printed.layout in PLACES
    chosen = (printed.card_kinds, printed.card_format, printed.backs)
    yield (
        not is_cards and chosen != (DEFAULT_CARDS, "poker", False),
        _("--cards, --card-size and --backs are for cards"),
        _("Add --layout cards."),
    )
    yield (
        is_cards and printed.orientation == "landscape",
        _("cards always use the orientation that fits more of them"),
        _("Leave out --orientation."),
    )
    yield (
        is_cards and printed.booklet,
        _("cards are cut out, not folded"),
        _("Leave out --booklet."),
    )
    for option in NOT_OF_CARDS:
        yield (
            is_cards and option in given,
            _("{option} cannot be used with --layout cards").format(option=option),
            _("Use another layout, or leave out {option}.").format(option=option),
        )
    for option, asked in (
        ("--portrait", options.portrait is not None),
        ("--fillable", printed.fillable),
    ):
        yield (
            asked and not has_places,
            _("the {value} layout has no room for {option}").format(
                value=printed.layout, option=option
            ),
            _("Use --layout {names}.").format(names=_(" or ").join(PLACES)),
        )


Conflict = tuple[bool, str, str]  # whether it is there, what is wrong, what to do


def booklet_conflicts(print_options: PrintOptions, html: bool) -> tuple[Conflict, ...]:
    """Return what a booklet cannot be, each with whether it is asked for, and advice."""
    return (
        (print_options.booklet and html, _("--booklet is for PDFs only"),
         _("Leave it out, or print a PDF.")),
        (print_options.booklet and print_options.paper == "a5", _("--paper is the paper you fold"),
         _("For pages of A5: --paper a4 --booklet.")),
        (print_options.booklet and print_options.orientation == "landscape",
         _("the pages of a booklet are portrait"), _("Leave out --orientation.")),
        (print_options.booklet and print_options.fillable,
         _("--booklet is for paper, --fillable for screens"), _("Leave out one of them.")),
    )  # fmt: skip


def refuse(conflicts: Iterable[Conflict]) -> None:
    """Raise UsageError for the first options that cannot be used together."""
    for conflicting, reason, advice in conflicts:
        if conflicting:
            raise UsageError(reason, advice)


def options_with_portrait(
    print_options: PrintOptions, file: Path, document: Document, portrait: Path | None = None
) -> PrintOptions:
    """Return the print options of a sheet with a ``portrait``, or else with that of the character.

    Raises DocumentError if ``portrait`` is no picture; a missing or damaged
    portrait of the character is reported and left out.
    """
    if print_options.layout not in PLACES:
        return print_options
    grey = "grey" in print_options.styles
    if portrait is not None:
        picture = portraits.read_picture(portrait)
        return replace(print_options, portrait=portraits.printed_portrait(picture, portrait, grey))
    beside = reader.portrait_path(file, document)
    try:
        data = reader.read_portrait(file, document)
        if beside is not None and data is not None:
            return replace(print_options, portrait=portraits.printed_portrait(data, beside, grey))
    except DocumentError as error:
        console.say(
            _("{error_message} The sheet is printed without it.").format(
                error_message=error_message(error)
            )
        )
    return print_options


def attachments(
    options: SheetOptions, data: bytes, file: Path, document: Document
) -> dict[str, bytes]:
    """Return the attachments of the PDF by name: the character file and its portrait."""
    if not options.attach:
        return {}
    files = {pdf_attachments.ATTACHMENT: data}
    beside = reader.portrait_path(file, document)
    with suppress(DocumentError):  # reported when the options were made
        picture = reader.read_portrait(file, document)
        if beside is not None and picture is not None:
            files[beside.name] = picture
    return files
