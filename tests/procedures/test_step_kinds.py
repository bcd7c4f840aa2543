"""Every model of a step has a kind, whose variables agree with what its steps do."""

from __future__ import annotations

from typing import get_args

import pytest

from charforge.expressions.formula import Formula
from charforge.procedures.steps import STEP_KINDS, kind_of
from charforge.procedures.steps.base import NameReader
from charforge.rules.models import AnyProcedureStep, Let, Procedure


def test_every_model_of_a_step_has_a_kind():
    union, _discriminator = get_args(AnyProcedureStep)
    assert set(get_args(union)) == STEP_KINDS.keys()


@pytest.mark.parametrize(
    ("step", "reads", "writes"),
    [
        ({"do": "let", "id": "x", "to": "a + b"}, {"a", "b"}, {"x"}),
        ({"do": "roll", "id": "x", "dice": "2d6", "times": "a"}, {"a"}, {"x", "x_dice"}),
        ({"do": "look_up", "id": "x", "value": "wit"}, {"wit"}, {"x"}),
        ({"do": "look_up", "id": "x", "value": "$with"}, {"with", "with_given"}, {"x"}),
        ({"do": "choose", "id": "x", "label": "X", "maximum": "a"}, {"a"}, {"x"}),
        ({"do": "require", "that": "a > 1", "say": "Only {b}, {$c}."}, {"a", "b", "c"}, set()),
        ({"do": "change", "value": "coins", "by": "a", "id": "x"}, {"coins", "a"}, {"x"}),
        ({"do": "change", "value": "coins", "by": "a"}, {"coins", "a"}, set()),
        ({"do": "recover", "dice": "1d6", "if": "roll > a"}, {"roll", "a"},
         {"recovered", "roll", "number"}),
        ({"do": "say", "say": "Only {b}."}, set(), set()),
    ],
)  # fmt: skip
def test_what_a_step_reads_and_writes(harbour, step, reads, writes):
    made = {"id": "try", "label": "Try", "source": "rule/work", "steps": [step]}
    found = Procedure.model_validate(made).steps[0]
    kind = kind_of(found)
    assert reads <= kind.reads(found, NameReader(harbour, frozenset()))
    assert kind.writes(found, harbour) == writes


def test_a_reroll_reads_and_writes_its_roll(harbour):
    steps = [{"do": "roll", "id": "x", "dice": "2d6"}, {"do": "reroll", "id": "x", "times": "a"}]
    made = {"id": "try", "label": "Try", "source": "rule/work", "steps": steps}
    found = Procedure.model_validate(made).steps[1]
    kind = kind_of(found)
    reads = kind.reads(found, NameReader(harbour, frozenset()))
    assert {"a", "x", "x_dice"} <= reads
    assert kind.writes(found, harbour) == {"x", "x_dice"}
    # Odds follow one reroll at a time, so a single one has no number of times to read.
    assert "a" not in kind.reads(kind.single(found), NameReader(harbour, frozenset()))


def test_a_formula_is_read_whatever_its_field_is_called(harbour):
    """Another kind of step may have a word in a field of that name."""
    made = {"do": "let", "id": "x", "to": "a"}
    step = Let.model_validate(made).model_copy(update={"to": None, "say": Formula("b")})
    assert kind_of(step).reads(step, NameReader(harbour, frozenset())) == {"b"}


@pytest.mark.parametrize(
    ("step", "counted"),
    [
        ({"do": "let", "id": "y", "to": "count(x_dice, 6) + count(x_dice, 1, 2)"}, {(6,), (1, 2)}),
        ({"do": "let", "id": "y", "to": "a"}, set()),
        ({"do": "let", "id": "y", "to": "x"}, None),
        ({"do": "look_up", "id": "y", "value": "$x"}, None),
    ],
)
def test_a_step_counts_faces_of_a_roll_or_reads_more_of_it(harbour, step, counted):
    made = {"id": "try", "label": "Try", "source": "rule/work", "steps": [step]}
    found = Procedure.model_validate(made).steps[0]
    faces = kind_of(found).counted_faces(found, "x", NameReader(harbour, frozenset()))
    assert faces == (None if counted is None else set(map(frozenset, counted)))
