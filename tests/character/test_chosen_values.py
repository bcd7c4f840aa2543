"""Changes of the values that a list of answers names, and variables that no step has set."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.usecases.create import create_character
from charforge.verbs import odds
from charforge.verbs.typed_inputs import TypedInputs

GAME = """
id: harbourers
name: The Harbourers
version: 1.0.0
book: The Harbourers
values:
  - {id: row, label: Row, name: Row, group: skills}
  - {id: swim, label: Swim, name: Swim, group: skills}
  - {id: dive, label: Dive, name: Dive, group: skills}
  - {id: safe_row, label: Safe row, name: Safe rowing}
  - {id: safe_swim, label: Safe swim, name: Safe swimming}
  - {id: safe_dive, label: Safe dive, name: Safe diving}
groups: {skills: Skills}
units:
  - id: diver
    label: Diver
    values:
      row: {formula: 0}
      swim: {formula: 0}
      dive: {formula: 0}
      safe_row: {formula: 0}
      safe_swim: {formula: 0}
      safe_dive: {formula: 0}
kinds:
  - {id: rule, label: Rule, plural: Rules}
  - {id: trade, label: Trade, plural: Trades}
sections: [{id: you, label: You}]
creation:
  - {id: trade, do: choose, section: you, label: Your trade?, among: {kind: trade}}
"""
PAGE = """
entities:
  - {id: rule/water, name: Water, source: Rules}
  - id: trade/diver
    name: Diver
    source: Trades
    choices:
      - {id: skills, do: choose, label: Which two?, count: 2, among: {values: skills}}
    modifies: [{value: $skills, amount: 2}, {value: safe_$skills, amount: 1}]
procedures:
  - id: dip
    label: Dip
    source: rule/water
    inputs:
      - {id: cold, label: Cold?, type: flag, default: 0}
      - {id: lamp, label: Light, type: amount, default_word: 1d4}
    steps:
      - {do: roll, id: light, figure: lamp, when: not cold}
      - {do: roll, id: chill, dice: 1d6, when: cold}
      - {do: let, id: found, to: "max(light, chill) + count(chill_dice, 6)"}
    outputs: [{id: found, label: Found}]
"""


@pytest.fixture
def diver(tmp_path: Path) -> LoadedCharacter:
    """A diver who rows and dives."""
    (tmp_path / "ruleset.yaml").write_text(GAME, "utf-8")
    (tmp_path / "page.yaml").write_text(PAGE, "utf-8")
    rules = load_folder(tmp_path)
    answers = {"trade": "trade/diver", "trade.skills": ["row", "dive"]}
    made = create_character(CharacterSpec(rules, "1", "Ada", answers=answers))
    return replay_document(made, rules)


def test_a_change_of_a_choice_counts_for_every_value_that_was_chosen(
    diver: LoadedCharacter,
) -> None:
    values = diver.character.state.values()
    assert [values.total(name) for name in ("row", "swim", "dive")] == [2, 0, 2]
    assert [values.total(f"safe_{name}") for name in ("row", "swim", "dive")] == [1, 0, 1]


@pytest.mark.parametrize(("cold", "mean"), [("0", 2.5), ("1", 3.5 + 1 / 6)])
def test_a_variable_that_no_step_has_set_is_0(
    diver: LoadedCharacter, cold: str, mean: float
) -> None:
    subject = odds.find_odds_subject(diver, "dip")
    result = odds.calculate_odds(subject, TypedInputs({"cold": cold}))
    assert float(result.cases[0][0].chances.mean) == pytest.approx(mean)


def test_a_number_of_an_item_is_not_0_although_a_step_has_its_name(tmp_path: Path) -> None:
    """Nobody says which item is used when there is no character: its number is asked for."""
    (tmp_path / "ruleset.yaml").write_text(GAME, "utf-8")
    lantern = "    figures: [{id: light, label: Light, formula: 3}]\n    choices:\n"
    (tmp_path / "page.yaml").write_text(PAGE.replace("    choices:\n", lantern), "utf-8")
    variables = load_folder(tmp_path).step_variables
    assert ("light" in variables, variables["chill"]) == (False, "roll")
