"""``party``: one file with the GM's summary, all sheets and the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple, Optional

import typer

from charforge.cli import batch, console
from charforge.cli.files import (
    STDOUT,
    character_files,
    make_folder,
    may_write,
    print_path,
    refuse_same_file,
    settle_language,
    write_result,
)
from charforge.cli.messages import error_message
from charforge.cli.options import Command, ForceOption, OptionalFiles, TemplateOption, output_option
from charforge.cli.printing.options import (
    BacksOption,
    CardSizeOption,
    CardsOption,
    CleanOption,
    DuplexOption,
    LayoutOption,
    OrientationOption,
    PaperOption,
    SheetFormat,
    SheetLayout,
    StyleOption,
    chosen_cards,
    options_with_portrait,
)
from charforge.cli.printing.printed_sheet import PrintedSheet, sheet_format, shown_character
from charforge.errors import CharforgeError, UsageError
from charforge.language import N_, _
from charforge.paths import is_folder
from charforge.replay.loaded_character import is_shared_file, load_character, shared_files
from charforge.sheet import sandbox
from charforge.sheet.cards import print_cards, shared_cards
from charforge.sheet.fit import fit_sheet, fit_template
from charforge.sheet.fit_full import with_full_pages
from charforge.sheet.html import render_html
from charforge.sheet.laid_out import LaidOutSheet, lay_out_sheet
from charforge.sheet.party import (
    IN_REFERENCE,
    SUMMARY,
    Member,
    Party,
    PartyPart,
    deck_view,
    merge_pdf,
    parties,
    party_html,
    party_member,
    party_title,
    reference_view,
    render_summary,
)
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.sandbox import render_template
from charforge.sheet.template_rendering import join_pages, render_here
from charforge.sheet.templates import OwnTemplate, find_template, refuse_other_game
from charforge.sheet.trackers import page_trackers
from charforge.sheet.view import SheetView

if TYPE_CHECKING:
    from weasyprint.document import Document

app = typer.Typer(add_completion=False)

PARTY_FILE = Path("party.pdf")


@app.command("party", cls=Command)
def party(
    files: OptionalFiles = None,
    output: Annotated[
        Optional[Path], output_option(N_("A PDF or HTML file (default: party.pdf)."))
    ] = None,
    layout: LayoutOption = "full",
    paper: PaperOption = "a4",
    orientation: OrientationOption = "portrait",
    style: StyleOption = None,
    clean: CleanOption = False,
    no_summary: Annotated[
        bool, typer.Option("--no-summary", help=N_("Leave out the GM summary."))
    ] = False,
    no_sheets: Annotated[
        bool, typer.Option("--no-sheets", help=N_("Leave out the sheets."))
    ] = False,
    no_reference: Annotated[
        bool, typer.Option("--no-reference", help=N_("Leave out the reference."))
    ] = False,
    no_cards: Annotated[bool, typer.Option("--no-cards", help=N_("Leave out the cards."))] = False,
    cards: CardsOption = None,
    card_size: CardSizeOption = "poker",
    backs: BacksOption = False,
    duplex: DuplexOption = False,
    template: TemplateOption = None,
    force: ForceOption = False,
) -> None:
    """Create one file for the whole table, with a GM summary.

    The summary has the initiative order, and for every unit its current
    values with room to write, combat numbers, scores and abilities. The
    reference explains everything on the sheets once, instead of on each. On
    an HTML page you play on each sheet, and the summary follows; it has no
    cards, because they are cut from paper. With --duplex each part begins on the
    front of a sheet of paper, and some backs stay blank. Files that cannot be read are
    listed; the others are still included.

    With --template the file has the sheets by that template and nothing else.

    \b
    Examples:
      charforge party nix.json ada.json teo.json
      charforge party campaign/ -o table.pdf --layout short --no-cards
      charforge party campaign/ -o gm.pdf --no-sheets --no-cards --style ink-saver
      charforge party campaign/ --no-cards --no-reference
      charforge party campaign/ --duplex
      charforge party campaign/ -o table.html
      charforge party campaign/ --template my-sheet
    """
    if not files:
        raise UsageError(_("which character?"), _("Give a file or a folder."))
    contents = Contents(not no_summary, not no_sheets, not no_reference, not no_cards)
    own = find_template(template) if template else None
    format = sheet_format(None, output, own)
    contents.check(layout, format)
    if own is not None and layout != "full":
        raise UsageError(
            _("a template is a layout of its own"), _("Leave out --template or --layout.")
        )
    characters = with_shared_files(character_files(files))
    settle_language(characters)
    target = _target(output, own)
    refuse_same_file(target, *characters)
    print_options = PrintOptions(
        layout, paper, orientation, frozenset(one.value for one in style or ()),
        card_kinds=chosen_cards(cards), card_format=card_size, backs=backs,
        duplex=duplex,
    )  # fmt: skip
    to_play = contents.sheets and not clean and own is None
    members, failed = _read_members(characters, print_options, clean, to_play)
    if own is None:
        print_path(_write_party(members, print_options, contents, target, format, force))
    else:
        print_path(_write_sheets(own, members, target, format, force))
    if failed:
        console.say(
            _("{count} of {characters_count} left out: {names}.").format(
                count=len(failed), characters_count=len(characters), names=", ".join(failed)
            )
        )
        raise typer.Exit(max(failed.values()))


def _target(output: Path | None, template: OwnTemplate | None) -> Path:
    """Return the file to write: the one that was asked for, or party.pdf in its folder or here."""
    default = PARTY_FILE
    if template is not None and not template.is_page:
        default = default.with_suffix(template.ending)
    if output is None:
        return default
    return make_folder(output) / default if is_folder(output) else output


def with_shared_files(files: list[Path]) -> list[Path]:
    """Return character files, first what their groups own, whether it was listed or not."""
    return [*shared_files(files), *(file for file in files if not is_shared_file(file))]


class Contents(NamedTuple):
    """The contents of a party's file."""

    summary: bool
    sheets: bool
    reference: bool
    cards: bool

    def check(self, layout: SheetLayout, format: SheetFormat | None) -> None:
        """Raise UsageError if the file would be empty, or for a layout that no sheet has."""
        if layout == "cards":
            raise UsageError(
                _("--layout is for the sheets; cards are added to them"),
                _("For cards alone: --no-summary --no-sheets --no-reference."),
            )
        if layout == "reference":
            raise UsageError(
                _("a party file already has one reference for all"),
                _("For the reference alone: --no-summary --no-sheets --no-cards."),
            )
        if not any(self):
            raise UsageError(_("nothing is left to print"), _("Leave out one of the --no options."))
        if format == "html" and not any(self._replace(cards=False)):
            raise UsageError(_("cards can only be printed as a PDF"), _("Use -o with .pdf."))


