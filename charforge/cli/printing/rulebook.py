"""``rulebook``: the rules of a game as one group plays it, as a book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from charforge.cli import batch
from charforge.cli.answers_options import parse_table_rule
from charforge.cli.files import make_folder, print_path
from charforge.cli.options import (
    Command,
    ForceOption,
    PackOption,
    RuleChoices,
    RulesetOption,
    output_option,
)
from charforge.cli.packs.campaign_defaults import choose_game, current_campaign
from charforge.cli.printing.options import (
    BookletOption,
    FormatOption,
    PaperOption,
    StyleOption,
    booklet_conflicts,
    refuse,
)
from charforge.cli.printing.printed_sheet import PrintedSheet, sheet_format
from charforge.language import N_, _
from charforge.packs.rulebook import build_rulebook
from charforge.paths import is_folder
from charforge.replay.character_spec import check_rules
from charforge.sheet import pdf
from charforge.sheet.print_options import PrintOptions
from charforge.sheet.rulebook import rulebook_html

RULEBOOK_TEMPLATE = "rulebook"
STEPS = 2
LETTERS_OF_PAGE = 6_000  # of HTML on a page, on average: to show how far the pages are

app = typer.Typer(add_completion=False)


@app.command("rulebook", cls=Command)
def rulebook(
    ruleset: RulesetOption = None,
    packs: PackOption = None,
    rule: RuleChoices = None,
    title: Annotated[
        Optional[str],
        typer.Option(
            "--title", metavar="TEXT", help=N_("The title (default: from the campaign file).")
        ),
    ] = None,
    paper: PaperOption = "a4",
    booklet: BookletOption = False,
    style: StyleOption = None,
    format: FormatOption = None,
    output: Annotated[
        Optional[Path], output_option(N_("A PDF or HTML file (default: rulebook.pdf)."))
    ] = None,
    force: ForceOption = False,
) -> None:
    """Print the rules as your group plays them, as a book.

    It has the rules of the game, your packs and your table rules in one
    text: what packs add or change is marked, with the reason. Rulings stand
    where they apply. Contents, index and tables of odds are included. The
    game and its packs come from the campaign file in this folder.

    \b
    Examples:
      charforge rulebook
      charforge rulebook -o rules.html
      charforge rulebook --booklet
      charforge rulebook --ruleset capital --pack house-rules --rule cooldown=or_less
      charforge rulebook --title "The Long Winter" --paper letter --style grey
    """
    game = choose_game(ruleset, packs, dict(map(parse_table_rule, rule or [])))
    check_rules(game.ruleset, game.rules)
    found = current_campaign()
    name = title if title is not None else found[1].name if found else ""
    format = sheet_format(format, output)
    print_options = PrintOptions(
        paper=paper, styles=frozenset(one.value for one in style or ()), booklet=booklet
    )
    refuse(booklet_conflicts(print_options, format == "html"))
    ending = format or "pdf"
    target = Path(f"{RULEBOOK_TEMPLATE}.{ending}") if output is None else output
    if is_folder(target):
        target = make_folder(target) / f"{RULEBOOK_TEMPLATE}.{ending}"
    progress = batch.ProgressBar(STEPS, lines=False)
    with progress.step(_("rules and odds")):
        book = build_rulebook(game.ruleset, game.rules, name)
        page = rulebook_html(book, print_options)

    def render() -> bytes:
        pages = len(page) / LETTERS_OF_PAGE
        with (
            progress.step(_("pages")),
            pdf.laid_out_pages(lambda number: progress.advance(number / pages)),
        ):
            return pdf.render_pdf(page)

    notice = _("the HTML page is in {}, print it from a browser")
    printed = PrintedSheet(
        render, lambda: page, notice, html_lacks=(_("page numbers"),), booklet=booklet
    )
    print_path(printed.save(target, format, force))
