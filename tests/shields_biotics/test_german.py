"""Shields and Biotics in German: complete, printed whole, the same character in both languages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.language import set_language
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading.loader import load
from charforge.rules.names import Translated
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build
from charforge.sheet.html import render_html
from charforge.sheet.print_options import Layout, PrintOptions
from charforge.sheet.view import SheetView
from charforge.usecases.create import create_character
from charforge.verbs.lookup import find_entity
from tests.command_runner import CommandResult
from tests.sheet.conftest import printed
from tests.sheet.print_check import check
from tests.sheet.printed import Printed
from tests.shields_biotics.conftest import ANSWERS

LAYOUTS: tuple[Layout, ...] = ("full", "short", "cards", "reference")
# Words that only the English texts of the pack have.
ENGLISH = re.compile(
    r"\b(the|your|you|Shaken|Prone|Knocked|Pulled|layers?|Skills?|Toughness|Wounds?|d(?:4|6|8|10|12))\b"
)
# What a player types in German, in place of the ids and English names of ANSWERS.
GERMAN: Mapping[str, Any] = {
    "barrier": "Nein",
    "heavy-armor": "nein",
    "attributes": ["Eigenes Attribut", "Your own attribute"],
    "attributes.own.sides": "W8",
    "skills": ["Eigene Fertigkeit", "skill/own", "eigener biotischer Angriff"],
    "skills.own.sides": "W10",
}


@pytest.fixture(scope="module")
def german() -> Ruleset:
    return load("shields-biotics", language="de")


def view_of(ruleset: Ruleset, **answers: Any) -> SheetView:
    spec = CharacterSpec(ruleset, "worked", "Jason", answers={**ANSWERS, **answers})
    document = create_character(spec, RandomAnswers("worked"))
    return build(replay_document(document, ruleset).character)


def test_nothing_of_the_catalog_is_english(german: Ruleset) -> None:
    for known in german.entities.values():
        data = known.model_dump(exclude={"id", "kind", "tags"})
        texts = [value for value in walk(data) if isinstance(value, Translated)]
        assert texts
        assert not [text for text in texts if ENGLISH.search(text)]
        assert isinstance(known.name, Translated)


def walk(data: Any) -> list[Any]:
    if isinstance(data, Mapping):
        return [part for value in data.values() for part in walk(value)]
    if isinstance(data, list | tuple):
        return [part for value in data for part in walk(value)]
    return [data]


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sheets_are_whole_and_without_english_of_the_pack(german: Ruleset, layout: Layout) -> None:
    own = {"skills.own.effect": "", "skills.biotic.effect": "", "skills.own.name": "Wurf",
           "attributes.own#2.name": "Wille", "attributes.own.name": "Geschick"}  # fmt: skip
    view, options = view_of(german, **own), PrintOptions(layout)
    document = Printed(printed(render_html(view, options)), ())
    assert check(document, view, options) == []
    text = " ".join(word.text for page in document.pages for word in page.words)
    assert not ENGLISH.findall(text)


def test_a_character_made_in_german_is_the_same_in_english(
    run: Callable[..., CommandResult], tmp_path: Path
) -> None:
    for language, answers in (("en", ANSWERS), ("de", {**ANSWERS, **GERMAN})):
        content = {"ruleset": "shields-biotics", "name": "Jason", "seed": 1, "answers": {**answers}}
        Path(f"{language}.yaml").write_text(json.dumps(content), encoding="utf-8")
        made = run(
            "--lang", language, "new", "--answers", f"{language}.yaml", "-o", f"{language}.json"
        )
        assert made.code == 0, made.err
    assert (tmp_path / "de.json").read_bytes() == (tmp_path / "en.json").read_bytes()
    used = (
        "use",
        "de.json",
        "Throw",
        "--set",
        "vs=4",
        "--set",
        "rolled=5",
        "--set",
        "cover=leichte",
    )
    for words in (
        used,
        ("condition", "de.json", "Angeschlagen"),
        ("condition", "de.json", "prone"),
    ):
        assert run("--lang", "de", *words).code == 0, words
    english = run("show", "de.json", "--json").out
    assert "Shaken" in english or "status/shaken" in english
    assert not re.search("Angeschlagen|Schild|Robustheit", english)


def test_entities_are_found_by_german_and_english_names_and_ids(german: Ruleset) -> None:
    for name in ("Schwere Rüstung", "schwere rust", "Heavy Armor", "protection/heavy-armor"):
        found = find_entity(german, name, lambda known: known.kind == "protection", "protection")
        assert found.id == "protection/heavy-armor"


def test_values_are_found_by_german_and_english_names(german: Ruleset) -> None:
    assert {
        v.id for v in map(german.value_named, ("Robustheit", "Toughness", "toughness")) if v
    } == {"toughness"}


def test_commands_show_the_language_of_the_environment(
    run: Callable[..., CommandResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    show = ("catalog", "show", "status/shaken", "--ruleset", "shields-biotics", "--json")
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert run(*show).json["name"] == "Angeschlagen"
    monkeypatch.setenv("LC_MESSAGES", "en_GB.UTF-8")
    assert run(*show).json["name"] == "Shaken"
    monkeypatch.setenv("LC_ALL", "de_AT")
    assert run(*show).json["name"] == "Angeschlagen"
    assert run("--lang", "en", *show).json["name"] == "Shaken"


def test_commands_take_german_names(run: Callable[..., CommandResult]) -> None:
    game = ("--ruleset", "shields-biotics")
    for name in ("Schwere Rüstung", "Heavy Armor", "heavy-armor"):
        shown = run("--lang", "de", "catalog", "show", name, *game, "--json").json
        assert (shown["id"], shown["name"]) == ("protection/heavy-armor", "Schwere Rüstung")
        assert "protection/heavy-armor" in run("--lang", "de", "catalog", "paths", name, *game).out
    for word in ("Rüstung", "Armor"):
        found = run("--lang", "de", "catalog", "search", word, *game, "--json").json
        assert "protection/heavy-armor" in {entry["id"] for entry in found}


def test_the_current_language_is_that_of_the_rules() -> None:
    set_language("de")
    assert load("shields-biotics").head.name == "Schilde und Biotik"
    assert load("shields-biotics", language="en").head.name == "Shields and Biotics"


def test_words_of_inputs_are_german(run: Callable[..., CommandResult]) -> None:
    inputs = run("--lang", "de", "resolve", "shields-biotics", "cover", "--inputs").out
    assert "(keine, leichte, mittlere, schwerere) [keine]" in inputs
    set_word = ("--set", "cover=leichte", "--set", "cover_penalty=1")
    german = run("--lang", "de", "resolve", "shields-biotics", "Deckung", *set_word)
    assert german.out == (
        "Deckung\n  Deckung: −1  [Bogenflug]\n"
        "Abzug auf den Angriff: 1\nBonus auf die Robustheit: 0\n"
    )
