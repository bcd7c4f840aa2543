"""Values after every event equal those calculated from scratch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import State, find_unit
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.replay.replay import replay
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.verbs import manual_changes, play


def played(capital: Ruleset, seed: str) -> LoadedCharacter:
    """A character with a companion and a vehicle, hurt, tired, prone, raised, and rested."""
    answers = {"asset": "companion/land-beast"}
    plan = CharacterSpec(capital, seed, "Nix", 3, answers=answers)
    nix = replay_document(create_character(plan, RandomAnswers(seed)), capital)
    state = nix.character.state
    gift = manual_changes.draft_award(
        state, capital.entity("vehicle/bike"), 1, find_unit(state, None)
    )
    nix = manual_changes.award_entity(nix, gift, source=RandomAnswers(seed)).after
    for act in (
        lambda one: manual_changes.spend_resource(one, "energy", 2),
        lambda one: play.apply_damage(one, 5, "sharp"),
        lambda one: play.apply_damage(one, 6, "blunt", "land beast"),
        lambda one: play.apply_damage(one, 3, "heat", "bike"),
        lambda one: manual_changes.change_condition(one, "prone"),
        lambda one: manual_changes.change_condition(one, "prone", "land beast"),
        lambda one: play.apply_damage(one, 40, "sharp"),
        lambda one: play.start_or_end_turn(one),
        lambda one: manual_changes.change_condition(one, "prone", off=True),
        lambda one: play.apply_healing(one, 4),
        lambda one: play.take_rest(one, "full"),
    ):
        nix = act(nix).after
    return nix


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_every_figure_after_every_event_is_that_of_rules_without_a_cache(
    capital: Ruleset, seed: str
) -> None:
    nix = played(capital, seed)
    compared = set()
    uncached = replace(capital, entities=dict(capital.entities))

    def same(state: State) -> None:
        fresh = state.with_changes(ruleset=uncached)
        for unit in state.units:
            values, anew = state.values(unit.id), fresh.values(unit.id)
            for name in values.ids():
                assert values.explain(name) == anew.explain(name)
                assert values.base(name) == anew.base(name)
                compared.add((unit.id, name, values.total(name)))

    log = nix.document.log
    replay(capital, nix.document.answers, log=log, watch=lambda _event, _before, after: same(after))
    figures = {(unit, name) for unit, name, _figure in compared}
    assert len(compared) > len(figures) > 30  # many figures, of which some moved
    assert {unit for unit, _name in figures} == {unit.id for unit in nix.character.state.units}


def test_rules_made_of_others_share_nothing_that_was_worked_out(capital: Ruleset) -> None:
    capital.memo["mark"] = "of these rules"
    assert "mark" not in replace(capital, entities=dict(capital.entities)).memo
    del capital.memo["mark"]
