"""A choice of which the rules close every option: said so, with the reasons."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.cli.messages import error_message
from charforge.decisions.base import MISSING
from charforge.errors import MissingAnswers, NoOptionLeft
from charforge.packs import install
from charforge.packs.scaffold import new_ruleset
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading import loader
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.level_up import level_up_character
from tests.samples import law
from tests.source import EXAMPLES

# The game that `catalog new --game` writes has four talents, and asks for one at each level.
LEVELS, TALENTS = 6, 4


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    folder = tmp_path_factory.mktemp("packs") / "small-game"
    new_ruleset(folder)
    head = folder / "ruleset.yaml"
    text = head.read_text(encoding="utf-8")
    assert text.count("maximum: 3\n") == 1
    head.write_text(text.replace("maximum: 3\n", f"maximum: {LEVELS}\n"), encoding="utf-8")
    return loader.load_folder(folder)


def at_level(game: Ruleset, level: int) -> LoadedCharacter:
    spec = CharacterSpec(game, "7", "Robin", level)
    return replay_document(create_character(spec, RandomAnswers("7")), game)


def test_a_random_character_of_a_level_without_options_is_refused(game: Ruleset) -> None:
    assert at_level(game, TALENTS).character.legal
    with pytest.raises(NoOptionLeft) as refused:
        at_level(game, LEVELS)
    closed = [name for name, _why in refused.value.decisions]
    assert closed == ["Level 5: Talent", "Level 6: Talent"]
    message = error_message(refused.value)
    assert "Level 5: Talent: " in message
    assert "already taken (not Repeatable)" in message
    assert "stop at a lower level" in message


@pytest.mark.parametrize("source", [RandomAnswers("7"), lambda _decision: MISSING])
def test_a_level_up_without_options_is_refused(game: Ruleset, source) -> None:
    opened = at_level(game, TALENTS)
    answers = {"level.5.health": [[2]]}
    with pytest.raises(NoOptionLeft):
        level_up_character(opened, 5, answers, source)


@pytest.fixture(scope="module")
def night_post() -> Ruleset:
    return install.load_checked(EXAMPLES / "night-post").ruleset


@law(examples=60, few=10)
@given(seed=st.integers(0, 10**6))
def test_chance_ends_at_the_top_level(night_post: Ruleset, seed: int) -> None:
    top = night_post.head.advancement.maximum
    spec = CharacterSpec(night_post, str(seed), "Ilse", top)
    made = replay_document(create_character(spec, RandomAnswers(str(seed))), night_post)
    assert (made.document.level, made.character.legal) == (top, True)


def test_open_choices_with_an_option_are_only_missing(game: Ruleset) -> None:
    with pytest.raises(MissingAnswers):
        create_character(CharacterSpec(game, "7", "Robin", 1))
