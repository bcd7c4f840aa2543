"""What is measured as whole processes: one command beside the least that such a program needs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from character import ANSWERS, LEVEL, RULESET, SEED, played
from timing import PROGRAM, Row, environment, row, run, skipped

from charforge.answers.random import RandomAnswers
from charforge.character.document import Document, to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loader import load
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import lay_out
from charforge.usecases.create import create_character

BARE = """
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
WARM = """
import sys, time
from pathlib import Path
from charforge.sheet.pdf import render_pdf
page = Path("page.html").read_text("utf-8")
render_pdf(page)
for _ in sys.stdin:
    start = time.perf_counter()
    render_pdf(page)
    print(time.perf_counter() - start, flush=True)
"""
PAGES = 4
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def rows(folder: Path, runs: int, _long: bool) -> Iterator[Row]:
    """Yield commands beside a bare typer app, sheets beside an empty page."""
    (folder / "bare.py").write_text(BARE)
    (folder / "empty.py").write_text(EMPTY_PAGE)
    bare, empty = [sys.executable, "bare.py"], [sys.executable, "empty.py"]
    short = ["sheet", "nix.json", "--layout", "short", "--force"]
    full = ["sheet", "nix.json", "--force"]
    (folder / "alone.json").write_text(to_text(four_pages()), encoding="utf-8")
    alone = ["sheet", "alone.json", "--force"]
    for label, against, aim, ours, theirs in (
        ("--help", "a bare typer app", 1.3, ["--help"], [*bare, "--help"]),
        ("check", "a bare typer app", 2.0, ["check", "nix.json"], [*bare, "one"]),
        ("show --json", "a bare typer app", 2.0, ["show", "nix.json", "--json"], [*bare, "one"]),
        ("short PDF", "an empty WeasyPrint page", 1.4, short, empty),
        ("full PDF, four pages", "an empty WeasyPrint page", 2.2, alone, empty),
        (f"full PDF, {pages(played())} pages", "an empty WeasyPrint page", 2.2, full, empty),
    ):
        yield row(
            label, against, aim,
            lambda command=[*PROGRAM, *ours]: run(command, folder).cpu,
            lambda command=theirs: run(command, folder).cpu,
            runs,
        )  # fmt: skip
    yield _printed(folder, runs)


def pages(document: Document) -> int:
    """Return how many pages the full sheet of a character has."""
    opened = replay_document(document, load(document.ruleset))
    return len(lay_out(render_html(build(opened.character))).pages)


def four_pages() -> Document:
    """Return the character that is measured, without companion, vehicle and play.

    Its level is the highest at which the full sheet has four pages.
    """
    answers = {name: answer for name, answer in ANSWERS.items() if name != "asset"}
    for level in range(LEVEL, 0, -1):
        plan = CharacterSpec(load(RULESET), SEED, "Nix", level, answers=answers)
        made = create_character(plan, RandomAnswers(SEED))
        if pages(made) == PAGES:
            return made
    sys.exit(f"at no level does the full sheet have {PAGES} pages")


def _printed(folder: Path, runs: int) -> Row:
    """Return the full PDF, by a process that has made one, beside a browser's of that page."""
    label = "full PDF, warm"
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        return skipped(label, "Chromium")
    run([*PROGRAM, "sheet", "nix.json", "--format", "html", "-o", "page.html"], folder)
    browser = [chromium, "--headless", "--no-sandbox", "--disable-gpu"]
    browser += ["--print-to-pdf=browser.pdf", (folder / "page.html").as_uri()]
    with subprocess.Popen(
        [sys.executable, "-c", WARM], cwd=folder, text=True, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as warm:  # fmt: skip
        asked, told = warm.stdin, warm.stdout
        assert asked and told

        def ours() -> float:
            print("again", file=asked, flush=True)
            return float(told.readline())

        found = row(
            label, "headless Chromium", 1.0, ours, lambda: run(browser, folder).wall, runs, "wall"
        )
        asked.close()
    return found
