"""Advice, plans, luck and the rulebook, compared with the plain commands that they build on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from character import played_character
from timing import PROGRAM, Row, Sizes, command, medians, run

from charforge.character.files.document import to_text

MOST_RUNS = 3  # these commands take seconds


def features(folder: Path, sizes: Sizes) -> Iterator[Row]:
    """Yield each command, compared with show or with one PDF."""
    new = [*PROGRAM, "new", "--random", "--seed", "3", "--ruleset", "capital", "--force"]
    run([*new, "--with", "role=role/the-scout", "-o", "first.json"], folder)
    (folder / "played.json").write_text(to_text(played_character()), encoding="utf-8")

    def unplanned() -> None:
        """Copy the character to a file without a plan, which the plan is saved to."""
        shutil.copy(folder / "first.json", folder / "wanted.json")

    wanted = ["--want", "system/charge", "--want", "system/healthy", "--to", "6"]
    runs = min(sizes.runs, MOST_RUNS)
    advice, plan, luck, show = medians(
        runs,
        command(folder, *PROGRAM, "advise", "first.json"),
        command(folder, *PROGRAM, "plan", "wanted.json", *wanted, prepare=unplanned),
        command(folder, *PROGRAM, "luck", "played.json"),
        command(folder, *PROGRAM, "show", "first.json"),
    )
    yield Row("advise for a level", "show", advice, show, 6.0)
    yield Row("plan --want for 6 levels", "show", plan, show, 4.0)
    yield Row("luck, 200 events", "show", luck, show, 8.0)
    book = ["rulebook", "--ruleset", sizes.book, "-o", "book.pdf", "--force"]
    ours, theirs = medians(
        runs,
        command(folder, *PROGRAM, *book),
        command(folder, *PROGRAM, "sheet", "first.json", "--force"),
    )
    yield Row(f"rulebook of {sizes.book}", "a full PDF", ours, theirs, 4.0)
