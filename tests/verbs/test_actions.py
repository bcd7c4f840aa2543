"""Actions that run a procedure with inputs of their own: used, replayed, with odds."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from charforge.errors import PackError, UsageError
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.loading.loader import load_folder
from charforge.sheet.odds import odds_tables
from charforge.usecases.create import create_character
from charforge.usecases.preview import key_values
from charforge.verbs import odds, play
from charforge.verbs.typed_inputs import TypedInputs
from tests.conftest import TOY

WATCH = TOY.with_name("watch")


@pytest.fixture(scope="module")
def guard() -> LoadedCharacter:
    """A guard of the watch: Brawn 2, Wits 1."""
    rules = load_folder(WATCH)
    spec = CharacterSpec(
        rules, "1", "Hob", answers={"brawn": 0, "pocket": 1, "locker": 1, "kit.own.score": "wits"}
    )
    return replay_document(create_character(spec), rules)


def _chance(opened: LoadedCharacter, named: str, output: str, **words: str) -> Fraction:
    subject = odds.find_odds_subject(opened, named)
    result = odds.calculate_odds(subject, TypedInputs(words))
    return next(one for one in result.cases[0] if one.id == output).chances.at_least(1)


def test_an_action_has_the_odds_of_its_procedure_with_its_own_inputs(guard) -> None:
    assert _chance(guard, "Climb", "strong") == Fraction(15, 36)  # 2d6 + 2 >= 10
    assert _chance(guard, "Own Deed", "strong") == Fraction(10, 36)  # 2d6 + 1 >= 10
    assert _chance(guard, "Climb", "strong", bonus="1") == Fraction(21, 36)


def test_the_cost_is_paid_before_the_odds(guard) -> None:
    # Grit 3 is left: 2d6 + 1 + 2 + 1 >= 10.
    assert _chance(guard, "Bluff", "strong") == Fraction(26, 36)


def test_a_use_keeps_only_what_the_player_set_and_repeats_from_the_file(guard) -> None:
    typed = TypedInputs({"bonus": "1"}, {"own": (4, 4)})
    after = play.use_named(guard, "Climb", typed=typed).after
    event = after.document.log[-1]
    assert event.inputs == {"bonus": 1}
    assert event.faces == {"own": [[4, 4]]}
    again = replay_document(after.document, after.ruleset)
    assert again.character.state == after.character.state


def test_a_sheet_has_the_odds_of_each_action(guard) -> None:
    (table,) = odds_tables(guard.character)
    assert [row.name for row in table.rows] == ["Climb", "Bluff", "Own Deed"]
    assert table.rows[0].cells[0] == ("42%", "42%")  # 15 of 36 each, with a bonus of 0


def test_an_attack_without_a_roll_is_known_by_its_damage(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WATCH, tmp_path / "watch"))
    page = folder / "ruleset.yaml"
    text = page.read_text(encoding="utf-8").replace("arm/cudgel, arm/bow", "arm/cudgel")
    page.write_text(text, encoding="utf-8")
    state = CharacterSpec(load_folder(folder), "1", "Hob").replay().state
    (best,) = [one for one in key_values(state) if one.part == "attack"]
    assert (best.label, best.text, best.extra) == ("Cudgel", "1d6", "")


def test_actions_with_odds_are_listed(guard) -> None:
    assert "actions  Climb, Bluff, Own Deed" in odds.odds_offered(guard)
    with pytest.raises(UsageError, match="Own Deed"):
        odds.find_odds_subject(guard, "nothing like it")


def test_a_list_of_answers_cannot_be_given_to_a_procedure(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WATCH, tmp_path / "watch"))
    page = folder / "things.yaml"
    text = page.read_text(encoding="utf-8")
    several = text.replace("Which score does it use?,", "Which scores?, count: 2, up_to: true,")
    page.write_text(several, encoding="utf-8")
    with pytest.raises(PackError) as refused:
        load_folder(folder)
    (problem,) = refused.value.problems
    assert problem.message == 'the input "score" of face takes one answer; "score" has several'
