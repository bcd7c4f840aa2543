"""Fixtures that create characters of the toy ruleset, and random answers from Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import State
from charforge.decisions.base import Answer, Decision
from charforge.decisions.scores import AssignDecision
from charforge.replay.character_spec import growth
from charforge.replay.replay import AnswerSource, Character, Start, replay
from charforge.rules.models import Allot, Assign, Choose, Enter, Entity, Roll, RollOn
from charforge.rules.ruleset import Ruleset

# A keeper with every knack at a known score: hands 6, eyes 6, nerve 4 (and luck 7 + 4).
BASE: Mapping[str, Answer] = {
    "post": "post/boatman",
    "story": "",
    "superstition": "charm/whistling",
    "storm.roll": [1, 3, 5, 8, 8],
    "storm.drop": [1, 3],
    "knacks": {"hands": 6, "eyes": 6, "nerve": 4},
    "luck": [3, 4],
    "treasure": "boat/dinghy",
    "locker": [],
    "savings": 20,
    "keepsakes": ["compass", "tin"],
    "habits": [],
    "treasure.boat.colour": "green",
}


@pytest.fixture
def base() -> dict[str, Answer]:
    """All answers of a complete keeper."""
    return dict(BASE)


@pytest.fixture
def keeper(toy: Ruleset) -> Callable[..., Character]:
    """Replay the complete keeper with some answers changed; None removes one."""

    def build(changes: Mapping[str, Any] | None = None, rules: Ruleset = toy) -> Character:
        answers = {**BASE, **(changes or {})}
        return replay(rules, {name: a for name, a in answers.items() if a is not None})

    return build


@pytest.fixture
def legal_keeper(keeper: Callable[..., Character]) -> Callable[..., State]:
    """Return the state of a changed keeper, which must be legal."""

    def build(changes: Mapping[str, Any] | None = None, **more: Any) -> State:
        made = keeper(changes, **more)
        assert (made.problems, made.open, made.dormant) == ((), (), ())
        return made.state

    return build


@pytest.fixture(scope="session")
def by_chance() -> Callable[[Ruleset, int, int], Character]:
    """Create a complete random character from a seed; each is created only once."""
    known: dict[str, Ruleset] = {}

    @cache
    def make(ruleset: str, seed: int, level: int) -> Character:
        return replay(known[ruleset], {}, Start("N"), RandomAnswers(f"seed {seed}"), growth(level))

    def build(rules: Ruleset, seed: int, level: int = 1) -> Character:
        known[rules.id] = rules
        return make(rules.id, seed, level)

    return build


@pytest.fixture(scope="session")
def drawing() -> Callable[[st.DataObject], AnswerSource]:
    """Return an answer source that lets Hypothesis draw any legal answer."""

    def source(data: st.DataObject) -> AnswerSource:
        return lambda decision: _drawn(data, decision)

    return source


def _drawn(data: st.DataObject, decision: Decision) -> Answer:
    question = decision.question
    if isinstance(question, Choose):
        return _chosen(data, decision, question)
    if isinstance(question, Allot) and question.points is None:
        numbers = st.sampled_from(list(decision.numbers()))
        return {name: data.draw(numbers, label=name) for name in decision.targets()}
    if isinstance(question, Roll | RollOn | Allot):
        return RandomAnswers(str(data.draw(st.integers(0, 10_000), label=decision.id)))(decision)
    if isinstance(decision, AssignDecision) and decision.one_swap:
        return data.draw(st.sampled_from(list(decision.arrangements())), label=decision.id)
    if isinstance(question, Assign):
        scores = data.draw(st.permutations(decision.scores()), label=decision.id)
        return dict(zip(decision.targets(), scores, strict=True))
    if isinstance(question, Enter):
        low, high, _suggested = decision.bounds()
        return data.draw(st.integers(low, high), label=decision.id)
    return data.draw(st.sampled_from(["", "A story."] if question.optional else ["A word."]))


def _chosen(data: st.DataObject, decision: Decision, question: Choose) -> Answer:
    def offered(picked: list[Answer]) -> list[Answer]:
        return [offer.id for offer in decision.options(picked) if offer.legal]

    if not question.is_list:
        return data.draw(st.sampled_from(offered([])), label=decision.id)
    if question.among is not None and question.among.faces is not None:
        rolled = decision.before.answers[question.among.faces]
        last = rolled[-1] if isinstance(rolled[-1], list) else rolled
        return data.draw(st.permutations(last), label=decision.id)[: question.count]
    few = question.up_to or question.budget is not None
    most = data.draw(st.integers(0, min(question.count or 4, 4))) if few else question.count or 0
    picked: list[Answer] = []
    while len(picked) < most and (left := offered(picked)):
        picked.append(data.draw(st.sampled_from(left), label=decision.id))
    return picked


@pytest.fixture
def amended(toy: Ruleset) -> Callable[..., Ruleset]:
    """Change entities of the toy ruleset in memory, without the checks of loading."""

    def amend(**changes: Mapping[str, Any]) -> Ruleset:
        entities = dict(toy.entities)
        for name, update in changes.items():
            found = next(e for e in toy.entities.values() if e.slug == name.replace("_", "-"))
            raw = {**found.model_dump(by_alias=True, exclude_unset=True), **update}
            entities[found.id] = Entity.model_validate(raw)
        return replace(toy, entities=entities)

    return amend
