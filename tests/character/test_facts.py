"""What formulas ask about a character besides values: what it has, holds, wears and chose."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from charforge.describe.formulas import formula_text
from charforge.errors import FormulaError
from charforge.expressions.formula import Formula, choice_key
from charforge.replay.loaded_character import LoadedCharacter
from charforge.rules.ruleset import Ruleset
from charforge.usecases.edit import find_decision
from charforge.usecases.level_up import level_up_character

Climber = Callable[..., LoadedCharacter]


@pytest.fixture
def mage(climber: Climber) -> LoadedCharacter:
    """A mage of level 4 with two spells of rank 1 and one of rank 2."""
    spells = {"level.2.spell": "spell/spark", "level.3.spell": "spell/storm"}
    return climber("mage", level=4, **spells, **{"level.4.spell": "spell/veil"})


@pytest.mark.parametrize(
    ("formula", "number"),
    [
        ("has('spell')", 1),
        ("number('spell')", 3),
        ("number('spell/spark')", 1),
        ("has('feat')", 0),
        ("chose('calling', 'mage')", 1),
        ("chose('calling', 'calling/mage')", 1),
        ("chose('calling', 'fighter')", 0),
        ("chose('spell', 'storm')", 1),  # a question of each level: whatever was taken at any
        ("chose('spell', 'spell/gate')", 0),
        ("held('armour') + worn('armour')", 0),
    ],
)
def test_facts_count_things_kinds_and_answers(
    mage: LoadedCharacter, formula: str, number: int
) -> None:
    assert mage.character.state.values().evaluate_now(Formula(formula)) == number


@pytest.mark.parametrize(("hand", "guard"), [("left", 16 + 2), ("right", 16 + 2 + 2)])
def test_a_thing_reads_its_own_choice(climber: Climber, hand: str, guard: int) -> None:
    """Mail sets Guard to 16, the vow adds the level, parrying with the right hand 2."""
    fighter = climber(level=1, vows=["vow/height"])
    fighter = level_up_character(fighter, 2, {"calling.parry.hand": hand})
    assert fighter.character.state.values().total("guard") == guard


def test_what_is_offered_depends_on_level_and_values(climber: Climber) -> None:
    """At level 2 only rank 1 (2 × 1 - 1 = 1); at level 3 rank 2 as well (3), and at 5 rank 3."""
    names = ["spell/spark", "spell/veil", "spell/storm", "spell/gate"]
    answers = {f"level.{level}.spell": name for level, name in enumerate(names, 2)}
    loaded = climber("mage", level=5, **answers)
    offered = [
        [str(option.id) for option in find_decision(loaded, f"level.{level}.spell").options()]
        for level in (2, 3, 5)
    ]
    assert offered == [names[:2], names[:3], names]


def test_what_is_not_offered_is_refused_with_the_reason(climber: Climber) -> None:
    loaded = climber("mage")
    with pytest.raises(Exception, match=r"Gate has Rank 3; the condition here") as refused:
        level_up_character(loaded, 2, {"level.2.spell": "spell/gate"})
    assert "Rank × 2 − 1 is at most your Level (2) and Rank is at most your Skill (2)" in str(
        refused.value
    )


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("2 * worn('armour')", "2 if you wear Armour"),
        ("worn('armour') > 1", "number of Armour worn is more than 1"),
        ("not held('armour')", "Armour is not in hand"),
        ("3 if chose('calling', 'calling/mage') else 1", "3 if Mage, otherwise 1"),
        ("2 * (not chose('calling', 'mage'))", "2, unless Mage"),
        ("chose('hand', 'right')", "Right"),
    ],
)
def test_facts_are_explained_in_words(tower: Ruleset, formula: str, text: str) -> None:
    assert formula_text(formula, tower) == text


def test_own_answers_replace_those_of_questions() -> None:
    known = {choice_key("hand"): Formula(0), choice_key("hand", "left"): Formula(1)}
    formula = Formula("2 * chose('hand', 'left') + chose('hand', 'right') + chose('foot', 'left')")
    assert formula.with_variables(known).text == "2 * 1 + 0 + chose('foot', 'left')"


@pytest.mark.parametrize(
    "text", ["worn()", "held(3)", "chose('a')", "chose('a', 2)", "worn('a', 'b')"]
)
def test_facts_need_ids_in_quotes(text: str) -> None:
    with pytest.raises(FormulaError, match="needs the id of"):
        Formula(text)
