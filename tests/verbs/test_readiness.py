"""Available actions in every game: one ability per row, with reasons if unavailable."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER, State
from charforge.character.state_changes import change_resource
from charforge.errors import FILE, CharforgeError, RuleRefusal
from charforge.procedures import use
from charforge.procedures.abilities import all_abilities
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import built_in, load, load_folder
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.level_up import LevelUp
from charforge.verbs import inventory, manual_changes, play
from charforge.verbs.change import refuse_out_of_play
from charforge.verbs.history import undo
from charforge.verbs.lookup import find_ability
from charforge.verbs.typed_inputs import TypedInputs
from charforge.verbs.unit_status import ability_rows
from tests.narrative_dice.conftest import ANSWERS


def random_character(game: str, seed: str) -> LoadedCharacter:
    ruleset, answers = load(game), RandomAnswers(seed)
    spec = CharacterSpec(ruleset, seed, answers.name(ruleset.head.names))
    return replay_document(create_character(spec, answers), ruleset)


@pytest.mark.parametrize("seed", ["1", "2", "3"])
@pytest.mark.parametrize("game", sorted(built_in()))
def test_each_row_means_one_ability_and_one_that_is_not_ready_is_refused(game, seed):
    opened = random_character(game, seed)
    state = opened.character.state
    for unit in state.units:
        rows = ability_rows(state, unit.id)
        assert [row.is_attack for row in rows] == sorted(row.is_attack for row in rows)[::-1]
        for row in rows:
            source, _option, key = row.words
            assert find_ability(state, unit.id, source, key) == row.ability
            if row.reasons:
                with pytest.raises(CharforgeError):
                    play.use_named(opened, source, key, unit_id=unit.id, typed=TypedInputs())


def test_a_row_has_timing_cost_and_the_reason_against_it():
    opened = random_character("capital", "7")
    rows = {row.name: row for row in ability_rows(opened.character.state, "character")}
    unarmed = rows["Unarmed"]
    assert (unarmed.is_attack, unarmed.common, unarmed.reasons) == (True, False, ())
    assert unarmed.facts[0].startswith("Melee, +")
    assert rows["Move"].common
    focus = rows["Focus I: Gain Focus"]
    assert focus.facts == ("Instant", "1 Energy", "Cooldown 5+")
    used = play.use_named(opened, *focus.words[::2]).after
    again = {row.name: row for row in ability_rows(used.character.state, "character")}
    assert again["Focus I: Gain Focus"].reasons == ("on cooldown",)
    assert rows["Focus I: Extra Action"].reasons == ("only during Focus",)
    assert again["Focus I: Extra Action"].reasons == ()


def exhausted(state: State) -> State:
    """Return a state in which every resource of the character is as low as it can be."""
    for name, computed in state.unit(CHARACTER).type.values.items():
        if computed.resource:
            state, _by = change_resource(state, CHARACTER, name, -1000)
    return state


@pytest.mark.parametrize("game", sorted(built_in()))
def test_what_is_listed_as_ready_is_not_refused_before_anything_is_asked(game):
    state, tried = random_character(game, "1").character.state, 0
    for now in (state, exhausted(state)):
        for unit in now.units:
            for row in ability_rows(now, unit.id):
                if not row.reasons:
                    use.refuse_before_inputs(now, row.ability)
                    tried += 1
    assert tried


def test_what_the_first_step_refuses_is_not_ready_and_is_refused_before_anything_is_asked():
    """In Critical Condition you can attack, but not Prepare, take Overwatch or Grapple."""
    opened = random_character("capital", "7")
    rows = {row.name: row for row in ability_rows(exhausted(opened.character.state), CHARACTER)}
    assert rows["Unarmed"].reasons == ()
    for name, reason in (
        ("Prepare", "In Critical Condition you cannot Prepare."),
        ("Overwatch", "In Critical Condition you cannot take Overwatch."),
        ("Grapple", "In Critical Condition you cannot Grapple."),
    ):
        assert rows[name].reasons == (reason,)
        with pytest.raises(RuleRefusal) as refused:
            use.refuse_before_inputs(exhausted(opened.character.state), rows[name].ability)
        assert refused.value.reason == reason


# ------------------------------------------------------------------ out of play


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
