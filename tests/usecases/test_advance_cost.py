"""Levels that cost something and require something, and games without levels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.files.events import Override
from charforge.cli.check import heading
from charforge.errors import FILE, AnswerError, RuleRefusal, UsageError
from charforge.export.text_formats import write
from charforge.packs.install import load_checked
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import LoadedCharacter, replay_document
from charforge.rules.ruleset import Ruleset
from charforge.usecases.create import create_character
from charforge.usecases.level_up import LevelUp, level_up_character
from charforge.verbs.history import history_chapters
from charforge.verbs.inventory import money_text
from charforge.verbs.manual_changes import award_resource, spend_resource
from tests.samples import law
from tests.source import EXAMPLES

Dug = Callable[..., Ruleset]


def digger(rules: Ruleset, xp: int, level: int = 1, **answers: Any) -> LoadedCharacter:
    spec = CharacterSpec(rules, "7", "Osk", level, answers={"armour": [1], **answers})
    loaded = replay_document(create_character(spec, RandomAnswers("7")), rules)
    if not xp:
        return loaded
    return award_resource(loaded, "xp", xp, loaded.character.state.units[0]).after


def advanced(loaded: LoadedCharacter, to: int) -> LoadedCharacter:
    return level_up_character(loaded, to, {}, RandomAnswers("7"))


SHARP = {"senses": {"eyes": 12, "ears": 10}}
DULL = {"senses": {"eyes": 10, "ears": 12}}


def test_a_rank_spends_what_it_costs(barrow: Ruleset) -> None:
    before = digger(barrow, 7, **SHARP)
    after = advanced(before, 2)
    assert (after.document.level, after.character.state.values().total("xp")) == (2, 2)
    assert not after.problems
    event = next(event for event in after.document.log if event.do == "advance")
    assert event.spent == {"xp": 5}
    last = history_chapters(after)[-1]
    assert (last.label, last.events[0].text) == ("Rank 2", "reached Rank 2 for 5 XP")
    assert "XP 7 → 2" in LevelUp(before, 2).gains()["level.2"]


def test_two_ranks_cost_both(barrow: Ruleset) -> None:
    # 5 for Rank 2 and 10 for Rank 3: the cost is 5 times the rank before.
    assert advanced(digger(barrow, 15, **SHARP), 3).character.state.values().total("xp") == 0
    with pytest.raises(RuleRefusal, match="Rank 3 costs 15 XP; you have 14") as caught:
        advanced(digger(barrow, 14, **SHARP), 3)
    assert caught.value.command == ("award", FILE, "xp", "1")


def test_a_rank_requires_what_the_rules_say(barrow: Ruleset) -> None:
    with pytest.raises(RuleRefusal, match=r"Rank 2: .*EYE"):
        advanced(digger(barrow, 5, **DULL), 2)


def test_who_begins_at_a_higher_rank_pays_nothing(barrow: Ruleset) -> None:
    loaded = digger(barrow, 0, level=3, **SHARP)
    assert (loaded.document.level, loaded.problems) == (3, ())


@law(few=10)
@given(st.integers(1, 40))
def test_nobody_ever_spends_more_than_there_is(barrow: Ruleset, xp: int) -> None:
    loaded = digger(barrow, xp, **SHARP)
    left = xp
    for rank in (2, 3):
        cost = 5 * (rank - 1)
        if left < cost:
            with pytest.raises(RuleRefusal):
                advanced(loaded, rank)
            return
        loaded, left = advanced(loaded, rank), left - cost
        assert loaded.character.state.values().total("xp") == left


def test_a_game_without_levels_never_speaks_of_them(dug: Dug) -> None:
    rules = dug(("ruleset.yaml", "  maximum: 3\n", "  maximum: 1\n"))
    loaded = digger(rules, 3, **SHARP)
    said = [
        heading(Path("osk.json"), loaded),
        write("text", loaded.character, ()),
        *(chapter.label for chapter in history_chapters(loaded)),
    ]
    assert said[0] == "osk.json: Osk"
    assert [chapter.label for chapter in history_chapters(loaded)] == ["Creation", "In play"]
    assert not [one for one in said if "level" in one.casefold() or "rank" in one.casefold()]
    with pytest.raises(UsageError, match="The Barrow has no levels"):
        advanced(loaded, 2)


# ------------------------------------------------------------------ what the GM allows

GIFT = Override(by="GM", reason="a long winter")


def test_the_gm_may_allow_a_rank_that_is_refused(barrow: Ruleset) -> None:
    before = digger(barrow, 3, **DULL)
    with pytest.raises(RuleRefusal) as caught:
        advanced(before, 2)
    assert "--override" in caught.value.advice
    after = level_up_character(before, 2, {}, RandomAnswers("7"), override=GIFT)
    assert (after.document.level, after.character.state.values().total("xp")) == (2, 0)
    assert replay_document(after.document, barrow).character.state == after.character.state
    last = history_chapters(after)[-1].events[0].text
    assert last == "reached Rank 2 for 3 XP, allowed by GM: a long winter"
    (note,) = [one for one in after.notes if "Rank 2" in one]
    assert note.startswith(
        f"no. {after.document.log[-1].group} in history: Rank 2: requires EYE 11"
    )
    assert note.endswith(" or more (you have 10) (allowed by GM: a long winter)")


def test_an_override_that_nothing_needs_is_not_recorded(barrow: Ruleset) -> None:
    before = digger(barrow, 7, **SHARP)
    after = level_up_character(before, 2, {}, RandomAnswers("7"), override=GIFT)
    assert [event.override for event in after.document.log if event.do == "advance"] == [None]
    assert not after.character.overridden


def test_the_gm_may_allow_an_answer_of_a_level(dug: Dug) -> None:
    strong, needs = "    name: Strong\n", "    requires: {value: {id: eyes, at_least: 13}}\n"
    rules = dug(("things.yaml", strong, strong + needs))
    before, answer = digger(rules, 7, **SHARP, tricks=[]), {"level.2.trick": "trick/strong"}
    with pytest.raises(AnswerError):
        level_up_character(before, 2, answer, RandomAnswers("7"))
    after = level_up_character(before, 2, answer, RandomAnswers("7"), override=GIFT)
    (allowed,) = after.character.overridden
    assert (allowed.decision, allowed.override) == ("level.2.trick", GIFT)
    assert [event.override for event in after.document.log if event.do == "answer"][-1] == GIFT
    assert not after.problems
    assert replay_document(after.document, rules).character.state == after.character.state


def test_an_amount_of_1_has_its_own_name() -> None:
    """Cinderwell's tales: Descent 2 costs 1, Descent 3 costs 2."""
    rules = load_checked(EXAMPLES / "cinderwell").ruleset
    spec = CharacterSpec(rules, "7", "Osk")
    loaded = replay_document(create_character(spec, RandomAnswers("7")), rules)
    with pytest.raises(RuleRefusal, match="Descent 2 costs 1 Tale; you have 0"):
        advanced(loaded, 2)
    second = advanced(award_resource(loaded, "tales", 2, loaded.character.state.units[0]).after, 2)
    assert history_chapters(second)[-1].events[0].text == "reached Descent 2 for 1 Tale"
    with pytest.raises(RuleRefusal, match="Descent 3 costs 2 Tales; you have 1"):
        advanced(second, 3)
    with pytest.raises(RuleRefusal, match="only 1 Tale left, not 2"):
        spend_resource(second, "tales", 2)
    assert money_text(rules, 1) == "1 Coin"
    assert money_text(rules, 2) == "2 Coins"
