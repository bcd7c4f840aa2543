"""Creation: typed values, their bounds, and random characters."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import CharforgeError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import replay_document
from charforge.usecases.create import create_character
from tests.samples import few


def test_what_was_typed_in(adept):
    names = ("toughness", "armor", "pace", "parry", "max_shield", "shield", "markers", "wounds")
    assert [adept[name] for name in names] == [8, 2, 6, 5, 3, 3, 0, 0]


def test_attributes_and_skills_are_called_as_the_player_calls_them(adept):
    held = [holding.name for holding in adept.state.holdings]
    assert held == ["Agility", "Spirit", "Throw/Pull", "Shooting", "Warp"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"armor": 9},  # more than all of Toughness 8
        {"toughness": 0},
        {"shield": 21},
        {"shield": -1},
        {"attributes.own.sides": "d20"},
        {"skills.own.cd": 21},
        {"skills.own.name": " "},
        {"barrier": "maybe"},
    ],
)
def test_what_is_out_of_bounds(make, wrong):
    with pytest.raises(CharforgeError):
        make(wrong)


@pytest.mark.parametrize("die", ["d4", "d6", "d8", "d10", "d12"])
def test_every_die(sit, die):
    """The highest face, and none above it."""
    sides = int(die[1:])
    table = sit({"skills.own.sides": die})
    assert table("skill-roll", {"own": [[sides]]}, attribute="skills.own", vs=4)["result"] == sides
    with pytest.raises(CharforgeError):
        table("skill-roll", {"own": [[sides + 1]]}, attribute="skills.own", vs=4)


@pytest.mark.parametrize("seed", few(range(20), 2, slow=10))
def test_random_characters_are_legal(biotics, seed):
    chance = RandomAnswers(f"seed {seed}")
    made = replay_document(
        create_character(CharacterSpec(biotics, f"seed {seed}", "Chance"), chance), biotics
    )
    assert not made.problems
    assert not made.character.open
    assert {"toughness", "shield", "barrier", "skills"} <= set(chance.examples)
