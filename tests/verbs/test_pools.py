"""Pools in play: faces typed by number or symbol, recorded and rerolled."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.character.files.events import ProcedureEvent
from charforge.errors import ProcedureError
from charforge.procedures.inputs import read_symbol_faces
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.verbs import play
from charforge.verbs.history import history_entries, undo
from charforge.verbs.typed_inputs import TypedInputs, possible_inputs

Diver = Callable[..., LoadedCharacter]


@pytest.mark.parametrize(
    ("typed", "faces"),
    [
        ("4", (4,)),
        ("1, 4 6", (1, 4, 6)),
        ("tide", (5,)),
        ("Pearl + Tide", (4,)),
        ("tide+pearl, blank, pearl + pearl", (4, 1, 3)),
        ("moon, 2", (6, 2)),
    ],
)
def test_a_face_is_typed_by_its_number_or_its_symbols(reef, typed, faces):
    assert read_symbol_faces(reef, reef.symbol_dice["fin"], typed) == faces


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("perl", 'there is no symbol "perl"; did you mean pearl?'),
        ("pearl + lune", 'there is no symbol "lune"'),
        ("moon + moon", "Fin has no face with moon + moon"),
        ("weed", "Fin has no face with weed"),
    ],
)
def test_what_no_face_shows_is_refused(reef, typed, why):
    with pytest.raises(ValueError, match=r"no symbol|no face") as refused:
        read_symbol_faces(reef, reef.symbol_dice["fin"], typed)
    assert str(refused.value) == why


def test_dice_are_given_by_their_roll_and_kept_by_it(diver: Diver):
    said = TypedInputs({"check.fin": "moon, 2, blank", "check.wave": "weed"})
    done = play.use_named(diver(nerve=3), "dive", typed=said)
    assert done.outputs == {"check_pearl": 1, "check_tide": 0, "check_moon": 1, "won": 1}
    kept = done.after.document.log[-1]
    assert isinstance(kept, ProcedureEvent)
    assert kept.faces == {"check.fin": [[6, 2, 1]], "check.wave": [[2]]}


def test_dice_are_given_by_the_name_of_the_die_too(diver: Diver):
    done = play.use_named(
        diver(nerve=2), "dive", typed=TypedInputs(dice={"fin": (3, 3), "wave": (1,)})
    )
    assert done.outputs["check_pearl"] == 4


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (TypedInputs({"check.fim": "1"}), ("check.fim", "there is no such input; did you mean")),
        (TypedInputs({"check.fin": "7"}), ("check.fin", "7 is not a face of 1dfin (1 to 6)")),
        (TypedInputs({"check.fin": "wead"}), ("check.fin", 'there is no symbol "wead"; did you')),
        (TypedInputs({"check.storm": "1"}), ("check.storm", "there is no such input")),
    ],
)
def test_dice_that_cannot_be_are_refused(diver: Diver, said, problem):
    with pytest.raises(ProcedureError) as refused:
        play.use_named(diver(nerve=1), "dive", typed=said)
    ((name, why),) = refused.value.problems
    assert name == problem[0]
    assert why.startswith(problem[1])


def test_a_log_with_a_pool_is_replayed_the_same(diver: Diver):
    """A pool that chills, a stroke, a bite: again from the file, undone and made again."""
    opened = diver(nerve=4)
    lost = TypedInputs({"waves": "9", "check.wave": "3,3,3,3,3,3,3,3,3"})
    after = play.use_named(opened, "dive", typed=lost).after
    assert after.character.state.values().base("chill") == 1
    for rule in ("stroke", "bite", "dive"):
        after = play.use_named(after, rule).after
    again = replay_document(after.document, after.ruleset)
    assert again.character.state == after.character.state
    undone = undo(after).after
    assert play.use_named(undone, "dive").after.document.log == after.document.log


def test_history_says_what_dice_showed(diver: Diver):
    said = TypedInputs(
        {"waves": "2", "check.fin": "moon, pearl + tide, blank", "check.wave": "2,4"}
    )
    after = play.use_named(diver(nerve=3), "dive", typed=said).after
    assert [one.text for one in history_entries(after)][-1] == (
        "A dive (How rough? 2; dice: Fin Moon / Pearl + Tide / blank, Wave Weed / Weed + Tide)"
    )


def test_a_pool_can_be_told_die_by_die(reef):
    dive = reef.procedures["dive"]
    told = possible_inputs(reef, dive.label, dive.inputs, dive.steps)
    assert [roll.name for roll in told.rolls] == ["check.fin", "check.wave"]
