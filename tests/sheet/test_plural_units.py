"""The unit of a number that a condition changes: one die of five dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.sheet.values import attributes, value_lines
from charforge.usecases.create import create_character
from charforge.verbs import play
from charforge.verbs.history import history_entries
from charforge.verbs.typed_inputs import TypedInputs

EXAMPLES = Path(__file__).parents[2] / "examples"


def made(game: str) -> LoadedCharacter:
    rules = load_folder(EXAMPLES / game)
    spec = CharacterSpec(rules, "1", "Ole")
    return replay_document(create_character(spec, RandomAnswers("1")), rules)


@pytest.mark.parametrize(
    ("total", "base", "number", "lasting"), [(1, 5, "1 die", "5 dice"), (2, 1, "2 dice", "1 die")]
)
def test_each_number_has_its_own_plural(total: int, base: int, number: str, lasting: str) -> None:
    score = attributes(made("cold-light").character.state.values(), ())[0]
    units = {1: "die"}
    changed = score._replace(
        total=total, base=base, full=None,
        unit=units.get(total, "dice"), other_unit=units.get(base, "dice"),
    )  # fmt: skip
    assert (changed.number, changed.lasting) == (
        number.replace(" ", "\N{NO-BREAK SPACE}"),
        "normally " + lasting.replace(" ", "\N{NO-BREAK SPACE}"),
    )
    assert score.other_unit == ("die" if score.base == 1 else "dice")


def test_a_number_is_explained_with_its_harder_targets() -> None:
    character = made("drowned-bell").character
    way = character.state.ruleset.way_to_roll("guns")
    assert way is not None
    first = next(value_lines(character, character.state.units[0], "guns"))
    total = character.state.values(CHARACTER).total("guns")
    assert first == f"Guns: {way.text(total)}"
    assert first.count("%") == 3


def test_a_reroll_is_told_in_the_words_of_its_roll() -> None:
    pushed = TypedInputs({"skill": "haul", "pushed": "1"})
    rolled = play.roll_check(made("cold-light"), "haul", typed=pushed).after
    text = [entry.text for entry in history_entries(rolled)][-1]
    assert "Your dice, again" in text
    assert "own" not in text
