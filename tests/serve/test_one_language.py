"""Pages of a live table have one language: that of the reader if the game has it, or its own.

The program speaks the language for tests and the game does not, and the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from markupsafe import Markup

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.storage import save
from charforge.character.state import CHARACTER
from charforge.cli.files import settle_language
from charforge.errors import ProcedureError, UsageError
from charforge.language import page, set_language
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load
from charforge.serve import game_master
from charforge.serve.action_forms import action_odds
from charforge.serve.actions import run_page_action
from charforge.serve.player import player_page
from charforge.serve.table import Table
from charforge.serve.table_state import TableStore
from charforge.usecases.create import create_character
from charforge.verbs.unit_status import ability_rows
from tests.cli.test_one_language import PSEUDO_LETTERS, plain_words, seen
from tests.conftest import HARBOUR
from tests.pseudo import PSEUDO, add_pseudo
from tests.serve.test_player_page import AT, forms, render
from tests.translations import installed_games

# Names, files, and the words of commands that a page names.
KEPT = {"html", "character", "ada", "bo", "nix", "json", "charforge", "shop", "level"}


@pytest.fixture(params=["plain", "translated", "foreign"])
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A game without another language, one that has that of the reader, one in another language."""
    with installed_games(request.param, ["harbour"], tmp_path / "data"):
        yield request.param
    set_language("en")


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page and form of a table of two."""
    files = []
    for name in ("Ada", "Bo"):
        spec = CharacterSpec(load("harbour"), name, name)
        save(create_character(spec, RandomAnswers(name)), folder / f"{name.lower()}.json")
        files.append(folder / f"{name.lower()}.json")
    with page():
        settle_language(files)
        table, store = Table(files), TableStore.open(folder / "evening")
        ada = table.seats[0]
        opened = table.load(ada)
        master = game_master.game_master_page(table, store)
        yield "the game master", render("game_master", page=master)
        for unit in opened.character.state.units:
            shown = player_page(opened, unit.id)
            yield f"{unit.id}", render("character", page=shown)
            for form in forms(opened, shown):
                yield f"the form {form.title}", render("form", form=form)
        yield "the others", render("others", others=game_master.others(table, store, ada))
        result = run_page_action(opened, "note", {"text": "charforge"}, AT)
        shown = player_page(result.after)
        live = Markup(render("character", page=shown))
        parts = {"page": shown, "live": live, "missing": "", "title": "", "undone": False}
        yield "a result", render("result", result=result, **parts)
        for row in ability_rows(opened.character.state, CHARACTER):
            fields = {"source": row.ability.source, "key": row.ability.key}
            with suppress(ProcedureError, UsageError):  # inputs are missing, nothing is rolled
                odds = action_odds(opened, fields)
                yield f"the odds of {row.name}", render("odds", odds=odds)


def test_pages_of_a_table_have_one_language(game: str, tmp_path: Path) -> None:
    add_pseudo()
    reader = "en" if game == "foreign" else PSEUDO
    set_language(reader)
    texts = [file.read_text(encoding="utf-8") for file in HARBOUR.glob("*.yaml")]
    words = {word.casefold() for text in texts for word in re.findall(r"[^\W\d_]{3,}", text)}
    found: dict[str, list[str]] = {}
    for name, html in pages(tmp_path):
        text = seen(f"<html>{html}")
        pseudo = PSEUDO_LETTERS.search(text)
        if game == "plain" and pseudo is not None:
            found[name] = [text[max(pseudo.start() - 40, 0) :][:80]]
        elif game != "plain":
            kept = KEPT | (words if game == "foreign" else set())
            found[name] = plain_words(text, kept)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
