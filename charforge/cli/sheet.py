"""``sheet``: the page worth holding, as PDF to print or HTML to read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import screen
from charforge.cli.options import AtLevel, CharacterFiles, ForceOption
from charforge.cli.writing import may_write


class Format(StrEnum):
    """What to write."""

    pdf = "pdf"
    html = "html"


class Paper(StrEnum):
    """What to print on."""

    a4 = "a4"
    letter = "letter"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("sheet")(sheet)


def sheet(
    files: CharacterFiles,
    format: Annotated[
        Optional[Format], typer.Option("--format", help="PDF to print (the default), HTML to read.")
    ] = None,
    paper: Annotated[Paper, typer.Option("--paper", help="The size of the paper.")] = Paper.a4,
    output: Annotated[
        Optional[Path],
        typer.Option("-o", "--output", metavar="OUT", help="A file, or a folder for several."),
    ] = None,
    force: ForceOption = False,
    at_level: AtLevel = None,
) -> None:
    """Make the sheet of one or more characters.

    Without -o it is written beside the character file. Where Pango is
    missing, the HTML is written, with what to install for the PDF.

    \b
    Examples:
      charforge sheet nix.json
      charforge sheet nix.json --format html --paper letter
      charforge sheet *.json -o sheets/
    """
    make(files, _format(format, output), paper, output, force, at_level)


def _format(asked: Format | None, output: Path | None) -> Format | None:
    """Return the format that was asked for, by option or by the ending of -o."""
    from charforge.errors import UsageError

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
    paper: Paper = Paper.a4,
    output: Path | None = None,
    force: bool = False,
    at_level: int | None = None,
) -> None:
    """Write a sheet for each file; a failed one is told and the rest go on."""
    from charforge.cli.messages import sentence
    from charforge.errors import CharforgeError, WriteError

    folder = output is not None and (output.is_dir() or len(files) > 1)
    if folder and output is not None and output.exists() and not output.is_dir():
        raise WriteError(output, "this is a file", "Several sheets need a folder.")
    targets = [_target(file, format, output, folder) for file in files]
    worst = 0
    for number, (file, target) in enumerate(zip(files, targets, strict=True)):
        try:
            if target in targets[:number]:
                raise WriteError(target, f"it is the sheet of {files[targets.index(target)]}")
            screen.result(str(_one(file, format, paper, target, force, at_level)))
        except CharforgeError as error:
            if len(files) == 1:
                raise
            screen.say(sentence(error))
            worst = max(worst, error.exit_code)
    if worst:
        raise typer.Exit(worst)


def _target(file: Path, format: Format | None, output: Path | None, folder: bool) -> Path:
    suffix = (format or Format.pdf).value
    if output is None:
        return file.with_suffix(f".{suffix}")
    if folder:
        output.mkdir(parents=True, exist_ok=True)
        return output / f"{file.stem}.{suffix}"
    return output


def _one(
    file: Path, format: Format | None, paper: Paper, target: Path, force: bool, at_level: int | None
) -> Path:
    """Write one sheet and return where it is.

    Where a PDF cannot be made the HTML is written: with a word when no
    format was asked for, as an error when it was.
    """
    from charforge import service
    from charforge.cli.messages import sentence
    from charforge.document import store
    from charforge.errors import SheetError, WriteError
    from charforge.sheet.build import build
    from charforge.sheet.fonts import embedded
    from charforge.sheet.html import render_html

    if target.exists() and file.exists() and target.samefile(file):
        raise WriteError(target, "this is the character itself", "Give another -o.")
    opened = service.open_file(file, at_level=at_level)
    page = render_html(build(opened.character), paper.value)
    allowed = may_write(target, force)
    if format is Format.html:
        store.write(target, embedded(page).encode(), replace=allowed)
        return target
    from charforge.sheet.pdf import render_pdf

    try:
        data = render_pdf(page)
    except SheetError as error:
        instead = target.with_suffix(".html")
        store.write(instead, embedded(page).encode(), replace=may_write(instead, force))
        told = f"{error.reason}; the HTML sheet is in {instead}, print it from a browser"
        told_error = SheetError(told, error.advice)
        if format is not None:
            raise told_error from error
        screen.say(sentence(told_error))
        return instead
    store.write(target, data, replace=allowed)
    return target
