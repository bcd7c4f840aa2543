"""Systems: lasting changes of values, and what asks for what."""

from __future__ import annotations

import re

import pytest

from charforge.expressions.formula import FunctionScope


@pytest.mark.parametrize(("system", "value", "amount"), [("healthy", "max_hp", "2 * level")])
def test_lasting_changes_of_values(capital, system, value, amount):
    [modifier] = capital.entity(f"system/{system}").modifies
    assert (modifier.value, modifier.op, modifier.amount.text) == (value, "add", amount)
    assert modifier.layer == "lasting"


def test_no_other_system_changes_a_lasting_value(capital):
    """Only Healthy does, and what gives Aim or Dodge at all times."""
    changing = {
        entity.slug
        for entity in capital.of_kind("system")
        if any(modifier.layer == "lasting" for modifier in entity.modifies)
    }
    assert changing == {
        "healthy", "try-that-again-i", "try-that-again-ii", "damage-resist"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("missing", "bonus"), [(0, 0), (9, 0), (10, 1), (19, 1), (20, 2), (30, 2), (95, 2)]
)
def test_power_under_pressure_rises_with_missing_hp(capital, missing, bonus):
    """+1 for each 10 HP missing, at most +2, on the Attribute that was chosen."""
    [modifier] = capital.entity("system/power-under-pressure").modifies
    figures = {"max_hp": 100, "hp": 100 - missing}
    assert modifier.amount.evaluate(FunctionScope(figures.__getitem__)) == bonus
    assert (modifier.value, modifier.op, modifier.layer) == ("$attribute", "add", "current")


def test_slots_augmentation_gives_2(capital):
    [modifier] = capital.entity("augmentation/slots").modifies
    assert (modifier.value, modifier.op, modifier.amount.constant) == ("slots", "add", 2)


def test_attribute_augmentation_gives_2_to_one_attribute(capital):
    entity = capital.entity("augmentation/attribute")
    [modifier] = entity.modifies
    [choice] = entity.choices
    assert (modifier.value, modifier.amount.constant) == ("$attribute", 2)
    assert choice.among.values == "attributes"


@pytest.mark.parametrize(
    ("system", "figure"),
    [
        ("jury-rig", "{1d6 + KNW - 5}"),
        ("know-your-enemy", "{max(KNW - 3, 1)}"),
        ("patch-up-i", "{1d6 + KNW}"),
        ("patch-up-ii", "{1d6 + KNW + 2}"),
        ("pep-talk", "{CHA}"),
        ("rally", "{CHA}"),
        ("lockdown", "{max(WIS - 1, 4)}"),
        ("urgency", "{max(AGI - 5, 0)}"),
    ],
)
def test_figures_that_a_sheet_computes(capital, system, figure):
    """'KNW - 3 (minimum increase of 1)', 'WIS - 1 (minimum of 4)', 'AGI - 5 (minimum 0)' …"""
    entity = capital.entity(f"system/{system}")
    text = " ".join([entity.text, *(action.text for action in entity.actions)])
    assert figure in re.findall(r"\{[^}]*\}", text)
