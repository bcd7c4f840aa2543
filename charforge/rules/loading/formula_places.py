"""Where a game in use has a formula: its file and line, for the error of one that has no value.

A formula is evaluated far from its file, perhaps from the cache. Its text leads back to it: only
after an error are the files of the games that this process has loaded searched for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from charforge.errors import FormulaError, PackProblem
from charforge.rules import loading

KEPT_GAMES = 8  # loaded last: those of one table
_loaded: list[tuple[Path, ...]] = []


def remember_game(folders: tuple[Path, ...]) -> None:
    """Keep the folders of a game and of its packs, to find their formulas after an error."""
    if folders in _loaded:
        _loaded.remove(folders)
    _loaded.append(folders)
    del _loaded[:-KEPT_GAMES]


def formula_problems(error: FormulaError) -> list[PackProblem]:
    """Return the error at each place of its formula, in the game loaded last that has it."""
    for folders in reversed(_loaded):
        files = (path for folder in folders for path in sorted(folder.glob("*.yaml")))
        if found := [problem for path in files for problem in problems_in(path, error)]:
            return found
    return []


def problems_in(path: Path, error: FormulaError, message: str = "") -> Iterator[PackProblem]:
    """Yield the error at each place of its formula in a file, in its own words or others."""
    for line, column in loading.yaml_reader.places_of_text(path, error.written):
        yield PackProblem(path, line, column, "", message or str(error))
