"""The measures of the games in examples/, worked by hand for the characters of their samples."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from charforge.odds import Chances
from charforge.packs import install
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document
from charforge.usecases.advise import advisable_choices, advise_choice, find_choice
from charforge.usecases.create import create_character
from charforge.usecases.measures import rounds_until, typical_measures
from tests.source import EXAMPLES


def sample(game: str, name: str) -> LoadedCharacter:
    """Return the character of a sample."""
    rules = install.load_checked(EXAMPLES / game).ruleset
    text = (EXAMPLES / game / "tests" / f"{name}.yaml").read_text(encoding="utf-8")
    spec = CharacterSpec(rules, "7", "Nix", answers=yaml.safe_load(text)["answers"])
    return load_document(create_character(spec), Path("nix.json"), rules)


def amounts(opened: LoadedCharacter) -> dict[str, Fraction | None]:
    """Return the measures of a character."""
    measures = typical_measures(opened.ruleset)
    assert measures is not None
    return {name: found.amount for name, found in measures.amounts(opened.character.state).items()}


def test_cinderwell_measures_damage_hits_and_saves():
    assert amounts(sample("cinderwell", "digger")) == {
        "damage": Fraction(9, 2),  # a Maul: 1d10 − Armour 1, so 0 to 9
        "lost": 0,  # 6 − Armour 2 = 4, all of it from Guard 4
        "wound": 0,
        "dodge": Fraction(14, 20),  # QUICK 14
        "dare": Fraction(7, 20),  # NERVE 7
    }


def test_the_long_stair_measures_attacks_of_both_sides():
    found = amounts(sample("long-stair", "warden"))
    # Melee +4 against Defence 14: 10 to 20 hit. A 20 deals 1d8 + 3 twice.
    assert found["hit"] == Fraction(11, 20)
    assert found["damage"] == Fraction(11, 20) * Fraction(15, 2) + Fraction(1, 20) * Fraction(15, 2)
    # Melee +3 against Defence 15: 12 to 19 deal 1d8, and 20 deals 2d8. 13 hit points.
    dealt = {0: Fraction(11, 20)}
    for one in range(1, 9):
        dealt[one] = dealt.get(one, Fraction(0)) + Fraction(8, 20) / 8
        for two in range(1, 9):
            dealt[one + two] = dealt.get(one + two, Fraction(0)) + Fraction(1, 20) / 64
    assert sum(dealt.values()) == 1
    assert found["survival"] == rounds_until(Chances(dealt), 13)


def test_the_night_post_measures_moves_and_harm():
    assert amounts(sample("night-post", "candle")) == {
        # With the stamp that the best choice spends for +1, as odds assumes, too.
        "full-stride": Fraction(6, 36),  # 2d6 − 1 + 1
        "full-tact": Fraction(15, 36),  # 2d6 + 1 + 1
        "full-nerve": Fraction(10, 36),  # 2d6 + 1
        "full-lamp": Fraction(26, 36),  # 2d6 + 3 + 1
        "taken": 2,
    }


@pytest.mark.parametrize(
    ("game", "name", "choice"),
    [
        ("cinderwell", "digger", "scores"),  # a swap of two scores
        pytest.param("long-stair", "warden", "abilities", marks=pytest.mark.slow),
        ("night-post", "candle", "playbook"),
        pytest.param("cinderwell", "digger", "", marks=pytest.mark.slow),  # the next Descent
        ("night-post", "candle", ""),
    ],
)
def test_what_options_share_is_calculated_as_if_each_were_the_only_one(game, name, choice):
    opened = sample(game, name)
    trial = find_choice(opened, choice) if choice else advisable_choices(opened)[0]
    measures = typical_measures(opened.ruleset)
    assert measures is not None
    advice = advise_choice(trial, measures)
    assert any(row.changed for row in advice.options)
    for row in advice.options:
        fresh = typical_measures(opened.ruleset)
        assert fresh is not None
        found = fresh.amounts(trial.character(row.answer).state)
        expected = {name: measured.amount for name, measured in found.items()}
        assert {change.measure.id: change.after for change in row.measures} == expected, row.label
