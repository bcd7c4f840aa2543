"""Translated packs: which texts are translated, what falls back, what is an error."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

from charforge.errors import PackError, UntranslatedText
from charforge.language import set_language
from charforge.packs.check import check_pack
from charforge.packs.diff import pack_effects
from charforge.packs.install import install
from charforge.packs.scaffold import write_translation
from charforge.procedures.abilities import attack_key
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.loading.parser import pack_models
from charforge.rules.loading.translation import error_in
from charforge.rules.models.base import annotated_fields
from charforge.rules.names import Translated, original
from charforge.rules.ruleset import Ruleset
from tests.command_runner import run_command
from tests.rules.pack_files import write_pack
from tests.translations import write_language

STEADY = {
    "name": "Ruhige Hand",
    "text": "Du übst Abend für Abend. {$knack} ist um 1 höher.",
    "choices": {"knack": {"label": "Welches Talent?"}},
}
GROUPS = {"knacks": "Talente"}


@pytest.fixture
def game(tmp_path: Path, toy_folder: Path) -> Path:
    """A copy of the toy game, to be translated."""
    return Path(shutil.copytree(toy_folder, tmp_path / "toy"))


def german(*folders: Path) -> Ruleset:
    return load_folder(folders[0], folders[1:], "de")


def test_texts_are_translated_by_the_paths_of_patches(game: Path) -> None:
    write_language(
        game,
        {
            "ruleset": {"values": {"hands": {"name": "Geschick"}}, "groups": {"knacks": "Talente"}},
            "habit/steady-hand": STEADY,
            "habit/night-watch-ii": {"actions": {1: {"trigger": "wenn Nebel aufzieht"}}},
        },
    )
    rules = german(game)
    habit = rules.entities["habit/steady-hand"]
    assert habit.name == "Ruhige Hand"
    assert habit.text == STEADY["text"]
    assert habit.choices[0].label == "Welches Talent?"
    assert rules.values["hands"].name == "Geschick"
    assert rules.values["hands"].label == "Hands"  # not translated
    assert rules.head.groups == {"knacks": "Talente"}
    assert rules.entities["habit/night-watch-ii"].actions[0].trigger == "wenn Nebel aufzieht"
    assert rules.language == "de"


def test_only_the_language_that_is_asked_for_is_loaded(game: Path, toy: Ruleset) -> None:
    write_language(game, {"habit/steady-hand": STEADY})
    assert load_folder(game, language="en").entities == toy.entities
    assert load_folder(game).entities["habit/steady-hand"].name == "Steady Hand"
    assert german(game).entities["habit/steady-hand"].name == "Ruhige Hand"
    assert load_folder(game, language="en").entities == toy.entities  # also from the cache
    write_language(game, {"habit/steady-hand": {"name": "Feste Hand"}})
    assert german(game).entities["habit/steady-hand"].name == "Feste Hand"


def test_a_translation_does_not_change_what_characters_pin(game: Path, toy: Ruleset) -> None:
    write_language(game, {"habit/steady-hand": STEADY})
    assert german(game).hash == toy.hash


def test_a_translated_text_knows_its_original(game: Path) -> None:
    write_language(game, {"habit/steady-hand": STEADY})
    rules = german(game)
    name = pickle.loads(pickle.dumps(rules.entities["habit/steady-hand"].name))
    assert (name, original(name)) == ("Ruhige Hand", "Steady Hand")
    assert original("Ruhige Hand") == "Ruhige Hand"
    assert isinstance(german(game).entities["habit/steady-hand"].name, Translated)  # from the cache


def test_a_pack_alone_does_not_give_a_game_another_language(tmp_path: Path, game: Path) -> None:
    """One page would have two: the game with its own texts, the pack with translated ones."""
    page = "entities:\n  - {id: gear/harpoon, name: Harpoon, source: Test}\n"
    pack = write_pack(tmp_path / "pack", page)
    write_language(pack, {"gear/harpoon": {"name": "Harpune"}})
    rules = german(game, pack)
    assert rules.entities["gear/harpoon"].name == "Harpoon"
    assert rules.page_language == "en"
    write_language(pack, {"gear/harpoon": {"name": "Harpune"}, "ruleset": {"groups": GROUPS}})
    rules = german(game, pack)  # the pack translates the game, too
    assert (rules.entities["gear/harpoon"].name, rules.page_language) == ("Harpune", "de")


def test_the_keys_of_attacks_do_not_depend_on_the_language(tmp_path: Path, game: Path) -> None:
    page = """
