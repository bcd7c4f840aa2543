"""What a sheet has beyond its page: a portrait, fields to fill in, the character itself."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from charforge.character import portrait_file as own
from charforge.character.document import Document
from charforge.cli import console
from charforge.cli.messages import sentence
from charforge.errors import DocumentError, UsageError
from charforge.sheet import portraits as portrait
from charforge.sheet.print_options import Look

PLACES = ("full", "short")  # the layouts with a name plate and boxes to write in


@dataclass(frozen=True)
class Extras:
    """What was asked for: ``portrait`` for this printing only, instead of the character's own."""

    portrait: Path | None = None
    fillable: bool = False
    attach: bool = True


def refuse(extras: Extras, files: int, html: bool, layout: str = "full") -> None:
    """Raise UsageError for an option that would do nothing, or more than is meant."""
    if extras.portrait and files > 1:
        raise UsageError("--portrait is of one character", "Print them one by one.")
    if html and extras.fillable:
        raise UsageError("--fillable makes fields of a PDF", "Leave one of the two options out.")
    if html and not extras.attach:
        raise UsageError("--no-attach is for a PDF; HTML has nothing attached", "Leave it out.")
    for option, given in (("--portrait", extras.portrait), ("--fillable", extras.fillable)):
        if given and layout not in PLACES:
            where = " or ".join(PLACES)
            raise UsageError(
                f"the {layout} layout has no place for {option}", f"Use --layout {where}."
            )


def dressed(look: Look, extras: Extras, file: Path, document: Document) -> Look:
    """Return the look with its fields and its portrait: the given one, or the character's own.

    Raises DocumentError where the given one is no picture; one that the
    character should have is told and left out.
    """
    look = replace(look, fillable=extras.fillable)
    if look.layout not in PLACES:
        return look
    form = {"low": look.layout == "short", "grey": "grey" in look.styles}
    if extras.portrait is not None:
        found = portrait.printed(portrait.read(extras.portrait), extras.portrait, **form)
        return replace(look, portrait=found)
    beside = own.beside(file, document)
    try:
        data = own.read(file, document)
        if beside is not None and data is not None:
            return replace(look, portrait=portrait.printed(data, beside, **form))
    except DocumentError as error:
        console.say(f"{sentence(error)} The sheet is made without it.")
    return look


def attached(extras: Extras, data: bytes, file: Path, document: Document) -> dict[str, bytes]:
    """Return what goes into the PDF by name: the character's file, and its portrait's."""
    from charforge.character import pdf_attachments as attached, portrait_file as portrait

    if not extras.attach:
        return {}
    files = {attached.NAME: data}
    beside = portrait.beside(file, document)
    with suppress(DocumentError):  # said already, where the sheet should show it
        picture = portrait.read(file, document)
        if beside is not None and picture is not None:
            files[beside.name] = picture
    return files
