"""Every question of a pack has one decision class."""

from __future__ import annotations

from typing import get_args

import pytest

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import Checklist, NumberFields, OptionMenu, TextField
from charforge.decisions.kinds import KINDS, decision_class
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.models.questions import AnyQuestion
from charforge.rules.ruleset import Ruleset


def test_every_question_of_a_pack_has_a_kind() -> None:
    assert set(KINDS) == set(get_args(get_args(AnyQuestion)[0]))


@pytest.mark.parametrize("seed", ["1", "2"])
def test_every_decision_can_be_asked_answered_and_described(rules: Ruleset, seed: str) -> None:
    source = RandomAnswers(seed)
    character = CharacterSpec(rules, seed, "Nix").replay(source)
    for decision in character.asked:
        answer = decision.random_answer(source)
        assert decision.rule_violations(answer) == ()
        assert decision.malformed(answer) == ()
        assert decision.canonical(decision.canonical(answer)) == decision.canonical(answer)
        assert decision.answer_text(answer)
        widget = decision.widget(answer, source)
        assert isinstance(widget, OptionMenu | Checklist | NumberFields | TextField)
        kind = decision_class(decision.question)
        assert isinstance(decision, kind)
        assert all(line for line in kind.question_lines(decision.question, rules))
