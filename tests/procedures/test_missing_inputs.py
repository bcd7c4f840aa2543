"""Missing inputs of steps and of procedures they call, if certainly needed."""

from __future__ import annotations

from typing import Any

import pytest

from charforge.procedures.inputs import KnownInputs
from charforge.procedures.steps import find_missing_inputs
from charforge.rules.loading.loader import load
from charforge.rules.models import Procedure


@pytest.fixture(scope="module")
def phase():
    """A game with a rule (psionic-attack) that wants ``vs``, unless ``allowed``."""
    return load("phase-2d10")


def procedure(*steps: dict[str, Any]) -> Procedure:
    """Return a procedure with a word, a flag and three inputs that may be left out."""
    optional = [{"id": name, "label": name, "optional": True} for name in ("vs", "other", "more")]
    flag = {"id": "free", "label": "Free?", "type": "flag", "default": 0}
    word = {"id": "sort", "label": "Sort", "type": "word", "options": ["a", "b"]}
    return Procedure.model_validate(
        {
            "id": "x", "label": "X", "source": "rule/values",
            "inputs": [*optional, flag, {**word, "default_word": "a"}], "steps": list(steps),
        }
    )  # fmt: skip


def wanted(ruleset, one: Procedure, **given: Any) -> list[tuple[list[str], bool]]:
    found = find_missing_inputs(one.steps, KnownInputs.of(ruleset, one.inputs, given))
    return [([option.id for option in missing.options], missing.open) for missing in found]


def require(that: str, **more: Any) -> dict[str, Any]:
    return {"do": "require", "that": that, **more}


@pytest.mark.parametrize(
    ("that", "given", "found"),
    [
        ("vs_given or other_given", {}, [(["vs", "other"], True)]),
        ("vs_given or other_given", {"other": 3}, []),
        ("vs_given or free", {}, [(["vs"], True)]),
        ("vs_given or free", {"free": 1}, []),
        ("vs_given or sort_a", {}, []),
        ("vs_given or sort_a", {"sort": "b"}, [(["vs"], True)]),
        ("vs_given != other_given", {}, [(["vs", "other"], False)]),
        ("vs_given != other_given", {"vs": 1, "other": 1}, [([], False)]),
        ("vs_given and other_given", {"vs": 1}, [(["other"], True)]),
        ("free", {}, []),  # of what was said, but not of whether anything was
        ("vs_given or power > 3", {}, []),  # a figure may let it hold
    ],
)
def test_a_step_lacks_what_would_make_it_hold(phase, that, given, found):
    assert wanted(phase, procedure(require(that)), **given) == found


@pytest.mark.parametrize(
    "more", [{"when": "power > 3"}, {"when": "free"}, {"units": ["character"]}]
)
def test_a_step_that_may_be_passed_by_lacks_nothing_yet(phase, more):
    assert wanted(phase, procedure(require("vs_given", **more))) == []
    assert (
        wanted(phase, procedure({"do": "say", "say": "", "stop": True}, require("vs_given"))) == []
    )
    assert wanted(phase, procedure(require("vs_given", when="not free"))) == [(["vs"], True)]


@pytest.mark.parametrize(
    ("handed", "given", "found"),
    [
        ({"vs": "$other"}, {}, [(["other"], True)]),
        ({"vs": "$other"}, {"other": 4}, []),
        ({"vs": "power + 2"}, {}, []),
        ({"vs": "$other", "allowed": "$free"}, {"free": 1}, []),
        ({"vs": "$other", "allowed": "1"}, {}, []),
        ({}, {}, [([], False)]),  # nobody can give what is not handed on
    ],
)
def test_what_a_called_rule_lacks_is_named_as_what_it_is_handed(phase, handed, given, found):
    call = {"do": "call", "procedure": "psionic-attack", "with": {"points": "1", **handed}}
    assert wanted(phase, procedure(call), **given) == found
