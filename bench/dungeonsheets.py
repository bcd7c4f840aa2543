"""Sheets compared with those of dungeonsheets, page by page.

dungeonsheets comes from PyPI. It needs programs of Debian: pdftk-java, texlive-latex-base,
-recommended and -extra, texlive-fonts-recommended. Its examples are the folder of that name in
its source repository; the archive on PyPI lacks them:

    python -m venv others && others/bin/pip install dungeonsheets
    PATH=$PWD/others/bin:$PATH python bench/run.py --only dungeonsheets --examples FOLDER

Only examples that it can print are used: some releases fail with a few. It uses several
processes and charforge is told not to; processor time counts them all.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from batches import write_characters
from timing import PROGRAM, Row, Sizes, Skipped, environment, medians, run

SHEETS = 20
MAKESHEETS = "makesheets"  # the command of dungeonsheets
TOOLS = (MAKESHEETS, "pdftk", "pdflatex")
CHARACTER = re.compile(r"^dungeonsheets_version = ", re.MULTILINE)
GM_SHEET = re.compile(r"^sheet_type = ", re.MULTILINE)


def dungeonsheets(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield a page of a full PDF, compared with a page of dungeonsheets."""
    work = f"{SHEETS} full PDFs, a page"
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        yield Skipped(work, f"dungeonsheets: {', '.join(missing)}")
        return
    examples = folder / "examples"
    found = list(_printable_examples(examples))
    if len(found) < SHEETS:
        yield Skipped(work, f"dungeonsheets: {SHEETS - len(found)} more --examples")
        return
    names = write_characters(folder, SHEETS)
    our_command = [*PROGRAM, "sheet", "--force", "-o", "beside", "--jobs", "1", *names]
    their_command = [MAKESHEETS, *(path.name for path in found)]
    ours, theirs = medians(
        sizes.runs, lambda: run(our_command, folder).cpu, lambda: run(their_command, examples).cpu
    )
    our_pages = _page_count((folder / "beside").glob("*.pdf"))
    their_pages = _page_count(path.with_suffix(".pdf") for path in found)
    yield Row(work, "dungeonsheets, a page", ours / our_pages, theirs / their_pages, 0.2)


def _printable_examples(folder: Path) -> Iterator[Path]:
    """Yield character files that dungeonsheets can print, at most as many as are needed."""
    needed = SHEETS
    for path in sorted(folder.glob("*.py")) if folder.is_dir() else ():
        if not needed:
            return
        text = path.read_text("utf-8")
        if not CHARACTER.search(text) or GM_SHEET.search(text):
            continue
        done = subprocess.run(
            [MAKESHEETS, path.name], cwd=folder, env=environment(), capture_output=True, check=False
        )
        if done.returncode == 0 and path.with_suffix(".pdf").exists():
            needed -= 1
            yield path


def _page_count(files: Iterable[Path]) -> int:
    from pypdf import PdfReader

    return sum(len(PdfReader(path).pages) for path in files)
