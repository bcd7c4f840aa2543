"""Formulas in words, as players read them."""

from __future__ import annotations

import pytest

from charforge.errors import FormulaError
from charforge.expressions.formula_text import FactText, FormulaText

LABELS = {"agi": "AGI", "wil": "WIL", "max_hp": "Max HP", "hp": "HP"}
FORMULA_TEXT = FormulaText(
    label=lambda name: LABELS.get(name, name),
    fact=lambda _function, names, negated: FactText(
        "you do not have {name}" if negated else "you have {name}", names[0]
    ),
    amount=lambda function, name: f"{'uses' if function == 'used' else 'number'} of {name}",
)


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("7", "7"),
        ("agi - 5", "AGI − 5"),
        ("2 * AGI + 1", "2 × AGI + 1"),
        ("2 * (agi + 1)", "2 × (AGI + 1)"),
        ("agi - (wil - 1)", "AGI − (WIL − 1)"),
        ("-agi", "−AGI"),
        ("max(AGI - 5, 0)", "AGI − 5, at least 0"),
        ("min(3, agi)", "AGI, at most 3"),
        ("max(agi, wil)", "the higher of AGI and WIL"),
        ("min(agi, wil, hp)", "the lowest of AGI, WIL and HP"),
        ("max(agi, wil, 2)", "the higher of AGI and WIL, at least 2"),
        ("max(0, min(agi, 3)) + 1", "((AGI, at most 3), at least 0) + 1"),
        ("4 + half_down(agi)", "4 + half of AGI (rounded down)"),
        ("half_up(agi + 1)", "half of (AGI + 1) (rounded up)"),
        ("(max_hp - hp) // 10", "(Max HP − HP) ÷ 10 (rounded down)"),
        ("floor(agi / 2)", "half of AGI (rounded down)"),
        ("6 if agi >= 5 else 4", "6 if AGI is at least 5, otherwise 4"),
        ("(hp == 0) * 2", "2 if HP is 0"),
        ("hp < 1 or not wil > 3", "HP is less than 1 or WIL is at most 3"),
        ("not has('kind/focus')", "you do not have kind/focus"),
        ("has('kind/focus') and used('kind/aim') == 0",
         "you have kind/focus and uses of kind/aim is 0"),
        ("has('kind/focus') or has('kind/aim') or hp == 0",
         "you have kind/focus or kind/aim, or HP is 0"),
        ("hp == 0 or agi > 1 or wil > 1", "HP is 0, AGI is more than 1 or WIL is more than 1"),
        ("not (has('kind/focus') or hp == 0)", "you do not have kind/focus and HP is not 0"),
        ("not (agi > 1 and not wil > 1)", "AGI is at most 1 or WIL is more than 1"),
        ("agi if not (hp == 0 or wil > 3) else 2",
         "AGI if HP is not 0 and WIL is at most 3, otherwise 2"),
        ("max(agi, wil) if hp > 0 else agi", "the higher of AGI and WIL if HP is more than 0, "
         "otherwise AGI"),
        ("agi * max(has('kind/focus'), has('kind/aim'))", "AGI if you have kind/focus or kind/aim"),
        ("agi * (not has('kind/focus'))", "AGI, unless you have kind/focus"),
        ("number('kind/rope')", "number of kind/rope"),
        ("1d6 + max(agi - 5, 0)", "1d6 + (AGI − 5, at least 0)"),
        ("count(roll, 5, 6)", "the dice of roll with 5 or 6"),
        ("nth(roll, 2) + length(roll)", "number 2 of roll + the number of roll"),
    ],
)  # fmt: skip
def test_a_formula_in_words(formula: str, words: str) -> None:
    assert FORMULA_TEXT.text(formula) == words


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("hp == 0", "10 m if HP is 0"),
        ("not (has('focus') or has('aim') or hp == 0)",
         "10 m, unless you have focus or aim, or HP is 0"),
        ("not (has('focus') or hp == 0 or has('aim'))",
         "10 m, unless you have focus or aim, or HP is 0"),
        ("not has('focus') and (agi > 1 or hp == 0)",
         "10 m if AGI is more than 1 or HP is 0, unless you have focus"),
    ],
)  # fmt: skip
def test_exceptions_follow_the_conditions_of_a_case(condition: str, words: str) -> None:
    assert FORMULA_TEXT.case("10 m", condition) == words


def test_a_text_that_is_no_formula_is_refused() -> None:
    with pytest.raises(FormulaError):
        FORMULA_TEXT.text("until the end of your turn")