entities:
  - id: gear/harpoon
    name: Harpoon
    source: Test
    attacks: [{name: Thrust, damage: 1d6}]
"""
    pack = write_pack(tmp_path / "pack", page)
    write_language(game, {"habit/steady-hand": STEADY})
    write_language(pack, {"gear/harpoon": {"attacks": {"Thrust": {"name": "Stoß"}}}})
    harpoon = german(game, pack).entities["gear/harpoon"]
    assert harpoon.attacks[0].name == "Stoß"
    assert attack_key(harpoon, harpoon.attacks[0]) == "Thrust"


def test_a_patched_text_is_translated_by_its_own_pack_or_not_at_all(
    tmp_path: Path, game: Path
) -> None:
    write_language(game, {"habit/steady-hand": STEADY})
    pack = write_pack(
        tmp_path / "pack", "patches:\n  - {at: habit/steady-hand, set: {name: Firm Hand}}\n"
    )
    habit = german(game, pack).entities["habit/steady-hand"]
    assert (habit.name, habit.text) == ("Firm Hand", STEADY["text"])
    write_language(pack, {"habit/steady-hand": {"name": "Feste Hand"}})
    assert german(game, pack).entities["habit/steady-hand"].name == "Feste Hand"


def test_a_pack_can_translate_the_game_that_it_amends(tmp_path: Path, game: Path) -> None:
    pack = write_pack(tmp_path / "pack", "patches:\n  - {at: habit/morse, set: {source: Radio}}\n")
    write_language(pack, {"habit/steady-hand": STEADY})
    assert german(game, pack).entities["habit/steady-hand"].name == "Ruhige Hand"


@pytest.mark.usefixtures("packs_home")
def test_the_reason_of_a_patch_is_translated_at_the_end_of_the_file(
    tmp_path: Path, game: Path
) -> None:
    change = "{at: habit/steady-hand, set: {slots: 2}, why: Too cheap.}"
    pack = write_pack(tmp_path / "pack", f"patches: [{change}]\n")
    write_language(game, {"habit/steady-hand": STEADY})
    install(game)
    file = write_translation(pack, "de").path
    *_kept, heading, part, original_line, reason = file.read_text("utf-8").splitlines()
    assert (heading, part) == ("patches:", "  habit/steady-hand:")
    assert (original_line, reason) == ("    #: Too cheap.", "    why:")
    (warning,) = check_pack(pack).warnings
    assert warning.message == 'not translated: [patches, habit/steady-hand, why], "Too cheap."'
    write_language(pack, {"patches": {"habit/steady-hand": {"why": "Zu billig."}}})
    assert check_pack(pack).warnings == ()
    install(pack)
    for language, why in (("de", "Zu billig."), ("en", "Too cheap.")):
        (effect,) = pack_effects(load("toy", ["pack"], language=language))
        assert effect.reason == why
        assert effect.id == "habit/steady-hand"


def test_the_cache_knows_which_pack_a_translation_is_of(tmp_path: Path, game: Path) -> None:
    """Files that change places between the game and a pack with a text of its own."""
    pack = write_pack(
        tmp_path / "pack", "patches:\n  - {at: habit/steady-hand, set: {name: Firm Hand}}\n"
    )
    hand, groups = {"habit/steady-hand": {"name": "Feste Hand"}}, {"ruleset": {"groups": GROUPS}}
    write_language(game, hand)
    write_language(pack, groups)
    assert german(game, pack).entities["habit/steady-hand"].name == "Firm Hand"
    write_language(game, groups)
    write_language(pack, hand)
    assert german(game, pack).entities["habit/steady-hand"].name == "Feste Hand"


@pytest.mark.parametrize(
    ("text", "translated", "error"),
    [
        ("Your {$knack} is 1 higher.", "{$knack} ist um 1 höher.", ""),
        ("{ 2 * AGI } m, 2d6", "2W6, {2*AGI} m", ""),
        ("{1 + AGI | Step | Steps} left", "noch {1+AGI | Schritt | Schritte}", ""),
        ("Scores run to 9.", "Werte gehen bis 10.", 'the original has "9", this text does not'),
        ("Your {$knack} is higher.", "Höher.", 'the original has "{$knack}", this text does not'),
        ("Higher.", "Höher um {AGI}.", 'this text has "{AGI}", the original does not'),
        ("You are *Prone*.", "Du bist Liegend.", 'the original has "*", this text does not'),
        ("- One", "- Eins\n- Zwei", 'the original has "-" 1 time, this text 2'),
        ("- One\n- Two", "- Eins", 'the original has "-" 2 times, this text 1'),
        ("One", "<b>Eins</b>", "text can only use **bold** and *italic*"),
    ],
)
def test_figures_numbers_and_markup_are_those_of_the_original(
    text: str, translated: str, error: str
) -> None:
    found = error_in(text, translated)
    assert found.startswith(error) if error else found == ""


def test_check_lists_errors_with_their_lines(game: Path) -> None:
    path = write_language(
        game, {"habit/steady-hand": {**STEADY, "text": "Höher um 2.", "nam": "Ruhige Hand"}}
    )
    checked = check_pack(game)
    lines = path.read_text(encoding="utf-8").splitlines()
    (error,) = checked.errors
    assert error.file == path
    assert lines[error.line - 1].strip() == "text: Höher um 2."
    assert error.message == 'the original has "{$knack}", this text does not'
    gone = next(w for w in checked.warnings if "no text" in w.message)
    assert gone.message == "the pack has no text [habit/steady-hand, nam]"
    assert gone.nearest == "name"
    assert lines[gone.line - 1].strip() == "nam: Ruhige Hand"
    missing = [w.message for w in checked.warnings if w.message.startswith("not translated")]
    assert 'not translated: [habit/night-watch, name], "Night Watch"' in missing
    assert not any("[habit/steady-hand, name]" in message for message in missing)


def test_check_prints_one_warning_for_all_texts_that_a_file_lacks(game: Path) -> None:
    path = write_language(game, {"habit/steady-hand": STEADY})
    said = run_command("--lang", "de", "catalog", "check", game, folder=game).out
    set_language("en")
    (line,) = (line for line in said.splitlines() if "nicht übersetzt" in line)
    checked = check_pack(game)
    assert line.startswith(f"{path}:")
    lacking = [found for found in checked.warnings if isinstance(found, UntranslatedText)]
    assert f": Warnung: {len(lacking)} Texte sind nicht übersetzt: [" in line
    assert line.count("[") == 3
    assert line.endswith(f": charforge catalog translate {game} de.")
    assert said.splitlines()[-1].endswith("keine Fehler, 3 Warnungen")
    data = run_command("catalog", "check", game, "--json", folder=game).json
    assert [w["message"] for w in data["warnings"]] == [w.message for w in checked.warnings]


def test_a_text_with_an_error_is_shown_in_the_original(game: Path) -> None:
    write_language(game, {"habit/steady-hand": {"name": "Ruhige Hand", "text": "Höher um 2."}})
    habit = german(game).entities["habit/steady-hand"]
    assert habit.name == "Ruhige Hand"
    assert habit.text.startswith("You practise")


def test_a_pack_with_a_wrong_translation_is_not_installed(game: Path, packs_home: Path) -> None:
    write_language(game, {"habit/steady-hand": {"text": "Höher um 2."}})
    with pytest.raises(PackError) as refused:
        install(game)
    assert "{$knack}" in refused.value.problems[0].message
    write_language(game, {"habit/steady-hand": {"name": "Ruhige Hand"}})
    install(game)
    assert (packs_home / "toy" / "lang" / "de.yaml").is_file()


def test_everything_that_players_read_can_be_translated() -> None:
    names = {"name", "label", "plural", "short", "title", "text", "digest", "help", "say"}
    lost = [
        f"{model.__name__}.{field.key}"
        for model in pack_models().values()
        if not model.__module__.endswith((".sample", ".pack"))
        for field in annotated_fields(model)
        if field.key in names and not field.readable
    ]
    assert lost == []


# ------------------------------------------------------------------ for translators


def test_the_file_for_translators_has_every_text_and_keeps_what_is_there(game: Path) -> None:
    path = write_language(game, {})
    path.unlink()
    written = write_translation(game, "de")
    assert written.path == path
    assert written.missing == written.texts > 100
    text = path.read_text(encoding="utf-8")
    assert "habit/steady-hand:\n  #: Steady Hand\n  name:\n" in text
    text = text.replace("#: Steady Hand\n  name:\n", "# Wie im Lied.\n  name: Ruhige Hand\n")
    path.write_text(text + "habit/gone:\n  name: Weg\n", encoding="utf-8")
    again = write_translation(game, "de")
    assert again.missing == written.missing - 1
    kept = path.read_text(encoding="utf-8")
    assert "  # Wie im Lied.\n  #: Steady Hand\n  name: Ruhige Hand\n" in kept
    assert kept.endswith("habit/gone:\n  name: Weg\n")
    write_translation(game, "de")
    assert path.read_text(encoding="utf-8") == kept
    assert german(game).entities["habit/steady-hand"].name == "Ruhige Hand"


def test_translate_and_check_count_the_same_texts(game: Path) -> None:
    """The short name of a question that is also its id in words is one text."""
    head = game / "ruleset.yaml"
    text = head.read_text(encoding="utf-8")
    asked = "{id: post, do: choose,"
    assert text.count(asked) == 1
    head.write_text(text.replace(asked, f"{asked} short: Post,"), encoding="utf-8")
    written = write_translation(game, "de")
    found = [one for one in check_pack(game).warnings if isinstance(one, UntranslatedText)]
    assert written.missing == len(found)


def test_a_text_that_is_only_a_plural_can_be_translated(game: Path) -> None:
    more = (
        "entities: [{id: habit/candles, name: Candles, source: X, text: '{2 | candle | candles}'}]"
    )
    (game / "more.yaml").write_text(f"{more}\n", encoding="utf-8")
    path = write_translation(game, "de").path
    assert "  #: {2 | candle | candles}\n  text:\n" in path.read_text(encoding="utf-8")


def test_a_text_that_is_translated_once_is_filled_in_everywhere(game: Path) -> None:
    write_language(game, {"habit/steady-hand": {"source": "Gewohnheiten"}})
    write_translation(game, "de")
    rules = german(game)
    assert rules.entities["habit/morse"].source == "Gewohnheiten"


@pytest.mark.parametrize("language", ["../x", "", "deutsch", "DE"])
def test_a_language_is_a_code(game: Path, language: str) -> None:
    with pytest.raises(Exception, match="not the code of a language"):
        write_translation(game, language)


def test_long_texts_and_paragraphs_are_kept_as_they_are(game: Path) -> None:
    texts = {
        "name": "no: yes",
        "text": "Ein langer Satz, der nicht auf eine Zeile passt, steht auf mehreren. " * 3
        + "{$knack} 1",
    }
    write_language(game, {"habit/steady-hand": texts})
    for _again in range(2):
        write_translation(game, "de")
        habit = german(game).entities["habit/steady-hand"]
        assert (habit.name, habit.text) == (texts["name"], texts["text"])
