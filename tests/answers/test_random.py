"""Random answers: legal, sensible, and the same for the same seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from charforge.answers.automatic import RandomAnswers
from charforge.decisions.base import MISSING
from charforge.decisions.roll import RollDecision
from charforge.expressions import dice
from charforge.replay.character_spec import CharacterSpec
from charforge.replay.loaded_character import load_document
from charforge.usecases.create import create_character
from tests.samples import few, law

SEEDS = [f"chance {number}" for number in range(60)]


def walked(ruleset, seed: str, level: int = 1, **answers):
    """Return the character that chance makes around some answers."""
    plan = CharacterSpec(ruleset, seed, "Nix", level, answers=answers)
    return plan.replay(RandomAnswers(seed))


@law()
@given(seed=st.text("0123456789abcdef", min_size=1, max_size=8), level=st.integers(1, 10))
def test_every_character_by_chance_is_legal(rules, seed, level):
    level = min(level, rules.head.advancement.maximum)
    plan = CharacterSpec(rules, seed, RandomAnswers(seed).name(rules.head.names), level)
    made = create_character(plan, RandomAnswers(seed))
    opened = load_document(made, Path("made.json"), rules)
    assert opened.problems == ()
    assert opened.character.state.level == level


@pytest.mark.parametrize("seed", few(SEEDS[:5], 2))
def test_the_same_seed_answers_the_same(rules, seed):
    assert walked(rules, seed).answers() == walked(rules, seed).answers()


def test_other_seeds_answer_otherwise(rules):
    found = {str(walked(rules, seed).answers()) for seed in SEEDS[:15]}
    assert len(found) == 15


def test_dice_do_not_depend_on_what_else_was_answered(capital):
    """The same question rolls the same dice, whatever was asked before it."""
    for seed in SEEDS[:10]:
        free = walked(capital, seed).answers()["attributes.roll"]
        for role in ("role/the-tank", "role/the-healer"):
            fixed = walked(capital, seed, role=role, **{"story.origin": "A debt."})
            assert fixed.answers()["attributes.roll"] == free


def test_dice_are_the_stream_of_their_seed_and_question(rules):
    for seed in SEEDS[:10]:
        character = walked(rules, seed)
        for decision in character.asked:
            if isinstance(decision, RollDecision):
                numbers = dice.random_stream(seed, decision.id)
                sets = [
                    dice.roll_dice(decision.dice(), numbers, decision.question.must_reroll)
                    for _time in range(decision.times())
                ]
                rolls = sets if decision.question.is_repeated else sets[0]
                assert decision.roll(seed) == rolls
                assert character.answers()[decision.id] == decision.canonical(rolls)


def test_another_try_rolls_other_dice(capital):
    decision = walked(capital, "7").decision("attributes.roll")
    rolls = [str(decision.roll("7", attempt)) for attempt in range(20)]
    assert len(set(rolls)) == 20


def test_the_name_is_one_of_the_rulesets(rules):
    names = Counter(RandomAnswers(seed).name(rules.head.names) for seed in SEEDS)
    assert set(names) <= set(rules.head.names)
    assert len(names) > 1


def test_a_ruleset_without_names_has_one_for_everybody():
    assert RandomAnswers("7").name(()) == "Nameless"


@pytest.mark.slow
def test_every_role_and_every_kind_of_asset_turns_up(capital):
    answers = [walked(capital, f"variety {number}").answers() for number in range(150)]
    assert {given["role"] for given in answers} == {role.id for role in capital.of_kind("role")}
    kinds = {given["asset"].split("/")[0] for given in answers}
    assert kinds == {"augmentation", "companion", "vehicle", "special-weapon"}


def test_the_lowest_dice_are_dropped(capital):
    for seed in SEEDS[:20]:
        answers = walked(capital, seed).answers()
        faces = answers["attributes.roll"]
        last = faces[-1] if isinstance(faces[0], list) else faces
        assert answers["attributes.discard"] == sorted(last)[:2]


@pytest.mark.parametrize("role", ["the-lancer", "the-tank", "the-sentinel"])
def test_the_best_scores_go_where_the_role_needs_them(capital, role):
    wanted = capital.entity(f"role/{role}").priority
    for seed in SEEDS[:20]:
        scores = walked(capital, seed, role=f"role/{role}").answers()["attributes.assign"]
        ordered = [scores[name] for name in wanted]
        assert ordered == sorted(ordered, reverse=True)


def test_a_companions_scores_go_where_it_needs_them(capital):
    wanted = capital.entity("companion/land-beast").priority
    for seed in SEEDS[:10]:
        scores = walked(capital, seed, asset="companion/land-beast").answers()
        array = scores["asset.companion.array"]
        ordered = [array[name] for name in wanted if name in array]
        assert ordered == sorted(ordered, reverse=True)


def test_weapons_are_mostly_those_that_hit(capital):
    """The Lancer lives by VSN; 4 of the 10 weapons are guns, yet most Lancers have one."""
    lancers = [walked(capital, seed, role="role/the-lancer").answers() for seed in SEEDS]
    guns = Counter("gun" in capital.entity(given["role.weapon"]).tags for given in lancers)
    assert guns[True] > guns[False]


def test_slots_are_filled_as_far_as_they_go(capital):
    """A seed in twenty may leave a Slot free for want of a System that fits it."""
    free = []
    for seed in SEEDS[:20]:
        values = walked(capital, seed, 10).state.values()
        free.append(values.total("slots") - values.total("slots_used"))
    assert min(free) >= 0
    assert sum(left > 0 for left in free) <= 1


def test_what_is_answered_already_is_not_answered_again(capital):
    asked = []

    def listening(decision):
        asked.append(decision.id)
        return RandomAnswers("7")(decision)

    plan = CharacterSpec(capital, "7", "Nix", 1, answers={"role": "role/the-tank", "money": 250})
    character = plan.replay(listening)
    assert "role" not in asked
    assert "money" not in asked
    assert character.answers()["money"] == 250
    assert MISSING not in character.answers().values()


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_of_a_list_that_the_book_leaves_open_its_default_alone_is_the_example(reforged, seed):
    old = "    label: Which tools have you?\n"
    rules = reforged(("ruleset.yaml", old, old + "    unprinted: true\n    default: tool/tongs\n"))
    chance = RandomAnswers(seed)
    made = CharacterSpec(rules, seed, "Ilmar", 1).replay(chance)
    assert made.state.answers["tools"] == ["tool/tongs"]
    assert "tools" in chance.examples
