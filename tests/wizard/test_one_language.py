"""Pages of the wizard have one language: that of the reader if the game has it, or its own.

Each question is asked line by line, with everything else answered, then the review. The program
speaks the language for tests and the game does not, and the other way round.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from charforge import wizard
from charforge.answers.automatic import RandomAnswers
from charforge.language import page, set_language, speak
from charforge.replay.replay import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.cli.test_one_language import PSEUDO_LETTERS, plain_words
from tests.conftest import HARBOUR
from tests.pseudo import PSEUDO, add_pseudo
from tests.translations import installed_games

TYPED = ("?", "", "1", "", "2", "", "")
KEPT = {"ada", "ctrl", "esc", "enter"}
GAMES = ("harbour", "smithy", "watch")


@pytest.fixture(params=["plain", "translated", "foreign"])
def variant(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Games without another language, with that of the reader, and in another language."""
    with installed_games(request.param, GAMES, tmp_path / "data"):
        yield request.param
    set_language("en")


def pages(
    rules: Ruleset, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[str, str]]:
    """Yield the id of each question and what the wizard prints of it, then of the review."""
    level = min(2, rules.head.advancement.maximum)
    made = create_character(CharacterSpec(rules, "1", "Ada", level), RandomAnswers("1"))
    answers = dict(made.answers)
    for name in (*answers, "the review"):
        others = {key: answer for key, answer in answers.items() if key != name}
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in TYPED)))
        spec = CharacterSpec(rules, "1", "Ada", level, answers=others)
        with pytest.raises((KeyboardInterrupt, EOFError)), page():
            speak(rules.page_language)
            wizard.run(spec, lambda _spec: None)
            raise KeyboardInterrupt  # it came to an end
        yield name, capsys.readouterr().err


@pytest.mark.parametrize("game", GAMES)
def test_pages_of_the_wizard_have_one_language(
    game: str, variant: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    add_pseudo()
    reader = "en" if variant == "foreign" else PSEUDO
    set_language(reader)
    texts = [file.read_text(encoding="utf-8") for file in HARBOUR.with_name(game).glob("*.yaml")]
    words = {word.casefold() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
    found: dict[str, list[str]] = {}
    for name, text in pages(load(game), monkeypatch, capsys):
        assert text.count("\n") > 3, name
        pseudo = PSEUDO_LETTERS.search(text)
        if variant == "plain" and pseudo is not None:
            found[name] = [text[max(pseudo.start() - 40, 0) :][:80]]
        elif variant != "plain":
            kept = KEPT | (words if variant == "foreign" else set())
            found[name] = plain_words(text, kept)
    assert len(found) > 3 or variant == "plain"
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
