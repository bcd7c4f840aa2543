"""What if: recorded play after another choice, with the same dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.errors import AnswerError, MissingAnswers, UnknownId, UnusedAnswers
from charforge.procedures.inputs import read_faces
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, load_document, replay_document
from charforge.usecases.create import create_character
from charforge.usecases.luck import what_if
from charforge.verbs import inventory, play
from charforge.verbs.typed_inputs import TypedInputs

LANCER = {
    "role": "role/the-lancer",
    "role.plus": "str",
    "role.weapon": "equipment/auto-rifle",
    "innate": [],
}


@pytest.fixture
def nix(capital) -> LoadedCharacter:
    """A Lancer with +1 STR, who could have had +1 VSN, and an Auto Rifle in hand."""
    spec = CharacterSpec(capital, "7", "Nix", answers=LANCER)
    document = create_character(spec, RandomAnswers("7"))
    loaded = load_document(document, Path("nix.json"), capital)
    return inventory.hold_items(loaded, ["auto rifle"]).after


def vision(nix: LoadedCharacter) -> int:
    """Return the Vision of a character."""
    return nix.character.state.values().total("vsn")


def typed(against: int, own: str, theirs: str) -> TypedInputs:
    """Return a score to reach and the dice of both sides."""
    return TypedInputs(
        {"vs": str(against)}, dice={"own": read_faces(own), "theirs": read_faces(theirs)}
    )


def check(nix: LoadedCharacter, against: int) -> LoadedCharacter:
    """Roll a Vision check in which both sides roll 7."""
    return play.roll_check(nix, "vsn", against, typed=typed(against, "3 4", "3 4")).after


def test_a_check_that_fails_by_one_would_be_a_tie(nix):
    """Both roll 7 and the other score is 1 higher. With +1 VSN it is a tie, which succeeds."""
    result = what_if(check(nix, vision(nix) + 1), {"role.plus": "vsn"})
    (event,) = result.events
    changed = {one.label: (one.was, one.would_be) for one in event.results}
    total = vision(nix) + 7
    assert changed["Result"] == (str(total), str(total + 1))
    assert changed["Margin"] == ("−1", "0")
    assert changed["Success"] == ("no", "yes")
    assert result.unknown is None
    assert {(d.id, d.new - d.old) for d in result.start if d.topic == "value"} >= {
        ("str", -1),
        ("vsn", 1),
    }
    # A failed check gives 1 Grit; a tie does not.
    assert [(d.id, d.old, d.new) for d in result.end if d not in result.start] == [("grit", 1, 0)]
    assert event.consequences == ("Grit 1 → 0",)
    assert result.compared == 1


def test_a_miss_that_would_hit_needs_dice_that_nobody_rolled(nix):
    """7 + VSN + 2 (Training) misses by 1 against VSN + 3. With +1 VSN it hits, without Shots."""
    attack = typed(vision(nix) + 3, "3 4", "3 4")
    missed = play.use_named(nix, "auto rifle", "50m", typed=attack).after
    assert missed.document.log[-1].faces.keys() == {"own", "theirs"}
    result = what_if(check(missed, 3), {"role.plus": "vsn"})
    assert result.unknown is not None
    assert result.unknown.number == missed.document.log[-1].group
    assert "Shots: no roll of 1d6 is recorded for it" in result.unknown.reason
    assert (result.compared, result.events) == (0, ())


@pytest.mark.parametrize("decision", ["role.plus", "attributes.assign", "money", "role", "innate"])
def test_the_same_answer_changes_nothing(nix, decision):
    played = check(check(nix, vision(nix) + 1), 3)
    result = what_if(played, {decision: played.character.state.answers[decision]})
    assert (result.start, result.events, result.unknown, result.end) == ((), (), None, ())
    assert result.compared == 2


def test_what_the_rules_forbid_is_refused(nix):
    with pytest.raises(AnswerError, match="Agility"):
        what_if(nix, {"role.plus": "agi"})
    with pytest.raises(UnknownId):
        what_if(nix, {"colour": "red"})


def test_decisions_that_the_choice_opens_must_be_answered(nix):
    other = {"role": "role/the-sentinel"}
    with pytest.raises((AnswerError, MissingAnswers)):
        what_if(nix, other)
    with pytest.raises(UnusedAnswers):
        what_if(nix, {"role.plus": "vsn", "role.unknown": "x"})


def test_events_that_have_no_effect_are_left_out(nix):
    """A System used in play is gone after an edit; such an event is neither compared nor run."""
    played = check(nix, vision(nix) + 1)
    event = played.document.log[-1].model_copy(update={"unit": "companion"})
    log = (*played.document.log[:-1], event)
    gone = replay_document(played.document.model_copy(update={"log": log}), played.ruleset)
    assert gone.character.dormant
    result = what_if(gone, {"role.plus": "vsn"})
    assert (result.compared, result.events, result.unknown) == (0, (), None)
