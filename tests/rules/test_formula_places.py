"""The file and line of a formula that has no value, in the message of its error."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from charforge.cli.messages import error_message
from charforge.errors import FormulaError
from charforge.expressions.formula import Formula, FunctionScope
from charforge.rules.loading import loader

BELL = Path(__file__).resolve().parents[2] / "examples" / "drowned-bell"


@pytest.fixture
def bell(tmp_path: Path) -> Path:
    """Return a copy of an example."""
    return Path(shutil.copytree(BELL, tmp_path / "bell"))


def message_of(formula: Formula, **values: int) -> str:
    """Return the message of the error that a formula ends with."""
    with pytest.raises(FormulaError) as failed:
        formula.evaluate(FunctionScope(values.__getitem__))
    return error_message(failed.value)


def test_the_error_of_a_loaded_formula_names_file_and_line(bell: Path) -> None:
    head = bell / "ruleset.yaml"
    text = head.read_text("utf-8").replace("hands: 2}", 'hands: "2 // (level - 1)"}')
    head.write_text(text, encoding="utf-8")
    line = text[: text.index("2 // (level")].count("\n") + 1
    for _time in range(2):  # read from YAML, then from the cache
        formula = loader.load_folder(bell).head.gear.hands
        message = message_of(formula, level=1)
        assert message.startswith(f"{head}:{line}:")
        assert message.endswith(
            'formula "2 // (level - 1)": it divides by zero because level - 1 is 0: '
            "write max(level - 1, 1)."
        )


def test_each_place_of_an_equal_formula_is_named(bell: Path) -> None:
    head = bell / "ruleset.yaml"
    target = "half_down(number)"
    text = head.read_text("utf-8").replace("floor(number / 5)", target)
    head.write_text(text, encoding="utf-8")
    (way,) = loader.load_folder(bell).head.rolls
    first, heading, other = message_of(way.targets[0].formula).splitlines()
    number = text[: text.index(target)].count("\n")
    line = text.splitlines()[number]
    assert first.startswith(f"{head}:{number + 1}:{line.index(target) + 1}: ")
    assert heading == "The same formula is also here:"
    assert other.startswith(f"  {head}:{number + 1}:{line.rindex(target) + 1}: ")


def test_a_formula_that_no_pack_has_is_named_alone(bell: Path) -> None:
    loader.load_folder(bell)
    assert message_of(Formula("7 // number"), number=0) == (
        'Formula "7 // number": it divides by zero because number is 0: write max(number, 1).'
    )
