"""Advice, plans, luck and the rulebook, compared with the plain commands that they build on."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from character import played_character
from timing import PROGRAM, Row, Skipped, medians, run

from charforge.character.document import to_text

MOST_RUNS = 3  # these commands take seconds


def features(folder: Path, runs: int) -> Iterator[Row | Skipped]:
    """Yield each command, compared with show or with one PDF."""
    new = [*PROGRAM, "new", "--random", "--seed", "3", "--ruleset", "capital", "--force"]
    run([*new, "--with", "role=role/the-scout", "-o", "first.json"], folder)
    (folder / "played.json").write_text(to_text(played_character()), encoding="utf-8")
    wanted = ["--want", "system/charge", "--want", "system/healthy", "--to", "6"]
    show, pdf = ["show", "first.json"], ["sheet", "first.json", "--force"]
    for work, against, aim, ours, theirs in (
        ("advise for a level", "show", 10.0, ["advise", "first.json"], show),
        ("plan --want for 6 levels", "show", 4.0, ["plan", "wanted.json", *wanted], show),
        ("luck, 200 events", "show", 8.0, ["luck", "played.json"], show),
        (
            "rulebook, about 30 pages",
            "a full PDF",
            8.0,
            ["rulebook", "--ruleset", "capital", "-o", "book.pdf", "--force"],
            pdf,
        ),
    ):
        yield _compare(folder, min(runs, MOST_RUNS), work, against, aim, ours, theirs)


def _compare(
    folder: Path,
    runs: int,
    work: str,
    against: str,
    aim: float,
    ours: list[str],
    theirs: list[str],
) -> Row:
    """Return the row of one command of charforge, compared with another of its commands."""

    def measure() -> float:
        shutil.copy(folder / "first.json", folder / "wanted.json")  # which gets the plan
        return run([*PROGRAM, *ours], folder).cpu

    measured, compared = medians(
        runs,
        measure,
        lambda: run([*PROGRAM, *theirs], folder).cpu,
    )
    return Row(work, against, measured, compared, aim)
