"""Inputs that players type, and their values."""

from __future__ import annotations

from typing import Any

import pytest

from charforge.limits import LARGEST_AMOUNT
from charforge.procedures.inputs import read_input, read_whole, values_of
from charforge.procedures.steps import every_step, number_choices
from charforge.rules.models import Input


def wanted(**fields: Any) -> Input:
    return Input.model_validate({"id": "x", "label": "X", **fields})


WORD = wanted(type="word", options=["long-rest", "short"])
VALUE = wanted(type="value", group="scores")


@pytest.mark.parametrize(
    ("one", "text", "meant"),
    [
        (wanted(), " 7 ", 7),
        (wanted(), "−3", -3),
        (wanted(), "+4", 4),
        (wanted(type="flag"), "Yes", 1),
        (wanted(type="flag"), "off", 0),
        (WORD, "Long Rest", "long-rest"),
        (WORD, "long_rest", "long-rest"),
        (WORD, "lon", "long-rest"),
        (wanted(type="word", options=["nap", "nap-at-noon"]), "Nap", "nap"),
        (VALUE, "ARM", "arm"),
        (VALUE, "wits", "wit"),
        (wanted(type="amount"), " 1d6 + 2 ", "1d6 + 2"),
        (wanted(type="text"), "the clerk", "the clerk"),
    ],
)
def test_words_are_read(harbour, one, text, meant):
    assert read_input(harbour, one, text) == meant


def test_a_number_is_read_from_the_name_of_its_row(reef):
    """The first number of the row, as 2 to 5 are the Arm; the last row's label is a figure."""
    bitten = wanted(chart="bites")
    texts = ("mask", "ARM", "Leg", "4", "9")
    assert [read_input(reef, bitten, text) for text in texts] == [1, 2, 6, 4, 9]
    with pytest.raises(ValueError, match='"fin" is not one of Mask, Arm, Leg'):
        read_input(reef, bitten, "fin")


@pytest.mark.parametrize(
    ("one", "text", "reason"),
    [
        (wanted(), "many", '"many" is not a whole number'),
        (wanted(), "1.5", '"1.5" is not a whole number'),
        (wanted(), str(LARGEST_AMOUNT + 1), f"it is larger than {LARGEST_AMOUNT}"),
        (wanted(type="flag"), "perhaps", '"perhaps" is not yes or no'),
        (WORD, "shrot", '"shrot" is not one of long-rest, short; did you mean short?'),
        (VALUE, "luck", '"luck" is not one of arm, wit'),
        (wanted(type="word", options=["nap", "night"]), "n", '"n" matches several: nap or night'),
        (wanted(type="text"), "a\x1b[2J", "it contains control characters or invalid characters"),
        (wanted(type="text"), "a\nb", "it contains control characters or invalid characters"),
    ],
)
def test_words_that_mean_nothing_are_refused(harbour, one, text, reason):
    with pytest.raises(ValueError) as caught:
        read_input(harbour, one, text)
    assert str(caught.value) == reason


def test_the_largest_amount_is_still_read():
    assert (read_whole(str(LARGEST_AMOUNT)), read_whole(f"-{LARGEST_AMOUNT}")) == (
        LARGEST_AMOUNT,
        -LARGEST_AMOUNT,
    )


def test_an_input_of_a_group_means_its_values_and_without_one_all(harbour):
    assert values_of(harbour, VALUE) == ("arm", "wit")
    assert values_of(harbour, wanted(type="value")) == tuple(harbour.values)


def test_the_steps_of_called_procedures_are_among_ours(harbour):
    steps = [step.do for step in every_step(harbour, harbour.procedure("lift").steps)]
    assert steps == ["call", "roll", "look_up", "let", "let"]
    nap = harbour.procedure("nap")
    assert [step.id for step in number_choices(harbour, nap.steps)] == ["bet"]


@pytest.mark.parametrize(
    "fields",
    [
        {"default_word": "x"},
        {"type": "flag", "default_word": "yes"},
        {"type": "text", "default": 1},
        {"type": "word"},
        {"options": ["a"]},
        {"type": "word", "options": ["a"], "default_word": "b"},
    ],
)
def test_a_default_of_the_wrong_sort_is_no_input(fields):
    with pytest.raises(
        ValueError,
        match=r"must be a formula|must be a word|only a word|only an item|not one of the options",
    ):
        wanted(**fields)


def test_an_input_is_needed_unless_something_stands_for_it():
    assert wanted().needed
    assert wanted(type="text").needed
    assert not wanted(optional=True).needed
    assert not wanted(default=0).needed
    assert not wanted(type="text", default_word="x").needed
