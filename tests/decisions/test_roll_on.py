"""Random tables: what a roll brings, further rolls, choosing instead, and what is refused."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.decisions.base import TextField, WholeAnswer
from charforge.decisions.kinds import possible_ids
from charforge.decisions.roll import RollOnDecision
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset
from charforge.sheet import build as sheet
from tests.conftest import BARROW

Dug = Callable[..., Ruleset]


def replayed(rules: Ruleset, **answers: Any) -> Any:
    return CharacterSpec(rules, "7", "Osk", answers=answers).replay()


def asked(rules: Ruleset, name: str) -> RollOnDecision:
    found = replayed(rules).decision(name)
    assert isinstance(found, RollOnDecision)
    return found


def test_a_roll_brings_its_row_and_is_shown_by_name(barrow: Ruleset) -> None:
    made = replayed(barrow, armour=[15])
    assert [holding.id for holding in made.state.holdings] == ["armour.brigandine"]
    decision = made.decision("armour")
    assert f"{decision.heading()}: {decision.answer_text([15])}" == "Armour: Brigandine (15)"
    assert made.decision("armour.brigandine.dent") is not None  # the entity's own question
    assert "armour.brigandine.dent" in possible_ids(barrow, 1)


def test_a_row_without_an_entity_changes_values_and_says_so(barrow: Ruleset) -> None:
    steps = replayed(barrow, armour=20).state.values().explain("max_blood").steps
    assert [(step.source, step.amount) for step in steps[1:]] == [("armour", 3)]
    assert asked(barrow, "armour").answer_text(3) == "No armour (3)"


def test_a_row_can_roll_again_on_another_table_and_on_its_own(barrow: Ruleset) -> None:
    answer = [[6], [4], [3, 4], [1, 2]]  # two things: 4 is a trinket; a coin, then a bead
    decision = asked(barrow, "find")
    assert decision.rule_violations(answer) == ()
    text = "Two things (6), Trinket: Old Coin (3 [4]), Trinket: A bead (1 [2])"
    assert decision.answer_text(answer) == text
    holdings = replayed(barrow, find=answer).state.holdings
    assert [holding.entity.id for holding in holdings] == ["find/coin"]


def test_the_same_thing_rolled_twice_is_there_twice(barrow: Ruleset) -> None:
    holdings = replayed(barrow, find=[[5], [4, 4], [3, 3], [4, 3]]).state.holdings
    assert [holding.id for holding in holdings] == ["find.coin", "find.coin#2"]


@pytest.mark.parametrize(
    ("name", "answer", "reason"),
    [
        ("armour", [21], "21 is not a face of 1d20 (1 to 20)"),
        ("armour", "brigandine", "roll 1d20: here you cannot choose"),
        ("armour", [4, 5], "1 rolls are needed, not 2"),
        ("armour", {"a": 1}, "is not a roll of 1d20"),
        ("armour", [], "is not a roll of 1d20"),
        ("find", [4], "roll 2d4 (lowest) as well: Trinket"),
        ("find", [[4], [1]], "2d4kl1 is 2 dice, not 1"),
        ("find", "a sword", "a sword is not a row of"),
    ],
)
def test_why_a_roll_is_not_allowed(barrow: Ruleset, name: str, answer: Any, reason: str) -> None:
    (found,) = asked(barrow, name).rule_violations(answer)
    assert reason in found


@pytest.mark.parametrize("written", ["bell", "find/bell", [2], 2, ["bell"]])
def test_a_result_can_be_chosen_where_the_rules_say_so(barrow: Ruleset, written: Any) -> None:
    decision = asked(barrow, "find")
    assert decision.rule_violations(written) == ()
    made = replayed(barrow, find=written)
    assert [holding.entity.id for holding in made.state.holdings] == ["find/bell"]
    kept = made.state.answers["find"]
    assert kept == ([2] if written in ([2], 2) else "bell")
    assert decision.answer_text(kept) == ("Bell (2)" if kept == [2] else "Bell (chosen)")


def test_the_wizard_rolls_takes_dice_and_offers_rows(barrow: Ruleset) -> None:
    menu = asked(barrow, "find").widget([1], RandomAnswers("7"))
    labels = [(item.label, item.detail) for item in menu.items]
    assert labels[0] == ("Keep Nothing (1)", "")
    assert labels[-5:] == [
        ("Nothing", "1"),
        ("Bell", "2"),
        ("A bad dream", "3"),
        ("Roll: Trinket", "4–5"),
        ("Two things", "6"),
    ]
    for item in menu.items:
        if isinstance(item.value, WholeAnswer):
            assert asked(barrow, "find").rule_violations(item.value.answer) == ()
    locked = asked(barrow, "armour").widget([1], RandomAnswers("7"))
    assert [item.label for item in locked.items][-1] == "Type my own dice"


@pytest.mark.parametrize("answer", [[0, 7], [7], [[0, 7]], 7])
def test_tens_and_ones_are_one_roll_on_a_table(dug: Dug, answer: Any) -> None:
    percentile = dug(
        ("ruleset.yaml", "    dice: 1d20\n    rows:", "    dice: 1d100\n    rows:"),
        ("ruleset.yaml", "{at: 20,", "{at: [20, 100],"),
    )
    decision = asked(percentile, "armour")
    assert decision.rule_violations(answer) == ()
    assert decision.canonical(answer) == [7]
    field = next(
        item.value
        for item in decision.widget([7], RandomAnswers("7")).items
        if isinstance(item.value, TextField)
    )
    assert field.parse("0 7") == [[7]]


def test_typed_dice_are_asked_for_table_by_table(barrow: Ruleset) -> None:
    menu = asked(barrow, "find").widget([1], RandomAnswers("7"))
    field = next(item.value for item in menu.items if isinstance(item.value, TextField))
    assert field.status == ("Find: type the number your 1d6 shows (1 to 6).",)
    further = field.follow_up(field.parse("5"))
    assert further is not None
    assert further.status == ("Trinket: type the 2 numbers your 2d4 shows (1 to 4).",)
    assert list(further.problems("9 9")) == ["9 is not a face of 2d4kl1 (1 to 4)"]
    answer = further.parse("2 3")
    assert further.follow_up(answer) is None
    assert asked(barrow, "find").answer_text(answer) == "Trinket: A key (2 [3])"


def test_the_sheet_shows_results_with_their_texts(barrow: Ruleset) -> None:
    parts = sheet.build(replayed(barrow, find=[3])).story
    shown = [(part.label, [answer.name for answer in part.answers]) for part in parts]
    assert ("Find", ["A bad dream"]) in shown


@given(st.integers(0, 2000))
def test_random_results_are_legal_and_the_same_for_a_seed(barrow: Ruleset, seed: int) -> None:
    for name in ("armour", "find"):
        decision = asked(barrow, name)
        answer = decision.random_answer(RandomAnswers(str(seed)))
        assert answer == decision.random_answer(RandomAnswers(str(seed)))
        assert decision.rule_violations(answer) == ()
        assert decision.canonical(answer) == answer
        assert decision.rule_violations(decision.lowest_roll()) == ()


@given(st.lists(st.integers(1, 20), min_size=1, max_size=3))
def test_every_face_has_exactly_one_row(barrow: Ruleset, faces: list[int]) -> None:
    table = asked(barrow, "armour").question.first_table
    for face in faces:
        rows = [row for low, high, row in table.spans({}) if low <= face <= high]
        (draw,) = asked(barrow, "armour").draws([face]).results
        assert rows == [draw.row]


def test_the_questions_file_lists_rows_with_their_totals(barrow: Ruleset) -> None:
    text = questions_file(barrow, 1)
    assert "the dice: 1d20\n  #     1–3: No armour\n  #     4–14: Gambeson" in text
    assert "the dice: 1d6, or the id of a row\n  #     1: nothing (Nothing)" in text
    assert "#   trinkets: 2d4kl1\n  #     1: a-bead (A bead)" in text


def test_special_dice_have_a_row_for_each_total_they_can_show(dug: Dug) -> None:
    faces = ", ".join(str(10 * tens + ones) for tens in (1, 2) for ones in (1, 2))
    rules = dug(
        ("ruleset.yaml", "sections:", f"dice: [{{id: twos, faces: [{faces}]}}]\nsections:"),
        ("ruleset.yaml", "dice: 2d4kl1", "dice: 1dtwos"),
    )
    spans = [*asked(rules, "find").question.tables[0].spans(rules.dice)]
    assert [(low, high) for low, high, _row in spans] == [(11, 11), (12, 12), (21, 21), (22, 22)]


# ------------------------------------------------------------------ tables that questions share


@pytest.fixture(scope="module")
def watch() -> Ruleset:
    """The watch: two questions that can lead to the same tables."""
    return load_folder(BARROW.with_name("watch"))


def test_questions_share_a_table_and_what_it_leads_to(watch: Ruleset) -> None:
    pocket, locker = asked(watch, "pocket"), asked(watch, "locker")
    assert pocket.rule_violations([[6], [4], [3, 4], [1, 2]]) == ()  # again: a letter; a letter
    text = "Letter: A warrant (3 [4]), Letter: A love letter (1 [2])"
    assert pocket.answer_text([[6], [4], [3, 4], [1, 2]]) == text
    found = "Two things (4), Oddity: Knife (3), Nothing (1)"
    assert locker.answer_text([[4], [3], [1]]) == found


@given(st.integers(0, 10_000))
def test_random_rolls_on_shared_tables_are_legal(watch: Ruleset, seed: int) -> None:
    for name in ("pocket", "locker"):
        decision = asked(watch, name)
        assert decision.rule_violations(decision.random_answer(RandomAnswers(str(seed)))) == ()


def test_shared_tables_outlive_the_cache(watch: Ruleset) -> None:
    question = pickle.loads(pickle.dumps(watch.head.creation_questions[1]))
    assert [table.id for table in question.all_tables] == ["pocket", "oddity", "letter"]


def test_every_roll_is_counted_as_luck(watch: Ruleset) -> None:
    rolls = asked(watch, "pocket").counted_rolls([[6], [4], [3, 4], [1, 2]])
    assert [(roll.dice.notation, list(roll.faces)) for roll in rolls] == [
        ("1d6", [6]), ("1d6", [4]), ("2d4kl1", [3, 4]), ("2d4kl1", [1, 2]),
    ]  # fmt: skip
    assert asked(watch, "pocket").counted_rolls("knife") == ()
