"""An attack that names its own weapon as an item, and a condition that is about it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state_changes import add_condition
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.usecases.create import create_character
from charforge.verbs import inventory, manual_changes, play
from charforge.verbs.unit_status import ability_rows

COLD_LIGHT = Path(__file__).parents[2] / "examples" / "cold-light"
BREAKS = "      - {do: put, condition: status/damaged, about: $item, when: item_given}\n"


@pytest.fixture
def ole(tmp_path: Path) -> LoadedCharacter:
    """A hunter with a rifle and an axe, in a game whose weapons lose a die with each attack."""
    folder = Path(shutil.copytree(COLD_LIGHT, tmp_path / "cold-light"))
    page = folder / "rules.yaml"
    text = page.read_text(encoding="utf-8")
    damage = '      - {id: damage, label: "How much damage does a hit deal?", type: amount}\n'
    weapon = "      - {id: item, label: Weapon, type: item, kind: tool, optional: true}\n"
    judged = "      - {do: judge, id: sixes, roll: own, by: pool}\n"
    less = "modifies: [{attacks: roll, amount: -1}, "
    more = f"{less}{{attacks: damage, dice: 1d6}}, "
    for old, new in ((damage, damage + weapon), (judged, judged + BREAKS), (less, more)):
        assert text.count(old) == 1
        text = text.replace(old, new)
    text = text.replace("grants: [tool/rifle]", "grants: [tool/rifle, tool/axe]")
    page.write_text(text, encoding="utf-8")
    rules = load_folder(folder)
    spec = CharacterSpec(rules, "1", "Ole", answers={"post": "post/hunter"})
    made = replay_document(create_character(spec, RandomAnswers("1")), rules)
    return inventory.hold_items(made, ["rifle", "axe"]).after


def rolls(opened: LoadedCharacter) -> list[int]:
    """The dice of each attack, as the list of what can be used has them."""
    facts = [row.facts[0].split(", ") for row in ability_rows(opened.character.state, "character")]
    return [int(word.split()[0]) for words in facts for word in words if word.endswith("dice")]


def test_an_attack_knows_its_weapon_and_one_that_is_damaged_rolls_less(
    ole: LoadedCharacter,
) -> None:
    rifle, axe = rolls(ole)
    once = play.use_named(ole, "rifle").after
    assert once.character.state.condition_amount("character", "status/damaged") == 1
    assert rolls(once) == [rifle - 1, axe]
    twice = play.use_named(once, "rifle").after
    assert rolls(twice) == [rifle - 2, axe]
    assert rolls(play.use_named(twice, "axe").after) == [rifle - 2, axe - 1]
    recorded = replay_document(twice.document, twice.ruleset)
    assert rolls(recorded) == rolls(twice)


def test_its_damage_gains_dice_for_each_time_that_the_condition_counts(
    ole: LoadedCharacter,
) -> None:
    twice = play.use_named(play.use_named(ole, "rifle").after, "rifle").after.character.state
    tools = [one for one in twice.holdings if one.entity.id in ("tool/rifle", "tool/axe")]
    gained = {
        tool.entity.id: [*twice.values().damage_dice(tool.entity, {}, tool.id)] for tool in tools
    }
    assert gained == {"tool/rifle": [("1d6", "status/damaged")] * 2, "tool/axe": []}


def test_equal_items_are_told_apart_in_the_list_of_what_can_be_used(ole: LoadedCharacter) -> None:
    state, rifle = ole.character.state, ole.ruleset.entities["tool/rifle"]
    awarded = manual_changes.draft_award(state, rifle, 1, state.units[0])
    two = manual_changes.award_entity(ole, awarded).after
    names = [row.name for row in ability_rows(two.character.state, "character")]
    assert sorted(names) == ["Ice axe", "Old rifle", "Old rifle (2)"]


def test_a_condition_about_an_item_has_its_name(ole: LoadedCharacter) -> None:
    state, damaged = ole.character.state, ole.ruleset.entities["status/damaged"]
    axe = next(held for held in state.holdings if held.entity.id == "tool/axe")
    (condition,) = add_condition(state, "character", damaged, about=axe.id).conditions
    assert (condition.about, condition.subject) == (axe.id, "Ice axe")
