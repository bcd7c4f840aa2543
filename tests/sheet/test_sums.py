"""Checks that add something to a value: the sheet prints the whole roll."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.replay.replay import CharacterSpec
from charforge.rules.loading.loader import load_folder
from charforge.rules.models import CheckSpec
from charforge.rules.ruleset import Ruleset
from charforge.sheet.build import build

EXAMPLE = Path(__file__).parents[2] / "examples" / "cold-light"
CHECK = '{roll: pool, value: "group:skills"}'


@pytest.fixture
def summed(tmp_path: Path) -> Ruleset:
    """Cold Light, if its skills were rolled together with a first attribute."""
    folder = Path(shutil.copytree(EXAMPLE, tmp_path / "cold-light"))
    head = folder / "ruleset.yaml"
    text = head.read_text("utf-8")
    assert CHECK in text
    first = load_folder(EXAMPLE).group("attributes")[0]
    head.write_text(text.replace(CHECK, f"{CHECK[:-1]}, plus: {first}}}"), encoding="utf-8")
    return load_folder(folder)


def test_a_skill_is_printed_with_the_whole_pool(summed: Ruleset) -> None:
    character = CharacterSpec(summed, "7", "Ada").replay(RandomAnswers("7"))
    view, values = build(character), character.state.values("character")
    attribute = summed.group("attributes")[0]
    labels = {summed.values[name].label: name for name in summed.group("skills")}
    rows = [row for one in view.lists for row in one.rows if row.name in labels]
    assert rows
    for row in rows:
        skill = values.total(labels[row.name])
        pool = skill + values.total(attribute)
        label = summed.values[attribute].label
        (cell,) = row.cells
        assert cell.text.replace("\N{NO-BREAK SPACE}", " ") == f"{skill} ({pool} dice with {label})"
        assert row.check is not None
        assert row.check.dice == f"{pool}d6"


def test_plus_needs_a_value_and_a_way_to_roll() -> None:
    for wrong in ({"dice": "2d6", "value": ["a"]}, {"roll": "pool", "figure": ["a"]}):
        with pytest.raises(ValueError, match="'plus' is for a 'value'"):
            CheckSpec.model_validate({**wrong, "plus": "b"})
