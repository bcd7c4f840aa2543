"""The same seed makes the same character in every language."""

from __future__ import annotations

import shutil

import pytest
import yaml

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.character.files.document import Document
from charforge.decisions.text_fields import WriteDecision
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.rules.loading import yaml_reader
from charforge.rules.loading.loader import built_in, load, load_folder
from charforge.rules.names import Translated
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from tests.samples import few
from tests.translations import write_pseudo

SMALL = "shields-biotics"  # of the built-in games the one with the fewest texts


def made(ruleset: Ruleset) -> Document:
    spec = CharacterSpec(ruleset, "7", "Nix", ruleset.head.advancement.maximum)
    return create_character(spec, RandomAnswers("7"))


@pytest.fixture(scope="module", params=few([SMALL, *sorted(built_in().keys() - {SMALL})], 1))
def translated(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """A built-in game in another language."""
    folder = tmp_path_factory.mktemp("translated") / request.param
    shutil.copytree(built_in()[request.param], folder)
    write_pseudo(folder)
    return load_folder(folder, language="de")


@pytest.fixture(scope="module")
def character(translated: Ruleset) -> Document:
    """A random character of the translated game."""
    return made(translated)


def test_a_seed_chooses_the_same_in_every_language(
    translated: Ruleset, character: Document
) -> None:
    one, other = made(load(translated.id)), character
    assert one.log == other.log
    assert one.character == other.character  # the summary has only ids and numbers


def test_examples_are_saved_as_the_pack_writes_them_and_shown_in_the_language(
    translated: Ruleset, character: Document
) -> None:
    replayed = replay_document(character, translated).character
    written = [one for one in replayed.asked if isinstance(one, WriteDecision)]
    for decision in written:
        answer = replayed.state.answers.get(decision.id)
        for example in decision.question.examples:
            assert isinstance(example, Translated)
            assert decision.canonical(str(example)) == example.original
            if answer == example.original:
                assert decision.answer_text(answer) == example
                assert decision.sheet_items(answer) == [example]


def test_the_questions_file_of_a_translated_game_is_yaml(translated: Ruleset) -> None:
    """Examples of answers can be translated texts of the pack."""
    assert yaml.safe_load(questions_file(translated, 2))["ruleset"] == translated.id


def test_a_translated_text_is_written_like_any_other() -> None:
    assert yaml_reader.yaml_line([Translated("Würfel: W6", "die: d6")]) == "['Würfel: W6']"
