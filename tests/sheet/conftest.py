"""Characters and PDFs for tests of sheets; WeasyPrint's warnings are errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers, leave_out_optional
from charforge.character.holdings import Gain, add_holding
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.pdf import render_pdf
from charforge.sheet.print_options import Paper, PrintOptions
from charforge.sheet.view import SheetView
from tests.sheet.printed import record

Make = Callable[..., Character]
HOSTILE = "<script>alert('x')</script> {{ 7*7 }} \"q\" & *s* {% raw %} </style>"


def made(
    ruleset: Ruleset,
    seed: str = "sheet",
    level: int = 1,
    name: str = "Nix Calloway",
    rules: Mapping[str, str] | None = None,
    **answers: Any,
) -> Character:
    """Make a character by chance; in ``answers`` two low lines stand for a dot."""
    given = {key.replace("__", "."): answer for key, answer in answers.items()}
    plan = CharacterSpec(ruleset, seed, name, level, rules or {}, given)
    return plan.replay(leave_out_optional(RandomAnswers(seed)))


@pytest.fixture(scope="session")
def make(capital: Ruleset) -> Make:
    """Make characters of the main game."""
    return lambda *args, **answers: made(capital, *args, **answers)


def given(character: Character, entity: str, quantity: int = 1) -> Character:
    """Return the character with something more in hand, whoever gave it."""
    found = character.state.ruleset.entity(entity)
    path = f"found.{found.slug}"
    state = add_holding(character.state, found, path, "found", gain=Gain(quantity))
    return replace(character, state=state)


@lru_cache(maxsize=64)
def printed(html: str) -> bytes:
    """Make a PDF, at most once; any warning of WeasyPrint fails the test."""
    made = record(partial(render_pdf, html))
    assert (made.warnings, made.missing_glyphs) == ((), ())
    return made.data


# What must fit: few things and many, the most Systems, a vehicle and a companion, any name.
SHEETS: dict[str, tuple[Paper, dict[str, Any]]] = {
    "lancer": ("a4", {"level": 1, "role": "role/the-lancer", "asset": "special-weapon/rifle"}),
    "healer": (
        "a4",
        {"level": 10, "role": "role/the-healer", "asset": "augmentation/slots", "name": "x" * 200},
    ),
    "captain": (
        "letter",
        {"level": 5, "role": "role/the-captain", "asset": "companion/sky-beast", "name": HOSTILE},
    ),
    "tank": (
        "a4",
        {
            "level": 10,
            "role": "role/the-tank",
            "asset": "vehicle/tank",
            "story__background": "word " * 399,
            "story__origin": "Ungebrochenesduringextraordinarilylongwords" * 9,
            "personality__goal": "y" * 200,
            "name": "Maximiliana Wolfeschlegelsteinhausen-Bergerdorff of the Outer Ring, third",
        },
    ),
}


@pytest.fixture(scope="session", params=SHEETS)
def sheet(request: pytest.FixtureRequest, make: Make) -> Iterator[tuple[SheetView, Paper, bytes]]:
    """Each sheet in turn: its view, its paper, its PDF."""
    paper, answers = SHEETS[request.param]
    view = build(make(**answers))
    yield view, paper, printed(render_html(view, PrintOptions(paper=paper)))
