"""The language of the program: how it is chosen, plurals, numbers and the catalogues."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

from charforge.character.files.reader import parse_document
from charforge.character.requirements import requirement_text
from charforge.errors import DocumentError, shorten
from charforge.expressions.dice import parse_dice
from charforge.expressions.template import NO_BREAK, signed_amount
from charforge.language import (
    ENGLISH,
    N_,
    _,
    dice_notation,
    find_language,
    format_number,
    in_language,
    language,
    languages,
    page,
    preferred_language,
    read_dice_notation,
    reader_language,
    set_language,
    settle,
    speak,
)
from charforge.procedures.inputs import read_input
from charforge.rules.loading.loader import load
from charforge.rules.models import Input
from charforge.rules.ruleset import Ruleset
from tests.command_runner import CommandResult, run_command


def test_german_is_installed() -> None:
    assert languages()[0] == "en"
    assert "de" in languages()


@pytest.mark.parametrize(
    ("tag", "code"),
    [
        ("de", "de"),
        ("de_AT.UTF-8", "de"),
        ("de-CH", "de"),
        ("DE", "de"),
        ("en_GB", "en"),
        ("C.UTF-8", ""),
        ("fr_FR", ""),
        ("", ""),
        ("deutsch", ""),
    ],
)
def test_a_tag_means_a_language(tag: str, code: str) -> None:
    assert find_language(tag) == code


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LC_ALL": "de_DE.UTF-8", "LANG": "en_US.UTF-8"}, "de"),
        ({"LC_MESSAGES": "de_DE", "LANG": "en_US.UTF-8"}, "de"),
        ({"LANG": "de_DE.UTF-8"}, "de"),
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "de_DE.UTF-8"}, "de"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_environment_prefers_a_language(environment: dict[str, str], code: str) -> None:
    assert preferred_language(environment) == code


def test_a_marked_text_stays_as_it_is() -> None:
    assert N_("Character sheet") == "Character sheet"
    assert _("") == ""


def test_numbers_have_the_signs_of_the_language() -> None:
    assert format_number(1234.5, ",.1f") == "1,234.5"
    set_language("de")
    assert language() == "de"
    assert format_number(1234.5, ",.1f") == "1.234,5"
    assert format_number(Fraction(1, 3), ".2f") == "0,33"
    assert format_number(12_000) == "12.000"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2d6", "2W6"),
        ("d20 + 1d4 - 1", "W20 + 1W4 - 1"),
        ("(4d6k3)", "(4W6k3)"),
        ("4dluck, mod6, 2d, x2d6 and squad-d20", "4dluck, mod6, 2d, x2d6 and squad-d20"),
    ],
)
def test_dice_are_shown_with_the_letter_of_the_language(text: str, shown: str) -> None:
    assert dice_notation(text) == text
    set_language("de")
    assert dice_notation(text) == shown
    assert read_dice_notation(shown) == text


def test_dice_are_saved_alike_in_every_language(tower: Ruleset) -> None:
    set_language("de")
    kept = parse_dice("4d6k3")
    assert (kept.notation, kept.words) == ("4d6k3", "4W6 (höchste 3)")
    assert signed_amount(("1d6",), 2).replace(NO_BREAK, " ") == "1W6 + 2"
    amount = Input(id="damage", type="amount", label="Damage")
    assert [read_input(tower, amount, text) for text in ("2w6+1", "2W6 + 1", "2d6")] == [
        "2d6+1", "2d6 + 1", "2d6",
    ]  # fmt: skip
    flag = Input(id="aimed", type="flag", label="Aimed")
    assert [read_input(tower, flag, word) for word in ("ja", "nein", "yes")] == [1, 0, 1]


def test_quotes_are_those_of_the_language(tmp_path: Path) -> None:
    assert shorten("it's") == '"it\'s"'
    set_language("de")
    assert [shorten(text) for text in ("x", "it's", 'a "b"')] == ["„x“", "„it's“", "'a \"b\"'"]
    ran = run_command(
        "--lang", "de", "catalog", "list", "shields-biotics", "--kind", "xyzzy", folder=tmp_path
    )
    assert "Nicht gefunden: „xyzzy“ (" in ran.err


def test_a_session_is_german(tmp_path: Path) -> None:
    """Its menus and groups of commands, and what of an ability is ready."""
    german = ("--lang", "de")
    run_command(
        *german, "new", "--ruleset", "shields-biotics", "--random", "--seed", "5", "--name", "Nix",
        "-o", "nix.json", folder=tmp_path,
    )  # fmt: skip
    ran = run_command(*german, "play", "nix.json", folder=tmp_path, stdin="help\nabilities\nquit\n")
    assert ran.code == 0, ran.err
    for heading in ("Handeln", "Verändern", "Ansehen", "Sitzung", "Alle können"):
        assert heading in ran.out
    assert " bereit\n" in ran.out
    assert not {"Act", "Look", "Session", "ready"} & set(ran.out.split())


def test_refusals_and_lists_are_german(tmp_path: Path) -> None:
    """What an edit breaks, the words of an input, facts in lists, and pools of dice."""

    def german(*words: str) -> CommandResult:
        return run_command("--lang", "de", *words, folder=tmp_path)

    german(
        "new", "--ruleset", "capital", "--random", "--seed", "3", "--name", "Nix", "--with",
        "role=Lancer", "-o", "nix.json",
    )  # fmt: skip
    wrong_type = german("damage", "nix.json", "5", "--set", "type=feuer")
    assert "„feuer“ gehört nicht zu Wucht, Schnitt, Organ, Hitze" in wrong_type.err
    edited = german("edit", "nix.json", "role", "--answer", "Heiler")
    assert "ungültig Heiler: Attribut −1" in edited.err
    assert "Nichts wurde geändert, denn das bricht " in edited.err
    assert not {"broken", "open"} & set(edited.err.split())
    listed = german("catalog", "list", "capital", "--kind", "system").out
    assert "Verteidigung, Tank, 1 Slot" in " ".join(listed.split())
    assert "defense" not in listed
    pool = german("resolve", "narrative-dice", "Würfelpool", "ability=1", "difficulty=1")
    assert "Begabung 1 gegen Schwierigkeit 1: " in pool.out


def test_a_page_speaks_the_language_of_its_game() -> None:
    set_language("de")
    speak(ENGLISH)
    assert _("yes") == "ja"  # without a page nothing changes
    with page():
        speak(ENGLISH)
        assert (_("yes"), language(), reader_language()) == ("yes", ENGLISH, "de")
        with page():  # such as help in the middle of a session
            assert _("yes") == "ja"
        assert _("yes") == "yes"
        speak("fr")
        assert _("yes") == "ja"  # the program has no French
    assert _("yes") == "ja"


def test_a_page_with_two_games_has_one_language() -> None:
    set_language("de")
    with page():
        settle(ENGLISH)
        assert (_("yes"), reader_language()) == ("yes", ENGLISH)
        assert load("shields-biotics").page_language == ENGLISH


def test_each_thread_has_a_page_of_its_own() -> None:
    set_language("de")

    def shown(code: str) -> set[str]:
        with page():
            speak(code)
            return {_("yes") for _time in range(2000)}

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(shown, [ENGLISH, "de"] * 8))
    assert found == [{"yes"}, {"ja"}] * 8


def test_another_language_for_a_while() -> None:
    set_language("de")
    with in_language(ENGLISH):
        assert _("yes") == "yes"
    assert (_("yes"), language()) == ("ja", "de")


def test_small_words_inside_messages_are_translated(tower: Ruleset) -> None:
    """Where an event is, how many dice there are, and that something is worn."""
    set_language("de")
    wrong = {"n": 1, "group": 1, "do": "note", "text": ["?"]}
    head = {"charforge": 1, "id": "x", "ruleset": "toy", "packs": [], "name": "A", "seed": "1"}
    with pytest.raises(DocumentError, match="Ereignis 1 text: "):
        parse_document(json.dumps({**head, "log": [wrong]}), Path("a.json"))
    assert "1 Würfel, nicht 2" in parse_dice("1d6").problem([1, 2])
    stand = tower.entities["feat/shield-wall"].actions[0]
    assert requirement_text(stand.requires, tower) == "Shield getragen"


@pytest.mark.parametrize(
    "words", [("--lang", "de", "games"), ("games", "--lang", "de"), ("games", "--lang=de_AT")]
)
def test_the_option_may_be_anywhere(words: tuple[str, ...], tmp_path: Path) -> None:
    assert run_command(*words, folder=tmp_path).code == 0
    assert language() == "de"


def test_the_option_comes_before_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert run_command("games", folder=tmp_path).code == 0
    assert language() == "de"
    assert run_command("games", "--lang", "en", folder=tmp_path).code == 0
    assert language() == ENGLISH


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    result = run_command("games", "--lang", "xx", folder=tmp_path)
    result.refused(2, 'There is no language named "xx". There are: en, de.')


def test_the_option_needs_a_language(tmp_path: Path) -> None:
    run_command("games", "--lang", folder=tmp_path).refused(2, "--lang")


def test_german_messages_have_no_english_words(tmp_path: Path) -> None:
    new = ("new", "--ruleset", "shields-biotics", "--random", "--seed", "3", "--name", "Kai")
    assert run_command(*new, folder=tmp_path).code == 0

    def told(*words: str) -> str:
        ended = run_command(*words, "--lang", "de", folder=tmp_path)
        return ended.out + ended.err

    assert told("luck", "Kai.json") == "Kai: 0 Würfe\n"
    assert "hat keine Regel für eine Rast." in told("rest", "Kai.json")
    assert "Fertigkeiten: nichts\n" in told("history", "Kai.json")
    assert "(Standard)" in told("catalog", "rulings", "--ruleset", "shields-biotics")
