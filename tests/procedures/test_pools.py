"""Pools of symbol dice: counted, cancelled, rolled in procedures and recorded.

The reef's dice: Fin 1 –, 2 P, 3 PP, 4 P tide, 5 tide, 6 moon (a Pearl too); Wave 1 –, 2 W, 3 WW,
4 W tide; Storm 1 W, 2 WW. Pearls and Weeds cancel each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, strategies as st

from charforge.errors import ProcedureError
from charforge.expressions.dice import Dice
from charforge.procedures import inputs, run as procedures
from charforge.procedures.context import RunSettings
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset

Diver = Callable[..., LoadedCharacter]
Faces = dict[str, list[int]]
FACES: Mapping[str, int] = {"fin": 6, "wave": 4, "storm": 2}
ROLLS = st.fixed_dictionaries(
    {name: st.lists(st.integers(1, most), max_size=6) for name, most in FACES.items()}
)


def left(reef: Ruleset, rolled: Faces) -> dict[str, int]:
    """Return what is left of dice that show these faces."""
    found: Counter[str] = Counter()
    for name, faces in rolled.items():
        found += inputs.count_symbols(reef.symbol_dice[name], faces)
    return inputs.net_symbols(reef, found)


@pytest.mark.parametrize(
    ("rolled", "expected"),
    [
        ({}, {"pearl": 0, "weed": 0, "tide": 0, "moon": 0}),
        # 2 + 1 Pearls less 1 Weed; a tide of each
        ({"fin": [3, 4], "wave": [4]}, {"pearl": 2, "weed": -2, "tide": 2, "moon": 0}),
        # a moon is a Pearl as well, and no Weed takes the moon itself off: 1 - 2 Pearls
        ({"fin": [6], "wave": [3]}, {"pearl": -1, "weed": 1, "tide": 0, "moon": 1}),
        ({"fin": [1, 1], "wave": [1]}, {"pearl": 0, "weed": 0, "tide": 0, "moon": 0}),
        ({"storm": [1, 2], "fin": [2]}, {"pearl": -2, "weed": 2, "tide": 0, "moon": 0}),
    ],
)
def test_symbols_cancel(reef: Ruleset, rolled: Faces, expected: dict[str, int]) -> None:
    assert left(reef, rolled) == expected


@given(one=ROLLS, other=ROLLS)
def test_what_is_left_of_two_pools_is_the_sum_of_both(
    reef: Ruleset, one: Faces, other: Faces
) -> None:
    both = {name: one[name] + other[name] for name in one}
    apart = left(reef, one), left(reef, other)
    assert left(reef, both) == {name: sum(part[name] for part in apart) for name in apart[0]}


@given(rolled=ROLLS)
def test_opposites_are_the_negative_of_each_other(reef: Ruleset, rolled: Faces) -> None:
    found = left(reef, rolled)
    assert found["pearl"] == -found["weed"]
    assert found["moon"] == rolled["fin"].count(6)
    assert found["tide"] == sum(rolled["fin"].count(face) for face in (4, 5)) + rolled[
        "wave"
    ].count(4)


def test_what_shows_only_what_cancels_stands_against_the_rest(reef: Ruleset) -> None:
    against = [name for name, die in reef.symbol_dice.items() if inputs.is_opposing(reef, die)]
    assert against == ["wave", "storm"]


@pytest.mark.parametrize(
    ("pool", "words"),
    [
        ({"wave": 1, "fin": 2}, "Fin 2 against Wave 1"),
        ({"fin": 2}, "Fin 2"),
        ({"wave": 1, "storm": 2}, "nothing against Wave 1, Storm 2"),
        ({}, "nothing"),
    ],
)
def test_a_pool_says_its_dice(reef: Ruleset, pool: dict[str, int], words: str) -> None:
    assert inputs.pool_text(reef, pool) == words


@pytest.mark.parametrize(
    ("text", "faces"),
    [
        ("pearl+tide", (4,)),
        ("Tide + Pearl, blank", (4, 1)),
        ("moon, tide", (6, 5)),
        ("3, 6", (3, 6)),
    ],
)
def test_faces_are_typed_by_their_symbols_or_numbers(
    reef: Ruleset, text: str, faces: tuple[int, ...]
) -> None:
    assert inputs.read_symbol_faces(reef, reef.symbol_dice["fin"], text) == faces


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("weed", "Fin has no face with weed"),
        ("perl", 'there is no symbol "perl"; did you mean pearl?'),
    ],
)
def test_symbols_that_no_face_shows_are_refused(reef: Ruleset, text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        inputs.read_symbol_faces(reef, reef.symbol_dice["fin"], text)
    assert str(refused.value) == reason


# ------------------------------------------------------------------ in a procedure


def dive(
    opened: LoadedCharacter, rolled: Faces, **inputs: int
) -> tuple[procedures.ProcedureResult, list[Dice]]:
    """Run a dive with these faces; return the dice that it asked for too."""
    asked: list[Dice] = []

    def roll(name: str, dice: Dice, _label: str) -> list[int]:
        asked.append(dice)
        return rolled[name.removeprefix("check.")]

    rules = opened.ruleset
    run = procedures.run_procedure(
        opened.character.state, rules.procedures["dive"], inputs, RunSettings(roll)
    )
    return run, asked


def test_a_pool_is_rolled_die_by_die_and_counted(diver: Diver) -> None:
    run, asked = dive(diver(nerve=3), {"fin": [3, 4, 6], "wave": [4, 2]}, waves=2)
    # 2 + 1 + 1 Pearls less 2 Weeds; tides of a Fin and a Wave
    assert run.outputs == {"check_pearl": 2, "check_tide": 2, "check_moon": 1, "won": 1}
    assert run.steps[0].text == "Your dive: Fin 3 against Wave 2: 2 Pearls, 2 Tides, 1 Moon"
    assert run.faces == {"check.fin": [[3, 4, 6]], "check.wave": [[4, 2]]}
    assert [(dice.number, dice.faces, dice.notation) for dice in asked] == [
        (3, (1, 2, 3, 4, 5, 6), "3dfin"),
        (2, (1, 2, 3, 4), "2dwave"),
    ]


def test_of_fewer_than_no_dice_none_are_rolled(diver: Diver) -> None:
    run, asked = dive(diver(nerve=1), {"fin": [1]}, waves=0, calm=1)
    assert [dice.notation for dice in asked] == ["1dfin"]
    assert run.steps[0].text == "Your dive: Fin 1: nothing"


def test_a_face_that_a_die_has_not_is_refused(diver: Diver) -> None:
    with pytest.raises(ProcedureError) as refused:
        dive(diver(nerve=1), {"fin": [7], "wave": [1]})
    assert refused.value.problems == (("check.fin", "7 is not a face of 1dfin (1 to 6)"),)


def test_dice_of_so_many_sides_as_a_figure_says(diver: Diver) -> None:
    opened, asked = diver(), []

    def roll(_name: str, dice: Dice, _label: str) -> list[int]:
        asked.append(dice)
        return [8, 5]

    stroke = opened.ruleset.procedures["stroke"]
    run = procedures.run_procedure(opened.character.state, stroke, {"times": 2}, RunSettings(roll))
    assert (run.outputs, run.steps[0].text) == ({"own": 13}, "Your stroke: 8 + 5 = 13")
    assert asked == [Dice(2, tuple(range(1, 9)), "2d8")]


@pytest.mark.parametrize("sides", [0, -3, 1000])
def test_a_die_has_as_many_sides_as_can_be_written(
    diver: Diver, flooded: Callable[..., Ruleset], sides: int
) -> None:
    rules = flooded(("ruleset.yaml", "swim: {formula: 8}", f"swim: {{formula: {sides}}}"))
    state, stroke = diver(rules=rules).character.state, rules.procedures["stroke"]
    with pytest.raises(ProcedureError) as refused:
        procedures.run_procedure(state, stroke, {}, RunSettings(lambda *_: [1]))
    assert refused.value.problems == (("own", f"a die can have 1 to 999 sides, not {sides}"),)