CARDS_ONLY = Contents(summary=False, sheets=False, reference=False, cards=True)


def _write_party(
    members: list[tuple[Member, PrintOptions]],
    print_options: PrintOptions,
    contents: Contents,
    target: Path,
    format: SheetFormat | None,
    force: bool,
) -> Path:
    """Write the file of a party and return its path, which may be that of an HTML page."""
    title = party_title(_persons(members))
    parts = party_parts(members, print_options, contents._replace(cards=False))
    cards = party_parts(members, print_options, CARDS_ONLY) if contents.cards else []
    on_both_sides = print_options.on_both_sides

    def pdf() -> bytes:
        return merge_pdf(list(_lay_out_parts([*parts, *cards])), title, on_both_sides)

    html = (lambda: party_html(parts, title, on_both_sides)) if parts else None
    notice, lacks = (
        _("an HTML page is in {}"),
        (_("the cards"), _("lines for notes")) if cards else (_("lines for notes"),),
    )
    return PrintedSheet(pdf, html, notice, html_lacks=lacks).save(target, format, force)


def _write_sheets(
    template: OwnTemplate,
    members: list[tuple[Member, PrintOptions]],
    target: Path,
    format: SheetFormat | None,
    force: bool,
) -> Path:
    """Write the sheets of all members by a template to one file and return its path."""
    title = party_title([member for member, _options in members])
    for member, _options in members:
        refuse_other_game(template, member.character.state.ruleset.id)
    sheets = [(member.view, options) for member, options in members]
    if not template.is_page:
        text = _page(template, sheets)
        shown = console.without_controls(text) if target == STDOUT else text
        write_result(target, shown.encode(errors="backslashreplace"), may_write(target, force))
        return target
    notice = _("an HTML page is in {}")
    printed = PrintedSheet(
        partial(_pdf, template, sheets, title), partial(_page, template, sheets), notice
    )
    return printed.save(target, format, force)


def _pdf(
    template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]], title: str
) -> bytes:
    """Return the sheets of several views as one PDF. Raises as ``render_template``."""
    if template.sandboxed:
        return sandbox.sandboxed_pdf(template, sheets, {}, title)
    parts = []
    for view, options in sheets:
        fit = partial(
            fit_template, partial(render_here, template, view), options, template.about.pages
        )
        parts.append(PartyPart("", view.name, fit).laid_out())
    return merge_pdf(parts, title, sheets[0][1].on_both_sides)


