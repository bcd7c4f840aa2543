"""Available actions in every game: one ability per row, with reasons if unavailable."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER, State
from charforge.character.state_changes import change_resource
from charforge.errors import CharforgeError, RuleRefusal
from charforge.procedures import abilities
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import built_in, load
from charforge.usecases.create import create_character
from charforge.verbs import play
from charforge.verbs.lookup import find_ability
from charforge.verbs.typed_inputs import TypedInputs
from charforge.verbs.unit_status import ability_rows


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
                    abilities.refuse_before_inputs(now, row.ability)
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
            abilities.refuse_before_inputs(exhausted(opened.character.state), rows[name].ability)
        assert refused.value.reason == reason
