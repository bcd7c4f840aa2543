"""A law of names: what a player types means the same in a command, an input and an answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from random import Random

from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.state import CHARACTER, Holding
from charforge.decisions.base import ValueMapDecision
from charforge.decisions.choose import ChooseDecision
from charforge.errors import AmbiguousName, UnknownId
from charforge.procedures.inputs import read_input
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.replay import Character
from charforge.rules.loading.loader import load
from charforge.rules.models import Input
from charforge.rules.names import TypedText
from charforge.usecases.create import answer_all
from charforge.verbs.lookup import find_entity
from tests.samples import law

SEVERAL, NOTHING = "several", "nothing"
WORDS = re.compile(r"[^\s/_-]+")


@cache
def character() -> Character:
    """A character of the game whose entities have the most names."""
    return answer_all(CharacterSpec(load("capital"), "Nix", "Nix"), RandomAnswers("Nix"))


def typed(names: Iterable[str], random: Random) -> str:
    """Return what somebody may type for one of some names, or for none of them."""
    text = random.choice([*names])
    words = WORDS.findall(text)
    forms: list[Callable[[], str]] = [
        lambda: text,
        text.upper,
        lambda: random.choice(" -_").join(words),
        lambda: " ".join(word[: random.randint(1, 4)] for word in words),
        lambda: random.choice(words),
        lambda: random.choice(words)[: random.randint(1, 3)],
        lambda: text.replace("a", "á").replace("s", "s'"),
        lambda: text[:2] + text[3:],
        lambda: text[1:],
        lambda: random.choice(["1", "", "x", "!", "the", " 12 "]),
    ]
    return random.choice(forms)()


def outcome(find: Callable[[], str]) -> str:
    """Return what a name means, or the kind of its error."""
    try:
        return find()
    except AmbiguousName:
        return SEVERAL
    except UnknownId:
        return NOTHING
    except ValueError as error:
        return SEVERAL if " matches several: " in str(error) else NOTHING


def answered(decision: ChooseDecision, text: str) -> str:
    """Return what a name in a file with answers means to a decision, or the kind of its error."""
    item = decision.item(TypedText(text))
    if item in decision.options_by_id:
        return str(item)
    reasons = (
        decision.of_length(1).rule_violations([item])
        if decision.question.is_list
        else decision.rule_violations(item)
    )
    return SEVERAL if any(" matches several: " in reason for reason in reasons) else NOTHING


@law(examples=400, few=60)
@given(st.integers(0, 10**6))
def test_a_name_means_the_same_in_a_command_an_input_and_an_answer(seed: int) -> None:
    random, state = Random(seed), character().state
    decision = random.choice(
        [
            one
            for one in character().asked
            if isinstance(one, ChooseDecision) and one.question.query and not one.question.own_words
        ]
    )
    options = [one.entity for one in decision.options_by_id.values() if one.entity is not None]
    text = typed([name for entity in options for name in entity.names], random)
    ids = {entity.id for entity in options}
    by_command = outcome(
        lambda: find_entity(state.ruleset, text, lambda one: one.id in ids, "option").id
    )
    assert answered(decision, text) == by_command, text
    items = {one.id: Holding(f"event.{n}", one, CHARACTER, "", 1) for n, one in enumerate(options)}
    wanted = Input.model_validate({"id": "x", "label": "X", "type": "item", "kind": ["system"]})
    by_input = outcome(lambda: str(read_input(state.ruleset, wanted, text, items.values())))
    meant = {item.id: name for name, item in items.items()}
    assert meant.get(by_input, by_input) == by_command, text


@law(examples=200, few=40)
@given(st.integers(0, 10**6))
def test_a_score_is_named_the_same_in_an_input_and_an_answer(seed: int) -> None:
    random, ruleset = Random(seed), character().state.ruleset
    (decision,) = (one for one in character().asked if isinstance(one, ValueMapDecision))
    values = [ruleset.values[name] for name in decision.targets()]
    text = typed([name for one in values for name in (one.id, one.label, one.name)], random)
    group = {value.group for value in values}
    wanted = Input.model_validate({"id": "x", "label": "X", "type": "value", "group": [*group]})
    (key,) = decision.by_value({TypedText(text): 1})
    by_input = outcome(lambda: str(read_input(ruleset, wanted, text)))
    assert (key if key in decision.targets() else "") == (
        by_input if by_input in decision.targets() else ""
    ), text
