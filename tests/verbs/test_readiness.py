"""Available actions in every game: one ability per row, with reasons if unavailable."""

from __future__ import annotations

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import CharforgeError
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