def _page(template: OwnTemplate, sheets: Sequence[tuple[SheetView, PrintOptions]]) -> str:
    """Return what a template makes of several views: one page, or their texts one after another.

    Raises as ``render_template``.
    """
    if not template.is_page:
        return "\n".join(render_template(template, view, options) for view, options in sheets)
    if template.sandboxed:
        return sandbox.render_page(template, sheets)
    return join_pages([render_here(template, view, options) for view, options in sheets])


def party_parts(
    members: list[tuple[Member, PrintOptions]], print_options: PrintOptions, contents: Contents
) -> list[PartyPart]:
    """Return the parts of a party's file, in their order; each member has its own options."""
    games, persons = parties(member for member, _options in members), parties(_persons(members))
    return [
        *([_summary(persons, print_options)] if contents.summary else []),
        *(
            [_sheet(member, print_options) for member, print_options in members]
            if contents.sheets
            else []
        ),
        *([_reference(game, print_options) for game in games] if contents.reference else []),
        *(_cards(games, print_options) if contents.cards else []),
    ]


def _persons(members: Sequence[tuple[Member, PrintOptions]]) -> list[Member]:
    """Return the members without what they own together, unless that is all there is."""
    every = [member for member, _options in members]
    return [member for member in every if not member.is_shared] or every


def _read_members(
    files: list[Path], print_options: PrintOptions, clean: bool, to_play: bool
) -> tuple[list[tuple[Member, PrintOptions]], dict[str, int]]:
    """Return the characters that can be read, and the exit codes of the other files.

    Each character comes with its options, and with trackers if its sheet is a page ``to_play``
    from; errors are printed. Raises UsageError if no character can be read.
    """
    seen: set[str] = set()  # of copies of a character, only the first can be played on
    members: list[tuple[Member, PrintOptions]] = []
    failed: dict[str, int] = {}
    for file in files:
        try:
            loaded = load_character(file)
            own_options = options_with_portrait(print_options, file, loaded.document)
            character, view = shown_character(file, loaded, clean)
            play = None
            if to_play and loaded.document.id not in seen:
                seen.add(loaded.document.id)
                document, number = loaded.document, len(seen)
                play = page_trackers(character, document.id, document.log, number)
            member = party_member(character, view, play)
            members.append((member._replace(is_shared=is_shared_file(file)), own_options))
        except CharforgeError as error:
            console.say(error_message(error))
            failed[str(file)] = error.exit_code
    if not members:
        raise UsageError(_("none of the characters could be read, so nothing was printed"))
    return members, failed


def _summary(games: list[Party], print_options: PrintOptions) -> PartyPart:
    print_options = replace(print_options, layout="party")

    def fit(print_options: PrintOptions) -> LaidOutSheet:
        return lay_out_sheet(
            render_summary(games, replace(print_options, measured=True)), print_options
        )

    html = render_summary(games, print_options)
    return PartyPart(html, _(SUMMARY), lambda: with_full_pages(fit, print_options).sheet)


def _sheet(member: Member, print_options: PrintOptions) -> PartyPart:
    print_options = replace(
        print_options,
        sections=print_options.sections - IN_REFERENCE,
        free_back=print_options.duplex,  # else the next part is printed on it
    )
    fit = partial(fit_sheet, member.view, print_options)
    html = render_html(member.view, print_options, play=member.play)
    return PartyPart(html, member.view.name, fit)


def _reference(game: Party, print_options: PrintOptions) -> PartyPart:
    view = reference_view(game)
    print_options = replace(print_options, layout="reference", free_back=print_options.duplex)
    return PartyPart(
        render_html(view, print_options),
        game.reference_title,
        partial(fit_sheet, view, print_options),
    )


def _cards(games: list[Party], print_options: PrintOptions) -> Iterator[PartyPart]:
    """Yield the cards of each game; its members share pages and equal cards."""
    print_options = replace(print_options, layout="cards")
    for game in games:
        deck = shared_cards(print_cards(member.view, print_options) for member in game.members)
        if deck:
            fit = partial(fit_sheet, deck_view(game), print_options, cards=deck)
            yield PartyPart("", game.cards_title, fit)


def _lay_out_parts(parts: list[PartyPart]) -> Iterator[tuple[PartyPart, Document]]:
    """Yield each part with its printed pages, and show the progress."""
    progress = batch.ProgressBar(len(parts))
    for part in parts:
        with progress.step(part.name):
            laid_out = part.laid_out()
        yield laid_out
