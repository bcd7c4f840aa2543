"""Laws of every character of every ruleset, for any answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import assume, given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.character.modifiers import ORDER
from charforge.character.values import ExplainedValue
from charforge.decisions.base import Answer, Decision
from charforge.replay.character_spec import growth
from charforge.replay.replay import AnswerSource, Character, Start, replay
from charforge.rules.loading import yaml_reader as source
from charforge.rules.loading.loader import load_folder
from charforge.rules.models import Choose, Entity
from charforge.rules.ruleset import Ruleset
from tests.samples import law

SEEDS = st.integers(0, 40)
ByChance = Callable[[Ruleset, int, int], Character]
Drawing = Callable[[st.DataObject], AnswerSource]


@pytest.fixture(scope="session")
def some(by_chance: ByChance) -> Callable[[Ruleset, int], Character]:
    """A character by seed, at a level that the seed picks."""

    def make(rules: Ruleset, seed: int) -> Character:
        return by_chance(rules, seed, 1 + seed % min(rules.head.advancement.maximum, 4))

    return make


Some = Callable[[Ruleset, int], Character]


def drawn(rules: Ruleset, source: AnswerSource, data: st.DataObject) -> Character:
    most = min(rules.head.advancement.maximum, 3)
    level = data.draw(st.integers(1, most), label="level")
    return replay(rules, {}, Start("N"), source, growth(level))


def again(made: Character, answers: dict[str, Answer]) -> Character:
    state = made.state
    return replay(state.ruleset, answers, Start(made.name, state.rules), log=growth(state.level))


def explained(made: Character) -> Iterator[ExplainedValue]:
    for unit in made.state.units:
        values = made.state.values(unit.id)
        yield from (values.explain(name) for name in values.ids())


def figures(made: Character) -> dict[str, tuple[int, int]]:
    return {
        f"{unit.id} {name}": (values.base(name), values.total(name))
        for unit in made.state.units
        for values in [made.state.values(unit.id)]
        for name in values.ids()
    }


def told(made: Character) -> dict[str, Any]:
    """Everything that two equal characters have in common."""
    return {
        "answers": made.answers(),
        "holdings": made.state.holdings,
        "units": made.state.units,
        "settled": made.state.fixed_modifiers,
        "chosen": made.state.chosen_options,
        "asked": [decision.id for decision in made.asked],
        "open": [decision.id for decision in made.open],
        "problems": made.problems,
        "dormant": made.dormant,
        "values": figures(made),
    }


# --------------------------------------------------------------------------- values


@law()
@given(seed=SEEDS)
def test_the_steps_of_every_value_add_up(rules: Ruleset, some: Some, seed: int) -> None:
    """The fold is done here a second time, so that a wrong step cannot agree with itself."""
    for value in explained(some(rules, seed)):
        total: float = 0
        base: float = 0
        for step in value.steps:
            if step.op == "set":
                total = step.amount
            elif step.op == "add":
                total += step.amount
            elif step.op == "multiply":
                total = int(total * step.amount // 1)
            elif step.op == "at_least":
                total = max(total, step.amount)
            else:
                assert step.op == "at_most"
                total = min(total, step.amount)
            assert step.total == total, value
            base = total if step.lasting else base
        assert (value.base, value.total) == (base, total)


@law()
@given(seed=SEEDS)
def test_lasting_steps_come_first_and_each_layer_in_the_fixed_order(
    rules: Ruleset, some: Some, seed: int
) -> None:
    for value in explained(some(rules, seed)):
        layers = [step.lasting for step in value.steps]
        assert layers == sorted(layers, reverse=True)
        for lasting in (True, False):
            ops = [ORDER.index(step.op) for step in value.steps if step.lasting is lasting]
            free = [op for op in ops if op < ORDER.index("at_least")]
            assert free == sorted(free)


@law()
@given(seed=SEEDS)
def test_every_step_names_a_source_that_exists(rules: Ruleset, some: Some, seed: int) -> None:
    made = some(rules, seed)
    decisions = {decision.id for decision in made.asked}
    steps = {f"{track.id}.{step.id}" for track in rules.head.tracks for step in track.steps}
    known = {rules.id, *rules.entities, *decisions, *steps}
    for value in explained(made):
        assert {step.source for step in value.steps} <= known


@law()
@given(seed=SEEDS)
def test_every_value_keeps_within_its_bounds(rules: Ruleset, some: Some, seed: int) -> None:
    made = some(rules, seed)
    for unit in made.state.units:
        values = made.state.values(unit.id)
        for name, computed in unit.type.values.items():
            for figure in (values.base(name), values.total(name)):
                if computed.minimum is not None and computed.maximum is None:
                    assert figure >= values.evaluate(computed.minimum)
                if computed.maximum is not None:
                    assert figure <= values.evaluate(computed.maximum)


MODIFIERS = st.fixed_dictionaries(
    {
        "value": st.sampled_from(["oil", "reach", "group:knacks"]),
        "op": st.sampled_from(["add", "multiply", "at_least", "at_most"]),
        "amount": st.one_of(st.integers(-3, 6), st.sampled_from(["level + 1", "half_up(luck)"])),
        "layer": st.sampled_from(["lasting", "current"]),
    }
)
HABITS = ("habit/early-bed", "habit/morse", "habit/night-watch", "habit/red-lamp")


@law()
@given(
    lines=st.lists(st.lists(MODIFIERS, max_size=4), min_size=4, max_size=4),
    sets=st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=4, max_size=4),
    data=st.data(),
)
def test_no_order_of_things_or_lines_changes_a_total(
    toy: Ruleset,
    fixed: dict[str, Answer],
    lines: list[list[dict[str, Any]]],
    sets: list[int | None],
    data: st.DataObject,
) -> None:
    def held(order: list[int], inner: list[list[dict[str, Any]]]) -> dict[str, tuple[int, int]]:
        entities = dict(toy.entities)
        for number, name in enumerate(HABITS):
            own = {"id": name, "name": name, "source": "Habits", "modifies": inner[number]}
            entities[name] = Entity.model_validate(own)
        listed = [HABITS[number] for number in order]
        rules = replace(toy, entities=entities)
        made = replay(rules, {**fixed, "habits": listed})
        assert made.legal
        return figures(made)

    every = [
        [*found, *([{"value": "oil", "op": "set", "amount": one}] if one is not None else [])]
        for found, one in zip(lines, sets, strict=True)
    ]
    shuffled = [data.draw(st.permutations(part)) for part in every]
    order = data.draw(st.permutations(range(4)))
    assert held(list(order), shuffled) == held([0, 1, 2, 3], every)


@pytest.fixture(scope="session")
def fixed(by_chance: ByChance, toy: Ruleset) -> dict[str, Answer]:
    """A keeper without habits, whose fear is told in case lower nerve asks for it."""
    answers = by_chance(toy, 7, 1).answers()
    kept = {name: answers[name] for name in answers if not name.startswith("habits")}
    return {**kept, "warning": "The dark."}


# ------------------------------------------------------- options, answers, spelling


@law()
@given(seed=SEEDS, data=st.data())
def test_a_single_option_is_legal_exactly_when_it_may_be_answered(
    rules: Ruleset, some: Some, seed: int, data: st.DataObject
) -> None:
    single = [
        d
        for d in some(rules, seed).asked
        if isinstance(d.question, Choose) and not d.question.is_list
    ]
    assume(single)
    decision = data.draw(st.sampled_from(single))
    for offer in decision.options():
        assert offer.legal == (decision.rule_violations(offer.id) == ()), (decision.id, offer.id)


@law()
@given(seed=SEEDS, data=st.data())
def test_an_option_of_a_list_is_legal_exactly_when_it_may_be_added(
    rules: Ruleset, some: Some, seed: int, data: st.DataObject
) -> None:
    lists = [
        d for d in some(rules, seed).asked if isinstance(d.question, Choose) and d.question.is_list
    ]
    decision = data.draw(st.sampled_from(lists))
    question = decision.question
    assert isinstance(question, Choose)
    picked: list[Answer] = []
    some_less = question.up_to or question.budget is not None
    most = (
        data.draw(st.integers(0, min((question.count or 4) - 1, 3)))
        if some_less
        else question.count - 1
    )  # type: ignore[operator]
    while len(picked) < most:
        left = [offer.id for offer in decision.options(picked) if offer.legal]
        assume(left)
        picked.append(data.draw(st.sampled_from(left)))
    for offer in decision.options(picked):
        allowed = decision.rule_violations([*picked, offer.id]) == ()
        assert offer.legal == allowed, (decision.id, picked, offer.id, offer.reasons)


@law()
@given(data=st.data())
def test_every_legal_answer_is_allowed_and_its_spelling_is_final(
    rules: Ruleset, drawing: Drawing, data: st.DataObject
) -> None:
    inner = drawing(data)

    def source(decision: Decision) -> Answer:
        answer = inner(decision)
        assert decision.rule_violations(answer) == ()
        kept = decision.canonical(answer)
        assert decision.canonical(kept) == kept
        assert decision.rule_violations(kept) == ()
        return answer

    made = drawn(rules, source, data)
    assert made.legal
    assert (made.problems, made.dormant) == ((), ())


@law()
@given(seed=SEEDS)
def test_reasons_are_words_without_ids(rules: Ruleset, some: Some, seed: int) -> None:
    for decision in some(rules, seed).asked:
        for offer in decision.options():
            for reason in offer.reasons:
                assert re.search(r"[a-z]", reason)
                assert not re.search(r"\b[a-z-]+/[a-z0-9-]+", reason), reason


@law()
@given(seed=SEEDS)
def test_ids_of_decisions_and_holdings_are_unique(rules: Ruleset, some: Some, seed: int) -> None:
    made = some(rules, seed)
    for names in (
        [decision.id for decision in made.asked],
        [holding.id for holding in made.state.holdings],
        [unit.id for unit in made.state.units],
    ):
        assert len(names) == len(set(names))


@law()
@given(seed=SEEDS)
def test_whatever_is_held_or_made_belongs_to_a_unit(rules: Ruleset, some: Some, seed: int) -> None:
    state = some(rules, seed).state
    units = {unit.id for unit in state.units}
    assert {holding.unit for holding in state.holdings} <= units
    assert {change.unit for change in state.fixed_modifiers} <= units
    assert {option.unit for option in state.chosen_options} <= units
    assert {unit.owner for unit in state.units[1:]} <= units


@law()
@given(seed=SEEDS, data=st.data())
def test_the_order_of_a_list_changes_no_value(
    rules: Ruleset, some: Some, seed: int, data: st.DataObject
) -> None:
    """Where one item does not rule out another (``not``), a list is a set."""
    made = some(rules, seed)
    lists = [
        decision
        for decision in made.asked
        if isinstance(decision.question, Choose) and decision.question.is_list
        and len(made.answers()[decision.id]) > 1
        and "habit/early-bed" not in made.answers()[decision.id]
        and len(set(made.answers()[decision.id])) == len(made.answers()[decision.id])
    ]  # fmt: skip
    assume(lists)
    decision = data.draw(st.sampled_from(lists))
    other = data.draw(st.permutations(made.answers()[decision.id]))
    assert decision.rule_violations(other) == ()
    turned = again(made, {**made.answers(), decision.id: other})
    assert turned.legal
    assert figures(turned) == figures(made)


# -------------------------------------------------------------------- replay, editing


@law()
@given(data=st.data())
def test_a_replayed_character_is_the_same_character(
    rules: Ruleset, drawing: Drawing, data: st.DataObject
) -> None:
    made = drawn(rules, drawing(data), data)
    copy = again(made, made.answers())
    assert told(copy) == told(made)
    assert copy.state == made.state


@law()
@given(seed=SEEDS, data=st.data())
def test_the_order_of_recorded_answers_does_not_matter(
    rules: Ruleset, some: Some, seed: int, data: st.DataObject
) -> None:
    made = some(rules, seed)
    shuffled = data.draw(st.permutations(list(made.answers().items())))
    assert told(again(made, dict(shuffled))) == told(made)


WRONG = st.one_of(
    st.none(), st.integers(-5, 5), st.text(max_size=5), st.lists(st.integers(1, 8), max_size=5)
)


@law()
@given(seed=SEEDS, data=st.data())
def test_nothing_that_was_answered_is_dropped_in_silence(
    rules: Ruleset, some: Some, seed: int, data: st.DataObject
) -> None:
    made = some(rules, seed)
    answers = dict(made.answers())
    names = st.sampled_from([*answers])
    for name in data.draw(st.lists(names, max_size=4, unique=True), label="wrong"):
        answers[name] = data.draw(WRONG)
    for name in data.draw(st.lists(names, max_size=3, unique=True), label="gone"):
        answers.pop(name, None)
    answers[data.draw(st.sampled_from(["zzz", "post.zzz"]))] = "zzz"
    changed = again(made, answers)
    broken = {problem.decision for problem in changed.problems}
    asked = {decision.id for decision in changed.asked}
    in_effect = set(changed.answers())
    assert set(answers) == in_effect | broken | set(changed.dormant)
    assert not in_effect & broken
    assert not asked & set(changed.dormant)
    assert {decision.id for decision in changed.open} == asked - in_effect
    assert broken <= {decision.id for decision in changed.open}
    for decision in changed.asked:
        if decision.id in in_effect:
            kept = decision.canonical(answers[decision.id])
            assert changed.answers()[decision.id] == kept
    assert changed.legal == (not changed.open and not changed.problems)


@law()
@given(seed=SEEDS, data=st.data())
def test_another_answer_and_back_gives_the_same_character(
    rules: Ruleset, some: Some, drawing: Drawing, seed: int, data: st.DataObject
) -> None:
    """Whatever the detour asks is answered too, and stays behind as dormant answers."""
    made = some(rules, seed)
    decision = data.draw(st.sampled_from(made.asked), label="changed")
    other = drawing(data)(decision)
    detour = replay(
        rules,
        {**made.answers(), decision.id: other},
        Start(made.name),
        drawing(data),
        growth(made.state.level),
    )
    answers = {**detour.answers(), **made.answers()}
    back = again(made, answers)
    assert {**told(back), "dormant": ()} == told(made)
    assert set(back.dormant) == set(answers) - set(made.answers())


@law()
@given(seed=SEEDS)
def test_starting_higher_and_levelling_up_later_are_the_same(
    capital: Ruleset, by_chance: ByChance, seed: int
) -> None:
    high = by_chance(capital, seed, 4)
    low = by_chance(capital, seed, 2)
    later = replay(capital, low.answers(), Start("N"), RandomAnswers(f"seed {seed}"), growth(4))
    assert told(later) == told(high)


@law()
@given(seed=SEEDS)
def test_a_lower_level_keeps_every_answer_of_it(
    capital: Ruleset, by_chance: ByChance, seed: int
) -> None:
    high = by_chance(capital, seed, 4)
    lower = replay(capital, high.answers(), Start("N"), log=growth(2))
    assert told(lower)["values"] == figures(by_chance(capital, seed, 2))
    assert all(name.startswith(("level.3.", "level.4.")) for name in lower.dormant)
    assert lower.legal


@law()
@given(seed=SEEDS)
def test_the_same_seed_makes_the_same_character(rules: Ruleset, seed: int) -> None:
    first, second = (replay(rules, {}, source=RandomAnswers(str(seed))) for _time in range(2))
    assert told(first) == told(second)


# --------------------------------------------------------------------------- packs


def test_neither_the_files_of_a_pack_nor_their_order_change_a_character(
    toy: Ruleset, toy_folder: Path, by_chance: ByChance, tmp_path: Path
) -> None:
    """The same entities in other files, the other way round."""
    pages = [
        entity
        for path in sorted(toy_folder.glob("*.yaml"))
        if path.name != "ruleset.yaml"
        for entity in (source.read_yaml(path) or {}).get("entities", ())
    ]
    for name in ("ruleset.yaml", "rulings.yaml"):
        (tmp_path / name).write_text(
            (toy_folder / name).read_text(encoding="utf-8"), encoding="utf-8"
        )
    for number, part in enumerate((pages[::-2], pages[-2::-2])):
        text = yaml.safe_dump({"entities": part}, sort_keys=False)
        (tmp_path / f"page{number}.yaml").write_text(text, encoding="utf-8")
    turned = load_folder(tmp_path)
    assert list(turned.entities) != list(toy.entities)
    for seed in range(12):
        made = by_chance(toy, seed, 1)
        other = replay(turned, made.answers(), Start(made.name))
        assert other.legal
        assert list(explained(other)) == list(explained(made))
