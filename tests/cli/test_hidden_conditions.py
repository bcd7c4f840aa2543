"""Conditions that only help the rules to count: no output for players shows them."""

from __future__ import annotations

import pytest

from charforge.character.state import CHARACTER
from charforge.replay.loaded_character import load_character

pytestmark = pytest.mark.capital


@pytest.mark.parametrize(
    "words",
    [
        ("party", "nix.json", "--no-sheets", "--no-reference", "-o", "out.html"),
        ("sheet", "nix.json", "-o", "out.html"),
        ("export", "nix.json", "--format", "markdown", "-o", "out.txt"),
        ("export", "nix.json", "--format", "text", "-o", "out.txt"),
    ],
)
def test_what_only_counts_is_not_printed(run, nix, tmp_path, words):
    dice = ("--dice", "own=6,6", "--dice", "theirs=1,1")
    assert run("use", nix, "unarmed", "1", *dice).code == 0
    present = [*load_character(nix).character.state.active_conditions(CHARACTER)]
    internal = [one.label for one in present if one.internal]
    shown = [one.label for one in present if not one.internal]
    assert "Successful Attack" in internal
    assert shown
    assert run(*words).code == 0
    printed = (tmp_path / words[-1]).read_text("utf-8")
    for name in internal:
        assert f"{name}," not in printed and f">{name}<" not in printed, name


def test_the_list_of_conditions_is_that_of_the_sheet(run, nix):
    """*In combat* and *Actions left* only help the rules to count."""
    assert run("turn", nix).code == 0
    assert run("condition", nix, "prone").code == 0
    present = [*load_character(nix).character.state.active_conditions(CHARACTER)]
    internal = {one.label for one in present if one.internal and not one.hidden}
    assert internal
    listed = run("condition", nix).out.split("To add or remove")[0].splitlines()
    assert "Prone" in listed
    assert not internal & {*listed}
