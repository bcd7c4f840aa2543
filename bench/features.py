"""Advice, plans, luck and the rulebook, compared with the plain commands that they build on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from character import played_character
from timing import PROGRAM, Row, Sizes, Skipped, compare, run

from charforge.character.files.document import to_text

MOST_RUNS = 3  # these commands take seconds


def features(folder: Path, sizes: Sizes) -> Iterator[Row | Skipped]:
    """Yield each command, compared with show or with one PDF."""
    new = [*PROGRAM, "new", "--random", "--seed", "3", "--ruleset", "capital", "--force"]
    run([*new, "--with", "role=role/the-scout", "-o", "first.json"], folder)
    (folder / "played.json").write_text(to_text(played_character()), encoding="utf-8")

    def unplanned() -> None:
        """Copy the character to a file without a plan, which the plan is saved to."""
        shutil.copy(folder / "first.json", folder / "wanted.json")

    wanted = ["--want", "system/charge", "--want", "system/healthy", "--to", "6"]
    show, pdf = ["show", "first.json"], ["sheet", "first.json", "--force"]
    for work, against, aim, ours, theirs in (
        ("advise for a level", "show", 6.0, ["advise", "first.json"], show),
        ("plan --want for 6 levels", "show", 4.0, ["plan", "wanted.json", *wanted], show),
        ("luck, 200 events", "show", 8.0, ["luck", "played.json"], show),
        (
            "rulebook, about 30 pages",
            "a full PDF",
            4.0,
            ["rulebook", "--ruleset", "capital", "-o", "book.pdf", "--force"],
            pdf,
        ),
    ):
        yield compare(
            folder, min(sizes.runs, MOST_RUNS), work, against, aim,
            [*PROGRAM, *ours], [*PROGRAM, *theirs], unplanned,
        )  # fmt: skip
