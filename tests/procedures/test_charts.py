"""Charts: the row for a number or a word, its cells, and who reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from charforge.character.state import CHARACTER, State, Unit
from charforge.errors import ProcedureError
from charforge.procedures import run as procedures
from charforge.procedures.context import RunSettings
from charforge.procedures.steps.dice import printed_rows
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.models import Chart, ChartRow, Procedure
from charforge.rules.ruleset import Ruleset

Diver = Callable[..., LoadedCharacter]


def chart(*rows: Any, between: str = "refuse") -> Chart:
    """Return a chart whose only column says which row it is, from 0."""
    listed = [{"at": at, "cells": [number]} for number, at in enumerate(rows)]
    column = {"id": "row", "label": "Row"}
    return Chart.model_validate(
        {"id": "c", "label": "C", "columns": [column], "rows": listed, "between": between}
    )


def found(made: Chart, key: int | str) -> object:
    row = made.row(key)
    return None if row is None else row.cells[0]


@pytest.mark.parametrize(
    ("rows", "between", "expected"),
    [
        # key -1, 0, 2, 5, 9, 20
        (([0, 4], [5, 9]), "refuse", [None, 0, 0, 1, 1, None]),
        (([None, 0], 2, [9, None]), "refuse", [0, 0, 1, None, 2, 2]),
        ((0, 5, 9), "next", [0, 0, 1, 1, 2, None]),
        ((0, 5, 9), "last", [None, 0, 0, 1, 2, 2]),
        ((9, 5, 0), "next", [2, 2, 1, 1, 0, None]),
        (([3, 4], "fire"), "last", [None, None, None, 0, 0, 0]),
    ],
)
def test_a_number_has_the_row_that_holds_it(
    rows: tuple[Any, ...], between: str, expected: list[int | None]
) -> None:
    made = chart(*rows, between=between)
    assert [found(made, key) for key in (-1, 0, 2, 5, 9, 20)] == expected


def test_a_word_has_its_own_row() -> None:
    made = chart(1, "fire", "cold", between="next")
    assert [found(made, key) for key in ("fire", "cold", "acid", 0)] == [1, 2, None, 0]


@given(st.sets(st.integers(-20, 20), min_size=1), st.integers(-30, 30))
def test_between_rows_the_next_one_is_the_nearest_above(starts: set[int], key: int) -> None:
    rows = sorted(starts)
    up, down = (chart(*rows, between=way) for way in ("next", "last"))
    above = [number for number, at in enumerate(rows) if at >= key]
    below = [number for number, at in enumerate(rows) if at <= key]
    assert found(up, key) == (min(above) if above else None)
    assert found(down, key) == (max(below) if below else None)


@pytest.mark.parametrize(
    ("at", "heading"),
    [
        (3, "3"),
        (-3, "−3"),
        ([8, 10], "8–10"),
        ([-2, 0], "−2–0"),
        ([4, 4], "4"),
        ([13, None], "13+"),
        ([None, -1], "up to −1"),
        ([None, None], "any"),
        ("fire", "fire"),
    ],
)
def test_a_row_is_headed_by_its_numbers_or_its_word(at: Any, heading: str) -> None:
    assert ChartRow(at=at, cells=()).heading == heading
    assert ChartRow(at=at, label="Hot", cells=()).heading == "Hot"


@pytest.mark.parametrize("at", [[10, 8], [1], [1, 2, 3], "8-10", "Fire", 1.5, True, None, ["a", 2]])
def test_a_row_stands_at_nothing_else(at: Any) -> None:
    with pytest.raises(ValidationError, match="a row must be a number,"):
        ChartRow(at=at, cells=())


# ------------------------------------------------------------------ printed and read


def test_a_chart_is_printed_with_the_figures_of_the_unit(diver: Diver) -> None:
    opened = diver(nerve=3)
    shown = printed_rows(opened.ruleset.charts["bites"], opened.character.state.values())
    assert shown == [
        ("1", ("Mask", "1d4\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}3 breaths")),
        ("2–5", ("Arm", "—")),
        ("3 or more", ("Leg", 2)),
    ]


def bite(opened: LoadedCharacter, face: int, fish: str = "ray") -> procedures.ProcedureResult:
    procedure = opened.ruleset.procedures["bite"]
    return procedures.run_procedure(
        opened.character.state, procedure, {"fish": fish}, RunSettings(lambda *_asked: [face])
    )


@pytest.mark.parametrize(
    ("nerve", "face", "fish", "place", "hurt"),
    [
        (3, 1, "ray", "Mask", 1 + 3 + 1),  # the teeth of a ray, and nerve + 1
        (0, 1, "shark", "Mask", 4 + 0 + 1),
        (3, 4, "shark", "Arm", 4),
        (3, 10, "ray", "Leg", 1 + 1),
    ],
)
def test_a_procedure_takes_numbers_and_texts_of_a_row(
    diver: Diver, nerve: int, face: int, fish: str, place: str, hurt: int
) -> None:
    run = bite(diver(nerve), face, fish)
    assert run.outputs == {"hurt": hurt, "place": place}
    told = [step.text for step in run.steps if step.step == "read"]
    assert told == [f"Bites {face}: {place}", f"A {fish} bites your {place}"]


def test_without_a_row_nothing_is_read(diver: Diver, flooded: Callable[..., Ruleset]) -> None:
    """No check can know the row that a value of the character moves."""
    rules = flooded(
        ("rules.yaml", "at: [6, null]", "at: [6, 8]"),
        ("rules.yaml", "at: own, take: {place", "at: own + nerve - nerve, take: {place"),
    )
    with pytest.raises(ProcedureError) as refused:
        bite(diver(rules=rules), 9)
    assert refused.value.problems == (("Bites", "the table has no row for 9"),)


@pytest.mark.parametrize(("fish", "left"), [("ray", "Sting"), ("shark", "Gash")])
def test_a_text_of_a_chart_names_a_condition(diver: Diver, fish: str, left: str) -> None:
    state = bite(diver(), 4, fish).state
    assert [condition.entity.name for condition in state.conditions] == [left]


def test_what_is_not_taken_of_a_row_need_not_be_known(reef: Ruleset) -> None:
    """The third cell of the row reads nerve, and the second is taken where there is no nerve."""
    state = State(reef, units=(Unit(CHARACTER, reef.units["diver"], ""),))
    swallowed = Procedure.model_validate(
        {
            "id": "lost",
            "label": "Lost",
            "source": "rule/diving",
            "steps": [{"do": "read", "chart": "bites", "at": 1, "take": {"place": "place"}}],
            "outputs": [{"id": "place", "label": "Place"}],
        }
    )
    run = procedures.run_procedure(
        state, swallowed, {}, RunSettings(lambda *_asked: [], no_character=True)
    )
    assert run.outputs == {"place": "Mask"}
