"""Specifications of characters: which names, levels and level-ups of units there can be."""

from __future__ import annotations

from typing import Any

import pytest

from charforge.errors import UsageError
from charforge.replay.character_spec import CharacterSpec, UnitSpec
from charforge.rules.ruleset import Ruleset


def reason(rules: Ruleset, **fields: Any) -> str:
    """Return why a specification is refused; empty if it is not."""
    try:
        CharacterSpec(rules, "7", **fields)
    except UsageError as error:
        return error.reason
    return ""


@pytest.mark.parametrize("level", [0, 4])
def test_a_level_is_one_of_the_game(toy: Ruleset, level: int) -> None:
    assert [reason(toy, level=number) for number in (1, 2, 3)] == ["", "", ""]
    assert reason(toy, level=level) == (
        f"The Long Light has levels 1 to 3; there is no level {level}"
    )


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("Ada", ""),
        (" ", "a name needs at least one letter"),
        ("Ada\nBo", "the name contains control characters or invalid characters"),
        ("Ada\x07", "the name contains control characters or invalid characters"),
    ],
)
def test_a_name_can_be_printed_on_one_line(toy: Ruleset, name: str, refusal: str) -> None:
    assert reason(toy, name=name) == refusal
    assert reason(toy, units={"boat": UnitSpec(name)}) == refusal


@pytest.mark.parametrize(
    ("at", "refused"), [((), None), ((2,), None), ((2, 3), None), ((1,), 1), ((2, 4), 4)]
)
def test_a_unit_levels_up_at_levels_that_the_character_reaches_from_2_on(
    toy: Ruleset, at: tuple[int, ...], refused: int | None
) -> None:
    assert reason(toy, level=3, units={"boat": UnitSpec(level_ups=at)}) == (
        ""
        if refused is None
        else f"boat has a level-up at level {refused}, but the character is level 3"
    )
