"""Lists filtered by an earlier choice: what is offered, when it is asked, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.answers.file import questions_file
from charforge.decisions.base import Decision
from charforge.replay.character_spec import CharacterSpec
from charforge.rules.ruleset import Ruleset
from charforge.usecases.preview import answers_with

Dug = Callable[..., Ruleset]
MATCH = "match: {calling: calling}"
WORN = "- {id: worn, do: choose, section: body, label: Worn?, among: {kind: armour}}"


def replayed(rules: Ruleset, **answers: Any) -> Any:
    return CharacterSpec(rules, "7", "Osk", answers=answers).replay()


def asked(rules: Ruleset, **answers: Any) -> Decision | None:
    found: Decision | None = replayed(rules, **answers).decision("charm")
    return found


def ids(decision: Decision | None) -> list[object]:
    assert decision is not None
    return [option.id for option in decision.options()]


def test_only_what_goes_with_the_earlier_choice_is_offered(barrow: Ruleset) -> None:
    assert ids(asked(barrow, calling="gold")) == ["charm/ring", "charm/tooth"]
    assert ids(asked(barrow, calling="bones")) == ["charm/skull"]
    assert asked(barrow) is None  # not before that is answered


def test_tags_can_name_it(dug: Dug) -> None:
    rules = dug(("ruleset.yaml", MATCH, "match: {tags: calling}"))
    assert ids(asked(rules, calling="bones")) == ["charm/tooth", "charm/skull"]


@pytest.mark.parametrize("named", ["gambeson", "armour/gambeson"])
def test_an_entity_is_named_by_its_id_or_its_slug(dug: Dug, named: str) -> None:
    rules = dug(
        ("ruleset.yaml", MATCH, "match: {calling: worn}"),
        ("ruleset.yaml", "  - {id: charm, do", f"  {WORN}\n  - {{id: charm, do"),
        ("things.yaml", "calling: bones", f"calling: {named}"),
    )
    assert ids(asked(rules, worn="armour/gambeson")) == ["charm/skull"]


def test_the_choice_of_the_same_thing_goes_before_one_of_that_name(dug: Dug) -> None:
    """A trick asks what it is for: its own choice counts, not that of the digger."""
    rules = dug(
        ("things.yaml", "    modifies: [{value: max_blood, amount: 2}]\n  - id: trick/hardy",
         "    choices:\n"
         "      - {id: calling, do: choose, label: For?, options: "
         "[{id: gold, label: Gold}, {id: bones, label: Bones}]}\n"
         f"      - {{id: charm, do: choose, label: Which?, among: {{kind: charm, {MATCH}}}}}\n"
         "  - id: trick/hardy"),
    )  # fmt: skip
    answers = {"calling": "gold", "tricks": ["trick/strong"], "tricks.strong.calling": "bones"}
    decision = replayed(rules, **answers).decision("tricks.strong.charm")
    assert ids(decision) == ["charm/skull"]
    assert decision.reads() == ("tricks.strong.calling",)


def test_what_does_not_fit_is_refused_with_the_reason(barrow: Ruleset) -> None:
    decision = asked(barrow, calling="gold")
    assert decision is not None
    (reason,) = decision.rule_violations("charm/skull")
    assert reason.startswith("Small Skull does not go with Gold")
    assert decision.malformed("charm/skull") == ()  # so that an override can allow it


def test_a_new_answer_before_it_asks_again(barrow: Ruleset) -> None:
    answers = {"calling": "gold", "charm": "charm/ring"}
    made = replayed(barrow, **answers)
    changed = answers_with(answers, made, made.decision("calling"), "bones")
    assert changed == {"calling": "bones"}
    broken = replayed(barrow, calling="bones", charm="charm/ring")
    assert [problem.decision for problem in broken.problems] == ["charm"]


@given(st.integers(0, 500))
def test_chance_takes_what_fits(barrow: Ruleset, seed: int) -> None:
    made = CharacterSpec(barrow, str(seed), "Osk").replay(RandomAnswers(str(seed)))
    calling, charm = made.state.answers["calling"], made.state.answers["charm"]
    assert barrow.entity(charm).own["calling"] == calling


def test_the_questions_file_says_what_it_depends_on(barrow: Ruleset) -> None:
    text = questions_file(barrow, 1)
    assert "of these what goes with calling:\n  #   charm/ring, charm/tooth, charm/skull" in text
