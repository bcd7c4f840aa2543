"""Units out of play gain no levels and buy nothing until that is undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import FILE, RuleRefusal
from charforge.procedures.abilities import all_abilities
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.level_up import LevelUp
from charforge.verbs import inventory, manual_changes, play
from charforge.verbs.change import refuse_out_of_play
from charforge.verbs.history import undo
from tests.narrative_dice.conftest import ANSWERS

DEAD = "Nix is Dead and permanently out of play"


@pytest.fixture(scope="module")
def nix(capital: Ruleset) -> LoadedCharacter:
    """A character of Level 2 with a vehicle of its first."""
    given = {"money": 300, "asset": "vehicle/bike"}
    plan = CharacterSpec(capital, "7", "Nix", 2, answers=given)
    return replay_document(create_character(plan, RandomAnswers("7")), capital)


def test_the_dead_rise_no_more_and_buy_nothing(nix: LoadedCharacter) -> None:
    dead = manual_changes.change_condition(nix, "dead").after
    vehicle = nix.character.state.units[1]
    for act in (
        lambda: LevelUp(dead, 3).check(),
        lambda: LevelUp(dead, 2, vehicle).check(),
        lambda: inventory.read_purchase(dead, "torch", price=0),
        lambda: play.roll_check(dead, "str", 5),
    ):
        with pytest.raises(RuleRefusal, match=DEAD) as met:
            act()
        assert met.value.command == ("condition", FILE, "dead", "off")
    for alive in (
        nix,
        undo(dead).after,
        manual_changes.change_condition(dead, "dead", off=True).after,
    ):
        LevelUp(alive, 3).check()
        assert inventory.read_purchase(alive, "torch", price=0).quantity == 1


def test_what_is_gone_is_the_unit_s_own(nix: LoadedCharacter) -> None:
    vehicle = nix.character.state.units[1]
    gone = manual_changes.change_condition(nix, "dead", unit_id=vehicle.id).after
    LevelUp(gone, 3).check()
    assert inventory.read_purchase(gone, "torch", price=0).quantity == 1
    for act in (
        lambda: LevelUp(gone, 2, vehicle).check(),
        lambda: inventory.read_purchase(gone, "torch", price=0, unit_id=vehicle.id),
    ):
        with pytest.raises(RuleRefusal, match=f"{vehicle.name} is Dead") as met:
            act()
        assert met.value.command[-4:] == ("dead", "off", "--unit", vehicle.name)


def test_a_death_that_follows_from_figures_is_only_undone() -> None:
    """Unconscious at 0 Stamina is death (ruling N6): a blow says so, else it holds by itself."""
    rules = load("narrative-dice")
    plan = CharacterSpec(rules, "m", "Maren", 1, answers=dict(ANSWERS))
    maren = replay_document(create_character(plan, RandomAnswers("m")), rules)
    out = manual_changes.spend_resource(
        manual_changes.change_condition(maren, "unconscious").after, "stamina", 5
    ).after
    refuse_out_of_play(out)
    for dead in (
        manual_changes.spend_resource(out, "stamina", 1).after,
        play.apply_damage(out, 90).after,
    ):
        with pytest.raises(RuleRefusal, match="Maren is Dead") as met:
            refuse_out_of_play(dead)
        assert met.value.advice == "Undo the change that caused it."


def test_who_is_out_of_play_uses_nothing_although_no_formula_bars_it() -> None:
    """In Cinderwell, Dead only ends play."""
    rules = load_folder(Path(__file__).parents[2] / "examples" / "cinderwell")
    cin = replay_document(
        create_character(CharacterSpec(rules, "1", "Cin"), RandomAnswers("1")), rules
    )
    weapon = next(one.name for one in all_abilities(cin.character.state) if one.attack is not None)
    assert play.use_named(cin, weapon).after.document.log[-1].group == 2
    dead = manual_changes.award_resource(cin, "wounds", 3, cin.character.state.units[0]).after
    with pytest.raises(RuleRefusal, match="you cannot use anything while Dead"):
        play.use_named(dead, weapon)
