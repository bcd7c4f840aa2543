"""Answers in the words of a history: ``edit --answer`` takes what is shown."""

from __future__ import annotations

from functools import cache

from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import read_answer
from charforge.decisions.base import Answer, Decision
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.loading.loader import load_folder
from charforge.rules.ruleset import Ruleset
from tests.conftest import TOY
from tests.samples import law

GAMES = ("toy", "barrow", "harbour", "tower", "watch", "smithy")


@cache
def rules_of(game: str) -> Ruleset:
    """Return the rules of a small game."""
    return load_folder(TOY.with_name(game))


def answered(rules: Ruleset, seed: str) -> list[tuple[Decision, Answer]]:
    """Return the decisions of a random character with their answers."""
    level = min(3, rules.head.advancement.maximum)
    character = CharacterSpec(rules, seed, "Nix", level).replay(RandomAnswers(seed))
    return [(d, character.state.answers[d.id]) for d in character.asked]


def is_told(decision: Decision, answer: Answer) -> bool:
    """Whether an answer is told completely: not dice that only lead to another table."""
    rolls = decision.counted_rolls(answer)
    return decision.question.do != "roll_on" or len(rolls) == decision.answer_text(answer).count(
        "("
    )


@law()
@given(game=st.sampled_from(GAMES), seed=st.text("0123456789abcdef", min_size=1, max_size=8))
def test_edit_takes_the_words_of_the_history(game, seed):
    for decision, answer in answered(rules_of(game), seed):
        if is_told(decision, answer):
            words = decision.answer_text(answer)
            read = read_answer(decision, words)
            assert decision.rule_violations(read) == (), words
            assert decision.answer_text(decision.canonical(read)) == words
