"""The models of a pack: strict, frozen, with reasons for refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from charforge.expressions.formula import Formula
from charforge.rules.models import (
    Action,
    Assign,
    Attack,
    Choose,
    Entity,
    Grant,
    LevelTable,
    Modifier,
    OddsRange,
    OddsSpec,
    Remark,
    Requirement,
    RulesetHead,
)
from charforge.rules.ruleset import Ruleset

Rows = dict[int, list[int | str | None]]


def table(rows: Rows, blank: str = "error") -> LevelTable:
    return LevelTable.model_validate(
        {"id": "t", "columns": ["a", "b"], "rows": rows, "blank": blank}
    )


CARRIED: Rows = {1: [3, "x + 2"], 2: [None, "x + 4"], 3: [5, None], 4: [None, None]}


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (1, (3, "x + 2")),
        (2, (3, "x + 4")),
        (3, (5, "x + 4")),
        (4, (5, "x + 4")),
        (0, (3, "x + 2")),
        (99, (5, "x + 4")),
    ],
)
def test_a_blank_cell_carries_the_one_above(row: int, cells: tuple[int, str]) -> None:
    figures = table(CARRIED, "carry")
    assert (figures.cell(row, 0), figures.cell(row, 1)) == (Formula(cells[0]), Formula(cells[1]))


def test_a_table_may_begin_at_any_number() -> None:
    assert table({4: [1, 2], 5: [3, 4]}).cell(5, 1) == Formula(4)


@pytest.mark.parametrize(
    ("rows", "blank", "reason"),
    [
        ({1: [1, 2], 3: [1, 2]}, "error", "without gaps"),
        ({2: [1, 2], 1: [1, 2]}, "error", "in order"),
        ({}, "error", "without gaps"),
        ({1: [1]}, "error", "needs a cell for each column: 2, not 1"),
        ({1: [1, None]}, "error", "no row above"),
        ({1: [1, None]}, "carry", "no row above"),
        ({1: [1, 2], 2: [None, 2]}, "error", "no row above"),
    ],
)
def test_a_table_with_a_hole_is_refused(rows: Rows, blank: str, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        table(rows, blank)


def test_every_model_forbids_unknown_keys_and_is_frozen() -> None:
    for model in (
        Entity,
        RulesetHead,
        Modifier,
        Grant,
        Action,
        Attack,
        LevelTable,
        Requirement,
        Choose,
    ):
        assert model.model_config["extra"] == "forbid"
        assert model.model_config["frozen"] is True


def test_an_entity_cannot_be_changed(toy: Ruleset) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        toy.entity("pet/cat").name = "Dog"


def test_one_id_may_stand_for_a_list_of_one() -> None:
    assert Assign.model_validate({"id": "a", "label": "A", "to": "str", "scores": [1]}).to == (
        "str",
    )


def test_a_grant_may_be_an_id_alone() -> None:
    found = Entity.model_validate({"id": "a/b", "name": "B", "source": "C", "grants": ["d/e"]})
    assert found.grants == (Grant(id="d/e"),)


def test_a_query_may_stand_in_a_choice_without_its_name() -> None:
    short = Choose.model_validate({"id": "a", "label": "A", "among": {"kind": "pet"}})
    long = Choose.model_validate({"id": "a", "label": "A", "among": {"query": {"kind": "pet"}}})
    assert short == long


@pytest.mark.parametrize(
    "extra", [{"count": 2}, {"budget": {"cost": "slots", "within": 3, "label": "Slots"}}]
)
def test_a_choice_with_a_count_or_a_budget_is_a_list(extra: dict[str, object]) -> None:
    asked = {"id": "a", "label": "A", "among": {"kind": "pet"}}
    assert not Choose.model_validate(asked).is_list
    assert Choose.model_validate({**asked, **extra}).is_list


def test_an_id_falls_into_its_kind_and_its_slug(toy: Ruleset) -> None:
    hook = toy.entity("gear/boathook")
    assert (hook.kind, hook.slug) == ("gear", "boathook")


@pytest.mark.parametrize("name", ["Gear/rope", "gear/", "gear", "gear/a b", "gear/a--b", "gear/-a"])
def test_an_id_is_kind_and_slug(name: str) -> None:
    with pytest.raises(ValidationError, match="should match pattern"):
        Entity(id=name, name="A", source="B")


def test_not_is_written_as_one_word() -> None:
    clause = Requirement.model_validate({"not": {"has": "pet/cat"}})
    assert clause.not_ is not None
    assert clause.not_.has == "pet/cat"


# ------------------------------------------------------------------ tables of odds


def test_a_table_of_odds_is_read(flooded: Callable[..., Ruleset]) -> None:
    play = "play:\n  check: dive\n"
    table = (
        "odds:\n  - {id: dives, label: Dives, procedure: dive, set: {calm: 1},\n"
        "     vary: {input: waves, from: 0, to: 4}, show: [check_pearl, won]}\n"
    )
    (spec,) = flooded(("ruleset.yaml", play, table + play)).head.odds
    assert (spec.vary.values, spec.set) == (("0", "1", "2", "3", "4"), {"calm": "1"})


@pytest.mark.parametrize(
    ("span", "told"),
    [
        ({"from": 1}, "'from' and 'to', or 'words'"),
        ({"from": 1, "to": 3, "words": ["a"]}, "'from' and 'to', or 'words'"),
        ({}, "'from' and 'to', or 'words'"),
        ({"from": 3, "to": 1}, "have 1 to 20 values"),
        ({"from": 1, "to": 21}, "have 1 to 20 values"),
    ],
)
def test_an_input_has_few_values_of_one_sort(span: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        OddsRange.model_validate({"input": "vs", **span})


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"each": "item", "procedure": "p", "kind": "skill"}, "and 'input'"),
        ({"each": "unit", "procedure": "p", "kind": "skill"}, "and 'input'"),
        ({"each": "unit"}, "only attacks can have a procedure"),
    ],
)
def test_a_table_of_odds_needs_what_its_rows_are(spec: dict[str, Any], told: str) -> None:
    raw = {
        "id": "a",
        "label": "A",
        "vary": {"input": "vs", "words": ["1"]},
        "show": ["won"],
        **spec,
    }
    with pytest.raises(ValidationError, match=told):
        OddsSpec.model_validate(raw)


def test_only_what_may_be_left_empty_can_wait_for_later() -> None:
    fields: dict[str, Any] = {"id": "gear", "label": "Which?", "among": {"kind": ["gear"]}}
    assert Choose(**fields, count=2, up_to=True, later=True).later
    with pytest.raises(ValidationError, match="a question for later may be left empty"):
        Choose(**fields, count=2, later=True)


@pytest.mark.parametrize(
    ("fields", "short"),
    [
        ({"among": {"values": "arms"}}, True),
        ({"options": [{"id": "a", "label": "A"}]}, True),
        ({"options": [{"id": "a", "label": "A"}], "count": 2, "repeats": True}, True),
        ({"options": [{"id": "a", "label": "A"}], "count": 9}, False),
        ({"among": {"kind": ["gear"]}}, False),
        ({"among": {"faces": "storm"}, "count": 2}, False),
    ],
)
def test_a_choice_from_few_options_fits_in_a_row(fields: dict[str, Any], short: bool) -> None:
    assert Choose(id="x", label="Which?", **fields).is_short is short


@pytest.mark.parametrize("fields", [{"fix": "edit"}, {"fix": "shop", "question": "gear"}])
def test_a_remark_that_is_fixed_by_an_edit_names_the_question(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="belong together"):
        Remark(id="odd", text="Odd.", **fields)
