"""Single commands: help, check, show and PDFs, compared with the simplest program of that kind."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from character import ANSWERS, EVENTS, LEVEL, RULESET, SEED, equipped_character, played_character
from timing import PROGRAM, Row, Sizes, Skipped, command, medians, run, timed

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.document import Document, to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.sheet.build import build
from charforge.sheet.fit import fit_sheet, sheet_pdf
from charforge.sheet.fonts import faces
from charforge.sheet.html import render_html
from charforge.sheet.pdf import VARIANT, lay_out
from charforge.sheet.print_options import PrintOptions
from charforge.usecases.create import create_character

BARE_APP = """
import typer
app = typer.Typer()
@app.command()
def one(name: str = "x"): print(name)
@app.command()
def two(name: str = "x"): print(name)
app()
"""
EMPTY_PAGE = """
import typer, pydantic, jinja2, weasyprint
page = jinja2.Template("<html lang=en><title>x</title><body></body></html>").render()
weasyprint.HTML(string=page).write_pdf("empty.pdf")
"""
PAGES = 4
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def commands(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield help, check and show, compared with a bare typer app."""
    (folder / "bare.py").write_text(BARE_APP)
    bare, against = [sys.executable, "bare.py"], "a bare typer app"
    ours, theirs = medians(
        sizes.runs, command(folder, *PROGRAM, "--help"), command(folder, *bare, "--help")
    )
    yield Row("--help", against, ours, theirs, 1.0)
    works, sides = [], []
    for name, document, of, aim in (
        ("nix.json", played_character(), f"level {LEVEL}, {EVENTS} events", 2.0),
        ("first.json", new_character(1), "level 1", 1.5),
    ):
        (folder / name).write_text(to_text(document), encoding="utf-8")
        for work, words in (("check", ["check", name]), ("show --json", ["show", name, "--json"])):
            works.append((f"{work}, {of}", aim))
            sides.append(command(folder, *PROGRAM, *words))
    *measured, theirs = medians(sizes.runs, *sides, command(folder, *bare, "one"))
    for (work, aim), ours in zip(works, measured, strict=True):
        yield Row(work, against, ours, theirs, aim)


def pdf(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield a full PDF of four pages, compared with an empty page and with WeasyPrint alone.

    The empty page is a program of its own, like the command. The second row is a sheet whose
    fourth page would have few lines, so it is laid out twice: the second time in smaller type, on
    three pages. The third prints with a new template that changes nothing, and compares it with
    the built-in one. In the last, both are in this process, which has printed before. Ours begins
    with the loaded character: it builds the view, renders the templates, prints the page and
    attaches the character file. The other side gets the finished HTML and prints it with
    WeasyPrint, with the same fonts, which both sides load once.
    """
    document, shorter = equipped_character().document, shortened_character()
    text = to_text(document)
    view = build(_character(document))
    if (pages := len(fit_sheet(view, PrintOptions()).document.pages)) != PAGES:
        sys.exit(f"the full sheet has {pages} pages, not {PAGES}")
    (folder / "empty.py").write_text(EMPTY_PAGE)
    (folder / "alone.json").write_text(text, encoding="utf-8")
    (folder / "shorter.json").write_text(to_text(shorter), encoding="utf-8")
    work = f"full PDF, {PAGES} pages"
    run([*PROGRAM, "templates", "new", "mine"], folder)
    sheet = [*PROGRAM, "sheet", "alone.json", "--force"]
    ours, empty, templated, twice = medians(
        sizes.runs,
        command(folder, *sheet),
        command(folder, sys.executable, "empty.py"),
        command(folder, *sheet, "--template", "mine"),
        command(folder, *PROGRAM, "sheet", "shorter.json", "--force"),
    )
    yield Row(work, "an empty WeasyPrint page", ours, empty, 2.8)
    yield Row(f"full PDF, {PAGES - 1} pages instead of {PAGES}", "a full PDF", twice, ours, 1.5)
    yield Row(f"{work}, by a template of a user", "a full PDF", templated, ours, 1.1)
    from weasyprint import CSS, HTML
    from weasyprint.text.fonts import FontConfiguration

    character = _character(document)
    html = render_html(build(character))
    config = FontConfiguration()
    rules = "".join(face.rule(face.file().as_uri()) for face in faces(html))
    fonts = CSS(string=rules, font_config=config)
    attached = {"alone.json": text.encode()}
    ours, theirs = medians(
        sizes.runs,
        timed(lambda: sheet_pdf(build(character), PrintOptions(), attached=attached)),
        timed(
            lambda: HTML(string=html).write_pdf(
                stylesheets=[fonts], font_config=config, pdf_variant=VARIANT
            )
        ),
    )
    yield Row(f"{work}, warm", "WeasyPrint, same HTML", ours, theirs, 1.3)


def browser(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield a full PDF in a process that has made one before, compared with headless Chromium.

    Both print the same character; Chromium is started for each PDF and prints the HTML file that
    ``charforge sheet`` writes. Wall time, because the browser is several processes.
    """
    work = "full PDF, warm"
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        yield Skipped(work, "Chromium")
        return
    document = played_character()
    character = _character(document)
    (folder / "printed.json").write_text(to_text(document), encoding="utf-8")
    run([*PROGRAM, "sheet", "printed.json", "-o", "printed.html"], folder)
    print_page = [chromium, "--headless", "--no-sandbox", "--disable-gpu"]
    print_page += ["--print-to-pdf=browser.pdf", (folder / "printed.html").as_uri()]
    ours, theirs = medians(
        sizes.runs,
        timed(lambda: sheet_pdf(build(character), PrintOptions()), time.perf_counter),
        lambda: run(print_page, folder).wall,
    )
    yield Row(work, "headless Chromium", ours, theirs, 1.0, "wall")


def new_character(level: int) -> Document:
    """Return the measured character at this level, as created: without play events."""
    spec = CharacterSpec(load(RULESET), SEED, "Nix", level, answers=ANSWERS)
    return create_character(spec, RandomAnswers(SEED))


def shortened_character() -> Document:
    """Return the new character at the highest level at which smaller type saves the fourth page."""
    for level in range(LEVEL, 0, -1):
        document = new_character(level)
        view = build(_character(document))
        first = len(lay_out(render_html(view)).pages)
        if first == PAGES and len(fit_sheet(view, PrintOptions()).document.pages) < PAGES:
            return document
    sys.exit(f"at no level does smaller type save the page {PAGES} of the full sheet")


def _character(document: Document) -> Character:
    return replay_document(document, load(document.ruleset)).character
