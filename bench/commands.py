"""Single commands: help, check, show and PDFs, compared with the simplest program of that kind."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from character import ANSWERS, LEVEL, RULESET, SEED, played_character
from timing import PROGRAM, Row, Skipped, compare, environment, medians, run

from charforge.answers.random import RandomAnswers
from charforge.character.document import Document, to_text
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loader import load
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import lay_out
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
# Renders the PDF of page.html once for each line of its input, and prints the seconds.
WARM_PDF = """
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


def commands(folder: Path, runs: int) -> Iterator[Row | Skipped]:
    """Yield help, check and show, compared with a bare typer app."""
    (folder / "bare.py").write_text(BARE_APP)
    bare = [sys.executable, "bare.py"]
    _write_played_character(folder)
    for work, aim, ours, theirs in (
        ("--help", 1.3, ["--help"], [*bare, "--help"]),
        ("check", 2.0, ["check", "nix.json"], [*bare, "one"]),
        ("show --json", 2.0, ["show", "nix.json", "--json"], [*bare, "one"]),
    ):
        yield compare(folder, runs, work, "a bare typer app", aim, [*PROGRAM, *ours], theirs)


def pdf(folder: Path, runs: int) -> Iterator[Row | Skipped]:
    """Yield a full PDF of four pages, compared with an empty WeasyPrint page."""
    (folder / "empty.py").write_text(EMPTY_PAGE)
    (folder / "alone.json").write_text(to_text(four_page_character()), encoding="utf-8")
    yield compare(
        folder, runs, f"full PDF, {PAGES} pages", "an empty WeasyPrint page", 2.2,
        [*PROGRAM, "sheet", "alone.json", "--force"], [sys.executable, "empty.py"],
    )  # fmt: skip


def browser(folder: Path, runs: int) -> Iterator[Row | Skipped]:
    """Yield a full PDF in a process that has made one before, compared with headless Chromium.

    Both print the same page. Wall time, because the browser is several processes.
    """
    work = "full PDF, warm"
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        yield Skipped(work, "Chromium")
        return
    _write_played_character(folder)
    run([*PROGRAM, "sheet", "nix.json", "--format", "html", "-o", "page.html"], folder)
    print_page = [chromium, "--headless", "--no-sandbox", "--disable-gpu"]
    print_page += ["--print-to-pdf=browser.pdf", (folder / "page.html").as_uri()]
    with subprocess.Popen(
        [sys.executable, "-c", WARM_PDF], cwd=folder, text=True, env=environment(),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        requests, replies = process.stdin, process.stdout
        assert requests and replies

        def warm_pdf() -> float:
            print("again", file=requests, flush=True)
            return float(replies.readline())

        ours, theirs = medians(runs, warm_pdf, lambda: run(print_page, folder).wall)
        requests.close()
    yield Row(work, "headless Chromium", ours, theirs, 1.0, "wall")


def _write_played_character(folder: Path) -> None:
    path = folder / "nix.json"
    if not path.exists():
        path.write_text(to_text(played_character()), encoding="utf-8")


def four_page_character() -> Document:
    """Return the measured character with its companion or vehicle, without play events.

    Its level is the highest at which the full sheet has four pages.
    """
    for level in range(LEVEL, 0, -1):
        spec = CharacterSpec(load(RULESET), SEED, "Nix", level, answers=ANSWERS)
        document = create_character(spec, RandomAnswers(SEED))
        if _page_count(document) == PAGES:
            return document
    sys.exit(f"at no level does the full sheet have {PAGES} pages")


def _page_count(document: Document) -> int:
    loaded = replay_document(document, load(document.ruleset))
    return len(lay_out(render_html(build(loaded.character))).pages)
